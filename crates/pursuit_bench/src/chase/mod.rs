//! A headless chase on any map, with the real plugin, Rapier, and a player that never stops.

pub(crate) mod meter;
mod plan;
pub(crate) mod world;

use bevy::app::App;
use bevy_pursuit::{PursuitSettings, PursuitStats};
use serde_json::{Value, json};

use crate::cli::MapArgs;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::events::{self, EventLog};
use crate::game::pace::ticks;
use crate::game::stages::StageClock;
use crate::game::tour::Tour;
use crate::game::walls::WallBoxes;
use crate::game::{FIRST_SECOND, TICK_RATE, rough};
use crate::mapset;
use crate::report::{Report, joined, not_zero, short};
use crate::samples::Samples;
use meter::Meter;

pub(crate) use plan::{AgentBody, ChasePlan};

fn faults(figures: &Value) -> Vec<String> {
    let mut faults = not_zero(
        figures,
        &[
            ("wall_overlaps", "too close to walls {} times"),
            ("far_arrivals", "arrived out of reach {} times"),
            ("stuck", "agents stuck {} times"),
        ],
    );
    let (caught, agents) = (&figures["caught"], &figures["agents"]);
    if caught != agents {
        faults.push(format!("{caught} of {agents} agents caught the player"));
    }
    faults
}

/// Plays the chase until all agents have caught the player or the time is over.
pub(crate) fn run(plan: &ChasePlan) -> Result<Report, BenchError> {
    let ChasePlan {
        play, body, stages, ..
    } = plan;
    let MapArgs { map, seed, .. } = &play.common;
    let grid = mapset::load_map(map)?;
    let walls = WallBoxes::of(&grid);
    let tour = Tour::new(&grid, AGENT_RADIUS, *seed);
    let tour = tour.ok_or_else(|| BenchError::no_room(map))?;
    let mut app = world::build(play, *body, *stages, &walls, tour);
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .share_fields = plan.share_fields;
    if plan.terrain {
        rough::spread(app.world_mut(), &grid);
    }
    events::observe(&mut app);
    let mut meter = Meter::new(play.agents);
    // No time passes in the first update of an app.
    app.update();
    for tick in ticks(play) {
        meter.update(&mut app);
        meter.read(app.world_mut(), &walls, tick);
        if meter.caught_at.iter().all(Option::is_some) {
            break;
        }
    }
    let figures = figures(plan, &app, &meter);
    Ok(Report {
        faults: faults(&figures),
        figures,
    })
}

fn figures(plan: &ChasePlan, app: &App, meter: &Meter) -> Value {
    let stats = app.world().resource::<PursuitStats>();
    let events = app.world().resource::<EventLog>();
    let seconds = |tick: u64| tick as f64 / TICK_RATE;
    let caught = meter.caught_at.iter().flatten();
    let caught: Samples = caught.map(|tick| seconds(*tick)).collect();
    let figures = json!({
        // Game time of the whole run, in seconds.
        "seconds": seconds(meter.main_thread_ms.len() as u64),
        // Number of agents that caught the player at least once according to the plugin, and the game time to the first
        // catch of each, in seconds.
        "caught": caught.len(),
        "caught_p50_s": caught.percentile(0.5),
        "caught_max_s": caught.max(),
        // Number of reported arrivals at which the distance to the player was greater than the agent's reach plus a
        // tick of motion.
        "far_arrivals": meter.far_arrivals,
        // Greatest distance between the centers of agent and player in the tick of an arrival, in cells.
        "farthest_arrival": meter.farthest_arrival.and_then(short),
        // Number of agent-ticks with a wall closer to the center than 0.98 radii.
        "wall_overlaps": meter.wall_overlaps,
        // Least distance of an agent's center to a wall, in cells. It is never greater than the radius.
        "nearest_wall": short(meter.nearest_wall),
        // Number of reports that an agent is stuck.
        "stuck": events.stuck,
        // Number of requests that got a path to the goal, and number of requests that got none, by reason.
        "paths": stats.paths_found,
        "failures": events::failures(stats),
        // Number of searches, of expanded nodes, of shared fields, and of requests that a field answered. Then the
        // duration of all these tasks, in milliseconds per second of game time.
        "searches": stats.searches,
        "expanded": stats.cells_expanded,
        "fields": stats.fields,
        "paths_shared": stats.paths_shared,
        "task_ms_per_second": stats.search_time.as_secs_f64() * 1e3
            / seconds(meter.main_thread_ms.len() as u64),
        // Real time from a request to its path, in milliseconds.
        "request_to_path_ms": events.request_to_path_ms.spread(),
        // Time of the plugin's systems in a tick, over the whole game and after the first second. In the first second,
        // the level is baked and all agents plan at the same time.
        "main_thread_ms": meter.main_thread_ms.tick_time(),
        "steady_main_thread_ms": meter.main_thread_ms.skip(FIRST_SECOND).tick_time(),
        // Whole updates with the physics, after the first second: elapsed time, and CPU time of the main thread.
        "steady_update_ms": meter.update_ms[0].skip(FIRST_SECOND).tick_time(),
        "steady_update_cpu_ms": meter.update_ms[1].skip(FIRST_SECOND).tick_time(),
        // Mean number of walking agents in a tick after the first second. The time of a tick depends on this number,
        // because an agent that waits for its path costs almost no time.
        "steady_walking": meter.walking.skip(FIRST_SECOND).mean(),
        // Time of each stage after the first second. Empty if the stages were not measured.
        "stages_ms": StageClock::times_after(FIRST_SECOND, app),
        // Hash of the bits of all positions at the end of every tick.
        "positions_hash": meter.positions.hex(),
    });
    joined(json!(plan), figures)
}

