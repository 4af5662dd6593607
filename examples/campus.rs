//! A guided walk over a campus with named places and roads between them. All routes are stored: `RouteMap` of
//! `pursuit_lab`.
//!
//! Some roads are laid by hand, along the paved ways; the others are laid by `pave_all`, so that no route is a long
//! detour. A trip is a short search to the route, the stored route, and a short search to the place. The guide walks it
//! with `steer::advance`. Pull the guide away, and another trip is planned from its new position. The visitors are
//! agents of the plugin: each chases the visitor ahead, over a grid that is baked from the colliders.
//!
//! | Key | |
//! |---|---|
//! | 1 to 9, 0; click a place | a guided walk there |
//! | W A S D, arrows | pull the guide off its way |
//! | R | show the roads, hide them |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use std::sync::Arc;

use bevy::input::common_conditions::input_toggle_active;
use bevy::math::FloatOrd;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_pursuit::BakedGrid;
use bevy_pursuit::core::{FindPathError, NavScratch, steer};
use bevy_pursuit::grid::NavSnapshot;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{
    AIR_Z, DARK, Example, Figure, GOLD, Level, Mood, Mouse, PALE, PathGizmos, RADIUS, THINGS_Z,
    TILE, WALLS, agent_body, card, just_pressed, player_body, walking_direction,
};
use pursuit_lab::routes::{Place, RouteMap, Trip};

/// Maximum length of a route, as a multiple of the length of the shortest path.
const MAX_STRETCH: f32 = 1.2;
/// Speed of the guide on a trip, and its speed while keys pull it, in world units per second. Its acceleration on a
/// trip is in world units per second².
const GUIDE_SPEED: f32 = 150.;
const PULL_SPEED: f32 = 210.;
const ACCELERATION: f32 = 420.;
/// Distance that a visitor keeps from the visitor ahead, in world units.
const VISITOR_GAP: f32 = 34.;

/// Places, each at the tile with its letter. A key leads to each of the first ten.
const PLACES: [(char, &str); 15] = [
    ('L', "Library"),
    ('V', "Observatory"),
    ('M', "Main Hall"),
    ('S', "Science"),
    ('C', "Canteen"),
    ('G', "Sports"),
    ('U', "Museum"),
    ('D', "Dorms"),
    ('H', "Boathouse"),
    ('E', "Gate"),
    ('Q', "Fountain"),
    ('X', "Main Bridge"),
    ('N', "North Bridge"),
    ('Z', "South Bridge"),
    ('R', "Statue"),
];

/// Roads laid by hand: two places, and the points between them in columns and rows of the text of the level.
const ROADS: [(char, char, &[(f32, f32)]); 11] = [
    ('E', 'Q', &[(12., 26.2), (12.6, 25.2), (15., 23.6)]),
    ('L', 'Q', &[(9.6, 21.6), (10.8, 20.4), (13.8, 20.4)]),
    ('C', 'Q', &[]),
    ('Q', 'X', &[(15.8, 20.2), (17.2, 19.5), (23.6, 19.5)]),
    ('Q', 'M', &[(14.2, 20.2), (12.6, 18.6), (12.4, 17.)]),
    ('X', 'H', &[]),
    ('N', 'V', &[]),
    ('E', 'Z', &[(12.4, 28.9), (13.4, 28.)]),
    ('D', 'U', &[(6.6, 8.2), (7.6, 9.), (16.4, 9.)]),
    ('D', 'L', &[(6.4, 8.2), (6., 9.), (6., 18.4), (7.9, 20.6)]),
    ('R', 'U', &[(19., 12.), (19., 10.), (18., 9.)]),
];

