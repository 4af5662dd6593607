//! How a search on a grid looks at the neighbors of a node.
//!
//! A set of neighbors is a byte. Bit `n` stands for the place `n` of [`NEIGHBORS`](crate::NEIGHBORS):
//!
//! ```text
//!   7 3 6        #.#        bits 0 and 3: 0b0000_1001
//!   1 . 0        # .
//!   5 2 4        ###
//! ```

use super::grid_space::{GridSpace, WHOLE};
use super::rises::{CLASSES, Rises, class};
use super::scratch::{View, three};
use super::space::SearchSpace;
use super::successors::ALWAYS_NEEDED;
use crate::terrain::Terrain;

/// What a step to each of the [`NEIGHBORS`](crate::NEIGHBORS) adds to f.
pub(super) type Rising = [u32; 8];

/// Looks at the neighbors of a node.
pub(super) trait Steps {
    /// The [`NEIGHBORS`](crate::NEIGHBORS) to which the node, which has this f, is the best way so far,
    /// of those that matter after that arrival, one bit each. Fills `rising` for those.
    fn better(
        &self,
        space: &GridSpace<'_>,
        nodes: &View<'_>,
        node: u32,
        arrival: u8,
        f: u64,
        rising: &mut Rising,
    ) -> u8;

    /// The [`NEIGHBORS`](crate::NEIGHBORS) that [`better`](Self::better) chooses from, and for which it fills
    /// `rising`.
    fn looked_at(&self, space: &GridSpace<'_>, node: u32, arrival: u8) -> u8;
}

/// Steps where every cell costs 1: few need to be looked at.
pub(super) struct Plain {
    pub(super) rises: &'static Rises,
}

impl Steps for Plain {
    #[inline(always)]
    fn better(
        &self,
        space: &GridSpace<'_>,
        nodes: &View<'_>,
        node: u32,
        arrival: u8,
        f: u64,
        rising: &mut Rising,
    ) -> u8 {
        let (dx, dy) = space.place(node);
        let table = &self.rises[class(dx, dy)];
        let state = nodes.state(f);
        let mut better = 0;
        let mut set = space.successors(node, arrival);
        while set != 0 {
            let n = set.trailing_zeros() as usize % 8;
            let bit = set & set.wrapping_neg();
            set ^= bit;
            rising[n] = u32::from(table[n]);
            let new = state.wrapping_sub(u64::from(rising[n]));
            if nodes.is_better(space.neighbor(node, n), new) {
                better |= bit;
            }
        }
        better
    }

    fn looked_at(&self, space: &GridSpace<'_>, node: u32, arrival: u8) -> u8 {
        space.successors(node, arrival)
    }
}

/// Steps over terrain.
pub(super) struct Uneven<'g> {
    costs: &'g [u8],
    terrain: &'g Terrain,
    /// Change of the estimate along each step, by [`class`].
    changes: [[i32; 8]; CLASSES],
}

impl<'g> Uneven<'g> {
    pub(super) fn new(terrain: &'g Terrain, rises: &Rises) -> Self {
        let cheapest = i32::from(terrain.cheapest);
        let change = |n: usize, rise: u16| 2 * cheapest * (i32::from(rise) - i32::from(WHOLE[n]));
        Self {
            costs: terrain.costs(),
            terrain,
            changes: rises.map(|row| std::array::from_fn(|n| change(n, row[n]))),
        }
    }

    /// Looks at those neighbors one after the other.
    #[inline(always)]
    fn better_of_few(&self, around: &Around<'_>, mut set: u8, rising: &mut Rising) -> u8 {
        let cost = |node: u32| {
            self.costs
                .get(node as usize)
                .map_or(0, |&cost| u32::from(cost))
        };
        let here = cost(around.node);
        let mut better = 0;
        while set != 0 {
            let n = set.trailing_zeros() as usize % 8;
            let bit = set & set.wrapping_neg();
            set ^= bit;
            let next = around.space.neighbor(around.node, n);
            rising[n] = rise(n, here + cost(next), around.changes);
            let new = around.state.wrapping_sub(u64::from(rising[n]));
            if around.nodes.is_better(next, new) {
                better |= bit;
            }
        }
        better
    }

    /// Looks at all neighbors at once: where most are needed, that costs less than to choose.
    #[inline(always)]
    fn better_of_all(&self, around: &Around<'_>, rising: &mut Rising) -> u8 {
        let node = around.node;
        let (above, below) = around.space.beside(node);
        let here = three(self.costs, node);
        let costs = in_order(three(self.costs, above), here, three(self.costs, below));
        for n in 0..8 {
            let sum = u32::from(here[1]) + u32::from(costs[n]);
            rising[n] = rise(n, sum, around.changes);
        }
        let nodes = around.nodes;
        let states = in_order(nodes.three(above), nodes.three(node), nodes.three(below));
        let mut better = 0;
        for n in (0..8).rev() {
            let new = around.state.wrapping_sub(u64::from(rising[n]));
            better = better << 1 | u32::from(new > states[n]);
        }
        better as u8
    }
}

