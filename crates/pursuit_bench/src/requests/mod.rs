//! Measures requests per second, and the time that they take in the main thread, with the real plugin in a headless
//! app.

mod plan;
mod world;

use std::thread;
use std::time::{Duration, Instant};

use bevy::app::App;
use bevy::tasks::AsyncComputeTaskPool;
use bevy_pursuit::PursuitStats;
use serde_json::{Value, json};

use crate::cli::MapArgs;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::tour::Tour;
use crate::game::walls::WallBoxes;
use crate::game::{self, events, rough};
use crate::mapset;
use crate::report::{Report, joined};
use crate::samples::Samples;
use world::AskAgain;

pub(crate) use plan::RequestsPlan;

/// Number of frames before the steady part is measured, and maximum number of frames until a burst is answered.
const WARM_UP_FRAMES: usize = 30;
const MAX_FRAMES: usize = 10_000;

/// Runs both parts of the benchmark: the steady requests, and the bursts.
pub(crate) fn run(plan: &RequestsPlan) -> Result<Report, BenchError> {
    let MapArgs { map, seed, .. } = &plan.common;
    let grid = mapset::load_map(map)?;
    let tour = Tour::new(&grid, AGENT_RADIUS, *seed);
    let tour = tour.ok_or_else(|| BenchError::no_room(map))?;
    let mut app = world::build(plan, &WallBoxes::of(&grid), tour);
    if plan.terrain {
        rough::spread(app.world_mut(), &grid);
    }
    let mut game = Game::new(plan, app);
    game.run_until(|game| game::is_baked(&mut game.app))?;
    world::spawn_askers(game.app.world_mut(), plan.burst);
    game.run_until(|game| world::are_all_answered(game.app.world_mut()))?;
    if plan.deep_bake {
        game.run_until(|game| game.stats().deep_bakes > 0)?;
    }
    let burst = bursts(&mut game, plan)?;
    let more = plan.requests.saturating_sub(plan.burst);
    world::spawn_askers(game.app.world_mut(), more);
    let steady = steady(&mut game, plan);
    let deep_bake = game.stats().last_deep_bake.as_secs_f64() * 1e3;
    // Every goal can be reached, so every failure is a fault.
    let failures = events::failures(game.stats());
    let faults = failures.iter();
    let figures = json!({
        // Number of threads of the pool in which searches run.
        "threads": AsyncComputeTaskPool::get().thread_num(),
        // Time to build search tables, in milliseconds. `null` without `--deep-bake`.
        "deep_bake_ms": plan.deep_bake.then_some(deep_bake),
        // Number of requests without a path to their goal, by reason.
        "failures": failures,
        "steady": steady,
        "burst": burst,
    });
    Ok(Report {
        faults: faults
            .map(|(why, count)| format!("{count} requests got no path: {why}"))
            .collect(),
        figures: joined(json!(plan), figures),
    })
}

/// An app whose frames start at a fixed rate, as in a game.
struct Game {
    app: App,
    frame: Duration,
    due: Instant,
}

impl Game {
    fn new(plan: &RequestsPlan, app: App) -> Self {
        Game {
            app,
            frame: Duration::from_secs_f64(1.0 / plan.frame_rate),
            due: Instant::now(),
        }
    }

    /// Waits until a frame is due, and runs it. Returns the time of the plugin's systems in the frame, in milliseconds.
    fn frame(&mut self) -> f64 {
        let now = Instant::now();
        thread::sleep(self.due.saturating_duration_since(now));
        self.due = self.due.max(now) + self.frame;
        self.app.update();
        self.stats().frame_time.as_secs_f64() * 1e3
    }

    fn stats(&self) -> &PursuitStats {
        self.app.world().resource()
    }

    /// Runs frames until `is_done` returns true. Returns the number of frames, and the longest time of the plugin's
    /// systems in a frame, in milliseconds.
    fn run_until(
        &mut self,
        mut is_done: impl FnMut(&mut Self) -> bool,
    ) -> Result<(usize, f64), BenchError> {
        let mut worst: f64 = 0.0;
        for frames in 0..MAX_FRAMES {
            if is_done(self) {
                return Ok((frames, worst));
            }
            worst = worst.max(self.frame());
        }
        Err(BenchError::no_answer())
    }
}

