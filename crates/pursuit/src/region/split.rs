//! Whether what was one region still is one, where an edit may have cut it.
//!
//! One search starts on each side of the cut, over components of tiles, and all go on by turns. Where
//! two meet, their sides are one piece. A search that ends without meeting has seen a whole piece,
//! which becomes a region. The last piece need not be seen whole: it keeps the name. So the cost is
//! that of the smaller pieces (Even and Shiloach, 1981).

use super::forest::Forest;
use super::names::Names;
use super::tiles::Tiles;
use crate::cancel::{Cancel, Cancelled};

/// A component of a tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Node {
    pub(super) tile: u32,
    pub(super) component: u16,
}

impl Node {
    pub(super) fn slot(self, tiles: &Tiles) -> usize {
        tiles.slots(self.tile as usize).start + usize::from(self.component)
    }
}

/// Bit that is added to the number of a search, which stands for a region while searches run.
const SEARCH_BIT: u32 = 1 << 31;

/// What one search has seen; it has looked around the first `done` of it.
struct PieceSearch {
    seen: Vec<Node>,
    done: usize,
}

impl PieceSearch {
    fn has_ended(&self) -> bool {
        self.done == self.seen.len()
    }
}

/// Gives the pieces of `region` names, of which each has one of `seeds` in it at least.
pub(super) fn split(
    tiles: &Tiles,
    names: &mut Names,
    (region, seeds): (u32, &[Node]),
    cancel: Cancel<'_>,
) -> Result<(), Cancelled> {
    let mut searches: Vec<PieceSearch> = Vec::with_capacity(seeds.len());
    for (number, &seed) in (0..).zip(seeds) {
        names.set(seed.slot(tiles), SEARCH_BIT | number);
        searches.push(PieceSearch {
            seen: vec![seed],
            done: 0,
        });
    }
    let mut pieces = Forest::default();
    pieces.reset(seeds.len());
    let last = loop {
        if let Some(last) = last_piece(&searches, &mut pieces) {
            break last;
        }
        cancel.check()?;
        for (number, search) in (0..).zip(&mut searches) {
            if !search.has_ended() {
                look_around(search, number, &mut pieces, tiles, names, region);
            }
        }
    };
    let mut named = vec![None; seeds.len()];
    named[last as usize] = Some(region);
    for (number, search) in (0..).zip(&searches) {
        let piece = pieces.root(number) as usize;
        let name = *named[piece].get_or_insert_with(|| names.take());
        for node in &search.seen {
            let slot = node.slot(tiles);
            names.set(slot, name);
            if name != region {
                let cells = u32::from(tiles.cells(slot));
                names.add(name, cells);
                names.remove(region, cells);
            }
        }
    }
    Ok(())
}

/// The piece that keeps the name, once no more than one is still searched.
fn last_piece(searches: &[PieceSearch], pieces: &mut Forest) -> Option<u32> {
    let mut last = None;
    for (number, search) in (0..).zip(searches) {
        if !search.has_ended() {
            let piece = pieces.root(number);
            if last.is_some_and(|last| last != piece) {
                return None;
            }
            last = Some(piece);
        }
    }
    Some(last.unwrap_or(0))
}

/// Goes on from the next component that a search has seen.
fn look_around(
    search: &mut PieceSearch,
    number: u32,
    pieces: &mut Forest,
    tiles: &Tiles,
    names: &mut Names,
    region: u32,
) {
    let from = search.seen[search.done];
    search.done += 1;
    for (step, tile) in tiles.neighbors(from.tile) {
        tiles.edges(from.tile, step, tile, |own, component| {
            if own != from.component {
                return;
            }
            let node = Node { tile, component };
            let slot = node.slot(tiles);
            let name = names.region(slot);
            if name == region {
                names.set(slot, SEARCH_BIT | number);
                search.seen.push(node);
            } else if name >= SEARCH_BIT {
                pieces.join(name & !SEARCH_BIT, number);
            }
        });
    }
}
