//! Tests of the overlay in headless apps with real bakes and paths.

mod common;
mod inspect;
mod overlay;
#[cfg(feature = "recorder")]
mod replay;
