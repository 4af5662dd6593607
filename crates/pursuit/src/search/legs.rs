//! The origin of the run that reached each node, and the path that is traced back over these origins.

use std::cmp::Ordering;

use super::grid_space::GridSpace;
use super::work::push;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, NEIGHBORS};

/// For each node that was reached, the origin of the run that reached it. Such a run is a leg of the path: it goes
/// first diagonally, then straight. The entry of a node that was not reached has no meaning.
#[derive(Debug, Default)]
pub(super) struct Legs {
    origins: Vec<u32>,
}

impl Legs {
    pub(super) fn make_room(&mut self, count: u32) {
        if self.origins.len() < count as usize {
            // Fresh zeroed pages cost nothing until they are touched.
            self.origins = vec![0; count as usize];
        }
    }

    /// Records the origin of the run that reached a node.
    #[inline(always)]
    pub(super) fn note(&mut self, node: u32, origin: u32) {
        if let Some(noted) = self.origins.get_mut(node as usize) {
            *noted = origin;
        }
    }

    /// Writes the nodes of a path to the trail, from its end to its start, and returns its cost.
    pub(super) fn trace(
        &self,
        space: &GridSpace<'_>,
        (start, end): (u32, u32),
        trail: &mut Vec<u32>,
        cancel: Cancel<'_>,
    ) -> Result<u64, Cancelled> {
        trail.clear();
        trail.push(end);
        let (mut node, mut cost) = (end, 0);
        // The cost falls from each node to the origin of its run, so this loop ends.
        while node != start
            && let Some(&origin) = self.origins.get(node as usize)
        {
            while node != origin {
                let n = last_step_back(space.cell(origin), space.cell(node));
                cost += space.step_cost::<true>(node, n);
                node = space.neighbor(node, n);
                push(trail, node, cancel)?;
            }
        }
        Ok(cost)
    }
}

/// The first step from the end of a leg back to its origin, as an index of [`NEIGHBORS`]. Straight steps come before
/// diagonal ones.
fn last_step_back(origin: Cell, end: Cell) -> usize {
    let (dx, dy) = (origin.x - end.x, origin.y - end.y);
    let step = match dx.abs().cmp(&dy.abs()) {
        Ordering::Greater => (dx.signum(), 0),
        Ordering::Less => (0, dy.signum()),
        Ordering::Equal => (dx.signum(), dy.signum()),
    };
    let n = NEIGHBORS.iter().position(|&neighbor| neighbor == step);
    n.unwrap_or_default()
}
