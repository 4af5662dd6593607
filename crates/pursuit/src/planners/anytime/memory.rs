//! Memory that anytime searches use again and again.

/// Lists of nodes that a search keeps beside the open one. They grow by a quarter, as that one does.
#[derive(Debug, Default)]
pub(crate) struct AnytimeMemory {
    /// What was expanded in this round; nothing once that is [many](Self::has_closed_many).
    pub(super) closed: Vec<u32>,
    /// Whether too many were expanded to list them: then a pass over all nodes takes less time, and no memory.
    pub(super) has_closed_many: bool,
    pub(super) improved: Vec<u32>,
}

/// A pass over all nodes looks at so many of them in the time that one node of a list takes.
const NODES_PER_LISTED: usize = 16;

impl AnytimeMemory {
    /// Notes a node that was expanded, of a space of `count`.
    #[inline(always)]
    pub(super) fn note_closed(&mut self, node: u32, count: usize) {
        if self.has_closed_many {
            return;
        }
        push(&mut self.closed, node);
        if self.closed.len() > count / NODES_PER_LISTED + FEW {
            self.closed = Vec::new();
            self.has_closed_many = true;
        }
    }

    /// Forgets what was expanded.
    pub(super) fn forget_closed(&mut self) {
        self.closed.clear();
        self.has_closed_many = false;
    }
}

/// Up to so many are listed in any space.
const FEW: usize = 1024;

/// Adds a node to a list.
#[inline(always)]
pub(super) fn push(list: &mut Vec<u32>, node: u32) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + LEAST_ROOM);
    }
    list.push(node);
}

/// Places that a full list gets beside a quarter more.
const LEAST_ROOM: usize = 64;
