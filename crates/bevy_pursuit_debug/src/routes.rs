//! Draws a waypoint map that a game gives: its roads and places, and a trip over it.

use bevy::prelude::*;
use pursuit::{Layout, glam};
use pursuit_lab::routes::{RoadId, RouteMap, Trip};

use crate::detail::View;
use crate::gizmos::PursuitGizmos;
use crate::lines::{Circle, arrow};
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// Most points drawn of all roads together; also most places, and most points of each of the three parts of a trip.
pub const MAX_ROAD_POINTS: usize = 16_384;

/// Radius of a place, in pixels.
const PLACE_PIXELS: f32 = 5.0;
/// Length of the arrow on a one-way road, in pixels.
const ARROW_PIXELS: f32 = 14.0;
/// Between the two lines of a trip, in pixels: as wide as they are at first, so that they look like one.
const TRIP_PIXELS: f32 = 2.0;
/// What was searched of a trip has this part of its color's opacity.
const SEARCHED: f32 = 0.5;

/// A waypoint map that the game wants to see, on a grid, and a trip over it. It shows both as they were when they were
/// given: give them again after [`RouteMap::update`]. Written by the game.
///
/// Default: none.
#[derive(Resource, Reflect, Clone, Debug, Default)]
#[reflect(opaque)]
#[reflect(Resource, Default, Clone, Debug)]
pub struct OverlayRoutes {
    roads: Vec<Drawn>,
    places: Vec<Vec2>,
    trip: Option<Way>,
}

/// A road, in the world.
#[derive(Clone, Debug)]
struct Drawn {
    points: Vec<Vec2>,
    bounds: Rect,
    is_open: bool,
    is_one_way: bool,
}

/// A trip, in the world: the waypoints before the stored part, of it, and behind it. Each begins where the one
/// before ends.
#[derive(Clone, Debug)]
struct Way {
    parts: [Vec<Vec2>; 3],
}

impl OverlayRoutes {
    /// Shows a waypoint map of a grid whose cells lie as `layout` says:
    /// [`NavSnapshot::layout`](bevy_pursuit::grid::NavSnapshot::layout). A trip shown before is forgotten.
    pub fn show(&mut self, layout: &Layout, routes: &RouteMap) {
        let roads = (0..).zip(routes.roads()).map(|(id, road)| {
            let points = in_world(layout, &road.points);
            Drawn {
                bounds: bounds_of(&points),
                points,
                is_open: routes.is_open(RoadId(id)),
                is_one_way: road.is_one_way,
            }
        });
        let places = routes.places().iter();
        *self = Self {
            roads: roads.collect(),
            places: places.map(|place| layout.to_world(place.point)).collect(),
            trip: None,
        };
    }

    /// Shows a trip over it, or none any more.
    pub fn show_trip(&mut self, layout: &Layout, trip: Option<&Trip>) {
        self.trip = trip.map(|trip| {
            let points = in_world(layout, &trip.waypoints);
            let last = points.len();
            let (from, to) = (trip.stored.start.min(last), trip.stored.end.min(last));
            // A part of one point alone is no line.
            let part = |from: usize, to: usize| points.get(from..to).unwrap_or_default().to_vec();
            Way {
                parts: [
                    part(0, (from + 1).min(last)),
                    part(from, to.max(from)),
                    part(to.max(from).saturating_sub(1), last),
                ],
            }
        });
    }

    /// Shows nothing any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether there is something to show.
    pub fn is_some(&self) -> bool {
        !self.places.is_empty() || self.trip.is_some()
    }

    /// The roads in view, as many as may be drawn.
    fn in_view(&self, view: &View) -> impl Iterator<Item = &Drawn> {
        let mut left = MAX_ROAD_POINTS;
        let area = view.area;
        // A road along an axis has a box without area.
        let is_seen = move |road: &&Drawn| {
            let (low, high) = (road.bounds.min, road.bounds.max);
            low.cmple(area.max).all() && high.cmpge(area.min).all()
        };
        self.roads.iter().filter(is_seen).take_while(move |road| {
            let fits = road.points.len() <= left;
            left = left.saturating_sub(road.points.len());
            fits
        })
    }
}

fn in_world(layout: &Layout, points: &[glam::Vec2]) -> Vec<Vec2> {
    points.iter().map(|point| layout.to_world(*point)).collect()
}

fn bounds_of(points: &[Vec2]) -> Rect {
    let first = points.first().copied().unwrap_or_default();
    let first = Rect::from_corners(first, first);
    points
        .iter()
        .fold(first, |bounds, point| bounds.union_point(*point))
}

