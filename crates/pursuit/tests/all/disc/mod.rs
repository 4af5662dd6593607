//! The exact shortest path of a disc between walls, found without a search over cells.
//!
//! A shortest path consists of straight lines and of arcs around corners of walls, and each line touches the
//! arcs at its ends (the tangent graph: Liu and Arimoto, 1992). The graph is computed only where a search
//! looks: the edges of corners that no path reaches are never computed.

mod corner;
mod graph;
mod search;
pub(crate) mod sweep;

use pursuit::Grid;
use pursuit::glam::DVec2;

use graph::Graph;

pub(crate) use search::ShortestPath;

/// The shortest paths of a disc in a level. The radius is less than half a cell, so that the arcs of two corners never
/// meet.
pub(crate) struct Reference<'a>(Graph<'a>);

impl<'a> Reference<'a> {
    pub(crate) fn new(level: &'a Grid, radius: f64) -> Self {
        Reference(Graph::new(level, radius))
    }

    /// The shortest path between two points at which the disc fits. `None` if no path exists.
    pub(crate) fn route(&mut self, from: DVec2, to: DVec2) -> Option<ShortestPath> {
        search::route(&mut self.0, from, to)
    }
}
