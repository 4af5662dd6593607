//! A crowd that chases what it cannot reach, beside a wall that moves in every tick: each bake could
//! change somebody's answer, and hardly any does. Nobody should search for nothing.

mod lot;
mod world;

use bevy::prelude::*;
use bevy_pursuit::{Locomotion, PursuitStats};
use clap::Args;
use serde_json::{Value, json};

use crate::cli::Play;
use crate::error::BenchError;
use crate::game::agent::is_walking;
use crate::game::heard::{self, EventCounts, Heard};
use crate::game::pace::ticks;
use crate::game::positions::{Hash, place};
use crate::game::stages::StageClock;
use crate::game::{FIRST_SECOND, TICK_RATE, pools};
use crate::mapset;
use crate::report::{Report, not_zero};
use crate::samples::Samples;
use world::Member;

/// What to run. The map needs an open place of 26 x 20 cells, and each agent has a target of its own.
#[derive(Args, Clone, Debug)]
pub(crate) struct CrowdPlan {
    #[command(flatten)]
    pub(crate) play: Play,
    /// Measure the plugin's stages one by one, too.
    #[arg(long)]
    pub(crate) stages: bool,
}

/// Most searches per tick, on the mean, of a whole crowd.
const MAX_SEARCHES_PER_TICK: f64 = 1.0;

fn faults(figures: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let searches = figures["searches_per_tick"].as_f64();
    match searches {
        Some(searches) if searches > MAX_SEARCHES_PER_TICK => {
            faults.push(format!("{searches:.2} searches per tick"));
        }
        Some(_) => {}
        None => faults.push("the run ended within its first second".to_string()),
    }
    let reached = [("target_reached", "reached what can't be reached {} times")];
    faults.extend(not_zero(&figures["events"], &reached));
    let (first, agents) = (&figures["first_searches"], &figures["agents"]);
    if first.as_u64() < agents.as_u64() {
        faults.push(format!("only {first} searches for {agents} agents"));
    }
    if searches.is_some() && figures["bakes"] == 0 {
        faults.push("the wall was never baked".to_string());
    }
    faults
}

/// Lets the crowd chase for as long as the plan says.
pub(crate) fn run(plan: &CrowdPlan) -> Result<Report, BenchError> {
    let CrowdPlan { play, stages } = plan;
    let map = &play.common.map;
    let crowd = world::build(play, *stages, &mapset::load_map(map)?);
    let no_lot = || BenchError::at(map, "no open place of 26 x 20 cells for a pen and a wall");
    let (mut app, targets_in_pen) = crowd.ok_or_else(no_lot)?;
    heard::listen(&mut app);
    // The first update of an app has no time to pass.
    app.update();
    let mut meter = Meter::default();
    let mut first = Counts::read(&app);
    for tick in ticks(play) {
        app.update();
        meter.read(app.world_mut());
        if tick == FIRST_SECOND as u64 {
            first = Counts::read(&app);
        }
    }
    let figures = figures(plan, &app, &meter, &first, targets_in_pen);
    Ok(Report {
        faults: faults(&figures),
        figures,
    })
}

/// All but the first few are of the ticks after the first second.
fn figures(
    plan: &CrowdPlan,
    app: &App,
    meter: &Meter,
    first: &Counts,
    targets_in_pen: usize,
) -> Value {
    let CrowdPlan { play, .. } = plan;
    let after = meter.main_thread_ms.skip(FIRST_SECOND);
    let last = Counts::read(app);
    let per_tick = |count: u64| (!after.is_empty()).then(|| count as f64 / after.len() as f64);
    let searches = last.searches - first.searches;
    let events = last.events.since(&first.events);
    json!({
        "map": mapset::file_name(&play.common.map),
        "mode": play.mode,
        "seed": play.common.seed,
        "pools": pools::sizes(),
        // Game time that was played, in seconds.
        "seconds": meter.main_thread_ms.len() as f64 / TICK_RATE,
        "agents": play.agents,
        // Agents whose target is in the pen beside the wall; that of the others is in another closed part
        // of the level, if it has any.
        "targets_in_pen": targets_in_pen,
        // Searches in the first second.
        "first_searches": first.searches,
        // Ticks after the first second.
        "ticks": after.len(),
        "searches": searches,
        "searches_per_tick": per_tick(searches),
        "events": events,
        "events_per_tick": per_tick(events.total()),
        "bakes": last.bakes - first.bakes,
        // What the plugin's systems took of a tick.
        "main_thread_ms": after.tick_time(),
        // Of the stages one by one; empty if they were not measured.
        "stages_ms": StageClock::steady(app),
        // Agents that walked, on the mean.
        "walking": meter.walking.skip(FIRST_SECOND).mean(),
        // Of the bits of all agents' positions at the end of all ticks, those of the first second too.
        "positions_hash": meter.positions.hex(),
    })
}

