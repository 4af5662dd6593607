//! Taut paths (string pulling): a path over cells becomes a path of few straight lines.

mod ease;
mod room;
mod taut;

use glam::Vec2;

use crate::cell::Cell;
use crate::clearance::Clearance;
use crate::sight::visible_fraction;

pub use room::Room;
use taut::{Corner, End, Ends, TautPath};

/// How many cells from an end of the path are looked at one by one, where the end itself is out of
/// sight.
const LOOK_AROUND: usize = 8;

/// Memory for taut paths, to be used again from one to the next.
#[derive(Clone, Debug, Default)]
pub struct TautScratch {
    corners: Vec<Corner>,
}

impl TautScratch {
    /// Holds no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The path over `cells` pulled taut for a disc of some radius, with a margin or without: from `start`,
/// which is first in the result, by as few and short lines as are found, to `goal` or the last cell's
/// center.
///
/// All positions are in cell space. `cells` is a walk by steps that are safe for the disc, as a path on
/// [`Clearance::walkable`] of that radius is; others may lead too near to walls. It comes with all
/// its cells or only the first, the last, and those where it turns: from each to the next the walk
/// goes straight along a row, a column or a diagonal. `start` is at or near the first one. Then every
/// line of the result is safe: it has a proven [`line_of_sight`](crate::sight::line_of_sight) for the
/// radius, or is part of a straight run of the steps given. The one exception is the way from `start` to
/// the first center, if from there no center is in sight. Between the first and the last line, lines are
/// proven for the margin too, where the walk has room.
///
/// `goal` ends the path if it is in sight of one of the last cells; otherwise, and for `None`, the
/// path ends at the last cell's center. The result is never longer than the way from `start` over
/// all centers to its end. No corner of it can be left out: the corners before and after any corner
/// do not see each other. Without cells it is `start`, and `goal` if that is in sight.
///
/// Turns of the walk whose neighbors see each other are left out. Those that remain are moved to where
/// the lines that touch what stands between their neighbors meet, and cut short where there is room: a
/// corner of the result need not be a center. On game maps that takes some microseconds for 500 cells.
///
/// Nothing but the result is allocated once the scratch has grown.
#[must_use]
pub fn taut_path(
    clearance: &Clearance,
    start: Vec2,
    cells: &[Cell],
    goal: Option<Vec2>,
    room: impl Into<Room>,
    scratch: &mut TautScratch,
) -> Vec<Vec2> {
    let room = room.into();
    let mut path = TautPath {
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
    path.corners.clear();
    path.lay(start, cells, goal);
    path.leave_out_turns();
    path.split_unseen();
    path.tighten();
    path.ease();
    path.corners.iter().map(|corner| corner.point).collect()
}

/// A walk whose end is in sight of the goal, if there is one: the cells of the list that remain, and one more
/// that was not in it.
struct Cut<'c> {
    cells: &'c [Cell],
    end: Option<Cell>,
    goal: Option<Vec2>,
}

impl TautPath<'_> {
    /// Lays the path along the walk, from turn to turn.
    fn lay(&mut self, start: Vec2, cells: &[Cell], goal: Option<Vec2>) {
        self.go_to(start);
        let mut cut = self.cut_off_end(start, cells, goal);
        if cut.goal.is_none()
            && let Some(end) = &mut self.ends.goal
            && end.drop_margin(self.radius)
        {
            cut = self.cut_off_end(start, cells, goal);
        }
        let Cut { cells, end, goal } = cut;
        let mut entry = self.enter(start, cells, end, goal);
        if entry.is_none() && self.ends.start.drop_margin(self.radius) {
            entry = self.enter(start, cells, end, goal);
        }
        let (entered, cells) = entry.unwrap_or((None, cells));
        let first = cells.first().copied();
        let mut into = entered.zip(first).and_then(|(a, b)| direction(a, b));
        for (i, &cell) in cells.iter().enumerate() {
            let next = cells.get(i + 1).copied().or(end);
            let onto = next.and_then(|next| direction(cell, next));
            if into.is_none() || into != onto {
                self.go_to(cell.center());
            }
            into = onto;
        }
        for point in end.map(Cell::center).into_iter().chain(goal) {
            self.go_to(point);
        }
    }

