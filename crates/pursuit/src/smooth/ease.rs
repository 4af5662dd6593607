//! Eases a taut path where a body would turn back and forth on it: at corners that turn to different
//! sides and lie close together, and at one close to the start.

use glam::Vec2;

use super::taut::{TautPath, meeting, saved};

/// Corners this near to each other, in radii, are passed in one go: a body that walks twenty radii a
/// second takes 0.3 s from one to the next.
const CLOSE: f32 = 6.0;
/// A turn smaller than this is none, as the sine of its angle: 17 degrees.
const SLIGHT: f32 = 0.3;
/// A corner over which the way is longer than the straight one by less than this, in cells, stays.
const GAIN: f32 = 0.01;
/// How often corners are moved, since one that moves gives room to those beside it.
const SWEEPS: usize = 3;
/// How often the way along which a corner may move is cut in half.
const HALVINGS: u32 = 6;

impl TautPath<'_> {
    /// Moves corners that follow each other closely to where the path is shortest.
    ///
    /// [`tighten`](Self::tighten) leaves a corner where it is if moving it gains little. Between such corners
    /// short lines lead to one side and back to the other, and a body that plans anew beside one of them
    /// would turn aside at first. Each corner slides along the line to the next one as far as the corner
    /// before it sees it, and the other way around; it comes to rest where the two lines of sight cross.
    pub(super) fn ease(&mut self) {
        let mut has_moved = false;
        for sweep in 0..SWEEPS {
            let mut moves = false;
            let mut hurried = 0;
            for i in 1..self.corners.len().saturating_sub(1) {
                hurried = hurried.max(self.hurried_until(i));
                // Between neighbors that stayed, a corner stays, too.
                let is_due = sweep == 0 || !self.corners[i].is_tight;
                self.corners[i].is_tight = true;
                if i < hurried && is_due && self.settle(i) {
                    moves = true;
                    for beside in [i - 1, i + 1] {
                        self.unsettle(beside..=beside);
                        self.corners[beside].is_tight = false;
                    }
                }
            }
            has_moved |= moves;
            if !moves {
                break;
            }
        }
        if has_moved {
            for corner in self.corners.iter_mut() {
                corner.is_tight = true;
            }
            self.tighten();
        }
    }

    /// The first corner after `i` that is not close enough to it to be passed together with it; `i`
    /// itself where the way does not turn back on that bit.
    fn hurried_until(&self, i: usize) -> usize {
        let close = CLOSE * self.radius;
        let side = self.side(i);
        let is_first = i == 1 && self.point(0).distance(self.point(1)) <= close;
        let mut until = i;
        if is_first && side != 0 {
            until = i + 1;
        }
        let mut way = 0.0;
        for j in i + 1..self.corners.len() - 1 {
            way += self.point(j - 1).distance(self.point(j));
            if way > close {
                break;
            }
            if side * self.side(j) < 0 || is_first && side != 0 {
                until = j + 1;
            }
        }
        until
    }

    /// To which side the path turns at a corner: 1 or -1, and 0 for a slight turn.
    fn side(&self, i: usize) -> i32 {
        let into = (self.point(i) - self.point(i - 1)).normalize_or_zero();
        let onto = (self.point(i + 1) - self.point(i)).normalize_or_zero();
        let turn = into.perp_dot(onto);
        let is_turn = turn.abs() > SLIGHT || into.dot(onto) < 0.0;
        if is_turn { turn.signum() as i32 } else { 0 }
    }

    /// Moves one corner to where it is best between its neighbors. Whether that is elsewhere.
    fn settle(&mut self, i: usize) -> bool {
        let [a, b, c] = [self.point(i - 1), self.point(i), self.point(i + 1)];
        if saved([a, b, c]) < GAIN {
            return false;
        }
        let best = match (self.slide([a, b, c]), self.slide([c, b, a])) {
            (None, None) => return false,
            (Some(p), None) => p,
            (None, Some(q)) => q,
            (Some(p), Some(q)) => meeting(a, p, c, q),
        };
        let length = |x: Vec2| a.distance(x) + x.distance(c);
        let is_better = length(best) < length(b) && self.sees(a, best) && self.sees(best, c);
        if is_better {
            self.corners[i].point = best;
            self.corners[i].is_walked = false;
            self.corners[i + 1].is_walked = false;
        }
        is_better
    }

    /// The point farthest from the corner `b` on the way to `c` that is found to be in sight of `a`.
    fn slide(&self, [a, b, c]: [Vec2; 3]) -> Option<Vec2> {
        let room = (CLOSE * self.radius / b.distance(c)).min(1.0);
        // Mostly there is no room at all, and the first look tells.
        let mut seen = room / f32::from(1_u8 << HALVINGS);
        if !self.sees(a, b.lerp(c, seen)) {
            return None;
        }
        let mut unseen = room;
        for _ in 1..HALVINGS {
            let middle = (seen + unseen) * 0.5;
            if self.sees(a, b.lerp(c, middle)) {
                seen = middle;
            } else {
                unseen = middle;
            }
        }
        Some(b.lerp(c, seen))
    }
}
