//! Tightens a path of safe lines: moves, cuts and leaves out its corners.
//!
//! ```text
//!        b                  x                 u---v
//!       / \               / \               /     \        `#` is an obstacle.
//!      / # \             / # \             /   #   \
//!     a     c           a     c           a         c
//!
//!   the corner `b`     moved to `x`      or cut into `u` and `v`
//! ```

use std::mem;
use std::ops::RangeInclusive;

use glam::Vec2;

use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::clearance::Clearance;
use crate::sight::{clear_fraction, line_of_sight, visible_fraction};

/// A change is tried only if it can shorten the path over a corner by this share of its length, and by at least
/// [`GAIN_CELLS`] cells.
const GAIN_SHARE: f32 = 4e-3;
/// The least gain for which a change is tried, in cells.
const GAIN_CELLS: f32 = 0.1;

/// A change at the first corner is tried if it saves at least [`FIRST_GAIN_CELLS`] cells and this share of the length
/// of a line. The line is the shorter one of the two that meet at the corner. A turn of 14 degrees costs this share.
const FIRST_GAIN_SHARE: f32 = 0.03;
/// The least gain for which a change at the first corner is tried, in cells.
const FIRST_GAIN_CELLS: f32 = 0.01;

/// Distance from a corner to the first probed point, in cells.
const FIRST_PROBE_CELLS: f32 = 1.0;

/// If an obstacle is within this distance of a corner, in cells, the path already turns around it there.
const NEAR_CELLS: f32 = 1.5;

/// A point where the path may turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: Vec2,
    /// Whether the line to this corner is part of the walk. Such a line need not be proven.
    pub(super) is_walked: bool,
    /// Whether the corner's neighbors are known not to see each other.
    pub(super) is_needed: bool,
    /// Whether the corner was visited since one of its neighbors last moved.
    pub(super) is_visited: bool,
}

/// The start and the goal of the path.
pub(super) struct Ends {
    pub(super) start: End,
    pub(super) goal: Option<End>,
}

/// One end of the path.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) point: Vec2,
    /// The greatest distance that lines from or to this end keep from walls, in cells.
    pub(super) room: f32,
}

impl End {
    /// Drops the margin at this end, so that its lines keep only the radius of the body from walls. Returns
    /// whether there was a margin.
    pub(super) fn drop_margin(&mut self, radius: f32) -> bool {
        mem::replace(&mut self.room, radius) > radius
    }
}

/// A path of straight lines that are safe for the body.
pub(super) struct PulledPath<'a> {
    pub(super) clearance: &'a Clearance,
    /// Radius of the body, in cells.
    pub(super) radius: f32,
    /// The distance that lines keep from walls where there is room, in cells.
    pub(super) wanted: f32,
    pub(super) ends: Ends,
    pub(super) corners: &'a mut Vec<Corner>,
}

