//! Grids of one cell, grids of odd maps, grids that the game bakes itself, and grids that vanish while they are
//! queried.

use bevy_pursuit::core::{Clearance, DiagonalPolicy, Layout};
use bevy_pursuit::grid::NavSnapshot;
use bevy_pursuit::plugins::BakePlugin;

use crate::common::*;

/// A level whose grid has search tables, if the feature is enabled, and stores clearances up to `cells`.
fn level_with_search_tables(map: &str, cells: f32) -> (App, Entity) {
    let mut app = unbaked_level(PlanMode::Inline, map);
    let grid = grid_entity(&mut app);
    let mut nav = get_mut::<NavGrid>(&mut app, grid);
    *nav = nav.with_max_clearance_cells(cells);
    #[cfg(feature = "deep_bake")]
    nav.deep_bake.replace(Duration::ZERO);
    run(&mut app, 3);
    (app, grid)
}

/// Runs every query between two points. Returns whether a path exists.
fn run_all_queries(nav: &Navigation, grid: Entity, from: Vec2, to: Vec2, radius: f32) -> bool {
    let query = (radius, OnGrid(grid));
    let path = nav.path(from, to, radius);
    let _ = (nav.path(from, to, query), nav.what_blocks(from, query));
    let _ = (nav.nearest_free(from, query), nav.distance(from, to, query));
    let _ = (
        nav.what_blocks(to, radius),
        nav.line_of_sight(from, to, radius),
    );
    let _ = nav.remaining_distance(grid);
    if let Ok(free) = nav.nearest_free(from, radius) {
        assert!(
            free.is_finite(),
            "the nearest free point to {from} is {free}"
        );
    }
    match (&path, nav.is_reachable(from, to, radius)) {
        (Ok(path), reachable) => {
            assert!(path.iter().all(|point| point.is_finite()), "{path:?}");
            assert_eq!(reachable, Ok(true), "{from} {to} {radius}");
            assert!(nav.distance(from, to, radius).is_ok_and(f32::is_finite));
            true
        }
        (Err(reason), reachable) => {
            let is_unreachable = matches!(reachable, Ok(false)) || reachable == Err(*reason);
            assert!(
                is_unreachable,
                "{from} {to} {radius}: path fails with {reason:?}, is_reachable says {reachable:?}"
            );
            false
        }
    }
}

const NUMBERS: [f32; 13] = [
    0.0,
    -0.0,
    0.5,
    1.0,
    2.0,
    3.999_999_8,
    -1.0,
    1e-40,
    1e30,
    f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

const FIELD: &str = "....\n....\n....\n....\n";
const BOARD: &str = "#.#.\n.#.#\n#.#.\n.#.#\n";

#[test]
fn every_query_with_every_number_has_an_answer_on_every_grid() {
    for map in [FIELD, ".", "#", "....", BOARD] {
        for cells in [1.0, 4.0, 1e30] {
            let (mut app, grid) = level_with_search_tables(map, cells);
            ask(&mut app, move |nav| {
                for x in NUMBERS {
                    for y in NUMBERS {
                        for radius in NUMBERS {
                            run_all_queries(
                                &nav,
                                grid,
                                Vec2::new(x, 0.5),
                                Vec2::new(1.0, y),
                                radius,
                            );
                            run_all_queries(&nav, grid, Vec2::new(y, x), Vec2::new(x, y), radius);
                        }
                    }
                }
            });
        }
    }
}

#[test]
fn a_request_with_every_number_is_answered_on_every_grid() {
    for map in [".", BOARD, FIELD] {
        let (mut app, _) = level_with_search_tables(map, 1e30);
        let mut asked = Vec::new();
        for x in NUMBERS {
            for y in NUMBERS {
                for radius in NUMBERS {
                    let request = PathRequest::to(Vec2::new(x, y))
                        .with_radius(radius)
                        .with_reach(y);
                    asked.push(spawn_request(&mut app, Vec2::new(y, x), request));
                }
                let agent = NavAgent::from_radius(x.abs()).with_reach(y.abs());
                let sent = (agent, PathRequest::to(Vec2::new(y, 0.5)));
                asked.push(spawn_bare(&mut app, Vec2::splat(0.5), sent));
            }
        }
        run(&mut app, 30);
        for one in asked {
            assert!(
                is_answered(status(&app, one)),
                "a request was not answered: {:?}",
                status(&app, one)
            );
        }
    }
}

#[test]
fn a_snapshot_with_mismatched_parts_does_not_panic() {
    for (width, height) in [(3, 3), (20, 20), (1, 30), (30, 1)] {
        for mode in MODES {
            let mut app = game_without_plugins(60.0, mode);
            app.add_plugins(PursuitPlugins::default().build().disable::<BakePlugin>());
            let layout = Layout::new(Vec2::ZERO, 1.0, 10, 10).expect("a layout");
            let clearance = Clearance::open(width, height, 4.0).expect("a field");
            let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::NoCornerCut, 1);
            let bounds = Rect::new(0.0, 0.0, 10.0, 10.0);
            let grid = spawn_grid(&mut app, bounds, 0.5);
            give(&mut app, grid, BakedGrid::from_snapshot(snapshot));
            let target = spawn_target(&mut app, cell(9, 9));
            for (x, y) in [(0, 0), (9, 0), (0, 9), (5, 5)] {
                spawn_chaser(&mut app, Body::Transform, cell(x, y), target);
                spawn_bare(&mut app, cell(x, y), Flee::new(target, 20.0));
            }
            run_slowly(&mut app, 60);
            ask(&mut app, move |nav| {
                for x in 0..10 {
                    for y in 0..10 {
                        run_all_queries(&nav, grid, cell(x, y), cell(y, 9), 0.4);
                    }
                }
            });
        }
    }
}

#[test]
fn a_grid_replaced_in_every_frame_still_answers_queries() {
    for mode in MODES {
        let mut random = fastrand::Rng::with_seed(9);
        let mut app = level(mode, "..........\n....#.....\n....#.....\n..........\n");
        let target = spawn_target(&mut app, cell(8, 1));
        let agents = BODIES.map(|body| spawn_chaser(&mut app, body, cell(1, 1), target));
        let old = grid_entity(&mut app);
        let layers = get::<NavGrid>(&app, old).obstacles;
        for n in 0..200 {
            let old = grid_entity(&mut app);
            let at = Vec2::new(random.i32(-2..2) as f32, random.i32(-2..1) as f32);
            let bounds = Rect::from_corners(at, Vec2::new(10.0, 4.0));
            let grid = NavGrid::covering(bounds)
                .with_node_radius([0.5, 0.25][random.usize(0..2)])
                .with_obstacles(layers);
            match n % 4 {
                0 => {
                    despawn(&mut app, old);
                    spawn(&mut app, grid);
                }
                1 => give(&mut app, old, grid),
                2 => {
                    let fresh = clone_entity(&mut app, old);
                    despawn(&mut app, old);
                    give(&mut app, fresh, grid);
                }
                _ => give(&mut app, old, BakedGrid::default()),
            }
            let now = grid_entity(&mut app);
            let (from, to) = (cell(1, 1), cell(8, 1));
            ask(&mut app, move |nav| {
                run_all_queries(&nav, now, from, to, RADIUS)
            });
            run_slowly(&mut app, 1);
            ask(&mut app, move |nav| {
                run_all_queries(&nav, old, from, to, RADIUS)
            });
            for agent in agents {
                assert_off_walls(&mut app, agent, 0.97 * RADIUS, (mode, n));
            }
        }
        run_slowly(&mut app, 20);
        arrive_or_settle(&mut app, agents, 900, "after the last replacement");
    }
}
