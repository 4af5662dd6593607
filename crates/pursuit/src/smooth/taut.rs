//! Makes a path of safe lines taut: moves, cuts and leaves out its corners.

use std::mem;
use std::ops::RangeInclusive;

use glam::Vec2;

use crate::cell::Cell;
use crate::clearance::Clearance;
use crate::sight::{clear_fraction, line_of_sight};

/// By how much a change has to shorten the way over a corner to be looked into: a share of that way, and
/// in cells.
const GAIN_SHARE: f32 = 4e-3;
const GAIN: f32 = 0.1;

/// The same at the first corner: a share of the shorter leg, which a turn of 14 degrees costs, and the
/// least.
const FIRST_GAIN: f32 = 0.03;
const LEAST_GAIN: f32 = 0.01;

/// How far from a corner the first look is taken, in cells.
const FIRST_LOOK: f32 = 1.0;

/// What stands this near to a corner, in cells, is what it turns around.
const NEAR: f32 = 1.5;

/// A point where the path may turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: Vec2,
    /// Whether the line that ends here is part of the walk, proven or not.
    pub(super) is_walked: bool,
    /// Whether its neighbors are known not to see each other.
    pub(super) is_needed: bool,
    /// Whether it was moved to its best place.
    pub(super) is_tight: bool,
}

/// Where the path begins and ends.
pub(super) struct Ends {
    pub(super) start: End,
    pub(super) goal: Option<End>,
}

/// One end of the path.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) point: Vec2,
    /// How far the lines that begin or end here keep from walls at most, in cells.
    pub(super) room: f32,
}

impl End {
    /// Lets lines to this end pass with the room for the body alone: more was too much. Whether that is
    /// less.
    pub(super) fn drop_margin(&mut self, radius: f32) -> bool {
        mem::replace(&mut self.room, radius) > radius
    }
}

/// Points that join by lines a body may go.
pub(super) struct TautPath<'a> {
    pub(super) clearance: &'a Clearance,
    /// Radius of the body, in cells.
    pub(super) radius: f32,
    /// How far lines keep from walls where there is room, in cells.
    pub(super) wanted: f32,
    pub(super) ends: Ends,
    pub(super) corners: &'a mut Vec<Corner>,
}

impl TautPath<'_> {
    pub(super) fn sees(&self, a: Vec2, b: Vec2) -> bool {
        line_of_sight(self.clearance, a, b, self.room_between(a, b))
    }

    pub(super) fn is_clear(&self, a: Vec2, b: Vec2) -> bool {
        self.clear_fraction(a, b) >= 1.0
    }

    fn clear_fraction(&self, a: Vec2, b: Vec2) -> f32 {
        clear_fraction(self.clearance, a, b, self.room_between(a, b))
    }

    /// How far the line between two points of the path keeps from walls.
    fn room_between(&self, a: Vec2, b: Vec2) -> f32 {
        let mut room = self.wanted;
        for end in [Some(self.ends.start), self.ends.goal]
            .into_iter()
            .flatten()
        {
            if a == end.point || b == end.point {
                room = room.min(end.room);
            }
        }
        room
    }

    pub(super) fn point(&self, i: usize) -> Vec2 {
        self.corners[i].point
    }

    /// Moves each corner to where the path is shorter, and takes out those that become needless.
    pub(super) fn tighten(&mut self) {
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
            if !corner.is_tight && self.improve(i, [a, b, c]) {
                i = (i - 1).max(1);
            } else {
                i += 1;
            }
        }
    }

    /// How much a change of the corner `i` has to save to be looked into. Less at the first one, where a
    /// body that walks already would turn aside for each new path.
    fn enough(&self, i: usize, [a, b, c]: [Vec2; 3]) -> f32 {
        let enough = gain([a, b, c]);
        if i > 1 {
            return enough;
        }
        let shorter = a.distance(b).min(b.distance(c));
        enough.min((FIRST_GAIN * shorter).max(LEAST_GAIN))
    }

    /// Moves or cuts the corner `i`, which is at `b`, if that makes it shorter.
    fn improve(&mut self, i: usize, [a, b, c]: [Vec2; 3]) -> bool {
        let enough = self.enough(i, [a, b, c]);
        let is_held = |b: Vec2| saved([a, b, c]) < enough || i > 1 && self.is_walled([a, b, c]);
        if is_held(b) {
            return false;
        }
        let moved = self.better_place([a, b, c], enough);
        let b = moved.unwrap_or(b);
        let cut = if moved.is_some() && is_held(b) {
            None
        } else {
            self.cut([a, b, c], enough)
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
    pub(super) fn unsettle(&mut self, changed: RangeInclusive<usize>) {
        for corner in &mut self.corners[changed] {
            corner.is_needed = false;
        }
    }

    /// Whether what stands inside of the corner `b` leaves no room.
    fn is_walled(&self, [a, b, c]: [Vec2; 3]) -> bool {
        let inside = (a - b).normalize_or_zero() + (c - b).normalize_or_zero();
        let probe = b + inside.normalize_or_zero() * FIRST_LOOK + 0.5;
        self.clearance
            .center(Cell::new(probe.x as i32, probe.y as i32))
            < self.wanted
    }

    /// Where the corner `b` is best moved to, if that shortens the way from `a` to `c`: to the point
    /// where both turn around the same obstacle, or else where the lines from both meet that pass all
    /// obstacles between them and the corner.
    fn better_place(&self, [a, b, c]: [Vec2; 3], enough: f32) -> Option<Vec2> {
        let length = |x: Vec2| a.distance(x) + x.distance(c);
        let most = length(b) - enough;
        let is_better =
            |x: &Vec2| length(*x) < most && self.is_clear(a, *x) && self.is_clear(*x, c);
        let from_a = self.tangent([a, b, c], enough);
        if let Some(x) = from_a.turn.filter(is_better) {
            return Some(x);
        }
        let from_c = self.tangent([c, b, a], enough);
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
    fn tangent(&self, [a, b, c]: [Vec2; 3], enough: f32) -> Tangent {
        let room = b.distance(c);
        let at = |away: f32| b + (c - b) * (away / room);
        let length = |away: f32| a.distance(at(away)) + room - away;
        if length(0.0) - length(room) < enough {
            return Tangent::default();
        }
        let mut blocked = 1.0;
        let seen = furthest(
            room,
            enough,
            |away| -length(away),
            |away| {
                let clear = self.clear_fraction(at(away), a);
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
    fn cut(&self, [a, b, c]: [Vec2; 3], enough: f32) -> Option<[Vec2; 2]> {
        let (to_a, to_c) = (a.distance(b), c.distance(b));
        let ends = |away: f32| [b.lerp(a, away / to_a), b.lerp(c, away / to_c)];
        let saved = |away: f32| {
            let [u, v] = ends(away);
            2.0 * away - u.distance(v)
        };
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

/// How much longer the way over `b` is than the straight one.
pub(super) fn saved([a, b, c]: [Vec2; 3]) -> f32 {
    a.distance(b) + b.distance(c) - a.distance(c)
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

/// Where the segments from `a` to `p` and from `c` to `q` cross.
pub(super) fn meeting(a: Vec2, p: Vec2, c: Vec2, q: Vec2) -> Vec2 {
    let (ap, cq) = (p - a, q - c);
    let cross = ap.perp_dot(cq);
    if cross == 0.0 {
        return p;
    }
    let t = (c - a).perp_dot(cq) / cross;
    a + ap * t.clamp(0.0, 1.0)
}
