//! Values of an agent that change while it walks.

use super::{TICK_SECONDS, open_level};
use crate::common::*;

fn change(app: &mut App, agent: Entity, change: impl FnOnce(&mut NavAgent)) {
    let agent = app.world_mut().get_mut::<NavAgent>(agent);
    change(&mut agent.expect("the entity is an agent"));
}

/// Walks an agent whose speed changes in every tick.
fn check_changing_speeds(mut app: App, body: Body) {
    open_level(&mut app, 60, 7);
    let agent = spawn_walker(&mut app, body, cell(1, 3), cell(58, 3));
    let max_change = NavAgent::from_radius(RADIUS).acceleration * TICK_SECONDS;
    let (mut before, mut fastest) = (0.0, 0.0_f32);
    for tick in 0..1200 {
        let speed = match tick % 100 {
            0..30 => 12.0,
            30..60 => 2.0,
            _ => 6.0 + 4.0 * (tick as f32).sin(),
        };
        change(&mut app, agent, |agent| agent.speed = speed);
        run(&mut app, 1);
        let now = desired(&app, agent).length();
        if has_arrived(&app, agent) {
            break;
        }
        let remaining_distance = position(&app, agent).distance(cell(58, 3));
        assert!(
            now - before < 1.01 * max_change,
            "{body:?}: the speed jumps to {now}"
        );
        // An agent stops in the tick in which it reaches its goal, however fast it was before.
        assert!(
            before - now < 1.01 * max_change || remaining_distance < 0.5,
            "{body:?}: the speed drops from {before} to {now}"
        );
        before = now;
        fastest = fastest.max(now);
    }
    assert!(has_arrived(&app, agent), "{body:?} did not arrive");
    assert!(fastest > 9.0, "{body:?} was never faster than {fastest}");
    assert_eq!(events(&app).found.len(), 1, "{body:?}");
    assert_eq!(events(&app).reached.len(), 1, "{body:?}");
}

#[test]
fn an_agent_arrives_while_its_speed_changes_in_every_tick() {
    for body in BODIES {
        check_changing_speeds(game(60.0, PlanMode::Inline), body);
    }
    check_changing_speeds(game_without_rapier(), Body::Transform);
}

#[test]
fn an_agent_with_zero_speed_stands_and_resumes_with_a_new_speed() {
    let mut app = level(PlanMode::Inline, &open(40, 7));
    let agent = spawn_walker(&mut app, Body::Dynamic, cell(1, 3), cell(38, 3));
    run(&mut app, 40);
    change(&mut app, agent, |agent| agent.speed = 0.0);
    run(&mut app, 40);
    let before = position(&app, agent);
    run(&mut app, 120);
    assert!(position(&app, agent).distance(before) < 1e-4);
    assert_eq!(
        events(&app).stuck,
        [],
        "an agent with a speed of zero was reported stuck"
    );
    change(&mut app, agent, |agent| agent.speed = 8.0);
    arrive(&mut app, agent, 600, "at speed again");
}

#[test]
fn an_agent_arrives_while_its_radius_changes_in_every_tick() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(
            mode,
            "
                ....................
                .........#..........
                .........#..........
                .........#..........
                ....................
                ",
        );
        let agent = spawn_walker(&mut app, body, cell(2, 2), cell(17, 2));
        for n in 0..900 {
            let radius = 0.35 + 0.05 * (n as f32 * 0.3).sin();
            change(&mut app, agent, |agent| agent.radius = radius);
            tick(&mut app);
            if has_arrived(&app, agent) {
                break;
            }
        }
        assert!(has_arrived(&app, agent), "{mode:?} {body:?}");
        assert_eq!(events(&app).found.len(), 1, "{mode:?} {body:?}");
        assert_eq!(events(&app).failed, [], "{mode:?} {body:?}");
        assert_eq!(events(&app).reached.len(), 1, "{mode:?} {body:?}");
    }
}

#[test]
fn a_new_radius_is_planned_for_while_the_agent_walks() {
    let mut app = level(PlanMode::Inline, &open(40, 9));
    let agent = spawn_walker(&mut app, Body::Transform, cell(2, 4), cell(37, 4));
    run(&mut app, 10);
    for radius in [0.8, 0.3, 1.2] {
        change(&mut app, agent, |agent| agent.radius = radius);
        run(&mut app, 3);
        assert_eq!(get::<NavPath>(&app, agent).body().radius, radius);
        assert_ne!(desired(&app, agent), Vec2::ZERO, "the agent stopped");
    }
    assert_eq!(
        events(&app).found.len(),
        1,
        "the new radius was reported as a new path"
    );
}

#[test]
fn a_larger_reach_ends_a_walk_and_a_smaller_one_resumes_it() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 9));
        disable_avoidance(&mut app);
        let goal = cell(37, 4);
        let agent = spawn_walker(&mut app, body, cell(2, 4), goal);
        let away = |app: &App| position(app, agent).distance(goal);
        run_until(&mut app, 600, |app| away(app) < 12.0);
        change(&mut app, agent, |agent| agent.reach = Some(20.0));
        run(&mut app, 2);
        assert!(has_arrived(&app, agent), "{body:?}");
        assert!(
            away(&app) > 11.0,
            "{body:?} went on to a distance of {}",
            away(&app)
        );
        for (arrivals, reach) in [(2, 6.0), (3, 1.0)] {
            change(&mut app, agent, |agent| agent.reach = Some(reach));
            run(&mut app, 2);
            arrive(&mut app, agent, 300, "a smaller reach");
            assert!(away(&app) <= reach + 1e-3, "{body:?} at {}", away(&app));
            assert_eq!(events(&app).reached.len(), arrivals, "{body:?}");
        }
        assert_eq!(events(&app).found.len(), 1, "{body:?}");
    }
}

#[test]
fn a_chaser_tolerates_a_reach_that_changes_in_every_tick() {
    let mut app = level(PlanMode::Inline, &open(40, 9));
    let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(2, 4), cell(37, 4));
    for tick in 0..600 {
        let reach = 2.0 + (tick as f32 * 0.7).sin();
        change(&mut app, agent, |agent| agent.reach = Some(reach));
        run(&mut app, 1);
    }
    assert_away(&app, agent, cell(37, 4), ..=3.0, "at rest");
    assert_eq!(events(&app).stuck, []);
    assert_eq!(events(&app).found.len(), 1);
}
