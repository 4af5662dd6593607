//! Searches in three dimensions, on a grid of unit cubes, each solid or free.
//!
//! A step leads from a cube to one of the six cubes that share a face with it, and costs 1. A body flies through free
//! cubes, or walks on solid ones. A walking body may also climb or drop several layers in a step, at an extra cost of 1
//! for each layer: see [`Movement`]. Searches run A\* or Dijkstra's algorithm with [`astar()`](pursuit::astar()) on a
//! [`VoxelSpace`]. The estimate of A\* is the Manhattan distance, which is exact if a flying body has no obstacles.
//!
//! ```
//! use pursuit::SearchScratch;
//! use pursuit_lab::voxels::{Movement, VoxelOptions, parse_voxels};
//!
//! // Two layers, the lower one first. G lies on top of a solid cube.
//! let map = parse_voxels("S.##\n..##\n\n...G\n....")?;
//! let (start, goal) = (map.find('S').expect("an S"), map.find('G').expect("a G"));
//!
//! let mut options = VoxelOptions::default();
//! let mut scratch = SearchScratch::new();
//! let flight = map.grid.find_path(start, goal, &options, &mut scratch, &mut ())?;
//! assert_eq!(flight.cost, 4);
//! options.movement = Movement::Walk { climb: 1 };
//! let walk = map.grid.find_path(start, goal, &options, &mut scratch, &mut ())?;
//! assert_eq!(walk.voxels.last(), Some(&goal));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`VoxelGrid::find_path`] reports its events to a recorder. To save and replay the events, pass a
//! [`voxel_recorder`](crate::recording::voxel_recorder) of a [`Recording`](crate::recording::Recording).
//!
//! Columns are `x`, rows are `y` and layers are `z`. Layer 0 is the lowest.

mod grid;
mod space;
mod text;

pub use grid::{MAX_VOXEL_SIDE, MAX_VOXELS, Voxel, VoxelBox, VoxelError, VoxelGrid};
pub use space::{Movement, VoxelOptions, VoxelPath, VoxelPathError, VoxelSpace};
pub use text::{VoxelMap, VoxelTextError, VoxelTextErrorKind, parse_voxels};
