//! What an incremental search knows of each node.

/// A cost that no path has: there is none, or none is known.
pub(super) const INFINITE: u64 = u64::MAX;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// What is known of a node. Distances are those from the root of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Its distance when it was last expanded.
    pub(super) g: u64,
    /// The least distance that follows from the g of those around it.
    pub(super) rhs: u64,
    /// The key of its entry in the queue that counts; [`INFINITE`] for none. Never above its own key.
    pub(super) queued: u64,
    /// The node that `rhs` comes from; [`NONE`] for the root and where there is no way.
    pub(super) parent: u32,
}

impl Known {
    pub(super) const NOTHING: Self = Self {
        g: INFINITE,
        rhs: INFINITE,
        queued: INFINITE,
        parent: NONE,
    };

    pub(super) fn is_consistent(&self) -> bool {
        self.g == self.rhs
    }
}

/// What is known of all nodes, in 32 bytes for each.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// g, rhs, queued, and the parent above the stamp of the search that wrote it. Plain numbers: fresh pages of
    /// zeros cost nothing until they are touched.
    words: Vec<[u64; 4]>,
    stamp: u32,
    count: u32,
}

impl Nodes {
    /// Forgets all nodes and makes room for `count`.
    pub(super) fn start(&mut self, count: u32) {
        let is_worn_out = self.stamp == u32::MAX;
        if self.words.len() < count as usize || is_worn_out {
            self.words = vec![[0; 4]; count as usize];
            self.stamp = 0;
        }
        self.stamp += 1;
        self.count = count;
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    pub(super) fn get(&self, node: u32) -> Known {
        match self.words.get(node as usize) {
            Some(&[g, rhs, queued, last]) if last as u32 == self.stamp => Known {
                g,
                rhs,
                queued,
                parent: (last >> 32) as u32,
            },
            _ => Known::NOTHING,
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, node: u32, known: Known) {
        if let Some(words) = self.words.get_mut(node as usize) {
            let last = u64::from(known.parent) << 32 | u64::from(self.stamp);
            *words = [known.g, known.rhs, known.queued, last];
        }
    }

    /// The least distance of a node that is known, and [`INFINITE`] for others.
    #[inline(always)]
    pub(super) fn g(&self, node: u32) -> u64 {
        match self.words.get(node as usize) {
            Some(&[g, _, _, last]) if last as u32 == self.stamp => g,
            _ => INFINITE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_until_the_next_start() {
        let mut nodes = Nodes::default();
        nodes.start(3);
        let known = Known {
            g: 7,
            rhs: 9,
            queued: INFINITE,
            parent: 2,
        };
        nodes.set(1, known);
        nodes.set(3, known);
        assert_eq!(nodes.get(1), known);
        assert_eq!(
            (nodes.g(1), nodes.g(0), nodes.g(3)),
            (7, INFINITE, INFINITE)
        );
        nodes.start(2);
        assert_eq!(nodes.get(1), Known::NOTHING);
        assert_eq!(nodes.count(), 2);
        nodes.set(1, known);
        nodes.stamp = u32::MAX;
        nodes.start(2);
        assert_eq!(nodes.get(1), Known::NOTHING, "stamps that wrap around");
    }
}
