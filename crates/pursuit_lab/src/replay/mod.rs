//! Replays: a [`Recording`](crate::recording::Recording) is played, stepped and scrubbed, without any drawing.
//!
//! A [`Replay`] is a cursor between the events of a recording. It gives the state of each cell at the cursor: a
//! [`Mark`], g, h, f and the parent. It has a clock with a [`Pace`], and a list of the cells that
//! [changed](Replay::take_changes) since the last look, so that only these have to be painted.
//!
//! # Complexity
//!
//! [`Replay::new`] reads the recording once and lists, for each cell, the events at which it changed. After that, every
//! seek costs equally much: it reads only the events of one expansion. A mark is a binary search among the events that
//! changed cells. Costs and parents take a fraction of a microsecond more, because they are decoded on request. The
//! cost of the changed cells is proportional to the events between the two places.
//!
//! A replay takes 12 bytes for each event that changed a cell, in addition to the recording.

mod cells;
mod changes;
mod checkpoints;
mod cursor;
mod histories;
mod pace;

pub use cells::{Answer, CellState, Costs, Mark};
pub use changes::Changes;
pub use cursor::Replay;
pub use pace::{Pace, PaceError, StepUnit};
