//! Searches on a grid that is drawn with the mouse.

pub(crate) mod board;
mod canvas;
pub(crate) mod search;
mod strokes;
mod view;
