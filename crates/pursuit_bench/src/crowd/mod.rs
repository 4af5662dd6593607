//! A crowd that chases what it cannot reach, beside a wall that moves in every tick: each bake could
//! change somebody's answer, and hardly any does. Nobody should search for nothing.

mod lot;
mod plan;
mod world;

use bevy::prelude::*;
use bevy_pursuit::{Locomotion, PursuitStats};
use serde::Serialize;

use crate::error::BenchError;
use crate::game::agent::is_walking;
use crate::game::heard::{self, EventCounts, Heard};
use crate::game::pace::Pace;
use crate::game::pools::PoolSizes;
use crate::game::positions::{Hash, place};
use crate::game::stages::{StageClock, StageTime};
use crate::game::{FIRST_SECOND, Mode, TICK_RATE};
use crate::mapset;
use crate::report::Report;
use crate::samples::{Samples, TickTime};
use world::{Crowd, Member};

pub(crate) use plan::CrowdPlan;

/// Most searches per tick, on the mean, of a whole crowd.
const MAX_SEARCHES_PER_TICK: f64 = 1.0;

/// The figures of a crowd. All but the first few are of the ticks after the first second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CrowdReport {
    pub(crate) map: String,
    pub(crate) mode: Mode,
    pub(crate) seed: u64,
    pub(crate) pools: PoolSizes,
    /// Game time that was played, in seconds.
    pub(crate) seconds: f64,
    pub(crate) agents: usize,
    /// Agents whose target is in the pen beside the wall; that of the others is in another closed part
    /// of the level, if it has any.
    pub(crate) targets_in_pen: usize,
    /// Searches in the first second.
    pub(crate) first_searches: u64,
    /// Ticks after the first second.
    pub(crate) ticks: usize,
    pub(crate) searches: u64,
    pub(crate) searches_per_tick: Option<f64>,
    pub(crate) events: EventCounts,
    pub(crate) events_per_tick: Option<f64>,
    pub(crate) bakes: u64,
    /// What the plugin's systems took of a tick.
    pub(crate) main_thread_ms: TickTime,
    /// Of the stages one by one; empty if they were not measured.
    pub(crate) stages_ms: Vec<StageTime>,
    /// Agents that walked, on the mean.
    pub(crate) walking: Option<f64>,
    /// Of the bits of all agents' positions at the end of all ticks, those of the first second too.
    pub(crate) positions_hash: String,
}

impl Report for CrowdReport {
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        match self.searches_per_tick {
            Some(searches) if searches > MAX_SEARCHES_PER_TICK => {
                faults.push(format!("{searches:.2} searches per tick"));
            }
            Some(_) => {}
            None => faults.push("the run ended within its first second".to_string()),
        }
        if self.events.target_reached > 0 {
            let times = self.events.target_reached;
            faults.push(format!("reached what can't be reached {times} times"));
        }
        if self.first_searches < self.agents as u64 {
            let (searches, agents) = (self.first_searches, self.agents);
            faults.push(format!("only {searches} searches for {agents} agents"));
        }
        if self.searches_per_tick.is_some() && self.bakes == 0 {
            faults.push("the wall was never baked".to_string());
        }
        faults
    }
}

/// Lets the crowd chase for as long as the plan says.
pub(crate) fn run(plan: &CrowdPlan) -> Result<CrowdReport, BenchError> {
    let CrowdPlan { play, .. } = plan;
    let map = &play.common.map;
    let crowd = world::build(plan, &mapset::load_map(map)?);
    let crowd = crowd.ok_or_else(|| BenchError::NoLot(map.clone()))?;
    let Crowd {
        mut app,
        targets_in_pen,
    } = crowd;
    heard::listen(&mut app);
    // The first update of an app has no time to pass.
    app.update();
    let ticks = (play.seconds * TICK_RATE).ceil() as usize;
    let pace = Pace::new(play.mode, play.pace);
    let mut meter = Meter::default();
    let mut first = Counts::read(&app);
    for tick in 1..=ticks {
        app.update();
        meter.read(app.world_mut());
        if tick == FIRST_SECOND {
            first = Counts::read(&app);
        }
        pace.wait(tick as u64);
    }
    Ok(report(plan, &app, &meter, &first, targets_in_pen))
}

