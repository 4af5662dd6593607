//! Doors that open and close on the way of agents that chase: the real plugin, Rapier, and no window.

mod doors;
mod layers;
mod ledger;
mod movers;

use std::collections::BTreeMap;

use bevy::app::App;
use bevy::ecs::query::With;
use bevy::transform::components::Transform;
use bevy_pursuit::PursuitStats;
use clap::Args;
use serde::Serialize;

use crate::chase::meter::{Meter, TOUCHING};
use crate::chase::world::Chaser;
use crate::chase::{Body, world};
use crate::cli::{Common, Play};
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::heard::{self, Heard};
use crate::game::pace::Pace;
use crate::game::places::Places;
use crate::game::pools::PoolSizes;
use crate::game::positions::place;
use crate::game::tour::Tour;
use crate::game::walls::Walls;
use crate::game::{FIRST_SECOND, Mode, TICK_RATE};
use crate::mapset;
use crate::numbers::{movers, positive};
use crate::report::Report;
use crate::samples::Spread;
use doors::Doors;
use layers::ByLayer;
use ledger::{Ledger, Taken};
use movers::Movers;

/// What to run. Nothing is edited in the first second and in the last.
#[derive(Args, Clone, Debug)]
pub(crate) struct EditPlan {
    #[command(flatten)]
    pub(crate) play: Play,
    /// What the agents are made of.
    #[arg(long, value_enum, default_value = "kinematic")]
    pub(crate) body: Body,
    /// How many doors open or close in a second of game time.
    #[arg(long, value_name = "R", default_value_t = 5.0, value_parser = positive)]
    pub(crate) edits_per_second: f64,
    /// How many crates move in every frame, so that every frame has a bake, at most 100000. Doors then tell
    /// how far snapshots are behind. Crates push nobody.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = movers)]
    pub(crate) movers: usize,
    /// Count it as a fault if an agent does not reach the player once. All of them can.
    #[arg(long)]
    pub(crate) all_catch: bool,
}

/// The JSON of `edit`. Edits count from the second second on, when the level is baked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct EditReport {
    pub(crate) map: String,
    pub(crate) body: Body,
    pub(crate) mode: Mode,
    pub(crate) seed: u64,
    pub(crate) pools: PoolSizes,
    /// Game time that was played, in seconds.
    pub(crate) seconds: f64,
    pub(crate) agents: usize,
    pub(crate) doors: usize,
    /// Crates that move in every frame.
    pub(crate) movers: usize,
    /// Of all edits.
    #[serde(flatten)]
    pub(crate) all: EditFigures,
    pub(crate) openings: EditFigures,
    pub(crate) closings: EditFigures,
    /// What the stages of `main_thread_us` take of a frame in which nothing is edited, on the median.
    pub(crate) quiet_main_thread_us: Option<f64>,
    /// What they take of any frame.
    pub(crate) frame_main_thread_us: Spread,
    /// Edits that were due when all doors that were tried had somebody in them.
    pub(crate) held_open: u64,
    /// Edits that no snapshot showed before the run ended.
    pub(crate) unbaked: usize,
    /// Agent-ticks with a wall of the level nearer to the center than 0.98 radii.
    pub(crate) wall_overlaps: u64,
    /// The same with a closed door. A path may lead through one until the bake is there.
    pub(crate) door_overlaps: u64,
    /// Times that an agent was reported stuck.
    pub(crate) stuck: u64,
    /// Agents of which the plugin said at least once that they reached the player.
    pub(crate) caught: usize,
    /// Whether all of them had to.
    #[serde(skip)]
    pub(crate) all_catch: bool,
    pub(crate) searches: u64,
    /// Requests that were answered without a path to the goal, by reason.
    pub(crate) failures: BTreeMap<String, u64>,
    /// Of the bits of all positions at the end of all ticks.
    pub(crate) positions_hash: String,
}

/// What edits of one kind took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct EditFigures {
    pub(crate) edits: usize,
    /// Frames from the one of the edit to the one in which a snapshot shows it.
    pub(crate) latency_frames_p50: Option<f64>,
    pub(crate) latency_frames_p99: Option<f64>,
    pub(crate) work_us: WorkTime,
    /// What the plugin's stages `Observe` and `Bake` take of the frame of the edit and of the one in which
    /// the snapshot is installed.
    pub(crate) main_thread_us: Spread,
    /// The same less what as many quiet frames just before the edit took, on their median. None where no frame was
    /// quiet lately.
    pub(crate) own_main_thread_us: Spread,
}

