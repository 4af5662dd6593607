//! The work of an incremental search: D\* Lite (Koenig and Likhachev, 2002), rooted at either end.
//!
//! A tree of cheapest ways grows from the root toward the tip, along the steps of the space: those of a space
//! [the other way round](super::reversed) if the root is for the goal. Each node has two distances from the root: `g`,
//! what it was when the node was last expanded, and `rhs`, what follows from the `g` of those around it. Where
//! they differ the node is inconsistent, and waits in the queue:
//!
//! ```text
//! g > rhs   overconsistent    a cheaper way was found: g becomes rhs, and those around hear of it
//! g < rhs   underconsistent   the way that g is from is gone: g becomes infinite, and those who came this way
//!                             look for another
//! ```
//!
//! An edit makes nodes inconsistent, a move of the root makes the old root so. The search repairs, nearest
//! first, what can lie on a cheapest path to the tip. The rest waits until it can.
//!
//! Keys order the queue. They are lower bounds, as in D\* Lite: the estimates of nodes that wait are of where
//! the tip was, and a sum grows by how far it moved, in place of all of them. In two ways they differ:
//!
//! - Among equal sums of distance and estimate, underconsistent nodes come first, then overconsistent ones, last
//!   in, first out. D\* Lite has the smaller distance first, and so expands all nodes of that sum; here
//!   the search goes straight to the tip, as A\* does. It is right, for what an overconsistent node's rhs
//!   comes from is either settled or underconsistent, and that with no larger sum.
//! - The tip is not expanded: its rhs is all that is asked for.

use std::mem;

use super::nodes::{INFINITE, Known, NONE, Nodes};
use crate::cancel::Cancelled;
use crate::search::open::Heap;
use crate::search::options::Weights;
use crate::search::recorder::{Change, SearchRecorder, Way};
use crate::search::space::SearchSpace;
use crate::search::work::Work;

/// Sums beyond this are infinite. Where distances of the root come near, the search begins anew.
const MOST: u64 = 1 << 61;

/// A search, its tree and its queue.
#[derive(Debug, Default)]
pub(super) struct Engine {
    pub(super) nodes: Nodes,
    queue: Heap,
    pub(super) root: u32,
    pub(super) tip: u32,
    /// Where the tip was when `moved` was last brought up to date.
    keyed_tip: u32,
    /// How far the tip has moved, by estimates.
    moved: u64,
    /// The root's distance: what roots before it left. All distances have it in them.
    base: u64,
    /// Nodes that an edit gave another rhs or parent, and the root of a new search: no recorder knows yet.
    touched: Vec<Touched>,
    /// Nodes expanded, and nodes discovered or improved, since they were last taken. Not entries of the queue: a node that
    /// costs more waits there, too, one that waits in a good place stays there, and one whose key grew comes again.
    pub(super) expanded: u32,
    pub(super) pushed: u32,
}

/// What a node was like when a recorder last heard of it.
#[derive(Clone, Copy, Debug)]
struct Touched {
    node: u32,
    parent: u32,
    rhs: u64,
}

impl Engine {
    /// Forgets all, and begins with these ends.
    pub(super) fn start<S: SearchSpace>(&mut self, space: &S, root: u32, tip: u32) {
        self.nodes.start(space.node_count());
        self.queue.start();
        self.touched.clear();
        (self.root, self.tip, self.keyed_tip) = (root, tip, tip);
        (self.moved, self.base) = (0, 0);
        let mut known = Known {
            rhs: 0,
            ..Known::NOTHING
        };
        self.enqueue(space, root, &mut known, space.place(root));
        self.nodes.set(root, known);
        self.touch(root, &Known::NOTHING);
    }

    /// What the cheapest path costs from a node that is on it to the tip, or the other way; [`INFINITE`] if there
    /// is none. Holds once [`repair`](Self::repair) is done.
    pub(super) fn cost_from(&self, node: u32) -> u64 {
        match self.nodes.get(self.tip).rhs {
            INFINITE => INFINITE,
            rhs => rhs.saturating_sub(self.nodes.get(node).rhs),
        }
    }

    /// How far a node is from the root, if it is in a settled part of the tree.
    pub(super) fn depth(&self, node: u32) -> Option<u64> {
        let known = self.nodes.get(node);
        let is_settled = known.is_consistent() && known.g < MOST;
        is_settled.then(|| known.g.saturating_sub(self.base))
    }

    pub(super) fn move_tip(&mut self, tip: u32) {
        self.tip = tip;
    }

