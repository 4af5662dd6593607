//! What those who go to one place share: the count of their searches, and a field once one pays.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::math::Vec2;
use pursuit::{Cell, FieldBounds, FlowField, Grid, IntegrationField};

use crate::grid::BodyLayers;

/// What a field that settles so many cells costs, in nodes of searches.
pub(super) fn nodes_of(cells: u64, grid: &Grid) -> u64 {
    let of_node = match grid.uniform_cost() {
        Some(_) => FIELD_CELLS_PER_NODE,
        None => TERRAIN_CELLS_PER_NODE,
    };
    cells / of_node as u64
}

/// Number of cells of a field that take as long as a node of a search, on even ground. It was 38 on a city map of
/// 512 × 512 cells, and a third of that among random walls.
pub(crate) const FIELD_CELLS_PER_NODE: usize = 16;
/// As [`FIELD_CELLS_PER_NODE`], over terrain, where a field looks at all neighbors. It was 1.4 to 4.2 on six maps,
/// whether searches jumped, over a few ponds, or went cell by cell, over patches everywhere.
const TERRAIN_CELLS_PER_NODE: usize = 3;

/// Most cells of a grid that has fields. Several larger fields would not fit in the memory for all fields.
pub(crate) const MAX_FIELD_CELLS: usize = 4 << 20;
/// Number of cells of a grid that a field lays out in the time of a node.
const LAID_CELLS_PER_NODE: usize = 128;

/// What a request shares.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sharing<'a> {
    pub(super) with: Option<&'a Share>,
    /// Number of requests to the goal that come at once, this one included.
    pub(super) upcoming_requests: usize,
    /// Nodes that a field may cost.
    pub(super) max_nodes: u64,
}

/// What a request shares in its tick: the field is the one that is in use then, however long the request takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pub(super) counts: Arc<Shared>,
    pub(super) field: Option<Arc<Toward>>,
}

/// A field, and where it leads.
#[derive(Debug)]
pub(super) struct Toward {
    /// Where the goal was for which it was built, in the frame of the grid.
    pub(super) goal: Vec2,
    pub(super) goal_cell: Option<Cell>,
    /// Of the snapshot that it is of.
    pub(super) generation: u64,
    pub(super) field: FlowField,
}

impl Toward {
    /// Whether it is of that snapshot and leads to a cell.
    pub(super) fn leads(&self, generation: u64, to: Cell) -> bool {
        self.generation == generation && self.field.goals().iter().any(|goal| goal.0 == to)
    }

    /// Whether the way from where a goal is by now costs at most a tenth of the way from a start: a target that moved a
    /// little may be behind a wall.
    pub(super) fn is_near_on_foot(&self, start: Option<Cell>, goal: Option<Cell>) -> bool {
        let cost = |cell: Option<Cell>| self.field.cost(cell?).map(u64::from);
        let costs = cost(goal).zip(cost(start));
        costs.is_some_and(|(goal, start)| 10 * goal <= start)
    }
}

/// What all of one body share that go to one place. Searches count what they did, in whole numbers: no clock decides
/// whether a field pays. Tasks of several threads do so at once; where searches run inside the frame there is one.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// All searches, and the nodes that they expanded.
    searches: AtomicU64,
    expanded: AtomicU64,
    /// Nodes that were expanded since the latest field.
    owed: AtomicU64,
    /// Requests that the latest field answered.
    served: AtomicU64,
    /// Whether somebody builds a field.
    is_building: AtomicBool,
    /// In use from the tick on that follows the one in which it was built.
    latest: Mutex<Option<Arc<Toward>>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Toward>>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest field.
    pub(super) fn latest(&self) -> Option<Arc<Toward>> {
        self.lock().clone()
    }

    /// Keeps a field, unless there is one of a newer snapshot.
    fn set_latest(&self, toward: Arc<Toward>) {
        let mut latest = self.lock();
        if latest.as_ref().map(|latest| latest.generation) <= Some(toward.generation) {
            *latest = Some(toward);
        }
    }

    /// Counts a request that a field answered.
    pub(super) fn served(&self) {
        self.served.fetch_add(1, Relaxed);
    }

    /// Counts a search.
    pub(super) fn searched(&self, expanded: u32) {
        self.searches.fetch_add(1, Relaxed);
        self.expanded.fetch_add(expanded.into(), Relaxed);
        self.owed.fetch_add(expanded.into(), Relaxed);
    }

    /// Whether a field that costs `nodes` pays for `upcoming_requests`.
    ///
    /// It does once searches have cost as much since the latest one. Half of what that saved counts, too: whom a field
    /// served well gets the next one soon. An eighth has to be owed all the same, or those who are near a target that
    /// moves, and search in no time, would have one built with each of its steps.
    fn pays(&self, nodes: u64, upcoming_requests: u64) -> bool {
        let searches = self.searches.load(Relaxed);
        let each = self.expanded.load(Relaxed) / searches.max(1);
        // Upcoming requests may need no search: no more of them are counted than have searched so far.
        let owed = self.owed.load(Relaxed) + each * upcoming_requests.min(searches);
        let saved = self.served.load(Relaxed) * each;
        owed + saved / 2 > nodes && owed > nodes / 8
    }

    /// Builds a field to a cell if it pays for `upcoming_requests`, costs no more than `max_nodes`, and nobody else
    /// builds one. Returns it, and what it cost in nodes.
    pub(super) fn build(
        &self,
        layers: &BodyLayers,
        (to, upcoming_requests, max_nodes): (Cell, usize, u64),
        toward: impl FnOnce(FlowField) -> Toward,
        scratch: &mut IntegrationField,
        cancel: &AtomicBool,
    ) -> Option<(Arc<Toward>, u64)> {
        let region = layers.regions().region(to);
        let cells = region.map_or(0, |region| layers.regions().size(region));
        let all = layers.grid().cell_count();
        let nodes = nodes_of(cells as u64, layers.grid()) + (all / LAID_CELLS_PER_NODE) as u64;
        let is_small = all <= MAX_FIELD_CELLS && nodes <= max_nodes;
        if !is_small
            || !self.pays(nodes, upcoming_requests as u64)
            || self.is_building.swap(true, Relaxed)
        {
            return None;
        }
        let all = FieldBounds::default();
        let built = FlowField::build(layers, &[(to, 0)], all, scratch, cancel.into());
        let built = built.map(|field| {
            let toward = Arc::new(toward(field));
            self.set_latest(Arc::clone(&toward));
            self.owed.store(0, Relaxed);
            self.served.store(0, Relaxed);
            (toward, nodes)
        });
        self.is_building.store(false, Relaxed);
        built.ok()
    }
}

impl Clone for Shared {
    /// With counters of its own. The field is the same one.
    fn clone(&self) -> Self {
        let copy = |number: &AtomicU64| AtomicU64::new(number.load(Relaxed));
        Self {
            searches: copy(&self.searches),
            expanded: copy(&self.expanded),
            owed: copy(&self.owed),
            served: copy(&self.served),
            is_building: AtomicBool::new(false),
            latest: Mutex::new(self.latest()),
        }
    }
}
