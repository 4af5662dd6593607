//! Flow fields, checked against the oracle and against proofs that a disc fits.

use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use pursuit::crowd::{CrowdGround, CrowdWalls};
use pursuit::glam::Vec2;
use pursuit::oracle::{cases, distances, path_cost, walk_cost};
use pursuit::{
    AreaCosts, Areas, Body, BodyLayers, Cancel, Cell, CellRect, Clearance, DiagonalPolicy,
    FieldBounds, FieldError, FlowField, Grid, IntegrationField, Layout, LiveMap, NavMap, Occupancy,
    STRAIGHT,
};

const NEVER: Cancel = Cancel::NEVER;

fn any_cell(rng: &mut Rng, all: CellRect) -> Cell {
    Cell::new(rng.i32(0..all.max.x), rng.i32(0..all.max.y))
}

fn any_rect(rng: &mut Rng, all: CellRect) -> CellRect {
    let (a, b) = (any_cell(rng, all), any_cell(rng, all));
    let min = Cell::new(a.x.min(b.x), a.y.min(b.y));
    CellRect::new(min, Cell::new(a.x.max(b.x) + 1, a.y.max(b.y) + 1))
}

/// A random grid with even or uneven ground, from almost empty to almost full of walls.
fn any_grid(rng: &mut Rng) -> Grid {
    let most = if rng.u8(0..5) == 0 { (70, 20) } else { (14, 9) };
    let (width, height, walls) = (rng.u32(1..most.0), rng.u32(1..most.1), rng.u8(0..13));
    let grid = Grid::from_fn(width, height, |_| rng.u8(0..20) >= walls).unwrap();
    let mut builder = grid.to_builder();
    let [least, most] = [[1, 1], [7, 7], [1, 3], [16, 255]][rng.usize(0..4)];
    for cell in grid.rect().cells() {
        builder.set_cost(cell, rng.u8(least..=most)).unwrap();
    }
    builder.build()
}

/// The grid with all cells outside a rectangle blocked.
fn within(grid: &Grid, rect: CellRect) -> Grid {
    let mut builder = grid.to_builder();
    for cell in grid.rect().cells().filter(|&cell| !rect.contains(cell)) {
        builder.set_free(cell, false).unwrap();
    }
    builder.build()
}

/// For each cell, the lowest cost to any of the seeds according to the oracle.
fn least(grid: &Grid, seeds: &[(Cell, u32)], policy: DiagonalPolicy) -> Vec<Option<u64>> {
    let mut least: Vec<Option<u64>> = vec![None; grid.cell_count()];
    for &(cell, begin) in seeds {
        for (least, cost) in least.iter_mut().zip(distances(grid, cell, policy)) {
            let cost = cost.map(|cost| cost + u64::from(begin));
            *least = [*least, cost].into_iter().flatten().min();
        }
    }
    least
}

#[test]
fn costs_and_paths_from_seeds_within_bounds_agree_with_the_oracle() {
    let mut scratch = IntegrationField::new();
    let (mut bounded, mut on_the_way) = (0, 0);
    for seed in 0..cases(3000) {
        let rng = &mut Rng::with_seed(seed);
        let grid = any_grid(rng);
        let policy = DiagonalPolicy::ALL[rng.usize(0..4)];
        let each = u32::from(grid.cost(Cell::new(0, 0))) * STRAIGHT;
        let rect = any_rect(rng, grid.rect()).grow(rng.u32(0..3));
        let bounds = FieldBounds {
            rect: Some(rect).filter(|_| rng.bool()),
            max_cost: rng.bool().then(|| rng.u32(0..each * 12)),
        };
        let mut any_seed = |_| {
            (
                any_cell(rng, grid.rect()),
                rng.u32(0..each * 6) * rng.u32(0..2),
            )
        };
        let seeds: Vec<(Cell, u32)> = (0..seed % 5).map(&mut any_seed).collect();
        let part = within(&grid, bounds.rect.unwrap_or(grid.rect()));
        let expected = least(&part, &seeds, policy);
        let layers = BodyLayers::from_grid(grid.clone(), policy);
        let field = FlowField::build(&layers, &seeds, bounds, &mut scratch, NEVER).unwrap();
        let mut asked = IntegrationField::new();
        let started = asked.start_from(&grid, &seeds, bounds, policy, NEVER);
        started.unwrap();
        for cell in grid.rect().cells() {
            let whole = expected[grid.index(cell).unwrap().get()];
            let cost = whole.filter(|cost| bounds.max_cost.is_none_or(|most| *cost <= most.into()));
            bounded += u32::from(cost != whole);
            assert_eq!(field.cost(cell).map(u64::from), cost, "{cell}");
            assert_eq!(asked.cost(cell), Ok(cost), "{cell} of {bounds:?}");
            let path = field.path(cell);
            assert_eq!(path, asked.path(cell).unwrap());
            assert_eq!(path.as_ref().map(|path| path.cost), cost);
            let Some(path) = path else {
                assert_eq!(field.direction(cell), None);
                continue;
            };
            let begin = path.cost - path_cost(&part, &path, policy).expect("legal steps");
            assert!(seeds.contains(&(path.end().unwrap(), begin as u32)));
            on_the_way += u32::from(begin > 0);
            // For points, the direction is a step to a neighbor.
            let direction = field.direction(cell).unwrap();
            let next = Cell::at(cell.center() + 1.2 * direction);
            if next != cell {
                let step = walk_cost(&part, &[cell, next], policy).expect("a legal step");
                assert_eq!(step + u64::from(field.cost(next).unwrap()), path.cost);
            }
        }
    }
    assert!(
        bounded > cases(500) && on_the_way > cases(500),
        "{bounded}, {on_the_way}"
    );
}

