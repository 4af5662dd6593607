//! One or two lanes: the same question, asked of one algorithm each, and the replay of its search.

use bevy::prelude::*;
use pursuit::{FindPathError, SearchScratch};
use pursuit_examples::replays::{Replays, Speed};
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::{Replay, StepUnit};

use crate::board::Board;
use crate::method::{Method, Settings};
use crate::solve::{Trees, Trip, record, record_repair};

/// Number of lanes, shown or not.
pub(crate) const LANES: usize = 2;

/// An algorithm and what it did.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    /// Which one.
    pub(crate) method: Method,
    /// What it did, or why it did nothing.
    pub(crate) replay: Result<Replay, FindPathError>,
    /// With how many events it tells what it knew before: 0 for a search from scratch.
    pub(crate) known: u32,
    /// Whether it shows a search that was saved, until something is asked anew.
    pub(crate) is_loaded: bool,
}

impl Lane {
    /// What to call what it shows.
    pub(crate) fn name(&self) -> &str {
        let replay = self.replay.as_ref().ok().filter(|_| self.is_loaded);
        replay.map_or(self.method.name(), |replay| {
            &replay.recording().search().name
        })
    }

    /// Shows another search where the one before stood. It comes with how many of its events tell what it knew.
    fn show(&mut self, recorded: Result<(Recording, u32), FindPathError>) {
        let before = self.replay.as_ref().ok();
        let before =
            before.map(|replay| (replay.cursor(), replay.is_at_end(), replay.is_playing()));
        self.known = recorded.as_ref().map_or(0, |&(_, known)| known);
        self.replay = recorded.map(|(recording, _)| Replay::new(recording));
        if let (Ok(replay), Some((cursor, is_over, is_playing))) = (&mut self.replay, before) {
            replay.seek(if is_over { u32::MAX } else { cursor });
            if is_playing {
                replay.play();
            }
        }
    }
}

/// All lanes, and how fast they play.
#[derive(Resource, Debug)]
pub(crate) struct Lanes {
    /// From the left on.
    pub(crate) lanes: [Lane; LANES],
    /// Whether only the left one is shown.
    pub(crate) alone: bool,
    speed: Speed,
    /// Where replays begin when a question is asked for the first time.
    at: f32,
    scratch: SearchScratch,
    /// Of each lane.
    kept: [Kept; LANES],
    /// What the searches were asked last.
    asked: Option<Asked>,
}

/// What a lane keeps from one search to the next.
#[derive(Debug, Default)]
struct Kept {
    /// Of D* Lite.
    trees: Option<Trees>,
    /// Whether a search is due as soon as nothing is drawn any more.
    is_due: bool,
}

impl Kept {
    /// Searches, and says how many events tell what was known before. D* Lite repairs its trees when a stroke is over, for
    /// all of the stroke, and until then begins with none.
    fn record(
        &mut self,
        trip: Trip<'_>,
        (method, settings): (Method, &Settings),
        scratch: &mut SearchScratch,
        is_drawn: bool,
    ) -> Result<(Recording, u32), FindPathError> {
        let keeps_trees = method == Method::Incremental;
        self.is_due = keeps_trees && is_drawn;
        if !keeps_trees {
            self.trees = None;
        }
        if !keeps_trees || is_drawn {
            let recording = record(trip, method, settings, scratch)?;
            return Ok((recording, 0));
        }
        record_repair(trip, settings, self.trees.get_or_insert_default(), scratch)
    }
}

/// The algorithms, the lanes that show what was saved, and the settings.
type Asked = ([Method; LANES], [bool; LANES], Settings);

impl Lanes {
    fn asks(&self, settings: &Settings) -> Asked {
        let lane = |lane: usize| &self.lanes[lane];
        let methods = [0, 1].map(|at| lane(at).method);
        (methods, [0, 1].map(|at| lane(at).is_loaded), *settings)
    }

    /// Lanes with nothing to show yet. `at` is the part of the replay at which they will stand.
    pub(crate) fn new(methods: [Method; LANES], alone: bool, at: f32) -> Self {
        let lane = |method| Lane {
            method,
            replay: Err(FindPathError::Cancelled),
            known: 0,
            is_loaded: false,
        };
        Self {
            lanes: methods.map(lane),
            alone,
            speed: Speed::new(StepUnit::Event),
            at,
            scratch: SearchScratch::new(),
            kept: Default::default(),
            asked: None,
        }
    }

