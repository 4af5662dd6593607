//! Anytime searches: every bound true, every answer legal, the last one the cheapest.

use pursuit::oracle::{self, cases};
use pursuit::planners::{AnytimeWeights, BoundedPath, Improvement, SpaceAnytime};
use pursuit::{
    Algorithm, BodyLayers, Cell, Change, DiagonalPolicy, FindPathError, FoundPath, Grid, GridSpace,
    Guarantee, Heuristic, Outcome, PartialReason, PathOptions, SearchRecorder, SearchScratch, Way,
};

use super::grids::{any_policy, random_grid};
use super::nodes::Nodes;
use crate::common::graph::Graph;
use crate::common::judge::Judge;
use crate::common::maps::{map_files, read_grid, read_scenarios};
use crate::common::random::{any_cell, any_free, by};

/// All answers, by steps of any budgets.
fn answers<T>(
    mut step: impl FnMut(u32) -> Result<Improvement<T>, FindPathError>,
    mut budget: impl FnMut() -> u32,
) -> Vec<T> {
    let mut answers = Vec::new();
    for _ in 0..1_000_000 {
        let step = step(budget()).unwrap();
        let is_last = step.is_last();
        answers.extend(step.answer());
        if is_last {
            return answers;
        }
    }
    panic!("the search never ends");
}

fn search(
    graph: &Graph,
    start: u32,
    weights: AnytimeWeights,
    scratch: &mut SearchScratch,
    budget: impl FnMut() -> u32,
) -> Vec<BoundedPath> {
    let mut search = SpaceAnytime::start(graph, start, weights, scratch)
        .unwrap()
        .unwrap();
    answers(|budget| search.step(budget, &mut ()), budget)
}

fn any_weights(random: &mut fastrand::Rng) -> AnytimeWeights {
    let first = 1.0 + random.f32() * random.f32() * 9.0;
    AnytimeWeights::new(first, 0.05 + random.f32())
}

#[test]
fn on_random_graphs_every_bound_is_true_and_the_last_answer_is_the_cheapest() {
    let random = &mut fastrand::Rng::with_seed(1);
    let scratch = &mut SearchScratch::new();
    for _ in 0..cases(6000) {
        let mut graph = Graph::random(random);
        if random.bool() {
            graph.guarantee = Guarantee::None;
            graph.h.iter_mut().for_each(|h| *h = random.u64(0..200));
        }
        let start = random.u32(0..graph.count());
        let weights = any_weights(random);
        let found = search(&graph, start, weights, scratch, || u32::MAX);
        let cheapest = graph.distances_from(start);
        let last = found.last().unwrap();
        let goal_cost = cheapest[graph.goal as usize];
        for answer in &found {
            let BoundedPath { path, bound } = answer;
            assert_eq!(path.nodes[0], start);
            assert_eq!(graph.walk_cost(&path.nodes), Some(path.cost));
            let end = *path.nodes.last().unwrap();
            let least = cheapest[end as usize].unwrap();
            assert!(
                path.cost as f64 <= bound * least as f64 * (1.0 + 1e-12),
                "{} is not within {bound} of {least}",
                path.cost
            );
            match goal_cost {
                Some(_) => assert_eq!((end, path.outcome), (graph.goal, Outcome::Complete)),
                None => assert_eq!(path.outcome, Outcome::Partial(PartialReason::Unreachable)),
            }
        }
        assert_eq!(last.bound, 1.0);
        assert_eq!(last.path.nodes.last().copied(), graph.end(&cheapest));
        match goal_cost {
            Some(cost) => assert_eq!(last.path.cost, cost),
            None => assert_eq!(found.len(), 1),
        }
        if graph.guarantee == Guarantee::Consistent {
            assert!(found[0].bound <= f64::from(weights.first), "{weights:?}");
        }
        let falls = found
            .windows(2)
            .all(|pair| pair[1].bound <= pair[0].bound && pair[1].path.cost <= pair[0].path.cost);
        assert!(falls, "an answer is worse than the one before");

        let budgets = &mut random.clone();
        let sliced = search(&graph, start, weights, scratch, || budgets.u32(0..9));
        assert_eq!(sliced, found, "steps find something else");
    }
}

fn answers_on(
    layers: &BodyLayers,
    (start, goal): (Cell, Cell),
    options: &PathOptions,
    weights: AnytimeWeights,
    scratch: &mut SearchScratch,
) -> Vec<FoundPath> {
    let search = layers.anytime(start, goal, weights, options, scratch);
    let mut search = search.unwrap();
    answers(|budget| search.step(budget, &mut ()), || u32::MAX)
}

