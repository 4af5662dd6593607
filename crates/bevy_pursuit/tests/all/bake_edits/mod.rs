//! Edits of the scene: each is baked, nothing more than what it touches, and none is lost.

mod grids;
mod obstacles;
mod quiet;
mod touched;

use pursuit::Cell;

use crate::bake_support::{app_with, assert_like_new, bake, blocked, grid, settle};
use crate::common::*;

pub(crate) type Edit = fn(&mut App, Entity);

/// A wall of 3 × 1 units at (10, 10), with a corner of the grid to itself, and a far one.
pub(crate) fn walled(app: &mut App) -> (Entity, Entity) {
    let place = Transform::from_xyz(10.0, 10.0, 0.0);
    let wall = spawn(app, (Collider::cuboid(1.5, 0.5), place));
    app.world_mut()
        .spawn((Collider::ball(2.0), Transform::from_xyz(-20.0, -20.0, 0.0)));
    let grid = bake(app, grid());
    (wall, grid)
}

/// Applies `edit` to the wall after `before`, and checks that exactly one small bake follows, that
/// it is right, and whether the wall is still in its place.
#[track_caller]
fn check_edit(name: &str, before: Edit, edit: Edit, stays: bool) {
    for mode in MODES {
        let mut app = app_with(mode);
        let (wall, grid) = walled(&mut app);
        before(&mut app, wall);
        settle(&mut app);
        let generation = snapshot(&app, grid).generation();

        edit(&mut app, wall);
        let seen = settle(&mut app);
        let [bake] = seen[..] else {
            panic!("{name}: expected one bake, got {seen:?}");
        };
        assert_eq!(bake.entity, grid, "{name}");
        assert_eq!(bake.generation, generation + 1, "{name}");
        assert_eq!(snapshot(&app, grid).generation(), generation + 1, "{name}");
        let cells = bake.cells.cell_count();
        assert!(
            cells > 0 && cells < 600,
            "{name} bakes {cells} of 1600 cells anew"
        );
        assert!(
            !bake.cells.contains(Cell::new(6, 6)),
            "{name} bakes the far ball anew: {:?}",
            bake.cells
        );
        assert_eq!(blocked(&app, grid, 10.0, 10.0), stays, "{name}");
        assert_like_new(&mut app, grid);
    }
}

pub(crate) fn nothing(_: &mut App, _: Entity) {}
