//! Clearance, line of sight and string pulling, held against exact geometry.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/bare.rs"]
mod bare;
mod clearance;
mod exact;
mod smooth;
mod visibility;
mod worlds;
