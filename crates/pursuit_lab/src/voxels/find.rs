//! Paths through a grid of cubes.

use pursuit::{
    Outcome, Progress, SearchLimits, SearchRecorder, SearchScratch, SearchStats, SpaceSearch,
};

use super::error::VoxelPathError;
use super::grid::VoxelGrid;
use super::space::{Movement, VoxelSpace};
use super::voxel::Voxel;

/// How to search among cubes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VoxelOptions {
    /// Default: [`Movement::Fly`].
    pub movement: Movement,
    /// Whether the Manhattan distance leads the search. Without, it is Dijkstra's algorithm.
    ///
    /// Default: `true`.
    pub has_estimate: bool,
    /// Weights and the most nodes to expand. Default: equal weights, no limit.
    pub limits: SearchLimits,
}

impl Default for VoxelOptions {
    fn default() -> Self {
        Self {
            movement: Movement::Fly,
            has_estimate: true,
            limits: SearchLimits::default(),
        }
    }
}

/// A way through cubes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VoxelPath {
    /// From the start to the goal, or to the cube nearest to it, by Manhattan distance, that was reached.
    pub voxels: Vec<Voxel>,
    /// Steps, where each cube climbed counts as one more.
    pub cost: u64,
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// The work done.
    pub stats: SearchStats,
}

impl VoxelPath {
    /// Whether the path ends at the goal.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcome == Outcome::Complete
    }
}

impl VoxelGrid {
    /// The cheapest path from one cube to another, or to the nearest one that can be reached. A search on a
    /// [`VoxelSpace`] by [`astar()`](pursuit::astar()) (Hart, Nilsson and Raphael, 1968).
    ///
    /// # Errors
    ///
    /// See [`VoxelPathError`].
    pub fn find_path(
        &self,
        start: Voxel,
        goal: Voxel,
        options: &VoxelOptions,
        scratch: &mut SearchScratch,
    ) -> Result<VoxelPath, VoxelPathError> {
        self.find_path_recorded(start, goal, options, scratch, &mut ())
    }

    /// The same, and tells `recorder` what the search does, by nodes. A [`voxel_recorder`](crate::recording::voxel_recorder)
    /// makes cells of them, for a [`Recording`](crate::recording::Recording).
    ///
    /// # Errors
    ///
    /// See [`VoxelPathError`].
    pub fn find_path_recorded<R: SearchRecorder<u32>>(
        &self,
        start: Voxel,
        goal: Voxel,
        options: &VoxelOptions,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<VoxelPath, VoxelPathError> {
        let node = self.node(start);
        let node = node.ok_or(VoxelPathError::StartOutside(start))?;
        let space = VoxelSpace::new(self, options.movement, goal);
        let space = space.ok_or(VoxelPathError::GoalOutside(goal))?;
        if !space.holds(start) {
            return Err(VoxelPathError::StartBlocked(start));
        }
        let space = if options.has_estimate {
            space
        } else {
            space.without_estimate()
        };
        let search = SpaceSearch::start(&space, node, &options.limits, scratch)?;
        let mut search = search.ok_or(VoxelPathError::StartOutside(start))?;
        let found = loop {
            if let Progress::Done(found) = search.step(u32::MAX, recorder)? {
                break found;
            }
        };
        Ok(VoxelPath {
            voxels: found.nodes.iter().map(|&node| self.voxel(node)).collect(),
            cost: found.cost,
            outcome: found.outcome,
            stats: found.stats,
        })
    }
}
