//! A thousand that wait for one answer a tick, and families that chase themselves.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::budget;
use crate::common::*;

#[test]
fn a_thousand_agents_are_answered_one_a_tick_in_order() {
    let mut app = level(PlanMode::Inline, &open(50, 50));
    budget(&mut app, 0);
    let target = spawn_target(&mut app, cell(25, 25));
    let mut random = fastrand::Rng::with_seed(1);
    let asked: Vec<Entity> = (0..1000)
        .map(|n| {
            let at = cell(random.usize(0..50), random.usize(0..50));
            let to = cell(random.usize(0..50), random.usize(0..50));
            let agent = spawn_agent(&mut app, Body::Transform, at);
            if n % 2 == 0 {
                give(&mut app, agent, PathRequest::to(to));
            } else {
                give(&mut app, agent, Chase::new(target).with_sight());
            }
            agent
        })
        .collect();
    let mut longest = 0;
    for n in 0..4000 {
        let turn = Vec2::from_angle(n as f32 * 0.01) * 15.0;
        place(&mut app, target, Vec2::splat(25.0) + turn);
        app.update();
        longest = longest.max(stats(&app).queued);
    }
    place(&mut app, target, cell(25, 25));
    run(&mut app, 4000);
    assert!(longest <= 1000, "{longest} in line of 1000");
    let mut found: Vec<Entity> = heard(&app).found.iter().map(|event| event.entity).collect();
    let told = found.len();
    found.sort();
    found.dedup();
    let seen = asked
        .iter()
        .filter(|agent| has_arrived(&app, **agent))
        .count();
    assert_eq!((told - found.len(), seen), (0, 1000), "told {told}");
}

#[test]
fn two_hundred_stuck_agents_kept_all_others_waiting() {
    let row = |y: usize| if y < 50 { 30 } else { 60 };
    let rows = (0..60).map(|y| {
        (0..60)
            .map(|x| if x == row(y) { '#' } else { '.' })
            .collect()
    });
    let map: Vec<String> = rows.collect();
    let mut app = level(PlanMode::Inline, &map.join("\n"));
    budget(&mut app, 5000);
    let target = spawn_target(&mut app, cell(50, 5));
    let stuck: Vec<Entity> = (0..200)
        .map(|n| {
            spawn_chaser(
                &mut app,
                Body::Transform,
                cell(2 + n % 20, 2 + n / 20),
                target,
            )
        })
        .collect();
    // Nobody moves them.
    let manual = |agent: &Entity| give(&mut app, *agent, NavDrive::Manual);
    stuck.iter().for_each(manual);
    run(&mut app, 300);
    let is_stuck = |agent: &&Entity| legs(&app, **agent) == Locomotion::Stuck;
    assert!(stuck.iter().filter(is_stuck).count() > 150);
    let asker = spawn_agent(&mut app, Body::Transform, cell(2, 55));
    give(&mut app, asker, PathRequest::to(cell(55, 2)));
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
    let carried = spawn_chaser(&mut app, Body::Transform, Vec2::X * 5.0, one);
    give(&mut app, carried, ChildOf(one));
    // One that is its own obstacle and its own grid.
    let odd = spawn_chaser(&mut app, Body::Dynamic, cell(10, 2), wall);
    give(&mut app, odd, CollisionGroups::new(WALLS, WALLS));
    give(&mut app, odd, NavObstacle::default());
    let both = spawn_chaser(&mut app, Body::Transform, cell(10, 8), wall);
    let grid = nav_grid(Rect::new(0.0, 0.0, 30.0, 10.0), 0.5);
    give(&mut app, both, grid);
    run(&mut app, 600);
    for agent in [one, two, of_wall, carried, odd, both] {
        let (legs, status) = (legs(&app, agent), status(&app, agent));
        let here = position(&app, agent);
        assert_eq!(legs, Locomotion::Arrived, "{agent} {status:?} {here}");
    }
    assert_eq!(status(&app, of_grid), PathStatus::TargetLost);
    for agent in [one, two, of_wall, parent, odd, both] {
        let told = heard(&app)
            .reached
            .iter()
            .filter(|event| event.entity == agent);
        assert!(told.count() <= 1, "{agent}");
    }
    for agent in [parent, child] {
        assert!(position(&app, agent).is_finite());
    }
}
