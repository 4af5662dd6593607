//! The figures of planners: a table for each.
#![allow(
    clippy::print_stdout,
    reason = "the tables on standard output are the program's result"
)]

use std::path::Path;

use super::markdown::replace_block;
use super::table::Table;
use crate::error::BenchError;
use crate::planners::{
    AnytimeRow, DijkstraMap, DijkstraRow, IncrementalRow, PlannersReport, RoutesRow,
};

/// Prints the tables of what was measured.
pub(crate) fn print_planners(report: &PlannersReport) {
    for (name, table) in tables(report) {
        println!("{name}\n{table}");
    }
}

/// Writes the tables of what was measured into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_planners_markdown(
    path: Option<&Path>,
    report: &PlannersReport,
) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    let setup = setup(report);
    for (name, table) in tables(report) {
        replace_block(path, name, &format!("{setup}\n\n{}", table.markdown()))?;
    }
    Ok(())
}

/// By the names of their places in a document.
fn tables(report: &PlannersReport) -> Vec<(&'static str, Table)> {
    let tables = [
        ("anytime", report.anytime.as_deref().map(anytime)),
        (
            "incremental",
            report.incremental.as_deref().map(incremental),
        ),
        ("routes", report.routes.as_deref().map(routes)),
        ("dijkstra", report.dijkstra.as_deref().map(dijkstra)),
    ];
    let measured = tables.into_iter();
    measured
        .filter_map(|(name, table)| Some((name, table?)))
        .collect()
}

/// What the figures hold for.
fn setup(report: &PlannersReport) -> String {
    let part = match report.every {
        1 => String::new(),
        every => format!(" One in {every} was taken."),
    };
    let rounds = match report.rounds {
        0 | 1 => String::new(),
        rounds => format!(" Each time is the least of {rounds}."),
    };
    format!(
        "Measured on {}, with the seed {}.{part}{rounds}",
        report.machine, report.seed
    )
}

fn anytime(rows: &[AnytimeRow]) -> Table {
    let mut table = Table::new(
        2,
        &[
            "set",
            "ground",
            "queries",
            "first / A*, p50",
            "p90",
            "bound, p50",
            "max",
            "excess %, p50",
            "max",
            "time of first / A*",
            "all / A*, p50",
            "time of all / A*",
            "answers, p50",
            "max",
            "untrue",
            "wrong",
        ],
    );
    for row in rows {
        let mut cells = vec![row.set.clone(), row.ground.name().to_string()];
        cells.push(row.queries.to_string());
        let ratios = [
            row.first_expanded_p50,
            row.first_expanded_p90,
            row.first_bound_p50,
            row.first_bound_max,
            row.first_excess_p50,
            row.first_excess_max,
            row.first_time_p50,
            row.all_expanded_p50,
            row.all_time_p50,
        ];
        cells.extend(ratios.map(|ratio| format!("{ratio:.2}")));
        let counts = [row.answers_p50, row.answers_max];
        cells.extend(counts.map(|count| format!("{count:.0}")));
        cells.extend([row.untrue + row.loose, row.wrong].map(|count| count.to_string()));
        table.row(cells);
    }
    table
}

fn incremental(rows: &[IncrementalRow]) -> Table {
    let mut table = Table::new(
        5,
        &[
            "set",
            "ground",
            "root",
            "goal",
            "doors",
            "edits",
            "times fewer, p50",
            "p10",
            "of all",
            "times faster",
            "time / jump points",
            "untouched",
            "wrong",
        ],
    );
    for row in rows {
        let goal = if row.goal_moves { "moves" } else { "rests" };
        let texts = [row.ground.name(), row.root, goal, row.doors.name()];
        let mut cells = vec![row.set.clone()];
        cells.extend(texts.map(str::to_string));
        cells.push(row.edits.to_string());
        let ratios = [
            row.times_fewer_p50,
            row.times_fewer_p10,
            row.times_fewer_sum,
            row.times_faster,
        ];
        cells.extend(ratios.map(times));
        cells.push(row.times_jump_point.map(times).unwrap_or_default());
        cells.extend([row.untouched, row.wrong].map(|count| count.to_string()));
        table.row(cells);
    }
    table
}

fn routes(rows: &[RoutesRow]) -> Table {
    let mut table = Table::new(
        1,
        &[
            "map",
            "size",
            "places",
            "roads",
            "build ms",
            "saved bytes",
            "trips",
            "by route",
            "trip us",
            "A* us",
            "jump points us",
            "taut path us",
            "trip / A*",
            "trip / jump points",
            "excess %, mean",
            "p95",
            "max",
            "of all lengths",
            "wrong",
        ],
    );
    for row in rows {
        let [width, height] = row.size;
        let mut cells = vec![row.map.clone(), format!("{width} x {height}")];
        cells.extend([row.places, row.roads].map(|count| count.to_string()));
        cells.push(format!("{:.0}", row.build_ms));
        let counts = [row.saved_bytes, row.trips, row.by_route];
        cells.extend(counts.map(|count| count.to_string()));
        let us = [row.trip_us, row.astar_us, row.jump_us, row.taut_us];
        cells.extend(us.map(|us| format!("{us:.1}")));
        let over = |other: f64| format!("{:.3}", row.trip_us / other);
        cells.extend([row.astar_us, row.jump_us].map(over));
        let percents = [
            row.excess_mean,
            row.excess_p95,
            row.excess_max,
            row.excess_sum,
        ];
        cells.extend(percents.map(|percent| format!("{percent:.1}")));
        cells.push(row.wrong.to_string());
        table.row(cells);
    }
    table
}

