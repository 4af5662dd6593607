//! What the benchmarks print and write. `tables.py` makes tables of what they write.
#![allow(
    clippy::print_stdout,
    reason = "the list on standard output is the program's result"
)]

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::error::BenchError;

/// What a run found out.
pub(crate) trait Report: Serialize {
    /// What should not have happened, or shows that nothing was measured.
    fn faults(&self) -> Vec<String>;
}

/// Prints a report, writes it as JSON if a file was asked for, and tells its faults. Whether there are
/// none.
pub(crate) fn finish(report: &impl Report, json: Option<&Path>) -> Result<bool, BenchError> {
    print!("{}", list("", &serde_json::to_value(report)?));
    if let Some(path) = json {
        let text = serde_json::to_string_pretty(report)?;
        fs::write(path, text + "\n").map_err(BenchError::file(path))?;
    }
    let faults = report.faults();
    for fault in &faults {
        eprintln!("pursuit_bench: {fault}");
    }
    Ok(faults.is_empty())
}

/// A line for each figure, after the keys that lead to it; one for figures that stand side by side.
fn list(key: &str, value: &Value) -> String {
    let below = |part: &str| [key, part].join(if key.is_empty() { "" } else { "." });
    match value {
        Value::Object(parts) if key.is_empty() || !parts.values().all(is_figure) => {
            let lines = parts.iter().map(|(part, value)| list(&below(part), value));
            lines.collect()
        }
        Value::Object(parts) => {
            let parts = parts.iter().map(|(part, value)| format!("{part} {value}"));
            format!("{key:<24} {}\n", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Array(parts) if !parts.iter().all(is_figure) => {
            let parts = parts.iter().enumerate();
            let lines = parts.map(|(at, value)| list(&below(&at.to_string()), value));
            lines.collect()
        }
        figure => format!("{key:<24} {figure}\n"),
    }
}

fn is_figure(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

#[cfg(test)]
mod tests {
    use super::list;
    use serde_json::json;

    #[test]
    fn every_figure_stands_after_its_keys() {
        let report = json!({ "map": "a", "rows": [{ "us": 1.5, "n": 2 }], "at": { "p": [1, 2] } });
        let lines: Vec<String> = list("", &report)
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines, ["at.p [1,2]", "map \"a\"", "rows.0 n 2, us 1.5"]);
    }
}
