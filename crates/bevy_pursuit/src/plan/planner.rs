//! Plans the paths of requests, one after the other. A planner is pure, and can run on any thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::{Cell, FindPathError, Path, PathOptions};

use super::ends::{Ends, SubstituteKey, Trip, substitute_key};
use super::priced::Discs;
use super::recorder::Recorded;
use super::refuge::Flight;
use super::searches::{find_path, find_refuge, smooth};
use super::shore::near_side;
use super::waypoints::{self, CellPath, Plan};
use crate::agent::{FailReason, NavBody, NavBodyKey, Price, Wants};
use crate::fields::{Share, Toward, nodes_of};
use crate::grid::{BodyLayers, NavSnapshot, Substitute, substitute};

/// Number of cells of the layers of a body that are built in the time in which a search expands a node.
const LAYER_CELLS_PER_NODE: u64 = 10;

/// The result of planning a trip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Planned {
    Path(Plan),
    /// The present path is still the best one.
    Same,
}

/// What a request shares with others, and the limits for a new field.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sharing<'a> {
    /// `None` if the request shares nothing.
    pub(super) with: Option<&'a Share>,
    /// Number of requests to the same goal that are still to be planned in this batch, this one included.
    pub(super) upcoming_requests: usize,
    /// Maximum cost of a new field, in nodes.
    pub(super) max_nodes: u64,
}

