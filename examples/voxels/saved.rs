//! Searches that were saved: files of what one did, with the map beside them.

use std::fs;
use std::path::Path;

use pursuit::{Outcome, SearchScratch};
use pursuit_examples::recordings::{self, map_beside, told};
use pursuit_examples::replays::cut_text;
use pursuit_lab::recording::Recording;
use pursuit_lab::voxels::parse_voxels;

use crate::hill::hill;
use crate::level::Level;
use crate::solve::{Gait, Method, solve};

/// Saves what a search did, and the map that it searched.
///
/// # Errors
///
/// Why a file cannot be written.
pub(crate) fn save(path: &Path, recording: &Recording, level: &Level) -> Result<(), String> {
    recordings::save(path, recording, &level.text())
}

/// Searches by A*, and saves what it did.
///
/// # Errors
///
/// Those of the search, and why a file cannot be written.
pub(crate) fn solve_and_save(path: &Path, level: &Level, gait: Gait) -> Result<(), String> {
    let solved = solve(level, gait, Method::AStar, &mut SearchScratch::new());
    let solved = solved.map_err(|error| error.to_string())?;
    save(path, &solved.recording, level)
}

/// Reads what was saved: how the body moves comes with it.
///
/// # Errors
///
/// Why the file cannot be read, or what is wrong with it.
pub(crate) fn load(path: &Path) -> Result<(Recording, Gait), String> {
    let recording = recordings::load(path)?;
    let voxels = recording.search().voxels;
    let voxels = voxels.ok_or_else(|| told(path, "a search on a grid, not among cubes"))?;
    let gait = Gait::of(voxels.movement());
    let gait = gait.ok_or_else(|| told(path, "a body that moves in another way"))?;
    Ok((recording, gait))
}

/// The level of a search that was saved: the one given, else the one beside the file, with the ends of the search.
///
/// # Errors
///
/// Why that cannot be read, or is the map of another search.
pub(crate) fn level(
    path: &Path,
    recording: &Recording,
    given: Option<Level>,
) -> Result<Level, String> {
    let mut level = match given {
        Some(level) => level,
        None => beside(path)?,
    };
    let search = recording.search();
    let voxels = search
        .voxels
        .filter(|voxels| voxels.size() == level.grid.size());
    let [columns, rows, layers] = level.grid.size();
    let other = format!("a search of other cubes than the map has: {columns} x {rows} x {layers}");
    let voxels = voxels.ok_or_else(|| told(path, other))?;
    (level.start, level.goal) = (voxels.voxel(search.start), voxels.voxel(search.goal));
    if level.grid.is_solid(level.start) || level.grid.is_solid(level.goal) {
        return Err(told(path, "a search from or to a solid cube of this map"));
    }
    Ok(level)
}

