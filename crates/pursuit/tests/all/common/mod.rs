//! Helpers that several tests share.

pub(crate) mod baked;
pub(crate) mod bare;
pub(crate) mod graph;
pub(crate) mod judge;
pub(crate) mod log;
pub(crate) mod maps;
pub(crate) mod random;
