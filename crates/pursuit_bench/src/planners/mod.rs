//! The planners beside one shortest path: how soon they answer, what they spare, what they cost.

mod anytime;
pub(crate) mod command;
mod dijkstra;
mod doors;
mod ground;
mod incremental;
mod plan;
mod routes;
mod walk;

use serde::Serialize;

use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, MapSet};
use crate::search::machine;

pub(crate) use anytime::AnytimeRow;
pub(crate) use dijkstra::{DijkstraMap, DijkstraRow};
pub(crate) use incremental::IncrementalRow;
pub(crate) use plan::{Planner, PlannersPlan};
pub(crate) use routes::RoutesRow;

/// The JSON of `planners`. What was not asked for is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct PlannersReport {
    pub(crate) machine: String,
    pub(crate) seed: u64,
    pub(crate) every: usize,
    /// How often everything was measured; the least time counts.
    pub(crate) rounds: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) anytime: Option<Vec<AnytimeRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) incremental: Option<Vec<IncrementalRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) routes: Option<Vec<RoutesRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dijkstra: Option<Vec<DijkstraMap>>,
}

impl PlannersReport {
    /// What should not have happened.
    pub(crate) fn faults(&self) -> Vec<String> {
        let anytime = self.anytime.iter().flatten().filter_map(AnytimeRow::fault);
        let kept = self.incremental.iter().flatten();
        let routes = self.routes.iter().flatten().filter_map(RoutesRow::fault);
        let both = self.dijkstra.iter().flatten();
        anytime
            .chain(kept.filter_map(IncrementalRow::fault))
            .chain(routes)
            .chain(both.filter_map(DijkstraMap::fault))
            .collect()
    }
}

/// Measures what was asked for.
///
/// # Errors
/// Files that can't be read, or are malformed; maps on which there is nothing to measure.
pub(crate) fn run(plan: &PlannersPlan) -> Result<PlannersReport, BenchError> {
    let mut sets: Vec<MapSet> = Vec::new();
    for folder in &plan.maps {
        sets.extend(mapset::find_sets(folder)?);
    }
    let (every, clock) = (plan.every, &Clock::calibrated(plan.rounds));
    let mut report = PlannersReport {
        machine: machine(),
        seed: plan::SEED,
        every,
        rounds: plan.rounds,
        ..PlannersReport::default()
    };
    let is_asked = |planner| plan.only.contains(&planner);
    if is_asked(Planner::Anytime) {
        let rows = of_each(&sets, "anytime", |set| anytime::measure(set, every, clock))?;
        report.anytime = Some(rows);
    }
    if is_asked(Planner::Incremental) {
        let measure = |set: &_| incremental::measure(set, every, clock);
        report.incremental = Some(of_each(&sets, "incremental", measure)?);
    }
    if is_asked(Planner::Routes) {
        eprintln!("routes");
        let rows = routes::measure(&sets, plan.least_side, every, clock)?;
        report.routes = Some(rows);
    }
    if is_asked(Planner::Dijkstra) {
        eprintln!("dijkstra");
        report.dijkstra = Some(dijkstra::measure(&sets, clock)?);
    }
    Ok(report)
}

/// The rows of all sets.
fn of_each<R>(
    sets: &[MapSet],
    what: &str,
    mut measure: impl FnMut(&MapSet) -> Result<Vec<R>, BenchError>,
) -> Result<Vec<R>, BenchError> {
    let mut rows = Vec::new();
    for set in sets {
        eprintln!("{what}: {}, {} maps", set.name, set.maps.len());
        rows.extend(measure(set)?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::{Planner, PlannersPlan, run};
    use crate::fixture::Folder;
    use clap::ValueEnum;

    #[test]
    fn each_planner_is_measured_alone_or_with_all_others() {
        let folder = Folder::new("planners-all");
        let row = ".".repeat(40) + "\n";
        let map = format!("type octile\nheight 40\nwidth 40\nmap\n{}", row.repeat(40));
        folder.write("field.map", &map);
        let query = "version 1\n0\tfield.map\t40\t40\t1\t1\t38\t30\t49.01\n";
        folder.write("field.map.scen", query);
        let measured = |only: Vec<Planner>| {
            let plan = PlannersPlan {
                maps: vec![folder.path().to_path_buf()],
                only,
                every: 100,
                rounds: 1,
                least_side: 40,
            };
            run(&plan).unwrap()
        };
        let all = measured(Planner::value_variants().to_vec());
        assert_eq!(all.faults(), [""; 0]);
        assert_eq!(all.anytime.as_ref().map(Vec::len), Some(2));
        assert_eq!(all.incremental.as_ref().map(Vec::len), Some(16));
        assert_eq!(all.routes.as_ref().map(|rows| rows[0].trips), Some(100));
        assert_eq!(all.dijkstra.as_ref().map(Vec::len), Some(1));
        let one = serde_json::to_value(measured(vec![Planner::Anytime])).unwrap();
        assert!(one["anytime"][0]["queries"] == 1 && one["machine"].is_string());
        for left_out in ["incremental", "routes", "dijkstra"] {
            assert!(one.get(left_out).is_none(), "{left_out}");
        }
    }
}
