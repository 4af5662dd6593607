//! Jump points and lines: words of bits that tell for 64 cells at once where straight walks stop, and where
//! diagonal walks branch and end.
//!
//! Read in this order: `straight` and `diagonal` for what the bits mean, `boards` for how they are built,
//! `walks` for how a search reads them, `search` for how it goes from one to the next, `update` for what an edit
//! does to them.
//!
//! All pictures in here are drawn one way: bits grow to the right, and higher lines are above. In a picture
//! of bits, a dot is a 0.
//!
//! # Words
//!
//! Cells and bits:
//!
//! | | |
//! |---|---|
//! | node | a cell in the coordinates of the boards: `u` along the longer side of the grid, `v` along the shorter |
//! | line | the cells of one `v`, with bits by `u` (axis 0), or the cells of one `u`, with bits by `v` (axis 1) |
//! | diagonal | the cells of one 45° line, with bits by `v`. *Rising*: `u` grows with `v`. *Falling*: `u` falls as `v` grows |
//! | word | 64 cells in a row on a line or diagonal, one bit each |
//! | line bit | the number of a node's bit among all lines of one axis. Its word is `line_bit / 64`, its bit in there `line_bit % 64` |
//! | slot | the line bit of axis 0. It serves as the number of a node |
//! | up, down | toward higher bits, toward lower bits. In pairs, `[0]` is up and `[1]` is down |
//! | side | for a straight walk: the next line is side 0, the previous line is side 1 |
//!
//! What walks meet:
//!
//! | | |
//! |---|---|
//! | walk | steps in one direction, straight or diagonal, until a step is not allowed |
//! | to reach | a walk reaches a cell if its steps lead there. The cell where it begins does not count |
//! | dead end | a free cell that lies on no path between other cells. It counts as a wall for all that follows |
//! | way out, exit | the next cell on the way out of a dead end, and the number of that direction |
//! | jump point | a cell of a straight walk beside which a wall has just ended |
//! | forced neighbor | the cell beside a jump point, around the end of that wall |
//! | branch | a cell of a diagonal walk from which a straight walk, along one part of the same direction, reaches a jump point |
//! | open, closed | of diagonal steps: allowed, not allowed |
//! | dominated | of jump points: a path that turns around the end of the wall reaches no other jump point. Exactly: [`LineWord::stops`](straight::LineWord::stops) |
//! | stop | where a straight walk ends: a wall, or a jump point that is not dominated |
//!
//! How the bits follow the grid:
//!
//! | | |
//! |---|---|
//! | layer | one array of the boards: the free cells, the words of walks in one direction, ... |
//! | build | works out all layers from the rows of a grid |
//! | update | brings the layers in line with an edit, in place |
//! | edit | the grid frees or blocks a cell |
//! | flip | a bit of a layer turns over. A *flipped* cell, forced neighbor or branch is one whose bit differs from what it was before the update |
//! | dirty word | a word of lines with a flipped cell in it or next to it. It is worked out anew |
//! | old word | a dirty word as it was before the update |
//! | recheck | decides anew whether a jump point is dominated |
//! | settle | finds the dead ends that updates left unfilled |
//! | journal | the indices of a layer that were written |
//! | catch up | copies what the journals of newer boards name |

pub(crate) mod boards;
pub(crate) mod dead_ends;
pub(crate) mod diagonal;
mod journal;
#[cfg(test)]
#[path = "tests/naive.rs"]
pub(crate) mod naive;
pub(crate) mod node;
#[cfg(test)]
#[path = "tests/pictures.rs"]
mod pictures;
mod scattered;
pub(crate) mod search;
pub(crate) mod straight;
pub(crate) mod update;
pub(crate) mod walks;
