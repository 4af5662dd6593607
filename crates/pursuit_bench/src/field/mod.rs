//! Measures flow fields of one goal, compared with a plain Dijkstra search of the same grid.

mod dial;

use std::path::PathBuf;

use clap::Args;
use pursuit::glam::Vec2;
use pursuit::{
    BodyLayers, Cancel, Cell, DiagonalPolicy, FieldBounds, FlowField, Grid, IntegrationField,
    NavMap,
};
use serde_json::{Value, json};

use crate::clock::Clock;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::mapset;
use crate::numbers::at_least_one;
use crate::report::{Report, short};
use crate::search::machine;
use dial::Dial;

#[derive(Args, Clone, Debug)]
pub(crate) struct FieldPlan {
    /// A MovingAI .map file. The option can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Vec<PathBuf>,
    /// Sides of levels without walls, in cells.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "256,512,1024,2048"
    )]
    pub(crate) open: Vec<u32>,
    /// How often each measurement is repeated. The shortest time is reported.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = at_least_one())]
    pub(crate) rounds: usize,
}

/// Builds fields on every level.
pub(crate) fn run(plan: &FieldPlan) -> Result<Report, BenchError> {
    let mut levels = Vec::new();
    for map in &plan.map {
        levels.push((mapset::stem(map), mapset::load_map(map)?));
    }
    for &size in &plan.open {
        let grid = Grid::from_fn(size, size, |_| true)
            .map_err(|error| BenchError::of(error.to_string()))?;
        levels.push(("open".to_string(), grid));
    }
    let clock = Clock::calibrated(plan.rounds);
    let mut report = Report {
        figures: json!({
            "machine": machine(),
            // Number of rounds. The shortest time of all rounds is reported.
            "rounds": plan.rounds,
            // Radius of the body, in cells.
            "radius": short(AGENT_RADIUS),
        }),
        faults: Vec::new(),
    };
    let mut rows = Vec::new();
    for (name, grid) in levels {
        let row = measure(&name, &grid, &clock)?;
        if row["wrong"] != 0 {
            let why = format!(
                "{name}: the costs of {} cells differ from Dijkstra's",
                row["wrong"]
            );
            report.faults.push(why);
        }
        rows.push(row);
    }
    report.figures["levels"] = rows.into();
    Ok(report)
}

fn measure(name: &str, grid: &Grid, clock: &Clock) -> Result<Value, BenchError> {
    let layers = NavMap::new(grid, 1.0, DiagonalPolicy::NoCornerCut).layers(AGENT_RADIUS);
    let middle = Vec2::new(grid.width() as f32, grid.height() as f32) / 2.0;
    let goal = layers.nearest_free(middle);
    let goal = goal.ok_or_else(|| BenchError::of(format!("{name} has no free cell")))?;
    let (mut scratch, mut dial) = (IntegrationField::new(), Dial::new(layers.grid()));
    let (mut field, mut ms) = (build(&layers, goal, &mut scratch)?, [f64::INFINITY; 2]);
    for _ in 0..clock.rounds {
        let (built, us) = clock.time(|| build(&layers, goal, &mut scratch));
        field = built?;
        let ((), dial_us) = clock.time(|| dial.search(goal));
        ms = [ms[0].min(us / 1e3), ms[1].min(dial_us / 1e3)];
    }
    let cells = || grid.rect().cells();
    let wrong = cells().filter(|&cell| field.cost(cell) != dial.cost(cell));
    let seen = cells().filter(|&cell| field.can_go_straight(cell));
    let settled = f64::from(field.settled());
    Ok(json!({
        // The name of the map, or `open`.
        "level": name,
        // Sides of the level, in cells.
        "width": grid.width(),
        "height": grid.height(),
        "settled": field.settled(),
        // Time to build the flow field with directions and lines of sight, in milliseconds.
        "build_ms": ms[0],
        "ns_per_cell": ms[0] * 1e6 / settled,
        // Time of the plain search, which computes only costs, in milliseconds.
        "dial_ms": ms[1],
        "dial_ns_per_cell": ms[1] * 1e6 / settled,
        // Number of cells from which a body can walk straight to the goal.
        "straight": seen.count(),
        "bytes_per_cell": field.bytes() as f64 / grid.cell_count() as f64,
        "wrong": wrong.count(),
    }))
}

fn build(
    layers: &BodyLayers,
    goal: Cell,
    scratch: &mut IntegrationField,
) -> Result<FlowField, BenchError> {
    let field = FlowField::build(
        layers,
        &[(goal, 0)],
        FieldBounds::default(),
        scratch,
        Cancel::NEVER,
    );
    field.map_err(|error| BenchError::of(error.to_string()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{FieldPlan, run};
    use crate::tests::fixture::{Folder, HOUSE};

    pub(crate) fn plan(folder: &Folder) -> FieldPlan {
        FieldPlan {
            map: vec![folder.write("house.map", HOUSE)],
            open: vec![30],
            rounds: 2,
        }
    }

    #[test]
    fn fields_equal_plain_searches_and_every_cell_of_an_open_level_sees_the_goal() {
        let folder = Folder::new("field");
        let report = run(&plan(&folder)).unwrap();
        assert_eq!(report.faults, [""; 0]);
        let levels = report.figures["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 2);
        assert!(levels[0]["settled"].as_u64() > Some(50), "{levels:?}");
        assert_eq!(levels[1]["straight"], 900);
    }
}
