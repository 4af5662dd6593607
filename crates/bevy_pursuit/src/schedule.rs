//! Orders Pursuit's stages among themselves. Whichever physics is there orders its own against these.

use std::ops;

use bevy::app::{App, Last, Plugin, PostUpdate};
use bevy::ecs::prelude::{Res, ResMut, Resource, World, not};
use bevy::ecs::schedule::{
    InternedScheduleLabel, IntoScheduleConfigs, ScheduleLabel, SingleThreadedExecutor, SystemSet,
};
use bevy::ecs::system::{IntoSystem, NonSendMarker, System, SystemParam};
use bevy::prelude::{Deref, DerefMut};
use bevy::transform::TransformSystems;

use crate::settings::{PursuitSettings, is_inline};

/// The stages of Pursuit, in the order in which data flows.
///
/// [`Prepare`](Self::Prepare) to [`Drive`](Self::Drive) run in the schedule of the physics, just
/// before it; [`Observe`](Self::Observe) and [`Bake`](Self::Bake) at the end of `PostUpdate`, when
/// every transform is up to date, and with [`PlanMode::Inline`](crate::PlanMode::Inline) in [`InlineBakes`].
///
/// A game may gate any of them by run conditions, [`Prepare`](Self::Prepare) excepted: it costs little, and what follows
/// would go by old places. Bodies that were moving are stopped, and what changed
/// meanwhile is noticed as soon as the stage runs again.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PursuitSystems {
    /// Notes which colliders changed.
    Observe,
    /// Bakes what changed and installs what was baked.
    Bake,
    /// Reads where everything is. A system that moves agents or targets at once, as a teleport does, counts in the same
    /// tick if it runs `.before(PursuitSystems::Prepare)`.
    Prepare,
    /// Decides what each entity wants, from its [`PathRequest`](crate::PathRequest),
    /// [`Chase`](crate::Chase) or [`Flee`](crate::Flee).
    Decide,
    /// Takes in answers, compares paths with what is wanted, and starts searches.
    Plan,
    /// Walks along paths: decides the desired velocity.
    Follow,
    /// Keeps agents with [`NavAvoidance::Separation`](crate::NavAvoidance::Separation) apart: their desired velocities are
    /// made such that they part.
    Avoid,
    /// Moves bodies by the desired velocity.
    Drive,
}

/// Where grids are observed and baked with [`PlanMode::Inline`](crate::PlanMode::Inline): in each tick, in
/// [`PursuitSystems::Prepare`] before places are read, so that what agents do does not depend on how many frames a second there are.
///
/// In [`TransformSystems::Propagate`] what is solid gets its `GlobalTransform` of this tick. A game that gates [`PursuitSystems::Observe`] or
/// [`PursuitSystems::Bake`] gates it here as well.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InlineBakes;

/// What is done in [`PursuitSystems::Observe`]: by one system, in the thread of the frame, while no other system runs. To hand over
/// each of these small systems by itself takes four times as long as to run them.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Observing;

/// The same of [`PursuitSystems::Bake`].
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Baking;

/// When [`InlineBakes`] runs: first in [`PursuitSystems::Prepare`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickBakes;

/// When agents leave flows, join them and go along them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FlowSteps {
    /// In [`PursuitSystems::Prepare`], before places are read: from now on they are agents like others.
    Leave,
    /// First in [`PursuitSystems::Plan`]: nobody searches for them.
    Join,
    /// Last in [`PursuitSystems::Follow`].
    Walk,
}

/// Before all stages of a tick: counts it. Also runs where a game gates the stages.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickStart;

/// After all stages of a tick, before the physics: takes care of what a gated stage left behind.
/// Also runs where a game gates the stages.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickEnd;

/// When all of a tick is done.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickOver;

/// When the frame is over: tasks are sent off. In `Last`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FrameOver {
    /// First: where cores are few, a bake that waits for searches lets the map fall behind.
    Bakes,
    Searches,
}

/// Who notes obstacles, in order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObserveSteps {
    /// What is carried by agents.
    Carriers,
    /// The physics its own, and what its bodies carry.
    Bodies,
    /// Obstacles without physics.
    Obstacles,
    /// Grids are told what concerns them.
    Grids,
}

/// Number of this tick, from 1. Ticks count where a game gates the stages, too.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Ticks(pub(crate) u64);

/// The last tick in which [`PursuitSystems::Follow`] ran.
#[derive(Resource, Clone, Default, Deref)]
pub(crate) struct FollowTick(u64);

/// The last tick in which agents were kept apart.
#[derive(Resource, Clone, Default, Deref, DerefMut)]
pub(crate) struct AvoidTick(u64);

/// The last tick in which [`PursuitSystems::Drive`] ran.
#[derive(Resource, Clone, Default, Deref)]
pub(crate) struct DriveTick(u64);