/// What is measured in each tick.
#[derive(Default)]
struct Meter {
    main_thread_ms: Samples,
    walking: Samples,
    positions: Hash,
}

impl Meter {
    /// Looks at the world at the end of a tick.
    fn read(&mut self, world: &mut World) {
        let spent = world.resource::<PursuitStats>().frame_time;
        self.main_thread_ms.push(spent.as_secs_f64() * 1e3);
        if let Some(mut stages) = world.get_resource_mut::<StageClock>() {
            stages.end_tick();
        }
        let mut members = world.query_filtered::<(&Locomotion, &Transform), With<Member>>();
        let mut walking = 0_u32;
        for (locomotion, transform) in members.iter(world) {
            walking += u32::from(is_walking(*locomotion));
            self.positions.add_place(place(transform));
        }
        self.walking.push(f64::from(walking));
    }
}

/// What was counted up to a moment.
struct Counts {
    searches: u64,
    bakes: u64,
    events: EventCounts,
}

impl Counts {
    fn read(app: &App) -> Self {
        let stats = app.world().resource::<PursuitStats>();
        Counts {
            searches: stats.searches,
            bakes: stats.bakes,
            events: app.world().resource::<Heard>().counts,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{CrowdPlan, faults, run};
    use crate::error::BenchError;
    use crate::fixture::{Folder, play};
    use crate::report::Report;
    use serde_json::Value;

    /// An open field with a closed room in a corner.
    pub(crate) fn field() -> String {
        let mut rows = vec![".".repeat(34); 26];
        for (row, room) in rows.iter_mut().zip(["...@", "...@", "@@@@"]) {
            row.replace_range(..4, room);
        }
        format!(
            "type octile\nheight 26\nwidth 34\nmap\n{}\n",
            rows.join("\n")
        )
    }

    fn crowd(name: &str, map: &str, seconds: f64) -> Result<Report, BenchError> {
        let folder = Folder::new(name);
        let play = play(&folder, map, 40, seconds, 1);
        run(&CrowdPlan { play, stages: true })
    }

    #[test]
    fn a_crowd_asks_for_what_it_cannot_reach_while_a_wall_moves() {
        let report = crowd("crowd-moves", &field(), 2.0).unwrap();
        let again = crowd("crowd-again", &field(), 2.0).unwrap();
        let hash = |report: &Report| report.figures["positions_hash"].clone();
        assert_eq!(hash(&report), hash(&again));
        let narrow = "type octile\nheight 1\nwidth 8\nmap\n........\n";
        assert!(crowd("crowd-narrow", narrow, 1.0).is_err());
        assert_eq!(report.faults, [""; 0], "{report:?}");
        let figures = &report.figures;
        assert_eq!(
            (&figures["ticks"], &figures["targets_in_pen"]),
            (&60.into(), &4.into())
        );
        assert!(
            figures["bakes"].as_u64() >= Some(59),
            "the wall moves: {figures}"
        );
        assert_eq!(figures["events"]["path_found"], 0, "{figures}");
    }

    #[test]
    fn searches_without_end_and_runs_that_show_nothing_are_faults() {
        let mut figures = crowd("crowd-faults", &field(), 1.5).unwrap().figures;
        figures["searches_per_tick"] = 1.0.into();
        assert_eq!(faults(&figures), [""; 0]);
        let mut short = figures.clone();
        short["searches_per_tick"] = Value::Null;
        assert_eq!(faults(&short), ["the run ended within its first second"]);
        figures["searches_per_tick"] = 1.01.into();
        (figures["first_searches"], figures["bakes"]) = (39.into(), 0.into());
        figures["events"]["target_reached"] = 2.into();
        assert_eq!(faults(&figures).len(), 4);
    }
}
