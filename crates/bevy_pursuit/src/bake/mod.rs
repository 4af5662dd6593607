//! Bakes navigation grids from the obstacles of a game, and keeps them up to date.
//!
//! `observe` passes to each grid the changes that concern it. `baker` turns them into a new snapshot and an index of
//! obstacles, in a task. The system in this file makes `state` start these tasks and install their results. With the
//! feature `deep_bake`, `tables` builds search tables for grids that have stopped changing.

mod baker;
mod dirty;
mod nearest;
mod observe;
mod paint;
mod raster;
mod state;
#[cfg(feature = "deep_bake")]
mod tables;

use std::mem;

use bevy::ecs::entity::{EntityHashMap, MapEntities};
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;

use self::baker::Baker;
use self::observe::{
    DirtyRegions, mark_dirty_regions, place_obstacles, warn_of_bare_areas, warn_of_placed_grids,
    warn_of_unplaced_obstacles,
};
use self::state::{BakeState, BakeTask};
use crate::agent::NavFrame;
use crate::events::{GridBaked, trigger_if_alive};
use crate::grid::{BakedGrid, Diagonals, NavGrid, ObstacleLayers, OnGrid};
use crate::ground::{GroundRules, follow_rules, register_ground};
use crate::obstacle::nav_obstacle::NavObstacle;
use crate::obstacle::shape::ObstacleShape;
use crate::obstacle::{
    Carriers, FrameCounter, ObservedObstacles, count_frames, note_carriers, observe_nav_obstacles,
};
use crate::physics::{observe_bodies, order_observers};
use crate::schedule::{FrameOver, InlineBakeSystems, MainSystems, PursuitSystems, ensure_schedule};
use crate::settings::{PursuitSettings, is_inline};
use crate::stats::PursuitStats;
use crate::visitor::{StateVisitor, map_keys};

/// Bakes every [`NavGrid`], and bakes parts of it again when they change.
///
/// Without this plugin no grid is baked. The game then gives each [`NavGrid`] a
/// [`BakedGrid::from_snapshot`](crate::BakedGrid::from_snapshot) itself. Until then agents wait with the status
/// [`PathStatus::Queued`](crate::PathStatus::Queued). Colliders and [`NavObstacle`]s are ignored, even on targets: a
/// chase ends as if its target had no body, unless the target is an agent or a [`CrowdObstacle`](crate::CrowdObstacle).
#[derive(Clone, Copy, Debug)]
pub struct BakePlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for BakePlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        order_observers(app);
        register_ground(app);
        app.init_resource::<FrameCounter>()
            .init_resource::<Carriers>()
            .init_resource::<ObservedObstacles>()
            .init_resource::<DirtyRegions>()
            .init_resource::<Bakes>()
            .register_type::<NavGrid>()
            .register_type::<NavFrame>()
            .register_type::<ObstacleLayers>()
            .register_type::<Diagonals>()
            .register_type::<NavObstacle>()
            .register_type::<ObstacleShape>()
            .register_type::<OnGrid>()
            .register_type::<BakedGrid>()
            .register_type::<GridBaked>()
            .add_main_systems(First, count_frames)
            .add_main_systems(Last, begin_bakes.in_set(FrameOver::Bakes))
            .add_main_systems(
                PostUpdate,
                (
                    observe().in_set(PursuitSystems::Observe),
                    bake().in_set(PursuitSystems::Bake),
                )
                    .run_if(not(is_inline)),
            )
            .add_main_systems(
                self.schedule,
                (
                    place_obstacles.in_set(InlineBakeSystems::Propagate),
                    observe().in_set(InlineBakeSystems::Observe),
                    bake().in_set(InlineBakeSystems::Bake),
                ),
            );
        #[cfg(feature = "deep_bake")]
        app.init_resource::<tables::DeepBakes>();
    }

    fn finish(&self, app: &mut App) {
        // A game without Bevy's plugin may update `GlobalTransform`s by other means.
        if !app.is_plugin_added::<TransformPlugin>() {
            app.add_main_systems(
                PostUpdate,
                warn_of_unplaced_obstacles
                    .run_if(not(is_inline))
                    .in_set(PursuitSystems::Observe),
            );
        }
    }
}

/// Observes all obstacles and passes their changes on to the grids. One system runs all steps, one after the other,
/// because to schedule such a small step takes longer than to run it.
fn observe() -> impl System<In = (), Out = ()> {
    let sources = note_carriers
        .pipe(observe_bodies())
        .pipe(observe_nav_obstacles);
    let grids = mark_dirty_regions
        .pipe(follow_rules)
        .pipe(warn_of_placed_grids)
        .pipe(warn_of_bare_areas);
    IntoSystem::into_system(sources.pipe(grids))
}

