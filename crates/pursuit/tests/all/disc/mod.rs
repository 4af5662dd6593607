//! The shortest path that a disc can take between walls: exact, and not by a search over cells.
//!
//! A shortest path is made of straight lines and of arcs around corners of walls, and each line touches
//! the arcs at its ends (the tangent graph: Liu and Arimoto, 1992). The graph is worked out only where
//! a search looks: corners that no path comes to never ask what they see.

mod corner;
mod graph;
mod search;
pub(crate) mod sweep;

use pursuit::Grid;
use pursuit::glam::DVec2;

use graph::Graph;

pub(crate) use search::Route;

/// The level as a disc of one radius sees it. The radius is less than half a cell, so that arcs of two
/// corners never meet.
pub(crate) struct Reference<'a>(Graph<'a>);

impl<'a> Reference<'a> {
    pub(crate) fn new(level: &'a Grid, radius: f64) -> Self {
        Reference(Graph::new(level, radius))
    }

    /// The shortest path between two places; `None` where there is none. The disc fits at both.
    pub(crate) fn route(&mut self, from: DVec2, to: DVec2) -> Option<Route> {
        search::route(&mut self.0, from, to)
    }
}
