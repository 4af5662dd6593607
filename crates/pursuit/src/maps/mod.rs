//! Grids as text: the `.map` and `.scen` files of the MovingAI benchmarks (N. Sturtevant,
//! "Benchmarks for Grid-Based Pathfinding", IEEE TCIAIG 4(2), 2012), and small ASCII boards.
//!
//! Row 0 of a grid is the first row of the text, so `y` grows downward in the text. Lines end with LF or CRLF. The last
//! line may have no line end. Blank lines at the end are ignored. For bad input, every reader returns a [`MapError`]
//! with the line and the column of the mistake. No reader panics, and none allocates more memory than the size of the
//! text justifies.

mod ascii;
mod error;
mod lines;
mod movingai;
mod scenario;

pub use ascii::{AsciiMap, parse_ascii, write_ascii};
pub use error::{MapError, MapErrorKind};
pub use movingai::{parse_map, write_map};
pub use scenario::{Scenario, parse_scenarios, write_scenarios};
