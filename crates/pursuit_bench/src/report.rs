//! What the benchmarks print and write.
#![allow(
    clippy::print_stdout,
    reason = "the table on standard output is the program's result"
)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::chase::ChaseReport;
use crate::error::BenchError;
use crate::requests::RequestsReport;

/// Figures of one algorithm on one set of maps.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SearchRow {
    pub(crate) set: String,
    pub(crate) algorithm: String,
    pub(crate) queries: usize,
    pub(crate) mean_us: f64,
    pub(crate) p50_us: f64,
    pub(crate) p95_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    /// Mean number of expanded cells.
    pub(crate) expanded: f64,
    pub(crate) wrong: usize,
    pub(crate) illegal: usize,
    /// How many times as long the peer took, on the mean, over the queries that both answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) times_peer: Option<f64>,
}

/// The JSON of `search`.
#[derive(Serialize)]
pub(crate) struct SearchReport<'r> {
    pub(crate) rows: &'r [SearchRow],
}

/// Prints the table of `search`.
pub(crate) fn print_search(rows: &[SearchRow]) {
    print!("{}", search_table(rows));
}

fn search_table(rows: &[SearchRow]) -> String {
    let peers = rows.iter().any(|row| row.times_peer.is_some());
    let mut table = Table::new(&[
        "set",
        "algorithm",
        "queries",
        "mean us",
        "p50 us",
        "p95 us",
        "p99 us",
        "max us",
        "expanded",
        "wrong",
        "illegal",
    ]);
    if peers {
        table.column("x peer");
    }
    for row in rows {
        let us = |value: f64| format!("{value:.1}");
        let mut cells = vec![
            row.set.clone(),
            row.algorithm.clone(),
            row.queries.to_string(),
        ];
        cells.extend([row.mean_us, row.p50_us, row.p95_us, row.p99_us, row.max_us].map(us));
        cells.push(format!("{:.0}", row.expanded));
        cells.extend([row.wrong, row.illegal].map(|count| count.to_string()));
        if peers {
            let ratio = row.times_peer.map(|ratio| format!("{ratio:.2}"));
            cells.push(ratio.unwrap_or_default());
        }
        table.row(cells);
    }
    table.to_string()
}

/// Prints the figures of `chase`.
pub(crate) fn print_chase(report: &ChaseReport) {
    print!("{}", chase_list(report));
}

fn chase_list(report: &ChaseReport) -> String {
    let ms = |value| quantity(value, 3, "ms");
    let s = |value| quantity(value, 2, "s");
    let mut list = String::new();
    let mut line = |what: &str, value: String| list.push_str(&format!("{what:<22}{value}\n"));
    let kind = format!("{:?}, {:?}", report.body, report.mode).to_lowercase();
    line("map", report.map.clone());
    line("body, mode", kind);
    line("game time", s(Some(report.seconds)));
    let caught = format!("{} of {} agents", report.caught, report.agents);
    line("caught", caught);
    let (p50, max) = (s(report.caught_p50_s), s(report.caught_max_s));
    line("time to catch", format!("p50 {p50}, max {max}"));
    let (overlaps, nearest) = (report.wall_overlaps, report.nearest_wall);
    line(
        "wall overlaps",
        format!("{overlaps}, nearest {nearest:.4} cells"),
    );
    line("stuck", report.stuck.to_string());
    line("paths", report.paths.to_string());
    line("failures", failures(&report.failures));
    let latency = &report.request_to_path_ms;
    let (p50, p99) = (ms(latency.p50), ms(latency.p99));
    line("request to path", format!("p50 {p50}, p99 {p99}"));
    let tick = &report.main_thread_ms;
    let (p50, p99, max) = (ms(tick.p50), ms(tick.p99), ms(tick.max));
    line(
        "main thread per tick",
        format!("p50 {p50}, p99 {p99}, max {max}"),
    );
    line("positions hash", report.positions_hash.clone());
    list
}

fn quantity(value: Option<f64>, digits: usize, unit: &str) -> String {
    value.map_or("none".to_string(), |value| {
        format!("{value:.digits$} {unit}")
    })
}

/// Prints the figures of `requests`.
pub(crate) fn print_requests(report: &RequestsReport) {
    print!("{}", requests_list(report));
}

