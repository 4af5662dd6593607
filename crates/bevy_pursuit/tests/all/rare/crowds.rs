//! A thousand that wait for one answer a tick, and families that chase themselves.

use super::budget;
use crate::common::*;

#[test]
fn a_thousand_agents_are_answered_one_a_tick_in_order() {
    let mut app = level(PlanMode::Inline, &open(50, 50));
    disable_avoidance(&mut app);
    budget(&mut app, 0);
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
    assert!(longest <= 1000, "{longest} in line of 1000");
    let mut found: Vec<Entity> = events(&app)
        .found
        .iter()
        .map(|event| event.entity)
        .collect();
    let told = found.len();
    found.sort();
    found.dedup();
    let seen = asked.iter().filter(|agent| has_arrived(&app, **agent));
    let seen = seen.count();
    assert_eq!((told - found.len(), seen), (0, 1000), "told {told}");
}

#[test]
fn two_hundred_stuck_agents_kept_all_others_waiting() {
    let walled = format!("{}#{}\n", ".".repeat(30), ".".repeat(29));
    let map = walled.repeat(50) + &open(60, 10);
    let mut app = level(PlanMode::Inline, &map);
    disable_avoidance(&mut app);
    budget(&mut app, 5000);
    let target = spawn_target(&mut app, cell(50, 5));
    let stuck: Vec<Entity> = (0..200)
        .map(|n| {
            // Nobody moves them.
            let sent = (Chase::new(target), NavDrive::Manual);
            spawn_bare(&mut app, cell(2 + n % 20, 2 + n / 20), sent)
        })
        .collect();
    run(&mut app, 300);
    let is_stuck = |agent: &&Entity| locomotion(&app, **agent) == Locomotion::Stuck;
    assert!(stuck.iter().filter(is_stuck).count() > 150);
    let asker = spawn_bare(&mut app, cell(2, 55), PathRequest::to(cell(55, 2)));
    let answered = (0..60).position(|_| {
        run(&mut app, 1);
        status(&app, asker) == PathStatus::Found
    });
    assert!(answered.is_some_and(|ticks| ticks < 12), "{answered:?}");
}

#[test]
fn a_family_that_chases_itself_does_no_harm() {
    let mut app = level(PlanMode::Inline, &open(30, 10));
    let grid = grid_entity(&mut app);
    let wall = spawn_wall(&mut app, cell(20, 5), Vec2::splat(0.5));
    // Each chases the other.
    let one = spawn_agent(&mut app, Body::Transform, cell(2, 2));
    let two = spawn_chaser(&mut app, Body::Transform, cell(25, 8), one);
    give(&mut app, one, Chase::new(two));
    // A grid, a wall, a child, a parent.
    let of_grid = spawn_chaser(&mut app, Body::Transform, cell(3, 3), grid);
    let of_wall = spawn_chaser(&mut app, Body::Transform, cell(3, 5), wall);
    let parent = spawn_agent(&mut app, Body::Transform, cell(4, 7));
    let child = spawn(&mut app, (transform_at(Vec2::X * 3.0), ChildOf(parent)));
    give(&mut app, parent, Chase::new(child));
    let carried = spawn_bare(&mut app, Vec2::X * 5.0, (Chase::new(one), ChildOf(one)));
    // One that is its own obstacle and its own grid.
    let odd = spawn_chaser(&mut app, Body::Dynamic, cell(10, 2), wall);
    give(&mut app, odd, CollisionGroups::new(WALLS, WALLS));
    give(&mut app, odd, NavObstacle::default());
    let grid = nav_grid(Rect::new(0.0, 0.0, 30.0, 10.0), 0.5);
    let both = spawn_bare(&mut app, cell(10, 8), (Chase::new(wall), grid));
    run(&mut app, 600);
    arrive_or_settle(
        &mut app,
        [one, two, of_wall, carried, odd, both],
        1,
        "a family",
    );
    assert_eq!(status(&app, of_grid), PathStatus::TargetLost);
    for agent in [one, two, of_wall, parent, odd, both] {
        assert!(reached_by(&app, agent).len() <= 1, "{agent}");
    }
    for agent in [parent, child] {
        assert!(position(&app, agent).is_finite());
    }
}
