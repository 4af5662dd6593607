//! Moves the replay of a search by keys, and says how far it is and how fast it plays.

use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::PathRecorder;
use pursuit::{Algorithm, STRAIGHT};
use pursuit_lab::recording::RecordedAlgorithm;
use pursuit_lab::replay::Replay;
use pursuit_lab::replay::StepUnit;

use crate::category::{OverlayCategory, OverlayModifier};
use crate::pick::OverlayPick;
use crate::replay_keys::ReplayKeys;
use crate::replays::OverlayReplay;
use crate::settings::PursuitDebugSettings;

/// How much faster or slower the keys make it.
const FASTER: f64 = 2.0;
/// Least and most expansions per second that the keys set.
const RATES: (f64, f64) = (0.25, 1e6);
/// Holding a key scrubs through a whole search in so many seconds.
const SCRUB_SECONDS: f64 = 5.0;

/// Held with the key that records: by A\*, unless it is the modifier of all keys.
const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// Obeys the keys of replays.
pub(crate) fn obey_replay_keys(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    settings: Res<PursuitDebugSettings>,
    time: Res<Time<Real>>,
    pick: Res<OverlayPick>,
    recorders: Query<&PathRecorder>,
    mut replay: ResMut<OverlayReplay>,
    mut commands: Commands,
    mut rest: Local<f64>,
) {
    let Some(keys) = keys else { return };
    let is_held = settings.keys.modifier.is_held(&keys);
    if !is_held || !settings.shows(OverlayCategory::Searches) {
        return;
    }
    let own = settings.replay;
    let is_recording = own.record.is_some_and(|key| keys.just_pressed(key));
    if let Some(agent) = pick.agent.filter(|_| is_recording) {
        let is_usual = settings.keys.modifier == OverlayModifier::Shift || !keys.any_pressed(SHIFT);
        let algorithm = match is_usual {
            true => Algorithm::Auto,
            false => Algorithm::AStar,
        };
        let known = recorders.get(agent).map(PathRecorder::algorithm);
        let mut agent_commands = commands.entity(agent);
        if known == Ok(algorithm) {
            agent_commands.try_remove::<PathRecorder>();
        } else {
            agent_commands.try_insert(PathRecorder::by(algorithm));
        }
    }
    let Some(replay) = replay.bypass_change_detection().replay_mut() else {
        return;
    };
    let held = |key: Option<KeyCode>| i32::from(key.is_some_and(|key| keys.pressed(key)));
    let toward = held(own.scrub_forward) - held(own.scrub_back);
    scrub(replay, toward, time.delta(), &mut rest);
    step(replay, &own, &keys);
}

/// Obeys the keys that count once for each time they are pressed.
fn step(replay: &mut Replay, own: &ReplayKeys, keys: &ButtonInput<KeyCode>) {
    let is_hit = |key: Option<KeyCode>| key.is_some_and(|key| keys.just_pressed(key));
    if is_hit(own.play) {
        match replay.is_playing() {
            true => replay.pause(),
            false => replay.play(),
        }
    }
    let steps: [(Option<KeyCode>, fn(&mut Replay) -> bool); 4] = [
        (own.back, Replay::step_expansion_back),
        (own.forward, Replay::step_expansion),
        (own.look_back, Replay::step_back),
        (own.look_forward, Replay::step),
    ];
    for (key, step) in steps {
        if is_hit(key) {
            replay.pause();
            step(replay);
        }
    }
    let faster = i32::from(is_hit(own.faster)) - i32::from(is_hit(own.slower));
    if faster != 0 {
        let mut pace = replay.pace();
        pace.rate = (pace.rate * FASTER.powi(faster)).clamp(RATES.0, RATES.1);
        // Rates between these are above 0.
        let _ = replay.set_pace(pace);
    }
}

/// Moves the cursor on, or back, by what that time is worth. `rest` is the part of an event that is left over.
fn scrub(replay: &mut Replay, toward: i32, time: Duration, rest: &mut f64) {
    if toward == 0 {
        *rest = 0.0;
        return;
    }
    replay.pause();
    let events = f64::from(replay.len()) * time.as_secs_f64() / SCRUB_SECONDS;
    let by = *rest + f64::from(toward) * events;
    *rest = by.fract();
    let to = f64::from(replay.cursor()) + by.trunc();
    // From below 0 it becomes 0, and what is beyond the end is the end.
    replay.seek(to as u32);
}

/// What is replayed, how far it is, and how fast it plays: two lines for the inspector.
pub(crate) fn progress(replay: &Replay) -> String {
    let recording = replay.recording();
    let counts = replay.counts();
    let mut text = format!(
        "{}: {} expanded, {} pushed, {} looked at",
        recording.search().name,
        counts.expanded,
        counts.pushed,
        counts.relaxed,
    );
    text += &worth(replay);
    if let Some(took) = recording.end().and_then(|end| end.took) {
        text += &format!(", took {:.0} us", took.as_secs_f64() * 1e6);
    }
    if recording.is_cut() {
        text += ", cut: its end was not kept";
    }
    let place = match (replay.cursor(), replay.len()) {
        (_, 0) => "nothing was searched: the answer was known at once".to_owned(),
        (cursor, events) => format!("event {cursor} of {events}, {}", motion(replay)),
    };
    format!("{text}\nreplay  {place}")
}

