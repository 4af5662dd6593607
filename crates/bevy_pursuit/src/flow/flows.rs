//! The fields that followers share, and the system that keeps the fields up to date.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::entity::{EntityMapper, MapEntities};
use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::time::Time;
use bevy::transform::helper::TransformHelper;
use pursuit::{FieldBounds, FlowField, IntegrationField, Layout};

use super::others::{Members, Others};
use crate::agent::{GoalKind, NavBody, NavOrder, Wants, world_position};
use crate::grid::{Grids, LINE_FRACTION, NavSnapshot};
use crate::pending_task::PendingTask;
use crate::schedule::{AvoidTick, FollowTick, TickCount};
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// Distance that a target may move before a new field is built, in cells.
const MAX_GOAL_SHIFT_CELLS: f32 = 1.5;
/// Remaining distance below which an agent leaves its flow, in cells of plain ground.
pub(crate) const LEAVE_CELLS: f32 = 12.0;
/// [`LEAVE_CELLS`] of an agent that other agents or the physics push. Such an agent passes doors better along a field
/// than along a path.
pub(crate) const LEAVE_CELLS_PUSHED: f32 = 4.0;
/// Maximum number of flows at a time. Each one keeps a field.
const MAX_FLOWS: usize = 16;
/// Number of ticks after which a flow ends if its target is off the grid or inside an obstacle.
const MAX_UNREACHABLE_TICKS: u32 = 30;
/// Maximum memory of all fields, in bytes.
const MAX_FIELD_BYTES: usize = 64 << 20;
/// Memory that a field takes per cell, in bytes.
const BYTES_PER_CELL: usize = 14;
/// Time after which a flow looks again for agents in the way, in seconds.
const OTHERS_INTERVAL_SECONDS: f32 = 0.25;
/// Number of ticks after which a flow without followers ends.
const MAX_UNUSED_TICKS: u32 = 120;

/// All flows, sorted by number.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(crate) struct Flows {
    all: Vec<Flow>,
    /// The number of the latest flow.
    latest: u32,
}

/// What the followers of a flow have in common: the grid, the target and the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlowKey {
    pub(crate) grid: Entity,
    pub(crate) target: Entity,
    pub(crate) body: NavBody,
    /// Whether the target is itself an obstacle, so that chasers reach it at its rim.
    pub(crate) is_obstacle: bool,
}

/// A field toward a target.
#[derive(Default)]
pub(crate) struct Flow {
    /// Unique number of the flow.
    pub(crate) number: u32,
    pub(crate) key: Option<FlowKey>,
    /// The field toward the target. `None` until it is built for the first time.
    pub(crate) field: Option<Arc<FlowField>>,
    /// A field that leads around agents in the way. `None` if there are none.
    pub(crate) around: Option<Arc<FlowField>>,
    /// The inputs from which the fields were last built or are being built.
    asked: Option<FieldInputs>,
    /// Whether the latest build succeeded, so that the fields belong to `asked`.
    is_built: bool,
    /// The cells where agents are in the way.
    others: Arc<Others>,
    /// The build in progress.
    building: Option<PendingTask<Build, (Option<Built>, IntegrationField)>>,
    scratch: IntegrationField,
    /// Whether all followers have to leave, for example because the target or the grid is gone.
    pub(crate) is_over: bool,
    /// Number of followers in the latest tick.
    pub(crate) followers: u32,
    /// Number of ticks in a row without followers.
    unused: u32,
    /// Number of ticks in a row in which the target was off the grid or inside an obstacle.
    away: u32,
    /// Layout of the grid when the field was built.
    layout: Option<Layout>,
}

/// What fields are built from: the position of the target, the generation of the grid, and the agents in the way.
#[derive(Clone, Debug, PartialEq)]
struct FieldInputs {
    goal: Vec2,
    generation: u64,
    others: Arc<Others>,
}

impl FlowKey {
    /// Whether a flow leads where an agent is sent.
    pub(crate) fn serves(&self, order: &NavOrder) -> bool {
        let is_same = (order.grid, order.target) == (Some(self.grid), Some(self.target));
        let is_plain = order.want == Wants::Follow && order.goal_kind != GoalKind::Slot;
        let is_body = order.body().key() == self.body.key();
        is_same && is_plain && is_body && order.to_rim == self.is_obstacle
    }

    /// Whether a flow may lead to a target at `goal`. If the target is inside an obstacle without being one, chasers
    /// wait for it at the rim, and only planning finds out at which part of the rim.
    pub(crate) fn may_reach(&self, goal: Vec2, snapshot: &NavSnapshot) -> bool {
        let is_free = || snapshot.clearance_at(goal) >= LINE_FRACTION * self.body.radius;
        snapshot.layout().cell_at(goal).is_some() && (self.is_obstacle || is_free())
    }
}

