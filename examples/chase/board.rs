//! The level and everybody in it as text.

use bevy::math::Vec2;
use pursuit::Cell;
use pursuit_examples::level::Level;

/// Widest board, in characters; larger levels are scaled down.
const MAX_COLUMNS: u32 = 100;

/// Draws the level: `#` wall, `.` floor, `P` the player, `E` enemies. Where a character stands for
/// a block of tiles, floor wins over wall: corridors stay open.
pub(crate) fn draw(level: &Level, player: Option<Vec2>, enemies: &[Vec2]) -> String {
    let (width, height) = (level.floor().width(), level.floor().height());
    let block = width.div_ceil(MAX_COLUMNS).max(1);
    let (columns, rows) = (
        width.div_ceil(block) as usize,
        height.div_ceil(block) as usize,
    );
    let mut board = vec![vec![b'#'; columns]; rows];
    // Text runs down, the world's rows run up.
    let slot = |cell: Cell| {
        let row = (height as i32 - 1 - cell.y) as usize / block as usize;
        (row, cell.x as usize / block as usize)
    };
    for cell in level
        .floor()
        .rect()
        .cells()
        .filter(|cell| level.is_floor(*cell))
    {
        let (row, column) = slot(cell);
        board[row][column] = b'.';
    }
    let people = enemies
        .iter()
        .map(|enemy| (enemy, b'E'))
        .chain(player.iter().map(|at| (at, b'P')));
    for (position, letter) in people {
        if let Some(cell) = level.layout().cell_at(*position) {
            let (row, column) = slot(cell);
            board[row][column] = letter;
        }
    }
    let mut text = String::with_capacity((columns + 1) * rows);
    for row in board {
        text.extend(row.into_iter().map(char::from));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_on_the_board() {
        let level = Level::parse("#####\n#...#\n#.#.#\n#####\n", 10.0).expect("a level");
        let at = |x, y| level.layout().center(Cell::new(x, y));
        let board = draw(&level, Some(at(1, 2)), &[at(3, 1), at(3, 2)]);
        assert_eq!(board, "#####\n#P.E#\n#.#E#\n#####\n");
    }

    #[test]
    fn wide_levels_are_scaled_down_and_corridors_stay_open() {
        let row = |c: char| c.to_string().repeat(201);
        let text = format!("{}\n{}\n{}\n{}\n", row('#'), row('#'), row('.'), row('#'));
        let level = Level::parse(&text, 1.0).expect("a level");
        let board = draw(&level, None, &[]);
        let lines: Vec<_> = board.lines().collect();
        assert_eq!(lines, [".".repeat(67), "#".repeat(67)]);
    }

    #[test]
    fn who_left_the_level_is_not_on_the_board() {
        let level = Level::parse("..\n", 1.0).expect("a level");
        assert_eq!(draw(&level, Some(Vec2::splat(50.0)), &[Vec2::NAN]), "..\n");
    }
}
