//! How long work is told that nobody wants it any more.

use std::sync::atomic::{AtomicBool, Ordering};

/// The cancel flag was raised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cancelled;

/// [`Cancelled`] once the flag is raised.
pub(crate) fn check(flag: Option<&AtomicBool>) -> Result<(), Cancelled> {
    match flag {
        Some(flag) if flag.load(Ordering::Relaxed) => Err(Cancelled),
        _ => Ok(()),
    }
}
