//! Path ends: on the goal itself where the body fits, otherwise beside it.

use crate::common::*;

/// A hall whose walls leave a gap of about 0.99 radii at many positions.
const HALL: &str = "
    ############
    #..........#
    #..........#
    #...####...#
    #..........#
    ######.#####
    .....#.#....
    .....#.#....
    .....#.#....
    ";

#[test]
fn a_path_ends_on_its_goal_wherever_the_body_fits() {
    let mut random = fastrand::Rng::with_seed(1);
    for origin in [Vec2::ZERO, Vec2::new(1e5, -1e5)] {
        let mut app = game(60.0, PlanMode::Inline);
        build_level_at(&mut app, origin, HALL);
        run(&mut app, 3);
        let from = origin + cell(2, 2);
        let mut tight = 0;
        for n in 0..8000 {
            let radius = [0.05, 0.3, 0.4, 0.5][n % 4];
            let cell_center = Vec2::new(random.u32(0..12) as f32, random.u32(0..9) as f32);
            let cell_center = origin + cell_center + 0.5;
            let to = cell_center + Vec2::new(random.f32() - 0.5, random.f32() - 0.5);
            let away = wall_distance(&mut app, to);
            if away > 1.1 * radius {
                continue;
            }
            // The search treats the goal as free if the body fits on the center of the goal's cell, and on the whole
            // line from there to the goal.
            let (path, fits) = ask(&mut app, move |nav| {
                let fits = nav.line_of_sight(cell_center, to, radius);
                (nav.path(from, to, radius), fits)
            });
            if let (Ok(path), Ok(true)) = (path, fits) {
                tight += 1;
                let context = format!("radius {radius}, {away} from a wall");
                assert_eq!(path.last(), Some(&to), "{context}");
            }
        }
        assert!(tight > 50, "only {tight} goals were tight");
    }
}

#[test]
fn an_agent_sent_next_to_a_wall_stops_where_it_fits() {
    let mut random = fastrand::Rng::with_seed(2);
    for (origin, body) in [
        (Vec2::ZERO, Body::Transform),
        (Vec2::new(1e5, 1e5), Body::Transform),
        (Vec2::ZERO, Body::Kinematic),
        (Vec2::ZERO, Body::Dynamic),
    ] {
        let mut app = game(60.0, PlanMode::Inline);
        build_level_at(&mut app, origin, HALL);
        run(&mut app, 3);
        let agent = spawn_agent(&mut app, body, origin + cell(2, 2));
        for n in 0..40 {
            // The goals are on walls, corners, borders of cells and of the grid, and at random positions.
            let mut to = Vec2::new(random.f32() * 12.0, random.f32() * 9.0);
            match n % 4 {
                0 => to = to.round(),
                1 => to.x = to.x.round(),
                2 => to.y = to.y.round(),
                _ => {}
            }
            let to = origin + to;
            let reached = events(&app).reached.len();
            give(&mut app, agent, PathRequest::to(to));
            let context = format!("{body:?} to {to} {n}");
            run(&mut app, 2);
            run_until(&mut app, 900, |app| {
                let is_short = matches!(status(app, agent), Partial(_) | Failed(_));
                has_arrived(app, agent) && events(app).reached.len() > reached
                    || is_short && locomotion(app, agent) == Locomotion::Waiting
            });
            let searched = searches(&app);
            run(&mut app, 60);
            assert!(
                searches(&app) <= searched + 1,
                "{context}: the agent searches on and on"
            );
            assert_off_walls(&mut app, agent, 0.97 * RADIUS, &context);
            let here = position(&app, agent);
            if status(&app, agent) == PathStatus::Found {
                let room = wall_distance(&mut app, to);
                let off = here.distance(to);
                let has_room = room >= 1.02 * RADIUS;
                let max_distance = if has_room { 0.1 } else { 1.5 * RADIUS + 1.0 };
                let is_near = room <= 0.04 || off <= max_distance;
                assert!(
                    is_near,
                    "{context}: the agent stops {off} away, the goal is {room} from a wall"
                );
            }
        }
    }
}

#[test]
fn an_agent_beside_a_wall_walks_on_to_its_goal_when_the_wall_goes() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(12, 8));
        disable_avoidance(&mut app);
        let wall = spawn_wall(&mut app, Vec2::new(6.0, 4.0), Vec2::new(0.5, 2.0));
        run_slowly(&mut app, 20);
        let goal = Vec2::new(5.4, 4.2);
        let agent = spawn_with(&mut app, body, cell(1, 4), PathRequest::to(goal));
        arrive(&mut app, agent, 400, "beside the wall");
        assert_eq!(status(&app, agent), PathStatus::Found);
        assert!(position(&app, agent).distance(goal) > 0.2);
        despawn(&mut app, wall);
        run_slowly(&mut app, 120);
        let here = position(&app, agent);
        assert!(
            here.distance(goal) < 0.05,
            "{mode:?} {body:?}: the agent is at {here}"
        );
        assert_eq!(events(&app).found.len(), 1, "{mode:?} {body:?}");
    }
}

#[test]
fn a_goal_beside_a_thin_wall_is_approached_on_its_side_and_one_between_two_is_blocked() {
    let mut app = level(PlanMode::Inline, &open(12, 8));
    for x in [5.3, 5.7] {
        spawn_wall(&mut app, Vec2::new(x, 4.0), Vec2::new(0.02, 3.0));
    }
    run(&mut app, 5);
    // No body fits between the walls. The path ends where nothing separates the body from the goal, or the query fails.
    for (to, side) in [(5.2, -1.0), (5.5, 0.0), (5.8, 1.0)] {
        let to = Vec2::new(to, 4.0);
        for from in [cell(1, 4), cell(10, 4)] {
            let path = ask(&mut app, move |nav| nav.path(from, to, RADIUS));
            match path {
                Ok(path) => {
                    let end = *path.last().expect("a path has an end");
                    let is_there = is_line_clear(&mut app, end, to) && (end.x - 5.5) * side > 0.0;
                    assert!(is_there, "from {from} to {to}: the path ends at {end}");
                }
                Err(reason) => assert_eq!((reason, side), (FailReason::GoalBlocked, 0.0)),
            }
        }
    }
}
