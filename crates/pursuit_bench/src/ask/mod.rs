//! Queries to `Navigation`: how long each query takes in the calling thread, and whether the answers agree with the
//! answers to requests.

mod world;

use std::collections::BTreeMap;
use std::hint::black_box;

use bevy::app::App;
use bevy::ecs::system::RunSystemOnce;
use bevy::math::Vec2;
use bevy_pursuit::Navigation;
use clap::{Args, value_parser};
use serde_json::{Value, json};

use crate::cli::MapArgs;
use crate::clock::Clock;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS as RADIUS;
use crate::mapset;
use crate::numbers::at_least_one;
use crate::report::{Report, joined};
use world::{Pair, QuestionPoints, request};

/// The command line of the benchmark `ask`.
#[derive(Args, Clone, Debug)]
pub(crate) struct AskPlan {
    #[command(flatten)]
    pub(crate) common: MapArgs,
    /// Number of queries of each kind.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one())]
    pub(crate) questions: usize,
    /// Maximum distance between the two points of a query.
    #[arg(long, value_name = "CELLS", default_value_t = 160, value_parser = value_parser!(u32).range(1..=4096))]
    pub(crate) within: u32,
    /// How often all queries are repeated. The shortest time is reported.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one())]
    pub(crate) rounds: usize,
}

/// Maximum number of answers that are compared with the answers to requests.
const MAX_COMPARED_ANSWERS: usize = 1000;
/// Allowed rounding error of a sum of lengths, relative to the sum.
const LENGTH_TOLERANCE: f32 = 1e-4;

/// Makes the queries, and compares the answers with the answers to requests.
pub(crate) fn run(plan: &AskPlan) -> Result<Report, BenchError> {
    let MapArgs { map, seed, pools } = &plan.common;
    let grid = mapset::load_map(map)?;
    let points = QuestionPoints::new(&grid, *seed);
    let mut points = points.ok_or_else(|| BenchError::no_room(map))?;
    let mut app = world::build(pools, &grid)?;
    let pairs: Vec<Pair> = (0..plan.questions)
        .map(|_| points.pair(plan.within))
        .collect();
    // The second point of these pairs can be anywhere, even in a wall or behind one.
    let anywhere = pairs.iter().map(|&(from, _)| (from, points.any()));
    let anywhere: Vec<Pair> = anywhere.collect();
    let compared = pairs.iter().copied().take(MAX_COMPARED_ANSWERS.div_ceil(2));
    let compared: Vec<Pair> = compared
        .chain(anywhere.iter().copied().take(MAX_COMPARED_ANSWERS / 2))
        .collect();
    let rounds = plan.rounds;
    let measured = with(&mut app, move |ask| {
        measure(&ask, rounds, &pairs, &anywhere)
    })?;
    let answers = request(&mut app, &compared)?;
    let figures = json!({
        "map": mapset::file_name(map),
        "seed": seed,
        // Number of queries of each kind, and maximum distance between the two points of a query, in cells.
        "questions": plan.questions,
        "within": plan.within,
        // Number of answers that were compared with answers to requests, and number of these requests that found a
        // path.
        "compared": answers.len(),
        "compared_found": answers.iter().filter(|answer| answer.is_found).count(),
    });
    // A text for each answer that differs from the answer to a request.
    let faults: Vec<String> = with(&mut app, move |ask| {
        let both = compared.iter().zip(&answers);
        both.filter_map(|(pair, answer)| fault(&ask, *pair, answer))
            .collect()
    })?;
    let mut figures = joined(figures, measured);
    figures["faults"] = faults.clone().into();
    Ok(Report { figures, faults })
}

/// Runs a system with `Navigation` once in a game.
fn with<T: 'static>(
    app: &mut App,
    system: impl FnOnce(Navigation) -> T + Send + Sync + 'static,
) -> Result<T, BenchError> {
    let mut system = Some(system);
    let once = move |ask: Navigation| system.take().map(|system| system(ask));
    let done = app.world_mut().run_system_once(once);
    done.ok().flatten().ok_or_else(BenchError::no_answer)
}

