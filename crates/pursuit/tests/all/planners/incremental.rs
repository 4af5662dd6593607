//! Incremental searches: after every edit and every move, the same cost as of a new search.

use std::sync::Arc;

use pursuit::oracle::cases;
use pursuit::planners::{IncrementalTree, Root, SpaceTree};
use pursuit::{
    BodyLayers, Cell, CellRect, DiagonalPolicy, FindPathError, Grid, Heuristic, LiveMap, NavMap,
    Outcome, PartialReason, PathOptions, SearchScratch,
};

use super::grids::{any_policy, edit, random_grid};
use super::nodes::Nodes;
use crate::common::graph::Graph;
use crate::common::judge::Judge;
use crate::common::random::{any_cell, any_free, with_costs};

const ROOTS: [Root; 2] = [Root::Goal, Root::Start];

/// Opens, closes or changes some steps, none to less than its least cost; the nodes at their ends.
fn edit_graph(graph: &mut Graph, random: &mut fastrand::Rng) -> Vec<u32> {
    let mut changed = Vec::new();
    if graph.edges.is_empty() {
        return changed;
    }
    for _ in 0..random.u32(1..4) {
        let edge = random.usize(0..graph.edges.len());
        let (from, to, least) = graph.edges[edge];
        graph.costs[edge] = match random.u8(0..3) {
            0 => None,
            1 => Some(least),
            _ => Some(least + random.u32(0..30)),
        };
        changed.extend([from, to]);
    }
    changed
}

/// A new end: where it was, along the path, anywhere.
fn moved(end: u32, path: &[u32], count: u32, random: &mut fastrand::Rng) -> u32 {
    match random.u8(0..6) {
        0 => random.u32(0..count),
        1..=3 if !path.is_empty() => path[random.usize(0..path.len())],
        _ => end,
    }
}

#[test]
fn on_random_graphs_every_answer_costs_what_a_new_search_says() {
    let random = &mut fastrand::Rng::with_seed(3);
    for round in 0..cases(600) {
        let mut graph = Graph::random(random);
        let count = graph.count();
        let mut tree = SpaceTree::new(ROOTS[round % 2]);
        let (mut start, mut goal) = (random.u32(0..count), graph.goal);
        let mut path: Vec<u32> = Vec::new();
        for _ in 0..40 {
            let changed = edit_graph(&mut graph, random);
            tree.changed(&graph, changed);
            start = moved(start, &path, count, random);
            goal = moved(goal, &path, count, random);
            if random.u8(0..5) == 0 {
                // Left half-way.
                let mut search = tree.search(&graph, start, goal).unwrap();
                search.step(random.u32(0..4), &mut ()).unwrap();
                continue;
            }
            let found = tree.find(&graph, start, goal).unwrap().unwrap();
            assert_eq!(found.nodes[0], start);
            match graph.distances_from(start)[goal as usize] {
                Some(cost) => {
                    assert_eq!((found.cost, found.outcome), (cost, Outcome::Complete));
                    assert_eq!(found.nodes.last(), Some(&goal));
                    assert_eq!(graph.walk_cost(&found.nodes), Some(cost));
                }
                None => {
                    let unreachable = Outcome::Partial(PartialReason::Unreachable);
                    assert_eq!((found.outcome, found.nodes.len()), (unreachable, 1));
                }
            }
            path = found.nodes;
        }
    }
}

/// How a walk over a map goes on.
struct Walk {
    tree: IncrementalTree,
    start: Cell,
    goal: Cell,
    cells: Vec<Cell>,
}

impl Walk {
    fn new(grid: &Grid, root: Root, random: &mut fastrand::Rng) -> Self {
        Self {
            tree: IncrementalTree::new(root),
            start: any_free(grid, random),
            goal: any_cell(grid, random),
            cells: Vec::new(),
        }
    }

