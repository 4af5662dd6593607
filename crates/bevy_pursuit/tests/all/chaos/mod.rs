//! A game acts on agents at random. By reflection, it also finds each field of each component that a game may write,
//! and changes the field in place. Afterwards, when the game has been quiet for a while, every agent is in the same
//! state as in a new world that is built from the same components: the plugin remembers nothing that no longer matters
//! and has missed nothing.
//!
//! `PURSUIT_CHAOS_FRAMES` sets the number of frames per seed. `PURSUIT_CHAOS_SEED` runs a single seed.

mod acts;
mod compare;
mod fields;
mod game;

use std::env;

use bevy_pursuit::plugins::DecideInEachTick;
use compare::assert_like_new;
use game::Chaos;

use crate::common::*;

/// Frames of chaos between two comparisons.
const CHUNK_FRAMES: usize = 500;
/// Quiet frames before a comparison: five seconds.
const QUIET_FRAMES: usize = 300;
/// The last of the quiet frames. In these frames, agents whose goals do not move no longer search.
const WATCHED_FRAMES: usize = 120;

fn env_number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

fn play(mode: PlanMode, seed: u64) {
    let frames = env_number("PURSUIT_CHAOS_FRAMES").unwrap_or(1000) as usize;
    play_frames(Chaos::new(mode, seed), (mode, seed), frames);
}

fn play_frames(mut chaos: Chaos, (mode, seed): (PlanMode, u64), frames: usize) {
    for played in (0..frames.max(1)).step_by(CHUNK_FRAMES) {
        let context = format!(
            "{mode:?}, seed {seed}, after {} frames",
            played + CHUNK_FRAMES
        );
        for _ in 0..CHUNK_FRAMES {
            chaos.frame();
            chaos.assert_queue_is_bounded(&context);
        }
        chaos.calm_down();
        for _ in 0..QUIET_FRAMES - WATCHED_FRAMES {
            chaos.quiet_frame();
        }
        let before = searches(&chaos.app);
        for _ in 0..WATCHED_FRAMES {
            chaos.quiet_frame();
        }
        chaos.assert_at_rest(&context);
        chaos.assert_few_searches(searches(&chaos.app) - before, WATCHED_FRAMES, &context);
        assert_like_new(&mut chaos, mode, &context);
    }
    if frames >= 1000 {
        chaos.assert_each_field_was_changed(&format!("{mode:?}, seed {seed}"));
    }
}

fn play_all(mode: PlanMode) {
    match env_number("PURSUIT_CHAOS_SEED") {
        Some(seed) => play(mode, seed),
        None => [1, 2].into_iter().for_each(|seed| play(mode, seed)),
    }
}

#[test]
fn after_any_chaos_an_inline_game_equals_a_rebuilt_one() {
    play_all(PlanMode::Inline);
}

#[test]
fn after_any_chaos_a_game_with_tasks_equals_a_rebuilt_one() {
    play_all(PlanMode::Async);
}

/// Nearly all agents chase one target, and the ones far from it follow a shared field. With seed 33, grids of one size
/// overlap, and some agents need to see a target that is inside a wall.
#[test]
fn after_any_chaos_a_horde_equals_a_rebuilt_one() {
    let seeds = env_number("PURSUIT_CHAOS_SEED").map_or(vec![1, 33], |seed| vec![seed]);
    for (mode, seed) in MODES
        .into_iter()
        .flat_map(|mode| seeds.iter().map(move |seed| (mode, *seed)))
    {
        let mut chaos = Chaos::with_horde(mode, seed, true);
        let is_flowing = (0..400).any(|_| {
            chaos.frame();
            chaos.count_flowing() > 20
        });
        assert!(
            is_flowing,
            "{mode:?}: only {} agents follow a field",
            chaos.count_flowing()
        );
        play_frames(chaos, (mode, seed), CHUNK_FRAMES);
    }
}

/// The cache of decisions is only a cache: see [`DecideInEachTick`].
#[test]
fn any_chaos_is_the_same_if_each_agent_is_decided_in_each_tick() {
    for (seed, is_horde) in [(5, false), (6, false), (7, true)] {
        let mut games = [false, true].map(|is_off| {
            let mut chaos = match is_horde {
                true => Chaos::with_horde(PlanMode::Inline, seed, true),
                false => Chaos::new(PlanMode::Inline, seed),
            };
            // Both games get a resource, because Bevy gives it the id of an entity.
            match is_off {
                true => chaos.app.init_resource::<DecideInEachTick>(),
                false => chaos.app.init_resource::<Other>(),
            };
            // With several grids, agents are decided in each tick anyway.
            let mut second = chaos.app.world_mut().entity_mut(chaos.grids[1]);
            second.remove::<NavGrid>();
            chaos
        });
        for frame in 0..600 {
            games.iter_mut().for_each(Chaos::frame);
            let [cached, decided] = games.each_mut().map(|chaos| places(&mut chaos.app));
            assert_eq!(cached, decided, "seed {seed}, frame {frame}");
        }
    }
}

#[derive(Resource, Default)]
struct Other;

/// The position of each agent, as bits.
fn places(app: &mut App) -> Vec<(Entity, [u32; 3])> {
    let mut agents = app
        .world_mut()
        .query_filtered::<(Entity, &Transform), With<NavAgent>>();
    let places = agents.iter(app.world()).map(|(agent, transform)| {
        let place = transform.translation.to_array();
        (agent, place.map(f32::to_bits))
    });
    places.collect()
}
