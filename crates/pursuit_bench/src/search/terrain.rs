//! Maps with rough ground on them.

use pursuit::maps::Scenario;
use pursuit::{Outcome, STRAIGHT, SearchScratch};

use super::own::Algorithm;
use crate::mapset::Loaded;
use crate::planners::ground::{layers, rough};

/// A map with rough ground. Each query is listed with what its path costs by plain A*, in straight steps over the
/// cheapest ground, or with 0 if it has none.
pub(super) fn over(map: &Loaded, scratch: &mut SearchScratch) -> Loaded {
    let grid = rough(&map.grid);
    let layers = layers(grid.clone());
    let options = Algorithm::Astar.options();
    let queries = map.queries.iter().map(|query| {
        let found = layers.find_path(query.start, query.goal, &options, scratch);
        let found = found
            .ok()
            .filter(|found| found.outcome == Outcome::Complete);
        let cost = found.map_or(0, |found| found.path.cost);
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
    use super::over;
    use crate::mapset::Loaded;
    use pursuit::maps::{Scenario, parse_ascii};
    use pursuit::{Cell, DiagonalPolicy, STRAIGHT, SearchScratch, oracle};

    #[test]
    fn queries_are_listed_with_what_the_oracle_says() {
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
        let map = over(&map, &mut SearchScratch::new());
        let cost = oracle::dijkstra(&map.grid, start, goal, DiagonalPolicy::NoCornerCut);
        let length = cost.unwrap() as f64 / f64::from(STRAIGHT);
        assert!(map.grid.has_terrain());
        assert_eq!(map.queries[0].length, length);
    }
}
