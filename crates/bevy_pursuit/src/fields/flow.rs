//! Flows: fields that agents walk along, and how they are kept up to date.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::FlowField;

use super::key::FieldKey;
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
/// Number of ticks after which a flow without followers ends.
const MAX_UNFOLLOWED_TICKS: u32 = 120;

/// A field toward a target that agents walk along, and that is kept up to date.
pub(crate) struct Flow {
    /// Unique number of the flow.
    pub(crate) number: u32,
    pub(crate) key: FieldKey,
    pub(super) fields: WalkFields,
    /// The cells where agents are in the way.
    pub(super) others: Arc<Others>,
    /// The build in progress.
    pub(super) building: Option<PendingTask<Build, Option<WalkFields>>>,
    /// Whether all followers have to leave, for example because the target or the grid is gone.
    pub(crate) is_over: bool,
    /// Number of followers in the latest tick.
    pub(crate) followers: u32,
    /// Number of ticks in a row without followers.
    unused: u32,
    /// Number of ticks in a row in which the target was off the grid or inside an obstacle.
    pub(super) away: u32,
}

/// The fields along which agents walk. They belong together.
#[derive(Clone, Default)]
pub(super) struct WalkFields {
    /// The field toward the target. `None` until there is one.
    pub(super) plain: Option<Arc<Toward>>,
    /// A field that leads around agents in the way. `None` if there are none.
    pub(super) around: Option<Arc<FlowField>>,
    /// The cells that `around` avoids.
    avoided: Arc<Others>,
}

/// The inputs of a task that builds fields.
pub(super) struct Build {
    snapshot: Arc<NavSnapshot>,
    body: NavBody,
    goal: Vec2,
    /// Where a new field is also stored for searches.
    counts: Arc<Counters>,
    /// The present fields with new cells to avoid. Without `plain` if it no longer serves.
    fields: WalkFields,
}

impl Build {
    /// Builds the fields. The build has only one part that may be cancelled.
    pub(super) fn run(mut self, cancels: &[AtomicBool]) -> Option<WalkFields> {
        let never = AtomicBool::new(false);
        let cancel = cancels.first().unwrap_or(&never);
        let (snapshot, fields) = (&*self.snapshot, &mut self.fields);
        let layers = snapshot.prepare_layers(self.body, cancel)?;
        let plain = match fields.plain.take() {
            Some(plain) => plain,
            None => {
                let seed = layers.nearest_free(snapshot.layout().to_cell_space(self.goal))?;
                let plain = Toward::build((snapshot, &layers), (self.goal, seed), cancel)?;
                self.counts.install(Arc::clone(&plain));
                plain
            }
        };
        let occupancy = fields.avoided.occupancy();
        let around = |scratch: &mut _| {
            plain
                .field
                .around(&layers, occupancy, scratch, cancel.into())
        };
        let around = (!fields.avoided.is_empty()).then(|| with_scratch(around));
        fields.around = around.transpose().ok()?.map(Arc::new);
        fields.plain = Some(plain);
        Some(self.fields)
    }
}

impl Flow {
    pub(super) fn new(number: u32, key: FieldKey) -> Self {
        Self {
            number,
            key,
            fields: WalkFields::default(),
            others: Arc::default(),
            building: None,
            is_over: false,
            followers: 0,
            unused: 0,
            away: 0,
        }
    }

    /// The field toward the target. `None` until there is one.
    pub(crate) fn field(&self) -> Option<&FlowField> {
        self.fields.plain.as_ref().map(|plain| &plain.field)
    }

    /// The field that leads around agents in the way. `None` if there are none.
    pub(crate) fn around(&self) -> Option<&FlowField> {
        self.fields.around.as_deref()
    }

    /// Position of the target when the field was built.
    pub(crate) fn goal(&self) -> Option<Vec2> {
        self.fields.plain.as_ref().map(|plain| plain.goal)
    }

    /// Counts the ticks without followers. A flow that is over counts as unused as soon as its last follower has left.
    /// Returns whether it has followers.
    pub(super) fn count_unused(&mut self, is_walking: bool) -> bool {
        let is_followed = mem::take(&mut self.followers) > 0;
        self.unused = match is_followed {
            true => 0,
            false if self.is_over && is_walking => MAX_UNFOLLOWED_TICKS,
            false => self.unused + u32::from(is_walking),
        };
        is_followed
    }

    pub(super) fn is_unused(&self) -> bool {
        self.unused >= MAX_UNFOLLOWED_TICKS
    }

    /// Whether the grid still has the layout on which the fields were built.
    pub(super) fn is_on(&self, snapshot: Option<&Arc<NavSnapshot>>) -> bool {
        let plain = self.fields.plain.as_ref();
        snapshot.is_some_and(|it| plain.is_none_or(|plain| plain.layout == *it.layout()))
    }

    /// Walks on along the latest field, if it serves the followers wherever they are. Prepares a build if it does not,
    /// or if other agents are in the way.
    pub(super) fn keep_up(
        &mut self,
        snapshot: &Arc<NavSnapshot>,
        goal: Vec2,
        counts: &Arc<Counters>,
    ) {
        let latest = counts.latest();
        let plain = latest.filter(|latest| latest.serves(snapshot, goal, 0.0));
        let both = plain.as_ref().zip(self.fields.plain.as_ref());
        let is_latest = both.is_some_and(|(latest, own)| Arc::ptr_eq(latest, own));
        if self.building.is_some() || is_latest && self.fields.avoided == self.others {
            return;
        }
        let fields = WalkFields {
            plain,
            around: None,
            avoided: Arc::clone(&self.others),
        };
        if fields.plain.is_some() && fields.avoided.is_empty() {
            self.fields = fields;
            return;
        }
        let build = Build {
            snapshot: Arc::clone(snapshot),
            body: self.key.body(),
            goal,
            counts: Arc::clone(counts),
            fields,
        };
        self.building = Some(PendingTask::new(build, 1));
    }

    /// Ends a build, and installs its fields.
    pub(super) fn take_in(&mut self, built: Option<WalkFields>, stats: &mut PursuitStats) {
        self.building = None;
        if let Some(fields) = built {
            stats.fields += 1;
            self.fields = fields;
        }
    }
}

/// A copy builds the fields that are being built again.
impl Clone for Flow {
    fn clone(&self) -> Self {
        Self {
            fields: self.fields.clone(),
            others: Arc::clone(&self.others),
            building: None,
            ..*self
        }
    }
}
