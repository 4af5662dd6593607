//! The comparisons without a window.

use std::fmt::{Display, Write as _};
use std::fs;
use std::path::Path;
use std::time::Duration;

use pursuit::{Cell, DiagonalPolicy, FindPathError, Grid, Regions, SearchScratch};
use pursuit_lab::recording::Recording;

use crate::board::Board;
use crate::cli::Options;
use crate::method::{Method, Settings};
use crate::saved;
use crate::solve::{Figures, Trip, measure};
use crate::table::{Table, in_steps};

/// What is asked for without a window, as text. Files that are asked for are saved.
///
/// # Errors
///
/// Why there is nothing to tell, or why a file cannot be saved.
pub(crate) fn report(
    options: &Options,
    board: &Board,
    recording: Option<&Recording>,
) -> Result<String, String> {
    let settings = options.settings();
    if let Some(recording) = recording {
        if options.csv.is_some() {
            return Err("--csv compares searches, and --recording tells of one".to_owned());
        }
        if options.save.is_some() {
            return Err(
                "--save makes a search, and --recording tells of one that was saved".to_owned(),
            );
        }
        return Ok(saved::summary(recording));
    }
    if let Some(path) = &options.save {
        saved::solve_and_save(path, board, options.left.into(), &settings)?;
    }
    let csv = options.csv.as_deref();
    if options.starts > 0 {
        let starts = Starts::of(board, &settings, (options.starts, options.seed))?;
        save(csv, || starts.csv())?;
        return Ok(starts.text());
    }
    let table = Table::of(board, &settings).with_tables(board, &settings);
    save(csv, || table.csv())?;
    Ok(compare(board, &settings, &table))
}

/// Saves a comparison where a file is asked for.
fn save(path: Option<&Path>, csv: impl Fn() -> String) -> Result<(), String> {
    let Some(path) = path else {
        return Ok(());
    };
    fs::write(path, csv()).map_err(|error| format!("{}: {error}", path.display()))
}

/// All algorithms between the two ends of the map.
fn compare(board: &Board, settings: &Settings, table: &Table) -> String {
    format!(
        "{}, {} x {} cells, from {} to {}; {} estimate, {} neighbors, diagonals: {}, ties: {}\n\n{}",
        board.name,
        board.width(),
        board.height(),
        board.start,
        board.goal,
        settings.heuristic_name(),
        settings.neighbors_name(),
        settings.diagonals_name(),
        settings.ties_name(),
        table.text()
    )
}

/// A* and Dijkstra from several start points to the goal, all of which can be reached.
#[derive(Clone, Debug)]
struct Starts {
    goal: Cell,
    /// Each with the figures of A*, then of Dijkstra.
    rows: Vec<(Cell, [Figures; 2])>,
}

impl Starts {
    /// Searches from so many start points, drawn by lot by a seed.
    ///
    /// # Errors
    ///
    /// Those of the searches.
    fn of(board: &Board, settings: &Settings, (count, seed): (usize, u64)) -> Result<Self, String> {
        let grid = board.grid().map_err(|error| error.to_string())?;
        let goal = board.goal;
        let mut scratch = SearchScratch::new();
        let starts = starts(&grid, goal, settings.policy(), count, seed).into_iter();
        let rows = starts.map(|start| -> Result<_, FindPathError> {
            let grid = &grid;
            let trip = Trip { grid, start, goal };
            let mut figures = |method| measure(trip, method, settings, &mut scratch);
            Ok((start, [figures(Method::AStar)?, figures(Method::Dijkstra)?]))
        });
        let rows = rows.collect::<Result<_, _>>();
        let rows = rows.map_err(|error| error.to_string())?;
        Ok(Self { goal, rows })
    }

    /// As CSV with a header. Times are in microseconds, costs in straight steps.
    fn csv(&self) -> String {
        let mut text = "start_x,start_y,cost,\
            a_star_us,a_star_expanded,a_star_visited,a_star_open,\
            dijkstra_us,dijkstra_expanded,dijkstra_visited,dijkstra_open\n"
            .to_owned();
        for (start, figures) in &self.rows {
            let cost = in_steps(figures[1].found.path.cost);
            // Writing to a string cannot fail.
            let _ = write!(text, "{},{},{cost:.3}", start.x, start.y);
            for figures in figures {
                let expanded = figures.found.stats.expanded;
                let micros = micros(figures.took);
                let (visited, open) = (figures.visited, figures.open);
                let _ = write!(text, ",{micros:.1},{expanded},{visited},{open}");
            }
            text.push('\n');
        }
        text
    }

