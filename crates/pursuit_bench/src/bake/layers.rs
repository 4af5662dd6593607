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
    let has_tables = level.width().max(level.height()) <= plan.tables_up_to;
    let mut least: Vec<LayerUs> = Vec::new();
    for _ in 0..clock.rounds {
        let (clearance, of_clearance) = clock.time(|| Clearance::from_grid(level, plan.cap));
        let (walkable, of_walkable) = clock.time(|| clearance.walkable(AGENT_RADIUS, policy));
        let (regions, of_regions) = clock.time(|| Regions::of(&walkable, policy));
        let grid = walkable.clone();
        // The regions again, and the boards.
        let (known, of_known) = clock.time(|| BodyLayers::from_grid(grid, policy));
        drop((clearance, regions, known));
        let mut round = vec![
            ("clearance", of_clearance),
            ("walkable", of_walkable),
            ("boards", of_known),
            ("regions", of_regions),
        ];
        if has_tables {
            let (tables, us) = clock.time(|| SearchTables::build(&walkable, policy, Cancel::NEVER));
            round.extend(tables.is_ok().then_some(("tables", us)));
        }
        if least.is_empty() {
            least = round;
        } else {
            for ((_, least), (_, us)) in least.iter_mut().zip(round) {
                *least = least.min(us);
            }
        }
    }
    // Of what the layers of a body take without regions, nearly all are boards.
    let of_regions = least.iter().find(|(name, _)| *name == "regions");
    let of_regions = of_regions.map_or(0.0, |(_, us)| *us);
    for (_, us) in least.iter_mut().filter(|(name, _)| *name == "boards") {
        *us = (*us - of_regions).max(0.0);
    }
    least
}
