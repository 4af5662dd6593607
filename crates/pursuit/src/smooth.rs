//! String pulling: a path over cells becomes a path of few straight lines.

use std::ops::RangeInclusive;

use glam::Vec2;

use crate::cell::Cell;
use crate::clearance::Clearance;
use crate::sight::{clear_fraction, line_of_sight, visible_fraction};

/// How many cells from an end of the path are looked at one by one, where the end itself is out of
/// sight.
const LOOK_AROUND: usize = 8;

/// By how much a change has to shorten the way over a corner to be looked into: a share of that way, and
/// in cells.
const GAIN_SHARE: f32 = 4e-3;
const GAIN: f32 = 0.1;

/// How far from a corner the first look is taken, in cells.
const FIRST_LOOK: f32 = 1.0;

/// What stands this near to a corner, in cells, is what it turns around.
const NEAR: f32 = 1.5;

/// Memory for pulling strings, to be used again from one to the next.
#[derive(Clone, Debug, Default)]
pub struct StringScratch {
    corners: Vec<Corner>,
}

impl StringScratch {
    /// Holds no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The path over `cells` pulled taut for a disc of `radius` cells: from `start`, which is first in
/// the result, by as few and short lines as are found, to `goal` or the last cell's center.
///
/// All positions are in cell space. `cells` is a walk by steps that are safe for the disc, as a path on
/// [`Clearance::walkable`] of that radius is; others may lead too near to walls. It comes with all
/// its cells or only the first, the last, and those where it turns: from each to the next the walk
/// goes straight along a row, a column or a diagonal. `start` is at or near the first one. Then every
/// line of the result is safe: it has a proven [`line_of_sight`], or is part of a straight run of the
/// steps given. The one exception is the way from `start` to the first center, if from there no center
/// is in sight.
///
/// `goal` ends the path if it is in sight of one of the last cells; otherwise, and for `None`, the
/// path ends at the last cell's center. The result is never longer than the way from `start` over
/// all centers to its end. No corner of it can be left out: the corners before and after any corner
/// do not see each other. Without cells it is `start`, and `goal` if that is in sight.
///
/// Turns of the walk whose neighbors see each other are left out. Those that remain are moved to where
/// the lines that touch what stands between their neighbors meet, and cut short where there is room: a
/// corner of the result need not be a center. On game maps that takes some microseconds for 500 cells.
#[must_use]
pub fn pull_string(
    clearance: &Clearance,
    start: Vec2,
    cells: &[Cell],
    goal: Option<Vec2>,
    radius: f32,
) -> Vec<Vec2> {
    pull_string_with(
        &mut StringScratch::new(),
        clearance,
        start,
        cells,
        goal,
        radius,
    )
}

/// As [`pull_string`], with memory from `scratch`: nothing but the result is allocated once that has
/// grown.
#[must_use]
pub fn pull_string_with(
    scratch: &mut StringScratch,
    clearance: &Clearance,
    start: Vec2,
    cells: &[Cell],
    goal: Option<Vec2>,
    radius: f32,
) -> Vec<Vec2> {
    let mut string = PulledString {
        clearance,
        radius,
        corners: &mut scratch.corners,
    };
    string.corners.clear();
    string.lay(start, cells, goal);
    string.split_unseen();
    string.tighten();
    string.corners.iter().map(|corner| corner.point).collect()
}

/// A point where the string may turn.
#[derive(Clone, Copy, Debug)]
struct Corner {
    point: Vec2,
    /// Whether the line that ends here is part of the walk, proven or not.
    is_walked: bool,
    /// Whether its neighbors are known not to see each other.
    is_needed: bool,
    /// Whether it was moved to its best place.
    is_tight: bool,
}

/// Points that join by lines a body may go.
struct PulledString<'a> {
    clearance: &'a Clearance,
    radius: f32,
    corners: &'a mut Vec<Corner>,
}