/// A map with random walls, walls in blocks, or no walls, and possibly with areas.
fn any_map(rng: &mut Rng) -> NavMap {
    let (width, height) = (rng.u32(2..40), rng.u32(2..30));
    let (block, walls) = (rng.i32(1..6), rng.u8(0..6));
    let blocks: Vec<bool> = (0..2000).map(|_| rng.u8(0..20) < walls).collect();
    let free = |cell: Cell| !blocks[(cell.x / block * 40 + cell.y / block) as usize];
    let grid = Grid::from_fn(width, height, free).unwrap();
    let map = NavMap::new(&grid, 2.0, DiagonalPolicy::ALL[rng.usize(0..4)]);
    if rng.bool() {
        return map;
    }
    let mut areas = Areas::plain(width, height).unwrap();
    for _ in 0..rng.u8(0..5) {
        areas.fill(any_rect(rng, grid.rect()), rng.u8(0..4));
    }
    let classes = [
        AreaCosts::plain(),
        AreaCosts::plain().with(1, 40).with(2, 0).with(3, 9),
    ];
    map.with_areas(areas, &classes).unwrap()
}

/// The cost of a cell of plain ground on a map.
fn unit(map: &NavMap) -> f32 {
    let plain = if map.areas().is_some() {
        AreaCosts::PLAIN
    } else {
        1
    };
    (STRAIGHT * u32::from(plain)) as f32
}

#[test]
fn a_body_that_follows_directions_fits_and_enters_only_cheaper_cells() {
    let (mut followed, mut slopes) = (0, 0);
    let mut scratch = IntegrationField::new();
    for seed in 0..cases(2000) {
        let rng = &mut Rng::with_seed(seed);
        let map = any_map(rng);
        let body = Body {
            radius: [0.05, 0.2, 0.3, 0.45, 0.5, 0.7, 1.1][rng.usize(0..7)],
            class: rng.u8(0..2),
        };
        let layers = map.layers(body);
        let seeds: Vec<(Cell, u32)> = (0..rng.u8(1..4))
            .map(|_| (any_cell(rng, map.rect()), rng.u32(0..9000)))
            .collect();
        let everywhere = FieldBounds::default();
        let field = FlowField::build(&layers, &seeds, everywhere, &mut scratch, NEVER).unwrap();
        for cell in map.rect().cells() {
            let Some(direction) = field.direction(cell) else {
                assert_eq!(field.cost(cell), None);
                continue;
            };
            if direction == Vec2::ZERO {
                assert!(field.goals().iter().any(|goal| goal.0 == cell));
                continue;
            }
            let on = direction / direction.abs().max_element();
            let end = cell.center() + on;
            assert!(
                map.can_go_straight(cell.center(), end, body),
                "{cell} by {on}"
            );
            // The body leaves the cell through a side. From the cell behind that side, it can enter only the diagonal
            // neighbor.
            let across = [cell.center() + 0.6 * on, end];
            for next in across
                .map(Cell::at)
                .into_iter()
                .filter(|&next| next != cell)
            {
                assert!(field.cost(next).unwrap() < field.cost(cell).unwrap());
            }
            followed += 1;
            slopes += u32::from(on.min_element().abs() > 0.01 && on.abs().min_element() < 0.99);
        }
    }
    assert!(followed > cases(50_000_u16), "{followed}");
    assert!(
        slopes * 10 > followed,
        "only {slopes} of {followed} directions lie between steps"
    );
}