    /// Along the path or anywhere; the goal by a step or anywhere.
    fn go_on(&mut self, grid: &Grid, random: &mut fastrand::Rng) {
        match random.u8(0..8) {
            0 => self.start = any_free(grid, random),
            1..=4 => {
                self.start = self
                    .cells
                    .get(random.usize(0..4))
                    .copied()
                    .unwrap_or(self.start)
            }
            _ => {}
        }
        match random.u8(0..8) {
            0 => self.goal = any_cell(grid, random),
            1..=3 => {
                let next = self.goal.offset(random.i32(-1..2), random.i32(-1..2));
                self.goal = if grid.contains(next) { next } else { self.goal };
            }
            _ => {}
        }
        if !grid.is_free(self.start) {
            self.start = any_free(grid, random);
        }
    }

    /// Plans anew and holds the answer against the oracle.
    #[track_caller]
    fn check(&mut self, layers: &BodyLayers, options: &PathOptions) {
        let (start, goal) = (self.start, self.goal);
        let found = layers.replan(start, goal, options, &mut self.tree).unwrap();
        let judge = Judge::new(layers.grid(), start, layers.diagonals());
        let cheapest = judge.check(goal, &found);
        assert_eq!((found.path.cost, found.bound), (cheapest, 1.0));
        self.cells = found.path.cells().collect();
    }
}

/// Where rows are mostly padding, the tree has places of its own for their cells.
#[test]
fn on_long_maps_of_any_width_a_tree_follows_edits_and_the_next_map() {
    let random = &mut fastrand::Rng::with_seed(6);
    let sizes = [(40, 1500), (1, 40_000), (20_000, 1), (30, 30), (70, 700)];
    for root in ROOTS {
        let mut walk = Walk {
            tree: IncrementalTree::new(root),
            start: Cell::new(0, 0),
            goal: Cell::new(0, 0),
            cells: Vec::new(),
        };
        for (width, height) in sizes {
            let mut builder = Grid::builder(width, height).unwrap();
            let all = builder.clone().build();
            for _ in 0..all.cell_count() / 9 {
                let cell = any_cell(&all, random);
                builder.set_cost(cell, random.u8(1..9)).unwrap();
                let is_free = width.min(height) == 1 || cell == Cell::new(0, 0);
                builder.set_free(cell, is_free).unwrap();
            }
            let mut layers =
                BodyLayers::from_grid(builder.clone().build(), DiagonalPolicy::OneFree);
            for _ in 0..4 {
                walk.start = any_free(layers.grid(), random);
                walk.goal = any_cell(layers.grid(), random);
                for _ in 0..4 {
                    walk.check(&layers, &PathOptions::default());
                    edit(&mut builder, layers.grid(), random);
                    layers =
                        BodyLayers::from_grid(builder.clone().build(), DiagonalPolicy::OneFree);
                    walk.go_on(layers.grid(), random);
                }
            }
        }
    }
}

#[test]
fn edits_of_a_live_map_are_followed_for_each_radius() {
    let random = &mut fastrand::Rng::with_seed(5);
    for round in 0..20 {
        let grid = random_grid(random);
        let mut live = LiveMap::new(NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut));
        let radii = [0.3, 0.9];
        let has_room = |live: &LiveMap| {
            let all = radii.map(|radius| live.map().layers(radius));
            all.iter().all(|layers| layers.grid().free_count() > 0)
        };
        if !has_room(&live) {
            continue;
        }
        let mut walks = radii.map(|radius| {
            let layers = live.map().layers(radius);
            Walk::new(layers.grid(), ROOTS[round % 2], random)
        });
        for _ in 0..30 {
            let at = any_cell(&grid, random);
            let rect = CellRect::new(at, at.offset(random.i32(1..3), random.i32(1..3)));
            let rect = rect.intersect(&live.map().rect());
            let distance = if random.bool() { 1.9 } else { 0.0 };
            live.edit(&[rect], |clearance| {
                clearance.reset(rect);
                rect.cells()
                    .for_each(|cell| clearance.lower_center(cell, distance));
            })
            .unwrap();
            if !has_room(&live) {
                break;
            }
            for (walk, radius) in walks.iter_mut().zip(radii) {
                let layers = live.map().layers(radius);
                walk.go_on(layers.grid(), random);
                walk.check(&layers, &PathOptions::default());
            }
        }
        assert_eq!(Arc::strong_count(live.map()), 1, "a tree holds no map");
    }
}

