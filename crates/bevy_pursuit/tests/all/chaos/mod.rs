//! Everything that a game may do to agents, at random and in every order; each field of each component
//! that a game writes is changed in place, as reflection finds it. Afterwards, when the game
//! has been quiet for a while, everybody stands as in a world that was built anew from the same
//! components: nothing that happened is remembered, nothing that happened was missed.
//!
//! `PURSUIT_CHAOS_FRAMES` sets the number of frames for each seed, `PURSUIT_CHAOS_SEED` runs one seed
//! alone.

mod acts;
mod compare;
mod fields;
mod game;

use std::env;

use compare::assert_like_new;
use game::Chaos;

use crate::common::*;

/// Frames of chaos between two comparisons.
const CHUNK: usize = 500;
/// Quiet frames before a comparison: five seconds.
const QUIET: usize = 300;
/// The last of them, in which those whose goals rest search no more.
const WATCHED: usize = 120;

fn variable(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

fn play(mode: PlanMode, seed: u64) {
    let frames = variable("PURSUIT_CHAOS_FRAMES").unwrap_or(1000) as usize;
    play_on(Chaos::new(mode, seed), (mode, seed), frames);
}

fn play_on(mut chaos: Chaos, (mode, seed): (PlanMode, u64), frames: usize) {
    for played in (0..frames.max(1)).step_by(CHUNK) {
        let what = format!("{mode:?}, seed {seed}, after {} frames", played + CHUNK);
        for _ in 0..CHUNK {
            chaos.frame();
            chaos.assert_queue_is_bounded(&what);
        }
        chaos.calm_down();
        for _ in 0..QUIET - WATCHED {
            chaos.quiet_frame();
        }
        let before = searches(&chaos.app);
        for _ in 0..WATCHED {
            chaos.quiet_frame();
        }
        chaos.assert_at_rest(&what);
        chaos.assert_few_searches(searches(&chaos.app) - before, WATCHED, &what);
        assert_like_new(&mut chaos, mode, &what);
    }
    if frames >= 1000 {
        chaos.assert_each_field_was_changed(&format!("{mode:?}, seed {seed}"));
    }
}

fn play_all(mode: PlanMode) {
    match variable("PURSUIT_CHAOS_SEED") {
        Some(seed) => play(mode, seed),
        None => [1, 2].into_iter().for_each(|seed| play(mode, seed)),
    }
}

#[test]
fn after_any_chaos_a_game_inline_is_as_if_built_anew() {
    play_all(PlanMode::Inline);
}

#[test]
fn after_any_chaos_a_game_with_tasks_is_as_if_built_anew() {
    play_all(PlanMode::Async);
}

/// Those far from the one whom nearly all chase go along its field. With seed 33 grids of one size lie upon each other, and
/// some need to see a target that is inside a wall.
#[test]
fn after_any_chaos_a_horde_is_as_if_built_anew() {
    let seeds = variable("PURSUIT_CHAOS_SEED").map_or(vec![1, 33], |seed| vec![seed]);
    for (mode, seed) in MODES
        .into_iter()
        .flat_map(|mode| seeds.iter().map(move |seed| (mode, *seed)))
    {
        let mut chaos = Chaos::of(mode, seed, true);
        let is_flowing = (0..400).any(|_| {
            chaos.frame();
            chaos.flowing() > 20
        });
        assert!(is_flowing, "{mode:?}: {} flow", chaos.flowing());
        play_on(chaos, (mode, seed), CHUNK);
    }
}
