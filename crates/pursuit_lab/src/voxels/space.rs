//! Searches among cubes.

use pursuit::{
    FindPathError, Guarantee, Outcome, Progress, SearchLimits, SearchRecorder, SearchScratch,
    SearchSpace, SearchStats, SpaceSearch,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::grid::{Voxel, VoxelGrid};

/// The movement of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Movement {
    /// The body flies through free cubes, in all six directions.
    #[default]
    Fly,
    /// The body walks on surfaces: through free cubes that have a solid cube below, to the four sides. A step may lead
    /// up or down by at most `climb` cubes, if the cubes in between are free. The step costs 1, plus 1 for each cube of
    /// height. With a `climb` of 0 a body stays in its layer.
    Walk {
        /// Maximum height of one step, up or down, in cubes.
        climb: u8,
    },
}

/// A space for [`astar()`](pursuit::astar()): the cubes of a grid in which a body can be, the steps between these
/// cubes, and a goal.
///
/// Every step can be taken in both directions. Steps join only cubes in which a body can be. [`VoxelGrid::node`]
/// numbers the nodes.
#[derive(Clone, Copy, Debug)]
pub struct VoxelSpace<'g> {
    grid: &'g VoxelGrid,
    movement: Movement,
    goal: Voxel,
    has_estimate: bool,
}

impl<'g> VoxelSpace<'g> {
    /// The space of a search for `goal`, with the Manhattan distance as the estimate. A blocked goal is never reached.
    /// `None` if the goal is outside of the grid.
    #[must_use]
    pub fn new(grid: &'g VoxelGrid, movement: Movement, goal: Voxel) -> Option<Self> {
        grid.node(goal)?;
        Some(Self {
            grid,
            movement,
            goal,
            has_estimate: true,
        })
    }

    /// Whether a body can be in a cube.
    #[must_use]
    pub fn holds(&self, voxel: Voxel) -> bool {
        let is_free = !self.grid.is_solid(voxel);
        match self.movement {
            Movement::Fly => is_free,
            Movement::Walk { .. } => is_free && self.grid.is_solid(voxel.offset(0, 0, -1)),
        }
    }

    /// Visits the steps of a walking body to one side: first the level step, then the steps up and down by at most
    /// `climb` cubes.
    fn walk(&self, from: Voxel, side: Voxel, climb: u8, visit: &mut impl FnMut(Voxel, u32)) {
        if self.holds(side) {
            visit(side, 1);
        }
        // A step up leads through free cubes above the body.
        for up in 1..=i32::from(climb) {
            if self.grid.is_solid(from.offset(0, 0, up)) {
                break;
            }
            let on = side.offset(0, 0, up);
            if self.holds(on) {
                visit(on, 1 + up as u32);
            }
        }
        // A step down leads through free cubes beside the body.
        for down in 1..=i32::from(climb) {
            if self.grid.is_solid(side.offset(0, 0, 1 - down)) {
                break;
            }
            let on = side.offset(0, 0, -down);
            if self.holds(on) {
                visit(on, 1 + down as u32);
            }
        }
    }
}

impl SearchSpace for VoxelSpace<'_> {
    type Place = Voxel;

    fn node_count(&self) -> u32 {
        self.grid.node_count()
    }

    fn place(&self, node: u32) -> Voxel {
        self.grid.voxel(node)
    }

    fn is_goal(&self, node: u32) -> bool {
        self.grid.voxel(node) == self.goal
    }

    fn heuristic(&self, place: Voxel) -> u64 {
        if self.has_estimate {
            place.manhattan(self.goal)
        } else {
            0
        }
    }

    fn distance(&self, place: Voxel) -> u64 {
        place.manhattan(self.goal)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn for_each_neighbor(&self, _: u32, place: Voxel, mut visit: impl FnMut(u32, Voxel, u32)) {
        // A body cannot be in this cube, so no step leads out of it. No step leads into it either, so every step can be
        // taken in both directions.
        if !self.holds(place) {
            return;
        }
        let mut visit = |voxel: Voxel, cost: u32| {
            if let Some(node) = self.grid.node(voxel) {
                visit(node, voxel, cost);
            }
        };
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let side = place.offset(dx, dy, 0);
            match self.movement {
                Movement::Fly if self.holds(side) => visit(side, 1),
                Movement::Fly => {}
                Movement::Walk { climb } => self.walk(place, side, climb, &mut visit),
            }
        }
        for end in [place.offset(0, 0, 1), place.offset(0, 0, -1)] {
            if self.movement == Movement::Fly && self.holds(end) {
                visit(end, 1);
            }
        }
    }
}

/// The options of a search among cubes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VoxelOptions {
    /// How the body moves. Default: [`Movement::Fly`].
    pub movement: Movement,
    /// Whether the Manhattan distance guides the search. Without it, the search is Dijkstra's algorithm.
    ///
    /// Default: `true`.
    pub has_estimate: bool,
    /// The weights, the order of ties, and the maximum number of nodes to expand. Default: equal weights, the newest
    /// node first, no limit.
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

/// A path through cubes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VoxelPath {
    /// Cubes from the start to the goal. If the goal was not reached, the path ends at the reached cube with the least
    /// Manhattan distance to the goal.
    pub voxels: Vec<Voxel>,
    /// Cost of the path: 1 for each step, plus 1 for each layer that a walking body climbs or drops.
    pub cost: u64,
    /// Whether the path ends at the goal, and if not, why.
    pub outcome: Outcome,
    /// The amount of work that the search did.
    pub stats: SearchStats,
}

/// The reason why a search returned no path at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoxelPathError {
    /// The start is not a cube of the grid.
    #[error("the start {0} is outside of the grid")]
    StartOutside(Voxel),
    /// The goal is not a cube of the grid.
    #[error("the goal {0} is outside of the grid")]
    GoalOutside(Voxel),
    /// A body cannot be in the start cube: the cube is solid or, for a walking body, the cube below is not solid.
    #[error("the start {0} is blocked")]
    StartBlocked(Voxel),
    /// The weights are invalid.
    #[error(transparent)]
    Search(#[from] FindPathError),
}

impl VoxelGrid {
    /// The cheapest path from one cube to another. If the goal cannot be reached, the path ends at the reachable cube
    /// with the least Manhattan distance to the goal. This is [`astar()`](pursuit::astar()) on a [`VoxelSpace`] (Hart,
    /// Nilsson and Raphael, 1968).
    ///
    /// The events of the search are reported to `recorder`, with nodes as numbers. Pass `&mut ()` to record nothing.
    /// For a [`Recording`](crate::recording::Recording), a [`voxel_recorder`](crate::recording::voxel_recorder)
    /// converts the nodes to cells.
    ///
    /// # Errors
    ///
    /// See [`VoxelPathError`].
    pub fn find_path<R: SearchRecorder<u32>>(
        &self,
        start: Voxel,
        goal: Voxel,
        options: &VoxelOptions,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<VoxelPath, VoxelPathError> {
        let outside = VoxelPathError::StartOutside(start);
        let node = self.node(start).ok_or(outside)?;
        let space = VoxelSpace::new(self, options.movement, goal);
        let mut space = space.ok_or(VoxelPathError::GoalOutside(goal))?;
        space.has_estimate = options.has_estimate;
        if !space.holds(start) {
            return Err(VoxelPathError::StartBlocked(start));
        }
        let search = SpaceSearch::start(&space, node, &options.limits, scratch)?;
        let mut search = search.ok_or(outside)?;
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
