//! The strip along the lower edge: how far replays are, on a bar that can be dragged.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::art::classic::{CURRENT, PATH_GOAL};
use crate::art::palette;
use crate::hud::{FAINT, WORD, text};
use crate::replays::Replays;

/// Pixels between the bar and the borders of its strip.
const MARGIN: f32 = 18.0;
/// How thick the bar is, in pixels.
const HEIGHT: f32 = 12.0;
/// Pixels around the bar within which a press holds it.
const GRIP: f32 = 10.0;

/// Where the strip and its bar lie in the window, in logical pixels.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Timeline {
    /// From the strip to the right edge of the window.
    pub right: f32,
    /// How high the strip is.
    pub height: f32,
    /// From the bar to the lower edge of the window.
    pub bottom: f32,
    /// How many replays have a mark where they end.
    pub places: usize,
}

/// The part of the bar that is played.
#[derive(Component, Clone, Copy, Debug)]
pub struct Fill;

/// Where the replay in a place ends.
#[derive(Component, Clone, Copy, Debug)]
pub struct EndMark(usize);

impl Timeline {
    /// Spawns the strip, the bar, and two texts that are marked by what is given: whether the replays play, and
    /// how far they are.
    pub fn spawn<W: Component>(self, commands: &mut Commands, [speed, cursor]: [W; 2]) {
        let strip = Node {
            position_type: PositionType::Absolute,
            left: px(0),
            right: px(self.right),
            bottom: px(0),
            height: px(self.height),
            padding: UiRect::axes(px(MARGIN), px(10)),
            justify_content: JustifyContent::SpaceBetween,
            ..default()
        };
        commands.spawn((
            strip,
            BackgroundColor(palette::SHADE),
            children![
                (text("", 13.0, WORD), speed),
                (text("", 13.0, FAINT), cursor)
            ],
        ));
        let bar = Node {
            position_type: PositionType::Absolute,
            left: px(MARGIN),
            right: px(self.right + MARGIN),
            bottom: px(self.bottom),
            height: px(HEIGHT),
            border_radius: BorderRadius::all(px(HEIGHT / 2.0)),
            ..default()
        };
        let color = BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.13));
        // Roots are drawn in no order that can be relied on.
        let bar = commands.spawn((self, bar, color, ZIndex(1))).id();
        for place in 0..self.places {
            commands.spawn((end_mark(place), ChildOf(bar)));
        }
        commands.spawn((fill(), ChildOf(bar)));
    }

    /// The bar in a window of that size, from the upper left corner.
    fn bar(self, window: Vec2) -> Rect {
        let right = (window.x - self.right - MARGIN).max(MARGIN + 1.0);
        let bottom = window.y - self.bottom;
        Rect::new(MARGIN, bottom - HEIGHT, right, bottom)
    }
}

fn end_mark(place: usize) -> impl Bundle {
    let node = Node {
        position_type: PositionType::Absolute,
        width: px(3),
        top: px(-3),
        bottom: px(-3),
        border_radius: BorderRadius::all(px(1.5)),
        ..default()
    };
    (EndMark(place), node, BackgroundColor(PATH_GOAL))
}

fn fill() -> impl Bundle {
    let fill = Node {
        height: percent(100),
        border_radius: BorderRadius::all(px(HEIGHT / 2.0)),
        justify_content: JustifyContent::End,
        align_items: AlignItems::Center,
        ..default()
    };
    let knob = Node {
        width: px(18),
        height: px(18),
        margin: UiRect::right(px(-9)),
        border: UiRect::all(px(3)),
        border_radius: BorderRadius::all(px(9)),
        flex_shrink: 0.0,
        ..default()
    };
    let rim = BorderColor::all(palette::LINEN);
    (
        Fill,
        fill,
        BackgroundColor(CURRENT),
        children![(knob, BackgroundColor(CURRENT), rim)],
    )
}

/// A press on the bar or beside it holds it, until the button is let go.
pub fn scrub<R: Replays>(
    window: Single<&Window, With<PrimaryWindow>>,
    timeline: Single<&Timeline>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut is_held: Local<bool>,
    mut replays: ResMut<R>,
) {
    let Some(cursor) = window.cursor_position() else {
        return;
    };
    let bar = timeline.bar(window.size());
    if buttons.just_pressed(MouseButton::Left) {
        *is_held = bar.inflate(GRIP).contains(cursor);
    }
    *is_held &= buttons.pressed(MouseButton::Left);
    if *is_held {
        let part = ((cursor.x - bar.min.x) / bar.width()).clamp(0.0, 1.0);
        replays.pause();
        replays.seek(part);
    }
}

/// Fills the bar, and puts the marks where the replays end.
pub fn move_bar<R: Replays>(
    replays: Res<R>,
    mut fill: Single<&mut Node, With<Fill>>,
    mut marks: Query<(&EndMark, &mut Node), Without<Fill>>,
) {
    if !replays.is_changed() {
        return;
    }
    let part = |events: u32| percent(100.0 * events as f32 / replays.events().max(1) as f32);
    fill.width = part(replays.cursor());
    for (mark, mut node) in &mut marks {
        let end = replays.end(mark.0);
        node.display = if end.is_some() {
            Display::Flex
        } else {
            Display::None
        };
        node.left = part(end.unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_lies_within_its_strip() {
        let window = Vec2::new(1280.0, 720.0);
        for (right, height, bottom) in [(304.0, 62.0, 14.0), (0.0, 92.0, 42.0)] {
            let timeline = Timeline {
                right,
                height,
                bottom,
                places: 2,
            };
            let bar = timeline.bar(window);
            assert!(bar.min.y > window.y - height && bar.max.y < window.y);
            assert!(bar.min.x > 0.0 && bar.max.x < window.x - right);
        }
    }
}
