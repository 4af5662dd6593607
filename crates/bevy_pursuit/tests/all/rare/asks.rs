//! Requests that appear, change and vanish while others wait. Each request is answered once, for its own goal.

use super::{Once, set_search_budget, spawn_filler_requests};
use crate::common::*;

#[test]
fn an_agent_spawned_between_stages_is_not_reported_outside_the_grid() {
    for late in [false, true] {
        let mut app = level(PlanMode::Inline, &open(20, 6));
        app.init_resource::<Once>();
        let spawn = |mut commands: Commands, mut once: ResMut<Once>| {
            if !std::mem::replace(&mut once.0, true) {
                let agent = (NavAgent::from_radius(RADIUS), transform_at(cell(1, 1)));
                commands.spawn((agent, PathRequest::to(cell(15, 1))));
            }
        };
        use PursuitSystems::{Decide, Plan};
        let placed = match late {
            true => spawn.after(Decide).before(Plan),
            false => spawn.before(Decide),
        };
        app.add_systems(FixedUpdate, placed);
        run(&mut app, 10);
        assert_eq!(events(&app).found.len(), 1, "late {late}");
        assert_eq!(events(&app).failed, [], "late {late}");
    }
}

#[test]
fn an_agent_sent_elsewhere_while_it_waits_gets_one_path_found() {
    let mut app = level(PlanMode::Inline, &open(20, 6));
    set_search_budget(&mut app, 1);
    spawn_filler_requests(&mut app, 30, cell(19, 5), cell(0, 5));
    // The fillers are queued first, independently of the order in which agents are visited.
    run(&mut app, 1);
    let agent = spawn_walker(&mut app, Body::Transform, cell(0, 1), cell(10, 1));
    run(&mut app, 3);
    assert_eq!(times_found(&app, agent), 0);
    give(&mut app, agent, PathRequest::to(cell(19, 1)));
    run(&mut app, 200);
    let found = times_found(&app, agent);
    assert_eq!(found, 1, "not exactly one answer, for the second goal");
}

#[test]
fn an_unreachable_old_goal_is_not_reported_for_the_new_one() {
    const ROOM: &str = "
        ..........
        ....###...
        ....#.#...
        ....###...
    ";
    for ticks in 1..6 {
        let mut app = level(PlanMode::Async, ROOM);
        let agent = spawn_walker(&mut app, Body::Transform, cell(0, 0), cell(5, 2));
        app.update();
        // The result of the search arrives at the earliest in the frame that takes in the new request.
        give(&mut app, agent, PathRequest::to(cell(9, 0)));
        std::thread::sleep(Duration::from_millis(ticks));
        run_slowly(&mut app, 40);
        assert_eq!(
            events(&app).failed,
            [],
            "the second goal was reported as failed, although it can be reached"
        );
    }
}

#[test]
fn a_request_without_its_agent_still_follows_its_goal() {
    for walked in [5, 200] {
        let mut app = level(PlanMode::Inline, &open(20, 6));
        let agent = spawn_walker(&mut app, Body::Transform, cell(0, 1), cell(5, 1));
        run(&mut app, walked);
        remove::<NavAgent>(&mut app, agent);
        run(&mut app, 30);
        let before = searches(&app);
        run(&mut app, 600);
        let idle = searches(&app) - before;
        assert!(
            idle <= 1,
            "{idle} searches for a goal that rests, after {walked} ticks of walking"
        );
        get_mut::<PathRequest>(&mut app, agent).goal = cell(19, 5).extend(0.0);
        run(&mut app, 300);
        let end = path_end(&get::<NavPath>(&app, agent));
        assert_eq!(end, Some(cell(19, 5)), "after {walked} ticks of walking");
    }
}

#[test]
fn each_order_gives_a_refused_agent_one_path_failed() {
    for is_fixed in [false, true] {
        let mut app = level(PlanMode::Inline, &open(20, 6));
        let targets = [cell(5, 1), cell(10, 1)].map(|at| spawn_target(&mut app, at));
        let agent = spawn_agent(&mut app, Body::Dynamic, cell(1, 1));
        if is_fixed {
            give(&mut app, agent, RigidBody::Fixed);
        } else {
            give(&mut app, agent, NavAgent::from_radius(0.0));
        }
        let failures = |app: &mut App| {
            run(app, 10);
            events(app).failed.len()
        };
        give(&mut app, agent, Chase::new(targets[0]));
        assert_eq!(failures(&mut app), 1, "fixed {is_fixed}: the first chase");
        give(&mut app, agent, Chase::new(targets[0]));
        assert_eq!(
            failures(&mut app),
            2,
            "fixed {is_fixed}: the same chase inserted again"
        );
        get_mut::<Chase>(&mut app, agent).target = targets[1];
        assert_eq!(failures(&mut app), 3, "fixed {is_fixed}: another target");
        for n in 4..7 {
            give(&mut app, agent, PathRequest::to(cell(9, n - 3)));
            assert_eq!(failures(&mut app), n, "fixed {is_fixed}: a request");
        }
        for n in 0..60 {
            set_position(&mut app, targets[1], Vec2::new(n as f32 * 0.1, 1.0));
            get_mut::<PathRequest>(&mut app, agent).goal.y += 0.01;
            app.update();
        }
        assert_eq!(failures(&mut app), 6, "fixed {is_fixed}: a goal that moves");
    }
}
