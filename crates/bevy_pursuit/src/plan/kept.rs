//! The search trees of chases, kept from one search to the next.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::ecs::entity::Entity;
use pursuit::search::{IncrementalTree, Root};

/// Most bytes that all trees take together. Those that were used longest ago go first.
const MOST_BYTES: u64 = 64 << 20;
/// What a tree takes for each cell of its grid.
const CELL_BYTES: u64 = 32;

/// Whose tree it is: the chaser, its grid, and its radius by bits.
pub(crate) type TreeKey = (Entity, Entity, u32);

/// Trees that nobody searches in now, those used last at the end.
#[derive(Clone, Default)]
pub(crate) struct KeptTrees(Arc<Mutex<Vec<Kept>>>);

struct Kept {
    key: TreeKey,
    bytes: u64,
    tree: IncrementalTree,
}

impl KeptTrees {
    /// The tree of a chaser, or a new one; `None` where trees of that many cells are too large to be kept.
    pub(crate) fn take(&self, key: TreeKey, cells: u64) -> Option<IncrementalTree> {
        if CELL_BYTES * cells > MOST_BYTES {
            return None;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.iter().position(|kept| kept.key == key);
        let own = own.map(|place| all.remove(place).tree);
        // A chase moves both ends, and the walker along what is known from where it stood.
        Some(own.unwrap_or_else(|| IncrementalTree::new(Root::Start)))
    }

    /// Keeps a tree for the next search.
    pub(crate) fn put(&self, key: TreeKey, cells: u64, tree: IncrementalTree) {
        let bytes = CELL_BYTES * cells;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Kept { key, bytes, tree });
        let mut sum: u64 = all.iter().map(|kept| kept.bytes).sum();
        let mut dropped = 0;
        while sum > MOST_BYTES {
            sum -= all[dropped].bytes;
            dropped += 1;
        }
        all.drain(..dropped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> TreeKey {
        (Entity::PLACEHOLDER, Entity::PLACEHOLDER, number)
    }

    #[test]
    fn trees_are_bounded_and_those_used_last_stay() {
        let trees = KeptTrees::default();
        let cells = MOST_BYTES / CELL_BYTES / 4;
        let count = || trees.0.lock().expect("nobody panics").len();
        for number in 0..4 {
            let tree = trees.take(key(number), cells).expect("small enough");
            trees.put(key(number), cells, tree);
        }
        assert_eq!(count(), 4);
        // The first is used again, so that the second goes.
        let tree = trees.take(key(0), cells).expect("small enough");
        trees.put(key(0), cells, tree);
        let tree = trees.take(key(4), cells).expect("small enough");
        trees.put(key(4), cells, tree);
        let all = trees.0.lock().expect("nobody panics");
        let kept: Vec<u32> = all.iter().map(|kept| kept.key.2).collect();
        assert_eq!(kept, [2, 3, 0, 4]);
    }

    #[test]
    fn a_tree_that_would_take_all_room_is_not_made() {
        let trees = KeptTrees::default();
        assert!(trees.take(key(0), MOST_BYTES).is_none());
        assert!(trees.take(key(0), MOST_BYTES / CELL_BYTES).is_some());
    }
}
