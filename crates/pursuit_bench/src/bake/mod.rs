//! Measures the work that a map needs before its first path: every layer that is derived from its walls.

mod colliders;
mod layers;
mod levels;
mod peers;
mod plan;

use serde_json::{Value, json};

use crate::cli::MapArgs;
use crate::clock::Clock;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::mapset;
use crate::peers::Peer;
use crate::report::{Report, short};
use layers::LayerUs;
use levels::Level;

pub(crate) use plan::BakePlan;

fn faults(levels: &[Value]) -> Vec<String> {
    let wrong = levels.iter().filter(|level| level["differing_cells"] != 0);
    let fault = |level: &Value| {
        let name = level["level"].as_str().unwrap_or_default();
        let (size, cells) = (&level["size"], &level["differing_cells"]);
        format!("{name} of {size}: {cells} cells of the bake differ from the walls")
    };
    wrong.map(fault).collect()
}

/// Bakes every level.
pub(crate) fn run(plan: &BakePlan, peers: &[Peer]) -> Result<Report, BenchError> {
    let MapArgs { map, seed, .. } = &plan.common;
    if plan.peers && peers.is_empty() {
        return Err(BenchError::no_peer("at all"));
    }
    let name = mapset::stem(map);
    let map = mapset::load_map(map)?;
    let mut levels = Vec::new();
    for &size in &plan.sizes {
        let of_map = (name.as_str(), levels::tiled(&map, size));
        let open = levels::crates(size, plan.cells_per_crate, *seed);
        for (level, grid) in [of_map, ("crates", open)] {
            let why = |_| format!("no level can be {size} x {size} cells large");
            let grid = grid.map_err(|error| BenchError::of(why(error)))?;
            levels.push(Level::new(level, grid));
        }
    }
    let clock = Clock::calibrated(plan.rounds);
    let reports = levels.iter().map(|level| measure(level, plan, &clock));
    let mut reports = reports.collect::<Result<Vec<_>, _>>()?;
    let peers = if plan.peers { peers } else { &[] };
    let others = peers::measure(peers, &levels, plan, &clock);
    for (number, us) in others.layers {
        let layers = reports[number]["layers"].as_array_mut();
        layers
            .into_iter()
            .for_each(|layers| layers.push(layer(us, &levels[number])));
    }
    Ok(Report {
        faults: faults(&reports),
        figures: json!({
            "map": name,
            "seed": seed,
            // Number of rounds. The shortest time of all rounds is reported.
            "rounds": plan.rounds,
            // Radius of the bodies, in cells.
            "radius": short(AGENT_RADIUS),
            // Distances to walls are computed up to this distance, in cells.
            "cap": short(plan.cap),
            // Longest side of a level that has search tables, in cells.
            "tables_up_to": plan.tables_up_to,
            // Longest side of a level that peers prepared, in cells. `null` without peers.
            "peers_up_to": plan.peers.then_some(plan.peers_up_to),
            "levels": reports,
            // A text for each peer that failed, took too long, was left out, or disagrees with the walls.
            "remarks": others.remarks,
        }),
    })
}

fn measure(level: &Level, plan: &BakePlan, clock: &Clock) -> Result<Value, BenchError> {
    let grid = &level.grid;
    let colliders = colliders::measure(grid, plan)?;
    let mut us: Vec<LayerUs> = vec![("colliders", colliders.us)];
    us.extend(layers::measure(grid, plan, clock));
    let layers: Vec<Value> = us.into_iter().map(|us| layer(us, level)).collect();
    Ok(json!({
        // The name of the map, or `crates`.
        "level": level.name,
        // Side of the level, in cells.
        "size": level.size(),
        "free_cells": grid.free_count(),
        "colliders": colliders.count,
        // Number of cells for which the bake of the colliders and the walls disagree about whether a body can walk
        // there.
        "differing_cells": colliders.differing,
        // The layers in the order in which they are made. The results of peers come last.
        "layers": layers,
    }))
}

fn layer((layer, us): LayerUs, level: &Level) -> Value {
    let cells = level.grid.cell_count() as f64;
    json!({ "layer": layer, "ms": us / 1e3, "ns_per_cell": us * 1e3 / cells })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{BakePlan, faults, run};
    use crate::peers::PEERS;
    use crate::tests::fixture::{Folder, common};
    use serde_json::Value;

    pub(crate) const MAP: &str =
        "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@..\n..@..\n.....\n";

    /// A plan with levels of 20 and 40 cells. Tables are built, and peers run, only on the smaller level.
    pub(crate) fn plan(folder: &Folder) -> BakePlan {
        BakePlan {
            common: common(folder, MAP, 1),
            sizes: vec![20, 40],
            rounds: 2,
            tables_up_to: 20,
            peers: !PEERS.is_empty(),
            peers_up_to: 20,
            peers_within: 60,
            cells_per_crate: 300,
            cap: 4.0,
        }
    }

    #[test]
    fn bakes_of_colliders_equal_their_walls_and_only_small_levels_get_tables() {
        let folder = Folder::new("bake-levels");
        let report = run(&plan(&folder), PEERS).unwrap();
        assert_eq!(report.faults, [""; 0]);
        assert_eq!(report.figures["remarks"], Value::Array(Vec::new()));
        let mut levels = report.figures["levels"].as_array().unwrap().clone();
        let sizes = levels.iter().filter_map(|level| level["size"].as_u64());
        assert_eq!(sizes.collect::<Vec<_>>(), [20, 20, 40, 40]);
        for level in &levels {
            let is_small = level["size"] == 20;
            assert!(
                level["colliders"] != 0 && level["free_cells"] != 0,
                "{level}"
            );
            let layers = level["layers"].as_array().unwrap();
            let names: Vec<_> = layers
                .iter()
                .map(|layer| layer["layer"].as_str().unwrap())
                .collect();
            assert_eq!(
                names[..5],
                ["colliders", "clearance", "walkable", "boards", "regions"]
            );
            assert_eq!(names.contains(&"tables"), is_small, "{names:?}");
            let has_peer = cfg!(feature = "peers") && is_small;
            assert_eq!(names.contains(&"grid_pathfinding"), has_peer, "{names:?}");
            assert!(layers.iter().all(|layer| layer["ms"].as_f64() >= Some(0.0)));
        }
        levels[1]["differing_cells"] = 3.into();
        let faults = faults(&levels);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("crates of 20: 3 cells"), "{faults:?}");
    }
}
