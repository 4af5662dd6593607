//! Flows: fields that agents walk along, and how they are kept up to date.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use bevy::tasks::AsyncComputeTaskPool;
use pursuit::FlowField;

use super::cache::FieldKey;
use super::others::Others;
use super::shared::{Counters, Toward, with_scratch};
use crate::agent::NavBody;
use crate::grid::NavSnapshot;
use crate::pending_task::PendingTask;
use crate::stats::PursuitStats;

/// Remaining distance below which an agent leaves its flow, in cells of plain ground.
pub(crate) const LEAVE_CELLS: f32 = 12.0;
/// [`LEAVE_CELLS`] of an agent that other agents or the physics push. Such an agent passes doors better along a field
/// than along a path.
pub(crate) const LEAVE_CELLS_PUSHED: f32 = 4.0;
/// Number of ticks after which a flow ends if its target is off the grid or inside an obstacle.
const MAX_UNREACHABLE_TICKS: u32 = 30;
/// Number of ticks after which a flow without followers ends.
const MAX_UNFOLLOWED_TICKS: u32 = 120;

/// A field toward a target that agents walk along, and that is kept up to date.
pub(crate) struct Flow {
    /// Unique number of the flow.
    pub(crate) number: u32,
    pub(crate) key: FieldKey,
    /// The field toward the target. `None` until it is built for the first time.
    field: Option<Arc<Toward>>,
    /// A field that leads around agents in the way. `None` if there are none.
    around: Option<Arc<FlowField>>,
    /// The inputs from which the fields were last built or are being built.
    asked: Option<FieldInputs>,
    /// The cells where agents are in the way.
    pub(super) others: Arc<Others>,
    /// The build in progress.
    building: Option<PendingTask<Build, Option<Built>>>,
    /// Whether all followers have to leave, for example because the target or the grid is gone.
    pub(crate) is_over: bool,
    /// Number of followers in the latest tick.
    pub(crate) followers: u32,
    /// Number of ticks in a row without followers.
    unused: u32,
    /// Number of ticks in a row in which the target was off the grid or inside an obstacle.
    away: u32,
}

/// What fields are built from: the position of the target, the generation of the grid, and the agents in the way.
#[derive(Clone, Debug, PartialEq)]
struct FieldInputs {
    goal: Vec2,
    generation: u64,
    others: Arc<Others>,
}

/// The inputs of a task that builds fields.
struct Build {
    snapshot: Arc<NavSnapshot>,
    /// Where a new field is also stored for searches.
    counts: Arc<Counters>,
    body: NavBody,
    asked: FieldInputs,
    /// The latest field toward the target, if it still serves.
    plain: Option<Arc<Toward>>,
}

/// The results of a build: see [`Flow::field`] and [`Flow::around`].
struct Built {
    plain: Arc<Toward>,
    around: Option<Arc<FlowField>>,
}

impl Build {
    /// Builds the fields. The build has only one part that may be cancelled.
    fn run(self, cancels: &[AtomicBool]) -> Option<Built> {
        let never = AtomicBool::new(false);
        let cancel = cancels.first().unwrap_or(&never);
        let (snapshot, others) = (&self.snapshot, &self.asked.others);
        let layers = snapshot.prepare_layers(self.body, cancel)?;
        let plain = match self.plain {
            Some(plain) => plain,
            None => {
                let goal = self.asked.goal;
                let seed = layers.nearest_free(snapshot.layout().to_cell_space(goal))?;
                let plain = Toward::build((snapshot, &layers), (goal, seed), cancel)?;
                self.counts.install(Arc::clone(&plain));
                plain
            }
        };
        let around = |scratch: &mut _| {
            let occupancy = others.occupancy();
            (plain.field).around(&layers, occupancy, scratch, cancel.into())
        };
        let around = (!others.is_empty()).then(|| with_scratch(around));
        let around = around.transpose().ok()?.map(Arc::new);
        Some(Built { plain, around })
    }
}

