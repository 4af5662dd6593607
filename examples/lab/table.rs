//! The comparisons of algorithms, as rows of text for a terminal, a file or the panel.

use std::time::Duration;

use bevy::prelude::Resource;
use pursuit::{Cell, Outcome};
use pursuit_lab::recording::{Change, Event, RecordedSearch, Recording};

use super::cli::Options;
use super::problem::{Problem, record};
use super::saved;
use super::settings::Settings;

/// A header and its rows. Times are in microseconds, costs in straight steps.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Table(pub(crate) Vec<Vec<String>>);

const HEADER: &str =
    "algorithm,time_us,expanded,pushed,visited,open,cost,bound,complete,bake_us,note";

/// A bound as text; `none` if it is infinite.
pub(crate) fn bound_text(bound: f64) -> String {
    match bound.is_finite() {
        true => format!("{bound:.2}"),
        false => "none".to_owned(),
    }
}

/// A cost of the core in straight steps.
pub(crate) fn in_steps(cost: u64, straight: u32) -> f64 {
    cost as f64 / f64::from(straight)
}

impl Table {
    /// Runs all algorithms.
    pub(crate) fn of<P: Problem>(problem: &P, settings: &Settings) -> Self {
        Self::of_all(problem, vec![(String::new(), *settings)])
    }

    /// Runs all algorithms in every variant of the settings.
    pub(crate) fn of_variants<P: Problem>(problem: &P, settings: &Settings) -> Self {
        Self::of_all(problem, P::variants(settings))
    }

    fn of_all<P: Problem>(problem: &P, variants: Vec<(String, Settings)>) -> Self {
        let mut table = Self(vec![HEADER.split(',').map(str::to_owned).collect()]);
        for (prefix, settings) in variants {
            for &method in P::METHODS {
                let name = prefix.clone() + method.name_and_idea()[0];
                let recording = record(problem, method, &settings);
                let note = problem.substitute(method, &settings);
                table.add::<P>(&name, recording, note.unwrap_or(""), None);
            }
        }
        table
    }

    /// Adds a row for answers from tables, if tables can be baked.
    pub(crate) fn with_tables<P: Problem>(mut self, problem: &P, settings: &Settings) -> Self {
        if let Some((recording, bake)) = problem.tables(settings) {
            self.add::<P>("Tables", Ok(recording), "", Some(bake));
        }
        self
    }

    fn add<P: Problem>(
        &mut self,
        name: &str,
        recording: Result<Recording, String>,
        note: &str,
        bake: Option<Duration>,
    ) {
        let figures = recording.and_then(|recording| figures::<P>(&recording));
        let (figures, note) = match figures {
            Ok(figures) => (figures, note.to_owned()),
            Err(error) => (Default::default(), error.replace(',', ";")),
        };
        let bake = bake.map(micros).unwrap_or_default();
        let row = [name.to_owned()].into_iter().chain(figures);
        self.0.push(row.chain([bake, note]).collect());
    }

    /// The table as CSV.
    pub(crate) fn csv(&self) -> String {
        let lines = self.0.iter().map(|row| row.join(",") + "\n");
        lines.collect()
    }

    /// The table as columns for a terminal.
    pub(crate) fn text(&self) -> String {
        let columns = self.0.first().map_or(0, Vec::len);
        let width = |column: usize| self.0.iter().map(|row| row[column].len()).max();
        let widths: Vec<usize> = (0..columns).filter_map(width).collect();
        let line = |row: &Vec<String>| {
            let mut cells = row.iter().zip(&widths);
            let first = cells.next().map(|(cell, width)| format!("{cell:<width$}"));
            let others = cells.map(|(cell, width)| format!("  {cell:>width$}"));
            let line: String = first.into_iter().chain(others).collect();
            format!("{}\n", line.trim_end())
        };
        self.0.iter().map(line).collect()
    }