/// Those of all neighbors that must be looked at whatever the terrain.
#[inline(always)]
fn needed_after(arrival: u8) -> u8 {
    let needed = ALWAYS_NEEDED.get(usize::from(arrival));
    needed.copied().unwrap_or(u8::MAX)
}

/// What the two ways to look at neighbors share.
struct Around<'a> {
    space: &'a GridSpace<'a>,
    nodes: &'a View<'a>,
    node: u32,
    /// State of a node of the node's f.
    state: u64,
    changes: &'a [i32; 8],
}

/// What a step between two cells of that sum of costs adds to f.
#[inline(always)]
fn rise(n: usize, sum: u32, changes: &[i32; 8]) -> u32 {
    (u32::from(WHOLE[n]) * sum).wrapping_add_signed(changes[n])
}

impl Steps for Uneven<'_> {
    #[inline(always)]
    fn better(
        &self,
        space: &GridSpace<'_>,
        nodes: &View<'_>,
        node: u32,
        arrival: u8,
        f: u64,
        rising: &mut Rising,
    ) -> u8 {
        let (dx, dy) = space.place(node);
        let around = Around {
            space,
            nodes,
            node,
            state: nodes.state(f),
            changes: &self.changes[class(dx, dy)],
        };
        // Where the terrain is even, steps are left out as without it.
        if self.terrain.is_even(node) {
            return self.better_of_few(&around, space.successors(node, arrival), rising);
        }
        let needed = space.successors(node, 0) & needed_after(arrival);
        if needed < 16 {
            return self.better_of_few(&around, needed, rising);
        }
        self.better_of_all(&around, rising) & needed
    }

    fn looked_at(&self, space: &GridSpace<'_>, node: u32, arrival: u8) -> u8 {
        if self.terrain.is_even(node) {
            return space.successors(node, arrival);
        }
        space.successors(node, 0) & needed_after(arrival)
    }
}

/// Three rows of three in the order of [`NEIGHBORS`](crate::NEIGHBORS).
#[inline(always)]
fn in_order<T: Copy>(up: [T; 3], here: [T; 3], down: [T; 3]) -> [T; 8] {
    [
        here[2], here[0], down[1], up[1], down[2], down[0], up[2], up[0],
    ]
}

/// Steps for estimates that have no table.
pub(super) struct Computed;

impl Steps for Computed {
    fn better(
        &self,
        space: &GridSpace<'_>,
        nodes: &View<'_>,
        node: u32,
        _arrival: u8,
        f: u64,
        rising: &mut Rising,
    ) -> u8 {
        let place = space.place(node);
        let (state, here) = (nodes.state(f), space.heuristic(place));
        let mut better = 0;
        let mut set = space.successors(node, 0);
        space.for_each_neighbor(node, place, |next, next_place, cost| {
            let n = set.trailing_zeros() as usize % 8;
            set &= set.wrapping_sub(1);
            // A consistent estimate falls by at most the cost.
            let rise = (u64::from(cost) + space.heuristic(next_place)).saturating_sub(here);
            rising[n] = (rise * space.unit()) as u32;
            if nodes.is_better(next, state.wrapping_sub(rise * space.unit())) {
                better |= 1 << n;
            }
        });
        better
    }

