//! Integration fields: the costs of the cheapest paths from many starts to the nearest of a few goals.
//!
//! An [`IntegrationField`] is built only as far as questions need it. A [`FlowField`] is finished and does
//! not change: many threads read it at once, and each question takes a load or two.

mod canonical;
mod directions;
mod field;
mod flow_field;
mod plain;
mod sight;
mod table;
mod wave;

pub use field::{FieldBounds, FieldError, IntegrationField, Occupancy};
pub use flow_field::FlowField;
