//! Words with one bit per cell, and operations on 64 cells at a time.
//!
//! Bit `i` of a word is the cell that comes `i` cells after the first one, along the line. Pictures show the lowest bit
//! on the left, so that they read like the line.

pub(crate) mod carry;
pub(crate) mod rows;
pub(crate) mod shear;
pub(crate) mod transpose;
