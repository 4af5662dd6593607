//! The comparison without a window.

use std::fmt::Write as _;
use std::time::Duration;

use pursuit::{Cell, DiagonalPolicy, FindPathError, Grid, Regions, SearchScratch};

use crate::board::Board;
use crate::method::{Method, Settings};
use crate::solve::{Trip, measure};
use crate::table::{Table, in_steps};

/// All algorithms between the two ends of the map.
pub(crate) fn compare(board: &Board, settings: &Settings, table: &Table) -> String {
    format!(
        "{}, {} x {} cells, from {} to {}; {} estimate, diagonals: {}\n\n{}",
        board.name,
        board.width(),
        board.height(),
        board.start,
        board.goal,
        settings.heuristic_name(),
        settings.diagonals_name(),
        table.text()
    )
}

/// A* and Dijkstra from several start points to the goal, all of which can be reached.
///
/// # Errors
///
/// Those of the searches.
pub(crate) fn compare_starts(
    board: &Board,
    grid: &Grid,
    settings: &Settings,
    (count, seed): (usize, u64),
) -> Result<String, FindPathError> {
    let mut text = format!(
        "A* and Dijkstra to {} from {count} start points\n\n{:<16}{:>10} |{:>11}{:>10} |{:>11}{:>10} |{:>8}\n",
        board.goal, "start", "cost", "A*, us", "visited", "Dijkstra", "visited", "ratio"
    );
    let mut scratch = SearchScratch::new();
    let mut sums = [(Duration::ZERO, 0); 2];
    let starts = starts(grid, board.goal, settings.diagonals, count, seed);
    for start in &starts {
        let goal = board.goal;
        let trip = Trip {
            grid,
            start: *start,
            goal,
        };
        let a_star = measure(trip, Method::AStar, settings, &mut scratch)?;
        let dijkstra = measure(trip, Method::Dijkstra, settings, &mut scratch)?;
        for (sum, figures) in sums.iter_mut().zip([&a_star, &dijkstra]) {
            *sum = (sum.0 + figures.took, sum.1 + figures.visited);
        }
        let cost = in_steps(dijkstra.found.path.cost);
        let name = format!(
            "{start} {cost:>width$.2}",
            width = 25 - start.to_string().len()
        );
        let pair = [
            (a_star.took, a_star.visited),
            (dijkstra.took, dijkstra.visited),
        ];
        row(&mut text, &name, pair);
    }
    let mean = |(took, visited): (Duration, usize)| {
        let count = starts.len().max(1);
        (took / count as u32, visited / count)
    };
    row(&mut text, "mean", sums.map(mean));
    Ok(text)
}

fn row(text: &mut String, name: &str, [a_star, dijkstra]: [(Duration, usize); 2]) {
    let micros = |took: Duration| took.as_secs_f64() * 1e6;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{name:<26} |{:>11.1}{:>10} |{:>11.1}{:>10} |{:>8.2}",
        micros(a_star.0),
        a_star.1,
        micros(dijkstra.0),
        dijkstra.1,
        dijkstra.1 as f64 / a_star.1.max(1) as f64
    );
}

/// Cells from which the goal can be reached, drawn by lot without repeats. Fewer where there are fewer.
fn starts(
    grid: &Grid,
    goal: Cell,
    diagonals: DiagonalPolicy,
    count: usize,
    seed: u64,
) -> Vec<Cell> {
    let regions = Regions::of(grid, diagonals);
    let region = regions.region(goal);
    let cells = grid.rect().cells();
    let cells = cells.filter(|&cell| cell != goal && regions.region(cell) == region);
    fastrand::Rng::with_seed(seed).choose_multiple(cells, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_points_can_reach_the_goal_and_are_those_of_the_seed() {
        let board = Board::parse("a", "S..#....\n...#....\n..G#....\n").expect("a map");
        let grid = board.grid().expect("a grid");
        let draw = |count| starts(&grid, board.goal, DiagonalPolicy::NoCornerCut, count, 3);
        assert_eq!(draw(20).len(), 8, "as many as there are");
        assert!(draw(5).iter().all(|cell| cell.x < 3));
        assert_eq!(draw(5), draw(5));
        let text = compare_starts(&board, &grid, &Settings::default(), (5, 3));
        assert_eq!(text.expect("answers").lines().count(), 3 + 5 + 1);
    }

    #[test]
    fn all_algorithms_are_compared() {
        let board = Board::parse("a", "S..\n..G\n").expect("a map");
        let settings = Settings::default();
        let text = compare(&board, &settings, &Table::of(&board, &settings));
        assert!(
            Method::ALL
                .iter()
                .all(|method| text.contains(method.name()))
        );
    }
}
