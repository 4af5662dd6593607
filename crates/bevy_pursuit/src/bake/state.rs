//! The bake state of one grid: its baker and the bake under way. Results are installed in the grid's `BakedGrid`.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use pursuit::CellRect;

use super::baker::{Baker, is_same};
use crate::agent::NavFrame;
use crate::events::GridBaked;
use crate::grid::{BakedGrid, NavGrid, NavSnapshot, ObstacleIndex, ObstacleLayers};
use crate::ground::Rules;
use crate::obstacle::{Edits, ObservedObstacles};
use crate::pending_task::PendingTask;
use crate::settings::PlanMode;

/// Number of frames without an edit after which a task lets the map settle. With [`PlanMode::Inline`], a map settles in
/// the tick of its bake.
const FRAMES_TO_SETTLE: u32 = 10;

/// A snapshot that was replaced, an obstacle index that was replaced, or both.
pub(super) type Replaced = (Option<Arc<NavSnapshot>>, Option<Arc<ObstacleIndex>>);

/// The bake state of one grid.
#[derive(Default)]
pub(super) struct BakeState {
    /// `None` while the baker is in a task, and for a grid that cannot be baked.
    pub(super) baker: Option<Baker>,
    pub(super) task: Option<BakeTask>,
    /// Values of the grid and its [`NavFrame`] that the baker was made with. They are compared in every frame, so a
    /// change is noticed even if the game did not run the bake for a while.
    pub(super) config: Option<([u32; 8], [u32; 9])>,
    /// The layers about which a warning was logged, because no obstacle is on them.
    warned: Option<ObstacleLayers>,
    /// Whether the next bake to finish replaces a bake that was cancelled.
    cut_short: bool,
    /// Number of frames since the last bake started.
    pub(super) rested: u32,
    /// The rules whose area costs were applied last.
    rules: Arc<Rules>,
    /// Whether the area costs changed during the present bake, or before the first one.
    missed_costs: bool,
    /// Snapshots and obstacle indices that were replaced in this frame. A task frees their memory.
    pub(super) replaced: Vec<Replaced>,
}

impl Clone for BakeState {
    /// A clone gets no bake that is under way. It bakes the whole grid again instead.
    fn clone(&self) -> Self {
        Self {
            baker: self.baker.clone(),
            config: self.config.filter(|_| self.task.is_none()),
            warned: self.warned,
            rested: self.rested,
            rules: Arc::clone(&self.rules),
            ..Self::default()
        }
    }
}

/// A bake in a task. Dropping it cancels the bake.
pub(super) struct BakeTask {
    work: PendingTask<(Baker, Edits), Baked>,
    /// Whether no obstacle changed and the map only settles.
    pub(super) settles: bool,
}

impl BakeTask {
    /// Starts the task, unless it has started already. The task first drops `replaced`. If nothing else holds the
    /// previous map then, the bake may write to that map.
    pub(super) fn begin(&mut self, replaced: &mut Vec<Replaced>, pool: &AsyncComputeTaskPool) {
        if self.work.is_ready() {
            let replaced = mem::take(replaced);
            self.work.begin(pool, |work, cancels| {
                drop(replaced);
                bake(work, cancels, false)
            });
        }
    }
}

/// A baker that returned from a task.
pub(super) struct Baked {
    baker: Baker,
    touched: Option<CellRect>,
    pub(super) duration: Duration,
}

fn settles(baker: &Baker, edits: &Edits) -> bool {
    edits.is_empty() && baker.latest().is_some() && !baker.is_map_outdated()
}

/// Bakes the edits, or lets the map settle if there are no edits. With `is_whole`, the map settles in any case, so that
/// it depends only on its obstacles, not on the edits that led to them.
fn bake((mut baker, edits): (Baker, Edits), cancels: &[AtomicBool], is_whole: bool) -> Baked {
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
    if is_whole && !baker.is_at_rest() {
        baker.settle(cancelled);
    }
    Baked {
        baker,
        touched,
        duration: began.elapsed(),
    }
}

impl BakeState {
    /// Starts again from nothing, for a new or changed grid. `generation` is the highest one of any grid so far. The
    /// old snapshot stays until the new one is done, unless the grid can no longer be baked.
    pub(super) fn restart(
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
            rules: mem::take(&mut self.rules),
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
                    pending.plane = (*frame).into();
                }
                pending.layers = grid.obstacles;
                self.baker = Some(Baker::new((grid, *frame), layout, generation));
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

    /// Whether the game removed the baked result from the grid.
    pub(super) fn is_lost(&self, installed: &BakedGrid) -> bool {
        let has_baked = self.baker.as_ref().and_then(Baker::latest).is_some();
        has_baked && installed.snapshot().is_none() && installed.error().is_none()
    }

    /// Whether a changed grid may cancel the bake under way. A grid may not cancel two bakes in a row, because a grid
    /// that changes in every frame would then never be baked. An invalid grid may always cancel the bake.
    pub(super) fn may_restart(&self, grid: &NavGrid, frame: &NavFrame) -> bool {
        self.task.is_none() || !self.cut_short || grid.validate_in(frame).is_err()
    }

