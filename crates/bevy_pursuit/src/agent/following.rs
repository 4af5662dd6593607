//! What following remembers from tick to tick.

use bevy::ecs::component::Component;
use bevy::math::Vec2;

use super::Watch;

/// What following remembers from tick to tick. A clone of an entity gets a fresh one.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Following {
    /// Lower bits of the number of the path that it walks.
    pub(crate) path_serial: u16,
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
    /// The sending in the tick before, and whether the agent had arrived then.
    pub(crate) told: u8,
    pub(crate) has_arrived: bool,
    pub(crate) sees_target: bool,
    /// Whether there is a clear line to the goal, as of the last look.
    pub(crate) is_in_line: bool,
    pub(crate) left_path: bool,
}

impl Default for Following {
    fn default() -> Self {
        Self {
            path_serial: 0,
            speed: 0.0,
            seen: Vec2::NAN,
            last_goal: Vec2::NAN,
            proven: Vec2::NAN,
            watch: Watch::default(),
            looked_at: u8::MAX,
            told: 0,
            has_arrived: false,
            sees_target: false,
            is_in_line: false,
            left_path: false,
        }
    }
}
