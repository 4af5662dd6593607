//! Where things are in the window: a camera per lane, and one for the panels above them.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{ClearColorConfig, Viewport};
use bevy::prelude::*;
use bevy::ui::IsDefaultUiCamera;
use bevy::window::PrimaryWindow;

use crate::lanes::{LANES, Lanes};
use crate::picture::Picture;
use crate::problem::Problem;

/// Pixels of the window that are not lanes, to the right and along the lower edge.
pub(crate) const PANEL: f32 = 304.0;
pub(crate) const BAR: f32 = 62.0;
/// Pixels between two lanes.
const GAP: f32 = 4.0;
/// Pixels along the upper edge of a lane that its sign takes.
pub(crate) const SIGN: f32 = 76.0;

/// A camera over a lane, from the left on.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct LaneCamera(pub(crate) usize);

/// On which layer something is that belongs to one lane. All lanes see layer 0.
pub(crate) fn layer(lane: usize) -> RenderLayers {
    RenderLayers::layer(lane + 1)
}

/// The rectangle of a lane in the window, in logical pixels from the upper left corner.
pub(crate) fn lane_rect(window: Vec2, lane: usize, shown: usize) -> Rect {
    let room = (window - Vec2::new(PANEL, BAR)).max(Vec2::splat(2.0));
    let width = (room.x - GAP * (shown as f32 - 1.0)) / shown as f32;
    let left = lane as f32 * (width + GAP);
    Rect::new(left, 0.0, left + width.max(1.0), room.y)
}

/// The lane at a place of the window, and its rectangle.
pub(crate) fn lane_at(window: &Window, place: Vec2, shown: usize) -> Option<(usize, Rect)> {
    let mut rects = (0..shown).map(|lane| (lane, lane_rect(window.size(), lane, shown)));
    rects.find(|(_, rect)| rect.contains(place))
}

pub(crate) fn spawn_cameras<P: Problem>(mut commands: Commands, picture: Option<Res<Picture>>) {
    let clear = |is_first: bool| match is_first {
        true => ClearColorConfig::Default,
        false => ClearColorConfig::None,
    };
    let edges = P::edges(picture.is_some());
    for lane in 0..LANES {
        let camera = Camera {
            order: lane as isize,
            clear_color: clear(lane == 0),
            ..default()
        };
        commands.spawn((LaneCamera(lane), P::camera(), camera, edges));
    }
    let camera = Camera {
        order: LANES as isize,
        clear_color: clear(false),
        ..default()
    };
    let sees = RenderLayers::none();
    commands.spawn((Camera2d, camera, IsDefaultUiCamera, edges, sees));
}

/// Gives each lane its part of the window.
pub(crate) fn place_cameras(
    window: Single<&Window, With<PrimaryWindow>>,
    lanes: Res<Lanes>,
    mut commands: Commands,
    mut cameras: Query<(Entity, &LaneCamera, &mut Camera)>,
) {
    let (shown, factor) = (lanes.shown(), window.scale_factor());
    for (entity, &LaneCamera(lane), mut camera) in &mut cameras {
        // A camera that is switched off and on loses sight of what does not move. So a lane that is not shown draws nothing
        // into one pixel, before the first lane clears the window.
        let is_shown = lane < shown;
        let rect = lane_rect(window.size(), lane, shown);
        let (position, size) = match is_shown {
            true => (
                (rect.min * factor).as_uvec2(),
                (rect.size() * factor).as_uvec2(),
            ),
            false => (UVec2::ZERO, UVec2::ONE),
        };
        camera.viewport = Some(Viewport {
            physical_position: position,
            physical_size: size.max(UVec2::ONE),
            ..default()
        });
        camera.order = if is_shown { lane as isize } else { -1 };
        let sees = match is_shown {
            true => layer(lane).with(0),
            false => RenderLayers::none(),
        };
        commands.entity(entity).insert(sees);
    }
}
