//! Hub labels (Abraham, Delling, Goldberg and Werneck, 2012) of the corners.

use super::contract::{Arc, Hierarchy, NO_NODE};
use super::cover::{Cover, DraftEntry, Graph};
use super::error::{MAX_TABLE_COST, TablesError};
use crate::cancel::Cancel;

/// For every corner, its distances to its hubs: a few more important corners, and the corner itself. Any two corners
/// that a path joins have a common hub that lies on a cheapest path between them.
///
/// For example, these are the labels of a chain A, B, C with edges of cost 1. B is the most important corner,
/// followed by A:
///
/// ```text
/// corner          A         B     C
/// starts          0         2     3        5
/// entry number    0    1    2     3    4
/// entries         0:1  1:0  0:0   0:1  2:0      hub:distance; hub 0 is B, hub 1 is A, hub 2 is C
/// hops            B 2  -    -     B 2  -        the next corner, and its entry of the same hub
/// ```
///
/// A label lists its hubs from the most to the least important. The last one is the corner itself. A walk from A to
/// hub 0 follows the hops from entry 0 to entry 2, where it ends.
pub(super) struct Labels {
    /// For each corner, the index of the first entry of its label. The number of all entries follows at the end.
    starts: Box<[u32]>,
    entries: Box<[LabelEntry]>,
    /// For each entry, the next corner toward the hub.
    hops: Box<[Hop]>,
}

#[derive(Clone, Copy)]
pub(super) struct LabelEntry {
    /// The number of the hub. The most important hub is 0.
    pub(super) hub: u32,
    pub(super) distance: u32,
}

/// The next corner on a cheapest path to a hub. At the hub itself, the next corner is [`NO_NODE`].
#[derive(Clone, Copy)]
struct Hop {
    corner: u32,
    /// The entry for the same hub in the label of that corner.
    entry: u32,
}

