//! Hub labels (Abraham, Delling, Goldberg and Werneck, 2012) of the corners.

use super::contract::{Arc, Hierarchy, NONE};
use super::cover::{Cover, DraftEntry, Graph};
use super::error::{MAX_COST, TablesError};
use crate::cancel::{Cancelled, Watch};

/// A walk looks at the cancel flag only between pieces of that many corners.
const HOPS: usize = 64;

/// For every corner, its distances to a few more important corners, its hubs. Any two corners that a path
/// joins have a hub in common that lies on a cheapest path between them.
///
/// The labels of a chain A, B, C with edges of cost 1, whose most important corner is B, the next one A:
///
/// ```text
/// corner          A         B     C
/// starts          0         2     3        5
/// entry number    0    1    2     3    4
/// entries         0:1  1:0  0:0   0:1  2:0      hub:distance; hub 0 is B, hub 1 is A, hub 2 is C
/// hops            B 2  -    -     B 2  -        the next corner, and its entry of the same hub
/// ```
///
/// A label lists its hubs from the most to the least important one, the corner itself. To walk from A to
/// hub 0 is to follow the hops from entry 0 to 2, which ends there.
pub(super) struct Labels {
    /// For each corner, where its label starts; one more at the end.
    starts: Box<[u32]>,
    entries: Box<[Entry]>,
    /// For each entry, the next corner toward the hub.
    hops: Box<[Hop]>,
    hubs: u32,
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The most important hub is 0.
    pub(super) hub: u32,
    pub(super) distance: u32,
}

/// The next corner on a cheapest path to a hub. [`NONE`] at the hub itself.
#[derive(Clone, Copy)]
struct Hop {
    corner: u32,
    /// That corner's entry of the same hub.
    entry: u32,
}

