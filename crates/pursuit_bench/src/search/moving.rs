//! An agent and a target both walk a cell per tick. Measures the search with which the agent plans again in every tick.

use std::hint::black_box;

use fastrand::Rng;
use pursuit::{BodyLayers, Cell, Grid, PathOptions, STRAIGHT, SearchScratch};
use serde_json::{Value, json};

use super::own::OwnSearch;
use crate::clock::Clock;
use crate::ground::{complete, largest_region, layers};
use crate::samples::Samples;

/// A tick is measured only if the path is at most this long, in cells.
const MAX_COUNTED_PATH_CELLS: u64 = 160;
/// Number of measured ticks per map.
const COUNTED_TICKS: usize = 1000;
/// Maximum number of ticks per map.
const MAX_TICKS: usize = 8000;
/// Number of measured ticks between two comparisons of the cost with plain A*.
const CHECK_INTERVAL_TICKS: usize = 16;

/// A measured tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tick {
    agent: Cell,
    target: Cell,
    /// Cost of the path between agent and target by plain A*. `None` if this tick is not compared.
    cost: Option<u64>,
}

/// A body that walks to random places.
struct MovingBody {
    at: Cell,
    /// The remaining cells of the path. The next cell is the last in the list.
    ahead: Vec<Cell>,
}

impl MovingBody {
    /// Walks a cell. Chooses a random place as the new goal if the path is at its end.
    fn walk(&mut self, map: &mut Map) {
        if self.ahead.is_empty() {
            let goal = map.place();
            self.head_for(goal, map);
        }
        self.at = self.ahead.pop().unwrap_or(self.at);
    }

    /// Plans the path to a place.
    fn head_for(&mut self, goal: Cell, map: &mut Map) {
        let path = map.path(self.at, goal, &PathOptions::default());
        self.ahead = path.map_or_else(Vec::new, |(_, cells)| cells);
        self.ahead.reverse();
        // The first cell of the path is the walker's own cell.
        self.ahead.pop();
    }
}

/// The map on which agent and target walk.
struct Map<'m> {
    layers: &'m BodyLayers,
    /// The cells of the largest connected region.
    places: &'m [Cell],
    random: Rng,
    scratch: &'m mut SearchScratch,
}

impl Map<'_> {
    fn place(&mut self) -> Cell {
        self.places[self.random.usize(..self.places.len())]
    }

    /// Cost and cells of a shortest path.
    fn path(&mut self, from: Cell, to: Cell, options: &PathOptions) -> Option<(u64, Vec<Cell>)> {
        let found = complete((self.layers).find_path(from, to, options, self.scratch))?;
        Some((found.path.cost, found.path.cells().collect()))
    }
}

/// Lets agent and target walk until there are enough measured ticks, or the maximum number of ticks is reached. The
/// result depends only on the map and the seed. If the target is too far away, the agent walks toward it until it is
/// near again.
pub(super) fn ticks(grid: &Grid, seed: u64, scratch: &mut SearchScratch) -> Vec<Tick> {
    let layers = &layers(grid.clone());
    let places = &largest_region(layers);
    if places.len() < 2 {
        return Vec::new();
    }
    let mut map = Map {
        layers,
        places,
        random: Rng::with_seed(seed),
        scratch,
    };
    let at = map.place();
    let [mut agent, mut target] = [(); 2].map(|()| MovingBody {
        at,
        ahead: Vec::new(),
    });
    let mut ticks = Vec::new();
    let mut is_lost = false;
    for _ in 0..MAX_TICKS {
        target.walk(&mut map);
        if is_lost {
            agent.head_for(target.at, &mut map);
        }
        agent.walk(&mut map);
        let path = map.path(agent.at, target.at, &PathOptions::default());
        let Some((cost, _)) = path else { break };
        let is_far = cost > MAX_COUNTED_PATH_CELLS * u64::from(STRAIGHT);
        if is_lost && !is_far {
            // The agent returns to its own random tour.
            agent.ahead.clear();
        }
        is_lost = is_far;
        if is_far || agent.at == target.at {
            continue;
        }
        let mut plain = || map.path(agent.at, target.at, &OwnSearch::Astar.options());
        let is_checked = ticks.len() % CHECK_INTERVAL_TICKS == 0;
        ticks.push(Tick {
            agent: agent.at,
            target: target.at,
            cost: is_checked.then(&mut plain).flatten().map(|(cost, _)| cost),
        });
        if ticks.len() == COUNTED_TICKS {
            break;
        }
    }
    ticks
}

