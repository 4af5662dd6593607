//! Maps with areas that cost more than other ground.

use clap::ValueEnum;
use pursuit::maps::Scenario;
use pursuit::{STRAIGHT, SearchScratch};
use serde::Serialize;

use super::own::OwnSearch;
use crate::ground::{complete, layers, ponds, rough};
use crate::mapset::Loaded;

/// The kind of areas that cost 2 to 10 times as much as other ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TerrainKind {
    /// Patches of 8 by 8 cells, on a fifth of all cells.
    Rough,
    /// Four round ponds. The diameter of each is a sixth of the shorter side of the map.
    Ponds,
}

/// A map with areas. The listed length of each query is replaced by the cost of its path by plain A*, in straight steps
/// over the cheapest ground. The length is 0 if there is no path.
pub(super) fn with_areas(map: &Loaded, areas: TerrainKind, scratch: &mut SearchScratch) -> Loaded {
    let grid = match areas {
        TerrainKind::Rough => rough(&map.grid),
        TerrainKind::Ponds => ponds(&map.grid),
    };
    let layers = layers(grid.clone());
    let options = OwnSearch::Astar.options();
    let queries = map.queries.iter().map(|query| {
        let found = layers.find_path(query.start, query.goal, &options, scratch);
        let cost = complete(found).map_or(0, |found| found.path.cost);
        Scenario {
            length: cost as f64 / f64::from(STRAIGHT),
            ..query.clone()
        }
    });
    let queries = queries.collect();
    Loaded { grid, queries }
}

#[cfg(test)]
mod tests {
    use super::{TerrainKind, with_areas};
    use crate::mapset::Loaded;
    use clap::ValueEnum;
    use pursuit::maps::{Scenario, parse_ascii};
    use pursuit::{Cell, DiagonalPolicy, STRAIGHT, SearchScratch, oracle};

    #[test]
    fn listed_lengths_on_terrain_equal_the_oracles_costs() {
        let row = ".".repeat(60);
        let grid = parse_ascii(&[row.as_str(); 20].join("\n")).unwrap().grid;
        let (start, goal) = (Cell::new(2, 3), Cell::new(57, 15));
        let query = Scenario {
            bucket: 0,
            map: String::new(),
            width: 60,
            height: 20,
            start,
            goal,
            length: 60.0,
        };
        let map = Loaded {
            grid,
            queries: vec![query],
        };
        for areas in TerrainKind::value_variants() {
            check(&with_areas(&map, *areas, &mut SearchScratch::new()));
        }
    }

    /// Asserts that the listed length of the first query is the cost of its path.
    fn check(map: &Loaded) {
        let Scenario { start, goal, .. } = map.queries[0];
        let cost = oracle::dijkstra(&map.grid, start, goal, DiagonalPolicy::NoCornerCut);
        let length = cost.unwrap() as f64 / f64::from(STRAIGHT);
        assert!(map.grid.has_terrain());
        assert_eq!(map.queries[0].length, length);
    }
}
