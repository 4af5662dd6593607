//! Builds search tables for grids that have stopped changing, one at a time, and drops them when their grid
//! changes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use pursuit::DiagonalPolicy;
use pursuit::tables::{SearchTables, TablesError};

use crate::grid::{BakedGrid, BodyLayers, NavGrid};
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// Why agents of some classes have no tables.
const UNEVEN: &str = "its areas differ in cost for a class of agents, and tables serve only ground that costs the same \
                      everywhere. Give these areas the same cost in NavAreas or AgentClasses, or go without tables \
                      for that class";

/// State of all deep bakes.
#[derive(Resource, Default)]
pub(super) struct DeepBakes {
    grids: EntityHashMap<Unchanged>,
    /// The deep bake that is running. At most one runs at a time, so that it takes no more than one core from the game.
    running: Option<DeepBake>,
    /// Warnings that were already logged.
    warned: Vec<(Entity, String)>,
}

/// A grid that has not changed for a while.
struct Unchanged {
    generation: u64,
    /// Game time at which this generation was first seen.
    since: Duration,
    /// Whether tables cannot be built for this grid.
    is_refused: bool,
}

/// Tables that are being built. Dropping this cancels the work.
struct DeepBake {
    grid: Entity,
    generation: u64,
    layers: Arc<BodyLayers>,
    thread: Option<JoinHandle<Built>>,
    cancelled: Arc<AtomicBool>,
}

/// Result of a deep bake, and the time that it took.
type Built = (Result<SearchTables, TablesError>, Duration);

impl Drop for DeepBake {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Builds tables for grids that have stopped changing, installs finished tables, and cancels outdated work.
pub(super) fn deep_bake_grids(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, &NavGrid, &BakedGrid)>,
    mut bakes: ResMut<DeepBakes>,
    mut stats: ResMut<PursuitStats>,
) {
    let now = time.elapsed();
    (bakes.grids).retain(|grid, unchanged| unchanged.is_of(*grid, &grids));
    if let Some(mut bake) = bakes.running.take() {
        let unchanged = bakes.grids.get(&bake.grid);
        if unchanged.is_some_and(|unchanged| unchanged.generation == bake.generation) {
            match bake.poll() {
                Some(built) => bakes.install(built, bake.grid, &bake.layers, &mut stats),
                None => bakes.running = Some(bake),
            }
        }
    }
    for (entity, grid, baked) in &grids {
        let (Some(needed), Some(snapshot)) = (grid.deep_bake, baked.snapshot()) else {
            continue;
        };
        let unchanged = bakes.grids.entry(entity).or_insert(Unchanged {
            generation: snapshot.generation(),
            since: now,
            is_refused: false,
        });
        // If the clock was set back, the wait starts again.
        unchanged.since = unchanged.since.min(now);
        let will_differ = baked.is_baking() || baked.is_unsettled;
        if unchanged.is_refused || will_differ || now - unchanged.since < needed {
            continue;
        }
        let policy = snapshot.diagonals();
        for layers in snapshot.map().layers_in_use() {
            if layers.grid().uniform_cost().is_none() {
                // Another class may have even ground, so the grid is not refused.
                bakes.warn_once(entity, UNEVEN);
                continue;
            }
            if layers.tables().is_some() || bakes.is_refused(entity) {
                continue;
            }
            match settings.plan_mode {
                PlanMode::Inline => {
                    let built = build(&layers, policy, &AtomicBool::new(false));
                    bakes.install(built, entity, &layers, &mut stats);
                }
                PlanMode::Async if bakes.running.is_none() => {
                    let generation = snapshot.generation();
                    bakes.begin(DeepBake::start(entity, generation, layers, policy), entity);
                }
                PlanMode::Async => return,
            }
        }
    }
}

impl DeepBakes {
    fn is_refused(&self, grid: Entity) -> bool {
        let unchanged = self.grids.get(&grid);
        unchanged.is_some_and(|unchanged| unchanged.is_refused)
    }

    /// Keeps a deep bake that was started. Refuses the grid if no thread could start: a browser, for example, has no
    /// second thread.
    fn begin(&mut self, started: io::Result<DeepBake>, grid: Entity) {
        match started {
            Ok(bake) => self.running = Some(bake),
            Err(error) => self.refuse(grid, &format!("no thread can build them ({error})")),
        }
    }