impl PulledPath<'_> {
    pub(super) fn sees(&self, a: Vec2, b: Vec2) -> bool {
        line_of_sight(self.clearance, a, b, self.room_between(a, b))
    }

    /// The visible fraction of a line that keeps the wanted distance from walls.
    pub(super) fn visible_fraction(&self, a: Vec2, b: Vec2) -> f32 {
        visible_fraction(self.clearance, a, b, self.wanted)
    }

    pub(super) fn is_clear(&self, a: Vec2, b: Vec2) -> bool {
        self.clear_fraction(a, b) >= 1.0
    }

    fn clear_fraction(&self, a: Vec2, b: Vec2) -> f32 {
        clear_fraction(self.clearance, a, b, self.room_between(a, b))
    }

    /// The distance that the line between two points of the path keeps from walls, in cells.
    fn room_between(&self, a: Vec2, b: Vec2) -> f32 {
        let mut room = self.wanted;
        for end in [self.ends.start].into_iter().chain(self.ends.goal) {
            if a == end.point || b == end.point {
                room = room.min(end.room);
            }
        }
        room
    }

    pub(super) fn point(&self, i: usize) -> Vec2 {
        self.corners[i].point
    }

    /// Moves each corner to where the path is shorter, and removes corners that become unnecessary.
    pub(super) fn tighten(&mut self, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let mut i = 1;
        while i + 1 < self.corners.len() {
            cancel.check()?;
            let corner = self.corners[i];
            let [a, b, c] = [self.point(i - 1), corner.point, self.point(i + 1)];
            if !corner.is_needed && self.sees(a, c) {
                self.corners.remove(i);
                self.mark_changed(i - 1..=i);
                i = (i - 1).max(1);
                continue;
            }
            self.corners[i].is_needed = true;
            self.corners[i].is_visited = true;
            if !corner.is_visited && self.improve(i, [a, b, c]) {
                i = (i - 1).max(1);
            } else {
                i += 1;
            }
        }
        Ok(())
    }

    /// The least gain, in cells, for which a change of the corner `i` is tried. It is less at the first corner.
    /// Otherwise, a body that is already walking would turn aside whenever it gets a new path.
    fn enough(&self, i: usize, [a, b, c]: [Vec2; 3]) -> f32 {
        let enough = least_gain([a, b, c]);
        if i > 1 {
            return enough;
        }
        let shorter = a.distance(b).min(b.distance(c));
        enough.min((FIRST_GAIN_SHARE * shorter).max(FIRST_GAIN_CELLS))
    }

    /// Moves or cuts the corner `i`, which is at `b`, if that makes the path shorter. Returns whether it did.
    fn improve(&mut self, i: usize, [a, b, c]: [Vec2; 3]) -> bool {
        let enough = self.enough(i, [a, b, c]);
        let is_held = |b: Vec2| detour([a, b, c]) < enough || i > 1 && self.is_walled([a, b, c]);
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
            self.mark_changed(i - 1..=i + 2);
        } else if moved.is_some() {
            self.mark_changed(i - 1..=i - 1);
            self.mark_changed(i + 1..=i + 1);
        }
        moved.is_some() || cut.is_some()
    }

    /// Notes that some corners have new neighbors. These corners may have become unnecessary.
    pub(super) fn mark_changed(&mut self, changed: RangeInclusive<usize>) {
        for corner in &mut self.corners[changed] {
            corner.is_needed = false;
        }
    }

    /// Whether an obstacle fills the inside of the corner `b`, so that the corner cannot move there.
    fn is_walled(&self, [a, b, c]: [Vec2; 3]) -> bool {
        let inside = (a - b).normalize_or_zero() + (c - b).normalize_or_zero();
        let probe = b + inside.normalize_or_zero() * FIRST_PROBE_CELLS + 0.5;
        self.clearance
            .center(Cell::new(probe.x as i32, probe.y as i32))
            < self.wanted
    }

    /// A better position for the corner `b`, if the search finds one that shortens the path from `a` to `c`. This is
    /// a point beside an obstacle at which a path from `a` to `c` can turn. If no such point is found, it is the
    /// point where the [tangents](Self::tangent) from `a` and from `c` cross, or the end of the only tangent.
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
            (Some(p), Some(q)) => Some(crossing(a, p, c, q)),
        };
        x.filter(is_better)
    }

    /// Finds a clear line from `a` to a point between the corner `b` and `c`. The point is as far from `b` as the
    /// search gets. `a` does not see `c`.
    ///
    /// ```text
    ///         b--end---c
    ///        /  /
    ///       / turn #          `turn` is where the last line that was blocked
    ///      / /                meets the obstacle.
    ///     a
    /// ```
    fn tangent(&self, [a, b, c]: [Vec2; 3], enough: f32) -> Tangent {
        let length = b.distance(c);
        let at = |away: f32| b + (c - b) * (away / length);
        let over = |away: f32| a.distance(at(away)) + length - away;
        if over(0.0) - over(length) < enough {
            return Tangent::default();
        }
        let mut blocked = 1.0;
        let seen = farthest(
            length,
            enough,
            |away| -over(away),
            |away| {
                let clear = self.clear_fraction(at(away), a);
                blocked = if clear < 1.0 { clear } else { blocked };
                clear >= 1.0
            },
        );
        let turn = at(seen).lerp(a, blocked);
        let is_turn = blocked < 1.0 && (seen > 0.0 || turn.distance(b) > NEAR_CELLS);
        Tangent {
            turn: is_turn.then_some(turn),
            end: (seen > 0.0).then(|| at(seen)),
        }
    }

    /// Two points that can replace the corner `b`, one on the line to `a` and one on the line to `c`. Both are
    /// equally far from `b`, as far as the search gets. They see each other, the first one sees `a`, the second one
    /// sees `c`, and the path over them is shorter.
    fn cut(&self, [a, b, c]: [Vec2; 3], enough: f32) -> Option<[Vec2; 2]> {
        let (to_a, to_c) = (a.distance(b), c.distance(b));
        let ends = |away: f32| [b.lerp(a, away / to_a), b.lerp(c, away / to_c)];
        let saved = |away: f32| {
            let [u, v] = ends(away);
            2.0 * away - u.distance(v)
        };
        let reach = to_a.min(to_c);
        if saved(reach) < enough {
            return None;
        }
        let seen = farthest(reach, enough, saved, |away| {
            let [u, v] = ends(away);
            self.is_clear(u, v)
        });
        let [u, v] = ends(seen);
        let is_better = saved(seen) > enough && self.is_clear(a, u) && self.is_clear(v, c);
        is_better.then_some([u, v])
    }
}

