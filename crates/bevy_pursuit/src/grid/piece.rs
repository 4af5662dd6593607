//! Convex pieces of obstacles in cell space, and exact distances to them.
//!
//! Each of 2D Rapier's solid shapes is a convex core grown by a radius, or a union of such shapes. Everything
//! is computed in `f64`, so that the error stays below the rounding of the `f32` results on the largest grid.

use std::ops::Range;

use bevy::math::DVec2;
use pursuit::Step;

/// Polygons thinner than this fraction of their length are treated as segments, because their sides are too
/// close together to tell inside from outside.
const SLIVER_RATIO: f64 = 1e-9;

/// A convex set of points in cell space, solid inside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    core: Core,
    /// How far the core is grown, in cells.
    radius: f64,
    /// Corners of the bounding box in cell space; infinite for a half-space.
    min: DVec2,
    max: DVec2,
}

#[derive(Clone, Debug, PartialEq)]
enum Core {
    Point(DVec2),
    Segment(DVec2, DVec2),
    /// A rectangle; `axis` is the unit vector of its local x-axis.
    Box {
        center: DVec2,
        axis: DVec2,
        half: DVec2,
    },
    /// At least three corners of a strictly convex polygon, counter-clockwise.
    Polygon(Box<[DVec2]>),
    HalfSpace {
        point: DVec2,
        normal: DVec2,
    },
}

/// Distances of the points in a row from a piece, and the directions in which these distances grow. Each list has one
/// number per point, so that the computation can be vectorized.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// Distances in cells; `0.0` inside.
    pub(crate) distance: Vec<f64>,
    /// Vector away from the nearest point of the piece, of any length; zero inside.
    pub(crate) away_x: Vec<f64>,
    pub(crate) away_y: Vec<f64>,
}

impl Samples {
    fn resize(&mut self, count: usize) {
        for list in [&mut self.distance, &mut self.away_x, &mut self.away_y] {
            list.resize(count, 0.0);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.distance.len()
    }

    /// For each point, how far a step from the point leads away from the nearest point of the piece. The value is above
    /// zero where the distance grows along the step.
    #[inline(always)]
    pub(crate) fn along(&self, step: Step, points: Range<usize>) -> impl Iterator<Item = f64> {
        let (x, y) = (&self.away_x[points.clone()], &self.away_y[points]);
        x.iter().zip(y).map(move |(x, y)| along(step, *x, *y))
    }

    /// Like [`along`](Self::along), for the point of this index in the row.
    #[inline(always)]
    pub(crate) fn along_at(&self, step: Step, number: usize) -> f64 {
        along(step, self.away_x[number], self.away_y[number])
    }
}

#[inline(always)]
fn along(step: Step, x: f64, y: f64) -> f64 {
    match step {
        Step::PlusX => x,
        Step::PlusY => y,
        Step::PlusXPlusY => x + y,
        Step::MinusXPlusY => y - x,
    }
}

impl Piece {
    /// The convex hull of `points`, grown by `radius` cells. `None` without points, or if a number is not
    /// finite.
    pub(crate) fn hull(points: &[DVec2], radius: f64) -> Option<Self> {
        let core = match points {
            [] => return None,
            [point] => Core::Point(*point),
            [a, b] => Core::Segment(*a, *b),
            _ => hull_core(points),
        };
        let fold = |merge: fn(DVec2, DVec2) -> DVec2| points.iter().copied().reduce(merge);
        Self::bounded(core, radius, fold(DVec2::min)?, fold(DVec2::max)?)
            .filter(|_| points.iter().all(|point| point.is_finite()))
    }

    /// A rectangle around `center` with half extents `half` and its local x-axis along `axis`, grown by
    /// `radius` cells. `None` if a number is not finite.
    pub(crate) fn rectangle(center: DVec2, axis: DVec2, half: DVec2, radius: f64) -> Option<Self> {
        let (half, axis) = (half.abs(), axis.try_normalize()?);
        if half.min_element() <= SLIVER_RATIO * half.max_element() {
            let along = if half.x >= half.y {
                axis * half.x
            } else {
                axis.perp() * half.y
            };
            return Self::hull(&[center - along, center + along], radius);
        }
        let reach = axis.abs() * half.x + axis.perp().abs() * half.y;
        let core = Core::Box { center, axis, half };
        Self::bounded(core, radius, center - reach, center + reach)
    }

    /// The half-plane whose border goes through `point`; `normal` points out of it. `None` if a number is not
    /// finite or the normal is zero.
    pub(crate) fn half_space(point: DVec2, normal: DVec2) -> Option<Self> {
        let normal = normal.try_normalize()?;
        point.is_finite().then_some(Self {
            core: Core::HalfSpace { point, normal },
            radius: 0.0,
            min: DVec2::NEG_INFINITY,
            max: DVec2::INFINITY,
        })
    }

    fn bounded(core: Core, radius: f64, min: DVec2, max: DVec2) -> Option<Self> {
        let radius = radius.abs();
        let (min, max) = (min - radius, max + radius);
        (min.is_finite() && max.is_finite()).then_some(Self {
            core,
            radius,
            min,
            max,
        })
    }

