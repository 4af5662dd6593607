//! The layers of the core, one after the other, each made of those before it.

use pursuit::tables::SearchTables;
use pursuit::{BodyLayers, Cancel, Clearance, DiagonalPolicy, Grid, Regions};

use super::plan::BakePlan;
use crate::clock::Clock;
use crate::game::agent::AGENT_RADIUS;

/// What a layer takes, in microseconds.
pub(super) type LayerUs = (&'static str, f64);

/// Times of the layers, the least of all rounds.
pub(super) fn measure(level: &Grid, plan: &BakePlan, clock: &Clock) -> Vec<LayerUs> {
    let policy = DiagonalPolicy::default();
    let clearance = Clearance::from_grid(level, plan.cap);
    let walkable = clearance.walkable(AGENT_RADIUS, policy);
    let regions = clock.time_all(|| Regions::of(&walkable, policy));
    // Nearly all other layers of a body are boards.
    let body = clock.time_all(|| BodyLayers::from_grid(walkable.clone(), policy));
    let mut layers = vec![
        (
            "clearance",
            clock.time_all(|| Clearance::from_grid(level, plan.cap)),
        ),
        (
            "walkable",
            clock.time_all(|| clearance.walkable(AGENT_RADIUS, policy)),
        ),
        ("boards", (body - regions).max(0.0)),
        ("regions", regions),
    ];
    let build = || SearchTables::build(&walkable, policy, Cancel::NEVER);
    let is_small = level.width().max(level.height()) <= plan.tables_up_to;
    if is_small && build().is_ok() {
        layers.push(("tables", clock.time_all(build)));
    }
    layers
}
