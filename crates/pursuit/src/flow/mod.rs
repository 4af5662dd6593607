//! Integration fields: the costs of the cheapest paths from many starts to the nearest of a few goals.
//!
//! An [`IntegrationField`] is computed only as far as callers ask. A [`FlowField`] is complete and does not change, so
//! many threads can read it at the same time, and a query reads one or two entries.

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
