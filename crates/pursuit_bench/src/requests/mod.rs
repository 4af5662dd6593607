//! Requests per second, and what they cost the main thread: the real plugin in a headless app.

mod plan;
mod world;

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use bevy::app::App;
use bevy::math::Vec2;
use bevy_pursuit::{BakedGrid, PursuitStats};
use serde::Serialize;

use crate::error::BenchError;
use crate::game::pools::PoolSizes;
use crate::game::tour::Tour;
use crate::game::walls::Walls;
use crate::mapset;
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
///
/// # Errors
/// A map that can't be read, is malformed, or has no room for a body; requests that get no answer.
pub(crate) fn run(plan: &RequestsPlan) -> Result<RequestsReport, BenchError> {
    let grid = mapset::load_map(&plan.map)?;
    let walls = Walls::of(&grid);
    let tour = Tour::new(&grid, RADIUS, plan.seed);
    let tour = tour.ok_or_else(|| BenchError::NoRoom(plan.map.clone()))?;
    let size = Vec2::new(grid.width() as f32, grid.height() as f32);
    let mut game = Game::new(plan, world::build(plan, size, &walls, tour));
    game.bake()?;
    world::spawn_askers(game.app.world_mut(), plan.burst);
    game.settle()?;
    if plan.deep_bake {
        game.wait_for_tables()?;
    }
    let burst = bursts(&mut game, plan)?;
    let more = plan.requests.saturating_sub(plan.burst);
    world::spawn_askers(game.app.world_mut(), more);
    let steady = steady(&mut game, plan);
    let map = plan.map.file_name().unwrap_or(plan.map.as_os_str());
    let failures = game.stats().failures();
    let failures = failures.map(|(reason, count)| (format!("{reason:?}"), count));
    Ok(RequestsReport {
        map: map.to_string_lossy().into_owned(),
        goals: plan.goals,
        seed: plan.seed,
        requests: plan.requests,
        frame_rate: plan.frame_rate,
        threads: PoolSizes::read().async_compute,
        deep_bake_ms: plan
            .deep_bake
            .then(|| game.stats().last_deep_bake.as_secs_f64() * 1e3),
        failures: failures.collect(),
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

    /// Runs frames until the level is baked.
    fn bake(&mut self) -> Result<(), BenchError> {
        for _ in 0..PATIENCE {
            self.frame();
            let mut grids = self.app.world_mut().query::<&BakedGrid>();
            let mut grids = grids.iter(self.app.world());
            if grids.all(|grid| grid.snapshot().is_some()) {
                return Ok(());
            }
        }
        Err(BenchError::NoAnswer)
    }

    /// Runs frames until there are search tables.
    fn wait_for_tables(&mut self) -> Result<(), BenchError> {
        for _ in 0..PATIENCE {
            if self.stats().deep_bakes > 0 {
                return Ok(());
            }
            self.frame();
        }
        Err(BenchError::NoAnswer)
    }

    /// Runs frames until no request waits; how many, and the worst of them.
    fn settle(&mut self) -> Result<(usize, f64), BenchError> {
        let mut worst: f64 = 0.0;
        for frames in 0..PATIENCE {
            if world::waiting(self.app.world_mut()) == 0 {
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
        let (count, worst) = game.settle()?;
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
    let mut total = 0.0;
    while began.elapsed().as_secs_f64() < plan.seconds {
        let took = game.frame();
        spent.push(took);
        total += took;
    }
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
mod tests {
    use super::{Goals, RequestsPlan, RequestsReport, run};
    use crate::error::BenchError;
    use crate::fixture::Folder;
    use crate::game::pools::Pools;

    const MAP: &str = "\
type octile
height 6
width 12
map
............
.@@@@@@.@@@.
.@........@.
.@........@.
.@@@.@@@@@@.
............
";

    fn requests(name: &str, map: &str, goals: Goals) -> Result<RequestsReport, BenchError> {
        let folder = Folder::new(name);
        folder.write("house.map", map);
        run(&RequestsPlan {
            map: folder.path().join("house.map"),
            requests: 50,
            burst: 50,
            seconds: 0.2,
            goals,
            deep_bake: false,
            seed: 1,
            frame_rate: 200.0,
            pools: Pools::default(),
            bursts: 3,
        })
    }

    #[test]
    fn every_request_gets_its_path() {
        for goals in [Goals::Own, Goals::Shared] {
            let report = requests(&format!("requests-{goals:?}"), MAP, goals).unwrap();
            assert!(report.failures.is_empty(), "{report:?}");
            assert!(report.steady.completed > 100, "{report:?}");
            assert!(report.burst.first_frame_ms_p50 > Some(0.0), "{report:?}");
        }
    }

    #[test]
    fn the_json_has_the_documented_keys() {
        let report = requests("requests-json", MAP, Goals::Own).unwrap();
        let json = serde_json::to_value(report).unwrap();
        assert!(json["steady"]["per_second"].is_number(), "{json}");
        for key in ["first_frame_ms_p50", "worst_later_frame_ms_p50"] {
            assert!(json["burst"][key].is_number(), "{key}: {json}");
        }
    }

    #[test]
    fn a_map_without_room_is_an_error() {
        let full = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
        assert!(requests("requests-full", full, Goals::Own).is_err());
    }
}
