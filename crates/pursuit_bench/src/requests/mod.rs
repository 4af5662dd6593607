//! Requests per second, and what they cost the main thread: the real plugin in a headless app.

mod plan;
mod world;

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use bevy::app::App;
use bevy_pursuit::PursuitStats;
use serde::Serialize;

use crate::cli::Common;
use crate::error::BenchError;
use crate::game;
use crate::game::heard;
use crate::game::pools::PoolSizes;
use crate::game::tour::Tour;
use crate::game::walls::Walls;
use crate::mapset;
use crate::report::Report;
use crate::samples::Samples;
use plan::RADIUS;
use world::AskAgain;

pub(crate) use plan::{Goals, RequestsPlan};

/// Frames until the steady state is steady, and until a burst must be answered.
const WARM_UP: usize = 30;
const PATIENCE: usize = 10_000;

/// The JSON of `requests`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RequestsReport {
    pub(crate) map: String,
    pub(crate) goals: Goals,
    pub(crate) seed: u64,
    pub(crate) requests: usize,
    pub(crate) frame_rate: f64,
    /// Threads of the pool in which searches run.
    pub(crate) threads: usize,
    /// What it took to build search tables, in milliseconds, if that was asked for.
    pub(crate) deep_bake_ms: Option<f64>,
    /// Requests that did not get a path to their goal, by reason. Every goal can be reached.
    pub(crate) failures: BTreeMap<String, u64>,
    pub(crate) steady: Steady,
    pub(crate) burst: Burst,
}

impl Report for RequestsReport {
    fn faults(&self) -> Vec<String> {
        let failures = self.failures.iter();
        failures
            .map(|(why, count)| format!("{count} requests got no path: {why}"))
            .collect()
    }
}

/// Every request is asked anew as soon as it is answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Steady {
    pub(crate) seconds: f64,
    pub(crate) frames: usize,
    pub(crate) completed: u64,
    pub(crate) per_second: f64,
    /// Cells expanded per request.
    pub(crate) expanded: f64,
    /// What a request took in its task: search, smoothing and all.
    pub(crate) task_us_per_request: f64,
    /// The plugin's systems, per frame.
    pub(crate) main_thread_ms_p50: Option<f64>,
    pub(crate) main_thread_ms_p99: Option<f64>,
    /// The plugin's systems, per completed request.
    pub(crate) main_thread_us_per_request: f64,
}

/// All requests are inserted in one frame, and nothing else is asked until they are answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Burst {
    pub(crate) bursts: usize,
    pub(crate) requests: usize,
    /// The plugin's systems in the frame of the insertion.
    pub(crate) first_frame_ms_p50: Option<f64>,
    pub(crate) first_frame_ms_max: Option<f64>,
    /// The plugin's systems in the worst frame after that.
    pub(crate) worst_later_frame_ms_p50: Option<f64>,
    pub(crate) worst_later_frame_ms_max: Option<f64>,
    /// Frames until all were answered.
    pub(crate) frames_p50: Option<f64>,
}

/// Runs both parts.
pub(crate) fn run(plan: &RequestsPlan) -> Result<RequestsReport, BenchError> {
    let Common { map, seed, .. } = &plan.common;
    let grid = mapset::load_map(map)?;
    let tour = Tour::new(&grid, RADIUS, *seed);
    let tour = tour.ok_or_else(|| BenchError::NoRoom(map.clone()))?;
    let mut game = Game::new(plan, world::build(plan, &Walls::of(&grid), tour));
    game.run_until(|game| game::is_baked(&mut game.app))?;
    world::spawn_askers(game.app.world_mut(), plan.burst);
    game.run_until(Game::is_settled)?;
    if plan.deep_bake {
        game.run_until(|game| game.stats().deep_bakes > 0)?;
    }
    let burst = bursts(&mut game, plan)?;
    let more = plan.requests.saturating_sub(plan.burst);
    world::spawn_askers(game.app.world_mut(), more);
    let steady = steady(&mut game, plan);
    let deep_bake = game.stats().last_deep_bake.as_secs_f64() * 1e3;
    Ok(RequestsReport {
        map: mapset::file_name(map),
        goals: plan.goals,
        seed: *seed,
        requests: plan.requests,
        frame_rate: plan.frame_rate,
        threads: PoolSizes::read().async_compute,
        deep_bake_ms: plan.deep_bake.then_some(deep_bake),
        failures: heard::failures(game.stats()),
        steady,
        burst,
    })
}

/// An app whose frames begin at a fixed rate, as those of a game do.
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

    /// Runs a frame when it is due; what the plugin's systems took of it, in milliseconds.
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

    /// Whether no request waits.
    fn is_settled(&mut self) -> bool {
        world::waiting(self.app.world_mut()) == 0
    }

    /// Runs frames until something is done; how many, and the worst of them.
    fn run_until(
        &mut self,
        mut is_done: impl FnMut(&mut Self) -> bool,
    ) -> Result<(usize, f64), BenchError> {
        let mut worst: f64 = 0.0;
        for frames in 0..PATIENCE {
            if is_done(self) {
                return Ok((frames, worst));
            }
            worst = worst.max(self.frame());
        }
        Err(BenchError::NoAnswer)
    }
}

fn bursts(game: &mut Game, plan: &RequestsPlan) -> Result<Burst, BenchError> {
    let [mut first, mut later, mut frames] = [(); 3].map(|()| Samples::default());
    for _ in 0..plan.bursts {
        world::ask_all(game.app.world_mut());
        first.push(game.frame());
        let (count, worst) = game.run_until(Game::is_settled)?;
        later.push(worst);
        frames.push(1.0 + count as f64);
    }
    Ok(Burst {
        bursts: plan.bursts,
        requests: plan.burst,
        first_frame_ms_p50: first.percentile(0.5),
        first_frame_ms_max: first.max(),
        worst_later_frame_ms_p50: later.percentile(0.5),
        worst_later_frame_ms_max: later.max(),
        frames_p50: frames.percentile(0.5),
    })
}

fn steady(game: &mut Game, plan: &RequestsPlan) -> Steady {
    game.app.insert_resource(AskAgain(true));
    for _ in 0..WARM_UP {
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
    Steady {
        seconds,
        frames: spent.len(),
        completed,
        per_second: completed as f64 / seconds,
        expanded: per_request(expanded as f64),
        task_us_per_request: per_request(searched.as_secs_f64() * 1e6),
        main_thread_ms_p50: spent.percentile(0.5),
        main_thread_ms_p99: spent.percentile(0.99),
        main_thread_us_per_request: per_request(total * 1e3),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Goals, RequestsPlan, run};
    use crate::fixture::{Folder, HOUSE, common};

    pub(crate) fn plan(folder: &Folder, map: &str, goals: Goals) -> RequestsPlan {
        RequestsPlan {
            common: common(folder, map, 1),
            requests: 50,
            burst: 50,
            seconds: 0.2,
            goals,
            deep_bake: false,
            frame_rate: 200.0,
            bursts: 3,
        }
    }

    #[test]
    fn every_request_gets_its_path() {
        let folder = Folder::new("requests");
        for goals in [Goals::Own, Goals::Shared] {
            let report = run(&plan(&folder, HOUSE, goals)).unwrap();
            assert!(report.failures.is_empty(), "{report:?}");
            assert!(report.steady.completed > 100, "{report:?}");
            assert!(report.burst.first_frame_ms_p50 > Some(0.0), "{report:?}");
        }
        let full = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
        assert!(run(&plan(&folder, full, Goals::Own)).is_err());
    }
}