    /// The finished bake, if there is one. With [`PlanMode::Inline`], this call runs the bake or waits for it.
    pub(super) fn poll(&mut self, mode: PlanMode) -> Option<Baked> {
        let running = self.task.as_mut()?;
        let finished = match mode {
            PlanMode::Async => running.work.poll(),
            PlanMode::Inline => (running.work).finish(|work, cancels| bake(work, cancels, true)),
        }?;
        (self.task, self.cut_short) = (None, false);
        Some(finished)
    }

    /// Applies changed area costs to the installed snapshot, even while a bake is under way. The new snapshot gets the
    /// number `generation`. Returns whether the snapshot was replaced.
    pub(super) fn apply_costs(
        &mut self,
        rules: &Arc<Rules>,
        generation: u64,
        installed: &mut Mut<BakedGrid>,
    ) -> bool {
        if is_same(&self.rules, rules) {
            return false;
        }
        self.rules = Arc::clone(rules);
        let baker = self.baker.as_mut().filter(|baker| baker.latest().is_some());
        self.missed_costs |= baker.is_none();
        let has_areas = |shown: &&Arc<NavSnapshot>| shown.map().areas().is_some();
        let Some(shown) = installed.snapshot().filter(has_areas) else {
            return false;
        };
        let snapshot = Arc::new(shown.with_classes(&rules.classes, generation));
        if let Some(baker) = baker {
            baker.continue_from(Arc::clone(&snapshot));
        }
        let replaced = installed.snapshot.replace(snapshot);
        self.replaced.push((replaced, None));
        true
    }

    /// Applies the present area costs to a bake that started with older ones.
    pub(super) fn apply_missed_costs(&mut self, mut baked: Baked, generation: u64) -> Baked {
        if mem::take(&mut self.missed_costs)
            && let Some(latest) = baked.baker.latest()
            && latest.map().areas().is_some()
        {
            let snapshot = latest.with_classes(&self.rules.classes, generation);
            baked.touched = Some(snapshot.layout().rect());
            baked.baker.continue_from(Arc::new(snapshot));
        }
        baked
    }

    /// Whether the baker is not in a task and has work to do.
    pub(super) fn is_due(&mut self, edits: &Edits, rules: &Arc<Rules>) -> bool {
        let has_rested = self.rested >= FRAMES_TO_SETTLE;
        self.baker.as_mut().is_some_and(|baker| {
            let is_map_outdated = baker.set_rules(rules);
            let may_settle = has_rested && !baker.is_at_rest();
            baker.latest().is_none() || !edits.is_empty() || is_map_outdated || may_settle
        })
    }

    /// Bakes immediately with [`PlanMode::Inline`]. Otherwise prepares a task.
    pub(super) fn start(&mut self, edits: Edits, mode: PlanMode) -> Option<Baked> {
        let baker = self.baker.take()?;
        self.task = Some(BakeTask {
            settles: settles(&baker, &edits),
            work: PendingTask::new((baker, edits), 1),
        });
        match mode {
            PlanMode::Inline => self.poll(mode),
            PlanMode::Async => None,
        }
    }

    /// Installs a finished bake in the grid's `BakedGrid`. Returns an event if the bake changed anything.
    pub(super) fn install(
        &mut self,
        entity: Entity,
        baked: Baked,
        installed: &mut Mut<BakedGrid>,
    ) -> Option<GridBaked> {
        let baker = self.baker.insert(baked.baker);
        let obstacles = baker.obstacle_count();
        let (latest, frame) = (baker.latest().cloned(), baker.frame);
        let index = Arc::clone(&baker.index);
        // An obstacle may have vanished, or been replaced by another, without changing a distance.
        let before = installed.bypass_change_detection();
        self.replaced.push((None, before.obstacles.replace(index)));
        let Some((cells, snapshot)) = baked.touched.zip(latest.clone()) else {
            // A settled map has the same distances, so change detection does not report it.
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
            layers: installed.layers,
            plane: frame.into(),
            ..BakedGrid::default()
        };
        let old = mem::replace(&mut **installed, next);
        self.replaced.push((old.snapshot, old.obstacles));
        Some(GridBaked {
            entity,
            generation,
            cells,
            obstacles,
            duration: baked.duration,
        })
    }

    /// Warns, once for each value of the layers, if there are obstacles but none is on the grid's layers.
    pub(super) fn warn_if_nothing_matched(
        &mut self,
        entity: Entity,
        grid: &NavGrid,
        observed: &ObservedObstacles,
    ) {
        let is_open = |baker: &Baker| baker.latest().is_some() && baker.obstacle_count() == 0;
        let is_meant = grid.obstacles == ObstacleLayers::NONE;
        let is_new = !is_meant && self.warned != Some(grid.obstacles);
        if is_new && self.baker.as_ref().is_some_and(is_open) && observed.len() > 0 {
            self.warned = Some(grid.obstacles);
            warn!(
                "NavGrid {entity}: {} colliders or NavObstacles exist, but none is an obstacle on layers \
                 {} (0x{:08x}), so every cell is walkable. They are on the layers {} (0x{:08x}); \
                 a moving body is an obstacle only if it has CollisionGroups. If no obstacle is meant to be here, \
                 give the grid ObstacleLayers::NONE",
                observed.len(),
                grid.obstacles,
                grid.obstacles.0,
                observed.layers(),
                observed.layers().0,
            );
        }
    }
}