fn report(
    plan: &CrowdPlan,
    app: &App,
    meter: &Meter,
    first: &Counts,
    targets_in_pen: usize,
) -> CrowdReport {
    let CrowdPlan { play, .. } = plan;
    let after = meter.main_thread_ms.skip(FIRST_SECOND);
    let stages = app.world().get_resource::<StageClock>();
    let last = Counts::read(app);
    let per_tick = |count: u64| (!after.is_empty()).then(|| count as f64 / after.len() as f64);
    let searches = last.searches - first.searches;
    let events = last.events.since(&first.events);
    CrowdReport {
        map: mapset::file_name(&play.common.map),
        mode: play.mode,
        seed: play.common.seed,
        pools: PoolSizes::read(),
        seconds: meter.main_thread_ms.len() as f64 / TICK_RATE,
        agents: play.agents,
        targets_in_pen,
        first_searches: first.searches,
        ticks: after.len(),
        searches,
        searches_per_tick: per_tick(searches),
        events,
        events_per_tick: per_tick(events.total()),
        bakes: last.bakes - first.bakes,
        main_thread_ms: after.tick_time(),
        stages_ms: stages.map_or(Vec::new(), |clock| clock.times(FIRST_SECOND)),
        walking: meter.walking.skip(FIRST_SECOND).mean(),
        positions_hash: meter.positions.hex(),
    }
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
    use super::{CrowdPlan, CrowdReport, run};
    use crate::error::BenchError;
    use crate::fixture::{Folder, play};
    use crate::game::heard::EventCounts;
    use crate::report::Report;

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

    fn crowd(name: &str, map: &str, seconds: f64) -> Result<CrowdReport, BenchError> {
        let folder = Folder::new(name);
        let play = play(&folder, map, 40, seconds, 1);
        run(&CrowdPlan { play, stages: true })
    }

    #[test]
    fn a_crowd_asks_for_what_it_cannot_reach_while_a_wall_moves() {
        let report = crowd("crowd-moves", &field(), 2.0).unwrap();
        let again = crowd("crowd-again", &field(), 2.0).unwrap();
        assert_eq!(report.positions_hash, again.positions_hash);
        let narrow = "type octile\nheight 1\nwidth 8\nmap\n........\n";
        assert!(crowd("crowd-narrow", narrow, 1.0).is_err());
        assert_eq!((report.ticks, report.targets_in_pen), (60, 4), "{report:?}");
        assert!(report.first_searches >= 40, "{report:?}");
        assert!(report.bakes >= 59, "the wall moves: {report:?}");
        assert_eq!(report.events.target_reached, 0, "{report:?}");
        assert_eq!(report.events.path_found, 0, "{report:?}");
        assert_eq!(report.faults(), Vec::<String>::new(), "{report:?}");
    }

    #[test]
    fn searches_without_end_and_runs_that_show_nothing_are_faults() {
        let report = crowd("crowd-faults", &field(), 1.5).unwrap();
        let quiet = CrowdReport {
            searches_per_tick: Some(1.0),
            ..report
        };
        assert_eq!(quiet.faults(), Vec::<String>::new());
        let faulty = CrowdReport {
            searches_per_tick: Some(1.01),
            first_searches: 39,
            bakes: 0,
            events: EventCounts {
                target_reached: 2,
                ..quiet.events
            },
            ..quiet.clone()
        };
        assert_eq!(faulty.faults().len(), 4);
        let short = CrowdReport {
            searches_per_tick: None,
            ..quiet
        };
        assert_eq!(short.faults(), ["the run ended within its first second"]);
    }
}
