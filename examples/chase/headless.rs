//! The game without a window: frames of one length, as fast as possible, and a report in the end.

use std::fmt;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{PlanMode, PursuitStats};

use crate::Options;
use crate::common::Level;
use crate::game::{GamePlugin, Hunter, Score};

/// Frames per second of game time.
const RATE: u32 = 64;

/// Plays until the time is over, and tells what happened.
pub(crate) fn run(options: &Options, level: Level) -> String {
    simulate(&mut headless_app(options, level), options.seconds).to_string()
}

/// How often a hunter reported to be stuck.
#[derive(Resource, Default)]
struct StuckCount(usize);

fn headless_app(options: &Options, level: Level) -> App {
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / RATE);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(frame)
        .insert_resource(level)
        .insert_resource(options.clone())
        .init_resource::<StuckCount>()
        .add_observer(|_: On<AgentStuck>, mut count: ResMut<StuckCount>| count.0 += 1)
        .add_plugins(GamePlugin {
            plan_mode: PlanMode::Inline,
            autoplay: true,
        });
    app.finish();
    app.cleanup();
    app
}

fn simulate(app: &mut App, seconds: f32) -> Report {
    let begun = Instant::now();
    while app.world().resource::<Score>().elapsed < seconds {
        app.update();
    }
    let took = begun.elapsed();
    let mut hunters = app.world_mut().query::<&Hunter>();
    let first_catches = hunters.iter(app.world()).map(|hunter| hunter.first_catch);
    let first_catches: Vec<_> = first_catches.collect();
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
    }
}

/// What happened in a run.
#[derive(Default)]
struct Report {
    seconds: f32,
    /// Wall-clock time that the simulation took.
    took: Duration,
    agents: usize,
    /// Seconds until the first catch of each hunter that made one.
    first_catches: Vec<f32>,
    catches: u32,
    paths: u64,
    failures: Vec<(FailReason, u64)>,
    stuck: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, value: String| writeln!(f, "{name:<34}{value}");
        let took = self.took.as_secs_f32();
        row("simulated", format!("{:.1} s in {took:.1} s", self.seconds))?;
        row("agents", self.agents.to_string())?;
        row(
            "caught",
            format!("{} of {}", self.first_catches.len(), self.agents),
        )?;
        for (name, share) in [("p50", 0.5), ("max", 1.0)] {
            let seconds = percentile(&self.first_catches, share);
            let seconds = seconds.map_or("-".into(), |value| format!("{value:.1} s"));
            row(&format!("time to catch, {name}"), seconds)?;
        }
        row("catches in all", self.catches.to_string())?;
        row("stuck", self.stuck.to_string())?;
        row("paths", self.paths.to_string())?;
        let failures: u64 = self.failures.iter().map(|(_, count)| count).sum();
        row("failures", failures.to_string())?;
        for (reason, count) in &self.failures {
            row(&format!("  {reason}"), count.to_string())?;
        }
        Ok(())
    }
}

/// The smallest value that at least the given share of all values does not exceed.
fn percentile(values: &[f32], share: f32) -> Option<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let rank = (share * sorted.len() as f32).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Restart;
    use crate::load;
    use clap::Parser;

    fn app(arguments: &[&str]) -> App {
        let options = Options::parse_from([&["chase"], arguments].concat());
        headless_app(&options, load(None).expect("the built-in level"))
    }

    fn positions<Who: Component>(app: &mut App) -> Vec<Vec2> {
        let mut people = app.world_mut().query_filtered::<&Transform, With<Who>>();
        let places = people.iter(app.world());
        places.map(|place| place.translation.truncate()).collect()
    }

    #[test]
    fn hunters_come_through_the_mansion_and_catch_the_player() {
        let report = simulate(&mut app(&["--agents", "4"]), 60.0);
        assert_eq!((report.agents, report.stuck), (4, 0), "{report}");
        assert_eq!(report.first_catches.len(), 4, "{report}");
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let run = || simulate(&mut app(&[]), 8.0);
        let (one, two) = (run(), run());
        assert_eq!(one.first_catches, two.first_catches);
        assert_eq!(one.paths, two.paths);
    }

    #[test]
    fn a_restart_puts_everybody_back() {
        let mut app = app(&[]);
        let homes = load(None).expect("the built-in level").find('E');
        simulate(&mut app, 3.0);
        assert_ne!(positions::<Hunter>(&mut app), homes, "nobody hunts");
        app.world_mut().write_message(Restart);
        app.update();
        assert!(app.world().resource::<Score>().elapsed < 0.1);
        let now = positions::<Hunter>(&mut app);
        assert_eq!(now.len(), homes.len());
        for home in homes {
            let is_back = now.iter().any(|now| now.distance(home) < 5.0);
            assert!(is_back, "nobody is at {home}");
        }
    }

    #[test]
    fn the_table_names_catches_and_every_reason_apart_from_its_number() {
        let report = Report {
            agents: 3,
            first_catches: vec![4.0, 2.5],
            failures: FailReason::ALL.map(|reason| (reason, 7)).to_vec(),
            ..default()
        };
        let text = report.to_string();
        for row in [
            "caught                            2 of 3",
            "time to catch, p50                2.5 s",
            "  no way to the goal              7",
        ] {
            assert!(text.contains(row), "{row:?} is missing in\n{text}");
        }
        for reason in FailReason::ALL {
            let row = text.lines().find(|row| row.contains(&reason.to_string()));
            assert!(row.is_some_and(|row| row.ends_with(" 7")), "{reason}");
        }
    }
}
