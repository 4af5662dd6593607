//! The map that is drawn: walls, mud, a start and a goal.

use bevy::prelude::Resource;
use pursuit::{Cell, CellRect, DiagonalPolicy, Grid, GridError, Regions, maps, octile};
use pursuit_lab::recording::{Event, RecordedEnd, Recording};

/// The cost that stands for a wall.
pub(crate) const WALL: u8 = 0;
/// The cost of mud; plain floor costs 1.
pub(crate) const MUD: u8 = 5;
/// The cost of plain floor.
pub(crate) const FLOOR: u8 = 1;

/// Cells in rows from the top down, as text has them.
#[derive(Resource, Clone, Debug, PartialEq)]
pub(crate) struct Board {
    /// The name of the map.
    pub(crate) name: String,
    /// The start of searches. Never a wall.
    pub(crate) start: Cell,
    /// The goal of searches. Never a wall.
    pub(crate) goal: Cell,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The costs of the cells, row by row; 0 is a wall.
    costs: Vec<u8>,
}

/// A description of maps, for the message about a text that is no map.
const MAP_FORMAT: &str = "expected rows of the same width, of # for walls, . for floor, 2 to 9 for mud, S for the \
                        start and G for the goal; or a MovingAI map, whose first line is `type octile`";

impl Board {
    /// Reads ASCII or, where the first word is `type`, MovingAI text. Without `S` and `G` the ends are placed far apart
    /// on the largest floor.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, String> {
        // Files of some editors begin with a byte order mark.
        let words = text.trim_start_matches('\u{feff}').split_whitespace();
        let malformed = |error| format!("{error}; {MAP_FORMAT}");
        let (grid, marks) = if words.into_iter().next() == Some("type") {
            (maps::parse_map(text).map_err(malformed)?, Vec::new())
        } else {
            let map = maps::parse_ascii(text).map_err(malformed)?;
            (map.grid, map.marks)
        };
        check_marks(text, &grid, &marks)?;
        let ends = far_apart(&grid).ok_or("the map has no two free cells to walk between")?;
        let find = |mark| marks.iter().find(|(found, _)| *found == mark);
        let cost = |cell| {
            if grid.is_free(cell) {
                grid.cost(cell)
            } else {
                WALL
            }
        };
        Ok(Self {
            name: name.to_owned(),
            start: find('S').map_or(ends.0, |(_, cell)| *cell),
            goal: find('G').map_or(ends.1, |(_, cell)| *cell),
            width: grid.width(),
            height: grid.height(),
            costs: grid.rect().cells().map(cost).collect(),
        })
    }

    /// The board that a search saw: floor where the search was, and walls elsewhere. Terrain costs are not recorded; if
    /// the path shows that there were some, the name says so. `None` if an end lies outside of the board.
    pub(crate) fn from_events(recording: &Recording) -> Option<Self> {
        let search = recording.search();
        let name = match recording.end().is_none_or(is_plain) {
            true => "as it was seen",
            false => "as it was seen, without its mud",
        };
        let mut board = Self {
            name: name.to_owned(),
            start: search.start,
            goal: search.goal,
            width: search.width,
            height: search.height,
            costs: vec![WALL; search.width as usize * search.height as usize],
        };
        board.index(search.start).and(board.index(search.goal))?;
        let events = recording.events().flat_map(|event| match event {
            Event::Relaxed(way, _) | Event::Expanded(way) | Event::Reached(way) => {
                [Some(way.node), way.parent]
            }
            _ => [None, None],
        });
        let path = recording.end().map_or(&[][..], |end| &end.path);
        let ends = [search.start, search.goal].into_iter();
        for cell in events.flatten().chain(path.iter().copied()).chain(ends) {
            if let Some(at) = board.index(cell) {
                board.costs[at] = FLOOR;
            }
        }
        Some(board)
    }

    /// The board as a text that [`read`](Self::read) accepts. The text has no costs for the start and the goal, so both
    /// become plain floor.
    pub(crate) fn write(&self) -> String {
        let sign = |(cell, &cost): (Cell, &u8)| match cost {
            _ if cell == self.start => 'S',
            _ if cell == self.goal => 'G',
            WALL => '#',
            FLOOR => '.',
            cost => char::from(b'0' + cost.min(9)),
        };
        let signs: Vec<char> = self.rect().cells().zip(&self.costs).map(sign).collect();
        let rows = signs.chunks(self.width as usize);
        rows.flat_map(|row| row.iter().copied().chain(['\n']))
            .collect()
    }

    /// All cells.
    pub(crate) fn rect(&self) -> CellRect {
        let end = Cell::new(self.width as i32, self.height as i32);
        CellRect::new(Cell::new(0, 0), end)
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let is_inside = self.rect().contains(cell);
        is_inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }

    /// The cost of a cell. Outside of the board there are walls.
    pub(crate) fn cost(&self, cell: Cell) -> u8 {
        self.index(cell).map_or(WALL, |at| self.costs[at])
    }

    /// Whether all floor costs the same.
    pub(crate) fn has_one_cost(&self) -> bool {
        let mut floor = self.costs.iter().filter(|cost| **cost != WALL);
        let first = floor.next();
        floor.all(|cost| Some(cost) == first)
    }

    /// Draws a cell; returns whether anything changed. The start and the goal never become walls.
    pub(crate) fn draw(&mut self, cell: Cell, cost: u8) -> bool {
        let is_end = cell == self.start || cell == self.goal;
        let Some(at) = self.index(cell) else {
            return false;
        };
        if is_end && cost == WALL || self.costs[at] == cost {
            return false;
        }
        self.costs[at] = cost;
        true
    }

    /// Makes the whole board plain floor.
    pub(crate) fn clear(&mut self) {
        self.costs.fill(FLOOR);
    }

    /// The grid that searches run on.
    pub(crate) fn grid(&self) -> Result<Grid, GridError> {
        let mut builder = Grid::builder(self.width, self.height)?;
        for (cell, &cost) in self.rect().cells().zip(&self.costs) {
            match cost {
                WALL => builder.set_free(cell, false)?,
                FLOOR => {}
                cost => builder.set_cost(cell, cost)?,
            }
        }
        Ok(builder.build())
    }
}

