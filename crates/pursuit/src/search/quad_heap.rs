//! A heap with four children per entry: half as deep as one with two, and the four lie side by side.

/// Children per entry.
const ARITY: usize = 4;

/// Entries of which the least comes first. Entry `i` is not above its children, `4 · i + 1` to `4 · i + 4`.
#[derive(Debug)]
pub(super) struct QuadHeap<T> {
    entries: Vec<T>,
}

impl<T> Default for QuadHeap<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T: Copy + Ord> QuadHeap<T> {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// All of them, in no order.
    pub(super) fn as_slice(&self) -> &[T] {
        &self.entries
    }

    #[inline(always)]
    pub(super) fn first(&self) -> Option<T> {
        self.entries.first().copied()
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entry: T) {
        let entries = &mut self.entries;
        let mut hole = entries.len();
        entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if entries[parent] <= entry {
                break;
            }
            entries[hole] = entries[parent];
            hole = parent;
        }
        entries[hole] = entry;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<T> {
        let moved = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some(moved);
        };
        // The last entry takes the place of the first and sinks: it, not the removed one.
        let entries = self.entries.as_mut_slice();
        let mut hole = 0;
        loop {
            let child = ARITY * hole + 1;
            let children = match entries.get(child..) {
                Some(rest) if !rest.is_empty() => &rest[..rest.len().min(ARITY)],
                _ => break,
            };
            let mut least = (child, children[0]);
            for (i, &entry) in children.iter().enumerate().skip(1) {
                if entry < least.1 {
                    least = (child + i, entry);
                }
            }
            if moved <= least.1 {
                break;
            }
            entries[hole] = least.1;
            hole = least.0;
        }
        entries[hole] = moved;
        Some(first)
    }
}
