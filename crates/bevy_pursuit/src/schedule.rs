//! Sets the order of Pursuit's stages. The systems of a physics engine are ordered relative to these stages.

use std::{mem, ops};

use bevy::app;
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel, SystemWithAccess, Systems};
use bevy::ecs::system::{NonSendMarker, PipeSystem, ScheduleSystem, SystemParam};
use bevy::platform::collections::HashSet;
use bevy::prelude::*;

use crate::agent::{ChaseIndex, Prices};
use crate::grid::{Grids, drop_grids, fill_grids};
use crate::settings::{PursuitSettings, is_inline};
use crate::stats::PursuitStats;

/// The stages of Pursuit, in the order in which data flows.
///
/// [`Prepare`](Self::Prepare) to [`Drive`](Self::Drive) run in the schedule of the physics, just before the physics;
/// one run of that schedule is a *tick*. [`Observe`](Self::Observe) and [`Bake`](Self::Bake) run at the end of
/// `PostUpdate`, when every transform is up to date. With [`PlanMode::Inline`](crate::PlanMode::Inline), their work is
/// done in the tick, in [`InlineBakeSystems`].
///
/// A game may gate any stage with run conditions, except [`Prepare`](Self::Prepare): that stage costs little, and
/// without it the later stages would use outdated positions. While [`Follow`](Self::Follow) or [`Drive`](Self::Drive)
/// is gated, agents stop. When a stage runs again, it notices everything that changed in between.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PursuitSystems {
    /// Empty, for systems of the game. This set runs first in a tick, when bodies are still where the previous tick
    /// left them. What a system does here, for example a teleport, takes effect in the same tick.
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
    /// Empty, for systems of the game. This set runs last in a tick, when all bodies have moved, including the bodies
    /// that the physics moves.
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

/// The sets in which grids are observed and baked with [`PlanMode::Inline`](crate::PlanMode::Inline), in the order in
/// which they run.
///
/// They run once per tick, in [`PursuitSystems::Prepare`] and before positions are read, so that agents behave the same
/// at every frame rate. With [`PlanMode::Async`](crate::PlanMode::Async), no system in these sets runs.
///
/// A run condition on [`PursuitSystems::Observe`] or [`PursuitSystems::Bake`] does not gate these sets. Give
/// [`Observe`](Self::Observe) or [`Bake`](Self::Bake) the same run condition.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InlineBakeSystems {
    /// Gives obstacles their `GlobalTransform` of this tick.
    Propagate,
    /// Records which obstacles changed, as [`PursuitSystems::Observe`] does.
    Observe,
    /// Bakes each grid that changed, as [`PursuitSystems::Bake`] does.
    Bake,
}

/// Runs first in [`PursuitSystems::Plan`]. Brings fields up to date, and lets agents join flows, so that no search
/// starts for these agents.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlowSteps;

/// Runs after [`PursuitSystems::First`] and counts the tick, even if the game does not let the stages run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickStart;

/// Runs after [`PursuitSystems::Drive`] and before the physics, even if the game does not let the stages run. Cleans up
/// after stages that did not run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickEnd;

/// The last set that runs before the physics.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickOver;

/// Runs in `Last`, at the end of the frame. Spawns tasks.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FrameOver {
    /// Spawns bakes. They go first: with few cores, a bake that waits for searches would leave the map outdated.
    Bakes,
    Searches,
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

/// Shows whether a stage ran in this tick. If it did not, its results are outdated.
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

/// Adds systems that run on the main thread. All of Pursuit's systems are added like this.
///
/// The stages wait for each other, so running them on another thread gains nothing, and handing a small system over
/// takes longer than running it.
pub(crate) trait MainSystems {
    fn add_main_systems<M>(
        &mut self,
        schedule: impl ScheduleLabel,
        systems: impl IntoScheduleConfigs<ScheduleSystem, M>,
    ) -> &mut Self;
}

impl MainSystems for App {
    fn add_main_systems<M>(
        &mut self,
        schedule: impl ScheduleLabel,
        systems: impl IntoScheduleConfigs<ScheduleSystem, M>,
    ) -> &mut Self {
        let keys = |all: &Systems| all.iter().map(|(key, ..)| key).collect::<HashSet<_>>();
        let mut schedules = self.world_mut().resource_mut::<Schedules>();
        let schedule = schedules.entry(schedule);
        let before = keys(&schedule.graph().systems);
        schedule.add_systems(systems);
        let all = &mut schedule.graph_mut().systems;
        for key in keys(all).difference(&before) {
            if let Some(system) = all.get_mut(*key) {
                bind_to_main(system);
            }
        }
        self
    }
}

/// Makes a system run on the main thread. It keeps its name, its sets, its order and its run conditions.
fn bind_to_main(system: &mut SystemWithAccess) {
    let nothing = Box::new(IntoSystem::into_system(|| {}));
    let bare = mem::replace(system, SystemWithAccess::new(nothing));
    let name = bare.name();
    let marker = IntoSystem::into_system(|_: NonSendMarker| {});
    *system = SystemWithAccess::new(Box::new(PipeSystem::new(bare, marker, name)));
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

impl Plugin for SchedulePlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::*;
        app.init_resource::<TickCount>()
            .init_resource::<FollowTick>()
            .init_resource::<AvoidTick>()
            .init_resource::<DriveTick>()
            .init_resource::<Grids>()
            .init_resource::<PursuitSettings>()
            .init_resource::<PursuitStats>()
            .init_resource::<ChaseIndex>()
            .init_resource::<Prices>();
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
            (
                (
                    InlineBakeSystems::Propagate,
                    InlineBakeSystems::Observe,
                    InlineBakeSystems::Bake,
                )
                    .chain()
                    .run_if(is_inline)
                    .in_set(Prepare),
                FlowSteps.in_set(Plan),
            ),
        );
        app.add_main_systems(
            self.schedule,
            (
                begin_tick.in_set(TickStart),
                fill_grids.in_set(Prepare).after(InlineBakeSystems::Bake),
                drop_grids.in_set(TickOver),
                // These systems are in the sets of the stages, so that a run condition on a set also gates them.
                note_follow.in_set(Follow),
                note_drive.in_set(Drive),
            ),
        );
        let bakes = (Observe, Bake).chain();
        app.configure_sets(PostUpdate, bakes.after(TransformSystems::Propagate))
            .configure_sets(app::Last, (FrameOver::Bakes, FrameOver::Searches).chain());
        if self.schedule == PostUpdate.intern() {
            let tick = PursuitTickSystems.before(TransformSystems::Propagate);
            app.configure_sets(PostUpdate, tick);
        }
    }
}
