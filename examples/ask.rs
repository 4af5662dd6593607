//! Questions without an agent: `Navigation` tells what is near, reachable, in sight, in the way.
//!
//! From the mouse, each dot is as far on foot as its color says: gold is near, violet far. Large dots
//! are in sight, crosses out of reach. The scout asks for its way to the mouse, and tells of it.
//!
//! | Key | |
//! |---|---|
//! | mouse | where to ask |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{layer, palette, people::Costume};
use pursuit_examples::pointer::{Act, Pointer};
use pursuit_examples::{bodies::BODY_RADIUS, demo::Demo, paths::draw_dots, sketch::Sketch};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// Distance on foot at which dots have the last color, in world units.
const FAR: f32 = 560.;

/// Radius of a dot in sight, in world units.
const DOT: f32 = 6.5;

const DEMO: Demo = Demo {
    name: "ask",
    shows: "how far, in sight, out of reach, in the way: asked at the mouse",
    keys: &[("mouse", "where to ask")],
    map: include_str!("../assets/levels/ask.txt"),
    script: &[(0.1, Act::Point(Vec2::new(214.0, -40.0)))],
};

fn main() -> AppExit {
    App::new()
        .add_plugins(DEMO)
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .add_systems(Update, (ask_around, ask_for_the_way))
        .run()
}

/// What the scout says.
#[derive(Component)]
struct Sign;

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    let scout = Transform::from_translation(stage.positions('S')[0].extend(0.));
    commands.spawn((Costume::Scout(0), scout));
    let font = TextFont::from_font_size(9.5);
    let color = TextColor(palette::PLAYER_LIGHT);
    commands.spawn((Sign, Text2d::default(), font, color));
}

/// How far it is from the mouse to each tile, and whether it is in sight.
fn ask_around(
    navigation: Navigation,
    pointer: Res<Pointer>,
    stage: Res<Stage>,
    mut sketch: ResMut<Sketch>,
    mut asked: Local<(Option<Vec2>, Vec<(Vec2, Result<f32, FailReason>, bool)>)>,
) {
    let Some(from) = pointer.at else {
        return;
    };
    // The answers stand until the mouse moves.
    let (at, answers) = &mut *asked;
    if at.replace(from) != Some(from) || answers.iter().all(|answer| answer.1.is_err()) {
        let level = &stage.level;
        let tiles = level.floor().rect().cells();
        let tiles = tiles.filter(|cell| level.is_floor(*cell));
        let places = tiles.map(|cell| level.layout().center(cell));
        // Not under things.
        let places = places.filter(|at| navigation.what_blocks(*at, DOT) == Ok(Vec::new()));
        let answer = |to| {
            let is_seen = navigation.line_of_sight(from, to, 0.) == Ok(true);
            (to, navigation.distance(from, to, BODY_RADIUS), is_seen)
        };
        *answers = places.map(answer).collect();
    }
    for (to, distance, is_seen) in answers {
        let radius = if *is_seen { DOT } else { 3. };
        let ink = palette::INK.with_alpha(0.6);
        match distance {
            Ok(distance) => {
                let color = color_of(*distance / FAR);
                sketch
                    .floor
                    .disc(*to, radius + 1.2, ink)
                    .disc(*to, radius, color);
            }
            Err(_) => sketch.cross(*to, palette::HUNTER),
        }
    }
}

/// From gold for 0 over red to violet for 1 and more.
fn color_of(share: f32) -> Color {
    let share = share.min(1.) * 2.;
    if share < 1. {
        palette::PLAYER_LIGHT.mix(&palette::SCOUTS[1], share)
    } else {
        palette::SCOUTS[1].mix(&palette::SCOUTS[4], share - 1.)
    }
}

/// The scout's way to the mouse, and what the scout says of it.
fn ask_for_the_way(
    navigation: Navigation,
    pointer: Res<Pointer>,
    mut sketch: ResMut<Sketch>,
    scout: Single<(&Transform, &Costume), Without<Sign>>,
    names: Query<&Name>,
    sign: Single<(&mut Text2d, &mut Transform), With<Sign>>,
) {
    let ((scout, costume), (mut text, mut place)) = (*scout, sign.into_inner());
    let Some(to) = pointer.at else {
        return;
    };
    let from = scout.translation.truncate();
    if let Ok(way) = navigation.path(from, to, BODY_RADIUS) {
        draw_dots(&mut sketch, &way, costume.color());
    }
    let sight = match navigation.line_of_sight(from, to, 0.) {
        Ok(true) => "in my sight",
        _ => "out of my sight",
    };
    let blocks = navigation.what_blocks(to, BODY_RADIUS).unwrap_or_default();
    let blocks: Vec<_> = blocks
        .iter()
        .filter_map(|entity| names.get(*entity).ok())
        .collect();
    let words = match navigation.distance(from, to, BODY_RADIUS) {
        _ if !blocks.is_empty() => format!("blocked by {}", blocks[0]),
        Ok(distance) => format!("{distance:.0} units on foot\n{sight}"),
        Err(reason) => reason.to_string(),
    };
    text.0 = words;
    // Below the scout: over the wall, where no way leads.
    let middle = from + Vec2::new(4., -33.);
    place.translation = middle.extend(layer::AIR + 1.);
    let card = Rect::from_center_half_size(middle, Vec2::new(55., 16.));
    sketch.air.rounded(card, 8., palette::SHADE.with_alpha(0.9));
}