    /// Makes a node of the tree the root: what is behind it, seen from the tip, stays as it is. `false` if it is
    /// in no settled part of the tree, and nothing changes.
    pub(super) fn move_root<S: SearchSpace>(&mut self, space: &S, root: u32) -> bool {
        let mut known = self.nodes.get(root);
        if !known.is_consistent() || known.g >= MOST / 2 {
            return false;
        }
        let before = self.root;
        (self.root, self.base) = (root, known.g);
        known.parent = NONE;
        self.nodes.set(root, known);
        self.recompute_at(space, before, space.place(before), self.nodes.get(before));
        // Recorders hear of these two as they are now, with all that is known.
        let is_other = |node: u32| node != root && node != before;
        self.touched.retain(|touched| is_other(touched.node));
        true
    }

    /// Takes in that steps which start or end at a node changed.
    pub(super) fn changed<S: SearchSpace>(&mut self, space: &S, node: u32) {
        self.follow_tip(space);
        self.recompute(space, node);
    }

    /// Expands nodes until the tip's distance is right. `false` if there is more to do and none may be
    /// expanded any more.
    pub(super) fn repair<S: SearchSpace>(
        &mut self,
        space: &S,
        work: &mut Work<'_>,
        recorder: &mut impl SearchRecorder<u32>,
    ) -> Result<bool, Cancelled> {
        self.follow_tip(space);
        self.tell_touched(space, recorder);
        while let Some(entry) = self.queue.first() {
            let (key, node) = (Heap::f(entry), Heap::node(entry));
            // An underconsistent tip has a key below this.
            let rhs = self.nodes.get(self.tip).rhs;
            if rhs != INFINITE && key >= self.key(rhs, 0, true) {
                break;
            }
            let mut known = self.nodes.get(node);
            if known.queued != key {
                self.queue.pop();
                recorder.dropped(node);
                continue;
            }
            let place = space.place(node);
            let now = self.key_of(space, &known, place);
            if known.is_consistent() || key < now {
                self.queue.pop();
                known.queued = INFINITE;
                self.enqueue(space, node, &mut known, place);
                self.nodes.set(node, known);
                continue;
            }
            if !work.expand()? {
                return Ok(false);
            }
            self.queue.pop();
            known.queued = INFINITE;
            self.tell_expanded(space, node, &known, recorder);
            if known.g > known.rhs {
                known.g = known.rhs;
                self.nodes.set(node, known);
                self.lower_around(space, node, place, known.g, recorder);
            } else {
                let before = known.g;
                known.g = INFINITE;
                self.enqueue(space, node, &mut known, place);
                self.nodes.set(node, known);
                self.tell_moved(space, node, before, recorder);
                self.raise_around(space, node, place, recorder);
            }
        }
        Ok(true)
    }

    /// Tells those around a node that its distance fell.
    #[inline(always)]
    fn lower_around<S: SearchSpace, R: SearchRecorder<u32>>(
        &mut self,
        space: &S,
        node: u32,
        place: S::Place,
        g: u64,
        recorder: &mut R,
    ) {
        let visit = |next: u32, next_place: S::Place, cost: u32| {
            let rhs = g.saturating_add(u64::from(cost.max(1)));
            let mut known = self.nodes.get(next);
            if next >= self.nodes.count() {
                return;
            }
            let is_better = rhs < known.rhs && next != self.root && rhs < MOST;
            self.pushed = self.pushed.wrapping_add(is_better.into());
            if R::LISTENS {
                let change = Change::of(known.rhs != INFINITE, is_better);
                recorder.relaxed(self.way(space, next, node, rhs), change);
            }
            if is_better {
                (known.rhs, known.parent) = (rhs, node);
                self.enqueue(space, next, &mut known, next_place);
                self.nodes.set(next, known);
            }
        };
        space.for_each_neighbor(node, place, visit);
    }

    /// Lets those whose way led over a node look for another.
    fn raise_around<S: SearchSpace, R: SearchRecorder<u32>>(
        &mut self,
        space: &S,
        node: u32,
        place: S::Place,
        recorder: &mut R,
    ) {
        space.for_each_neighbor(node, place, |next, next_place, _| {
            let known = self.nodes.get(next);
            if known.parent == node {
                self.recompute_at(space, next, next_place, known);
                self.tell_moved(space, next, known.rhs, recorder);
            }
        });
    }

    /// Notes what a node is like before it is changed.
    fn touch(&mut self, node: u32, known: &Known) {
        // Edits can come for long before the next repair: the list must not grow with them.
        if self.touched.len() > 2 * self.nodes.count() as usize {
            self.merge_touched();
        }
        let Known { rhs, parent, .. } = *known;
        self.touched.push(Touched { node, parent, rhs });
    }

    /// Of several notes about a node, the first one stays.
    fn merge_touched(&mut self) {
        self.touched.sort_by_key(|before| before.node);
        self.touched.dedup_by_key(|before| before.node);
    }

