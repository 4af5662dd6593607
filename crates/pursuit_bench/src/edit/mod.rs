//! Doors that open and close in the path of chasing agents, with the real plugin and Rapier, without a window.

pub(crate) mod doors;
mod ground;
mod layers;
mod ledger;
mod movers;

use bevy::app::App;
use bevy::ecs::query::With;
use bevy::transform::components::Transform;
use bevy_pursuit::PursuitStats;
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use crate::chase::meter::{MIN_WALL_RADII, Meter};
use crate::chase::world::Chaser;
use crate::chase::{AgentBody, world};
use crate::cli::{GameArgs, MapArgs};
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::events::{self, EventLog};
use crate::game::pace::ticks;
use crate::game::places::Places;
use crate::game::positions::position_of;
use crate::game::tour::Tour;
use crate::game::walls::WallBoxes;
use crate::game::{FIRST_SECOND, TICK_RATE};
use crate::mapset;
use crate::numbers::{movers, positive};
use crate::report::{Report, joined, not_zero};
use doors::Doors;
use ledger::Ledger;
use movers::Movers;

/// The options of `edit`. Nothing is edited in the first second and in the last second.
#[derive(Args, Clone, Debug, Serialize)]
#[command(
    mut_arg("agents", |agents| agents.default_value("200")),
    mut_arg("seconds", |seconds| seconds.default_value("30")),
    mut_arg("pace", |pace| pace.default_value("1"))
)]
pub(crate) struct EditPlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) play: GameArgs,
    /// What the agents are made of.
    #[arg(long, value_enum, default_value = "kinematic")]
    pub(crate) body: AgentBody,
    /// Number of doors that open or close per second of game time.
    #[arg(long, value_name = "R", default_value_t = 5.0, value_parser = positive)]
    pub(crate) edits_per_second: f64,
    /// Number of crates that move in every frame, at most 100000. Every frame then needs a bake, and the doors show how
    /// late the snapshots are. Crates do not push agents.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = movers())]
    pub(crate) movers: usize,
    /// Spread mud, give agents two radii and two classes, and put a puddle of mud around each closed door, so that an
    /// edit changes both walls and areas.
    #[arg(long)]
    pub(crate) ground: bool,
    /// Report a fault if an agent never reaches the player. Every agent can reach the player.
    #[arg(long)]
    pub(crate) all_catch: bool,
}

fn faults(figures: &Value, all_catch: bool) -> Vec<String> {
    let mut faults = not_zero(
        figures,
        &[
            ("unbaked", "{} edits were not baked"),
            ("wall_overlaps", "too close to walls {} times"),
            ("stuck", "agents stuck {} times"),
        ],
    );
    if figures["openings"]["edits"] == 0 || figures["closings"]["edits"] == 0 {
        faults.push("no door both closed and opened".to_string());
    }
    let (caught, agents) = (&figures["caught"], &figures["agents"]);
    if all_catch && caught != agents {
        faults.push(format!("{caught} of {agents} agents reached the player"));
    }
    faults
}

/// Plays the chase, and edits the level at the same time.
pub(crate) fn run(plan: &EditPlan) -> Result<Report, BenchError> {
    let play = &plan.play;
    let MapArgs { map, seed, .. } = &play.common;
    let level = mapset::load_map(map)?;
    let no_room = || BenchError::no_room(map);
    let places = Places::new(&level, AGENT_RADIUS).ok_or_else(no_room)?;
    let doors = Doors::choose(&level, &places, *seed);
    let no_door = || BenchError::at(map, "found no open place of 3 x 3 cells for a door");
    let mut doors = doors.ok_or_else(no_door)?;
    let tour = Tour::new(&level, AGENT_RADIUS, *seed).ok_or_else(no_room)?;
    let walls = WallBoxes::of(&level);
    let mut app = world::build(play, plan.body, true, &walls, tour);
    events::observe(&mut app);
    if plan.ground {
        doors.puddles = Some(ground::spread(app.world_mut(), &places, *seed));
    }
    let movers = Movers::spawn(app.world_mut(), &places, plan.movers, *seed);
    // No time passes in the first update of an app.
    app.update();
    let mut run = EditRun {
        meter: Meter::new(play.agents),
        ..EditRun::default()
    };
    let last = (play.seconds * TICK_RATE).ceil() as u64;
    // Nothing is edited in the last second, so that pending edits can be baked.
    let edited = FIRST_SECOND as u64..last.saturating_sub(FIRST_SECOND as u64);
    for tick in ticks(play) {
        if edited.contains(&tick) {
            run.due += plan.edits_per_second / TICK_RATE;
            run.edit(&mut app, &mut doors, tick);
        }
        movers.advance(app.world_mut(), tick);
        app.update();
        run.read(&mut app, &doors, &walls, tick);
    }
    let layers = layers::measure(&level, &doors.sites);
    let figures = figures(plan, &app, &run, &doors, &layers);
    Ok(Report {
        faults: faults(&figures, plan.all_catch),
        figures,
    })
}

