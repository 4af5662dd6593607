//! Who wants what.

pub(crate) mod chase;
pub(crate) mod decide;
