//! A walker on a map with doors, who plans anew at each of them: from scratch, and with a kept tree.

use fastrand::Rng;
use pursuit::planners::{IncrementalTree, Root};
use pursuit::{
    Algorithm, BodyLayers, Cell, FindPathError, FoundPath, NEIGHBORS, PathOptions, SearchScratch,
};

use super::doors::{Doors, Where};
use super::ground::{layers, walk_cost};
use super::rows::SEED;
use crate::clock::Clock;
use crate::mapset::Loaded;

/// Doors per map.
pub(super) const EDITS: usize = 200;
/// How often a walker gets another goal per map, at most.
const MAX_TRIPS: usize = 20 * EDITS;
/// Cells that walker and goal go between two doors.
const PACE: usize = 2;
/// A trip is over when this few cells are ahead.
const NEAR: usize = 8;
/// Goals are ends of queries that are longer than this share of the longest.
const FAR: f64 = 0.6;

/// How a walk goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) root: Root,
    /// Whether the goal moves, too.
    pub(super) goal_moves: bool,
    pub(super) doors: Where,
}

/// What planning anew took after a door.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edit {
    /// Cells that A* expanded from scratch, and with the tree.
    pub(super) expanded: [u32; 2],
    /// What A*, the tree and jump-point search took. The last is 0 on terrain.
    pub(super) us: [f64; 3],
    /// Whether the tree's path is no walk of the cost that A* found.
    pub(super) is_wrong: bool,
}

/// Walks until [`EDITS`] doors have opened or closed; the same doors in each round, of which the least times
/// count.
pub(super) fn walk(map: &Loaded, manner: Manner, clock: &Clock) -> Vec<Edit> {
    let mut least = Walk::new(map, manner).go(clock);
    for _ in 1..clock.rounds {
        let again = Walk::new(map, manner).go(clock);
        for (least, again) in least.iter_mut().zip(again) {
            for (us, other) in least.us.iter_mut().zip(again.us) {
                *us = us.min(other);
            }
        }
    }
    least
}

struct Walk<'m> {
    manner: Manner,
    random: Rng,
    /// Cells far from each other.
    goals: Vec<[Cell; 2]>,
    doors: Doors,
    layers: BodyLayers,
    tree: IncrementalTree,
    scratch: SearchScratch,
    start: Cell,
    goal: Cell,
    /// From the walker on.
    path: Vec<Cell>,
    is_even: bool,
    map: &'m Loaded,
}

impl<'m> Walk<'m> {
    /// The grid of `map` has the costs of its kind of ground.
    fn new(map: &'m Loaded, manner: Manner) -> Self {
        let layers = layers(map.grid.clone());
        let queries = map.queries.iter();
        let can_go = queries.filter(|query| layers.is_reachable(query.start, query.goal));
        let longest = can_go.clone().map(|query| query.length);
        let least = FAR * longest.fold(0.0, f64::max);
        let goals: Vec<_> = can_go
            .filter(|query| query.length > least)
            .map(|query| [query.start, query.goal])
            .collect();
        let start = goals.first().map_or(Cell::new(0, 0), |ends| ends[0]);
        Walk {
            manner,
            random: Rng::with_seed(SEED),
            goals,
            doors: Doors::new(&map.grid, manner.doors),
            is_even: map.grid.uniform_cost().is_some(),
            layers,
            tree: IncrementalTree::new(manner.root),
            scratch: SearchScratch::new(),
            start,
            goal: start,
            path: Vec::new(),
            map,
        }
    }

    fn go(mut self, clock: &Clock) -> Vec<Edit> {
        let mut edits = Vec::with_capacity(EDITS);
        for _ in 0..MAX_TRIPS {
            if edits.len() == EDITS || self.goals.is_empty() {
                break;
            }
            self.set_out();
            // The first search of a trip has no tree to keep.
            if self.plan(clock).is_none() {
                continue;
            }
            while self.path.len() >= NEAR && edits.len() < EDITS {
                self.step();
                let (path, ends) = (&self.path, [self.start, self.goal]);
                let grid = self.layers.grid();
                self.doors.change(&mut self.random, grid, path, ends);
                self.layers = layers(self.doors.grid());
                match self.plan(clock) {
                    Some(edit) => edits.push(edit),
                    None => break,
                }
            }
        }
        edits
    }

    /// To another goal, with all doors open.
    fn set_out(&mut self) {
        self.doors.open_all();
        self.layers = layers(self.map.grid.clone());
        let ends = self.goals[self.random.usize(..self.goals.len())];
        self.goal = ends[usize::from(self.random.bool())];
        if !self.layers.is_reachable(self.start, self.goal) {
            self.start = ends[0];
        }
    }

    /// A bit along the path, and for a goal that moves a bit anywhere.
    fn step(&mut self) {
        let walked = PACE.min(self.path.len().saturating_sub(1));
        self.path.drain(..walked);
        self.start = self.path.first().copied().unwrap_or(self.start);
        for _ in 0..PACE * usize::from(self.manner.goal_moves) {
            let (dx, dy) = NEIGHBORS[self.random.usize(..NEIGHBORS.len())];
            let next = self.goal.offset(dx, dy);
            if walk_cost(self.layers.grid(), &[self.goal, next]).is_some() {
                self.goal = next;
            }
        }
    }

