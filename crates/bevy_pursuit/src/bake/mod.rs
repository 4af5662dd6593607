//! Bakes navigation grids from the obstacles of a game, and keeps them fresh.
//!
//! `observe` tells each grid what changed, `baker` turns it
//! into a new snapshot and an `index` of obstacles in a task, and the system here starts the tasks and
//! installs what they bring.
//! `tables`, with the feature `deep_bake`, builds search tables for grids at rest.

mod baker;
mod dirty;
mod observe;
mod paint;
mod shape;
#[cfg(feature = "deep_bake")]
mod tables;

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::app::{App, First, Last, Plugin};
use bevy::ecs::change_detection::{DetectChangesMut, Mut};
use bevy::ecs::entity::{Entity, EntityHashMap, EntityMapper, MapEntities};
use bevy::ecs::query::{With, Without};
use bevy::ecs::resource::Resource;
use bevy::ecs::schedule::IntoScheduleConfigs;
use bevy::ecs::system::{Commands, Query, Res, ResMut};
use bevy::log::warn;
use bevy::platform::time::Instant;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::transform::TransformSystems;
use pursuit::CellRect;

use self::baker::Baker;
use self::observe::{
    DirtyRegions, any_grid_changed, mark_dirty_regions, place_obstacles, warn_of_placed_grids,
};
use crate::agent::{ChaseIndex, NavFrame};
use crate::deferred::Deferred;
use crate::events::{GridBaked, tell};
use crate::grid::{BakedGrid, Diagonals, NavGrid, ObstacleLayers, OnGrid};
use crate::ground::{GroundRules, Rules, follow_rules, register_ground};
use crate::obstacle::nav_obstacle::NavObstacle;
use crate::obstacle::shape::ObstacleShape;
use crate::obstacle::{
    Carriers, Edits, Frames, ObservedObstacles, any_nav_obstacle, count_frames, note_carriers,
    observe_nav_obstacles,
};
use crate::physics::observe_bodies;
use crate::schedule::{
    FrameOver, InlineBakes, ObserveSteps, PursuitSystems, add_bakes, on_main, order_bakes,
};
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;
use crate::visitor::StateVisitor;

/// Bakes every [`NavGrid`] and bakes again what changes.
///
/// Without it no grid is baked. The game gives each [`NavGrid`] a
/// [`BakedGrid::from_snapshot`](crate::BakedGrid::from_snapshot) itself; until then agents wait, queued.
/// Colliders and [`NavObstacle`]s are not looked at, those of targets included: a chase ends as if its
/// target had no body, unless it is an agent, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct BakePlugin;

/// After so many frames without an edit a map settles: in a task, or in the frame where bakes run there.
const FRAMES_TO_SETTLE: u32 = 10;

impl Plugin for BakePlugin {
    fn build(&self, app: &mut App) {
        order_bakes(app);
        observe_bodies(app);
        register_ground(app);
        app.init_resource::<PursuitSettings>()
            .init_resource::<ChaseIndex>()
            .init_resource::<Frames>()
            .init_resource::<Carriers>()
            .init_resource::<ObservedObstacles>()
            .init_resource::<DirtyRegions>()
            .init_resource::<Bakes>()
            .init_resource::<PursuitStats>()
            .register_type::<NavGrid>()
            .register_type::<NavFrame>()
            .register_type::<ObstacleLayers>()
            .register_type::<Diagonals>()
            .register_type::<NavObstacle>()
            .register_type::<ObstacleShape>()
            .register_type::<OnGrid>()
            .register_type::<BakedGrid>()
            .register_type::<GridBaked>()
            .add_systems(First, on_main(count_frames))
            .add_systems(
                InlineBakes,
                on_main(place_obstacles).in_set(TransformSystems::Propagate),
            )
            .add_systems(Last, on_main(begin_bakes).in_set(FrameOver::Bakes));
        add_bakes(app, || {
            (
                on_main(note_carriers).in_set(ObserveSteps::Carriers),
                on_main(observe_nav_obstacles)
                    .run_if(any_nav_obstacle)
                    .in_set(ObserveSteps::Obstacles),
                on_main(mark_dirty_regions).in_set(ObserveSteps::Grids),
                on_main(follow_rules).in_set(ObserveSteps::Grids),
                on_main(warn_of_placed_grids)
                    .run_if(any_grid_changed)
                    .in_set(PursuitSystems::Observe),
                on_main(bake_grids).in_set(PursuitSystems::Bake),
            )
                .into_configs()
        });
        #[cfg(feature = "deep_bake")]
        {
            app.init_resource::<tables::DeepBakes>();
            add_bakes(app, || {
                let deep_bakes = on_main(tables::deep_bake_grids).after(bake_grids);
                deep_bakes.in_set(PursuitSystems::Bake)
            });
        }
    }
}

