//! Areas, and classes of bodies, on ground of different costs.

use std::sync::Arc;

use fastrand::Rng;
use pursuit::glam::Vec2;
use pursuit::oracle::{cases, distances, path_cost};
use pursuit::{
    AreaCosts, Areas, Body, BodyLayers, Cancel, Cell, CellRect, Clearance, DiagonalPolicy,
    EditTarget, Grid, LiveMap, NavMap, NavScratch, Outcome, PathOptions, SearchScratch,
};

use crate::disc::sweep;

const RADII: [f32; 2] = [0.4, 1.2];
const CAP: f32 = 2.0;

/// Mud is 1, water 2, a road 3. The last class is for ducks, which stay in the water.
fn classes() -> [AreaCosts; 4] {
    let walker = AreaCosts::plain().with(1, 40).with(3, 8);
    let wader = AreaCosts::plain().with(1, 24).with(2, 80);
    let dry = walker.with(2, AreaCosts::FORBIDDEN);
    let duck = AreaCosts::plain().with(0, AreaCosts::FORBIDDEN);
    [AreaCosts::plain(), wader, dry, duck.with(1, 0).with(3, 0)]
}

fn any_rect(rng: &mut Rng, all: CellRect) -> CellRect {
    let min = Cell::new(rng.i32(0..all.max.x), rng.i32(0..all.max.y));
    CellRect::new(min, min.offset(rng.i32(1..9), rng.i32(1..7))).intersect(&all)
}

fn any_areas(rng: &mut Rng, all: CellRect) -> Areas {
    let mut areas = Areas::plain(all.width(), all.height()).unwrap();
    for _ in 0..rng.u8(0..7) {
        areas.fill(any_rect(rng, all), rng.u8(0..4));
    }
    areas
}

fn any_map(rng: &mut Rng) -> (Grid, NavMap) {
    let (width, height, sparse) = (rng.u32(5..75), rng.u32(5..20), rng.u8(4..20));
    let walls = Grid::from_fn(width, height, |_| rng.u8(0..sparse) > 0).unwrap();
    let areas = any_areas(rng, walls.rect());
    let map = NavMap::new(&walls, CAP, DiagonalPolicy::NoCornerCut);
    (walls, map.with_areas(areas, &classes()).unwrap())
}

fn bodies() -> impl Iterator<Item = Body> {
    bodies_of(&RADII)
}

fn bodies_of(radii: &[f32]) -> impl Iterator<Item = Body> {
    let classes = 0..classes().len() as u8;
    classes.flat_map(move |class| radii.iter().map(move |&radius| Body { radius, class }))
}

/// The data from which a map is built.
#[derive(Clone)]
struct Known {
    walls: Grid,
    areas: Areas,
    tables: Vec<AreaCosts>,
}

/// Panics if any layer of a map differs from the layer of a map built from scratch.
fn assert_as_anew(map: &NavMap, known: &Known, radii: &[f32]) {
    let Known {
        walls,
        areas,
        tables,
    } = known;
    let anew = NavMap::new(walls, CAP, map.diagonals());
    let anew = anew.with_areas(areas.clone(), tables).unwrap();
    assert_eq!(map.areas(), Some(areas));
    let (options, scratch) = (PathOptions::default(), &mut SearchScratch::new());
    for body in bodies_of(radii) {
        let (own, anew) = (map.layers(body), anew.layers(body));
        assert_eq!(own.grid(), anew.grid(), "{body:?}");
        assert_eq!(own.regions(), anew.regions(), "{body:?}");
        assert_eq!(own.grid().uniform_cost(), anew.grid().uniform_cost());
        // On even ground, the search uses jump points, which edits update.
        let (from, to) = (
            Cell::new(1, 1),
            Cell::new(walls.rect().max.x - 2, walls.rect().max.y - 2),
        );
        let mut find = |layers: &BodyLayers| layers.find_path(from, to, &options, scratch);
        assert_eq!(find(&own), find(&anew), "{body:?}");
    }
}

