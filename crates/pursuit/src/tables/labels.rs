//! Hub labels (Abraham, Delling, Goldberg and Werneck, 2012) of the corners.

use std::sync::atomic::AtomicBool;

use super::TablesError;
use super::contract::NONE;
use super::cover::{Cover, Graph};

/// For every corner, its distances to a few more important corners, its hubs, such that any two
/// corners have a hub of both on a cheapest path between them.
pub(super) struct Labels {
    /// For each corner, where its label starts; one more at the end.
    starts: Box<[u32]>,
    entries: Box<[Entry]>,
    /// For each entry, the way to the hub.
    hops: Box<[Hop]>,
    hubs: u32,
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The most important hub is 0.
    pub(super) hub: u32,
    pub(super) distance: u32,
}

/// The first corner on the way to a hub.
#[derive(Clone, Copy)]
struct Hop {
    corner: u32,
    /// That corner's entry of the same hub.
    entry: u32,
}

impl Labels {
    /// `None` when they would have more than `limit` entries.
    pub(super) fn of(
        graph: &Graph,
        limit: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<Self>, TablesError> {
        let Some(cover) = Cover::run(graph, limit, cancel)? else {
            return Ok(None);
        };
        let found = &cover.labels;
        let mut starts = Vec::with_capacity(found.len() + 1);
        let mut entries = Vec::with_capacity(cover.entry_count());
        let mut hops = Vec::with_capacity(cover.entry_count());
        let mut end = 0;
        for label in found {
            starts.push(end);
            end += label.len() as u32;
        }
        starts.push(end);
        for entry in found.iter().flatten() {
            entries.push(Entry {
                hub: entry.hub,
                distance: entry.distance,
            });
            let corner = entry.first;
            let entry = if corner == NONE {
                0
            } else {
                let label = &found[corner as usize];
                let at = label.partition_point(|other| other.hub < entry.hub);
                starts[corner as usize] + at as u32
            };
            hops.push(Hop { corner, entry });
        }
        Ok(Some(Self {
            starts: starts.into_boxed_slice(),
            entries: entries.into_boxed_slice(),
            hops: hops.into_boxed_slice(),
            hubs: found.len() as u32,
        }))
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

    /// Visits the corners on a cheapest way from a corner to one of its hubs, both included.
    #[inline]
    pub(super) fn walk(&self, corner: u32, hub: u32, mut visit: impl FnMut(u32)) {
        let label = self.label(corner);
        let at = label.partition_point(|entry| entry.hub < hub);
        let mut at = Hop {
            corner,
            entry: self.starts[corner as usize] + at as u32,
        };
        while at.corner != NONE {
            visit(at.corner);
            at = self.hops[at.entry as usize];
        }
    }

    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.entries) + size_of_val(&*self.hops)
    }
}