/// Where the baking of each grid stands.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
struct Bakes {
    states: EntityHashMap<BakeState>,
    /// The highest generation of any grid so far. A grid that begins anew goes on from here, so that
    /// paths on what it was before are known to be old.
    latest_generation: u64,
}

impl MapEntities for Bakes {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let old = mem::take(&mut self.states).into_iter();
        self.states = old
            .map(|(grid, mut state)| {
                let baker = state.baker.iter_mut();
                baker.for_each(|baker| baker.map_entities(mapper));
                (mapper.get_mapped(grid), state)
            })
            .collect();
    }
}

/// Shows what is remembered of grids.
pub(crate) fn visit_state(visitor: &mut impl StateVisitor) {
    visitor.resource::<DirtyRegions>();
    visitor.resource::<Bakes>();
    visitor.resource::<GroundRules>();
    #[cfg(feature = "deep_bake")]
    visitor.derived::<tables::DeepBakes>();
}

/// Where the baking of one grid stands.
#[derive(Default)]
struct BakeState {
    /// Absent while it is in a task, and for a grid that cannot be baked.
    baker: Option<Baker>,
    task: Option<BakeTask>,
    /// The grid's values that it was begun for. Compared in each frame, so that it does not matter
    /// for how long nobody looked.
    config: Option<([u32; 8], [u32; 9])>,
    /// Layers that were warned about because no obstacle is in them.
    warned: Option<ObstacleLayers>,
    /// Whether the bake under way took the place of one that did not get to its end.
    cut_short: bool,
    /// For how many frames nothing was baked.
    rested: u32,
    /// Snapshots and indices of obstacles that were replaced in this frame. A task gives back their memory.
    replaced: Vec<BakedGrid>,
}

impl Clone for BakeState {
    /// Without the bake under way: then the clone bakes the whole grid again.
    fn clone(&self) -> Self {
        Self {
            baker: self.baker.clone(),
            config: self.config.filter(|_| self.task.is_none()),
            warned: self.warned,
            rested: self.rested,
            ..Self::default()
        }
    }
}

/// A bake under way. Dropping it cancels.
struct BakeTask {
    work: Deferred<(Baker, Edits), Baked>,
    /// Whether no obstacle differs, and the map only settles.
    settles: bool,
}

impl BakeTask {
    /// Sends it off, unless it is on its way already. It takes `replaced` along: once nobody holds the map before,
    /// the bake may write to that.
    fn begin(&mut self, replaced: &mut Vec<BakedGrid>, pool: &AsyncComputeTaskPool) {
        if self.work.is_ready() {
            let replaced = mem::take(replaced);
            self.work.begin(pool, |work, cancels| {
                drop(replaced);
                bake(work, cancels)
            });
        }
    }
}

/// A baker back from work.
struct Baked {
    baker: Baker,
    touched: Option<CellRect>,
    duration: Duration,
}

fn settles(baker: &Baker, edits: &Edits) -> bool {
    edits.is_empty() && baker.latest().is_some() && !baker.has_other_ground()
}

