//! The named places of the campus, and the roads between them: some laid by hand, the rest paved.

use bevy::prelude::*;
use bevy_pursuit::grid::NavSnapshot;
use pursuit::{Cell, NavScratch};
use pursuit_examples::bodies::BODY_RADIUS;
use pursuit_examples::stage::Stage;
use pursuit_lab::routes::{RouteMap, RouteMapError};

/// The campus.
pub(crate) const LEVEL: &str = include_str!("../../assets/levels/campus.txt");

/// Routes are at most this many times as long as the shortest way.
const STRETCH: f32 = 1.2;

/// A place, by the letter that marks its tile in the level's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedTile {
    pub(crate) mark: char,
    pub(crate) name: &'static str,
    /// What leads there. Places on the way have none.
    pub(crate) key: Option<(&'static str, KeyCode)>,
}

/// All places: doors of buildings first.
pub(crate) const NAMED_TILES: [NamedTile; 15] = {
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

/// The place whose building has a dome.
pub(crate) const DOME: usize = 1;

/// A road from place to place over tiles: columns and rows of the level's text, from its upper left corner.
type HandLaid = (char, char, &'static [(f32, f32)]);

/// Roads laid by hand: the paved ways, in their middle.
const ROADS: [HandLaid; 17] = [
    ('E', 'Q', &[(12.0, 26.2), (12.6, 25.2), (15.0, 23.6)]),
    ('L', 'Q', &[(9.6, 21.6), (10.8, 20.4), (13.8, 20.4)]),
    ('C', 'Q', &[]),
    ('Q', 'X', &[(15.8, 20.2), (17.2, 19.5), (23.6, 19.5)]),
    ('Q', 'M', &[(14.2, 20.2), (12.6, 18.6), (12.4, 17.0)]),
    ('X', 'H', &[]),
    (
        'H',
        'G',
        &[(31.2, 19.5), (32.5, 20.8), (32.5, 23.2), (33.2, 24.0)],
    ),
    (
        'H',
        'S',
        &[(31.2, 19.5), (32.5, 18.2), (32.5, 11.9), (33.4, 11.0)],
    ),
    (
        'N',
        'S',
        &[(31.4, 5.0), (32.5, 6.1), (32.5, 10.1), (33.4, 11.0)],
    ),
    ('N', 'V', &[]),
    (
        'U',
        'N',
        &[
            (17.6, 9.0),
            (21.4, 9.0),
            (22.5, 7.9),
            (22.5, 6.1),
            (23.6, 5.0),
        ],
    ),
    ('E', 'Z', &[(12.4, 28.9), (13.4, 28.0)]),
    (
        'Z',
        'G',
        &[(31.4, 28.0), (32.5, 26.9), (32.5, 25.0), (33.2, 24.0)],
    ),
    ('D', 'U', &[(6.6, 8.2), (7.6, 9.0), (16.4, 9.0)]),
    (
        'D',
        'L',
        &[(6.4, 8.2), (6.0, 9.0), (6.0, 18.4), (7.9, 20.6)],
    ),
    ('R', 'U', &[(19.0, 12.0), (19.0, 10.0), (18.0, 9.0)]),
    (
        'R',
        'X',
        &[(19.0, 14.0), (19.0, 18.4), (20.1, 19.5), (23.6, 19.5)],
    ),
];

const fn door(mark: char, name: &'static str, key: (&'static str, KeyCode)) -> NamedTile {
    let key = Some(key);
    NamedTile { mark, name, key }
}

const fn crossing(mark: char, name: &'static str) -> NamedTile {
    let key = None;
    NamedTile { mark, name, key }
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
    let mut ids = Vec::with_capacity(NAMED_TILES.len());
    for tile in NAMED_TILES {
        let point = stage.positions(tile.mark).first().copied();
        let point = layout.to_cell_space(point.unwrap_or(Vec2::NAN));
        ids.push((tile.mark, builder.place(tile.name, point)?));
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
