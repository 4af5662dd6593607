//! A grid of cubes as a [`SearchSpace`].

use pursuit::{Guarantee, SearchSpace};
use serde::{Deserialize, Serialize};

use super::grid::VoxelGrid;
use super::voxel::Voxel;

/// How a body moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Movement {
    /// Through free cubes, in all six directions.
    #[default]
    Fly,
    /// On surfaces: through free cubes above solid ones, to the four sides. A step may lead up or down by
    /// `climb` cubes at most, if those between are free; each costs 1, as the step itself does. With 0 a body keeps to
    /// its layer.
    Walk {
        /// Most cubes to climb in one step, up or down.
        climb: u8,
    },
}

/// The cubes of a grid in which a body can be, its steps, and a goal: what
/// [`astar()`](pursuit::astar()) searches.
///
/// All steps can be taken both ways, and none leads out of a cube in which no body can be. Nodes are those of
/// [`VoxelGrid::node`].
#[derive(Clone, Copy, Debug)]
pub struct VoxelSpace<'g> {
    grid: &'g VoxelGrid,
    movement: Movement,
    goal: Voxel,
    goal_node: u32,
    has_estimate: bool,
}

impl<'g> VoxelSpace<'g> {
    /// The space in which `goal` is searched for, led by the Manhattan distance. `goal` may be blocked, and is then never
    /// reached; `None` when it is outside of the grid.
    #[must_use]
    pub fn new(grid: &'g VoxelGrid, movement: Movement, goal: Voxel) -> Option<Self> {
        Some(Self {
            goal_node: grid.node(goal)?,
            grid,
            movement,
            goal,
            has_estimate: true,
        })
    }

    /// The same without an estimate: searches are Dijkstra's algorithm.
    #[must_use]
    pub fn without_estimate(self) -> Self {
        Self {
            has_estimate: false,
            ..self
        }
    }

    /// Whether a body can be in a cube.
    #[must_use]
    pub fn holds(&self, voxel: Voxel) -> bool {
        let node = self.grid.node(voxel);
        node.is_some_and(|node| self.is_open(node))
    }

    #[inline(always)]
    fn is_open(&self, node: u32) -> bool {
        match self.movement {
            Movement::Fly => self.grid.is_free(node),
            Movement::Walk { .. } => self.grid.is_surface(node),
        }
    }

    /// Steps to one side: level, then up and down as far as may be climbed.
    #[inline]
    fn climb(
        &self,
        (node, place): (u32, Voxel),
        (side, beside): (u32, Voxel),
        climb: u8,
        visit: &mut impl FnMut(u32, Voxel, u32),
    ) {
        let (grid, layer) = (self.grid, self.grid.stride(2));
        if grid.is_surface(side) {
            visit(side, beside, 1);
        }
        // Up through free cubes above the body, onto what is beside it.
        let mut above = node;
        for up in 1..=u32::from(climb) {
            above += layer;
            if !grid.is_free(above) {
                break;
            }
            let on = side + up * layer;
            if grid.is_surface(on) {
                visit(
                    on,
                    Voxel::new(beside.x, beside.y, place.z + up as i32),
                    1 + up,
                );
            }
        }
        // Down through free cubes beside the body. Under a surface nothing is free.
        let mut under = side;
        for down in 1..=u32::from(climb) {
            if !grid.is_free(under) {
                break;
            }
            under -= layer;
            if grid.is_surface(under) {
                let z = place.z - down as i32;
                visit(under, Voxel::new(beside.x, beside.y, z), 1 + down);
                break;
            }
        }
    }
}

impl SearchSpace for VoxelSpace<'_> {
    type Place = Voxel;

    fn node_count(&self) -> u32 {
        self.grid.node_count()
    }

    #[inline]
    fn place(&self, node: u32) -> Voxel {
        self.grid.voxel(node)
    }

    #[inline]
    fn is_goal(&self, node: u32) -> bool {
        node == self.goal_node
    }

    #[inline]
    fn heuristic(&self, place: Voxel) -> u64 {
        if self.has_estimate {
            place.manhattan(self.goal)
        } else {
            0
        }
    }

    #[inline]
    fn distance(&self, place: Voxel) -> u64 {
        place.manhattan(self.goal)
    }

    #[inline]
    fn between(&self, from: Voxel, to: Voxel) -> u64 {
        if self.has_estimate {
            from.manhattan(to)
        } else {
            0
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    #[inline]
    fn for_each_neighbor(&self, node: u32, place: Voxel, mut visit: impl FnMut(u32, Voxel, u32)) {
        // Nor do steps lead there: searches from a blocked goal rely on that.
        if !self.is_open(node) {
            return;
        }
        let [row, layer] = [self.grid.stride(1), self.grid.stride(2)];
        let sides = [
            (node + 1, place.offset(1, 0, 0)),
            (node - 1, place.offset(-1, 0, 0)),
            (node + row, place.offset(0, 1, 0)),
            (node - row, place.offset(0, -1, 0)),
        ];
        match self.movement {
            Movement::Fly => {
                let ends = [
                    (node + layer, place.offset(0, 0, 1)),
                    (node - layer, place.offset(0, 0, -1)),
                ];
                for (next, voxel) in sides.into_iter().chain(ends) {
                    if self.grid.is_free(next) {
                        visit(next, voxel, 1);
                    }
                }
            }
            Movement::Walk { climb } => {
                for side in sides {
                    self.climb((node, place), side, climb, &mut visit);
                }
            }
        }
    }
}
