//! Searches on the maps of the MovingAI benchmarks, checked against the listed lengths.

use std::fs;

use glam::Vec2;
use pursuit::maps::{Scenario, parse_ascii, parse_map, write_ascii, write_map};
use pursuit::{
    BodyLayers, Cell, Clearance, DiagonalPolicy, Grid, Outcome, PartialReason, PathOptions,
    STRAIGHT, SearchScratch, TautScratch, oracle, taut_path,
};

use crate::common::maps::{map_files, read_grid, read_scenarios};

/// Number of queries per map. With all maps of the benchmarks, this takes some seconds in a debug build.
const QUERIES: usize = 120;

fn check_scenario(layers: &BodyLayers, scenario: &Scenario, scratch: &mut SearchScratch) {
    let grid = layers.grid();
    let options = PathOptions::default();
    let found = layers.find_path(scenario.start, scenario.goal, &options, scratch);
    let found = found.unwrap();
    assert_eq!(found.path.start(), Some(scenario.start), "{scenario:?}");
    if !scenario.has_path() {
        let outcome = Outcome::Partial(PartialReason::Unreachable);
        assert_eq!(found.outcome, outcome, "{scenario:?}");
        return;
    }
    assert_eq!(found.outcome, Outcome::Complete, "{scenario:?}");
    assert_eq!(found.path.end(), Some(scenario.goal), "{scenario:?}");
    let length = found.path.cost as f64 / f64::from(STRAIGHT);
    assert!(
        (length - scenario.length).abs() <= 0.01,
        "{scenario:?} is {length} long"
    );
    let walked = oracle::path_cost(grid, &found.path, options.diagonals);
    assert_eq!(walked, Some(found.path.cost), "{scenario:?}");
}

/// Distance from a point to the nearest wall in its own cell and the eight cells around it, but at most 0.5.
fn wall_distance(grid: &Grid, point: Vec2) -> f32 {
    let nearest = Cell::new(point.x.round() as i32, point.y.round() as i32);
    let mut least = 0.5_f32;
    for dy in -1..=1 {
        for dx in -1..=1 {
            let cell = nearest.offset(dx, dy);
            if grid.contains(cell) && !grid.is_free(cell) {
                let gap = ((point - cell.center()).abs() - 0.5).max(Vec2::ZERO);
                least = least.min(gap.length());
            }
        }
    }
    least
}

#[test]
fn every_map_is_read_and_written_back() {
    for file in map_files(None) {
        let grid = read_grid(&file);
        assert!(grid.free_count() > 0, "{}", file.display());
        let text = write_map(&grid);
        assert_eq!(parse_map(&text), Ok(grid.clone()), "{}", file.display());
        let board = parse_ascii(&write_ascii(&grid)).unwrap();
        assert_eq!(board.grid, grid, "{}", file.display());

        // The text equals the original, except for line ends and for the letters that stand for walls.
        let original = fs::read_to_string(&file).unwrap().replace('\r', "");
        let (header, rows) = original.split_once("map\n").unwrap();
        let original = format!("{header}map\n{}\n", rows.replace('T', "@").trim_end());
        assert!(
            text == original,
            "{} is written differently",
            file.display()
        );
    }
}

#[test]
fn paths_have_the_listed_lengths_and_legal_steps() {
    assert_eq!(
        PathOptions::default().diagonals,
        DiagonalPolicy::NoCornerCut
    );
    let mut scratch = SearchScratch::new();
    for file in map_files(None) {
        let layers = BodyLayers::from_grid(read_grid(&file), DiagonalPolicy::NoCornerCut);
        let scenarios = read_scenarios(&file);
        // The last scenario has the longest path, and is in the sample.
        let every = scenarios.len().div_ceil(QUERIES);
        let sample = scenarios.iter().rev().step_by(every);
        let unanswered = scenarios.iter().filter(|scenario| !scenario.has_path());
        for scenario in sample.chain(unanswered) {
            check_scenario(&layers, scenario, &mut scratch);
        }
    }
}

#[test]
fn taut_paths_are_not_longer_than_listed_and_keep_the_body_off_the_walls() {
    const RADIUS: f32 = 0.45;
    let mut scratch = SearchScratch::new();
    for file in map_files(None) {
        let grid = read_grid(&file);
        let layers = BodyLayers::from_grid(grid.clone(), DiagonalPolicy::NoCornerCut);
        let clearance = Clearance::from_grid(&grid, 4.0);
        let scenarios = read_scenarios(&file);
        let every = scenarios.len().div_ceil(8);
        let sample = scenarios.iter().rev().step_by(every);
        let mut memory = TautScratch::new();
        for scenario in sample.filter(|scenario| scenario.has_path()) {
            let (start, goal) = (scenario.start, scenario.goal);
            let found = layers.find_path(start, goal, &PathOptions::default(), &mut scratch);
            let turns = found.unwrap().path.turns;
            let taut = taut_path(
                &clearance,
                start.center(),
                &turns,
                None,
                RADIUS,
                &mut memory,
            );
            assert_eq!(taut.last(), Some(&goal.center()), "{scenario:?}");
            let mut length = 0.0;
            for ends in taut.windows(2) {
                let way = ends[1] - ends[0];
                length += f64::from(way.length());
                let samples = (way.length() * 20.0).ceil();
                for i in 0..=samples as u32 {
                    let point = ends[0] + way * (i as f32 / samples);
                    let distance = wall_distance(&grid, point);
                    assert!(
                        distance >= RADIUS - 1e-3,
                        "{scenario:?} at {point}: {distance}"
                    );
                }
            }
            assert!(length <= scenario.length + 0.01, "{scenario:?}: {length}");
        }
    }
}
