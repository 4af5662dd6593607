//! The lines of sight between corners of a level, computed only where a search needs them.

use pursuit::Grid;
use pursuit::glam::DVec2;

use super::corner::{Corner, corners, tangent};
use super::sweep;

/// The lines and arcs that shortest paths of a disc consist of.
pub(super) struct Graph<'a> {
    level: &'a Grid,
    pub(super) radius: f64,
    pub(super) corners: Vec<Corner>,
    /// The edges of each corner. `None` until they are needed.
    seen: Vec<Option<Box<[Edge]>>>,
}

/// A line from the arc of one corner to the arc of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) length: f64,
    /// The angles at which the line leaves the first arc and meets the second arc, measured from the beginning of each
    /// arc.
    pub(super) leaves: f64,
    pub(super) meets: f64,
}

impl<'a> Graph<'a> {
    pub(super) fn new(level: &'a Grid, radius: f64) -> Self {
        let corners = corners(level, radius);
        Graph {
            level,
            radius,
            seen: vec![None; corners.len()],
            corners,
        }
    }

    /// The lines from a corner to all corners that can be seen from it.
    pub(super) fn edges(&mut self, corner: u32) -> &[Edge] {
        let index = corner as usize;
        if self.seen[index].is_none() {
            let found = self.look(corner);
            self.seen[index] = Some(found.into_boxed_slice());
        }
        self.seen[index].as_deref().unwrap_or(&[])
    }

    fn look(&self, corner: u32) -> Vec<Edge> {
        let here = &self.corners[corner as usize];
        let mut edges = Vec::new();
        for (to, there) in (0..).zip(&self.corners) {
            let Some(line) = tangent((here.at, here.radius), (there.at, there.radius)) else {
                continue;
            };
            let Some(leaves) = here.angle(line.direction) else {
                continue;
            };
            let Some(meets) = there.angle(line.direction) else {
                continue;
            };
            if sweep::is_free(self.level, line.from, line.to, self.radius) {
                edges.push(Edge {
                    to,
                    length: line.from.distance(line.to),
                    leaves,
                    meets,
                });
            }
        }
        edges
    }

    /// The line from a point to a corner: its length, and the angle at which it meets the arc.
    pub(super) fn enter(&self, from: DVec2, corner: u32) -> Option<(f64, f64)> {
        let there = &self.corners[corner as usize];
        let line = tangent((from, 0.0), (there.at, there.radius))?;
        let meets = there.angle(line.direction)?;
        let is_free = sweep::is_free(self.level, line.from, line.to, self.radius);
        is_free.then(|| (line.from.distance(line.to), meets))
    }

    /// The line from a corner to a point: its length, and the angle at which it leaves the arc.
    pub(super) fn leave(&self, corner: u32, to: DVec2) -> Option<(f64, f64)> {
        let here = &self.corners[corner as usize];
        let line = tangent((here.at, here.radius), (to, 0.0))?;
        let leaves = here.angle(line.direction)?;
        let is_free = sweep::is_free(self.level, line.from, line.to, self.radius);
        is_free.then(|| (line.from.distance(line.to), leaves))
    }

    pub(super) fn is_straight(&self, from: DVec2, to: DVec2) -> bool {
        sweep::is_free(self.level, from, to, self.radius)
    }
}
