//! Replays that are played, stepped and scrubbed together, by the same keys in every example.

use std::time::Duration;

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::{Pace, Replay, StepUnit};

use crate::keys::PAUSE;

/// Seconds per step, from the slowest pace on.
const PACES: [f64; 15] = [
    2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.000_5, 0.000_2, 0.000_1,
    0.000_03,
];
/// The pace that replays begin with.
const FIRST_PACE: usize = 7;
/// How many times slower slow motion is, from none on.
const SLOWER: [u32; 5] = [1, 2, 5, 10, 50];
/// Pauses after each step, in seconds, from none on.
const PAUSES: [f64; 6] = [0.0, 0.1, 0.2, 0.5, 1.0, 2.0];

/// Seconds after which an arrow key that is held repeats, and how often per second.
const REPEAT_AFTER: f32 = 0.35;
const REPEATS: f32 = 24.0;

/// What a step is, and how long one takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    unit: StepUnit,
    /// Places in [`PACES`], [`SLOWER`] and [`PAUSES`].
    pace: usize,
    slower: usize,
    pause: usize,
}

impl Speed {
    /// A hundred steps per second, without slow motion or a pause.
    pub fn new(unit: StepUnit) -> Self {
        Self {
            unit,
            pace: FIRST_PACE,
            slower: 0,
            pause: 0,
        }
    }

    /// What a step is.
    pub fn unit(&self) -> StepUnit {
        self.unit
    }

    /// As the core takes it.
    pub fn pace(&self) -> Pace {
        Pace {
            unit: self.unit,
            rate: 1.0 / PACES[self.pace],
            slow_motion: 1.0 / f64::from(SLOWER[self.slower]),
            pause: Duration::from_secs_f64(PAUSES[self.pause]),
        }
    }

    /// How long a step takes, slow motion and the pause after it included.
    pub fn seconds_per_step(&self) -> f64 {
        PACES[self.pace] * f64::from(SLOWER[self.slower]) + PAUSES[self.pause]
    }

    /// The slowest pace at which so many steps take no longer than that many seconds. Slow motion and the pause
    /// stay as they are and come on top.
    pub fn fit(&mut self, steps: u64, seconds: f64) {
        let wanted = seconds / steps.max(1) as f64;
        let fits = PACES.iter().position(|&pace| pace <= wanted);
        self.pace = fits.unwrap_or(PACES.len() - 1);
    }

    /// What a step is, in words.
    pub fn unit_text(&self) -> &'static str {
        match self.unit {
            StepUnit::Expansion => "an expansion",
            _ => "a look",
        }
    }

    /// How fast it is, and what makes it slow.
    fn text(&self) -> String {
        let seconds = self.seconds_per_step();
        let mut text = if seconds < 0.1 {
            format!("{:.0} steps/s", 1.0 / seconds)
        } else {
            format!("{} s per step", (seconds * 100.0).round() / 100.0)
        };
        if self.slower > 0 {
            text += &format!(", slow motion 1/{}", SLOWER[self.slower]);
        }
        if self.pause > 0 {
            text += &format!(", pause {} s", PAUSES[self.pause]);
        }
        text
    }
}

/// Replays that belong together: one is as far as the others, or at its end.
pub trait Replays: Resource<Mutability = Mutable> {
    /// How fast they play.
    fn speed(&self) -> &Speed;

    /// The same, to change it. [`set_speed`](Self::set_speed) tells the replays.
    fn speed_mut(&mut self) -> &mut Speed;

    /// Those that are shown.
    fn replays(&self) -> impl Iterator<Item = &Replay>;

    /// All of them, shown or not.
    fn replays_mut(&mut self) -> impl Iterator<Item = &mut Replay>;

    /// Events of the one in that place; `None` if none is shown there.
    fn end(&self, place: usize) -> Option<u32>;

    /// Events of the longest one.
    fn events(&self) -> u32 {
        self.replays().map(Replay::len).max().unwrap_or(0)
    }

    /// Events played, of the one that is furthest.
    fn cursor(&self) -> u32 {
        self.replays().map(Replay::cursor).max().unwrap_or(0)
    }

    /// Moves all to a part of the longest one.
    fn seek(&mut self, part: f32) {
        let events = (f64::from(part) * f64::from(self.events())).round() as u32;
        self.replays_mut().for_each(|replay| replay.seek(events));
    }

    /// Stops all.
    fn pause(&mut self) {
        self.replays_mut().for_each(Replay::pause);
    }

    /// Whether any plays.
    fn is_playing(&self) -> bool {
        self.replays().any(Replay::is_playing)
    }

