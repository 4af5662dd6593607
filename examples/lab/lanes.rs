//! One or two lanes, each with one algorithm for a common question. Their replays are played, stepped and scrubbed
//! together: both are at the same event, except that the shorter one waits at its end.

use bevy::prelude::*;
use pursuit::Outcome;
use pursuit_lab::d_star_lite::DStarLite;
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::{Replay, StepUnit};

use super::clock::Speed;
use super::problem::{Problem, Repaired, record};
use super::settings::{Method, Settings};

/// Number of lanes, shown or not.
pub(crate) const LANES: usize = 2;
/// Maximum duration of a replay, in seconds, unless another pace is chosen or no pace is fast enough.
const MAX_SHOW_SECONDS: f64 = 15.0;

/// An algorithm and the replay of its search.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) method: Method,
    /// The replay of the search, or why there is none.
    pub(crate) replay: Result<Replay, String>,
    /// Number of events that report the earlier state of the search: 0 for a search from scratch.
    pub(crate) known_events: u32,
    /// Whether the lane shows a saved search, until another question is asked.
    pub(crate) is_loaded: bool,
    /// The state of D* Lite.
    d_star_lite: DStarLite,
    /// Whether a search is due as soon as the mouse stops drawing.
    is_due: bool,
}

impl Lane {
    fn new(method: Method) -> Self {
        Self {
            method,
            replay: Err(String::new()),
            known_events: 0,
            is_loaded: false,
            d_star_lite: DStarLite::new(),
            is_due: true,
        }
    }

    /// The name of the search that the lane shows.
    pub(crate) fn name(&self) -> &str {
        match &self.replay {
            Ok(replay) if self.is_loaded => &replay.recording().search().name,
            _ => self.method.name_and_idea()[0],
        }
    }

    /// The idea of the algorithm, or a remark why it is substituted or failed.
    pub(crate) fn idea<P: Problem>(&self, problem: &P, settings: &Settings) -> String {
        let replay = match &self.replay {
            Ok(replay) => replay,
            Err(error) => return error.clone(),
        };
        let end = replay.recording().end();
        if replay.is_at_end() && end.is_some_and(|end| end.outcome != Outcome::Complete) {
            return "no way to the goal".to_owned();
        }
        if replay.recording().is_cut() {
            let missing = replay.recording().missing();
            return format!("cut: {missing} events are missing");
        }
        if self.is_loaded {
            return "as it was saved".to_owned();
        }
        if let Some(substitute) = problem.substitute(self.method, settings) {
            return substitute.to_owned();
        }
        match self.method {
            Method::AraStar => format!("f = g + w h, pass {}", replay.pass()),
            Method::Weighted => {
                let weights = settings.weights;
                format!("f = {} g + {} h", weights.g, weights.h)
            }
            Method::DStarLite if replay.cursor() < self.known_events => "what it knew".to_owned(),
            Method::DStarLite if self.known_events > 0 => "repairs what it knew".to_owned(),
            method => method.name_and_idea()[1].to_owned(),
        }
    }

    /// Searches, and returns the number of events that report the earlier state. D* Lite repairs its last search once
    /// for a whole stroke of the mouse, when the stroke is over. During the stroke, it searches from scratch.
    fn record<P: Problem>(&mut self, problem: &P, settings: &Settings, is_drawn: bool) -> Repaired {
        let is_kept = self.method == Method::DStarLite;
        self.is_due = is_kept && is_drawn;
        if !is_kept {
            self.d_star_lite = DStarLite::new();
        } else if !is_drawn && let Some(repaired) = problem.repair(settings, &mut self.d_star_lite)
        {
            return repaired;
        }
        Ok((record(problem, self.method, settings)?, 0))
    }

    /// Replaces the search with another one. Its replay goes on from the position of the previous replay.
    fn show(&mut self, recorded: Repaired) {
        let before = self.replay.as_ref().ok();
        let state = |it: &Replay| (it.cursor(), it.is_at_end(), it.is_playing());
        let before = before.map(state);
        self.known_events = recorded.as_ref().map_or(0, |(_, known)| *known);
        self.replay = recorded.map(|(recording, _)| Replay::new(recording));
        if let (Ok(replay), Some((cursor, is_over, is_playing))) = (&mut self.replay, before) {
            replay.seek(if is_over { u32::MAX } else { cursor });
            if is_playing {
                replay.play();
            }
        }
    }
}

