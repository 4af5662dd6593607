//! When an agent has arrived, and how often its arrival is reported.

use crate::common::*;

/// The distance at which a chaser of the usual size touches a target without a body, in world units.
const TOUCH_DISTANCE: f32 = 1.1 * RADIUS;
/// Collision groups of a solid target, and of an agent that collides with it.
const TARGET_GROUPS: CollisionGroups = CollisionGroups::new(Group::GROUP_3, AGENTS);
const CHASER_GROUPS: CollisionGroups = CollisionGroups::new(AGENTS, WALLS.union(Group::GROUP_3));

#[test]
fn a_chase_switched_to_another_target_within_reach_arrives_again() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(12, 5));
        let first = spawn_target(&mut app, cell(9, 2));
        let second = spawn_target(&mut app, cell(9, 2) + Vec2::Y * 0.1);
        let agent = spawn_chaser(&mut app, body, cell(0, 2), first);
        arrive(&mut app, agent, 300, "the first target");
        run(&mut app, 30);
        give(&mut app, agent, Chase::new(second));
        run(&mut app, 60);
        let arrivals = reached_by(&app, agent);
        assert_eq!(
            arrivals,
            [Some(first), Some(second)],
            "{body:?}: not exactly one arrival at each target"
        );
        get_mut::<Chase>(&mut app, agent).target = first;
        run(&mut app, 60);
        let arrivals = reached_by(&app, agent);
        let expected = [first, second, first].map(Some);
        assert_eq!(
            arrivals, expected,
            "{body:?}: no third arrival after the target of the chase was changed in place"
        );
    }
}

#[test]
fn a_request_repeated_at_its_goal_arrives_again() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(12, 5));
        let agent = spawn_walker(&mut app, body, cell(0, 2), cell(6, 2));
        arrive(&mut app, agent, 300, "the first time");
        run(&mut app, 30);
        for times in 2..5 {
            give(&mut app, agent, PathRequest::to(cell(6, 2)));
            run(&mut app, 60);
            assert!(has_arrived(&app, agent), "{body:?}");
            let arrivals = reached_by(&app, agent).len();
            assert_eq!(
                arrivals, times,
                "{body:?}: not exactly one arrival for each request"
            );
        }
        remove::<PathRequest>(&mut app, agent);
        run(&mut app, 5);
        give(&mut app, agent, PathRequest::to(cell(6, 2)));
        run(&mut app, 60);
        assert_eq!(
            reached_by(&app, agent).len(),
            5,
            "{body:?}: no fifth arrival after the request was removed and inserted again"
        );
    }
}

#[test]
fn a_request_at_the_place_of_a_target_and_the_chase_after_it_both_arrive() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(12, 5));
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 2), cell(9, 2));
        give(&mut app, agent, PathRequest::to(cell(9, 2)));
        arrive(&mut app, agent, 300, "the request");
        run(&mut app, 30);
        assert_eq!(
            reached_by(&app, agent),
            [None],
            "{body:?}: not exactly the arrival of the request"
        );
        remove::<PathRequest>(&mut app, agent);
        run(&mut app, 60);
        let arrivals = reached_by(&app, agent);
        assert_eq!(
            arrivals,
            [None, Some(target)],
            "{body:?}: no second arrival, of the chase"
        );
        give(&mut app, agent, PathRequest::to(cell(9, 2)));
        run(&mut app, 60);
        let arrivals = reached_by(&app, agent);
        assert_eq!(
            arrivals,
            [None, Some(target), None],
            "{body:?}: no third arrival, of the second request"
        );
    }
}

#[test]
fn a_goal_rewritten_with_the_same_value_gives_one_event() {
    for mode in MODES {
        let mut app = level(mode, &open(12, 5));
        let agent = spawn_walker(&mut app, Body::Transform, cell(0, 2), cell(9, 2));
        let (chaser, target) = spawn_chase(&mut app, Body::Transform, cell(0, 4), cell(9, 4));
        let failing = spawn_request(&mut app, cell(0, 0), PathRequest::to(Vec2::splat(-9.0)));
        for _ in 0..240 {
            get_mut::<PathRequest>(&mut app, agent).goal = cell(9, 2).extend(0.0);
            get_mut::<PathRequest>(&mut app, failing).goal = Vec2::splat(-9.0).extend(0.0);
            get_mut::<Chase>(&mut app, chaser).target = target;
            run_slowly(&mut app, 1);
        }
        for (entity, target) in [(agent, None), (chaser, Some(target))] {
            assert_eq!(reached_by(&app, entity), [target], "{mode:?}: arrivals");
            let found = times_found(&app, entity);
            assert_eq!(
                found, 1,
                "{mode:?}: not exactly one PathFound for the same goal"
            );
        }
        let failed = times_failed(&app, failing);
        assert_eq!(
            failed, 1,
            "{mode:?}: not exactly one PathFailed for the same goal"
        );
    }
}

