//! The figures of a chase, of a crowd and of requests, line by line.
#![allow(
    clippy::print_stdout,
    reason = "the list on standard output is the program's result"
)]

use std::collections::BTreeMap;
use std::path::Path;

use super::markdown::replace_block;
use crate::ask::AskReport;
use crate::chase::ChaseReport;
use crate::crowd::CrowdReport;
use crate::error::BenchError;
use crate::game::pools::PoolSizes;
use crate::game::tick_time::TickTime;
use crate::requests::RequestsReport;

/// Prints the figures of `chase`.
pub(crate) fn print_chase(report: &ChaseReport) {
    print!("{}", chase_list(report));
}

/// Writes the figures of `chase` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_chase_markdown(
    path: Option<&Path>,
    report: &ChaseReport,
) -> Result<(), BenchError> {
    write_block(path, "chase", &chase_list(report))
}

fn chase_list(report: &ChaseReport) -> String {
    let ms = |value| quantity(value, 3, "ms");
    let s = |value| quantity(value, 2, "s");
    let mut list = String::new();
    let mut line = |what: &str, value: String| list.push_str(&format!("{what:<22}{value}\n"));
    let kind = format!("{:?}, {:?}", report.body, report.mode).to_lowercase();
    line("map", report.map.clone());
    line("body, mode", kind);
    line("threads", threads(&report.pools));
    line("game time", s(Some(report.seconds)));
    let caught = format!("{} of {} agents", report.caught, report.agents);
    line("caught", caught);
    let (p50, max) = (s(report.caught_p50_s), s(report.caught_max_s));
    line("time to catch", format!("p50 {p50}, max {max}"));
    line("arrivals", arrivals(report));
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
    line("main thread per tick", tick_time(&report.main_thread_ms));
    let steady = &report.steady_main_thread_ms;
    line("  after one second", tick_time(steady));
    let walking = quantity(report.steady_walking, 0, "on the mean");
    line("  agents that walk", walking);
    for stage in &report.stages_ms {
        line(&format!("  {}", stage.stage), tick_time(&stage.ms));
    }
    line("positions hash", report.positions_hash.clone());
    list
}

fn arrivals(report: &ChaseReport) -> String {
    let farthest = quantity(report.farthest_arrival.map(f64::from), 4, "cells");
    format!("{} out of reach, farthest {farthest}", report.far_arrivals)
}

fn threads(pools: &PoolSizes) -> String {
    let PoolSizes {
        compute,
        async_compute,
        io,
    } = pools;
    format!("compute {compute}, async compute {async_compute}, io {io}")
}

fn tick_time(ms: &TickTime) -> String {
    let [p50, p99, max] = [ms.p50, ms.p99, ms.max].map(|ms| quantity(ms, 3, "ms"));
    format!("p50 {p50}, p99 {p99}, max {max}")
}

/// Prints the figures of `crowd`.
pub(crate) fn print_crowd(report: &CrowdReport) {
    print!("{}", crowd_list(report));
}

/// Writes the figures of `crowd` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_crowd_markdown(
    path: Option<&Path>,
    report: &CrowdReport,
) -> Result<(), BenchError> {
    write_block(path, "crowd", &crowd_list(report))
}

fn crowd_list(report: &CrowdReport) -> String {
    let mut list = String::new();
    let mut line = |what: &str, value: String| list.push_str(&format!("{what:<22}{value}\n"));
    line("map", report.map.clone());
    line("mode", format!("{:?}", report.mode).to_lowercase());
    line("threads", threads(&report.pools));
    line("game time", quantity(Some(report.seconds), 2, "s"));
    let (agents, pen) = (report.agents, report.targets_in_pen);
    line(
        "agents",
        format!("{agents}, {pen} with a target in the pen"),
    );
    let first = report.first_searches;
    line("first second", format!("{first} searches"));
    line("then", format!("{} ticks", report.ticks));
    let rate = quantity(report.searches_per_tick, 2, "per tick");
    line("  searches", format!("{}, {rate}", report.searches));
    let (events, rate) = (&report.events, report.events_per_tick);
    let rate = quantity(rate, 2, "per tick");
    line("  events", format!("{}, {rate}", events.total()));
    line("    path found", events.path_found.to_string());
    line("    path failed", events.path_failed.to_string());
    line("    target reached", events.target_reached.to_string());
    line("    agent stuck", events.agent_stuck.to_string());
    line("  bakes", report.bakes.to_string());
    line("  main thread", tick_time(&report.main_thread_ms));
    for stage in &report.stages_ms {
        line(&format!("    {}", stage.stage), tick_time(&stage.ms));
    }
    let walking = quantity(report.walking, 0, "on the mean");
    line("  agents that walk", walking);
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
    write_block(path, "requests", &requests_list(report))
}

fn write_block(path: Option<&Path>, name: &str, list: &str) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    replace_block(path, name, &format!("```text\n{list}```"))
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

/// Prints the figures of `ask`.
pub(crate) fn print_ask(report: &AskReport) {
    print!("{}", ask_list(report));
}

/// Writes the figures of `ask` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_ask_markdown(
    path: Option<&Path>,
    report: &AskReport,
) -> Result<(), BenchError> {
    write_block(path, "ask", &ask_list(report))
}

fn ask_list(report: &AskReport) -> String {
    let mut list = String::new();
    let mut line = |what: &str, value: String| list.push_str(&format!("{what:<22}{value}\n"));
    line("map", report.map.clone());
    let (questions, within) = (report.questions, report.within);
    line(
        "questions",
        format!("{questions} of each kind, within {within} cells"),
    );
    let first = quantity(Some(report.first_ms), 3, "ms");
    line("first for a radius", first);
    for (kind, ms) in &report.all_ms {
        let each = 1e3 * ms / questions.max(1) as f64;
        line(kind, format!("{ms:.3} ms, {each:.3} us each"));
    }
    line(
        "mean distance",
        quantity(Some(report.mean_distance), 1, "cells"),
    );
    let (compared, found) = (report.compared, report.compared_found);
    let faults = report.faults.len();
    line(
        "as requests",
        format!("{compared} compared, {found} found a way, {faults} differ"),
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
