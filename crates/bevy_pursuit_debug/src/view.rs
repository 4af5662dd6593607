//! The part of the world that the camera shows, and the pointer's position in it.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::blocks::{BLOCK_MARGIN_PIXELS, TextArea, TextBlock, rect_of};
use crate::detail::View;
use crate::settings::PursuitDebugSettings;

/// The camera's view and the pointer in this frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct OverlayView {
    /// `None` while no camera with an orthographic projection is active.
    pub(crate) view: Option<View>,
    /// The pointer's position in the world, in world units. `None` while the pointer is outside the viewport or over
    /// the overlay's own text.
    pub(crate) pointer: Option<Vec2>,
    /// The pointer's position in UI pixels, from the top left corner of the camera's viewport. `None` while the pointer
    /// is outside the window.
    pub(crate) pointer_pixels: Option<Vec2>,
}

/// Finds the view of the active orthographic camera with the lowest `Camera::order`, the pointer in the primary window,
/// and the area for text.
pub(crate) fn update_view(
    mut overlay: ResMut<OverlayView>,
    mut text_area: ResMut<TextArea>,
    settings: Res<PursuitDebugSettings>,
    cameras: Query<(&Camera, &Projection, &GlobalTransform)>,
    windows: Query<&Window, With<PrimaryWindow>>,
    ui_scale: Option<Res<UiScale>>,
    blocks: Query<(&ComputedNode, &UiGlobalTransform), With<TextBlock>>,
) {
    let seen = cameras
        .iter()
        .filter(|(camera, ..)| camera.is_active)
        .filter_map(|(camera, projection, transform)| {
            let Projection::Orthographic(projection) = projection else {
                return None;
            };
            let size = camera.physical_viewport_size()?.as_vec2();
            Some((camera, projection.area, transform, size))
        })
        .min_by_key(|(camera, ..)| camera.order);
    let window = windows.iter().next();
    let mut next = OverlayView::default();
    if let Some((camera, area, transform, size)) = seen {
        next.view = view_of(area, transform, size);
        let cursor = window.and_then(Window::physical_cursor_position);
        let corner = camera.viewport.as_ref();
        let corner = corner.map_or(Vec2::ZERO, |it| it.physical_position.as_vec2());
        let scale = window.map_or(1.0, Window::scale_factor) * ui_scale.map_or(1.0, |it| it.0);
        next.pointer_pixels = cursor.map(|cursor| (cursor - corner) / scale);
        let is_covered = next.pointer_pixels.is_some_and(|pixels| {
            let mut blocks = blocks.iter();
            blocks.any(|(node, place)| rect_of(node, place).contains(pixels))
        });
        next.pointer = cursor
            .filter(|_| !is_covered)
            .and_then(|cursor| unproject(cursor - corner, size, area, transform));
        let margins = settings.margins;
        let low = Vec2::new(margins.left, margins.top) + BLOCK_MARGIN_PIXELS;
        let high = size / scale - Vec2::new(margins.right, margins.bottom) - BLOCK_MARGIN_PIXELS;
        text_area.set_if_neq(TextArea(Rect {
            min: low,
            max: high.max(low),
        }));
    }
    overlay.set_if_neq(next);
}

/// The view of a camera that may be rotated. The area of the view is the bounding box of what the camera shows.
fn view_of(area: Rect, transform: &GlobalTransform, size: Vec2) -> Option<View> {
    let corners = [
        area.min,
        area.max,
        Vec2::new(area.min.x, area.max.y),
        Vec2::new(area.max.x, area.min.y),
    ];
    let corners = corners.map(|corner| world_position(transform, corner));
    let height = corners[0].distance(corners[2]);
    let mut bounds = Rect::from_corners(corners[0], corners[1]);
    for corner in &corners[2..] {
        bounds = bounds.union_point(*corner);
    }
    let is_usable = bounds.min.is_finite() && bounds.max.is_finite() && height > 0.0;
    is_usable.then(|| View {
        area: bounds,
        pixels_per_unit: size.y / height,
    })
}

/// The world position of a pixel. `pixel` is relative to the top left corner of the viewport. `None` outside the
/// viewport.
fn unproject(pixel: Vec2, size: Vec2, area: Rect, transform: &GlobalTransform) -> Option<Vec2> {
    let share = pixel / size;
    let is_inside = share.cmpge(Vec2::ZERO).all() && share.cmple(Vec2::ONE).all();
    let point = Vec2::new(
        area.min.x + share.x * area.width(),
        area.max.y - share.y * area.height(),
    );
    is_inside.then(|| world_position(transform, point))
}

fn world_position(transform: &GlobalTransform, point: Vec2) -> Vec2 {
    transform.transform_point(point.extend(0.0)).truncate()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect {
        min: Vec2::new(-40.0, -20.0),
        max: Vec2::new(40.0, 20.0),
    };
    const SIZE: Vec2 = Vec2::new(800.0, 400.0);

    #[test]
    fn the_view_of_a_rotated_camera_is_the_bounding_box_of_its_corners() {
        let turned = Transform::from_xyz(100.0, 0.0, 0.0)
            .with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
        let view = view_of(AREA, &turned.into(), SIZE).expect("a view");
        assert!((view.area.min - Vec2::new(80.0, -40.0)).length() < 1e-3);
        assert!((view.area.max - Vec2::new(120.0, 40.0)).length() < 1e-3);
        assert!((view.pixels_per_unit - 10.0).abs() < 1e-3);
        let broken = Transform::from_xyz(f32::NAN, 0.0, 0.0);
        assert_eq!(view_of(AREA, &broken.into(), SIZE), None);
    }

    #[test]
    fn pixel_y_points_down_and_world_y_points_up() {
        let camera = GlobalTransform::from_xyz(1000.0, 0.0, 0.0);
        let place = |x, y| unproject(Vec2::new(x, y), SIZE, AREA, &camera);
        assert_eq!(place(0.0, 0.0), Some(Vec2::new(960.0, 20.0)));
        assert_eq!(place(800.0, 400.0), Some(Vec2::new(1040.0, -20.0)));
        assert_eq!(place(801.0, 10.0), None, "outside the viewport");
    }
}
