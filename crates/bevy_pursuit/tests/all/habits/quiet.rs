//! The numbers of searches and events while little happens, and the time in which an agent notices a change.

use crate::common::*;

/// A closed room around (34, 20) in an open level of 40 by 40.
fn level_with_closed_room(plan_mode: PlanMode) -> App {
    let mut app = level(plan_mode, &open(40, 40));
    for (center, half_size) in [
        (Vec2::new(34.0, 16.5), Vec2::new(4.0, 0.5)),
        (Vec2::new(34.0, 23.5), Vec2::new(4.0, 0.5)),
        (Vec2::new(30.5, 20.0), Vec2::new(0.5, 3.0)),
        (Vec2::new(37.5, 20.0), Vec2::new(0.5, 3.0)),
    ] {
        spawn_wall(&mut app, center, half_size);
    }
    run_slowly(&mut app, 5);
    // On a busy machine the bake of the walls takes more frames.
    let is_baked = |app: &mut App| {
        let mut grids = app.world_mut().query::<&BakedGrid>();
        grids.iter(app.world()).all(|grid| !grid.is_baking())
    };
    while !is_baked(&mut app) {
        run_slowly(&mut app, 1);
    }
    app
}

/// Runs while a block slides up and down around a point.
fn run_with_sliding_block(app: &mut App, block: Entity, around: Vec2, ticks: usize) {
    for tick in 0..ticks {
        set_position(app, block, around + Vec2::Y * (tick as f32 * 0.1).sin());
        run_slowly(app, 1);
    }
}

#[test]
fn a_crowd_with_an_unreachable_target_searches_rarely() {
    for mode in MODES {
        let mut app = level_with_closed_room(mode);
        let target = spawn_target(&mut app, Vec2::new(34.0, 20.0));
        let block = spawn_wall(&mut app, Vec2::new(5.0, 35.0), Vec2::splat(1.0));
        for n in 0..200 {
            let at = cell(1 + n % 20, 2 + n / 20);
            if n % 2 == 0 {
                spawn_chaser(&mut app, Body::Transform, at, target);
            } else {
                let request = PathRequest::to(Vec2::new(34.0, 20.0)).with_radius(RADIUS);
                spawn_request(&mut app, at, request);
            }
        }
        run_with_sliding_block(&mut app, block, Vec2::new(5.0, 35.0), 400);
        let (failed, searched) = (events(&app).failed.len(), searches(&app));
        run_with_sliding_block(&mut app, block, Vec2::new(5.0, 35.0), 300);
        let failed = events(&app).failed.len() - failed;
        let searched = searches(&app) - searched;
        let context = format!(
            "{mode:?}: no answer can differ, but there are {failed} failures and {searched} searches"
        );
        assert!(failed <= 20 && searched <= 800, "{context} in 300 ticks");
        assert_eq!(
            events(&app).found,
            [],
            "{mode:?}: a path to the unreachable target was reported"
        );
    }
}

#[test]
fn a_block_that_moves_across_paths_causes_no_more_events() {
    for mode in MODES {
        let mut app = level_with_closed_room(mode);
        let block = spawn_wall(&mut app, Vec2::new(20.0, 10.0), Vec2::new(1.0, 4.0));
        run_slowly(&mut app, 5);
        let request = PathRequest::to(cell(38, 10)).with_radius(RADIUS);
        for n in 0..200 {
            spawn_request(&mut app, cell(1 + n % 10, 1 + n / 10), request);
        }
        run_with_sliding_block(&mut app, block, Vec2::new(20.0, 10.0), 300);
        let found = events(&app).found.len();
        assert_eq!(
            found, 200,
            "{mode:?}: not exactly one PathFound for each request"
        );
        assert_eq!(
            events(&app).failed,
            [],
            "{mode:?}: a failure, although there is always a path"
        );
    }
}

#[test]
fn paths_far_from_a_moving_block_are_searched_again_at_most_every_two_seconds() {
    for mode in MODES {
        let mut app = level_with_closed_room(mode);
        let block = spawn_wall(&mut app, Vec2::new(5.0, 35.0), Vec2::splat(1.0));
        run_slowly(&mut app, 5);
        let request = PathRequest::to(cell(20, 5)).with_radius(RADIUS);
        for n in 0..200 {
            spawn_request(&mut app, cell(1 + n % 20, 1 + n / 20), request);
        }
        run_slowly(&mut app, 100);
        let before = searches(&app);
        run_with_sliding_block(&mut app, block, Vec2::new(5.0, 35.0), 300);
        let searched = searches(&app) - before;
        // Each request may search once in two seconds.
        let context = format!("{mode:?}: {searched} searches for paths that no change touched");
        assert!(searched <= 3 * 200, "{context}");
    }
}