/// The measurements of a run.
#[derive(Default)]
struct EditRun {
    meter: Meter,
    ledger: Ledger,
    /// Number of edits that are due. The fractional part accumulates.
    due: f64,
    held_open: u64,
    door_overlaps: u64,
}

impl EditRun {
    /// Makes the due edits, just before the frame `tick`.
    fn edit(&mut self, app: &mut App, doors: &mut Doors, tick: u64) {
        while self.due >= 1.0 {
            self.due -= 1.0;
            let ledger = &self.ledger;
            match doors.toggle(app.world_mut(), |door| ledger.is_at_rest(door)) {
                Some(edit) => self.ledger.add(edit, tick),
                None => self.held_open += 1,
            }
        }
    }

    /// Measures the world at the end of the frame `tick`.
    fn read(&mut self, app: &mut App, doors: &Doors, walls: &WallBoxes, tick: u64) {
        let world = app.world_mut();
        self.meter.read(world, walls, tick);
        self.ledger.read(world, doors, tick);
        let mut chasers = world.query_filtered::<&Transform, With<Chaser>>();
        let is_inside = |transform: &&Transform| {
            let door = doors.distance(position_of(transform));
            door.is_some_and(|distance| distance < MIN_WALL_RADII * AGENT_RADIUS)
        };
        self.door_overlaps += chasers.iter(world).filter(is_inside).count() as u64;
    }
}

