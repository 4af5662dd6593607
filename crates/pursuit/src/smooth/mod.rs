//! String pulling: turns a path over cells into a taut path of few straight lines.

mod ease;
#[cfg(test)]
#[path = "tests/naive.rs"]
mod naive;
mod room;
mod taut;

use std::ops::Range;

use glam::Vec2;

use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::Cell;
use crate::clearance::Clearance;
use crate::path::{exact_heading, on_the_way, steps};

pub use room::Room;
use taut::{Corner, End, Ends, PulledPath};

/// Number of cells at the beginning of the walk that are tried, one by one, for a line of sight from the start. At
/// the end of the walk, one cell more is tried for a line of sight to the goal.
const MAX_CELLS_TRIED: usize = 8;

/// Maximum rounding error of a number of steps.
const ROUNDING_STEPS: f32 = 1e-3;

/// Memory for pulling paths taut. Reuse it from one path to the next.
#[derive(Clone, Debug, Default)]
pub struct TautScratch {
    corners: Vec<Corner>,
}

impl TautScratch {
    /// Creates a scratch without allocating memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Pulls the path over `cells` taut for a disc of some radius, optionally with a margin. The result begins with
/// `start` and ends at `goal` or at the center of the last cell. It has as few and as short lines as the search
/// finds.
///
/// All positions are in cell space. `cells` must be a walk whose steps are safe for the disc, such as a path on
/// [`Clearance::walkable`] for its radius. Other walks may lead too close to walls. `cells` has either all cells
/// of the walk, or only the first one, the last one and those where the walk turns. In between, the walk runs
/// straight along a row, a column or a diagonal. `start` must be at or near the first cell.
///
/// Then every line of the result is safe: it has a proven [`line_of_sight`](crate::sight::line_of_sight) for the
/// radius, or it is part of a straight run of the walk. The only exception is the line from `start` to the first
/// center, if `start` sees no center. All lines except the first and the last are also proven for the margin,
/// wherever the walk has room.
///
/// The path ends at `goal` if one of the last cells sees it. Otherwise, and for `None`, the path ends at the
/// center of the last cell. The result is never longer than the path from `start` over the centers of all cells
/// to the same end. No corner of the result can be left out, since its two neighbors do not see each other. If
/// `cells` is empty, the result is `start`, followed by `goal` if `start` sees it.
///
/// A turn of the walk is left out if its neighbors see each other. Each remaining turn is moved closer to the
/// obstacles that it goes around, and is cut where there is room. So a corner of the result need not be a center.
/// On game maps this takes a few microseconds for 500 cells.
///
/// Once the scratch has grown, a call allocates only the result.
#[must_use]
pub fn taut_path(
    clearance: &Clearance,
    start: Vec2,
    cells: &[Cell],
    goal: Option<Vec2>,
    room: impl Into<Room>,
    scratch: &mut TautScratch,
) -> Vec<Vec2> {
    let (room, ends) = (room.into(), (start, goal));
    uncancelled(|cancel| pull(clearance, ends, cells, room, scratch, cancel))
}

/// Pulls a path taut, from a start to a goal.
pub(crate) fn pull(
    clearance: &Clearance,
    (start, goal): (Vec2, Option<Vec2>),
    cells: &[Cell],
    room: Room,
    scratch: &mut TautScratch,
    cancel: Cancel<'_>,
) -> Result<Vec<Vec2>, Cancelled> {
    let mut path = PulledPath {
        clearance,
        radius: room.radius,
        wanted: room.wanted(clearance),
        ends: Ends {
            start: End {
                point: start,
                room: room.at_start(clearance, start),
            },
            goal: goal.map(|goal| End {
                point: goal,
                room: room.at_goal(clearance, goal),
            }),
        },
        corners: &mut scratch.corners,
    };
    cancel.check()?;
    path.corners.clear();
    path.follow_walk(start, cells, goal);
    path.skip_turns(cancel)?;
    path.split_unseen(cancel)?;
    path.tighten(cancel)?;
    path.ease(cancel)?;
    Ok(path.points())
}

/// A walk that is cut short so that its last cell sees the goal:
///
/// ```text
///   given    o---o-----o       The last turn does not see the goal `G`, but the
///   walk     o---o--e          cell `e` before it does, so `e` is the `end`.
///                    \
///                     G
/// ```
struct WalkToGoal<'c> {
    /// The cells of the list that are part of the walk.
    cells: &'c [Cell],
    /// The last cell of the walk if it is not in `cells`.
    end: Option<Cell>,
    /// The goal, if there is a line of sight to it from the end of the walk.
    goal: Option<Vec2>,
}