/// Microseconds of the bake that brought an edit, where it ran. One bake may bring several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WorkTime {
    #[serde(flatten)]
    pub(crate) all: Spread,
    /// By the core alone, for the same doors: see the module `layers`.
    pub(crate) by_layer: ByLayer,
}

impl Report for EditReport {
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.openings.edits == 0 || self.closings.edits == 0 {
            faults.push("no door both closed and opened".to_string());
        }
        if self.unbaked > 0 {
            faults.push(format!("{} edits were not baked", self.unbaked));
        }
        if self.wall_overlaps > 0 {
            faults.push(format!("too near to walls {} times", self.wall_overlaps));
        }
        if self.stuck > 0 {
            faults.push(format!("agents stuck {} times", self.stuck));
        }
        if self.all_catch && self.caught < self.agents {
            let missing = self.agents - self.caught;
            faults.push(format!("{missing} agents did not reach the player"));
        }
        faults
    }
}

/// Plays the chase and edits the level meanwhile.
pub(crate) fn run(plan: &EditPlan) -> Result<EditReport, BenchError> {
    let play = &plan.play;
    let Common { map, seed, .. } = &play.common;
    let level = mapset::load_map(map)?;
    let no_room = || BenchError::NoRoom(map.clone());
    let places = Places::new(&level, AGENT_RADIUS).ok_or_else(no_room)?;
    let doors = Doors::choose(&level, &places, *seed);
    let mut doors = doors.ok_or_else(|| BenchError::NoDoor(map.clone()))?;
    let tour = Tour::new(&level, AGENT_RADIUS, *seed).ok_or_else(no_room)?;
    let walls = Walls::of(&level);
    let mut app = world::build(play, plan.body, true, &walls, tour);
    heard::listen(&mut app);
    let movers = Movers::spawn(app.world_mut(), &places, plan.movers, *seed);
    // The first update of an app has no time to pass.
    app.update();
    let mut run = Run {
        meter: Meter::new(play.agents),
        ledger: Ledger::default(),
        due: 0.0,
        held_open: 0,
        door_overlaps: 0,
    };
    let last = (play.seconds * TICK_RATE).ceil() as u64;
    let pace = Pace::new(play.mode, play.pace);
    // Nothing is edited in the last second, so that what is under way comes to its end.
    let edited = FIRST_SECOND as u64..last.saturating_sub(FIRST_SECOND as u64);
    for tick in 1..=last {
        if edited.contains(&tick) {
            run.due += plan.edits_per_second / TICK_RATE;
            run.edit(&mut app, &mut doors, tick);
        }
        movers.advance(app.world_mut(), tick);
        app.update();
        run.read(&mut app, &doors, &walls, tick);
        pace.wait(tick);
    }
    let layers = layers::measure(&level, &doors.sites);
    Ok(report(plan, &app, &run, &doors, &layers))
}

/// What is measured.
struct Run {
    meter: Meter,
    ledger: Ledger,
    /// Edits that are due.
    due: f64,
    held_open: u64,
    door_overlaps: u64,
}

impl Run {
    /// Makes the edits that are due before the frame `tick`.
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

    /// Looks at the world at the end of the frame `tick`.
    fn read(&mut self, app: &mut App, doors: &Doors, walls: &Walls, tick: u64) {
        let world = app.world_mut();
        self.meter.read(world, walls, tick);
        self.ledger.read(world, doors, tick);
        let mut chasers = world.query_filtered::<&Transform, With<Chaser>>();
        let is_inside = |transform: &&Transform| {
            let door = doors.distance(place(transform));
            door.is_some_and(|distance| distance < TOUCHING * AGENT_RADIUS)
        };
        self.door_overlaps += chasers.iter(world).filter(is_inside).count() as u64;
    }
}

