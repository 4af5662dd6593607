//! What a jump-point search remembers: the nodes it reached, and how it came to them.

use std::cmp::Ordering;

use super::heap::KeyHeap;
use crate::lines::node::Node;

/// Bits of a heap key that name what was reached; those above are its f.
const INDEX_BITS: u32 = 24;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;

/// How a walk comes to a node: along which axis, which way, and beside which sides a wall has just
/// ended; one number, so that one jump tells what to do there. 0 is the start of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival(pub(super) u8);

impl Arrival {
    pub(super) const START: Self = Self(0);

    /// `sides` has bit 0 for the next line and bit 1 for the line before, and is not 0.
    #[inline(always)]
    pub(super) const fn new(axis: usize, up: bool, sides: u8) -> Self {
        Self(axis as u8 * 6 + up as u8 * 3 + sides)
    }

    /// Whether a cheapest path to `goal` may go on from here, at `node`, without another jump point: if
    /// the goal lies straight ahead, or ahead and beside the end of a wall.
    #[inline(always)]
    pub(super) fn may_see(self, node: Node, goal: Node) -> bool {
        let Some(code) = self.0.checked_sub(1) else {
            return true;
        };
        let (along_v, up, sides) = (code >= 6, code % 6 >= 3, code % 3 + 1);
        let ((from, to), (line, beside)) = if along_v {
            ((node.v, goal.v), (node.u, goal.u))
        } else {
            ((node.u, goal.u), (node.v, goal.v))
        };
        let is_behind = if up { to < from } else { to > from };
        !is_behind
            && match beside.cmp(&line) {
                Ordering::Greater => sides & 1 != 0,
                Ordering::Less => sides & 2 != 0,
                Ordering::Equal => true,
            }
    }
}

/// A way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) slot: u32,
    pub(super) g: u64,
    pub(super) arrival: Arrival,
    /// Whether a cheaper way to the node was found since.
    is_superseded: bool,
    /// Number of the way that this one goes on from, first diagonally and then straight.
    parent: u32,
}

/// Memory of jump-point searches, for grids of any size in any order. Nothing carries over from one
/// search to the next.
#[derive(Debug, Default)]
pub(crate) struct JumpMemory {
    /// For each node the number of the cheapest way to it, counted on from search to search: numbers
    /// below `first` are of earlier ones.
    latest: Vec<u32>,
    first: u32,
    reached: Vec<Reached>,
    open: KeyHeap,
    /// The ways out of dead ends, from the start and from the goal.
    pub(super) ways: [Vec<u32>; 2],
    /// Corners of the path found, from its end to its start. Some may lie between two others.
    pub(super) corners: Vec<Node>,
}

impl JumpMemory {
    /// Forgets all that was reached.
    pub(super) fn start(&mut self) {
        self.first = self.first.saturating_add(self.reached.len() as u32);
        self.reached.clear();
        self.open.clear();
        self.corners.clear();
    }

    /// Makes room for `slots`.
    pub(super) fn make_room(&mut self, slots: usize) {
        if self.latest.len() < slots || self.first > u32::MAX / 2 {
            // Fresh zeroed pages cost nothing until they are touched.
            self.latest = vec![0; slots.max(self.latest.len())];
            self.first = 1;
        }
    }

    /// Marks a node with a number and gives the number of this search that it had before.
    /// [`forget_marks`](Self::forget_marks) comes before any way is noted.
    #[inline]
    pub(super) fn mark(&mut self, slot: u32, number: u32) -> Option<u32> {
        let latest = self.latest.get_mut(slot as usize)?;
        let before = std::mem::replace(latest, self.first + number);
        before.checked_sub(self.first)
    }

    pub(super) fn forget_marks(&mut self, numbers: u32) {
        self.first += numbers;
    }

    /// Notes a way to a node if it is the first or cheaper than all before, and opens it. `f` is that
    /// above the start's.
    #[inline(always)]
    pub(super) fn reach(
        &mut self,
        slot: u32,
        g: u64,
        f: u64,
        arrival: Arrival,
        parent: u32,
    ) -> bool {
        let Some(latest) = self.latest.get_mut(slot as usize) else {
            return false;
        };
        if let Some(known) = latest.checked_sub(self.first)
            && let Some(known) = self.reached.get_mut(known as usize)
        {
            if known.g <= g {
                return false;
            }
            known.is_superseded = true;
        }
        let index = self.reached.len() as u32;
        *latest = self.first + index;
        self.reached.push(Reached {
            slot,
            g,
            arrival,
            is_superseded: false,
            parent,
        });
        self.open_way(index, f);
        true
    }

    /// Opens a way of that f, again if it was [taken](Self::take).
    #[inline(always)]
    pub(super) fn open_way(&mut self, index: u32, f: u64) {
        // Of equal f, what came last comes first.
        let key = f << INDEX_BITS | (u64::from(!index) & INDEX_MASK);
        self.open.push(key);
    }

    /// Takes the open way of least f, with its number. Tells `dropped` of the nodes of those that are
    /// superseded.
    #[inline(always)]
    pub(super) fn take(&mut self, mut dropped: impl FnMut(u32)) -> Option<(u32, Reached)> {
        loop {
            let key = self.open.pop()?;
            let index = (!key & INDEX_MASK) as u32;
            let reached = *self.reached.get(index as usize)?;
            if !reached.is_superseded {
                return Some((index, reached));
            }
            dropped(reached.slot);
        }
    }

    /// Whether any way to a node is noted.
    pub(super) fn is_known(&self, slot: u32) -> bool {
        let latest = self.latest.get(slot as usize);
        latest.is_some_and(|&latest| latest >= self.first)
    }

    /// Whether no more ways have a number.
    pub(super) fn is_full(&self) -> bool {
        // One expansion adds fewer ways than there are cells on its lines.
        self.reached.len() as u64 > INDEX_MASK - (1 << 21)
    }

    /// Number of ways noted.
    pub(super) fn count(&self) -> u32 {
        self.reached.len() as u32
    }

    /// The nodes from a way's end back to where the search began.
    pub(super) fn trace(&self, end: u32) -> impl Iterator<Item = u32> {
        let way = |index: u32| self.reached.get(index as usize);
        std::iter::successors(way(end), move |reached| {
            (reached.arrival != Arrival::START)
                .then(|| way(reached.parent))
                .flatten()
        })
        .map(|reached| reached.slot)
    }
}
