//! Flows: the fields that agents walk along, and the builds that keep these fields up to date.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::{Cell, FlowField};

use super::key::FieldKey;
use super::others::Others;
use super::shared::{Counters, Toward, with_scratch};
use crate::agent::NavBody;
use crate::grid::{NavSnapshot, goal_of_field};
use crate::pending_task::PendingTask;
use crate::stats::PursuitStats;

/// Remaining distance below which an agent leaves its flow, in cells.
pub(crate) const LEAVE_CELLS: f32 = 12.0;
/// [`LEAVE_CELLS`] of an agent that keeps apart or has a body, so that others or the physics push it. Such an agent
/// passes doors better along a field than along a path.
pub(crate) const LEAVE_CELLS_PUSHED: f32 = 4.0;
/// Time after which a flow without followers ends, in seconds.
const MAX_UNFOLLOWED_SECONDS: f32 = 2.0;

/// A field toward a target along which agents walk. The field is kept up to date.
pub(crate) struct Flow {
    /// Unique number of the flow.
    pub(crate) number: NonZeroU32,
    pub(crate) key: FieldKey,
    pub(super) fields: WalkFields,
    /// The cells where agents are in the way.
    pub(super) others: Arc<Others>,
    /// The build in progress.
    pub(super) building: Option<PendingTask<Build, Option<WalkFields>>>,
    /// The inputs of the build that is in progress or failed. A failed build is not repeated with the same inputs.
    attempt: Option<Attempt>,
    /// Whether all followers have to leave, for example because the target or the grid is gone.
    pub(crate) is_over: bool,
    /// Number of followers when the follow stage ran last.
    pub(crate) followers: u32,
    /// Number of cells of the grid on which the flow began.
    pub(super) cells: usize,
    /// Time without followers, in seconds.
    unfollowed_seconds: f32,
    /// Time for which the target was off the grid or inside an obstacle, in seconds.
    pub(super) away_seconds: f32,
}

/// The inputs that decide whether a build succeeds: the generation of the snapshot, and the goal's cell.
type Attempt = (u64, Option<Cell>);

/// The fields of a flow along which agents walk. All of them lead to the same target.
#[derive(Clone, Default)]
pub(super) struct WalkFields {
    /// The field toward the target. `None` until the first build succeeds.
    pub(super) plain: Option<Arc<Toward>>,
    /// The field that leads around agents in the way. `None` if no agents are in the way.
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
    /// The present fields, and the cells that the new fields avoid. `plain` is `None` if the field no longer serves.
    fields: WalkFields,
}

impl Build {
    /// Builds the fields. `None` if the build fails or is cancelled. `cancels` has a single flag, because a build is
    /// one piece of work.
    pub(super) fn run(mut self, cancels: &[AtomicBool]) -> Option<WalkFields> {
        let cancel = cancels.first()?;
        let (snapshot, fields) = (&*self.snapshot, &mut self.fields);
        let layers = snapshot.prepare_layers(self.body, cancel)?;
        let plain = match fields.plain.take() {
            Some(plain) => plain,
            None => {
                let seed = goal_of_field(snapshot, &layers, (self.goal, self.body))?;
                let plain = Toward::build((snapshot, &layers), (self.goal, seed), cancel)?;
                self.counts.install(Arc::clone(&plain));
                plain
            }
        };
        let occupancy = fields.avoided.occupancy();
        let field = &plain.field;
        let around = |scratch: &mut _| field.around(&layers, occupancy, scratch, cancel.into());
        let around = (!fields.avoided.is_empty()).then(|| with_scratch(around));
        fields.around = around.transpose().ok()?.map(Arc::new);
        fields.plain = Some(plain);
        Some(self.fields)
    }
}

impl Flow {
    /// A flow without a field, on a grid with this number of cells.
    pub(super) fn new(number: NonZeroU32, key: FieldKey, cells: usize) -> Self {
        Self {
            number,
            key,
            fields: WalkFields::default(),
            others: Arc::default(),
            building: None,
            attempt: None,
            is_over: false,
            followers: 0,
            cells,
            unfollowed_seconds: 0.0,
            away_seconds: 0.0,
        }
    }

    /// The field toward the target. `None` until the first build succeeds.
    pub(crate) fn field(&self) -> Option<&FlowField> {
        self.fields.plain.as_ref().map(|plain| &plain.field)
    }

    /// The field that leads around agents in the way. `None` if no agents are in the way.
    pub(crate) fn around(&self) -> Option<&FlowField> {
        self.fields.around.as_deref()
    }

    /// Position of the target when the field was built.
    pub(crate) fn goal(&self) -> Option<Vec2> {
        self.fields.plain.as_ref().map(|plain| plain.goal)
    }

    /// Adds a tick of length `dt` to the time without followers. Returns whether the flow has to end. A flow does not
    /// end while its first field is being built, unless the flow is over.
    pub(super) fn is_unfollowed(&mut self, dt: f32) -> bool {
        let is_first = self.fields.plain.is_none() && self.building.is_some();
        self.unfollowed_seconds = match self.followers {
            0 if self.is_over => MAX_UNFOLLOWED_SECONDS,
            0 if !is_first => self.unfollowed_seconds + dt,
            _ => 0.0,
        };
        self.unfollowed_seconds >= MAX_UNFOLLOWED_SECONDS
    }

    /// Whether the grid still has the size at which the flow began, and the layout on which the fields were built.
    pub(crate) fn is_on(&self, snapshot: &NavSnapshot) -> bool {
        let (layout, plain) = (snapshot.layout(), self.fields.plain.as_ref());
        layout.cell_count() == self.cells && plain.is_none_or(|plain| plain.layout == *layout)
    }

