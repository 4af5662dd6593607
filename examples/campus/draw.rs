//! The waypoint map, the trip, and the names of places, drawn over the campus.

use bevy::prelude::*;
use pursuit::routes::{Road, RoadId};
use pursuit_examples::art::{layer, palette};
use pursuit_examples::paint::Painter;
use pursuit_examples::sketch::Sketch;
use pursuit_examples::stage::Stage;

use crate::buildings::Buildings;
use crate::guide::{Campus, Guide, State, Tour};
use crate::places::{DOME, HAND_LAID, NAMED_TILES};

/// Distance from the begin of a dash to that of the next, in world units, and how much of it is drawn.
const DASH: (f32, f32) = (15.0, 8.0);
/// Colors of roads: laid by hand, paved, blocked.
pub(crate) const LAID: Color = palette::WALL_RIM;
pub(crate) const PAVED: Color = palette::WATER_LIGHT;
pub(crate) const BLOCKED: Color = palette::HUNTER;
/// Colors of the trip: its stored part, and what was searched.
pub(crate) const STORED: Color = palette::PLAYER;
pub(crate) const SEARCHED: Color = palette::SCOUTS[2];

/// Size of the letters of signs, in world units.
const SIGN: f32 = 21.0;

/// Whether the roads are drawn.
#[derive(Resource, Clone, Copy, Debug)]
pub(crate) struct ShowRoads(pub(crate) bool);

/// The name of a place that has a key.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Sign(usize);

/// All roads and places. Roads laid by hand are lines, paved ones are dashed.
pub(crate) fn draw_roads(
    campus: Res<Campus>,
    show: Res<ShowRoads>,
    mut sketch: ResMut<Sketch>,
) {
    if !show.0 {
        return;
    }
    for (id, road) in (0..).zip(campus.routes.roads()) {
        let (is_laid, is_open) = (
            usize::from(id) < HAND_LAID,
            campus.routes.is_open(RoadId(id)),
        );
        draw_road(&mut sketch.floor, &campus, road, is_laid, is_open);
    }
    for place in campus.routes.places() {
        let at = campus.baked.layout().to_world(place.point);
        let ink = palette::INK.with_alpha(0.7);
        sketch.floor.disc(at, 7.0, ink).disc(at, 5.2, LAID);
        sketch.floor.disc(at, 2.6, ink);
    }
}

fn draw_road(painter: &mut Painter, campus: &Campus, road: &Road, is_laid: bool, is_open: bool) {
    let way = campus.in_world(&road.points);
    let color = match (is_open, is_laid) {
        (false, _) => BLOCKED,
        (true, true) => LAID,
        (true, false) => PAVED,
    };
    let ink = palette::INK.with_alpha(0.38);
    for (radius, color) in [(2.9, ink), (1.7, color.with_alpha(0.85))] {
        if is_laid {
            for leg in way.windows(2) {
                painter.capsule(leg[0], leg[1], radius, color);
            }
        } else {
            dashes(painter, &way, DASH, radius, color);
        }
    }
}

/// A dashed line along a way.
fn dashes(
    painter: &mut Painter,
    way: &[Vec2],
    (period, drawn): (f32, f32),
    radius: f32,
    color: Color,
) {
    // How far the next dash begins behind the corner before.
    let mut begin = 0.0;
    for leg in way.windows(2) {
        let length = leg[0].distance(leg[1]);
        let along = (leg[1] - leg[0]).normalize_or_zero();
        while begin < length {
            let end = (begin + drawn).min(length);
            painter.capsule(leg[0] + along * begin, leg[0] + along * end, radius, color);
            begin += period;
        }
        begin -= length;
    }
}

