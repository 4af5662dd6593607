//! What following remembers from tick to tick.

use std::mem;

use bevy::ecs::component::Component;
use bevy::math::Vec2;

use super::Watch;

/// What following remembers from tick to tick, places in the frame of the leg that it is on. A clone of an entity gets a
/// fresh one.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Following {
    /// Names the frame that places are in.
    pub(crate) frame: u16,
    /// Lower bits of the number of the path that it walks.
    pub(crate) path_version: u16,
    /// Speed of the tick before, in world units per second. Kept, not read back from positions: far
    /// from the origin those are rounded.
    pub(crate) speed: f32,
    /// Where the target was last seen from and to: a point that the body can go straight to. NaN for
    /// none.
    pub(crate) seen: Vec2,
    /// The goal in the tick before; NaN for none.
    pub(crate) last_goal: Vec2,
    /// The velocity, if planning proved that it leads along free ground; else NaN. The driver of a bare
    /// body need not prove that again.
    pub(crate) proven: Vec2,
    pub(crate) watch: Watch,
    /// Lower bits of the waypoint ahead when the agent last looked for its target.
    pub(crate) looked_at: u8,
    /// The sending in the tick before.
    pub(crate) told: u8,
    /// The middle bits of the distance that counted as there when the agent arrived; 0 while it has not.
    pub(crate) arrived_within: u8,
    /// Whether it was there when it was saved, if it was loaded since.
    pub(crate) past: Past,
    pub(crate) sees_target: bool,
    /// Whether there is a clear line to the goal, as of the last look.
    pub(crate) is_in_line: bool,
    pub(crate) left_path: bool,
    /// Whether it is where its class may not be, since a tick in which observers were told.
    pub(crate) on_forbidden: bool,
}

/// What an agent did before this memory of it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Past {
    /// Nobody looked yet.
    Unknown,
    /// It was saved as one that had arrived, of which observers heard then.
    WasThere,
    /// Nothing that matters now.
    Over,
}

impl Default for Following {
    fn default() -> Self {
        Self {
            frame: 0,
            path_version: 0,
            speed: 0.0,
            seen: Vec2::NAN,
            last_goal: Vec2::NAN,
            proven: Vec2::NAN,
            watch: Watch::default(),
            looked_at: u8::MAX,
            told: 0,
            arrived_within: 0,
            past: Past::Unknown,
            sees_target: false,
            is_in_line: false,
            left_path: false,
            on_forbidden: false,
        }
    }
}

impl Following {
    pub(crate) fn has_arrived(&self) -> bool {
        self.arrived_within != 0
    }

    /// Forgets all places, if they were in another frame.
    pub(crate) fn enter_frame(&mut self, tag: u16) {
        if mem::replace(&mut self.frame, tag) != tag {
            (self.seen, self.last_goal, self.proven) = (Vec2::NAN, Vec2::NAN, Vec2::NAN);
            self.watch.rest();
        }
    }

    /// Notes that the agent is there: `near` is the distance that counts as that.
    pub(crate) fn arrive(&mut self, near: f32) {
        self.arrived_within = sixteenths(near).max(1);
    }

    /// Whether less than when the agent arrived counts as there, by more than a sixteenth. What is less than that
    /// comes of targets that are measured again in each frame.
    pub(crate) fn is_nearer_wanted(&self, near: f32) -> bool {
        let lower = self.arrived_within.wrapping_sub(sixteenths(near));
        (2..=i8::MAX as u8).contains(&lower)
    }
}

/// The lower bits of a positive number's exponent, and the upper ones of its fraction: they count sixteenths.
fn sixteenths(number: f32) -> u8 {
    (number.to_bits() >> 19) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_counts_as_lower_only_from_an_eighth_less_on() {
        for near in [1e-6, 0.1, 0.99, 1.0, 3.0, 7.9, 4000.0] {
            let mut memory = Following::default();
            memory.arrive(near);
            for higher in [1.0, 1.03, 2.0, 100.0] {
                assert!(!memory.is_nearer_wanted(near * higher), "{near}, {higher}");
            }
            assert!(!memory.is_nearer_wanted(near * 0.97), "{near}");
            for lower in [0.875, 0.5, 0.01] {
                assert!(memory.is_nearer_wanted(near * lower), "{near}, {lower}");
            }
        }
    }
}