#[test]
fn on_random_grids_every_bound_is_true_and_the_last_answer_is_the_cheapest() {
    let random = &mut fastrand::Rng::with_seed(2);
    let scratch = &mut SearchScratch::new();
    for _ in 0..cases(1500) {
        let (grid, policy) = (random_grid(random), any_policy(random));
        let layers = BodyLayers::from_grid(grid, policy);
        let grid = layers.grid();
        let ends = (any_free(grid, random), any_cell(grid, random));
        let all = [
            Heuristic::Octile,
            Heuristic::Manhattan,
            Heuristic::Euclidean,
            Heuristic::Zero,
        ];
        let options = PathOptions {
            heuristic: all[random.usize(0..4)],
            ..PathOptions::default()
        };
        let weights = any_weights(random);
        let found = answers_on(&layers, ends, &options, weights, scratch);
        let judge = Judge::new(grid, ends.0, policy);
        let cheapest: Vec<u64> = found
            .iter()
            .map(|answer| judge.check(ends.1, answer))
            .collect();
        let last = found.last().map(|last| (last.path.cost, last.bound));
        assert_eq!(last, cheapest.last().map(|&cheapest| (cheapest, 1.0)));
    }
}

/// Dear steps from node 0 to all others, and cheap ones from each to the next four: so most nodes are pushed twice.
fn fan(count: u32) -> Nodes<impl Fn(u32) -> Vec<(u32, u32)>> {
    let steps = move |node: u32| {
        let dear = if node == 0 { 1..count } else { 0..0 };
        let cheap = (4 * node + 1..4 * node + 5).map(|to| (to, 1));
        dear.map(|to| (to, 1000))
            .chain(cheap.filter(|&(to, _)| to < count))
            .collect()
    };
    Nodes {
        count,
        goal: None,
        heuristic: |_| 0,
        steps,
    }
}

/// Which nodes were expanded, and whose entries were dropped.
#[derive(Default, PartialEq)]
struct Told(Vec<(u32, bool)>);

impl SearchRecorder<u32> for Told {
    fn relaxed(&mut self, _: Way<u32>, _: Change) {}

    fn expanded(&mut self, way: Way<u32>) {
        self.0.push((way.node, true));
    }

    fn dropped(&mut self, node: u32) {
        self.0.push((node, false));
    }
}

#[test]
fn what_a_scratch_was_used_for_before_changes_nothing_that_is_told() {
    let scratch = &mut SearchScratch::new();
    let [first, _, again] = [9000, 90_000, 9000].map(|count| {
        let mut told = Told::default();
        let (fan, weights) = (fan(count), AnytimeWeights::default());
        let search = SpaceAnytime::start(&fan, 0, weights, scratch);
        let mut search = search.unwrap().unwrap();
        while !search.step(u32::MAX, &mut told).unwrap().is_last() {}
        told
    });
    let dropped = first.0.iter().filter(|(_, is_expanded)| !is_expanded);
    assert!(dropped.count() > 4000, "few entries were old");
    assert!(first == again, "the scratch has room from before");
}

fn walled() -> BodyLayers {
    let grid = Grid::from_fn(120, 120, |cell| cell.x != 60 || cell.y == 119).unwrap();
    BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut)
}

const ENDS: (Cell, Cell) = (Cell::new(1, 1), Cell::new(118, 1));

#[test]
fn a_fall_of_next_to_nothing_comes_to_an_end() {
    // Estimates that may be too high: bounds are poor, and a fall by rounding alone was none.
    let options = PathOptions {
        heuristic: Heuristic::Manhattan,
        ..PathOptions::default()
    };
    let grid = Grid::from_fn(30, 30, |cell| cell.x != 15 || cell.y == 29).unwrap();
    let layers = BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut);
    let (ends, scratch) = (
        (Cell::new(1, 1), Cell::new(28, 1)),
        &mut SearchScratch::new(),
    );
    for first in [3.0, f32::MAX] {
        let weights = AnytimeWeights::new(first, f32::MIN_POSITIVE);
        let found = answers_on(&layers, ends, &options, weights, scratch);
        assert_eq!(found.last().map(|last| last.bound), Some(1.0));
        assert!(
            found.len() < 20_000,
            "{} answers from {first} on",
            found.len()
        );
    }
}

