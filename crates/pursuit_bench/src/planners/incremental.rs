//! D* Lite: what a kept tree spares a walker on maps with doors.

use pursuit::planners::Root;
use serde_json::{Value, json};

use super::doors::Where;
use super::ground::Kind;
use super::rows::Rows;
use super::walk::{Edit, Manner, walk};
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, Loaded, MapSet};
use crate::samples::Samples;

/// Walks each way on every map of a set, on even ground and on terrain.
pub(super) fn measure(set: &MapSet, every: usize, clock: &Clock) -> Result<Rows, BenchError> {
    let mut tallies: Vec<(Kind, Manner, Tally)> = Vec::new();
    for kind in Kind::ALL {
        for goal_moves in [false, true] {
            for root in [Root::Goal, Root::Start] {
                for doors in Where::ALL {
                    let manner = Manner {
                        root,
                        goal_moves,
                        doors,
                    };
                    tallies.push((kind, manner, Tally::default()));
                }
            }
        }
    }
    for path in set.maps.iter().step_by(every) {
        let walls = mapset::load(path, 1)?;
        for (kind, manner, tally) in &mut tallies {
            let map = Loaded {
                grid: kind.of(&walls.grid),
                queries: walls.queries.clone(),
            };
            let edits = walk(&map, *manner, clock);
            edits.iter().for_each(|edit| tally.note(edit));
        }
    }
    let mut rows = Rows::default();
    for (kind, manner, tally) in &tallies {
        rows.add(
            tally.row(&set.name, *kind, *manner),
            tally.fault(&set.name, *kind),
        );
    }
    Ok(rows)
}

#[derive(Default)]
struct Tally {
    times_fewer: Samples,
    expanded: [u64; 2],
    us: [f64; 3],
    untouched: usize,
    wrong: usize,
}

impl Tally {
    fn note(&mut self, edit: &Edit) {
        let [anew, kept] = edit.expanded;
        self.times_fewer
            .push(f64::from(anew) / f64::from(kept.max(1)));
        for (sum, expanded) in self.expanded.iter_mut().zip(edit.expanded) {
            *sum += u64::from(expanded);
        }
        for (sum, us) in self.us.iter_mut().zip(edit.us) {
            *sum += us;
        }
        self.untouched += usize::from(kept == 0);
        self.wrong += usize::from(edit.is_wrong);
    }

    fn row(&self, set: &str, ground: Kind, manner: Manner) -> Value {
        let p = |share| self.times_fewer.percentile(share).unwrap_or_default();
        let [anew, kept] = self.expanded;
        let [anew_us, kept_us, jump_us] = self.us;
        let is_at_start = matches!(manner.root, Root::Start);
        let times_faster = if kept_us > 0.0 {
            anew_us / kept_us
        } else {
            0.0
        };
        json!({
            "set": set,
            "ground": ground,
            // At which end the tree has its root.
            "root": if is_at_start { "start" } else { "goal" },
            "goal_moves": manner.goal_moves,
            "doors": manner.doors,
            // Doors that opened or closed.
            "edits": self.times_fewer.len(),
            // How many times as many cells A* expands from scratch, each time and all together.
            "times_fewer_p50": p(0.5),
            "times_fewer_p10": p(0.1),
            "times_fewer_sum": anew as f64 / kept.max(1) as f64,
            // How many times as long A* takes from scratch, over all of them.
            "times_faster": times_faster,
            // How many times as long as jump-point search the tree takes; none on terrain.
            "times_jump_point": (jump_us > 0.0).then(|| kept_us / jump_us),
            // Edits after which the tree expanded nothing.
            "untouched": self.untouched,
            // Answers that are not those of A*.
            "wrong": self.wrong,
        })
    }

    fn fault(&self, set: &str, ground: Kind) -> Option<String> {
        let wrong = self.wrong;
        (wrong > 0).then(|| format!("incremental on {set}, {ground:?}: {wrong} wrong paths"))
    }
}
