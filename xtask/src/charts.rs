//! The charts of BENCHMARKS: bars, drawn from the raw figures beside them.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// Where figures and charts lie, relative to the workspace root.
const FOLDER: &str = "benchmarks";
/// In pixels: the width of a chart, where bars begin, the longest bar, the height of a row, and what is above the first row.
const WIDTH: f64 = 640.;
const LEFT: f64 = 200.;
const LONGEST: f64 = 370.;
const ROW: f64 = 26.;
const TOP: f64 = 44.;

/// Bars of some cells of a table.
struct Chart {
    name: &'static str,
    title: &'static str,
    /// The file, and which table of it.
    from: (&'static str, usize),
    bars: fn(&Table) -> Option<Vec<Bar>>,
    /// Bars are as long as the logarithm of their value.
    is_logarithmic: bool,
}

#[derive(Deserialize)]
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

struct Bar {
    label: String,
    value: f64,
    is_ours: bool,
}

const CHARTS: [Chart; 3] = [
    Chart {
        name: "agents",
        title: "Agents, and milliseconds of a frame",
        from: ("hordes", 1),
        bars: agents,
        is_logarithmic: false,
    },
    Chart {
        name: "queries",
        title: "Microseconds of a query on maps of cities (logarithmic)",
        from: ("searches", 0),
        bars: queries,
        is_logarithmic: true,
    },
    Chart {
        name: "bakes",
        title: "Milliseconds to bake a city of 512² cells",
        from: ("bakes", 0),
        bars: bakes,
        is_logarithmic: false,
    },
];

/// Draws all charts again.
///
/// # Errors
/// A file that cannot be read or written, or figures that are not where they were.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let folder = root.join(FOLDER);
    CHARTS.iter().try_for_each(|chart| {
        let file = folder.join(chart.name).with_extension("svg");
        fs::write(&file, drawn(&folder, chart)?)
            .map_err(|error| format!("{}: {error}", file.display()))
    })
}

fn drawn(folder: &Path, chart: &Chart) -> Result<String, String> {
    let (name, table) = chart.from;
    let file = folder.join(name).with_extension("json");
    let named = |error: &dyn ToString| format!("{}: {}", file.display(), error.to_string());
    let text = fs::read_to_string(&file).map_err(|error| named(&error))?;
    let figures: Value = serde_json::from_str(&text).map_err(|error| named(&error))?;
    let table = Table::deserialize(&figures["tables"][table]).map_err(|error| named(&error))?;
    let bars = (chart.bars)(&table).ok_or_else(|| named(&"other columns than before"))?;
    Ok(svg(chart, &bars))
}

fn svg(chart: &Chart, bars: &[Bar]) -> String {
    // A bar of a logarithm begins at a tenth of the least value.
    let least = bars.iter().map(|bar| bar.value).fold(f64::MAX, f64::min) / 10.;
    let length = |value: f64| match chart.is_logarithmic {
        true => (value / least).log10(),
        false => value,
    };
    let longest = bars.iter().map(|bar| length(bar.value)).fold(0., f64::max);
    let height = TOP + ROW * bars.len() as f64 + 10.;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#e6e2ef\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1a1d29\"/>\n\
         <text x=\"16\" y=\"26\" font-weight=\"600\">{}</text>\n",
        chart.title
    );
    for (bar, row) in bars.iter().zip(0..) {
        let (label, value) = (&bar.label, bar.value);
        let color = if bar.is_ours { "#ffd24a" } else { "#7d86a6" };
        let (top, width) = (
            TOP + ROW * f64::from(row),
            LONGEST * length(value) / longest,
        );
        let (base, end) = (top + 14., LEFT + width + 8.);
        svg += &format!(
            "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{label}</text>\
             <rect x=\"{LEFT}\" y=\"{top}\" width=\"{width:.1}\" height=\"18\" rx=\"3\" fill=\"{color}\"/>\
             <text x=\"{end:.1}\" y=\"{base}\">{value}</text>\n",
            LEFT - 10.
        );
    }
    svg + "</svg>\n"
}

impl Table {
    /// The cell of a row in the column of that name.
    fn cell<'r>(&self, row: &'r [Value], column: &str) -> Option<&'r Value> {
        row.get(self.columns.iter().position(|name| name == column)?)
    }
}

fn agents(table: &Table) -> Option<Vec<Bar>> {
    let bars = table.rows.iter().map(|row| {
        let is_apart = table.cell(row, "Avoidance")? != "none";
        let count = table.cell(row, "Agents")?.as_u64()?;
        let label = match count {
            0..1000 => count.to_string(),
            _ => format!("{},{:03}", count / 1000, count % 1000),
        };
        let label = label + if is_apart { "" } else { ", not kept apart" };
        bar(label, table.cell(row, "Frame's thread")?, true)
    });
    bars.collect()
}

fn queries(table: &Table) -> Option<Vec<Bar>> {
    let bars = table.rows.iter().map(|row| {
        let name = row.first()?.as_str()?;
        let is_ours = ["auto", "tables", "astar"].contains(&name);
        let whose = if is_ours { "Pursuit, " } else { "" };
        bar(
            format!("{whose}{name}"),
            table.cell(row, "cities")?,
            is_ours,
        )
    });
    bars.collect()
}

fn bakes(table: &Table) -> Option<Vec<Bar>> {
    let is_wanted = |row: &&Vec<Value>| row[0] != "crates" && row[1] == 512;
    let row = table.rows.iter().find(is_wanted)?;
    let columns = ["colliders", "bevy_northstar", "vleue_navigator"];
    let bars = columns.into_iter().map(|column| {
        let is_ours = column == "colliders";
        let label = if is_ours { "Pursuit" } else { column };
        bar(label.to_string(), table.cell(row, column)?, is_ours)
    });
    bars.collect()
}

/// A bar for a number, or for a text that begins with one.
fn bar(label: String, cell: &Value, is_ours: bool) -> Option<Bar> {
    let number = || cell.as_str()?.split(' ').next()?.parse().ok();
    let value = cell.as_f64().or_else(number)?;
    Some(Bar {
        label,
        value,
        is_ours,
    })
}

#[test]
fn the_charts_show_the_figures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(FOLDER);
    let page = fs::read_to_string(folder.with_file_name("BENCHMARKS.md")).expect("the page");
    for chart in &CHARTS {
        let file = format!("{}.svg", chart.name);
        let there = fs::read_to_string(folder.join(&file)).expect("a chart");
        let is_same = there == drawn(&folder, chart).expect("figures");
        assert!(is_same, "cargo xtask charts draws {file} again");
        assert!(page.contains(&format!("({FOLDER}/{file})")), "{file}");
    }
}