/// The inputs of a task that builds fields.
struct Build {
    snapshot: Arc<NavSnapshot>,
    body: NavBody,
    asked: FieldInputs,
    /// The present field toward the target, if it need not be built again.
    plain: Option<Arc<FlowField>>,
    scratch: IntegrationField,
}

/// The results of a build: see [`Flow::field`] and [`Flow::around`].
struct Built {
    plain: Arc<FlowField>,
    around: Option<Arc<FlowField>>,
    layout: Layout,
}

impl Build {
    /// Builds the fields. Returns the scratch memory as well, to use it again.
    fn run(mut self, cancel: &AtomicBool) -> (Option<Built>, IntegrationField) {
        (self.build(cancel), self.scratch)
    }

    fn build(&mut self, cancel: &AtomicBool) -> Option<Built> {
        let (snapshot, scratch) = (&self.snapshot, &mut self.scratch);
        let layers = snapshot.prepare_layers(self.body, cancel)?;
        let plain = match self.plain.take() {
            Some(plain) => plain,
            None => {
                let goal = snapshot.layout().to_cell_space(self.asked.goal);
                let seeds = [(layers.nearest_free(goal)?, 0)];
                let all = FieldBounds::default();
                Arc::new(FlowField::build(&layers, &seeds, all, scratch, cancel.into()).ok()?)
            }
        };
        let others = &self.asked.others;
        let around = || plain.around(&layers, others.occupancy(), scratch, cancel.into());
        let around = (!others.is_empty()).then(around);
        Some(Built {
            plain,
            around: around.transpose().ok()?.map(Arc::new),
            layout: *snapshot.layout(),
        })
    }
}

impl Flows {
    pub(crate) fn get(&self, number: u32) -> Option<&Flow> {
        let index = self.all.binary_search_by_key(&number, |flow| flow.number);
        self.all.get(index.ok()?)
    }

    pub(crate) fn find(&self, key: &FlowKey) -> Option<&Flow> {
        self.all.iter().find(|flow| flow.key.as_ref() == Some(key))
    }

    /// Whether one more flow may begin on a grid with this number of cells.
    pub(crate) fn has_room(&self, cells: usize) -> bool {
        let count = self.all.len() + 1;
        count <= MAX_FLOWS && count * cells * BYTES_PER_CELL <= MAX_FIELD_BYTES
    }