/// Rooms with doors, and hills.
fn rooms() -> Grid {
    let is_door = |along: i32| along % 12 == 5;
    let is_free =
        |Cell { x, y }: Cell| (x % 12 != 11 || is_door(y)) && (y % 12 != 11 || is_door(x));
    let rooms = Grid::from_fn(96, 96, is_free).unwrap();
    with_costs(&rooms, |cell| 1 + (cell.x / 7 % 3) as u8)
}

const ENDS: (Cell, Cell) = (Cell::new(2, 2), Cell::new(90, 90));

#[test]
fn a_walk_along_the_path_takes_nothing_from_the_goal_and_less_than_new_searches_from_the_start() {
    let layers = BodyLayers::from_grid(rooms(), DiagonalPolicy::NoCornerCut);
    let (options, scratch) = (PathOptions::default(), &mut SearchScratch::new());
    let mut taken = [0, 0];
    let mut anew = 0;
    for (taken, root) in taken.iter_mut().zip(ROOTS) {
        let mut tree = IncrementalTree::new(root);
        let first = layers.replan(ENDS.0, ENDS.1, &options, &mut tree).unwrap();
        for start in first.path.cells().skip(1) {
            let found = layers.replan(start, ENDS.1, &options, &mut tree).unwrap();
            *taken += found.stats.expanded;
            let found = layers.find_path(start, ENDS.1, &options, scratch).unwrap();
            anew += found.stats.expanded / 2;
        }
    }
    assert_eq!(taken[0], 0, "nothing changed for a tree at the goal");
    assert!(
        taken[1] * 2 < anew,
        "{} where new searches take {anew}",
        taken[1]
    );
}

#[test]
fn a_door_that_closes_and_opens_takes_less_than_a_new_search() {
    let options = PathOptions::default();
    let (open, mut builder) = (rooms(), rooms().to_builder());
    builder.set_free(Cell::new(47, 53), false).unwrap();
    let policy = DiagonalPolicy::NoCornerCut;
    let all = [open, builder.build()].map(|grid| BodyLayers::from_grid(grid, policy));
    for root in ROOTS {
        let mut tree = IncrementalTree::new(root);
        let mut replan = |layers: &BodyLayers| {
            let found = layers.replan(ENDS.0, ENDS.1, &options, &mut tree);
            found.unwrap().stats.expanded
        };
        let whole = replan(&all[0]);
        for turn in 0..10 {
            let taken = replan(&all[1 - turn % 2]);
            assert!(taken * 2 < whole, "{root:?} took {taken} of {whole}");
        }
    }
}

#[test]
fn a_search_in_steps_ends_like_one() {
    let layers = BodyLayers::from_grid(rooms(), DiagonalPolicy::NoCornerCut);
    let options = PathOptions::default();
    for root in ROOTS {
        let mut whole = IncrementalTree::new(root);
        let whole = layers.replan(ENDS.0, ENDS.1, &options, &mut whole).unwrap();
        let mut tree = IncrementalTree::new(root);
        let mut search = layers
            .incremental(ENDS.0, ENDS.1, &options, &mut tree)
            .unwrap();
        let (mut steps, mut found) = (0, None);
        while found.is_none() {
            found = search.step(10, &mut ()).unwrap().done();
            steps += 1;
        }
        assert!(steps > whole.stats.expanded / 10);
        assert_eq!(found, Some(whole));
    }
}