/// Closes or opens some cells, and changes the area of others.
fn edit(live: &mut LiveMap, known: &mut Known, rng: &mut Rng) {
    let all = known.walls.rect();
    let (patch, ground) = (any_rect(rng, all), any_rect(rng, all));
    let (is_free, area) = (rng.bool(), rng.u8(0..4));
    let mut builder = known.walls.to_builder();
    builder.fill(patch, is_free);
    known.walls = builder.build();
    known.areas.fill(ground, area);
    let distances = Clearance::from_grid(&known.walls, CAP);
    let around = patch.grow(2).intersect(&all);
    let draw = |target: EditTarget<'_>| {
        for field in [Some(target.clearance), target.sight_blockers]
            .into_iter()
            .flatten()
        {
            field.paste(&distances, Cell::new(0, 0), around);
        }
        target.areas.unwrap().fill(ground, area);
    };
    live.edit_all(&[around, ground], draw, Cancel::NEVER)
        .unwrap();
}

/// Changes the cost of an area for a class, or adds or removes a class. Bodies of a removed class are still used.
fn edit_tables(live: &mut LiveMap, known: &mut Known, rng: &mut Rng) {
    let class = rng.usize(0..known.tables.len());
    let cost = [AreaCosts::FORBIDDEN, AreaCosts::PLAIN, rng.u8(1..)][rng.usize(0..3)];
    match rng.u8(0..6) {
        0 if known.tables.len() > 1 => drop(known.tables.pop()),
        1 => known
            .tables
            .push(AreaCosts::plain().with(rng.u8(0..4), cost)),
        _ => known.tables[class] = known.tables[class].with(rng.u8(0..4), cost),
    }
    *live = LiveMap::new(live.map().with_classes(&known.tables));
}

#[test]
fn layers_after_any_edits_equal_the_layers_of_a_rebuilt_map() {
    for seed in 0..cases(1_000) {
        let rng = &mut Rng::with_seed(seed);
        let (walls, map) = any_map(rng);
        let radii: Vec<f32> = (0..rng.u8(1..4)).map(|_| rng.f32() * CAP).collect();
        let (areas, tables) = (map.areas().unwrap().clone(), classes().to_vec());
        let mut known = Known {
            walls,
            areas,
            tables,
        };
        let mut live = LiveMap::new(map);
        let mut held: Vec<(Arc<NavMap>, Known)> = Vec::new();
        for _ in 0..rng.u8(1..8) {
            // Some bodies have layers before the edits. The layers of the other bodies are computed after the edits.
            let asked: Vec<Body> = bodies_of(&radii).filter(|_| rng.bool()).collect();
            asked.iter().for_each(|&body| drop(live.map().layers(body)));
            if rng.bool() {
                held.push((live.map().clone(), known.clone()));
            }
            match rng.u8(0..4) {
                0 => edit_tables(&mut live, &mut known, rng),
                _ => edit(&mut live, &mut known, rng),
            }
            if rng.bool() {
                live.settle(Cancel::NEVER).unwrap();
            }
            assert_as_anew(live.map(), &known, &radii);
        }
        for (map, known) in held {
            assert_as_anew(&map, &known, &radii);
        }
    }
}

#[test]
fn paths_have_dijkstras_cost_and_enter_no_forbidden_ground() {
    let mut found_some = [0; 4];
    for seed in 0..cases(400) {
        let rng = &mut Rng::with_seed(seed);
        let (_, map) = any_map(rng);
        let areas = map.areas().unwrap().clone();
        let scratch = &mut NavScratch::new();
        for body in bodies() {
            let layers = map.layers(body);
            let grid = layers.grid();
            let table = classes()[usize::from(body.class)];
            for cell in grid.rect().cells().filter(|&cell| grid.is_free(cell)) {
                assert_eq!(table.cost(areas.area(cell)), Some(grid.cost(cell)));
            }
            let mut any =
                || Cell::new(rng.i32(0..grid.rect().max.x), rng.i32(0..grid.rect().max.y));
            let (start, goal) = (any(), any());
            let expected = distances(grid, start, map.diagonals());
            let expected = grid
                .index(goal)
                .and_then(|index| expected[index.0 as usize]);
            let found = map.find_path(start, goal, body, &PathOptions::default(), scratch);
            let found = found
                .ok()
                .filter(|found| found.outcome == Outcome::Complete);
            assert_eq!(
                found.as_ref().map(|found| found.path.cost),
                expected,
                "{body:?}"
            );
            if let Some(found) = found {
                assert_eq!(path_cost(grid, &found.path, map.diagonals()), expected);
                found_some[usize::from(body.class)] += 1;
            }
        }
    }
    // There is little water, so few ducks have a path.
    let some = &found_some[..3];
    assert!(some.iter().all(|&count| count > 0), "{found_some:?}");
}

