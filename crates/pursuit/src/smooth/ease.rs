//! Eases a taut path where a body would turn back and forth: at close corners with turns to opposite sides, and
//! at a corner close to the start.

use glam::Vec2;

use super::taut::{PulledPath, crossing, detour};
use crate::cancel::{Cancel, Cancelled};

/// A body passes corners in one move if they are at most this far apart along the path, in radii of the body. A
/// body that walks twenty radii per second takes 0.3 s for this distance.
const CLOSE_RADII: f32 = 6.0;
/// Sine of the angle below which a turn is ignored, 17 degrees.
const MIN_TURN_SINE: f32 = 0.3;
/// A corner stays in place if the path over it is longer than the straight line between its neighbors by less
/// than this, in cells.
const MIN_DETOUR_CELLS: f32 = 0.01;
/// Maximum number of passes over all corners. Several passes help, since a corner that moves leaves its neighbors
/// more room to move.
const MAX_SWEEPS: usize = 3;
/// Number of times that the search halves the line along which a corner may move.
const SLIDE_HALVINGS: u32 = 6;

impl PulledPath<'_> {
    /// Shortens the path over corners that follow each other closely, by moving each of them.
    ///
    /// [`tighten`](Self::tighten) leaves a corner in place if moving it gains little. Between such corners, short
    /// lines lead to one side and back to the other, and a body whose path is planned again beside such a line would
    /// first turn aside. So two points are found for each corner `b`: on the line to the next corner `c`, the
    /// farthest point `p` that the previous corner `a` sees, and on the line to `a`, the farthest point `q` that `c`
    /// sees. The corner moves to the point where the lines from `a` to `p` and from `c` to `q` cross:
    ///
    /// ```text
    ///          b
    ///        q/ \p           `a` sees as far as `p`, `c` as far as `q`.
    ///        / x \           `x` is the new position of the corner.
    ///       / # # \
    ///      a       c
    /// ```
    pub(super) fn ease(&mut self, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let mut has_moved = false;
        for sweep in 0..MAX_SWEEPS {
            let mut moves = false;
            let mut passed = 0;
            for i in 1..self.corners.len().saturating_sub(1) {
                cancel.check()?;
                passed = passed.max(self.passed_until(i));
                // If neither neighbor has moved, the corner need not move either.
                let is_due = sweep == 0 || !self.corners[i].is_visited;
                self.corners[i].is_visited = true;
                if i < passed && is_due && self.slide_corner(i) {
                    moves = true;
                    for beside in [i - 1, i + 1] {
                        self.mark_changed(beside..=beside);
                        self.corners[beside].is_visited = false;
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
                corner.is_visited = true;
            }
            self.tighten(cancel)?;
        }
        Ok(())
    }

    /// Finds the corners, beginning with `i`, that a body passes in one move. They lie close together, and the path
    /// turns to opposite sides at them. If the first corner is close to the start of the path, any turn at it is
    /// enough. Returns the index after the last of these corners, or `i`.
    fn passed_until(&self, i: usize) -> usize {
        let close = CLOSE_RADII * self.radius;
        let side = self.side(i);
        let is_first = i == 1 && self.point(0).distance(self.point(1)) <= close;
        let mut until = i;
        if is_first && side != 0 {
            until = i + 1;
        }
        let mut length = 0.0;
        for j in i + 1..self.corners.len() - 1 {
            length += self.point(j - 1).distance(self.point(j));
            if length > close {
                break;
            }
            if side * self.side(j) < 0 || is_first && side != 0 {
                until = j + 1;
            }
        }
        until
    }

    /// The side to which the path turns at a corner, 1 or -1. It is 0 for a slight turn.
    fn side(&self, i: usize) -> i32 {
        let into = (self.point(i) - self.point(i - 1)).normalize_or_zero();
        let onto = (self.point(i + 1) - self.point(i)).normalize_or_zero();
        let turn = into.perp_dot(onto);
        let is_turn = turn.abs() > MIN_TURN_SINE || into.dot(onto) < 0.0;
        if is_turn { turn.signum() as i32 } else { 0 }
    }

    /// Moves a corner to the best position between its neighbors. Returns whether it moved.
    fn slide_corner(&mut self, i: usize) -> bool {
        let [a, b, c] = [self.point(i - 1), self.point(i), self.point(i + 1)];
        if detour([a, b, c]) < MIN_DETOUR_CELLS {
            return false;
        }
        let best = match (self.slide([a, b, c]), self.slide([c, b, a])) {
            (None, None) => return false,
            (Some(p), None) => p,
            (None, Some(q)) => q,
            (Some(p), Some(q)) => crossing(a, p, c, q),
        };
        let length = |x: Vec2| a.distance(x) + x.distance(c);
        let is_better = length(best) < length(b) && self.sees(a, best) && self.sees(best, c);
        if is_better {
            self.corners[i].point = best;
        }
        is_better
    }

    /// The farthest point from the corner `b`, on its line to `c`, that the search finds to be visible from `a`.
    fn slide(&self, [a, b, c]: [Vec2; 3]) -> Option<Vec2> {
        let reach = (CLOSE_RADII * self.radius / b.distance(c)).min(1.0);
        // Usually a corner has no room to move, and the first test shows this.
        let mut seen = reach / f32::from(1_u8 << SLIDE_HALVINGS);
        if !self.sees(a, b.lerp(c, seen)) {
            return None;
        }
        let mut unseen = reach;
        for _ in 1..SLIDE_HALVINGS {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::uncancelled;
    use crate::clearance::Clearance;
    use crate::search::oracle::cases;
    use crate::smooth::naive::{assert_is_tight, each_path, path, points};
    use crate::steer::length;

    const CASES: u16 = 2000;

    #[test]
    fn a_turn_below_17_degrees_counts_as_straight() {
        let field = Clearance::open(2, 2, 4.0).unwrap();
        for (next, side) in [
            ((2.0, 0.0), 0),
            ((2.0, 0.3), 0),
            ((2.0, 0.33), 1),
            ((2.0, -0.33), -1),
            ((1.0, 2.0), 1),
            ((0.0, 0.1), 1),
            ((0.0, -0.1), -1),
        ] {
            let mut corners = Vec::new();
            let points = [Vec2::ZERO, Vec2::X, Vec2::from(next)];
            assert_eq!(
                path(&field, 0.5, &mut corners, &points).side(1),
                side,
                "{next:?}"
            );
        }
    }

    /// Each later corner is checked by itself. The body passes it together with the corner `i` if it is close,
    /// and if it turns to the other side or `i` is at the start of the path.
    #[test]
    fn passed_until_agrees_with_a_check_of_each_pair_of_corners() {
        let mut together = 0;
        each_path(CASES, |path, walk| {
            for i in 1..walk.len().saturating_sub(1) {
                let angle = |j: usize| {
                    let turn = (walk[j] - walk[j - 1]).angle_to(walk[j + 1] - walk[j]);
                    let is_slight = turn.abs() < MIN_TURN_SINE.asin();
                    if is_slight { 0.0 } else { turn }
                };
                let is_begin =
                    i == 1 && walk[0].distance(walk[1]) <= 6.0 * path.radius && angle(1) != 0.0;
                let mut until = if is_begin { i + 1 } else { i };
                for j in i + 1..walk.len() - 1 {
                    let is_close = length(&walk[i..=j]) <= 6.0 * path.radius;
                    if is_close && (is_begin || angle(i) * angle(j) < 0.0) {
                        until = j + 1;
                    }
                }
                assert_eq!(path.passed_until(i), until, "corner {i} of {walk:?}");
                together += usize::from(until > i);
            }
        });
        assert!(together > cases(1000), "{together}");
    }

    #[test]
    fn a_corner_slides_to_the_last_visible_point_of_a_scan() {
        let mut slid = [0; 2];
        each_path(CASES, |mut path, _| {
            // This removes the unnecessary corners and leaves the others in place.
            path.corners
                .iter_mut()
                .for_each(|corner| corner.is_visited = true);
            uncancelled(|cancel| path.tighten(cancel));
            let walk = points(&path);
            for ends in walk.windows(3) {
                let [a, b, c] = [ends[0], ends[1], ends[2]];
                let reach = (6.0 * path.radius / b.distance(c)).min(1.0);
                // 33 points along the line. The first one is at 1/64 of the length. Halving finds one of these
                // points.
                let along = |k: usize| reach * (1.0 + 63.0 * k as f32 / 32.0) / 64.0;
                let sees = |k: usize| path.sees(a, b.lerp(c, along(k)));
                let slide = path.slide([a, b, c]);
                assert_eq!(slide.is_some(), sees(0));
                let Some(point) = slide else {
                    slid[0] += 1;
                    continue;
                };
                assert!(path.sees(a, point), "{point}");
                let found = (0..32).find(|&k| point.distance(b.lerp(c, along(k))) < 1e-4);
                let k = found.expect("halving must stop at one of the points");
                assert!(k == 31 || !sees(k + 1), "sees farther than {k}");
                slid[1] += 1;
            }
        });
        assert!(slid[0] > 0 && slid[1] > cases(300), "{slid:?}");
    }

    #[test]
    fn sliding_a_corner_keeps_it_in_sight_and_shortens_the_path() {
        let mut slid = [0; 2];
        each_path(CASES, |whole, walk| {
            for i in 1..walk.len().saturating_sub(1) {
                let (mut corners, corner) = (Vec::new(), &walk[i - 1..=i + 1]);
                let mut path = path(whole.clearance, whole.radius, &mut corners, corner);
                let has_moved = path.slide_corner(1);
                let points = [path.point(0), path.point(1), path.point(2)];
                assert!([points[0], points[2]] == [corner[0], corner[2]]);
                let is_shorter = length(&points) < length(corner);
                assert_eq!(is_shorter, has_moved, "{corner:?}");
                assert!(has_moved || points == corner, "{corner:?}");
                let sees = path.sees(points[0], points[1]) && path.sees(points[1], points[2]);
                assert!(sees, "{points:?}");
                slid[usize::from(has_moved)] += 1;
            }
        });
        assert!(slid.into_iter().min() > Some(cases(300)), "{slid:?}");
    }

    #[test]
    fn an_eased_path_is_in_sight_and_not_longer() {
        let mut eased = 0;
        each_path(2 * CASES, |mut path, _| {
            uncancelled(|cancel| path.tighten(cancel));
            let tight = points(&path);
            uncancelled(|cancel| path.ease(cancel));
            assert_is_tight(&path, &tight, 1e-4);
            eased += usize::from(points(&path) != tight);
        });
        assert!(eased > cases(100), "{eased}");
    }
}
