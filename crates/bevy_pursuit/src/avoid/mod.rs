//! Keeps agents apart: everybody's wanted velocity in, everybody's velocity out.

mod members;
mod space;

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::ecs::schedule::common_conditions::any_with_component;
use bevy::math::{Vec2, Vec3};
use bevy::time::Time;
use bevy::transform::helper::TransformHelper;
use pursuit::crowd::{Crowd, Member, Moved};

use self::members::{Parter, ParterItem, number_newcomers};
use self::space::Space;
use crate::agent::{
    BodyKind, DesiredVelocity, NavAvoidance, NavAvoided, NavPriority, Parting, world_position,
};
use crate::chunks::Pool;
use crate::grid::{BakedGrid, GridView, Ground};
use crate::schedule::{
    AvoidTick, FollowTick, PursuitSystems, Ran, Ticks, ensure_schedule, on_main,
};
use crate::settings::PursuitSettings;

pub(crate) use self::members::LatestSerial;

/// An agent that stands makes no step that is shorter than this part of its radius.
const LEAST_STEP: f32 = 1e-3;

/// One that others have held up for so many seconds looks for no better place any more.
const LONG: f32 = 1.0;

/// Keeps agents with [`NavAvoidance::Separation`] apart.
///
/// It changes the [`DesiredVelocity`] that [`PursuitSystems::Follow`] wrote in the same tick: a game that follows paths by
/// a system of its own writes it in each tick. Without this plugin agents walk through one another.
#[derive(Clone, Copy, Debug)]
pub struct AvoidPlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for AvoidPlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        app.init_resource::<PursuitSettings>()
            .init_resource::<LatestSerial>()
            .init_resource::<Scratch>()
            .register_type::<NavAvoidance>()
            .register_type::<NavPriority>()
            .register_type::<NavAvoided>()
            .add_systems(
                self.schedule,
                (
                    on_main(note_changes).run_if(any_with_component::<NavAvoidance>),
                    on_main(keep_apart).run_if(any_with_component::<Parting>),
                )
                    .chain()
                    .in_set(PursuitSystems::Avoid),
            );
    }
}

/// Memory to be used again. What comes of a tick does not depend on it.
#[derive(Resource, Default)]
pub(crate) struct Scratch {
    crowd: Crowd,
    /// By plane.
    members: Vec<Vec<Member>>,
    moved: Vec<Vec<Moved>>,
    /// Of each agent, in the order of the query: its plane, and which member of that it is.
    slots: Vec<Option<(usize, u32)>>,
}

/// Who was told in place to keep clear or not, or got back what all agents begin with.
type Retold = Or<(Changed<NavAvoidance>, Added<Parting>)>;

fn note_changes(
    mut commands: Commands,
    changed: Query<(Entity, &NavAvoidance, Has<Parting>), Retold>,
) {
    for (entity, avoidance, is_parted) in &changed {
        if (*avoidance == NavAvoidance::Separation) != is_parted {
            commands.entity(entity).try_insert(*avoidance);
        }
    }
}

/// When it is.
type Tick<'w> = (
    Res<'w, Time>,
    Res<'w, PursuitSettings>,
    Res<'w, Ticks>,
    Ran<'w, FollowTick>,
);

/// What is kept clear of.
type Avoided<'a> = (Entity, &'a NavAvoided, Has<Parting>);

fn keep_apart(
    (time, settings, ticks, followed): Tick,
    grids: Query<(Entity, &BakedGrid)>,
    (avoided, transforms): (Query<Avoided>, TransformHelper),
    (mut last, mut latest): (ResMut<AvoidTick>, ResMut<LatestSerial>),
    mut scratch: ResMut<Scratch>,
    mut agents: Query<Parter>,
) {
    let dt = settings.step(time.delta_secs());
    // What Follow did not decide in this tick is what came of this stage in an earlier one.
    if !followed.now() {
        return;
    }
    **last = ticks.0;
    if dt <= 0.0 {
        return;
    }
    number_newcomers(&mut agents, &mut latest);
    let grounds: Vec<Ground> = grids.iter().map(Ground::new).collect();
    let views: Vec<GridView> = grids.iter().map(GridView::new).collect();
    let space = Space::new(&grounds);
    let scratch = &mut *scratch;
    scratch.gather(&mut agents, &space, &views);
    for (plane, fixed) in fixed_members(&avoided, &transforms, &space) {
        scratch.members[plane].push(fixed);
    }
    for (members, moved) in scratch.members.iter().zip(&mut scratch.moved) {
        (scratch.crowd).step(members, &space, dt, &Pool::default(), moved);
    }
    // The same agents in the same order: nobody was moved to another table in between.
    for (mut agent, slot) in agents.iter_mut().zip(&scratch.slots) {
        if let Some((plane, index)) = *slot {
            let moved = &scratch.moved[plane][index as usize];
            let member = &scratch.members[plane][index as usize];
            agent.move_on(member, moved, &space, dt);
        }
    }
}

