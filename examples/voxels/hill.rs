//! The built-in level: a terraced hill with a tower, a ravine with a bridge and a log, and a cave.
//!
//! Seen from above, the front at the lower edge:
//!
//! ```text
//! +--------+-----+--------------------+
//! |      tree    |   back steps       |
//! |       -- log --  terraces         |
//! |        |     |  +-------------+   |
//! |        |     cave : stairs,   |   |
//! |  tree  |     |    : tower     |   |
//! |       ++    ++  +--:-cave-----+   |
//! |      - bridge |   step mouth      |
//! |      |     |  +-------------------+
//! |  [ wall    |                      |
//! |  start ]   |      front steps     |
//! +------+-----+----------------------+
//! ```

use pursuit_lab::voxels::{Voxel, VoxelBox, VoxelError};

use crate::level::{Level, Stuff};

/// Columns, rows and layers.
const SIZE: [u32; 3] = [24, 24, 14];
/// Behind the garden wall, and on the tower.
const ENDS: [Voxel; 2] = [Voxel::new(3, 20, 2), Voxel::new(20, 6, 12)];

/// First and last column, row and layer of a box, the last being one past it.
type Ranges = [(i32, i32); 3];

/// The ground, and the ravine in it.
const GROUND: [(Option<Stuff>, Ranges); 5] = [
    (Some(Stuff::Rock), [(0, 24), (0, 24), (0, 1)]),
    (Some(Stuff::Soil), [(0, 24), (0, 24), (1, 2)]),
    (None, [(8, 11), (9, 24), (0, 2)]),
    (None, [(9, 12), (0, 12), (0, 2)]),
    (Some(Stuff::Rock), [(9, 10), (11, 12), (0, 1)]),
];

/// The terraces, the lowest first. Those that are two layers high cannot be walked up to but by steps.
const TERRACES: [(Option<Stuff>, Ranges); 11] = [
    (Some(Stuff::Rock), [(13, 24), (3, 18), (2, 3)]),
    (Some(Stuff::Rock), [(15, 24), (1, 20), (2, 3)]),
    (Some(Stuff::Soil), [(13, 24), (3, 18), (3, 4)]),
    (Some(Stuff::Soil), [(15, 24), (1, 20), (3, 4)]),
    (Some(Stuff::Soil), [(15, 24), (4, 16), (4, 5)]),
    // Over the mouth of the cave.
    (Some(Stuff::Soil), [(13, 16), (6, 10), (4, 5)]),
    (Some(Stuff::Rock), [(16, 24), (4, 14), (5, 6)]),
    (Some(Stuff::Soil), [(16, 24), (4, 14), (6, 7)]),
    (Some(Stuff::Soil), [(17, 24), (4, 12), (7, 8)]),
    // Beside the hill: a crag.
    (Some(Stuff::Rock), [(22, 24), (12, 14), (7, 9)]),
    (Some(Stuff::Rock), [(23, 24), (12, 13), (9, 10)]),
];

/// Steps that lead from terrace to terrace: in front, at the back, and above the cave.
const STEPS: [(Option<Stuff>, Ranges); 3] = [
    (Some(Stuff::Brick), [(18, 21), (20, 21), (2, 3)]),
    (Some(Stuff::Brick), [(13, 15), (2, 3), (2, 3)]),
    (Some(Stuff::Brick), [(16, 18), (14, 15), (5, 6)]),
];

/// From the left cliff into the hill, and up to its front.
const CAVE: [(Option<Stuff>, Ranges); 4] = [
    (None, [(13, 20), (7, 9), (2, 4)]),
    (None, [(18, 20), (9, 13), (2, 4)]),
    (None, [(18, 20), (12, 14), (3, 5)]),
    (None, [(18, 20), (14, 16), (4, 5)]),
];

