//! The place where an agent got stuck, which its next path leads around.

use bevy::math::Vec2;
use pursuit::steer::closest_on_segment;

/// Factor by which the radius of a jam grows. With a greater value, the body takes a longer detour. With a smaller one,
/// a body in front of a wide crate gets around the crate later.
const JAM_GROWTH: f32 = 2.0;
/// A body that is stuck within `JAM_NEAR_REACHES × (radius of a jam) + JAM_NEAR_RADII × (radius of the body)` of the
/// jam's center is still stuck in that jam. With greater values, an old jam makes a new path longer. With smaller
/// ones, a new jam begins at the end of a wide crate.
const JAM_NEAR_REACHES: f32 = 2.0;
/// See [`JAM_NEAR_REACHES`].
const JAM_NEAR_RADII: f32 = 4.0;

/// A circle in which an agent got stuck. Paths through the circle are expensive for this agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jam {
    /// The center, in grid coordinates.
    pub(crate) place: Vec2,
    /// In world units.
    pub(crate) radius: f32,
    /// Whether the agent's present path was planned without regard to the jam.
    pub(crate) was_passed: bool,
}

impl Jam {
    /// A jam that contains `latest`, and as much of `self` as fits. The radius of `latest` must be the radius of the
    /// body. The radius of the result is at most `max_radii` body radii, but never smaller than the radius of `self`.
    pub(crate) fn grown(&self, latest: &Self, max_radii: f32) -> Self {
        let apart = self.place - latest.place;
        let both = 0.5 * (self.radius + apart.length() + latest.radius);
        let radius = (JAM_GROWTH * self.radius)
            .max(both)
            .min(max_radii * latest.radius);
        let radius = radius.max(self.radius).max(latest.radius);
        Self {
            place: latest.place + apart.clamp_length_max(radius - latest.radius),
            radius,
            was_passed: false,
        }
    }

    /// Whether a body is so far away that its path need no longer lead around the jam.
    pub(crate) fn is_left_behind(&self, place: Vec2, body_radius: f32, cell_size: f32) -> bool {
        self.place.distance(place) > self.radius + body_radius + cell_size
    }

    /// Whether the straight line starts toward the center of the jam and passes through the jam.
    pub(crate) fn meets(&self, from: Vec2, to: Vec2) -> bool {
        let leads_nearer = (self.place - from).dot(to - from) > 0.0;
        leads_nearer && closest_on_segment(from, to, self.place).distance(self.place) < self.radius
    }

    /// Whether a body that is stuck at `place` may be stuck in this jam.
    pub(crate) fn is_near(&self, place: Vec2, body_radius: f32) -> bool {
        self.place.distance(place) <= JAM_NEAR_REACHES * self.radius + JAM_NEAR_RADII * body_radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_JAM_RADII: f32 = 16.0;

    fn jam(x: f32, radius: f32) -> Jam {
        Jam {
            place: Vec2::new(x, 3.0),
            radius,
            was_passed: true,
        }
    }

    #[test]
    fn a_grown_jam_encloses_the_new_jam_and_below_its_limit_the_old_one() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let (before, body_radius) = (0.4 + 3.0 * random.f32(), 0.4);
            let one = jam(0.0, before);
            let latest = jam(30.0 * random.f32() - 15.0, body_radius);
            let grown = one.grown(&latest, MAX_JAM_RADII);
            assert!(!grown.was_passed && grown.radius >= (2.0 * before).min(6.4));
            let holds =
                |part: &Jam| part.place.distance(grown.place) + part.radius <= grown.radius + 1e-4;
            assert!(holds(&latest), "{one:?} {latest:?}");
            let is_largest = grown.radius == MAX_JAM_RADII * body_radius;
            assert!(is_largest || holds(&one), "{one:?} {latest:?}");
        }
    }

    #[test]
    fn a_jam_stops_growing_at_its_largest_radius() {
        let mut all = jam(0.0, 0.4);
        for _ in 0..20 {
            all = all.grown(&jam(1.0, 0.4), MAX_JAM_RADII);
        }
        assert_eq!(all.radius, MAX_JAM_RADII * 0.4);
    }
}
