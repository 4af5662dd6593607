//! D* Lite: what a kept tree spares a walker on maps with doors.

use pursuit::planners::Root;
use serde::Serialize;

use super::doors::Where;
use super::ground::Kind;
use super::walk::{Edit, Manner, walk};
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, Loaded, MapSet};
use crate::samples::Samples;

/// Figures of one set of maps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct IncrementalRow {
    pub(crate) set: String,
    pub(crate) ground: Kind,
    /// At which end the tree has its root.
    pub(crate) root: &'static str,
    pub(crate) goal_moves: bool,
    pub(crate) doors: Where,
    /// Doors that opened or closed.
    pub(crate) edits: usize,
    /// How many times as many cells A* expands from scratch, each time.
    pub(crate) times_fewer_p50: f64,
    pub(crate) times_fewer_p10: f64,
    /// The same of all of them together.
    pub(crate) times_fewer_sum: f64,
    /// How many times as long A* takes from scratch, over all of them.
    pub(crate) times_faster: f64,
    /// How many times as long as jump-point search the tree takes, over all of them; none on terrain.
    pub(crate) times_jump_point: Option<f64>,
    /// Edits after which the tree expanded nothing.
    pub(crate) untouched: usize,
    /// Answers that are not those of A*.
    pub(crate) wrong: usize,
}

impl IncrementalRow {
    /// What should not have happened.
    pub(super) fn fault(&self) -> Option<String> {
        let (set, ground, wrong) = (&self.set, self.ground.name(), self.wrong);
        (wrong > 0).then(|| format!("incremental on {set}, {ground}: {wrong} wrong paths"))
    }
}

/// Walks each way on every map of a set, on even ground and on terrain.
///
/// # Errors
/// Files that can't be read, or are malformed.
pub(super) fn measure(
    set: &MapSet,
    every: usize,
    clock: &Clock,
) -> Result<Vec<IncrementalRow>, BenchError> {
    let mut tallies: Vec<(Kind, Manner, Tally)> = Vec::new();
    for kind in Kind::ALL {
        for goal_moves in [false, true] {
            for (root, doors) in [Root::Goal, Root::Start]
                .into_iter()
                .flat_map(|root| Where::ALL.map(|doors| (root, doors)))
            {
                let manner = Manner {
                    root,
                    goal_moves,
                    doors,
                };
                tallies.push((kind, manner, Tally::default()));
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
    let rows = tallies.iter();
    Ok(rows
        .map(|(kind, manner, tally)| tally.row(&set.name, *kind, *manner))
        .collect())
}

/// Figures while they come in.
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

    fn row(&self, set: &str, ground: Kind, manner: Manner) -> IncrementalRow {
        let p = |share| self.times_fewer.percentile(share).unwrap_or_default();
        let [anew, kept] = self.expanded;
        let [anew_us, kept_us, jump_us] = self.us;
        IncrementalRow {
            set: set.to_string(),
            ground,
            root: match manner.root {
                Root::Start => "start",
                _ => "goal",
            },
            goal_moves: manner.goal_moves,
            doors: manner.doors,
            edits: self.times_fewer.len(),
            times_fewer_p50: p(0.5),
            times_fewer_p10: p(0.1),
            times_fewer_sum: anew as f64 / kept.max(1) as f64,
            times_faster: if kept_us > 0.0 {
                anew_us / kept_us
            } else {
                0.0
            },
            times_jump_point: (jump_us > 0.0).then(|| kept_us / jump_us),
            untouched: self.untouched,
            wrong: self.wrong,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, Manner, Tally};
    use crate::planners::doors::Where;
    use crate::planners::ground::Kind;
    use pursuit::planners::Root;

    #[test]
    fn ratios_are_of_a_star_to_the_tree_and_a_tree_that_does_nothing_counts_as_one_cell() {
        let mut tally = Tally::default();
        let edit = |expanded, us, is_wrong| Edit {
            expanded,
            us,
            is_wrong,
        };
        for one in [
            edit([100, 50], [8.0, 2.0, 1.0], false),
            edit([300, 0], [4.0, 1.0, 2.0], false),
            edit([200, 50], [0.0, 1.0, 5.0], true),
        ] {
            tally.note(&one);
        }
        let manner = Manner {
            root: Root::Start,
            goal_moves: true,
            doors: Where::OnPath,
        };
        let row = tally.row("set", Kind::Even, manner);
        let ratios = [
            row.times_fewer_p10,
            row.times_fewer_p50,
            row.times_fewer_sum,
        ];
        assert_eq!(ratios, [2.0, 4.0, 6.0]);
        assert_eq!((row.times_faster, row.times_jump_point), (3.0, Some(0.5)));
        assert_eq!((row.edits, row.untouched, row.wrong), (3, 1, 1));
        assert_eq!(row.root, "start");
        assert!(row.fault().unwrap().contains("1 wrong"));
    }

    #[test]
    fn without_doors_there_is_nothing_to_say() {
        let manner = Manner {
            root: Root::Goal,
            goal_moves: false,
            doors: Where::Anywhere,
        };
        let row = Tally::default().row("set", Kind::Terrain, manner);
        assert_eq!(
            (row.edits, row.times_faster, row.times_jump_point),
            (0, 0.0, None)
        );
        assert_eq!(row.fault(), None);
    }
}
