//! The comparisons without a window.

use std::fs;

use pursuit::Recording;
use pursuit::SearchScratch;

use crate::cli::Options;
use crate::problem::Problem;
use crate::saved;
use crate::settings::{Method, Settings};
use crate::solve::{measure, record};
use crate::table::{Table, in_steps};

/// What is asked for without a window, as text. Files that are asked for are saved.
pub(crate) fn report<P: Problem>(
    options: &Options,
    problem: &P,
    settings: &Settings,
    recording: Option<&Recording>,
) -> Result<String, String> {
    if let Some(recording) = recording {
        if options.csv.is_some() || options.save.is_some() {
            return Err("--csv and --save need a search, and --recording is one".to_owned());
        }
        return Ok(saved::summary(problem, recording));
    }
    if let Some(path) = &options.save {
        let scratch = &mut SearchScratch::new();
        let recording = record(problem, options.left, settings, scratch)?;
        saved::save(path, &recording, problem)?;
    }
    let table = if options.starts > 0 {
        starts(problem, settings, (options.starts, options.seed))?
    } else {
        Table::of_variants(problem, settings).with_tables(problem, settings)
    };
    if let Some(path) = &options.csv {
        fs::write(path, table.csv()).map_err(|error| saved::about(path, error))?;
    }
    let rules = P::RULES.iter().map(|&rule| {
        let (.., name) = rule.key();
        format!("{name}: {}", settings.value(rule))
    });
    let (rules, [start, goal]) = (rules.collect::<Vec<_>>().join("; "), problem.ends());
    let (name, size, text) = (problem.name(), problem.size(), table.text());
    Ok(format!(
        "{name}, {size}, from {start} to {goal}\n{rules}\n\n{text}"
    ))
}

/// A* and Dijkstra to the goal from so many start points, drawn by lot by a seed; fewer where there are fewer. The last row
/// has the means.
fn starts<P: Problem>(
    problem: &P,
    settings: &Settings,
    (count, seed): (usize, u64),
) -> Result<Table, String> {
    let [_, goal] = problem.ends();
    let mut places = problem.places(settings);
    places.retain(|place| *place != goal);
    let places = fastrand::Rng::with_seed(seed).choose_multiple(places, count);
    let axes = P::coordinates(goal).into_iter();
    let mut header: Vec<String> = axes.map(|(axis, _)| format!("start_{axis}")).collect();
    header.push("cost".to_owned());
    for name in ["a_star", "dijkstra"] {
        let columns = ["us", "expanded", "visited", "open"];
        header.extend(columns.map(|column| format!("{name}_{column}")));
    }
    header.push("visited_ratio".to_owned());
    let (mut rows, mut sums) = (vec![header], [0.0; 9]);
    let row = |at: Vec<String>, figures: [f64; 9]| {
        let [cost, figures @ ..] = figures.map(|figure| format!("{figure:.1}"));
        let ratio =
            figures[6].parse().unwrap_or(0.0) / figures[2].parse().unwrap_or(1.0_f64).max(1.0);
        let row = at.into_iter().chain([cost]).chain(figures);
        row.chain([format!("{ratio:.2}")]).collect::<Vec<_>>()
    };
    let scratch = &mut SearchScratch::new();
    for &start in &places {
        let mut problem = problem.clone();
        problem.set_ends([start, goal]);
        let mut figures = Vec::with_capacity(9);
        for method in [Method::AStar, Method::Dijkstra] {
            let found = measure(&problem, method, settings, scratch)?;
            if figures.is_empty() {
                figures.push(in_steps(found.end.cost, P::STRAIGHT));
            }
            let counts = [found.end.expanded as usize, found.visited, found.open];
            figures.push(found.micros());
            figures.extend(counts.map(|count| count as f64));
        }
        let figures: [f64; 9] = figures
            .try_into()
            .expect("invariant: a cost and two times four");
        sums.iter_mut()
            .zip(figures)
            .for_each(|(sum, figure)| *sum += figure);
        let at = P::coordinates(start)
            .into_iter()
            .map(|(_, at)| at.to_string());
        rows.push(row(at.collect(), figures));
    }
    let mut mean = vec![String::new(); P::coordinates(goal).len()];
    mean[0] = "mean".to_owned();
    rows.push(row(mean, sums.map(|sum| sum / places.len().max(1) as f64)));
    Ok(Table(rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::board::Board;

    #[test]
    fn start_points_can_reach_the_goal_and_are_those_of_the_seed() {
        let board = Board::read("a", "S..#....\n...#....\n..G#....\n").expect("a map");
        let draw = |count| {
            let table = starts(&board, &Settings::default(), (count, 3)).expect("answers");
            let rows = &table.0[1..table.0.len() - 1];
            let starts = rows.iter().map(|row| [row[0].clone(), row[1].clone()]);
            starts.collect::<Vec<_>>()
        };
        assert_eq!(draw(20).len(), 8, "as many as there are");
        assert!(draw(5).iter().all(|[x, _]| ["0", "1", "2"].contains(&&**x)));
        assert_eq!(draw(5), draw(5));
    }
}
