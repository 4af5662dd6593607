//! Shows what [`bevy_pursuit`] sees and wants: its grids, its paths and its agents.
//!
//! Add [`PursuitDebugPlugin`], press F1. [`PursuitDebugSettings`] switches each layer and holds
//! the colors.
//!
//! | Layer | Drawn as |
//! |---|---|
//! | grid | an outline |
//! | walkable cells | white squares |
//! | blocked cells | red squares |
//! | the cell a target stands in | a blue square, in a blue frame five times as wide |
//! | chunks of 16 × 16 cells or doublings of that, when zoomed out | outlines, white to red by what they hold |
//! | paths ahead | yellow lines |
//! | the waypoint ahead | a yellow diamond |
//! | agents | a circle of their radius, green with a straight way, red when failed or stuck |
//! | desired velocity | an arrow, as long as the way of a third of a second |
//!
//! The overlay reads components and writes to none of them. What it draws per frame is bounded,
//! however large the grid: at most twice [`PursuitDebugSettings::max_squares`] squares, 4,096
//! chunk outlines, and [`MAX_AGENTS`] agents with [`MAX_WAYPOINTS`] waypoints each. Only what the
//! camera shows is drawn; where cells would be smaller than
//! [`PursuitDebugSettings::min_square_pixels`], squares of 2 × 2, 4 × 4, … cells fade in for them,
//! tinted by the share of walkable cells.

mod agents;
mod cells;
mod detail;
mod gizmos;
mod mip;
mod panel;
mod plugin;
mod settings;

pub use agents::{MAX_AGENTS, MAX_WAYPOINTS};
pub use detail::{Detail, Run, View, runs};
pub use gizmos::{CoarseGizmos, FineGizmos, PursuitGizmos};
pub use mip::Mip;
pub use plugin::{PursuitDebugPlugin, PursuitDebugSystems};
pub use settings::{OverlayColors, PursuitDebugSettings};