/// The tower with its stairs and crenels.
const TOWER: [(Option<Stuff>, Ranges); 8] = [
    (Some(Stuff::Brick), [(18, 22), (5, 9), (8, 12)]),
    (Some(Stuff::Brick), [(17, 18), (8, 9), (8, 9)]),
    (Some(Stuff::Brick), [(17, 18), (7, 8), (8, 10)]),
    (Some(Stuff::Brick), [(17, 18), (6, 7), (8, 11)]),
    (Some(Stuff::Brick), [(17, 18), (5, 6), (8, 12)]),
    (Some(Stuff::Brick), [(21, 22), (8, 9), (12, 13)]),
    (Some(Stuff::Brick), [(21, 22), (5, 6), (12, 13)]),
    (Some(Stuff::Brick), [(19, 20), (5, 6), (12, 13)]),
];

/// A bridge, a log, and the wall around the start.
const WORKS: [(Option<Stuff>, Ranges); 4] = [
    (Some(Stuff::Timber), [(7, 12), (14, 16), (2, 3)]),
    (Some(Stuff::Timber), [(9, 12), (4, 5), (1, 2)]),
    (Some(Stuff::Brick), [(1, 6), (17, 18), (2, 4)]),
    (Some(Stuff::Brick), [(5, 6), (17, 22), (2, 4)]),
];

/// Where trees stand: column, row and layer of the trunk.
const TREES: [(i32, i32, i32); 5] = [(6, 2, 2), (2, 9, 2), (15, 22, 2), (22, 18, 4), (22, 2, 4)];

/// The hill.
///
/// # Errors
///
/// None: the size is a good one.
pub(crate) fn hill() -> Result<Level, VoxelError> {
    let mut level = Level::open("the hill", SIZE, ENDS)?;
    let parts = [&GROUND[..], &TERRACES, &STEPS, &CAVE, &TOWER, &WORKS];
    for &(stuff, ranges) in parts.into_iter().flatten() {
        level.fill(area(ranges), stuff);
    }
    for (x, y, z) in TREES {
        let crown = [(x - 1, x + 2), (y - 1, y + 2), (z + 2, z + 4)];
        level.fill(area(crown), Some(Stuff::Leaf));
        let tip = [(x, x + 1), (y, y + 1), (z + 4, z + 5)];
        level.fill(area(tip), Some(Stuff::Leaf));
        let trunk = [(x, x + 1), (y, y + 1), (z, z + 2)];
        level.fill(area(trunk), Some(Stuff::Timber));
    }
    Ok(level)
}

fn area([x, y, z]: Ranges) -> VoxelBox {
    VoxelBox::new(Voxel::new(x.0, y.0, z.0), Voxel::new(x.1, y.1, z.1))
}

#[cfg(test)]
mod tests {
    use pursuit::SearchScratch;
    use pursuit_lab::voxels::VoxelOptions;

    use super::*;
    use crate::solve::Gait;

    #[test]
    fn the_tower_can_be_reached_on_foot_and_sooner_by_climbing_or_flying() {
        let level = hill().expect("a good size");
        let mut costs = Vec::new();
        for gait in Gait::ALL {
            let mut options = VoxelOptions::default();
            options.movement = gait.movement();
            let scratch = &mut SearchScratch::new();
            let found = level
                .grid
                .find_path(level.start, level.goal, &options, scratch)
                .expect("both ends are free");
            assert!(found.is_complete(), "{gait:?}");
            costs.push(found.cost);
        }
        assert!(costs.is_sorted_by(|a, b| a > b), "{costs:?}");
    }

    #[test]
    fn one_walks_through_the_cave() {
        let level = hill().expect("a good size");
        let mouths = [Voxel::new(13, 8, 2), Voxel::new(18, 15, 4)];
        let mut options = VoxelOptions::default();
        options.movement = Gait::Walk.movement();
        let [from, to] = mouths;
        let way = level
            .grid
            .find_path(from, to, &options, &mut SearchScratch::new())
            .expect("both are free");
        assert!(way.is_complete() && way.cost < 18, "{}", way.cost);
        let mut roofs = way.voxels.iter().map(|at| {
            let above = (1..14).map(|up| at.offset(0, 0, up));
            above
                .filter(|&at| level.grid.node(at).is_some() && level.grid.is_solid(at))
                .count()
        });
        assert!(roofs.any(|roof| roof > 2), "it has no roof");
    }
}
