//! The component that makes an agent chase, and the index of all chased entities.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;

use crate::agent::{
    ChaseIndex, Chasers, CrowdState, Locomotion, NavAgent, RepathPolicy, Wants, renew,
};
use crate::chunks::Pool;

/// Makes an agent chase a moving entity.
///
/// Every field may be changed at any time. A change through `bypass_change_detection` has no effect until another
/// change is noticed. A game may insert a chase of the same target in every tick: this has the effect of writing its
/// fields. [`PathRequest`](crate::PathRequest) takes precedence, and so does [`Flee`](crate::Flee) while the
/// agent runs: the chase waits, and its events are sent again when it continues. Written by the user; removing the
/// component stops the agent.
///
/// A target whose body moves (dynamic or kinematic) is not an obstacle while it is chased. A target that is an
/// obstacle itself, like a gate, is reached at its rim. If the target is deep inside another obstacle, agents
/// wait at the near rim: the status is `Partial(GoalBlocked)`, unless the rim is within reach.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(NavAgent)]
#[component(on_insert = renew(Wants::Follow))]
pub struct Chase {
    /// The entity to chase. When it is despawned, the agent stops and its status becomes
    /// [`PathStatus::TargetLost`](crate::PathStatus::TargetLost).
    #[entities]
    pub target: Entity,
    /// Distance between the centers at which the target counts as reached, in world units. A target is never
    /// reached through a wall: either there is a clear line to it, or the path to it is no longer than the reach.
    /// If the target has a solid collider, the reach is at least 1.02 times the distance at which the bodies touch.
    ///
    /// Default: `None`, which means [`NavAgent::reach`], or without one `1.1 × (own radius + target's radius)`. The
    /// target's radius is the radius of its [`NavAgent`]. If it has none, it is the radius of its solid collider,
    /// including the colliders on its children, or 0 without a collider. A [`CrowdObstacle`](crate::CrowdObstacle) with
    /// a larger radius replaces this radius.
    pub reach: Option<f32>,
    /// Whether the target counts as reached only with a clear line to it. With a [`reach`](Self::reach) of 150,
    /// for example, the agent stops 150 away with a clear shot.
    ///
    /// Default: `false`.
    pub needs_sight: bool,
    /// Whether chasers spread evenly on the circle of their [`reach`](Self::reach) around the target, instead
    /// of stopping on the side that they come from.
    ///
    /// Chasers with the same reach share a circle. They step back when the target comes nearer. A chaser
    /// approaches as if this were `false` if the circle has no room for it, if its place on the circle would be
    /// in a wall, or if no straight line leads from the target to that place. If the target is an obstacle itself,
    /// all chasers approach as if this were `false`.
    ///
    /// Even with `false`, two to six chasers that have no reach of their own spread around their target as soon as one
    /// of them settles behind others.
    ///
    /// Default: `false`.
    pub surround: bool,
    /// When to search again while the target moves.
    ///
    /// Default: [`RepathPolicy::Dynamic`].
    pub repath: RepathPolicy,
}

impl Chase {
    /// A chase of `target`. All other fields have their default values.
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

    /// Makes the target count as reached only with a clear line to it.
    pub fn with_sight(mut self) -> Self {
        self.needs_sight = true;
        self
    }

    /// Makes chasers of the target with this reach spread around it.
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

    /// Whether the chaser goes to its target as near as it can, and does not surround it.
    fn is_melee(&self, agent: &NavAgent) -> bool {
        self.reach.or(agent.reach).is_none() && !self.surround
    }

    /// Sets when to search again while the target moves.
    pub fn with_repath(mut self, repath: RepathPolicy) -> Self {
        self.repath = repath;
        self
    }
}

/// Minimum number of chasers of one target that share a flow.
const FLOW_CHASERS: usize = 256;
/// Minimum number of chasers of one target that share a flow if these chasers keep apart. Along a field, such chasers
/// go through a door side by side. With a smaller value, fields are built for few agents. With a value above 240, 240
/// agents go in single file through a door that is two bodies wide, at 60 % of its capacity instead of 70 %.
const FLOW_CHASERS_APART: usize = 96;

