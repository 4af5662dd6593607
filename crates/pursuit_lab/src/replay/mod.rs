//! A [`Recording`](crate::recording::Recording) played, stepped and scrubbed, without any colors.
//!
//! A [`Replay`] is a cursor between the events of a recording. It tells of each cell how it stood there: a
//! [`Mark`], g, h, f and the parent. It has a clock with a [`Pace`], and a list of the cells that
//! [changed](Replay::take_changes) since the last look, so that a drawer paints no others.
//!
//! # Complexity
//!
//! [`Replay::new`] reads the recording once and notes, for each cell, at which events it changed. Then to seek
//! costs the same wherever to: the events of one expansion are read, no others. A mark is a binary search
//! among the events that changed cells; costs and parents take a fraction of a microsecond more, for they are
//! decoded when they are asked for. The changed cells cost what lies between the two places.
//!
//! A replay takes 12 bytes for each event that changed a cell, beside the recording.

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
