//! The game without a window. It runs as fast as possible, and prints a report at the end.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;

use super::Options;
use super::game::{self, Hunter, Score};

/// Plays for the time in the options, and returns the report.
pub(crate) fn run(options: Options) -> String {
    let seconds = options.seconds;
    simulate(&mut headless_app(options), seconds)
}

fn headless_app(options: Options) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(options)
        .add_plugins(game::plugin);
    app.finish();
    app.cleanup();
    app
}

fn simulate(app: &mut App, seconds: f32) -> String {
    let begun = Instant::now();
    while app.world().resource::<Score>().elapsed < seconds {
        app.update();
    }
    report(app.world_mut(), begun.elapsed())
}

/// The report: the results of the game, and the time that it took to simulate.
fn report(world: &mut World, took: Duration) -> String {
    let mut hunters = world.query::<&Hunter>();
    let first_catches = hunters.iter(world).map(|hunter| hunter.first_catch);
    let first_catches: Vec<_> = first_catches.collect();
    let agents = first_catches.len();
    let mut caught: Vec<f32> = first_catches.into_iter().flatten().collect();
    caught.sort_by(f32::total_cmp);
    let median = caught.get(caught.len().saturating_sub(1) / 2);
    let (score, stats) = (world.resource::<Score>(), world.resource::<PursuitStats>());

    let (simulated, took) = (score.elapsed, took.as_secs_f32());
    let seconds = |time: Option<&f32>| time.map_or("-".into(), |time| format!("{time:.1} s"));
    let mut text = String::new();
    let mut row = |name: &str, value: String| text += &format!("{name:<33} {value}\n");
    row("simulated", format!("{simulated:.1} s in {took:.1} s"));
    row("agents", agents.to_string());
    row("caught", format!("{} of {agents}", caught.len()));
    row("time to catch, p50", seconds(median));
    row("time to catch, max", seconds(caught.last()));
    row("catches in all", score.catches.to_string());
    row("stuck", score.stuck.to_string());
    row("paths", stats.paths_found.to_string());
    let failures: u64 = stats.paths_failed.iter().sum();
    row("failures", failures.to_string());
    for (reason, count) in stats.failures() {
        row(&format!("  {reason}"), count.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::common::{Level, TILE};

    /// A headless game. It needs two frames to spawn everybody, since the first one bakes the grid.
    fn app(arguments: &[&str]) -> App {
        let options = [&["chase", "--headless"], arguments].concat();
        let mut app = headless_app(Options::parse_from(options));
        app.update();
        app.update();
        app
    }

    #[test]
    fn all_hunters_catch_the_player_in_the_mansion_and_none_gets_stuck() {
        let report = simulate(&mut app(&["--agents", "4"]), 60.0);
        for row in [
            "caught                            4 of 4\n",
            "stuck                             0\n",
        ] {
            assert!(report.contains(row), "{row} is missing from\n{report}");
        }
    }

    #[test]
    fn equal_seeds_play_equal_games() {
        let [one, two] = [(); 2].map(|()| simulate(&mut app(&[]), 8.0));
        // The first row is skipped, since it has the time that the simulation took.
        assert!(one.lines().skip(1).eq(two.lines().skip(1)), "{one}\n{two}");
    }

    #[test]
    fn hunters_start_at_marked_homes_first_and_otherwise_far_from_the_player() {
        for (agents, count) in [("3", 3), ("300", 300)] {
            let mut app = app(&["--agents", agents]);
            let mut hunters = app.world_mut().query::<&Hunter>();
            let level = app.world().resource::<Level>();
            let (marked, player) = (level.find('E'), level.find('P')[0]);
            let homes: Vec<Vec2> = hunters
                .iter(app.world())
                .map(|hunter| hunter.home)
                .collect();
            let at_marks = homes.iter().filter(|home| marked.contains(home));
            assert_eq!((marked.len(), homes.len()), (12, count));
            assert!(at_marks.count() >= count.min(12));
            let mut homes = homes.iter();
            assert!(homes.all(|home| home.distance(player) > 8. * TILE));
        }
    }

    #[test]
    fn a_restart_moves_all_hunters_to_their_homes() {
        let mut app = app(&[]);
        let mut hunters = app.world_mut().query::<(&Hunter, &Transform)>();
        let mut farthest = |app: &App| {
            let places = hunters.iter(app.world());
            let away = places.map(|(own, place)| own.home.distance(place.translation.truncate()));
            away.fold(0f32, f32::max)
        };
        simulate(&mut app, 3.0);
        assert!(farthest(&app) > 50., "no hunter has left its home");
        let restarted = app.world_mut().run_system_cached(game::restart);
        restarted.expect("a system that can run");
        app.update();
        assert!(app.world().resource::<Score>().elapsed < 0.1);
        assert!(farthest(&app) < 5., "a hunter is not at its home");
    }
}
