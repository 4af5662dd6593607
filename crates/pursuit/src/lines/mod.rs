//! Jump points and straight lines: words of bits that tell for 64 cells at once where a walk stops.

pub(crate) mod boards;
pub(crate) mod dead_ends;
mod diagonal;
mod journal;
#[cfg(test)]
mod naive;
pub(crate) mod node;
mod scattered;
mod straight;
pub(crate) mod update;
pub(crate) mod walks;