impl PulledPath<'_> {
    /// The points of the path.
    fn points(&self) -> Vec<Vec2> {
        let mut points: Vec<Vec2> = self.corners.iter().map(|corner| corner.point).collect();
        // A walk that returns to a cell leaves lines of length zero.
        points.dedup();
        points
    }

    /// Appends the walk to the path, from turn to turn.
    fn follow_walk(&mut self, start: Vec2, cells: &[Cell], goal: Option<Vec2>) {
        self.append(start);
        let mut walk = self.walk_to_goal(start, cells, goal);
        if walk.goal.is_none()
            && let Some(end) = &mut self.ends.goal
            && end.drop_margin(self.radius)
        {
            walk = self.walk_to_goal(start, cells, goal);
        }
        let WalkToGoal { cells, end, goal } = walk;
        let mut entry = self.enter(start, cells, end, goal);
        if entry.is_none() && self.ends.start.drop_margin(self.radius) {
            entry = self.enter(start, cells, end, goal);
        }
        let (entered, cells) = entry.unwrap_or((None, cells));
        let first = cells.first().copied();
        let mut into = entered.zip(first).and_then(|(a, b)| exact_heading(a, b));
        for (i, &cell) in cells.iter().enumerate() {
            let next = cells.get(i + 1).copied().or(end);
            let onto = next.and_then(|next| exact_heading(cell, next));
            if into.is_none() || into != onto {
                self.append(cell.center());
            }
            into = onto;
        }
        for point in end.map(Cell::center).into_iter().chain(goal) {
            self.append(point);
        }
    }

    /// The walk up to the last cell that sees `goal`. Only the last few cells are tried. If the walk has only a few
    /// cells, `start` is tried as well. If no line of sight is found, the result is the whole walk without the goal.
    fn walk_to_goal<'c>(
        &self,
        start: Vec2,
        cells: &'c [Cell],
        goal: Option<Vec2>,
    ) -> WalkToGoal<'c> {
        let whole = WalkToGoal {
            cells,
            end: None,
            goal: None,
        };
        let Some(goal) = goal else {
            return whole;
        };
        let mut left = MAX_CELLS_TRIED + 1;
        let mut remaining = cells;
        while let [before @ .., last] = remaining {
            let from = before.last().copied();
            for cell in cells_up_to(from.unwrap_or(*last), *last).rev() {
                if left == 0 {
                    return whole;
                }
                left -= 1;
                if self.sees(cell.center(), goal) {
                    return WalkToGoal {
                        cells: before,
                        end: Some(cell),
                        goal: Some(goal),
                    };
                }
            }
            remaining = before;
        }
        if left > 0 && self.sees(start, goal) {
            return WalkToGoal {
                cells: &[],
                end: None,
                goal: Some(goal),
            };
        }
        whole
    }

    /// Tries the first few cells, and adds the first one that the start sees to the path. Returns this cell and the
    /// cells after it. If the walk has only a few cells, and the start sees the goal but none of the cells, the
    /// result has no cell and an empty list.
    fn enter<'c>(
        &mut self,
        start: Vec2,
        cells: &'c [Cell],
        end: Option<Cell>,
        goal: Option<Vec2>,
    ) -> Option<(Option<Cell>, &'c [Cell])> {
        let all = cells.iter().copied().chain(end);
        let mut from = None;
        let mut left = MAX_CELLS_TRIED;
        for (i, to) in all.enumerate() {
            for cell in cells_up_to(from.unwrap_or(to), to) {
                if left == 0 {
                    return None;
                }
                left -= 1;
                if self.sees(start, cell.center()) {
                    self.append(cell.center());
                    let remaining = cells.get(i + usize::from(cell == to)..);
                    return Some((Some(cell), remaining.unwrap_or(&[])));
                }
            }
            from = Some(to);
        }
        let sees_goal = left > 0 && goal.is_some_and(|goal| self.sees(start, goal));
        sees_goal.then_some((None, &[]))
    }

    /// Adds `point` to the path. The body must be able to walk there from the last point.
    fn append(&mut self, point: Vec2) {
        if self.corners.last().is_some_and(|last| last.point == point) {
            return;
        }
        self.corners.push(Corner {
            point,
            is_walked: true,
            is_needed: false,
            is_visited: false,
        });
    }

    /// Leaves out turns. From each turn that stays, the path goes on to a later turn in sight, or else to the next
    /// turn.
    fn skip_turns(&mut self, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let (mut kept, mut turn) = (0, 0);
        while turn + 1 < self.corners.len() {
            cancel.check()?;
            let from = self.point(kept);
            let later = turn + 1..self.corners.len();
            let seen = last_in_reach(later, |ahead| self.sees(from, self.point(ahead)));
            kept += 1;
            self.corners[kept] = Corner {
                is_walked: seen == turn + 1,
                ..self.corners[seen]
            };
            turn = seen;
        }
        self.corners.truncate(kept + 1);
        Ok(())
    }

    /// Splits the lines of the walk whose ends do not see each other. Only the middle of such a line, which neither
    /// end sees, stays part of the walk.
    fn split_unseen(&mut self, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let mut i = 1;
        while i < self.corners.len() {
            cancel.check()?;
            let (a, b) = (self.point(i - 1), self.point(i));
            if self.corners[i].is_walked && !self.sees(a, b) && i > 1 {
                i += self.split(i, a, b);
            }
            i += 1;
        }
        Ok(())
    }

    /// Splits the line from `a` to `b`, which ends at the corner `i`, into up to three lines. Returns the
    /// number of corners that were added.
    ///
    /// ```text
    ///   a-----+=====+---b     `a` sees as far as the first `+`, `b` as far as the second.
    /// ```
    fn split(&mut self, i: usize, a: Vec2, b: Vec2) -> usize {
        let delta = b - a;
        let steps = delta.abs().max_element().round();
        let seen = |from: Vec2, to: Vec2| {
            let fraction = self.visible_fraction(from, to);
            // The fraction is rounded down even if the visible part ends exactly at a center.
            (fraction * steps + ROUNDING_STEPS).floor()
        };
        let (first, last) = (seen(a, b), steps - seen(b, a));
        let mut added = 0;
        for step in [last, first] {
            if 0.0 < step && step < steps {
                let corner = Corner {
                    point: a + delta * (step / steps),
                    is_walked: true,
                    is_needed: true,
                    is_visited: true,
                };
                self.corners.insert(i, corner);
                added += 1;
            }
        }
        self.corners[i - 1].is_needed = false;
        self.corners[i + added].is_needed = false;
        added
    }
}