#[test]
fn the_last_answer_is_given_again() {
    let (layers, mut scratch) = (walled(), SearchScratch::new());
    let (options, weights) = (PathOptions::default(), AnytimeWeights::default());
    let search = layers.anytime(ENDS.0, ENDS.1, weights, &options, &mut scratch);
    let mut search = search.unwrap();
    let found = answers(|budget| search.step(budget, &mut ()), || 50);
    assert!(found.len() > 1, "the wall takes more than one answer");
    let again = search.step(0, &mut ()).unwrap();
    assert_eq!(again, Improvement::Last(found.last().unwrap().clone()));
}

#[test]
fn mistakes_are_told() {
    let (layers, mut scratch) = (walled(), SearchScratch::new());
    let options = PathOptions::default();
    let mut start = |start: Cell, goal: Cell, first: f32| {
        let weights = AnytimeWeights::new(first, 0.5);
        let search = layers.anytime(start, goal, weights, &options, &mut scratch);
        search.err()
    };
    let (inside, wall, outside) = (ENDS.0, Cell::new(60, 1), Cell::new(-1, 0));
    assert_eq!(start(inside, wall, 3.0), None);
    let blocked = FindPathError::StartBlocked(wall);
    assert_eq!(start(wall, inside, f32::NAN), Some(blocked));
    let beyond = FindPathError::StartOutside(outside);
    assert_eq!(start(outside, inside, 3.0), Some(beyond));
    let beyond = FindPathError::GoalOutside(outside);
    assert_eq!(start(inside, outside, 3.0), Some(beyond));
    for first in [0.5, f32::NAN, f32::INFINITY] {
        let refused = start(inside, wall, first);
        assert_eq!(refused, Some(FindPathError::BadAnytimeWeights));
    }
    let space = GridSpace::new(
        layers.grid(),
        DiagonalPolicy::Never,
        Heuristic::Octile,
        ENDS.1,
    );
    let weights = AnytimeWeights::default();
    let space = space.unwrap();
    let search = SpaceAnytime::start(&space, u32::MAX, weights, &mut scratch);
    assert!(search.unwrap().is_none(), "no node has that number");
}

#[test]
fn on_game_maps_first_answers_come_soon_and_last_ones_are_the_cheapest() {
    let (scratch, other) = (&mut SearchScratch::new(), &mut SearchScratch::new());
    let options = by(Algorithm::AStar);
    let files = map_files(Some("dao"));
    if files.is_empty() {
        return;
    }
    let mut shares = Vec::new();
    for file in files {
        let layers = BodyLayers::from_grid(read_grid(&file), DiagonalPolicy::NoCornerCut);
        for scenario in read_scenarios(&file).iter().step_by(31) {
            let ends = (scenario.start, scenario.goal);
            let cheapest = layers.find_path(ends.0, ends.1, &options, other).unwrap();
            let weights = AnytimeWeights::default();
            let found = answers_on(&layers, ends, &options, weights, scratch);
            assert!(found[0].bound <= 3.0);
            assert_eq!(found.last().unwrap().path.cost, cheapest.path.cost);
            for answer in &found {
                let (cost, least) = (answer.path.cost as f64, cheapest.path.cost as f64);
                assert!(cost <= answer.bound * least * (1.0 + 1e-12), "{scenario:?}");
                let policy = DiagonalPolicy::NoCornerCut;
                let walked = oracle::path_cost(layers.grid(), &answer.path, policy);
                assert_eq!(walked, Some(answer.path.cost));
            }
            if cheapest.stats.expanded > 0 {
                let (first, all) = (found[0].stats.expanded, cheapest.stats.expanded);
                shares.push(f64::from(first) / f64::from(all));
            }
        }
    }
    shares.sort_by(f64::total_cmp);
    let median = shares[shares.len() / 2];
    assert!(median <= 1.0 / 3.0, "first answers take {median} of A*");
}

#[test]
fn of_a_node_that_is_not_there_no_estimate_is_asked() {
    let two = Nodes {
        count: 2,
        goal: Some(1),
        heuristic: |node| [1, 0][node as usize],
        steps: |node: u32| vec![(7, 1), (1 - node, 1)],
    };
    let mut scratch = SearchScratch::new();
    let search = SpaceAnytime::start(&two, 0, AnytimeWeights::default(), &mut scratch);
    let step = search.unwrap().unwrap().step(9, &mut ()).unwrap();
    assert_eq!(step.answer().unwrap().path.cost, 1);
}