/// A query about two points. Some kinds of queries use only the second point. Returns whether there was an answer.
type Question = fn(&Navigation, Pair) -> bool;

/// Number of kinds of queries whose two points usually have a path between them. These kinds come first in
/// [`QUESTION_KINDS`].
const PAIR_KINDS: usize = 3;

const QUESTION_KINDS: [(&str, Question); 5] = [
    ("distance", |ask, (from, to)| {
        ask.distance(from, to, RADIUS).is_ok()
    }),
    ("is_reachable", |ask, (from, to)| {
        ask.is_reachable(from, to, RADIUS).is_ok()
    }),
    ("line_of_sight", |ask, (from, to)| {
        ask.line_of_sight(from, to, RADIUS).is_ok()
    }),
    ("nearest_free", |ask, (_, to)| {
        ask.nearest_free(to, RADIUS).is_ok()
    }),
    ("what_blocks", |ask, (_, to)| {
        ask.what_blocks(to, RADIUS).is_ok()
    }),
];

fn measure(ask: &Navigation, rounds: usize, pairs: &[Pair], anywhere: &[Pair]) -> Value {
    let clock = Clock::calibrated(rounds);
    let first = pairs.first();
    let (_, first_us) = clock.time(|| first.map(|&(from, to)| ask.is_reachable(from, to, RADIUS)));
    let mut all_ms = BTreeMap::new();
    for (number, (kind, question)) in QUESTION_KINDS.into_iter().enumerate() {
        let about = if number < PAIR_KINDS { pairs } else { anywhere };
        let us = clock.time_all(|| {
            for pair in about {
                black_box(question(ask, *pair));
            }
        });
        all_ms.insert(kind, us / 1e3);
    }
    let distances = pairs
        .iter()
        .map(|(from, to)| ask.distance(*from, *to, RADIUS));
    let sum: f64 = distances.flatten().map(f64::from).sum();
    json!({
        // Time of the first query for a radius, and time of all queries of each kind, in milliseconds and in one
        // thread.
        "first_ms": first_us / 1e3,
        "all_ms": all_ms,
        // Mean of all distances, in cells.
        "mean_distance": sum / pairs.len().max(1) as f64,
    })
}

/// A text that says how the answers of `Navigation` differ from the answer to a request. `None` if they agree.
fn fault(ask: &Navigation, (from, to): Pair, answer: &world::RequestAnswer) -> Option<String> {
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

fn is_near(distance: f32, answer: &world::RequestAnswer, to: Vec2) -> bool {
    let legs = answer
        .waypoints
        .windows(2)
        .map(|leg| leg[0].distance(leg[1]));
    let rest = answer.waypoints.last().map_or(0.0, |end| end.distance(to));
    let length = legs.sum::<f32>() + rest;
    (distance - length).abs() <= LENGTH_TOLERANCE * length.max(1.0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{AskPlan, run};
    use crate::cli::MapArgs;
    use crate::tests::fixture::{Folder, HOUSE, common};

    pub(crate) fn plan(common: MapArgs) -> AskPlan {
        AskPlan {
            common,
            questions: 60,
            within: 8,
            rounds: 2,
        }
    }

    #[test]
    fn answers_to_questions_equal_answers_to_requests() {
        let folder = Folder::new("ask");
        let report = run(&plan(common(&folder, HOUSE, 1))).unwrap();
        assert_eq!(report.faults, [""; 0]);
        let figure = |key: &str| report.figures[key].as_f64();
        assert_eq!(
            (figure("questions"), figure("compared")),
            (Some(60.0), Some(120.0))
        );
        assert!(figure("compared_found") > Some(40.0), "{report:?}");
        assert!(figure("mean_distance") > Some(1.0), "{report:?}");
        let full = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
        assert!(run(&plan(common(&folder, full, 1))).is_err());
    }
}