#[cfg(test)]
mod tests {
    use super::{AgentBody, ChasePlan, faults, run};
    use crate::error::BenchError;
    use crate::report::Report;
    use crate::tests::fixture::{Folder, HOUSE, play};

    fn chase(name: &str, map: &str, body: AgentBody, seed: u64) -> Result<Report, BenchError> {
        let folder = Folder::new(name);
        let play = play(&folder, map, 5, 60.0, seed);
        let (stages, share_fields, terrain) = (true, false, false);
        run(&ChasePlan {
            play,
            body,
            stages,
            share_fields,
            terrain,
        })
    }

    #[test]
    fn every_body_catches_the_player_and_touches_no_wall() {
        for body in [
            AgentBody::Transform,
            AgentBody::Kinematic,
            AgentBody::Dynamic,
        ] {
            let report = chase(&format!("chase-{body:?}"), HOUSE, body, 1).unwrap();
            assert_eq!(report.faults, [""; 0], "{report:?}");
            let figure = |key: &str| report.figures[key].as_f64();
            assert_eq!((figure("caught"), figure("agents")), (Some(5.0), Some(5.0)));
            assert!(
                figure("seconds").is_some_and(|it| it < 60.0),
                "it ends when all have caught"
            );
            assert!(
                figure("caught_p50_s") > Some(0.0)
                    && figure("caught_p50_s") <= figure("caught_max_s")
            );
            let max = report.figures["main_thread_ms"]["max"].as_f64();
            assert!(figure("paths") > Some(0.0) && max > Some(0.0), "{report:?}");
        }
    }

    #[test]
    fn wall_overlaps_far_arrivals_stuck_agents_and_missing_catches_are_faults() {
        let mut figures = chase("chase-faults", HOUSE, AgentBody::Transform, 1)
            .unwrap()
            .figures;
        for (key, count) in [
            ("wall_overlaps", 3),
            ("far_arrivals", 1),
            ("stuck", 2),
            ("caught", 4),
        ] {
            figures[key] = count.into();
        }
        let faults = faults(&figures);
        assert_eq!(
            (faults.len(), &*faults[0]),
            (4, "too close to walls 3 times")
        );
        assert_eq!(faults[3], "4 of 5 agents caught the player");
        let full = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
        assert!(chase("chase-full", full, AgentBody::Transform, 0).is_err());
    }

    #[test]
    fn equal_seeds_give_equal_runs_and_different_seeds_different_ones() {
        let [first, again, other] = [("a", 7), ("b", 7), ("c", 8)].map(|(name, seed)| {
            let name = format!("chase-seed-{name}");
            let report = chase(&name, HOUSE, AgentBody::Kinematic, seed).unwrap();
            ["positions_hash", "caught_max_s"].map(|key| report.figures[key].clone())
        });
        assert_eq!(first, again);
        assert_ne!(first[0], other[0]);
    }
}