/// All lanes, and their speed.
#[derive(Resource, Debug)]
pub(crate) struct Lanes {
    /// The lanes, from left to right.
    pub(crate) lanes: [Lane; LANES],
    /// Whether only the left lane is shown.
    pub(crate) alone: bool,
    pub(crate) speed: Speed,
    /// Where the first replay is paused, from 0 at its start to 1 at its end. `None` if the first replay plays.
    at: Option<f32>,
    /// The last question: the algorithm of each lane, whether the lane shows a saved search, and the settings.
    last_question: Option<LastQuestion>,
}

type LastQuestion = ([(Method, bool); LANES], Settings);

impl Lanes {
    /// Lanes without searches. `at` says where the first replay is paused, from 0 at its start to 1 at its end. With
    /// `None`, it plays.
    pub(crate) fn new(
        methods: [Method; LANES],
        alone: bool,
        unit: StepUnit,
        at: Option<f32>,
    ) -> Self {
        Self {
            lanes: methods.map(Lane::new),
            alone,
            speed: Speed::new(unit, 0, MAX_SHOW_SECONDS),
            at,
            last_question: None,
        }
    }

    fn question_of(&self, settings: &Settings) -> LastQuestion {
        let lane = |lane: &Lane| (lane.method, lane.is_loaded);
        (self.lanes.each_ref().map(lane), *settings)
    }

    /// Shows a saved search on the left, until another question is asked.
    pub(crate) fn open(&mut self, recording: Recording) {
        self.lanes[0] = Lane {
            replay: Ok(Replay::new(recording)),
            is_loaded: true,
            is_due: false,
            ..Lane::new(self.lanes[0].method)
        };
    }

    /// Chooses the algorithm of a lane. The algorithm searches from scratch, even if the lane already had it.
    pub(crate) fn choose(&mut self, lane: usize, method: Method) {
        let lane = &mut self.lanes[lane];
        (lane.method, lane.is_loaded) = (method, false);
        (lane.d_star_lite, lane.is_due) = (DStarLite::new(), true);
    }

    /// Number of lanes that are shown.
    pub(crate) fn shown(&self) -> usize {
        if self.alone { 1 } else { LANES }
    }

    /// The replay of a lane; `None` if there is none, or if the lane is not shown.
    pub(crate) fn replay(&self, lane: usize) -> Option<&Replay> {
        let lane = self.lanes.get(..self.shown())?.get(lane)?;
        lane.replay.as_ref().ok()
    }

    pub(crate) fn replays(&self) -> impl Iterator<Item = &Replay> {
        (0..LANES).filter_map(|lane| self.replay(lane))
    }

    /// All replays, shown or not.
    pub(crate) fn replays_mut(&mut self) -> impl Iterator<Item = &mut Replay> {
        let lanes = self.lanes.iter_mut();
        lanes.filter_map(|lane| lane.replay.as_mut().ok())
    }

    /// Number of events of the longest replay.
    pub(crate) fn events(&self) -> u32 {
        self.replays().map(Replay::len).max().unwrap_or(0)
    }

    /// Number of events that were played in the replay that is farthest along.
    pub(crate) fn cursor(&self) -> u32 {
        self.replays().map(Replay::cursor).max().unwrap_or(0)
    }

    /// Moves all replays to the same event. `part` is 0 at the start of the longest replay and 1 at its end.
    pub(crate) fn seek(&mut self, part: f32) {
        let events = (f64::from(part) * f64::from(self.events())).round() as u32;
        self.replays_mut().for_each(|replay| replay.seek(events));
    }

    /// Pauses all replays.
    pub(crate) fn pause(&mut self) {
        self.replays_mut().for_each(Replay::pause);
    }

    /// Whether any replay plays.
    pub(crate) fn is_playing(&self) -> bool {
        self.replays().any(Replay::is_playing)
    }