    /// Puts all notes about a node side by side, the first one before the others.
    fn sort_touched(&mut self) {
        self.touched.sort_by_key(|before| before.node);
    }

    /// Tells what was known when the last repair ended, node by node, with costs from the root as it is to the tip as
    /// it is. What a new root changed at once is told as it is.
    pub(super) fn tell_known<S: SearchSpace>(
        &mut self,
        space: &S,
        recorder: &mut impl SearchRecorder<u32>,
    ) {
        self.follow_tip(space);
        self.sort_touched();
        let mut touched = self.touched.iter().peekable();
        for node in 0..self.nodes.count() {
            let Known { g, rhs, parent, .. } = self.nodes.get(node);
            let before = touched.next_if(|before| before.node == node);
            while touched.next_if(|later| later.node == node).is_some() {}
            let (rhs, parent) = before.map_or((rhs, parent), |told| (told.rhs, told.parent));
            if rhs != INFINITE {
                // No edit changes g.
                let change = if g == rhs {
                    Change::Settled
                } else {
                    Change::Known
                };
                recorder.relaxed(self.way(space, node, parent, rhs), change);
            }
        }
    }

    /// Counts what edits did since the last repair, and the root of a new search; and tells it.
    fn tell_touched<S: SearchSpace, R: SearchRecorder<u32>>(
        &mut self,
        space: &S,
        recorder: &mut R,
    ) {
        self.sort_touched();
        let mut touched = mem::take(&mut self.touched);
        for notes in touched.chunk_by(|a, b| a.node == b.node) {
            let Touched { node, parent, rhs } = notes[0];
            let known = self.nodes.get(node);
            if (known.rhs, known.parent) != (rhs, parent) {
                self.tell_moved(space, node, rhs, recorder);
            }
        }
        touched.clear();
        self.touched = touched;
    }

    /// Tells that a node has another rhs, or another parent.
    #[inline(always)]
    fn tell_moved<S: SearchSpace, R: SearchRecorder<u32>>(
        &mut self,
        space: &S,
        node: u32,
        before: u64,
        recorder: &mut R,
    ) {
        let Known { rhs, parent, .. } = self.nodes.get(node);
        let is_worse = rhs > before;
        self.pushed = self.pushed.wrapping_add((!is_worse).into());
        if R::LISTENS {
            let change = match is_worse {
                true => Change::Worsened,
                false => Change::of(before != INFINITE, true),
            };
            recorder.relaxed(self.way(space, node, parent, rhs), change);
        }
    }

    #[inline(always)]
    fn tell_expanded<S: SearchSpace, R: SearchRecorder<u32>>(
        &self,
        space: &S,
        node: u32,
        known: &Known,
        recorder: &mut R,
    ) {
        if R::LISTENS {
            recorder.expanded(self.way(space, node, NONE, known.g.min(known.rhs)));
        }
    }

    /// A way to a node over its parent, for recorders. Costs are those from the root.
    fn way<S: SearchSpace>(&self, space: &S, node: u32, parent: u32, distance: u64) -> Way<u32> {
        let g = match distance {
            INFINITE => INFINITE,
            distance => distance.saturating_sub(self.base),
        };
        let h = self.estimate(space, space.place(node));
        let parent = (parent != NONE).then_some(parent);
        Way::new(node, parent, [g, h], Weights::default())
    }

    /// Works out a node's rhs anew.
    fn recompute<S: SearchSpace>(&mut self, space: &S, node: u32) {
        if node < self.nodes.count() {
            let known = self.nodes.get(node);
            if self.recompute_at(space, node, space.place(node), known) {
                self.touch(node, &known);
            }
        }
    }

    /// Works out a node's rhs and parent anew. Whether they are others now.
    fn recompute_at<S: SearchSpace>(
        &mut self,
        space: &S,
        node: u32,
        place: S::Place,
        mut known: Known,
    ) -> bool {
        if node == self.root {
            return false;
        }
        let mut best = (INFINITE, NONE);
        space.for_each_predecessor(node, place, |before, _, cost| {
            let g = self.nodes.g(before);
            let rhs = g.saturating_add(u64::from(cost.max(1)));
            if rhs < best.0.min(MOST) {
                best = (rhs, before);
            }
        });
        if best == (known.rhs, known.parent) {
            return false;
        }
        (known.rhs, known.parent) = best;
        self.enqueue(space, node, &mut known, place);
        self.nodes.set(node, known);
        true
    }

    /// Puts a node into the queue unless it is consistent, or there with a key that is no larger.
    #[inline(always)]
    fn enqueue<S: SearchSpace>(
        &mut self,
        space: &S,
        node: u32,
        known: &mut Known,
        place: S::Place,
    ) {
        if known.is_consistent() {
            return;
        }
        let key = self.key_of(space, known, place);
        if key < known.queued {
            known.queued = key;
            self.queue.push(key, node);
        }
    }

