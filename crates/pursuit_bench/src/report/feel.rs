//! The figures of the measured feel: one line per map, and the worst of all.
#![allow(
    clippy::print_stdout,
    reason = "the table on standard output is the program's result"
)]

use std::path::Path;

use super::markdown::replace_block;
use super::table::Table;
use crate::error::BenchError;
use crate::feel::{FeelReport, Figures};

const TITLES: [&str; 14] = [
    "map",
    "speed",
    "trips",
    "ratio p50",
    "ratio p95",
    "path p50",
    "path p95",
    "other way",
    "same way p95",
    "reversals/min",
    "slow",
    "wall",
    "Hz spread",
    "moving: reversals/min, slow, wall",
];

/// Prints the figures of `feel`.
pub(crate) fn print_feel(report: &FeelReport) {
    print!("{}", table(report));
}

/// Writes the figures of `feel` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_feel_markdown(
    path: Option<&Path>,
    report: &FeelReport,
) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    replace_block(path, "feel", &table(report).markdown())
}

fn table(report: &FeelReport) -> Table {
    let mut table = Table::new(1, &TITLES);
    for map in &report.maps {
        table.row(row(&map.map, format!("{:.2}", map.speed), &map.figures));
    }
    if report.maps.len() > 1 {
        table.row(row("worst of all", String::new(), &report.worst));
    }
    table
}

fn row(name: &str, speed: String, figures: &Figures) -> Vec<String> {
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("none".to_string(), |value| format!("{value:.digits$}"))
    };
    let percent = |value: Option<f64>| number(value.map(|share| 100.0 * share), 2) + " %";
    let wall = |value: f32| format!("{value:.4}");
    let moving = &figures.moving;
    vec![
        name.to_string(),
        speed,
        figures.trips.to_string(),
        number(figures.ratio_p50, 4),
        number(figures.ratio_p95, 4),
        number(figures.path_ratio_p50, 4),
        number(figures.path_ratio_p95, 4),
        percent(figures.other_way_share),
        number(figures.same_way_path_ratio_p95, 4),
        number(figures.reversals_per_minute, 2)
            + &format!(" ({})", number(figures.reference_reversals_per_minute, 2)),
        percent(figures.slow_share),
        wall(figures.wall_ratio_min),
        percent(figures.hz_spread),
        [
            number(moving.reversals_per_minute, 2)
                + &format!(" ({})", number(moving.player_reversals_per_minute, 2)),
            percent(moving.slow_share),
            wall(moving.wall_ratio_min),
        ]
        .join(", "),
    ]
}