impl PulledString<'_> {
    fn sees(&self, a: Vec2, b: Vec2) -> bool {
        line_of_sight(self.clearance, a, b, self.radius)
    }

    fn is_clear(&self, a: Vec2, b: Vec2) -> bool {
        clear_fraction(self.clearance, a, b, self.radius) >= 1.0
    }

    fn point(&self, i: usize) -> Vec2 {
        self.corners[i].point
    }

    /// Lays the string along the walk, past all turns whose neighbors see each other.
    fn lay(&mut self, start: Vec2, cells: &[Cell], goal: Option<Vec2>) {
        self.go_to(start);
        let (cells, end, goal) = self.cut_off_end(start, cells, goal);
        let (entered, cells) = self.enter(start, cells, end, goal);
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
    /// that sees it. Gives the cells of the list that remain, one more that was not in it, and the goal
    /// if there is such a cell.
    fn cut_off_end<'c>(
        &self,
        start: Vec2,
        cells: &'c [Cell],
        goal: Option<Vec2>,
    ) -> (&'c [Cell], Option<Cell>, Option<Vec2>) {
        let Some(goal) = goal else {
            return (cells, None, None);
        };
        let mut left = LOOK_AROUND + 1;
        let mut rest = cells;
        while let [before @ .., last] = rest {
            let from = before.last().copied();
            for cell in leg(from.unwrap_or(*last), *last).rev() {
                if left == 0 {
                    return (cells, None, None);
                }
                left -= 1;
                if self.sees(cell.center(), goal) {
                    return (before, Some(cell), Some(goal));
                }
            }
            rest = before;
        }
        if left > 0 && self.sees(start, goal) {
            return (&[], None, Some(goal));
        }
        (cells, None, None)
    }

    /// Goes from the start to the first cell in sight, if there is one near. Gives that cell, and the cells
    /// after it.
    fn enter<'c>(
        &mut self,
        start: Vec2,
        cells: &'c [Cell],
        end: Option<Cell>,
        goal: Option<Vec2>,
    ) -> (Option<Cell>, &'c [Cell]) {
        let all = cells.iter().copied().chain(end);
        let mut from = None;
        let mut left = LOOK_AROUND;
        for (i, to) in all.enumerate() {
            for cell in leg(from.unwrap_or(to), to) {
                if left == 0 {
                    return (None, cells);
                }
                left -= 1;
                if self.sees(start, cell.center()) {
                    self.go_to(cell.center());
                    let rest = cells.get(i + usize::from(cell == to)..);
                    return (Some(cell), rest.unwrap_or(&[]));
                }
            }
            from = Some(to);
        }
        if left > 0 && goal.is_some_and(|goal| self.sees(start, goal)) {
            return (None, &[]);
        }
        (None, cells)
    }

    /// Goes on to `point`, which may be walked to from the last one, past all that it is in sight of.
    fn go_to(&mut self, point: Vec2) {
        if self.corners.last().is_some_and(|last| last.point == point) {
            return;
        }
        let mut is_walked = true;
        while let [.., before, _] = self.corners[..] {
            if !self.sees(before.point, point) {
                break;
            }
            self.corners.pop();
            is_walked = false;
        }
        self.corners.push(Corner {
            point,
            is_walked,
            is_needed: true,
            is_tight: false,
        });
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
            let fraction = visible_fraction(self.clearance, from, to, self.radius);
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

    /// Moves each corner to where the string is shorter, and takes out those that become needless.
    fn tighten(&mut self) {
        let mut i = 1;
        while i + 1 < self.corners.len() {
            let corner = self.corners[i];
            let [a, b, c] = [self.point(i - 1), corner.point, self.point(i + 1)];
            if !corner.is_needed && self.sees(a, c) {
                self.corners.remove(i);
                self.unsettle(i - 1..=i);
                i = (i - 1).max(1);
                continue;
            }
            self.corners[i].is_needed = true;
            self.corners[i].is_tight = true;
            if corner.is_tight || !self.improve(i, [a, b, c]) {
                i += 1;
            } else {
                i = (i - 1).max(1);
            }
        }
    }

    /// Moves or cuts the corner `i`, which is at `b`, if that makes the string shorter.
    fn improve(&mut self, i: usize, [a, b, c]: [Vec2; 3]) -> bool {
        if self.is_held([a, b, c]) {
            return false;
        }
        let moved = self.better_place([a, b, c]);
        let b = moved.unwrap_or(b);
        let cut = if moved.is_some() && self.is_held([a, b, c]) {
            None
        } else {
            self.cut([a, b, c])
        };
        self.corners[i].point = b;
        if let Some([u, v]) = cut {
            self.corners[i].point = u;
            let second = Corner {
                point: v,
                ..self.corners[i]
            };
            self.corners.insert(i + 1, second);
            self.unsettle(i - 1..=i + 2);
        } else if moved.is_some() {
            self.unsettle(i - 1..=i - 1);
            self.unsettle(i + 1..=i + 1);
        }
        moved.is_some() || cut.is_some()
    }

    /// Says that the neighbors of some corners have changed.
    fn unsettle(&mut self, changed: RangeInclusive<usize>) {
        for corner in &mut self.corners[changed] {
            corner.is_needed = false;
        }
    }

    /// Whether there is nothing to gain at the corner `b`, or what stands inside of it leaves no room.
    fn is_held(&self, [a, b, c]: [Vec2; 3]) -> bool {
        if a.distance(b) + b.distance(c) - a.distance(c) < gain([a, b, c]) {
            return true;
        }
        let inside = (a - b).normalize_or_zero() + (c - b).normalize_or_zero();
        let probe = b + inside.normalize_or_zero() * FIRST_LOOK + 0.5;
        self.clearance
            .center(Cell::new(probe.x as i32, probe.y as i32))
            < self.radius
    }

    /// Where the corner `b` is best moved to, if that shortens the way from `a` to `c`: to the point
    /// where both turn around the same obstacle, or else where the lines from both meet that pass all
    /// obstacles between them and the corner.
    fn better_place(&self, [a, b, c]: [Vec2; 3]) -> Option<Vec2> {
        let length = |x: Vec2| a.distance(x) + x.distance(c);
        let enough = length(b) - gain([a, b, c]);
        let is_better =
            |x: &Vec2| length(*x) < enough && self.is_clear(a, *x) && self.is_clear(*x, c);
        let from_a = self.tangent([a, b, c]);
        if let Some(x) = from_a.turn.filter(is_better) {
            return Some(x);
        }
        let from_c = self.tangent([c, b, a]);
        let x = match (from_a.end, from_c.end) {
            (None, None) => from_c.turn,
            (None, Some(_)) => from_c.turn.or(from_c.end),
            (Some(p), None) => Some(p),
            (Some(p), Some(q)) => Some(meeting(a, p, c, q)),
        };
        x.filter(is_better)
    }

    /// The line from `a` to a point between the corner `b` and `c`, as far from `b` as is found to be
    /// clear. `a` does not see `c`.
    fn tangent(&self, [a, b, c]: [Vec2; 3]) -> Tangent {
        let room = b.distance(c);
        let at = |away: f32| b + (c - b) * (away / room);
        let length = |away: f32| a.distance(at(away)) + room - away;
        let enough = gain([a, b, c]);
        if length(0.0) - length(room) < enough {
            return Tangent::default();
        }
        let mut blocked = 1.0;
        let seen = furthest(
            room,
            enough,
            |away| -length(away),
            |away| {
                let clear = clear_fraction(self.clearance, at(away), a, self.radius);
                blocked = if clear < 1.0 { clear } else { blocked };
                clear >= 1.0
            },
        );
        let turn = at(seen).lerp(a, blocked);
        let is_turn = blocked < 1.0 && (seen > 0.0 || turn.distance(b) > NEAR);
        Tangent {
            turn: is_turn.then_some(turn),
            end: (seen > 0.0).then(|| at(seen)),
        }
    }

    /// Two points as far from the corner `b` as is found that see each other and the corners before and
    /// after, so that the way over them is shorter.
    fn cut(&self, [a, b, c]: [Vec2; 3]) -> Option<[Vec2; 2]> {
        let (to_a, to_c) = (a.distance(b), c.distance(b));
        let ends = |away: f32| [b.lerp(a, away / to_a), b.lerp(c, away / to_c)];
        let saved = |away: f32| {
            let [u, v] = ends(away);
            2.0 * away - u.distance(v)
        };
        let enough = gain([a, b, c]);
        let room = to_a.min(to_c);
        if saved(room) < enough {
            return None;
        }
        let seen = furthest(room, enough, saved, |away| {
            let [u, v] = ends(away);
            self.is_clear(u, v)
        });
        let [u, v] = ends(seen);
        let is_better = saved(seen) > enough && self.is_clear(a, u) && self.is_clear(v, c);
        is_better.then_some([u, v])
    }
}