/// The figures of a run. Edits start after the first second, in which the level is baked.
fn figures(
    plan: &EditPlan,
    app: &App,
    run: &EditRun,
    doors: &Doors,
    [all, opening, closing]: &layers::EditLayers,
) -> Value {
    let stats = app.world().resource::<PursuitStats>();
    let events = app.world().resource::<EventLog>();
    let ledger = &run.ledger;
    let figures = json!({
        // Game time of the whole run, in seconds.
        "seconds": run.meter.main_thread_ms.len() as f64 / TICK_RATE,
        "doors": doors.sites.len(),
        "openings": ledger.figures(Some(false), opening),
        "closings": ledger.figures(Some(true), closing),
        // Time of the stages that `main_thread_us` measures: the median of the quiet frames, and the spread over all
        // frames.
        "quiet_main_thread_us": ledger.quiet_us.percentile(0.5),
        "frame_main_thread_us": ledger.frames_us.spread(),
        // Number of due edits that were skipped, because no door that was tried was ready and free of bodies.
        "held_open": run.held_open,
        // Number of edits that no snapshot showed before the run ended.
        "unbaked": ledger.pending(),
        // Number of agent-ticks with a wall of the level closer to the center than 0.98 radii.
        "wall_overlaps": run.meter.wall_overlaps,
        // Number of agent-ticks with a closed door closer to the center than 0.98 radii. A path may lead through a door
        // until the bake is done.
        "door_overlaps": run.door_overlaps,
        // Number of reports that an agent is stuck.
        "stuck": events.stuck,
        // Number of agents that reached the player at least once according to the plugin.
        "caught": run.meter.caught_at.iter().flatten().count(),
        "searches": stats.searches,
        // Number of requests that were answered without a path to the goal, by reason.
        "failures": events::failures(stats),
        // Hash of the bits of all positions at the end of every tick.
        "positions_hash": run.meter.positions.hex(),
    });
    joined(json!(plan), joined(figures, ledger.figures(None, all)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{EditPlan, faults, run};
    use crate::chase::AgentBody;
    use crate::error::BenchError;
    use crate::game::Mode;
    use crate::report::Report;
    use crate::tests::fixture::{Folder, play};
    use serde_json::Value;

    /// Two halls with a wide gate between them.
    pub(crate) fn halls() -> String {
        let row = |y: usize| {
            let wall = if (8..14).contains(&y) { '.' } else { '@' };
            format!("{}{wall}{}", ".".repeat(14), ".".repeat(15))
        };
        let rows: Vec<_> = (0..22).map(row).collect();
        format!(
            "type octile\nheight 22\nwidth 30\nmap\n{}\n",
            rows.join("\n")
        )
    }

    fn edited(movers: usize, name: &str, map: &str, mode: Mode) -> Result<Report, BenchError> {
        let folder = Folder::new(name);
        let mut play = play(&folder, map, 4, 8.0, 3);
        play.mode = mode;
        run(&EditPlan {
            play,
            body: AgentBody::Kinematic,
            edits_per_second: 6.0,
            movers,
            ground: false,
            all_catch: false,
        })
    }

    #[test]
    fn moving_crates_leave_no_frame_quiet() {
        let report = edited(3, "edit-movers", &halls(), Mode::Inline).unwrap();
        let figures = &report.figures;
        assert_eq!(
            (&figures["movers"], &figures["unbaked"]),
            (&3.into(), &0.into())
        );
        assert!(
            figures["quiet_main_thread_us"].is_null(),
            "no frame is quiet"
        );
        is_spread(&figures["frame_main_thread_us"]);
    }

    #[track_caller]
    fn is_spread(figure: &Value) {
        let [p50, p99] = ["p50", "p99"].map(|key| figure[key].as_f64());
        assert!(p50 > Some(0.0) && p50 <= p99, "{figure}");
    }

    #[test]
    fn every_edit_is_baked_in_its_frame_and_no_agent_ends_in_a_wall() {
        let report = edited(0, "edit-inline", &halls(), Mode::Inline).unwrap();
        assert_eq!(report.faults, [""; 0], "{report:?}");
        let figures = &report.figures;
        let count = |figure: &Value| figure.as_u64().unwrap();
        let edits = count(&figures["edits"]);
        let made = edits + count(&figures["held_open"]);
        assert!((34..=36).contains(&made), "{report:?}");
        let [opened, closed] = ["openings", "closings"].map(|kind| count(&figures[kind]["edits"]));
        assert_eq!(opened + closed, edits);
        let frames = figures["latency_frames_p99"].as_f64();
        assert_eq!(frames, Some(0.0), "baked in the frame of the edit");
        is_spread(&figures["work_us"]);
        let quiet = figures["quiet_main_thread_us"].as_f64();
        let [all, own] =
            ["main_thread_us", "own_main_thread_us"].map(|key| figures[key]["p50"].as_f64());
        assert!(all > quiet && own > Some(0.0) && own < all, "{report:?}");
    }

    #[test]
    fn edits_baked_in_tasks_usually_take_a_frame_or_more() {
        let report = edited(0, "edit-async", &halls(), Mode::Async).unwrap();
        assert_eq!(report.figures["unbaked"], 0, "{report:?}");
        let frames = report.figures["latency_frames_p50"].as_f64();
        assert!(frames >= Some(1.0), "{report:?}");
    }

    #[test]
    fn unbaked_edits_wall_overlaps_stuck_agents_and_missing_catches_are_faults() {
        let mut figures = edited(0, "edit-faults", &halls(), Mode::Inline)
            .unwrap()
            .figures;
        for (key, count) in [
            ("unbaked", 1),
            ("wall_overlaps", 2),
            ("stuck", 3),
            ("caught", 3),
        ] {
            figures[key] = count.into();
        }
        assert_eq!(faults(&figures, true).len(), 4);
        let narrow = "type octile\nheight 2\nwidth 8\nmap\n........\n........\n";
        let error = edited(0, "edit-narrow", narrow, Mode::Inline).unwrap_err();
        assert!(error.to_string().contains("for a door"), "{error}");
    }
}
