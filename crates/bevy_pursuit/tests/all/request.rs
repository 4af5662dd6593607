//! Requests that are answered, replaced, cancelled or refused with a reason, and paths that follow changes of the
//! world.

use bevy_pursuit::core::steer::length;

use crate::common::*;

fn request_path(app: &mut App, from: Vec2, to: Vec2) -> Entity {
    spawn_request(app, from, PathRequest::to(to).with_radius(RADIUS))
}

#[test]
fn a_request_without_an_agent_is_answered_with_waypoints() {
    for mode in MODES {
        let mut app = unbaked_level(mode, ROOM);
        let entity = request_path(&mut app, cell(0, 5), cell(9, 3));
        assert_eq!(wait_for_answer(&mut app, entity), PathStatus::Found);
        let path = get::<NavPath>(&app, entity);
        assert_eq!(waypoints(&path)[0], cell(0, 5));
        assert_eq!(path_end(&path), Some(cell(9, 3)));
        let (walked, searched) = (length(&waypoints(&path)), path.length());
        assert!(
            walked <= searched,
            "the smoothed path is {walked} long, the searched path {searched}"
        );
        assert_eq!(events(&app).found.len(), 1);
        assert_eq!(events(&app).found[0].entity, entity);
    }
}

#[test]
fn an_agent_with_a_request_walks_there_and_reports_it() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let agent = spawn_walker(&mut app, Body::Transform, cell(0, 5), cell(9, 3));
    run_until(&mut app, 600, |app| has_arrived(app, agent));
    assert!(position(&app, agent).distance(cell(9, 3)) < 0.01);
    assert_eq!(reached_by(&app, agent), [None]);
}

#[test]
fn removing_the_request_cancels_it_and_drops_the_path() {
    let mut app = unbaked_level(PlanMode::Async, ROOM);
    let entity = request_path(&mut app, cell(0, 0), cell(9, 3));
    wait_for_answer(&mut app, entity);
    remove::<PathRequest>(&mut app, entity);
    run(&mut app, 2);
    assert_eq!(status(&app, entity), PathStatus::Idle);
    assert!(get::<NavPath>(&app, entity).is_empty());
    let pending = request_path(&mut app, cell(0, 0), cell(9, 3));
    app.update();
    remove::<PathRequest>(&mut app, pending);
    let found = events(&app).found.len();
    run_slowly(&mut app, 250);
    let found_later = events(&app).found.len();
    assert!(found_later <= found + 1, "a cancelled request was answered");
    assert_eq!(status(&app, pending), PathStatus::Idle);
}

#[test]
fn a_removal_between_two_ticks_is_noticed() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let entity = request_path(&mut app, cell(0, 0), cell(9, 3));
    let walker = spawn_walker(&mut app, Body::Transform, cell(0, 1), cell(9, 2));
    let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 0), cell(9, 3));
    let all = [entity, walker, chaser];
    for one in all {
        wait_for_answer(&mut app, one);
    }
    let frame = Duration::from_secs_f64(1.0 / 600.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    // After this loop, the next tick is ten frames away.
    let ticks = |app: &App| app.world().resource::<Time<Fixed>>().elapsed();
    let before = ticks(&app);
    run_until(&mut app, 20, |app| ticks(app) > before);
    for one in all {
        remove::<(PathRequest, Chase)>(&mut app, one);
    }
    run(&mut app, 12);
    for stopped in all {
        assert_eq!(status(&app, stopped), PathStatus::Idle);
        assert!(get::<NavPath>(&app, stopped).is_empty());
    }
    let desired = [walker, chaser].map(|one| desired(&app, one));
    assert_eq!(desired, [Vec2::ZERO; 2]);
}

