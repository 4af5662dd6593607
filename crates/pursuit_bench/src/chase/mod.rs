//! A headless chase on any map: the real plugin, Rapier, and a player that never stops.

pub(crate) mod meter;
mod plan;
pub(crate) mod world;

use std::collections::BTreeMap;

use bevy::app::App;
use bevy::math::Vec2;
use bevy_pursuit::PursuitStats;
use serde::Serialize;

use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::heard::{self, Heard};
use crate::game::pace::Pace;
use crate::game::pools::PoolSizes;
use crate::game::stages::{StageClock, StageTime};
use crate::game::tick_time::TickTime;
use crate::game::tour::Tour;
use crate::game::walls::Walls;
use crate::game::{FIRST_SECOND, Mode, TICK_RATE};
use crate::mapset;
use crate::samples::Samples;
use meter::Meter;

pub(crate) use plan::{Body, ChasePlan, PLAYER_PACE};

/// The figures of a chase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ChaseReport {
    pub(crate) map: String,
    pub(crate) body: Body,
    pub(crate) mode: Mode,
    pub(crate) seed: u64,
    pub(crate) pools: PoolSizes,
    /// Game time that was played, in seconds.
    pub(crate) seconds: f64,
    pub(crate) agents: usize,
    /// Agents of which the plugin said at least once that they reached the player.
    pub(crate) caught: usize,
    /// Game time to that moment, in seconds, over those agents.
    pub(crate) caught_p50_s: Option<f64>,
    pub(crate) caught_max_s: Option<f64>,
    /// Arrivals at a player who was farther away than the agent's reach and a tick of motion.
    pub(crate) far_arrivals: u64,
    /// Greatest distance of the two centers in the tick of an arrival, in cells.
    pub(crate) farthest_arrival: Option<f32>,
    /// Agent-ticks with a wall nearer to the center than 0.98 radii.
    pub(crate) wall_overlaps: u64,
    /// Least distance of an agent's center to a wall, in cells; the radius if it was never less.
    pub(crate) nearest_wall: f32,
    /// Times that an agent was reported stuck.
    pub(crate) stuck: u64,
    /// Requests answered with a path to the goal.
    pub(crate) paths: u64,
    /// The others, by reason.
    pub(crate) failures: BTreeMap<String, u64>,
    pub(crate) request_to_path_ms: Latency,
    /// What the plugin's systems took of a tick.
    pub(crate) main_thread_ms: TickTime,
    /// The same after the first second, in which the level is baked and all plan at once.
    pub(crate) steady_main_thread_ms: TickTime,
    /// Agents that walked, on the mean of the ticks after the first second. The time of a tick goes with
    /// them: an agent that still waits for its path costs next to nothing.
    pub(crate) steady_walking: Option<f64>,
    /// Of the stages one by one, after the first second; empty if they were not measured.
    pub(crate) stages_ms: Vec<StageTime>,
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
        if self.far_arrivals > 0 {
            faults.push(format!("arrived out of reach {} times", self.far_arrivals));
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
    heard::listen(&mut app);
    let mut meter = Meter::new(plan.agents);
    // The first update of an app has no time to pass.
    app.update();
    let last = (plan.seconds * TICK_RATE).ceil() as u64;
    let mut tick = 0;
    let pace = Pace::new(plan.mode, plan.pace);
    while tick < last && !meter.all_caught() {
        app.update();
        tick += 1;
        meter.read(app.world_mut(), &walls, tick);
        pace.wait(tick);
    }
    Ok(report(plan, &app, &meter, tick))
}

fn report(plan: &ChasePlan, app: &App, meter: &Meter, ticks: u64) -> ChaseReport {
    let stats = app.world().resource::<PursuitStats>();
    let heard = app.world().resource::<Heard>();
    let stages = app.world().get_resource::<StageClock>();
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
        pools: PoolSizes::read(),
        seconds: seconds(ticks),
        agents: plan.agents,
        caught: caught.len(),
        caught_p50_s: caught.percentile(0.5),
        caught_max_s: caught.max(),
        far_arrivals: meter.far_arrivals,
        farthest_arrival: meter.farthest_arrival,
        wall_overlaps: meter.wall_overlaps,
        nearest_wall: meter.nearest_wall,
        stuck: heard.counts.agent_stuck,
        paths: stats.paths_found,
        failures: failures.collect(),
        request_to_path_ms: Latency {
            p50: heard.request_to_path_ms.percentile(0.5),
            p99: heard.request_to_path_ms.percentile(0.99),
        },
        main_thread_ms: TickTime::of(&meter.main_thread_ms),
        steady_main_thread_ms: TickTime::of(&meter.main_thread_ms.skip(FIRST_SECOND)),
        steady_walking: meter.walking.skip(FIRST_SECOND).mean(),
        stages_ms: stages.map_or(Vec::new(), |clock| clock.times(FIRST_SECOND)),
        positions_hash: meter.positions.hex(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, ChasePlan, ChaseReport, run};
    use crate::fixture::Folder;
    use crate::game::Mode;
    use crate::game::pools::Pools;

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
            pools: Pools::default(),
            stages: true,
        };
        run(&plan).unwrap()
    }

    #[test]
    fn every_body_catches_the_player_and_touches_no_wall() {
        for body in [Body::Transform, Body::Kinematic, Body::Dynamic] {
            let report = chase(&format!("chase-{body:?}"), body, 1);
            assert_eq!((report.caught, report.agents), (5, 5), "{report:?}");
            assert_eq!((report.wall_overlaps, report.stuck), (0, 0), "{report:?}");
            assert_eq!(report.far_arrivals, 0, "{report:?}");
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
    fn walls_far_arrivals_stuck_agents_and_those_that_caught_nobody_are_faults() {
        let report = chase("chase-faults", Body::Transform, 1);
        assert_eq!(report.faults(), Vec::<String>::new());
        let faulty = ChaseReport {
            wall_overlaps: 3,
            far_arrivals: 1,
            stuck: 2,
            caught: 4,
            ..report
        };
        let faults = faulty.faults();
        assert_eq!(faults.len(), 4);
        assert_eq!(faults[3], "4 of 5 agents caught the player");
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
            ("pools", &["compute", "async_compute", "io"]),
            ("main_thread_ms", &["p50", "p99", "max"]),
            ("steady_main_thread_ms", &["p50", "p99", "max"]),
        ] {
            let all = parts.iter().all(|part| json[key][part].is_number());
            assert!(all, "{key}: {}", json[key]);
        }
        assert!(json["steady_walking"].is_number(), "{json}");
        let stages = json["stages_ms"].as_array().unwrap();
        assert_eq!(stages.len(), 6);
        assert!(
            stages.iter().all(|stage| stage["p50"].is_number()),
            "{stages:?}"
        );
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
            pools: Pools::default(),
            stages: true,
        };
        assert!(run(&plan).is_err());
    }
}
