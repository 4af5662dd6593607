//! Recordings of trips over stored routes.

use std::iter;
use std::time::Duration;

use glam::Vec2;
use pursuit::cell::{Cell, MAX_SIDE};
use pursuit::cost::STRAIGHT;
use pursuit::map::{NavMap, NavScratch};
use pursuit::search::{Outcome, PartialReason, PathOptions};

use super::facts::{RecordedAlgorithm, RecordedEnd, RecordedSearch};
use super::record::Recording;
use crate::routes::{Destination, RouteMap, Trip, TripError, TripOptions};

impl RecordedSearch {
    /// The searches of a trip between two points, named `trip`: see [`RouteMap::trip_recorded`].
    #[must_use]
    pub fn trip(map: &NavMap, from: Vec2, to: Vec2) -> Self {
        let (rect, options) = (map.rect(), PathOptions::default());
        Self {
            name: "trip".to_owned(),
            width: rect.width(),
            height: rect.height(),
            start: Cell::at(from),
            goal: Cell::at(to),
            diagonals: map.diagonals(),
            algorithm: RecordedAlgorithm::Trip,
            heuristic: options.heuristic,
            weights: options.weights,
            ties: options.ties,
            max_expanded: options.max_expanded,
            voxels: None,
        }
    }
}

impl Recording {
    /// Records [`RouteMap::trip`].
    ///
    /// # Errors
    ///
    /// See [`TripError`].
    pub fn of_trip<'d>(
        routes: &RouteMap,
        map: &NavMap,
        from: Vec2,
        to: impl Into<Destination<'d>>,
        options: &TripOptions,
        scratch: &mut NavScratch,
    ) -> Result<(Trip, Self), TripError> {
        let to = to.into();
        let (goal, _) = routes.goal_of(to)?;
        let mut recording = Self::new(RecordedSearch::trip(map, from, goal));
        let trip = routes.trip_recorded(map, from, to, options, scratch, &mut recording)?;
        recording.finish_trip(&trip, None);
        Ok((trip, recording))
    }

    /// As [`finish`](Self::finish), for the searches of a trip: notes the way, its stored part included, and how long it
    /// took if that is known. The cost noted is that of straight steps of the way's length. No bound is known.
    pub fn finish_trip(&mut self, trip: &Trip, took: Option<Duration>) {
        let size = self.search.size();
        // What was handed over need not be a trip, and may be longer than memory is.
        let cells = cells_along(&trip.waypoints).take(size.cell_count() as usize);
        self.end = Some(RecordedEnd {
            path: cells.filter(|&cell| size.index(cell).is_some()).collect(),
            cost: (f64::from(trip.length) * f64::from(STRAIGHT)).round() as u64,
            outcome: match trip.is_complete {
                true => Outcome::Complete,
                false => Outcome::Partial(PartialReason::Unreachable),
            },
            bound: f64::INFINITY,
            expanded: trip.expanded,
            pushed: trip.pushed,
            took,
        });
    }
}

/// Cells under a line, from neighbor to neighbor. Points that are not finite have none, and no map has a leg longer than its
/// sides may be: of such a leg there is the first cell alone.
fn cells_along(points: &[Vec2]) -> impl Iterator<Item = Cell> + '_ {
    let legs = points.windows(2).flat_map(|leg| {
        let (from, to) = (leg[0], leg[1]);
        let length = (to - from).abs().max_element().ceil();
        let steps = if length <= MAX_SIDE as f32 {
            length
        } else {
            0.0
        };
        let between = (1..steps as u32).map(move |step| from.lerp(to, step as f32 / steps));
        iter::once(from).chain(between)
    });
    let mut last = None;
    let all = legs.chain(points.last().copied());
    let all = all.filter(|point| point.is_finite()).map(Cell::at);
    all.filter(move |&cell| last.replace(cell) != Some(cell))
}
