//! Clearance, line of sight and string pulling, checked against exact geometry.

mod clearance;
mod exact;
mod smooth;
mod visibility;
mod worlds;
