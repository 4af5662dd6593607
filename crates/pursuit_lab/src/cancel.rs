//! A flag to give up.

use std::sync::atomic::{AtomicBool, Ordering};

use pursuit::Cancelled;

/// [`Cancelled`] once the flag is raised. Asked before each line of a road, and for each place before its routes.
pub(crate) fn check(flag: Option<&AtomicBool>) -> Result<(), Cancelled> {
    match flag {
        Some(flag) if flag.load(Ordering::Relaxed) => Err(Cancelled),
        _ => Ok(()),
    }
}
