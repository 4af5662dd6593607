//! Which agents keep apart from each other, and what each of them remembers for that.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use pursuit::crowd::CrowdMemory;

/// Whether an agent keeps apart from other agents that keep apart, and from every [`CrowdObstacle`].
///
/// Every [`NavAgent`](crate::NavAgent) has this component. Written by the user; may be changed at any time. Removing
/// the component has the effect of [`None`](Self::None).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # fn spawn(mut commands: Commands, player: Entity) {
/// commands.entity(player).insert(CrowdObstacle { radius: 10.0 });
/// let ghost = (NavAgent::from_radius(10.0), NavAvoidance::None);
/// commands.spawn((ghost, Chase::new(player)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(CrowdState)]
#[component(on_insert = remember, on_remove = forget)]
#[non_exhaustive]
pub enum NavAvoidance {
    /// The agent walks through others, and they walk through it.
    None,
    /// Touching agents move apart. Agents queue behind others that are ahead on the same path, and stop behind others
    /// that arrived first. No agent is pushed into a wall. An agent that is [paused](crate::NavPaused), or whose body
    /// cannot be moved, stays where it is.
    #[default]
    Separation,
}

/// Decides how much an agent gives way to another one, if both keep apart. Each increment doubles the agent's weight,
/// and an agent with twice the weight gives way half as much. From -32 to 32; other values are clamped.
///
/// Optional. Written by the user.
///
/// Default: `0`.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavPriority(pub i8);

impl NavPriority {
    /// The weight: 2 to the power of the priority.
    pub(crate) fn weight(self) -> f32 {
        let steps = self.0.clamp(-32, 32);
        let factor = (1_u64 << steps.unsigned_abs()) as f32;
        if steps < 0 { 1.0 / factor } else { factor }
    }
}

/// Marks an entity that agents with [`NavAvoidance::Separation`] keep away from and never move, such as the
/// player or a cart.
///
/// Any entity with a [`Transform`](bevy::transform::components::Transform) can have this component. It has no effect
/// on an agent that keeps apart itself. Chasers of the entity arrive when they touch this radius.
///
/// Written by the user.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct CrowdObstacle {
    /// Radius around the entity's position, in world units. Finite, `> 0.0`; any other value is ignored.
    ///
    /// Default: `8.0`, the radius of an agent.
    pub radius: f32,
}

impl CrowdObstacle {
    /// The radius, if it is in its range.
    pub(crate) fn valid_radius(&self) -> Option<f32> {
        let is_valid = self.radius.is_finite() && self.radius > 0.0;
        is_valid.then_some(self.radius)
    }
}

impl Default for CrowdObstacle {
    fn default() -> Self {
        Self { radius: 8.0 }
    }
}

/// What an agent that keeps apart from others remembers from tick to tick. A clone of an entity does not get a copy.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct CrowdState {
    /// Velocity in the tick before, in world units per second.
    pub(crate) velocity: Vec3,
    pub(crate) memory: CrowdMemory,
    /// Unique number of the agent; 0 until the crowd assigns one.
    pub(crate) serial: u32,
    /// Whether others were near the agent in the latest tick or in the one before.
    pub(crate) is_among: bool,
    /// Whether others held the agent up for long. This stays `true` until nothing holds the agent up.
    pub(crate) is_held_up: bool,
}

/// Time after which others have held an agent up for long, in seconds.
const HELD_UP_SECONDS: f32 = 1.0;

impl CrowdState {
    /// Whether others have held the agent up for long, and it does not stand behind them.
    pub(crate) fn is_blocked(&self) -> bool {
        self.is_among && self.memory.held_up_seconds > HELD_UP_SECONDS && !self.memory.is_settled
    }

    /// Forgets that others were near and held the agent up.
    pub(crate) fn begin_anew(&mut self) {
        (self.is_among, self.is_held_up) = (false, false);
    }

    /// Notes what the agent remembers of others after a tick, and whether they were near.
    pub(crate) fn note(&mut self, memory: CrowdMemory, is_among: bool) {
        (self.memory, self.is_among) = (memory, is_among);
        self.is_held_up &= memory.held_up_seconds > 0.0;
        self.is_held_up |= memory.held_up_seconds > HELD_UP_SECONDS;
    }
}

/// Removes the [`CrowdState`] if the agent does not keep apart.
fn remember(world: DeferredWorld, context: HookContext) {
    if world.get(context.entity) == Some(&NavAvoidance::None) {
        forget(world, context);
    }
}

fn forget(mut world: DeferredWorld, context: HookContext) {
    let mut commands = world.commands();
    if let Ok(mut entity) = commands.get_entity(context.entity) {
        entity.try_remove::<CrowdState>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        assert_eq!(NavAvoidance::default(), NavAvoidance::Separation);
        assert_eq!(NavPriority::default(), NavPriority(0));
        assert_eq!(CrowdObstacle::default().radius, 8.0);
    }

    #[test]
    fn each_step_of_priority_doubles_a_weight() {
        for (step, weight) in [(0, 1.0), (1, 2.0), (-2, 0.25), (32, 4_294_967_296.0)] {
            assert_eq!(NavPriority(step).weight(), weight, "{step}");
        }
        assert_eq!(NavPriority(i8::MAX).weight(), NavPriority(32).weight());
        assert_eq!(NavPriority(i8::MIN).weight(), NavPriority(-32).weight());
    }
}