impl Labels {
    /// `None` when they would have more than `limit` entries.
    pub(super) fn of(
        hierarchy: &Hierarchy,
        limit: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Self>, TablesError> {
        let Some(mut labels) = core_labels(hierarchy, limit, watch)? else {
            return Ok(None);
        };
        if !label_contracted(hierarchy, &mut labels, limit, watch)? {
            return Ok(None);
        }
        Ok(Some(Self::flatten(&labels, watch)?))
    }

    fn flatten(found: &[Vec<DraftEntry>], watch: &mut Watch<'_>) -> Result<Self, Cancelled> {
        let mut starts = Vec::with_capacity(found.len() + 1);
        let mut end = 0;
        for label in found {
            watch.pass(1)?;
            starts.push(end);
            end += label.len() as u32;
        }
        starts.push(end);
        let mut entries = Vec::with_capacity(end as usize);
        let mut hops = Vec::with_capacity(end as usize);
        for entry in found.iter().flatten() {
            watch.pass(1)?;
            entries.push(Entry {
                hub: entry.hub,
                distance: entry.distance,
            });
            let corner = entry.first;
            let entry = if corner == NONE {
                0
            } else {
                // Each corner on a cheapest path to a hub has that hub, too. If not, a more important hub would
                // lie on the rest of the path, so on all of it, and there would be no entry to begin with.
                let label = &found[corner as usize];
                let at = label.partition_point(|other| other.hub < entry.hub);
                starts[corner as usize] + at as u32
            };
            hops.push(Hop { corner, entry });
        }
        Ok(Self {
            starts: starts.into_boxed_slice(),
            entries: entries.into_boxed_slice(),
            hops: hops.into_boxed_slice(),
            hubs: found.len() as u32,
        })
    }

    pub(super) fn hubs(&self) -> usize {
        self.hubs as usize
    }

    #[inline]
    pub(super) fn label(&self, corner: u32) -> &[Entry] {
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
    pub(super) fn walk(
        &self,
        corner: u32,
        hub: u32,
        watch: &mut Watch<'_>,
        mut visit: impl FnMut(u32),
    ) -> Result<(), Cancelled> {
        let label = self.label(corner);
        let at = label.partition_point(|entry| entry.hub < hub);
        let mut at = Hop {
            corner,
            entry: self.starts[corner as usize] + at as u32,
        };
        loop {
            watch.pass(HOPS)?;
            for _ in 0..HOPS {
                if at.corner == NONE {
                    return Ok(());
                }
                visit(at.corner);
                at = self.hops[at.entry as usize];
            }
        }
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.entries) + size_of_val(&*self.hops)
    }
}

/// Labels of the core's corners, and empty ones for the others.
fn core_labels(
    hierarchy: &Hierarchy,
    limit: usize,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<Vec<DraftEntry>>>, TablesError> {
    let count = hierarchy.edges.len();
    let mut core = Vec::new();
    let node_of = watch.collect(count, |corner| {
        if hierarchy.contracted[corner] {
            return NONE;
        }
        core.push(corner as u32);
        core.len() as u32 - 1
    })?;
    let mut graph = Graph {
        starts: vec![0],
        to: Vec::new(),
        cost: Vec::new(),
    };
    for &corner in &core {
        watch.pass_words(4 * hierarchy.edges[corner as usize].len())?;
        for arc in &hierarchy.edges[corner as usize] {
            graph.to.push(node_of[arc.to as usize]);
            graph.cost.push(arc.cost);
        }
        graph.starts.push(graph.to.len() as u32);
    }
    // On average, labels of the core are about as long as all labels.
    let share = limit as u128 * core.len() as u128 / (count as u128).max(1);
    let limit = usize::try_from(share + share / 3).unwrap_or(usize::MAX);
    let Some(cover) = Cover::run(&graph, limit, watch)? else {
        return Ok(None);
    };
    let mut labels = watch.collect(count, |_| Vec::new())?;
    for (node, mut label) in cover.labels.into_iter().enumerate() {
        let arcs = &hierarchy.edges[core[node] as usize];
        for entry in &mut label {
            watch.pass_words(3 * arcs.len())?;
            if entry.first != NONE {
                let next = core[entry.first as usize];
                let arc = arcs.iter().find(|arc| arc.to == next);
                entry.first = arc.map_or(NONE, |arc| arc.first);
            }
        }
        labels[core[node] as usize] = label;
    }
    Ok(Some(labels))
}

/// Labels the corners that were contracted, from the labels of the more important ones beside them. `false`
/// when all labels would have more than `limit` entries.
fn label_contracted(
    hierarchy: &Hierarchy,
    labels: &mut [Vec<DraftEntry>],
    limit: usize,
    watch: &mut Watch<'_>,
) -> Result<bool, TablesError> {
    let count = labels.len();
    let core = count - hierarchy.order.len();
    let mut total = 0;
    let mut draft = LabelDraft {
        best: watch.collect(count, |_| (u32::MAX, NONE))?,
        hubs: Vec::new(),
    };
    let mut corner_of = watch.collect(count, |_| NONE)?;
    for (corner, label) in labels.iter().enumerate() {
        watch.pass(1)?;
        total += label.len();
        if let Some(own) = label.last() {
            corner_of[own.hub as usize] = corner as u32;
        }
    }
    for (place, &corner) in hierarchy.order.iter().rev().enumerate() {
        draft.gather(&hierarchy.edges[corner as usize], labels, watch)?;
        let mut label = draft.prune(labels, &corner_of, watch)?;
        let hub = (core + place) as u32;
        corner_of[hub as usize] = corner;
        label.push(DraftEntry {
            hub,
            distance: 0,
            first: NONE,
        });
        total += label.len();
        if total > limit {
            return Ok(false);
        }
        labels[corner as usize] = label;
    }
    Ok(true)
}

/// A label in the making.
struct LabelDraft {
    /// By hub, the least distance and the first corner on the path.
    best: Vec<(u32, u32)>,
    hubs: Vec<u32>,
}

impl LabelDraft {
    /// Takes over the hubs of the corners to which the edges lead.
    fn gather(
        &mut self,
        upward: &[Arc],
        labels: &[Vec<DraftEntry>],
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        for arc in upward {
            watch.pass_words(3 * labels[arc.to as usize].len())?;
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
        watch.sort(&mut self.hubs)
    }

    /// The label without those hubs to which a cheapest path passes a more important one.
    fn prune(
        &mut self,
        labels: &[Vec<DraftEntry>],
        corner_of: &[u32],
        watch: &mut Watch<'_>,
    ) -> Result<Vec<DraftEntry>, TablesError> {
        let mut label = Vec::with_capacity(self.hubs.len() / 2 + 1);
        for &hub in &self.hubs {
            let (distance, first) = self.best[hub as usize];
            let others = &labels[corner_of[hub as usize] as usize];
            watch.pass_words(3 * others.len())?;
            let is_covered = others
                .iter()
                .take_while(|other| other.hub < hub)
                .any(|x| self.best[x.hub as usize].0.saturating_add(x.distance) <= distance);
            if is_covered {
                self.best[hub as usize].0 = u32::MAX;
            } else if distance > MAX_COST {
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
