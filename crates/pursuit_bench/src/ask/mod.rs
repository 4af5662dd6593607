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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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

/// A question about two points, and one about one. Whether it was answered.
type OfTwo = fn(&Navigation, Vec2, Vec2) -> bool;
type OfOne = fn(&Navigation, Vec2) -> bool;

const OF_TWO: [(&str, OfTwo); 3] = [
    ("distance", |ask, from, to| {
        ask.distance(from, to, RADIUS).is_ok()
    }),
    ("is_reachable", |ask, from, to| {
        ask.is_reachable(from, to, RADIUS).is_ok()
    }),
    ("line_of_sight", |ask, from, to| {
        ask.line_of_sight(from, to, RADIUS).is_ok()
    }),
];

const OF_ONE: [(&str, OfOne); 2] = [
    ("nearest_free", |ask, point| {
        ask.nearest_free(point, RADIUS).is_ok()
    }),
    ("what_blocks", |ask, point| {
        ask.what_blocks(point, RADIUS).is_ok()
    }),
];

fn measure(ask: &Navigation, rounds: usize, pairs: &[Pair], points: &[Vec2]) -> AskReport {
    let ms = |work: &dyn Fn()| {
        let began = Instant::now();
        work();
        began.elapsed().as_secs_f64() * 1e3
    };
    let least = |work: &dyn Fn()| (0..rounds).map(|_| ms(work)).fold(f64::INFINITY, f64::min);
    let first_ms = ms(&|| {
        for (from, to) in &pairs[..pairs.len().min(1)] {
            let _ = black_box(ask.is_reachable(*from, *to, RADIUS));
        }
    });
    let mut all_ms = BTreeMap::new();
    for (kind, question) in OF_TWO {
        let all = || {
            for (from, to) in pairs {
                black_box(question(ask, *from, *to));
            }
        };
        all_ms.insert(kind, least(&all));
    }
    for (kind, question) in OF_ONE {
        let all = || {
            for point in points {
                black_box(question(ask, *point));
            }
        };
        all_ms.insert(kind, least(&all));
    }
    let distances = pairs
        .iter()
        .map(|(from, to)| ask.distance(*from, *to, RADIUS));
    let sum: f64 = distances.flatten().map(f64::from).sum();
    AskReport {
        first_ms,
        all_ms,
        mean_distance: sum / pairs.len().max(1) as f64,
        ..AskReport::default()
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

#[cfg(test)]
mod tests {
    use super::{AskPlan, AskReport, run};
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
.@.......@@.
.@.......@.@
.@@@@@@@@@@.
............
";

    fn asked(name: &str, map: &str) -> Result<AskReport, BenchError> {
        let folder = Folder::new(name);
        folder.write("house.map", map);
        run(&AskPlan {
            map: folder.path().join("house.map"),
            questions: 60,
            within: 8,
            rounds: 2,
            sample: 100,
            seed: 1,
            pools: Pools::default(),
        })
    }

    #[test]
    fn every_answer_is_that_of_a_request() {
        let report = asked("ask-right", MAP).unwrap();
        assert_eq!(report.faults, [""; 0]);
        assert_eq!((report.questions, report.compared), (60, 100));
        assert!(report.compared_found > 40, "{report:?}");
        assert!(report.mean_distance > 1.0, "{report:?}");
    }

    #[test]
    fn the_json_has_the_documented_keys() {
        let json = serde_json::to_value(asked("ask-json", MAP).unwrap()).unwrap();
        for kind in [
            "distance",
            "is_reachable",
            "line_of_sight",
            "nearest_free",
            "what_blocks",
        ] {
            assert!(json["all_ms"][kind].is_number(), "{kind}: {json}");
        }
        assert!(
            json["first_ms"].is_number() && json["faults"].is_array(),
            "{json}"
        );
    }

    #[test]
    fn a_map_without_room_is_an_error() {
        let full = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
        assert!(matches!(
            asked("ask-full", full),
            Err(BenchError::NoRoom(_))
        ));
    }
}
