//! What a map costs before its first path: every layer that is derived from its walls.

mod colliders;
pub(crate) mod command;
mod layers;
mod levels;
mod limit;
mod peers;
mod plan;

use serde::Serialize;

use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset;
use layers::LayerUs;
use levels::Level;
use plan::RADIUS;

pub(crate) use plan::BakePlan;

/// The JSON of `bake`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BakeReport {
    pub(crate) map: String,
    pub(crate) seed: u64,
    /// Of these the least time counts.
    pub(crate) rounds: usize,
    /// Radius of the bodies whose ground is worked out, in cells.
    pub(crate) radius: f32,
    /// Up to how many cells distances are worked out.
    pub(crate) cap: f32,
    /// Longest side of a level that has search tables, in cells.
    pub(crate) tables_up_to: u32,
    /// Longest side of a level that other crates prepared, in cells; none without them.
    pub(crate) peers_up_to: Option<u32>,
    pub(crate) levels: Vec<LevelReport>,
    /// What other crates did not do, and where what they made differs from the walls.
    pub(crate) remarks: Vec<String>,
}

/// One level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct LevelReport {
    /// The map, or `crates`.
    pub(crate) level: String,
    /// Side, in cells.
    pub(crate) size: u32,
    pub(crate) free_cells: usize,
    pub(crate) colliders: usize,
    /// Cells that a body can walk by the bake of the colliders and not by the walls, or the other way
    /// round.
    pub(crate) differing_cells: usize,
    /// In the order in which they are made; those of other crates last.
    pub(crate) layers: Vec<LayerReport>,
}

/// One layer of a level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct LayerReport {
    pub(crate) layer: &'static str,
    pub(crate) ms: f64,
    pub(crate) ns_per_cell: f64,
}

impl BakeReport {
    /// What should not have happened.
    pub(crate) fn faults(&self) -> Vec<String> {
        let wrong = self.levels.iter().filter(|level| level.differing_cells > 0);
        let fault = |level: &LevelReport| {
            let LevelReport {
                level: name,
                size,
                differing_cells: cells,
                ..
            } = level;
            format!("{name} of {size}: {cells} cells of the bake are not those of the walls")
        };
        wrong.map(fault).collect()
    }
}

/// Bakes every level.
///
/// # Errors
/// A map that can't be read or is malformed, a size that no grid can have, a bake that does not come to
/// its end.
pub(crate) fn run(plan: &BakePlan) -> Result<BakeReport, BenchError> {
    let map = mapset::load_map(&plan.map)?;
    let name = plan.map.file_stem().unwrap_or(plan.map.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let mut levels = Vec::new();
    for &size in &plan.sizes {
        let of_map = (name.as_str(), levels::tiled(&map, size));
        let open = (
            "crates",
            levels::crates(size, plan.cells_per_crate, plan.seed),
        );
        for (level, grid) in [of_map, open] {
            let grid = grid.map_err(|_| BenchError::Size(size))?;
            levels.push(Level::new(level, grid));
        }
    }
    let clock = Clock::calibrated(plan.rounds);
    let reports = levels.iter().map(|level| measure(level, plan, &clock));
    let mut reports = reports.collect::<Result<Vec<_>, _>>()?;
    let others = peers::measure(&levels, plan, &clock);
    for (number, us) in others.layers {
        let layer = layer(us, &levels[number]);
        reports[number].layers.push(layer);
    }
    Ok(BakeReport {
        map: name,
        seed: plan.seed,
        rounds: plan.rounds,
        radius: RADIUS,
        cap: plan.cap,
        tables_up_to: plan.tables_up_to,
        peers_up_to: plan.peers_up_to,
        levels: reports,
        remarks: others.remarks,
    })
}

fn measure(level: &Level, plan: &BakePlan, clock: &Clock) -> Result<LevelReport, BenchError> {
    let grid = &level.grid;
    let colliders = colliders::measure(grid, plan)?;
    let mut us: Vec<LayerUs> = vec![("colliders", colliders.us)];
    us.extend(layers::measure(grid, plan, clock));
    Ok(LevelReport {
        level: level.name.clone(),
        size: level.size(),
        free_cells: grid.free_count(),
        colliders: colliders.count,
        differing_cells: colliders.differing,
        layers: us.into_iter().map(|us| layer(us, level)).collect(),
    })
}

fn layer((layer, us): LayerUs, level: &Level) -> LayerReport {
    LayerReport {
        layer,
        ms: us / 1e3,
        ns_per_cell: us * 1e3 / level.grid.cell_count() as f64,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{BakePlan, BakeReport, run};
    use crate::fixture::Folder;

    const MAP: &str = "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@..\n..@..\n.....\n";

    fn baked(name: &str, tables_up_to: u32) -> BakeReport {
        let folder = Folder::new(name);
        folder.write("a.map", MAP);
        run(&BakePlan {
            map: folder.path().join("a.map"),
            sizes: vec![20, 40],
            rounds: 2,
            tables_up_to,
            peers_up_to: Some(20),
            peers_within: Duration::from_secs(60),
            seed: 1,
            ..BakePlan::default()
        })
        .unwrap()
    }

    #[test]
    fn every_level_is_baked_as_its_walls_are_and_tables_only_up_to_their_size() {
        let report = baked("bake-levels", 20);
        assert_eq!(report.faults(), [""; 0]);
        assert_eq!(report.remarks, [""; 0]);
        let sizes = report.levels.iter().map(|level| level.size);
        assert_eq!(sizes.collect::<Vec<_>>(), [20, 20, 40, 40]);
        for level in &report.levels {
            assert!(level.colliders > 0 && level.free_cells > 0, "{level:?}");
            let names: Vec<_> = level.layers.iter().map(|layer| layer.layer).collect();
            assert_eq!(
                names[..5],
                ["colliders", "clearance", "walkable", "boards", "regions"]
            );
            assert_eq!(names.contains(&"tables"), level.size == 20, "{names:?}");
            let has_peer = cfg!(feature = "peers") && level.size == 20;
            for peer in ["bevy_northstar", "vleue_navigator"] {
                assert_eq!(names.contains(&peer), has_peer, "{names:?}");
            }
            let timed = |ms: f64| ms.is_finite() && ms >= 0.0;
            assert!(level.layers.iter().all(|layer| timed(layer.ms)));
        }
    }

    #[test]
    fn a_bake_that_differs_is_a_fault() {
        let mut report = baked("bake-faults", 0);
        report.levels[1].differing_cells = 3;
        let faults = report.faults();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("crates of 20: 3 cells"), "{faults:?}");
    }

    #[test]
    fn the_json_has_the_documented_keys() {
        let json = serde_json::to_value(baked("bake-json", 0)).unwrap();
        let layer = &json["levels"][0]["layers"][1];
        assert_eq!(layer["layer"], "clearance");
        assert!(layer["ms"].is_number() && layer["ns_per_cell"].is_number());
    }
}
