//! Steering along a path: where to head, and how fast.
//!
//! This is pure arithmetic over waypoints in any unit of length. The only time that it uses is the `dt` that the
//! caller passes.

use glam::Vec2;

/// The result of a walk along a path, relative to where the walk starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance {
    /// Vector from the start of the walk to its end. It is exact for short walks far from the origin, where a
    /// small step added to a position would be lost to rounding.
    pub offset: Vec2,
    /// Index of the waypoint ahead. At the end of the path, it is the number of waypoints.
    pub next: usize,
}

/// A point on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// The point.
    pub point: Vec2,
    /// Index of the waypoint ahead of `point`. At the end of the path, it is the number of waypoints.
    pub next: usize,
}

/// Walks along a path: from `position` to `waypoints[next]`, and onward until the walk has the length `distance`.
///
/// Waypoints have no arrival radius: the walk passes exactly through them. However long the walk is, the walker
/// neither misses a waypoint nor turns back to it.
///
/// ```
/// use glam::Vec2;
/// use pursuit::steer::advance;
///
/// let corner = [Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(2.0, 5.0)];
/// let step = advance(&corner, 1, Vec2::new(1.0, 0.0), 3.0);
/// assert_eq!((step.offset, step.next), (Vec2::new(1.0, 2.0), 2));
/// ```
pub fn advance(waypoints: &[Vec2], next: usize, position: Vec2, distance: f32) -> Advance {
    let mut offset = Vec2::ZERO;
    let mut left = distance.max(0.0);
    for (index, &waypoint) in waypoints.iter().enumerate().skip(next) {
        let ahead = waypoint - position;
        let leg = offset.distance(ahead);
        if left < leg {
            return Advance {
                offset: offset + (ahead - offset) * (left / leg),
                next: index,
            };
        }
        left -= leg;
        offset = ahead;
    }
    Advance {
        offset,
        next: waypoints.len(),
    }
}

/// Length of the path through `points`, in their unit. It is 0 for fewer than two points.
pub fn length(points: &[Vec2]) -> f32 {
    points.windows(2).map(|leg| leg[0].distance(leg[1])).sum()
}

/// Length of the path from `position` to `waypoints[next]` and onward to the end.
pub fn remaining_length(waypoints: &[Vec2], next: usize, position: Vec2) -> f32 {
    let Some(ahead) = waypoints.get(next) else {
        return 0.0;
    };
    position.distance(*ahead) + length(&waypoints[next..])
}

/// The point of the segment from `a` to `b` that is closest to `point`.
#[inline]
pub fn closest_on_segment(a: Vec2, b: Vec2, point: Vec2) -> Vec2 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return a;
    }
    a + along * ((point - a).dot(along) / length_squared).clamp(0.0, 1.0)
}

/// The point at which a walker at `position` joins a path: the closest point of the path.
///
/// A walker may have moved on while its path was planned. If it joins the path here instead of at the first waypoint,
/// it does not turn back. If several points are equally close, the result is the last of them along the path. The
/// result is `None` for a path without waypoints.
pub fn closest_entry(waypoints: &[Vec2], position: Vec2) -> Option<PathPoint> {
    let first = PathPoint {
        point: *waypoints.first()?,
        next: waypoints.len().min(1),
    };
    let entries = (1..).zip(waypoints.windows(2)).map(|(next, leg)| {
        let point = closest_on_segment(leg[0], leg[1], position);
        PathPoint { point, next }
    });
    Some(entries.fold(first, |best, entry| {
        let [away, least] = [entry, best].map(|it| it.point.distance_squared(position));
        if away <= least { entry } else { best }
    }))
}

/// The highest speed from which a walker can stop within `distance` if it brakes by at most `acceleration`.
///
/// This is the discrete form of `v = √(2·a·d)`: a walker that takes this speed in each step of `dt` seconds never
/// overshoots, however long the steps are. The speed is 0 if one of the arguments is not positive.
///
/// ```
/// # use pursuit::steer::braking_speed;
/// let mut distance = 10.0;
/// for _ in 0..100 {
///     distance -= braking_speed(distance, 5.0, 0.5) * 0.5;
///     assert!(distance >= 0.0, "a walker that brakes in time never overshoots");
/// }
/// ```
pub fn braking_speed(distance: f32, acceleration: f32, dt: f32) -> f32 {
    if !(distance > 0.0 && acceleration > 0.0 && dt > 0.0) {
        return 0.0;
    }
    let per_tick = acceleration * dt;
    let speed = ((per_tick * per_tick + 8.0 * acceleration * distance).sqrt() - per_tick) / 2.0;
    speed.min(distance / dt)
}

