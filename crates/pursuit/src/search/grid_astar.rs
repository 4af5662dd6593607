//! A\* on a grid with equal weights and newest nodes first, the case that counts: tables in place of
//! arithmetic, and open nodes in buckets.
//!
//! It knows of no node its g, only its f = g + h: the tables tell how that changes along each step. f
//! is counted so that all are even, see [`GridSpace::unit`].

use super::astar::{self, SpaceState};
use super::bucket_state::{BucketState, nearest, put};
use super::buckets::Buckets;
use super::grid_space::GridSpace;
use super::options::{FindPathError, SearchLimits, SearchStats, Ties, Weights};
use super::progress::Progress;
use super::recorder::{Change, Mapped, SearchRecorder, Way};
use super::rises::rises;
use super::runs;
use super::scratch::{Nodes, SearchScratch, View};
use super::space::{Guarantee, SearchSpace};
use super::steps::{Computed, Plain, Steps, Uneven};
use super::trail;
use super::work::{Ended, Stop, Work, limit_reached};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::NEIGHBORS;

/// What a search on a grid keeps from step to step, beside what is in the scratch.
#[derive(Clone, Copy, Debug)]
pub(super) enum GridState {
    Weighted(SpaceState),
    Equal(BucketState),
    /// Over terrain, straight on where one can.
    Runs(BucketState),
}

/// Begins a search from a node to the goal of the space.
pub(super) fn begin(
    space: &GridSpace<'_>,
    start: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
) -> GridState {
    let weights = limits.weights;
    if weights.g == weights.h && space.runs().is_some() {
        return GridState::Runs(runs::begin(space, start, limits, scratch));
    }
    let is_plain = weights.g == weights.h && limits.ties == Ties::Newest;
    if !is_plain || space.guarantee() != Guarantee::Consistent {
        return GridState::Weighted(astar::begin(space, start, weights, scratch));
    }
    let f = space.heuristic(space.place(start)) * space.unit();
    let open = scratch.buckets.get_or_insert_default();
    open.start(f, space.max_rise());
    scratch.nodes.start(space.node_count());
    scratch.nodes.view().set(start, f);
    GridState::Equal(BucketState::new(start, weights.g))
}

/// Goes on with a search in the space that it began in, and expands at most `budget` nodes. The path at its end is in the
/// scratch's trail, end first.
pub(super) fn go_on<R: SearchRecorder>(
    space: &GridSpace<'_>,
    state: &mut GridState,
    budget: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
    recorder: &mut R,
    cancel: Cancel<'_>,
) -> Result<Progress<Ended<u32>>, FindPathError> {
    let recorder = &mut Mapped::new(|node| space.cell(node), recorder);
    let state = match state {
        GridState::Equal(state) => state,
        GridState::Runs(state) => {
            return runs::go_on(space, state, (budget, limits), scratch, recorder, cancel);
        }
        GridState::Weighted(state) => {
            return astar::go_on(space, state, budget, limits, scratch, recorder, cancel);
        }
    };
    let work = (budget, limits);
    match (rises(space.estimate()), space.terrain()) {
        (Some(rises), None) => {
            let steps = Plain { rises };
            run(space, &steps, state, work, scratch, recorder, cancel)
        }
        (Some(rises), Some(terrain)) => {
            let steps = Uneven::new(terrain, rises);
            run(space, &steps, state, work, scratch, recorder, cancel)
        }
        (None, _) => run(space, &Computed, state, work, scratch, recorder, cancel),
    }
}

