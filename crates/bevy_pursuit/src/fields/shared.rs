//! What requests with the same goal share: counters of their searches, and a field once it pays off.

use std::cell::RefCell;
use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::math::Vec2;
use pursuit::{Cell, FieldBounds, FlowField, Grid, IntegrationField, Layout};

use crate::grid::{BodyLayers, NavSnapshot};

/// Cost of a field that settles `cells` cells, as the number of nodes that a search expands in the same time.
pub(crate) fn nodes_of(cells: u64, grid: &Grid) -> u64 {
    let cells_per_node = match grid.uniform_cost() {
        Some(_) => FIELD_CELLS_PER_NODE,
        None => TERRAIN_CELLS_PER_NODE,
    };
    cells / cells_per_node as u64
}

/// Number of cells that a field settles in the time in which a search expands a node, on ground without areas.
/// Measured: 38 on a city map of 512 × 512 cells, and a third of that among random walls.
pub(crate) const FIELD_CELLS_PER_NODE: usize = 16;
/// [`FIELD_CELLS_PER_NODE`] on ground with areas, where a field looks at all neighbors of a cell. Measured: 1.4 to 4.2
/// on six maps, some with a few ponds, where searches jump, and some with patches everywhere, where they go cell by
/// cell.
const TERRAIN_CELLS_PER_NODE: usize = 3;

/// Maximum number of cells of a grid that gets fields. Several larger fields would not fit in the memory for all
/// fields.
pub(crate) const MAX_FIELD_CELLS: usize = 4 << 20;
/// Number of cells for which a field prepares memory in the time in which a search expands a node.
const LAID_CELLS_PER_NODE: usize = 128;

/// A field serves every agent as long as its target has moved by at most this many cells since the field was built.
const MAX_GOAL_SHIFT_CELLS: f32 = 1.5;
/// A field serves an agent as long as its target has moved by at most this fraction of its distance from the agent.
const MAX_GOAL_SHIFT_SHARE: f32 = 0.05;

/// What a request shares in its tick. `field` is the field that is in use in that tick, however long the request takes.
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
    pub(crate) goal_cell: Option<Cell>,
    /// Generation of the snapshot that the field was built on.
    pub(crate) generation: u64,
    /// Layout of the grid when the field was built.
    pub(super) layout: Layout,
    pub(crate) field: FlowField,
}

impl Toward {
    /// Builds a field to a goal that is in the cell `to` or near it. `None` if `cancel` was set meanwhile.
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

    /// The rule of staleness: whether the field still serves an agent at `distance` from a target that is at `goal` now.
    /// It does if the snapshot is still the one on which the field was built, and the target has moved by at most
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

    /// Whether the path from `goal` to the field's goal costs at most a tenth of the path from `start`. Distances do
    /// not tell, because a target that moved only a little may be behind a wall now.
    pub(crate) fn is_near_on_foot(&self, start: Option<Cell>, goal: Option<Cell>) -> bool {
        let cost = |cell: Option<Cell>| self.field.cost(cell?).map(u64::from);
        let costs = cost(goal).zip(cost(start));
        costs.is_some_and(|(goal, start)| 10 * goal <= start)
    }
}

/// The counters of all requests with the same body and goal, and their latest field. Searches count their work in whole
/// numbers, so that it does not depend on a clock whether a field pays off. Tasks on several threads may count at the
/// same time.
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
    /// The latest field. It is in use from the tick after the one in which it was built.
    latest: Option<Arc<Toward>>,
}

impl Counts {
    /// Whether a field that costs `nodes` pays off, with `upcoming_requests` still to be planned.
    ///
    /// A field pays off once searches since the latest field have cost more, together with the expected cost of
    /// upcoming requests and half of what the latest field saved. So a useful field is soon replaced by a newer one.
    /// The part without the savings has to be at least an eighth of `nodes`. Otherwise a field would be built with each
    /// move of a target for agents near it, whose searches are short.
    fn pays(&self, nodes: u64, upcoming_requests: u64) -> bool {
        let each = self.expanded / self.searches.max(1);
        // Upcoming requests may need no search, so at most as many are expected as there were searches so far.
        let owed = self.owed + each * upcoming_requests.min(self.searches);
        owed + self.served * each / 2 > nodes && owed > nodes / 8
    }
}

impl Counters {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest field, which may not be in use yet.
    pub(crate) fn latest(&self) -> Option<Arc<Toward>> {
        self.lock().latest.clone()
    }

    /// Stores a field, unless the present one was built on a newer snapshot.
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
    /// A copy with the same field, whose searches count on their own.
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