/// Bakes what [`observe`] found.
fn bake() -> impl System<In = (), Out = ()> {
    #[cfg(feature = "deep_bake")]
    let bake_grids = bake_grids.pipe(tables::deep_bake_grids);
    IntoSystem::into_system(bake_grids)
}

/// The bake state of each grid.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
struct Bakes {
    states: EntityHashMap<BakeState>,
    /// Highest generation of any grid so far. The generations of a grid that is baked from nothing continue from this
    /// number, so that paths planned before are recognized as old.
    latest_generation: u64,
}

impl MapEntities for Bakes {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        map_keys(&mut self.states, mapper);
        for state in self.states.values_mut() {
            state.baker.map_entities(mapper);
        }
    }
}

/// Visits the types that hold the state of bakes.
pub(crate) fn visit_state(visitor: &mut impl StateVisitor) {
    visitor.resource::<DirtyRegions>();
    visitor.resource::<Bakes>();
    visitor.resource::<GroundRules>();
    #[cfg(feature = "deep_bake")]
    visitor.computed::<tables::DeepBakes>();
}

/// Starts the tasks prepared in this frame, and frees the memory of replaced snapshots in a task.
fn begin_bakes(mut bakes: ResMut<Bakes>) {
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    for BakeState { task, replaced, .. } in bakes.states.values_mut() {
        if let Some(task) = task {
            task.begin(replaced, pool);
        }
        if !replaced.is_empty() {
            let old = mem::take(replaced);
            pool.spawn(async move { drop(old) }).detach();
        }
    }
}

/// Installs finished bakes and prepares new ones.
fn bake_grids(
    mut commands: Commands,
    settings: Res<PursuitSettings>,
    observed: Res<ObservedObstacles>,
    rules: Res<GroundRules>,
    mut dirty: ResMut<DirtyRegions>,
    mut bakes: ResMut<Bakes>,
    mut grids: Query<(Entity, &NavGrid, Option<&NavFrame>, &mut BakedGrid)>,
    abandoned: Query<Entity, (With<BakedGrid>, Without<NavGrid>)>,
    mut stats: ResMut<PursuitStats>,
) {
    let Bakes {
        states,
        latest_generation,
    } = &mut *bakes;
    states.retain(|entity, _| grids.contains(*entity));
    for entity in &abandoned {
        commands.entity(entity).remove::<BakedGrid>();
    }
    for (entity, grid, frame, mut installed) in &mut grids {
        let frame = frame.unwrap_or(&NavFrame::XY);
        let Some(dirt) = dirty.0.get_mut(&entity) else {
            continue;
        };
        let bake = states.entry(entity).or_default();
        let mut is_outdated = dirt.is_new
            || bake.config != Some((grid.bits(), frame.bits()))
            || bake.is_lost(&installed);
        if is_outdated && bake.may_restart(grid, frame) {
            is_outdated = false;
            dirt.is_new = false;
            dirt.edits = observed.on(grid.obstacles);
            bake.restart(entity, (grid, frame), *latest_generation, &mut installed);
        }
        bake.rested = bake.rested.saturating_add(1);
        let mut finished = bake.poll(settings.plan_mode);
        loop {
            let baked = finished.take();
            let baked = baked.map(|baked| bake.apply_missed_costs(baked, *latest_generation + 1));
            if let Some(baked) = baked.and_then(|baked| bake.install(entity, baked, &mut installed))
            {
                *latest_generation = baked.generation.max(*latest_generation);
                stats.bakes += 1;
                stats.last_bake = baked.duration;
                trigger_if_alive(&mut commands, baked);
            }
            if bake.apply_costs(&rules.0, *latest_generation + 1, &mut installed) {
                *latest_generation += 1;
            }
            if is_outdated || !bake.is_due(&dirt.edits, &rules.0) {
                break;
            }
            bake.rested = 0;
            finished = bake.start(mem::take(&mut dirt.edits), settings.plan_mode);
        }
        bake.warn_if_nothing_matched(entity, grid, &observed);
        let installed = installed.bypass_change_detection();
        let will_differ = |task: &BakeTask| !task.settles || !dirt.edits.is_empty();
        installed.is_baking = bake.task.as_ref().is_some_and(will_differ);
        installed.is_unsettled =
            bake.task.is_some() || !bake.baker.as_ref().is_none_or(Baker::has_settled);
    }
}
