//! Records the searches of the picked agent, and replays them on the ground.

mod bar;
mod control;
mod draw;
mod numbers;
mod overlay_replay;

pub use self::draw::{MAX_SEARCH_ARROWS, MAX_SEARCH_LINES, MAX_SEARCH_SQUARES};
pub use self::numbers::MAX_NUMBERED_CELLS;
pub use self::overlay_replay::OverlayReplay;

pub(crate) use self::bar::{drag_bar, draw_bar};
pub(crate) use self::control::{REPLAY_KEYS, ReplayReport, handle_replay_keys};
pub(crate) use self::draw::{draw_searches, size_searches};
pub(crate) use self::overlay_replay::{forget_replay, play_replays};
