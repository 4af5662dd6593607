//! The comparison without a window.

use std::fmt::Write as _;

use pursuit::SearchScratch;
use pursuit_lab::recording::Recording;

use crate::cli::Options;
use crate::level::Level;
use crate::saved;
use crate::solve::{Gait, Method, Solved, solve};

/// What is asked for without a window, as text. A search that is to be saved is.
///
/// # Errors
///
/// Why there is nothing to tell, or why it cannot be saved.
pub(crate) fn report(
    options: &Options,
    level: &Level,
    recording: Option<&(Recording, Gait)>,
) -> Result<String, String> {
    if let Some((recording, gait)) = recording {
        if options.save.is_some() {
            return Err(
                "--save makes a search, and --recording tells of one that was saved".to_owned(),
            );
        }
        return Ok(saved::summary(recording, level, *gait));
    }
    if let Some(path) = &options.save {
        saved::solve_and_save(path, level, options.gait())?;
    }
    Ok(compare(level))
}

/// A* and Dijkstra's algorithm between the ends of a level, for each way to move.
fn compare(level: &Level) -> String {
    let [columns, rows, layers] = level.grid.size();
    let mut text = format!(
        "{}, {columns} x {rows} x {layers} cubes, from {} to {}\n\n{:<16}{:>9}{:>8}{:>11}{:>6}{:>10}\n",
        level.name,
        level.start,
        level.goal,
        "",
        "expanded",
        "pushed",
        "relaxed",
        "cost",
        "time, us"
    );
    let mut scratch = SearchScratch::new();
    for gait in Gait::ALL {
        let mut expanded = Vec::new();
        for method in Method::ALL {
            let name = format!("{}, {}", gait.name(), method.name());
            // Writing to a string cannot fail.
            let _ = match solve(level, gait, method, &mut scratch) {
                Ok(solved) => {
                    expanded.push(f64::from(solved.found.stats.expanded.max(1)));
                    write!(text, "{name:<16}{}", row(&solved))
                }
                Err(error) => writeln!(text, "{name:<16}{error}"),
            };
        }
        if let [led, other] = expanded[..] {
            let _ = writeln!(text, "{:<16}{:>8.1}x", "", other / led);
        }
    }
    text
}

fn row(solved: &Solved) -> String {
    let stats = solved.found.stats;
    format!(
        "{:>9}{:>8}{:>11}{:>6}{:>10.1}{}\n",
        stats.expanded,
        stats.pushed,
        solved.recording.counts().relaxed,
        solved.found.cost,
        solved.took.as_secs_f64() * 1e6,
        if solved.found.is_complete() {
            ""
        } else {
            "  goal not reached"
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_move_has_a_row_for_each_search() {
        let level = Level::parse("a", "S.#\n...\n\n..G\n...").expect("a level");
        let text = compare(&level);
        for gait in Gait::ALL {
            for method in Method::ALL {
                let name = format!("{}, {}", gait.name(), method.name());
                assert!(text.contains(&name), "{text}");
            }
        }
        assert!(!text.contains("not reached"), "{text}");
    }

    #[test]
    fn a_goal_that_no_walker_reaches_is_told() {
        let level = Level::parse("a", "S..\n\n...\n\n..G").expect("a level");
        let text = compare(&level);
        assert_eq!(text.matches("goal not reached").count(), 4, "{text}");
    }

    #[test]
    fn a_start_in_the_air_is_told_for_those_who_walk() {
        let level = Level::parse("a", "...\n\nS.G").expect("a level");
        let text = compare(&level);
        assert_eq!(text.matches("blocked").count(), 4, "{text}");
        assert!(
            text.contains("fly, A*") && !text.contains("not reached"),
            "{text}"
        );
    }
}
