//! The behavior that runs after an entity, and who chases whom.

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::prelude::*;
use bevy::reflect::Reflect;

use crate::agent::{ChaseIndex, NavAgent, Parting, RepathPolicy, renew};

/// Keeps an agent's path aimed at a moving entity, and the agent on it.
///
/// Every field may be changed at any time. [`PathRequest`](crate::PathRequest) wins over it, and so does
/// [`Flee`](crate::Flee) while the agent runs: the chase waits, and is a new one when it goes on. Written by the user;
/// removing it stops the agent.
///
/// A target whose body moves (dynamic or kinematic) is no obstacle while it is chased. One that is an obstacle itself,
/// as a gate is, is reached at its rim. For a target deep inside another obstacle, agents wait at the near rim: the
/// status is `Partial(GoalBlocked)`, unless the rim is within reach.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(NavAgent)]
#[component(on_insert = renew)]
pub struct Chase {
    /// Whom to chase. When it is despawned, the agent stops and its status becomes
    /// [`PathStatus::TargetLost`](crate::PathStatus::TargetLost).
    #[entities]
    pub target: Entity,
    /// Distance between the centers at which the target counts as reached, in world units. Never
    /// through a wall: the target is in a clear line, or no farther on foot. Less than two touching
    /// bodies counts as touching.
    ///
    /// Default: `None`: [`NavAgent::reach`], else touching bodies plus a tenth: `1.1 × (own radius +
    /// target's radius)`. The target's radius is taken from its [`NavAgent`], else from its solid
    /// collider, else it is 0.
    pub reach: Option<f32>,
    /// Whether the target counts as reached only with a clear line to it: with a
    /// [`reach`](Self::reach) of 150 the agent stands 150 away, with a clear shot.
    ///
    /// Default: `false`.
    pub needs_sight: bool,
    /// Whether chasers spread on the circle of their [`reach`](Self::reach) around the target, evenly, instead of
    /// stopping on the side that they come from. Those with the same reach share a circle. Agents on it step back when
    /// the target comes nearer. A chaser for whom the circle has no room, or that would stand in a wall or could not
    /// walk there from the target, comes within reach as others do; so do all if the target is an obstacle itself.
    ///
    /// Default: `false`.
    pub surround: bool,
    /// When to plan again as the target moves.
    ///
    /// Default: [`RepathPolicy::Dynamic`].
    pub repath: RepathPolicy,
}

impl Chase {
    /// A chase of `target` with default values otherwise.
    pub fn new(target: Entity) -> Self {
        Self {
            target,
            reach: None,
            needs_sight: false,
            surround: false,
            repath: RepathPolicy::default(),
        }
    }

    /// Sets the distance at which the target counts as reached, in world units.
    pub fn with_reach(mut self, reach: f32) -> Self {
        self.reach = Some(reach);
        self
    }

    /// Lets the target count as reached only with a clear line to it.
    pub fn with_sight(mut self) -> Self {
        self.needs_sight = true;
        self
    }

    /// Lets those who chase the target with this reach stand around it.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_pursuit::prelude::*;
    /// # fn encircle(mut commands: Commands, wolf: Entity, player: Entity) {
    /// commands.entity(wolf).insert(Chase::new(player).with_reach(60.0).surrounding());
    /// # }
    /// ```
    pub fn surrounding(mut self) -> Self {
        self.surround = true;
        self
    }

    /// Sets when to plan again.
    pub fn with_repath(mut self, repath: RepathPolicy) -> Self {
        self.repath = repath;
        self
    }
}

/// So many chasers of one target share a flow.
const MASS: usize = 256;
/// The same of chasers that keep clear of each other: along a field they pass a door side by side. Less: fields for few. More: 240
/// pass a door of two bodies in one file, at 60 % of what fits, not at 70 %.
const CLEAR_MASS: usize = 96;

/// Keeps the [`ChaseIndex`]. Looks at what is there, so that it is right again after any pause.
pub(crate) fn index_chases(mut index: ResMut<ChaseIndex>, chases: Query<(&Chase, Has<Parting>)>) {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut some_surround = false;
    let seen = chases
        .iter()
        .fold((0, 0_u64), |(count, sum), (chase, keeps_clear)| {
            some_surround |= chase.surround;
            // Two odd factors spread the bits of neighboring entities.
            let bits = chase.target.to_bits().wrapping_mul(SPREAD).rotate_left(29);
            let bits = bits.wrapping_mul(SPREAD);
            // Turned, so that what one target gains is not what another one loses.
            let bits = bits.rotate_left(if keeps_clear { 32 } else { 0 });
            (count + 1, sum.wrapping_add(bits))
        });
    index.bypass_change_detection().some_surround = some_surround;
    if index.seen == seen {
        return;
    }
    // All, and those that keep clear.
    let mut counts = EntityHashMap::<(usize, usize)>::new();
    for (chase, keeps_clear) in &chases {
        let (all, clear) = counts.entry(chase.target).or_default();
        (*all, *clear) = (*all + 1, *clear + usize::from(keeps_clear));
    }
    let with = |least: usize, least_clear: usize| {
        let is_enough = |(all, clear): (usize, usize)| all >= least || clear >= least_clear;
        let many = counts.iter().filter(|(_, counts)| is_enough(**counts));
        many.map(|(target, _)| *target).collect()
    };
    let (targets, crowded) = (with(1, 1), with(2, 2));
    let masses = with(MASS, CLEAR_MASS);
    let known = index.bypass_change_detection();
    (known.seen, known.crowded, known.masses) = (seen, crowded, masses);
    if index.targets != targets {
        index.targets = targets;
    }
}
