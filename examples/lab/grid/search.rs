//! All algorithms on a grid.

use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use pursuit::tables::SearchTables;
use pursuit::{
    Algorithm, BodyLayers, Cancel, Cell, DiagonalPolicy, FoundPath, IntegrationField, Outcome,
    PartialReason, Path, PathOptions, Regions, STRAIGHT, SearchScratch, SearchStats,
};
use pursuit_lab::ara_star::AraStar;
use pursuit_lab::d_star_lite::DStarLite;
use pursuit_lab::recording::{Change, Event, RecordedSearch, Recording};
use pursuit_lab::replay::StepUnit;

use super::super::cli::Options;
use super::super::problem;
use super::super::problem::{Found, Problem, Question, Recorder, Repaired};
use super::super::settings::{Method, Rule, Settings};
use super::board::Board;
use super::view;

/// The built-in maps, and their names.
const LEVELS: [&str; 5] = [
    include_str!("../../../assets/levels/lab-mud.txt"),
    include_str!("../../../assets/levels/lab-rooms.txt"),
    include_str!("../../../assets/levels/lab-maze.txt"),
    include_str!("../../../assets/levels/lab-caves.txt"),
    include_str!("../../../assets/levels/lab-open.txt"),
];
const NAMES: [&str; 5] = ["mud and walls", "rooms", "maze", "caves", "open field"];

impl Problem for Board {
    type Place = Cell;
    type Question = GridQuestion;

    const METHODS: &'static [Method] = &Method::ALL;
    const RULES: &'static [Rule] = &[
        Rule::Estimate,
        Rule::Diagonals,
        Rule::WeightG,
        Rule::WeightH,
    ];
    const STEP_UNIT: StepUnit = StepUnit::Event;
    const STRAIGHT: u32 = STRAIGHT;
    const LEVELS: usize = LEVELS.len();
    const KEYS: &'static [(&'static str, &'static str)] = &[
        ("drag", "walls, ends"),
        ("Shift", "mud"),
        ("right", "wipe"),
        ("wheel", "zoom"),
        ("Ctrl drag", "move"),
        ("X", "clear"),
    ];

    fn built_in(number: usize) -> Self {
        let number = number % LEVELS.len();
        let board = Self::read(NAMES[number], LEVELS[number]);
        board.expect("invariant: a built-in map is valid")
    }

    fn parse(name: &str, text: &str) -> Result<Self, String> {
        Self::read(name, text)
    }

    fn from_recording(recording: &Recording, map: Option<Self>) -> Result<Self, String> {
        let search = recording.search();
        if search.voxels.is_some() {
            return Err("a search among cubes: --voxels shows it".to_owned());
        }
        let map = map.or_else(|| Self::from_events(recording));
        let mut board = map.ok_or("a search from or to nowhere")?;
        let size = format!("{} x {} cells", search.width, search.height);
        if board.size() != size {
            let own = board.size();
            return Err(format!("a search of {size}, and the map has {own}"));
        }
        if board.cost(search.start) == 0 || board.cost(search.goal) == 0 {
            return Err("a search from or to a wall of this map".to_owned());
        }
        board.set_ends([search.start, search.goal]);
        Ok(board)
    }

    fn text(&self) -> String {
        self.write()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> String {
        format!("{} x {} cells", self.width, self.height)
    }

    fn ends(&self) -> [Cell; 2] {
        [self.start, self.goal]
    }

    fn set_ends(&mut self, [start, goal]: [Cell; 2]) {
        (self.start, self.goal) = (start, goal);
    }

    fn places(&self, settings: &Settings) -> Vec<Cell> {
        let Ok(grid) = self.grid() else {
            return Vec::new();
        };
        let regions = Regions::of(&grid, settings.diagonals);
        let region = regions.region(self.goal);
        let cells = self.rect().cells();
        let reachable = cells.filter(|&cell| regions.region(cell) == region);
        reachable.collect()
    }

    fn question(&self, method: Method, settings: &Settings) -> Result<GridQuestion, String> {
        let grid = self.grid().map_err(|error| error.to_string())?;
        let options = PathOptions {
            diagonals: settings.diagonals,
            algorithm: match method {
                Method::JumpPoints => Algorithm::JumpPoint,
                _ => Algorithm::AStar,
            },
            heuristic: settings.heuristic(method),
            weights: settings.weights(method),
            ..PathOptions::default()
        };
        Ok(GridQuestion {
            layers: BodyLayers::from_grid(grid, options.diagonals),
            ends: self.ends(),
            method,
            options,
            scratch: SearchScratch::new(),
        })
    }

    fn substitute(&self, method: Method, settings: &Settings) -> Option<&'static str> {
        let is_usual = settings.diagonals == DiagonalPolicy::NoCornerCut;
        match method {
            Method::JumpPoints if !self.has_one_cost() => Some("not on mud: as A*"),
            Method::JumpPoints if !is_usual => Some("not by these rules: as A*"),
            _ => None,
        }
    }

    fn repair(&self, settings: &Settings, search: &mut DStarLite) -> Option<Repaired> {
        let mut question = self.question(Method::DStarLite, settings).ok()?;
        Some(question.repair(search))
    }

    fn tables(&self, settings: &Settings) -> Option<(Recording, Duration)> {
        let mut question = self.question(Method::JumpPoints, settings).ok()?;
        let begun = Instant::now();
        let grid = question.layers.grid();
        let tables = SearchTables::build(grid, settings.diagonals, Cancel::NEVER).ok()?;
        let bake = begun.elapsed();
        if !question.layers.set_tables(tables) {
            return None;
        }
        question.options = PathOptions::default();
        let took = problem::shortest_time(&mut question).ok()?;
        let mut recording = problem::recording(&question, Method::JumpPoints).ok()?;
        let found = question.ask(&mut ()).ok()?;
        found.finish(&mut recording, took);
        Some((recording, bake))
    }

    fn camera() -> impl Bundle {
        Camera2d
    }

    fn add_view(app: &mut App, options: &Options) {
        view::add(app, options);
    }
}

