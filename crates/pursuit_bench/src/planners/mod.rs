//! The planners beside one shortest path: how soon they answer, what they spare, what they cost.

mod anytime;
mod dijkstra;
mod doors;
pub(crate) mod ground;
mod incremental;
mod routes;
mod rows;
mod walk;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, MapSet};
use crate::numbers::at_least_one;
use crate::report::Report;
use crate::search::machine;
use rows::{Rows, SEED};

#[derive(Args, Clone, Debug)]
pub(crate) struct PlannersPlan {
    /// A folder of .map files with .map.scen beside them; may be given several times.
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) maps: Vec<PathBuf>,
    /// What to measure.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "anytime,incremental,routes,dijkstra"
    )]
    pub(crate) only: Vec<Planner>,
    /// Take every Nth query of each scenario, every Nth map for doors, and one trip in N.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub(crate) every: usize,
    /// Measure everything so often and count the least time of it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub(crate) rounds: usize,
    /// Trips are taken on maps whose sides are at least so long, in cells.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub(crate) least_side: u32,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Planner {
    /// ARA*: a first answer soon, and better ones.
    Anytime,
    /// D* Lite: a tree that is kept over edits and moves.
    Incremental,
    /// Trips over stored routes.
    Routes,
    /// A* and Dijkstra from the same start points.
    Dijkstra,
}

/// Measures what was asked for; what was not is left out.
pub(crate) fn run(plan: &PlannersPlan) -> Result<Report, BenchError> {
    let mut sets: Vec<MapSet> = Vec::new();
    for folder in &plan.maps {
        sets.extend(mapset::find_sets(folder)?);
    }
    let (every, clock) = (plan.every, &Clock::calibrated(plan.rounds));
    let mut report = Report {
        figures: json!({
            "machine": machine(),
            "seed": SEED,
            "every": every,
            // How often everything was measured; the least time counts.
            "rounds": plan.rounds,
        }),
        faults: Vec::new(),
    };
    for planner in Planner::value_variants() {
        if !plan.only.contains(planner) {
            continue;
        }
        eprintln!("{planner:?}");
        let each = sets.iter();
        let (name, rows) = match planner {
            Planner::Anytime => {
                let rows = each.map(|set| anytime::measure(set, every, clock));
                ("anytime", Rows::joined(rows)?)
            }
            Planner::Incremental => {
                let rows = each.map(|set| incremental::measure(set, every, clock));
                ("incremental", Rows::joined(rows)?)
            }
            Planner::Routes => {
                let rows = routes::measure(&sets, plan.least_side, every, clock)?;
                ("routes", rows)
            }
            Planner::Dijkstra => ("dijkstra", dijkstra::measure(&sets, clock)?),
        };
        report.figures[name] = rows.rows.into();
        report.faults.extend(rows.faults);
    }
    Ok(report)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Planner, PlannersPlan, run};
    use crate::tests::fixture::Folder;
    use clap::ValueEnum;

    /// All planners on a map of blocks with streets between them.
    pub(crate) fn plan(folder: &Folder) -> PlannersPlan {
        let cell = |x: usize, y: usize| if x % 10 < 6 && y % 10 < 6 { '@' } else { '.' };
        let row = |y| {
            (0..40)
                .map(|x| cell(x, y))
                .chain(['\n'])
                .collect::<String>()
        };
        let rows: String = (0..40).map(row).collect();
        folder.write(
            "town.map",
            &format!("type octile\nheight 40\nwidth 40\nmap\n{rows}"),
        );
        let query = "version 1\n0\ttown.map\t40\t40\t7\t7\t38\t38\t50\n";
        folder.write("town.map.scen", query);
        PlannersPlan {
            maps: vec![folder.path().to_path_buf()],
            only: Planner::value_variants().to_vec(),
            every: 100,
            rounds: 1,
            least_side: 40,
        }
    }

    #[test]
    fn each_planner_is_measured_alone_or_with_all_others() {
        let folder = Folder::new("planners-all");
        let plan = plan(&folder);
        let all = run(&plan).unwrap();
        assert_eq!(all.faults, [""; 0]);
        let all = all.figures;
        let count = |planner: &str| all[planner].as_array().map(Vec::len);
        assert_eq!(
            (count("anytime"), count("incremental")),
            (Some(2), Some(16))
        );
        assert_eq!((count("routes"), count("dijkstra")), (Some(1), Some(1)));
        let routes = &all["routes"][0];
        assert_eq!(
            (&routes["trips"], &routes["map"]),
            (&100.into(), &"town".into())
        );
        for key in ["roads", "by_route", "saved_bytes", "trip_us", "excess_max"] {
            assert!(routes[key].as_f64() > Some(0.0), "{key}: {routes}");
        }
        let only = vec![Planner::Anytime];
        let one = run(&PlannersPlan { only, ..plan }).unwrap().figures;
        assert!(one["anytime"][0]["queries"] == 1 && one["machine"].is_string());
        for left_out in ["incremental", "routes", "dijkstra"] {
            assert!(one.get(left_out).is_none(), "{left_out}");
        }
    }
}
