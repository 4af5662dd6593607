//! A\* on a grid, whose open list sorts nodes into buckets by f = g + h. Every f is even: see [`GridSpace::unit`].
//!
//! The nodes of one bucket are not expanded in the order of f. A node can therefore be expanded before the cheapest
//! path to it is known, and again afterwards. The paths to all nodes of earlier buckets are final.

use super::astar::{self, SpaceState};
use super::front::{BucketState, Expand, Expanding, Front};
use super::grid_space::GridSpace;
use super::options::{FindPathError, SearchLimits, SearchStats};
use super::recorder::{Mapped, SearchRecorder, Teller};
use super::runs::{self, RunGround};
use super::scratch::{Nodes, SearchScratch};
use super::space::SearchSpace;
use super::work::{Ended, Progress, Stop, Work, limit_reached};
use crate::bits::ones;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::NEIGHBORS;

/// The state that a search on a grid keeps between its steps, in addition to its scratch.
#[derive(Clone, Copy, Debug)]
pub(super) enum GridState {
    Weighted(SpaceState),
    Equal(BucketState),
}

/// Begins a search from the node `start` to the goal of the space.
pub(super) fn begin(
    space: &GridSpace<'_>,
    start: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
) -> GridState {
    let weights = limits.weights;
    if weights.g != weights.h {
        return GridState::Weighted(astar::begin(space, start, weights, scratch));
    }
    let open = scratch.buckets.get_or_insert_default();
    let max_rise = match space.runs() {
        Some(_) => runs::max_rise(space),
        None => space.max_rise(),
    };
    open.start(space.f(start, 0), max_rise);
    scratch.nodes.start(space.node_count());
    scratch.nodes.improve(start, 0, true);
    if space.jumps() {
        scratch.legs.make_room(space.node_count());
    }
    GridState::Equal(BucketState {
        start,
        expanded: 0,
        pushed: 1,
        upcoming: Some((start, 0)),
        seen: (start, start),
        goal_bucket: None,
    })
}

/// Continues a search in the space in which it began, and expands at most `budget` nodes. When the search is over,
/// `scratch.trail` has the path, from its end to its start.
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
        GridState::Weighted(state) => {
            return astar::go_on(space, state, budget, limits, scratch, recorder, cancel);
        }
    };
    let work = Work::go_on(state.expanded, budget, limits, cancel);
    let front = Front {
        space,
        nodes: &mut scratch.nodes,
        legs: &mut scratch.legs,
        open: scratch.buckets.get_or_insert_default(),
        tell: Teller::new(space, limits.weights, recorder),
        state: *state,
    };
    let stop;
    (stop, *state) = match (space.terrain(), space.runs()) {
        (_, Some(terrain)) if space.jumps() => {
            front.expand_all(work, &RunGround::<true>::new(space, terrain))?
        }
        (_, Some(terrain)) => front.expand_all(work, &RunGround::<false>::new(space, terrain))?,
        (Some(_), None) => front.expand_all(work, &CellExpansion::<true>)?,
        (None, None) => front.expand_all(work, &CellExpansion::<false>)?,
    };
    match stop.or_else(|| limit_reached(state.expanded, limits)) {
        Some(stop) => Ok(Progress::Done(end(space, state, stop, scratch, cancel)?)),
        None => Ok(Progress::Running),
    }
}

/// Ends a search: finds the last node of its path, and writes the path to the trail.
fn end(
    space: &GridSpace<'_>,
    state: &BucketState,
    stop: Stop,
    scratch: &mut SearchScratch,
    cancel: Cancel<'_>,
) -> Result<Ended<u32>, Cancelled> {
    let (end, reached) = match state.goal_bucket {
        Some(_) => (space.goal_node(), Stop::Goal),
        None => (nearest(space, state, &scratch.nodes, cancel)?, stop),
    };
    let cost = if space.jumps() {
        let (ends, trail) = ((state.start, end), &mut scratch.trail);
        scratch.legs.trace(space, ends, trail, cancel)?
    } else {
        astar::trace(space, end, scratch, cancel)?
    };
    let open = scratch.buckets.get_or_insert_default();
    // If a limit ended the search, paths to nodes of the current bucket are not final. If the search jumps, only a path
    // to the goal is known to be a cheapest one.
    let slack = if space.runs().is_some() {
        let is_least = stop != Stop::Limit && (reached == Stop::Goal || !space.jumps());
        let least = match is_least {
            true => cost,
            false => {
                let [from, to] = [state.start, end].map(|node| space.place(node));
                space.heuristic((from.0 - to.0, from.1 - to.1))
            }
        };
        cost.saturating_sub(least) + 1
    } else if open.is_exact() || stop != Stop::Limit {
        1
    } else {
        open.width() / space.unit()
    };
    Ok(Ended {
        stop: reached,
        end,
        cost,
        slack,
        stats: SearchStats {
            expanded: state.expanded,
            pushed: state.pushed,
        },
    })
}