    /// Makes tables available to searches, or refuses their grid.
    fn install(
        &mut self,
        (tables, duration): Built,
        grid: Entity,
        layers: &BodyLayers,
        stats: &mut PursuitStats,
    ) {
        match tables {
            Ok(tables) => {
                if layers.set_tables(tables) {
                    stats.deep_bakes += 1;
                    stats.last_deep_bake = duration;
                }
            }
            Err(error) => self.refuse(grid, &error.to_string()),
        }
    }

    /// Logs once why a grid has no tables, and ignores the grid until its next bake.
    fn refuse(&mut self, grid: Entity, why: &str) {
        if let Some(unchanged) = self.grids.get_mut(&grid) {
            unchanged.is_refused = true;
        }
        self.warn_once(grid, why);
    }

    /// Logs once why a grid has no tables.
    fn warn_once(&mut self, grid: Entity, why: &str) {
        let is_same = |(known, logged): &(Entity, String)| *known == grid && logged == why;
        if !self.warned.iter().any(is_same) {
            warn!("NavGrid {grid} has no search tables: {why}");
            self.warned.push((grid, why.to_string()));
        }
    }
}

impl Unchanged {
    /// Whether the grid still wants tables, has the same generation, and is not being baked.
    fn is_of(&self, grid: Entity, grids: &Query<(Entity, &NavGrid, &BakedGrid)>) -> bool {
        grids.get(grid).is_ok_and(|(_, grid, baked)| {
            let snapshot = baked.snapshot().filter(|_| !baked.is_baking());
            let generation = snapshot.map(|snapshot| snapshot.generation());
            grid.deep_bake.is_some() && generation == Some(self.generation)
        })
    }
}

impl DeepBake {
    fn start(
        grid: Entity,
        generation: u64,
        layers: Arc<BodyLayers>,
        policy: DiagonalPolicy,
    ) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let (built_for, signal) = (layers.clone(), cancelled.clone());
        // A thread instead of a task: a task of several seconds would occupy a thread of the pool, which searches need.
        let thread = thread::Builder::new().name("Pursuit deep bake".to_string());
        let thread = thread.spawn(move || build(&built_for, policy, &signal))?;
        Ok(Self {
            grid,
            generation,
            layers,
            thread: Some(thread),
            cancelled,
        })
    }

    /// The result, if the thread is done.
    fn poll(&mut self) -> Option<Built> {
        let finished = self.thread.take_if(|thread| thread.is_finished())?;
        let built = finished.join();
        Some(built.unwrap_or((Err(TablesError::Cancelled), Duration::ZERO)))
    }
}

fn build(layers: &BodyLayers, policy: DiagonalPolicy, cancelled: &AtomicBool) -> Built {
    let began = Instant::now();
    let tables = SearchTables::build(layers.grid(), policy, cancelled.into());
    (tables, began.elapsed())
}

#[cfg(test)]
mod tests {
    use bevy::app::{App, Update};
    use bevy::math::Vec2;
    use bevy::time::TimeUpdateStrategy;
    use bevy::{MinimalPlugins, math::Rect};
    use pursuit::{Clearance, Grid, Layout};

    use super::*;
    use crate::grid::NavSnapshot;

    const SIZE: u32 = 120;
    const DEEP_BAKE_REST: Duration = Duration::from_secs(1);