    /// Distance to the point of the piece that is farthest from the origin, in cells.
    #[cfg(feature = "rapier2d")]
    pub(crate) fn reach(&self) -> f64 {
        let core = match &self.core {
            Core::Point(point) => point.length(),
            Core::Segment(a, b) => a.length().max(b.length()),
            Core::Box { center, axis, half } => {
                let center = DVec2::new(center.dot(*axis), center.dot(axis.perp()));
                (center.abs() + *half).length()
            }
            Core::Polygon(corners) => corners.iter().fold(0.0, |most, it| it.length().max(most)),
            Core::HalfSpace { .. } => f64::INFINITY,
        };
        core + self.radius
    }

    /// The corners of the bounding box, in cell space.
    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        (self.min, self.max)
    }

    /// The exact distance from the piece to `point`, in cells.
    pub(crate) fn distance(&self, point: DVec2) -> f64 {
        (self.offset_of(point).length() - self.radius).max(0.0)
    }

    /// The exact distance from the piece to `point`, and the unit vector of the direction in which the distance grows.
    /// Both are zero inside the piece.
    pub(crate) fn distance_and_away(&self, point: DVec2) -> (f64, DVec2) {
        let offset = self.offset_of(point);
        let length = offset.length();
        if length > self.radius {
            (length - self.radius, offset / length)
        } else {
            (0.0, DVec2::ZERO)
        }
    }

    /// Vector from the nearest point of the core to `point`.
    fn offset_of(&self, point: DVec2) -> DVec2 {
        match &self.core {
            Core::Point(center) => point - center,
            Core::Segment(a, b) => from_segment(point, *a, *b),
            Core::Box { center, axis, half } => from_box(point, *center, *axis, *half),
            Core::Polygon(corners) => from_polygon(point, corners),
            Core::HalfSpace {
                point: edge,
                normal,
            } => from_half_space(point, *edge, *normal),
        }
    }

    /// Samples the row `y` at the whole numbers `x`.
    pub(crate) fn sample_row(&self, y: i32, x: Range<i32>, samples: &mut Samples) {
        match &self.core {
            Core::Point(center) => self.fill(y, x, samples, |point| point - center),
            Core::Segment(a, b) => self.fill(y, x, samples, |point| from_segment(point, *a, *b)),
            Core::Box { center, axis, half } => {
                self.fill(y, x, samples, |point| {
                    from_box(point, *center, *axis, *half)
                });
            }
            Core::Polygon(corners) => {
                self.fill(y, x, samples, |point| from_polygon(point, corners));
            }
            Core::HalfSpace {
                point: edge,
                normal,
            } => self.fill(y, x, samples, |point| {
                from_half_space(point, *edge, *normal)
            }),
        }
    }

    /// Samples a row. `from_core` returns the vector from the nearest point of the core.
    #[inline]
    fn fill(
        &self,
        y: i32,
        x: Range<i32>,
        samples: &mut Samples,
        from_core: impl Fn(DVec2) -> DVec2,
    ) {
        samples.resize(x.len());
        let (radius, y) = (self.radius, f64::from(y));
        // The loop has one counter and no branch, so that the compiler vectorizes it.
        let count = x.len();
        let distance = &mut samples.distance[..count];
        let (away_x, away_y) = (&mut samples.away_x[..count], &mut samples.away_y[..count]);
        for i in 0..count {
            let offset = from_core(DVec2::new(f64::from(x.start + i as i32), y));
            let beyond = offset.length() - radius;
            let is_outside = f64::from(u8::from(beyond > 0.0));
            distance[i] = beyond.max(0.0);
            away_x[i] = offset.x * is_outside;
            away_y[i] = offset.y * is_outside;
        }
    }

    /// The exact least distance from the piece to a segment, including the ends of the segment.
    #[cfg(test)]
    pub(crate) fn least_distance_along(&self, from: DVec2, to: DVec2) -> f64 {
        let ends = self.distance(from).min(self.distance(to));
        self.least_distance_between(from, to).min(ends)
    }

    /// The exact least distance from the piece to a segment, if the nearest point of the segment is strictly between
    /// `from` and `to`. If an end is the nearest point, the result may be larger.
    pub(crate) fn least_distance_between(&self, from: DVec2, to: DVec2) -> f64 {
        let inner = match &self.core {
            Core::Point(center) => center.distance(nearest_on_segment(*center, from, to)),
            Core::Segment(a, b) if segments_cross(*a, *b, from, to) => 0.0,
            Core::Segment(a, b) => corners_to_segment(&[*a, *b], from, to),
            Core::Box { center, axis, half } => {
                let local = |point: DVec2| conjugate(*axis).rotate(point - center);
                segment_to_box(*half, local(from), local(to))
            }
            Core::Polygon(corners) => segment_to_polygon(corners, from, to),
            Core::HalfSpace { .. } => f64::INFINITY,
        };
        (inner - self.radius).max(0.0)
    }
}