/// Refuses a text that is no map, such as prose. The levels of a game may contain other marks, which are read as floor.
/// Unlike prose, they have walls and more than one row.
fn check_marks(text: &str, grid: &Grid, marks: &[(char, Cell)]) -> Result<(), String> {
    let is_level = grid.height() > 1 && text.contains(['#', '@']);
    let strange = marks.iter().find(|(mark, _)| !matches!(mark, 'S' | 'G'));
    match strange {
        Some((found, cell)) if !is_level => {
            let (line, column) = (cell.y + 1, cell.x + 1);
            let place = format!("line {line}, column {column}");
            Err(format!(
                "{place}: {found:?} is no kind of cell; {MAP_FORMAT}"
            ))
        }
        _ => Ok(()),
    }
}

/// Whether a path costs as much as it would cost on plain floor.
fn is_plain(end: &RecordedEnd) -> bool {
    let steps = end.path.windows(2).map(|step| octile(step[0], step[1]));
    steps.sum::<u64>() == end.cost
}

/// Two cells of the largest floor: the cells nearest to the left and the right border at half height.
fn far_apart(grid: &Grid) -> Option<(Cell, Cell)> {
    let regions = Regions::of(grid, DiagonalPolicy::NoCornerCut);
    let largest = regions.ids().max_by_key(|region| regions.size(*region))?;
    let cells = grid.rect().cells();
    let floor = cells.filter(|cell| regions.region(*cell) == Some(largest));
    let middle = grid.height() as i32 / 2;
    let off = |cell: &Cell| cell.y.abs_diff(middle) as i32;
    let start = floor.clone().min_by_key(|cell| 2 * cell.x + off(cell))?;
    let goal = floor.max_by_key(|cell| 2 * cell.x - off(cell))?;
    (start != goal).then_some((start, goal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_writes_the_text_that_it_reads() {
        let text = "S#.3\n.5#G\n";
        let board = Board::read("a", text).expect("a map");
        assert_eq!(
            (board.start, board.goal),
            (Cell::new(0, 0), Cell::new(3, 1))
        );
        assert_eq!(board.costs, [1, 0, 1, 3, 1, 5, 0, 1]);
        assert_eq!(board.write(), text);
        let board = Board::read("a", "\u{feff}type octile\nheight 1\nwidth 3\nmap\n..@\n");
        assert_eq!(board.expect("a map").costs, [1, 1, 0]);
    }

    #[test]
    fn a_board_from_a_search_over_mud_says_that_the_mud_is_missing() {
        use crate::problem::record;
        use crate::settings::{Method, Settings};
        for (text, name) in [
            ("S.#.\n...G\n", "as it was seen"),
            ("S.#.\n..3G\n", "as it was seen, without its mud"),
        ] {
            let board = Board::read("a", text).expect("a map");
            let recording = record(&board, Method::AStar, &Settings::default());
            let recording = recording.expect("an answer");
            assert_eq!(Board::from_events(&recording).expect("a board").name, name);
        }
    }

    #[test]
    fn an_invalid_map_is_refused_with_the_place_and_the_expected_characters() {
        for (text, place) in [
            ("hello\n", "line 1, column 1: 'h'"),
            ("S..G\n..0.\n", "line 2, column 3: '0'"),
            ("type\toctile\nwide 3\n", "line 2, column 1: "),
        ] {
            let refused = Board::read("a", text).expect_err(text);
            assert!(refused.starts_with(place), "{text:?}: {refused}");
            assert!(refused.contains("# for walls"), "{refused}");
        }
        assert!(Board::read("a", "##\n").is_err());
        let level = Board::read("a", "#####\n#p,l#\n#####\n").expect("a level");
        assert!(level.has_one_cost() && level.cost(Cell::new(1, 1)) == FLOOR);
    }
}