#[test]
fn a_tree_follows_edits_moves_and_grids_of_any_size_under_any_policy() {
    let others = [Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::Zero];
    for seed in 0..cases(400) {
        let random = &mut fastrand::Rng::with_seed(seed);
        let mut grid = random_grid(random);
        let mut walk = Walk::new(&grid, ROOTS[seed as usize % 2], random);
        let options = PathOptions {
            heuristic: *others.get(random.usize(0..5)).unwrap_or(&Heuristic::Octile),
            ..PathOptions::default()
        };
        let policy = any_policy(random);
        for _ in 0..20 {
            match random.u8(0..4) {
                0 => grid = random_grid(random),
                1 => {
                    // Also below the walker, and below the goal.
                    let mut builder = grid.to_builder();
                    edit(&mut builder, &grid, random);
                    for end in [walk.start, walk.goal] {
                        let is_free = random.bool();
                        builder.set_free(end, is_free).unwrap();
                    }
                    builder.set_free(Cell::new(0, 0), true).unwrap();
                    grid = builder.build();
                }
                _ => {}
            }
            let ends_are_inside = grid.contains(walk.start) && grid.contains(walk.goal);
            if !ends_are_inside || random.u8(0..6) == 0 {
                (walk.start, walk.goal) = (any_free(&grid, random), any_cell(&grid, random));
            } else if random.bool() {
                walk.go_on(&grid, random);
            }
            // Seldom another policy: what the tree knows is void under it.
            let other = random.u8(0..5) == 0;
            let policy = if other { any_policy(random) } else { policy };
            let layers = BodyLayers::from_grid(grid.clone(), policy);
            if grid.is_free(walk.start) {
                walk.check(&layers, &options);
            } else {
                let refused = layers.replan(walk.start, walk.goal, &options, &mut walk.tree);
                let blocked = FindPathError::StartBlocked(walk.start);
                assert_eq!(refused.err(), Some(blocked), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_search_of_a_space_that_contradicts_itself_comes_to_an_end() {
    // A ring that can be walked in one direction, and says that it can be walked in both.
    let ring = Nodes {
        count: 5,
        goal: None,
        heuristic: |_| 0,
        steps: |node: u32| vec![((node + 1) % 5, 1)],
    };
    for root in ROOTS {
        let mut tree = SpaceTree::new(root);
        for (start, goal) in [(0, 2), (0, 2), (1, 2), (2, 1), (4, 3)] {
            let found = tree.find(&ring, start, goal).unwrap().unwrap();
            assert_eq!(found.nodes[0], start);
            let is_there = found.nodes.last() == Some(&goal);
            assert_eq!(found.outcome == Outcome::Complete, is_there, "{found:?}");
        }
    }
}

#[test]
fn mistakes_are_told_and_leave_the_tree_as_it_was() {
    let layers = BodyLayers::from_grid(rooms(), DiagonalPolicy::NoCornerCut);
    let options = PathOptions::default();
    let mut tree = IncrementalTree::new(Root::Goal);
    let first = layers.replan(ENDS.0, ENDS.1, &options, &mut tree).unwrap();
    assert!(first.stats.expanded > 0);
    let (wall, outside) = (Cell::new(11, 0), Cell::new(96, 0));
    let mut error = |start, goal| layers.replan(start, goal, &options, &mut tree).err();
    assert_eq!(error(wall, ENDS.1), Some(FindPathError::StartBlocked(wall)));
    assert_eq!(
        error(outside, wall),
        Some(FindPathError::StartOutside(outside))
    );
    assert_eq!(
        error(ENDS.0, outside),
        Some(FindPathError::GoalOutside(outside))
    );
    let again = layers.replan(ENDS.0, ENDS.1, &options, &mut tree).unwrap();
    assert_eq!((again.path, again.stats.expanded), (first.path, 0));
    tree.restart();
    let anew = layers.replan(ENDS.0, ENDS.1, &options, &mut tree).unwrap();
    assert_eq!(anew.stats, first.stats);

    let mut tree = SpaceTree::new(Root::Start);
    let graph = Graph::random(&mut fastrand::Rng::with_seed(9));
    assert!(tree.search(&graph, 0, graph.count()).is_none());
    // An edit before the first search is none.
    tree.changed(&graph, [0, u32::MAX]);
    assert!(tree.find(&graph, 0, 0).unwrap().is_some());
}