/// Counts the ticks until the agent wants to move.
fn ticks_until_it_moves(app: &mut App, agent: Entity) -> usize {
    for tick in 0..600 {
        if desired(app, agent) != Vec2::ZERO {
            return tick;
        }
        app.update();
    }
    600
}

#[test]
fn an_agent_moves_within_four_ticks_of_its_goal_becoming_reachable() {
    // The time since the failure must not matter: the agent does not wait for its next regular try.
    for failed_for in [250, 401, 650, 1003] {
        for where_unreachable in ["in a closed room", "outside the grid", "itself outside"] {
            let mut app = level_with_closed_room(PlanMode::Inline);
            let (inside, outside) = (Vec2::new(34.0, 20.0), Vec2::new(60.0, 20.0));
            let hidden = if where_unreachable == "outside the grid" {
                outside
            } else {
                inside
            };
            let target = spawn_target(&mut app, hidden);
            let at = if where_unreachable == "itself outside" {
                outside
            } else {
                cell(28, 20)
            };
            let chaser = spawn_chaser(&mut app, Body::Transform, at, target);
            run(&mut app, failed_for);
            if where_unreachable == "itself outside" {
                let here = position(&app, chaser);
                assert!(
                    here.x <= 40.0,
                    "{here}: the agent did not walk back onto the grid"
                );
            } else {
                assert_eq!(
                    desired(&app, chaser),
                    Vec2::ZERO,
                    "{where_unreachable}: the agent moves, although it has nowhere to go"
                );
            }
            // The new place is behind the room, so that neither sees the other.
            let behind = if position(&app, chaser).x < 34.0 || at == outside {
                cell(39, 20)
            } else {
                cell(25, 20)
            };
            set_position(&mut app, target, behind);
            if where_unreachable == "itself outside" {
                set_position(&mut app, chaser, cell(28, 20));
            }
            let ticks = ticks_until_it_moves(&mut app, chaser);
            assert!(
                ticks <= 4,
                "target {where_unreachable} for {failed_for} ticks: the agent moves {ticks} ticks after it could"
            );
            arrive(&mut app, chaser, 300, where_unreachable);
        }
    }
}

#[test]
fn agents_move_within_five_ticks_of_a_door_opening() {
    for failed_for in [300, 401, 1003] {
        let mut app = level_with_closed_room(PlanMode::Inline);
        let target = spawn_target(&mut app, Vec2::new(34.0, 20.0));
        let at = cell(28, 2);
        let chaser = spawn_chaser(&mut app, Body::Transform, at, target);
        let walker = spawn_walker(
            &mut app,
            Body::Transform,
            cell(28, 38),
            Vec2::new(34.0, 20.0),
        );
        run(&mut app, failed_for);
        let doors = what_blocks(&mut app, Vec2::new(37.5, 20.0), 0.1);
        let door = doors.expect("the point is in the grid")[0];
        despawn(&mut app, door);
        for agent in [chaser, walker] {
            let ticks = ticks_until_it_moves(&mut app, agent);
            assert!(
                ticks <= 5,
                "the agent moves {ticks} ticks after the door opened"
            );
        }
        arrive_or_settle(&mut app, [chaser, walker], 400, "through the door");
    }
}

#[test]
fn a_chaser_at_rest_beside_its_target_searches_nothing() {
    let mut app = level_with_closed_room(PlanMode::Inline);
    disable_avoidance(&mut app);
    let target = spawn_target(&mut app, cell(20, 5));
    let agents: Vec<Entity> = (0..20)
        .map(|n| spawn_chaser(&mut app, Body::Transform, cell(1, n), target))
        .collect();
    run(&mut app, 400);
    for agent in &agents {
        assert!(
            has_arrived(&app, *agent),
            "an agent did not cross the open field"
        );
    }
    let before = searches(&app);
    run(&mut app, 600);
    assert_eq!(
        searches(&app),
        before,
        "an agent at its target searched for a path"
    );
    assert_eq!(
        events(&app).reached.len(),
        20,
        "not exactly one event for each arrival"
    );
    assert_eq!(
        events(&app).found.len(),
        20,
        "not exactly one PathFound for each goal"
    );
}
