//! The search trees of chases, kept from one search to the next.
//!
//! The first search in a tree takes longer than a plain one; those after it take less. So a tree that is in use keeps
//! its place, however many others ask: where there is no room, they search plainly. A place is free again where nobody
//! has searched in a tree for [`UNUSED_FOR`], because its chase is over or its target in sight. All times are those of
//! the game: which chaser has a tree does not depend on how fast a machine is.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::ecs::entity::Entity;
use pursuit::planners::{IncrementalTree, Root};

/// Most bytes that all trees take together, by [`CELL_BYTES`]. Small and narrow grids take more: see [`IncrementalTree`].
const MOST_BYTES: u64 = 64 << 20;
/// What a tree takes for each cell of its grid.
const CELL_BYTES: u64 = 32;
/// Seconds after which a tree that nobody searches in gives way to that of another chaser.
const UNUSED_FOR: f64 = 5.0;

/// Whose tree it is: the chaser, its grid, and its radius by bits.
pub(crate) type TreeKey = (Entity, Entity, u32);

/// The trees of all chasers that have one. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct KeptTrees {
    all: Arc<Mutex<Vec<Kept>>>,
    /// What time it is for who takes a tree, in seconds of game time.
    pub(super) now: f64,
}

/// The place of a tree.
struct Kept {
    key: TreeKey,
    bytes: u64,
    /// When it was last taken.
    used_at: f64,
    /// `None` while a search is in it.
    tree: Option<IncrementalTree>,
}

impl KeptTrees {
    /// The tree of a chaser, or a new one if there is room. `None` where there is none, where another search is in the
    /// tree, and where trees of that many cells are too large to be kept: then a plain search takes less.
    pub(crate) fn take(&self, key: TreeKey, cells: u64) -> Option<IncrementalTree> {
        let bytes = CELL_BYTES * cells;
        if bytes > MOST_BYTES {
            return None;
        }
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        // A grid that has another size by now needs another place.
        all.retain(|kept| kept.key != key || kept.bytes == bytes);
        if let Some(own) = all.iter_mut().find(|kept| kept.key == key) {
            let tree = own.tree.take()?;
            own.used_at = self.now;
            return Some(tree);
        }
        let has_room = |all: &[Kept]| {
            let sum: u64 = all.iter().map(|kept| kept.bytes).sum();
            sum + bytes <= MOST_BYTES
        };
        if !has_room(&all) {
            // A game may also set its clock back.
            let is_in_use = |kept: &Kept| (self.now - kept.used_at).abs() < UNUSED_FOR;
            all.retain(is_in_use);
        }
        has_room(&all).then(|| {
            all.push(Kept {
                key,
                bytes,
                used_at: self.now,
                tree: None,
            });
            // A chase moves both ends, and the walker along what is known from where it stood.
            IncrementalTree::new(Root::Start)
        })
    }

    /// Gives a tree back for the next search, unless somebody else has its place by now.
    pub(crate) fn put(&self, key: TreeKey, cells: u64, tree: IncrementalTree) {
        let bytes = CELL_BYTES * cells;
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let is_own = |kept: &&mut Kept| (kept.key, kept.bytes) == (key, bytes);
        if let Some(own) = all.iter_mut().find(is_own) {
            own.tree = Some(tree);
        }
    }
}

#[cfg(test)]
mod tests {
    use pursuit::{Cell, DiagonalPolicy, Grid, Ground, PathOptions};

    use super::*;

    /// Of a grid so large that four trees fit.
    const CELLS: u64 = MOST_BYTES / CELL_BYTES / 4;

    fn key(number: u32) -> TreeKey {
        (Entity::PLACEHOLDER, Entity::PLACEHOLDER, number)
    }

    /// Whether that chaser has a tree to search in.
    fn ask(trees: &KeptTrees, number: u32) -> bool {
        let tree = trees.take(key(number), CELLS);
        let has_one = tree.is_some();
        tree.into_iter()
            .for_each(|tree| trees.put(key(number), CELLS, tree));
        has_one
    }

    /// Who of so many has a tree to search in, if each of them asks.
    fn ask_all(trees: &KeptTrees, askers: std::ops::Range<u32>) -> Vec<u32> {
        askers.filter(|&number| ask(trees, number)).collect()
    }

    #[test]
    fn of_more_chasers_than_there_is_room_for_the_same_keep_their_trees_for_good() {
        let mut trees = KeptTrees::default();
        for turn in 0..100 {
            assert_eq!(ask_all(&trees, 0..9), [0, 1, 2, 3], "turn {turn}");
            // The others may even come first, and more often.
            assert_eq!(ask_all(&trees, 4..9), []);
            trees.now += 0.99 * UNUSED_FOR;
        }
    }