    /// Shows a search that was saved on the left, until something is asked anew.
    pub(crate) fn open(&mut self, recording: Recording) {
        let left = &mut self.lanes[0];
        left.replay = Ok(Replay::new(recording));
        (left.known, left.is_loaded) = (0, true);
        self.kept[0] = Kept::default();
    }

    /// Another algorithm for a lane, or the same one in place of what was saved, or of what it knew.
    pub(crate) fn choose(&mut self, lane: usize, method: Method) {
        self.kept[lane] = Kept {
            trees: None,
            is_due: true,
        };
        let lane = &mut self.lanes[lane];
        lane.is_loaded = false;
        lane.method = method;
    }

    /// Lets every lane search. Whether one that is shown repairs what it knew, and what it knew is to be passed.
    fn solve(
        &mut self,
        trip: Trip<'_>,
        settings: &Settings,
        is_drawn: bool,
        keeps_saved: bool,
    ) -> bool {
        let shown = self.shown();
        let mut is_repaired = false;
        for (at, (lane, kept)) in self.lanes.iter_mut().zip(&mut self.kept).enumerate() {
            lane.is_loaded &= keeps_saved;
            if lane.is_loaded {
                kept.is_due = false;
                continue;
            }
            let before = lane.replay.as_ref().ok();
            let was_moving = before.is_some_and(|replay| replay.is_at_end() || replay.is_playing());
            let asked = (lane.method, settings);
            lane.show(kept.record(trip, asked, &mut self.scratch, is_drawn));
            is_repaired |= at < shown && was_moving && lane.known > 0;
        }
        is_repaired
    }

    /// Plays every lane from where its own work begins: a repair from behind what it knew, others from the start.
    fn play_work(&mut self) {
        for lane in &mut self.lanes {
            if let Ok(replay) = &mut lane.replay {
                replay.seek(lane.known);
                replay.play();
            }
        }
    }

    /// The lanes that are shown.
    pub(crate) fn shown(&self) -> usize {
        if self.alone { 1 } else { LANES }
    }
}

impl Replays for Lanes {
    fn speed(&self) -> &Speed {
        &self.speed
    }

    fn speed_mut(&mut self) -> &mut Speed {
        &mut self.speed
    }

    fn replays(&self) -> impl Iterator<Item = &Replay> {
        let lanes = self.lanes.iter().take(self.shown());
        lanes.filter_map(|lane| lane.replay.as_ref().ok())
    }

    fn replays_mut(&mut self) -> impl Iterator<Item = &mut Replay> {
        let lanes = self.lanes.iter_mut();
        lanes.filter_map(|lane| lane.replay.as_mut().ok())
    }

    fn end(&self, lane: usize) -> Option<u32> {
        let lane = self.lanes.get(..self.shown())?.get(lane)?;
        lane.replay.as_ref().ok().map(Replay::len)
    }
}