#[test]
fn a_request_replaced_in_every_tick_is_found_and_walked() {
    for body in BODIES {
        let mut app = level(PlanMode::Async, &open(60, 9));
        let agent = spawn_agent(&mut app, body, cell(1, 4));
        let goal = |tick: u8| cell(40, 4) + Vec2::X * 0.04 * f32::from(tick);
        let mut found = 0;
        for tick in 0..200 {
            give(&mut app, agent, PathRequest::to(goal(tick)));
            run_slowly(&mut app, 1);
            found += u8::from(status(&app, agent) == PathStatus::Found);
        }
        assert!(
            found > 150,
            "{body:?}: the path was found in only {found} of 200 ticks"
        );
        assert!(!events(&app).found.is_empty(), "{body:?}");
        arrive(&mut app, agent, 600, body);
        assert_away(&app, agent, goal(199), ..RADIUS, body);
        // A goal that is far from the old one needs a search first.
        give(&mut app, agent, PathRequest::to(cell(1, 4)));
        app.update();
        assert!(!is_answered(status(&app, agent)), "{body:?}");
    }
}

#[test]
fn a_goal_that_moves_in_every_tick_is_followed() {
    for mode in MODES {
        let mut app = level(mode, &open(30, 12));
        let agent = spawn_walker(&mut app, Body::Transform, cell(0, 2), cell(20, 2));
        for n in 0..100 {
            let goal = cell(20, 2) + Vec2::Y * 0.05 * n as f32;
            get_mut::<PathRequest>(&mut app, agent).goal = goal.extend(0.0);
            run_slowly(&mut app, 1);
        }
        let here = position(&app, agent).x;
        assert!(here > 8.0, "{mode:?}: new goals keep the agent at {here}");
        arrive(&mut app, agent, 400, "the goal came to rest");
        assert_away(&app, agent, cell(20, 2) + Vec2::Y * 4.95, ..0.05, mode);
    }
}

#[test]
fn an_agent_moved_away_after_it_arrived_walks_back() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(12, 8));
        disable_avoidance(&mut app);
        let agent = spawn_walker(&mut app, body, cell(0, 2), cell(6, 2));
        arrive(&mut app, agent, 300, "the first time");
        for to in [cell(6, 7), cell(1, 2), cell(11, 7)] {
            set_position(&mut app, agent, to);
            run(&mut app, 3);
            assert!(
                !has_arrived(&app, agent),
                "{body:?}: the agent is still marked as arrived 5 cells away"
            );
            arrive(&mut app, agent, 300, (body, "moved to", to));
            assert_away(&app, agent, cell(6, 2), ..0.1, body);
        }
        assert_eq!(
            reached_by(&app, agent).len(),
            4,
            "{body:?}: not exactly one event for each arrival"
        );
    }
}

/// A world of 400 by 200 with a wall between (145, 100) and (255, 100). The way around the wall is 200 long.
fn level_with_long_wall() -> App {
    let mut app = game(60.0, PlanMode::Inline);
    spawn_grid(&mut app, Rect::new(0.0, 0.0, 400.0, 200.0), 5.0);
    spawn_wall(&mut app, Vec2::new(200.0, 100.0), Vec2::new(5.0, 75.0));
    run(&mut app, 3);
    app
}

fn spawn_large_agent(app: &mut App, at: Vec2, intent: impl Bundle) -> Entity {
    spawn(app, (NavAgent::from_radius(10.0), intent, transform_at(at)))
}

