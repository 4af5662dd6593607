//! A thousand agents that wait for one answer per tick, and families that chase themselves.

use super::set_search_budget;
use crate::common::*;

#[test]
fn a_thousand_agents_with_one_answer_per_tick_all_arrive() {
    let mut app = level(PlanMode::Inline, &open(50, 50));
    disable_avoidance(&mut app);
    set_search_budget(&mut app, 0);
    let target = spawn_target(&mut app, cell(25, 25));
    let mut random = fastrand::Rng::with_seed(1);
    let asked: Vec<Entity> = (0..1000)
        .map(|n| {
            let at = cell(random.usize(0..50), random.usize(0..50));
            let to = cell(random.usize(0..50), random.usize(0..50));
            let agent = spawn_agent(&mut app, Body::Transform, at);
            match n % 2 {
                0 => give(&mut app, agent, PathRequest::to(to)),
                _ => give(&mut app, agent, Chase::new(target).with_sight()),
            }
            agent
        })
        .collect();
    let mut longest = 0;
    for n in 0..4000 {
        let turn = Vec2::from_angle(n as f32 * 0.01) * 15.0;
        set_position(&mut app, target, Vec2::splat(25.0) + turn);
        app.update();
        longest = longest.max(stats(&app).queued);
    }
    set_position(&mut app, target, cell(25, 25));
    run(&mut app, 4000);
    assert!(
        longest <= 1000,
        "the queue of 1000 agents grew to {longest}"
    );
    let mut found: Vec<Entity> = events(&app)
        .found
        .iter()
        .map(|event| event.entity)
        .collect();
    let events = found.len();
    found.sort();
    found.dedup();
    let arrived = asked.iter().filter(|agent| has_arrived(&app, **agent));
    let arrived = arrived.count();
    assert_eq!(
        (events - found.len(), arrived),
        (0, 1000),
        "{events} PathFound events"
    );
}

#[test]
fn two_hundred_stuck_agents_do_not_delay_another_request() {
    let walled = format!("{}#{}\n", ".".repeat(30), ".".repeat(29));
    let map = walled.repeat(50) + &open(60, 10);
    let mut app = level(PlanMode::Inline, &map);
    disable_avoidance(&mut app);
    set_search_budget(&mut app, 5000);
    let target = spawn_target(&mut app, cell(50, 5));
    let stuck: Vec<Entity> = (0..200)
        .map(|n| {
            // Nothing moves these agents.
            let sent = (Chase::new(target), NavDrive::Manual);
            spawn_bare(&mut app, cell(2 + n % 20, 2 + n / 20), sent)
        })
        .collect();
    run(&mut app, 300);
    let is_stuck = |agent: &&Entity| locomotion(&app, **agent) == Locomotion::Stuck;
    assert!(stuck.iter().filter(is_stuck).count() > 150);
    let request = spawn_bare(&mut app, cell(2, 55), PathRequest::to(cell(55, 2)));
    let answered = (0..60).position(|_| {
        run(&mut app, 1);
        status(&app, request) == PathStatus::Found
    });
    assert!(answered.is_some_and(|ticks| ticks < 12), "{answered:?}");
}

#[test]
fn agents_that_chase_one_another_and_their_relatives_come_to_rest() {
    let mut app = level(PlanMode::Inline, &open(30, 10));
    let grid = grid_entity(&mut app);
    let wall = spawn_wall(&mut app, cell(20, 5), Vec2::splat(0.5));
    // Two agents chase each other.
    let one = spawn_agent(&mut app, Body::Transform, cell(2, 2));
    let two = spawn_chaser(&mut app, Body::Transform, cell(25, 8), one);
    give(&mut app, one, Chase::new(two));
    // Other agents chase a grid, a wall, a child and a parent.
    let grid_chaser = spawn_chaser(&mut app, Body::Transform, cell(3, 3), grid);
    let wall_chaser = spawn_chaser(&mut app, Body::Transform, cell(3, 5), wall);
    let parent = spawn_agent(&mut app, Body::Transform, cell(4, 7));
    let child = spawn(&mut app, (transform_at(Vec2::X * 3.0), ChildOf(parent)));
    give(&mut app, parent, Chase::new(child));
    let carried = spawn_bare(&mut app, Vec2::X * 5.0, (Chase::new(one), ChildOf(one)));
    // These agents are also an obstacle or a grid.
    let obstacle_agent = spawn_chaser(&mut app, Body::Dynamic, cell(10, 2), wall);
    give(&mut app, obstacle_agent, CollisionGroups::new(WALLS, WALLS));
    give(&mut app, obstacle_agent, NavObstacle::default());
    let grid = nav_grid(Rect::new(0.0, 0.0, 30.0, 10.0), 0.5);
    let grid_agent = spawn_bare(&mut app, cell(10, 8), (Chase::new(wall), grid));
    run(&mut app, 600);
    arrive_or_settle(
        &mut app,
        [one, two, wall_chaser, carried, obstacle_agent, grid_agent],
        1,
        "a family",
    );
    assert_eq!(status(&app, grid_chaser), PathStatus::TargetLost);
    for agent in [one, two, wall_chaser, parent, obstacle_agent, grid_agent] {
        assert!(
            reached_by(&app, agent).len() <= 1,
            "{agent} arrived more than once"
        );
    }
    for agent in [parent, child] {
        assert!(position(&app, agent).is_finite());
    }
}
