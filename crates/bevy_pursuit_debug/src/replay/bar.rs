//! The bar below the inspector's text. It shows the progress of a replay, and can be dragged with the mouse.

use bevy::prelude::*;

use super::overlay_replay::OverlayReplay;
use crate::blocks::{TextBlock, rect_of, show_node};
use crate::category::OverlayCategory;
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// Height of the bar, in UI pixels.
const BAR_HEIGHT_PIXELS: f32 = 10.0;
/// Vertical distance between the bar and the text, in UI pixels.
const TEXT_DISTANCE_PIXELS: f32 = 6.0;
/// Width of the mark at the replay's current position, in UI pixels.
const MARK_WIDTH_PIXELS: f32 = 4.0;
/// A press grabs the bar if the pointer is at most this far from the bar, in UI pixels.
const GRAB_DISTANCE_PIXELS: f32 = 5.0;

const TRACK_COLOR: Color = Color::srgba(1.0, 1.0, 1.0, 0.16);
const MARK_COLOR: Color = Color::WHITE;

/// Marks the bar.
#[derive(Component)]
pub(crate) struct ReplayBar;

/// Marks the node that fills the played part of the bar. The node is as wide as the bar, but is moved to the left by
/// the share of the replay that has not been played yet. The bar clips the node.
#[derive(Component)]
pub(crate) struct Played;

/// From a press on the bar until the button is released, pauses the replay and moves its cursor to the pointer's
/// position along the bar.
pub(crate) fn drag_bar(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    bars: Query<(&ComputedNode, &UiGlobalTransform), With<ReplayBar>>,
    mut replay: ResMut<OverlayReplay>,
    mut is_held: Local<bool>,
) {
    let bar = bars.iter().map(|(node, place)| rect_of(node, place)).next();
    let (Some(buttons), Some(button), Some(bar)) = (buttons, settings.pick, bar) else {
        *is_held = false;
        return;
    };
    let pointer = overlay.pointer_pixels;
    if buttons.just_pressed(button) {
        let is_there =
            |pointer| !bar.is_empty() && bar.inflate(GRAB_DISTANCE_PIXELS).contains(pointer);
        *is_held = pointer.is_some_and(is_there);
    }
    *is_held &= buttons.pressed(button);
    if let Some(pointer) = pointer.filter(|_| *is_held)
        && let Some(replay) = replay.bypass_change_detection().replay_mut()
    {
        let part = ((pointer.x - bar.min.x) / bar.width()).clamp(0.0, 1.0);
        replay.pause();
        replay.seek((f64::from(part) * f64::from(replay.len())).round() as u32);
    }
}

/// Spawns the bar, shows it while there is a replay, and fills it up to the replay's position.
pub(crate) fn draw_bar(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    replay: Res<OverlayReplay>,
    new: Query<(Entity, &TextBlock), Added<TextBlock>>,
    mut bars: Query<&mut Node, With<ReplayBar>>,
    mut played: Query<&mut UiTransform, With<Played>>,
) {
    for (inspector, _) in new.iter().filter(|(_, one)| **one == TextBlock::Inspector) {
        commands
            .entity(inspector)
            .with_child(replay_bar(settings.colors.current));
    }
    let shown = replay.replay().filter(|replay| !replay.is_empty());
    let shown = shown.filter(|_| settings.shows(OverlayCategory::Searches));
    for mut node in &mut bars {
        show_node(&mut node, shown.is_some());
    }
    let part = shown.map_or(0.0, |replay| replay.cursor() as f32 / replay.len() as f32);
    for mut transform in &mut played {
        transform.set_if_neq(played_transform(part));
    }
}

/// The transform that fills the share `part` of the bar, from 0 to 1. Changing a transform takes less time than
/// changing the layout.
fn played_transform(part: f32) -> UiTransform {
    UiTransform::from_translation(Val2::new(percent(100.0 * (part - 1.0)), Val::ZERO))
}

fn replay_bar(color: Color) -> impl Bundle {
    let bar = Node {
        display: Display::None,
        width: percent(100),
        height: px(BAR_HEIGHT_PIXELS),
        margin: UiRect::vertical(px(TEXT_DISTANCE_PIXELS)),
        border_radius: BorderRadius::all(px(BAR_HEIGHT_PIXELS / 2.0)),
        overflow: Overflow::clip(),
        ..default()
    };
    let played = Node {
        width: percent(100),
        height: percent(100),
        border: UiRect::right(px(MARK_WIDTH_PIXELS)),
        ..default()
    };
    (
        ReplayBar,
        Name::new("pursuit overlay: bar of the replay"),
        bar,
        BackgroundColor(TRACK_COLOR),
        children![(
            Played,
            played,
            BackgroundColor(color),
            BorderColor::all(MARK_COLOR),
            played_transform(0.0),
        )],
    )
}
