//! Sets the order of Pursuit's stages. The systems of a physics engine are ordered relative to these stages.

use std::ops;

use bevy::app::{App, Last, Plugin, PostUpdate};
use bevy::ecs::prelude::{Res, ResMut, Resource, World, not};
use bevy::ecs::schedule::{
    InternedScheduleLabel, IntoScheduleConfigs, ScheduleLabel, SingleThreadedExecutor, SystemSet,
};
use bevy::ecs::system::{IntoSystem, NonSendMarker, System, SystemParam};
use bevy::prelude::{Deref, DerefMut};
use bevy::transform::TransformSystems;

use crate::grid::{Grids, drop_grids, fill_grids};
use crate::settings::{PursuitSettings, is_inline};

/// The stages of Pursuit, in the order in which data flows.
///
/// [`Prepare`](Self::Prepare) to [`Drive`](Self::Drive) run in the schedule of the physics, just before the physics;
/// one run of that schedule is a *tick*. [`Observe`](Self::Observe) and [`Bake`](Self::Bake) run at the end of
/// `PostUpdate`, when every transform is up to date. With [`PlanMode::Inline`](crate::PlanMode::Inline) they run in
/// [`InlineBakes`] instead.
///
/// A game may gate any stage with run conditions, except [`Prepare`](Self::Prepare): that stage costs little,
/// and without it the later stages would use outdated positions. While a stage is gated, moving bodies are
/// stopped. When the stage runs again, it notices everything that changed in between.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PursuitSystems {
    /// Empty, for systems of the game. It runs first in a tick, when bodies are still where the tick before left them.
    /// What a system does here, for example a teleport, takes effect in the same tick.
    First,
    /// Records which obstacles changed.
    Observe,
    /// Bakes each grid that changed, and installs finished bakes.
    Bake,
    /// Reads the positions of agents. A system that moves agents or targets, for example by a teleport, takes effect in
    /// the same tick if it runs `.before(PursuitSystems::Prepare)`.
    Prepare,
    /// Decides what each entity wants, from its [`PathRequest`](crate::PathRequest),
    /// [`Chase`](crate::Chase) or [`Flee`](crate::Flee).
    Decide,
    /// Installs the results of searches, compares each path with what its entity wants, and starts new searches.
    Plan,
    /// Sets the desired velocity of each agent, along its path.
    Follow,
    /// Keeps agents with [`NavAvoidance::Separation`](crate::NavAvoidance::Separation) apart by changing their
    /// desired velocities.
    Avoid,
    /// Moves bodies with their desired velocities.
    Drive,
    /// Empty, for systems of the game. It runs last in a tick, when all bodies have moved, also those that the physics
    /// moves.
    Last,
}

/// All of Pursuit's systems of a tick, from [`PursuitSystems::First`] to [`PursuitSystems::Last`].
///
/// A game orders its systems before or after this set without naming a stage. The physics runs inside the set, between
/// [`PursuitSystems::Drive`] and [`PursuitSystems::Last`], so a system after the set sees where agents are after this
/// tick. Do not add a run condition to this set: without its systems, bodies would keep their last velocities.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # use bevy_pursuit::PursuitTickSystems;
/// # fn open_doors() {}
/// # fn hit_players() {}
/// # let mut app = App::new();
/// app.add_plugins(PursuitPlugins::default().in_fixed_schedule())
///     .add_systems(
///         FixedUpdate,
///         (
///             open_doors.before(PursuitTickSystems),
///             hit_players.after(PursuitTickSystems),
///         ),
///     );
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PursuitTickSystems;

/// The schedule in which grids are observed and baked with [`PlanMode::Inline`](crate::PlanMode::Inline).
///
/// It runs once per tick, in [`PursuitSystems::Prepare`] and before positions are read, so that agents behave
/// the same at every frame rate. In its set [`TransformSystems::Propagate`], obstacles get their
/// `GlobalTransform` of this tick.
///
/// A game that gates [`PursuitSystems::Observe`] or [`PursuitSystems::Bake`] gates them here as well.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InlineBakes;

/// The systems of [`PursuitSystems::Observe`], as a schedule that one exclusive system runs on the main thread. The
/// systems are so small that scheduling them one by one would take four times as long as running them.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Observing;

/// The systems of [`PursuitSystems::Bake`], as a schedule that one exclusive system runs on the main thread.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Baking;

/// The set in which [`InlineBakes`] runs: first in [`PursuitSystems::Prepare`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickBakes;

/// First in [`PursuitSystems::Plan`]: brings fields up to date, and lets agents join flows, so that no search starts for
/// them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlowSteps;

/// Runs before all stages of a tick and counts the tick, even if the game does not let the stages run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickStart;

/// Runs after all stages of a tick and before the physics, even if the game does not let the stages run. Cleans up
/// after stages that did not run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickEnd;

/// Runs after everything else in a tick that runs before the physics.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickOver;

/// Runs in `Last`, at the end of the frame. Spawns tasks.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FrameOver {
    /// Spawns bakes. They go first: with few cores, a bake that waits for searches would leave the map outdated.
    Bakes,
    Searches,
}

