//! The nodes of a way, its end first.

use crate::cancel::{Cancel, Cancelled};

/// Adds a node to a trail, and asks whether to give up as a search does.
#[inline(always)]
pub(super) fn push(trail: &mut Vec<u32>, node: u32, cancel: Cancel<'_>) -> Result<(), Cancelled> {
    trail.push(node);
    cancel.check_at(trail.len() as u32)
}