impl Flow {
    pub(super) fn new(number: u32, key: FieldKey) -> Self {
        Self {
            number,
            key,
            field: None,
            around: None,
            asked: None,
            others: Arc::default(),
            building: None,
            is_over: false,
            followers: 0,
            unused: 0,
            away: 0,
        }
    }

    /// The field toward the target, with its goal. `None` until it is built for the first time.
    pub(super) fn toward(&self) -> Option<&Arc<Toward>> {
        self.field.as_ref()
    }

    /// The field toward the target. `None` until it is built for the first time.
    pub(crate) fn field(&self) -> Option<&FlowField> {
        self.field.as_ref().map(|toward| &toward.field)
    }

    /// The field that leads around agents in the way. `None` if there are none.
    pub(crate) fn around(&self) -> Option<&FlowField> {
        self.around.as_deref()
    }

    /// Position of the target from which the latest field was built or is being built.
    pub(crate) fn goal(&self) -> Option<Vec2> {
        self.asked.as_ref().map(|asked| asked.goal)
    }

    /// Counts the ticks without followers. A flow that is over counts as unused as soon as its last follower has left.
    /// Returns whether it has followers.
    pub(super) fn count_unused(&mut self, is_walking: bool) -> bool {
        let is_used = std::mem::take(&mut self.followers) > 0;
        self.unused = match is_walking {
            _ if is_used => 0,
            true if self.is_over => MAX_UNFOLLOWED_TICKS,
            true => self.unused + 1,
            false => self.unused,
        };
        is_used
    }

    pub(super) fn is_unused(&self) -> bool {
        self.unused >= MAX_UNFOLLOWED_TICKS
    }

    /// Ends the flow if its target has been off the grid or inside an obstacle for some time, or if the grid has
    /// another layout than the field.
    pub(super) fn note_target(&mut self, is_there: bool, snapshot: Option<&Arc<NavSnapshot>>) {
        self.away = if is_there { 0 } else { self.away + 1 };
        let layout = snapshot.map(|snapshot| snapshot.layout());
        let is_of_other = |field: &Arc<Toward>| layout != Some(&field.layout);
        self.is_over |=
            self.away > MAX_UNREACHABLE_TICKS || self.field.as_ref().is_some_and(is_of_other);
    }

    /// Prepares a build if the latest field no longer serves the followers, wherever they are, or is not yet theirs, or
    /// if other agents are in the way.
    pub(super) fn keep_up(
        &mut self,
        snapshot: &Arc<NavSnapshot>,
        goal: Vec2,
        counts: &Arc<Counters>,
    ) {
        let plain = counts
            .latest()
            .filter(|latest| latest.serves(snapshot, goal, 0.0));
        let asked = FieldInputs {
            goal: plain.as_ref().map_or(goal, |plain| plain.goal),
            generation: snapshot.generation(),
            others: Arc::clone(&self.others),
        };
        if self.building.is_some() || self.asked.as_ref() == Some(&asked) {
            return;
        }
        self.asked = Some(asked.clone());
        if self.others.is_empty() && plain.is_some() {
            (self.field, self.around) = (plain, None);
            return;
        }
        let build = Build {
            snapshot: Arc::clone(snapshot),
            counts: Arc::clone(counts),
            body: self.key.body(),
            asked,
            plain,
        };
        self.building = Some(PendingTask::new(build, 1));
    }

    /// Starts the build that was prepared in this frame.
    pub(super) fn begin_build(&mut self, pool: &AsyncComputeTaskPool) {
        if let Some(building) = &mut self.building {
            building.begin(pool, Build::run);
        }
    }

    /// Installs the fields of a finished build. With `at_once`, finishes the build that was prepared. Returns whether a
    /// build has ended.
    pub(super) fn take_in(&mut self, at_once: bool, stats: &mut PursuitStats) -> bool {
        let ended = self.building.as_mut().and_then(|building| match at_once {
            true => building.finish(Build::run),
            false => building.poll(),
        });
        let Some(built) = ended else {
            return false;
        };
        self.building = None;
        if let Some(built) = built {
            stats.fields += 1;
            (self.field, self.around) = (Some(built.plain), built.around);
        }
        true
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
            ..*self
        }
    }
}
