//! One search: timed without a recorder, then once more with one.

use std::time::{Duration, Instant};

use pursuit::Recording;
use pursuit::{Cell, Change, SearchRecorder, SearchScratch, Way};

use crate::problem::{Figures, Problem, Question};
use crate::settings::{Method, Settings};

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
    let question = problem.question(method, settings)?;
    let took = least_time(&question, scratch)?;
    let mut recording = recording(&question, method)?;
    let mut tally = Tally::new(recording.search().width, recording.search().height);
    let found = question.ask(scratch, &mut tally)?;
    found.finish(&mut recording, took);
    let count = |wanted| tally.cells.iter().filter(|cell| **cell == wanted).count();
    Ok(Figures {
        end: recording.end().cloned().ok_or("no answer")?,
        visited: count(Seen::Expanded),
        open: count(Seen::Open),
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

/// How a search left each cell.
struct Tally {
    width: u32,
    cells: Vec<Seen>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    Open,
    Expanded,
}

impl Tally {
    fn new(width: u32, height: u32) -> Self {
        let cells = vec![Seen::Never; width as usize * height as usize];
        Self { width, cells }
    }

    fn set(&mut self, cell: Cell, seen: Seen) {
        let at = cell.y as usize * self.width as usize + cell.x as usize;
        if let Some(slot) = self.cells.get_mut(at) {
            *slot = seen;
        }
    }
}

impl SearchRecorder for Tally {
    fn started(&mut self) {
        self.cells.fill(Seen::Never);
    }

    fn relaxed(&mut self, way: Way, change: Change) {
        if change != Change::Kept {
            self.set(way.node, Seen::Open);
        }
    }

    fn expanded(&mut self, way: Way) {
        self.set(way.node, Seen::Expanded);
    }
}
