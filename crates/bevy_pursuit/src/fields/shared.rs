//! Counts the searches of requests with the same goal, and builds a field for these requests once it pays off.

use std::cell::RefCell;
use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::math::Vec2;
use pursuit::{Cell, FieldBounds, FlowField, Grid, IntegrationField, Layout};

use crate::grid::{BodyLayers, NavSnapshot};

/// Cost of a field that settles `cells` cells, in nodes that a search expands in the same time.
pub(crate) fn nodes_of(cells: u64, grid: &Grid) -> u64 {
    let cells_per_node = match grid.uniform_cost() {
        Some(_) => FIELD_CELLS_PER_NODE,
        None => TERRAIN_CELLS_PER_NODE,
    };
    cells / cells_per_node as u64
}

/// Number of cells that a field settles while a search expands one node, where all cells cost the same.
/// Measured: 38 on a city map of 512 × 512 cells, and a third of that among random walls.
pub(crate) const FIELD_CELLS_PER_NODE: usize = 16;
/// [`FIELD_CELLS_PER_NODE`] where the costs of cells differ, so that a field looks at all neighbors of a cell.
/// Measured: 1.4 to 4.2 on six maps. Searches jump on maps with a few ponds, and go cell by cell on maps with patches
/// everywhere.
const TERRAIN_CELLS_PER_NODE: usize = 3;

/// Maximum number of cells of a grid that gets fields. Larger fields would soon fill the memory for all fields.
pub(crate) const MAX_FIELD_CELLS: usize = 4 << 20;
/// Number of cells for which a field prepares memory while a search expands one node.
const LAID_CELLS_PER_NODE: usize = 128;

/// A field serves every agent as long as its target has moved by at most this many cells since the field was built.
const MAX_GOAL_SHIFT_CELLS: f32 = 1.5;
/// A field serves an agent as long as its target has moved by at most this fraction of its distance from the agent.
const MAX_GOAL_SHIFT_SHARE: f32 = 0.05;

/// What a request shares with other requests. `field` is the field that was in use when the tick of the request began,
/// and stays the same while the request runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pub(crate) counts: Arc<Counters>,
    pub(crate) field: Option<Arc<Toward>>,
}

/// A field, and the goal to which it leads.
#[derive(Debug)]
pub(crate) struct Toward {
    /// The goal when the field was built, in grid coordinates.
    pub(crate) goal: Vec2,
    /// The cell of the grid that contains the goal, or is nearest to it.
    pub(crate) goal_cell: Option<Cell>,
    /// Generation of the snapshot that the field was built on.
    pub(crate) generation: u64,
    /// Layout of the grid when the field was built.
    pub(super) layout: Layout,
    pub(crate) field: FlowField,
}

impl Toward {
    /// Builds a field to the cell `to`, which contains the goal or is near it. `None` if the build fails, for example
    /// because `cancel` was set.
    pub(super) fn build(
        (snapshot, layers): (&NavSnapshot, &BodyLayers),
        (goal, to): (Vec2, Cell),
        cancel: &AtomicBool,
    ) -> Option<Arc<Self>> {
        let (seeds, all) = ([(to, 0)], FieldBounds::default());
        let build = |scratch: &mut _| FlowField::build(layers, &seeds, all, scratch, cancel.into());
        Some(Arc::new(Self {
            goal,
            goal_cell: snapshot.layout().cell_clamped(goal),
            generation: snapshot.generation(),
            layout: *snapshot.layout(),
            field: with_scratch(build).ok()?,
        }))
    }

    /// Whether the field still serves an agent at `distance` from a target that is now at `goal`. The field serves if
    /// the snapshot is still the one on which the field was built, and the target has moved by at most
    /// [`MAX_GOAL_SHIFT_CELLS`], or by at most [`MAX_GOAL_SHIFT_SHARE`] of the distance.
    pub(super) fn serves(&self, snapshot: &NavSnapshot, goal: Vec2, distance: f32) -> bool {
        let least = MAX_GOAL_SHIFT_CELLS * snapshot.layout().cell_size();
        let max_shift = least.max(MAX_GOAL_SHIFT_SHARE * distance);
        self.generation == snapshot.generation() && self.goal.distance(goal) <= max_shift
    }

    /// Whether the field was built on this generation and leads to this cell.
    pub(crate) fn leads(&self, generation: u64, to: Cell) -> bool {
        self.generation == generation && self.field.goals().iter().any(|goal| goal.0 == to)
    }

    /// Whether the path from `goal` to the field's goal costs at most a tenth of the path from `start`. Straight
    /// distances are not enough, because a target that moved only a little may be behind a wall.
    pub(crate) fn is_near_on_foot(&self, start: Option<Cell>, goal: Option<Cell>) -> bool {
        let cost = |cell: Option<Cell>| self.field.cost(cell?).map(u64::from);
        let costs = cost(goal).zip(cost(start));
        costs.is_some_and(|(goal, start)| 10 * goal <= start)
    }
}

