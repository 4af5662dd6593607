//! The crate `bevy_northstar`: HPA* over chunks of 16 by 16 cells. In each tick, it searches for a limited number of
//! agents.
//!
//! The crate is used as in its examples: an agent walks to the next cell of its path at its speed, and on arrival
//! requests the cell after that. For the crate, an agent is already in the cell that it is entering, so that a path
//! found in the meantime continues from that cell. The filter against cutting corners is on. Collisions are off,
//! because the crate checks cells, not bodies.

use bevy::prelude::*;
use bevy_northstar::prelude::{
    AgentOfGrid, AgentPos, GridSettingsBuilder, Nav, NextPos, NorthstarPlugin, OrdinalGrid,
    OrdinalNeighborhood, Pathfind, PathingSet, filter::NoCornerCutting,
};
use pursuit::{Cell, Grid};
use pursuit_bench::{Hunt, center};

/// Side of a chunk, in cells.
const CHUNK: u32 = 16;

/// The target of the chase, and the speed of the agents in cells per second.
#[derive(Resource)]
struct Chase {
    target: Entity,
    speed: f32,
}

pub(crate) fn chase(app: &mut App, hunt: &Hunt<'_>) {
    app.add_plugins(NorthstarPlugin::<OrdinalNeighborhood>::default())
        .insert_resource(Chase {
            target: hunt.target,
            speed: hunt.speed,
        })
        .add_systems(
            Update,
            (request_paths.before(PathingSet), walk.after(PathingSet)),
        );
    let world = app.world_mut();
    let grid = world.spawn(grid(hunt.level)).id();
    for &(agent, start) in hunt.agents {
        let place = AgentPos(position(start));
        world.entity_mut(agent).insert((place, AgentOfGrid(grid)));
    }
}

fn grid(level: &Grid) -> OrdinalGrid {
    let settings = GridSettingsBuilder::new_2d(level.width(), level.height())
        .chunk_size(CHUNK)
        .default_impassable()
        .add_neighbor_filter(NoCornerCutting)
        .build();
    let mut grid = OrdinalGrid::new(&settings);
    for cell in level.rect().cells().filter(|&cell| level.is_free(cell)) {
        grid.set_nav(position(center(cell)), Nav::Passable(1));
    }
    grid.build();
    grid
}

fn position(place: Vec2) -> UVec3 {
    place.as_uvec2().extend(0)
}

fn middle(position: UVec3) -> Vec2 {
    center(Cell::new(position.x as i32, position.y as i32))
}

/// Requests paths to the target's cell whenever the target enters another cell.
fn request_paths(
    mut commands: Commands,
    chase: Res<Chase>,
    mut last: Local<Option<UVec3>>,
    places: Query<&Transform>,
    mut agents: Query<(Entity, Option<&mut Pathfind>), With<AgentPos>>,
) -> Result {
    let goal = position(places.get(chase.target)?.translation.truncate());
    if last.replace(goal) == Some(goal) {
        return Ok(());
    }
    for (agent, pathfind) in &mut agents {
        match pathfind {
            Some(mut pathfind) => pathfind.goal = goal,
            // The agent has reached its goal.
            None => {
                commands.entity(agent).insert(Pathfind::new(goal));
            }
        }
    }
    Ok(())
}

fn walk(
    mut commands: Commands,
    time: Res<Time>,
    chase: Res<Chase>,
    mut agents: Query<(Entity, &mut AgentPos, &NextPos, &mut Transform)>,
) {
    let step = chase.speed * time.delta_secs();
    for (agent, mut place, next, mut transform) in &mut agents {
        place.0 = next.0;
        let way = middle(next.0) - transform.translation.truncate();
        transform.translation += way.clamp_length_max(step).extend(0.0);
        if way.length() <= step {
            commands.entity(agent).remove::<NextPos>();
        }
    }
}
