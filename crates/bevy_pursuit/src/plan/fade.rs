//! Ends prices that have faded, and prices of places from which the body that stood there has gone.

use bevy::prelude::*;

use crate::agent::{
    BodyKind, BodyState, CrowdObstacle, Locomotion, NavAgent, Prices, TickPosition, world_position,
};
use crate::grid::Grids;
use crate::schedule::TickCount;
use crate::settings::PursuitSettings;

/// Time between two looks at the places of prices, and between two looks for lines of agents, in seconds. With a longer
/// time, agents walk around a place that is free again for longer. With a shorter one, the looks take more computing
/// time.
const LOOK_INTERVAL_SECONDS: f32 = 0.1;
/// Number of looks that may find nothing at a place where a body was seen. The next empty look ends the price.
const MAX_EMPTY_LOOKS: u64 = 2;

/// The number of ticks between two looks at the places of prices, and between two looks for lines of agents.
pub(super) fn look_ticks(dt: f32) -> u64 {
    (LOOK_INTERVAL_SECONDS / dt.max(1e-4)).max(1.0) as u64
}

/// Whether there are prices. A run condition.
pub(crate) fn any_price(prices: Res<Prices>) -> bool {
    !prices.is_empty()
}

/// Whether lines and the places of prices are looked at in this tick. A run condition.
pub(crate) fn has_look_turn(
    (ticks, time): (Res<TickCount>, Res<Time>),
    settings: Res<PursuitSettings>,
) -> bool {
    let dt = settings.step(time.delta_secs());
    ticks.0.is_multiple_of(look_ticks(dt))
}

/// The components that show whether an agent stands in the way.
type Standing = (
    &'static NavAgent,
    &'static TickPosition,
    &'static Locomotion,
    &'static BodyState,
);

/// Looks for agents that stand, and for obstacles of the crowd, at the places of prices. Ends the prices that are over.
pub(super) fn end_prices(
    (ticks, time, settings): (Res<TickCount>, Res<Time>, Res<PursuitSettings>),
    grids: Res<Grids>,
    (agents, obstacles): (Query<Standing>, Query<(Entity, &CrowdObstacle)>),
    transforms: TransformHelper,
    mut prices: ResMut<Prices>,
) {
    let stands = |how: &Locomotion, body: &BodyState| {
        body.kind == BodyKind::Fixed || !matches!(how, Locomotion::Moving | Locomotion::Straight)
    };
    let standing = agents.iter().filter(|(.., how, body)| stands(how, body));
    let standing = standing.map(|(agent, place, ..)| (place.0, agent.radius));
    let kept_clear = obstacles.iter().filter_map(|(entity, obstacle)| {
        Some((world_position(&transforms, entity)?, obstacle.radius))
    });
    let bodies: Vec<(Vec3, f32)> = standing.chain(kept_clear).collect();
    prices.look(ticks.0, |grid, price| {
        let plane = grids.plane_of(Some(grid));
        let blocks = |(place, radius): &(Vec3, f32)| {
            price.may_be_blocked_from(plane.to_grid(*place), *radius)
        };
        bodies.iter().any(blocks)
    });
    let dt = settings.step(time.delta_secs());
    let unseen_since = ticks.0.saturating_sub(MAX_EMPTY_LOOKS * look_ticks(dt));
    let is_known = |grid| grids.index(grid).is_some();
    prices.end(is_known, |_, price| price.is_over(ticks.0, unseen_since));
}
