//! Notices flights that gain nothing, so that the next thing that the agent wants takes over.

use bevy::math::Vec3;
use bevy::prelude::Component;

/// Time without gain after which a flight gives way, and minimum time until the agent tries to flee again, in seconds.
/// With a greater value, a cornered agent stands idle for longer. With a smaller one, an agent turns back and forth
/// between fleeing and chasing.
const PATIENCE_SECONDS: f32 = 1.0;

/// What a fleeing agent remembers, to notice that it cannot get farther away. A clone of the entity starts with the
/// default value.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Cornered {
    /// Positions of the agent and of the threat when the agent last made progress in its flight, or when `is_cornered`
    /// last changed.
    at: [Vec3; 2],
    /// Time since the agent was at these positions, in seconds.
    seconds: f32,
    /// Whether the flight gives way to the chase.
    pub(super) is_cornered: bool,
}

impl Cornered {
    /// Notes a tick of an agent that has a reason to flee, and returns whether its flight gives way to its chase.
    ///
    /// `at` has the positions of the agent and of the threat. The flight gains nothing while the agent moves by no more
    /// than `gain`. With `is_at_best`, the search found no better place, and the flight gives way immediately. A
    /// cornered agent tries again when it or the threat has moved by more than `retry_distance`, but not before
    /// [`PATIENCE_SECONDS`] are over. `dt` is in seconds, and all lengths are in world units.
    pub(super) fn note(
        &mut self,
        at: [Vec3; 2],
        (gain, retry_distance): (f32, f32),
        is_at_best: bool,
        dt: f32,
    ) -> bool {
        self.seconds += dt;
        let is_long = self.seconds >= PATIENCE_SECONDS;
        let moved = [0, 1].map(|n| self.at[n].distance(at[n]));
        let moves_on = match self.is_cornered {
            true => is_long && moved[0].max(moved[1]) > retry_distance,
            false => moved[0] > gain,
        };
        let gives_way = !self.is_cornered && (is_at_best || is_long && !moves_on);
        if moves_on || gives_way {
            (self.at, self.seconds, self.is_cornered) = (at, 0.0, gives_way);
        }
        self.is_cornered
    }
}
