//! The map on the table: walls, mud, a start and a goal, all of which can be drawn.

use bevy::prelude::Resource;
use pursuit::maps::{self, MapError};
use pursuit::{Cell, CellRect, DiagonalPolicy, Grid, GridError, Regions};
use thiserror::Error;

/// What a wall costs: nobody pays it.
const WALL: u8 = 0;
/// What crossing mud costs, compared with plain floor.
pub(crate) const MUD: u8 = 5;

/// What can be drawn into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brush {
    /// Nobody walks there.
    Wall,
    /// Costs [`MUD`].
    Mud,
    /// Plain floor.
    Floor,
}

impl Brush {
    fn cost(self) -> u8 {
        match self {
            Self::Wall => WALL,
            Self::Mud => MUD,
            Self::Floor => 1,
        }
    }
}

/// Cells in rows from the top down, as text has them.
#[derive(Resource, Clone, Debug, PartialEq)]
pub(crate) struct Board {
    /// What to call it.
    pub(crate) name: String,
    /// Where searches begin. Never a wall.
    pub(crate) start: Cell,
    /// Where they are to end. Never a wall.
    pub(crate) goal: Cell,
    width: u32,
    height: u32,
    costs: Vec<u8>,
}

/// What a map looks like, for those whose text is none.
const EXPECTED: &str = "expected rows of the same width, of # for walls, . for floor, 2 to 9 for mud, S for the \
                        start and G for the goal; or a MovingAI map, whose first line is `type octile`";

/// Why a text is no map for the laboratory.
#[derive(Debug, Error)]
pub(crate) enum BoardError {
    /// It is malformed.
    #[error("{0}; {EXPECTED}")]
    Text(#[from] MapError),
    /// It has the shape of a map and stands for none.
    #[error("line {line}, column {column}: {found:?} is no kind of cell; {EXPECTED}")]
    NoMap {
        /// Line of the first sign that is none of a map, the first being 1.
        line: i32,
        /// Its column, the first being 1.
        column: i32,
        /// The sign.
        found: char,
    },
    /// Nobody could walk on it.
    #[error("the map has no two free cells to walk between")]
    NoFloor,
}

impl Board {
    /// Reads ASCII or, where the first word is `type`, MovingAI text. `S` and `G` are start and goal;
    /// without them they are put far apart on the largest floor.
    ///
    /// # Errors
    ///
    /// Where the text is malformed, is no map or has no floor.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, BoardError> {
        // Files of some editors begin with a byte order mark.
        let first = text
            .trim_start_matches('\u{feff}')
            .split_whitespace()
            .next();
        let (grid, marks) = if first == Some("type") {
            (maps::parse_map(text)?, Vec::new())
        } else {
            let map = maps::parse_ascii(text)?;
            (map.grid, map.marks)
        };
        check_marks(text, &grid, &marks)?;
        let cost = |cell| {
            if grid.is_free(cell) {
                grid.cost(cell)
            } else {
                WALL
            }
        };
        let (start, goal) = far_apart(&grid).ok_or(BoardError::NoFloor)?;
        let find = |mark| marks.iter().find(|(found, _)| *found == mark);
        Ok(Self {
            name: name.to_owned(),
            start: find('S').map_or(start, |(_, cell)| *cell),
            goal: find('G').map_or(goal, |(_, cell)| *cell),
            width: grid.width(),
            height: grid.height(),
            costs: grid.rect().cells().map(cost).collect(),
        })
    }

    /// A board of walls but for some cells and the two ends. `None` if that has an end outside.
    pub(crate) fn of_floor(
        (width, height): (u32, u32),
        (start, goal): (Cell, Cell),
        floor: impl Iterator<Item = Cell>,
    ) -> Option<Self> {
        let mut board = Self {
            name: "as it was seen".to_owned(),
            start,
            goal,
            width,
            height,
            costs: vec![WALL; width as usize * height as usize],
        };
        board.index(start).and(board.index(goal))?;
        for cell in floor.chain([start, goal]) {
            if let Some(at) = board.index(cell) {
                board.costs[at] = 1;
            }
        }
        Some(board)
    }

    /// The board as [`parse`](Self::parse) reads it. Under its two ends it is plain floor.
    pub(crate) fn text(&self) -> String {
        let row = |row: &[u8]| -> String {
            let signs = row.iter().map(|&cost| match cost {
                WALL => '#',
                1 => '.',
                cost => char::from(b'0' + cost.min(9)),
            });
            signs.chain(['\n']).collect()
        };
        let mut text: String = self.costs.chunks(self.width as usize).map(row).collect();
        for (end, sign) in [(self.start, "S"), (self.goal, "G")] {
            let at = end.y as usize * (self.width as usize + 1) + end.x as usize;
            if text.is_char_boundary(at) && at < text.len() {
                text.replace_range(at..=at, sign);
            }
        }
        text
    }

    /// Columns.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// All cells.
    pub(crate) fn rect(&self) -> CellRect {
        let end = Cell::new(self.width as i32, self.height as i32);
        CellRect::new(Cell::new(0, 0), end)
    }

    /// The place of a cell in rows; `None` outside.
    pub(crate) fn index(&self, cell: Cell) -> Option<usize> {
        let is_inside = self.rect().contains(cell);
        is_inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }

    /// What the cells cost, row by row; 0 is a wall.
    pub(crate) fn costs(&self) -> &[u8] {
        &self.costs
    }

    /// Whether all floor costs the same.
    pub(crate) fn is_even(&self) -> bool {
        let mut floor = self.costs.iter().filter(|cost| **cost != WALL);
        let first = floor.next();
        floor.all(|cost| Some(cost) == first)
    }