/// The result of a search for a line that passes close to an obstacle.
#[derive(Clone, Copy, Default)]
struct Tangent {
    /// The point of the line beside the obstacle.
    turn: Option<Vec2>,
    /// The end of the line.
    end: Option<Vec2>,
}

/// How much longer the path over `b` is than the straight line, in cells.
pub(super) fn detour([a, b, c]: [Vec2; 3]) -> f32 {
    a.distance(b) + b.distance(c) - a.distance(c)
}

/// The least gain, in cells, for which a change of the path over three points is tried.
fn least_gain([a, b, c]: [Vec2; 3]) -> f32 {
    (GAIN_SHARE * (a.distance(b) + b.distance(c))).max(GAIN_CELLS)
}

/// The greatest distance from a corner, at most `reach`, for which the search finds that `is_clear` holds. It is 0 if
/// `is_clear` does not hold at the first probe. With a greater distance, `saved` would be greater by at most
/// `enough`. `saved` must grow with the distance.
fn farthest(
    reach: f32,
    enough: f32,
    saved: impl Fn(f32) -> f32,
    mut is_clear: impl FnMut(f32) -> bool,
) -> f32 {
    let (mut seen, mut unseen) = (FIRST_PROBE_CELLS.min(reach), reach);
    if !is_clear(seen) {
        return 0.0;
    }
    while saved(unseen) - saved(seen) > enough {
        let middle = seen.midpoint(unseen);
        if middle <= seen || middle >= unseen {
            // No float lies between `seen` and `unseen`: far from the origin, `saved` changes in steps larger
            // than `enough`.
            break;
        }
        if is_clear(middle) {
            seen = middle;
        } else {
            unseen = middle;
        }
    }
    seen
}

