//! Jump points and straight lines: words of bits that tell for 64 cells at once where a walk stops.

pub(crate) mod boards;
pub(crate) mod dead_ends;
pub(crate) mod diagonal;
mod journal;
#[cfg(test)]
pub(crate) mod naive;
pub(crate) mod node;
mod scattered;
pub(crate) mod straight;
pub(crate) mod update;
pub(crate) mod walks;
