//! Trips: along stored routes, and back into them.

use glam::Vec2;
use pursuit::{NavMap, NavScratch};

use super::error::TripError;
use super::options::{Destination, TripOptions};
use super::parts::Place;
use super::planner::{Planner, leads_around};
use super::route_map::RouteMap;
use super::trip::Trip;

impl RouteMap {
    /// The way from a point to a place or another point. Long ways follow the stored routes; a goal
    /// within [reach](TripOptions::reach) is searched for as a whole, and so is one to which no route leads.
    ///
    /// Ways are compared by their length. Terrain counts as it does in [`NavMap::taut_path`].
    ///
    /// # Errors
    ///
    /// [`TripError::UnknownName`] and [`UnknownPlace`](TripError::UnknownPlace);
    /// [`NoWay`](TripError::NoWay) to a place that cannot be reached (to a point that cannot, the trip leads as near as it
    /// gets, and is not [complete](Trip::is_complete)); [`Search`](TripError::Search) for ends outside of the
    /// map, a walker that does not fit where it is nor near by, and a cancelled search.
    pub fn trip<'d>(
        &self,
        map: &NavMap,
        from: Vec2,
        to: impl Into<Destination<'d>>,
        options: &TripOptions,
        scratch: &mut NavScratch,
    ) -> Result<Trip, TripError> {
        let (goal, place) = self.goal_of(to.into())?;
        let trip = Planner::new(self, map, options, scratch).plan(from, goal)?;
        match place {
            Some(place) if !trip.is_complete => Err(TripError::NoWay(place.name.clone())),
            _ => Ok(trip),
        }
    }

    /// The way back into a trip, and the rest of it, for a walker that has left it and is at `from`.
    ///
    /// It goes to the last point of what is left of the trip that is within [reach](TripOptions::reach); or, if that
    /// leads around something large or over a blocked line, along a [new trip](Self::trip) if that is shorter.
    ///
    /// # Errors
    ///
    /// [`TripError::Search`].
    pub fn rejoin(
        &self,
        map: &NavMap,
        trip: &Trip,
        from: Vec2,
        options: &TripOptions,
        scratch: &mut NavScratch,
    ) -> Result<Trip, TripError> {
        let goal = trip.waypoints.last().copied().unwrap_or(from);
        let mut planner = Planner::new(self, map, options, scratch);
        let back = match planner.way_back(trip, from)? {
            Some(back) if !leads_around(back.searched, from.distance(back.joint)) => {
                return Ok(planner.with_work(back.trip));
            }
            back => back.map(|back| back.trip),
        };
        let anew = planner.plan(from, goal)?;
        Ok(match back {
            Some(back) if back.length <= anew.length => planner.with_work(back),
            _ => anew,
        })
    }

    /// The point that a destination is, and the place if it is one.
    fn goal_of(&self, to: Destination<'_>) -> Result<(Vec2, Option<&Place>), TripError> {
        let id = match to {
            Destination::Point(goal) => return Ok((goal, None)),
            Destination::Place(id) => id,
            Destination::Named(name) => self.place(name)?,
        };
        let place = self.places.get(id.get());
        let place = place.ok_or(TripError::UnknownPlace(id))?;
        Ok((place.point, Some(place)))
    }
}
