//! Questions without an agent: `Navigation` says what is near, reachable, in sight or in the way.
//!
//! The color of a dot shows how far it is from the mouse on foot: gold is near, violet is far. Large dots are in sight,
//! and crosses cannot be reached. The scout asks for its path to the mouse, and says how long it is.
//!
//! | Key | |
//! |---|---|
//! | mouse | where to ask |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::color::ColorCurve;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{
    AIR_Z, Example, Figure, GOLD, Level, Mood, Mouse, PathGizmos, RADIUS, RED, THINGS_Z, WALLS,
};

/// Distance on foot at which dots have the last color, in world units.
const LAST_COLOR_DISTANCE: f32 = 560.;
/// The point to ask about until the mouse is over the window, in world units.
const INITIAL_POINT: Vec2 = Vec2::new(214., -40.);

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "ask",
            keys: "mouse  where to ask",
            level: include_str!("../assets/levels/ask.txt"),
            mood: Mood::DAY,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (ask_around, ask_for_the_path))
        .run()
}

/// Marks the text with the scout's answer.
#[derive(Component)]
struct Sign;

/// Marks a dot on a tile that is asked about.
#[derive(Component)]
struct Dot;

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let scout = level.transform_at('S');
    commands.spawn((Figure::scout(0), scout));
    commands.spawn((
        (Sign, common::sign()),
        scout.with_translation(scout.translation + Vec3::new(30., -36., AIR_Z)),
    ));
    for at in level.find('.') {
        let place = Transform::from_translation(at.extend(THINGS_Z));
        commands.spawn((Dot, Sprite::default(), place));
    }
}

/// Asks for the distance from the mouse to each tile, and whether the tile is in sight.
fn ask_around(
    navigation: Navigation,
    mouse: Mouse,
    assets: Res<AssetServer>,
    mut dots: Query<(&mut Transform, &mut Sprite), With<Dot>>,
    mut asked: Local<Option<Vec2>>,
) -> Result {
    let from = mouse.at().unwrap_or(INITIAL_POINT);
    // The answers stay valid until the mouse moves.
    if navigation.nearest_free(from, 0.).is_err() || asked.replace(from) == Some(from) {
        return Ok(());
    }
    let colors = ColorCurve::new([GOLD, RED, Figure::TIRED.color()])?;
    for (mut place, mut dot) in &mut dots {
        let to = place.translation.truncate();
        let is_seen = navigation.line_of_sight(from, to, 0.) == Ok(true);
        let distance = navigation.distance(from, to, RADIUS);
        let (mark, scale) = match (&distance, is_seen) {
            (Ok(_), true) => ('*', 0.13),
            (Ok(_), false) => ('*', 0.06),
            (Err(_), _) => ('x', 1.),
        };
        *dot = common::prop_sprite(&assets, mark);
        place.scale = Vec3::splat(scale);
        if let Ok(distance) = distance {
            dot.color = colors.sample_clamped(2. * distance / LAST_COLOR_DISTANCE);
        }
    }
    Ok(())
}

/// Draws the scout's path to the mouse, and writes how long it is, or why there is none.
fn ask_for_the_path(
    mut gizmos: Gizmos<PathGizmos>,
    navigation: Navigation,
    mouse: Mouse,
    scout: Single<(&Transform, &Figure)>,
    mut sign: Single<&mut Text2d, With<Sign>>,
    names: Query<&Name>,
) {
    let (place, figure) = *scout;
    let from = place.translation.truncate();
    let to = mouse.at().unwrap_or(INITIAL_POINT);
    if let Ok(path) = navigation.path(from, to, RADIUS) {
        gizmos.linestrip_2d(path, figure.color());
    }
    let sight = match navigation.line_of_sight(from, to, 0.) {
        Ok(true) => "in my sight",
        _ => "out of my sight",
    };
    let blocks = navigation.what_blocks(to, RADIUS).unwrap_or_default();
    let block = blocks.iter().find_map(|entity| names.get(*entity).ok());
    sign.0 = match (navigation.distance(from, to, RADIUS), block) {
        (_, Some(name)) => format!(" blocked by {name} "),
        (Ok(distance), _) => format!(" {distance:.0} units on foot \n {sight} "),
        (Err(reason), _) => reason.to_string(),
    };
}