/// The message when no search is possible.
const OUTSIDE: &str = "the start or the goal is outside";

/// A search on a grid.
pub(crate) struct GridQuestion {
    layers: BodyLayers,
    ends: [Cell; 2],
    method: Method,
    options: PathOptions,
    scratch: SearchScratch,
}

impl GridQuestion {
    /// Records a repair by D* Lite, and times it. The recording begins with the earlier state of the search, whose
    /// number of events is returned.
    fn repair(&mut self, search: &mut DStarLite) -> Repaired {
        let mut timed = search.clone();
        let begun = Instant::now();
        self.replan(&mut timed, &mut ())?;
        let mut took = begun.elapsed();
        let mut recording = problem::recording(self, self.method)?;
        let found = self.replan(search, &mut recording)?;
        let is_known =
            |event: &Event| matches!(event, Event::Relaxed(_, Change::Known | Change::Settled));
        let known_events = recording.events().skip(1).take_while(is_known).count() as u32;
        if known_events == 0 {
            // A search from scratch needs no earlier state, so it can be timed several times, like other searches.
            took = took.min(problem::shortest_time(self)?);
        }
        recording.finish(&found, Some(took));
        Ok((recording, known_events + u32::from(known_events > 0)))
    }

    fn replan(&self, search: &mut DStarLite, to: &mut impl Recorder) -> Result<FoundPath, String> {
        let (grid, [start, goal], options) = (self.layers.grid(), self.ends, &self.options);
        let rules = (options.diagonals, options.heuristic);
        let found = search.replan(grid, (start, goal), rules, &mut |event| to.add_event(event));
        found.ok_or_else(|| OUTSIDE.to_owned())
    }

    /// Runs ARA* until it has the cheapest path.
    fn improve(&self, to: &mut impl Recorder) -> Result<FoundPath, String> {
        let (grid, [start, goal], options) = (self.layers.grid(), self.ends, &self.options);
        let search = AraStar::new(grid, (start, goal), options.diagonals, options.heuristic);
        let mut search = search.ok_or(OUTSIDE)?;
        loop {
            let found = search.improve(&mut |event| to.add_event(event));
            if search.is_done() {
                break Ok(found);
            }
        }
    }

    /// Builds the whole field, and follows it from the start.
    fn walk_field(&self, recorder: &mut impl Recorder) -> FoundPath {
        let [start, goal] = self.ends;
        let mut field = IntegrationField::new();
        let (grid, diagonals) = (self.layers.grid(), self.options.diagonals);
        field.start_recorded(grid, &[goal], diagonals, recorder);
        field.settle_recorded(u32::MAX, recorder);
        let path = field.path(start).ok().flatten();
        let outcome = match path {
            Some(_) => Outcome::Complete,
            None => Outcome::Partial(PartialReason::Unreachable),
        };
        let (turns, cost) = (vec![start], 0);
        let path = path.unwrap_or(Path { turns, cost });
        FoundPath {
            stats: SearchStats {
                expanded: field.expanded(),
                pushed: field.pushed(),
            },
            path,
            outcome,
            bound: 1.0,
        }
    }
}

impl Question for GridQuestion {
    fn facts(&self) -> Result<RecordedSearch, String> {
        let (grid, [start, goal], options) = (self.layers.grid(), self.ends, &self.options);
        Ok(match self.method {
            Method::AraStar => RecordedSearch::anytime(grid, start, goal, options),
            Method::DStarLite => RecordedSearch::incremental(grid, start, goal, options),
            Method::Field => RecordedSearch::field(grid, start, goal, options.diagonals),
            _ => RecordedSearch::new(grid, start, goal, options),
        })
    }

    fn ask(&mut self, recorder: &mut impl Recorder) -> Result<Found, String> {
        let (layers, [start, goal], options) = (&self.layers, self.ends, &self.options);
        let found = match self.method {
            Method::AraStar => self.improve(recorder)?,
            Method::DStarLite => self.replan(&mut DStarLite::new(), recorder)?,
            Method::Field => self.walk_field(recorder),
            _ => {
                let scratch = &mut self.scratch;
                let found = layers.find_path_recorded(start, goal, options, scratch, recorder);
                found.map_err(|error| error.to_string())?
            }
        };
        Ok(Found::Cells(found))
    }
}
