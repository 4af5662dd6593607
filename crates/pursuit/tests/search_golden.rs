//! The `MovingAI` benchmark maps, where they are at hand: paths must have the listed lengths.

use std::fs;
use std::path::{Path, PathBuf};

use pursuit::maps::{parse_map, parse_scenarios};
use pursuit::search::oracle;
use pursuit::{
    DiagonalPolicy, Outcome, PartialReason, PathOptions, Regions, SearchScratch, find_path,
};

/// Every so many scenarios of a map are run.
const EVERY: usize = 40;

/// All maps beside the repository; `None`, with a message, when there are none. Where
/// `PURSUIT_REQUIRE_MAPS` is set, that is a failure.
fn maps() -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movingai");
    let Ok(sets) = fs::read_dir(&folder) else {
        let required = std::env::var_os("PURSUIT_REQUIRE_MAPS").is_some();
        assert!(!required, "no maps at {}", folder.display());
        println!("skipped: no maps at {}", folder.display());
        return None;
    };
    let files = sets
        .flatten()
        .filter_map(|set| fs::read_dir(set.path()).ok())
        .flatten();
    let mut maps: Vec<PathBuf> = files
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "map"))
        .collect();
    maps.sort();
    assert!(
        !maps.is_empty(),
        "no map in the folders of {}",
        folder.display()
    );
    Some(maps)
}

#[test]
fn listed_lengths_are_found_on_every_benchmark_map() {
    let mut scratch = SearchScratch::new();
    for path in maps().unwrap_or_default() {
        let grid = parse_map(&fs::read_to_string(&path).unwrap()).unwrap();
        let list = fs::read_to_string(path.with_extension("map.scen")).unwrap();
        let diagonals = DiagonalPolicy::NoCornerCut;
        let regions = Regions::of(&grid, diagonals);
        for scenario in parse_scenarios(&list).unwrap().iter().step_by(EVERY) {
            let (start, goal) = (scenario.start, scenario.goal);
            let options = PathOptions {
                regions: Some(&regions),
                ..PathOptions::default()
            };
            let found = find_path(&grid, start, goal, &options, &mut scratch).unwrap();
            let walked = oracle::walk_cost(&grid, &found.path.cells, diagonals);
            let place = format!("{} from {start} to {goal}", path.display());
            assert_eq!(walked, Some(found.path.cost), "an illegal step on {place}");
            // Some lists say 0 where no path leads.
            if scenario.length == 0.0 && start != goal {
                let unreachable = Outcome::Partial(PartialReason::Unreachable);
                assert_eq!(found.outcome, unreachable, "on {place}");
            } else {
                assert_eq!(found.outcome, Outcome::Complete, "on {place}");
                let error = (found.path.length() - scenario.length).abs();
                assert!(error <= 0.01, "{} instead of {place}", found.path.length());
            }
        }
    }
}
