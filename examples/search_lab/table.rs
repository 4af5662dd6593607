//! All algorithms on one map, side by side as text and as CSV.

use std::fmt::Write as _;

use bevy::prelude::Resource;
use pursuit::{STRAIGHT, SearchScratch};

use crate::board::Board;
use crate::method::{Method, Settings, substitute};
use crate::solve::{Figures, Trip, measure};

/// A row for each algorithm.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Table(pub(crate) Vec<Row>);

/// What an algorithm came to.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Which one.
    pub(crate) method: Method,
    /// Its figures.
    pub(crate) figures: Figures,
    /// What it did in place of what was chosen, if that does not work here.
    pub(crate) substitute: Option<&'static str>,
}

impl Row {
    /// Time in microseconds.
    pub(crate) fn micros(&self) -> f64 {
        self.figures.took.as_secs_f64() * 1e6
    }

    /// Cost of the path, in straight steps.
    pub(crate) fn cost(&self) -> f64 {
        in_steps(self.figures.found.path.cost)
    }

    /// How many times the cheapest cost it may be, or that nobody knows.
    pub(crate) fn bound(&self) -> String {
        bound_text(self.figures.found.bound)
    }
}

/// A bound, or that nobody knows one.
pub(crate) fn bound_text(bound: f64) -> String {
    if bound.is_finite() {
        format!("{bound:.2}")
    } else {
        "none".to_owned()
    }
}

/// A cost of the core in straight steps.
pub(crate) fn in_steps(cost: u64) -> f64 {
    cost as f64 / f64::from(STRAIGHT)
}

impl Table {
    /// Runs all of them. Those that refuse the question are left out.
    pub(crate) fn of(board: &Board, settings: &Settings) -> Self {
        let Ok(grid) = board.grid() else {
            return Self::default();
        };
        let trip = Trip {
            grid: &grid,
            start: board.start,
            goal: board.goal,
        };
        let mut scratch = SearchScratch::new();
        let rows = Method::ALL.into_iter().filter_map(|method| {
            let figures = measure(trip, method, settings, &mut scratch).ok()?;
            Some(Row {
                method,
                figures,
                substitute: substitute(method, settings, board.is_even()),
            })
        });
        Self(rows.collect())
    }

    /// As CSV with a header. Times are in microseconds, costs in straight steps.
    pub(crate) fn csv(&self) -> String {
        let mut text =
            "algorithm,time_us,expanded,pushed,visited,open,cost,bound,complete,note\n".to_owned();
        for row in &self.0 {
            let Figures { found, .. } = &row.figures;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{:.1},{},{},{},{},{:.3},{},{},{}",
                row.method.name(),
                row.micros(),
                found.stats.expanded,
                found.stats.pushed,
                row.figures.visited,
                row.figures.open,
                row.cost(),
                found.bound,
                row.figures.is_complete(),
                row.substitute.unwrap_or_default(),
            );
        }
        text
    }

    /// As columns for a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{:<18}{:>11}{:>10}{:>10}{:>11}{:>8}\n",
            "", "time, us", "visited", "open", "cost", "bound"
        );
        for row in &self.0 {
            let unreached = (!row.figures.is_complete()).then_some("goal not reached");
            let notes = unreached.into_iter().chain(row.substitute);
            let notes: String = notes.map(|note| format!("  {note}")).collect();
            let _ = writeln!(
                text,
                "{:<18}{:>11.1}{:>10}{:>10}{:>11.2}{:>8}{notes}",
                row.method.name(),
                row.micros(),
                row.figures.visited,
                row.figures.open,
                row.cost(),
                row.bound(),
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_a_row_and_the_exact_ones_agree() {
        let board = Board::parse("a", "S...\n.##.\n...G\n").expect("a map");
        let table = Table::of(&board, &Settings::default());
        assert_eq!(table.0.len(), Method::ALL.len());
        let guess = [Method::Greedy, Method::Weighted];
        let mut costs = table.0.iter().filter(|row| !guess.contains(&row.method));
        assert!(costs.all(|row| row.cost() == 5.0 && row.bound() == "1.00"));
        assert_eq!(table.csv().lines().count(), Method::ALL.len() + 1);
        let fields = |line: &str| line.split(',').count();
        assert!(table.csv().lines().all(|line| fields(line) == 10));
        assert!(!table.text().contains("as A*"), "{}", table.text());
    }

    #[test]
    fn jump_points_that_do_not_work_on_mud_say_so_in_their_row() {
        let board = Board::parse("a", "S...\n.55.\n...G\n").expect("a map");
        let table = Table::of(&board, &Settings::default());
        for text in [table.text(), table.csv()] {
            let told: Vec<_> = text
                .lines()
                .filter(|row| row.ends_with("not on mud: as A*"))
                .collect();
            assert!(
                told.len() == 1 && told[0].starts_with("Jump points"),
                "{text}"
            );
        }
        assert!(table.csv().lines().all(|row| row.split(',').count() == 10));
    }
}