/// Plans one request after the other on a snapshot. Consecutive requests with the same body or goal share work. The
/// cost of a path along its cells does not depend on the other requests.
pub(crate) struct Planner<'a> {
    snapshot: &'a NavSnapshot,
    /// The prices of the grid.
    prices: &'a [Price],
    max_expanded: Option<u32>,
    /// The layers of the latest request.
    layers: Option<(NavBodyKey, Arc<BodyLayers>)>,
    /// The threat of the latest flight: body, cell and reach. This thread's scratch memory still has the threat's
    /// field.
    threat: Option<(NavBodyKey, Cell, u32)>,
    substitute: Option<(SubstituteKey, Substitute)>,
    /// Number of nodes expanded since this number was last taken.
    pub(super) expanded: u64,
    /// Cost of the layers built since this number was last taken, in nodes.
    pub(super) layered: u64,
    /// Number of fields built, and number of requests that fields answered.
    pub(super) shared: (u64, u64),
    /// The latest field that this planner built, with its body. Later requests of this planner use the field
    /// immediately.
    built: Option<(NavBodyKey, Arc<Toward>)>,
    /// Bodies whose layers were charged already, oldest first. If this is `None`, layers that the map does not have yet
    /// are charged.
    charged: Option<&'a mut Vec<NavBodyKey>>,
    /// The recording of the latest search, if one was requested.
    pub(super) recording: Option<Recorded>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(snapshot: &'a NavSnapshot, max_expanded: Option<u32>) -> Self {
        Self {
            snapshot,
            prices: &[],
            max_expanded,
            layers: None,
            threat: None,
            substitute: None,
            expanded: 0,
            layered: 0,
            shared: (0, 0),
            built: None,
            charged: None,
            recording: None,
        }
    }

    /// Plans with the prices of the grid.
    pub(crate) fn with_prices(mut self, prices: &'a [Price]) -> Self {
        self.prices = prices;
        self
    }

    /// Charges layers by a list of bodies, so that the same requests always cost the same. Without the list, the cost
    /// depends on which layers earlier queries left in the map.
    pub(crate) fn charging(mut self, charged: Option<&'a mut Vec<NavBodyKey>>) -> Self {
        self.charged = charged;
        self
    }

    /// The cheapest path for the body, pulled taut. If that path enters a disc whose price binds the body, the result
    /// is the cheapest path with all prices. Prices only add to the cost, so a path that enters no disc stays the
    /// cheapest one. A flight leads to a refuge, and a trip that starts outside of the grid leads back onto the grid if
    /// it may.
    ///
    /// If the goal cannot be reached, the path leads to a substitute, such as the nearest reachable cell. Fails if the
    /// start or the goal has no cell, or if the radius is invalid. `None` if `cancel` was set meanwhile.
    pub(crate) fn plan(
        &mut self,
        trip: &Trip,
        sharing: Sharing<'_>,
        cancel: &AtomicBool,
    ) -> Option<Result<Planned, FailReason>> {
        let (own, goal_cell) = match self.find_cells(trip) {
            Ok(cells) => cells,
            Err(FailReason::OutsideGrid) if trip.may_return => {
                let layers = self.layers(trip.order.body(), cancel)?;
                let back = waypoints::back_onto_grid(self.snapshot, &layers, trip);
                return Some(back.map(Planned::Path).ok_or(FailReason::OutsideGrid));
            }
            Err(reason) => return Some(Err(reason)),
        };
        let layers = self.layers(trip.order.body(), cancel)?;
        let Some(start) = self.find_start(trip, &layers, own) else {
            return Some(Err(FailReason::StartBlocked));
        };
        if trip.order.want == Wants::Leave {
            let plan = leave(self.snapshot, trip, start, cancel)?;
            return Some(Ok(Planned::Path(plan)));
        }
        if trip.order.is_flight() {
            let plan = self.flee(trip, (start, goal_cell), &layers, cancel)?;
            return Some(Ok(Planned::Path(plan)));
        }
        let ends = match self.find_ends(trip, &layers, start, goal_cell) {
            Ok(ends) => ends,
            Err(reason) => return Some(Err(reason)),
        };
        if trip.recorded_by.is_none()
            && let Some((end, shortfall)) = trip.check
            && (ends.to, ends.shortfall) == (end, Some(shortfall))
        {
            return Some(Ok(Planned::Same));
        }
        let straight = waypoints::straight(self.snapshot, trip, &ends);
        let plan = match straight.filter(|_| trip.recorded_by.is_none()) {
            Some(plan) => plan,
            None => match self.find_route(trip, &layers, &ends, sharing, cancel) {
                Ok(cell_path) => smooth(self.snapshot, trip, &ends, (&cell_path, None), cancel)?,
                Err(FindPathError::Cancelled) => return None,
                Err(_) => return Some(Err(FailReason::StartBlocked)),
            },
        };
        let discs = (!self.prices.is_empty()).then(|| Discs::new(self.snapshot, self.prices, trip));
        let around = match discs.filter(|discs| discs.first_met(&plan.waypoints).is_some()) {
            Some(discs) => self.lead_around(trip, &layers, (own, ends), discs, cancel)?,
            None => None,
        };
        Some(Ok(Planned::Path(around.unwrap_or(plan))))
    }

    /// The cheapest path with the prices of `discs`. The inner `None` means that even this path enters every disc, or
    /// that the search failed or was cut short. The outer `None` means that `cancel` was set meanwhile.
    fn lead_around(
        &mut self,
        trip: &Trip,
        layers: &BodyLayers,
        (own, mut ends): (Cell, Ends),
        discs: Discs,
        cancel: &AtomicBool,
    ) -> Option<Option<Plan>> {
        let start = (self.snapshot).around(trip.start, own, trip.order.body());
        let behind = |ahead| start.entry_behind(ahead, |cell| layers.grid().is_free(cell));
        ends.from = discs.ahead().and_then(behind).unwrap_or(ends.from);
        let cell_path = match self.search(trip, layers, &ends, Some(&discs), cancel) {
            Ok(cell_path) => cell_path,
            Err(FindPathError::Cancelled) => return None,
            Err(_) => return Some(None),
        };
        // The body does not have to pass the center of its own cell.
        let cells = cell_path.path.turns.iter().filter(|cell| **cell != own);
        let centers = cells.map(|cell| self.snapshot.layout().center(*cell));
        let line: Vec<Vec2> = [trip.start].into_iter().chain(centers).collect();
        let discs = discs.avoided_by(&line);
        let Some(discs) = discs.filter(|_| cell_path.is_whole) else {
            return Some(None);
        };
        let way = (&cell_path, Some(&discs));
        smooth(self.snapshot, trip, &ends, way, cancel).map(Some)
    }

    /// The cells between which [`plan`](Self::plan) would search, and the cell that contains the goal or is nearest to
    /// it.
    pub(super) fn ends(&mut self, trip: &Trip) -> Result<(Ends, Cell), FailReason> {
        let (own, goal_cell) = self.find_cells(trip)?;
        let layers = self.snapshot.layers(trip.order.body());
        let start = self.find_start(trip, &layers, own);
        let start = start.ok_or(FailReason::StartBlocked)?;
        Ok((self.find_ends(trip, &layers, start, goal_cell)?, goal_cell))
    }

    /// The cheapest path over cells without prices: from a recorded search, a shared field, or a plain search.
    fn find_route(
        &mut self,
        trip: &Trip,
        layers: &BodyLayers,
        ends: &Ends,
        sharing: Sharing<'_>,
        cancel: &AtomicBool,
    ) -> Result<CellPath, FindPathError> {
        // A substitute for the goal depends on the start, so such trips share no field.
        let may_share = self.max_expanded.is_none() && ends.shortfall.is_none();
        let shared = sharing.with.filter(|_| may_share);
        let known =
            shared.and_then(|share| self.known_way(trip, (share, sharing), layers, ends, cancel));
        if let Some(path) = known {
            self.shared.1 += 1;
            return Ok(CellPath::known(path));
        }
        let cell_path = self.search(trip, layers, ends, None, cancel)?;
        if let Some(shared) = shared {
            shared.counts.searched(cell_path.expanded);
        }
        Ok(cell_path)
    }

    /// The cheapest path over cells, with the prices of `discs` if there are any. Records the search if that was
    /// requested.
    fn search(
        &mut self,
        trip: &Trip,
        layers: &BodyLayers,
        ends: &Ends,
        discs: Option<&Discs>,
        cancel: &AtomicBool,
    ) -> Result<CellPath, FindPathError> {
        let options = self.options(trip);
        #[cfg(feature = "recorder")]
        if trip.recorded_by.is_some() {
            let (cell_path, recording) =
                super::recorder::record(layers, discs, ends, options, cancel)?;
            self.recording = Some(recording);
            return Ok(self.counted(cell_path));
        }
        let found = find_path(layers, discs, ends, &options, &mut (), cancel)?;
        Ok(self.counted(found.into()))
    }

    /// The path along the field that a trip shares. Builds a field if that pays off. `None` if the trip needs a search.
    fn known_way(
        &mut self,
        trip: &Trip,
        (share, sharing): (&Share, Sharing<'_>),
        layers: &BodyLayers,
        ends: &Ends,
        cancel: &AtomicBool,
    ) -> Option<Path> {
        let (generation, goal) = (self.snapshot.generation(), trip.order.goal);
        let body = trip.order.body().key();
        let leads = |field: &Arc<Toward>| field.leads(generation, ends.to);
        let built = self.built.as_ref().filter(|built| built.0 == body);
        let mut known = (share.field.iter()).chain(built.map(|built| &built.1));
        let known = known.find(|field| leads(field)).cloned();
        let has_own = (share.field.as_ref()).is_some_and(|field| field.generation == generation);
        let latest = share.counts.latest().filter(leads);
        let toward = match (known, latest) {
            (Some(known), _) => known,
            // The latest field is in use from the next tick.
            (None, Some(_)) if has_own => return None,
            (None, Some(first)) => first,
            (None, None) => {
                let map = (self.snapshot, layers);
                let limits = (sharing.upcoming_requests, sharing.max_nodes);
                let built = share.counts.build(map, (goal, ends.to), limits, cancel);
                let (toward, nodes) = built?;
                self.expanded += nodes;
                self.shared.0 += 1;
                self.built = Some((body, Arc::clone(&toward)));
                toward
            }
        };
        // There is no path if it would cost more than a field can hold.
        let path = toward.field.path(ends.from)?;
        share.counts.served();
        Some(path)
    }

    /// The path of a flight. `ends` are the cells of the start and of the threat. `None` if `cancel` was set meanwhile.
    fn flee(
        &mut self,
        trip: &Trip,
        ends: (Cell, Cell),
        layers: &Arc<BodyLayers>,
        cancel: &AtomicBool,
    ) -> Option<Plan> {
        let (body, theirs) = self.threat(trip, ends.1, layers, cancel)?;
        let flight = self.flight(trip, ends, body);
        let fled = flee_from(self.snapshot, [layers, &theirs], trip, flight, cancel);
        if fled.is_none() {
            self.threat = None;
        }
        let (plan, settled) = fled?;
        self.expanded += nodes_of(settled, layers.grid());
        Some(plan)
    }

    /// The body of the threat, and its layers. The trip's own body and layers serve instead if the threat is not an
    /// agent, or its body does not fit where it is. `None` if `cancel` was set meanwhile.
    fn threat(
        &mut self,
        trip: &Trip,
        threat: Cell,
        own: &Arc<BodyLayers>,
        cancel: &AtomicBool,
    ) -> Option<(NavBodyKey, Arc<BodyLayers>)> {
        let fits = |body: &NavBody| check_radius(self.snapshot, body.radius).is_ok();
        if let Some(body) = trip.threat.filter(fits) {
            let layers = self.layers(body, cancel)?;
            if layers.grid().is_free(threat) {
                return Some((body.key(), layers));
            }
        }
        Some((trip.order.body().key(), Arc::clone(own)))
    }

    /// A flight, and whether the latest flight was from the same threat.
    fn flight(
        &mut self,
        trip: &Trip,
        (start, threat): (Cell, Cell),
        body: NavBodyKey,
    ) -> (Flight, bool) {
        let reach = 2.0 * trip.order.reach / self.snapshot.layout().cell_size();
        let flight = Flight {
            start,
            threat,
            reach: reach.ceil() as u32,
        };
        let from = (body, threat, flight.reach);
        (flight, self.threat.replace(from) == Some(from))
    }

    fn options(&self, trip: &Trip) -> PathOptions {
        PathOptions {
            diagonals: self.snapshot.diagonals(),
            algorithm: trip.recorded_by.unwrap_or_default(),
            max_expanded: self.max_expanded,
            ..PathOptions::default()
        }
    }

    /// Counts the nodes that a search expanded.
    fn counted(&mut self, cell_path: CellPath) -> CellPath {
        self.expanded += u64::from(cell_path.expanded);
        cell_path
    }

    /// The layers of a body. The layers of the latest body are kept for the next request. `None` if `cancel` was set
    /// meanwhile.
    fn layers(&mut self, body: NavBody, cancel: &AtomicBool) -> Option<Arc<BodyLayers>> {
        let key = body.key();
        if let Some((_, known)) = self.layers.as_ref().filter(|known| known.0 == key) {
            return Some(known.clone());
        }
        let is_charged = match &mut self.charged {
            Some(charged) => note(charged, key),
            None => self.snapshot.layers_if_ready(body).is_some(),
        };
        if !is_charged {
            self.layered += self.snapshot.layout().cell_count() as u64 / LAYER_CELLS_PER_NODE;
        }
        let layers = self.snapshot.prepare_layers(body, cancel)?;
        self.layers = Some((key, layers.clone()));
        Some(layers)
    }

    /// The cell of the start, and the cell that contains the goal or is nearest to it. Fails if the radius is invalid.
    fn find_cells(&self, trip: &Trip) -> Result<(Cell, Cell), FailReason> {
        let layout = self.snapshot.layout();
        check_radius(self.snapshot, trip.order.radius)?;
        let own = layout.cell_at(trip.start).ok_or(FailReason::OutsideGrid)?;
        let goal_cell = layout.cell_clamped(trip.order.goal);
        Ok((own, goal_cell.ok_or(FailReason::GoalOutside)?))
    }

    /// The cell where the path of a trip begins. `None` if no cell near the start is free.
    fn find_start(&self, trip: &Trip, layers: &BodyLayers, own: Cell) -> Option<Cell> {
        let start = (self.snapshot).around(trip.start, own, trip.order.body());
        let entry = start.entry(|cell| layers.grid().is_free(cell));
        if (self.snapshot).is_forbidden(trip.start, trip.order.class) {
            let escape_path = (self.snapshot).escape_path(trip.start, trip.order.body());
            return escape_path.last().copied().or(entry);
        }
        entry
    }

    /// The cells between which to search, from the cell where the path begins.
    fn find_ends(
        &mut self,
        trip: &Trip,
        layers: &BodyLayers,
        from: Cell,
        goal_cell: Cell,
    ) -> Result<Ends, FailReason> {
        let snapshot = self.snapshot;
        let region = layers.regions().region(from);
        let region = region.ok_or(FailReason::StartBlocked)?;
        let reason = if !snapshot.layout().contains_position(trip.order.goal) {
            FailReason::GoalOutside
        } else if layers.is_reachable(from, goal_cell) {
            return Ok(Ends::whole(from, goal_cell));
        } else if layers.grid().is_free(goal_cell) {
            FailReason::Unreachable
        } else {
            FailReason::GoalBlocked
        };
        let key = substitute_key(trip, region);
        let (to, shortfall) = match &self.substitute {
            Some((known, substitute)) if *known == key => *substitute,
            _ => {
                let found = substitute(snapshot, layers, &trip.order, (goal_cell, region), reason);
                self.substitute = Some((key, found));
                found
            }
        };
        let mut to = to.unwrap_or(from);
        // An obstacle that is itself the goal is approached at its nearest rim.
        if shortfall.is_some_and(|reason| reason != FailReason::GoalBlocked || !trip.order.to_rim) {
            let layout = snapshot.layout();
            let inside = (trip.order.goal).clamp(layout.min_corner(), layout.max_corner());
            let goal = (goal_cell, layout.to_cell_space(inside));
            to = near_side((layers.regions(), region), goal, (from, to));
        }
        Ok(Ends {
            from,
            to,
            shortfall,
        })
    }
}