    /// Some columns of the table, which fit the panel.
    pub(crate) fn panel_text(&self) -> String {
        let header = ["", "us", "seen", "open", "cost", "bound"].map(str::to_owned);
        let rows = self.0.iter().skip(1).map(|row| {
            let name = row[0].split_once(' ').filter(|_| row[0].len() > 8);
            let name = name.map_or(&*row[0], |(first, _)| first);
            let cost = match row[8] == "true" {
                true => short_count(&row[6]),
                false => "none".to_owned(),
            };
            let bound = row[7].get(..4).unwrap_or(&row[7]).to_owned();
            let [us, seen, open] = [1, 4, 5].map(|column| short_count(&row[column]));
            [name.to_owned(), us, seen, open, cost, bound]
        });
        let lines = [header].into_iter().chain(rows).map(|[name, cells @ ..]| {
            let cells = cells.map(|cell| format!("{cell:>6}"));
            format!("{name:<8}{}", cells.concat())
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The cells of a row from `time_us` to `complete`.
fn figures<P: Problem>(recording: &Recording) -> Result<[String; 8], String> {
    let end = recording.end().ok_or("no answer")?;
    let (visited, open) = visited_and_open(recording);
    Ok([
        micros(end.took.unwrap_or_default()),
        end.expanded.to_string(),
        end.pushed.to_string(),
        visited.to_string(),
        open.to_string(),
        format!("{:.3}", in_steps(end.cost, P::STRAIGHT)),
        bound_text(end.bound),
        (end.outcome == Outcome::Complete).to_string(),
    ])
}

/// A duration in microseconds.
fn micros(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() * 1e6)
}

/// Number of cells that a search expanded, and number of cells that it left waiting.
fn visited_and_open(recording: &Recording) -> (usize, usize) {
    let RecordedSearch { width, height, .. } = *recording.search();
    let index = |cell: Cell| cell.y as usize * width as usize + cell.x as usize;
    let mut is_expanded = vec![None; width as usize * height as usize];
    for event in recording.events() {
        match event {
            Event::Relaxed(_, Change::Kept) => {}
            Event::Relaxed(way, _) => is_expanded[index(way.node)] = Some(false),
            Event::Expanded(way) => is_expanded[index(way.node)] = Some(true),
            _ => {}
        }
    }
    let count = |wanted| is_expanded.iter().filter(|is| **is == Some(wanted)).count();
    (count(true), count(false))
}

/// A count for a column of five characters: whole, or in thousands or millions.
fn short_count(count: &str) -> String {
    match count.parse::<f64>() {
        Ok(count @ ..99_999.5) => format!("{count:.0}"),
        Ok(count @ ..9_999_500.0) => format!("{:.0}k", count / 1e3),
        Ok(count) => format!("{:.0}M", count / 1e6),
        Err(_) => "-".to_owned(),
    }
}

/// The report of a run without a window, as text. Saves the table if the options name a file.
pub(crate) fn report<P: Problem>(
    options: &Options,
    problem: &P,
    settings: &Settings,
) -> Result<String, String> {
    let table = Table::of_variants(problem, settings).with_tables(problem, settings);
    if let Some(path) = &options.csv {
        saved::write(path, table.csv().as_bytes())?;
    }
    let rules = P::RULES.iter().map(|&rule| {
        let (.., name) = rule.key();
        format!("{name}: {}", settings.value(rule))
    });
    let (rules, [start, goal]) = (rules.collect::<Vec<_>>().join("; "), problem.ends());
    let (name, size, text) = (problem.name(), problem.size(), table.text());
    Ok(format!(
        "{name}, {size}, from {start} to {goal}\n{rules}\n\n{text}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubes::level::Level;
    use crate::grid::board::Board;

    #[test]
    fn all_algorithms_are_compared_and_substitutes_are_noted() {
        let settings = Settings::default();
        let table = |map: &str| {
            let board = Board::read("a", map).expect("a map");
            Table::of(&board, &settings).with_tables(&board, &settings)
        };
        let even = table("S...#...\n....#...\n.......G\n");
        let cost = |row: usize| &even.0[row][6];
        assert_eq!(even.0.len(), 1 + Board::METHODS.len() + 1);
        for row in [1, 2, 5, 6, 7, 8, 9] {
            assert_eq!(cost(row), cost(2), "{}", even.0[row][0]);
        }
        let commas = |line: &str| line.matches(',').count() == 10;
        assert!(even.csv().lines().all(commas), "{}", even.csv());
        let mud = table("S.3.G\n.....\n");
        assert!(mud.text().contains("not on mud: as A*"));
        assert_eq!(mud.0.len(), 1 + Board::METHODS.len(), "no tables");
        assert!(table("S.#.G\n").panel_text().contains("none"));
    }

    #[test]
    fn each_way_to_move_among_cubes_has_a_row_for_each_search() {
        let level = Level::parse("a", "...\n\nS.G").expect("a level");
        let text = Table::of_variants(&level, &Settings::default()).text();
        assert_eq!(text.matches("blocked").count(), 2 * Level::METHODS.len());
        assert!(text.contains("fly A*") && !text.contains("false"), "{text}");
    }
}