/// Maximum number of chasers of a target that spread around it as soon as one of them settles behind others. Chasers
/// that have a reach or [surround](Chase::surround) the target are not counted. If there are more, none of them
/// spreads. This many bodies fit around a target of their own size. With a greater value, chasers head for places that
/// are too narrow. With a smaller one, chasers settle behind others although the far side is free.
const MAX_SPREAD_CHASERS: usize = 6;

impl ChaseIndex {
    /// Whether the few chasers of a target spread around it.
    pub(super) fn spreads(&self, target: Entity) -> bool {
        self.chasers.get(&target).is_some_and(|it| it.spread)
    }

    /// Whether the chaser gets a place of its own around its target.
    pub(super) fn gives_place(&self, chase: &Chase, agent: &NavAgent) -> bool {
        chase.surround || chase.is_melee(agent) && self.spreads(chase.target)
    }
}

/// Updates the [`ChaseIndex`]. The system counts all present components, so the index is right even if a run condition
/// skipped the system in earlier ticks.
pub(crate) fn index_chases(
    mut index: ResMut<ChaseIndex>,
    chases: Query<(&Chase, &NavAgent, &Locomotion, Has<CrowdState>)>,
) {
    let pool = Pool::default();
    let size = pool.light_part_size(chases.iter().len());
    let tables = chases.contiguous_iter().into_iter().flatten();
    let parts = tables.flat_map(|(chases, agents, how, keeps_clear)| {
        let parts = chases.chunks(size).zip(agents.chunks(size));
        (parts.zip(how.chunks(size))).map(move |part| (part, keeps_clear))
    });
    let parts = pool.map(parts.collect(), |(((part, agents), how), keeps_clear)| {
        let mut chasers = EntityHashMap::<Chasers>::new();
        let mut first = 0;
        for run in part.chunk_by(|one, next| one.target == next.target) {
            let sum = chasers.entry(run[0].target).or_default();
            sum.all += run.len();
            sum.clear += if keeps_clear { run.len() } else { 0 };
            let rows = first..first + run.len();
            first = rows.end;
            let melee = rows.filter(|row| part[*row].is_melee(&agents[*row]));
            // If there are more, the target has too many chasers to spread them.
            for row in melee.take(MAX_SPREAD_CHASERS + 1) {
                sum.melee += 1;
                sum.spread |= keeps_clear && how[row] == Locomotion::Settled;
            }
        }
        (chasers, part.iter().any(|chase| chase.surround))
    });
    let known = index.bypass_change_detection();
    known.some_surround = parts.iter().any(|(_, surrounds)| *surrounds);
    let mut chasers = EntityHashMap::<Chasers>::new();
    for (target, part) in parts.into_iter().flat_map(|(chasers, _)| chasers) {
        let sum = chasers.entry(target).or_default();
        sum.all += part.all;
        sum.clear += part.clear;
        sum.melee += part.melee;
        sum.spread |= part.spread;
    }
    for (target, it) in &mut chasers {
        it.spread |= known.spreads(*target);
        it.spread &= (2..=MAX_SPREAD_CHASERS).contains(&it.melee);
        known.some_surround |= it.spread;
    }
    if known.chasers == chasers {
        return;
    }
    let with = |least: usize, least_clear: usize| {
        let is_enough = |sum: &Chasers| sum.all >= least || sum.clear >= least_clear;
        let many = chasers.iter().filter(|(_, sum)| is_enough(sum));
        many.map(|(target, _)| *target).collect()
    };
    let (targets, shared_targets) = (with(1, 1), with(2, 2));
    known.flow_targets = with(FLOW_CHASERS, FLOW_CHASERS_APART);
    (known.shared_targets, known.chasers) = (shared_targets, chasers);
    if index.targets != targets {
        index.targets = targets;
    }
}