    /// As columns for a terminal, with the means below.
    fn text(&self) -> String {
        let mut text = format!(
            "A* and Dijkstra to {} from {} start points\n\n{:<16}{:>10} |{:>11}{:>10} |{:>11}{:>10} |{:>8}\n",
            self.goal,
            self.rows.len(),
            "start",
            "cost",
            "A*, us",
            "visited",
            "Dijkstra",
            "visited",
            "ratio"
        );
        let mut sums = [(Duration::ZERO, 0); 2];
        for (start, figures) in &self.rows {
            let pair = figures.each_ref();
            let pair = pair.map(|figures| (figures.took, figures.visited));
            for (sum, (took, visited)) in sums.iter_mut().zip(pair) {
                *sum = (sum.0 + took, sum.1 + visited);
            }
            let start = start.to_string();
            let cost = in_steps(figures[1].found.path.cost);
            let width = 25_usize.saturating_sub(start.len());
            row(&mut text, format_args!("{start} {cost:>width$.2}"), pair);
        }
        let count = self.rows.len().max(1);
        let mean = |(took, visited): (Duration, usize)| (took / count as u32, visited / count);
        row(&mut text, "mean", sums.map(mean));
        text
    }
}

fn row(text: &mut String, name: impl Display, [a_star, dijkstra]: [(Duration, usize); 2]) {
    let name = name.to_string();
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

fn micros(took: Duration) -> f64 {
    took.as_secs_f64() * 1e6
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
    use clap::Parser;

    const MAP: &str = "S..#....\n...#....\n..G#....\n";

    #[test]
    fn start_points_can_reach_the_goal_and_are_those_of_the_seed() {
        let board = Board::parse("a", MAP).expect("a map");
        let grid = board.grid().expect("a grid");
        let draw = |count| starts(&grid, board.goal, DiagonalPolicy::NoCornerCut, count, 3);
        assert_eq!(draw(20).len(), 8, "as many as there are");
        assert!(draw(5).iter().all(|cell| cell.x < 3));
        assert_eq!(draw(5), draw(5));
        let starts = Starts::of(&board, &Settings::default(), (5, 3)).expect("answers");
        assert_eq!(starts.text().lines().count(), 3 + 5 + 1);
    }

    #[test]
    fn start_points_are_saved_as_csv() {
        let file = std::env::temp_dir().join(format!("search_lab-{}.csv", std::process::id()));
        let path = file.to_string_lossy();
        let arguments = ["search_lab", "--headless", "--starts", "4", "--csv", &path];
        let options = Options::try_parse_from(arguments).expect("valid");
        let board = Board::parse("a", MAP).expect("a map");
        let text = report(&options, &board, None).expect("a report");
        assert!(text.contains("from 4 start points"), "{text}");
        let csv = fs::read_to_string(&file).expect("saved");
        let _ = fs::remove_file(&file);
        assert_eq!(csv.lines().count(), 1 + 4);
        let fields = |line: &str| line.split(',').count();
        assert!(csv.lines().all(|line| fields(line) == 11), "{csv}");
    }

    #[test]
    fn a_search_that_was_saved_has_no_csv_and_is_not_saved_again() {
        let board = Board::parse("a", MAP).expect("a map");
        let grid = board.grid().expect("a grid");
        let recording = Recording::of_path(
            &grid,
            board.start,
            board.goal,
            &Settings::default().options(Method::AStar),
            &mut SearchScratch::new(),
        );
        let recording = recording.expect("a path");
        for option in ["--csv", "--save"] {
            let arguments = ["search_lab", "--headless", option, "never written"];
            let options = Options::try_parse_from(arguments).expect("valid");
            let refused = report(&options, &board, Some(&recording)).expect_err("no search");
            assert!(refused.contains(option), "{refused}");
            assert!(!Path::new("never written").exists());
        }
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
