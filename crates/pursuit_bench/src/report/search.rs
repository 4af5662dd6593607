//! The figures of searches, as tables.
#![allow(
    clippy::print_stdout,
    reason = "the tables on standard output are the program's result"
)]

use std::path::Path;

use super::markdown::replace_block;
use super::table::Table;
use crate::error::BenchError;
use crate::search::{MovingRow, SearchFigures, SearchRow, UnreachableRow};

/// Prints all tables.
pub(crate) fn print_search(figures: &SearchFigures) {
    let sections = [
        ("", details(figures)),
        ("preparation", preparation(&figures.rows)),
        ("peers' paths", excess(&figures.rows)),
        ("without a path", unreachable(&figures.unreachable)),
        ("moving target", moving(&figures.moving)),
    ];
    for (title, table) in sections {
        if table.is_empty() {
            continue;
        }
        if !title.is_empty() {
            println!("\n{title}");
        }
        print!("{table}");
    }
}

/// Writes all tables into a document, if one was asked for, in place of those that are there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_search_markdown(
    path: Option<&Path>,
    figures: &SearchFigures,
) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    let blocks = [
        ("setup", setup(figures)),
        ("overview", overview(figures).markdown()),
        ("short", short(&figures.rows).markdown()),
        ("details", details(figures).markdown()),
        ("preparation", preparation(&figures.rows).markdown()),
        ("excess", excess(&figures.rows).markdown()),
        ("unreachable", unreachable(&figures.unreachable).markdown()),
        ("moving", moving(&figures.moving).markdown()),
    ];
    for (name, block) in blocks {
        replace_block(path, name, &block)?;
    }
    Ok(())
}

/// What the figures hold for.
fn setup(figures: &SearchFigures) -> String {
    let (machine, clock) = (&figures.machine, figures.clock_ns);
    let every = |every: usize| match every {
        1 => "all queries".to_string(),
        every => format!("one query in {every}"),
    };
    let own = every(figures.every);
    let peers = figures.peers_every.map_or_else(String::new, |peers| {
        format!(" The peers answered {} of these.", every(peers))
    });
    let rounds = match figures.rounds {
        0 | 1 => String::new(),
        rounds => format!(" Each time is the least of {rounds}."),
    };
    format!(
        "Measured on {machine}. Our searches answered {own} of the scenarios.{peers} Reading the \
         clock takes {clock:.0} ns, which is taken off each time.{rounds}"
    )
}

/// Mean times, sets side by side, with how many times as long the first peer takes.
fn overview(figures: &SearchFigures) -> Table {
    side_by_side(&figures.rows, Some(figures), |row| {
        let ratio = row.times_peer.map(|ratio| format!(" ({}×)", times(ratio)));
        Some(us(row.mean_us) + &ratio.unwrap_or_default())
    })
}

/// Mean times of short queries, sets side by side.
fn short(rows: &[SearchRow]) -> Table {
    side_by_side(rows, None, |row| row.short_us.map(us))
}

/// A line per algorithm, a column per set, and one for the algorithm's mean ratio over all.
fn side_by_side(
    rows: &[SearchRow],
    overall: Option<&SearchFigures>,
    cell: impl Fn(&SearchRow) -> Option<String>,
) -> Table {
    let sets = in_order(rows.iter().map(|row| &*row.set));
    let mut table = Table::new(1, &["µs"]);
    sets.iter().for_each(|set| table.column(set));
    let overall = overall.filter(|figures| !figures.overall.is_empty());
    if overall.is_some() {
        table.column("geometric mean");
    }
    for algorithm in in_order(rows.iter().map(|row| &*row.algorithm)) {
        let of = |set| {
            let row = rows
                .iter()
                .find(|row| row.set == set && row.algorithm == algorithm);
            row.and_then(&cell).unwrap_or_default()
        };
        let mut cells = vec![algorithm.to_string()];
        cells.extend(sets.iter().map(|&set| of(set)));
        if let Some(figures) = overall {
            let mut all = figures.overall.iter();
            let mean = all.find(|one| one.algorithm == algorithm);
            let mean = mean.map(|mean| format!("{}×", times(mean.times_peer)));
            cells.push(mean.unwrap_or_default());
        }
        table.row(cells);
    }
    table
}

/// Each text once, in the order of first appearance.
fn in_order<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut once = Vec::new();
    for text in texts {
        if !once.contains(&text) {
            once.push(text);
        }
    }
    once
}

