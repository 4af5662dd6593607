//! Numbers that identify states.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number above 0 that this process has not used before.
pub(crate) fn next_identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
