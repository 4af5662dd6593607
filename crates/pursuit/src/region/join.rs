//! The graph of tiles: joining components into regions, of all tiles or after an edit.
//!
//! An edit relabels the tiles that it changed. Around them lie components that it did not touch,
//! which have a region already:
//!
//! ```text
//!   before      a   b          after       a   b
//!               | T |                      | T |       joined through T before, and not now:
//!               +---+                                  `a` and `b` may be in two regions now
//!                 |                          |
//!                 c                          c         likewise `c`
//! ```
//!
//! Two union-finds over these components and those of the changed tiles tell what was joined through
//! the changed tiles before, and what is now. If something new is joined, regions become one. If
//! something no longer is, a search on both sides tells whether there is another way ([`split`]).

use std::iter::repeat_n;

use super::forest::Forest;
use super::names::Names;
use super::split::{Node, split};
use super::tile::{TILE_SIDE, TileLabels};
use super::tiles::Tiles;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::CellRect;
use crate::walls::Walls;

/// Stands for a tile without a node.
const NO_NODE: u32 = u32::MAX;

/// Most nodes for which memory is kept from edit to edit.
const MAX_KEPT_NODES: usize = 1 << 14;

/// What an edit works with.
///
/// *Nodes* number components: first those of the tiles around the changed ones, so that they have the
/// same numbers before and after, then those of the changed tiles.
#[derive(Default)]
pub(super) struct Edit {
    labels: TileLabels,
    /// The tiles that change.
    changed: Vec<u32>,
    /// For each tile that takes part, the node of its first component, else [`NO_NODE`].
    first_nodes: Vec<u32>,
    /// The tiles around the changed ones, and their components, by node.
    around: Vec<u32>,
    outside: Vec<Node>,
    /// What is joined through the changed tiles, before and after.
    before: Forest,
    after: Forest,
    merged: Vec<(u32, u32)>,
    /// Regions of the nodes of changed tiles.
    regions: Vec<u32>,
    /// Regions that may be in pieces, with a component of each piece.
    cut: Vec<(u32, Node)>,
}

impl Edit {
    /// Labels all tiles of a grid. `tiles` are all blocked, and there are no `names` yet.
    pub(super) fn label_all(
        &mut self,
        tiles: &mut Tiles,
        names: &mut Names,
        walls: &Walls,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let mut words = [0; TILE_SIDE];
        for tile in 0..tiles.count() as u32 {
            cancel.check()?;
            let rows = tiles.load(tile, walls, walls.rect(), &mut words);
            if words[..rows].iter().any(|&word| word != 0) {
                self.changed.push(tile);
                self.labels.label(&words[..rows], tiles.reach);
                tiles.write(tile as usize, &words[..rows], &self.labels);
            }
        }
        names.grow(tiles.slot_count());
        self.make_room(tiles.count());
        cancel.check()?;
        self.join(tiles);
        cancel.check()?;
        self.name_changed(tiles, names);
        Ok(())
    }

    /// Takes over the cells of `grid` in `rect`, and names the regions anew where that changes them.
    pub(super) fn apply(
        &mut self,
        tiles: &mut Tiles,
        names: &mut Names,
        (walls, rect): (&Walls, CellRect),
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.find_changed(tiles, (walls, rect));
        if self.changed.is_empty() {
            return Ok(());
        }
        cancel.check()?;
        self.make_room(tiles.count());
        self.look_around(tiles);
        self.join(tiles);
        std::mem::swap(&mut self.before, &mut self.after);
        self.relabel(tiles, names, (walls, rect), cancel)?;
        cancel.check()?;
        self.join(tiles);
        self.merge(tiles, names);
        self.name_changed(tiles, names);
        self.split(tiles, names, cancel)?;
        for &tile in self.changed.iter().chain(&self.around) {
            self.first_nodes[tile as usize] = NO_NODE;
        }
        Ok(())
    }

    fn make_room(&mut self, tiles: usize) {
        let missing = tiles.saturating_sub(self.first_nodes.len());
        self.first_nodes.extend(repeat_n(NO_NODE, missing));
    }

    /// Whether the memory is more than what an edit of a few tiles needs.
    pub(super) fn is_large(&self) -> bool {
        self.after.len() > MAX_KEPT_NODES
    }

    fn find_changed(&mut self, tiles: &Tiles, (walls, rect): (&Walls, CellRect)) {
        let mut words = [0; TILE_SIDE];
        self.changed.clear();
        for tile in tiles.tiles_of(rect) {
            let rows = tiles.load(tile, walls, rect, &mut words);
            if words[..rows] != *tiles.rows(tile as usize) {
                self.changed.push(tile);
            }
        }
    }

