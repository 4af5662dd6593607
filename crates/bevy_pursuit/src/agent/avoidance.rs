//! Who keeps clear of whom, and what an agent remembers of it.

use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::component::Component;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::ReflectComponent;
use bevy::ecs::world::DeferredWorld;
use bevy::math::Vec3;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::crowd::Mind;

use super::{FlowFollower, Locomotion};

/// Whether an agent keeps clear of others that do, and of what is [`NavAvoided`].
///
/// Each [`NavAgent`](crate::NavAgent) has it. Written by the user; may be changed at any time. Removing it is the same as `None`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # fn spawn(mut commands: Commands, player: Entity) {
/// commands.entity(player).insert(NavAvoided { radius: 10.0 });
/// let ghost = (NavAgent::from_radius(10.0), NavAvoidance::None);
/// commands.spawn((ghost, Chase::new(player)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(Parting)]
#[component(on_insert = remember, on_remove = forget)]
#[non_exhaustive]
pub enum NavAvoidance {
    /// It walks through others, and they through it.
    None,
    /// Agents part where they touch, queue behind those who are ahead of them on the same way, and stand behind those who
    /// came first. Walls stop all of them. One that is [paused](crate::NavPaused), or whose body cannot be moved, stays where it is.
    #[default]
    Separation,
}

/// How much an agent gives way to others where both keep clear: each step up doubles its weight, and who weighs
/// twice as much gives way half as much. From -32 to 32; what is beyond counts as these.
///
/// Optional. Written by the user. Default: `0`.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavPriority(pub i8);

impl NavPriority {
    /// The weight of it.
    pub(crate) fn weight(self) -> f32 {
        let step = i32::from(self.0).clamp(-32, 32);
        f32::from_bits(((127 + step) as u32) << 23)
    }
}

/// What agents with [`NavAvoidance::Separation`] keep clear of and never move, as the player or a cart: any entity with
/// a [`Transform`](bevy::transform::components::Transform). On an agent that separates itself it has no effect. Who chases it reaches
/// it where both touch, as if it had such a body.
///
/// Written by the user.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavAvoided {
    /// In world units, around its place. Finite, `> 0.0`; anything else is ignored.
    ///
    /// Default: `8.0`, the radius of an agent.
    pub radius: f32,
}

impl NavAvoided {
    /// Its radius, if that makes sense.
    pub(crate) fn valid_radius(&self) -> Option<f32> {
        let is_valid = self.radius.is_finite() && self.radius > 0.0;
        is_valid.then_some(self.radius)
    }
}

impl Default for NavAvoided {
    fn default() -> Self {
        Self { radius: 8.0 }
    }
}

/// What an agent that keeps clear of others remembers from tick to tick. A clone of an entity gets a fresh one.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore, on_remove = go_on_alone)]
pub(crate) struct Parting {
    /// How it went in the tick before, in world units per second.
    pub(crate) velocity: Vec3,
    pub(crate) mind: Mind,
    /// Tells it from others; 0 while it has none.
    pub(crate) serial: u32,
}

/// Only who keeps clear has something to remember.
fn remember(world: DeferredWorld, context: HookContext) {
    if world.get(context.entity) == Some(&NavAvoidance::None) {
        forget(world, context);
    }
}

/// What others made of a follower does not last.
fn go_on_alone(mut world: DeferredWorld, context: HookContext) {
    let Some(mut follower) = world.get_mut::<FlowFollower>(context.entity) else {
        return;
    };
    follower.go_on_alone();
    if let Some(mut locomotion) = world.get_mut::<Locomotion>(context.entity) {
        locomotion.set_if_neq(Locomotion::Moving);
    }
}

fn forget(mut world: DeferredWorld, context: HookContext) {
    let mut commands = world.commands();
    if let Ok(mut entity) = commands.get_entity(context.entity) {
        entity.try_remove::<Parting>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        assert_eq!(NavAvoidance::default(), NavAvoidance::Separation);
        assert_eq!(NavPriority::default(), NavPriority(0));
        assert_eq!(NavAvoided::default().radius, 8.0);
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
