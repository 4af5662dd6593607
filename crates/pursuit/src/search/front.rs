//! The main loop of a search on a grid with equal weights. It takes open nodes from buckets and expands them.

use super::buckets::BucketQueue;
use super::grid_space::GridSpace;
use super::legs::Legs;
use super::options::FindPathError;
use super::recorder::{Relaxation, SearchRecorder, Teller};
use super::scratch::Nodes;
use super::space::SearchSpace;
use super::work::{Stop, Work};

/// The state that a search with equal weights keeps between its steps, in addition to its scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BucketState {
    pub(super) start: u32,
    pub(super) expanded: u32,
    pub(super) pushed: u32,
    /// The latest node that belongs in the current bucket, with its arrival. It is expanded next, so it is kept here
    /// instead of in the bucket.
    pub(super) upcoming: Option<(u32, u8)>,
    /// The smallest and the largest number of an expanded node.
    pub(super) seen: (u32, u32),
    /// The bucket of the goal, if the goal was reached. The search goes on to the end of that bucket, since a node in
    /// it may lead to a cheaper path to the goal.
    pub(super) goal_bucket: Option<u64>,
}

/// This bit of an arrival is set while the node waits in the last bucket because its f lies beyond all buckets.
const WAITING_BIT: u8 = 1 << 7;

/// A node that is being expanded, the cost of the path to it, and its arrival: the index of the last step in
/// [`NEIGHBORS`](crate::NEIGHBORS) plus 1, or 0 for the start.
#[derive(Clone, Copy)]
pub(super) struct Expanding {
    pub(super) node: u32,
    pub(super) g: u64,
    pub(super) arrival: u8,
}

/// How a search expands a node.
pub(super) trait Expand {
    fn expand<R: SearchRecorder<u32>>(&self, front: &mut Front<'_, R>, from: Expanding);
}

/// A search during one of its steps.
pub(super) struct Front<'a, R> {
    pub(super) space: &'a GridSpace<'a>,
    pub(super) nodes: &'a mut Nodes,
    pub(super) legs: &'a mut Legs,
    pub(super) open: &'a mut BucketQueue,
    pub(super) tell: Teller<'a, GridSpace<'a>, R>,
    pub(super) state: BucketState,
}

impl<R: SearchRecorder<u32>> Front<'_, R> {
    /// Expands nodes until the search or its current step ends. The first result is why the search ended, or `None` if
    /// only the step ended.
    #[inline(never)]
    pub(super) fn expand_all(
        mut self,
        mut work: Work<'_>,
        by: &impl Expand,
    ) -> Result<(Option<Stop>, BucketState), FindPathError> {
        let stop = loop {
            let Some((node, mut arrival)) = self.state.upcoming.take().or_else(|| self.open.pop())
            else {
                break Some(Stop::Exhausted);
            };
            let bucket = self.open.current();
            if self.state.goal_bucket.is_some_and(|goal| goal < bucket) {
                break Some(Stop::Goal);
            }
            let Some(g) = self.nodes.close(node) else {
                self.tell.dropped(node);
                continue;
            };
            if arrival & WAITING_BIT != 0 {
                arrival &= !WAITING_BIT;
                let f = self.space.f(node, g);
                if self.open.bucket(f) > bucket {
                    self.nodes.open(node);
                    self.put(f, (node, arrival));
                    continue;
                }
            }
            if self.space.is_goal(node) {
                self.tell.reached(node, g);
                self.state.goal_bucket = Some(bucket);
                if self.open.is_exact() {
                    break Some(Stop::Goal);
                }
                continue;
            }
            if !work.expand()? {
                self.nodes.open(node);
                self.state.upcoming = Some((node, arrival));
                break None;
            }
            self.tell.expanded(node, g);
            self.see(node);
            by.expand(&mut self, Expanding { node, g, arrival });
        };
        self.state.expanded = work.expanded();
        Ok((stop, self.state))
    }

    #[inline(always)]
    pub(super) fn see(&mut self, node: u32) {
        let (first, last) = self.state.seen;
        self.state.seen = (first.min(node), last.max(node));
    }

    /// Records a path to a node if it is the best so far, and returns whether it is. `is_closed` is whether the node is
    /// closed afterwards.
    #[inline(always)]
    pub(super) fn reach(&mut self, node: u32, g: u64, before: u32, is_closed: bool) -> bool {
        let is_known = R::LISTENS && self.nodes.cost(node).is_some();
        let is_better = self.nodes.improve_as(node, g, is_closed);
        let change = Relaxation::of(is_known, is_better);
        self.tell.relaxed(node, Some(before), g, change);
        self.state.pushed = self.state.pushed.wrapping_add(u32::from(is_better));
        is_better
    }

    /// Puts a node and its arrival on the open list. A node whose f lies beyond the buckets waits in the last bucket.
    /// When it is popped there, it is put on the list again.
    #[inline(always)]
    pub(super) fn put(&mut self, f: u64, next: (u32, u8)) {
        let last = self.open.last();
        if self.open.bucket(f) > last {
            self.open.push(last, next.0, next.1 | WAITING_BIT);
        } else {
            self.put_ahead(f, next);
        }
    }

    /// Puts a node and its arrival on the open list, or keeps them as the upcoming node if they belong in the current
    /// bucket.
    #[inline(always)]
    pub(super) fn put_ahead(&mut self, f: u64, next: (u32, u8)) {
        let bucket = self.open.bucket(f);
        if bucket != self.open.current() {
            self.open.push(bucket, next.0, next.1);
        } else if let Some((node, arrival)) = self.state.upcoming.replace(next) {
            self.open.push(bucket, node, arrival);
        }
    }
}
