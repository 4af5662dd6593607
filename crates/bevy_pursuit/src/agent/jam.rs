//! What an agent that is stuck goes around.

use bevy::math::Vec2;

/// A jam grows by this factor, up to so many radii. More: a body takes a longer way. Less: one before a wide crate finds around it
/// later, or never.
const GROWS: f32 = 2.0;
const LARGEST: f32 = 16.0;

/// A place where an agent got stuck, and how far from there it is dear to go, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jam {
    pub(crate) place: Vec2,
    pub(crate) reach: f32,
    /// Whether the agent came away from there, and goes the usual way again.
    pub(crate) is_past: bool,
}

impl Jam {
    /// It and one in which a body got stuck since, and more around them.
    pub(crate) fn grown(&self, other: &Self) -> Self {
        let apart = other.place - self.place;
        let both = 0.5 * (self.reach + apart.length() + other.reach);
        let aside = (both - self.reach).max(0.0);
        Self {
            place: self.place + apart.clamp_length_max(aside),
            reach: (GROWS * self.reach).max(both).min(LARGEST * other.reach),
            is_past: false,
        }
    }

    /// Whether a body that is stuck at a place may be held up by the same.
    pub(crate) fn is_near(&self, place: Vec2, radius: f32) -> bool {
        self.place.distance(place) <= 2.0 * self.reach + 4.0 * radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jam(x: f32, reach: f32) -> Jam {
        Jam {
            place: Vec2::new(x, 3.0),
            reach,
            is_past: true,
        }
    }

    #[test]
    fn a_jam_grows_around_all_places_where_a_body_was_stuck() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let (reach, radius) = (0.4 + 3.0 * random.f32(), 0.4);
            let (one, other) = (jam(0.0, reach), jam(9.0 * random.f32() - 4.5, radius));
            let grown = one.grown(&other);
            assert!(!grown.is_past && grown.reach >= (2.0 * reach).min(6.4));
            for part in [one, other] {
                let ends = part.place.distance(grown.place) + part.reach;
                let is_largest = grown.reach == LARGEST * radius;
                assert!(
                    is_largest || ends <= grown.reach + 1e-4,
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn a_jam_grows_no_further_than_so_many_radii() {
        let mut all = jam(0.0, 0.4);
        for _ in 0..20 {
            all = all.grown(&jam(1.0, 0.4));
        }
        assert_eq!(all.reach, LARGEST * 0.4);
    }
}