/// Draws roads, places and the trip.
pub(crate) fn draw_routes(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    routes: Res<OverlayRoutes>,
    circle: Local<Circle>,
    mut gizmos: Gizmos<PursuitGizmos>,
) {
    let Some(view) = overlay.view.filter(|_| routes.is_some()) else {
        return;
    };
    let pixel = 1.0 / view.pixels_per_unit;
    let colors = &settings.colors;
    let [open, closed] = [colors.road, colors.closed_road].map(LinearRgba::from);
    for road in routes.in_view(&view) {
        let color = if road.is_open { open } else { closed };
        gizmos.linestrip_2d(road.points.iter().copied(), color);
        if let (true, [a, b]) = (road.is_one_way, middle_leg(&road.points)) {
            let head = ARROW_PIXELS * pixel;
            arrow(&mut gizmos, a, a.midpoint(b), head, color);
        }
    }
    let near = view.area.inflate(PLACE_PIXELS * pixel);
    let seen = routes.places.iter().filter(|place| near.contains(**place));
    for &place in seen.take(MAX_ROAD_POINTS) {
        let radius = PLACE_PIXELS * pixel;
        circle.draw(&mut gizmos, place, radius, view.pixels_per_unit, open);
    }
    let Some(trip) = &routes.trip else { return };
    let stored = LinearRgba::from(colors.trip);
    let searched = stored.with_alpha(SEARCHED * stored.alpha);
    for (part, color) in trip.parts.iter().zip([searched, stored, searched]) {
        let drawn = &part[..part.len().min(MAX_ROAD_POINTS)];
        for leg in drawn.windows(2) {
            draw_leg(&mut gizmos, leg[0], leg[1], TRIP_PIXELS * pixel, color);
        }
    }
}

/// Draws two lines beside each other, as strips: they lie on top of the roads, which are strips as well.
fn draw_leg(
    gizmos: &mut Gizmos<PursuitGizmos>,
    from: Vec2,
    to: Vec2,
    between: f32,
    color: LinearRgba,
) {
    let aside = (to - from).normalize_or_zero().perp() * between / 2.0;
    for aside in [aside, -aside] {
        gizmos.linestrip_2d([from + aside, to + aside], color);
    }
}

/// The leg in the middle of a road.
fn middle_leg(points: &[Vec2]) -> [Vec2; 2] {
    let at = (points.len() / 2).max(1);
    let [from, to] = [at - 1, at].map(|index| points.get(index).copied());
    [from.unwrap_or_default(), to.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{DiagonalPolicy, Grid, NavMap, NavScratch};
    use pursuit_lab::routes::TripOptions;

    fn layout() -> Layout {
        Layout::new(Vec2::new(100.0, 0.0), 10.0, 64, 64).expect("a layout")
    }

    fn routes(count: usize) -> RouteMap {
        let mut builder = RouteMap::builder(0.45);
        let ids: Vec<_> = (0..2)
            .map(|n| {
                let point = Vec2::new(5.0 + 40.0 * n as f32, 5.0);
                builder.place(&n.to_string(), point).expect("a place")
            })
            .collect();
        for _ in 0..count {
            builder.road(ids[0], ids[1], &[]).expect("a road");
        }
        builder.build().expect("routes")
    }

    fn view(area: Rect) -> View {
        View {
            area,
            pixels_per_unit: 1.0,
        }
    }

    #[test]
    fn roads_lie_in_the_world_and_only_those_in_view_are_drawn() {
        let mut shown = OverlayRoutes::default();
        assert!(!shown.is_some());
        shown.show(&layout(), &routes(1));
        assert!(shown.is_some());
        let all = view(Rect::new(0.0, 0.0, 800.0, 800.0));
        let road = shown.in_view(&all).next().expect("a road in view");
        assert_eq!(road.points[0], layout().to_world(Vec2::new(5.0, 5.0)));
        let elsewhere = view(Rect::new(0.0, 400.0, 800.0, 800.0));
        assert_eq!(shown.in_view(&elsewhere).count(), 0);
        shown.clear();
        assert!(!shown.is_some());
    }

    #[test]
    fn what_is_drawn_is_bounded() {
        let mut shown = OverlayRoutes::default();
        shown.show(&layout(), &routes(pursuit_lab::routes::MAX_ROADS));
        let all = view(Rect::new(0.0, 0.0, 800.0, 800.0));
        let points: usize = shown.in_view(&all).map(|road| road.points.len()).sum();
        assert_eq!(points, MAX_ROAD_POINTS);
    }

    #[test]
    fn the_parts_of_a_trip_join() {
        let grid = Grid::from_fn(64, 64, |_| true).expect("a grid");
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let (routes, mut shown) = (routes(1), OverlayRoutes::default());
        let mut options = TripOptions::default();
        for reach in [3.0, 200.0] {
            options.reach = Some(reach);
            let from = Vec2::new(2.0, 9.0);
            let trip = routes.trip(&map, from, "1", &options, &mut NavScratch::new());
            let trip = trip.expect("a trip");
            assert_eq!(trip.route.is_some(), reach < 10.0);
            shown.show_trip(&layout(), Some(&trip));
            let parts = &shown.trip.as_ref().expect("a trip").parts;
            let drawn: f32 = parts
                .iter()
                .flat_map(|part| part.windows(2))
                .map(|leg| leg[0].distance(leg[1]))
                .sum();
            let whole = 10.0 * trip.length;
            assert!((drawn - whole).abs() < 1e-2 * whole, "{drawn} of {whole}");
        }
    }
}
