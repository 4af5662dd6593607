//! The figures of a chase and of requests, line by line.
#![allow(
    clippy::print_stdout,
    reason = "the list on standard output is the program's result"
)]

use std::collections::BTreeMap;
use std::path::Path;

use super::markdown::replace_block;
use crate::chase::ChaseReport;
use crate::error::BenchError;
use crate::requests::RequestsReport;

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

/// Writes the figures of `requests` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_requests_markdown(
    path: Option<&Path>,
    report: &RequestsReport,
) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    let list = requests_list(report);
    replace_block(path, "requests", &format!("```text\n{list}```"))
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
    if let Some(took) = report.deep_bake_ms {
        line("search tables", format!("built in {took:.1} ms"));
    }
    line("failures", failures(&report.failures));
    let steady = &report.steady;
    let (rate, seconds) = (steady.per_second, steady.seconds);
    line(
        "completed",
        format!("{rate:.0} per second, over {seconds:.2} s"),
    );
    line("expanded", format!("{:.1} per request", steady.expanded));
    let each = steady.task_us_per_request;
    line("task per request", format!("{each:.3} us"));
    let (p50, p99) = (ms(steady.main_thread_ms_p50), ms(steady.main_thread_ms_p99));
    line("main thread per frame", format!("p50 {p50}, p99 {p99}"));
    let each = steady.main_thread_us_per_request;
    line("  per request", format!("{each:.3} us"));
    let burst = &report.burst;
    let (p50, max) = (ms(burst.first_frame_ms_p50), ms(burst.first_frame_ms_max));
    let (requests, times) = (burst.requests, burst.bursts);
    line(
        "all in one frame",
        format!("p50 {p50}, max {max}, {requests} requests, {times} times"),
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
