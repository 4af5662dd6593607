//! Operations that are cancelled before they begin.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    BodyLayers, Cancelled, Cell, CellRect, DiagonalPolicy, EditError, FieldError, FindPathError,
    Grid, GridSpace, Heuristic, IntegrationField, LiveMap, NavMap, NavScratch, PathOptions,
    SearchLimits, SearchScratch, SpaceSearch, TautScratch, taut_path_until,
};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;

#[test]
fn a_raised_flag_cancels_every_operation_and_leaves_maps_unchanged() {
    let grid = Grid::from_fn(90, 70, |cell| cell.x % 9 > 0 || cell.y % 7 == 0).unwrap();
    let up = AtomicBool::new(true);
    let tables = SearchTables::build_until(&grid, POLICY, &up);
    assert_eq!(tables.err(), Some(TablesError::Cancelled));

    let map = NavMap::new(&grid, 2.0, POLICY);
    assert!(matches!(map.layers_until(0.4, &up), Err(Cancelled)));
    let (options, cancelled) = (PathOptions::default(), FindPathError::Cancelled);
    let (start, goal) = (Cell::new(1, 1), Cell::new(85, 65));
    let [from, to] = [start, goal].map(Cell::center);
    let (scratch, nav) = (&mut SearchScratch::new(), &mut NavScratch::new());
    let found = [
        BodyLayers::from_grid(grid.clone(), POLICY)
            .find_path_until(start, goal, &options, scratch, &up),
        map.find_path_until(start, goal, 0.4, &options, nav, &up),
    ];
    assert_eq!(found, [const { Err(FindPathError::Cancelled) }; 2]);
    assert!(map.layers_if_ready(0.4).is_none());
    let space = GridSpace::new(&grid, POLICY, Heuristic::Octile, goal).unwrap();
    let node = space.node(start).unwrap();
    let search = SpaceSearch::start(&space, node, &SearchLimits::default(), scratch);
    let found = search.unwrap().unwrap().finish_until(&mut (), &up);
    assert_eq!(found, Err(cancelled));
    assert_eq!(map.taut_path_until(from, to, 0.4, nav, &up), Err(cancelled));
    let (cells, taut) = ([start, goal], &mut TautScratch::new());
    let pulled = taut_path_until(map.clearance(), from, &cells, None, 0.4, taut, &up);
    assert_eq!(pulled, Err(Cancelled));

    let mut field = IntegrationField::new();
    field.start(&grid, &[goal], POLICY);
    assert_eq!(field.settle_until(9, &up), Err(FieldError::Cancelled));
    assert_eq!(field.path_until(start, &up), Err(FieldError::Cancelled));
    assert_eq!(field.expanded(), 0);
    assert!(
        field.path(start).unwrap().is_some(),
        "a cancelled field continues when it is asked again"
    );
    let started = field.start_until(&grid, &[goal], POLICY, &up);
    assert_eq!(started, Err(FieldError::Cancelled));
    assert_eq!(
        field.path(start),
        Ok(None),
        "a field whose start was cancelled has no cells"
    );

    let mut live = LiveMap::new(map);
    drop(live.map().layers(0.4));
    live.settle();
    let before = Arc::clone(live.map());
    let door = CellRect::new(Cell::new(9, 7), Cell::new(10, 8));
    let edited = live.edit_until(
        &[door],
        |_| unreachable!("a cancelled edit must not draw"),
        &up,
    );
    assert_eq!(edited, Err(EditError::Cancelled(Cancelled)));
    assert_eq!(live.settle_until(&up), Err(Cancelled));
    assert!(Arc::ptr_eq(live.map(), &before));
    assert!(
        live.is_settled(),
        "the copy for the next edit is still there"
    );
}