/// What is left of the trip: gold where it follows stored roads, pink where it was searched.
pub(crate) fn draw_trip(
    campus: Res<Campus>,
    tour: Res<Tour>,
    time: Res<Time>,
    guide: Single<&Transform, With<Guide>>,
    mut sketch: ResMut<Sketch>,
) {
    let Some(trip) = &tour.trip else {
        return;
    };
    let way = campus.in_world(&trip.waypoints);
    let ahead = way.iter().enumerate().skip(tour.next);
    let mut at = guide.translation.truncate();
    if tour.state == State::Walking {
        let mut strokes = Vec::new();
        for (index, &point) in ahead {
            let is_stored = trip.stored.contains(&index) && index > trip.stored.start;
            strokes.push((at, point, is_stored));
            at = point;
        }
        for &(from, to, _) in &strokes {
            let ink = palette::INK.with_alpha(0.75);
            sketch.floor.capsule(from, to, 5.4, ink);
        }
        for (from, to, is_stored) in strokes {
            let color = if is_stored { STORED } else { SEARCHED };
            sketch.floor.capsule(from, to, 3.6, color);
            sketch
                .floor
                .capsule(from, to, 1.2, color.mix(&Color::WHITE, 0.6));
        }
    }
    if let Some(&goal) = way.last() {
        let pulse = 2.0 * (3.0 * time.elapsed_secs()).sin();
        sketch.floor.ring(goal, 11.0 + pulse, 14.0 + pulse, STORED);
        draw_flag(&mut sketch.air, goal);
    }
}

fn draw_flag(painter: &mut Painter, at: Vec2) {
    let top = at + Vec2::new(0.0, 30.0);
    let cloth = [(0.0, 1.0), (0.0, -12.0), (18.0, -5.5)].map(|corner| top + Vec2::from(corner));
    painter.capsule(at, top, 2.2, palette::INK);
    painter.polygon(&cloth, palette::HUNTER);
    painter.capsule(at, top, 1.1, palette::LINEN);
}

/// A sign with key and name on the roof of each building, and at the gate.
pub(crate) fn spawn_signs(mut commands: Commands, stage: Res<Stage>, buildings: Res<Buildings>) {
    for (index, tile) in NAMED_TILES.iter().enumerate() {
        let Some((key, _)) = tile.key else { continue };
        let own = buildings.0.iter().find(|building| building.tile == index);
        let door = stage.positions(tile.mark).first().copied();
        let Some(at) = own.map(|own| own.middle()).or(door) else {
            continue;
        };
        let font = TextFont::from_font_size(SIGN);
        let text = format!("{key}  {}", tile.name);
        let place = Transform::from_translation(
            (at + sign_offset(index, own.is_some())).extend(layer::AIR + 1.0),
        );
        commands.spawn((
            Sign(index),
            Text2d::new(text),
            font,
            TextColor(palette::LINEN),
            place,
        ));
    }
}

fn sign_offset(index: usize, has_roof: bool) -> Vec2 {
    match (has_roof, index) {
        (true, DOME) => Vec2::new(0.0, -20.0),
        (true, _) => Vec2::new(0.0, 6.0),
        (false, _) => Vec2::new(92.0, 4.0),
    }
}

/// Cards behind the signs; that of the goal is gold.
pub(crate) fn draw_signs(
    tour: Res<Tour>,
    campus: Res<Campus>,
    mut sketch: ResMut<Sketch>,
    mut signs: Query<(&Sign, &Transform, &mut TextColor)>,
) {
    let goal = tour
        .goal
        .and_then(|goal| campus.routes.places().get(goal.get()));
    for (sign, transform, mut color) in &mut signs {
        let tile = &NAMED_TILES[sign.0];
        let is_goal = goal.is_some_and(|goal| goal.name == tile.name);
        let width = 0.6 * SIGN * (tile.name.len() + 3) as f32;
        let size = Vec2::new(width + 16.0, 28.0);
        let card = Rect::from_center_size(transform.translation.truncate(), size);
        let (back, ink) = if is_goal {
            (palette::PLAYER, palette::INK)
        } else {
            (palette::SHADE.with_alpha(0.8), Color::WHITE)
        };
        sketch.air.rounded(card, 8.0, back);
        color.set_if_neq(TextColor(ink));
    }
}