#[test]
fn every_failure_has_its_reason() {
    let mut app = level(PlanMode::Inline, ROOM);
    let reason_of = |app: &mut App, from: Vec2, to: Vec2| {
        let entity = request_path(app, from, to);
        app.update();
        status(app, entity)
    };
    let start = cell(0, 0);
    assert_eq!(reason_of(&mut app, start, cell(9, 5)), Partial(Unreachable));
    for (from, to, expected) in [
        (start, Vec2::new(99.0, 1.0), Partial(GoalOutside)),
        (start, Vec2::new(f32::NAN, 1.0), Failed(GoalOutside)),
        (Vec2::splat(-5.0), start, Failed(OutsideGrid)),
        (Vec2::splat(f32::INFINITY), start, Failed(OutsideGrid)),
    ] {
        let answer = reason_of(&mut app, from, to);
        assert_eq!(answer, expected, "from {from} to {to}");
    }
    for (from, to, radius, expected) in [
        // The agent is in a passage that is too low for it, far from any place where it fits.
        (cell(1, 1), cell(9, 5), 1.2, Partial(GoalBlocked)),
        (start, cell(3, 3), -1.0, Failed(BadRadius)),
        (start, cell(3, 3), f32::NAN, Failed(BadRadius)),
        (start, cell(3, 3), 1e9, Failed(BadRadius)),
    ] {
        let request = PathRequest::to(to).with_radius(radius);
        let entity = spawn_request(&mut app, from, request);
        app.update();
        assert_eq!(status(&app, entity), expected, "radius {radius}");
    }
    assert_eq!(events(&app).failed.len(), 9);
}

#[test]
fn a_goal_too_close_to_a_wall_leads_to_a_place_where_the_body_fits() {
    let mut app = level(PlanMode::Inline, ROOM);
    let mut answer = |request: PathRequest| {
        let entity = spawn_request(&mut app, cell(0, 3), request);
        app.update();
        (
            status(&app, entity),
            path_end(&get::<NavPath>(&app, entity)),
        )
    };
    // The goals lie beside the face of a wall, and in the corner of the room.
    for (goal, end) in [
        (Vec2::new(4.7, 3.4), cell(3, 3)),
        (Vec2::new(4.3, 3.4), cell(3, 3)),
        (Vec2::new(6.3, 3.7), cell(7, 2)),
    ] {
        let request = PathRequest::to(goal).with_radius(1.2);
        assert_eq!(answer(request), (PathStatus::Found, Some(end)), "{goal}");
        // With an explicit reach, the goal is blocked.
        let blocked = PathStatus::Partial(FailReason::GoalBlocked);
        let answer = answer(request.with_reach(0.1));
        assert_eq!(answer, (blocked, Some(end)), "{goal} with a reach");
    }
}

#[test]
fn a_goal_in_a_wall_is_reached_at_its_rim_wherever_the_cells_lie() {
    // The faces of the walls run beside, through and across the middle of cells.
    for shift in [0.0, 0.2, 0.4, 0.6, 0.8] {
        let mut app = level(PlanMode::Inline, &open(14, 7));
        spawn_wall(&mut app, Vec2::new(9.0 + shift, 3.5), Vec2::new(1.2, 2.9));
        run(&mut app, 3);
        for depth in [0.02, 0.2, 0.5, 1.0] {
            let goal = Vec2::new(7.8 + shift + depth, 3.4);
            let walker = request_path(&mut app, cell(1, 3), goal);
            app.update();
            let context = format!("wall face at {}, goal {depth} behind it", 7.8 + shift);
            assert_eq!(status(&app, walker), PathStatus::Found, "{context}");
            let end = path_end(&get::<NavPath>(&app, walker)).expect("a path");
            assert!(
                end.x < goal.x && end.distance(goal) < depth + 1.5,
                "{context}: the path ends at {end}"
            );
            let answer = is_reachable(&mut app, cell(1, 3), goal);
            assert_eq!(answer, Ok(true), "{context}");
        }
    }
}

#[test]
fn partial_paths_are_counted_apart_from_failures() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let count = |app: &mut App, goal: Vec2, from: Vec2| {
        let entity = request_path(app, from, goal);
        wait_for_answer(app, entity);
        let stats = stats(app);
        [stats.paths_found, stats.paths_partial, stats.without_path()]
    };
    let start = cell(0, 0);
    assert_eq!(count(&mut app, cell(3, 3), start), [1, 0, 0]);
    assert_eq!(
        count(&mut app, cell(9, 5), start),
        [1, 1, 0],
        "no partial path to a walled-in goal"
    );
    assert_eq!(count(&mut app, cell(3, 3), -500.0 * Vec2::ONE), [1, 1, 1]);
}