/// The figures of one algorithm on one set.
#[derive(Default)]
pub(super) struct MovingTally {
    us: Samples,
    checked: usize,
    wrong: usize,
}

impl MovingTally {
    /// Measures the search in every tick.
    pub(super) fn run(
        &mut self,
        layers: &BodyLayers,
        ticks: &[Tick],
        options: &PathOptions,
        scratch: &mut SearchScratch,
        clock: &Clock,
    ) {
        let plan = |at: usize| {
            let (agent, target) = (black_box(ticks[at].agent), black_box(ticks[at].target));
            layers.find_path(agent, target, options, scratch)
        };
        let us = clock.time_each(ticks.len(), plan, |at, found| {
            let cost = ticks[at].cost;
            let same =
                complete(found).is_some_and(|found| cost.is_none_or(|c| c == found.path.cost));
            self.checked += usize::from(cost.is_some());
            self.wrong += usize::from(!same);
        });
        self.us.extend(us.iter());
    }

    /// The row of an agent that plans again in every tick.
    pub(super) fn row(&self, set: &str, algorithm: &str) -> Value {
        json!({
            "set": set,
            "algorithm": algorithm,
            // Number of measured ticks: those with the target near enough.
            "ticks": self.us.len(),
            "mean_us": self.us.mean().unwrap_or_default(),
            "p99_us": self.us.percentile(0.99).unwrap_or_default(),
            "max_us": self.us.max().unwrap_or_default(),
            // Number of ticks whose cost was compared with plain A*.
            "checked": self.checked,
            "wrong": self.wrong,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECK_INTERVAL_TICKS, MAX_COUNTED_PATH_CELLS, MovingTally, Tick, ticks};
    use crate::clock::Clock;
    use crate::search::own::OwnSearch;
    use pursuit::maps::parse_ascii;
    use pursuit::{BodyLayers, Cell, DiagonalPolicy, Grid, STRAIGHT, SearchScratch};

    fn corridor(length: usize) -> Grid {
        parse_ascii(&".".repeat(length)).unwrap().grid
    }

    fn walk(grid: &Grid, seed: u64) -> Vec<Tick> {
        ticks(grid, seed, &mut SearchScratch::new())
    }

    #[test]
    fn only_ticks_with_a_near_target_count() {
        let grid = corridor(1000);
        let ticks = walk(&grid, 1);
        assert!(ticks.len() > 100, "{}", ticks.len());
        let is_far =
            |tick: &&Tick| u64::from(tick.agent.x.abs_diff(tick.target.x)) > MAX_COUNTED_PATH_CELLS;
        assert_eq!(ticks.iter().filter(is_far).count(), 0);
        assert!(ticks.iter().all(|tick| tick.agent != tick.target));
        let checked = ticks.iter().filter(|tick| tick.cost.is_some()).count();
        assert_eq!(checked, ticks.len().div_ceil(CHECK_INTERVAL_TICKS));
    }

    #[test]
    fn the_tour_depends_only_on_the_seed() {
        let grid = corridor(60);
        assert_eq!(walk(&grid, 1), walk(&grid, 1));
        assert_ne!(walk(&grid, 1), walk(&grid, 2));
        assert_eq!(walk(&corridor(1), 1), [], "nowhere to go");
    }

    #[test]
    fn a_cost_that_differs_from_the_plain_search_is_wrong() {
        let grid = corridor(9);
        let [agent, target] = [Cell::new(0, 0), Cell::new(8, 0)];
        let tick = |steps: u64| Tick {
            agent,
            target,
            cost: Some(steps * u64::from(STRAIGHT)),
        };
        let mut scratch = SearchScratch::new();
        let options = OwnSearch::Auto.options();
        let mut tally = MovingTally::default();
        let ticks = [tick(8), tick(9)];
        let layers = BodyLayers::from_grid(grid, DiagonalPolicy::default());
        let clock = Clock::calibrated(1);
        tally.run(&layers, &ticks, &options, &mut scratch, &clock);
        let row = tally.row("set", "auto");
        let counts = ["ticks", "checked", "wrong"].map(|key| row[key].as_u64());
        assert_eq!(counts, [2, 2, 1].map(Some));
    }
}