    /// An app with only the deep bake, and one grid with a radius in use. Each update takes a quarter of a second.
    fn game(plan_mode: PlanMode, policy: DiagonalPolicy) -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(DEEP_BAKE_REST / 4))
            .insert_resource(PursuitSettings {
                plan_mode,
                ..PursuitSettings::default()
            })
            .init_resource::<PursuitStats>()
            .init_resource::<DeepBakes>()
            .add_systems(Update, deep_bake_grids);
        let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(SIZE as f32));
        let nav = NavGrid::covering(bounds).with_deep_bake(DEEP_BAKE_REST);
        let grid = app.world_mut().spawn(nav).id();
        bake(&mut app, grid, policy, 1);
        (app, grid)
    }

    fn bake(app: &mut App, grid: Entity, policy: DiagonalPolicy, generation: u64) {
        let mut random = fastrand::Rng::with_seed(generation);
        let level = Grid::from_fn(SIZE, SIZE, |_| random.u32(0..10) > 2).unwrap();
        let layout = Layout::new(Vec2::ZERO, 1.0, SIZE, SIZE).unwrap();
        let clearance = Clearance::from_grid(&level, 2.0);
        let snapshot = NavSnapshot::new(layout, clearance, policy, generation);
        snapshot.layers(0.4);
        app.world_mut().entity_mut(grid).insert(BakedGrid {
            snapshot: Some(Arc::new(snapshot)),
            ..BakedGrid::default()
        });
    }

    fn deep_bakes(app: &App) -> &DeepBakes {
        app.world().resource()
    }

    fn layers(app: &App, grid: Entity) -> Arc<BodyLayers> {
        let baked = app.world().get::<BakedGrid>(grid).unwrap();
        baked.snapshot().unwrap().layers(0.4)
    }

    /// Updates until a deep bake runs, and returns the flag that cancels it.
    fn run_until_under_way(app: &mut App) -> Arc<AtomicBool> {
        for _ in 0..8 {
            app.update();
            if let Some(bake) = &deep_bakes(app).running {
                return bake.cancelled.clone();
            }
        }
        panic!("no deep bake began");
    }

    #[test]
    fn tables_are_built_after_the_rest_time_for_radii_in_use() {
        let (mut app, grid) = game(PlanMode::Inline, DiagonalPolicy::NoCornerCut);
        for _ in 0..4 {
            app.update();
            assert!(
                layers(&app, grid).tables().is_none(),
                "built before the rest time was over"
            );
        }
        app.update();
        app.update();
        assert!(layers(&app, grid).tables().is_some());
        assert_eq!(app.world().resource::<PursuitStats>().deep_bakes, 1);
        bake(&mut app, grid, DiagonalPolicy::NoCornerCut, 2);
        app.update();
        assert!(
            layers(&app, grid).tables().is_none(),
            "the bake did not drop the tables"
        );
        (0..5).for_each(|_| app.update());
        assert!(layers(&app, grid).tables().is_some());
    }

    #[test]
    fn a_bake_or_a_despawned_grid_cancels_a_table_build() {
        let policy = DiagonalPolicy::NoCornerCut;
        let (mut app, grid) = game(PlanMode::Async, policy);
        let first = run_until_under_way(&mut app);
        bake(&mut app, grid, policy, 2);
        app.update();
        assert!(first.load(Ordering::Relaxed));
        assert!(deep_bakes(&app).running.is_none());
        let second = run_until_under_way(&mut app);
        app.world_mut().despawn(grid);
        app.update();
        assert!(second.load(Ordering::Relaxed));
        assert!(deep_bakes(&app).running.is_none());
        assert!(deep_bakes(&app).grids.is_empty());
    }

    #[test]
    fn a_running_bake_cancels_a_table_build() {
        let (mut app, grid) = game(PlanMode::Async, DiagonalPolicy::NoCornerCut);
        let cancelled = run_until_under_way(&mut app);
        let mut baked = app.world_mut().get_mut::<BakedGrid>(grid).unwrap();
        baked.is_baking = true;
        app.update();
        assert!(cancelled.load(Ordering::Relaxed));
    }

    #[test]
    fn tables_built_in_a_thread_arrive() {
        let (mut app, grid) = game(PlanMode::Async, DiagonalPolicy::NoCornerCut);
        for _ in 0..10_000 {
            app.update();
            if layers(&app, grid).tables().is_some() {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("no tables after ten seconds");
    }

    #[test]
    fn a_grid_that_cannot_have_tables_is_tried_once() {
        let (mut app, grid) = game(PlanMode::Inline, DiagonalPolicy::Never);
        (0..12).for_each(|_| app.update());
        assert!(layers(&app, grid).tables().is_none());
        let refused = TablesError::Diagonals(DiagonalPolicy::Never);
        assert_eq!(deep_bakes(&app).warned, [(grid, refused.to_string())]);
        assert!(deep_bakes(&app).is_refused(grid));
    }

    #[test]
    fn tables_are_refused_with_a_reason_if_their_thread_does_not_start() {
        let (mut app, grid) = game(PlanMode::Async, DiagonalPolicy::NoCornerCut);
        app.update();
        let mut bakes = app.world_mut().resource_mut::<DeepBakes>();
        for _ in 0..2 {
            bakes.begin(Err(io::ErrorKind::Unsupported.into()), grid);
        }
        assert!(bakes.running.is_none() && bakes.is_refused(grid));
        let [(_, why)] = &bakes.warned[..] else {
            panic!("not exactly one warning: {:?}", bakes.warned);
        };
        assert!(why.contains("thread"), "{why}");
        (0..12).for_each(|_| app.update());
        assert!(
            deep_bakes(&app).running.is_none(),
            "a refused grid was tried again"
        );
    }
}