/// Moves `speed` toward `wanted` by at most `acceleration · dt`. The speed does not change if this product is not
/// positive.
pub fn approach_speed(speed: f32, wanted: f32, acceleration: f32, dt: f32) -> f32 {
    let most = (acceleration * dt).max(0.0);
    speed + (wanted - speed).clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELL: [Vec2; 3] = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 4.0)];

    #[test]
    fn closest_on_segment_handles_very_short_segments() {
        let (a, b) = (Vec2::ZERO, Vec2::new(1e-4, 0.0));
        assert_eq!(closest_on_segment(a, b, Vec2::ONE), b);
        assert_eq!(closest_on_segment(a, a, Vec2::ONE), a);
    }

    #[test]
    fn a_step_longer_than_the_path_ends_at_its_last_waypoint() {
        let end = advance(&ELL, 1, Vec2::new(3.9, 0.0), 100.0);
        let offset = ELL[2] - Vec2::new(3.9, 0.0);
        assert_eq!(end, Advance { offset, next: 3 });
    }

    #[test]
    fn a_long_step_passes_a_waypoint_between_its_ends() {
        let step = advance(&ELL, 1, Vec2::new(3.0, 0.0), 3.0);
        let offset = Vec2::new(1.0, 2.0);
        assert_eq!(step, Advance { offset, next: 2 });
    }

    #[test]
    fn many_small_steps_lead_to_the_end_of_one_large_step() {
        let mut point = Vec2::new(0.5, 0.0);
        let mut next = 1;
        for _ in 0..50 {
            let step = advance(&ELL, next, point, 0.1);
            (point, next) = (point + step.offset, step.next);
        }
        let once = advance(&ELL, 1, Vec2::new(0.5, 0.0), 5.0);
        assert!(
            point.distance(Vec2::new(0.5, 0.0) + once.offset) < 1e-4,
            "{point} is not at offset {}",
            once.offset
        );
        assert_eq!(next, once.next);
    }

    #[test]
    fn a_tiny_step_far_from_the_origin_is_not_lost() {
        let far = Vec2::splat(1e6);
        let path = ELL.map(|point| far + point);
        let step = advance(&path, 1, far, 1e-6);
        assert_eq!((step.offset, step.next), (Vec2::new(1e-6, 0.0), 1));
    }

    #[test]
    fn a_walker_joins_a_path_at_its_closest_point() {
        // A walker at a corner heads for the waypoint after the corner.
        for (path, from, point, next) in [
            (&ELL[..], Vec2::new(2.0, 0.3), Vec2::new(2.0, 0.0), 1),
            (&ELL, Vec2::new(4.5, -0.5), ELL[1], 2),
            (&ELL[..1], Vec2::ONE, Vec2::ZERO, 1),
        ] {
            assert_eq!(closest_entry(path, from), Some(PathPoint { point, next }));
        }
        assert_eq!(closest_entry(&[], Vec2::ONE), None);
    }

    #[test]
    fn remaining_length_is_the_sum_of_the_leg_ahead_and_all_later_legs() {
        assert_eq!(remaining_length(&ELL, 1, Vec2::new(1.0, 0.0)), 7.0);
        assert_eq!(remaining_length(&ELL, 3, Vec2::new(1.0, 0.0)), 0.0);
    }

    #[test]
    fn braking_never_overshoots_and_always_arrives_at_any_step_size() {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0, 0.1, 0.5, 2.0] {
            let (mut distance, mut ticks) = (7.0_f32, 0);
            while distance > 1e-3 {
                let speed = braking_speed(distance, 20.0, dt).min(8.0);
                distance -= speed * dt;
                assert!(distance >= -1e-5, "overshoot by {distance} at dt {dt}");
                ticks += 1;
                assert!(ticks < 10_000, "the walker does not arrive at dt {dt}");
            }
        }
    }

    #[test]
    fn braking_takes_no_more_than_the_given_deceleration() {
        let dt = 1.0 / 60.0;
        let mut distance = 3.0_f32;
        let mut speed = braking_speed(distance, 20.0, dt);
        while distance > 0.01 {
            distance -= speed * dt;
            let slower = braking_speed(distance, 20.0, dt);
            assert!(
                speed - slower <= 20.0 * dt * 1.001,
                "brakes by {}",
                (speed - slower) / dt
            );
            speed = slower;
        }
    }

    #[test]
    fn speed_rises_and_falls_by_the_acceleration() {
        assert_eq!(approach_speed(0.0, 8.0, 2.0, 0.5), 1.0);
        assert_eq!(approach_speed(8.0, 0.0, 2.0, 0.5), 7.0);
        assert_eq!(approach_speed(7.5, 8.0, 2.0, 0.5), 8.0);
    }

    #[test]
    fn an_acceleration_that_is_not_positive_changes_no_speed() {
        for none in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(approach_speed(3.0, 8.0, none, 0.5), 3.0);
            assert_eq!(braking_speed(1.0, none, 0.5), 0.0);
        }
    }
}