/// The corners of the convex hull, counter-clockwise and without points along its sides. If all points lie on a line,
/// these are its two ends. If all points are the same, this is one point. Andrew's monotone chain (1979).
pub(crate) fn convex_hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup();
    if sorted.len() < 2 {
        return sorted;
    }
    let mut hull: Vec<DVec2> = Vec::with_capacity(sorted.len() + 1);
    let mut half = |points: &mut dyn Iterator<Item = DVec2>| {
        let base = hull.len();
        for point in points {
            while let [.., a, b] = hull[base..]
                && (b - a).perp_dot(point - a) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    };
    half(&mut sorted.iter().copied());
    half(&mut sorted.iter().rev().copied());
    hull
}

/// The convex hull of at least one point, as a polygon, segment or point.
fn hull_core(points: &[DVec2]) -> Core {
    let hull = convex_hull(points);
    let before = |a: &DVec2, b: &DVec2| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
    let first = points.iter().copied().min_by(before).unwrap_or_default();
    let last = points.iter().copied().max_by(before).unwrap_or_default();
    let doubled = |side: &[DVec2]| (side[0] - first).perp_dot(side[1] - first);
    let area: f64 = hull.windows(2).map(doubled).sum();
    if first == last {
        Core::Point(first)
    } else if hull.len() < 3 || area <= SLIVER_RATIO * first.distance_squared(last) {
        Core::Segment(first, last)
    } else {
        Core::Polygon(hull.into())
    }
}

fn nearest_on_segment(point: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    let along = b - a;
    let squared = along.length_squared();
    if squared == 0.0 {
        return a;
    }
    a + along * ((point - a).dot(along) / squared).clamp(0.0, 1.0)
}

/// Vector from the nearest point of a segment to `point`.
fn from_segment(point: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    point - nearest_on_segment(point, a, b)
}

/// The inverse of a rotation that is given by its x-axis.
fn conjugate(axis: DVec2) -> DVec2 {
    DVec2::new(axis.x, -axis.y)
}

/// Vector from the nearest point of a rectangle to `point`; zero inside.
fn from_box(point: DVec2, center: DVec2, axis: DVec2, half: DVec2) -> DVec2 {
    let local = conjugate(axis).rotate(point - center);
    axis.rotate(local - local.max(-half).min(half))
}

/// Vector from the nearest point of a half-space to `point`; zero inside.
fn from_half_space(point: DVec2, edge: DVec2, normal: DVec2) -> DVec2 {
    normal * (point - edge).dot(normal).max(0.0)
}

/// Vector from the nearest point of a convex polygon to `point`; zero inside.
fn from_polygon(point: DVec2, corners: &[DVec2]) -> DVec2 {
    let mut best: Option<DVec2> = None;
    let mut a = corners[corners.len() - 1];
    for &b in corners {
        if (b - a).perp_dot(point - a) < 0.0 {
            let offset = point - nearest_on_segment(point, a, b);
            if best.is_none_or(|best| offset.length_squared() < best.length_squared()) {
                best = Some(offset);
            }
        }
        a = b;
    }
    best.unwrap_or_default()
}

fn corners_to_segment(corners: &[DVec2], from: DVec2, to: DVec2) -> f64 {
    let squared = |corner: &DVec2| corner.distance_squared(nearest_on_segment(*corner, from, to));
    let least = corners.iter().map(squared).fold(f64::INFINITY, f64::min);
    least.sqrt()
}

/// Whether the interiors of two segments cross. Segments that only touch at an end do not cross: the distances of the
/// ends cover this case.
fn segments_cross(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let sides = |from: DVec2, to: DVec2, p: DVec2, q: DVec2| {
        (to - from).perp_dot(p - from) * (to - from).perp_dot(q - from)
    };
    sides(a, b, c, d) < 0.0 && sides(c, d, a, b) < 0.0
}

/// Like [`segment_to_polygon`], for a box around the origin.
fn segment_to_box(half: DVec2, from: DVec2, to: DVec2) -> f64 {
    let corner = half.copysign(from);
    let is_beyond = |end: DVec2| end.abs().cmpgt(half).all() && half.copysign(end) == corner;
    // If both ends of the segment are beyond the same corner, that corner is the nearest point of the box. This is the
    // most common case.
    if is_beyond(from) && is_beyond(to) {
        return corners_to_segment(&[corner], from, to);
    }
    let across = DVec2::new(half.x, -half.y);
    segment_to_polygon(&[-half, across, half, -across], from, to)
}

/// Distance of a segment from the corners of a convex counter-clockwise polygon, or zero where the segment
/// passes through the polygon (clipping after Cyrus and Beck, 1978).
fn segment_to_polygon(corners: &[DVec2], from: DVec2, to: DVec2) -> f64 {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let mut a = corners[corners.len() - 1];
    for &b in corners {
        let inside_at_start = (b - a).perp_dot(from - a);
        let change = (b - a).perp_dot(to - from);
        if change > 0.0 {
            enter = enter.max(-inside_at_start / change);
        } else if change < 0.0 {
            leave = leave.min(-inside_at_start / change);
        } else if inside_at_start < 0.0 {
            leave = f64::NEG_INFINITY;
        }
        a = b;
    }
    if enter < leave {
        0.0
    } else {
        corners_to_segment(corners, from, to)
    }
}
