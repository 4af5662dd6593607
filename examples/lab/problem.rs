//! What searches are asked on: a grid of cells, or a grid of cubes. A search is timed without a recorder, then asked once
//! more with one.

use std::fmt::{Debug, Display};
use std::time::Duration;

use bevy::ecs::component::Mutable;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use pursuit::{Cell, FoundPath, SearchRecorder, SearchScratch};
use pursuit_lab::d_star_lite::DStarLite;
use pursuit_lab::recording::{Change, Event, RecordedEnd, RecordedSearch, Recording};
use pursuit_lab::replay::StepUnit;
use pursuit_lab::voxels::VoxelPath;

use super::cli::Options;
use super::settings::{Method, Rule, Settings};

/// What to search, and how to show it.
pub(crate) trait Problem: Resource<Mutability = Mutable> + Clone + Debug {
    /// Where a search can begin or end.
    type Place: Copy + PartialEq + Display;
    /// One search of one algorithm.
    type Question: Question;

    /// Algorithms, in the order of their keys.
    const METHODS: &'static [Method];
    /// Rules that can be chosen.
    const RULES: &'static [Rule];
    /// What a step is at first.
    const UNIT: StepUnit;
    /// What the core counts for a straight step.
    const STRAIGHT: u32;
    /// Number of built-in maps.
    const LEVELS: usize;
    /// What the mouse and some keys do.
    const KEYS: &'static [(&'static str, &'static str)];

    /// A built-in map. They begin again after the last one.
    fn built_in(number: usize) -> Self;

    /// Reads a map.
    fn parse(name: &str, text: &str) -> Result<Self, String>;

    /// The problem that a saved search was about, on this map or as the search saw it. Settings become those of the
    /// search where they do not fit.
    fn of_recording(
        recording: &Recording,
        map: Option<Self>,
        settings: &mut Settings,
    ) -> Result<Self, String>;

    /// The text that [`parse`](Self::parse) reads.
    fn text(&self) -> String;

    /// What to call it.
    fn name(&self) -> &str;

    /// How large it is, in words.
    fn size(&self) -> String;

    /// The start and the goal.
    fn ends(&self) -> [Self::Place; 2];

    /// Moves the start and the goal.
    fn set_ends(&mut self, ends: [Self::Place; 2]);

    /// Places from which the goal can be reached.
    fn places(&self, settings: &Settings) -> Vec<Self::Place>;

    /// Prepares a search.
    fn question(&self, method: Method, settings: &Settings) -> Result<Self::Question, String>;

    /// What an algorithm does in place of what was chosen, where that does not work. Without a comma.
    fn substitute(&self, _: Method, _: &Settings) -> Option<&'static str> {
        None
    }

    /// Repairs what D* Lite knew; `None` where it has to begin with nothing. With how many events tell what it knew.
    fn repair(
        &self,
        _: &Settings,
        _: &mut DStarLite,
        _: &mut SearchScratch,
    ) -> Option<Result<(Recording, u32), String>> {
        None
    }

    /// An answer from baked tables, and how long the bake took; `None` where there are no tables.
    fn tables(&self, _: &Settings, _: &mut SearchScratch) -> Option<(Figures, Duration)> {
        None
    }

    /// Settings under which the algorithms are compared, each with what goes before their names.
    fn variants(settings: &Settings) -> Vec<(String, Settings)> {
        vec![(String::new(), *settings)]
    }

    /// How smooth edges are. All cameras draw on one window, so they must agree.
    fn edges(_is_picture: bool) -> Msaa {
        Msaa::default()
    }

    /// What makes a camera one that looks at this.
    fn camera() -> impl Bundle;

    /// Adds what draws it, and what the mouse does.
    fn add_view(app: &mut App, options: &Options);
}

/// One search of one algorithm.
pub(crate) trait Question {
    /// What it is asked.
    fn facts(&self) -> Result<RecordedSearch, String>;