impl Scratch {
    /// Sorts agents into the crowds of their planes.
    fn gather(&mut self, agents: &mut Query<Parter>, space: &Space, views: &[GridView]) {
        self.members.resize_with(space.planes(), Vec::new);
        self.moved.resize_with(space.planes(), Vec::new);
        self.members.iter_mut().for_each(Vec::clear);
        self.slots.clear();
        for mut agent in agents {
            let Some((plane, member)) = agent.member(space, views) else {
                agent.rest();
                self.slots.push(None);
                continue;
            };
            let crowd = &mut self.members[plane];
            self.slots.push(Some((plane, crowd.len() as u32)));
            crowd.push(member);
        }
    }
}

/// What is kept clear of, with its plane. In an order that does not depend on where the world keeps entities.
fn fixed_members(
    avoided: &Query<Avoided>,
    transforms: &TransformHelper,
    space: &Space,
) -> Vec<(usize, Member)> {
    let fixed = avoided.iter().filter_map(|(entity, avoided, is_parted)| {
        if is_parted {
            return None;
        }
        let place = world_position(transforms, entity).filter(|place| place.is_finite())?;
        let plane = space.nearest_plane(place)?;
        let member = Member {
            place: space.plane(plane).to_grid(place),
            radius: avoided.valid_radius()?,
            weight: f32::INFINITY,
            group: u32::MAX,
            ..Member::default()
        };
        Some((plane, member))
    });
    let mut fixed: Vec<(usize, Member)> = fixed.collect();
    fixed.sort_by_key(|(_, it)| [it.place.x, it.place.y, it.radius].map(f32::to_bits));
    for (index, (_, member)) in fixed.iter_mut().enumerate() {
        member.serial = u32::MAX - index as u32;
    }
    fixed
}

impl ParterItem<'_, '_> {
    /// Takes down what became of it.
    fn move_on(&mut self, member: &Member, moved: &Moved, space: &Space, dt: f32) {
        let plane = space.plane_of(member.ground);
        let parting = self.parting.bypass_change_detection();
        // One that was among others comes to its speed as they do.
        let waits = moved.mind.is_settled && !member.is_there;
        let matters = waits || moved.mind.is_among || parting.mind.is_among;
        parting.mind = moved.mind;
        if member.weight.is_infinite() {
            parting.velocity = Vec3::ZERO;
            return;
        }
        if let Some(follower) = &mut self.follower {
            follower.keeps_clear = true;
            follower.is_parted = matters;
            follower.stands = moved.mind.is_settled;
            follower.is_held_up &= moved.mind.held_up > 0.0;
            follower.is_held_up |= moved.mind.held_up > LONG;
        }
        if !matters {
            parting.velocity = self.desired.0;
            return;
        }
        let mut step = moved.place - member.place;
        let stands = moved.mind.is_settled || member.pace == 0.0;
        if stands && step.length() < LEAST_STEP * member.radius {
            step = Vec2::ZERO;
        }
        parting.velocity = plane.direction_to_world(moved.velocity);
        let velocity = plane.direction_to_world(step / dt);
        self.desired.set_if_neq(DesiredVelocity(velocity));
        let following = self.following.bypass_change_detection();
        following.speed = moved.velocity.length();
        if let Some(follower) = &mut self.follower {
            if follower.proven != velocity.truncate() {
                follower.ahead = 0.0;
            }
            follower.proven = velocity.truncate();
            follower.expected = moved.place;
            follower.is_behind = moved.mind.is_behind && !moved.mind.is_settled;
        } else if self.body.kind == BodyKind::Bare {
            let frame = space.frame_of(member.ground);
            following.proven = frame.direction_to_grid(velocity);
        }
    }

    /// Forgets, while it does not keep clear.
    fn rest(&mut self) {
        if let Some(follower) = &mut self.follower {
            (follower.is_parted, follower.stands) = (false, false);
        }
        let parting = self.parting.bypass_change_detection();
        *parting = Parting {
            serial: parting.serial,
            ..Parting::default()
        };
    }
}