#[test]
fn cells_that_can_go_straight_have_clear_lines_at_no_higher_cost_and_few_are_missed() {
    let (mut seen, mut proven, mut hidden) = ([0; 2], [0; 2], 0);
    let mut scratch = IntegrationField::new();
    for seed in 0..cases(2000) {
        let rng = &mut Rng::with_seed(seed);
        let map = any_map(rng);
        let body = Body {
            radius: [0.05, 0.3, 0.45, 0.5, 0.7, 1.1][rng.usize(0..6)],
            class: rng.u8(0..2),
        };
        let layers = map.layers(body);
        let begin = rng.u32(0..2) * 5000;
        let seeds: Vec<(Cell, u32)> = (0..rng.u8(1..3))
            .map(|_| (any_cell(rng, map.rect()), begin))
            .collect();
        let everywhere = FieldBounds::default();
        let field = FlowField::build(&layers, &seeds, everywhere, &mut scratch, NEVER).unwrap();
        let Some(&(goal, _)) = field.goals().first() else {
            continue;
        };
        for cell in map.rect().cells() {
            let Some(cost) = field.cost(cell) else {
                assert!(!field.can_go_straight(cell));
                continue;
            };
            let most = cost.saturating_sub(begin) as f32 / unit(&map);
            let (from, to) = (cell.center(), goal.center());
            let is_clear = map.can_go_straight_within(from, to, body, most);
            let is_seen = field.can_go_straight(cell);
            assert!(!is_seen || is_clear, "{cell} to {goal}, {body:?}");
            hidden += u32::from(!is_clear);
            if body.radius > 0.21 && map.diagonals() != DiagonalPolicy::Never {
                let kind = usize::from(map.areas().is_some());
                proven[kind] += u32::from(is_clear);
                seen[kind] += u32::from(is_seen);
            }
        }
    }
    assert!(hidden > cases(20_000_u16), "{hidden}");
    assert!(
        seen[0] * 100 > proven[0] * 80 && seen[1] * 100 > proven[1] * 60,
        "{seen:?} of {proven:?}"
    );
}

#[test]
fn is_of_is_true_only_for_the_layers_that_a_field_is_built_on() {
    let grid = Grid::from_fn(30, 30, |_| true).unwrap();
    let mut live = LiveMap::new(NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut));
    let (goal, mut scratch) = (Cell::new(3, 3), IntegrationField::new());
    let layers = live.map().layers(0.4);
    let everywhere = FieldBounds::default();
    let field = FlowField::build(&layers, &[(goal, 0)], everywhere, &mut scratch, NEVER).unwrap();
    assert!(field.is_of(&layers) && field.is_of(&live.map().layers(0.4)));
    assert!(!field.is_of(&live.map().layers(0.6)));
    assert!(live.fill(CellRect::new(goal, goal.offset(1, 1)).grow(1), false));
    let edited = live.map().layers(0.4);
    assert!(field.is_of(&layers) && !field.is_of(&edited));
    let blocked = FlowField::build(&edited, &[(goal, 0)], everywhere, &mut scratch, NEVER).unwrap();
    assert!(blocked.goals().is_empty() && blocked.cost(Cell::new(20, 20)).is_none());
}

#[test]
fn the_field_built_after_a_cancelled_one_is_whole() {
    let grid = Grid::from_fn(90, 90, |cell| cell.x % 7 != 3 || cell.y % 9 > 5).unwrap();
    let map = NavMap::from_clearance(Clearance::from_grid(&grid, 1.0), DiagonalPolicy::Never);
    let (layers, mut scratch) = (map.layers(0.4), IntegrationField::new());
    let mut build = |flag: Cancel| {
        let seeds = [(Cell::new(0, 0), 0)];
        FlowField::build(&layers, &seeds, FieldBounds::default(), &mut scratch, flag)
    };
    let cancelled = build((&AtomicBool::new(true)).into());
    assert_eq!(cancelled.err(), Some(FieldError::Cancelled));
    let field = build(NEVER).unwrap();
    assert_eq!(field.settled() as usize, layers.grid().free_count());
}

