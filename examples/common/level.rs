//! A level read from text: which tiles are floor, and what stands where.

use bevy::prelude::*;
use pursuit::maps::{self, MapError};
use pursuit::region::Regions;
use pursuit::{Cell, DiagonalPolicy, Grid, Layout};
use thiserror::Error;

/// Walls and marks of a level whose middle lies at the world's origin.
///
/// Text runs from the top down, the world's y axis upward: row 0 of the text is the highest row of
/// cells here.
#[derive(Clone, Debug)]
pub struct Level {
    layout: Layout,
    floor: Grid,
    marks: Vec<(char, Cell)>,
}

/// Why a level cannot be played.
#[derive(Debug, Error)]
pub enum LevelError {
    /// The text is no map.
    #[error(transparent)]
    Text(#[from] MapError),
    /// No two neighboring floor tiles: nobody could walk anywhere.
    #[error("the map has no room to walk in")]
    NoFloor,
    /// The map is larger than a grid may be.
    #[error("the map is too large")]
    TooLarge,
}

impl Level {
    /// Reads ASCII or, where the first line says `type`, MovingAI text. `tile` is the side of one
    /// tile in world units.
    ///
    /// # Errors
    ///
    /// [`LevelError::Text`] with line and column where the text is malformed, and the other
    /// variants where nobody could walk on it.
    pub fn parse(text: &str, tile: f32) -> Result<Self, LevelError> {
        let (grid, marks) = if text.trim_start().starts_with("type ") {
            (maps::parse_map(text)?, Vec::new())
        } else {
            let map = maps::parse_ascii(text)?;
            (map.grid, map.marks)
        };
        let (width, height) = (grid.width(), grid.height());
        let flip = |cell: Cell| Cell::new(cell.x, height as i32 - 1 - cell.y);
        let floor = Grid::from_fn(width, height, |cell| grid.is_free(flip(cell)))
            .map_err(|_| LevelError::TooLarge)?;
        let corner = -Vec2::new(width as f32, height as f32) * tile / 2.0;
        let layout = Layout::new(corner, tile, width, height).map_err(|_| LevelError::TooLarge)?;
        let marks = marks
            .into_iter()
            .map(|(mark, cell)| (mark, flip(cell)))
            .collect();
        let level = Self {
            layout,
            floor,
            marks,
        };
        if level.main_floor().len() < 2 {
            Err(LevelError::NoFloor)
        } else {
            Ok(level)
        }
    }

    /// Where the tiles lie in the world.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The floor: free tiles are floor, all others wall.
    pub fn floor(&self) -> &Grid {
        &self.floor
    }

    /// Whether the tile is floor. Outside of the level nothing is.
    pub fn is_floor(&self, cell: Cell) -> bool {
        self.floor.is_free(cell)
    }

    /// The level's rectangle in the world.
    pub fn bounds(&self) -> Rect {
        Rect::from_corners(self.layout.min_corner(), self.layout.max_corner())
    }

    /// The tile's rectangle in the world.
    pub fn tile_rect(&self, cell: Cell) -> Rect {
        Rect::from_center_size(
            self.layout.center(cell),
            Vec2::splat(self.layout.cell_size()),
        )
    }

    /// All marks of the text: characters other than walls and plain floor.
    pub fn marks(&self) -> &[(char, Cell)] {
        &self.marks
    }

    /// World positions of the tiles that carry `mark`.
    pub fn positions(&self, mark: char) -> Vec<Vec2> {
        let marked = self.marks.iter().filter(|(found, _)| *found == mark);
        marked.map(|(_, cell)| self.layout.center(*cell)).collect()
    }

    /// Tiles of the largest connected floor, in row order.
    pub fn main_floor(&self) -> Vec<Cell> {
        let regions = Regions::of(&self.floor, DiagonalPolicy::Never);
        let largest = regions
            .ids()
            .max_by_key(|region| (regions.size(*region), std::cmp::Reverse(region.0)));
        let cells = self.floor.rect().cells();
        cells
            .filter(|cell| largest.is_some() && regions.region(*cell) == largest)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_text_is_the_top_of_the_world() {
        let level = Level::parse("P..\n###\n", 10.0).expect("a level");
        assert_eq!(level.positions('P'), [Vec2::new(-10.0, 5.0)]);
        assert!(level.is_floor(Cell::new(0, 1)) && !level.is_floor(Cell::new(0, 0)));
        assert_eq!(level.bounds(), Rect::new(-15.0, -10.0, 15.0, 10.0));
    }

    #[test]
    fn the_main_floor_is_the_largest_one() {
        let level = Level::parse("..#...\n", 1.0).expect("a level");
        let cells = [3, 4, 5].map(|x| Cell::new(x, 0));
        assert_eq!(level.main_floor(), cells);
    }

    #[test]
    fn movingai_text_is_told_by_its_first_word() {
        let text = "type octile\nheight 1\nwidth 3\nmap\n..@\n";
        let level = Level::parse(text, 1.0).expect("a level");
        assert_eq!(level.main_floor().len(), 2);
    }

    #[test]
    fn errors_name_line_and_column() {
        let text = "type octile\nheight 1\nwidth 2\nmap\n.?\n";
        let Err(LevelError::Text(error)) = Level::parse(text, 1.0) else {
            panic!("a question mark is no tile");
        };
        assert_eq!((error.line, error.column), (5, 2));
    }

    #[test]
    fn a_map_without_floor_is_refused() {
        assert!(matches!(
            Level::parse("###\n", 1.0),
            Err(LevelError::NoFloor)
        ));
    }
}