#[test]
fn an_agent_inside_a_wall_walks_out_of_it() {
    let mut app = unbaked_level(PlanMode::Inline, ROOM);
    let inside = cell(5, 2) + Vec2::new(0.1, 0.0);
    let agent = spawn_walker(&mut app, Body::Transform, inside, cell(9, 0));
    run_until(&mut app, 600, |app| has_arrived(app, agent));
}

#[test]
fn a_request_waits_for_the_first_bake() {
    let mut app = game(60.0, PlanMode::Async);
    let entity = request_path(&mut app, cell(0, 0), cell(3, 0));
    spawn_grid(&mut app, Rect::new(0.0, 0.0, 10.0, 10.0), 0.5);
    // The first update has no tick. The second one accepts the request, and the bake may not be done.
    run(&mut app, 2);
    let status = status(&app, entity);
    assert!(
        !matches!(status, Failed(_)),
        "the request failed before the bake: {status:?}"
    );
    assert_eq!(wait_for_answer(&mut app, entity), PathStatus::Found);
}

#[test]
fn a_path_with_changed_cells_is_planned_again_and_others_are_kept() {
    let mut app = unbaked_level(PlanMode::Inline, &open(20, 12));
    let touched = request_path(&mut app, cell(0, 1), cell(19, 1));
    let kept = request_path(&mut app, cell(0, 10), cell(19, 10));
    wait_for_answer(&mut app, kept);
    let before = stats(&app).searches;
    spawn_wall(&mut app, Vec2::new(10.5, 1.5), Vec2::new(0.5, 1.5));
    run(&mut app, 3);
    let corners = waypoints(&get::<NavPath>(&app, touched)).len();
    assert!(corners > 2, "the path does not lead around the new wall");
    let searched = stats(&app).searches - before;
    assert_eq!(searched, 1, "not only the touched path was planned again");
    assert_eq!(
        events(&app).found.len(),
        2,
        "a refreshed path sent an event"
    );
    let generations = [touched, kept].map(|path| get::<NavPath>(&app, path).generation());
    assert_eq!(
        generations[0], generations[1],
        "the kept path was not renewed to the new generation"
    );
}

#[test]
fn a_path_leads_around_a_new_wall_across_any_of_its_legs() {
    let upper = "......#.............\n".repeat(9);
    let map = upper + &open(20, 4);
    let segments_of = |app: &App, entity| {
        let path = get::<NavPath>(app, entity);
        let points = waypoints(&path);
        let segments = points.windows(2).map(|leg| (leg[0], leg[1]));
        segments.collect::<Vec<_>>()
    };
    for nth in 0..3 {
        let mut app = unbaked_level(PlanMode::Inline, &map);
        let entity = request_path(&mut app, cell(1, 1), cell(18, 1));
        wait_for_answer(&mut app, entity);
        let (from, to) = segments_of(&app, entity)[nth];
        spawn_wall(&mut app, from.midpoint(to), Vec2::splat(0.4));
        run(&mut app, 3);
        assert_eq!(status(&app, entity), PathStatus::Found);
        for (from, to) in segments_of(&app, entity) {
            assert!(
                is_line_clear(&mut app, from, to),
                "segment {nth}: the path goes from {from} to {to} through the new wall"
            );
        }
    }
}

#[test]
fn thousands_of_requests_are_answered_although_some_change_or_despawn() {
    let mut app = unbaked_level(PlanMode::Async, ROOM);
    run(&mut app, 5);
    let goals = [cell(9, 3), cell(9, 5), cell(4, 5), cell(5, 3), cell(0, 5)];
    let entities: Vec<Entity> = (0..3000)
        .map(|number| request_path(&mut app, cell(number % 5, 0), goals[number % goals.len()]))
        .collect();
    app.update();
    for (number, entity) in entities.iter().enumerate() {
        match number % 10 {
            0 => despawn(&mut app, *entity),
            1 => give(&mut app, *entity, PathRequest::to(cell(1, 5))),
            _ => {}
        }
    }
    let remaining = entities.into_iter().enumerate();
    let remaining: Vec<(usize, Entity)> =
        remaining.filter(|(number, _)| number % 10 != 0).collect();
    assert_eq!(remaining.len(), 2700);
    for (_, entity) in &remaining {
        let status = wait_for_answer(&mut app, *entity);
        let has_path = matches!(status, PathStatus::Found | Partial(_));
        assert!(has_path, "{status:?}");
    }
    run(&mut app, 30);
    for (_, entity) in remaining.into_iter().filter(|(number, _)| number % 10 == 1) {
        let end = path_end(&get::<NavPath>(&app, entity));
        assert_eq!(
            end,
            Some(cell(1, 5)),
            "the path does not lead to the goal of the second request"
        );
    }
    let stats = stats(&app);
    assert_eq!((stats.tasks_in_flight, stats.queued), (0, 0));
}