#[test]
fn a_target_within_reach_behind_a_wall_is_not_reached() {
    for needs_sight in [false, true] {
        let mut app = level_with_long_wall();
        let (from, to) = (Vec2::new(145.0, 100.0), Vec2::new(255.0, 100.0));
        let target = spawn_target(&mut app, to);
        let mut chase = Chase::new(target).with_reach(150.0);
        let mut request = PathRequest::to(to).with_reach(150.0);
        (chase.needs_sight, request.needs_sight) = (needs_sight, needs_sight);
        let agent = spawn_large_agent(&mut app, from, chase);
        let walker = spawn_large_agent(&mut app, from, request);
        run(&mut app, 10);
        for one in [agent, walker] {
            let context = format!("needs_sight {needs_sight}: {one} arrived through the wall");
            assert!(!has_arrived(&app, one), "{context}");
        }
        for one in [agent, walker] {
            arrive(&mut app, one, 600, "around the wall");
            let here = position(&app, one);
            let sees = is_line_clear(&mut app, here, to);
            let is_near = !needs_sight && remaining_path_length(&app, one) <= 155.0;
            assert!(
                sees || is_near,
                "needs_sight {needs_sight}: {one} arrived at {here}, behind the wall"
            );
        }
    }
}

#[test]
fn a_ranged_enemy_arrives_only_where_it_sees_its_target() {
    let mut app = level_with_long_wall();
    let target = spawn_target(&mut app, Vec2::new(145.0, 60.0));
    let chase = Chase::new(target).with_reach(150.0).with_sight();
    let agent = spawn_large_agent(&mut app, Vec2::new(40.0, 100.0), chase);
    arrive(&mut app, agent, 300, "in plain sight");
    let (mut ticks_unseen, mut last_arrivals) = (0, 1);
    let stations = [
        Vec2::new(150.0, 170.0),
        Vec2::new(255.0, 100.0),
        Vec2::new(240.0, 60.0),
        Vec2::new(145.0, 100.0),
        Vec2::new(300.0, 100.0),
    ];
    for at in stations {
        set_position(&mut app, target, at);
        for tick in 0..300 {
            app.update();
            let here = position(&app, agent);
            let sees = is_line_clear(&mut app, here, at) && here.distance(at) <= 1.25 * 150.0;
            let arrivals = reached_by(&app, agent).len();
            assert!(
                sees || arrivals == last_arrivals || tick < 2,
                "tick {tick}: the agent reached {at} from {here} without a clear line"
            );
            last_arrivals = arrivals;
            let is_blind = has_arrived(&app, agent) && !sees;
            ticks_unseen = if is_blind { ticks_unseen + 1 } else { 0 };
            assert!(
                ticks_unseen < 12,
                "the agent stays at {here}, where it cannot see {at}"
            );
        }
        arrive(&mut app, agent, 1, ("a place to see it from", at));
    }
}

#[test]
fn a_target_larger_than_the_reach_is_reached_where_bodies_touch() {
    for body in BODIES {
        for target_body in [RigidBody::Dynamic, RigidBody::KinematicPositionBased] {
            let mut app = level(PlanMode::Inline, &open(16, 7));
            let target = spawn_target(&mut app, cell(11, 3));
            let heavy = ColliderMassProperties::Density(1000.0);
            let solid = (Collider::ball(1.5), TARGET_GROUPS, heavy, GravityScale(0.0));
            give(&mut app, target, (target_body, solid));
            let agent = spawn_chaser(&mut app, body, cell(0, 3), target);
            give(&mut app, agent, Chase::new(target).with_reach(1.0));
            if body != Body::Transform {
                give(&mut app, agent, CHASER_GROUPS);
            }
            let context = format!("{body:?} keeps pushing a {target_body:?}");
            arrive(&mut app, agent, 300, &context);
            let (there, touch_distance) = (position(&app, target), 1.5 + RADIUS);
            let range = 0.95 * touch_distance..=1.15 * touch_distance;
            assert_away(&app, agent, there, range, &context);
            assert_eq!(events(&app).stuck, [], "{context}");
        }
    }
}

#[test]
fn a_large_agent_comes_close_to_a_small_player() {
    for body in BODIES {
        for is_agent in [false, true] {
            let mut app = game(60.0, PlanMode::Inline);
            spawn_grid(&mut app, Rect::new(0.0, 0.0, 1000.0, 400.0), 8.0);
            let player = spawn_target(&mut app, Vec2::new(700.0, 200.0));
            if is_agent {
                give(&mut app, player, NavAgent::from_radius(10.0));
            } else {
                let solid = (RigidBody::KinematicPositionBased, Collider::ball(10.0));
                give(&mut app, player, (solid, TARGET_GROUPS));
            }
            let agent = spawn_chaser(&mut app, body, Vec2::new(100.0, 200.0), player);
            set_size(&mut app, agent, body, 30.0);
            if body != Body::Transform {
                give(&mut app, agent, CHASER_GROUPS);
            }
            arrive(&mut app, agent, 300, "across the field");
            run(&mut app, 30);
            let there = position(&app, player);
            assert_away(&app, agent, there, 38.0..=44.1, (body, is_agent));
        }
    }
}

