//! The maps that are built in: one drawn by hand, the others grown by chance, always the same.

use std::fs;
use std::path::Path;

use fastrand::Rng;

use crate::board::Board;

/// Number of built-in maps.
pub(crate) const COUNT: usize = 5;

/// The names of the built-in maps, in the order of their keys.
pub(crate) const NAMES: [&str; COUNT] = ["mud and walls", "rooms", "maze", "caves", "open field"];

/// The built-in map of this number; they begin anew after the last one.
pub(crate) fn built_in(number: usize) -> Board {
    let number = number % COUNT;
    let text = match number {
        0 => include_str!("../../assets/levels/search_lab.txt").to_owned(),
        1 => rooms(67, 75, 9),
        2 => maze(51, 57),
        3 => caves(140, 160),
        _ => framed(40, 44, |_, _| '.'),
    };
    Board::parse(NAMES[number], &text).expect("a built-in map is valid")
}

/// Reads a map from a file.
///
/// # Errors
///
/// What is wrong with it, with the file's name.
pub(crate) fn load(path: &Path) -> Result<Board, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| named(&error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Board::parse(&name, &text).map_err(|error| named(&error))
}

/// Text of a map, cell by cell, with the start at the lower left and the goal at the upper right.
fn framed(width: usize, height: usize, mut cell: impl FnMut(usize, usize) -> char) -> String {
    let mut text = String::with_capacity((width + 1) * height);
    for y in 0..height {
        for x in 0..width {
            text.push(match (x, y) {
                _ if (x, y) == (2, height - 3) => 'S',
                _ if (x, y) == (width - 3, 2) => 'G',
                _ => cell(x, y),
            });
        }
        text.push('\n');
    }
    text
}

/// Rooms in rows and columns, with a door or two in most walls between them.
fn rooms(width: usize, height: usize, room: usize) -> String {
    let mut rng = Rng::with_seed(11);
    let side = room + 1;
    let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
    // For each room, the doors to the right and down.
    let doors: Vec<[usize; 2]> = (0..columns * rows)
        .map(|_| [rng.usize(0..room + 2), rng.usize(0..room + 2)])
        .collect();
    framed(width, height, |x, y| {
        let of = doors[y / side * columns + x / side];
        let (in_x, in_y) = (x % side, y % side);
        match (in_x == room, in_y == room) {
            (true, true) => '#',
            (true, false) if in_y.abs_diff(of[0]) > 1 => '#',
            (false, true) if in_x.abs_diff(of[1]) > 1 => '#',
            _ => '.',
        }
    })
}

/// A maze of corridors of one cell, with a few walls taken out again. Both sides are odd.
fn maze(width: usize, height: usize) -> String {
    let mut rng = Rng::with_seed(5);
    let mut open = vec![false; width * height];
    let mut stack = vec![(0, 0)];
    open[0] = true;
    while let Some(&(x, y)) = stack.last() {
        let ways = [(2, 0), (-2, 0), (0, 2), (0, -2)].into_iter();
        let ways = ways.filter_map(|(dx, dy)| {
            let (to_x, to_y) = (x + dx, y + dy);
            let is_inside = (0..width as i32).contains(&to_x) && (0..height as i32).contains(&to_y);
            let is_new = || !open[to_y as usize * width + to_x as usize];
            (is_inside && is_new()).then_some((dx, dy))
        });
        let ways: Vec<_> = ways.collect();
        let Some(&(dx, dy)) = rng.choice(&ways) else {
            stack.pop();
            continue;
        };
        for step in 1..=2 {
            let (to_x, to_y) = (x + dx / 2 * step, y + dy / 2 * step);
            open[to_y as usize * width + to_x as usize] = true;
        }
        stack.push((x + dx, y + dy));
    }
    for _ in 0..width {
        open[rng.usize(0..width * height)] = true;
    }
    let cells = |x, y| if open[y * width + x] { '.' } else { '#' };
    framed(width, height, cells)
}

/// Caves: noise that is smoothed until it holds together, with mud at the bottom of wide places.
fn caves(width: usize, height: usize) -> String {
    let mut rng = Rng::with_seed(3);
    let mut walls: Vec<bool> = (0..width * height).map(|_| rng.f32() < 0.43).collect();
    let near = |walls: &[bool], x: usize, y: usize, reach: i32| {
        let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
        let at = |(dx, dy): (i32, i32)| {
            let (x, y) = (x as i32 + dx, y as i32 + dy);
            let is_inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
            !is_inside || walls[y as usize * width + x as usize]
        };
        around.filter(|&offset| at(offset)).count()
    };
    for _ in 0..5 {
        let before = walls.clone();
        for (at, wall) in walls.iter_mut().enumerate() {
            *wall = near(&before, at % width, at / width, 1) >= 5;
        }
    }
    let corners = [(2, height - 3), (width - 3, 2)];
    let is_corner = |x: usize, y: usize| {
        let mut corners = corners.iter();
        corners.any(|corner| corner.0.abs_diff(x) <= 4 && corner.1.abs_diff(y) <= 4)
    };
    framed(width, height, |x, y| match near(&walls, x, y, 3) {
        _ if is_corner(x, y) => '.',
        _ if walls[y * width + x] => '#',
        0 => '4',
        _ => '.',
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{PathOptions, SearchScratch, find_path};

    #[test]
    fn every_built_in_map_has_a_way_from_start_to_goal() {
        for number in 0..COUNT {
            let board = built_in(number);
            let grid = board.grid().expect("a grid");
            let mut scratch = SearchScratch::new();
            let options = PathOptions::default();
            let found = find_path(&grid, board.start, board.goal, &options, &mut scratch);
            let found = found.expect("an answer");
            assert_eq!(found.outcome, pursuit::Outcome::Complete, "{}", board.name);
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = load(Path::new("no such file")).expect_err("there is none");
        assert!(error.contains("no such file"));
    }
}
