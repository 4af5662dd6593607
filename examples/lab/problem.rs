//! What grids of cells and grids of cubes have in common. A search is timed without a recorder, and then runs once more
//! with a recorder.

use std::fmt::{Debug, Display};
use std::time::Duration;

use bevy::ecs::component::Mutable;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use pursuit::{FoundPath, SearchRecorder};
use pursuit_lab::d_star_lite::DStarLite;
use pursuit_lab::recording::{Event, RecordedSearch, Recording};
use pursuit_lab::replay::StepUnit;
use pursuit_lab::voxels::VoxelPath;

use super::cli::Options;
use super::settings::{Method, Rule, Settings};

/// A map to search, and how to show it.
pub(crate) trait Problem: Resource<Mutability = Mutable> + Clone + Debug {
    /// A place where a search can begin or end.
    type Place: Copy + PartialEq + Display;
    /// One search of one algorithm.
    type Question: Question;

    /// Algorithms, in the order of their keys.
    const METHODS: &'static [Method];
    /// Rules that can be chosen.
    const RULES: &'static [Rule];
    /// The initial unit of a step.
    const STEP_UNIT: StepUnit;
    /// The cost of a straight step in the core.
    const STRAIGHT: u32;
    /// Number of built-in maps.
    const LEVELS: usize;
    /// Labels of the mouse buttons and some keys, with their actions.
    const KEYS: &'static [(&'static str, &'static str)];

    /// A built-in map. The last map is followed by the first one.
    fn built_in(number: usize) -> Self;

    /// Reads a map.
    fn parse(name: &str, text: &str) -> Result<Self, String>;

    /// The problem of a saved search, on this map or as the search saw it.
    fn from_recording(recording: &Recording, map: Option<Self>) -> Result<Self, String>;

    /// The text that [`parse`](Self::parse) reads.
    fn text(&self) -> String;

    /// The name of the map.
    fn name(&self) -> &str;

    /// The size of the map, in words.
    fn size(&self) -> String;

    /// The start and the goal.
    fn ends(&self) -> [Self::Place; 2];

    /// Moves the start and the goal.
    fn set_ends(&mut self, ends: [Self::Place; 2]);

    /// Places from which the goal can be reached.
    fn places(&self, settings: &Settings) -> Vec<Self::Place>;

    /// Prepares a search.
    fn question(&self, method: Method, settings: &Settings) -> Result<Self::Question, String>;

    /// A text that says what runs instead, if the algorithm does not work with the settings. The text has no comma.
    fn substitute(&self, _: Method, _: &Settings) -> Option<&'static str> {
        None
    }

    /// Repairs the last search of D* Lite, and returns the number of events that report its earlier state. `None` if it
    /// has to begin from scratch.
    fn repair(&self, _: &Settings, _: &mut DStarLite) -> Option<Repaired> {
        None
    }

    /// An answer from baked tables, as a recording without events, and the duration of the bake. `None` if there are no
    /// tables.
    fn tables(&self, _: &Settings) -> Option<(Recording, Duration)> {
        None
    }

    /// Settings under which the algorithms are compared, each with a prefix for the names of the algorithms.
    fn variants(settings: &Settings) -> Vec<(String, Settings)> {
        vec![(String::new(), *settings)]
    }

    /// The components of a camera that looks at the map.
    fn camera() -> impl Bundle;

    /// Adds the systems that draw the map and handle the mouse.
    fn add_view(app: &mut App, options: &Options);
}

/// The recording of a repair by D* Lite, and the number of its events that report the earlier state of the search.
pub(crate) type Repaired = Result<(Recording, u32), String>;

/// One search of one algorithm, with the memory that it needs.
pub(crate) trait Question {
    /// The description of the search at the beginning of a recording.
    fn facts(&self) -> Result<RecordedSearch, String>;

    /// Runs the search until its last answer.
    fn ask(&mut self, recorder: &mut impl Recorder) -> Result<Found, String>;
}

/// Records the events of searches: of the core, of ARA* and of D* Lite.
pub(crate) trait Recorder: SearchRecorder {
    fn add_event(&mut self, event: Event);
}

impl Recorder for () {
    fn add_event(&mut self, _: Event) {}
}

impl Recorder for Recording {
    fn add_event(&mut self, event: Event) {
        self.add(event);
    }
}

/// An answer.
pub(crate) enum Found {
    Cells(FoundPath),
    Cubes(VoxelPath),
}

impl Found {
    /// Finishes a recording with the answer.
    pub(crate) fn finish(&self, recording: &mut Recording, took: Duration) {
        match self {
            Self::Cells(found) => recording.finish(found, Some(took)),
            Self::Cubes(found) => recording.finish_voxels(found, Some(took)),
        }
    }
}

/// Maximum size of a recording, in bytes: some 50 million events.
const MAX_RECORDING_BYTES: usize = 256 << 20;
/// A search that takes less than this is timed [`TIMED_RUNS`] times, and a longer one twice. The shortest time is used.
const SHORT_SEARCH: Duration = Duration::from_millis(10);
/// Number of times that a short search is timed.
const TIMED_RUNS: usize = 5;

/// Times a search, and records it.
pub(crate) fn record<P: Problem>(
    problem: &P,
    method: Method,
    settings: &Settings,
) -> Result<Recording, String> {
    let mut question = problem.question(method, settings)?;
    let took = shortest_time(&mut question)?;
    let mut recording = recording(&question, method)?;
    let found = question.ask(&mut recording)?;
    found.finish(&mut recording, took);
    Ok(recording)
}

/// An empty recording of a search.
pub(crate) fn recording(question: &impl Question, method: Method) -> Result<Recording, String> {
    let facts = question.facts()?.named(method.name_and_idea()[0]);
    Ok(Recording::new(facts).with_limit(MAX_RECORDING_BYTES))
}

/// The shortest time of several searches without a recorder.
pub(crate) fn shortest_time(question: &mut impl Question) -> Result<Duration, String> {
    let mut took = Duration::MAX;
    for run in 0..TIMED_RUNS {
        let begun = Instant::now();
        question.ask(&mut ())?;
        took = took.min(begun.elapsed());
        // The first search also allocates memory.
        if run > 0 && took >= SHORT_SEARCH {
            break;
        }
    }
    Ok(took)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubes::level::Level;
    use crate::grid::board::Board;
    use pursuit::Outcome;

    fn check<P: Problem>() {
        for number in 0..P::LEVELS {
            let problem = P::built_in(number);
            let recording = record(&problem, Method::AStar, &Settings::default());
            let recording = recording.expect("an answer");
            let end = recording.end().expect("an end");
            assert_eq!(end.outcome, Outcome::Complete, "{}", problem.name());
        }
    }

    #[test]
    fn every_built_in_map_has_a_path_from_start_to_goal() {
        check::<Board>();
        check::<Level>();
    }
}
