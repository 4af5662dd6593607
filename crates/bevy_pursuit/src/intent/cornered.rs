//! Notices flights that gain nothing, so that the next wish of the agent takes over.

use bevy::math::Vec3;
use bevy::prelude::Component;

/// A flight gives way if it gained nothing for this time, and the next wish then applies for at least as long, in
/// seconds. With a smaller value, an agent hesitates between its wishes.
const PATIENCE_SECONDS: f32 = 1.0;

/// What an agent that flees remembers, to notice that it cannot get farther away. A clone of an entity does not get a
/// copy.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Cornered {
    /// Positions of the agent and of the threat when the agent last gained distance, or when its flight gave way.
    at: [Vec3; 2],
    /// Time since the agent gained distance, or since its flight gave way, in seconds.
    seconds: f32,
    /// Whether the flight gives way to the next wish.
    pub(super) is_cornered: bool,
}

impl Cornered {
    /// Notes a tick of an agent that has a reason to flee, and returns whether its flight gives way to its next wish.
    ///
    /// `at` are the positions of the agent and of the threat. The flight gains nothing while the agent moves by less
    /// than `gain`. It gives way immediately if the agent `is_at_best`: the search found no better place. A cornered
    /// agent tries again after it or the threat moved by more than `room`. `dt` is in seconds, all lengths in world units.
    pub(super) fn note(
        &mut self,
        at: [Vec3; 2],
        gain: f32,
        room: f32,
        is_at_best: bool,
        dt: f32,
    ) -> bool {
        self.seconds += dt;
        let [moved, threat_moved] = [0, 1].map(|n| self.at[n].distance(at[n]));
        let is_long = self.seconds >= PATIENCE_SECONDS;
        let gives_way = match self.is_cornered {
            true => !(is_long && (moved > room || threat_moved > room)),
            false => is_at_best || is_long && moved <= gain,
        };
        if gives_way != self.is_cornered || !gives_way && moved > gain {
            (self.at, self.seconds) = (at, 0.0);
        }
        self.is_cornered = gives_way;
        gives_way
    }
}