    /// Finds the components that the edit does not touch, but may join or cut.
    fn look_around(&mut self, tiles: &Tiles) {
        self.around.clear();
        self.outside.clear();
        for &tile in &self.changed {
            self.first_nodes[tile as usize] = 0;
        }
        for &tile in &self.changed {
            for (_, tile) in tiles.neighbors(tile) {
                let first = &mut self.first_nodes[tile as usize];
                if *first == NO_NODE {
                    *first = self.outside.len() as u32;
                    self.around.push(tile);
                    let count = tiles.slots(tile as usize).len() as u16;
                    let nodes = (0..count).map(|component| Node { tile, component });
                    self.outside.extend(nodes);
                }
            }
        }
    }

    /// Joins in `after` what touches through the changed tiles, as they are now.
    fn join(&mut self, tiles: &Tiles) {
        let outside = self.outside.len();
        let mut nodes = outside;
        for &tile in &self.changed {
            self.first_nodes[tile as usize] = nodes as u32;
            nodes += tiles.slots(tile as usize).len();
        }
        self.after.reset(nodes);
        for &tile in &self.changed {
            let first = self.first_nodes[tile as usize];
            for (step, other) in tiles.neighbors(tile) {
                let other_first = self.first_nodes[other as usize];
                // Between two changed tiles, once is enough. A tile that is all blocked may take no part.
                let is_once = (other_first as usize) < outside || tile < other;
                if is_once && other_first != NO_NODE {
                    tiles.edges(tile, step, other, |own, theirs| {
                        let (own, theirs) = (u32::from(own), u32::from(theirs));
                        self.after.join(first + own, other_first + theirs);
                    });
                }
            }
        }
    }

    fn relabel(
        &mut self,
        tiles: &mut Tiles,
        names: &mut Names,
        (walls, rect): (&Walls, CellRect),
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let mut words = [0; TILE_SIDE];
        for &tile in &self.changed {
            cancel.check()?;
            for slot in tiles.slots(tile as usize) {
                names.remove(names.region(slot), u32::from(tiles.cells(slot)));
            }
            let rows = tiles.load(tile, walls, rect, &mut words);
            self.labels.label(&words[..rows], tiles.reach);
            tiles.write(tile as usize, &words[..rows], &self.labels);
        }
        names.grow(tiles.slot_count());
        Ok(())
    }

    /// Makes one region of those that are joined now.
    fn merge(&mut self, tiles: &Tiles, names: &mut Names) {
        self.merged.clear();
        for (number, node) in (0..).zip(&self.outside) {
            let root = self.outside[self.after.root(number) as usize];
            let [a, b] = [*node, root].map(|node| names.region(node.slot(tiles)));
            if a != b {
                self.merged.push((a, b));
            }
        }
        names.merge(&self.merged);
    }

    /// Gives the components of the changed tiles their regions: those that they are joined with, or new
    /// ones.
    fn name_changed(&mut self, tiles: &Tiles, names: &mut Names) {
        let outside = self.outside.len() as u32;
        let mut number = outside;
        self.regions.clear();
        for &tile in &self.changed {
            for slot in tiles.slots(tile as usize) {
                let root = self.after.root(number);
                let region = if let Some(node) = self.outside.get(root as usize) {
                    names.region(node.slot(tiles))
                } else if root == number {
                    names.take()
                } else {
                    self.regions[(root - outside) as usize]
                };
                self.regions.push(region);
                names.set(slot, region);
                names.add(region, u32::from(tiles.cells(slot)));
                number += 1;
            }
        }
    }

    /// Looks for another way where the edit cut one.
    fn split(
        &mut self,
        tiles: &Tiles,
        names: &mut Names,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.cut.clear();
        for number in 0..self.outside.len() as u32 {
            let joined_before = self.before.root(number);
            let [a, b] = [number, joined_before].map(|number| self.after.root(number));
            if a != b {
                for root in [a, b] {
                    let node = self.outside[root as usize];
                    self.cut.push((names.region(node.slot(tiles)), node));
                }
            }
        }
        self.cut.sort_unstable();
        self.cut.dedup();
        for pieces in self.cut.chunk_by(|a, b| a.0 == b.0) {
            let seeds: Vec<Node> = pieces.iter().map(|&(_, node)| node).collect();
            split(tiles, names, (pieces[0].0, &seeds), cancel)?;
        }
        Ok(())
    }
}
