//! Keeps agents apart: changes the velocity that each agent wants so that agents do not collide.

mod members;
mod moves;
mod space;

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;
use pursuit::crowd::{Crowd, Member};

use self::members::{CrowdAgent, fill_crowd, number_newcomers};
use self::moves::Moves;
use self::space::Space;
use crate::agent::{
    CrowdObstacle, CrowdState, NavAgent, NavAvoidance, NavPriority, world_position,
};
use crate::chunks::{AllOf, Pool, any_changed};
use crate::fields::FieldCache;
use crate::grid::Grids;
use crate::ground::AgentClasses;
use crate::schedule::{
    AvoidTick, FollowTick, MainSystems, PursuitSystems, Ran, TickCount, ensure_schedule,
};
use crate::settings::PursuitSettings;

pub(crate) use self::members::LatestSerial;

/// Keeps agents with [`NavAvoidance::Separation`] apart.
///
/// The plugin changes the [`DesiredVelocity`](crate::DesiredVelocity) that [`PursuitSystems::Follow`] wrote in the same
/// tick. If a system of the game follows paths instead, it must write `DesiredVelocity` in each tick. Without this
/// plugin, agents walk through one another.
#[derive(Clone, Copy, Debug)]
pub struct AvoidPlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for AvoidPlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        app.init_resource::<LatestSerial>()
            .init_resource::<Scratch>()
            .register_type::<NavAvoidance>()
            .register_type::<NavPriority>()
            .register_type::<CrowdObstacle>()
            .add_main_systems(
                self.schedule,
                (
                    note_changes.run_if(any_with_component::<NavAvoidance>),
                    keep_apart.run_if(any_with_component::<CrowdState>),
                )
                    .chain()
                    .in_set(PursuitSystems::Avoid),
            );
    }
}

/// Scratch memory, kept from tick to tick. Results do not depend on its content.
#[derive(Resource, Default)]
pub(crate) struct Scratch(Crowd);

/// Agents whose `NavAvoidance` was written in place, or whose `CrowdState` was added.
type AvoidanceChanged = (
    Or<(Changed<NavAvoidance>, Added<CrowdState>)>,
    Allow<Disabled>,
);

/// Applies changes of `NavAvoidance` that were made in place: inserts the component again if [`CrowdState`] does not
/// agree with it.
fn note_changes(
    mut commands: Commands,
    all: Query<AllOf<NavAvoidance>>,
    crowd_states: Query<AllOf<CrowdState>>,
    changed: Query<(Entity, &NavAvoidance, Has<CrowdState>), AvoidanceChanged>,
) {
    if !any_changed(&all) && !any_changed(&crowd_states) {
        return;
    }
    for (entity, avoidance, has_crowd_state) in &changed {
        if (*avoidance == NavAvoidance::Separation) != has_crowd_state {
            commands.entity(entity).try_insert(*avoidance);
        }
    }
}

/// The clocks and settings that decide whether the stage moves agents in this tick, and how long the tick is.
type TickParams<'w> = (
    Res<'w, Time>,
    Res<'w, PursuitSettings>,
    Res<'w, TickCount>,
    Ran<'w, FollowTick>,
);

/// The components of a [`CrowdObstacle`].
type Avoided<'a> = (Entity, &'a CrowdObstacle, Has<CrowdState>, Has<NavAgent>);

/// Moves all agents with [`CrowdState`] as one crowd, and writes their velocities.
fn keep_apart(
    (time, settings, ticks, followed): TickParams,
    (grids, classes): (Res<Grids>, Option<Res<AgentClasses>>),
    (avoided, transforms): (Query<Avoided>, TransformHelper),
    (mut last, mut latest): (ResMut<AvoidTick>, ResMut<LatestSerial>),
    (mut scratch, fields): (ResMut<Scratch>, Option<Res<FieldCache>>),
    mut agents: Query<CrowdAgent>,
) {
    let dt = settings.step(time.delta_secs());
    // If the follow stage did not run in this tick, `DesiredVelocity` holds this stage's own result of an earlier tick.
    if !followed.now() {
        return;
    }
    **last = ticks.0;
    if dt <= 0.0 {
        return;
    }
    let classes = classes.map_or(1, |classes| classes.all.len());
    let space = Space::new(&grids, classes);
    let pool = Pool::default();
    let Scratch(crowd) = &mut *scratch;
    let fixed = fixed_members(&avoided, &transforms, &space);
    if fill_crowd(crowd, (&agents, &fixed), &space, &pool) {
        number_newcomers(&mut agents, &mut latest);
        fill_crowd(crowd, (&agents, &fixed), &space, &pool);
    }
    crowd.step(&space, dt, &pool);
    let moves = Moves {
        space: &space,
        dt,
        crowd,
        proves: fields.is_some_and(|fields| fields.followed_at == ticks.0),
    };
    moves.write(&mut agents, &pool);
}

/// The obstacles that agents keep clear of, as fixed members. Their order does not depend on the world's storage.
fn fixed_members(
    avoided: &Query<Avoided>,
    transforms: &TransformHelper,
    space: &Space,
) -> Vec<Member> {
    let fixed = avoided.iter().filter_map(|it| {
        let (entity, avoided, has_crowd_state, is_agent) = it;
        if has_crowd_state && is_agent {
            return None;
        }
        let place = world_position(transforms, entity).filter(|place| place.is_finite())?;
        let plane = space.nearest_plane(place)?;
        Some(Member {
            place: space.plane(plane).to_grid(place),
            plane: plane as u16,
            radius: avoided.valid_radius()?,
            weight: f32::INFINITY,
            goal_id: u32::MAX,
            ..Member::default()
        })
    });
    let mut fixed: Vec<Member> = fixed.collect();
    fixed.sort_by_key(|it| [it.place.x, it.place.y, it.radius].map(f32::to_bits));
    for (index, member) in fixed.iter_mut().enumerate() {
        member.serial = u32::MAX - index as u32;
    }
    fixed
}
