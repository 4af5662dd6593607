//! Jump points and lines: words of bits that tell for 64 cells at once where straight walks stop, and where
//! diagonal ones branch and end.
//!
//! All pictures in here are drawn one way: bits grow to the right, and higher lines are above.

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