#[test]
fn taut_paths_cost_no_more_than_cell_paths_and_enter_no_forbidden_ground() {
    let (mut gained, mut count) = (0.0, 0);
    for seed in 0..cases(1_000) {
        let rng = &mut Rng::with_seed(seed);
        let (walls, map) = any_map(rng);
        // There are no obstacles outside the map.
        let is_free = |cell| !walls.rect().contains(cell) || walls.is_free(cell);
        let all = map.rect();
        let wider = Grid::from_fn(all.width() + 4, all.height() + 4, |cell| {
            is_free(cell.offset(-2, -2))
        });
        let wider = wider.unwrap();
        let scratch = &mut NavScratch::new();
        for body in bodies() {
            let mut any = || Cell::new(rng.i32(0..all.max.x), rng.i32(0..all.max.y));
            let (start, goal) = (any(), any());
            let ends = (start.center(), goal.center());
            let Ok(Some(most)) = map.distance(start, goal, body, scratch) else {
                continue;
            };
            let taut = map.taut_path(ends.0, ends.1, body, scratch).unwrap();
            assert_eq!(taut.last(), Some(&ends.1), "case {seed}, {body:?}");
            let mut cost = 0.0;
            for line in taut.windows(2) {
                let (from, to) = (line[0], line[1]);
                let fits = {
                    let (from, to) = (from.as_dvec2() + 2.5, to.as_dvec2() + 2.5);
                    sweep::is_free(&wider, from, to, f64::from(body.radius) - 1e-4)
                };
                assert!(fits, "case {seed}, {body:?}: {from} to {to}");
                let one = map.line_cost(from, to, body.class);
                cost += f64::from(one.expect("a taut path must not enter forbidden ground"));
                for n in 0..=200 {
                    let point = from.lerp(to, n as f32 / 200.0);
                    assert!(
                        !is_well_inside_forbidden(&map, point, body.class),
                        "case {seed}"
                    );
                }
            }
            assert!(
                cost <= most * 1.000_1,
                "case {seed}, {body:?}: {cost} not {most}"
            );
            (gained, count) = (gained + most - cost, count + 1);
        }
    }
    assert!(count > 0 && gained > 0.0);
}

/// Whether a point lies in a forbidden cell, and not just at its border.
fn is_well_inside_forbidden(map: &NavMap, point: Vec2, class: u8) -> bool {
    let around = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let mut around = around
        .map(|(x, y)| point + 1e-3 * Vec2::new(x, y))
        .into_iter();
    around.all(|point| map.is_forbidden(point, class))
}