#[test]
fn a_thousand_requests_before_the_bake_do_not_hold_up_others() {
    let mut app = unbaked_level(PlanMode::Async, ROOM);
    let early: Vec<Entity> = (0..1000)
        .map(|n| request_path(&mut app, cell(n % 5, n / 5 % 2), cell(9, 3)))
        .collect();
    let outside = request_path(&mut app, Vec2::splat(-5.0), cell(9, 3));
    app.update();
    assert_eq!(wait_for_answer(&mut app, outside), Failed(OutsideGrid));
    for entity in early {
        assert_eq!(wait_for_answer(&mut app, entity), PathStatus::Found);
    }
    assert_eq!(events(&app).found.len(), 1000);
}

/// [`ROOM`], with search tables once the grid has not changed for `unchanged`.
#[cfg(feature = "deep_bake")]
fn room_with_deep_bake(mode: PlanMode, unchanged: Duration) -> App {
    let mut app = unbaked_level(mode, ROOM);
    let mut grids = app.world_mut().query::<&mut NavGrid>();
    let mut grid = grids
        .single_mut(app.world_mut())
        .expect("the level has one grid");
    *grid = grid.with_deep_bake(unchanged);
    app
}

#[cfg(feature = "deep_bake")]
#[test]
fn search_tables_keep_the_path_costs_and_follow_later_walls() {
    let mut app = room_with_deep_bake(PlanMode::Inline, Duration::from_secs(1));
    let length = |app: &mut App| {
        let entity = request_path(app, cell(0, 5), cell(9, 3));
        assert_eq!(wait_for_answer(app, entity), PathStatus::Found);
        get::<NavPath>(app, entity).length()
    };
    let before = length(&mut app);
    run(&mut app, 70);
    assert_eq!(stats(&app).deep_bakes, 1);
    // With tables the path may use other cells that cost the same.
    assert!((length(&mut app) - before).abs() < 0.3);
    spawn_wall(&mut app, cell(5, 1), Vec2::splat(0.5));
    run(&mut app, 3);
    assert!(
        length(&mut app) > before + 0.5,
        "the path does not lead around the new wall"
    );
    run(&mut app, 70);
    assert_eq!(stats(&app).deep_bakes, 2);
    assert!(length(&mut app) > before + 0.5);
}

#[cfg(feature = "deep_bake")]
#[test]
fn search_tables_come_back_after_an_edit_that_changes_no_walkable_cell() {
    let mut app = room_with_deep_bake(PlanMode::Async, Duration::from_millis(100));
    let entity = request_path(&mut app, cell(0, 5), cell(9, 3));
    assert_eq!(wait_for_answer(&mut app, entity), PathStatus::Found);
    let bakes_within_seconds = |app: &mut App, seconds: f32, expected| {
        let begin = std::time::Instant::now();
        while stats(app).deep_bakes < expected && begin.elapsed().as_secs_f32() < seconds {
            app.update();
        }
        stats(app).deep_bakes
    };
    assert_eq!(bakes_within_seconds(&mut app, 20.0, 1), 1);
    let bakes = stats(&app).bakes;
    spawn_wall(
        &mut app,
        cell(0, 5) + Vec2::new(0.0, 1.45),
        Vec2::splat(0.1),
    );
    let deep_bakes = bakes_within_seconds(&mut app, 20.0, 2);
    assert!(stats(&app).bakes > bakes, "the wall changed no distance");
    assert_eq!(deep_bakes, 2);
}
