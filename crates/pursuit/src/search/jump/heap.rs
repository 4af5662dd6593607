//! A heap of whole numbers, smallest first.

/// Children per entry.
const ARITY: usize = 4;

/// A heap that keeps the least of the latest keys at hand: most often it is taken next, and never sees
/// the heap.
#[derive(Debug)]
pub(super) struct KeyHeap {
    /// `u64::MAX` if there is none.
    held: u64,
    keys: Vec<u64>,
}

impl Default for KeyHeap {
    fn default() -> Self {
        Self {
            held: u64::MAX,
            keys: Vec::new(),
        }
    }
}

impl KeyHeap {
    pub(super) fn clear(&mut self) {
        self.held = u64::MAX;
        self.keys.clear();
    }

    /// Adds a key below `u64::MAX`.
    #[inline(always)]
    pub(super) fn push(&mut self, key: u64) {
        let later = key.max(self.held);
        self.held = key.min(self.held);
        if later != u64::MAX {
            self.sift_up(later);
        }
    }

    #[inline(never)]
    fn sift_up(&mut self, key: u64) {
        let keys = &mut self.keys;
        let mut hole = keys.len();
        keys.push(key);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if keys[parent] <= key {
                break;
            }
            keys[hole] = keys[parent];
            hole = parent;
        }
        keys[hole] = key;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<u64> {
        match self.keys.first() {
            Some(&first) if first < self.held => self.pop_first(),
            _ if self.held != u64::MAX => Some(std::mem::replace(&mut self.held, u64::MAX)),
            _ => None,
        }
    }

    #[inline]
    fn pop_first(&mut self) -> Option<u64> {
        let moved = self.keys.pop()?;
        let Some(&first) = self.keys.first() else {
            return Some(moved);
        };
        let keys = self.keys.as_mut_slice();
        let mut hole = 0;
        loop {
            let child = ARITY * hole + 1;
            let children = match keys.get(child..) {
                Some(rest) if !rest.is_empty() => &rest[..rest.len().min(ARITY)],
                _ => break,
            };
            let mut least = (child, children[0]);
            for (i, &key) in children.iter().enumerate().skip(1) {
                if key < least.1 {
                    least = (child + i, key);
                }
            }
            if moved <= least.1 {
                break;
            }
            keys[hole] = least.1;
            hole = least.0;
        }
        keys[hole] = moved;
        Some(first)
    }
}