/// Whether a stage ran in this tick. A game may gate them, and what others then find is old.
#[derive(SystemParam)]
pub(crate) struct Ran<'w, T: Resource> {
    now: Res<'w, Ticks>,
    last: Res<'w, T>,
}

impl<T: Resource + ops::Deref<Target = u64>> Ran<'_, T> {
    pub(crate) fn now(&self) -> bool {
        **self.last == self.now.0
    }
}

fn begin_tick(mut ticks: ResMut<Ticks>) {
    ticks.0 += 1;
}

fn note_follow(ticks: Res<Ticks>, mut last: ResMut<FollowTick>) {
    last.0 = ticks.0;
}

fn note_drive(ticks: Res<Ticks>, mut last: ResMut<DriveTick>) {
    last.0 = ticks.0;
}

/// `system`, run in the thread of the frame.
///
/// Stages wait for each other, so there is nothing to gain by another thread, and to hand a small
/// system over to one takes longer than to run it.
pub(crate) fn on_main<M>(system: impl IntoSystem<(), (), M>) -> impl System<In = (), Out = ()> {
    IntoSystem::into_system(system.pipe(|_: NonSendMarker| {}))
}

/// Orders [`PursuitSystems`] in the chosen schedule, and counts ticks.
///
/// It cannot be disabled: nothing else would know when to run. Whatever needs it adds it again.
#[derive(Clone, Copy, Debug)]
pub struct SchedulePlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

/// Adds the [`SchedulePlugin`] where a game left it out.
pub(crate) fn ensure_schedule(app: &mut App, schedule: InternedScheduleLabel) {
    if !app.is_plugin_added::<SchedulePlugin>() {
        app.add_plugins(SchedulePlugin { schedule });
    }
}

/// Orders how grids are baked, at the end of the frame and in the tick: before anybody adds systems to [`Observing`] or [`Baking`].
pub(crate) fn order_bakes(app: &mut App) {
    use ObserveSteps::*;
    if app.get_schedule(Observing).is_some() {
        return;
    }
    for label in [Observing.intern(), Baking.intern()] {
        app.init_schedule(label).edit_schedule(label, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
    app.configure_sets(Observing, (Carriers, Bodies, Obstacles, Grids).chain())
        .configure_sets(Last, (FrameOver::Bakes, FrameOver::Searches).chain());
    let stages = || {
        let observe = observe.in_set(PursuitSystems::Observe);
        let bake = bake.in_set(PursuitSystems::Bake);
        (observe.ambiguous_with_all(), bake.ambiguous_with_all())
    };
    for label in [PostUpdate.intern(), InlineBakes.intern()] {
        let order = (PursuitSystems::Observe, PursuitSystems::Bake).chain();
        app.configure_sets(label, order.after(TransformSystems::Propagate));
    }
    app.add_systems(PostUpdate, stages().distributive_run_if(not(bakes_in_tick)))
        .add_systems(InlineBakes, stages());
}

fn observe(world: &mut World) {
    world.run_schedule(Observing);
}

fn bake(world: &mut World) {
    world.run_schedule(Baking);
}

/// Where no tick is, what is there of the plugin bakes at the end of the frame.
fn bakes_in_tick(settings: Option<Res<PursuitSettings>>, ticks: Option<Res<Ticks>>) -> bool {
    ticks.is_some() && is_inline(settings)
}

fn bake_in_tick(world: &mut World) {
    world.run_schedule(InlineBakes);
}

impl Plugin for SchedulePlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::*;
        app.init_resource::<Ticks>()
            .init_resource::<FollowTick>()
            .init_resource::<AvoidTick>()
            .init_resource::<DriveTick>();
        app.configure_sets(
            self.schedule,
            (
                TickStart, Prepare, Decide, Plan, Follow, Avoid, Drive, TickEnd, TickOver,
            )
                .chain(),
        );
        app.configure_sets(
            self.schedule,
            (
                TickBakes.in_set(Prepare),
                FlowSteps::Leave.in_set(Prepare).after(TickBakes),
                FlowSteps::Join.in_set(Plan),
                FlowSteps::Walk.in_set(Follow),
            ),
        );
        app.add_systems(
            self.schedule,
            (
                on_main(begin_tick).in_set(TickStart),
                bake_in_tick
                    .run_if(bakes_in_tick)
                    .in_set(TickBakes)
                    .ambiguous_with_all(),
                // In the sets themselves, so that whatever gates the set gates these.
                on_main(note_follow).in_set(Follow),
                on_main(note_drive).in_set(Drive),
            ),
        );
        app.init_schedule(InlineBakes);
        order_bakes(app);
        if self.schedule == PostUpdate.intern() {
            app.configure_sets(PostUpdate, TickOver.before(TransformSystems::Propagate));
        }
    }
}