/// Measures bursts. In a burst, many requests are inserted in one frame. No other request is inserted until all of them
/// are answered.
fn bursts(game: &mut Game, plan: &RequestsPlan) -> Result<Value, BenchError> {
    let [mut first, mut later, mut frames] = [(); 3].map(|()| Samples::default());
    for _ in 0..plan.bursts {
        world::ask_all(game.app.world_mut());
        first.push(game.frame());
        let (count, worst) =
            game.run_until(|game| world::are_all_answered(game.app.world_mut()))?;
        later.push(worst);
        frames.push(1.0 + count as f64);
    }
    Ok(json!({
        "bursts": plan.bursts,
        "requests": plan.burst,
        // Time of the plugin's systems in the frame of the insertion, and in the slowest frame after that.
        "first_frame_ms_p50": first.percentile(0.5),
        "first_frame_ms_max": first.max(),
        "worst_later_frame_ms_p50": later.percentile(0.5),
        "worst_later_frame_ms_max": later.max(),
        // Number of frames until all requests are answered.
        "frames_p50": frames.percentile(0.5),
    }))
}

/// Measures steady requests: every answered request is immediately replaced by a new one.
fn steady(game: &mut Game, plan: &RequestsPlan) -> Value {
    game.app.insert_resource(AskAgain(true));
    for _ in 0..WARM_UP_FRAMES {
        game.frame();
    }
    let answered = |stats: &PursuitStats| {
        let failed: u64 = stats.paths_failed.iter().sum();
        stats.paths_found + failed
    };
    let before = game.stats().clone();
    let began = Instant::now();
    let mut spent = Samples::default();
    while began.elapsed().as_secs_f64() < plan.seconds {
        spent.push(game.frame());
    }
    let total: f64 = spent.iter().sum();
    let seconds = began.elapsed().as_secs_f64();
    let stats = game.stats();
    let completed = answered(stats) - answered(&before);
    let expanded = stats.cells_expanded - before.cells_expanded;
    let searched = stats.search_time - before.search_time;
    let per_request = |total: f64| total / completed.max(1) as f64;
    json!({
        "seconds": seconds,
        "frames": spent.len(),
        "completed": completed,
        "per_second": completed as f64 / seconds,
        // Mean number of expanded cells per request.
        "expanded": per_request(expanded as f64),
        // Fraction of the requests that were answered by a shared field.
        "shared": per_request((stats.paths_shared - before.paths_shared) as f64),
        // Mean time of a request in its task, including search and smoothing.
        "task_us_per_request": per_request(searched.as_secs_f64() * 1e6),
        // Time of the plugin's systems, per frame and per completed request.
        "main_thread_ms_p50": spent.percentile(0.5),
        "main_thread_ms_p99": spent.percentile(0.99),
        "main_thread_us_per_request": per_request(total * 1e3),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::plan::Goals;
    use super::{RequestsPlan, run};
    use crate::tests::fixture::{Folder, HOUSE, common};

    pub(crate) fn plan(folder: &Folder, map: &str) -> RequestsPlan {
        RequestsPlan {
            common: common(folder, map, 1),
            requests: 50,
            burst: 50,
            seconds: 0.2,
            goals: Goals::Own,
            deep_bake: false,
            frame_rate: 200.0,
            share_fields: true,
            terrain: true,
            bursts: 3,
        }
    }

    #[test]
    fn every_request_gets_its_path() {
        let folder = Folder::new("requests");
        for goals in [Goals::Own, Goals::Shared, Goals::Two] {
            let plan = plan(&folder, HOUSE);
            let report = run(&RequestsPlan { goals, ..plan }).unwrap();
            assert_eq!(report.faults, [""; 0]);
            let (steady, burst) = (&report.figures["steady"], &report.figures["burst"]);
            assert!(steady["completed"].as_u64() > Some(100), "{steady}");
            assert!(burst["first_frame_ms_p50"].as_f64() > Some(0.0), "{burst}");
        }
        let full = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
        assert!(run(&plan(&folder, full)).is_err());
    }
}
