//! Lower bounds of distances by the triangle inequality (*ALT*: Goldberg and Harrelson, 2005).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::upward::Upward;
use crate::cancel::{Cancel, Cancelled};

/// Landmarks per map.
const COUNT: usize = 16;
/// Landmarks that a search uses.
const ACTIVE: usize = 4;

/// Distances of all nodes of a [climb](super::climb) to a few landmarks, which are far from each other. 0 where
/// no path leads to a landmark: then it bounds nothing.
///
/// One row for each node, a number for each landmark. A chain of nodes 0, 1, 2, 3 with edges of cost 5:
///
/// ```text
/// landmark        at 3   at 0   at 2, ...
/// distances[0]    15     0      10
/// distances[1]    10     5      5         from 0 to 1 it is at least |15 - 10| = 5, and |0 - 5| = 5
/// distances[2]    5      10     0
/// distances[3]    0      15     5
/// ```
#[derive(Clone, Default)]
pub(super) struct Landmarks {
    distances: Box<[[u32; COUNT]]>,
}

/// What a few landmarks tell about the end of a search: those that tell most at its start.
pub(super) struct Bounds([Bound; ACTIVE]);

#[derive(Clone, Copy, Default)]
struct Bound {
    landmark: usize,
    /// The least sum of a last corner's distance from the landmark and its cost to the goal.
    least: u32,
    /// The largest difference of the two.
    most: u32,
}

impl Bound {
    #[inline]
    fn estimate(&self, distances: &[u32; COUNT]) -> u32 {
        let distance = distances[self.landmark % COUNT];
        let near = self.least.saturating_sub(distance);
        near.max(distance.saturating_sub(self.most))
    }
}

impl Landmarks {
    /// `downward`: the nodes outside of the core, from the most to the least important one.
    pub(super) fn of(
        graph: &Upward,
        downward: &[u32],
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let count = graph.node_count();
        let mut distances = vec![[0; COUNT]; count];
        let mut nearest = vec![u32::MAX; count];
        let mut row = Vec::new();
        let mut heap = BinaryHeap::new();
        let mut root = 0;
        // The first search only finds a far end of the map.
        for search in 0..=COUNT {
            cancel.check()?;
            if count > 0 {
                row = distances_from(graph, downward, root, &mut heap);
            }
            let mut farthest = (0, root);
            for (node, &distance) in row.iter().enumerate() {
                if distance == u32::MAX {
                    continue;
                }
                let mut known = distance;
                if search > 0 {
                    distances[node][search - 1] = distance;
                    known = known.min(nearest[node]);
                    nearest[node] = known;
                }
                farthest = farthest.max((known, node as u32));
            }
            root = farthest.1;
        }
        Ok(Self {
            distances: distances.into_boxed_slice(),
        })
    }

    /// `ends`: the last nodes of paths, each with the cost from there to the goal. Uses the landmarks that tell
    /// most about `start`.
    pub(super) fn bounds(&self, start: u32, ends: impl Iterator<Item = (u32, u32)>) -> Bounds {
        let mut bounds: [Bound; COUNT] = std::array::from_fn(|landmark| Bound {
            landmark,
            least: u32::MAX,
            most: 0,
        });
        for (node, cost) in ends {
            for (bound, distance) in bounds.iter_mut().zip(&self.distances[node as usize]) {
                bound.least = bound.least.min(distance + cost);
                bound.most = bound.most.max(distance.saturating_sub(cost));
            }
        }
        let distances = &self.distances[start as usize];
        bounds.sort_unstable_by_key(|bound| Reverse(bound.estimate(distances)));
        Bounds(std::array::from_fn(|i| bounds[i]))
    }

    /// Every path from the node to the goal, by any of the ends, costs at least that.
    #[inline]
    pub(super) fn estimate(&self, node: u32, bounds: &Bounds) -> u32 {
        let distances = &self.distances[node as usize];
        let estimates = bounds.0.iter().map(|bound| bound.estimate(distances));
        estimates.fold(0, u32::max)
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.distances)
    }
}

