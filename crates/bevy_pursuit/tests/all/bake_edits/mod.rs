//! Edits of the scene: each edit is baked, bakes only what it touches, and is never lost.

mod grids;
mod obstacles;
mod quiet;
mod touched;

use pursuit::Cell;

use crate::bake_support::{app_with, assert_like_new, bake, blocked, grid, run_until_baked};
use crate::common::*;

pub(crate) type Edit = fn(&mut App, Entity);

/// Spawns a wall of 3 by 1 units at (10, 10), another obstacle far from it, and the grid. Returns the wall and the
/// grid.
pub(crate) fn spawn_wall_and_grid(app: &mut App) -> (Entity, Entity) {
    let place = Transform::from_xyz(10.0, 10.0, 0.0);
    let wall = spawn(app, (Collider::cuboid(1.5, 0.5), place));
    app.world_mut()
        .spawn((Collider::ball(2.0), Transform::from_xyz(-20.0, -20.0, 0.0)));
    let grid = bake(app, grid());
    (wall, grid)
}

/// Applies `before` and then `edit` to the wall. Asserts that exactly one small and correct bake follows, and whether
/// the wall still blocks its old place.
#[track_caller]
fn check_edit(name: &str, before: Edit, edit: Edit, still_blocks: bool) {
    for mode in MODES {
        let mut app = app_with(mode);
        let (wall, grid) = spawn_wall_and_grid(&mut app);
        before(&mut app, wall);
        run_until_baked(&mut app);
        let generation = snapshot(&app, grid).generation();

        edit(&mut app, wall);
        let seen = run_until_baked(&mut app);
        let [bake] = seen[..] else {
            panic!("{name}: expected one bake, got {seen:?}");
        };
        assert_eq!(bake.entity, grid, "{name}");
        assert_eq!(bake.generation, generation + 1, "{name}");
        assert_eq!(snapshot(&app, grid).generation(), generation + 1, "{name}");
        let cells = bake.cells.cell_count();
        assert!(
            cells > 0 && cells < 600,
            "{name}: the edit bakes {cells} of 1600 cells"
        );
        assert!(
            !bake.cells.contains(Cell::new(6, 6)),
            "{name}: the edit bakes the far ball: {:?}",
            bake.cells
        );
        assert_eq!(blocked(&app, grid, 10.0, 10.0), still_blocks, "{name}");
        assert_like_new(&mut app, grid);
    }
}

pub(crate) fn no_edit(_: &mut App, _: Entity) {}