/// What its path costs. Of a search with several answers that is the last one before the cursor, with what is proven of it.
fn worth(replay: &Replay) -> String {
    let recording = replay.recording();
    let in_steps = |cost: u64| cost as f64 / f64::from(STRAIGHT);
    let end = recording.end().filter(|end| !end.path.is_empty());
    let has_several = recording.search().algorithm == RecordedAlgorithm::Anytime;
    match (has_several, replay.answer(), end) {
        (true, Some(answer), _) => {
            let (cost, bound) = (in_steps(answer.cost), answer.bound);
            format!(", costs {cost:.1}, bound {bound:.2}")
        }
        (true, None, _) => ", no path yet".to_owned(),
        (false, _, Some(end)) => format!(", costs {:.1}", in_steps(end.cost)),
        (false, _, None) => String::new(),
    }
}

/// Whether it plays, and how fast.
fn motion(replay: &Replay) -> String {
    let state = match (replay.is_playing(), replay.is_at_end()) {
        (true, _) => "plays",
        (false, true) => "at its end",
        (false, false) => "paused",
    };
    let pace = replay.pace();
    let unit = match pace.unit {
        StepUnit::Expansion => "expansion",
        _ => "event",
    };
    let seconds = 1.0 / (pace.rate * pace.slow_motion) + pace.pause.as_secs_f64();
    match seconds > 1.0 {
        true => format!("{state}, {seconds:.1} s per {unit}"),
        false => format!("{state}, {:.0} {unit}s per s", 1.0 / seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::planners::{AnytimeWeights, Improvement};
    use pursuit::{Cell, DiagonalPolicy, Grid, Ground, PathOptions, SearchScratch};
    use pursuit_lab::recording::RecordedSearch;
    use pursuit_lab::recording::Recording;
    use pursuit_lab::replay::Pace;

    fn replay() -> Replay {
        let grid = Grid::from_fn(40, 40, |cell| cell.x != 20 || cell.y == 0).expect("a grid");
        let options = PathOptions {
            algorithm: pursuit::Algorithm::AStar,
            ..PathOptions::default()
        };
        let (start, goal) = (Cell::new(2, 30), Cell::new(37, 30));
        let scratch = &mut SearchScratch::new();
        let recording = Recording::of_path(&grid, start, goal, &options, scratch);
        Replay::new(recording.expect("a path"))
    }

    #[test]
    fn scrubbing_takes_as_long_at_any_frame_rate_and_stops_at_the_ends() {
        for frames in [5, 60, 1000] {
            let (mut replay, mut rest) = (replay(), 0.0);
            let frame = Duration::from_secs_f64(SCRUB_SECONDS / 2.0) / frames;
            for _ in 0..frames {
                scrub(&mut replay, 1, frame, &mut rest);
            }
            let half = replay.len() / 2;
            assert!(replay.cursor().abs_diff(half) <= 1, "{}", replay.cursor());
            for _ in 0..2 * frames {
                scrub(&mut replay, -1, frame, &mut rest);
            }
            assert_eq!(replay.cursor(), 0);
            for _ in 0..3 * frames {
                scrub(&mut replay, 1, frame, &mut rest);
            }
            assert!(replay.is_at_end());
        }
    }

    #[test]
    fn the_text_says_what_plays_how_far_and_how_fast() {
        let mut replay = replay();
        let mut pace = Pace {
            unit: StepUnit::Expansion,
            rate: 64.0,
            ..Pace::default()
        };
        replay.set_pace(pace).expect("a good pace");
        replay.play();
        let text = progress(&replay);
        assert!(
            text.starts_with("A*: 0 expanded, 0 pushed, 0 looked at, costs "),
            "{text}"
        );
        assert!(text.contains("\nreplay  event 0 of "), "{text}");
        assert!(text.ends_with(", plays, 64 expansions per s"), "{text}");
        pace.rate = 0.5;
        replay.set_pace(pace).expect("a good pace");
        replay.pause();
        assert!(progress(&replay).ends_with(", paused, 2.0 s per expansion"));
        replay.seek(u32::MAX);
        assert!(progress(&replay).contains(", at its end, "));
    }

    #[test]
    fn cost_and_bound_of_an_anytime_search_are_those_at_the_cursor() {
        let mut terrain = Grid::builder(60, 60).expect("a good size");
        for y in 0..50 {
            terrain.set_cost(Cell::new(30, y), 9).expect("inside");
        }
        let ground = Ground::from_grid(terrain.build(), DiagonalPolicy::NoCornerCut);
        let (start, goal) = (Cell::new(2, 5), Cell::new(57, 5));
        let (options, weights) = (PathOptions::default(), AnytimeWeights::default());
        let scratch = &mut SearchScratch::new();
        let search = RecordedSearch::anytime(ground.grid(), start, goal, &options);
        let mut recording = Recording::new(search);
        let search = ground.anytime(start, goal, weights, &options, scratch);
        let mut search = search.expect("good ends");
        let first = search.step_recorded(u32::MAX, &mut recording);
        let first = first.expect("no flag").answer().expect("a path");
        let events = recording.len();
        let last = loop {
            let step = search.step_recorded(u32::MAX, &mut recording);
            if let Improvement::Last(found) = step.expect("no flag") {
                break found;
            }
        };
        recording.finish(&last, None);
        let saved = Recording::from_bytes(&recording.to_bytes()).expect("whole");
        let mut replay = Replay::new(saved);
        assert!(progress(&replay).contains(", no path yet\n"));
        for (events, found) in [(events, &first), (u32::MAX, &last)] {
            replay.seek(events);
            let cost = found.path.cost as f64 / f64::from(STRAIGHT);
            let bound = found.bound;
            let told = format!(", costs {cost:.1}, bound {bound:.2}\n");
            assert!(progress(&replay).contains(&told), "{}", progress(&replay));
        }
        assert!(first.bound > last.bound && last.bound == 1.0);
    }
}