/// Asks anew what was edited or chosen. A replay that was over is over again, so that an edit shows at
/// once what comes of it; else it stays where it is. Where D* Lite repairs what it knew, all play from where their work begins.
pub(crate) fn solve_lanes(
    board: Res<Board>,
    settings: Res<Settings>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut lanes: ResMut<Lanes>,
) {
    let asked = lanes.asks(&settings);
    let is_drawn = buttons.any_pressed([MouseButton::Left, MouseButton::Right]);
    let is_due = !is_drawn && lanes.kept.iter().any(|kept| kept.is_due);
    if !board.is_changed() && !is_due && lanes.asked == Some(asked) {
        return;
    }
    let is_first = lanes.asked.is_none();
    let keeps_settings = lanes.asked.is_some_and(|(.., before)| before == *settings);
    let keeps_saved = is_first || keeps_settings && !board.is_changed();
    let Ok(grid) = board.grid() else {
        return;
    };
    let trip = Trip {
        grid: &grid,
        start: board.start,
        goal: board.goal,
    };
    let is_repaired = lanes.solve(trip, &settings, is_drawn, keeps_saved);
    lanes.asked = Some(lanes.asks(&settings));
    if is_first {
        let at = lanes.at;
        lanes.seek(at);
    }
    if is_repaired {
        lanes.play_work();
    }
    lanes.set_speed();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Count;
    use pursuit_examples::replays::advance;

    fn app(map: &str) -> App {
        let mut app = App::new();
        app.insert_resource(Board::parse("a", map).expect("a map"))
            .init_resource::<Settings>()
            .init_resource::<Time>()
            .init_resource::<ButtonInput<MouseButton>>()
            .insert_resource(Lanes::new([Method::AStar, Method::Dijkstra], false, 0.0))
            .add_systems(Update, (solve_lanes, advance::<Lanes>).chain());
        app.update();
        app
    }

    #[test]
    fn both_lanes_are_stepped_and_scrubbed_together() {
        let mut app = app("S......\n.......\n......G\n");
        let mut lanes = app.world_mut().resource_mut::<Lanes>();
        lanes.step(true);
        lanes.step(true);
        assert!(lanes.replays().all(|replay| replay.cursor() == 2));
        lanes.step(false);
        assert!(lanes.replays().all(|replay| replay.cursor() == 1));
        lanes.seek(1.0);
        assert!(lanes.replays().all(Replay::is_at_end));
        lanes.step(false);
        let ended = lanes.replays().filter(|replay| replay.is_at_end());
        assert_eq!(ended.count(), 1, "the shorter one waits for the longer one");
    }

    #[test]
    fn an_edit_at_the_end_shows_its_end() {
        let mut app = app("S......\n.......\n......G\n");
        app.world_mut().resource_mut::<Lanes>().seek(1.0);
        let mut board = app.world_mut().resource_mut::<Board>();
        board.draw(pursuit::Cell::new(3, 1), crate::board::Brush::Wall);
        app.update();
        assert!(
            app.world()
                .resource::<Lanes>()
                .replays()
                .all(Replay::is_at_end)
        );
    }

    /// Draws a wall in one stroke, and lets go of the mouse.
    fn draw_wall(app: &mut App, cells: &[(i32, i32)]) {
        let press = |app: &mut App, is_held: bool| {
            let mut mouse = app.world_mut().resource_mut::<ButtonInput<MouseButton>>();
            if is_held {
                mouse.press(MouseButton::Left);
            } else {
                mouse.release(MouseButton::Left);
            }
        };
        press(app, true);
        for &(x, y) in cells {
            let mut board = app.world_mut().resource_mut::<Board>();
            board.draw(pursuit::Cell::new(x, y), crate::board::Brush::Wall);
            app.update();
            let lanes = app.world().resource::<Lanes>();
            assert_eq!(
                lanes.lanes[0].known, 0,
                "a repair waits for the whole stroke"
            );
        }
        press(app, false);
        app.update();
    }

    #[test]
    fn a_wall_across_the_way_of_d_star_lite_is_followed_by_a_repair() {
        let mut app = app("S.......\n........\n........\n.......G\n");
        let choose = |app: &mut App| {
            let mut lanes = app.world_mut().resource_mut::<Lanes>();
            lanes.choose(0, Method::Incremental);
            app.update();
        };
        choose(&mut app);
        let lanes = app.world().resource::<Lanes>();
        assert_eq!(lanes.lanes[0].known, 0, "a search from scratch");
        app.world_mut().resource_mut::<Lanes>().seek(1.0);
        draw_wall(&mut app, &[(2, 0), (2, 1), (2, 2)]);
        let expanded = |lanes: &Lanes| {
            let replay = lanes.lanes[0].replay.as_ref().expect("a replay");
            replay.recording().counts().expanded
        };
        let lanes = app.world().resource::<Lanes>();
        let [left, right] = &lanes.lanes;
        let [repair, other] = [left, right].map(|lane| lane.replay.as_ref().expect("a replay"));
        assert!(left.known > 0 && repair.is_playing());
        assert_eq!(repair.cursor(), left.known, "where the repair begins");
        assert!(
            other.cursor() == 0 && other.is_playing(),
            "beside it, from the start"
        );
        let [cost, twin] =
            [repair, other].map(|replay| replay.recording().end().expect("an end").cost);
        assert_eq!(cost, twin);
        let repaired = expanded(lanes);
        choose(&mut app);
        let lanes = app.world().resource::<Lanes>();
        assert_eq!(lanes.lanes[0].known, 0, "its key begins anew");
        assert!(repaired < expanded(lanes), "{repaired} cells of a repair");
    }

    #[test]
    fn d_star_lite_keeps_its_tree_when_an_end_moves_and_not_on_another_map() {
        let mut app = app("S.......\n........\n........\n.......G\n");
        let mut lanes = app.world_mut().resource_mut::<Lanes>();
        lanes.choose(0, Method::Incremental);
        app.update();
        let known = |app: &App| app.world().resource::<Lanes>().lanes[0].known;
        app.world_mut().resource_mut::<Board>().start = pursuit::Cell::new(1, 0);
        app.update();
        assert!(known(&app) > 0);
        app.world_mut().resource_mut::<Settings>().next_neighbors();
        app.update();
        assert_eq!(known(&app), 0, "by other rules all is different");
        app.update();
        let other = Board::parse("b", "S...G\n.....\n").expect("a map");
        *app.world_mut().resource_mut::<Board>() = other;
        app.update();
        assert_eq!(known(&app), 0);
    }

    #[test]
    fn each_answer_is_shown_from_when_it_was_given_also_of_a_search_that_was_saved() {
        let mut app = app(
            "S.........\n.########.\n........#.\n.######.#.\n.#G.....#.\n.########.\n..........\n",
        );
        let mut lanes = app.world_mut().resource_mut::<Lanes>();
        lanes.choose(0, Method::Anytime);
        app.update();
        let mut lanes = app.world_mut().resource_mut::<Lanes>();
        // Cost and bound wherever the cursor stands, as the sign of the lane has them.
        let told = |lanes: &mut Lanes| {
            let lane = &mut lanes.lanes[0];
            let count = lane.replay.as_ref().map_or(0, Replay::len);
            let all = (0..=count).map(|cursor| {
                lane.replay.as_mut().expect("a replay").seek(cursor);
                [Count::Cost, Count::Bound].map(|count| count.of(lane))
            });
            all.collect::<Vec<_>>()
        };
        let live = told(&mut lanes);
        let replay = lanes.lanes[0].replay.as_ref().expect("a replay");
        let bytes = replay.recording().to_bytes();
        lanes.open(Recording::from_bytes(&bytes).expect("a recording"));
        assert_eq!(told(&mut lanes), live);
        assert_eq!(live[0], ["...", "..."]);
        let mut different = live;
        different.dedup();
        assert!(different.len() > 2, "{different:?}");
        assert_eq!(different.last().expect("the last answer")[1], "1.00");
    }

    #[test]
    fn a_saved_search_stays_until_something_is_asked_anew() {
        let mut app = app("S......\n.......\n......G\n");
        let mut lanes = app.world_mut().resource_mut::<Lanes>();
        let saved = lanes.lanes[1].replay.clone().expect("a replay");
        let saved = saved.recording().as_ref().clone();
        lanes.open(saved);
        app.update();
        let name = |app: &App| app.world().resource::<Lanes>().lanes[0].name().to_owned();
        assert_eq!(name(&app), "Dijkstra");
        app.world_mut()
            .resource_mut::<Lanes>()
            .choose(1, Method::Greedy);
        app.update();
        assert_eq!(name(&app), "Dijkstra", "the other lane is another question");
        app.world_mut().resource_mut::<Settings>().next_heuristic();
        app.update();
        assert_eq!(name(&app), "A*");
        let lanes = app.world().resource::<Lanes>();
        let replay = lanes.lanes[0].replay.as_ref().expect("a replay");
        assert_eq!(replay.recording().search().name, "A*");
    }

    #[test]
    fn what_nobody_can_search_says_why() {
        let mut app = app("S..G\n");
        app.world_mut().resource_mut::<Settings>().weights = pursuit::Weights { g: 0, h: 0 };
        app.world_mut().resource_mut::<Lanes>().lanes[1].method = Method::Weighted;
        app.update();
        let lanes = app.world().resource::<Lanes>();
        assert_eq!(
            lanes.lanes[1].replay.as_ref().err(),
            Some(&FindPathError::ZeroWeights)
        );
    }
}