/// Of the start and all closed nodes, the one that is nearest to the goal. If several are equally near, it is the one
/// with the smallest number.
fn nearest(
    space: &GridSpace<'_>,
    &BucketState { start, seen, .. }: &BucketState,
    nodes: &Nodes,
    cancel: Cancel<'_>,
) -> Result<u32, Cancelled> {
    let mut best = (space.distance(space.place(start)), start);
    for node in seen.0..=seen.1 {
        cancel.check_at(node)?;
        if nodes.closed_cost(node).is_some() {
            best = best.min((space.distance(space.place(node)), node));
        }
    }
    Ok(best.1)
}

/// Expands a node cell by cell: puts its neighbors on the open list. `TERRAIN` is whether the grid has terrain.
struct CellExpansion<const TERRAIN: bool>;

impl<const TERRAIN: bool> Expand for CellExpansion<TERRAIN> {
    #[inline(always)]
    fn expand<R: SearchRecorder<u32>>(
        &self,
        front: &mut Front<'_, R>,
        Expanding { node, g, arrival }: Expanding,
    ) {
        let space = front.space;
        let (dx, dy) = space.place(node);
        for n in ones(space.looked_at::<TERRAIN>(node, arrival).into()) {
            let n = n as usize % 8;
            let next = space.neighbor(node, n);
            let next_g = g + space.step_cost::<TERRAIN>(node, n);
            if front.reach(next, next_g, node, false) {
                let (x, y) = NEIGHBORS[n];
                let f = space.unit() * (next_g + space.heuristic((dx + x, dy + y)));
                front.put_ahead(f, (next, n as u8 + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::cell::{Cell, CellRect, DiagonalPolicy};
    use crate::cost::octile;
    use crate::grid::Grid;
    use crate::random::{any_cell, any_walls, each_case, with_costs};
    use crate::search::buckets::BucketQueue;
    use crate::search::legs::Legs;
    use crate::search::options::{Heuristic, Weights};
    use crate::search::oracle::{self, cases};
    use crate::search::recorder::{Edge, Relaxation};

    fn any_grid(rng: &mut Rng) -> Grid {
        let (width, height) = (rng.u32(1..24), rng.u32(1..16));
        let grid = any_walls(rng, width, height, 0..10);
        let dearest = [1, 1, 4, 255][rng.usize(0..4)];
        with_costs(&grid, |_| rng.u8(1..=dearest))
    }

    /// Even ground with some costly cells. The highest cost makes buckets so wide that paths of almost equal cost share
    /// a bucket.
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

    /// The f of all expanded nodes, in the units of the search.
    struct Expanded {
        unit: u64,
        f: Vec<u64>,
    }

    impl SearchRecorder for Expanded {
        fn relaxed(&mut self, _: Edge, _: Relaxation) {}

        fn expanded(&mut self, way: Edge) {
            self.f.push(way.f * self.unit);
        }
    }

    /// Asserts that nodes are expanded bucket by bucket, and none after the bucket of the goal.
    fn check_order(expanded: &[u64], open: &BucketQueue, goal: Option<u64>) {
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

    /// Ground of one cost, with patches of other costs and a few walls. On most such grids, searches jump.
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

    /// Asserts the shape of a path, traced back from its end: it goes straight on wherever some cheapest path does.
    /// Elsewhere, it takes the first neighbor that lies on a cheapest path.
    fn check_shape(space: &GridSpace<'_>, scratch: &SearchScratch) {
        let g = |node: u32| scratch.nodes.cost(node);
        let mut straight = None;
        for pair in scratch.trail.windows(2) {
            let node = pair[0];
            let open = space.successors(node, 0);
            let is_cheapest = |n: &usize| {
                let before = g(space.neighbor(node, *n));
                let way = before.map(|before| before + space.step_cost::<true>(node, *n));
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
    fn a_search_ends_at_the_goal_or_nearest_to_it_by_a_cheapest_path() {
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
            let heuristics = [Heuristic::Octile, Heuristic::Zero];
            let (diagonals, heuristic) = if may_run {
                (DiagonalPolicy::NoCornerCut, Heuristic::Octile)
            } else {
                (
                    DiagonalPolicy::ALL[rng.usize(0..4)],
                    heuristics[rng.usize(0..2)],
                )
            };
            let space = GridSpace::new(&grid, diagonals, heuristic, goal).expect("inside");
            // If all cells cost the same, path costs are in units of that cost.
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
                "equal weights are the subject of this test"
            );
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
                if let Progress::Done(found) = step.expect("no flag") {
                    break found;
                }
            };
            let cells = scratch.trail.iter().rev().map(|&node| space.cell(node));
            let cells: Vec<Cell> = cells.collect();
            let to = space.cell(found.end);
            assert_eq!((cells[0], cells[cells.len() - 1]), (start, to));
            let walked = oracle::walk_cost(&grid, &cells, diagonals);
            assert_eq!(
                walked,
                Some(found.cost * each),
                "the path is not legal or has another cost"
            );
            let costs = oracle::distances(&grid, start, diagonals);
            let cheapest = |cell: Cell| costs[grid.index(cell).expect("inside").get()];
            let least = cheapest(to).expect("it was reached") / each;
            assert!(least <= found.cost && found.cost - least < found.slack);
            // The search may reach its limit when it has found a path to the goal, but does not know yet that no other
            // path is cheaper.
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
            assert!([1, widest].contains(&found.slack), "the slack is wrong");
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
                    // Jumps do not record the cells that they pass, and searches that jump have only reachable goals.
                    let reached = grid.rect().cells().filter(|&cell| cheapest(cell).is_some());
                    // If several cells are equally near, the first one in row order is expected.
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

    #[test]
    fn the_nearest_node_is_found_at_any_place_among_the_closed_nodes() {
        let grid = Grid::from_fn(61, 60, |_| true).expect("a good size");
        let goal = Cell::new(30, 20);
        let space = GridSpace::new(&grid, DiagonalPolicy::NoCornerCut, Heuristic::Octile, goal);
        let space = space.expect("inside");
        let node = |x, y| space.node(Cell::new(x, y)).expect("inside");
        let nodes = &mut Nodes::default();
        // The nearest node is the last one of a block of 1,024 nodes, the first one of the next block, or the last
        // closed node.
        let first = node(0, 1);
        for nearest in [0, 1, 1022, 1023, 1024, 1025, 2047, 2048, 2500] {
            for last in [nearest, 1023, 1024, 2048, 2600] {
                let (nearest, last) = (first + nearest, first + last.max(nearest));
                nodes.start(space.node_count());
                for closed in [first, nearest, last] {
                    nodes.improve(closed, 0, true);
                    let _ = nodes.close(closed);
                }
                let state = BucketState {
                    start: first,
                    expanded: 3,
                    pushed: 3,
                    upcoming: None,
                    seen: (first, last),
                    goal_bucket: None,
                };
                let far = |node: u32| (space.distance(space.place(node)), node);
                let expected = [first, nearest, last].map(far).into_iter().min();
                let found = super::nearest(&space, &state, nodes, Cancel::NEVER);
                let found = found.expect("without a flag");
                assert_eq!(Some(far(found)), expected, "{first} to {last}");
            }
        }
    }

    /// The expected node comes from a plain list: of all waiting nodes in the first bucket, the newest one.
    #[test]
    fn the_newest_node_of_the_first_bucket_is_expanded_next() {
        let (mut from_upcoming, mut unheard) = (0, ());
        let grid = Grid::from_fn(20, 20, |_| true).expect("a good size");
        let goal = Cell::new(0, 0);
        let space = GridSpace::new(&grid, DiagonalPolicy::NoCornerCut, Heuristic::Octile, goal);
        let space = space.expect("inside");
        each_case(300, |rng| {
            let most = [200, 5000, 3_000_000][rng.usize(0..3)];
            let (mut open, mut nodes, mut legs) = <(BucketQueue, Nodes, Legs)>::default();
            let mut f = rng.u64(0..1000);
            open.start(f, most);
            let mut front = Front {
                space: &space,
                nodes: &mut nodes,
                legs: &mut legs,
                open: &mut open,
                tell: Teller::new(&space, Weights::default(), &mut unheard),
                state: BucketState {
                    start: 0,
                    expanded: 0,
                    pushed: 0,
                    upcoming: None,
                    seen: (0, 0),
                    goal_bucket: None,
                },
            };
            let mut waiting: Vec<(u64, u32)> = Vec::new();
            for node in 0..400 {
                let next_f = f + if rng.bool() { 0 } else { rng.u64(0..most) };
                front.put_ahead(next_f, (node, 0));
                waiting.push((front.open.bucket(next_f), node));
                if rng.u8(0..3) == 0 {
                    continue;
                }
                let upcoming = &mut front.state.upcoming;
                from_upcoming += u32::from(upcoming.is_some());
                let first = waiting.iter().map(|(bucket, _)| *bucket).min();
                let at = waiting
                    .iter()
                    .rposition(|(bucket, _)| Some(*bucket) == first);
                let (bucket, expected) = waiting.remove(at.expect("one waits"));
                let popped = upcoming.take().or_else(|| front.open.pop());
                assert_eq!(popped, Some((expected, 0)));
                assert_eq!(front.open.current(), bucket);
                f = f.max(bucket * front.open.width());
            }
        });
        assert!(from_upcoming > cases(1000), "{from_upcoming}");
    }
}