    fn looked_at(&self, space: &GridSpace<'_>, node: u32, _arrival: u8) -> u8 {
        space.successors(node, 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fastrand::Rng;

    use super::*;
    use crate::cell::{Cell, DiagonalPolicy, NEIGHBORS};
    use crate::grid::Grid;
    use crate::random::{any_cell, any_walls, each_case};
    use crate::search::options::Heuristic;
    use crate::search::oracle::{self, cases};
    use crate::search::rises::rises;
    use crate::search::scratch::Nodes;

    /// `uneven` costs are often the same around a cell.
    fn any_grid(rng: &mut Rng, uneven: bool) -> Grid {
        let (width, height) = ([1, 5, 40, 70][rng.usize(0..4)], rng.u32(1..9));
        let grid = any_walls(rng, width, height, 0..10);
        let mut builder = grid.to_builder();
        let dear = if uneven {
            rng.u32(1..width * height + 1)
        } else {
            0
        };
        for _ in 0..dear {
            let cell = any_cell(rng, &grid);
            builder.set_cost(cell, rng.u8(1..)).expect("inside");
        }
        builder.build()
    }

    /// Looks at the neighbors of a free node one by one, some of which are known.
    #[allow(clippy::too_many_lines, reason = "one long list of cases")]
    fn check<S: Steps>(
        rng: &mut Rng,
        (grid, diagonals): (&Grid, DiagonalPolicy),
        space: &GridSpace<'_>,
        steps: &S,
    ) -> usize {
        let cell = any_cell(rng, grid);
        let Some(node) = space.node(cell).filter(|_| grid.is_free(cell)) else {
            return 0;
        };
        let mut nodes = Nodes::default();
        // What an earlier search left counts for nothing.
        for left_over in [true, false] {
            nodes.start(space.node_count());
            if left_over {
                (0..space.node_count()).for_each(|node| nodes.view().set(node, 0));
            }
        }
        let mut view = nodes.view();
        let h = |cell: Cell| {
            let node = space.node(cell).expect("inside");
            space.heuristic(space.place(node)) * space.unit()
        };
        let f = h(cell) + 2 * rng.u64(0..100_000);
        view.set(node, f);
        view.close(node);
        // By how much f grows along each legal step, and what is known there.
        let mut expected = BTreeMap::new();
        for (n, (dx, dy)) in NEIGHBORS.into_iter().enumerate() {
            let next = cell.offset(dx, dy);
            let Some(cost) = oracle::step_cost(grid, cell, next, diagonals) else {
                continue;
            };
            let rise = cost * space.unit() + h(next) - h(cell);
            let known = match rng.u8(0..5) {
                0 => None,
                1 => Some(f + rise),
                2 => Some((f + rise).saturating_sub(2)),
                _ => Some(f + rise + 2 * rng.u64(0..9)),
            };
            let next = space.node(next).expect("inside");
            if let Some(known) = known {
                view.set(next, known);
                if rng.bool() {
                    view.close(next);
                }
            }
            let is_better = known.is_none_or(|known| f + rise < known);
            expected.insert(n, (rise as u32, is_better));
        }
        for arrival in 0..9 {
            let mut rising = [0; 8];
            let better = steps.better(space, &view, node, arrival, f, &mut rising);
            let looked_at = steps.looked_at(space, node, arrival);
            assert_eq!(better & !looked_at, 0, "after {arrival} at {cell}");
            if arrival == 0 {
                let all = expected.keys().fold(0, |set, n| set | 1 << n);
                assert_eq!(looked_at, all, "at first, all legal steps at {cell}");
            }
            for n in (0..8).filter(|n| looked_at >> n & 1 != 0) {
                let found = (rising[n], better >> n & 1 != 0);
                assert_eq!(
                    Some(&found),
                    expected.get(&n),
                    "{n} after {arrival} at {cell}"
                );
            }
        }
        expected.len()
    }

    #[test]
    fn steps_are_those_of_a_look_at_each_neighbor() {
        let mut looked_at = [0; 3];
        each_case(9000, |rng| {
            let kind = rng.usize(0..3);
            let uneven = kind == 1 || kind == 2 && rng.bool();
            let grid = any_grid(rng, uneven);
            let diagonals = DiagonalPolicy::ALL[rng.usize(0..4)];
            let heuristic = match kind {
                2 => Heuristic::Euclidean,
                _ if diagonals == DiagonalPolicy::Never => Heuristic::Manhattan,
                _ => [Heuristic::Octile, Heuristic::Zero][rng.usize(0..2)],
            };
            let goal = any_cell(rng, &grid);
            let space = GridSpace::new(&grid, diagonals, heuristic, goal).expect("inside");
            looked_at[kind] += match (rises(space.estimate()), space.terrain()) {
                (Some(rises), None) => check(rng, (&grid, diagonals), &space, &Plain { rises }),
                (Some(rises), Some(terrain)) => {
                    let steps = Uneven::new(terrain, rises);
                    check(rng, (&grid, diagonals), &space, &steps)
                }
                (None, _) => check(rng, (&grid, diagonals), &space, &Computed),
            };
        });
        assert!(
            looked_at.into_iter().min() > Some(cases(5000)),
            "{looked_at:?}"
        );
    }

    #[test]
    fn what_the_cell_before_reaches_straight_needs_no_look() {
        for (arrival, (dx, dy)) in NEIGHBORS.into_iter().enumerate() {
            for (n, (x, y)) in NEIGHBORS.into_iter().enumerate() {
                let from_before = (x + dx).abs() + (y + dy).abs();
                let is_needed = needed_after(arrival as u8 + 1) >> n & 1 != 0;
                assert_eq!(is_needed, from_before > 1, "{n} after {arrival}");
            }
        }
        assert_eq!(needed_after(0), u8::MAX);
    }

    #[test]
    fn rows_come_in_the_order_of_the_picture() {
        let rows = in_order([7, 3, 6], [1, 8, 0], [5, 2, 4]);
        assert_eq!(rows, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
