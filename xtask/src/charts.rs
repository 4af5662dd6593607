//! Draws the bar charts of BENCHMARKS from the raw figures in `benchmarks`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::read;

/// The folder of figures and charts, relative to the workspace root.
const FIGURES_FOLDER: &str = "benchmarks";
/// Sizes of a chart, in pixels.
const CHART_WIDTH: f64 = 640.;
const BARS_LEFT: f64 = 200.;
const MAX_BAR_WIDTH: f64 = 370.;
const ROW_HEIGHT: f64 = 26.;
const FIRST_ROW_TOP: f64 = 44.;

struct Chart {
    name: &'static str,
    title: &'static str,
    /// The file with the figures, without extension, and the index of the table in that file.
    file: &'static str,
    table: usize,
    /// Makes the bars of a row of the table. The argument returns the cell of the row in the column with a given name.
    bars: fn(&dyn Fn(&str) -> Value) -> Vec<Bar>,
    /// Whether the length of a bar is the logarithm of its value.
    is_logarithmic: bool,
}

/// A label, a value, and whether the value is a figure of Pursuit.
type Bar = (String, f64, bool);

const CHARTS: [Chart; 3] = [
    Chart {
        name: "agents",
        title: "Agents, and milliseconds of a frame",
        file: "hordes",
        table: 1,
        bars: |cell| {
            let is_apart = cell("Avoidance") != "none";
            let label = match cell("Agents").as_u64().unwrap_or_default() {
                count @ 0..1000 => count.to_string(),
                count => format!("{},{:03}", count / 1000, count % 1000),
            };
            let label = label + if is_apart { "" } else { ", not kept apart" };
            vec![(label, number(&cell("Frame's thread")), true)]
        },
        is_logarithmic: false,
    },
    Chart {
        name: "queries",
        title: "Microseconds of a query on maps of cities (logarithmic)",
        file: "searches",
        table: 0,
        bars: |cell| {
            let name = cell("µs");
            let name = name.as_str().unwrap_or_default();
            let is_ours = ["auto", "tables", "astar"].contains(&name);
            let whose = if is_ours { "Pursuit, " } else { "" };
            vec![(format!("{whose}{name}"), number(&cell("cities")), is_ours)]
        },
        is_logarithmic: true,
    },
    Chart {
        name: "bakes",
        title: "Milliseconds to bake a city of 512² cells",
        file: "bakes",
        table: 0,
        bars: |cell| {
            if cell("level") == "crates" || cell("size") != 512 {
                return Vec::new();
            }
            let own = ("Pursuit".to_string(), number(&cell("colliders")), true);
            let peers = ["bevy_northstar", "vleue_navigator"].into_iter();
            let peers = peers.map(|peer| (peer.to_string(), number(&cell(peer)), false));
            [own].into_iter().chain(peers).collect()
        },
        is_logarithmic: false,
    },
];

/// Redraws all charts.
///
/// # Errors
/// If a file cannot be read or written, or a table lacks an expected column.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let folder = root.join(FIGURES_FOLDER);
    CHARTS.iter().try_for_each(|chart| {
        let file = folder.join(chart.name).with_extension("svg");
        let svg = draw(&folder, chart)?;
        fs::write(&file, svg).map_err(|error| format!("{}: {error}", file.display()))
    })
}

fn draw(folder: &Path, chart: &Chart) -> Result<String, String> {
    let file = folder.join(chart.file).with_extension("json");
    let figures: Value = serde_json::from_str(&read(&file)?)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let Value::Object(table) = &figures["tables"][chart.table] else {
        return Err(format!(
            "{}: there is no table with index {}",
            file.display(),
            chart.table
        ));
    };
    let list = |key: &str| table[key].as_array().into_iter().flatten();
    let bars: Vec<Bar> = list("rows")
        .flat_map(|row| {
            let cell = |name: &str| {
                let column = list("columns").position(|column| column == name);
                column.map_or(Value::Null, |column| row[column].clone())
            };
            (chart.bars)(&cell)
        })
        .collect();
    if bars.is_empty() || bars.iter().any(|(_, value, _)| value.is_nan()) {
        return Err(format!("{}: an expected column is missing", file.display()));
    }
    Ok(svg(chart, &bars))
}

/// The number in a cell, or the number at the beginning of its text. NaN if there is no number.
fn number(cell: &Value) -> f64 {
    let in_text = || cell.as_str()?.split(' ').next()?.parse().ok();
    cell.as_f64().or_else(in_text).unwrap_or(f64::NAN)
}

fn svg(chart: &Chart, bars: &[Bar]) -> String {
    // A logarithmic axis begins at a tenth of the least value.
    let axis_start = bars.iter().map(|bar| bar.1).fold(f64::MAX, f64::min) / 10.;
    let length = |value: f64| match chart.is_logarithmic {
        true => (value / axis_start).log10(),
        false => value,
    };
    let longest = bars.iter().map(|bar| length(bar.1)).fold(0., f64::max);
    let height = FIRST_ROW_TOP + ROW_HEIGHT * bars.len() as f64 + 10.;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {CHART_WIDTH} {height}\" width=\"{CHART_WIDTH}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#e6e2ef\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1a1d29\"/>\n\
         <text x=\"16\" y=\"26\" font-weight=\"600\">{}</text>\n",
        chart.title
    );
    let mut top = FIRST_ROW_TOP;
    for (label, value, is_ours) in bars {
        let color = if *is_ours { "#ffd24a" } else { "#7d86a6" };
        let width = MAX_BAR_WIDTH * length(*value) / longest;
        let (right, base, end) = (BARS_LEFT - 10., top + 14., BARS_LEFT + width + 8.);
        svg += &format!(
            "<text x=\"{right}\" y=\"{base}\" text-anchor=\"end\">{label}</text>\
             <rect x=\"{BARS_LEFT}\" y=\"{top}\" width=\"{width:.1}\" height=\"18\" rx=\"3\" fill=\"{color}\"/>\
             <text x=\"{end:.1}\" y=\"{base}\">{value}</text>\n"
        );
        top += ROW_HEIGHT;
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::{CHARTS, FIGURES_FOLDER, draw};
    use crate::command::read;

    #[test]
    fn the_charts_show_the_figures() {
        let folder = crate::root().join(FIGURES_FOLDER);
        let page = read(&folder.with_file_name("BENCHMARKS.md")).expect("the page");
        for chart in &CHARTS {
            let file = format!("{}.svg", chart.name);
            let there = read(&folder.join(&file)).expect("a chart");
            let is_same = there == draw(&folder, chart).expect("figures");
            assert!(is_same, "{file} is out of date: run `cargo xtask charts`");
            assert!(
                page.contains(&format!("({FIGURES_FOLDER}/{file})")),
                "{file}"
            );
        }
    }
}