fn run<S: Steps>(
    space: &GridSpace<'_>,
    steps: &S,
    state: &mut BucketState,
    (budget, limits): (u32, &SearchLimits),
    scratch: &mut SearchScratch,
    recorder: &mut impl SearchRecorder<u32>,
    cancel: Cancel<'_>,
) -> Result<Progress<Ended<u32>>, FindPathError> {
    let SearchScratch {
        nodes,
        buckets,
        trail,
        ..
    } = scratch;
    let open = buckets.get_or_insert_default();
    let work = Work::go_on(state.expanded, budget, limits, cancel);
    let stop = expand_all(space, steps, nodes.view(), open, work, state, recorder)?;
    let Some(stop) = stop.or_else(|| limit_reached(state.expanded, limits)) else {
        return Ok(Progress::Running);
    };
    let (end, reached) = match state.goal_bucket {
        Some(_) => (space.goal_node(), Stop::Goal),
        None => {
            let view = nodes.view();
            (
                nearest(space, state, |node| view.is_closed(node), cancel)?,
                stop,
            )
        }
    };
    // Ways to nodes of the bucket at hand are final once that is empty.
    let slack = if open.is_exact() || stop != Stop::Limit {
        1
    } else {
        open.width() / space.unit()
    };
    Ok(Progress::Done(Ended {
        stop: reached,
        end,
        cost: trace(space, nodes, end, trail, cancel)?,
        slack,
        stats: SearchStats {
            expanded: state.expanded,
            pushed: state.pushed,
        },
    }))
}

/// Nodes of one bucket come in any order. So a node can be expanded before the cheapest way to it is
/// known, and again after; the ways to all nodes in earlier buckets are final. `None` if there are
/// nodes to expand and none may be any more.
#[inline(never)]
fn expand_all<S: Steps, R: SearchRecorder<u32>>(
    space: &GridSpace<'_>,
    steps: &S,
    mut view: View<'_>,
    open: &mut Buckets,
    mut work: Work<'_>,
    state: &mut BucketState,
    recorder: &mut R,
) -> Result<Option<Stop>, FindPathError> {
    let BucketState {
        mut upcoming,
        mut pushed,
        mut seen,
        mut goal_bucket,
        weight,
        ..
    } = *state;
    let mut tell = GridTeller::new(space, weight, recorder);
    let stop = loop {
        let Some((node, arrival)) = upcoming.take().or_else(|| open.pop()) else {
            break Ok(Stop::Exhausted);
        };
        if goal_bucket.is_some_and(|bucket| bucket < open.current()) {
            break Ok(Stop::Goal);
        }
        let Some(f) = view.close(node) else {
            tell.recorder.dropped(node);
            continue;
        };
        if space.is_goal(node) {
            tell.reached(node, f);
            goal_bucket = Some(open.current());
            if open.is_exact() {
                break Ok(Stop::Goal);
            }
            continue;
        }
        if !work.expand()? {
            view.open(node);
            break Err((node, arrival));
        }
        seen = (seen.0.min(node), seen.1.max(node));
        let mut rising = [0; 8];
        let mut better = steps.better(space, &view, node, arrival, f, &mut rising);
        tell.expansion(steps, &view, (node, arrival, f), better, &rising);
        while better != 0 {
            let n = better.trailing_zeros() as usize % 8;
            better &= better - 1;
            let (next, arrival) = (space.neighbor(node, n), n as u8 + 1);
            let next_f = f + u64::from(rising[n]);
            view.set(next, next_f);
            pushed = pushed.wrapping_add(1);
            put(open, &mut upcoming, next_f, (next, arrival));
        }
    };
    (state.upcoming, state.pushed, state.seen) = (stop.err(), pushed, seen);
    (state.goal_bucket, state.expanded) = (goal_bucket, work.expanded());
    Ok(stop.ok())
}

/// Tells a recorder what a search does.
struct GridTeller<'a, R> {
    space: &'a GridSpace<'a>,
    /// That of g and of h.
    weight: u16,
    recorder: &'a mut R,
}

impl<'a, R: SearchRecorder<u32>> GridTeller<'a, R> {
    fn new(space: &'a GridSpace<'a>, weight: u16, recorder: &'a mut R) -> Self {
        Self {
            space,
            weight,
            recorder,
        }
    }

    /// The way to a node that leads to this f.
    #[inline(always)]
    fn way(&self, node: u32, parent: Option<u32>, f: u64) -> Way<u32> {
        let sum = f / self.space.unit();
        let h = self.space.heuristic(self.space.place(node));
        let weights = Weights {
            g: self.weight,
            h: self.weight,
        };
        Way::new(node, parent, [sum.saturating_sub(h), h], weights)
    }

