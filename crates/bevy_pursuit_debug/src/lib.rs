//! Shows what [`bevy_pursuit`] sees and wants: its grids, its paths and its agents.
//!
//! Add [`PursuitDebugPlugin`], press F1. [`PursuitDebugSettings`] says what is shown, and holds keys and
//! colors. While it is on, Alt and the key of a category switches that:
//!
//! | [`OverlayCategory`] | Alt + | Drawn as |
//! |---|---|---|
//! | `Walkable` | 1 | white squares; other grids have other hues |
//! | `Blocked` | 2 | red squares |
//! | `Clearance` | 3 | walkable squares from orange, beside obstacles, to blue, far from all |
//! | `Regions` | 4 | walkable squares in a hue for each connected region |
//! | `JumpPoints` | 5 | crosses, where single cells are drawn |
//! | `Edits` | 6 | outlines of tiles of 8 × 8 cells that a bake changed, fading |
//! | `Fields` | 7 | arrows: an [`OverlayField`], or that to the goal of the picked agent |
//! | `Paths` | 8 | orange lines ahead of agents, a diamond at the next waypoint |
//! | `Intents` | 9 | lines to goals and targets, arrows away from what is fled from |
//! | `Agents` | 0 | circles of their radius; the color says how they fare |
//! | `Velocities` | - | arrows, as long as the way of a third of a second |
//! | `Outlines` | = | the rims of grids, and of chunks of 16 × 16 cells or doublings of that, when zoomed out |
//! | `Targets` | ` | the cell of what is chased: a deep blue square in a frame five times as wide |
//! | `Routes` | ; | an [`OverlayRoutes`]: roads as lines, with an arrow where they are one-way, places as circles, a trip |
//! | `Searches` | \ | the replay of a search: see [`OverlayReplay`] |
//!
//! A square is drawn once: heat map, regions and walkable cells share it. Heat and regions together are a
//! hue for the region that pales near obstacles. Where grids overlap, each place shows one of them: that of
//! the picked agent, else as agents choose.
//!
//! In the corners stand a panel of figures, a legend, and the inspector of the agent that was clicked:
//! what it wants, why it does not get there, when it plans next. Beside the pointer stands what is known of the
//! cell under it: why it is blocked, and by whom.
//!
//! "Why did it go there?" With an agent picked, Alt+R records its searches and replays the latest one on the
//! ground: the cell that is expanded is pink, neighbors it looks at are blue, those that wait yellow, and the
//! path runs from red to green. Zoomed in, each cell tells its costs, a straight step counting 10: f at the top left,
//! g at the bottom left, h at the bottom right, and an arrow to its parent. Alt with P plays and pauses, `,` and `.`
//! step by an expansion, `K` and `L` by a single look, `N` and `M` scrub while they are held, as does the mouse on the bar
//! in the inspector, `[` and `]` change the speed ([`ReplayKeys`]). Shift+Alt+R records searches by A\*, from cell to cell. A replay that ended stays for four seconds
//! before a newer search takes its place.
//!
//! The overlay reads components and writes to none of them, but for the recorder that Alt+R asks for. It runs
//! no system while it is off, but for the one that looks at its keys. What it draws per frame is bounded,
//! however large the grid: squares by [`PursuitDebugSettings::max_squares`], of which it looks at 4,096 anew;
//! 4,096 chunk outlines and as many jump points of a grid; [`MAX_ARROWS`], [`MAX_FLASHES`], [`MAX_TARGETS`],
//! [`MAX_ROAD_POINTS`]; [`MAX_SEARCH_SQUARES`], [`MAX_SEARCH_LINES`], [`MAX_SEARCH_ARROWS`] and
//! [`MAX_NUMBERED_CELLS`]; and
//! [`MAX_AGENTS`] agents, those nearest to the middle of the view, with [`MAX_WAYPOINTS`] waypoints each,
//! [`MAX_ALL_WAYPOINTS`] together. Only what the camera shows is drawn;
//! where cells would be smaller than [`PursuitDebugSettings::min_square_pixels`], squares of 2 × 2, 4 × 4, …
//! cells fade in for them, tinted by the share of walkable cells. What takes milliseconds is done in tasks.

mod agents;
mod blocks;
mod category;
mod cells;
mod detail;
mod edits;
mod fields;
mod gizmos;
mod grids;
mod hover;
mod inspect;
mod keys;
mod legend;
mod lines;
mod mip;
mod names;
mod numbers;
mod panel;
mod pick;
mod plugin;
mod replay_control;
mod replay_keys;
mod replays;
mod routes;
mod scrub;
mod searches;
mod settings;
mod spark;
mod strokes;
mod tint;
mod view;

pub use agents::{MAX_AGENTS, MAX_ALL_WAYPOINTS, MAX_WAYPOINTS};
pub use category::{CategoryKeys, OverlayCategories, OverlayCategory, OverlayModifier};
pub use cells::MAX_TARGETS;
pub use detail::{Detail, Run, View, runs};
pub use edits::MAX_FLASHES;
pub use fields::{MAX_ARROWS, OverlayField};
pub use gizmos::{CoarseGizmos, FineGizmos, NumberGizmos, PursuitGizmos, SearchGizmos};
pub use mip::Mip;
pub use numbers::MAX_NUMBERED_CELLS;
pub use pick::OverlayPick;
pub use plugin::{PursuitDebugPlugin, PursuitDebugSystems};
pub use replay_keys::ReplayKeys;
pub use replays::OverlayReplay;
pub use routes::{MAX_ROAD_POINTS, OverlayRoutes};
pub use searches::{MAX_SEARCH_ARROWS, MAX_SEARCH_LINES, MAX_SEARCH_SQUARES};
pub use settings::{Corner, Margins, OverlayColors, PursuitDebugSettings};
