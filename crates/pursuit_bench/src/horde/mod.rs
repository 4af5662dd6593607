//! Thousands of agents chase one target, with the real plugin. Measures how long a tick takes, and how well agents keep
//! apart.

pub(crate) mod curve;
pub(crate) mod door;
mod heap;
mod meter;
mod near;
mod scene;
pub(crate) mod settle;
mod site;
mod target_field;
mod world;

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use crate::chase::world::PLAYER_SPEED_FRACTION;
use crate::cli::{GameArgs, MapArgs};
use crate::edit::doors::Doors;
use crate::error::BenchError;
use crate::game::events::{self, EventLog};
use crate::game::pace::ticks_at;
use crate::game::places::Places;
use crate::game::pools::Pools;
use crate::game::stages::{self, StageClock};
use crate::game::tour::Tour;
use crate::game::walls::WallBoxes;
use crate::game::{self, Mode};
use crate::mapset;
use crate::report::{Report, joined, not_zero};
use crate::samples::Samples;
use meter::Meter;
use scene::Setting;
use target_field::TargetField;
use world::{HordeAgents, RADIUS, SPEED, Target};

pub(crate) use scene::Scene;
pub(crate) use world::{Avoidance, Bodies};

/// Number of agents in the smaller of the two games whose heaps are compared. The other game has twice that number. Both
/// are powers of two, so that they fill the tables of the world, whose capacities double, exactly.
const HEAP_AGENTS: usize = 16_384;
/// Number of ticks of the two games whose heaps are compared.
const HEAP_TICKS: usize = 60;
/// Time between two edits of doors, in seconds.
const EDIT_INTERVAL_SECONDS: f64 = 0.5;

/// The options of `horde`.
#[derive(Args, Clone, Debug, Serialize)]
#[command(
    mut_arg("agents", |agents| agents.default_value("5000")),
    mut_arg("seconds", |seconds| seconds.default_value("20")),
    mut_arg("pace", |pace| pace.default_value("1"))
)]
pub(crate) struct HordePlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) play: GameArgs,
    /// Whether agents keep clear of one another.
    #[arg(long, value_enum, default_value = "separation")]
    pub(crate) avoidance: Avoidance,
    /// What the agents do.
    #[arg(long, value_enum, default_value = "march")]
    pub(crate) scene: Scene,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) bodies: Bodies,
    /// Close and open doors of 3 by 3 cells in the path of the agents, two per second.
    #[arg(long)]
    pub(crate) doors: bool,
    #[arg(skip = HEAP_AGENTS)]
    #[serde(skip)]
    pub(crate) heap_agents: usize,
}

impl HordePlan {
    fn kind(&self) -> HordeAgents {
        HordeAgents::new(self.avoidance, RADIUS, self.bodies)
    }
}

/// Plays the game of a plan, and compares the heaps of two further games.
pub(crate) fn run(plan: &HordePlan) -> Result<Report, BenchError> {
    let MapArgs { map, seed, pools } = &plan.play.common;
    let level = mapset::load_map(map)?;
    let setting_of =
        |scene, agents| Setting::new(&level, scene, plan.kind().largest(), agents, *seed);
    let setting = |agents| setting_of(plan.scene, agents);
    let no_room = || BenchError::at(map, "no room for that many agents in this scene");
    let own = setting(plan.play.agents).ok_or_else(no_room)?;
    let (walls, target_field) = (
        WallBoxes::of(&own.level),
        TargetField::new(&own.level, RADIUS),
    );
    let mut meter = Meter::new(plan.kind(), target_field, &own.starts);
    let mut app = build(plan, plan.play.mode, pools, own, &walls);
    events::observe(&mut app);
    // No time passes in the first update of an app.
    app.update();
    let places = Places::new(&level, RADIUS).filter(|_| plan.doors);
    let mut doors = places.and_then(|places| Doors::choose(&level, &places, *seed));
    let edits = (EDIT_INTERVAL_SECONDS * plan.bodies.rate).ceil() as u64;
    for tick in ticks_at(plan.bodies.rate, &plan.play) {
        if let Some(doors) = doors.as_mut().filter(|_| tick.is_multiple_of(edits)) {
            let edit = doors.toggle(app.world_mut(), |_| true);
            meter.edits += u64::from(edit.is_some());
        }
        meter.tick(&mut app, &walls, doors.as_ref());
    }
    // In the scene `point`, the physics would need minutes to separate thousands of bodies. So another scene is played,
    // in which the heap is equally large.
    let heap_scene = match plan.scene {
        Scene::Point => Scene::Spread,
        other => other,
    };
    let heap = |agents| {
        let setting = setting_of(heap_scene, agents).ok_or_else(no_room)?;
        let held = heap::held_by(|| {
            let mut app = build(plan, Mode::Inline, pools, setting, &walls);
            (0..HEAP_TICKS).for_each(|_| app.update());
            app
        });
        Ok::<f64, BenchError>(held as f64)
    };
    let bytes = (heap(2 * plan.heap_agents)? - heap(plan.heap_agents)?) / plan.heap_agents as f64;
    let mut figures = joined(json!(plan), figures(plan, &app, &meter));
    // Difference between the heaps of the two games, divided by the difference between their numbers of agents. Data
    // that agents share is included.
    figures["bytes_per_agent"] = bytes.into();
    Ok(Report {
        faults: not_zero(
            &figures,
            &[("wall_overlaps", "too close to walls {} times")],
        ),
        figures,
    })
}

