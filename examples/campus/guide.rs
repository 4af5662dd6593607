//! The guide: plans trips by stored routes, walks them, and finds back into them when pulled away.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_pursuit::grid::NavSnapshot;
use bevy_rapier2d::prelude::*;
use pursuit::steer::{advance, approach_speed, braking_speed, remaining_length};
use pursuit_examples::keys::ease;
use pursuit_lab::routes::{PlaceId, RouteMap, Trip, TripError, TripOptions};

use crate::measure::{Figures, Memory, Scratch, measure};

/// Speed of the guide, in world units per second.
pub(crate) const SPEED: f32 = 150.0;
/// Speed at which a hand pulls it.
pub(crate) const PULL: f32 = 210.0;
/// In world units per second, per second.
const ACCELERATION: f32 = 420.0;
/// How near to the end of the way it has arrived, in world units.
const ARRIVED: f32 = 1.0;

/// What is known of the campus once it is baked.
#[derive(Resource)]
pub(crate) struct Campus {
    pub(crate) baked: Arc<NavSnapshot>,
    pub(crate) routes: RouteMap,
    pub(crate) memory: Memory,
    pub(crate) scratch: Scratch,
}

/// Who leads.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Guide;

/// The trip that is walked.
#[derive(Resource, Default)]
pub(crate) struct Tour {
    pub(crate) trip: Option<Trip>,
    pub(crate) goal: Option<PlaceId>,
    /// Index of the waypoint ahead.
    pub(crate) next: usize,
    /// Where the guide stands or walks.
    pub(crate) state: State,
    /// What planning cost.
    pub(crate) figures: Figures,
    /// What planning the latest way back cost, and how many nodes it expanded.
    pub(crate) back: Option<(Duration, u32)>,
}

/// What the guide does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// Waits to be told a place.
    #[default]
    Waiting,
    /// Walks along the trip.
    Walking,
    /// Was pulled away from it.
    Astray,
    /// Stands at the place.
    Arrived,
}

/// Where a hand pulls the guide: a velocity in world units per second.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Pull(pub(crate) Option<Vec2>);

impl Campus {
    /// A position in the world, in the cells of the core.
    pub(crate) fn in_cells(&self, position: Vec2) -> Vec2 {
        self.baked.layout().to_cell_space(position)
    }

    /// Some points of the core, in the world.
    pub(crate) fn in_world(&self, points: &[Vec2]) -> Vec<Vec2> {
        let layout = self.baked.layout();
        points.iter().map(|point| layout.to_world(*point)).collect()
    }
}

impl Tour {
    /// Plans a trip from a position in the world to a place, measures it, and sets out.
    ///
    /// # Errors
    ///
    /// Those of the trip. The one before goes on then.
    pub(crate) fn set_out(
        &mut self,
        campus: &mut Campus,
        from: Vec2,
        to: PlaceId,
    ) -> Result<(), TripError> {
        let from = campus.in_cells(from);
        let map = campus.baked.map();
        let (trip, figures) = measure(map, &campus.routes, from, to, &mut campus.scratch)?;
        *self = Self {
            trip: Some(trip),
            goal: Some(to),
            next: 1,
            state: State::Walking,
            figures,
            back: None,
        };
        Ok(())
    }

    /// Plans the way back into the trip, from where the guide is now.
    ///
    /// # Errors
    ///
    /// Those of the search.
    pub(crate) fn find_back(&mut self, campus: &mut Campus, from: Vec2) -> Result<(), TripError> {
        let Some(trip) = &self.trip else {
            self.state = State::Waiting;
            return Ok(());
        };
        let from = campus.in_cells(from);
        let (map, options) = (campus.baked.map(), TripOptions::default());
        let begun = Instant::now();
        let scratch = &mut campus.scratch.nav;
        let back = campus.routes.rejoin(map, trip, from, &options, scratch)?;
        self.back = Some((begun.elapsed(), back.expanded));
        self.trip = Some(back);
        self.next = 1;
        self.state = State::Walking;
        Ok(())
    }

    /// Ends the trip.
    pub(crate) fn stop(&mut self) {
        *self = Self::default();
    }
}

/// Moves the guide's body: by the hand that pulls it, else along its trip.
pub(crate) fn walk(
    time: Res<Time>,
    pull: Res<Pull>,
    mut campus: ResMut<Campus>,
    mut tour: ResMut<Tour>,
    guide: Single<(&Transform, &mut Velocity), With<Guide>>,
) {
    let (transform, mut velocity) = guide.into_inner();
    let (seconds, at) = (time.delta_secs(), transform.translation.truncate());
    if let Some(pull) = pull.0 {
        velocity.linear = ease(velocity.linear, pull, seconds);
        if matches!(tour.state, State::Walking | State::Arrived) {
            tour.state = State::Astray;
        }
        return;
    }
    if tour.state == State::Astray && tour.find_back(&mut campus, at).is_err() {
        tour.stop();
    }
    let tour = &mut *tour;
    let Some(trip) = tour.trip.as_ref().filter(|_| tour.state == State::Walking) else {
        velocity.linear = ease(velocity.linear, Vec2::ZERO, seconds);
        return;
    };
    let (here, cell) = (campus.in_cells(at), campus.baked.layout().cell_size());
    let left = cell * remaining_length(&trip.waypoints, tour.next, here);
    let wanted = SPEED.min(braking_speed(left, ACCELERATION, seconds));
    let now = velocity.linear.length();
    let speed = approach_speed(now, wanted, ACCELERATION, seconds);
    let step = advance(&trip.waypoints, tour.next, here, speed * seconds / cell);
    tour.next = step.next;
    velocity.linear = step.offset * cell / seconds.max(1e-6);
    if left <= ARRIVED {
        tour.state = State::Arrived;
        velocity.linear = Vec2::ZERO;
    }
}
