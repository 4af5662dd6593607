//! Distances from segments to other shapes, exact except for rounding.

use pursuit::glam::DVec2;

/// Distance between a point and the segment from `a` to `b`.
pub(crate) fn to_segment(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let way = b - a;
    let along = if way.length_squared() > 0.0 {
        ((point - a).dot(way) / way.length_squared()).clamp(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(a + way * along)
}

/// Distance between the segment from `a` to `b` and a rectangle. 0 if they meet.
pub(crate) fn to_rectangle(a: DVec2, b: DVec2, low: DVec2, high: DVec2) -> f64 {
    if enters(a, b, low, high) {
        return 0.0;
    }
    let ends = [a, b].map(|end| end.distance(end.clamp(low, high)));
    let corners = [
        low,
        high,
        DVec2::new(low.x, high.y),
        DVec2::new(high.x, low.y),
    ];
    corners
        .into_iter()
        .map(|corner| to_segment(corner, a, b))
        .chain(ends)
        .fold(f64::INFINITY, f64::min)
}

/// Whether some point of the segment lies in the rectangle. This holds if the parts of the segment that lie between the
/// sides on each axis overlap (Kay and Kajiya, 1986).
fn enters(a: DVec2, b: DVec2, low: DVec2, high: DVec2) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (start, way) = (a[axis], b[axis] - a[axis]);
        if way == 0.0 {
            if start < low[axis] || start > high[axis] {
                return false;
            }
            continue;
        }
        let (s, t) = ((low[axis] - start) / way, (high[axis] - start) / way);
        first = first.max(s.min(t));
        last = last.min(s.max(t));
    }
    first <= last
}