    /// Plans in each way. `None` if the search from scratch refuses.
    fn plan(&mut self, clock: &Clock) -> Option<Edit> {
        let (layers, start, goal) = (&self.layers, self.start, self.goal);
        let options = PathOptions::default();
        let astar = PathOptions {
            algorithm: Algorithm::AStar,
            ..options
        };
        let (scratch, tree) = (&mut self.scratch, &mut self.tree);
        let (anew, us) = clock.time(|| layers.find_path(start, goal, &astar, scratch));
        let (kept, tree_us) = clock.time(|| layers.replan(start, goal, &options, tree));
        let mut jump_us = 0.0;
        if self.is_even {
            let jump = clock.time(|| layers.find_path(start, goal, &options, scratch));
            jump_us = jump.1;
        }
        let anew = anew.ok()?;
        let is_wrong = !is_as_good(layers, &kept, &anew);
        let kept = kept.unwrap_or_else(|_| anew.clone());
        let expanded = [anew.stats.expanded, kept.stats.expanded];
        self.path = kept.path.cells().collect();
        Some(Edit {
            expanded,
            us: [us, tree_us, jump_us],
            is_wrong,
        })
    }
}

/// Whether the answer of the tree is a walk that costs what a search from scratch found, and tells the same.
fn is_as_good(
    layers: &BodyLayers,
    kept: &Result<FoundPath, FindPathError>,
    anew: &FoundPath,
) -> bool {
    kept.as_ref().is_ok_and(|kept| {
        let cells: Vec<Cell> = kept.path.cells().collect();
        let cost = walk_cost(layers.grid(), &cells);
        let is_same = kept.path.cost == anew.path.cost && kept.outcome == anew.outcome;
        is_same && cost == Some(anew.path.cost)
    })
}

#[cfg(test)]
mod tests {
    use super::{EDITS, Edit, Manner, is_as_good, walk};
    use crate::clock::Clock;
    use crate::mapset::Loaded;
    use crate::planners::doors::Where;
    use crate::planners::ground::{Kind, layers};
    use pursuit::maps::{parse_ascii, parse_scenarios};
    use pursuit::planners::Root;
    use pursuit::{Cell, Grid, PathOptions, SearchScratch};

    /// A field of 60 x 40 cells with some pillars, and a query across it.
    fn map(kind: Kind) -> Loaded {
        let walls = Grid::from_fn(60, 40, |cell| cell.x % 7 != 3 || cell.y % 5 == 2).unwrap();
        let query = "version 1\n0\ta.map\t60\t40\t0\t0\t58\t38\t75\n";
        Loaded {
            grid: kind.of(&walls),
            queries: parse_scenarios(query).unwrap(),
        }
    }

    #[test]
    fn every_door_is_planned_around_as_well_as_from_scratch() {
        let clock = Clock::calibrated(1);
        for kind in Kind::ALL {
            for doors in Where::ALL {
                for (root, goal_moves) in [(Root::Goal, false), (Root::Start, true)] {
                    let manner = Manner {
                        root,
                        goal_moves,
                        doors,
                    };
                    let edits = walk(&map(kind), manner, &clock);
                    assert_eq!(edits.len(), EDITS);
                    assert!(edits.iter().all(|edit| !edit.is_wrong), "{manner:?}");
                    let again = walk(&map(kind), manner, &Clock::calibrated(2));
                    let counts = |edits: &[Edit]| -> Vec<_> {
                        edits.iter().map(|edit| edit.expanded).collect()
                    };
                    assert_eq!(counts(&edits), counts(&again), "rounds walk the same way");
                    let sum = |which: usize| -> u32 {
                        edits.iter().map(|edit| edit.expanded[which]).sum()
                    };
                    assert!(sum(0) > sum(1), "{manner:?}: the tree saves nothing");
                    let has_jumps = edits.iter().all(|edit| edit.us[2] > 0.0);
                    assert_eq!(has_jumps, kind == Kind::Even);
                }
            }
        }
    }

    #[test]
    fn a_dearer_path_and_one_through_a_wall_are_wrong() {
        let layers = layers(parse_ascii("...\n.#.").unwrap().grid);
        let (start, wall, goal) = (Cell::new(0, 0), Cell::new(1, 1), Cell::new(2, 0));
        let options = PathOptions::default();
        let found = layers.find_path(start, goal, &options, &mut SearchScratch::new());
        let found = found.unwrap();
        assert!(is_as_good(&layers, &Ok(found.clone()), &found));
        let mut dear = found.clone();
        dear.path.cost += 1;
        assert!(!is_as_good(&layers, &Ok(dear), &found));
        let mut through = found.clone();
        through.path.turns = vec![start, wall, goal];
        assert!(!is_as_good(&layers, &Ok(through), &found));
    }
}
