//! Searches that were saved: files of what one did, with the map beside them.

use std::path::Path;

use pursuit::{Outcome, SearchScratch};
use pursuit_examples::recordings::{self, map_beside, told};
use pursuit_examples::replays::cut_text;
use pursuit_lab::recording::Event;
use pursuit_lab::recording::Recording;

use crate::board::Board;
use crate::levels;
use crate::method::{Method, Settings};
use crate::solve::{Trip, record};
use crate::table::{bound_text, in_steps};

/// Saves what a search did, and the map that it searched.
///
/// # Errors
///
/// Why a file cannot be written.
pub(crate) fn save(path: &Path, recording: &Recording, board: &Board) -> Result<(), String> {
    recordings::save(path, recording, &board.text())
}

/// Searches with one algorithm, and saves what it did.
///
/// # Errors
///
/// Those of the search, and why a file cannot be written.
pub(crate) fn solve_and_save(
    path: &Path,
    board: &Board,
    method: Method,
    settings: &Settings,
) -> Result<(), String> {
    let grid = board.grid().map_err(|error| error.to_string())?;
    let trip = Trip {
        grid: &grid,
        start: board.start,
        goal: board.goal,
    };
    let recorded = record(trip, method, settings, &mut SearchScratch::new());
    let recording = recorded.map_err(|error| error.to_string())?;
    save(path, &recording, board)
}

/// Reads what was saved.
///
/// # Errors
///
/// Why the file cannot be read, or what is wrong with it.
pub(crate) fn load(path: &Path) -> Result<Recording, String> {
    let recording = recordings::load(path)?;
    if recording.search().voxels.is_some() {
        return Err(told(
            path,
            "a search among cubes: the example voxels shows it",
        ));
    }
    Ok(recording)
}

/// The map of a search that was saved: the one given, else the one beside the file. Where there is none,
/// floor is what the search saw, and all else is walls.
///
/// # Errors
///
/// Why that cannot be read, or is the map of another search.
pub(crate) fn board(
    path: &Path,
    recording: &Recording,
    given: Option<Board>,
) -> Result<Board, String> {
    let beside = map_beside(path);
    let mut board = match given {
        Some(board) => board,
        None if beside.is_file() => levels::load(&beside)?,
        None => seen(recording).ok_or_else(|| told(path, "a search from or to nowhere"))?,
    };
    let search = recording.search();
    if (board.width(), board.height()) != (search.width, search.height) {
        let (width, height) = (search.width, search.height);
        let own = format!("{} x {}", board.width(), board.height());
        let reason = format!("a search of {width} x {height} cells, and the map has {own}");
        return Err(told(path, reason));
    }
    if !(board.is_free(search.start) && board.is_free(search.goal)) {
        return Err(told(path, "a search from or to a wall of this map"));
    }
    (board.start, board.goal) = (search.start, search.goal);
    Ok(board)
}

/// Facts of a search that was saved.
pub(crate) fn summary(recording: &Recording) -> String {
    let search = recording.search();
    let counts = recording.counts();
    let mut text = format!(
        "{}, {} x {} cells, from {} to {}\n{} events: {} expanded, {} pushed, {} relaxed\n",
        search.name,
        search.width,
        search.height,
        search.start,
        search.goal,
        recording.len(),
        counts.expanded,
        counts.pushed,
        counts.relaxed,
    );
    if let Some(cut) = cut_text(recording) {
        text += &format!("{cut}\n");
    }
    if let Some(end) = recording.end() {
        let (cost, bound) = (in_steps(end.cost), bound_text(end.bound));
        let short = if end.outcome == Outcome::Complete {
            ""
        } else {
            ", goal not reached"
        };
        text += &format!("cost {cost:.2}, bound {bound}{short}\n");
    }
    text
}

/// The board that a search saw.
fn seen(recording: &Recording) -> Option<Board> {
    let search = recording.search();
    let path = recording.end().map_or(&[][..], |end| &end.path);
    let events = recording.events().flat_map(|event| match event {
        Event::Relaxed(way, _) | Event::Expanded(way) | Event::Reached(way) => {
            [Some(way.node), way.parent]
        }
        _ => [None, None],
    });
    let floor = events.flatten().chain(path.iter().copied());
    let ends = (search.start, search.goal);
    Board::of_floor((search.width, search.height), ends, floor)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use pursuit_lab::voxels::{VoxelOptions, parse_voxels};

    /// A file for one test, gone with it, and the map beside it.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> Self {
            let name = format!("search_lab-{}-{name}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
            let _ = fs::remove_file(map_beside(&self.0));
        }
    }

    fn saved(file: &File, map: &str) -> Board {
        let board = Board::parse("a", map).expect("a map");
        let settings = Settings::default();
        solve_and_save(&file.0, &board, Method::Incremental, &settings).expect("saved");
        board
    }

    #[test]
    fn what_is_saved_is_opened_with_its_map() {
        let file = File::new("opened");
        let map = saved(&file, "S..#..\n.5.#..\n......\n...#.G\n");
        let recording = load(&file.0).expect("a recording");
        assert_eq!(recording.search().name, "D* Lite");
        assert!(summary(&recording).contains("bound 1.00"));
        let board = board(&file.0, &recording, None).expect("its map");
        assert_eq!(board.costs(), map.costs());
        assert_eq!((board.start, board.goal), (map.start, map.goal));
    }

    #[test]
    fn without_its_map_floor_is_what_the_search_saw() {
        let file = File::new("seen");
        saved(&file, "S.#...\n..#...\n....#G\n");
        fs::remove_file(map_beside(&file.0)).expect("a map was saved");
        let recording = load(&file.0).expect("a recording");
        let board = board(&file.0, &recording, None).expect("what was seen");
        let end = recording.end().expect("an end");
        assert!(end.path.iter().all(|&cell| board.is_free(cell)));
        assert!(!board.is_free(pursuit::Cell::new(2, 0)));
    }

    #[test]
    fn files_that_are_damaged_or_of_another_map_say_so() {
        let file = File::new("damaged");
        saved(&file, "S....G\n......\n");
        let recording = load(&file.0).expect("a recording");
        for (map, reason) in [
            ("S..G\n", "the map has 4 x 1"),
            ("#.S.GS\n......\n", "wall"),
        ] {
            let other = Board::parse("b", map).expect("a map");
            let refused = board(&file.0, &recording, Some(other)).expect_err("another map");
            assert!(refused.contains(reason), "{refused}");
        }
        let mut bytes = fs::read(&file.0).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file.0, &bytes).expect("written");
        let refused = load(&file.0).expect_err("damaged");
        assert!(refused.contains("checksum"), "{refused}");
        fs::write(&file.0, b"no recording").expect("written");
        let refused = load(&file.0).expect_err("foreign");
        assert!(refused.contains("no recording"), "{refused}");
        assert!(load(&map_beside(&map_beside(&file.0))).is_err());
    }

    #[test]
    fn a_search_among_cubes_is_refused() {
        let file = File::new("cubes");
        let map = parse_voxels("S.\n\n.G\n").expect("a map");
        let [start, goal] = ['S', 'G'].map(|mark| map.find(mark).expect("a mark"));
        let options = VoxelOptions::default();
        let scratch = &mut SearchScratch::new();
        let recording = Recording::of_voxels(&map.grid, start, goal, &options, scratch);
        let bytes = recording.expect("a path").to_bytes();
        fs::write(&file.0, bytes).expect("written");
        let refused = load(&file.0).expect_err("cubes");
        assert!(refused.contains("the example voxels"), "{refused}");
    }
}
