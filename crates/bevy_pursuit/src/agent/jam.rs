//! The place that a stuck agent walks around.

use bevy::math::Vec2;
use pursuit::steer::closest_on_segment;

/// Factor by which a jam grows. More: the body takes a longer detour. Less: a body in front of a wide crate
/// gets around it later.
const JAM_GROWTH: f32 = 2.0;
/// Distance from a jam at which a body is still stuck in it, as a multiple of the reach of the jam.
/// [`JAM_NEAR_RADII`] is added. More: an old jam makes a new path longer. Less: at the end of a wide crate a new
/// jam begins.
const JAM_NEAR_REACHES: f32 = 2.0;
/// Distance added to [`JAM_NEAR_REACHES`], in body radii.
const JAM_NEAR_RADII: f32 = 4.0;

/// A place where an agent got stuck. Paths through it are expensive for this agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jam {
    pub(crate) place: Vec2,
    pub(crate) reach: f32,
    /// Whether a path was planned since then that need not lead around it.
    pub(crate) is_past: bool,
}

impl Jam {
    /// A jam that contains `latest`, whose reach is the body's radius, and as much of this one as fits. Its
    /// reach is at most `most` times the reach of `latest`, but never less than before.
    pub(crate) fn grown(&self, latest: &Self, most: f32) -> Self {
        let apart = self.place - latest.place;
        let both = 0.5 * (self.reach + apart.length() + latest.reach);
        let reach = (JAM_GROWTH * self.reach).max(both).min(most * latest.reach);
        let reach = reach.max(self.reach).max(latest.reach);
        Self {
            place: latest.place + apart.clamp_length_max(reach - latest.reach),
            reach,
            is_past: false,
        }
    }

    /// Whether a body is so far away that its path need no longer lead around the jam.
    pub(crate) fn is_behind(&self, place: Vec2, radius: f32, cell_size: f32) -> bool {
        self.place.distance(place) > self.reach + radius + cell_size
    }

    /// Whether the straight line comes nearer to the center of the jam and passes through the jam.
    pub(crate) fn meets(&self, from: Vec2, to: Vec2) -> bool {
        let leads_nearer = (self.place - from).dot(to - from) > 0.0;
        leads_nearer && closest_on_segment(from, to, self.place).distance(self.place) < self.reach
    }

    /// Whether a body that is stuck at `place` may be stuck in this jam.
    pub(crate) fn is_near(&self, place: Vec2, radius: f32) -> bool {
        self.place.distance(place) <= JAM_NEAR_REACHES * self.reach + JAM_NEAR_RADII * radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_JAM_RADII: f32 = 16.0;

    fn jam(x: f32, reach: f32) -> Jam {
        Jam {
            place: Vec2::new(x, 3.0),
            reach,
            is_past: true,
        }
    }

    #[test]
    fn a_grown_jam_encloses_the_new_jam_and_below_its_limit_the_old_one() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let (reach, radius) = (0.4 + 3.0 * random.f32(), 0.4);
            let (one, latest) = (jam(0.0, reach), jam(30.0 * random.f32() - 15.0, radius));
            let grown = one.grown(&latest, MAX_JAM_RADII);
            assert!(!grown.is_past && grown.reach >= (2.0 * reach).min(6.4));
            let holds =
                |part: &Jam| part.place.distance(grown.place) + part.reach <= grown.reach + 1e-4;
            assert!(holds(&latest), "{one:?} {latest:?}");
            let is_largest = grown.reach == MAX_JAM_RADII * radius;
            assert!(is_largest || holds(&one), "{one:?} {latest:?}");
        }
    }

    #[test]
    fn a_jam_stops_growing_at_its_largest_radius() {
        let mut all = jam(0.0, 0.4);
        for _ in 0..20 {
            all = all.grown(&jam(1.0, 0.4), MAX_JAM_RADII);
        }
        assert_eq!(all.reach, MAX_JAM_RADII * 0.4);
    }
}