    /// Begins a flow without a field.
    pub(crate) fn begin(&mut self, key: FlowKey) {
        self.latest = self.latest.wrapping_add(1);
        self.all.push(Flow {
            number: self.latest,
            key: Some(key),
            ..Flow::default()
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Flow> {
        self.all.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Flow> {
        self.all.iter_mut()
    }
}

pub(super) fn any_flow(flows: Res<Flows>) -> bool {
    !flows.all.is_empty()
}

/// Installs fields that are built, and prepares new ones for flows whose target moved, whose grid changed, or that have
/// other agents in the way now. Removes unused flows.
pub(super) fn keep_flows(
    (settings, ticks, followed): (Res<PursuitSettings>, Res<TickCount>, Res<FollowTick>),
    grids: Res<Grids>,
    transforms: TransformHelper,
    (time, avoided, members): (Res<Time>, Res<AvoidTick>, Members),
    mut stats: ResMut<PursuitStats>,
    mut flows: ResMut<Flows>,
) {
    let dt = settings.step(time.delta_secs());
    let looks = (OTHERS_INTERVAL_SECONDS / dt.max(1e-4)).max(1.0) as u64;
    let is_inline = settings.plan_mode == PlanMode::Inline;
    let shares = settings.share_fields && settings.max_expanded.is_none();
    let is_walking = **followed + 1 == ticks.0;
    let mut has_built = false;
    for flow in &mut flows.all {
        flow.take_in(&mut stats);
        flow.count_unused(is_walking);
        let Some(key) = flow.key else { continue };
        let grid = grids.get(Some(key.grid));
        let snapshot = grid.and_then(|grid| grid.baked.snapshot());
        let plane = grids.plane_of(Some(key.grid));
        let goal = world_position(&transforms, key.target).map(|place| plane.to_grid(place));
        let layout = snapshot.map(|snapshot| *snapshot.layout());
        let is_known = layout.is_some() && goal.is_some_and(Vec2::is_finite);
        flow.is_over |= !(shares && is_known) || flow.layout.is_some_and(|own| Some(own) != layout);
        let goal = goal.filter(|goal| snapshot.is_some_and(|it| key.may_reach(*goal, it)));
        flow.note_target(goal.is_some());
        // Flows take turns, so that not all look for agents in the way in the same tick.
        let is_turn = (ticks.0 + u64::from(flow.number)).is_multiple_of(looks);
        if let Some(snapshot) = snapshot.filter(|_| is_walking && is_turn && dt > 0.0) {
            let are_kept_apart = **avoided + 1 == ticks.0;
            let on = (key.grid, plane, snapshot.layout());
            let others = are_kept_apart.then(|| Others::find(&members, on, key.body.radius));
            flow.others = others.unwrap_or_default().into();
        }
        // With `PlanMode::Inline`, at most one field is built per tick.
        let may_build = !(flow.is_over || is_inline && has_built);
        if let Some((snapshot, goal)) = snapshot.zip(goal).filter(|_| may_build) {
            flow.keep_up(key, snapshot, goal);
        }
        if is_inline && let Some(mut building) = flow.building.take() {
            has_built = true;
            if let Some(built) = building.finish(run) {
                flow.install(built, &mut stats);
            }
        }
    }
    flows.all.retain(|flow| flow.unused < MAX_UNUSED_TICKS);
}

/// Runs a build. Its only part may be cancelled.
fn run(build: Build, cancels: &[AtomicBool]) -> (Option<Built>, IntegrationField) {
    let never = AtomicBool::new(false);
    build.run(cancels.first().unwrap_or(&never))
}

/// Starts the builds that were prepared in this frame.
pub(super) fn begin_fields(mut flows: ResMut<Flows>) {
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    for building in flows
        .all
        .iter_mut()
        .filter_map(|flow| flow.building.as_mut())
    {
        building.begin(pool, run);
    }
}

impl Flow {
    /// Position of the target from which the latest field was built or is being built.
    pub(crate) fn goal(&self) -> Option<Vec2> {
        self.asked.as_ref().map(|asked| asked.goal)
    }

    /// Counts the ticks without followers. A flow that is over counts as unused as soon as its last follower has left.
    fn count_unused(&mut self, is_walking: bool) {
        let is_used = std::mem::take(&mut self.followers) > 0;
        self.unused = match is_walking {
            _ if is_used => 0,
            true if self.is_over => MAX_UNUSED_TICKS,
            true => self.unused + 1,
            false => self.unused,
        };
    }

    /// Ends the flow if its target has been off the grid or inside an obstacle for some time.
    fn note_target(&mut self, is_there: bool) {
        self.away = if is_there { 0 } else { self.away + 1 };
        self.is_over |= self.away > MAX_UNREACHABLE_TICKS;
    }

    /// Installs the fields of a finished build.
    fn take_in(&mut self, stats: &mut PursuitStats) {
        if let Some(built) = self.building.as_mut().and_then(PendingTask::poll) {
            self.building = None;
            self.install(built, stats);
        }
    }

    /// Installs the results of a build.
    fn install(
        &mut self,
        (built, scratch): (Option<Built>, IntegrationField),
        stats: &mut PursuitStats,
    ) {
        (self.scratch, self.is_built) = (scratch, built.is_some());
        if let Some(built) = built {
            stats.fields += 1;
            (self.field, self.around) = (Some(built.plain), built.around);
            self.layout = Some(built.layout);
        }
    }

    /// Prepares a build if the target has moved, the grid has changed, or other agents are in the way.
    fn keep_up(&mut self, key: FlowKey, snapshot: &Arc<NavSnapshot>, goal: Vec2) {
        let max_shift = MAX_GOAL_SHIFT_CELLS * snapshot.layout().cell_size();
        let asked = self.asked.as_ref().filter(|asked| {
            asked.generation == snapshot.generation() && asked.goal.distance(goal) <= max_shift
        });
        let is_current = asked.is_some_and(|asked| asked.others == self.others);
        if is_current || self.building.is_some() {
            return;
        }
        let plain = asked.and(self.field.clone()).filter(|_| self.is_built);
        let asked = FieldInputs {
            goal: asked.map_or(goal, |asked| asked.goal),
            generation: snapshot.generation(),
            others: Arc::clone(&self.others),
        };
        self.asked = Some(asked.clone());
        let build = Build {
            snapshot: Arc::clone(snapshot),
            body: key.body,
            asked,
            plain,
            scratch: std::mem::take(&mut self.scratch),
        };
        self.building = Some(PendingTask::new(build, 1));
    }
}

/// A copy builds the fields that are being built again.
impl Clone for Flow {
    fn clone(&self) -> Self {
        Self {
            field: self.field.clone(),
            around: self.around.clone(),
            asked: self.asked.clone().filter(|_| self.building.is_none()),
            others: Arc::clone(&self.others),
            building: None,
            scratch: IntegrationField::default(),
            ..*self
        }
    }
}

impl MapEntities for Flows {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        for key in self.all.iter_mut().filter_map(|flow| flow.key.as_mut()) {
            (key.grid, key.target) = (mapper.get_mapped(key.grid), mapper.get_mapped(key.target));
        }
    }
}
