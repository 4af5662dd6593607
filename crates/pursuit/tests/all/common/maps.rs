//! The maps of the MovingAI benchmarks.
//!
//! The tests look for them in the folder that `PURSUIT_MAPS` names, or else in `shared/movingai` beside the
//! workspace. Each subfolder is a set of `.map` files with their `.map.scen` files. Without maps, the tests
//! print a note and pass, unless `PURSUIT_REQUIRE_MAPS` is `1`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use pursuit::Grid;
use pursuit::maps::{Scenario, parse_map, parse_scenarios};

/// All `.map` files, or the files of one set. Prints a note if it finds no file.
pub(crate) fn map_files(set: Option<&str>) -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movingai");
    let all = env::var_os("PURSUIT_MAPS").map_or(beside, PathBuf::from);
    let folder = set.map_or(all.clone(), |set| all.join(set));
    let mut files = Vec::new();
    collect_maps(&folder, &mut files);
    files.sort();
    if files.is_empty() {
        let is_required = env::var("PURSUIT_REQUIRE_MAPS").is_ok_and(|value| value == "1");
        assert!(!is_required, "no maps in {}", folder.display());
        println!("skipped: no maps in {}", folder.display());
    }
    files
}

fn collect_maps(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect_maps(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "map") {
            files.push(path);
        }
    }
}

pub(crate) fn read_grid(file: &Path) -> Grid {
    let text = fs::read_to_string(file).unwrap();
    parse_map(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The scenarios of a map, from the file `name.map.scen` beside it.
pub(crate) fn read_scenarios(file: &Path) -> Vec<Scenario> {
    let file = file.with_extension("map.scen");
    let text = fs::read_to_string(&file).unwrap();
    parse_scenarios(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