/// Every set and algorithm, and the mean ratios at the end.
fn details(figures: &SearchFigures) -> Table {
    let ratios = !figures.overall.is_empty();
    let mut table = Table::new(
        2,
        &[
            "set",
            "algorithm",
            "queries",
            "mean us",
            "p50 us",
            "p95 us",
            "p99 us",
            "max us",
            "short us",
            "expanded",
            "wrong",
            "illegal",
        ],
    );
    if ratios {
        table.column("x peer");
    }
    for row in &figures.rows {
        let mut cells = vec![
            row.set.clone(),
            row.algorithm.clone(),
            row.queries.to_string(),
        ];
        cells.extend([row.mean_us, row.p50_us, row.p95_us, row.p99_us, row.max_us].map(us));
        cells.push(row.short_us.map(us).unwrap_or_default());
        let expanded = row.expanded.map(|cells| format!("{cells:.0}"));
        cells.push(expanded.unwrap_or_default());
        cells.extend([row.wrong, row.illegal].map(|count| count.to_string()));
        if ratios {
            cells.push(row.times_peer.map(times).unwrap_or_default());
        }
        table.row(cells);
    }
    for one in &figures.overall {
        let mut cells = vec!["geometric mean".to_string(), one.algorithm.clone()];
        cells.resize(12, String::new());
        cells.push(times(one.times_peer));
        table.row(cells);
    }
    table
}

/// What comes before the first query of a map.
fn preparation(rows: &[SearchRow]) -> Table {
    let mut table = Table::new(
        2,
        &[
            "set",
            "algorithm",
            "maps",
            "refused",
            "mean ms",
            "worst ms",
            "bytes/cell",
            "worst bytes/cell",
        ],
    );
    for row in rows {
        let Some(preparation) = &row.preparation else {
            continue;
        };
        let bytes = [
            preparation.mean_bytes_per_cell,
            preparation.worst_bytes_per_cell,
        ];
        let mut cells = vec![row.set.clone(), row.algorithm.clone()];
        let counts = [preparation.maps, preparation.refused];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend([preparation.mean_ms, preparation.worst_ms].map(us));
        cells.extend(bytes.map(|bytes| bytes.map(|b| format!("{b:.1}")).unwrap_or_default()));
        table.row(cells);
    }
    table
}

/// How good the peers' paths are.
fn excess(rows: &[SearchRow]) -> Table {
    let mut table = Table::new(
        2,
        &[
            "set",
            "peer",
            "queries",
            "missed",
            "illegal",
            "legal paths",
            "mean excess %",
            "worst %",
        ],
    );
    for row in rows.iter().filter(|row| row.peer) {
        let mut cells = vec![row.set.clone(), row.algorithm.clone()];
        cells.extend([row.queries, row.wrong, row.illegal].map(|count| count.to_string()));
        cells.push(row.excess.map_or(0, |excess| excess.paths).to_string());
        let percents = row
            .excess
            .map(|excess| [excess.mean_percent, excess.worst_percent]);
        let percents = percents.unwrap_or_default();
        cells.extend(percents.map(|percent| format!("{percent:.2}")));
        table.row(cells);
    }
    table
}

fn unreachable(rows: &[UnreachableRow]) -> Table {
    let mut table = Table::new(
        1,
        &[
            "set",
            "unreachable",
            "answer ns",
            "path us",
            "blocked",
            "path us",
            "wrong",
        ],
    );
    for row in rows {
        let or_none = |time: Option<f64>| time.map(us).unwrap_or_default();
        table.row(vec![
            row.set.clone(),
            row.unreachable.to_string(),
            or_none(row.answer_ns),
            or_none(row.unreachable_us),
            row.blocked.to_string(),
            or_none(row.blocked_us),
            row.wrong.to_string(),
        ]);
    }
    table
}

fn moving(rows: &[MovingRow]) -> Table {
    let mut table = Table::new(
        2,
        &[
            "set",
            "algorithm",
            "ticks",
            "mean us",
            "p99 us",
            "max us",
            "checked",
            "wrong",
        ],
    );
    for row in rows {
        let mut cells = vec![
            row.set.clone(),
            row.algorithm.clone(),
            row.ticks.to_string(),
        ];
        cells.extend([row.mean_us, row.p99_us, row.max_us].map(us));
        cells.extend([row.checked, row.wrong].map(|count| count.to_string()));
        table.row(cells);
    }
    table
}

