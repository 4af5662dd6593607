//! Varied ground: mud on the level, and agents of two radii and two classes.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use fastrand::Rng;

use crate::chase::world::Chaser;
use crate::game::agent::AGENT_RADIUS;
use crate::game::places::Places;
use crate::game::transform_at;
use crate::game::walls::center;

/// Number of patches of mud.
const MUD_PATCHES: usize = 200;
/// Greatest half side of a patch, in cells.
const MAX_HALF_SIDE: f32 = 12.0;
/// Cost of mud for agents of the second class. For agents of the first class, mud is plain ground.
const MUD_COST: f32 = 2.5;

/// Spreads mud, and gives the agents alternating radii and classes. Returns the ID of the mud area.
pub(super) fn spread(world: &mut World, places: &Places, seed: u64) -> AreaId {
    let mut areas = world.resource_mut::<NavAreas>();
    let mud = areas.add("mud", 1.0, Color::BLACK);
    let mut classes = world.resource_mut::<AgentClasses>();
    let slow = AgentClass::default().with_cost(mud, MUD_COST);
    let slow = classes.add(slow).expect("invariant: the second class");
    let mut agents = world.query::<(&Chaser, &mut NavAgent)>();
    for (chaser, mut agent) in agents.iter_mut(world) {
        agent.class = if chaser.0 % 2 == 1 { slow } else { ClassId(0) };
        agent.radius = AGENT_RADIUS * [1.0, 2.0][chaser.0 / 2 % 2];
    }
    let mut random = Rng::with_seed(seed);
    for _ in 0..MUD_PATCHES {
        let Some(&cell) = random.choice(&places.largest) else {
            break;
        };
        let half = 1.0 + (MAX_HALF_SIDE - 1.0) * Vec2::new(random.f32(), random.f32());
        world.spawn((puddle(mud, half), transform_at(center(cell))));
    }
    mud
}

/// A rectangle of ground of an area, with these half sides.
pub(super) fn puddle(area: AreaId, half: Vec2) -> impl Bundle + use<> {
    (NavObstacle::rectangle(half), NavArea::new(area))
}
