//! The ends of the search, set with the mouse.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit_lab::voxels::Voxel;

use crate::level::Level;
use crate::light::first_hit;
use crate::orbit::{BoardCamera, END_KEYS};
use crate::race::Race;
use crate::solid::from_world;
use crate::terrain::{Cut, is_shown};

/// How far a ray from a camera goes, in cubes.
const REACH: f32 = 2000.0;

/// A click with Shift sets the start, one with Ctrl the goal, before the face that is pointed at.
pub(crate) fn pick(
    window: Single<&Window, With<PrimaryWindow>>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    cut: Res<Cut>,
    cameras: Query<(&BoardCamera, &Camera, &GlobalTransform)>,
    mut level: ResMut<Level>,
    mut race: ResMut<Race>,
) {
    let [is_start, is_goal] = END_KEYS.map(|pair| keys.any_pressed(pair));
    if is_start == is_goal || !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let Some(cursor) = window.cursor_position() else {
        return;
    };
    let ray = cameras.iter().find_map(|(of, camera, transform)| {
        let is_here = camera.logical_viewport_rect()?.contains(cursor);
        let is_seen = is_here && race.shown.has(of.0);
        let ray = is_seen.then(|| camera.viewport_to_world(transform, cursor));
        ray?.ok()
    });
    let Some(place) = ray.and_then(|ray| face(&level, cut.0, ray)) else {
        return;
    };
    if is_start {
        level.start = place;
    } else {
        level.goal = place;
    }
    let gait = race.gait;
    race.run_again(&level, gait);
}

/// The free cube before the first face that a ray in the world meets.
fn face(level: &Level, cut: i32, ray: Ray3d) -> Option<Voxel> {
    let from = from_world(&level.grid, ray.origin);
    let toward = from_world(&level.grid, ray.origin + *ray.direction) - from;
    let hit = first_hit(from, toward, REACH, &|voxel| is_shown(level, cut, voxel));
    let (_, before) = hit?;
    level.grid.node(before).is_some().then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::{corner, to_world};

    #[test]
    fn a_click_means_the_cube_before_the_face() {
        let level = Level::parse("a", "S..\n.#.\n..G\n\n...\n...\n...").expect("a level");
        let above = |x, y| {
            let point = corner(Voxel::new(x, y, 20)) + Vec3::splat(0.5);
            Ray3d::new(to_world(&level.grid, point), Dir3::NEG_Y)
        };
        assert_eq!(face(&level, 2, above(1, 1)), Some(Voxel::new(1, 1, 1)));
        assert_eq!(face(&level, 2, above(2, 1)), Some(Voxel::new(2, 1, 0)));
        assert_eq!(face(&level, 2, above(7, 1)), None, "beside the level");
    }
}