#[test]
fn distances_are_in_cells_of_plain_ground() {
    let walls = Grid::from_fn(12, 3, |_| true).unwrap();
    let (from, to) = (Cell::new(1, 1), Cell::new(10, 1));
    let scratch = &mut NavScratch::new();
    let mut areas = Areas::plain(12, 3).unwrap();
    let mut distance = |areas: &Areas, class: u8| {
        let map = NavMap::new(&walls, CAP, DiagonalPolicy::NoCornerCut);
        let map = map.with_areas(areas.clone(), &classes()).unwrap();
        let body = Body { radius: 0.4, class };
        let (from_point, to_point) = (from.center(), to.center());
        let least = map.least_cost(from_point, to_point, class);
        let straight = map.can_go_straight_within(from_point, to_point, body, least);
        (
            map.distance(from, to, body, scratch).ok().flatten(),
            straight,
        )
    };
    assert_eq!(distance(&areas, 1), (Some(9.0), true));
    areas.fill(CellRect::new(Cell::new(4, 0), Cell::new(6, 3)), 1);
    assert_eq!(
        distance(&areas, 0),
        (Some(9.0), true),
        "mud is plain ground for class 0"
    );
    assert_eq!(
        distance(&areas, 1),
        (Some(10.0), false),
        "two cells cost one and a half each"
    );
    areas.fill(areas.rect(), 1);
    assert_eq!(
        distance(&areas, 1),
        (Some(13.5), true),
        "no path is cheaper than the straight line"
    );
    areas.fill(CellRect::new(Cell::new(4, 0), Cell::new(6, 3)), 2);
    assert_eq!(distance(&areas, 2), (None, false));
    assert_eq!(
        distance(&areas, 3),
        (None, false),
        "ducks must not walk on land"
    );
}

#[test]
fn an_edit_allocates_memory_for_its_rectangle_and_not_for_the_map() {
    let door = CellRect::new(Cell::new(20, 20), Cell::new(23, 23));
    let around = door.grow(CAP as u32);
    let bytes = [64, 512].map(|side| {
        let is_free = |cell: Cell| (cell.x % 9, cell.y % 7) != (4, 3);
        let walls = Grid::from_fn(side, side, is_free).unwrap();
        let mut closed = walls.to_builder();
        closed.fill(door, false);
        let distances = [&closed.build(), &walls].map(|walls| Clearance::from_grid(walls, CAP));
        let mut areas = Areas::plain(side, side).unwrap();
        areas.fill(CellRect::new(Cell::new(40, 0), Cell::new(44, 60)), 2);
        let map = NavMap::from_clearance(distances[1].clone(), DiagonalPolicy::NoCornerCut);
        let mut live = LiveMap::new(map.with_areas(areas, &classes()).unwrap());
        bodies().for_each(|body| drop(live.map().layers(body)));
        live.settle(Cancel::NEVER).unwrap();
        let toggles = (0..6).map(|n| {
            let draw = |target: EditTarget<'_>| {
                target
                    .clearance
                    .paste(&distances[n % 2], Cell::new(0, 0), around);
                target
                    .areas
                    .unwrap()
                    .fill(door.grow(1), (n % 2 == 0).into());
            };
            let edit = || assert_eq!(live.edit_all(&[around], draw, Cancel::NEVER), Ok(true));
            allocation_counter::measure(edit).bytes_total
        });
        toggles.skip(3).max().unwrap()
    });
    let [small, large] = bytes;
    let most = 25 * around.cell_count() * bodies().count() as u64;
    assert!(
        large <= most && large <= small + 1_000,
        "{bytes:?} bytes, not {most}"
    );
}

#[test]
fn layers_of_a_body_take_at_most_six_bytes_per_cell() {
    let rng = &mut Rng::with_seed(0);
    for (side, is_even) in [(512, true), (512, false), (1000, true)] {
        let walls = Grid::from_fn(side, side, |_| rng.u8(0..10) > 0).unwrap();
        let map = NavMap::new(&walls, CAP, DiagonalPolicy::NoCornerCut);
        let mut areas = Areas::plain(side, side).unwrap();
        areas.fill(CellRect::new(Cell::new(40, 0), Cell::new(44, 60)), 1);
        let tables = [AreaCosts::plain(), AreaCosts::plain().with(1, 40)];
        let map = map.with_areas(areas, &tables).unwrap();
        let body = Body {
            radius: 0.4,
            class: (!is_even).into(),
        };
        let counted = allocation_counter::measure(|| drop(map.layers(body)));
        let cells = walls.rect().cell_count() as i64;
        let per_cell = counted.bytes_current as f64 / cells as f64;
        assert!(
            (1.0..=6.0).contains(&per_cell),
            "{side}, {is_even}: {per_cell}"
        );
    }
}
