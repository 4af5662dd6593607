//! The table of bakes: a level per row, a layer per column.
#![allow(
    clippy::print_stdout,
    reason = "the table on standard output is the program's result"
)]

use std::path::Path;

use super::markdown::replace_block;
use super::table::Table;
use crate::bake::{BakeReport, LevelReport};
use crate::error::BenchError;

/// Prints the figures of `bake`.
pub(crate) fn print_bake(report: &BakeReport) {
    print!("{}", table(report));
    println!("\n{}", setup(report));
    report
        .remarks
        .iter()
        .for_each(|remark| println!("{remark}"));
}

/// Writes the figures of `bake` into a document, if one was asked for, in place of those there.
///
/// # Errors
/// A file that can't be read or written, or has no place for them.
pub(crate) fn write_bake_markdown(
    path: Option<&Path>,
    report: &BakeReport,
) -> Result<(), BenchError> {
    let Some(path) = path else { return Ok(()) };
    replace_block(path, "bake", &markdown(report))
}

fn markdown(report: &BakeReport) -> String {
    let remarks = report.remarks.iter().map(|remark| format!("- {remark}\n"));
    let remarks: String = remarks.collect();
    let table = table(report).markdown();
    format!("{}\n\n{table}\n{remarks}", setup(report))
}

fn setup(report: &BakeReport) -> String {
    let BakeReport {
        rounds,
        radius,
        cap,
        tables_up_to,
        peers_up_to,
        ..
    } = report;
    let others = peers_up_to.map(|most| format!(" No other crate above {most} cells."));
    let others = others.unwrap_or_default();
    format!(
        "Milliseconds, and nanoseconds per cell; the least of {rounds} rounds. Distances up to {cap} \
         cells, the ground of a body of {radius} cells. No tables above {tables_up_to} cells.{others}"
    )
}

fn table(report: &BakeReport) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for layer in report.levels.iter().flat_map(|level| &level.layers) {
        if !names.contains(&layer.layer) {
            names.push(layer.layer);
        }
    }
    let mut table = Table::new(1, &["level", "size", "boxes"]);
    names.iter().for_each(|name| table.column(name));
    for level in &report.levels {
        let (size, boxes) = (level.size, level.colliders);
        let mut row = vec![level.level.clone(), size.to_string(), boxes.to_string()];
        row.extend(names.iter().map(|name| figure(level, name)));
        table.row(row);
    }
    table
}

fn figure(level: &LevelReport, name: &str) -> String {
    let layer = level.layers.iter().find(|layer| layer.layer == name);
    layer.map_or(String::new(), |layer| {
        let (ms, ns) = (layer.ms, layer.ns_per_cell);
        let digits = if ms < 100.0 { 2 } else { 0 };
        format!("{ms:.digits$} ({ns:.2})")
    })
}

#[cfg(test)]
mod tests {
    use super::{markdown, table};
    use crate::bake::{BakeReport, LayerReport, LevelReport};

    fn report() -> BakeReport {
        let layer = |layer, ms| LayerReport {
            layer,
            ms,
            ns_per_cell: 10.0 * ms,
        };
        let level = |size, layers| LevelReport {
            level: "town".to_string(),
            size,
            free_cells: 1,
            colliders: 7,
            differing_cells: 0,
            layers,
        };
        BakeReport {
            map: "town".to_string(),
            seed: 1,
            rounds: 1,
            radius: 0.4,
            cap: 4.0,
            tables_up_to: 256,
            peers_up_to: Some(128),
            levels: vec![
                level(256, vec![layer("regions", 1.5), layer("tables", 250.0)]),
                level(512, vec![layer("regions", 6.0)]),
            ],
            remarks: Vec::new(),
        }
    }

    #[test]
    fn a_layer_that_was_left_out_leaves_its_column_empty() {
        let rows = [
            "level  size  boxes       regions         tables",
            "town    256      7  1.50 (15.00)  250 (2500.00)",
            "town    512      7  6.00 (60.00)",
        ];
        assert_eq!(table(&report()).to_string(), rows.join("\n") + "\n");
    }

    #[test]
    fn what_other_crates_did_not_do_stands_below_the_table() {
        let mut report = report();
        let without = markdown(&report);
        report.remarks = vec!["a: late".to_string(), "b: left out".to_string()];
        let with = markdown(&report);
        assert_eq!(with, without + "- a: late\n- b: left out\n");
        assert!(with.contains(" |\n\n- a: late"), "{with}");
        assert!(with.contains("No other crate above 128 cells."), "{with}");
    }
}