fn requests_list(report: &RequestsReport) -> String {
    let ms = |value| quantity(value, 3, "ms");
    let mut list = String::new();
    let mut line = |what: &str, value: String| list.push_str(&format!("{what:<22}{value}\n"));
    line("map", report.map.clone());
    let goals = format!("{:?}", report.goals).to_lowercase();
    line("requests, goals", format!("{}, {goals}", report.requests));
    let (rate, threads) = (report.frame_rate, report.threads);
    line(
        "frames, threads",
        format!("{rate} per second, {threads} for searches"),
    );
    line("failures", failures(&report.failures));
    let steady = &report.steady;
    let (rate, seconds) = (steady.per_second, steady.seconds);
    line(
        "completed",
        format!("{rate:.0} per second, over {seconds:.2} s"),
    );
    line("expanded", format!("{:.1} per request", steady.expanded));
    let (p50, p99) = (ms(steady.main_thread_ms_p50), ms(steady.main_thread_ms_p99));
    line("main thread per frame", format!("p50 {p50}, p99 {p99}"));
    let each = steady.main_thread_us_per_request;
    line("  per request", format!("{each:.3} us"));
    let burst = &report.burst;
    let (p50, max) = (ms(burst.first_frame_ms_p50), ms(burst.first_frame_ms_max));
    line(
        "all in one frame",
        format!("p50 {p50}, max {max}, {} times", burst.bursts),
    );
    let p50 = ms(burst.worst_later_frame_ms_p50);
    let max = ms(burst.worst_later_frame_ms_max);
    line("  worst frame after", format!("p50 {p50}, max {max}"));
    line(
        "  frames",
        quantity(burst.frames_p50, 0, "until all are there"),
    );
    list
}

fn failures(failures: &BTreeMap<String, u64>) -> String {
    if failures.is_empty() {
        return "none".to_string();
    }
    let failures = failures.iter();
    let failures = failures.map(|(why, count)| format!("{count} {why}"));
    failures.collect::<Vec<_>>().join(", ")
}

/// Writes a report as JSON, if a file was asked for.
///
/// # Errors
/// A file that can't be written.
pub(crate) fn write_json(path: Option<&Path>, report: &impl Serialize) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    let file = File::create(path).map_err(BenchError::file(path))?;
    let mut file = BufWriter::new(file);
    serde_json::to_writer_pretty(&mut file, report).map_err(|source| BenchError::Json {
        path: path.to_path_buf(),
        source,
    })?;
    let ended = writeln!(file).and_then(|()| file.flush());
    ended.map_err(BenchError::file(path))
}

/// Columns as wide as what they hold; text to the left, numbers to the right.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(titles: &[&str]) -> Self {
        let titles = titles.iter().map(ToString::to_string).collect();
        Table { rows: vec![titles] }
    }

    fn column(&mut self, title: &str) {
        self.rows[0].push(title.to_string());
    }

    fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.rows[0].len()).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| match column {
                0 | 1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{SearchReport, SearchRow, search_table, write_json};
    use crate::fixture::Folder;

    fn row(algorithm: &str, times_peer: Option<f64>) -> SearchRow {
        SearchRow {
            set: "dao".to_string(),
            algorithm: algorithm.to_string(),
            queries: 10,
            mean_us: 123.456,
            p50_us: 1.0,
            p95_us: 2.0,
            p99_us: 3.0,
            max_us: 1000.0,
            expanded: 12.6,
            wrong: 0,
            illegal: 0,
            times_peer,
        }
    }

    #[test]
    fn the_table_lines_up() {
        let table = search_table(&[row("astar", Some(4.0)), row("pathfinding", None)]);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 3, "a title and two rows");
        let end = |line: &str, word: &str| line.find(word).map(|at| at + word.len());
        assert_eq!(end(lines[0], "mean us"), end(lines[1], "123.5"));
        assert_eq!(end(lines[0], "max us"), end(lines[2], "1000.0"));
        assert!(lines[0].ends_with("x peer") && lines[1].ends_with("4.00"));
    }

    #[test]
    fn without_peers_there_is_no_column_for_them() {
        assert!(!search_table(&[row("astar", None)]).contains("peer"));
    }

    #[test]
    fn the_json_has_the_documented_keys() {
        let folder = Folder::new("report-json");
        let path = folder.path().join("out.json");
        let rows = [row("astar", None)];
        write_json(Some(&path), &SearchReport { rows: &rows }).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let row = json["rows"][0].as_object().unwrap();
        let mut keys: Vec<_> = row.keys().map(String::as_str).collect();
        keys.sort_unstable();
        let mut expected = [
            "set",
            "algorithm",
            "queries",
            "mean_us",
            "p50_us",
            "p95_us",
            "p99_us",
            "max_us",
            "expanded",
            "wrong",
            "illegal",
        ];
        expected.sort_unstable();
        assert_eq!(keys, expected);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error() {
        let folder = Folder::new("report-unwritable");
        let path = folder.path().join("missing/out.json");
        assert!(write_json(Some(&path), &SearchReport { rows: &[] }).is_err());
    }
}
