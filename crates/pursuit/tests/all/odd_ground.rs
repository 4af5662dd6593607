//! Unusual cases for every kind of search: terrain that makes no difference, limits and cancellation.

use std::sync::atomic::AtomicBool;

use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, FindPathError, FoundPath, Grid, Outcome,
    PartialReason, PathOptions, SearchScratch, Weights,
};

use crate::common::baked::{bake, is_baked};
use crate::common::bare::find;
use crate::common::random::{by, with_costs};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;

/// A grid with pillars, and a closed room at the far corner.
fn pillars(side: i32) -> Grid {
    let wall = |cell: Cell| {
        let is_pillar = cell.x % 7 == 3 && cell.y % 5 < 3;
        is_pillar || cell.x.min(cell.y) == side - 6
    };
    Grid::from_fn(side as u32, side as u32, |cell| !wall(cell)).expect("a good size")
}

const ALL: [Algorithm; 3] = [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint];

fn ends(side: i32) -> [(Cell, Cell); 4] {
    let from = Cell::new(0, 0);
    [
        (from, Cell::new(side - 9, side - 8)),
        (from, Cell::new(2, side - 8)),
        (Cell::new(side - 9, 1), Cell::new(0, side - 12)),
        // The goal is out of reach.
        (from, Cell::new(side - 2, side - 2)),
    ]
}

#[test]
fn the_cost_of_a_wall_does_not_change_searches() {
    let plain = pillars(60);
    let wall = Cell::new(3, 0);
    assert!(!plain.is_free(wall));
    let costly = with_costs(&plain, |cell| if cell == wall { 2 } else { 1 });
    assert!(!costly.has_terrain(), "no free cell costs more than 1");
    assert_eq!(costly.cost(wall), 2, "the cell may be opened later");
    let layers = BodyLayers::from_grid(costly.clone(), POLICY);
    assert_eq!(bake(&layers), cfg!(feature = "tables"));
    for (ends, algorithm) in ends(60).into_iter().flat_map(|e| ALL.map(|a| (e, a))) {
        let options = by(algorithm);
        assert_eq!(find(&costly, ends, &options), find(&plain, ends, &options));
    }
    let mut builder = costly.to_builder();
    builder.set_free(wall, true).unwrap();
    let open = builder.build();
    assert!(open.has_terrain());
    let next = (Cell::new(2, 0), wall);
    assert_eq!(find(&open, next, &by(Algorithm::Auto)).path.cost, 985 * 3);
}

/// Two sets of layers of one grid: `known` has no search tables, `baked` has them (with the feature `tables`).
struct Layers {
    known: BodyLayers,
    baked: BodyLayers,
}

impl Layers {
    fn of(grid: Grid) -> Self {
        let [known, baked] = [0; 2].map(|_| BodyLayers::from_grid(grid.clone(), POLICY));
        assert_eq!(bake(&baked), cfg!(feature = "tables"));
        Self { known, baked }
    }

    /// Every combination of layers and options that leads to a different kind of search.
    fn roads(&self) -> Vec<Road<'_>> {
        let plain = PathOptions::default();
        let weights = Weights { g: 2, h: 3 };
        let searches = ALL.map(by).into_iter();
        let searches = searches.chain([PathOptions { weights, ..plain }]);
        let known = searches.map(|options| (&self.known, options));
        let all = known.chain([(&self.baked, plain)]);
        all.map(|(layers, options)| Road { layers, options })
            .collect()
    }
}

/// Layers to search, and the options to search them with.
struct Road<'a> {
    layers: &'a BodyLayers,
    options: PathOptions,
}

impl Road<'_> {
    fn find(
        &self,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        flag: &AtomicBool,
    ) -> Result<FoundPath, FindPathError> {
        let scratch = &mut SearchScratch::new();
        let layers = self.layers;
        layers
            .search(start, goal, options, scratch)?
            .finish(&mut (), flag.into())
    }
}

#[test]
fn a_raised_flag_cancels_every_kind_of_search() {
    let (layers, flag) = (Layers::of(pillars(60)), AtomicBool::new(true));
    let here = (Cell::new(0, 0), Cell::new(0, 0));
    let blocked = (Cell::new(0, 0), Cell::new(3, 0));
    for road in layers.roads() {
        for (start, goal) in ends(60).into_iter().chain([here, blocked]) {
            let answer = road.find(start, goal, &road.options, &flag);
            assert_eq!(answer, Err(FindPathError::Cancelled), "{start} to {goal}");
        }
    }
}

#[test]
fn every_kind_of_search_reports_mistakes_in_one_order_and_before_the_flag() {
    let (layers, flag) = (Layers::of(pillars(60)), AtomicBool::new(true));
    let (free, wall, outside) = (Cell::new(0, 0), Cell::new(3, 0), Cell::new(60, 0));
    for road in layers.roads() {
        // Each case corrects the first mistake of the previous case.
        let zero = Weights { g: 0, h: 0 };
        let wrong = PathOptions {
            weights: zero,
            ..road.options
        };
        let error = |start, goal, options| road.find(start, goal, options, &flag).unwrap_err();
        let start_outside = FindPathError::StartOutside(outside);
        assert_eq!(error(outside, outside, &wrong), start_outside);
        let goal_outside = FindPathError::GoalOutside(outside);
        assert_eq!(error(wall, outside, &wrong), goal_outside);
        assert_eq!(error(wall, wall, &wrong), FindPathError::StartBlocked(wall));
        assert_eq!(error(free, free, &wrong), FindPathError::ZeroWeights);
        assert_eq!(error(free, free, &road.options), FindPathError::Cancelled);
    }
}

#[test]
fn every_kind_of_search_answers_with_a_limit_of_zero() {
    let (layers, flag) = (Layers::of(pillars(60)), AtomicBool::new(false));
    for road in layers.roads() {
        let none = PathOptions {
            max_expanded: Some(0),
            ..road.options
        };
        let (start, goal) = ends(60)[0];
        let found = road.find(start, goal, &none, &flag).unwrap();
        match is_baked(road.layers) {
            true => assert_eq!(found.outcome, Outcome::Complete, "tables expand no nodes"),
            false => {
                let limit = Outcome::Partial(PartialReason::LimitReached);
                assert_eq!((found.outcome, found.stats.expanded), (limit, 0));
                assert_eq!(found.path.turns, [start]);
            }
        }
        let here = road.find(start, start, &none, &flag).unwrap();
        assert_eq!((here.outcome, here.path.cost), (Outcome::Complete, 0));
    }
}