/// The point where the segments from `a` to `p` and from `c` to `q` cross.
pub(super) fn crossing(a: Vec2, p: Vec2, c: Vec2, q: Vec2) -> Vec2 {
    let (ap, cq) = (p - a, q - c);
    let cross = ap.perp_dot(cq);
    if cross == 0.0 {
        return p;
    }
    let t = (c - a).perp_dot(cq) / cross;
    a + ap * t.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::uncancelled;
    use crate::maps::parse_ascii;
    use crate::random::each_case;
    use crate::search::oracle::cases;
    use crate::smooth::naive::{assert_is_tight, each_path, path, points};
    use crate::steer::length;

    const CASES: u16 = 2000;

    fn is_on_segment(point: Vec2, a: Vec2, b: Vec2) -> bool {
        a.distance(point) + point.distance(b) < a.distance(b) + 1e-3
    }

    #[test]
    fn the_detour_over_a_corner_is_the_length_that_a_straight_line_saves() {
        let [a, b, c] = [(0.0, 0.0), (3.0, 4.0), (6.0, 0.0)].map(Vec2::from);
        assert_eq!(detour([a, b, c]), 4.0);
        assert_eq!(detour([a, Vec2::new(3.0, 0.0), c]), 0.0);
        assert_eq!(least_gain([a, b, c]), GAIN_CELLS);
        assert_eq!(least_gain([a, 20.0 * b, 20.0 * c]), GAIN_SHARE * 200.0);
    }

    #[test]
    fn a_corner_is_walled_if_a_wall_fills_its_inside() {
        for (map, is_walled) in [
            ("a..b\n....\n...c", false),
            ("a..b\n..#.\n...c", true),
            ("a#.b\n...#\n...c", false),
        ] {
            let map = parse_ascii(map).unwrap();
            let field = Clearance::from_grid(&map.grid, 4.0);
            let corner = ['a', 'b', 'c'].map(|mark| map.find(mark).unwrap().center());
            let mut corners = Vec::new();
            let path = path(&field, 0.4, &mut corners, &corner);
            assert_eq!(path.is_walled(corner), is_walled, "{corner:?}");
        }
    }

    #[test]
    fn a_far_corner_moves_to_the_wall_that_it_turns_around() {
        let map = "..........\n..........\n..........\n..........\n....#.....\n..........";
        let field = Clearance::from_grid(&parse_ascii(map).unwrap().grid, 4.0);
        let (a, c) = (Vec2::new(0.0, 4.0), Vec2::new(8.0, 4.0));
        let mut corners = Vec::new();
        let mut path = path(&field, 0.4, &mut corners, &[a, Vec2::new(4.0, 0.0), c]);
        uncancelled(|cancel| path.tighten(cancel));
        // The result is longer than the path over the corners of the wall, and shorter than the path over the corners
        // of a square that is 0.4 larger.
        let around = |away: f32| {
            let [u, v] = [4.0 - away, 4.0 + away].map(|x| Vec2::new(x, 4.0 - away));
            length(&[a, u, v, c])
        };
        let length = length(&points(&path));
        assert!(
            around(0.5) < length && length < around(0.9) + GAIN_CELLS,
            "{length}"
        );
    }

    #[test]
    fn a_line_keeps_the_lesser_room_of_its_two_ends() {
        let field = Clearance::open(4, 4, 4.0).unwrap();
        let [a, b, c] = [(0.0, 0.0), (1.0, 2.0), (3.0, 3.0)].map(Vec2::from);
        let mut corners = Vec::new();
        let mut path = path(&field, 0.5, &mut corners, &[a, b, c]);
        path.wanted = 0.9;
        path.ends.start.room = 0.8;
        path.ends.goal = Some(End {
            point: c,
            room: 0.7,
        });
        let between =
            [[a, b], [b, a], [b, b], [b, c], [a, c]].map(|[p, q]| path.room_between(p, q));
        assert_eq!(between, [0.8, 0.8, 0.9, 0.7, 0.7]);
        assert!(path.ends.start.drop_margin(0.5) && !path.ends.start.drop_margin(0.5));
        assert_eq!(path.room_between(a, b), 0.5);
    }

    #[test]
    fn crossing_lies_on_both_segments_if_they_cross() {
        let mut crossings = 0;
        each_case(CASES, |rng| {
            let [a, p, c, q] = [0; 4].map(|_| [rng.i32(-9..10), rng.i32(-9..10)]);
            // The side of a line on which a point lies, computed exactly in whole numbers.
            let side = |u: [i32; 2], v: [i32; 2], w: [i32; 2]| {
                ((v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0])).signum()
            };
            let do_cross = side(a, p, c) * side(a, p, q) < 0 && side(c, q, a) * side(c, q, p) < 0;
            let [a, p, c, q] = [a, p, c, q].map(|[x, y]| Vec2::new(x as f32, y as f32));
            let x = crossing(a, p, c, q);
            assert!(is_on_segment(x, a, p), "{x}");
            assert!(!do_cross || is_on_segment(x, c, q), "{x}");
            crossings += u32::from(do_cross);
        });
        assert!(crossings > cases(300), "{crossings}");
    }

    #[test]
    fn a_scan_in_small_steps_saves_at_most_enough_more() {
        each_case(CASES, |rng| {
            let reach = rng.f32() * 20.0;
            let enough = 0.01 + rng.f32() * 0.5;
            let [ends, again] = [0; 2].map(|_| rng.f32() * 25.0);
            let is_clear = |away: f32| away < ends || away > again.max(ends);
            let power = 1.0 + rng.f32();
            let saved = |away: f32| away.powf(power) * 0.3;
            let found = farthest(reach, enough, saved, is_clear);
            let first = FIRST_PROBE_CELLS.min(reach);
            if !is_clear(first) {
                assert_eq!(found, 0.0);
                return;
            }
            assert!(
                is_clear(found) && first <= found && found <= reach,
                "{found}"
            );
            let mut scanned = first;
            while scanned + 0.01 <= reach && is_clear(scanned + 0.01) {
                scanned += 0.01;
            }
            assert!(
                saved(scanned) - saved(found) < enough + 1e-3,
                "{found}, not {scanned}"
            );
        });
    }

    /// Far from the origin, neighboring floats are farther apart than the least gain of a change.
    #[test]
    fn a_search_ends_where_lengths_change_in_steps_larger_than_enough() {
        let mut probes = 0;
        let saved = |away: f32| away.floor() * 0.25;
        let found = farthest(8.0, 0.1, saved, |away| {
            probes += 1;
            assert!(probes < 100, "the search does not end");
            away < 3.0
        });
        assert!((2.9..3.0).contains(&found), "{found}");
    }

    #[test]
    fn cuts_and_tangents_are_clear_and_lie_on_the_lines_at_the_corner() {
        let mut found = [0; 3];
        each_path(CASES, |path, walk| {
            for (i, ends) in walk.windows(3).enumerate() {
                let [a, b, c] = [ends[0], ends[1], ends[2]];
                let enough = path.enough(i + 1, [a, b, c]);
                assert!(enough <= least_gain([a, b, c]) && enough >= FIRST_GAIN_CELLS);
                if let Some([u, v]) = path.cut([a, b, c], enough) {
                    assert!(is_on_segment(u, b, a) && is_on_segment(v, b, c));
                    assert!((u.distance(b) - v.distance(b)).abs() < 1e-3);
                    let is_clear =
                        path.is_clear(a, u) && path.is_clear(u, v) && path.is_clear(v, c);
                    assert!(is_clear, "{u} and {v}");
                    assert!(length(&[a, u, v, c]) < length(&[a, b, c]) - enough + 1e-3);
                    found[0] += 1;
                }
                let Tangent { turn, end } = path.tangent([a, b, c], enough);
                if let Some(end) = end {
                    assert!(is_on_segment(end, b, c) && path.is_clear(end, a), "{end}");
                    found[1] += 1;
                }
                assert!(turn.is_none_or(|turn| turn.is_finite()));
                if let Some(x) = path.better_place([a, b, c], enough) {
                    assert!(path.is_clear(a, x) && path.is_clear(x, c), "{x}");
                    assert!(
                        length(&[a, x, c]) < length(&[a, b, c]) - enough + 1e-3,
                        "{x}"
                    );
                    found[2] += 1;
                }
            }
        });
        assert!(found.into_iter().min() > Some(cases(300)), "{found:?}");
    }

    #[test]
    fn a_tight_path_is_in_sight_not_longer_and_without_needless_corners() {
        let mut corners_left = 0;
        each_path(CASES, |mut path, walk| {
            uncancelled(|cancel| path.tighten(cancel));
            assert_is_tight(&path, walk, 1e-3);
            corners_left += path.corners.len().saturating_sub(2);
        });
        assert!(corners_left > cases(300), "{corners_left}");
    }
}