/// A time with three digits that matter, and whole from 1000 on.
fn us(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
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
    use super::{details, excess, overview, preparation, us, write_search_markdown};
    use crate::fixture::Folder;
    use crate::report::write_json;
    use crate::search::{SearchFigures, SearchRow};

    fn row(algorithm: &str, times_peer: Option<f64>) -> SearchRow {
        SearchRow {
            set: "dao".to_string(),
            algorithm: algorithm.to_string(),
            queries: 10,
            mean_us: 123.456,
            max_us: 100_000.0,
            short_us: Some(0.125),
            expanded: Some(12.6),
            times_peer,
            ..SearchRow::default()
        }
    }

    fn figures(rows: Vec<SearchRow>) -> SearchFigures {
        SearchFigures {
            overall: crate::search::overall(&rows),
            rows,
            ..SearchFigures::default()
        }
    }

    #[test]
    fn the_table_lines_up_and_ends_with_the_mean_ratios() {
        let figures = figures(vec![row("astar", Some(4.0)), row("slower", Some(1.0))]);
        let table = details(&figures).to_string();
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 5, "a title, two rows and two means");
        let end = |line: &str, word: &str| line.find(word).map(|at| at + word.len());
        assert_eq!(end(lines[0], "mean us"), end(lines[1], "123.5"));
        assert_eq!(end(lines[0], "max us"), end(lines[2], "100000"));
        assert!(lines[0].ends_with("x peer") && lines[1].ends_with("4.00"));
        assert!(lines[3].starts_with("geometric mean  astar"));
        assert_eq!(end(lines[0], "x peer"), end(lines[3], "4.00"));
    }

    #[test]
    fn without_peers_there_is_no_column_and_no_table_for_them() {
        let figures = figures(vec![row("astar", None)]);
        assert!(!details(&figures).to_string().contains("peer"));
        assert!(excess(&figures.rows).is_empty());
        assert!(preparation(&figures.rows).is_empty());
    }

    #[test]
    fn the_overview_has_a_column_per_set_and_a_line_per_algorithm() {
        let elsewhere = SearchRow {
            set: "mazes".to_string(),
            ..row("auto", Some(9.0))
        };
        let figures = figures(vec![row("auto", Some(4.0)), row("peer", None), elsewhere]);
        let text = overview(&figures).markdown();
        let expected = "\
| µs | dao | mazes | geometric mean |
|---|---:|---:|---:|
| auto | 123.5 (4.00×) | 123.5 (9.00×) | 6.00× |
| peer | 123.5 |  |  |
";
        assert_eq!(text, expected);
    }

    #[test]
    fn times_have_the_digits_that_matter() {
        let texts = [0.123, 1.234, 9.999, 12.34, 123.44, 1234.4].map(us);
        assert_eq!(texts, ["0.12", "1.23", "10.00", "12.3", "123.4", "1234"]);
    }

    #[test]
    fn the_document_of_this_repository_has_a_place_for_every_table() {
        let text = include_str!("../../../../BENCHMARKS.md");
        let folder = Folder::new("report-markdown");
        folder.write("b.md", text);
        let path = folder.path().join("b.md");
        let figures = figures(vec![row("auto", Some(4.0))]);
        write_search_markdown(Some(&path), &figures).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(
            written.contains("| auto | 123.5 (4.00×) | 4.00× |"),
            "{written}"
        );
    }

    #[test]
    fn the_json_has_the_documented_keys() {
        let folder = Folder::new("report-json");
        let path = folder.path().join("out.json");
        write_json(Some(&path), &figures(vec![row("astar", None)])).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        for key in ["rows", "overall", "unreachable", "moving"] {
            assert!(json[key].is_array(), "{key}");
        }
        let row = json["rows"][0].as_object().unwrap();
        let mut keys: Vec<_> = row.keys().map(String::as_str).collect();
        keys.sort_unstable();
        let mut expected = [
            "set",
            "algorithm",
            "peer",
            "queries",
            "mean_us",
            "p50_us",
            "p95_us",
            "p99_us",
            "max_us",
            "short_us",
            "expanded",
            "wrong",
            "illegal",
        ];
        expected.sort_unstable();
        assert_eq!(keys, expected);
    }
}
