//! What a map costs before its first path: every layer that is derived from its walls.

mod colliders;
mod layers;
mod levels;
mod peers;
mod plan;

use serde::Serialize;

use crate::cli::Common;
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset;
use crate::peers::Peer;
use crate::report::Report;
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
    /// Radius of the bodies whose layers are worked out, in cells.
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

impl Report for BakeReport {
    fn faults(&self) -> Vec<String> {
        let wrong = self.levels.iter().filter(|level| level.differing_cells > 0);
        let fault = |level: &LevelReport| {
            let (name, size, cells) = (&level.level, level.size, level.differing_cells);
            format!("{name} of {size}: {cells} cells of the bake are not those of the walls")
        };
        wrong.map(fault).collect()
    }
}

/// Bakes every level.
pub(crate) fn run(plan: &BakePlan, peers: &[Peer]) -> Result<BakeReport, BenchError> {
    let Common { map, seed, .. } = &plan.common;
    if plan.peers && peers.is_empty() {
        return Err(BenchError::NoPeer("at all".to_string()));
    }
    let name = mapset::stem(map);
    let map = mapset::load_map(map)?;
    let mut levels = Vec::new();
    for &size in &plan.sizes {
        let of_map = (name.as_str(), levels::tiled(&map, size));
        let open = levels::crates(size, plan.cells_per_crate, *seed);
        for (level, grid) in [of_map, ("crates", open)] {
            let grid = grid.map_err(|_| BenchError::Size(size))?;
            levels.push(Level::new(level, grid));
        }
    }
    let clock = Clock::calibrated(plan.rounds);
    let reports = levels.iter().map(|level| measure(level, plan, &clock));
    let mut reports = reports.collect::<Result<Vec<_>, _>>()?;
    let peers = if plan.peers { peers } else { &[] };
    let others = peers::measure(peers, &levels, plan, &clock);
    for (number, us) in others.layers {
        let layer = layer(us, &levels[number]);
        reports[number].layers.push(layer);
    }
    Ok(BakeReport {
        map: name,
        seed: *seed,
        rounds: plan.rounds,
        radius: RADIUS,
        cap: plan.cap,
        tables_up_to: plan.tables_up_to,
        peers_up_to: plan.peers.then_some(plan.peers_up_to),
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
pub(crate) mod tests {
    use super::{BakePlan, run};
    use crate::fixture::{Folder, common};
    use crate::peers::PEERS;
    use crate::report::Report;

    pub(crate) const MAP: &str =
        "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@..\n..@..\n.....\n";

    /// Levels of 20 and 40 cells; tables and peers up to 20.
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
    fn every_level_is_baked_as_its_walls_are_and_tables_only_up_to_their_size() {
        let folder = Folder::new("bake-levels");
        let mut report = run(&plan(&folder), PEERS).unwrap();
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
            assert_eq!(names.contains(&"grid_pathfinding"), has_peer, "{names:?}");
            let timed = |ms: f64| ms.is_finite() && ms >= 0.0;
            assert!(level.layers.iter().all(|layer| timed(layer.ms)));
        }
        report.levels[1].differing_cells = 3;
        let faults = report.faults();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("crates of 20: 3 cells"), "{faults:?}");
    }
}