/// Distances of all nodes from one: a search up to the core and through it, then a sweep down (*PHAST*:
/// Delling, Goldberg, Nowatzyk and Werneck, 2011).
fn distances_from(
    graph: &Upward,
    downward: &[u32],
    root: u32,
    heap: &mut BinaryHeap<Reverse<u64>>,
) -> Vec<u32> {
    let mut distances = vec![u32::MAX; graph.node_count()];
    distances[root as usize] = 0;
    heap.push(Reverse(u64::from(root)));
    while let Some(Reverse(key)) = heap.pop() {
        let (distance, node) = ((key >> 32) as u32, key as u32);
        if distance > distances[node as usize] {
            continue;
        }
        for edge in graph.edges_of(node) {
            let next = distance + edge.cost;
            if next < distances[edge.to as usize] {
                distances[edge.to as usize] = next;
                heap.push(Reverse(u64::from(next) << 32 | u64::from(edge.to)));
            }
        }
    }
    for &node in downward {
        let over = graph
            .edges_of(node)
            .iter()
            .map(|edge| distances[edge.to as usize].saturating_add(edge.cost))
            .min();
        let known = &mut distances[node as usize];
        *known = (*known).min(over.unwrap_or(u32::MAX));
    }
    distances
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::contract::Hierarchy;
    use crate::tables::naive::{any_graph, chain, distances, hierarchy, least};
    use crate::tables::upward::Edge;

    /// The landmarks of a hierarchy whose nodes keep their numbers.
    fn landmarks(hierarchy: &Hierarchy) -> Landmarks {
        let edges = hierarchy.edges.iter().map(|arcs| {
            arcs.iter().map(|arc| Edge {
                to: arc.to,
                cost: arc.cost,
                middle: arc.middle,
            })
        });
        let graph = Upward::new(edges);
        let downward: Vec<u32> = hierarchy.order.iter().rev().copied().collect();
        Landmarks::of(&graph, &downward, Cancel::NEVER).expect("nobody cancels it")
    }

    #[test]
    fn the_picture_of_a_chain_is_right_contracted_or_not() {
        for max_degree in [0, 16] {
            let landmarks = landmarks(&hierarchy(&chain(&[5; 3]), max_degree));
            let first = landmarks
                .distances
                .iter()
                .map(|row| [row[0], row[1], row[2]]);
            let expected = [[15, 0, 10], [10, 5, 5], [5, 10, 0], [0, 15, 5]];
            assert!(first.eq(expected), "{max_degree}");
        }
    }

    #[test]
    fn a_map_without_corners_has_no_landmarks() {
        assert_eq!(landmarks(&hierarchy(&[], 16)).byte_size(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn landmarks_are_far_from_each_other_and_know_how_far_all_nodes_are(
            graph in any_graph(), max_degree in prop_oneof![0usize..6, Just(16)],
        ) {
            let landmarks = landmarks(&graph.hierarchy(max_degree));
            let all = distances(&graph.edges);
            let mut chosen: Vec<usize> = Vec::new();
            for landmark in 0..COUNT {
                // The first one is farthest from node 0, each other one from all before.
                let from = if chosen.is_empty() { &[0][..] } else { &chosen };
                let nearest = |node: usize| from.iter().map(|&at| all[at][node]).fold(None, least);
                let far = (0..all.len()).filter_map(|node| Some((nearest(node)?, node))).max();
                let Some((_, root)) = far else { break };
                chosen.push(root);
                for (node, row) in landmarks.distances.iter().enumerate() {
                    prop_assert_eq!(u64::from(row[landmark]), all[root][node].unwrap_or(0));
                }
            }
        }

        #[test]
        fn no_estimate_is_above_the_cost_and_the_first_is_the_best_of_all_landmarks(
            graph in any_graph(),
            start: prop::sample::Index,
            ends in prop::collection::vec((any::<prop::sample::Index>(), 0u32..20_000), 1..5),
        ) {
            let count = graph.edges.len();
            prop_assume!(count > 0);
            let landmarks = landmarks(&graph.hierarchy(4));
            let ends: Vec<(u32, u32)> = ends.iter().map(|(end, cost)| (end.index(count) as u32, *cost)).collect();
            let start = start.index(count);
            let bounds = landmarks.bounds(start as u32, ends.iter().copied());
            let all = distances(&graph.edges);
            for (node, distances) in (0..).zip(&all) {
                let paths = ends.iter().filter_map(|&(end, cost)| Some(distances[end as usize]? + u64::from(cost)));
                if let Some(cost) = paths.min() {
                    prop_assert!(u64::from(landmarks.estimate(node, &bounds)) <= cost, "from {}", node);
                }
            }
            let by_landmark = |landmark: usize| {
                let far = |node: u32| i64::from(landmarks.distances[node as usize][landmark]);
                let from = far(start as u32);
                let near = ends.iter().map(|&(end, cost)| far(end) + i64::from(cost) - from).min();
                let beyond = ends.iter().map(|&(end, cost)| from - (far(end) - i64::from(cost)).max(0)).min();
                near.max(beyond)
            };
            let best = (0..COUNT).filter_map(by_landmark).max().map(|best| best.max(0));
            prop_assert_eq!(Some(i64::from(landmarks.estimate(start as u32, &bounds))), best);
        }
    }
}