pub(crate) fn main() -> AppExit {
    let guide = (set_out, walk, draw_trip, write_panel).chain();
    let roads = draw_roads.run_if(input_toggle_active(true, KeyCode::KeyR));
    App::new()
        .add_plugins(Example {
            name: "campus",
            keys: "1 to 9, 0, click  walk there     WASD  pull the guide away     R  roads",
            level: include_str!("../assets/levels/campus.txt"),
            mood: Mood::DAY,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, (spawn_campus, spawn_people, spawn_panel))
        .add_systems(PostStartup, make_room_for_the_panel)
        .add_systems(Update, open_campus.run_if(not(resource_exists::<Campus>)))
        .add_systems(Update, (guide, roads).run_if(resource_exists::<Campus>))
        .run()
}

/// The routes, which exist once the grid is baked, and the current trip.
#[derive(Resource)]
struct Campus {
    baked: Arc<NavSnapshot>,
    routes: RouteMap,
    scratch: NavScratch,
    /// A text that compares stored routes with full searches.
    comparison: String,
    trip: Option<Trip>,
    /// Index of the place at the end of the trip.
    goal: usize,
    /// Index of the next waypoint.
    next: usize,
    is_astray: bool,
    message: String,
}

#[derive(Component)]
struct Guide;

#[derive(Component)]
struct Panel;

fn spawn_campus(mut commands: Commands, level: Res<Level>, assets: Res<AssetServer>) {
    let grid = NavGrid::covering(level.bounds()).with_node_radius(2.);
    commands.spawn(grid.with_obstacles(WALLS));
    // Roofs, water, bridges, a sports field.
    let mut picture = Sprite::from_image(assets.load("sprites/campus.png"));
    picture.custom_size = Some(level.bounds().size());
    commands.spawn((picture, Transform::from_xyz(0., 0., THINGS_Z - 1.)));
    let water = level.collider_of(|tile| level.mark(tile) == '~');
    let groups = CollisionGroups::new(WALLS, Group::ALL);
    commands.spawn((Name::new("the water"), water, groups));
    for ((mark, name), key) in PLACES.iter().zip([1, 2, 3, 4, 5, 6, 7, 8, 9, 0]) {
        let text = Text2d::new(format!(" {key} {name} "));
        let colors = (TextColor(PALE), TextBackgroundColor(DARK.with_alpha(0.8)));
        let above = level.transform_at(*mark).translation + Vec3::new(0., 40., AIR_Z + 1.);
        let above = Transform::from_translation(above);
        commands.spawn((text, TextFont::from_font_size(21.), colors, above));
    }
}

/// Spawns the guide, which this example moves along stored routes, and the visitors, which the plugin moves: each
/// chases the visitor ahead.
fn spawn_people(mut commands: Commands, level: Res<Level>) {
    let gate = level.transform_at('E');
    let guide = commands.spawn((Guide, Figure::PLAYER, player_body(), gate));
    let mut ahead = guide.id();
    for number in 0..3 {
        let behind = Vec2::Y * 4. * (number + 1) as f32;
        let visitor = commands.spawn((
            NavAgent::from_radius(RADIUS).with_speed(1.25 * GUIDE_SPEED),
            Chase::new(ahead).with_reach(VISITOR_GAP).with_sight(),
            Figure::scout(number),
            agent_body(gate.translation.truncate() - behind),
        ));
        ahead = visitor.id();
    }
}

fn spawn_panel(mut commands: Commands) {
    let corner = Node {
        top: px(12),
        right: px(12),
        width: px(270),
        ..default()
    };
    commands.spawn((Panel, Text::default(), card(corner)));
}

fn make_room_for_the_panel(mut camera: Single<&mut Transform, With<Camera2d>>) {
    camera.translation.x += 200.;
}

/// Lays the roads once the grid is baked, and plans the first trip.
fn open_campus(mut commands: Commands, level: Res<Level>, grid: Single<&BakedGrid>) -> Result {
    let Some(baked) = grid.snapshot().filter(|_| !grid.is_baking()) else {
        return Ok(());
    };
    let mut scratch = NavScratch::new();
    let routes = lay_routes(&level, baked, &mut scratch)?;
    let comparison = compare(baked, &routes, &mut scratch)?;
    info!("{comparison}");
    let mut campus = Campus {
        baked: baked.clone(),
        routes,
        scratch,
        comparison,
        trip: None,
        goal: 0,
        next: 0,
        is_astray: false,
        message: String::new(),
    };
    campus.plan(level.transform_at('E').translation.truncate(), 1);
    commands.insert_resource(campus);
    Ok(())
}

/// Lays the roads of [`ROADS`], and enough other roads that no route is a long detour.
fn lay_routes(
    level: &Level,
    baked: &NavSnapshot,
    scratch: &mut NavScratch,
) -> Result<RouteMap, FindPathError> {
    let layout = baked.layout();
    let places = PLACES.map(|(mark, name)| Place {
        name: name.to_owned(),
        point: layout.to_cell_space(level.transform_at(mark).translation.truncate()),
    });
    let mut routes = RouteMap::new(baked.radius_cells(RADIUS), places.to_vec());
    let place = |mark| PLACES.iter().position(|place| place.0 == mark);
    let corner = Vec2::new(level.bounds().min.x, level.bounds().max.y);
    for (from, to, between) in ROADS {
        let point = |tile: &(f32, f32)| corner + Vec2::new(tile.0 + 0.5, -tile.1 - 0.5) * TILE;
        let points = between.iter().map(|tile| layout.to_cell_space(point(tile)));
        let ends = [from, to].map(|mark| place(mark).expect("invariant: roads join places"));
        if !routes.road(baked.map(), ends, &points.collect::<Vec<_>>()) {
            warn!("the road from {from} to {to} is blocked");
        }
    }
    routes.pave_all(baked.map(), MAX_STRETCH, scratch)?;
    Ok(routes)
}

/// A text that compares stored routes with full searches: mean times and lengths of the trips between all places.
fn compare(
    baked: &NavSnapshot,
    routes: &RouteMap,
    scratch: &mut NavScratch,
) -> Result<String, FindPathError> {
    let (map, radius) = (baked.map(), routes.radius());
    let (mut took, mut lengths) = (Vec2::ZERO, Vec2::ZERO);
    for from in routes.places() {
        for to in routes.places().iter().filter(|to| *to != from) {
            let (from, to) = (from.point, to.point);
            let (stored, trip) = timed(|| routes.trip(map, from, to, scratch));
            let (full, path) = timed(|| map.taut_path(from, to, radius, scratch));
            took += Vec2::new(stored, full);
            lengths += Vec2::new(trip?.length(), steer::length(&path?));
        }
    }
    let (places, roads) = (routes.places().len(), routes.roads().len());
    let trips = places * (places - 1);
    let [stored, full] = (took / trips as f32).to_array();
    let excess = 100. * (lengths.x / lengths.y.max(1e-3) - 1.);
    let size = routes.bytes() as f32 / 1024.;
    Ok(format!(
        "{places} places, {roads} roads, {size:.0} KiB\n\nmean of {trips} trips\n\
         by stored routes  {stored:.1} us\nby a full search  {full:.1} us\n\
         longer than that  {excess:.1} %"
    ))
}

/// Runs a planner. Returns its time, in microseconds, and its result.
fn timed<T>(plan: impl FnOnce() -> T) -> (f32, T) {
    let begun = Instant::now();
    let found = plan();
    (begun.elapsed().as_secs_f32() * 1e6, found)
}

impl Campus {
    /// Plans a trip from a position in the world to a place.
    fn plan(&mut self, from: Vec2, goal: usize) {
        let from = self.baked.layout().to_cell_space(from);
        let Place { name, point } = &self.routes.places()[goal];
        let plan = || (self.routes).trip(self.baked.map(), from, *point, &mut self.scratch);
        let (took, planned) = timed(plan);
        match planned {
            Ok(trip) => {
                let cells = trip.length();
                let stored = 100. * trip.stored_length() / cells.max(1e-3);
                self.message = format!(
                    "To the {name}\n{cells:.0} cells, {stored:.0} % stored\nplanned in {took:.1} us"
                );
                (self.trip, self.goal, self.next) = (Some(trip), goal, 1);
            }
            Err(reason) => self.message = format!("Not to the {name}: {reason}"),
        }
        self.is_astray = false;
    }
}

/// Starts a trip to the place whose number key was pressed, or to the place nearest to a click.
fn set_out(
    keys: Res<ButtonInput<KeyCode>>,
    mouse: Mouse,
    guide: Single<&Transform, With<Guide>>,
    mut campus: ResMut<Campus>,
) {
    use KeyCode::*;
    const KEYS: [KeyCode; 10] = [
        Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9, Digit0,
    ];
    let mut by_key = (0..KEYS.len()).filter(|key| just_pressed(&keys, KEYS[*key]));
    let by_click = mouse.click().and_then(|click| {
        let click = campus.baked.layout().to_cell_space(click);
        let places = campus.routes.places();
        (0..places.len()).min_by_key(|place| FloatOrd(places[*place].point.distance(click)))
    });
    if let Some(place) = by_key.next().or(by_click) {
        campus.plan(guide.translation.truncate(), place);
    }
}

/// Moves the guide in the direction of the pressed keys, or along the trip if no key is pressed.
fn walk(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut campus: ResMut<Campus>,
    guide: Single<(&Transform, &mut Velocity), With<Guide>>,
) {
    let (place, mut velocity) = guide.into_inner();
    let (seconds, at) = (time.delta_secs(), place.translation.truncate());
    let now = velocity.linear.length();
    velocity.linear = PULL_SPEED * walking_direction(&keys);
    if velocity.linear != Vec2::ZERO {
        campus.is_astray = campus.trip.is_some();
        return;
    }
    if campus.is_astray {
        let goal = campus.goal;
        campus.plan(at, goal);
    }
    let Some(trip) = campus.trip.as_ref().filter(|_| seconds > 0.) else {
        return;
    };
    let layout = campus.baked.layout();
    let (here, cell) = (layout.to_cell_space(at), layout.cell_size());
    let left = cell * steer::remaining_length(&trip.waypoints, campus.next, here);
    let wanted = GUIDE_SPEED.min(steer::braking_speed(left, ACCELERATION, seconds));
    let speed = steer::approach_speed(now, wanted, ACCELERATION, seconds);
    let step = steer::advance(&trip.waypoints, campus.next, here, speed * seconds / cell);
    velocity.linear = step.offset * cell / seconds;
    campus.next = step.next;
    if left < 1. {
        campus.trip = None;
    }
}

fn draw_roads(mut gizmos: Gizmos, campus: Res<Campus>) {
    let layout = campus.baked.layout();
    for road in campus.routes.roads() {
        let points = road.points.iter().map(|point| layout.to_world(*point));
        gizmos.linestrip_2d(points, PALE.with_alpha(0.35));
    }
    for place in campus.routes.places() {
        gizmos.circle_2d(layout.to_world(place.point), 6., PALE);
    }
}

/// Draws the rest of the trip: gold where it follows stored roads, pale where it was searched.
fn draw_trip(
    mut gizmos: Gizmos<PathGizmos>,
    campus: Res<Campus>,
    guide: Single<&Transform, With<Guide>>,
) {
    let Some(trip) = &campus.trip else {
        return;
    };
    let mut from = guide.translation.truncate();
    for (index, point) in trip.waypoints.iter().enumerate().skip(campus.next) {
        let to = campus.baked.layout().to_world(*point);
        let is_stored = trip.stored.contains(&index) && index > trip.stored.start;
        gizmos.line_2d(from, to, if is_stored { GOLD } else { PALE });
        from = to;
    }
}

fn write_panel(campus: Res<Campus>, mut panel: Single<&mut Text, With<Panel>>) {
    panel.0 = format!("{}\n\n{}", campus.message, campus.comparison);
}
