//! The game without a window: fixed steps, as fast as possible, and a report in the end.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::{AgentStuck, PlanMode, PursuitStats};

use crate::board;
use crate::cli::Options;
use crate::game::{GamePlugin, Setup};
use crate::hunters::Hunter;
use crate::player::Player;
use crate::report::Report;
use crate::score::Score;
use pursuit_examples::stage::Stage;

use crate::stage;

/// Steps per second of game time: those of the fixed schedule.
const RATE: u32 = 64;

/// How often a hunter reported to be stuck.
#[derive(Resource, Default)]
struct StuckCount(usize);

/// Plays until the time is over, then prints what happened and where everybody stands.
///
/// # Errors
///
/// Where the report cannot be written.
pub(crate) fn run(options: &Options, stage: Stage) -> io::Result<()> {
    let level = stage.level.clone();
    let mut app = headless_app(options, stage);
    let report = simulate(&mut app, options.seconds);
    let player = positions::<Player>(&mut app).first().copied();
    let hunters = positions::<Hunter>(&mut app);
    writeln!(
        io::stdout(),
        "{report}\n{}# wall, P player, E hunters; one that caught the player goes home and rests",
        board::draw(&level, player, &hunters)
    )
}

fn headless_app(options: &Options, stage: Stage) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(
            Duration::from_secs(1) / RATE,
        ))
        .insert_resource(stage)
        .insert_resource(Setup {
            hunters: options.agents,
            node_radius: stage::node_radius(options.map.as_deref()),
            diagonals: options.diagonals.into(),
            seed: options.seed,
            autoplay: true,
        })
        .init_resource::<StuckCount>()
        .add_observer(|_: On<AgentStuck>, mut count: ResMut<StuckCount>| count.0 += 1)
        .add_plugins(GamePlugin {
            plan_mode: PlanMode::Inline,
        });
    app.finish();
    app.cleanup();
    app
}

fn simulate(app: &mut App, seconds: f32) -> Report {
    let begun = Instant::now();
    let mut frames = Vec::new();
    while app.world().resource::<Score>().elapsed < seconds {
        app.update();
        frames.push(app.world().resource::<PursuitStats>().frame_time);
    }
    let took = begun.elapsed();
    let first_catches = first_catches(app);
    let world = app.world();
    let (score, stats) = (world.resource::<Score>(), world.resource::<PursuitStats>());
    Report {
        seconds: score.elapsed,
        took,
        agents: first_catches.len(),
        first_catches: first_catches.into_iter().flatten().collect(),
        catches: score.catches,
        paths: stats.paths_found,
        failures: stats.failures().collect(),
        stuck: world.resource::<StuckCount>().0,
        frames,
    }
}

fn first_catches(app: &mut App) -> Vec<Option<f32>> {
    let world = app.world_mut();
    world
        .query::<&Hunter>()
        .iter(world)
        .map(|hunter| hunter.first_catch)
        .collect()
}

fn positions<Who: Component>(app: &mut App) -> Vec<Vec2> {
    let world = app.world_mut();
    let mut people = world.query_filtered::<&Transform, With<Who>>();
    people
        .iter(world)
        .map(|transform| transform.translation.truncate())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn report(arguments: &[&str]) -> Report {
        let options = Options::parse_from([&["chase"], arguments].concat());
        let stage = stage::load(options.map.as_deref()).expect("a level");
        simulate(&mut headless_app(&options, stage), options.seconds)
    }

    #[test]
    fn hunters_come_through_the_mansion_and_catch_the_player() {
        let report = report(&["--agents", "4", "--seconds", "60"]);
        assert_eq!(report.agents, 4);
        assert_eq!(report.first_catches.len(), 4, "{report}");
        assert_eq!(report.stuck, 0, "{report}");
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let run = || report(&["--seconds", "8"]);
        let (one, two) = (run(), run());
        assert_eq!(
            (&one.first_catches, one.paths),
            (&two.first_catches, two.paths)
        );
    }

    #[test]
    fn a_restart_puts_everybody_back() {
        let options = Options::parse_from(["chase"]);
        let stage = stage::load(None).expect("the built-in level");
        let homes = stage.level.positions('E');
        let mut app = headless_app(&options, stage);
        simulate(&mut app, 3.0);
        assert_ne!(positions::<Hunter>(&mut app), homes, "nobody hunts");
        app.world_mut().write_message(crate::game::Restart);
        app.update();
        assert_eq!(app.world().resource::<Score>().catches, 0);
        assert!(app.world().resource::<Score>().elapsed < 0.1);
        let now = positions::<Hunter>(&mut app);
        assert_eq!(now.len(), homes.len());
        for home in homes {
            let is_back = now.iter().any(|now| now.distance(home) < 5.0);
            assert!(is_back, "nobody is at {home}");
        }
    }
}
