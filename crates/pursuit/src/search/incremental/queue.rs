//! The nodes of an incremental search that wait, by their keys.

use crate::search::quad_heap::QuadHeap;

/// Nodes by key, least first; among equals, what was put there last.
///
/// Nothing is moved or taken out: who reads an entry knows whether it still counts.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The key, then the order of pushing turned around, then the node.
    entries: QuadHeap<u128>,
    pushed: u32,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.pushed = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64, node: u32) {
        // When the count goes around, only the order among equals suffers.
        self.pushed = self.pushed.wrapping_add(1);
        let entry = u128::from(key) << 64 | u128::from(!self.pushed) << 32 | u128::from(node);
        self.entries.push(entry);
    }

    /// The first key and its node.
    #[inline]
    pub(super) fn first(&self) -> Option<(u64, u32)> {
        let entry = self.entries.first()?;
        Some(((entry >> 64) as u64, entry as u32))
    }

    /// Drops the first entry.
    #[inline]
    pub(super) fn drop_first(&mut self) {
        self.entries.pop();
    }
}
