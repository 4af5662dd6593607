//! Reads benchmark files: maps and their scenarios. Each folder is a set.

use std::fs;
use std::path::{Path, PathBuf};

use pursuit::Grid;
use pursuit::maps::{Scenario, parse_map, parse_scenarios};
use serde::Serializer;

use crate::error::BenchError;

/// The maps of one folder.
#[derive(Debug)]
pub(crate) struct MapSet {
    /// The folder of the set, relative to the searched folder. For the searched folder itself, this is its name.
    pub(crate) name: String,
    /// The map files with a scenario beside them, sorted by name.
    pub(crate) maps: Vec<PathBuf>,
}

/// A map with its queries.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) grid: Grid,
    pub(crate) queries: Vec<Scenario>,
}

/// All sets in `folder` and its subfolders, sorted by name.
pub(crate) fn find_sets(folder: &Path) -> Result<Vec<MapSet>, BenchError> {
    let mut sets = Vec::new();
    collect(folder, folder, &mut sets)?;
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    if sets.is_empty() {
        let why = "no .map file with a .map.scen file beside it";
        return Err(BenchError::at(folder, why));
    }
    Ok(sets)
}

fn collect(top: &Path, folder: &Path, sets: &mut Vec<MapSet>) -> Result<(), BenchError> {
    let mut maps = Vec::new();
    let at = |error| BenchError::at(folder, error);
    for entry in fs::read_dir(folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
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
        file_name(folder)
    } else {
        parts.join("/")
    }
}

/// The name of a map's file.
pub(crate) fn file_name(map: &Path) -> String {
    let name = map.file_name().unwrap_or(map.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Serializes the path of a map as its file name.
pub(crate) fn as_file_name<S: Serializer>(map: &Path, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&file_name(map))
}

/// The name of a map's file, without its extension.
pub(crate) fn stem(map: &Path) -> String {
    let name = map.file_stem().unwrap_or(map.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The path of a map's scenario: the path of the map plus `.scen`.
fn scenario(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_os_string();
    name.push(".scen");
    PathBuf::from(name)
}

fn read(path: &Path) -> Result<String, BenchError> {
    fs::read_to_string(path).map_err(|error| BenchError::at(path, error))
}

/// Reads the map at `path`.
pub(crate) fn load_map(path: &Path) -> Result<Grid, BenchError> {
    parse_map(&read(path)?).map_err(|error| BenchError::map(path, &error))
}

/// Reads a map and its scenario. Keeps every `every`th query, starting with the first.
pub(crate) fn load(path: &Path, every: usize) -> Result<Loaded, BenchError> {
    let grid = load_map(path)?;
    let path = scenario(path);
    let all = parse_scenarios(&read(&path)?).map_err(|error| BenchError::map(&path, &error))?;
    let actual = (grid.width(), grid.height());
    let mut sizes = (1..).zip(all.iter().map(|q| (q.width, q.height)));
    if let Some((query, (width, height))) = sizes.find(|&(_, listed)| listed != actual) {
        let (columns, rows) = actual;
        let why = format!("for a map of {width} x {height}, the map is {columns} x {rows}");
        return Err(BenchError::at(&path, format!("query {query} is {why}")));
    }
    let queries: Vec<_> = all.into_iter().step_by(every).collect();
    if queries.is_empty() {
        return Err(BenchError::at(&path, "a scenario needs queries"));
    }
    Ok(Loaded { grid, queries })
}

#[cfg(test)]
mod tests {
    use super::{find_sets, load};
    use crate::tests::fixture::Folder;
    use std::path::Path;

    const MAP: &str = "type octile\nheight 1\nwidth 3\nmap\n...\n";
    const QUERY: &str = "0\ta.map\t3\t1\t0\t0\t2\t0\t2\n";

    #[test]
    fn each_folder_with_scenarios_is_a_set_and_a_map_without_them_is_skipped() {
        let folder = Folder::new("mapset-sets");
        assert!(find_sets(folder.path()).is_err(), "no map");
        for file in ["b/x", "a/y/z"] {
            folder.write(&format!("{file}.map"), "");
            folder.write(&format!("{file}.map.scen"), "");
        }
        folder.write("c/alone.map", "");
        let names = |top: &Path| -> Vec<String> {
            let sets = find_sets(top).unwrap().into_iter();
            sets.map(|set| set.name).collect()
        };
        assert_eq!(names(folder.path()), ["a/y", "b"]);
        assert_eq!(names(&folder.path().join("b")), ["b"], "its own name");
    }

    #[test]
    fn every_nth_query_is_loaded_and_errors_name_the_mismatch() {
        let folder = Folder::new("mapset-load");
        let map = folder.write("a.map", MAP);
        folder.write("a.map.scen", &format!("version 1\n{}", QUERY.repeat(7)));
        let counts = [1, 3, 7, 8].map(|every| load(&map, every).unwrap().queries.len());
        assert_eq!(counts, [7, 3, 1, 1]);
        let error = |map: &Path| load(map, 1).err().unwrap().to_string();
        let other = QUERY.replace("\t3\t1\t", "\t3\t2\t");
        folder.write("a.map.scen", &format!("version 1\n{other}"));
        assert!(error(&map).contains("3 x 2"), "{}", error(&map));
        folder.write("a.map", &MAP.replace("...", ".?."));
        assert!(error(&map).contains("a.map:5:2: "), "{}", error(&map));
    }
}
