//! The component that makes an agent chase, and the index of all chased entities.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;

use crate::agent::{
    ChaseIndex, Chasers, CrowdState, GoalKind, Intent, Locomotion, NavAgent, RepathPolicy,
    SpreadTargets, Wants, renew,
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
    /// target's radius is the radius of its [`NavAgent`]. If it has none, it is the radius of its solid collider, or 0
    /// without one. A [`CrowdObstacle`](crate::CrowdObstacle) with a larger radius replaces this radius.
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

/// Maximum number of chasers of a target for which they spread around it as soon as one of them settles behind others.
/// If there are more, none of them spreads. This many bodies fit around a target of their own size. With a greater
/// value, chasers head for places that are too narrow. With a smaller one, chasers settle behind others although the
/// far side is free.
const MAX_SPREAD_CHASERS: usize = 6;
/// Time between two looks for targets around which few chasers spread, in seconds. With a longer time, chasers stand
/// behind others for longer. With a shorter one, the looks take more computing time.
const SPREAD_INTERVAL_SECONDS: f32 = 0.13;

/// The components that show whether a chaser stands behind others, or spreads around its target.
pub(super) type SpreadFrom = (&'static Chase, &'static Locomotion, &'static Intent);

impl SpreadTargets {
    /// Finds the targets around which few chasers spread: at least one of the chasers stands behind others, or has a
    /// place of its own around the target. Runs once per interval. Returns whether the targets changed.
    pub(super) fn update(
        &mut self,
        (tick, dt): (u64, f32),
        index: &ChaseIndex,
        chases: &Query<SpreadFrom, With<CrowdState>>,
    ) -> bool {
        let interval = (SPREAD_INTERVAL_SECONDS / dt.max(1e-4)).max(1.0) as u64;
        if !tick.is_multiple_of(interval) {
            return false;
        }
        let is_few = |count: &Chasers| (2..=MAX_SPREAD_CHASERS).contains(&count.all);
        let has_few = index.chasers.values().any(is_few);
        let spreads = |(chase, locomotion, intent): &(&Chase, &Locomotion, &Intent)| {
            let stands_behind = **locomotion == Locomotion::Settled;
            let has_place = intent.order.goal_kind == GoalKind::Slot;
            (stands_behind || has_place) && index.chasers.get(&chase.target).is_some_and(is_few)
        };
        let before = std::mem::take(&mut self.0);
        if has_few {
            let found = chases.iter().filter(spreads);
            self.0 = found.map(|(chase, ..)| chase.target).collect();
        }
        self.0 != before
    }

    /// Whether the chaser gets a place of its own around its target.
    pub(super) fn makes_surround(&self, chase: &Chase) -> bool {
        chase.surround || self.0.contains(&chase.target)
    }
}

/// Updates the [`ChaseIndex`]. The system counts all present components, so the index is right even if a run condition
/// skipped the system in earlier ticks.
pub(crate) fn index_chases(
    mut index: ResMut<ChaseIndex>,
    chases: Query<(&Chase, Has<CrowdState>)>,
) {
    let pool = Pool::default();
    let size = pool.light_part_size(chases.iter().len());
    let tables = chases.contiguous_iter().into_iter().flatten();
    let parts = tables.flat_map(|(chases, keeps_clear)| {
        let parts = chases.chunks(size);
        parts.map(move |part| (part, keeps_clear))
    });
    let parts = pool.map(parts.collect(), |(part, keeps_clear)| {
        let mut counts = EntityHashMap::<usize>::new();
        for run in part.chunk_by(|one, next| one.target == next.target) {
            *counts.entry(run[0].target).or_default() += run.len();
        }
        let some_surround = part.iter().any(|chase| chase.surround);
        (counts, keeps_clear, some_surround)
    });
    let known = index.bypass_change_detection();
    known.some_surround = parts.iter().any(|(.., surrounds)| *surrounds);
    let mut chasers = EntityHashMap::<Chasers>::new();
    for (counts, keeps_clear, _) in parts {
        for (target, count) in counts {
            let sum = chasers.entry(target).or_default();
            sum.all += count;
            sum.clear += if keeps_clear { count } else { 0 };
        }
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
    let flow_targets = with(FLOW_CHASERS, FLOW_CHASERS_APART);
    (known.shared_targets, known.flow_targets) = (shared_targets, flow_targets);
    known.chasers = chasers;
    if index.targets != targets {
        index.targets = targets;
    }
}
