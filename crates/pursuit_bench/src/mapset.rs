//! The benchmark's files: maps with their scenarios, one set per folder.

use std::fs;
use std::path::{Path, PathBuf};

use pursuit::Grid;
use pursuit::maps::{Scenario, parse_map, parse_scenarios};

use crate::error::BenchError;

/// The maps of one folder.
#[derive(Debug)]
pub(crate) struct MapSet {
    /// The folder, relative to the one that was asked for; its own name for that one itself.
    pub(crate) name: String,
    /// Map files that have a scenario beside them, by name.
    pub(crate) maps: Vec<PathBuf>,
}

/// One map with its queries.
pub(crate) struct Loaded {
    pub(crate) grid: Grid,
    pub(crate) queries: Vec<Scenario>,
}

/// All sets below `folder`, by name.
///
/// # Errors
/// A folder that can't be read, or no map with a scenario anywhere in it.
pub(crate) fn find_sets(folder: &Path) -> Result<Vec<MapSet>, BenchError> {
    let mut sets = Vec::new();
    collect(folder, folder, &mut sets)?;
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    if sets.is_empty() {
        return Err(BenchError::NoMaps(folder.to_path_buf()));
    }
    Ok(sets)
}

fn collect(top: &Path, folder: &Path, sets: &mut Vec<MapSet>) -> Result<(), BenchError> {
    let mut maps = Vec::new();
    for entry in fs::read_dir(folder).map_err(BenchError::file(folder))? {
        let path = entry.map_err(BenchError::file(folder))?.path();
        if path.is_dir() {
            collect(top, &path, sets)?;
        } else if path.extension().is_some_and(|kind| kind == "map") && scenario(&path).is_file() {
            maps.push(path);
        }
    }
    if !maps.is_empty() {
        maps.sort();
        let name = set_name(top, folder);
        sets.push(MapSet { name, maps });
    }
    Ok(())
}

fn set_name(top: &Path, folder: &Path) -> String {
    let below = folder.strip_prefix(top).unwrap_or(folder);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    if parts.is_empty() {
        let own = folder.file_name().unwrap_or(folder.as_os_str());
        own.to_string_lossy().into_owned()
    } else {
        parts.join("/")
    }
}

/// The scenario that belongs to a map: its name and `.scen`.
fn scenario(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_os_string();
    name.push(".scen");
    PathBuf::from(name)
}

/// Reads the map at `path`.
///
/// # Errors
/// A file that can't be read, or text that is no map, with its line and column.
pub(crate) fn load_map(path: &Path) -> Result<Grid, BenchError> {
    let text = fs::read_to_string(path).map_err(BenchError::file(path))?;
    parse_map(&text).map_err(BenchError::map(path))
}

/// Reads a map and every `every`th query of its scenario, beginning with the first.
///
/// # Errors
/// As [`load_map`], for both files; a scenario without queries or for a map of another size.
pub(crate) fn load(path: &Path, every: usize) -> Result<Loaded, BenchError> {
    let grid = load_map(path)?;
    let path = scenario(path);
    let text = fs::read_to_string(&path).map_err(BenchError::file(&path))?;
    let all = parse_scenarios(&text).map_err(BenchError::map(&path))?;
    let actual = (grid.width(), grid.height());
    let odd = all.iter().position(|q| (q.width, q.height) != actual);
    if let Some(index) = odd {
        let listed = (all[index].width, all[index].height);
        return Err(BenchError::OtherSize {
            path,
            query: index + 1,
            listed,
            actual,
        });
    }
    let queries: Vec<_> = all.into_iter().step_by(every).collect();
    if queries.is_empty() {
        return Err(BenchError::NoQueries(path));
    }
    Ok(Loaded { grid, queries })
}

#[cfg(test)]
mod tests {
    use super::{find_sets, load, set_name};
    use crate::fixture::Folder;
    use std::path::Path;

    const MAP: &str = "type octile\nheight 1\nwidth 3\nmap\n...\n";
    const QUERY: &str = "0\ta.map\t3\t1\t0\t0\t2\t0\t2\n";

    #[test]
    fn each_folder_is_a_set_and_a_map_alone_is_none() {
        let folder = Folder::new("mapset-sets");
        for file in [
            "b/x.map",
            "b/x.map.scen",
            "a/y/z.map",
            "a/y/z.map.scen",
            "c/alone.map",
        ] {
            folder.write(file, "");
        }
        let sets = find_sets(folder.path()).unwrap();
        let names: Vec<_> = sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["a/y", "b"]);
    }

    #[test]
    fn a_folder_without_maps_is_an_error() {
        let folder = Folder::new("mapset-empty");
        assert!(find_sets(folder.path()).is_err());
        assert!(find_sets(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn the_top_folder_as_a_set_has_its_own_name() {
        assert_eq!(
            set_name(Path::new("/maps/dao"), Path::new("/maps/dao")),
            "dao"
        );
    }

    #[test]
    fn every_nth_query_counts_from_the_first() {
        let folder = Folder::new("mapset-every");
        folder.write("a.map", MAP);
        folder.write("a.map.scen", &format!("version 1\n{}", QUERY.repeat(7)));
        let map = folder.path().join("a.map");
        let counts = [1, 3, 7, 8].map(|every| load(&map, every).unwrap().queries.len());
        assert_eq!(counts, [7, 3, 1, 1]);
    }

    #[test]
    fn a_bad_map_is_named_with_line_and_column() {
        let folder = Folder::new("mapset-bad");
        folder.write("a.map", &MAP.replace("...", ".?."));
        folder.write("a.map.scen", "version 1\n");
        let error = load(&folder.path().join("a.map"), 1).err().unwrap();
        let text = error.to_string();
        assert!(text.contains("a.map:5:2: "), "{text}");
    }

    #[test]
    fn a_scenario_for_another_map_is_refused() {
        let folder = Folder::new("mapset-size");
        folder.write("a.map", MAP);
        folder.write(
            "a.map.scen",
            &format!("version 1\n{}", QUERY.replace("\t3\t1\t", "\t3\t2\t")),
        );
        let error = load(&folder.path().join("a.map"), 1).err().unwrap();
        assert!(error.to_string().contains("3 x 2"), "{error}");
    }
}