/// Bakes what was edited; without edits, lets the map settle.
fn bake((mut baker, edits): (Baker, Edits), cancels: &[AtomicBool]) -> Baked {
    let cancelled = &cancels[0];
    let began = Instant::now();
    let touched = if settles(&baker, &edits) {
        if !cancelled.load(Ordering::Relaxed) {
            baker.settle(cancelled);
        }
        None
    } else {
        baker.bake(edits, cancelled)
    };
    Baked {
        baker,
        touched,
        duration: began.elapsed(),
    }
}

/// The same, and lets the map settle at once: then it depends on its obstacles alone, not on the edits that led to them.
fn bake_whole(work: (Baker, Edits), cancels: &[AtomicBool]) -> Baked {
    let began = Instant::now();
    let mut baked = bake(work, cancels);
    if !baked.baker.is_at_rest() {
        baked.baker.settle(&cancels[0]);
    }
    baked.duration = began.elapsed();
    baked
}

/// Sends off what was made ready in this frame, and gives back the memory of what was replaced.
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

/// Installs finished bakes and makes new ones ready.
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
        if is_outdated && bake.may_start_over(grid, frame) {
            is_outdated = false;
            dirt.is_new = false;
            dirt.edits = observed.on(grid.obstacles);
            bake.start_over(entity, (grid, frame), *latest_generation, &mut installed);
        }
        bake.rested = bake.rested.saturating_add(1);
        let mut finished = bake.poll(settings.plan_mode);
        loop {
            let baked = finished.take();
            if let Some(baked) = baked.and_then(|baked| bake.install(entity, baked, &mut installed))
            {
                *latest_generation = baked.generation.max(*latest_generation);
                stats.bakes += 1;
                stats.last_bake = baked.duration;
                tell(&mut commands, baked);
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

impl BakeState {
    /// Drops everything for a new or changed grid. The old snapshot stays until the new one is
    /// done, unless there can be no new one.
    fn start_over(
        &mut self,
        entity: Entity,
        (grid, frame): (&NavGrid, &NavFrame),
        generation: u64,
        installed: &mut Mut<BakedGrid>,
    ) {
        *self = Self {
            config: Some((grid.bits(), frame.bits())),
            warned: self.warned,
            cut_short: self.task.is_some(),
            replaced: mem::take(&mut self.replaced),
            ..Self::default()
        };
        match grid.validate_in(frame) {
            Ok(layout) => {
                if installed.error.is_some() {
                    installed.error = None;
                }
                let pending = installed.bypass_change_detection();
                pending.layout = Some(layout);
                if pending.snapshot.is_none() {
                    pending.frame = (*frame).into();
                }
                pending.is_blind = grid.obstacles == ObstacleLayers::NONE;
                let policy = grid.diagonals.into();
                self.baker = Some(Baker::new(
                    layout,
                    *frame,
                    grid.max_clearance_cells,
                    policy,
                    generation,
                ));
            }
            Err(error) => {
                warn!("NavGrid {entity} cannot be baked: {error}");
                if installed.snapshot.is_some() || installed.error != Some(error) {
                    **installed = BakedGrid {
                        error: Some(error),
                        ..BakedGrid::default()
                    };
                }
            }
        }
    }

    /// Whether what was baked was taken away from the grid.
    fn is_lost(&self, installed: &BakedGrid) -> bool {
        let is_empty = installed.snapshot().is_none() && installed.error().is_none();
        is_empty
            && self
                .baker
                .as_ref()
                .is_some_and(|baker| baker.latest().is_some())
    }

    /// Whether a changed grid may drop the bake under way: not twice in a row, or else a grid that
    /// changes in every frame would never be baked.
    fn may_start_over(&self, grid: &NavGrid, frame: &NavFrame) -> bool {
        self.task.is_none() || !self.cut_short || grid.validate_in(frame).is_err()
    }

    /// The finished bake, if there is one. Waits for it where nothing may run beside the frame.
    fn poll(&mut self, mode: PlanMode) -> Option<Baked> {
        let running = self.task.as_mut()?;
        let finished = match mode {
            PlanMode::Async => running.work.poll(),
            PlanMode::Inline => running.work.finish(bake_whole),
        }?;
        self.task = None;
        Some(finished)
    }

    /// Whether the baker is here and has work.
    fn is_due(&mut self, edits: &Edits, rules: &Arc<Rules>) -> bool {
        let has_rested = self.rested >= FRAMES_TO_SETTLE;
        self.baker.as_mut().is_some_and(|baker| {
            let has_other_ground = baker.follow(rules);
            let may_settle = has_rested && !baker.is_at_rest();
            baker.latest().is_none() || !edits.is_empty() || has_other_ground || may_settle
        })
    }

    /// Bakes at once, or makes the baker ready for a task.
    fn start(&mut self, edits: Edits, mode: PlanMode) -> Option<Baked> {
        let baker = self.baker.take()?;
        self.task = Some(BakeTask {
            settles: settles(&baker, &edits),
            work: Deferred::new((baker, edits), 1),
        });
        match mode {
            PlanMode::Inline => self.poll(mode),
            PlanMode::Async => None,
        }
    }

    /// Makes a finished bake visible, if it brought anything new.
    fn install(
        &mut self,
        entity: Entity,
        baked: Baked,
        installed: &mut Mut<BakedGrid>,
    ) -> Option<GridBaked> {
        let Baked {
            baker,
            touched,
            duration,
        } = baked;
        let obstacles = baker.obstacle_count();
        let (latest, frame) = (baker.latest().cloned(), baker.frame());
        let index = Arc::clone(baker.index());
        self.baker = Some(baker);
        // An obstacle may have gone, or given its place to another, without a distance that differs.
        let before = installed.bypass_change_detection();
        self.replaced.push(BakedGrid {
            obstacles: before.obstacles.replace(index),
            ..BakedGrid::default()
        });
        let Some((cells, snapshot)) = touched.zip(latest.clone()) else {
            // A map that settled is another one, of which nobody has to hear.
            let shown = installed.bypass_change_detection().snapshot.as_mut();
            if let Some((shown, latest)) = shown.zip(latest) {
                *shown = latest;
            }
            return None;
        };
        let generation = snapshot.generation();
        let next = BakedGrid {
            snapshot: Some(snapshot),
            obstacles: installed.obstacles.clone(),
            is_blind: installed.is_blind,
            frame: frame.into(),
            ..BakedGrid::default()
        };
        self.replaced.push(mem::replace(&mut **installed, next));
        Some(GridBaked {
            entity,
            generation,
            cells,
            obstacles,
            duration,
        })
    }

    /// Says so, once for each value of the layers, when obstacles were seen and none is on them.
    fn warn_if_nothing_matched(
        &mut self,
        entity: Entity,
        grid: &NavGrid,
        observed: &ObservedObstacles,
    ) {
        let is_open = |baker: &Baker| baker.latest().is_some() && baker.obstacle_count() == 0;
        let is_meant = grid.obstacles == ObstacleLayers::NONE;
        let is_new = !is_meant && self.warned != Some(grid.obstacles);
        if is_new && self.baker.as_ref().is_some_and(is_open) && observed.has_solid() {
            self.warned = Some(grid.obstacles);
            warn!(
                "NavGrid {entity}: {} colliders or NavObstacles seen, none is an obstacle on layers \
                 {} (0x{:08x}), so every cell is walkable. They are on the layers {} (0x{:08x}); \
                 moving bodies count only with CollisionGroups. If no obstacle is meant to be here, give the grid \
                 ObstacleLayers::NONE",
                observed.len(),
                grid.obstacles,
                grid.obstacles.0,
                observed.layers(),
                observed.layers().0,
            );
        }
    }
}
