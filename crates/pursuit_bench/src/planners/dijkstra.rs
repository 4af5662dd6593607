//! A* and Dijkstra from the same start points: what the estimate saves.

use fastrand::Rng;
use pursuit::{Algorithm, BodyLayers, Cell, Heuristic, PathOptions, SearchScratch};
use serde_json::{Value, json};

use super::ground::{largest_region, layers};
use super::rows::{Rows, SEED};
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, MapSet};

/// How many maps.
const MAPS: usize = 3;
/// Start points per map.
const STARTS: usize = 10;

/// Compares them on three maps: the largest of each set, and then the next ones.
pub(super) fn measure(sets: &[MapSet], clock: &Clock) -> Result<Rows, BenchError> {
    let mut maps = Vec::new();
    for set in sets {
        let mut of_set = Vec::new();
        for path in &set.maps {
            let grid = mapset::load_map(path)?;
            of_set.push((grid.free_count(), path));
        }
        of_set.sort_by_key(|&(free, _)| std::cmp::Reverse(free));
        maps.extend(of_set.into_iter().enumerate());
    }
    // Stable: within a rank the sets are in their order.
    maps.sort_by_key(|&(rank, _)| rank);
    let mut rows = Rows::default();
    for (_, (_, path)) in maps.into_iter().take(MAPS) {
        let layers = layers(mapset::load_map(path)?);
        compare(&mapset::stem(path), &layers, clock, &mut rows);
    }
    Ok(rows)
}

fn compare(map: &str, layers: &BodyLayers, clock: &Clock, rows: &mut Rows) {
    let cells = largest_region(layers);
    let mut random = Rng::with_seed(SEED);
    let mut place = || random.choice(&cells).copied();
    let goal = place().unwrap_or(Cell::new(0, 0));
    let starts: Vec<Cell> = (0..STARTS).filter_map(|_| place()).collect();
    let mut scratch = SearchScratch::new();
    let row = |&start: &Cell| row(layers, start, goal, &mut scratch, clock);
    let starts: Vec<Value> = starts.iter().filter_map(row).collect();
    let wrong = starts.iter().filter(|row| row["wrong"] == true).count();
    let fault = (wrong > 0).then(|| format!("{map}: A* and Dijkstra disagree {wrong} times"));
    let row = json!({ "map": map, "goal": [goal.x, goal.y], "starts": starts });
    rows.add(row, fault);
}

/// `None` if a search refuses.
fn row(
    layers: &BodyLayers,
    start: Cell,
    goal: Cell,
    scratch: &mut SearchScratch,
    clock: &Clock,
) -> Option<Value> {
    let mut found = Vec::new();
    for heuristic in [Heuristic::Octile, Heuristic::Zero] {
        let options = PathOptions {
            algorithm: Algorithm::AStar,
            heuristic,
            ..PathOptions::default()
        };
        let mut path = None;
        let mut search = |_| layers.find_path(start, goal, &options, scratch);
        // The first search on a map pays for memory.
        search(0).ok()?;
        let us = clock.time_each(1, search, |_, found| path = found.ok());
        found.push((path?, us.first().copied()?));
    }
    let [(astar, astar_us), (dijkstra, dijkstra_us)] = found.as_slice() else {
        return None;
    };
    Some(json!({
        "start": [start.x, start.y],
        // Of the path, in cells.
        "length": astar.path.length(),
        "astar_us": astar_us,
        "astar_visited": astar.stats.expanded,
        "dijkstra_us": dijkstra_us,
        "dijkstra_visited": dijkstra.stats.expanded,
        // Whether they disagree about the cost.
        "wrong": astar.path.cost != dijkstra.path.cost,
    }))
}

#[cfg(test)]
mod tests {
    use super::{STARTS, measure};
    use crate::clock::Clock;
    use crate::mapset;
    use crate::tests::fixture::Folder;

    #[test]
    fn the_largest_map_of_each_set_comes_first() {
        let folder = Folder::new("dijkstra-maps");
        for (file, width) in [("a/s", 20), ("a/l", 40), ("b/s", 10), ("b/l", 30)] {
            let text = format!(
                "type octile\nheight 2\nwidth {width}\nmap\n{0}\n{0}\n",
                ".".repeat(width)
            );
            folder.write(&format!("{file}{width}.map"), &text);
            folder.write(&format!("{file}{width}.map.scen"), "");
        }
        let sets = mapset::find_sets(folder.path()).unwrap();
        let maps = measure(&sets, &Clock::calibrated(2)).unwrap();
        assert_eq!(maps.faults, [""; 0]);
        let names: Vec<_> = maps.rows.iter().map(|map| &map["map"]).collect();
        assert_eq!(names, ["l40", "l30", "s20"]);
        for map in &maps.rows {
            let starts = map["starts"].as_array().unwrap();
            assert_eq!(starts.len(), STARTS);
            let sum =
                |key: &str| -> u64 { starts.iter().filter_map(|row| row[key].as_u64()).sum() };
            assert!(sum("astar_visited") < sum("dijkstra_visited"));
        }
    }
}
