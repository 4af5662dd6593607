//! Who wants what.

pub(crate) mod decide;