    /// Where the walk ends if it is to go on to `goal`: at the last cell, or one of few before it,
    /// that sees it.
    fn cut_off_end<'c>(&self, start: Vec2, cells: &'c [Cell], goal: Option<Vec2>) -> Cut<'c> {
        let whole = Cut {
            cells,
            end: None,
            goal: None,
        };
        let Some(goal) = goal else {
            return whole;
        };
        let mut left = LOOK_AROUND + 1;
        let mut rest = cells;
        while let [before @ .., last] = rest {
            let from = before.last().copied();
            for cell in leg(from.unwrap_or(*last), *last).rev() {
                if left == 0 {
                    return whole;
                }
                left -= 1;
                if self.sees(cell.center(), goal) {
                    return Cut {
                        cells: before,
                        end: Some(cell),
                        goal: Some(goal),
                    };
                }
            }
            rest = before;
        }
        if left > 0 && self.sees(start, goal) {
            return Cut {
                cells: &[],
                end: None,
                goal: Some(goal),
            };
        }
        whole
    }

    /// Goes from the start to the first cell in sight, if there is one near. Gives that cell, and the cells
    /// after it; no cell if the goal comes first.
    fn enter<'c>(
        &mut self,
        start: Vec2,
        cells: &'c [Cell],
        end: Option<Cell>,
        goal: Option<Vec2>,
    ) -> Option<(Option<Cell>, &'c [Cell])> {
        let all = cells.iter().copied().chain(end);
        let mut from = None;
        let mut left = LOOK_AROUND;
        for (i, to) in all.enumerate() {
            for cell in leg(from.unwrap_or(to), to) {
                if left == 0 {
                    return None;
                }
                left -= 1;
                if self.sees(start, cell.center()) {
                    self.go_to(cell.center());
                    let rest = cells.get(i + usize::from(cell == to)..);
                    return Some((Some(cell), rest.unwrap_or(&[])));
                }
            }
            from = Some(to);
        }
        let sees_goal = left > 0 && goal.is_some_and(|goal| self.sees(start, goal));
        sees_goal.then_some((None, &[]))
    }

    /// Goes on to `point`, which may be walked to from the last one.
    fn go_to(&mut self, point: Vec2) {
        if self.corners.last().is_some_and(|last| last.point == point) {
            return;
        }
        self.corners.push(Corner {
            point,
            is_walked: true,
            is_needed: false,
            is_tight: false,
        });
    }

    /// Leaves out turns: from each that stays, the path goes on to one that it sees.
    fn leave_out_turns(&mut self) {
        let (mut kept, mut turn) = (0, 0);
        while turn + 1 < self.corners.len() {
            let seen = self.farthest_seen(self.point(kept), turn + 1);
            kept += 1;
            self.corners[kept] = Corner {
                is_walked: seen == turn + 1,
                ..self.corners[seen]
            };
            turn = seen;
        }
        self.corners.truncate(kept + 1);
    }

    /// A turn far on that a point sees: looked for in strides that double, then by halves. `next` may be
    /// walked to, seen or not.
    fn farthest_seen(&self, from: Vec2, next: usize) -> usize {
        let (mut seen, mut unseen) = (next, self.corners.len());
        let mut stride = 1;
        while seen + 1 < unseen {
            let ahead = if stride > 0 {
                (seen + stride).min(unseen - 1)
            } else {
                seen.midpoint(unseen)
            };
            if self.sees(from, self.point(ahead)) {
                seen = ahead;
                stride *= 2;
            } else {
                unseen = ahead;
                stride = 0;
            }
        }
        seen
    }

    /// Splits the parts of the walk that are not in sight as a whole, so that as little as may be is
    /// held by them.
    fn split_unseen(&mut self) {
        let mut i = 1;
        while i < self.corners.len() {
            let (a, b) = (self.point(i - 1), self.point(i));
            if self.corners[i].is_walked && !self.sees(a, b) && i > 1 {
                i += self.split(i, a, b);
            }
            i += 1;
        }
    }

    /// Splits the line from `a` to `b`, which ends at a corner, in up to three. Gives the number of
    /// corners that were added.
    fn split(&mut self, i: usize, a: Vec2, b: Vec2) -> usize {
        let way = b - a;
        let steps = way.abs().max_element().round();
        let seen = |from: Vec2, to: Vec2| {
            let fraction = visible_fraction(self.clearance, from, to, self.wanted);
            (fraction * steps).floor()
        };
        let (first, last) = (seen(a, b), steps - seen(b, a));
        let mut added = 0;
        for step in [last, first] {
            if 0.0 < step && step < steps {
                let corner = Corner {
                    point: a + way * (step / steps),
                    is_walked: true,
                    is_needed: true,
                    is_tight: true,
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

/// The cells after `from` up to `to`: only the last one where the way between is neither straight nor
/// diagonal, or there is none.
fn leg(from: Cell, to: Cell) -> impl DoubleEndedIterator<Item = Cell> {
    let (dx, dy) = direction(from, to).unwrap_or((0, 0));
    let [x, y] = way(from, to).map(i32::saturating_abs);
    let count = if (dx, dy) == (0, 0) { 1 } else { x.max(y) };
    (1..=count).map(move |k| to.offset(dx * (k - count), dy * (k - count)))
}

/// Signs of the way between two cells, if it is straight or diagonal.
fn direction(from: Cell, to: Cell) -> Option<(i32, i32)> {
    let [dx, dy] = way(from, to);
    let is_straight = dx == 0 || dy == 0 || dx.saturating_abs() == dy.saturating_abs();
    is_straight.then_some((dx.signum(), dy.signum()))
}

fn way(from: Cell, to: Cell) -> [i32; 2] {
    [to.x.saturating_sub(from.x), to.y.saturating_sub(from.y)]
}
