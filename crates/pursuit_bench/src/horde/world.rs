//! A horde as a game: agents of one size, or of mixed sizes, chase one target.

use bevy::prelude::*;
use bevy_pursuit::PursuitSettings;
use bevy_pursuit::prelude::*;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::chase::AgentBody;
use crate::chase::meter::MIN_WALL_RADII;
use crate::chase::world::{Player, give_body};
use crate::game::positions::{Hash, position_of};
use crate::game::{TICK_RATE, transform_at};
use crate::numbers::positive;

/// Radius of the agents and of their target, in cells.
pub(super) const RADIUS: f32 = 0.3;
/// Speed of agents of this radius, in cells per second: twenty radii per second, the plugin's default.
pub(super) const SPEED: f32 = 20.0 * RADIUS;

/// Mixed radii, as multiples of the middle radius. The last factor is the largest.
const MIXED_FACTORS: [f32; 3] = [0.5, 1.0, 1.5];

/// Whether agents keep clear of one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Avoidance {
    /// Agents walk through one another.
    None,
    /// `NavAvoidance::Separation`, the default.
    Separation,
}

/// The options of the bodies of a crowd.
#[derive(Args, Clone, Copy, Debug, Serialize)]
pub(crate) struct Bodies {
    /// What the agents are made of.
    #[arg(long, value_enum, default_value = "transform")]
    pub(crate) body: AgentBody,
    /// Ticks per second of game time.
    #[arg(long, value_name = "HZ", default_value_t = TICK_RATE, value_parser = positive)]
    pub(crate) rate: f64,
    /// Give agents alternating radii: 0.5, 1 and 1.5 times the usual radius.
    #[arg(long)]
    pub(crate) mixed: bool,
}

impl Bodies {
    /// Bare transforms of one size at the usual rate.
    pub(crate) const PLAIN: Self = Bodies {
        body: AgentBody::Transform,
        rate: TICK_RATE,
        mixed: false,
    };
}

/// The options that all agents of a horde share.
#[derive(Clone, Copy, Debug)]
pub(super) struct HordeAgents {
    pub(super) avoidance: Avoidance,
    /// Radius of the agents, in cells. With mixed radii, this is the middle one.
    pub(super) radius: f32,
    pub(super) bodies: Bodies,
}

impl HordeAgents {
    pub(super) fn new(avoidance: Avoidance, radius: f32, bodies: Bodies) -> Self {
        Self {
            avoidance,
            radius,
            bodies,
        }
    }

    /// Speed of the agents, in cells per second.
    pub(super) fn speed(&self) -> f32 {
        SPEED / RADIUS * self.radius
    }

    /// Radius of the agent with this index, in cells.
    pub(super) fn radius_of(&self, number: usize) -> f32 {
        if self.bodies.mixed {
            self.radius * MIXED_FACTORS[number % MIXED_FACTORS.len()]
        } else {
            self.radius
        }
    }

    pub(super) fn largest(&self) -> f32 {
        self.radius_of(MIXED_FACTORS.len() - 1)
    }
}

/// An agent of the horde, with its index.
#[derive(Component)]
pub(super) struct HordeMember(pub(super) usize);

/// Marks the chased entity.
#[derive(Component)]
pub(super) struct Target;

/// Spawns the target and the agents that chase it. Agents share fields, which is the default in games.
pub(super) fn spawn(app: &mut App, kind: HordeAgents, target: Vec2, starts: &[Vec2]) {
    let world = app.world_mut();
    world.resource_mut::<PursuitSettings>().share_fields = true;
    let mut chased = world.spawn((Target, Player, transform_at(target)));
    let separates = kind.avoidance == Avoidance::Separation;
    if separates {
        chased.insert(CrowdObstacle {
            radius: kind.radius,
        });
    }
    let chased = chased.id();
    for (number, &start) in starts.iter().enumerate() {
        let radius = kind.radius_of(number);
        let agent = NavAgent::from_radius(radius).with_speed(kind.speed());
        let member = (HordeMember(number), transform_at(start));
        let mut entity = world.spawn((member, agent, Chase::new(chased)));
        if !separates {
            entity.insert(NavAvoidance::None);
        }
        give_body(&mut entity, kind.bodies.body, radius);
    }
}

/// The positions of all members, and measurements of these positions over all ticks so far.
#[derive(Default)]
pub(super) struct Positions {
    /// The position of each member, by its index. The position of a despawned member is NaN.
    pub(super) places: Vec<Vec2>,
    /// Number of agent-ticks with a wall closer to the center than [`MIN_WALL_RADII`].
    pub(super) wall_overlaps: u64,
    /// Hash of all positions at the end of all ticks.
    pub(super) hash: Hash,
}

impl Positions {
    /// Reads the positions at the end of a tick. `wall_distance(point, radius)` returns the distance from a point to
    /// the nearest wall, but at most `radius`.
    pub(super) fn read(
        &mut self,
        world: &mut World,
        kind: &HordeAgents,
        wall_distance: impl Fn(Vec2, f32) -> f32,
    ) {
        self.places.fill(Vec2::NAN);
        let mut members = world.query::<(&HordeMember, &Transform)>();
        for (member, transform) in members.iter(world) {
            self.places[member.0] = position_of(transform);
        }
        for (number, &place) in self.places.iter().enumerate() {
            let radius = kind.radius_of(number);
            let is_near = wall_distance(place, radius) < MIN_WALL_RADII * radius;
            self.wall_overlaps += u64::from(is_near);
            self.hash.add_place(place);
        }
    }
}
