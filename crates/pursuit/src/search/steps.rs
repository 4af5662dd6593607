//! How a search on a grid looks at the neighbors of a node.

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
    pub(super) fn new(costs: &'g [u8], terrain: &'g Terrain, rises: &Rises) -> Self {
        let cheapest = i32::from(terrain.cheapest);
        let change = |n: usize, rise: u16| 2 * cheapest * (i32::from(rise) - i32::from(WHOLE[n]));
        Self {
            costs,
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
