//! Clearance, line of sight and string pulling, held against exact geometry.

mod clearance;
mod exact;
mod smooth;
mod visibility;
mod worlds;
