//! A debug overlay for [`bevy_pursuit`]: it shows grids, paths, agents, and what the agents want.
//!
//! Add [`PursuitDebugPlugin`] after `DefaultPlugins` and `PursuitPlugins`, and press F1. [`PursuitDebugSettings`] sets
//! what is shown, where and in which colors. Alt and a digit together switch an [`OverlayCategory`] on or off. Point at
//! a cell to see why it is blocked, and click an agent to see why it does not reach its goal.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_pursuit::prelude::*;
//! use bevy_pursuit_debug::PursuitDebugPlugin;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, PursuitPlugins::default(), PursuitDebugPlugin))
//!     .run();
//! ```
//!
//! With the feature `recorder`, which is on by default, Alt+R records the searches of the picked agent and replays the
//! latest one on the ground. The book, `docs/src/overlay.md` in the repository, lists all keys.
//!
//! The overlay never writes to a navigation component, except that Alt+R adds and removes a `PathRecorder`. While the
//! overlay is off, only the system that checks its keys runs. However large the grid is, the overlay draws a limited
//! number of squares ([`PursuitDebugSettings::max_squares`]), arrows ([`MAX_ARROWS`]), agents ([`MAX_AGENTS`]), and
//! waypoints ([`MAX_WAYPOINTS`] for each path, [`MAX_ALL_WAYPOINTS`] for all paths). Cells of a grid whose `NavFrame`
//! is not `NavFrame::XY` are not drawn.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod agents;
mod blocks;
mod category;
mod detail;
mod fields;
mod gizmos;
mod grids;
mod hover;
mod inspect;
mod keys;
mod legend;
mod lines;
mod names;
mod panel;
mod pick;
mod plugin;
#[cfg(feature = "recorder")]
mod replay;
mod settings;
mod squares;
mod view;

pub use agents::{MAX_AGENTS, MAX_ALL_WAYPOINTS, MAX_WAYPOINTS};
pub use category::{OverlayCategories, OverlayCategory};
pub use fields::MAX_ARROWS;
pub use gizmos::PursuitGizmos;
pub use pick::OverlayPick;
pub use plugin::{PursuitDebugPlugin, PursuitDebugSystems};
pub use settings::{Corner, Margins, OverlayColors, PursuitDebugSettings};

#[cfg(feature = "recorder")]
pub use gizmos::{NumberGizmos, SearchGizmos};
#[cfg(feature = "recorder")]
pub use replay::{
    MAX_NUMBERED_CELLS, MAX_SEARCH_ARROWS, MAX_SEARCH_LINES, MAX_SEARCH_SQUARES, OverlayReplay,
};