    /// Plays or pauses all replays; plays from the beginning if all are at the end.
    pub(crate) fn toggle(&mut self) {
        let is_playing = self.is_playing();
        let is_over = self.replays().all(Replay::is_at_end);
        for replay in self.replays_mut() {
            if is_playing {
                replay.pause();
            } else if is_over || !replay.is_at_end() {
                replay.play();
            }
        }
    }

    /// Pauses all replays, and steps them forward or back.
    pub(crate) fn step(&mut self, is_forward: bool) {
        // On the way back, a shorter replay waits at its end until the longest replay has come back to the same event.
        let (unit, cursor) = (self.speed.unit, self.cursor());
        for replay in self.replays_mut() {
            replay.pause();
            let _ = match (unit, is_forward) {
                (StepUnit::Expansion, true) => replay.step_expansion(),
                (_, true) => replay.step(),
                _ if replay.is_at_end() && replay.cursor() < cursor => false,
                (StepUnit::Expansion, false) => replay.step_expansion_back(),
                (_, false) => replay.step_back(),
            };
        }
    }

    /// Sets the pace of all replays.
    pub(crate) fn set_speed(&mut self) {
        let pace = self.speed.pace();
        for replay in self.replays_mut() {
            // The paces are all finite and above zero.
            let _ = replay.set_pace(pace);
        }
    }

    /// Lets every lane search. Returns whether any shown lane repaired its last search, and was playing or at its end
    /// before.
    fn solve<P: Problem>(
        &mut self,
        problem: &P,
        settings: &Settings,
        is_drawn: bool,
        keeps_saved: bool,
    ) -> bool {
        let shown = self.shown();
        let mut is_repaired = false;
        for (at, lane) in self.lanes.iter_mut().enumerate() {
            lane.is_loaded &= keeps_saved;
            if lane.is_loaded {
                continue;
            }
            let before = lane.replay.as_ref().ok();
            let was_moving = before.is_some_and(|replay| replay.is_at_end() || replay.is_playing());
            let recorded = lane.record(problem, settings, is_drawn);
            lane.show(recorded);
            is_repaired |= at < shown && was_moving && lane.known_events > 0;
        }
        is_repaired
    }

    /// Starts to show the replays: plays them from their first event, or pauses them at `at`. The pace fits their
    /// length.
    fn begin(&mut self) {
        let unit = self.speed.unit;
        let steps = self.replays().map(|replay| match unit {
            StepUnit::Expansion => replay.recording().counts().expanded,
            _ => replay.len().into(),
        });
        self.speed = Speed::new(unit, steps.max().unwrap_or(1), MAX_SHOW_SECONDS);
        self.seek(self.at.unwrap_or(0.0));
        if self.at.is_none() {
            self.toggle();
        }
    }

    /// Plays every lane from the beginning of its own work. A repair skips the events that report the earlier state,
    /// and other searches play from the start.
    fn play_work(&mut self) {
        for lane in &mut self.lanes {
            if let Ok(replay) = &mut lane.replay {
                replay.seek(lane.known_events);
                replay.play();
            }
        }
    }
}

/// Searches again after an edit or a choice. A replay at its end stays at its end, so that the result of an edit shows
/// immediately. Any other replay stays at its event. If D* Lite repairs its search, all replays play from the beginning
/// of their work.
pub(crate) fn solve_lanes<P: Problem>(
    problem: Res<P>,
    settings: Res<Settings>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut lanes: ResMut<Lanes>,
) {
    let last_question = lanes.question_of(&settings);
    let is_drawn = buttons.any_pressed([MouseButton::Left, MouseButton::Right]);
    let is_due = !is_drawn && lanes.lanes.iter().any(|lane| lane.is_due);
    if !problem.is_changed() && !is_due && lanes.last_question == Some(last_question) {
        return;
    }
    let is_first = lanes.last_question.is_none();
    let keeps_settings = lanes
        .last_question
        .is_some_and(|(_, before)| before == *settings);
    let keeps_saved = is_first || keeps_settings && !problem.is_changed();
    let is_repaired = lanes.solve(&*problem, &settings, is_drawn, keeps_saved);
    lanes.last_question = Some(lanes.question_of(&settings));
    if is_first {
        lanes.begin();
    }
    if is_repaired {
        lanes.play_work();
    }
    lanes.set_speed();
}

