//! Memory that anytime searches use again and again.

/// Lists of nodes that a search keeps beside the open one.
#[derive(Debug, Default)]
pub(in crate::search) struct AnytimeMemory {
    pub(super) closed: Vec<u32>,
    pub(super) improved: Vec<u32>,
    pub(super) frontier: Vec<u32>,
}