/// The level beside a file. The built-in one is known again, and what it is made of.
fn beside(path: &Path) -> Result<Level, String> {
    let path = map_beside(path);
    let text = fs::read_to_string(&path).map_err(|error| told(&path, error))?;
    let map = parse_voxels(&text).map_err(|error| told(&path, error))?;
    let built_in = hill().ok().filter(|hill| hill.grid == map.grid);
    if let Some(level) = built_in {
        return Ok(level);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let anywhere = [map.grid.bounds().min; 2];
    Level::of_grid(&name, &map.grid, anywhere).map_err(|error| told(&path, error))
}

/// Facts of a search that was saved.
pub(crate) fn summary(recording: &Recording, level: &Level, gait: Gait) -> String {
    let ([columns, rows, layers], counts) = (level.grid.size(), recording.counts());
    let mut text = format!(
        "{}, {}, {columns} x {rows} x {layers} cubes, from {} to {}\n{} events: {} expanded, {} pushed, {} relaxed\n",
        recording.search().name,
        gait.name(),
        level.start,
        level.goal,
        recording.len(),
        counts.expanded,
        counts.pushed,
        counts.relaxed,
    );
    if let Some(cut) = cut_text(recording) {
        text += &format!("{cut}\n");
    }
    if let Some(end) = recording.end() {
        let is_short = end.outcome != Outcome::Complete;
        let short = if is_short { ", goal not reached" } else { "" };
        text += &format!("cost {}{short}\n", end.cost);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::level::Stuff;
    use crate::race::{Race, Shown};
    use crate::words::{Count, idea};
    use pursuit_examples::replays::Replays;

    /// A file for one test, gone with it, and the map beside it.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> Self {
            let name = format!("voxels-{}-{name}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
            let _ = fs::remove_file(map_beside(&self.0));
        }
    }

    #[test]
    fn a_search_that_was_saved_is_shown_as_it_was() {
        let file = File::new("shown");
        let mut hill = hill().expect("a good size");
        std::mem::swap(&mut hill.start, &mut hill.goal);
        for gait in Gait::ALL {
            let mut race = Race::new(&hill, gait, Shown::Both, 0.0);
            for board in 0..2 {
                let recording = race.boards()[board].replay.recording().clone();
                save(&file.0, &recording, &hill).expect("a file");
                let (loaded, moved) = load(&file.0).expect("a recording");
                assert_eq!((&loaded, moved), (&*recording, gait));
                let level = level(&file.0, &loaded, None).expect("the map beside it");
                assert_eq!(level.grid, hill.grid);
                assert_eq!([level.start, level.goal], [hill.start, hill.goal]);
                let mut again = Race::new(&level, moved, Shown::Both, 0.0);
                again.open(loaded, 0.0);
                assert_eq!(idea(&again, board), "as it was saved");
                assert_ne!(idea(&again, 1 - board), "as it was saved");
                for part in [0.0, 0.5, 1.0] {
                    race.seek(part);
                    again.seek(part);
                    let told =
                        |race: &Race| Count::ALL.map(|count| count.of(&race.boards()[board]));
                    assert_eq!(told(&again), told(&race));
                }
                assert_eq!(again.boards()[board].voxels, race.boards()[board].voxels);
                again.run_again(&level, Gait::Fly);
                assert_ne!(idea(&again, board), "as it was saved");
            }
        }
    }

    #[test]
    fn the_built_in_map_is_known_again_and_another_one_is_earth_and_rock() {
        let file = File::new("stuff");
        let hill = hill().expect("a good size");
        let stuff = |level: &Level| {
            let all = level
                .grid
                .bounds()
                .voxels()
                .filter(|&at| level.grid.is_solid(at));
            all.map(|at| level.stuff(at)).collect::<Vec<Stuff>>()
        };
        solve_and_save(&file.0, &hill, Gait::Walk).expect("a file");
        let (recording, _) = load(&file.0).expect("a recording");
        let level = level(&file.0, &recording, None).expect("a level");
        assert_eq!(stuff(&level), stuff(&hill));
        let other = Level::parse("a", "S.#\n..G\n").expect("a level");
        solve_and_save(&file.0, &other, Gait::Fly).expect("a file");
        let (recording, gait) = load(&file.0).expect("a recording");
        let level = super::level(&file.0, &recording, None).expect("a level");
        assert_eq!(level.text(), "S.#\n..G\n");
        let told = summary(&recording, &level, gait);
        assert!(
            told.starts_with("A*, fly, 3 x 2 x 1 cubes, from (0, 0, 0) to (2, 1, 0)\n"),
            "{told}"
        );
        assert!(told.ends_with("cost 3\n"), "{told}");
    }

    #[test]
    fn files_that_are_damaged_or_of_another_map_say_so() {
        let file = File::new("damaged");
        let own = Level::parse("a", "S..G\n....\n").expect("a level");
        solve_and_save(&file.0, &own, Gait::Fly).expect("a file");
        let (recording, _) = load(&file.0).expect("a recording");
        for (map, reason) in [("S..G\n", "4 x 1 x 1"), ("#S.G\n....\n", "solid cube")] {
            let other = Level::parse("b", map).expect("a level");
            let refused = level(&file.0, &recording, Some(other)).expect_err("another map");
            assert!(refused.contains(reason), "{refused}");
        }
        let mut bytes = fs::read(&file.0).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file.0, &bytes).expect("written");
        assert!(load(&file.0).expect_err("damaged").contains("checksum"));
        let grid = pursuit::Grid::from_fn(4, 2, |_| true).expect("a grid");
        let (start, goal) = (pursuit::Cell::new(0, 0), pursuit::Cell::new(3, 0));
        let options = pursuit::PathOptions::default();
        let scratch = &mut SearchScratch::new();
        let flat = Recording::of_path(&grid, start, goal, &options, scratch).expect("a path");
        fs::write(&file.0, flat.to_bytes()).expect("written");
        assert!(load(&file.0).expect_err("flat").contains("not among cubes"));
    }
}
