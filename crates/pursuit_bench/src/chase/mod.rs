//! A headless chase on any map: the real plugin, Rapier, and a player that never stops.

mod meter;
mod plan;
mod rects;
pub(crate) mod tour;
pub(crate) mod walls;
mod world;

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use bevy::app::App;
use bevy::math::Vec2;
use bevy_pursuit::PursuitStats;
use serde::Serialize;

use crate::error::BenchError;
use crate::mapset;
use crate::samples::Samples;
use meter::{Heard, Meter};
use plan::AGENT_RADIUS;
use tour::Tour;
use walls::Walls;
use world::TICK_RATE;

pub(crate) use plan::{Body, ChasePlan, Mode};

/// The figures of a chase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ChaseReport {
    pub(crate) map: String,
    pub(crate) body: Body,
    pub(crate) mode: Mode,
    pub(crate) seed: u64,
    /// Game time that was played, in seconds.
    pub(crate) seconds: f64,
    pub(crate) agents: usize,
    /// Agents that came within arrival distance at least once.
    pub(crate) caught: usize,
    /// Game time to that moment, in seconds, over those agents.
    pub(crate) caught_p50_s: Option<f64>,
    pub(crate) caught_max_s: Option<f64>,
    /// Agent-ticks with a wall nearer to the center than 0.98 radii.
    pub(crate) wall_overlaps: u64,
    /// Least distance of an agent's center to a wall, in cells; the radius if it was never less.
    pub(crate) nearest_wall: f32,
    /// Times that an agent was reported stuck.
    pub(crate) stuck: usize,
    /// Requests answered with a path to the goal.
    pub(crate) paths: u64,
    /// The others, by reason.
    pub(crate) failures: BTreeMap<String, u64>,
    pub(crate) request_to_path_ms: Latency,
    /// What the plugin's systems took of a tick.
    pub(crate) main_thread_ms: TickTime,
    /// Of the bits of all positions at the end of all ticks.
    pub(crate) positions_hash: String,
}

impl ChaseReport {
    /// What should not have happened.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.wall_overlaps > 0 {
            faults.push(format!("too near to walls {} times", self.wall_overlaps));
        }
        if self.stuck > 0 {
            faults.push(format!("agents stuck {} times", self.stuck));
        }
        if self.caught < self.agents {
            let (caught, agents) = (self.caught, self.agents);
            faults.push(format!("{caught} of {agents} agents caught the player"));
        }
        faults
    }
}

/// Milliseconds of real time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Latency {
    pub(crate) p50: Option<f64>,
    pub(crate) p99: Option<f64>,
}

/// Milliseconds of real time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TickTime {
    pub(crate) p50: Option<f64>,
    pub(crate) p99: Option<f64>,
    pub(crate) max: Option<f64>,
}

/// Plays the chase until all have caught the player or the time is over.
///
/// # Errors
/// A map that can't be read, is malformed, or has no room for an agent.
pub(crate) fn run(plan: &ChasePlan) -> Result<ChaseReport, BenchError> {
    let grid = mapset::load_map(&plan.map)?;
    let walls = Walls::of(&grid);
    let tour = Tour::new(&grid, AGENT_RADIUS, plan.seed);
    let tour = tour.ok_or_else(|| BenchError::NoRoom(plan.map.clone()))?;
    let size = Vec2::new(grid.width() as f32, grid.height() as f32);
    let mut app = world::build(plan, size, &walls, tour);
    meter::listen(&mut app);
    let mut meter = Meter::new(plan.agents);
    // The first update of an app has no time to pass.
    app.update();
    let last = (plan.seconds * TICK_RATE).ceil() as u64;
    let mut tick = 0;
    let mut pace = Pace::new(plan);
    while tick < last && !meter.all_caught() {
        app.update();
        tick += 1;
        meter.read(app.world_mut(), &walls, tick);
        pace.wait(tick);
    }
    Ok(report(plan, &app, &meter, tick))
}

/// Holds game time back where searches run beside it: they take real time, and a game that runs a
/// hundred times as fast would wait a hundred times as long for each.
struct Pace {
    started: Instant,
    /// Real time per tick; zero for as fast as it goes.
    tick: Duration,
}

impl Pace {
    fn new(plan: &ChasePlan) -> Self {
        let paced = plan.mode == Mode::Async && plan.pace > 0.0;
        let tick = if paced {
            1.0 / (TICK_RATE * plan.pace)
        } else {
            0.0
        };
        Pace {
            started: Instant::now(),
            tick: Duration::from_secs_f64(tick),
        }
    }

    /// Waits until `ticks` ticks are due.
    fn wait(&mut self, ticks: u64) {
        let due = self.tick.mul_f64(ticks as f64);
        let early = due.saturating_sub(self.started.elapsed());
        if !early.is_zero() {
            thread::sleep(early);
        }
    }
}