/// The counters of all requests with the same body and goal, and their latest field. Work is counted in nodes, so
/// whether a field pays off does not depend on a clock. Tasks on several threads may count at the same time.
#[derive(Debug, Default)]
pub(crate) struct Counters(Mutex<Counts>);

#[derive(Clone, Debug, Default)]
struct Counts {
    /// Number of searches.
    searches: u64,
    /// Number of nodes that all searches expanded.
    expanded: u64,
    /// Number of nodes that searches expanded since the latest field was built.
    owed: u64,
    /// Number of requests that the latest field answered.
    served: u64,
    /// Whether a search is building a field.
    is_building: bool,
    /// The latest field. Requests use it from the tick after the build, or at once if their tick began without a field
    /// of the same generation.
    latest: Option<Arc<Toward>>,
}

impl Counts {
    /// Whether a field that costs `nodes` pays off if `upcoming_requests` requests wait to be planned.
    ///
    /// A field pays off once the sum of three costs exceeds `nodes`:
    ///
    /// 1. the nodes that searches have expanded since the latest field was built;
    /// 2. the nodes that the waiting requests are expected to expand;
    /// 3. half of the nodes that the latest field saved, so that a useful field is soon replaced by a newer one.
    ///
    /// The first two costs together must exceed an eighth of `nodes`. Otherwise each move of a target would cause a
    /// build for the agents near it, whose searches are short.
    fn pays(&self, nodes: u64, upcoming_requests: u64) -> bool {
        let each = self.expanded / self.searches.max(1);
        // A waiting request may need no search, so the number of expected searches is limited by the number so far.
        let owed = self.owed + each * upcoming_requests.min(self.searches);
        owed + self.served * each / 2 > nodes && owed > nodes / 8
    }
}

impl Counters {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest field. It may not be in use yet.
    pub(crate) fn latest(&self) -> Option<Arc<Toward>> {
        self.lock().latest.clone()
    }

    /// Resets the counters after a build. Stores the field, unless the present field was built on a newer snapshot.
    pub(super) fn install(&self, toward: Arc<Toward>) {
        let mut counts = self.lock();
        (counts.owed, counts.served) = (0, 0);
        let before = counts.latest.as_ref().map(|latest| latest.generation);
        if before <= Some(toward.generation) {
            counts.latest = Some(toward);
        }
    }

    /// Counts a request that a field answered.
    pub(crate) fn served(&self) {
        self.lock().served += 1;
    }

    /// Counts a search.
    pub(crate) fn searched(&self, expanded: u32) {
        let mut counts = self.lock();
        counts.searches += 1;
        counts.expanded += u64::from(expanded);
        counts.owed += u64::from(expanded);
    }

    /// Builds a field to a goal in the cell `to` if it pays off, costs at most `max_nodes`, and no other search is
    /// building one. Returns the field and its cost in nodes.
    pub(crate) fn build(
        &self,
        (snapshot, layers): (&NavSnapshot, &BodyLayers),
        (goal, to): (Vec2, Cell),
        (upcoming_requests, max_nodes): (usize, u64),
        cancel: &AtomicBool,
    ) -> Option<(Arc<Toward>, u64)> {
        let region = layers.regions().region(to);
        let cells = region.map_or(0, |region| layers.regions().size(region));
        let all = layers.grid().cell_count();
        let nodes = nodes_of(cells as u64, layers.grid()) + (all / LAID_CELLS_PER_NODE) as u64;
        if all > MAX_FIELD_CELLS || nodes > max_nodes {
            return None;
        }
        let mut counts = self.lock();
        if !counts.pays(nodes, upcoming_requests as u64)
            || mem::replace(&mut counts.is_building, true)
        {
            return None;
        }
        drop(counts);
        let built = Toward::build((snapshot, layers), (goal, to), cancel);
        let built = built.inspect(|toward| self.install(Arc::clone(toward)));
        self.lock().is_building = false;
        Some((built?, nodes))
    }
}

impl Clone for Counters {
    /// A copy with the same field and counts. Later searches count separately.
    fn clone(&self) -> Self {
        let counts = self.lock().clone();
        Self(Mutex::new(Counts {
            is_building: false,
            ..counts
        }))
    }
}

/// Runs `build` with this thread's scratch memory for fields.
pub(super) fn with_scratch<T>(build: impl FnOnce(&mut IntegrationField) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<IntegrationField> = RefCell::default();
    }
    SCRATCH.with_borrow_mut(build)
}
