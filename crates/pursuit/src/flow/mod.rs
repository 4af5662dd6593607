//! Few goals, many starts: the costs of the cheapest ways to the nearest goal, found once for all.
//!
//! An [`IntegrationField`] is built, as far as it is asked. A [`FlowField`] is a whole one that rests: many read it at
//! once, and each question takes it a load or two.

mod canonical;
mod directions;
mod field;
mod flow_field;
mod plain;
mod sight;
mod table;
mod wave;

pub use field::{FieldBounds, FieldError, IntegrationField, Taken};
pub use flow_field::FlowField;
