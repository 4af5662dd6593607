//! Shows what [`bevy_pursuit`] sees and wants: its grids, its paths and its agents.
//!
//! Add [`PursuitDebugPlugin`], press F1. [`PursuitDebugSettings`] says what is shown, where and in which colors. While it
//! is on, these keys count:
//!
//! | Key | [`OverlayCategory`] | Drawn as |
//! |---|---|---|
//! | F1 | | switches the overlay off |
//! | Alt+1 | `Walkable` | white squares; other grids have other hues |
//! | Alt+2 | `Blocked` | red squares |
//! | Alt+3 | `Clearance` | walkable squares from orange, beside obstacles, to blue, far from all |
//! | Alt+4 | `Regions` | walkable squares in a hue for each connected region |
//! | Alt+5 | `Velocities` | arrows, as long as the way of a third of a second |
//! | Alt+6 | `Searches` | the replay of a search: `OverlayReplay`, with the feature `recorder` |
//! | Alt+7 | `Fields` | arrows along the cheapest way to the goal of the picked agent |
//! | Alt+8 | `Paths` | orange lines ahead of agents, a diamond at the next waypoint |
//! | Alt+9 | `Areas` | squares in the areas' own colors; darker where the shown agent may not walk |
//! | Alt+0 | `Agents` | circles of their radius; the color says how they fare |
//!
//! A square is drawn once: heat map, regions, areas and walkable cells share it. Heat and regions together are a
//! hue for the region that pales near obstacles. Both cover areas, which cover walkable cells. Where grids overlap, each place shows one of them: that of
//! the picked agent, else as agents choose. Cells of a grid with another `NavFrame` than the usual one are not drawn; paths
//! and agents on it are, as seen along the z-axis.
//!
//! In the corners stand a panel of figures, a legend, and the inspector of the agent that was clicked:
//! what it wants, why it does not get there, when it plans next. Beside the pointer stands what is known of the
//! cell under it: why it is blocked, and by whom.
//!
//! # Replays
//!
//! "Why did it go there?" With the feature `recorder`, which is on by default, Alt+R records the searches of the picked
//! agent and replays the latest one on the ground: the cell that is expanded is pink, neighbors it looks at are blue,
//! cells that wait yellow, and the path runs from red to green. Zoomed in, each cell shows its costs, a straight step
//! counting 10: f at the top left, g at the bottom left, h at the bottom right, and an arrow to its parent. A replay that
//! ended stays for four seconds before a newer search takes its place.
//!
//! | Key | |
//! |---|---|
//! | Alt+R | inserts a `PathRecorder`, or removes it; with Shift one that searches by A\*, from cell to cell |
//! | Alt+P | plays and pauses; at the end it begins again |
//! | Alt+, and . | an expansion back or on |
//! | Alt+K and L | a single look back or on |
//! | the mouse, on the bar in the inspector | scrubs |
//! | Alt+\[ and \] | half or twice as fast |
//!
//! # Cost
//!
//! The overlay reads components of navigation and writes to none of them; Alt+R alone adds and removes a recorder. It runs
//! no system while it is off, except the one that looks at its keys. What it draws is bounded, however large the grid:
//! squares by [`PursuitDebugSettings::max_squares`], arrows by [`MAX_ARROWS`], and [`MAX_AGENTS`] agents, those nearest
//! to the middle of the view, with [`MAX_WAYPOINTS`] waypoints each, [`MAX_ALL_WAYPOINTS`] together. Only what the camera
//! shows is drawn; where cells would be smaller than [`PursuitDebugSettings::min_square_pixels`], squares of 2 × 2,
//! 4 × 4, … cells stand for them, tinted by the share of walkable cells. Squares are made in tasks and kept.

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