    #[inline(always)]
    fn reached(&mut self, node: u32, f: u64) {
        if R::LISTENS {
            self.recorder.reached(self.way(node, None, f));
        }
    }

    /// A node and each neighbor that was looked at, before any of them is written.
    #[inline(always)]
    fn expansion<S: Steps>(
        &mut self,
        steps: &S,
        view: &View<'_>,
        (node, arrival, f): (u32, u8, u64),
        better: u8,
        rising: &[u32; 8],
    ) {
        if !R::LISTENS {
            return;
        }
        self.recorder.expanded(self.way(node, None, f));
        let looked_at = steps.looked_at(self.space, node, arrival);
        for n in (0..8).filter(|n| looked_at >> n & 1 != 0) {
            let next = self.space.neighbor(node, n);
            let change = Change::of(view.is_known(next), better >> n & 1 != 0);
            let way = self.way(next, Some(node), f + u64::from(rising[n]));
            self.recorder.relaxed(way, change);
        }
    }
}

/// As [`astar::trace`], by f.
fn trace(
    space: &GridSpace<'_>,
    nodes: &Nodes,
    end: u32,
    trail: &mut Vec<u32>,
    cancel: Cancel<'_>,
) -> Result<u64, Cancelled> {
    trail.clear();
    trail.push(end);
    let mut cost = 0;
    let (mut node, mut straight) = (end, None);
    let unit = space.unit();
    // A predecessor's g is smaller than the node's, so this ends.
    while let Some(f) = nodes.f(node) {
        let place = space.place(node);
        let here = space.heuristic(place) * unit;
        if f == here {
            break;
        }
        // What the cost so far would be by way of that neighbor, and the step's cost.
        let way = |n: usize| {
            let before = space.neighbor(node, n);
            let (x, y) = NEIGHBORS[n];
            let there = space.heuristic((place.0 + x, place.1 + y)) * unit;
            let step = space.step_cost(node, n);
            // An estimate never falls by more than the step costs.
            let way = nodes.f(before)? + (unit * step + here - there);
            (way <= f).then_some((way, step))
        };
        let open = space.successors(node, 0);
        let ahead = straight.filter(|n| open >> n & 1 != 0);
        let best = ahead.and_then(|n| Some((way(n)?, n))).or_else(|| {
            let neighbors = (0..8).filter(|n| open >> n & 1 != 0);
            neighbors
                .filter_map(|n| Some((way(n)?, n)))
                .min_by_key(|&((way, _), n)| (way, n))
        });
        let Some(((_, step), n)) = best else {
            break;
        };
        cost += step;
        straight = Some(n);
        node = space.neighbor(node, n);
        trail::push(trail, node, cancel)?;
    }
    Ok(cost)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::cell::{Cell, CellRect, DiagonalPolicy};
    use crate::cost::octile;
    use crate::grid::Grid;
    use crate::random::{any_cell, any_walls, each_case, with_costs};
    use crate::search::options::Heuristic;
    use crate::search::oracle::{self, cases};

    fn any_grid(rng: &mut Rng) -> Grid {
        let (width, height) = (rng.u32(1..24), rng.u32(1..16));
        let grid = any_walls(rng, width, height, 0..10);
        let dearest = [1, 1, 4, 255][rng.usize(0..4)];
        with_costs(&grid, |_| rng.u8(1..=dearest))
    }

    /// Ground that is even but for some cells, one of which costs so much that buckets are wide: ways that cost
    /// almost the same are in one.
    fn any_wide_grid(rng: &mut Rng) -> Grid {
        let (width, height) = (rng.u32(3..40), rng.u32(3..30));
        let grid = any_walls(rng, width, height, 0..5);
        let (dear, dearest) = (rng.u8(0..8), rng.u8(2..9));
        let grid = with_costs(&grid, |_| {
            let is_dear = rng.u8(0..10) < dear;
            if is_dear { rng.u8(2..=dearest) } else { 1 }
        });
        let (mut builder, dearest) = (grid.to_builder(), any_cell(rng, &grid));
        builder.set_cost(dearest, 255).expect("inside");
        builder.set_free(dearest, true).expect("inside");
        builder.build()
    }

    /// f of all nodes that are expanded, counted as the search does.
    struct Expanded {
        unit: u64,
        f: Vec<u64>,
    }

    impl SearchRecorder for Expanded {
        fn relaxed(&mut self, _: Way, _: Change) {}

        fn expanded(&mut self, way: Way) {
            self.f.push(way.f * self.unit);
        }
    }

    /// The nodes expanded come bucket by bucket, and none after the goal's.
    fn check_order(expanded: &[u64], open: &Buckets, goal: Option<u64>) {
        let width = open.width();
        let in_order = expanded.windows(2).all(|f| f[0] / width <= f[1] / width);
        assert!(in_order, "{expanded:?} in buckets of {width}");
        if let (Some(goal), Some(&last)) = (goal, expanded.last()) {
            assert!(
                last / width <= goal / width,
                "{last} after the goal's {goal}"
            );
            assert!(open.width() > 2 || last <= goal);
        }
    }

    /// Even ground, with patches that cost more or less and a few walls: most runs pass most cells.
    fn any_patches(rng: &mut Rng) -> Grid {
        let (width, height) = (rng.u32(8..90), rng.u32(8..40));
        let walls = any_walls(rng, width, height, 0..4);
        let plain = rng.u8(1..9);
        let mut builder = with_costs(&walls, |_| plain).to_builder();
        for _ in 0..rng.u8(1..5) {
            let (corner, side) = (any_cell(rng, &walls), rng.i32(1..20));
            let patch = CellRect::new(corner, corner.offset(side, side));
            let cost = if rng.u8(0..4) == 0 {
                255
            } else {
                rng.u8(1..20)
            };
            for cell in patch.intersect(&walls.rect()).cells() {
                builder.set_cost(cell, cost).expect("inside");
            }
        }
        builder.build()
    }

    /// Walked back from its end, a path goes straight on where a cheapest one does, and else over the first neighbor.
    fn check_shape(space: &GridSpace<'_>, scratch: &SearchScratch) {
        let nodes = &scratch.nodes;
        let g = |node: u32| {
            if space.runs().is_some() {
                return nodes.cost(node);
            }
            let h = space.heuristic(space.place(node));
            nodes.f(node).map(|f| f / space.unit() - h)
        };
        let mut straight = None;
        for pair in scratch.trail.windows(2) {
            let node = pair[0];
            let open = space.successors(node, 0);
            let is_cheapest = |n: &usize| {
                let before = g(space.neighbor(node, *n));
                let way = before.map(|before| before + space.step_cost(node, *n));
                open >> n & 1 != 0 && way == g(node)
            };
            let first = straight.filter(is_cheapest).or((0..8).find(is_cheapest));
            let next = first.map(|n| space.neighbor(node, n));
            assert_eq!(next, Some(pair[1]), "from {}", space.cell(node));
            straight = first;
        }
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "one long list of cases")]
    fn a_search_ends_at_the_goal_or_nearest_to_it_by_a_cheapest_way() {
        let (mut ends, mut runs, mut jump_ends, mut would_jump) = ([0; 3], 0, [0; 3], 0);
        let scratch = &mut SearchScratch::new();
        each_case(12_000, |rng| {
            let grid = match rng.u8(0..4) {
                0 => any_grid(rng),
                1 => any_patches(rng),
                _ => any_wide_grid(rng),
            };
            let (start, goal) = (any_cell(rng, &grid), any_cell(rng, &grid));
            if !grid.is_free(start) {
                return;
            }
            let may_run = rng.bool();
            let heuristics = [Heuristic::Octile, Heuristic::Zero, Heuristic::Euclidean];
            let (diagonals, heuristic) = if may_run {
                (DiagonalPolicy::NoCornerCut, Heuristic::Octile)
            } else {
                (
                    DiagonalPolicy::ALL[rng.usize(0..4)],
                    heuristics[rng.usize(0..3)],
                )
            };
            let space = GridSpace::new(&grid, diagonals, heuristic, goal).expect("inside");
            // Where all cells cost the same, costs count in units of that.
            let mut space = space.in_units();
            if may_run {
                space = space.with_runs();
            }
            would_jump += u16::from(space.jumps());
            space = space.with_jumps(rng.bool());
            let jumps = space.jumps();
            let each = u64::from(grid.uniform_cost().unwrap_or(1));
            let limits = SearchLimits {
                max_expanded: (rng.u8(0..3) == 0).then(|| rng.u32(0..60)),
                ..SearchLimits::default()
            };
            let node = space.node(start).expect("inside");
            let mut state = begin(&space, node, &limits, scratch);
            let has_runs = space.runs().is_some();
            assert!(
                !matches!(state, GridState::Weighted(_)),
                "the cases that count"
            );
            assert_eq!(matches!(state, GridState::Runs(_)), has_runs);
            runs += u16::from(has_runs);
            let unit = space.unit();
            let expanded = &mut Expanded {
                unit,
                f: Vec::new(),
            };
            let found = loop {
                let budget = rng.u32(1..40);
                let never = Cancel::NEVER;
                let step = go_on(
                    &space, &mut state, budget, &limits, scratch, expanded, never,
                );
                if let Some(found) = step.expect("no flag").done() {
                    break found;
                }
            };
            let cells = scratch.trail.iter().rev().map(|&node| space.cell(node));
            let cells: Vec<Cell> = cells.collect();
            let to = space.cell(found.end);
            assert_eq!((cells[0], cells[cells.len() - 1]), (start, to));
            let walked = oracle::walk_cost(&grid, &cells, diagonals);
            assert_eq!(walked, Some(found.cost * each), "legal, and of that cost");
            let costs = oracle::distances(&grid, start, diagonals);
            let cheapest = |cell: Cell| costs[grid.index(cell).expect("inside").get()];
            let least = cheapest(to).expect("it was reached") / each;
            assert!(least <= found.cost && found.cost - least < found.slack);
            // The limit may come after a way to the goal was found, and before it is known to be a cheapest one.
            let in_the_open = octile(start, to) * u64::from(space.cheapest);
            let is_at_limit = limits.max_expanded == Some(found.stats.expanded);
            assert!(is_at_limit || jumps || found.slack == 1);
            let open = scratch.buckets.as_ref().expect("it was used");
            let widest = if has_runs {
                found.cost - in_the_open + 1
            } else if open.is_exact() {
                1
            } else {
                open.width() / unit
            };
            assert!([1, widest].contains(&found.slack), "no more");
            assert!(found.stop != Stop::Limit || found.slack == widest);
            if found.slack == 1 && found.stop != Stop::Limit && !jumps {
                check_shape(&space, scratch);
            }
            let goal_f = (found.stop == Stop::Goal).then_some(found.cost * unit);
            check_order(&expanded.f, open, goal_f);
            assert_eq!(expanded.f.len() as u32, found.stats.expanded);
            match found.stop {
                Stop::Goal => assert_eq!(to, goal),
                Stop::Limit => {
                    assert_eq!(Some(found.stats.expanded), limits.max_expanded);
                }
                Stop::Exhausted => {
                    assert!(cheapest(goal).is_none());
                    // Jumps do not note what they pass, and are sent to goals within reach alone.
                    let reached = grid.rect().cells().filter(|&cell| cheapest(cell).is_some());
                    // Of equals the first by rows.
                    let nearest = reached.min_by_key(|&cell| octile(cell, goal));
                    assert!(jumps || nearest == Some(to));
                }
            }
            let ends = if jumps { &mut jump_ends } else { &mut ends };
            ends[found.stop as usize] += 1;
        });
        assert!(ends.into_iter().min() > Some(cases(500)), "{ends:?}");
        assert!(
            jump_ends.into_iter().min() > Some(cases(50)),
            "{jump_ends:?}"
        );
        assert!(runs > cases(3000), "{runs}");
        assert!(would_jump > cases(100), "{would_jump}");
    }
}
