//! The crate `vleue_navigator`: a navmesh of the ground that `avian2d` colliders leave free.
//!
//! The crate runs as in a game: an app has the physics, and the crate's plugin builds a navmesh from the colliders in a
//! task. The clock is stopped once the physics has registered the colliders, so that no physics step competes with the
//! task.

use std::thread;
use std::time::Duration;

use avian2d::prelude::{Collider, PhysicsPlugins, RigidBody};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use pursuit::Grid;
use pursuit_bench::{WallBoxes, center};
use thiserror::Error;
use vleue_navigator::prelude::*;

/// Duration of a frame. The physics registers all colliders within one frame.
const FRAME: Duration = Duration::from_millis(16);
/// Pause between two checks whether the navmesh is built. The pause leaves the processor to the task.
const POLL_INTERVAL: Duration = Duration::from_micros(100);
/// A point of an inflated wall is left out if it changes the area of the wall by less than this, in square cells. A few
/// points of the arc around each corner remain, so bodies may get closer to the corner by a thirtieth of a cell. The
/// navmesh then has less than half of the polygons, and on the map of a city it is built faster.
const SIMPLIFY: f32 = 0.005;

/// An app with the walls as colliders, and one navmesh at a time.
pub(crate) struct Navigator {
    app: App,
    /// Corners of the level.
    outline: [Vec2; 4],
    /// Distance that bodies keep from walls, in cells. 0 for points.
    radius: f32,
    navmesh: Option<Entity>,
    /// Number of navmeshes so far. The number is also the ID of the latest navmesh, so that no navmesh inherits data
    /// from another.
    count: u128,
}

/// The reason why there is no navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NavmeshError {
    /// The crate gave up building the navmesh.
    #[error("the status of the navmesh is {0:?}")]
    Ended(NavMeshStatus),
    /// No navmesh was requested.
    #[error("there is no navmesh to build")]
    None,
}

impl Navigator {
    /// An app with the walls of a grid, and no navmesh yet.
    pub(crate) fn of_walls(grid: &Grid, radius: f32) -> Self {
        let size = Vec2::new(grid.width() as f32, grid.height() as f32);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .add_plugins(AssetPlugin::default())
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .add_plugins((
                PhysicsPlugins::default(),
                VleueNavigatorPlugin,
                NavmeshUpdaterPlugin::<Collider>::default(),
            ));
        for wall in WallBoxes::of(grid).boxes() {
            let size = wall.size();
            app.world_mut().spawn((
                RigidBody::Static,
                Collider::rectangle(size.x, size.y),
                Transform::from_translation(wall.center().extend(0.0)),
            ));
        }
        app.finish();
        app.cleanup();
        for _ in 0..2 {
            app.update();
        }
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        Navigator {
            app,
            outline: [
                Vec2::ZERO,
                Vec2::new(size.x, 0.0),
                size,
                Vec2::new(0.0, size.y),
            ],
            radius,
            navmesh: None,
            count: 0,
        }
    }

    /// Replaces the navmesh with a new navmesh, which still has to be built.
    pub(crate) fn replace_navmesh(&mut self) {
        let world = self.app.world_mut();
        if let Some(old) = self.navmesh.take() {
            world.despawn(old);
            let old = ManagedNavMesh::get_from_id(self.count);
            world.resource_mut::<Assets<NavMesh>>().remove(&old);
        }
        self.count += 1;
        let navmesh = world.spawn((
            ManagedNavMesh::from_id(self.count),
            NavMeshSettings {
                fixed: Triangulation::from_outer_edges(&self.outline),
                agent_radius: self.radius,
                simplify: if self.radius > 0.0 { SIMPLIFY } else { 0.0 },
                ..NavMeshSettings::default()
            },
            NavMeshUpdateMode::Direct,
        ));
        self.navmesh = Some(navmesh.id());
    }

    /// Runs frames until the navmesh is built. Meanwhile the plugin notices the new navmesh, copies the colliders for
    /// the task, waits for the task, and stores the result.
    ///
    /// # Errors
    /// [`NavmeshError`] if there is no navmesh, or if the crate gave up building it.
    pub(crate) fn build(&mut self) -> Result<(), NavmeshError> {
        let navmesh = self.navmesh.ok_or(NavmeshError::None)?;
        loop {
            self.app.update();
            match self.app.world().get::<NavMeshStatus>(navmesh) {
                None => return Err(NavmeshError::None),
                Some(NavMeshStatus::Built) => return Ok(()),
                Some(&ended @ (NavMeshStatus::Failed | NavMeshStatus::Cancelled)) => {
                    return Err(NavmeshError::Ended(ended));
                }
                Some(NavMeshStatus::Building | NavMeshStatus::Invalid) => {
                    thread::sleep(POLL_INTERVAL)
                }
            }
        }
    }

    /// Number of cells on which the navmesh and the grid differ: free cells whose center is off the navmesh, and
    /// blocked cells whose center is on it.
    pub(crate) fn differing(&self, grid: &Grid) -> usize {
        let navmeshes = self.app.world().resource::<Assets<NavMesh>>();
        let navmesh = navmeshes.get(&ManagedNavMesh::get_from_id(self.count));
        let mesh = navmesh.map(|navmesh| {
            let mut mesh = (*navmesh.get()).clone();
            // The crate does not need this index of polygons. Here it makes the queries for every cell faster.
            mesh.layers
                .iter_mut()
                .for_each(|layer| layer.bake_polygon_finder());
            mesh
        });
        let is_on = |at: Vec2| mesh.as_ref().is_some_and(|mesh| mesh.point_in_mesh(at));
        let cells = grid.rect().cells();
        cells
            .filter(|&cell| is_on(center(cell)) != grid.is_free(cell))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::Navigator;
    use pursuit::maps::parse_ascii;

    const MAP: &str = "......\n.##.#.\n..#...\n#....#\n";

    #[test]
    fn every_new_navmesh_covers_exactly_the_free_cells() {
        let grid = parse_ascii(MAP).unwrap().grid;
        let mut navigator = Navigator::of_walls(&grid, 0.4);
        for _ in 0..2 {
            navigator.replace_navmesh();
            assert_eq!(
                navigator.differing(&grid),
                grid.free_count(),
                "it is not built yet"
            );
            assert_eq!(navigator.build(), Ok(()));
            assert_eq!(navigator.differing(&grid), 0);
        }
    }

    #[test]
    fn a_wide_body_has_no_navmesh_in_a_gap_that_a_narrow_one_fits() {
        let grid = parse_ascii("..#..\n.....\n..#..\n").unwrap().grid;
        let differing = |radius| {
            let mut navigator = Navigator::of_walls(&grid, radius);
            navigator.replace_navmesh();
            navigator.build().unwrap();
            navigator.differing(&grid)
        };
        assert_eq!(differing(0.0), 0);
        assert_eq!(differing(0.4), 0);
        assert_eq!(differing(0.6), 5, "the gap and the cells beside the walls");
    }
}
