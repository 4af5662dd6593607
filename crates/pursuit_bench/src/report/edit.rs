//! The figures of edits: what openings and closings took, side by side.
#![allow(
    clippy::print_stdout,
    reason = "the list on standard output is the program's result"
)]

use std::path::Path;

use super::markdown::replace_block;
use super::table::Table;
use crate::edit::{EditFigures, EditReport, Spread};
use crate::error::BenchError;

/// Prints the figures of `edit`.
pub(crate) fn print_edit(report: &EditReport) {
    print!("{}", list(report));
}

/// Writes the figures of `edit` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_edit_markdown(
    path: Option<&Path>,
    report: &EditReport,
) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    replace_block(path, "edit", &format!("```text\n{}```", list(report)))
}

fn list(report: &EditReport) -> String {
    let mut list = String::new();
    let mut line = |what: &str, value: String| list.push_str(&format!("{what:<22}{value}\n"));
    let kind = format!("{:?}, {:?}", report.body, report.mode).to_lowercase();
    line("map", report.map.clone());
    line("body, mode", kind);
    line("game time", format!("{:.2} s", report.seconds));
    line("agents", report.agents.to_string());
    let (doors, held) = (report.doors, report.held_open);
    line("doors", format!("{doors}, {held} times none was free"));
    if report.movers > 0 {
        line("crates that move", report.movers.to_string());
    }
    line("edits not baked", report.unbaked.to_string());
    line("wall overlaps", report.wall_overlaps.to_string());
    line("door overlaps", report.door_overlaps.to_string());
    line("stuck", report.stuck.to_string());
    line("caught", format!("{} agents", report.caught));
    line("searches", report.searches.to_string());
    let quiet = number(report.quiet_main_thread_us);
    line("frame without edits", format!("{quiet} us"));
    line(
        "any frame, p50 / p99",
        format!("{} us", spread(&report.frame_main_thread_us)),
    );
    format!("{list}\n{}", table(report))
}

fn table(report: &EditReport) -> Table {
    let mut table = Table::new(1, &["", "all", "openings", "closings"]);
    let kinds = [&report.all, &report.openings, &report.closings];
    let mut row = |what: &str, figure: &dyn Fn(&EditFigures) -> String| {
        let mut cells = vec![what.to_string()];
        cells.extend(kinds.iter().map(|kind| figure(kind)));
        table.row(cells);
    };
    row("edits", &|of| of.edits.to_string());
    row("frames, p50", &|of| number(of.latency_frames_p50));
    row("frames, p99", &|of| number(of.latency_frames_p99));
    row("bake us, p50 / p99", &|of| spread(&of.work_us.all));
    row("main thread us, p50 / p99", &|of| {
        spread(&of.main_thread_us)
    });
    row("less quiet frames", &|of| spread(&of.own_main_thread_us));
    for layer in report.closings.work_us.by_layer.keys() {
        let of_kind = |of: &EditFigures| {
            let us = of.work_us.by_layer.get(layer);
            us.map_or(String::new(), |us| number(Some(*us)))
        };
        row(&format!("core us: {layer}"), &of_kind);
    }
    table
}

fn spread(us: &Spread) -> String {
    format!("{} / {}", number(us.p50), number(us.p99))
}

fn number(value: Option<f64>) -> String {
    value.map_or("none".to_string(), |value| format!("{value:.0}"))
}