impl Labels {
    /// The labels of a hierarchy. Fails with [`TablesError::Scattered`] if they would have more than `limit` entries.
    pub(super) fn of(
        hierarchy: &Hierarchy,
        limit: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, TablesError> {
        let mut labels = core_labels(hierarchy, limit, cancel)?;
        label_contracted(hierarchy, &mut labels, limit, cancel)?;
        Ok(Self::flatten(&labels))
    }

    fn flatten(found: &[Vec<DraftEntry>]) -> Self {
        let mut starts = Vec::with_capacity(found.len() + 1);
        let mut end = 0;
        for label in found {
            starts.push(end);
            end += label.len() as u32;
        }
        starts.push(end);
        let mut entries = Vec::with_capacity(end as usize);
        let mut hops = Vec::with_capacity(end as usize);
        for entry in found.iter().flatten() {
            entries.push(LabelEntry {
                hub: entry.hub,
                distance: entry.distance,
            });
            let corner = entry.first;
            let entry = if corner == NO_NODE {
                0
            } else {
                // Each corner on a cheapest path to a hub also has that hub. Otherwise, a more important hub would
                // lie on the rest of the path, and so on the whole path, and this entry would not exist.
                let label = &found[corner as usize];
                let at = label.partition_point(|other| other.hub < entry.hub);
                starts[corner as usize] + at as u32
            };
            hops.push(Hop { corner, entry });
        }
        Self {
            starts: starts.into_boxed_slice(),
            entries: entries.into_boxed_slice(),
            hops: hops.into_boxed_slice(),
        }
    }

    /// Number of hubs. Each corner is a hub.
    pub(super) fn hubs(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(super) fn label(&self, corner: u32) -> &[LabelEntry] {
        let at = corner as usize;
        &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Distance from a corner to one of its hubs.
    pub(super) fn distance(&self, corner: u32, hub: u32) -> Option<u32> {
        let label = self.label(corner);
        let at = label.binary_search_by_key(&hub, |entry| entry.hub).ok()?;
        Some(label[at].distance)
    }

    /// Visits the corners on a cheapest path from a corner to one of its hubs, both included.
    #[inline(always)]
    pub(super) fn walk(&self, corner: u32, hub: u32, mut visit: impl FnMut(u32)) {
        let label = self.label(corner);
        let at = label.partition_point(|entry| entry.hub < hub);
        let mut at = Hop {
            corner,
            entry: self.starts[corner as usize] + at as u32,
        };
        while at.corner != NO_NODE {
            visit(at.corner);
            at = self.hops[at.entry as usize];
        }
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.entries) + size_of_val(&*self.hops)
    }
}

/// Labels of the corners of the core, and empty labels for all other corners.
fn core_labels(
    hierarchy: &Hierarchy,
    limit: usize,
    cancel: Cancel<'_>,
) -> Result<Vec<Vec<DraftEntry>>, TablesError> {
    let count = hierarchy.edges.len();
    let mut core = Vec::new();
    let node_of: Vec<u32> = (0..count)
        .map(|corner| {
            if hierarchy.contracted[corner] {
                return NO_NODE;
            }
            core.push(corner as u32);
            core.len() as u32 - 1
        })
        .collect();
    let mut graph = Graph {
        starts: vec![0],
        to: Vec::new(),
        cost: Vec::new(),
    };
    for &corner in &core {
        for arc in &hierarchy.edges[corner as usize] {
            graph.to.push(node_of[arc.to as usize]);
            graph.cost.push(arc.cost);
        }
        graph.starts.push(graph.to.len() as u32);
    }
    // On average, the labels of the core are about as long as the other labels.
    let share = limit as u128 * core.len() as u128 / (count as u128).max(1);
    let limit = usize::try_from(share + share / 3).unwrap_or(usize::MAX);
    let cover = Cover::run(&graph, limit, cancel)?;
    let mut labels = vec![Vec::new(); count];
    for (node, mut label) in cover.labels.into_iter().enumerate() {
        cancel.check()?;
        let arcs = &hierarchy.edges[core[node] as usize];
        for entry in &mut label {
            if entry.first != NO_NODE {
                let next = core[entry.first as usize];
                let arc = arcs.iter().find(|arc| arc.to == next);
                entry.first = arc.map_or(NO_NODE, |arc| arc.first);
            }
        }
        labels[core[node] as usize] = label;
    }
    Ok(labels)
}

/// Labels the contracted corners, from the labels of their more important neighbors. Fails with
/// [`TablesError::Scattered`] if all labels together would have more than `limit` entries.
fn label_contracted(
    hierarchy: &Hierarchy,
    labels: &mut [Vec<DraftEntry>],
    limit: usize,
    cancel: Cancel<'_>,
) -> Result<(), TablesError> {
    let count = labels.len();
    let core = count - hierarchy.order.len();
    let mut total = 0;
    let mut draft = LabelDraft {
        best: vec![(u32::MAX, NO_NODE); count],
        hubs: Vec::new(),
    };
    let mut corner_of = vec![NO_NODE; count];
    for (corner, label) in labels.iter().enumerate() {
        total += label.len();
        if let Some(own) = label.last() {
            corner_of[own.hub as usize] = corner as u32;
        }
    }
    for (place, &corner) in hierarchy.order.iter().rev().enumerate() {
        cancel.check()?;
        draft.gather(&hierarchy.edges[corner as usize], labels);
        let mut label = draft.prune(labels, &corner_of)?;
        let hub = (core + place) as u32;
        corner_of[hub as usize] = corner;
        label.push(DraftEntry {
            hub,
            distance: 0,
            first: NO_NODE,
        });
        total += label.len();
        if total > limit {
            return Err(TablesError::Scattered);
        }
        labels[corner as usize] = label;
    }
    Ok(())
}

/// A label under construction.
struct LabelDraft {
    /// For each hub, the least distance and the first corner on the path.
    best: Vec<(u32, u32)>,
    hubs: Vec<u32>,
}

impl LabelDraft {
    /// Collects the hubs of the corners to which the edges lead.
    fn gather(&mut self, upward: &[Arc], labels: &[Vec<DraftEntry>]) {
        for arc in upward {
            for entry in &labels[arc.to as usize] {
                let distance = entry.distance + arc.cost;
                let known = &mut self.best[entry.hub as usize];
                if known.0 == u32::MAX {
                    self.hubs.push(entry.hub);
                }
                if distance < known.0 {
                    *known = (distance, arc.first);
                }
            }
        }
        self.hubs.sort_unstable();
    }

    /// The label with the collected hubs. A hub is left out if a more important hub lies on a cheapest path to
    /// it.
    fn prune(
        &mut self,
        labels: &[Vec<DraftEntry>],
        corner_of: &[u32],
    ) -> Result<Vec<DraftEntry>, TablesError> {
        let mut label = Vec::with_capacity(self.hubs.len() / 2 + 1);
        for &hub in &self.hubs {
            let (distance, first) = self.best[hub as usize];
            let others = &labels[corner_of[hub as usize] as usize];
            let mut others = others.iter().take_while(|other| other.hub < hub);
            let way = |it: &DraftEntry| self.best[it.hub as usize].0.saturating_add(it.distance);
            let is_covered = others.any(|other| way(other) <= distance);
            if is_covered {
                self.best[hub as usize].0 = u32::MAX;
            } else if distance > MAX_TABLE_COST {
                return Err(TablesError::TooLarge);
            } else {
                label.push(DraftEntry {
                    hub,
                    distance,
                    first,
                });
            }
        }
        for hub in self.hubs.drain(..) {
            self.best[hub as usize].0 = u32::MAX;
        }
        Ok(label)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::naive::{
        self, any_graph, chain, distances, hierarchy, least, sum, walk_cost,
    };

    fn of(edges: &[Vec<Arc>], max_degree: usize, limit: usize) -> Result<Labels, TablesError> {
        Labels::of(&hierarchy(edges, max_degree), limit, Cancel::NEVER)
    }

    fn labels(edges: &[Vec<Arc>], max_degree: usize) -> Labels {
        of(edges, max_degree, usize::MAX).expect("no cost is too large")
    }

    fn walk(labels: &Labels, corner: u32, hub: u32) -> Vec<u32> {
        let mut visited = Vec::new();
        labels.walk(corner, hub, |corner| {
            visited.push(corner);
            assert!(visited.len() < 1000, "the walk goes in circles");
        });
        visited
    }

    /// The corner of each hub: the only corner at distance 0.
    fn corners_of_hubs(labels: &Labels, count: u32) -> Vec<u32> {
        let mut corners = vec![NO_NODE; labels.hubs()];
        for corner in 0..count {
            for entry in labels
                .label(corner)
                .iter()
                .filter(|entry| entry.distance == 0)
            {
                assert_eq!(
                    corners[entry.hub as usize], NO_NODE,
                    "a hub has two corners"
                );
                corners[entry.hub as usize] = corner;
            }
        }
        corners
    }

    #[test]
    fn the_picture_of_a_chain_is_right() {
        let entry = |hub, distance, first| DraftEntry {
            hub,
            distance,
            first,
        };
        let (a, b, c) = (
            [entry(0, 1, 1), entry(1, 0, NO_NODE)],
            [entry(0, 0, NO_NODE)],
            [entry(0, 1, 1), entry(2, 0, NO_NODE)],
        );
        let found = [a.to_vec(), b.to_vec(), c.to_vec()];
        let labels = Labels::flatten(&found);
        assert_eq!(*labels.starts, [0, 2, 3, 5]);
        let entries: Vec<_> = labels
            .entries
            .iter()
            .map(|entry| (entry.hub, entry.distance))
            .collect();
        assert_eq!(entries, [(0, 1), (1, 0), (0, 0), (0, 1), (2, 0)]);
        let hops: Vec<_> = labels
            .hops
            .iter()
            .map(|hop| (hop.corner, hop.entry))
            .collect();
        assert_eq!(
            hops,
            [(1, 2), (NO_NODE, 0), (NO_NODE, 0), (1, 2), (NO_NODE, 0)]
        );
        assert_eq!(walk(&labels, 0, 0), [0, 1]);
        assert_eq!(walk(&labels, 2, 2), [2]);
    }

    #[test]
    fn a_walk_to_a_hub_visits_every_corner_of_a_long_chain() {
        let chain = chain(&[3; 400]);
        let labels = labels(&chain, 16);
        let corners = corners_of_hubs(&labels, 401);
        let mut longest = 0;
        for corner in 0..401 {
            for entry in labels.label(corner) {
                let end = corners[entry.hub as usize];
                let steps = corner.abs_diff(end) as usize;
                let walk = walk(&labels, corner, entry.hub);
                assert_eq!((walk.len(), walk[0], walk[steps]), (steps + 1, corner, end));
                longest = longest.max(steps);
            }
        }
        assert!(longest > 100, "{longest} steps");
    }

    #[test]
    fn labels_with_too_many_entries_are_rejected() {
        // Corner 2 has 1 entry, each of its neighbors 2, and each of the ends 3.
        let chain = chain(&[1; 4]);
        let is_given_up = |limit| of(&chain, 16, limit).err() == Some(TablesError::Scattered);
        assert!(!is_given_up(11));
        assert!(is_given_up(10));
    }

    #[test]
    fn a_label_over_the_largest_cost_is_refused() {
        // The common hub of all corners is in the middle, two edges from the ends.
        let result = |cost| of(&chain(&[cost; 4]), 16, usize::MAX).err();
        assert_eq!(result(MAX_TABLE_COST / 2), None);
        assert_eq!(result(MAX_TABLE_COST / 2 + 1), Some(TablesError::TooLarge));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn the_best_hub_of_two_corners_lies_on_a_cheapest_path(
            graph in any_graph(), max_degree in prop_oneof![0usize..6, Just(16)],
        ) {
            let labels = labels(&graph.edges, max_degree);
            let all = distances(&graph.edges);
            for (a, from) in (0..).zip(&all) {
                for (b, &expected) in (0..).zip(from) {
                    let over = |entry: &LabelEntry| {
                        let rest = labels.distance(b, entry.hub).map(u64::from);
                        sum(Some(u64::from(entry.distance)), rest)
                    };
                    let found = labels.label(a).iter().map(over).fold(None, least);
                    prop_assert_eq!(found, expected, "{} to {}", a, b);
                }
            }
        }

        #[test]
        fn labels_hold_true_distances_no_needless_hubs_and_cheapest_paths(
            graph in any_graph(), max_degree in prop_oneof![0usize..6, Just(16)],
        ) {
            let labels = labels(&graph.edges, max_degree);
            let all = distances(&graph.edges);
            let corners = corners_of_hubs(&labels, graph.count());
            for corner in 0..graph.count() {
                let found: Vec<_> = labels.label(corner).iter().map(|entry| (entry.hub, entry.distance)).collect();
                let expected = naive::label(&all, &corners, corner as usize);
                prop_assert_eq!(found, expected, "label of {}", corner);
                for entry in labels.label(corner) {
                    let walk = walk(&labels, corner, entry.hub);
                    prop_assert_eq!(walk[0], corner);
                    prop_assert_eq!(walk.last(), Some(&corners[entry.hub as usize]));
                    prop_assert_eq!(walk_cost(&graph.edges, &walk), Some(u64::from(entry.distance)));
                }
            }
        }
    }
}
