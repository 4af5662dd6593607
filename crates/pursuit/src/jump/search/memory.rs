//! The memory of a jump-point search: the nodes that it reached, and its ways to them.

use std::cmp::Ordering;

use crate::heap::MinHeap;
use crate::jump::node::Node;

/// Bits of a heap key that name what was reached; those above are its f.
///
/// ```text
/// bits      63 to 24     23 to 0
///           f            the number of the way, every bit inverted: of equal f, the last one is the least key
///
/// way 2     9            0xFFFFFD
/// way 3     9            0xFFFFFC      comes first
/// ```
const INDEX_BITS: u32 = 24;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;

/// How a walk comes to a node: along which axis, which way, and beside which sides a wall has just
/// ended; one number, so that one jump tells what to do there. 0 is the start of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival(u8);

impl Arrival {
    pub(super) const START: Self = Self(0);

    /// `sides` has bit 0 for the next line and bit 1 for the previous line, and is not 0.
    #[inline(always)]
    pub(super) const fn new(axis: usize, up: bool, sides: u8) -> Self {
        Self(axis as u8 * 6 + up as u8 * 3 + sides)
    }

    /// The axis, whether the walk goes up, and the sides; `None` at the start of the search.
    #[inline(always)]
    pub(super) fn decode(self) -> Option<(usize, bool, u8)> {
        let code = self.0.checked_sub(1)?;
        Some(((code / 6).into(), code % 6 >= 3, code % 3 + 1))
    }

    /// Whether a cheapest path to `goal` may go on from here, at `node`, without another jump point: if
    /// the goal lies straight ahead, or ahead and beside the end of a wall.
    #[inline(always)]
    pub(super) fn may_see(self, node: Node, goal: Node) -> bool {
        let Some((axis, up, sides)) = self.decode() else {
            return true;
        };
        let (u, v) = ((node.u, goal.u), (node.v, goal.v));
        let ((from, to), (line, beside)) = if axis == 0 { (u, v) } else { (v, u) };
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
    open: MinHeap<u64>,
    /// The ways out of dead ends, from the start and from the goal.
    pub(super) ways: [Vec<u32>; 2],
    /// Corners of the path found, from its end to its start. Some may lie between two others.
    pub(super) corners: Vec<Node>,
}

impl JumpMemory {
    /// Forgets all nodes that were reached.
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

    /// Takes the open way with the least f, and its number. Calls `dropped` for the nodes of superseded ways.
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
        let ways = std::iter::successors(way(end), move |reached| {
            let is_later = reached.arrival != Arrival::START;
            is_later.then(|| way(reached.parent)).flatten()
        });
        ways.map(|reached| reached.slot)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_arrival_may_see_nodes_ahead_and_on_its_open_sides() {
        let mut codes = vec![Arrival::START.0];
        let nodes = || (0..5).flat_map(|v| (0..5).map(move |u| Node { u, v }));
        let from = Node { u: 2, v: 2 };
        assert!(nodes().all(|goal| Arrival::START.may_see(from, goal)));
        for (axis, up) in [(0, true), (0, false), (1, true), (1, false)] {
            for sides in 1..=3 {
                let arrival = Arrival::new(axis, up, sides);
                codes.push(arrival.0);
                for goal in nodes() {
                    // How far it lies ahead, and beside the line.
                    let by = [goal.u as i32 - 2, goal.v as i32 - 2];
                    let ahead = if up { by[axis] } else { -by[axis] };
                    let may_see = ahead >= 0
                        && match by[1 - axis] {
                            0 => true,
                            1.. => sides & 1 != 0,
                            _ => sides & 2 != 0,
                        };
                    assert_eq!(
                        arrival.may_see(from, goal),
                        may_see,
                        "{arrival:?} to {goal:?}"
                    );
                }
            }
        }
        codes.sort_unstable();
        assert_eq!(codes, (0..13).collect::<Vec<_>>(), "one number for each");
    }

    #[test]
    fn the_picture_of_keys_matches_the_code() {
        let mut memory = JumpMemory::default();
        memory.make_room(4);
        for slot in 0..4 {
            memory.reach(slot, 0, if slot < 2 { 20 } else { 9 }, Arrival::START, 0);
        }
        let key = |memory: &mut JumpMemory| {
            let key = memory.open.pop().expect("a way");
            (key >> INDEX_BITS, key & INDEX_MASK)
        };
        assert_eq!(key(&mut memory), (9, 0x00FF_FFFC));
        assert_eq!(key(&mut memory), (9, 0x00FF_FFFD));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn entries_come_out_by_f_and_only_the_cheapest_one_per_node(
            ways in prop::collection::vec((0u32..12, 0u64..30, 0u64..9), 0..60),
        ) {
            let mut memory = JumpMemory::default();
            // Twice: nothing is left of the first search.
            for _ in 0..2 {
                memory.start();
                memory.make_room(12);
                // Slot, g, f of each way that was noted.
                let mut noted: Vec<(u32, u64, u64)> = Vec::new();
                for &(slot, g, h) in &ways {
                    let least = noted.iter().filter(|way| way.0 == slot).map(|way| way.1).min();
                    let is_new = least.is_none_or(|least| g < least);
                    prop_assert_eq!(memory.reach(slot, g, g + h, Arrival::START, 0), is_new);
                    if is_new {
                        noted.push((slot, g, g + h));
                    }
                }
                prop_assert_eq!(memory.count() as usize, noted.len());
                let is_cheapest = |index: &usize| {
                    let (slot, ..) = noted[*index];
                    noted[index + 1..].iter().all(|later| later.0 != slot)
                };
                let mut expected: Vec<_> = (0..noted.len()).filter(is_cheapest).collect();
                expected.sort_by_key(|&index| (noted[index].2, usize::MAX - index));
                let mut dropped = 0;
                let taken: Vec<_> = std::iter::from_fn(|| memory.take(|_| dropped += 1))
                    .map(|(index, _)| index as usize)
                    .collect();
                prop_assert_eq!(dropped + taken.len(), noted.len());
                prop_assert_eq!(taken, expected);
            }
        }
    }
}
