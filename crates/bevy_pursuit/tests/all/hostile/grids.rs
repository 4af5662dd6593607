//! Grids that are invalid, change on the way, overlap, or vanish.

use crate::common::*;

#[test]
fn grids_with_invalid_numbers_report_an_error_and_can_be_fixed() {
    for mode in MODES {
        let good = NavGrid::covering(Rect::new(0., 0., 10., 10.)).with_node_radius(0.5);
        let bounds = |min: Vec2, max: Vec2| NavGrid {
            bounds: Rect { min, max },
            ..good
        };
        let mut bad = vec![
            bounds(Vec2::splat(f32::NAN), Vec2::splat(10.0)),
            bounds(Vec2::splat(10.0), Vec2::ZERO),
            bounds(Vec2::ZERO, Vec2::ZERO),
            bounds(Vec2::ZERO, Vec2::splat(f32::INFINITY)),
            bounds(Vec2::splat(-f32::MAX), Vec2::splat(f32::MAX)),
            bounds(Vec2::ZERO, Vec2::new(100_000.0, 10_000.0)),
        ];
        let radii = [f32::NAN, 0.0, -1.0, f32::INFINITY, f32::MAX, 1e-40];
        bad.extend(radii.map(|radius| good.with_node_radius(radius)));
        let sizes = [f32::NAN, 0.0, f32::INFINITY];
        bad.extend(sizes.map(|cells| good.with_max_clearance_cells(cells)));
        let mut app = game(60.0, mode);
        let grid = spawn(&mut app, good);
        let entity = spawn_request(&mut app, cell(0, 0), PathRequest::to(cell(9, 9)));
        assert_eq!(wait_for_answer(&mut app, entity), PathStatus::Found);
        let mut generation = get::<NavPath>(&app, entity).generation();
        for bad in bad {
            give(&mut app, grid, bad);
            run(&mut app, 2);
            assert!(
                get::<BakedGrid>(&app, grid).error().is_some(),
                "{bad:?} gave no error"
            );
            give(&mut app, entity, PathRequest::to(cell(8, 9)));
            run(&mut app, 1);
            assert_eq!(wait_for_answer(&mut app, entity), Failed(NoGrid), "{bad:?}");
            give(&mut app, grid, good);
            run_slowly_until(&mut app, 2000, |app| {
                status(app, entity) == PathStatus::Found
            });
            let next = get::<NavPath>(&app, entity).generation();
            assert!(
                next > generation,
                "the generation went from {generation} to {next}"
            );
            generation = next;
        }
    }
}

#[test]
fn an_agent_arrives_on_a_grid_that_moves_resizes_and_changes_layers() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 6));
        let grid = grid_entity(&mut app);
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(19, 3));
        for n in 0..60 {
            let shift = Vec2::splat(-0.37 * (n % 7) as f32);
            let mut nav = NavGrid::covering(Rect::new(0., 0., 20., 6.))
                .with_node_radius(0.3 + 0.05 * (n % 5) as f32)
                .with_obstacles(if n % 2 == 0 { WALLS } else { AGENTS });
            nav.bounds.min += shift;
            give(&mut app, grid, nav);
            run(&mut app, 3);
            let_tasks_run();
        }
        run_until(&mut app, 600, |app| has_arrived(app, agent));
    }
}

#[test]
fn a_grid_that_changes_in_every_frame_is_still_baked() {
    let mut app = game(60.0, PlanMode::Async);
    let grid = spawn_grid(&mut app, Rect::new(0., 0., 200., 200.), 0.25);
    run_until(&mut app, 500, |app| {
        let mut entity = app.world_mut().entity_mut(grid);
        entity.get_mut::<NavGrid>().unwrap().bounds.max.x += 0.5;
        entity.get::<BakedGrid>().unwrap().snapshot().is_some()
    });
}

#[test]
fn an_agent_on_the_second_grid_does_not_wait_for_the_first() {
    let mut app = game(60.0, PlanMode::Async);
    for (x, node_radius) in [(1000.0, 0.2), (0.0, 0.5)] {
        let bounds = Rect::new(x, 0., x + 800. * node_radius, 800. * node_radius);
        spawn_grid(&mut app, bounds, node_radius);
    }
    let entity = spawn_request(&mut app, cell(0, 0), PathRequest::to(cell(9, 9)));
    assert_eq!(wait_for_answer(&mut app, entity), PathStatus::Found);
}

#[test]
fn two_overlapping_grids_lead_to_the_target() {
    for mode in MODES {
        let mut app = level(mode, ROOM);
        spawn_grid(&mut app, Rect::new(3.3, -4.0, 30.0, 8.0), 0.4);
        run(&mut app, 10);
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 5), cell(9, 3));
        run_off_walls(&mut app, agent, 400, mode);
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived);
    }
}

#[test]
fn agents_stop_when_their_grid_is_despawned_and_use_a_new_one() {
    for mode in MODES {
        let mut app = level(mode, &open(30, 6));
        let walker = spawn_walker(&mut app, Body::Transform, cell(0, 1), cell(29, 1));
        let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(29, 3));
        for agent in [walker, chaser] {
            wait_for_answer(&mut app, agent);
        }
        run(&mut app, 20);
        let grid = grid_entity(&mut app);
        despawn(&mut app, grid);
        run(&mut app, 5);
        for agent in [walker, chaser] {
            assert_eq!(wait_for_answer(&mut app, agent), Failed(NoGrid));
        }
        let before = position(&app, walker);
        run(&mut app, 20);
        assert_eq!(position(&app, walker), before);
        spawn_grid(&mut app, Rect::new(0., 0., 30., 6.), 0.5);
        arrive(&mut app, [walker, chaser], 1000, mode);
    }
}

#[test]
fn grids_of_one_cell_and_of_one_row_are_walked() {
    for (width, height) in [(1, 1), (1, 12), (12, 1), (2, 2)] {
        for body in BODIES {
            let mut app = level(PlanMode::Inline, &open(width, height));
            disable_avoidance(&mut app);
            let (agent, _) = spawn_chase(&mut app, body, cell(0, 0), cell(width - 1, height - 1));
            run_until(&mut app, 400, |app| has_arrived(app, agent));
            let goal = cell(width - 1, height - 1) + Vec2::splat(0.2);
            let walker = spawn_with(&mut app, body, cell(0, 0), PathRequest::to(goal));
            run_until(&mut app, 400, |app| has_arrived(app, walker));
        }
    }
}

#[test]
fn agents_on_the_border_and_outside_of_the_grid_come_in() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(10, 10));
        disable_avoidance(&mut app);
        let target = spawn_target(&mut app, cell(5, 5));
        for (x, y) in [(0.0, 0.0), (10.0, 10.0), (10.0, 5.0), (5.0, 0.0)] {
            let agent = spawn_chaser(&mut app, body, Vec2::new(x, y), target);
            arrive(&mut app, agent, 400, (body, x, y));
        }
        let outside = spawn_chaser(&mut app, body, Vec2::new(10.3, 5.0), target);
        run_until(&mut app, 60, |app| {
            status(app, outside) == Partial(OutsideGrid)
        });
        run_until(&mut app, 400, |app| has_arrived(app, outside));
    }
}