    /// Plays or pauses all; from the beginning, if all are at the end.
    fn toggle(&mut self) {
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

    /// A step forward or back, with all paused.
    fn step(&mut self, is_forward: bool) {
        // One that is over waits until the others are back where it ended.
        let (unit, cursor) = (self.speed().unit, self.cursor());
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

    /// Tells the replays how fast to play.
    fn set_speed(&mut self) {
        let pace = self.speed().pace();
        for replay in self.replays_mut() {
            // The paces are all finite and above zero.
            let _ = replay.set_pace(pace);
        }
    }

    /// One pace faster or slower.
    fn change_pace(&mut self, is_faster: bool) {
        let speed = self.speed_mut();
        speed.pace = if is_faster {
            (speed.pace + 1).min(PACES.len() - 1)
        } else {
            speed.pace.saturating_sub(1)
        };
        self.set_speed();
    }

    /// The next slow motion, or the one before; none after the slowest.
    fn change_slow_motion(&mut self, is_back: bool) {
        let speed = self.speed_mut();
        speed.slower = turned(speed.slower, SLOWER.len(), is_back);
        self.set_speed();
    }

    /// The next pause after each step, or the one before; none after the longest.
    fn change_pause(&mut self, is_back: bool) {
        let speed = self.speed_mut();
        speed.pause = turned(speed.pause, PAUSES.len(), is_back);
        self.set_speed();
    }

    /// The other unit.
    fn change_unit(&mut self) {
        let speed = self.speed_mut();
        speed.unit = match speed.unit {
            StepUnit::Expansion => StepUnit::Event,
            _ => StepUnit::Expansion,
        };
        self.set_speed();
    }

    /// Whether they play, and how fast.
    fn speed_text(&self) -> String {
        let state = if self.is_playing() {
            "playing"
        } else {
            "paused"
        };
        format!("{state}, {}", self.speed().text())
    }

    /// How far they are.
    fn cursor_text(&self) -> String {
        format!("{} of {} events", self.cursor(), self.events())
    }
}

/// Says that a recording was cut, if it was.
pub fn cut_text(recording: &Recording) -> Option<String> {
    let missing = recording.missing();
    recording
        .is_cut()
        .then(|| format!("cut: {missing} events are missing"))
}

/// The next place, or the one before, in a ring of so many.
fn turned(place: usize, count: usize, is_back: bool) -> usize {
    let by = if is_back { count - 1 } else { 1 };
    (place + by) % count
}

/// Obeys the keys that play, step, and change the speed.
pub fn obey_keys<R: Replays>(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut held: Local<f32>,
    mut replays: ResMut<R>,
) {
    if keys.just_pressed(KeyCode::Space) || keys.any_just_pressed(PAUSE) {
        replays.toggle();
    }
    if keys.just_pressed(KeyCode::Home) {
        replays.seek(0.0);
    }
    if keys.just_pressed(KeyCode::End) {
        replays.pause();
        replays.seek(1.0);
    }
    let arrows = [KeyCode::ArrowLeft, KeyCode::ArrowRight];
    if keys.any_just_pressed(arrows) {
        *held = 0.0;
        replays.step(keys.just_pressed(KeyCode::ArrowRight));
    } else if keys.any_pressed(arrows) {
        let repeats = |held: f32| ((held - REPEAT_AFTER).max(0.0) * REPEATS) as u32;
        let before = repeats(*held);
        *held += time.delta_secs();
        for _ in before..repeats(*held) {
            replays.step(keys.pressed(KeyCode::ArrowRight));
        }
    }
    change_speed(&keys, replays);
}

fn change_speed<R: Replays>(keys: &ButtonInput<KeyCode>, mut replays: ResMut<R>) {
    let is_shifted = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if keys.just_pressed(KeyCode::ArrowUp) {
        replays.change_pace(true);
    }
    if keys.just_pressed(KeyCode::ArrowDown) {
        replays.change_pace(false);
    }
    if keys.just_pressed(KeyCode::KeyE) {
        replays.change_unit();
    }
    if keys.just_pressed(KeyCode::KeyL) {
        replays.change_slow_motion(is_shifted);
    }
    if keys.just_pressed(KeyCode::KeyW) {
        replays.change_pause(is_shifted);
    }
}

/// Lets time pass.
pub fn advance<R: Replays>(time: Res<Time>, mut replays: ResMut<R>) {
    if replays.is_playing() {
        let passed = time.delta();
        for replay in replays.replays_mut() {
            replay.advance(passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{Algorithm, Cell, Grid, PathOptions, SearchScratch};

    #[derive(Resource, Debug)]
    struct Pair {
        replays: Vec<Replay>,
        speed: Speed,
    }

    impl Replays for Pair {
        fn speed(&self) -> &Speed {
            &self.speed
        }

        fn speed_mut(&mut self) -> &mut Speed {
            &mut self.speed
        }

        fn replays(&self) -> impl Iterator<Item = &Replay> {
            self.replays.iter()
        }

        fn replays_mut(&mut self) -> impl Iterator<Item = &mut Replay> {
            self.replays.iter_mut()
        }

        fn end(&self, place: usize) -> Option<u32> {
            self.replays.get(place).map(Replay::len)
        }
    }

    /// The replay of a search along a corridor of so many cells.
    fn replay(cells: u32) -> Replay {
        let grid = Grid::builder(cells, 1).expect("a small grid").build();
        let (start, goal) = (Cell::new(0, 0), Cell::new(cells as i32 - 1, 0));
        let options = PathOptions {
            algorithm: Algorithm::AStar,
            ..PathOptions::default()
        };
        let scratch = &mut SearchScratch::new();
        let recording = Recording::of_path(&grid, start, goal, &options, scratch);
        Replay::new(recording.expect("an answer"))
    }

    /// A short one and a long one, at their beginnings.
    fn pair(unit: StepUnit) -> Pair {
        Pair {
            replays: vec![replay(4), replay(12)],
            speed: Speed::new(unit),
        }
    }

    fn cursors(pair: &Pair) -> Vec<u32> {
        pair.replays().map(Replay::cursor).collect()
    }

    #[test]
    fn one_that_is_over_waits_until_the_other_is_back_where_it_ended() {
        for unit in [StepUnit::Event, StepUnit::Expansion] {
            let mut pair = pair(unit);
            let short = pair.replays[0].len();
            assert!(short < pair.events());
            pair.seek(1.0);
            while pair.cursor() > short {
                let is_over = |pair: &Pair| pair.replays[0].is_at_end();
                assert!(is_over(&pair), "{unit:?}: {:?}", cursors(&pair));
                pair.step(false);
            }
            pair.step(false);
            assert!(pair.replays[0].cursor() < short, "{unit:?}");
        }
    }

    #[test]
    fn steps_back_undo_steps_forward() {
        let mut pair = pair(StepUnit::Event);
        let seen: Vec<_> = (0..pair.events())
            .map(|_| {
                let before = cursors(&pair);
                pair.step(true);
                before
            })
            .collect();
        for before in seen.iter().rev() {
            pair.step(false);
            assert_eq!(&cursors(&pair), before);
        }
    }

    #[test]
    fn slow_motion_and_a_pause_make_a_step_longer_and_are_told() {
        let mut pair = pair(StepUnit::Event);
        assert_eq!(pair.speed_text(), "paused, 100 steps/s");
        pair.change_slow_motion(false);
        assert_eq!(pair.speed_text(), "paused, 50 steps/s, slow motion 1/2");
        pair.change_pause(true);
        assert_eq!(pair.speed().seconds_per_step(), 2.02);
        assert_eq!(
            pair.speed_text(),
            "paused, 2.02 s per step, slow motion 1/2, pause 2 s"
        );
        pair.toggle();
        pair.replays_mut().for_each(|replay| {
            replay.advance(Duration::from_secs_f64(4.05));
        });
        assert_eq!(cursors(&pair), [2, 2]);
        pair.change_pause(false);
        pair.change_slow_motion(true);
        assert_eq!(pair.speed_text(), "playing, 100 steps/s");
    }

    #[test]
    fn every_speed_is_one_that_a_replay_takes() {
        let mut pair = pair(StepUnit::Expansion);
        for _ in 0..SLOWER.len() {
            pair.change_slow_motion(false);
            for _ in 0..PAUSES.len() {
                pair.change_pause(false);
                for _ in 0..PACES.len() {
                    pair.change_pace(false);
                    assert_eq!(pair.replays[1].pace(), pair.speed().pace());
                }
                for _ in 0..PACES.len() {
                    pair.change_pace(true);
                    assert_eq!(pair.replays[1].pace(), pair.speed().pace());
                }
            }
        }
    }

    #[test]
    fn the_keys_are_obeyed() {
        let mut app = App::new();
        app.init_resource::<Time>()
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(pair(StepUnit::Event))
            .add_systems(Update, obey_keys::<Pair>);
        let mut press = |keys: &[KeyCode]| {
            let mut input = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
            input.reset_all();
            keys.iter().for_each(|key| input.press(*key));
            app.update();
            let pair = app.world().resource::<Pair>();
            (cursors(pair), pair.speed_text())
        };
        assert_eq!(press(&[KeyCode::ArrowRight]).0, [1, 1]);
        assert_eq!(press(&[KeyCode::ArrowLeft]).0, [0, 0]);
        let (_, text) = press(&[KeyCode::KeyL, KeyCode::ShiftLeft]);
        assert_eq!(text, "paused, 0.5 s per step, slow motion 1/50");
        let (_, text) = press(&[KeyCode::KeyW]);
        assert!(text.ends_with("pause 0.1 s"), "{text}");
        let (at, text) = press(&[KeyCode::Space]);
        assert!(text.starts_with("playing") && at == [0, 0], "{text}");
        let (at, text) = press(&[KeyCode::End]);
        assert!(text.starts_with("paused") && at[0] < at[1], "{text}");
    }
}