    #[inline(always)]
    fn key_of<S: SearchSpace>(&self, space: &S, known: &Known, place: S::Place) -> u64 {
        let estimate = self.estimate(space, place);
        self.key(known.g.min(known.rhs), estimate, known.g > known.rhs)
    }

    /// Less than [`INFINITE`] for distances that are.
    #[inline(always)]
    fn key(&self, distance: u64, estimate: u64, is_over: bool) -> u64 {
        let sum = distance.saturating_add(estimate).saturating_add(self.moved);
        sum.min(i64::MAX as u64 - 1) << 1 | u64::from(is_over)
    }

    /// From a node to where the tip was when keys were last brought up to date.
    #[inline(always)]
    fn estimate<S: SearchSpace>(&self, space: &S, place: S::Place) -> u64 {
        space.between(place, space.place(self.keyed_tip))
    }

    /// Keys that wait stay lower bounds when the tip moves: new ones grow by how far.
    fn follow_tip<S: SearchSpace>(&mut self, space: &S) {
        if self.keyed_tip != self.tip {
            let (old, new) = (space.place(self.keyed_tip), space.place(self.tip));
            self.moved = self.moved.saturating_add(space.between(new, old));
            self.keyed_tip = self.tip;
        }
    }

    /// Whether numbers have become so large that a new search should begin: sums, or the count that orders equal
    /// keys.
    pub(super) fn is_worn_out(&self) -> bool {
        self.moved.max(self.base) >= MOST / 2 || self.queue.pushed() == u32::MAX
    }

    /// Writes the path from the tip to a node on the way to the root, both included. `false` if the node is not
    /// on it.
    ///
    /// Of the cheapest ways it takes that which goes straight on where it can; on the way to another node than the
    /// root, that which seems to lead nearest to it.
    pub(super) fn trace<S: SearchSpace>(&self, space: &S, end: u32, trail: &mut Vec<u32>) -> bool {
        trail.clear();
        trail.push(self.tip);
        let end_place = space.place(end);
        let away = |place: S::Place| match end == self.root {
            true => 0,
            false => space.between(end_place, place),
        };
        let (mut node, mut offset) = (self.tip, 0);
        // Distances fall along the way, so this ends.
        let mut rhs = self.nodes.get(node).rhs;
        while node != end && node != self.root && rhs != INFINITE {
            let mut best = (INFINITE, true, NONE);
            space.for_each_predecessor(node, space.place(node), |before, place, cost| {
                let way = self.nodes.g(before).saturating_add(u64::from(cost.max(1)));
                if way <= rhs {
                    let turns = before.wrapping_sub(node) != offset;
                    let (least, turn, known) = best;
                    let away = away(place);
                    if known == NONE || (away, turns) < (least, turn) {
                        best = (away, turns, before);
                    }
                }
            });
            let (.., before) = best;
            if before == NONE {
                break;
            }
            offset = before.wrapping_sub(node);
            node = before;
            rhs = self.nodes.g(node);
            trail.push(node);
        }
        node == end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Cell, CellRect, DiagonalPolicy};
    use crate::grid::Grid;
    use crate::search::grid_space::GridSpace;
    use crate::search::options::Heuristic;

    #[test]
    fn edits_that_nobody_searches_after_take_no_more_and_more_memory() {
        let door = Cell::new(3, 4);
        let grids = [true, false].map(|is_open| {
            let grid = Grid::from_fn(9, 9, |cell| cell.x != 3 || cell == door && is_open);
            grid.expect("a good size")
        });
        let (start, goal) = (Cell::new(0, 4), Cell::new(8, 4));
        let spaces = grids.each_ref().map(|grid| {
            let (policy, heuristic) = (DiagonalPolicy::NoCornerCut, Heuristic::Octile);
            GridSpace::new(grid, policy, heuristic, goal).expect("inside")
        });
        let node = |cell| spaces[0].node(cell).expect("inside");
        let mut engine = Engine::default();
        engine.start(&spaces[0], node(start), node(goal));
        let mut work = Work::without_limit(0, u32::MAX);
        let is_done = engine.repair(&spaces[0], &mut work, &mut ());
        assert!(matches!(is_done, Ok(true)));
        let around = CellRect::new(door, door.offset(1, 1)).grow(1);
        let most = 2 * engine.nodes.count() as usize;
        let mut was_full = false;
        for turn in 1..1000 {
            for cell in around.cells() {
                engine.changed(&spaces[turn % 2], node(cell));
            }
            was_full |= engine.touched.len() >= most;
            assert!(engine.touched.len() <= most + 1);
        }
        assert!(was_full, "the edits touch something");
    }
}