/// An app with one tick of game time per update.
fn build(plan: &HordePlan, mode: Mode, pools: &Pools, own: Setting, walls: &WallBoxes) -> App {
    let mut app = game::app_at(plan.bodies.rate, mode, pools, walls);
    stages::measure(&mut app);
    world::spawn(&mut app, plan.kind(), own.tour.position(), &own.starts);
    app.insert_resource(own.tour);
    if plan.scene == Scene::March {
        app.add_systems(FixedFirst, run_away);
    }
    game::start(&mut app);
    app
}

fn run_away(
    time: Res<Time>,
    mut tour: ResMut<Tour>,
    mut target: Single<&mut Transform, With<Target>>,
) {
    tour.walk(PLAYER_SPEED_FRACTION * SPEED * time.delta_secs());
    target.translation = tour.position().extend(0.0);
}

/// The percentiles of elapsed time and of CPU time.
fn tick_times(wall: &Samples, cpu: &Samples) -> Value {
    let cpu = json!({
        "cpu_p50": cpu.percentile(0.5),
        "cpu_p99": cpu.percentile(0.99),
        "cpu_max": cpu.max(),
    });
    joined(wall.tick_time(), cpu)
}

fn figures(plan: &HordePlan, app: &App, meter: &Meter) -> Value {
    let [wall, cpu] = &meter.update_ms;
    let first_second = plan.bodies.rate as usize;
    let stage_cpu = app.world().resource::<StageClock>().cpu_ms();
    let stage_cpu = stage_cpu.skip(first_second);
    let p50 = meter.main_thread_ms.percentile(0.5);
    json!({
        // Time of one step of a point along a field, in nanoseconds. It shows how fast the machine is.
        "anchor_ns": meter.target_field.anchor_ns(),
        // The figures below are of the ticks after the first second, except `wall_overlaps`, `stuck` and the hash.
        // `tick_ms` is the time of whole updates, in milliseconds.
        "tick_ms": tick_times(wall, cpu),
        // Time of the plugin's systems in an update, and of other systems that run between them.
        "main_thread_ms": tick_times(&meter.main_thread_ms, &stage_cpu),
        "ns_per_agent": p50.map(|ms| ms * 1e6 / plan.play.agents as f64),
        "by_stage": StageClock::times_after(first_second, app),
        "fields_built": app.world().resource::<PursuitStats>().fields,
        // Median time to build a whole field on this level in one thread, in milliseconds.
        "field_ms": meter.target_field.field_ms.percentile(0.5),
        // The least fraction of the agents that moved in a tick.
        "moved_share": meter.moved_share.percentile(0.0),
        // How far agents walked toward the target, as a fraction of the distance at full speed. Agents in the crowd at
        // the target are left out.
        "progress": meter.progress.mean(),
        // Fractions of agent-ticks with a neighbor closer than 1.9 and 1.5 radii, and the deepest overlap, in
        // diameters. Agents in narrow cells and in the crowd at the target are left out. The crowd extends to 1.5 times
        // the radius of the hexagonal disc of all agents.
        "over": meter.closeness.over(),
        "deep": meter.closeness.deep(),
        "worst": meter.closeness.worst(),
        // Number of doors that closed or opened.
        "edits": meter.edits,
        // Number of agent-ticks with a wall or a closed door closer to the center than 0.98 radii.
        "wall_overlaps": meter.positions.wall_overlaps,
        // Number of reports that an agent is stuck.
        "stuck": app.world().resource::<EventLog>().stuck,
        // Mean number of turns back and forth of an agent per minute.
        "reversals_per_minute": meter.reversals_per_minute(),
        // Hash of the bits of all positions at the end of every tick.
        "positions_hash": meter.positions.hash.hex(),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Avoidance, Bodies, HordePlan, Scene, run};
    use crate::tests::fixture::{Folder, play};

    pub(crate) fn plan(folder: &Folder, avoidance: Avoidance, scene: Scene) -> HordePlan {
        let row = format!("{}@{}\n", ".".repeat(20), ".".repeat(19));
        let open = format!("{}\n", ".".repeat(40));
        let map = format!(
            "type octile\nheight 32\nwidth 40\nmap\n{}{}{}",
            row.repeat(12),
            open.repeat(8),
            row.repeat(12)
        );
        HordePlan {
            play: play(folder, &map, 60, 3.0, 1),
            avoidance,
            scene,
            bodies: Bodies::PLAIN,
            doors: false,
            heap_agents: 100,
        }
    }

    #[test]
    fn avoidance_halves_overlaps_and_equal_runs_have_equal_hashes() {
        let folder = Folder::new("horde");
        let figures = |avoidance, scene| {
            let report = run(&plan(&folder, avoidance, scene)).unwrap();
            assert_eq!(report.faults, [""; 0], "{report:?}");
            report.figures
        };
        let march = figures(Avoidance::Separation, Scene::March);
        let again = figures(Avoidance::Separation, Scene::March);
        assert_eq!(march["positions_hash"], again["positions_hash"]);
        let through = figures(Avoidance::None, Scene::March);
        let over = [&march, &through].map(|figures| figures["over"].as_f64().unwrap());
        assert!(over[0] < 0.5 * over[1], "{over:?}");
        assert!(march["progress"].as_f64() > Some(0.5), "{march:?}");
        assert!(march["bytes_per_agent"].as_f64() > Some(50.0), "{march:?}");
        let stand = figures(Avoidance::Separation, Scene::Stand);
        assert_eq!(
            stand["over"],
            serde_json::Value::Null,
            "all are at the target"
        );
    }
}