/// The steps of [`PursuitSystems::Observe`]: the sources of obstacles, then the grids.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObserveSteps {
    /// Obstacles that agents carry.
    Carriers,
    /// The colliders of the physics engine, and what its bodies carry.
    Bodies,
    /// Obstacles without a physics engine.
    Obstacles,
    /// Passes the changes on to the grids that they concern.
    Grids,
}

/// Number of the current tick, starting at 1. Ticks are also counted while the game does not let the stages run.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct TickCount(pub(crate) u64);

/// The last tick in which [`PursuitSystems::Follow`] ran.
#[derive(Resource, Clone, Default, Deref)]
pub(crate) struct FollowTick(u64);

/// The last tick in which [`PursuitSystems::Avoid`] kept agents apart.
#[derive(Resource, Clone, Default, Deref, DerefMut)]
pub(crate) struct AvoidTick(u64);

/// The last tick in which [`PursuitSystems::Drive`] ran.
#[derive(Resource, Clone, Default, Deref)]
pub(crate) struct DriveTick(u64);

/// Tells whether a stage ran in this tick. If a game gates the stage, the results of the stage are outdated.
#[derive(SystemParam)]
pub(crate) struct Ran<'w, T: Resource> {
    now: Res<'w, TickCount>,
    last: Res<'w, T>,
}

impl<T: Resource + ops::Deref<Target = u64>> Ran<'_, T> {
    pub(crate) fn now(&self) -> bool {
        **self.last == self.now.0
    }
}

fn begin_tick(mut ticks: ResMut<TickCount>) {
    ticks.0 += 1;
}

fn note_follow(ticks: Res<TickCount>, mut last: ResMut<FollowTick>) {
    last.0 = ticks.0;
}

fn note_drive(ticks: Res<TickCount>, mut last: ResMut<DriveTick>) {
    last.0 = ticks.0;
}

/// Makes `system` run on the main thread.
///
/// The stages wait for each other, so running them on another thread gains nothing, and handing a small system over
/// takes longer than running it.
pub(crate) fn on_main<M>(system: impl IntoSystem<(), (), M>) -> impl System<In = (), Out = ()> {
    IntoSystem::into_system(system.pipe(|_: NonSendMarker| {}))
}

/// Orders [`PursuitSystems`] in the chosen schedule, and counts ticks.
///
/// This plugin cannot be disabled, because the other plugins depend on its order. Each of the other plugins adds this
/// one if it is missing.
#[derive(Clone, Copy, Debug)]
pub struct SchedulePlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

/// Adds the [`SchedulePlugin`] if the game has not added it.
pub(crate) fn ensure_schedule(app: &mut App, schedule: InternedScheduleLabel) {
    if !app.is_plugin_added::<SchedulePlugin>() {
        app.add_plugins(SchedulePlugin { schedule });
    }
}

/// Orders the stages of a bake, at the end of the frame and in the tick. Must be called before systems are added to
/// [`Observing`] or [`Baking`].
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

/// Whether bakes run in the tick. An app without the [`SchedulePlugin`] bakes at the end of the frame, whatever
/// its [`PlanMode`](crate::PlanMode).
fn bakes_in_tick(settings: Option<Res<PursuitSettings>>, ticks: Option<Res<TickCount>>) -> bool {
    ticks.is_some() && is_inline(settings)
}

fn bake_in_tick(world: &mut World) {
    world.run_schedule(InlineBakes);
}

impl Plugin for SchedulePlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::*;
        app.init_resource::<TickCount>()
            .init_resource::<FollowTick>()
            .init_resource::<AvoidTick>()
            .init_resource::<DriveTick>()
            .init_resource::<Grids>();
        app.configure_sets(
            self.schedule,
            (
                PursuitSystems::First,
                TickStart,
                Prepare,
                Decide,
                Plan,
                Follow,
                Avoid,
                Drive,
                TickEnd,
                TickOver,
                PursuitSystems::Last,
            )
                .chain()
                .in_set(PursuitTickSystems),
        );
        app.configure_sets(
            self.schedule,
            (TickBakes.in_set(Prepare), FlowSteps.in_set(Plan)),
        );
        app.add_systems(
            self.schedule,
            (
                on_main(begin_tick).in_set(TickStart),
                bake_in_tick
                    .run_if(bakes_in_tick)
                    .in_set(TickBakes)
                    .ambiguous_with_all(),
                on_main(fill_grids).in_set(Prepare).after(TickBakes),
                on_main(drop_grids).in_set(TickOver),
                // These systems are in the sets of the stages, so that a run condition on a set also gates them.
                on_main(note_follow).in_set(Follow),
                on_main(note_drive).in_set(Drive),
            ),
        );
        app.init_schedule(InlineBakes);
        order_bakes(app);
        if self.schedule == PostUpdate.intern() {
            let tick = PursuitTickSystems.before(TransformSystems::Propagate);
            app.configure_sets(PostUpdate, tick);
        }
    }
}