/// The last number in reach before the first one out of reach, if all after that are out of reach, else a number in
/// reach before one out of reach. The first number always counts as in reach. The search doubles its stride until it
/// meets a number out of reach, then it bisects.
pub(crate) fn last_in_reach(numbers: Range<usize>, is_in_reach: impl Fn(usize) -> bool) -> usize {
    let (mut inside, mut outside, mut stride) = (numbers.start, numbers.end, 1);
    while inside + 1 < outside {
        let ahead = if stride > 0 {
            (inside + stride).min(outside - 1)
        } else {
            inside.midpoint(outside)
        };
        match is_in_reach(ahead) {
            true => (inside, stride) = (ahead, stride * 2),
            false => (outside, stride) = (ahead, 0),
        }
    }
    inside
}

/// The cells along a row, a column or a diagonal after `from`, up to and including `to`. If both cells are the same,
/// or no such line joins them, the only cell is `to`.
fn cells_up_to(from: Cell, to: Cell) -> impl DoubleEndedIterator<Item = Cell> {
    let last = steps(from, to);
    let first = match exact_heading(from, to) {
        Some(_) => last.min(1),
        None => last,
    };
    (first..=last).map(move |step| on_the_way(from, to, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::NEIGHBORS;
    use crate::maps::parse_ascii;
    use crate::random::{any_cell, each_case};
    use crate::search::oracle::cases;
    use crate::sight::line_of_sight;
    use crate::smooth::naive::{each_ground, path, points};

    const CASES: u16 = 3000;

    /// Pulls the walk over the marks `a`, `b`, `c` and so on of a map. `expected` marks the corners of the
    /// taut path in the same way.
    #[track_caller]
    fn check(map: &str, radius: f32, expected: &str) {
        let marks = |text: &str| {
            let map = parse_ascii(text).unwrap();
            ('a'..='z')
                .map_while(|mark| map.find(mark))
                .collect::<Vec<Cell>>()
        };
        let field = Clearance::from_grid(&parse_ascii(map).unwrap().grid, 4.0);
        let cells = marks(map);
        let start = cells[0].center();
        let path = taut_path(&field, start, &cells, None, radius, &mut TautScratch::new());
        let corners: Vec<Vec2> = marks(expected).into_iter().map(Cell::center).collect();
        assert_eq!(path, corners);
    }

    #[test]
    fn turns_whose_neighbors_see_each_other_are_left_out() {
        check("a...b\n.....\n....c", 0.4, "a....\n.....\n....b");
        check("a.b..\n..c.d\n....e", 0.4, "a....\n.....\n....b");
    }

    #[test]
    fn a_walk_that_returns_to_a_place_has_no_line_without_length() {
        let map = parse_ascii("...#...\n.......\n...#...").unwrap();
        let field = Clearance::from_grid(&map.grid, 4.0);
        for (walk, expected) in [
            (&[(0, 1), (2, 1), (0, 1)][..], &[(0, 1)][..]),
            (&[(0, 0), (0, 2), (2, 2), (0, 0)], &[(0, 0)]),
            (&[(0, 1), (0, 0), (0, 1), (5, 1)], &[(0, 1), (5, 1)]),
        ] {
            let [walk, expected] = [walk, expected].map(|cells| {
                let cells = cells.iter().copied();
                cells.map(Cell::from).collect::<Vec<_>>()
            });
            let start = walk[0].center();
            let path = taut_path(&field, start, &walk, None, 0.4, &mut TautScratch::new());
            let expected: Vec<Vec2> = expected.into_iter().map(Cell::center).collect();
            assert_eq!(path, expected, "{walk:?}");
        }
    }

    #[test]
    fn a_turn_in_a_corridor_as_wide_as_the_body_stays() {
        check("a.b\n##.\n##c", 0.5, "a.b\n##.\n##c");
    }

    #[test]
    fn follow_walk_keeps_only_the_turns_of_a_walk() {
        // From the start: three cells to the right, two down, two diagonally.
        let field = Clearance::open(8, 8, 4.0).unwrap();
        let cells = [
            (0, 0),
            (1, 0),
            (2, 0),
            (3, 0),
            (3, 1),
            (3, 2),
            (4, 3),
            (5, 4),
        ]
        .map(Cell::from);
        let turns = [(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (5.0, 4.0)].map(Vec2::from);
        let mut corners = Vec::new();
        let mut path = path(&field, 0.4, &mut corners, &[]);
        path.follow_walk(turns[0], &cells, None);
        let points = points(&path);
        assert_eq!(points, turns);
    }

    #[test]
    fn cells_up_to_agrees_with_a_walk_step_by_step() {
        each_case(CASES, |rng| {
            let mut cell = || Cell::new(rng.i32(-9..9), rng.i32(-9..9));
            let (from, to) = (cell(), cell());
            let mut expected = vec![to];
            for (dx, dy) in NEIGHBORS {
                let run: Vec<Cell> = (1..20).map(|k| from.offset(k * dx, k * dy)).collect();
                if let Some(last) = run.iter().position(|&cell| cell == to) {
                    expected = run[..=last].to_vec();
                    assert_eq!(exact_heading(from, to), Some((dx, dy)));
                }
            }
            let has_run =
                expected.len() > 1 || (to.x - from.x).abs().max((to.y - from.y).abs()) == 1;
            assert_eq!(exact_heading(from, to).is_some(), has_run || from == to);
            assert!(cells_up_to(from, to).eq(expected.iter().copied()));
            assert!(cells_up_to(from, to).rev().eq(expected.into_iter().rev()));
        });
    }

    /// The search stops before a turn out of sight. If turns in sight follow later, it need not find them. If all
    /// later turns are out of sight, it finds the last turn in sight.
    #[test]
    fn farthest_seen_finds_a_turn_in_sight_before_one_out_of_sight() {
        let mut skipped = 0;
        each_ground(CASES, |rng, grid, mut path| {
            let (field, radius) = (path.clearance, path.radius);
            for _ in 0..rng.usize(2..20) {
                path.append(any_cell(rng, grid).center());
            }
            let count = path.corners.len();
            if count < 2 {
                return;
            }
            let from = rng.usize(0..count - 1);
            let sees = |i: usize| line_of_sight(field, path.point(from), path.point(i), radius);
            let found = last_in_reach(from + 1..count, sees);
            assert!(from < found && found < count);
            assert!(found == from + 1 || sees(found));
            assert!(found + 1 == count || !sees(found + 1));
            let first_unseen = (from + 2..count).find(|&i| !sees(i)).unwrap_or(count);
            if (first_unseen..count).all(|i| !sees(i)) {
                assert_eq!(found, first_unseen - 1);
                skipped += usize::from(found > from + 2);
            }
        });
        assert!(
            skipped > cases(100),
            "too few searches skip turns: {skipped}"
        );
    }

    #[test]
    fn the_path_continues_at_the_turn_that_farthest_seen_finds() {
        each_ground(CASES, |rng, grid, mut path| {
            for _ in 0..rng.usize(1..20) {
                path.append(any_cell(rng, grid).center());
            }
            let walk = points(&path);
            uncancelled(|cancel| path.skip_turns(cancel));
            let mut turn = 0;
            assert_eq!(path.point(0), walk[0]);
            for i in 1..path.corners.len() {
                let expected = path.farthest_seen_of(&walk, turn);
                assert_eq!(path.point(i), walk[expected]);
                assert_eq!(path.corners[i].is_walked, expected == turn + 1);
                turn = expected;
            }
            assert_eq!(
                turn,
                walk.len() - 1,
                "the path must end where the walk ends"
            );
        });
    }

    impl PulledPath<'_> {
        /// The turn at which the path continues after `turn`, found on a copy of the walk.
        fn farthest_seen_of(&self, walk: &[Vec2], turn: usize) -> usize {
            let mut corners = Vec::new();
            let path = path(self.clearance, self.radius, &mut corners, walk);
            last_in_reach(turn + 1..walk.len(), |to| path.sees(walk[turn], walk[to]))
        }
    }

    #[test]
    fn a_line_is_split_at_the_last_whole_step_that_each_end_sees() {
        let mut counts = [0; 3];
        each_ground(CASES, |rng, grid, mut path| {
            let (field, radius) = (path.clearance, path.radius);
            let from = any_cell(rng, grid);
            let (dx, dy) = [(1, 0), (0, 1), (1, 1), (-1, 1)][rng.usize(0..4)];
            let run = (0..rng.i32(2..16)).map(|k| from.offset(k * dx, k * dy));
            let run: Vec<Vec2> = run
                .take_while(|&cell| grid.rect().contains(cell))
                .map(Cell::center)
                .collect();
            let sees = |a: usize, b: usize| line_of_sight(field, run[a], run[b], radius);
            if run.len() < 2 || sees(0, run.len() - 1) {
                return;
            }
            let last = run.len() - 1;
            path.append(run[0]);
            path.append(run[last]);
            let added = path.split(1, run[0], run[last]);
            counts[added] += 1;
            let points = points(&path);
            // The expected split, found step by step from both ends.
            let seen = (1..=last).take_while(|&i| sees(0, i)).count();
            let unseen = (0..last).rev().take_while(|&i| sees(i, last)).count();
            let mut expected = vec![run[0], run[last]];
            expected.insert(1, run[last - unseen]);
            expected.insert(1, run[seen]);
            let is_sorted = seen < last - unseen;
            expected.dedup();
            assert!(
                !is_sorted || points == expected,
                "{points:?}, not {expected:?} for {radius}"
            );
            assert!(
                path.corners[1..=added]
                    .iter()
                    .all(|corner| corner.is_walked)
            );
        });
        assert!(counts.into_iter().min() > Some(cases(20)), "{counts:?}");
    }

    #[test]
    fn a_walk_ends_at_the_last_cell_that_sees_the_goal_among_a_few() {
        let mut found = [0; 2];
        each_ground(CASES, |rng, grid, mut path| {
            let (field, radius) = (path.clearance, path.radius);
            let turns: Vec<Cell> = (0..rng.usize(1..7)).map(|_| any_cell(rng, grid)).collect();
            let goal = any_cell(rng, grid).center() + Vec2::new(0.25, 0.0);
            let goal = goal.min(Vec2::new(grid.width() as f32, grid.height() as f32) - 0.75);
            let start = turns[0].center();
            let mut walk = vec![turns[0]];
            for ends in turns.windows(2) {
                walk.extend(cells_up_to(ends[0], ends[1]));
            }
            let sees = |cell: &&Cell| line_of_sight(field, cell.center(), goal, radius);
            let last = walk
                .iter()
                .rev()
                .take(MAX_CELLS_TRIED + 1)
                .find(sees)
                .copied();
            let cut = path.walk_to_goal(start, &turns, Some(goal));
            assert_eq!(cut.end, last, "{turns:?} to {goal}");
            assert_eq!(cut.goal, last.map(|_| goal));
            assert!(turns.starts_with(cut.cells));
            found[usize::from(last.is_some())] += 1;

            let entered = path.enter(start, &turns[1..], None, None);
            let sees = |cell: &Cell| line_of_sight(field, start, cell.center(), radius);
            let direct = turns.get(1).copied();
            // The cells on the line from the start to the first turn are not tried, but the turn itself is.
            let run = turns
                .get(..2)
                .map_or(0, |ends| cells_up_to(ends[0], ends[1]).count());
            let after = walk[1..]
                .iter()
                .copied()
                .skip(run)
                .take(MAX_CELLS_TRIED - 1);
            let expected = direct.into_iter().chain(after).find(sees);
            assert_eq!(entered.and_then(|(cell, _)| cell), expected, "{turns:?}");
        });
        assert!(found.into_iter().min() > Some(cases(300)), "{found:?}");
    }
}
