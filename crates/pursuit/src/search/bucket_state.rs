//! What searches on a grid that take nodes from [`Buckets`] keep from step to step.

use super::buckets::Buckets;
use super::grid_space::GridSpace;
use super::space::SearchSpace;
use crate::cancel::{Cancel, Cancelled};

/// What a search with equal weights keeps, beside what is in the scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BucketState {
    pub(super) start: u32,
    /// That of g and of h.
    pub(super) weight: u16,
    pub(super) expanded: u32,
    pub(super) pushed: u32,
    /// What was found last in the current bucket comes next: it need not wait in there.
    pub(super) upcoming: Option<(u32, u8)>,
    /// First and last of the nodes expanded.
    pub(super) seen: (u32, u32),
    /// The goal's bucket, if that was reached: the search goes on to its end, for there may be a
    /// cheaper way to the goal in it.
    pub(super) goal_bucket: Option<u64>,
}

impl BucketState {
    /// Before the first node is expanded.
    pub(super) fn new(start: u32, weight: u16) -> Self {
        Self {
            start,
            weight,
            expanded: 0,
            pushed: 1,
            upcoming: Some((start, 0)),
            seen: (start, start),
            goal_bucket: None,
        }
    }
}

/// Puts a node and its arrival on the open list, or keeps them as what comes next if they belong in the current bucket.
#[inline(always)]
pub(super) fn put(open: &mut Buckets, upcoming: &mut Option<(u32, u8)>, f: u64, next: (u32, u8)) {
    let bucket = open.bucket(f);
    if bucket != open.current() {
        open.push(bucket, next.0, next.1);
    } else if let Some((node, arrival)) = upcoming.replace(next) {
        open.push(bucket, node, arrival);
    }
}

/// Of the start and those nodes between the two `seen` that count, the one with the smallest distance, then the smallest
/// number.
pub(super) fn nearest(
    space: &GridSpace<'_>,
    &BucketState { start, seen, .. }: &BucketState,
    counts: impl Fn(u32) -> bool,
    cancel: Cancel<'_>,
) -> Result<u32, Cancelled> {
    let mut best = (space.distance(space.place(start)), start);
    for node in seen.0..=seen.1 {
        cancel.check_at(node)?;
        if counts(node) {
            best = best.min((space.distance(space.place(node)), node));
        }
    }
    Ok(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Cell, DiagonalPolicy};
    use crate::grid::Grid;
    use crate::random::each_case;
    use crate::search::options::Heuristic;
    use crate::search::oracle::cases;
    use crate::search::scratch::Nodes;

    #[test]
    fn the_nearest_node_is_found_at_any_place_among_those_expanded() {
        let grid = Grid::from_fn(61, 60, |_| true).expect("a good size");
        let goal = Cell::new(30, 20);
        let space = GridSpace::new(&grid, DiagonalPolicy::NoCornerCut, Heuristic::Octile, goal);
        let space = space.expect("inside");
        let node = |x, y| space.node(Cell::new(x, y)).expect("inside");
        let nodes = &mut Nodes::default();
        // The last of its stretch, the first of the next one, and the last of all.
        let first = node(0, 1);
        for nearest in [0, 1, 1022, 1023, 1024, 1025, 2047, 2048, 2500] {
            for last in [nearest, 1023, 1024, 2048, 2600] {
                let (nearest, last) = (first + nearest, first + last.max(nearest));
                nodes.start(space.node_count());
                for closed in [first, nearest, last] {
                    nodes.view().set(closed, 0);
                    let _ = nodes.view().close(closed);
                }
                let state = BucketState {
                    start: first,
                    weight: 1,
                    expanded: 3,
                    pushed: 3,
                    upcoming: None,
                    seen: (first, last),
                    goal_bucket: None,
                };
                let far = |node: u32| (space.distance(space.place(node)), node);
                let expected = [first, nearest, last].map(far).into_iter().min();
                let view = nodes.view();
                let is_closed = |node| view.is_closed(node);
                let found = super::nearest(&space, &state, is_closed, Cancel::NEVER);
                let found = found.expect("without a flag");
                assert_eq!(Some(far(found)), expected, "{first} to {last}");
            }
        }
    }

    /// Takes of all nodes that wait the one in the first bucket that was put last.
    #[test]
    fn nodes_come_by_buckets_and_the_newest_first_whether_it_waits_or_not() {
        let mut from_upcoming = 0;
        each_case(300, |rng| {
            let most = [200, 5000, 3_000_000][rng.usize(0..3)];
            let (mut open, mut upcoming) = (Buckets::default(), None);
            let mut f = rng.u64(0..1000);
            open.start(f, most);
            let mut waiting: Vec<(u64, u32)> = Vec::new();
            for node in 0..400 {
                let next_f = f + if rng.bool() { 0 } else { rng.u64(0..most) };
                put(&mut open, &mut upcoming, next_f, (node, 0));
                waiting.push((open.bucket(next_f), node));
                if rng.u8(0..3) == 0 {
                    continue;
                }
                from_upcoming += u32::from(upcoming.is_some());
                let first = waiting.iter().map(|(bucket, _)| *bucket).min();
                let at = waiting
                    .iter()
                    .rposition(|(bucket, _)| Some(*bucket) == first);
                let (bucket, expected) = waiting.remove(at.expect("one waits"));
                let popped = upcoming.take().or_else(|| open.pop());
                assert_eq!(popped, Some((expected, 0)));
                assert_eq!(open.current(), bucket);
                f = f.max(bucket * open.width());
            }
        });
        assert!(from_upcoming > cases(1000), "{from_upcoming}");
    }
}