#[test]
fn the_reach_of_a_chase_overrides_the_reach_of_the_agent() {
    for body in BODIES {
        for (agent_reach, chase_reach, expected) in [
            (None, None, TOUCH_DISTANCE),
            (Some(3.0), None, 3.0),
            (Some(3.0), Some(2.0), 2.0),
            (None, Some(4.0), 4.0),
        ] {
            let mut app = level(PlanMode::Inline, &open(16, 5));
            let (agent, _) = spawn_chase(&mut app, body, cell(0, 2), cell(12, 2));
            get_mut::<NavAgent>(&mut app, agent).reach = agent_reach;
            get_mut::<Chase>(&mut app, agent).reach = chase_reach;
            arrive(&mut app, agent, 300, "in the open");
            run(&mut app, 30);
            let range = 0.5 * expected..=1.01 * expected;
            assert_away(
                &app,
                agent,
                cell(12, 2),
                range,
                (body, agent_reach, chase_reach),
            );
        }
    }
}

#[test]
fn a_request_with_a_reach_arrives_at_that_distance() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(16, 5));
        let request = PathRequest::to(cell(12, 2)).with_reach(3.0);
        let agent = spawn_with(&mut app, body, cell(0, 2), request);
        arrive(&mut app, agent, 300, "in the open");
        run(&mut app, 30);
        assert_away(&app, agent, cell(12, 2), 1.5..=3.03, body);
        assert_eq!(
            reached_by(&app, agent),
            [None],
            "{body:?}: not exactly one arrival"
        );
    }
}

#[test]
fn a_reach_that_shrinks_beside_a_wall_makes_the_goal_blocked() {
    // The goal is close to a wall: beside the wall, an agent can be within a reach of 3, but not within a reach of 0.1.
    let mut app = level(PlanMode::Inline, &open(16, 7));
    let goal = Vec2::new(12.5, 5.45);
    spawn_wall(&mut app, Vec2::new(12.0, 6.3), Vec2::new(4.0, 0.7));
    run(&mut app, 3);
    let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 2), goal);
    get_mut::<Chase>(&mut app, chaser).reach = Some(3.0);
    let walker = spawn_bare(&mut app, cell(0, 3), PathRequest::to(goal).with_reach(3.0));
    arrive(&mut app, [chaser, walker], 300, "within a long reach");
    run(&mut app, 30);
    get_mut::<Chase>(&mut app, chaser).reach = Some(0.1);
    get_mut::<PathRequest>(&mut app, walker).reach = Some(0.1);
    run(&mut app, 120);
    for agent in [chaser, walker] {
        let context = format!("{agent} has arrived at {}", position(&app, agent));
        assert_status(&app, agent, Partial(GoalBlocked), &context);
        assert!(!has_arrived(&app, agent), "{context}");
    }
}

#[test]
fn an_arrived_agent_moves_closer_when_its_reach_is_lowered() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 20));
        disable_avoidance(&mut app);
        let (by_agent_reach, target) =
            spawn_chase(&mut app, Body::Transform, cell(3, 10), cell(15, 10));
        let by_chase_reach = spawn_chaser(&mut app, Body::Transform, cell(3, 5), target);
        let by_request_reach = spawn_agent(&mut app, Body::Transform, cell(3, 15));
        let agents = [by_agent_reach, by_chase_reach, by_request_reach];
        let request = PathRequest::to(cell(15, 10));
        get_mut::<NavAgent>(&mut app, by_agent_reach).reach = Some(3.0);
        get_mut::<Chase>(&mut app, by_chase_reach).reach = Some(3.0);
        give(&mut app, by_request_reach, request.with_reach(3.0));
        arrive(&mut app, agents, 600, "within a reach of 3");
        get_mut::<NavAgent>(&mut app, by_agent_reach).reach = Some(2.7);
        get_mut::<Chase>(&mut app, by_chase_reach).reach = Some(2.7);
        get_mut::<PathRequest>(&mut app, by_request_reach).reach = Some(2.7);
        run_slowly(&mut app, 300);
        for (n, agent) in agents.into_iter().enumerate() {
            assert_away(&app, agent, cell(15, 10), ..=2.7 + 1e-3, (mode, n));
            assert!(has_arrived(&app, agent), "{mode:?}, {n}");
        }
    }
}
