//! A* and Dijkstra from the same start points: what the estimate saves.

use fastrand::Rng;
use pursuit::search::SearchScratch;
use pursuit::{Algorithm, Cell, Ground, Heuristic, PathOptions};
use serde::Serialize;

use super::ground::{ground, largest_region};
use super::plan::SEED;
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, MapSet};

/// How many maps.
const MAPS: usize = 3;
/// Start points per map.
const STARTS: usize = 10;

/// One map, with one goal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct DijkstraMap {
    pub(crate) map: String,
    pub(crate) goal: [i32; 2],
    pub(crate) starts: Vec<DijkstraRow>,
}

/// Both searches from one start point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct DijkstraRow {
    pub(crate) start: [i32; 2],
    /// Of the path, in cells.
    pub(crate) length: f64,
    pub(crate) astar_us: f64,
    pub(crate) astar_visited: u32,
    pub(crate) dijkstra_us: f64,
    pub(crate) dijkstra_visited: u32,
    /// Whether they disagree about the cost.
    pub(crate) wrong: bool,
}

impl DijkstraMap {
    /// What should not have happened.
    pub(super) fn fault(&self) -> Option<String> {
        let wrong = self.starts.iter().filter(|row| row.wrong).count();
        (wrong > 0).then(|| format!("{}: A* and Dijkstra disagree {wrong} times", self.map))
    }
}

/// Compares them on three maps: the largest of each set, and then the next ones.
///
/// # Errors
/// Files that can't be read, or are malformed.
pub(super) fn measure(sets: &[MapSet], clock: &Clock) -> Result<Vec<DijkstraMap>, BenchError> {
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
    let chosen = maps.into_iter().take(MAPS);
    chosen
        .map(|(_, (_, path))| {
            let name = path.file_stem().unwrap_or(path.as_os_str());
            let ground = ground(mapset::load_map(path)?);
            Ok(compare(&name.to_string_lossy(), &ground, clock))
        })
        .collect()
}

fn compare(name: &str, ground: &Ground, clock: &Clock) -> DijkstraMap {
    let cells = largest_region(ground);
    let mut random = Rng::with_seed(SEED);
    let mut place = || random.choice(&cells).copied();
    let goal = place().unwrap_or(Cell::new(0, 0));
    let starts: Vec<Cell> = (0..STARTS).filter_map(|_| place()).collect();
    let mut scratch = SearchScratch::new();
    let rows = starts.iter();
    DijkstraMap {
        map: name.to_string(),
        goal: [goal.x, goal.y],
        starts: rows
            .filter_map(|&start| row(ground, start, goal, &mut scratch, clock))
            .collect(),
    }
}

/// `None` if a search refuses.
fn row(
    ground: &Ground,
    start: Cell,
    goal: Cell,
    scratch: &mut SearchScratch,
    clock: &Clock,
) -> Option<DijkstraRow> {
    let mut found = Vec::new();
    for heuristic in [Heuristic::Octile, Heuristic::Zero] {
        let options = PathOptions {
            algorithm: Algorithm::AStar,
            heuristic,
            ..PathOptions::default()
        };
        let mut path = None;
        let mut search = |_| ground.find_path(start, goal, &options, scratch);
        // The first search on a map pays for memory.
        search(0).ok()?;
        let us = clock.time_each(1, search, |_, found| path = found.ok());
        found.push((path?, us.last()?));
    }
    let [(astar, astar_us), (dijkstra, dijkstra_us)] = found.as_slice() else {
        return None;
    };
    Some(DijkstraRow {
        start: [start.x, start.y],
        length: astar.path.length(),
        astar_us: *astar_us,
        astar_visited: astar.stats.expanded,
        dijkstra_us: *dijkstra_us,
        dijkstra_visited: dijkstra.stats.expanded,
        wrong: astar.path.cost != dijkstra.path.cost,
    })
}

#[cfg(test)]
mod tests {
    use super::{STARTS, measure};
    use crate::clock::Clock;
    use crate::fixture::Folder;
    use crate::mapset;

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
        let names: Vec<_> = maps.iter().map(|map| map.map.as_str()).collect();
        assert_eq!(names, ["l40", "l30", "s20"]);
        for map in &maps {
            assert_eq!(map.starts.len(), STARTS);
            assert_eq!(map.fault(), None);
            let sum = |visited: fn(&super::DijkstraRow) -> u32| -> u32 {
                map.starts.iter().map(visited).sum()
            };
            assert!(sum(|row| row.astar_visited) < sum(|row| row.dijkstra_visited));
        }
    }

    #[test]
    fn searches_that_disagree_are_a_fault() {
        let folder = Folder::new("dijkstra-fault");
        folder.write("a.map", "type octile\nheight 1\nwidth 4\nmap\n....\n");
        folder.write("a.map.scen", "");
        let sets = mapset::find_sets(folder.path()).unwrap();
        let mut maps = measure(&sets, &Clock::calibrated(1)).unwrap();
        maps[0].starts[2].wrong = true;
        assert_eq!(
            maps[0].fault().as_deref(),
            Some("a: A* and Dijkstra disagree 1 times")
        );
    }
}