fn report(plan: &ChasePlan, app: &App, meter: &Meter, ticks: u64) -> ChaseReport {
    let stats = app.world().resource::<PursuitStats>();
    let heard = app.world().resource::<Heard>();
    let seconds = |tick: u64| tick as f64 / TICK_RATE;
    let mut caught = Samples::default();
    for tick in meter.caught_at.iter().flatten() {
        caught.push(seconds(*tick));
    }
    let map = plan.map.file_name().unwrap_or(plan.map.as_os_str());
    let failures = stats.failures();
    let failures = failures.map(|(reason, count)| (format!("{reason:?}"), count));
    ChaseReport {
        map: map.to_string_lossy().into_owned(),
        body: plan.body,
        mode: plan.mode,
        seed: plan.seed,
        seconds: seconds(ticks),
        agents: plan.agents,
        caught: caught.len(),
        caught_p50_s: caught.percentile(0.5),
        caught_max_s: caught.max(),
        wall_overlaps: meter.wall_overlaps,
        nearest_wall: meter.nearest_wall,
        stuck: heard.stuck,
        paths: stats.paths_found,
        failures: failures.collect(),
        request_to_path_ms: Latency {
            p50: heard.request_to_path_ms.percentile(0.5),
            p99: heard.request_to_path_ms.percentile(0.99),
        },
        main_thread_ms: TickTime {
            p50: meter.main_thread_ms.percentile(0.5),
            p99: meter.main_thread_ms.percentile(0.99),
            max: meter.main_thread_ms.max(),
        },
        positions_hash: format!("{:016x}", meter.positions.get()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, ChasePlan, ChaseReport, Mode, run};
    use crate::fixture::Folder;

    const MAP: &str = "\
type octile
height 9
width 14
map
..............
.@@@@.@@@@@@@.
.@.....@....@.
.@.....@....@.
.@..........@.
.@.....@....@.
.@@@.@@@@@@@@.
..............
..............
";

    fn chase(name: &str, body: Body, seed: u64) -> ChaseReport {
        let folder = Folder::new(name);
        folder.write("house.map", MAP);
        let plan = ChasePlan {
            map: folder.path().join("house.map"),
            agents: 5,
            seconds: 60.0,
            seed,
            body,
            mode: Mode::Inline,
            pace: 0.0,
        };
        run(&plan).unwrap()
    }

    #[test]
    fn every_body_catches_the_player_and_touches_no_wall() {
        for body in [Body::Transform, Body::Kinematic, Body::Dynamic] {
            let report = chase(&format!("chase-{body:?}"), body, 1);
            assert_eq!((report.caught, report.agents), (5, 5), "{report:?}");
            assert_eq!((report.wall_overlaps, report.stuck), (0, 0), "{report:?}");
            assert!(
                report.seconds < 60.0,
                "the run ends when all have caught: {report:?}"
            );
            assert!(report.caught_p50_s <= report.caught_max_s, "{report:?}");
            assert!(
                report.paths > 0 && report.main_thread_ms.max > Some(0.0),
                "{report:?}"
            );
        }
    }

    #[test]
    fn walls_stuck_agents_and_those_that_caught_nobody_are_faults() {
        let report = chase("chase-faults", Body::Transform, 1);
        assert_eq!(report.faults(), Vec::<String>::new());
        let faulty = ChaseReport {
            wall_overlaps: 3,
            stuck: 2,
            caught: 4,
            ..report
        };
        let faults = faulty.faults();
        assert_eq!(faults.len(), 3);
        assert_eq!(faults[2], "4 of 5 agents caught the player");
    }

    #[test]
    fn the_same_seed_gives_the_same_run_and_another_seed_another() {
        let first = chase("chase-seed-a", Body::Kinematic, 7);
        let again = chase("chase-seed-b", Body::Kinematic, 7);
        let other = chase("chase-seed-c", Body::Kinematic, 8);
        assert_eq!(first.positions_hash, again.positions_hash);
        assert_eq!(first.caught_max_s, again.caught_max_s);
        assert_ne!(first.positions_hash, other.positions_hash);
    }

    #[test]
    fn the_json_has_the_documented_keys() {
        let json = serde_json::to_value(chase("chase-json", Body::Transform, 1)).unwrap();
        for key in [
            "agents",
            "caught",
            "caught_p50_s",
            "caught_max_s",
            "wall_overlaps",
            "stuck",
            "paths",
            "failures",
            "positions_hash",
        ] {
            assert!(json.get(key).is_some(), "{key} is missing");
        }
        for (key, parts) in [
            ("request_to_path_ms", &["p50", "p99"][..]),
            ("main_thread_ms", &["p50", "p99", "max"]),
        ] {
            let all = parts.iter().all(|part| json[key][part].is_number());
            assert!(all, "{key}: {}", json[key]);
        }
    }

    #[test]
    fn a_map_without_room_is_an_error() {
        let folder = Folder::new("chase-full");
        folder.write("full.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n");
        let plan = ChasePlan {
            map: folder.path().join("full.map"),
            agents: 1,
            seconds: 1.0,
            seed: 0,
            body: Body::Transform,
            mode: Mode::Async,
            pace: 0.0,
        };
        assert!(run(&plan).is_err());
    }
}
