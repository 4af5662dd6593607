//! Flow fields that agents share, for planning and for walking.
//!
//! The [`FieldCache`] has one entry for each goal to which several agents go. Searches for that goal count their work,
//! and build a field once it pays off. Hundreds of agents that chase one target walk along its field, which is then
//! kept up to date: such an entry has a [`Flow`].

mod cache;
mod flow;
mod keep;
mod key;
mod others;
mod shared;

pub(crate) use self::cache::FieldCache;
pub(crate) use self::flow::{Flow, LEAVE_CELLS, LEAVE_CELLS_PUSHED};
pub(crate) use self::keep::{any_flow, begin_fields, keep_flows};
pub(crate) use self::key::{FieldGoal, FieldKey};
pub(crate) use self::shared::{FIELD_CELLS_PER_NODE, MAX_FIELD_CELLS, Share, Toward, nodes_of};