fn report(
    plan: &EditPlan,
    app: &App,
    run: &Run,
    doors: &Doors,
    layers: &layers::EditLayers,
) -> EditReport {
    let play = &plan.play;
    let stats = app.world().resource::<PursuitStats>();
    let heard = app.world().resource::<Heard>();
    let Ledger {
        openings,
        closings,
        quiet_us,
        frames_us,
        ..
    } = &run.ledger;
    EditReport {
        map: mapset::file_name(&play.common.map),
        body: plan.body,
        mode: play.mode,
        seed: play.common.seed,
        pools: PoolSizes::read(),
        seconds: run.meter.main_thread_ms.len() as f64 / TICK_RATE,
        agents: play.agents,
        doors: doors.sites.len(),
        movers: plan.movers,
        all: figures(&openings.and(closings), layers.all.clone()),
        openings: figures(openings, layers.openings.clone()),
        closings: figures(closings, layers.closings.clone()),
        quiet_main_thread_us: quiet_us.percentile(0.5),
        frame_main_thread_us: frames_us.spread(),
        held_open: run.held_open,
        unbaked: run.ledger.pending(),
        wall_overlaps: run.meter.wall_overlaps,
        door_overlaps: run.door_overlaps,
        stuck: heard.counts.agent_stuck,
        caught: run.meter.caught_at.iter().flatten().count(),
        all_catch: plan.all_catch,
        searches: stats.searches,
        failures: heard::failures(stats),
        positions_hash: run.meter.positions.hex(),
    }
}

fn figures(taken: &Taken, by_layer: ByLayer) -> EditFigures {
    EditFigures {
        edits: taken.latency_frames.len(),
        latency_frames_p50: taken.latency_frames.percentile(0.5),
        latency_frames_p99: taken.latency_frames.percentile(0.99),
        work_us: WorkTime {
            all: taken.work_us.spread(),
            by_layer,
        },
        main_thread_us: taken.main_thread_us.spread(),
        own_main_thread_us: taken.own_us.spread(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{EditPlan, EditReport, run};
    use crate::chase::Body;
    use crate::error::BenchError;
    use crate::fixture::{Folder, play};
    use crate::game::Mode;
    use crate::report::Report;

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

    fn edited(movers: usize, name: &str, map: &str, mode: Mode) -> Result<EditReport, BenchError> {
        let folder = Folder::new(name);
        let mut play = play(&folder, map, 4, 8.0, 3);
        play.mode = mode;
        run(&EditPlan {
            play,
            body: Body::Kinematic,
            edits_per_second: 6.0,
            movers,
            all_catch: false,
        })
    }

    #[test]
    fn crates_that_move_keep_every_frame_busy() {
        let report = edited(3, "edit-movers", &halls(), Mode::Inline).unwrap();
        assert_eq!((report.movers, report.unbaked), (3, 0), "{report:?}");
        assert_eq!(report.quiet_main_thread_us, None, "no frame is quiet");
        let frame = report.frame_main_thread_us;
        assert!(frame.p50 > Some(0.0) && frame.p50 <= frame.p99);
    }

    #[test]
    fn every_edit_is_baked_and_nobody_ends_in_a_wall() {
        let report = edited(0, "edit-inline", &halls(), Mode::Inline).unwrap();
        assert_eq!(report.faults(), [""; 0], "{report:?}");
        let made = report.all.edits as u64 + report.held_open;
        assert!((34..=36).contains(&made), "{report:?}");
        assert_eq!(
            report.openings.edits + report.closings.edits,
            report.all.edits
        );
        let frames = report.all.latency_frames_p99;
        assert_eq!(frames, Some(0.0), "baked in the frame of the edit");
        let work = report.all.work_us.all;
        assert!(work.p50 > Some(0.0) && work.p50 <= work.p99, "{report:?}");
        let quiet = report.quiet_main_thread_us.unwrap();
        let all = report.all.main_thread_us.p50.unwrap();
        assert!(all > quiet);
        let own = report.all.own_main_thread_us.p50.unwrap();
        assert!(own > 0.0 && own < all, "{report:?}");
    }

    #[test]
    fn in_tasks_an_edit_is_there_some_frames_later() {
        let report = edited(0, "edit-async", &halls(), Mode::Async).unwrap();
        assert_eq!(report.unbaked, 0, "{report:?}");
        assert!(report.all.latency_frames_p50 >= Some(1.0), "{report:?}");
    }

    #[test]
    fn what_should_not_happen_is_a_fault() {
        let mut report = edited(0, "edit-faults", &halls(), Mode::Inline).unwrap();
        (report.unbaked, report.wall_overlaps, report.stuck) = (1, 2, 3);
        (report.caught, report.all_catch) = (3, true);
        assert_eq!(report.faults().len(), 4);
        let narrow = "type octile\nheight 2\nwidth 8\nmap\n........\n........\n";
        let error = edited(0, "edit-narrow", narrow, Mode::Inline).unwrap_err();
        assert!(matches!(error, BenchError::NoDoor(_)), "{error}");
    }
}