    #[test]
    fn a_chase_that_ends_makes_room_for_another_one_and_for_no_more() {
        let mut trees = KeptTrees::default();
        assert_eq!(ask_all(&trees, 0..6), [0, 1, 2, 3]);
        // The second one is done; the others go on.
        trees.now = 0.6 * UNUSED_FOR;
        assert!(ask(&trees, 0) && ask(&trees, 2) && ask(&trees, 3));
        assert_eq!(ask_all(&trees, 4..6), [], "it may still come back");
        trees.now = 1.1 * UNUSED_FOR;
        assert_eq!(ask_all(&trees, 4..6), [4]);
        assert_eq!(ask_all(&trees, 0..6), [0, 2, 3, 4]);
    }

    #[test]
    fn who_comes_back_late_has_its_tree_if_nobody_else_wanted_its_place() {
        let trees = KeptTrees::default();
        let first = trees.take(key(0), CELLS).expect("there is room");
        let ground = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8).expect("a size");
        let ground = Ground::from_grid(ground, DiagonalPolicy::OneFree);
        let (from, to, options) = (Cell::new(0, 0), Cell::new(8, 0), PathOptions::default());
        let search = |mut tree| {
            let found = ground.replan(from, to, &options, &mut tree);
            let expanded = found.expect("both ends are free").stats.expanded;
            trees.put(key(0), CELLS, tree);
            expanded
        };
        assert!(search(first) > 0);
        let late = KeptTrees {
            now: 100.0 * UNUSED_FOR,
            ..trees.clone()
        };
        let again = late.take(key(0), CELLS).expect("nobody wanted its place");
        assert_eq!(search(again), 0, "it knows the way");
    }

    #[test]
    fn a_clock_that_is_set_back_holds_no_place_for_ever() {
        let mut trees = KeptTrees {
            now: 1000.0,
            ..KeptTrees::default()
        };
        assert_eq!(ask_all(&trees, 0..4), [0, 1, 2, 3]);
        trees.now = 0.0;
        assert!(ask(&trees, 0));
        assert_eq!(ask_all(&trees, 7..11), [7, 8, 9]);
        assert!(ask(&trees, 0));
    }

    #[test]
    fn trees_that_are_searched_in_take_room_too() {
        let trees = KeptTrees::default();
        let out: Vec<_> = (0..4)
            .map(|number| trees.take(key(number), CELLS))
            .collect();
        assert!(out.iter().all(Option::is_some));
        assert!(!ask(&trees, 4), "four are out");
        assert!(trees.take(key(0), CELLS).is_none(), "it has one tree");
        for (number, tree) in (0..).zip(out) {
            trees.put(key(number), CELLS, tree.expect("it was taken"));
        }
        assert_eq!(ask_all(&trees, 0..6), [0, 1, 2, 3]);
    }

    #[test]
    fn a_tree_whose_place_went_to_another_chaser_is_dropped_when_it_comes_back() {
        let mut trees = KeptTrees::default();
        let slow = trees.take(key(0), CELLS).expect("there is room");
        assert_eq!(ask_all(&trees, 1..4), [1, 2, 3]);
        trees.now = 2.0 * UNUSED_FOR;
        assert_eq!(ask_all(&trees, 1..5), [1, 2, 3, 4]);
        trees.put(key(0), CELLS, slow);
        assert!(!ask(&trees, 0));
        assert_eq!(trees.all.lock().expect("nobody panics").len(), 4);
    }

    #[test]
    fn a_tree_takes_as_much_room_as_its_grid_has_by_now() {
        let trees = KeptTrees::default();
        assert_eq!(ask_all(&trees, 0..3), [0, 1, 2]);
        // The grid of the first one has twice as many cells, and so has no room for a fourth tree.
        let tree = trees.take(key(0), 2 * CELLS).expect("there is room");
        trees.put(key(0), 2 * CELLS, tree);
        assert!(!ask(&trees, 3));
        assert!(trees.take(key(0), 3 * CELLS).is_none());
        assert!(ask(&trees, 3));
    }

    #[test]
    fn a_tree_that_would_take_all_room_is_not_made() {
        let trees = KeptTrees::default();
        assert!(trees.take(key(0), MOST_BYTES).is_none());
        assert!(trees.take(key(0), MOST_BYTES / CELL_BYTES).is_some());
    }
}
