//! Recordings of searches among cubes.

use std::time::Duration;

use pursuit::{Algorithm, Cell, DiagonalPolicy, Heuristic, Mapped, SearchRecorder, Weights};

use super::facts::{RecordedAlgorithm, RecordedEnd, RecordedSearch};
use super::layers::RecordedVoxels;
use super::record::Recording;
use crate::voxels::{Movement, Voxel, VoxelGrid, VoxelOptions, VoxelPath};

impl RecordedSearch {
    /// A search among cubes with these options, named `A*` or `Dijkstra`. `None` if the start or the goal is outside
    /// the grid, or if the grid is too large: the layers are laid out as [one picture](RecordedVoxels), whose size has
    /// the limits of a [`Grid`](pursuit::Grid).
    #[must_use]
    pub fn voxels(
        grid: &VoxelGrid,
        start: Voxel,
        goal: Voxel,
        options: &VoxelOptions,
    ) -> Option<Self> {
        let voxels = RecordedVoxels::of(grid, options.movement);
        let size = voxels.picture()?;
        let (name, heuristic) = match options.has_estimate {
            true => ("A*", Heuristic::Octile),
            false => ("Dijkstra", Heuristic::Zero),
        };
        Some(Self {
            name: name.to_owned(),
            width: size.width,
            height: size.height,
            start: voxels.cell(start)?,
            goal: voxels.cell(goal)?,
            diagonals: DiagonalPolicy::Never,
            algorithm: RecordedAlgorithm::Path(Algorithm::AStar),
            heuristic,
            weights: options.limits.weights,
            max_expanded: options.limits.max_expanded,
            voxels: Some(voxels),
        })
    }
}

impl Recording {
    /// Records the answer of a search among cubes and, if it was measured, the duration: see [`finish`](Self::finish).
    /// Cubes outside the recorded grid are left out.
    pub fn finish_voxels(&mut self, path: &VoxelPath, took: Option<Duration>) {
        let voxels = self.search.voxels;
        let cells = path.voxels.iter();
        let cells = cells.filter_map(|&voxel| voxels.and_then(|voxels| voxels.cell(voxel)));
        self.end = Some(RecordedEnd {
            path: cells
                .take(self.search.size().cell_count() as usize)
                .collect(),
            cost: path.cost,
            outcome: path.outcome,
            bound: bound(&self.search, path.cost),
            expanded: path.stats.expanded,
            pushed: path.stats.pushed,
            took,
        });
    }
}

/// The bound of a path. Because the estimates are consistent, the path costs at most the bound times the cheapest cost.
fn bound(search: &RecordedSearch, cost: u64) -> f64 {
    let Weights { g, h } = search.weights;
    match (g, search.heuristic) {
        _ if cost == 0 => 1.0,
        (0, _) => f64::INFINITY,
        (_, Heuristic::Zero) => 1.0,
        _ => (f64::from(h) / f64::from(g)).max(1.0),
    }
}

/// Wraps a recorder of cells, so that it can record the nodes of a [`VoxelSpace`](crate::voxels::VoxelSpace).
/// [`RecordedVoxels`] explains where the cells lie.
pub fn voxel_recorder<'a, R: SearchRecorder>(
    grid: &VoxelGrid,
    recorder: &'a mut R,
) -> Mapped<'a, impl Fn(u32) -> Cell + use<R>, R> {
    // The layout of the cells does not depend on the movement, so any movement will do.
    let voxels = RecordedVoxels::of(grid, Movement::Fly);
    Mapped::new(move |node| voxels.cell_of_node(node), recorder)
}