/// Fails if `radius`, in world units, is invalid, or greater than the distances that the grid stores.
pub(super) fn check_radius(snapshot: &NavSnapshot, radius: f32) -> Result<(), FailReason> {
    let is_known = (0.0..=snapshot.max_radius()).contains(&radius);
    is_known.then_some(()).ok_or(FailReason::BadRadius)
}

/// The path from forbidden ground to the cell `out`. `None` if `cancel` was set meanwhile.
fn leave(snapshot: &NavSnapshot, trip: &Trip, out: Cell, cancel: &AtomicBool) -> Option<Plan> {
    let ends = Ends::whole(out, out);
    let cell_path = CellPath::known(Path {
        turns: vec![out],
        cost: 0,
    });
    smooth(snapshot, trip, &ends, (&cell_path, None), cancel)
}

/// The path to a refuge from the threat at the trip's goal, and the number of settled cells. `None` if `cancel` was set
/// meanwhile.
fn flee_from(
    snapshot: &NavSnapshot,
    layers: [&BodyLayers; 2],
    trip: &Trip,
    flight: (Flight, bool),
    cancel: &AtomicBool,
) -> Option<(Plan, u64)> {
    let start = flight.0.start;
    let (path, settled) = find_refuge(layers, flight, cancel)?;
    // The goal is the threat, so a path to its last cell is whole.
    let ends = Ends::whole(start, path.end().unwrap_or(start));
    let cell_path = CellPath::known(path);
    let mut plan = smooth(snapshot, trip, &ends, (&cell_path, None), cancel)?;
    if cell_path.path.cost == 0 {
        plan.shortfall = Some(FailReason::Cornered);
    }
    Some((plan, settled))
}

/// Maximum number of bodies in the list of charged bodies: the greatest number of bodies whose layers a map keeps.
const MAX_CHARGED_BODIES: usize = 16;

/// Moves a body to the end of the list of charged bodies, or adds it. Returns whether the body was in the list.
fn note(charged: &mut Vec<NavBodyKey>, body: NavBodyKey) -> bool {
    let known = charged.iter().position(|one| *one == body);
    known.map(|index| charged.remove(index));
    if charged.len() >= MAX_CHARGED_BODIES {
        charged.remove(0);
    }
    charged.push(body);
    known.is_some()
}