    /// Whether the cell is inside and no wall.
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|at| self.costs[at] != WALL)
    }

    /// Draws into a cell. Start and goal are never walled in. Returns whether anything changed.
    pub(crate) fn draw(&mut self, cell: Cell, brush: Brush) -> bool {
        let is_end = cell == self.start || cell == self.goal;
        let Some(at) = self.index(cell) else {
            return false;
        };
        if is_end && brush == Brush::Wall || self.costs[at] == brush.cost() {
            return false;
        }
        self.costs[at] = brush.cost();
        true
    }

    /// Makes all of it plain floor.
    pub(crate) fn clear(&mut self) {
        self.costs.fill(1);
    }

    /// The grid that searches run on.
    ///
    /// # Errors
    ///
    /// Never, as long as the board came from a grid.
    pub(crate) fn grid(&self) -> Result<Grid, GridError> {
        let mut builder = Grid::builder(self.width, self.height)?;
        for (cell, &cost) in self.rect().cells().zip(&self.costs) {
            match cost {
                WALL => builder.set_free(cell, false)?,
                1 => {}
                cost => builder.set_cost(cell, cost)?,
            }
        }
        Ok(builder.build())
    }
}

/// Refuses words. Levels of games mark cells by signs of their own, which are floor here; but these have walls, and
/// more rows than one.
fn check_marks(text: &str, grid: &Grid, marks: &[(char, Cell)]) -> Result<(), BoardError> {
    let is_level = grid.height() > 1 && text.contains(['#', '@']);
    let strange = marks.iter().find(|(mark, _)| !matches!(mark, 'S' | 'G'));
    match strange {
        Some((found, cell)) if !is_level => Err(BoardError::NoMap {
            line: cell.y + 1,
            column: cell.x + 1,
            found: *found,
        }),
        _ => Ok(()),
    }
}

/// Two cells of the largest floor: those nearest to the left and the right border at half height.
fn far_apart(grid: &Grid) -> Option<(Cell, Cell)> {
    let regions = Regions::of(grid, DiagonalPolicy::NoCornerCut);
    let largest = regions.ids().max_by_key(|region| regions.size(*region))?;
    let floor = || {
        let cells = grid.rect().cells();
        cells.filter(|cell| regions.region(*cell) == Some(largest))
    };
    let middle = grid.height() as i32 / 2;
    let lean = |cell: &Cell| 2 * cell.x.abs_diff(0) + cell.y.abs_diff(middle);
    let right = |cell: &Cell| 2 * cell.x - cell.y.abs_diff(middle) as i32;
    let (start, goal) = (floor().min_by_key(lean)?, floor().max_by_key(right)?);
    (start != goal).then_some((start, goal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_digits_are_read() {
        let board = Board::parse("a", "S#.\n.5G\n").expect("a map");
        assert_eq!(
            (board.start, board.goal),
            (Cell::new(0, 0), Cell::new(2, 1))
        );
        assert_eq!(board.costs(), [1, 0, 1, 1, 5, 1]);
        assert!(!board.is_free(Cell::new(1, 0)) && !board.is_free(Cell::new(3, 0)));
    }

    #[test]
    fn without_marks_the_ends_are_far_apart_on_the_largest_floor() {
        let board = Board::parse("a", ".#....\n.#....\n.#....\n").expect("a map");
        assert_eq!(
            (board.start, board.goal),
            (Cell::new(2, 1), Cell::new(5, 1))
        );
    }

    #[test]
    fn a_map_of_walls_is_refused() {
        assert!(matches!(
            Board::parse("a", "##\n"),
            Err(BoardError::NoFloor)
        ));
    }

    #[test]
    fn a_text_that_is_no_map_is_refused_with_what_is_expected_and_where() {
        for (text, place) in [
            ("hello\n", "line 1, column 1: 'h'"),
            ("Gone\nSofa\n", "line 1, column 2: 'o'"),
            ("# A title\n", "line 1, column 3: 'A'"),
            ("A title.\n\nAnd words.\n", "line 2, column 1: "),
            ("", "line 1, column 1: "),
            ("S..G\n..0.\n", "line 2, column 3: '0'"),
            ("type writer\n", "line 1, column 6: "),
            ("type\toctile\nwide 3\n", "line 2, column 1: "),
        ] {
            let refused = Board::parse("a", text).expect_err(text).to_string();
            assert!(refused.starts_with(place), "{text:?}: {refused}");
            assert!(refused.contains("# for walls"), "{refused}");
            assert!(refused.contains("type octile"), "{refused}");
        }
    }

    #[test]
    fn levels_of_games_are_maps_and_so_are_files_with_a_byte_order_mark() {
        let level = Board::parse("a", "#####\n#p,l#\n#####\n").expect("a level");
        assert!(level.is_free(Cell::new(1, 1)) && level.is_even());
        let map = "\u{feff}type octile\nheight 1\nwidth 3\nmap\n..@\n";
        let board = Board::parse("a", map).expect("a map");
        assert_eq!(board.costs(), [1, 1, 0]);
    }

    #[test]
    fn a_text_is_read_as_it_was_written() {
        let text = "S#.3\n.5#G\n";
        let board = Board::parse("a", text).expect("a map");
        assert_eq!(board.text(), text);
    }

    #[test]
    fn nothing_walls_in_the_ends() {
        let mut board = Board::parse("a", "S..G\n").expect("a map");
        assert!(!board.draw(board.start, Brush::Wall));
        assert!(board.draw(board.start, Brush::Mud));
        assert!(board.draw(Cell::new(1, 0), Brush::Wall));
        assert!(!board.draw(Cell::new(9, 0), Brush::Wall));
        assert!(!board.is_even());
        let grid = board.grid().expect("a grid");
        assert!(!grid.is_free(Cell::new(1, 0)));
        assert_eq!(grid.cost(board.start), MUD);
    }
}
