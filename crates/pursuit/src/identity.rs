//! Numbers that identify states.

use std::sync::atomic::{AtomicU64, Ordering};

/// Returns a number above 0 that it has not returned before in this process.
pub(crate) fn next_identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
