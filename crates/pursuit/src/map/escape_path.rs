//! Paths out of ground that is forbidden to a class of bodies.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use glam::Vec2;

use super::body::Body;
use super::nav_map::NavMap;
use crate::cell::{Cell, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::heap::MinHeap;
use crate::region::nearest_free;

impl NavMap {
    /// All cells of the shortest path of a body to a cell that is not forbidden to its class (Dijkstra, 1959). The path
    /// may lead over forbidden ground. It begins in the cell of `point`, or beside the obstacle that contains `point`.
    /// It is empty if no path leads to such a cell.
    ///
    /// A call takes as long as computing the [layers](Self::layers) for a new radius, plus the search. It is meant for
    /// bodies that were pushed or placed on forbidden ground.
    #[must_use]
    pub fn escape_path(&self, point: Vec2, body: impl Into<Body>) -> Vec<Cell> {
        let body = body.into();
        let open = self.clearance().walkable(body.radius, self.diagonals());
        let allowed = self.layers(body);
        let Some(start) = nearest_free(&open, point) else {
            return Vec::new();
        };
        let mut best = BTreeMap::from([(start, (0, start))]);
        let mut waiting = MinHeap::default();
        waiting.push((0, Reverse(start)));
        while let Some((cost, Reverse(cell))) = waiting.pop() {
            if allowed.grid().is_free(cell) {
                return trace(&best, cell);
            }
            for (dx, dy) in NEIGHBORS {
                let next = cell.offset(dx, dy);
                let is_free = |dx, dy| open.is_free(cell.offset(dx, dy));
                let is_diagonal = dx != 0 && dy != 0;
                let is_legal =
                    !is_diagonal || self.diagonals().allows(is_free(dx, 0), is_free(0, dy));
                let cost = cost + if is_diagonal { DIAGONAL } else { STRAIGHT };
                let known = best.get(&next).map_or(u32::MAX, |(known, _)| *known);
                if is_legal && open.is_free(next) && cost < known {
                    best.insert(next, (cost, cell));
                    waiting.push((cost, Reverse(next)));
                }
            }
        }
        Vec::new()
    }
}

fn trace(best: &BTreeMap<Cell, (u32, Cell)>, end: Cell) -> Vec<Cell> {
    let mut way = vec![end];
    let mut at = end;
    while let Some((_, before)) = best.get(&at).filter(|(_, before)| *before != at) {
        at = *before;
        way.push(at);
    }
    way.reverse();
    way
}
