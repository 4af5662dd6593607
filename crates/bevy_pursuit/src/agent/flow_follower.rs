//! Agents that walk along a flow field instead of a path of their own.

use bevy::ecs::component::Component;
use bevy::math::Vec2;

/// An agent that chases its target together with many others and walks along a flow field.
///
/// Such an agent only walks: nothing is decided and no path is planned for it. Near its target, or when it
/// wants something else, it becomes an ordinary agent again. A clone of an entity starts as an ordinary agent.
///
/// The component moves these agents to ECS tables of their own, so that loops over them are short. Followers exist only
/// on grids in the XY plane, where grid coordinates are world coordinates.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct FlowFollower {
    /// Number of the flow that the agent follows.
    pub(crate) flow: u32,
    /// Direction to walk in: a unit vector.
    pub(crate) heading: Vec2,
    /// Distance along `heading` for which the body is proven to fit, in world units.
    pub(crate) clear_distance: f32,
    /// Remaining distance to the target along the field, in world units.
    pub(crate) remaining: f32,
    /// Speed, in world units per second.
    pub(crate) speed: f32,
    /// The desired velocity, if the body is proven to have room to move with it in this tick; otherwise NaN.
    pub(crate) proven_velocity: Vec2,
    /// Position in the latest tick.
    pub(crate) last: Vec2,
    /// Expected position in the next tick.
    pub(crate) expected: Vec2,
    /// Generation of the grid for which `clear_distance` and `proven_velocity` hold.
    pub(crate) generation: u64,
    /// Number that spreads the lookups of all followers over ticks: see [`stagger`].
    pub(crate) stagger: u8,
    /// Seconds for which the agent has moved less than half as far as it wanted, or has been blocked.
    pub(crate) stalled: f32,
    /// Whether the agent keeps apart from others.
    pub(crate) keeps_clear: bool,
    /// Whether others were near the agent in the latest tick.
    pub(crate) has_neighbors: bool,
    /// Whether the agent walks close behind others.
    pub(crate) is_behind: bool,
    /// Whether the agent stands behind others that arrived first.
    pub(crate) stands: bool,
    /// Whether others have held the agent up for long, without it [standing](Self::stands) behind them.
    pub(crate) is_blocked: bool,
    /// Whether others held the agent up for long. This stays `true` until nothing holds the agent up.
    pub(crate) is_held_up: bool,
    /// Distance from the target at which the chase ends, in world units.
    pub(crate) reach: f32,
    /// The reach that the game set on the chase, or else on the agent. It shows whether the game changes the reach.
    /// `None` if the game set no reach.
    pub(crate) wanted_reach: Option<f32>,
}

impl FlowFollower {
    /// A follower that has not looked at the field yet.
    pub(crate) fn new(flow: u32, position: Vec2) -> Self {
        Self {
            flow,
            heading: Vec2::ZERO,
            clear_distance: 0.0,
            remaining: 0.0,
            speed: 0.0,
            proven_velocity: Vec2::NAN,
            last: position,
            expected: position,
            generation: 0,
            stagger: stagger(position),
            stalled: 0.0,
            keeps_clear: false,
            has_neighbors: false,
            is_behind: false,
            stands: false,
            is_blocked: false,
            is_held_up: false,
            reach: 0.0,
            wanted_reach: None,
        }
    }
}

impl FlowFollower {
    /// Resets all fields that the crowd wrote.
    pub(crate) fn go_on_alone(&mut self) {
        (self.keeps_clear, self.has_neighbors, self.is_behind) = (false, false, false);
        (self.stands, self.is_blocked, self.is_held_up) = (false, false, false);
    }
}

/// Number that spreads work over ticks. It is computed from a position, so it does not depend on the order in
/// which the world stores agents.
pub(crate) fn stagger(position: Vec2) -> u8 {
    let [x, y] = position.to_array().map(f32::to_bits);
    ((x ^ y.rotate_left(16)).wrapping_mul(0x9E37_79B9) >> 24) as u8
}
