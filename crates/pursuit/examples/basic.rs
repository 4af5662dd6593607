//! Reads a map, finds a taut path for a body that is wider than a cell, and prints both.
//!
//! `cargo run --release -p pursuit --example basic`
//!
//! ```text
//! #   a wall
//! S   the start of the body
//! G   its goal
//! *   its path
//! ```

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use pursuit::maps::parse_ascii;
use pursuit::{Cell, DiagonalPolicy, NavMap, NavScratch, steer};

const LEVEL: &str = "\
........................................
..S.............#.......................
................#.........#####.........
.....######.....#.........#...#.........
..........#.....#.........#...#.........
..........#...............#.............
....#######.....#.........#...#.........
................#.........#####.........
................#................#######
................#.......................
......#############.....................
.................................G......
........................................";

/// Radius of the body, in cells. The body needs gaps of two cells.
const RADIUS: f32 = 0.9;

fn main() -> Result<(), Box<dyn Error>> {
    let level = parse_ascii(LEVEL)?;
    let (start, goal) = level.find('S').zip(level.find('G')).ok_or("no S or no G")?;

    // Distances to walls, for bodies with a radius of up to 4 cells. One map serves all of them.
    let map = NavMap::new(&level.grid, 4.0, DiagonalPolicy::NoCornerCut);
    let mut scratch = NavScratch::new();
    let path = map.taut_path(start.center(), goal.center(), RADIUS, &mut scratch)?;

    // Walk along the path, a quarter of a cell at a time.
    let mut rows: Vec<Vec<char>> = LEVEL.lines().map(|row| row.chars().collect()).collect();
    let (mut at, mut next) = (start.center(), 1);
    while next < path.len() {
        let step = steer::advance(&path, next, at, 0.25);
        (at, next) = (at + step.offset, step.next);
        let Cell { x, y } = Cell::at(at);
        let sign = &mut rows[y as usize][x as usize];
        if *sign == '.' {
            *sign = '*';
        }
    }
    for row in rows {
        println!("{}", row.into_iter().collect::<String>());
    }
    let turns = path.len().saturating_sub(2);
    println!(
        "{:.1} cells, {turns} turns, for a body of radius {RADIUS}",
        steer::length(&path)
    );
    Ok(())
}
