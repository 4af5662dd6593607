//! Measures how long the core takes to build each layer from the previous layers.

use pursuit::tables::SearchTables;
use pursuit::{BodyLayers, Cancel, Clearance, DiagonalPolicy, Grid, Regions};

use super::plan::BakePlan;
use crate::clock::Clock;
use crate::game::agent::AGENT_RADIUS;

/// The name of a layer, and the time to build it, in microseconds.
pub(super) type LayerUs = (&'static str, f64);

/// The shortest time of all rounds for each layer.
pub(super) fn measure(level: &Grid, plan: &BakePlan, clock: &Clock) -> Vec<LayerUs> {
    let policy = DiagonalPolicy::default();
    let clearance = Clearance::from_grid(level, plan.cap);
    let walkable = clearance.walkable(AGENT_RADIUS, policy);
    let regions = clock.time_all(|| Regions::of(&walkable, policy));
    // Apart from the regions, nearly all of this time goes into the boards of jump points.
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
