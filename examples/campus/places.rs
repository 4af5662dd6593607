//! The named places of the campus, and the roads between them: some laid by hand, the rest paved.

use bevy::prelude::*;
use bevy_pursuit::grid::NavSnapshot;
use pursuit::routes::{RouteMap, RouteMapError};
use pursuit::{Cell, NavScratch};
use pursuit_examples::bodies::BODY_RADIUS;
use pursuit_examples::stage::Stage;

/// Routes are at most this many times as long as the shortest way.
const STRETCH: f32 = 1.2;

/// A place, by the letter that marks its tile in the level's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) mark: char,
    pub(crate) name: &'static str,
    /// What leads there. Places on the way have none.
    pub(crate) key: Option<(&'static str, KeyCode)>,
}

/// All places: doors of buildings first.
pub(crate) const SPOTS: [Spot; 15] = {
    use KeyCode::*;
    [
        door('L', "Library", ("1", Digit1)),
        door('V', "Observatory", ("2", Digit2)),
        door('M', "Main Hall", ("3", Digit3)),
        door('S', "Science", ("4", Digit4)),
        door('C', "Canteen", ("5", Digit5)),
        door('G', "Sports", ("6", Digit6)),
        door('U', "Museum", ("7", Digit7)),
        door('D', "Dorms", ("8", Digit8)),
        door('H', "Boathouse", ("9", Digit9)),
        door('E', "Gate", ("0", Digit0)),
        crossing('Q', "Fountain"),
        crossing('X', "Main Bridge"),
        crossing('N', "North Bridge"),
        crossing('Z', "South Bridge"),
        crossing('R', "Statue"),
    ]
};

/// A road from place to place over tiles: columns and rows of the level's text, from its upper left corner.
type HandLaid = (char, char, &'static [(f32, f32)]);

/// Roads laid by hand: the paved ways, in their middle.
const ROADS: [HandLaid; 12] = [
    ('E', 'Q', &[(12.0, 26.0), (14.6, 24.6)]),
    ('L', 'Q', &[(9.5, 21.6), (13.0, 21.2)]),
    ('C', 'Q', &[]),
    ('Q', 'X', &[(15.4, 19.7), (23.0, 19.7)]),
    ('Q', 'M', &[(14.6, 20.0), (12.7, 18.0)]),
    ('X', 'G', &[(31.4, 19.7), (32.5, 20.7), (32.7, 23.6)]),
    ('X', 'S', &[(31.0, 19.5), (32.5, 18.0), (32.6, 12.4)]),
    ('N', 'S', &[(31.6, 5.0), (32.5, 6.2), (32.6, 9.8)]),
    ('N', 'V', &[]),
    (
        'U',
        'N',
        &[(17.3, 9.0), (21.6, 9.0), (22.5, 8.0), (23.2, 5.4)],
    ),
    ('E', 'Z', &[(12.6, 28.4)]),
    ('D', 'U', &[(6.6, 8.8), (7.6, 9.0), (16.4, 9.0)]),
];

const fn door(mark: char, name: &'static str, key: (&'static str, KeyCode)) -> Spot {
    let key = Some(key);
    Spot { mark, name, key }
}

const fn crossing(mark: char, name: &'static str) -> Spot {
    let key = None;
    Spot { mark, name, key }
}

/// How many roads are laid by hand. They are the first ones.
pub(crate) const HAND_LAID: usize = ROADS.len();

/// The waypoint map of the campus, on its bake: hand-laid roads, and as many more as it takes for no
/// route to be a long way round.
///
/// # Errors
///
/// Those of the core: a place in a wall, for example, after a change of the level.
pub(crate) fn lay_routes(stage: &Stage, baked: &NavSnapshot) -> Result<RouteMap, RouteMapError> {
    let layout = baked.layout();
    let mut builder = RouteMap::builder(baked.radius_cells(BODY_RADIUS));
    let mut ids = Vec::with_capacity(SPOTS.len());
    for spot in SPOTS {
        let point = stage.positions(spot.mark).first().copied();
        let point = layout.to_cell_space(point.unwrap_or(Vec2::NAN));
        ids.push((spot.mark, builder.place(spot.name, point)?));
    }
    let id_of = |mark: char| ids.iter().find(|(own, _)| *own == mark).map(|(_, id)| *id);
    for (from, to, between) in ROADS {
        let points: Vec<Vec2> = between
            .iter()
            .map(|tile| layout.to_cell_space(tile_center(stage, *tile)))
            .collect();
        if let Some((from, to)) = id_of(from).zip(id_of(to)) {
            builder.road(from, to, &points)?;
        }
    }
    builder.pave_all(baked.map(), STRETCH, &mut NavScratch::new())?;
    let mut routes = builder.build()?;
    // Nobody asked the map about the roads laid by hand.
    routes.update(baked.map());
    Ok(routes)
}

/// The world position of a column and a row of the level's text; whole numbers are centers of tiles.
pub(crate) fn tile_center(stage: &Stage, (column, row): (f32, f32)) -> Vec2 {
    let layout = stage.level.layout();
    let first = layout.center(Cell::new(0, layout.height() as i32 - 1));
    first + Vec2::new(column, -row) * layout.cell_size()
}
