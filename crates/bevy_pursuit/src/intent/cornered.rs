//! Notices flights that gain nothing, so that the next wish of the agent takes over.

use bevy::math::Vec3;
use bevy::prelude::Component;

/// A flight gives way if it gained nothing for this time, in seconds. With a smaller value, an agent that only waits
/// behind others gives up its flight.
const GAIN_SECONDS: f32 = 1.0;
/// Minimum time for which the next wish of a cornered agent applies, in seconds. With a smaller value, the agent
/// hesitates between its wishes.
const YIELD_SECONDS: f32 = 1.0;
/// A cornered agent tries to flee again after the agent or its threat moved by this share of the distance of the flight.
const ROOM_SHARE: f32 = 0.25;

/// What an agent that flees remembers, to notice that it cannot get farther away. A clone of an entity does not get a
/// copy.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Cornered {
    /// Where the agent was when it last gained distance, or when its flight gave way.
    place: Vec3,
    /// Where the threat was when the flight gave way.
    threat: Vec3,
    /// Time since the agent gained distance, or since its flight gave way, in seconds.
    seconds: f32,
    /// Whether the flight gives way to the next wish.
    is_cornered: bool,
}

/// One tick of an agent that has a reason to flee. Lengths are in world units.
#[derive(Clone, Copy)]
pub(super) struct FlightTick {
    pub(super) place: Vec3,
    pub(super) threat: Vec3,
    /// Distance that the agent has to move so that the flight gains something.
    pub(super) gain: f32,
    /// Distance that the agent wants to keep from the threat.
    pub(super) distance: f32,
    /// Whether the search for a refuge found no better place than the agent's own.
    pub(super) is_at_best: bool,
    /// Length of the tick, in seconds. 0 while the agent waits for an answer.
    pub(super) dt: f32,
}

impl Cornered {
    /// Notes a tick, and returns whether the flight gives way to the next wish.
    pub(super) fn note(&mut self, tick: FlightTick) -> bool {
        self.seconds += tick.dt;
        let moved = self.place.distance(tick.place);
        let room = ROOM_SHARE * tick.distance;
        if self.is_cornered {
            let is_roomy = moved > room || self.threat.distance(tick.threat) > room;
            if self.seconds < YIELD_SECONDS || !is_roomy {
                return true;
            }
            *self = Self::default();
        } else if tick.is_at_best || self.seconds >= GAIN_SECONDS && moved <= tick.gain {
            (self.place, self.threat) = (tick.place, tick.threat);
            (self.seconds, self.is_cornered) = (0.0, true);
            return true;
        }
        if moved > tick.gain {
            (self.place, self.seconds) = (tick.place, 0.0);
        }
        false
    }
}