    /// Searches until the last answer.
    fn ask<R: Listener>(
        &self,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<Found, String>;
}

/// Hears what searches do: those of the core, and ARA* and D* Lite.
pub(crate) trait Listener: SearchRecorder {
    fn hear(&mut self, event: Event);
}

impl Listener for () {
    fn hear(&mut self, _: Event) {}
}

impl Listener for Recording {
    fn hear(&mut self, event: Event) {
        self.add(event);
    }
}

/// An answer.
pub(crate) enum Found {
    Cells(FoundPath),
    Cubes(VoxelPath),
}

impl Found {
    /// Notes the answer in a recording.
    pub(crate) fn finish(&self, recording: &mut Recording, took: Duration) {
        match self {
            Self::Cells(found) => recording.finish(found, Some(took)),
            Self::Cubes(found) => recording.finish_voxels(found, Some(took)),
        }
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The path, its cost and the work done.
    pub(crate) end: RecordedEnd,
    /// Places that were expanded, each counted once.
    pub(crate) visited: usize,
    /// Places that waited to be expanded when it was over.
    pub(crate) open: usize,
}

impl Figures {
    /// How long it took, in microseconds.
    pub(crate) fn micros(&self) -> f64 {
        self.end.took.unwrap_or_default().as_secs_f64() * 1e6
    }
}

/// Most bytes of a recording: some 50 million events.
const LIMIT: usize = 256 << 20;
/// Searches that take less are timed several times, for the least of the times.
const SHORT: Duration = Duration::from_millis(10);
/// How often those are timed.
const TIMES: usize = 5;

/// Times a search, and records it.
pub(crate) fn record<P: Problem>(
    problem: &P,
    method: Method,
    settings: &Settings,
    scratch: &mut SearchScratch,
) -> Result<Recording, String> {
    let question = problem.question(method, settings)?;
    let took = least_time(&question, scratch)?;
    let mut recording = recording(&question, method)?;
    let found = question.ask(scratch, &mut recording)?;
    found.finish(&mut recording, took);
    Ok(recording)
}

/// Times a search, and counts what it left open.
pub(crate) fn measure<P: Problem>(
    problem: &P,
    method: Method,
    settings: &Settings,
    scratch: &mut SearchScratch,
) -> Result<Figures, String> {
    let recording = record(problem, method, settings, scratch)?;
    let (visited, open) = visited_and_open(&recording);
    Ok(Figures {
        end: recording.end().cloned().ok_or("no answer")?,
        visited,
        open,
    })
}

/// An empty recording of a search.
pub(crate) fn recording(question: &impl Question, method: Method) -> Result<Recording, String> {
    let facts = question.facts()?.named(method.words()[0]);
    Ok(Recording::new(facts).with_limit(LIMIT))
}

/// The least time of several searches that nobody listened to.
pub(crate) fn least_time(
    question: &impl Question,
    scratch: &mut SearchScratch,
) -> Result<Duration, String> {
    let mut took = Duration::MAX;
    for _ in 0..TIMES {
        let begun = Instant::now();
        question.ask(scratch, &mut ())?;
        took = took.min(begun.elapsed());
        if took >= SHORT {
            break;
        }
    }
    Ok(took)
}

/// How many cells a search expanded, and how many it left waiting.
fn visited_and_open(recording: &Recording) -> (usize, usize) {
    let RecordedSearch { width, height, .. } = *recording.search();
    let index = |cell: Cell| cell.y as usize * width as usize + cell.x as usize;
    let mut is_expanded = vec![None; width as usize * height as usize];
    for event in recording.events() {
        match event {
            Event::Relaxed(_, Change::Kept) => {}
            Event::Relaxed(way, _) => is_expanded[index(way.node)] = Some(false),
            Event::Expanded(way) => is_expanded[index(way.node)] = Some(true),
            _ => {}
        }
    }
    let count = |wanted| is_expanded.iter().filter(|is| **is == Some(wanted)).count();
    (count(true), count(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubes::level::Level;
    use crate::grid::board::Board;
    use pursuit::Outcome;

    fn check<P: Problem>() {
        for number in 0..P::LEVELS {
            let (problem, scratch) = (P::built_in(number), &mut SearchScratch::new());
            let recording = record(&problem, Method::AStar, &Settings::default(), scratch);
            let recording = recording.expect("an answer");
            let end = recording.end().expect("an end");
            assert_eq!(end.outcome, Outcome::Complete, "{}", problem.name());
        }
    }

    #[test]
    fn every_built_in_map_has_a_way_from_start_to_goal() {
        check::<Board>();
        check::<Level>();
    }
}