fn dijkstra(maps: &[DijkstraMap]) -> Table {
    let mut table = Table::new(
        3,
        &[
            "map",
            "start",
            "goal",
            "length",
            "A* us",
            "visited",
            "Dijkstra us",
            "visited",
            "times fewer",
        ],
    );
    for map in maps {
        for row in &map.starts {
            let cell = |[x, y]: [i32; 2]| format!("{x}, {y}");
            table.row(vec![
                map.map.clone(),
                cell(row.start),
                cell(map.goal),
                format!("{:.1}", row.length),
                format!("{:.0}", row.astar_us),
                row.astar_visited.to_string(),
                format!("{:.0}", row.dijkstra_us),
                row.dijkstra_visited.to_string(),
                times(f64::from(row.dijkstra_visited) / f64::from(row.astar_visited.max(1))),
            ]);
        }
        table.row(mean(map));
    }
    table
}

/// The row below those of a map.
fn mean(map: &DijkstraMap) -> Vec<String> {
    let count = map.starts.len().max(1) as f64;
    let mean = |of: fn(&DijkstraRow) -> f64| map.starts.iter().map(of).sum::<f64>() / count;
    let visited = [
        mean(|row| f64::from(row.astar_visited)),
        mean(|row| f64::from(row.dijkstra_visited)),
    ];
    let mut cells = vec![map.map.clone(), "mean".to_string(), String::new()];
    cells.push(format!("{:.1}", mean(|row| row.length)));
    let figures = [
        mean(|row| row.astar_us),
        visited[0],
        mean(|row| row.dijkstra_us),
        visited[1],
    ];
    cells.extend(figures.map(|figure| format!("{figure:.0}")));
    cells.push(times(visited[1] / visited[0].max(1.0)));
    cells
}

/// A ratio with as many digits as matter.
fn times(ratio: f64) -> String {
    match ratio {
        ..10.0 => format!("{ratio:.2}"),
        ..100.0 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{dijkstra, routes, tables, write_planners_markdown};
    use crate::fixture::Folder;
    use crate::planners::{DijkstraMap, DijkstraRow, PlannersReport, RoutesRow};

    fn start(astar_visited: u32, dijkstra_visited: u32) -> DijkstraRow {
        DijkstraRow {
            start: [1, 2],
            length: 10.0,
            astar_us: 4.0,
            astar_visited,
            dijkstra_us: 40.0,
            dijkstra_visited,
            wrong: false,
        }
    }

    fn map() -> DijkstraMap {
        DijkstraMap {
            map: "town".to_string(),
            goal: [8, 9],
            starts: vec![start(10, 100), start(30, 300)],
        }
    }

    #[test]
    fn below_the_start_points_of_a_map_stand_their_means() {
        let text = dijkstra(&[map()]).markdown();
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[0],
            "| town | 1, 2 | 8, 9 | 10.0 | 4 | 10 | 40 | 100 | 10.0 |"
        );
        assert_eq!(
            lines[2],
            "| town | mean |  | 10.0 | 4 | 20 | 40 | 200 | 10.0 |"
        );
    }

    #[test]
    fn trips_are_told_as_parts_of_both_searches() {
        let row = RoutesRow {
            map: "town".to_string(),
            size: [8, 4],
            places: 2,
            roads: 1,
            build_ms: 1.0,
            saved_bytes: 90,
            trips: 5,
            by_route: 4,
            trip_us: 2.0,
            astar_us: 40.0,
            jump_us: 8.0,
            taut_us: 9.0,
            excess_mean: 1.0,
            excess_p95: 2.0,
            excess_max: 3.0,
            excess_sum: 0.5,
            wrong: 0,
        };
        let text = routes(&[row]).markdown();
        assert!(text.contains("| town | 8 x 4 |"), "{text}");
        assert!(
            text.contains("| 0.050 | 0.250 | 1.0 | 2.0 | 3.0 | 0.5 | 0 |"),
            "{text}"
        );
    }

    #[test]
    fn only_what_was_measured_is_replaced_in_the_document_of_this_repository() {
        let text = include_str!("../../../../BENCHMARKS.md");
        let folder = Folder::new("report-planners");
        folder.write("b.md", text);
        let path = folder.path().join("b.md");
        let one = PlannersReport {
            dijkstra: Some(vec![map()]),
            ..PlannersReport::default()
        };
        assert_eq!(tables(&one).len(), 1);
        write_planners_markdown(Some(&path), &one).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.contains("| town | mean |"), "{written}");
        let all = PlannersReport {
            anytime: Some(Vec::new()),
            incremental: Some(Vec::new()),
            routes: Some(Vec::new()),
            ..one
        };
        assert_eq!(tables(&all).len(), 4);
        write_planners_markdown(Some(&path), &all).unwrap();
    }
}
