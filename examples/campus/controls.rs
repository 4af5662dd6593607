//! Keys and the mouse: where to go, pulling the guide away, saving and loading.

use std::path::PathBuf;

use bevy::prelude::*;
use pursuit_examples::bodies::BODY_RADIUS;
use pursuit_examples::keys::{is_for_overlay, walking_direction};
use pursuit_examples::pointer::Pointer;
use pursuit_examples::stage::Stage;

use crate::buildings::Buildings;
use crate::draw::ShowRoads;
use crate::files;
use crate::guide::{Campus, Guide, PULL, Pull, State, Tour};
use crate::measure::memory;
use crate::places::{LEVEL, NAMED_TILES};

/// How near to the guide a drag begins, in world units.
const GRIP: f32 = 26.0;
/// A hand pulls at full speed from this far on.
const TAUT: f32 = 40.0;
/// Seconds that a tour rests at each place.
const REST: f32 = 1.2;

/// Where the waypoint map is saved and loaded.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Files {
    pub(crate) save: PathBuf,
    pub(crate) load: PathBuf,
}

/// What was done last, in words.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Note(pub(crate) String);

/// A tour of all buildings: the place that is next, and the rest at this one, in seconds.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    pub(crate) is_on: bool,
    next: usize,
    rested: f32,
}

/// Whether the mouse holds the guide.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Drag(bool);

/// Sets out to the place of the key, or of the click.
pub(crate) fn choose_place(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    stage: Res<Stage>,
    buildings: Res<Buildings>,
    guide: Single<&Transform, With<Guide>>,
    (mut campus, mut tour): (ResMut<Campus>, ResMut<Tour>),
    (mut note, mut round, mut drag): (ResMut<Note>, ResMut<Round>, ResMut<Drag>),
) {
    let at = guide.translation.truncate();
    let pressed = |tile: &&crate::places::NamedTile| {
        !is_for_overlay(&keys) && tile.key.is_some_and(|(_, key)| keys.just_pressed(key))
    };
    let by_key = NAMED_TILES.iter().find(pressed);
    let by_click = pointer.click().and_then(|click| {
        if click.distance(at) <= GRIP {
            drag.0 = true;
            return None;
        }
        buildings.pick(&stage, click)
    });
    let Some(tile) = by_key.or(by_click.map(|index| &NAMED_TILES[index])) else {
        return;
    };
    round.is_on = false;
    set_out(&mut tour, &mut campus, &mut note, at, tile.name);
}

/// Walks to a place by its name, or says why not.
fn set_out(tour: &mut Tour, campus: &mut Campus, note: &mut Note, at: Vec2, name: &str) {
    let place = campus.routes.place(name);
    let planned = place.and_then(|place| tour.set_out(campus, at, place));
    note.0 = match planned {
        Ok(()) => String::new(),
        Err(reason) => reason.to_string(),
    };
}

/// Pulls the guide by keys, or by the mouse that holds it; puts it elsewhere by a right click.
pub(crate) fn pull_guide(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    campus: Res<Campus>,
    (mut pull, mut drag, mut tour): (ResMut<Pull>, ResMut<Drag>, ResMut<Tour>),
    mut guide: Single<&mut Transform, With<Guide>>,
) {
    let at = guide.translation.truncate();
    drag.0 &= buttons.pressed(MouseButton::Left);
    let by_hand = pointer.at.filter(|_| drag.0).map(|to| (to - at) / TAUT);
    let by_keys = Some(walking_direction(&keys)).filter(|way| *way != Vec2::ZERO);
    let wanted = by_keys.or(by_hand);
    pull.0 = wanted.map(|way| PULL * way.clamp_length_max(1.0));
    if !buttons.just_pressed(MouseButton::Right) {
        return;
    }
    let baked = &campus.baked;
    let free = pointer.at.and_then(|to| {
        let point = baked.layout().to_cell_space(to);
        baked.ground(BODY_RADIUS).nearest_free(point)
    });
    if let Some(cell) = free {
        guide.translation = baked.layout().center(cell).extend(0.0);
        if tour.trip.is_some() {
            tour.state = State::Astray;
        }
    }
}

/// Starts and ends the tour of all buildings, and goes on with it.
pub(crate) fn go_round(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    guide: Single<&Transform, With<Guide>>,
    (mut campus, mut tour): (ResMut<Campus>, ResMut<Tour>),
    (mut note, mut round): (ResMut<Note>, ResMut<Round>),
) {
    if keys.just_pressed(KeyCode::KeyT) {
        round.is_on = !round.is_on;
        round.rested = REST;
    }
    if !round.is_on || !matches!(tour.state, State::Waiting | State::Arrived) {
        return;
    }
    round.rested += time.delta_secs();
    if round.rested < REST {
        return;
    }
    round.rested = 0.0;
    let doors: Vec<_> = NAMED_TILES
        .iter()
        .filter(|tile| tile.key.is_some())
        .collect();
    // Every third: neighbors in the list are neighbors on the campus.
    round.next = (round.next + 3) % doors.len();
    let name = doors[round.next].name;
    set_out(
        &mut tour,
        &mut campus,
        &mut note,
        guide.translation.truncate(),
        name,
    );
}

/// Saves, loads, shows and hides.
pub(crate) fn obey_keys(
    keys: Res<ButtonInput<KeyCode>>,
    files: Res<Files>,
    mut campus: ResMut<Campus>,
    mut tour: ResMut<Tour>,
    mut show: ResMut<ShowRoads>,
    mut note: ResMut<Note>,
) {
    if keys.just_pressed(KeyCode::KeyR) && !is_for_overlay(&keys) {
        show.0 = !show.0;
    }
    if keys.just_pressed(KeyCode::F5) {
        let saved = files::save(&files.save, LEVEL, &campus.routes);
        note.0 = match saved {
            Ok(bytes) => format!("saved {}: {bytes} bytes", files.save.display()),
            Err(reason) => format!("not saved: {reason}"),
        };
    }
    if keys.just_pressed(KeyCode::F9) {
        let campus = &mut *campus;
        let (map, radius) = (campus.baked.map(), campus.routes.radius());
        note.0 = match files::load(&files.load, LEVEL, map, radius) {
            Ok(routes) => {
                campus.memory = memory(map, &routes);
                campus.routes = routes;
                tour.stop();
                format!("loaded {}", files.load.display())
            }
            Err(reason) => format!("refused: {reason}"),
        };
    }
}
