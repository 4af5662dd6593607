//! The planners beside one shortest path: how soon they answer, what they spare, what they cost.

mod anytime;
mod dijkstra;
mod doors;
mod ground;
mod incremental;
mod routes;
mod rows;
mod walk;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

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
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub(crate) every: usize,
    /// Measure everything so often and count the least time of it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
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

/// The JSON of `planners`. What was not asked for is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct PlannersReport {
    pub(crate) machine: String,
    pub(crate) seed: u64,
    pub(crate) every: usize,
    /// How often everything was measured; the least time counts.
    pub(crate) rounds: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) anytime: Option<Rows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) incremental: Option<Rows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) routes: Option<Rows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dijkstra: Option<Rows>,
}

impl Report for PlannersReport {
    fn faults(&self) -> Vec<String> {
        let all = [
            &self.anytime,
            &self.incremental,
            &self.routes,
            &self.dijkstra,
        ];
        let all = all.into_iter().flatten();
        all.flat_map(|rows| rows.faults.clone()).collect()
    }
}

/// Measures what was asked for.
pub(crate) fn run(plan: &PlannersPlan) -> Result<PlannersReport, BenchError> {
    let mut sets: Vec<MapSet> = Vec::new();
    for folder in &plan.maps {
        sets.extend(mapset::find_sets(folder)?);
    }
    let (every, clock) = (plan.every, &Clock::calibrated(plan.rounds));
    let mut report = PlannersReport {
        machine: machine(),
        seed: SEED,
        every,
        rounds: plan.rounds,
        ..PlannersReport::default()
    };
    for planner in Planner::value_variants() {
        if !plan.only.contains(planner) {
            continue;
        }
        eprintln!("{planner:?}");
        let each = sets.iter();
        match planner {
            Planner::Anytime => {
                let rows = each.map(|set| anytime::measure(set, every, clock));
                report.anytime = Some(Rows::joined(rows)?);
            }
            Planner::Incremental => {
                let rows = each.map(|set| incremental::measure(set, every, clock));
                report.incremental = Some(Rows::joined(rows)?);
            }
            Planner::Routes => {
                report.routes = Some(routes::measure(&sets, plan.least_side, every, clock)?);
            }
            Planner::Dijkstra => report.dijkstra = Some(dijkstra::measure(&sets, clock)?),
        }
    }
    Ok(report)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Planner, PlannersPlan, run};
    use crate::fixture::Folder;
    use crate::report::Report;
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
        assert_eq!(all.faults(), [""; 0]);
        let all = serde_json::to_value(all).unwrap();
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
        let one = serde_json::to_value(run(&PlannersPlan { only, ..plan }).unwrap()).unwrap();
        assert!(one["anytime"][0]["queries"] == 1 && one["machine"].is_string());
        for left_out in ["incremental", "routes", "dijkstra"] {
            assert!(one.get(left_out).is_none(), "{left_out}");
        }
    }
}
