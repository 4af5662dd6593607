//! Words with one bit per cell, and operations that handle 64 cells at once.
//!
//! Bit `i` of a word is the cell `i` places farther along the line. Pictures show the lowest bit on the left,
//! so that they read like the line.

pub(crate) mod carry;
pub(crate) mod rows;
pub(crate) mod shear;
pub(crate) mod transpose;