    /// Uses the latest field, if the field serves followers at any distance. Prepares a build if it does not, or if
    /// other agents are in the way.
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
        let attempt = (snapshot.generation(), snapshot.layout().cell_at(goal));
        if self.attempt.replace(attempt) == Some(attempt) {
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

    /// Ends a build, and uses the fields that it built. The old fields stay if the build failed.
    pub(super) fn take_in(&mut self, built: Option<WalkFields>, stats: &mut PursuitStats) {
        self.building = None;
        if let Some(fields) = built {
            stats.fields += 1;
            (self.fields, self.attempt) = (fields, None);
        }
    }
}

/// A copy has no build in progress, and starts one of its own.
impl Clone for Flow {
    fn clone(&self) -> Self {
        Self {
            fields: self.fields.clone(),
            others: Arc::clone(&self.others),
            building: None,
            attempt: self.attempt.filter(|_| self.building.is_none()),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::entity::Entity;
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout};

    use super::*;
    use crate::fields::FieldGoal;
    use crate::fields::cache::FLOW_BYTES_PER_CELL;

    const SIZE: u32 = 40;

    /// A grid without the cells for which `is_wall` is true.
    fn snapshot(generation: u64, is_wall: impl Fn(i32, i32) -> bool) -> Arc<NavSnapshot> {
        let level = Grid::from_fn(SIZE, SIZE, |cell| !is_wall(cell.x, cell.y)).expect("a size");
        let clearance = Clearance::from_grid(&level, 4.0);
        let layout = Layout::new(Vec2::ZERO, 1.0, SIZE, SIZE).expect("a layout");
        let policy = DiagonalPolicy::default();
        Arc::new(NavSnapshot::new(layout, clearance, policy, generation))
    }

    fn flow(radius: f32) -> Flow {
        let goal = FieldGoal::Target {
            target: Entity::PLACEHOLDER,
            is_obstacle: false,
        };
        let key = FieldKey {
            body: NavBody::from(radius).key(),
            goal,
            grid: Entity::PLACEHOLDER,
        };
        Flow::new(NonZeroU32::MIN, key, (SIZE * SIZE) as usize)
    }

    /// Finishes the build that a flow prepared. Returns whether there was one.
    fn build(flow: &mut Flow) -> bool {
        let Some(mut building) = flow.building.take() else {
            return false;
        };
        let built = building.finish(Build::run).flatten();
        flow.take_in(built, &mut PursuitStats::default());
        true
    }

    #[test]
    fn a_flow_to_a_target_beside_a_thin_wall_ends_on_its_side() {
        // A wall with an opening at its end, and a block. The target is so near to the block that the body does not
        // fit.
        let is_wall = |x, y| x == 20 && y < 35 || (25..30).contains(&x) && (8..12).contains(&y);
        let mut flow = flow(2.4);
        let (snapshot, goal) = (snapshot(1, is_wall), Vec2::new(21.5, 10.5));
        let nearest = snapshot.layers(2.4).nearest_free(goal - 0.5);
        assert_eq!(
            nearest,
            Some(Cell::new(17, 10)),
            "the nearest cell is behind the wall"
        );
        flow.keep_up(&snapshot, goal, &Arc::default());
        assert!(build(&mut flow));
        let field = flow.field().expect("a field");
        assert_eq!(field.goals(), [(Cell::new(23, 14), 0)]);
    }

    #[test]
    fn a_build_is_repeated_after_a_failure_only_if_the_grid_or_the_goals_cell_changes() {
        let (full, counts) = ([1, 2].map(|n| snapshot(n, |_, _| true)), Arc::default());
        let mut flow = flow(0.4);
        let mut tries = |on: usize, x: f32| {
            flow.keep_up(&full[on], Vec2::new(x, 3.5), &counts);
            build(&mut flow)
        };
        assert!(tries(0, 3.5));
        assert!(!tries(0, 3.5) && !tries(0, 3.9));
        assert!(tries(0, 4.5), "the goal is in another cell");
        assert!(tries(1, 4.5), "the grid has changed");
        assert!(!tries(1, 4.5));
    }

    #[test]
    fn a_flow_without_followers_ends_two_seconds_after_its_first_build() {
        for hz in [30, 60, 1000] {
            let (snapshot, dt) = (snapshot(1, |_, _| false), 1.0 / hz as f32);
            let mut flow = flow(0.4);
            flow.keep_up(&snapshot, Vec2::splat(3.5), &Arc::default());
            let has_ended = (0..9 * hz).any(|_| flow.is_unfollowed(dt));
            assert!(!has_ended, "{hz} Hz: the flow ended during its first build");
            assert!(build(&mut flow));
            let ticks = 1 + (0..9 * hz).take_while(|_| !flow.is_unfollowed(dt)).count();
            assert!(
                (2 * hz - 1..=2 * hz + 1).contains(&ticks),
                "{hz} Hz: {ticks} ticks"
            );
        }
    }

    #[test]
    fn the_fields_of_a_flow_fit_in_the_memory_that_is_reserved_for_them() {
        let snapshot = snapshot(1, |_, _| false);
        let counts = Arc::default();
        let mut flow = flow(0.4);
        flow.others = Others::of(&[Cell::new(7, 7)], &[Cell::new(9, 9)]).into();
        let mut bytes = 0;
        for x in [3.5, 33.5] {
            flow.keep_up(&snapshot, Vec2::new(x, 3.5), &counts);
            assert!(build(&mut flow));
            let plain = flow.field().map_or(0, FlowField::bytes);
            bytes += plain + flow.around().map_or(0, FlowField::bytes);
        }
        // The old fields are in use while the new ones are built.
        assert!(bytes <= flow.cells * FLOW_BYTES_PER_CELL, "{bytes}");
    }
}