#[test]
fn a_body_that_samples_a_field_reaches_its_goal_without_entering_anything() {
    let (mut arrived, mut steps, mut proven) = (0, 0, 0);
    for seed in 0..cases(400) {
        let rng = &mut Rng::with_seed(seed);
        let (width, height, walls) = (rng.u32(4..24), rng.u32(4..16), rng.u8(0..7));
        let grid = Grid::from_fn(width, height, |_| rng.u8(0..20) >= walls).unwrap();
        let mut areas = Areas::plain(width, height).unwrap();
        areas.fill(any_rect(rng, grid.rect()), 1);
        areas.fill(any_rect(rng, grid.rect()), 2);
        let costs = AreaCosts::plain().with(1, 60).with(2, AreaCosts::FORBIDDEN);
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let map = map.with_areas(areas, &[costs]).unwrap();
        let radius = [0.3, 0.45, 0.5, 0.8][rng.usize(0..4)];
        let (goal, start) = (any_cell(rng, grid.rect()), any_cell(rng, grid.rect()));
        let layers = map.layers(radius);
        let (bounds, scratch) = (FieldBounds::default(), &mut IntegrationField::new());
        let field = FlowField::build(&layers, &[(goal, 0)], bounds, scratch, NEVER).unwrap();
        let Some(cost) = field.cost(start).filter(|_| start != goal) else {
            continue;
        };
        let layout = Layout::new(Vec2::splat(-0.5), 1.0, width, height).unwrap();
        let walls = CrowdGround::new(&map, &layout, 0);
        let mut point = start.center();
        let most = 30.0 + 20.0 * f64::from(cost) / f64::from(STRAIGHT) / 16.0;
        let mut count = 0;
        while point.distance(goal.center()) > 0.1 {
            let way = map.sample_field(&field, point, radius).expect("a way");
            let next = point + way.heading * 0.1;
            proven += u32::from(map.can_go_straight(point, next, radius));
            // Where the body barely fits, a step of this length may lead into a corner of a wall.
            point = walls.confine(0, radius, point, walls.push_out(0, radius, next));
            assert!(!map.is_forbidden(point, 0), "seed {seed}: at {point}");
            count += 1;
            assert!(
                f64::from(count) < most,
                "seed {seed}: from {start:?} to {goal:?}, at {point}"
            );
        }
        steps += count;
        arrived += 1;
    }
    assert!(
        arrived > 0 && 100 * proven >= 93 * steps,
        "{arrived}: {proven} of {steps} steps"
    );
}

#[test]
fn costs_around_others_agree_with_the_oracle_on_a_changed_grid() {
    let mut scratch = IntegrationField::new();
    let (mut blocked, mut dearer) = (0, 0);
    for seed in 0..cases(1000) {
        let rng = &mut Rng::with_seed(seed);
        let grid = any_grid(rng);
        let policy = DiagonalPolicy::ALL[rng.usize(0..4)];
        let layers = BodyLayers::from_grid(grid.clone(), policy);
        let goal = any_cell(rng, grid.rect());
        let all = FieldBounds::default();
        let plain = FlowField::build(&layers, &[(goal, 0)], all, &mut scratch, NEVER).unwrap();
        let mut any_cells = |count: u32| -> Vec<Cell> {
            let cells = 0..rng.u32(0..count);
            cells.map(|_| any_cell(rng, grid.rect())).collect()
        };
        let (full, jammed) = (any_cells(9), any_cells(30));
        let jammed = if seed % 2 == 0 { &jammed[..] } else { &[] };
        let occupancy = Occupancy {
            full_cells: &full,
            jammed_cells: jammed,
        };
        let around = plain
            .around(&layers, occupancy, &mut scratch, NEVER)
            .unwrap();
        let mut builder = grid.to_builder();
        for &cell in jammed {
            let cost = grid.cost(cell).saturating_mul(10);
            builder.set_cost(cell, cost).unwrap();
        }
        full.iter()
            .for_each(|&cell| builder.set_free(cell, false).unwrap());
        let rest = builder.build();
        let is_beside = |cell: Cell| {
            let apart = |other: &Cell| (other.x - cell.x).abs().max((other.y - cell.y).abs());
            full.iter().any(|other| apart(other) == 1)
        };
        let places = rest.rect().cells().filter_map(|cell| {
            let cost = plain.cost(cell).filter(|_| rest.is_free(cell))?;
            let is_place = cell == goal || is_beside(cell);
            is_place.then_some((cell, 3 * cost))
        });
        let expected = least(&rest, &places.collect::<Vec<_>>(), policy);
        for cell in grid.rect().cells() {
            let cost = expected[grid.index(cell).unwrap().get()];
            assert_eq!(
                around.cost(cell).map(u64::from),
                cost,
                "{seed}: {cell:?} of {full:?}"
            );
            assert!(!around.can_go_straight(cell), "{seed}: {cell:?}");
        }
        blocked += u64::from(!full.is_empty());
        dearer += u64::from(!jammed.is_empty());
    }
    assert!(blocked > cases(700), "only {blocked} cases have full cells");
    assert!(dearer > cases(350), "only {dearer} cases have jammed cells");
}