/// Lets time pass.
pub(crate) fn advance_replays(time: Res<Time>, mut lanes: ResMut<Lanes>) {
    if lanes.is_playing() {
        let passed = time.delta();
        for replay in lanes.replays_mut() {
            replay.advance(passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::board::{Board, WALL};
    use crate::settings::Rule;
    use pursuit::Cell;

    fn app(map: &str) -> App {
        let methods = [Method::AStar, Method::Dijkstra];
        let mut app = App::new();
        app.insert_resource(Board::read("a", map).expect("a map"))
            .init_resource::<Settings>()
            .init_resource::<Time>()
            .init_resource::<ButtonInput<MouseButton>>()
            .insert_resource(Lanes::new(methods, false, StepUnit::Event, Some(0.0)))
            .add_systems(Update, (solve_lanes::<Board>, advance_replays).chain());
        app.update();
        app
    }

    fn lanes(app: &mut App) -> Mut<'_, Lanes> {
        app.world_mut().resource_mut()
    }

    fn known_events(app: &App) -> u32 {
        app.world().resource::<Lanes>().lanes[0].known_events
    }

    fn change(app: &mut App, rule: Rule) {
        app.world_mut()
            .resource_mut::<Settings>()
            .change(rule, false);
        app.update();
    }

    #[test]
    fn a_wall_drawn_on_the_path_of_d_star_lite_starts_a_repair() {
        let mut app = app("S.......\n........\n........\n.......G\n");
        lanes(&mut app).choose(0, Method::DStarLite);
        app.update();
        assert_eq!(known_events(&app), 0, "a search from scratch");
        lanes(&mut app).seek(1.0);
        let mut mouse = app.world_mut().resource_mut::<ButtonInput<MouseButton>>();
        mouse.press(MouseButton::Left);
        for y in 0..3 {
            let mut board = app.world_mut().resource_mut::<Board>();
            board.draw(Cell::new(2, y), WALL);
            app.update();
            assert_eq!(known_events(&app), 0, "a repair waits for the whole stroke");
        }
        let mut mouse = app.world_mut().resource_mut::<ButtonInput<MouseButton>>();
        mouse.release(MouseButton::Left);
        app.update();
        let begins = known_events(&app);
        let mut shown = lanes(&mut app);
        let [repair, other] = [0, 1].map(|lane| shown.replay(lane).expect("a replay"));
        assert!(begins > 0 && repair.is_playing() && repair.cursor() == begins);
        assert!(other.cursor() == 0 && other.is_playing());
        let cost = |replay: &Replay| replay.recording().end().expect("an end").cost;
        assert_eq!(cost(repair), cost(other));
        let repaired = repair.recording().counts().expanded;
        shown.choose(0, Method::DStarLite);
        app.update();
        assert_eq!(known_events(&app), 0, "its key begins with nothing");
        let shown = lanes(&mut app);
        let whole = shown.replay(0).expect("a replay").recording().counts();
        assert!(repaired < whole.expanded);
    }

    #[test]
    fn a_saved_search_stays_until_the_rules_change() {
        let mut app = app("S......\n.......\n......G\n");
        let mut shown = lanes(&mut app);
        let saved = shown.replay(1).expect("a replay").recording().clone();
        shown.open(saved.as_ref().clone());
        shown.choose(1, Method::Greedy);
        app.update();
        assert_eq!(lanes(&mut app).lanes[0].name(), "Dijkstra");
        change(&mut app, Rule::Estimate);
        assert_eq!(lanes(&mut app).lanes[0].name(), "A*");
    }

    #[test]
    fn both_lanes_are_stepped_and_scrubbed_together() {
        let mut app = app("S......\n.......\n......G\n");
        let mut shown = lanes(&mut app);
        shown.step(true);
        shown.step(true);
        assert!(shown.replays().all(|replay| replay.cursor() == 2));
        shown.step(false);
        assert!(shown.replays().all(|replay| replay.cursor() == 1));
        shown.seek(1.0);
        assert!(shown.replays().all(Replay::is_at_end));
        shown.step(false);
        let over = shown.replays().filter(|replay| replay.is_at_end());
        assert_eq!(
            over.count(),
            1,
            "the shorter replay waits for the longer one"
        );
    }
}
