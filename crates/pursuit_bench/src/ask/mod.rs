//! Questions to `Navigation`: what each takes in the thread that asks, and whether the answers are those
//! of requests.

mod plan;
mod world;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use bevy::app::App;
use bevy::ecs::system::RunSystemOnce;
use bevy::math::Vec2;
use bevy_pursuit::Navigation;
use serde::Serialize;

use crate::error::BenchError;
use crate::mapset;
use plan::RADIUS;
use world::{Pair, Spots, request};

pub(crate) use plan::AskPlan;

/// Answers may differ by rounding: the sum of lengths, relative to it.
const ROUNDING: f32 = 1e-4;

/// The JSON of `ask`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AskReport {
    pub(crate) map: String,
    pub(crate) seed: u64,
    /// Questions of each kind.
    pub(crate) questions: usize,
    /// Farthest from one point of a question to the other, in cells.
    pub(crate) within: u32,
    /// What the first question for a radius takes, in milliseconds.
    pub(crate) first_ms: f64,
    /// What all questions of a kind take in one thread, in milliseconds.
    pub(crate) all_ms: BTreeMap<&'static str, f64>,
    /// Mean of the distances, in cells.
    pub(crate) mean_distance: f64,
    /// How many answers were compared with those of requests, and how many of these found a way.
    pub(crate) compared: usize,
    pub(crate) compared_found: usize,
    /// Where an answer was not that of the request.
    pub(crate) faults: Vec<String>,
}

/// Asks, and compares.
///
/// # Errors
/// A map that can't be read, is malformed, or has no room for a body; a bake or requests that do not
/// come to their end.
pub(crate) fn run(plan: &AskPlan) -> Result<AskReport, BenchError> {
    let grid = mapset::load_map(&plan.map)?;
    let spots = Spots::new(&grid, plan.seed);
    let mut spots = spots.ok_or_else(|| BenchError::NoRoom(plan.map.clone()))?;
    let mut app = world::build(plan, &grid)?;
    let pairs: Vec<Pair> = (0..plan.questions)
        .map(|_| spots.pair(plan.within))
        .collect();
    let points: Vec<Vec2> = (0..plan.questions).map(|_| spots.any()).collect();
    // Half of what is compared leads to any place, in walls and behind them.
    let anywhere = points
        .iter()
        .zip(&pairs)
        .map(|(&to, &(from, _))| (from, to));
    let compared = pairs.iter().copied().take(plan.sample.div_ceil(2));
    let compared: Vec<Pair> = compared.chain(anywhere.take(plan.sample / 2)).collect();
    let rounds = plan.rounds;
    let mut report = with(&mut app, move |ask| measure(&ask, rounds, &pairs, &points))?;
    let map = plan.map.file_name().unwrap_or(plan.map.as_os_str());
    report.map = map.to_string_lossy().into_owned();
    (report.seed, report.questions, report.within) = (plan.seed, plan.questions, plan.within);
    let answers = request(&mut app, &compared)?;
    report.compared = answers.len();
    report.compared_found = answers.iter().filter(|answer| answer.is_found).count();
    report.faults = with(&mut app, move |ask| {
        let both = compared.iter().zip(&answers);
        both.filter_map(|(pair, answer)| fault(&ask, *pair, answer))
            .collect()
    })?;
    Ok(report)
}

/// Runs a system of a game once.
fn with<T: 'static>(
    app: &mut App,
    system: impl FnOnce(Navigation) -> T + Send + Sync + 'static,
) -> Result<T, BenchError> {
    let mut system = Some(system);
    let once = move |ask: Navigation| system.take().map(|system| system(ask));
    let done = app.world_mut().run_system_once(once);
    done.ok().flatten().ok_or(BenchError::NoAnswer)
}

fn measure(ask: &Navigation, rounds: usize, pairs: &[Pair], points: &[Vec2]) -> AskReport {
    let began = Instant::now();
    if let Some((from, to)) = pairs.first() {
        let _ = black_box(ask.is_reachable(*from, *to, RADIUS));
    }
    let first_ms = began.elapsed().as_secs_f64() * 1e3;
    let mut all_ms = BTreeMap::new();
    let mut note = |kind, work: &dyn Fn() -> f32| {
        let mut least = f64::INFINITY;
        for _ in 0..rounds {
            let began = Instant::now();
            black_box(work());
            least = least.min(began.elapsed().as_secs_f64() * 1e3);
        }
        all_ms.insert(kind, least);
    };
    let each = |question: &dyn Fn(Vec2, Vec2) -> f32| -> f32 {
        pairs.iter().map(|&(from, to)| question(from, to)).sum()
    };
    note("distance", &|| {
        each(&|from, to| ask.distance(from, to, RADIUS).unwrap_or(0.0))
    });
    note("is_reachable", &|| {
        pairs
            .iter()
            .filter(|(from, to)| ask.is_reachable(*from, *to, RADIUS) == Ok(true))
            .count() as f32
    });
    note("line_of_sight", &|| {
        pairs
            .iter()
            .filter(|(from, to)| ask.line_of_sight(*from, *to, RADIUS) == Ok(true))
            .count() as f32
    });
    note("nearest_free", &|| {
        points
            .iter()
            .filter(|point| ask.nearest_free(**point, RADIUS).is_ok())
            .count() as f32
    });
    note("what_blocks", &|| {
        points
            .iter()
            .filter(|point| ask.what_blocks(**point, RADIUS).is_ok())
            .count() as f32
    });
    let sum: f64 = pairs
        .iter()
        .map(|&(from, to)| ask.distance(from, to, RADIUS).map_or(0.0, f64::from))
        .sum();
    AskReport {
        map: String::new(),
        seed: 0,
        questions: 0,
        within: 0,
        first_ms,
        all_ms,
        mean_distance: sum / pairs.len().max(1) as f64,
        compared: 0,
        compared_found: 0,
        faults: Vec::new(),
    }
}

/// In what the answers differ from that of a request, if they do.
fn fault(ask: &Navigation, (from, to): Pair, answer: &world::Answer) -> Option<String> {
    let path = ask.path(from, to, RADIUS);
    let is_reachable = ask.is_reachable(from, to, RADIUS);
    let what = if is_reachable != Ok(answer.is_found) {
        format!(
            "is_reachable gives {is_reachable:?}, and a request {}",
            answer.is_found
        )
    } else if path.is_ok() != answer.is_found {
        format!("path gives {path:?}, and a request {}", answer.is_found)
    } else if let Ok(path) = path
        && path != answer.waypoints
    {
        format!("path gives {path:?}, and a request {:?}", answer.waypoints)
    } else if answer.is_found && !is_near(ask.distance(from, to, RADIUS).ok()?, answer, to) {
        format!("distance is not the length of {:?}", answer.waypoints)
    } else {
        return None;
    };
    Some(format!("from {from} to {to}: {what}"))
}

fn is_near(distance: f32, answer: &world::Answer, to: Vec2) -> bool {
    let legs = answer
        .waypoints
        .windows(2)
        .map(|leg| leg[0].distance(leg[1]));
    let rest = answer.waypoints.last().map_or(0.0, |end| end.distance(to));
    let length = legs.sum::<f32>() + rest;
    (distance - length).abs() <= ROUNDING * length.max(1.0)
}