/// What is found of a line that passes an obstacle closely.
#[derive(Clone, Copy, Default)]
struct Tangent {
    /// The point on it beside the obstacle.
    turn: Option<Vec2>,
    /// Its end.
    end: Option<Vec2>,
}

/// How much a change has to save on the way over three points to be looked into.
fn gain([a, b, c]: [Vec2; 3]) -> f32 {
    (GAIN_SHARE * (a.distance(b) + b.distance(c))).max(GAIN)
}

/// How far away from a corner `is_clear` is found to hold, so that no more than `enough` of what a
/// look up to `room` would save is lost; 0 where the first look fails. What is saved grows with the
/// distance.
fn furthest(
    room: f32,
    enough: f32,
    saved: impl Fn(f32) -> f32,
    mut is_clear: impl FnMut(f32) -> bool,
) -> f32 {
    let (mut seen, mut unseen) = (FIRST_LOOK.min(room), room);
    if !is_clear(seen) {
        return 0.0;
    }
    while saved(unseen) - saved(seen) > enough {
        let middle = seen.midpoint(unseen);
        if is_clear(middle) {
            seen = middle;
        } else {
            unseen = middle;
        }
    }
    seen
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

/// Where the segments from `a` to `p` and from `c` to `q` cross.
fn meeting(a: Vec2, p: Vec2, c: Vec2, q: Vec2) -> Vec2 {
    let (ap, cq) = (p - a, q - c);
    let cross = ap.perp_dot(cq);
    if cross == 0.0 {
        return p;
    }
    let t = (c - a).perp_dot(cq) / cross;
    a + ap * t.clamp(0.0, 1.0)
}
