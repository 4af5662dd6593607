//! Work that is cancelled before it begins, and work that is cancelled at its last check.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    BodyLayers, Cancel, Cancelled, Cell, CellRect, DiagonalPolicy, EditError, FieldBounds,
    FieldError, FindPathError, FlowField, Grid, GridSpace, Heuristic, IntegrationField, LiveMap,
    NavMap, PathOptions, Room, SearchLimits, SearchScratch, SpaceSearch, TautScratch,
};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;
const START: Cell = Cell::new(1, 1);
const GOAL: Cell = Cell::new(85, 65);

fn rooms() -> Grid {
    Grid::from_fn(90, 70, |cell| cell.x % 9 > 0 || cell.y % 7 == 0).unwrap()
}

#[test]
fn cancelled_work_fails_and_changes_no_map() {
    let grid = rooms();
    let flag = AtomicBool::new(true);
    let up = Cancel::from(&flag);
    let tables = SearchTables::build(&grid, POLICY, up);
    assert_eq!(tables.err(), Some(TablesError::Cancelled));

    let map = NavMap::new(&grid, 2.0, POLICY);
    assert!(matches!(map.prepare_layers(0.4, up), Err(Cancelled)));
    let (options, cancelled) = (PathOptions::default(), FindPathError::Cancelled);
    let (from, scratch) = (START.center(), &mut SearchScratch::new());
    let layers = BodyLayers::from_grid(grid.clone(), POLICY);
    let search = layers.search(START, GOAL, &options, scratch).unwrap();
    assert_eq!(search.finish(&mut (), up), Err(cancelled));
    let space = GridSpace::new(&grid, POLICY, Heuristic::Octile, GOAL).unwrap();
    let node = space.node(START).unwrap();
    let search = SpaceSearch::start(&space, node, &SearchLimits::default(), scratch);
    let found = search.unwrap().unwrap().finish(&mut (), up);
    assert_eq!(found, Err(cancelled));
    assert!(map.layers_if_ready(0.4).is_none());
    let (whose, taut) = ((Room::from(0.4), 0), &mut TautScratch::new());
    let pulled = map.pull_taut((from, None), &[START, GOAL], whose, taut, up);
    assert_eq!(pulled, Err(Cancelled));

    let mut field = IntegrationField::new();
    field.start(&grid, &[GOAL], POLICY);
    assert_eq!(field.settle_to(START, up), Err(FieldError::Cancelled));
    assert_eq!(field.expanded(), 0);
    let path = field.path(START).unwrap();
    assert!(path.is_some(), "a later query continues the work");
    let seeds = [(GOAL, 0)];
    let started = field.start_from(&grid, &seeds, FieldBounds::default(), POLICY, up);
    assert_eq!(started, Err(FieldError::Cancelled));
    assert_eq!(field.path(START), Ok(None), "the field has no cells");

    let mut live = LiveMap::new(map);
    drop(live.map().layers(0.4));
    live.settle(Cancel::NEVER).unwrap();
    let before = Arc::clone(live.map());
    let door = CellRect::new(Cell::new(9, 7), Cell::new(10, 8));
    let edited = live.edit_all(&[door], |_| unreachable!("cancelled before it draws"), up);
    assert_eq!(edited, Err(EditError::Cancelled(Cancelled)));
    assert_eq!(live.settle(up), Err(Cancelled));
    assert!(Arc::ptr_eq(live.map(), &before));
    assert!(
        live.is_settled(),
        "the copy for the next edit is still there"
    );
}

/// Does some work twice. The first time, the work must check its [`Cancel`] at least `least` times. The second time, it
/// is cancelled at the last of these checks, and must end there.
#[track_caller]
fn ends_at_the_last_question<T, E>(least: u32, work: impl Fn(Cancel<'_>) -> Result<T, E>) {
    let count = |first_yes: u32| {
        let asked = AtomicU32::new(0);
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= first_yes;
        let is_done = work(Cancel::when(&is_over)).is_ok();
        (is_done, asked.into_inner())
    };
    let (is_done, asked) = count(u32::MAX);
    assert!(is_done);
    assert!(asked >= least, "only {asked} checks, not {least}");
    assert_eq!(count(asked - 1), (false, asked));
}

#[test]
fn long_work_checks_for_cancellation_in_each_part() {
    let grid = rooms();
    let (rows, corners) = (70, 90 / 9 * 2);
    ends_at_the_last_question(corners, |cancel| SearchTables::build(&grid, POLICY, cancel));
    let make = || NavMap::new(&grid, 2.0, POLICY);
    ends_at_the_last_question(rows, |cancel| make().prepare_layers(0.4, cancel));
    let layers = make().layers(0.4);
    ends_at_the_last_question(rows, |cancel| {
        let scratch = &mut IntegrationField::new();
        FlowField::build(
            &layers,
            &[(GOAL, 0)],
            FieldBounds::default(),
            scratch,
            cancel,
        )
    });
    let phases = 12;
    let door = CellRect::new(Cell::new(9, 8), Cell::new(10, 9));
    ends_at_the_last_question(phases, |cancel| {
        let mut live = LiveMap::new(make());
        drop(live.map().layers(0.4));
        live.edit_all(&[door], |target| target.clearance.reset(door), cancel)
    });
}
