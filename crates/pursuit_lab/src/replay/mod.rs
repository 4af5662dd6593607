//! Replays play, step and scrub a [`Recording`](crate::recording::Recording). They draw nothing themselves.
//!
//! A [`Replay`] is a cursor between the events of a recording. It gives the state of each cell at the cursor: a
//! [`Mark`], g, h, f and the parent. It has a clock with a [`Pace`]. It also lists the cells that
//! [changed](Replay::take_changes) since the previous call, so that only these cells have to be repainted.
//!
//! # Complexity
//!
//! [`Replay::new`] reads the recording once and lists, for each cell, the events at which it changed. After that, every
//! seek takes about the same time, because it reads only the events of one expansion. The mark of a cell needs a binary
//! search among the events that changed cells. Costs and parents take a fraction of a microsecond more, because they
//! are decoded on request. Listing the changed cells takes time proportional to the number of events by which the
//! cursor has moved since the previous list.
//!
//! In addition to the recording, a replay needs 12 bytes for each event that changed a cell.

mod blocks;
mod cells;
mod changes;
mod cursor;
mod histories;
mod pace;

pub use cells::{Answer, CellState, Costs, Mark};
pub use changes::Changes;
pub use cursor::Replay;
pub use pace::{Pace, PaceError, StepUnit};
