//! The keys that control a replay, and the text about its progress and speed.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_pursuit::PathRecorder;
use pursuit::Algorithm;
use pursuit_lab::replay::{Replay, StepUnit};

use super::overlay_replay::OverlayReplay;
use crate::keys::holds_alt;
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;

/// Factor by which one key press changes the speed.
const RATE_FACTOR: f64 = 2.0;
/// Minimum and maximum rate that the keys can set, in events or expansions per second.
const RATE_RANGE: (f64, f64) = (0.25, 1e6);

/// The keys of replays, which work while Alt is held, and what they do. The first key records searches, and the others
/// control a replay.
pub(crate) const REPLAY_KEYS: [(&[KeyCode], &str); 5] = {
    use KeyCode::*;
    [
        (&[KeyR], "record the agent"),
        (&[KeyP], "play, pause"),
        (&[Comma, Period], "one expansion"),
        (&[KeyK, KeyL], "one neighbor"),
        (&[BracketLeft, BracketRight], "slower, faster"),
    ]
};
/// The modifier keys. If one of them is held, the recording key makes the agent search by A\*.
const SHIFT_KEYS: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// Handles the keys of replays.
pub(crate) fn handle_replay_keys(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    settings: Res<PursuitDebugSettings>,
    pick: Res<OverlayPick>,
    recorders: Query<&PathRecorder>,
    mut replay: ResMut<OverlayReplay>,
    mut commands: Commands,
) {
    let Some(keys) = keys.filter(|keys| holds_alt(&settings, keys)) else {
        return;
    };
    let is_recording = keys.just_pressed(KeyCode::KeyR);
    if let Some(agent) = pick.agent.filter(|_| is_recording) {
        let algorithm = match keys.any_pressed(SHIFT_KEYS) {
            true => Algorithm::AStar,
            false => Algorithm::Auto,
        };
        let known = recorders.get(agent).map(PathRecorder::algorithm);
        let mut agent_commands = commands.entity(agent);
        if known == Ok(algorithm) {
            agent_commands.try_remove::<PathRecorder>();
        } else {
            agent_commands.try_insert(PathRecorder::by(algorithm));
        }
    }
    if let Some(replay) = replay.bypass_change_detection().replay_mut() {
        step(replay, &keys);
    }
}

/// Handles the keys that control a replay.
fn step(replay: &mut Replay, keys: &ButtonInput<KeyCode>) {
    if keys.just_pressed(KeyCode::KeyP) {
        match replay.is_playing() {
            true => replay.pause(),
            false => replay.play(),
        }
    }
    let steps: [(KeyCode, fn(&mut Replay) -> bool); 4] = [
        (KeyCode::Comma, Replay::step_expansion_back),
        (KeyCode::Period, Replay::step_expansion),
        (KeyCode::KeyK, Replay::step_back),
        (KeyCode::KeyL, Replay::step),
    ];
    for (key, step) in steps {
        if keys.just_pressed(key) {
            replay.pause();
            step(replay);
        }
    }
    let hit = |key: KeyCode| i32::from(keys.just_pressed(key));
    let faster = hit(KeyCode::BracketRight) - hit(KeyCode::BracketLeft);
    if faster != 0 {
        let mut pace = replay.pace();
        pace.rate = (pace.rate * RATE_FACTOR.powi(faster)).clamp(RATE_RANGE.0, RATE_RANGE.1);
        // This cannot fail: both bounds of the rate are above 0.
        let _ = replay.set_pace(pace);
    }
}

/// System parameter for the inspector's text about the replayed search.
#[derive(SystemParam)]
pub(crate) struct ReplayReport<'w, 's> {
    replay: Res<'w, OverlayReplay>,
    recorders: Query<'w, 's, (), With<PathRecorder>>,
}

impl ReplayReport<'_, '_> {
    /// Whether a replay is shown.
    pub(crate) fn is_shown(&self) -> bool {
        self.replay.replay().is_some()
    }

    /// A text about the search that the game supplied or, if there is no such search, about a search of the agent.
    /// `None` if the replay of the game's search is not ready, or if the agent's searches are not recorded.
    pub(crate) fn of(&self, agent: Option<Entity>) -> Option<String> {
        let (replay, step) = (self.replay.replay(), self.replay.plain_step());
        let text = replay.map(|replay| progress(replay, step));
        if self.replay.is_from_game {
            return text;
        }
        let is_recorded = agent.is_some_and(|agent| self.recorders.contains(agent));
        is_recorded.then(|| text.unwrap_or_else(|| "the next one will be recorded".to_owned()))
    }
}

/// Two lines for the inspector: the figures of the search, and the progress and speed of its replay.
fn progress(replay: &Replay, plain_step: u64) -> String {
    let recording = replay.recording();
    let counts = replay.counts();
    let mut text = format!(
        "{}: {} expanded, {} pushed, {} examined",
        recording.search().name,
        counts.expanded,
        counts.pushed,
        counts.relaxed,
    );
    if let Some(end) = recording.end().filter(|end| !end.path.is_empty()) {
        text += &format!(", costs {:.1}", end.cost as f64 / plain_step as f64);
    }
    if let Some(took) = recording.end().and_then(|end| end.took) {
        text += &format!(", took {:.0} us", took.as_secs_f64() * 1e6);
    }
    if recording.is_cut() {
        text += ", incomplete: some events were not recorded";
    }
    let place = match (replay.cursor(), replay.len()) {
        (_, 0) => "nothing to show: the answer was known without a search".to_owned(),
        (cursor, events) => format!("event {cursor} of {events}, {}", playback_text(replay)),
    };
    format!("{text}\nreplay  {place}")
}

/// Whether the replay plays, and how fast.
fn playback_text(replay: &Replay) -> String {
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
    format!("{state}, {:.2} {unit}s per s", 1.0 / seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::overlay_replay::replay_around_a_wall;
    use pursuit::STRAIGHT;
    use pursuit_lab::replay::Pace;

    #[test]
    fn the_text_shows_the_algorithm_the_progress_and_the_speed() {
        let mut replay = replay_around_a_wall(40);
        let mut pace = Pace {
            unit: StepUnit::Expansion,
            rate: 64.0,
            ..Pace::default()
        };
        replay.set_pace(pace).expect("a good pace");
        replay.play();
        let text = progress(&replay, STRAIGHT.into());
        assert!(
            text.starts_with("A*: 0 expanded, 0 pushed, 0 examined, costs "),
            "{text}"
        );
        assert!(text.contains("\nreplay  event 0 of "), "{text}");
        assert!(text.ends_with(", plays, 64.00 expansions per s"), "{text}");
        pace.rate = 0.5;
        replay.set_pace(pace).expect("a good pace");
        replay.pause();
        assert!(progress(&replay, STRAIGHT.into()).ends_with(", paused, 0.50 expansions per s"));
        replay.seek(u32::MAX);
        assert!(progress(&replay, STRAIGHT.into()).contains(", at its end, "));
    }
}
