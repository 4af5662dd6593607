//! Prints and writes the reports of benchmarks. `tables.py` makes tables of the written reports.
#![allow(
    clippy::print_stdout,
    reason = "the list on standard output is the program's result"
)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::BenchError;

/// The results of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    /// The figures of the benchmark, as JSON.
    pub(crate) figures: Value,
    /// A text for each wrong result, and for each figure that could not be measured.
    pub(crate) faults: Vec<String>,
}

/// Prints a report and its faults, and writes the figures to the file `json`, if there is one. Returns whether there
/// are no faults.
pub(crate) fn finish(report: &Report, json: Option<&Path>) -> Result<bool, BenchError> {
    print!("{}", list("", &report.figures));
    if let Some(path) = json {
        let text = format!("{:#}\n", report.figures);
        fs::write(path, text).map_err(|error| BenchError::at(path, error))?;
    }
    for fault in &report.faults {
        eprintln!("pursuit_bench: {fault}");
    }
    Ok(report.faults.is_empty())
}

/// A fault for each figure that is not 0. `texts` has pairs of a key and a text. The figure replaces `{}` in the text.
pub(crate) fn not_zero(figures: &Value, texts: &[(&str, &str)]) -> Vec<String> {
    let wrong = texts.iter().filter(|(key, _)| figures[*key] != 0);
    wrong
        .map(|(key, text)| text.replace("{}", &figures[*key].to_string()))
        .collect()
}

/// Combines the keys of two JSON objects.
pub(crate) fn joined(mut figures: Value, more: Value) -> Value {
    if let (Some(all), Value::Object(more)) = (figures.as_object_mut(), more) {
        all.extend(more);
    }
    figures
}

/// Converts an `f32` so that it is printed with the fewest digits that identify it.
pub(crate) fn short(number: f32) -> Option<f64> {
    number.to_string().parse().ok()
}

/// Formats figures as lines, each with the path of its keys. An object with only plain values takes a single line.
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
    fn each_figure_is_listed_after_its_keys() {
        let report = json!({ "map": "a", "rows": [{ "us": 1.5, "n": 2 }], "at": { "p": [1, 2] } });
        let lines: Vec<String> = list("", &report)
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines, ["at.p [1,2]", "map \"a\"", "rows.0 n 2, us 1.5"]);
    }
}
