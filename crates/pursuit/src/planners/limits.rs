//! Searches without limits.

use std::sync::atomic::AtomicBool;

use crate::search::options::SearchLimits;

/// The limits of a search that has none but a flag.
pub(super) fn unlimited(cancel: Option<&AtomicBool>) -> SearchLimits<'_> {
    SearchLimits {
        cancel,
        ..SearchLimits::default()
    }
}
