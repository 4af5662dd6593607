//! The numbers of an agent, changed while it is on its way.

use super::{TICK, open_level};
use crate::common::*;

fn change(app: &mut App, agent: Entity, change: impl FnOnce(&mut NavAgent)) {
    let agent = app.world_mut().get_mut::<NavAgent>(agent);
    change(&mut agent.expect("the entity is an agent"));
}

/// Walks an agent whose speed changes in every tick.
fn walks_at_changing_speeds(mut app: App, body: Body) {
    open_level(&mut app, 60, 7);
    let agent = spawn_walker(&mut app, body, cell(1, 3), cell(58, 3));
    let most = NavAgent::from_radius(RADIUS).acceleration * TICK;
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
        let way_left = position(&app, agent).distance(cell(58, 3));
        assert!(now - before < 1.01 * most, "{body:?} jumps to {now}");
        // At its goal it is there, however fast it was in the tick before.
        assert!(before - now < 1.01 * most || way_left < 0.5, "{body:?}");
        before = now;
        fastest = fastest.max(now);
    }
    assert!(has_arrived(&app, agent), "{body:?}");
    assert!(fastest > 9.0, "{body:?} was never faster than {fastest}");
    assert_eq!(events(&app).found.len(), 1, "{body:?}");
    assert_eq!(events(&app).reached.len(), 1, "{body:?}");
}

#[test]
fn a_speed_may_change_in_every_tick() {
    for body in BODIES {
        walks_at_changing_speeds(game(60.0, PlanMode::Inline), body);
    }
    walks_at_changing_speeds(game_without_rapier(), Body::Transform);
}

#[test]
fn a_speed_of_zero_stands_and_more_goes_on() {
    let mut app = level(PlanMode::Inline, &open(40, 7));
    let agent = spawn_walker(&mut app, Body::Dynamic, cell(1, 3), cell(38, 3));
    run(&mut app, 40);
    change(&mut app, agent, |agent| agent.speed = 0.0);
    run(&mut app, 40);
    let before = position(&app, agent);
    run(&mut app, 120);
    assert!(position(&app, agent).distance(before) < 1e-4);
    assert_eq!(events(&app).stuck, [], "who cannot go is not stuck");
    change(&mut app, agent, |agent| agent.speed = 8.0);
    arrive(&mut app, agent, 600, "at speed again");
}

#[test]
fn a_radius_may_change_in_every_tick() {
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
fn a_new_radius_is_planned_for() {
    let mut app = level(PlanMode::Inline, &open(40, 9));
    let agent = spawn_walker(&mut app, Body::Transform, cell(2, 4), cell(37, 4));
    run(&mut app, 10);
    for radius in [0.8, 0.3, 1.2] {
        change(&mut app, agent, |agent| agent.radius = radius);
        run(&mut app, 3);
        assert_eq!(get::<NavPath>(&app, agent).body().radius, radius);
        assert_ne!(desired(&app, agent), Vec2::ZERO, "it walks on");
    }
    assert_eq!(events(&app).found.len(), 1, "the same errand");
}

#[test]
fn a_reach_that_grows_ends_the_way_and_one_that_shrinks_goes_on() {
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
        assert!(away(&app) > 11.0, "{body:?} came on to {}", away(&app));
        for (told, reach) in [(2, 6.0), (3, 1.0)] {
            change(&mut app, agent, |agent| agent.reach = Some(reach));
            run(&mut app, 2);
            arrive(&mut app, agent, 300, "a smaller reach");
            assert!(away(&app) <= reach + 1e-3, "{body:?} at {}", away(&app));
            assert_eq!(events(&app).reached.len(), told, "{body:?}");
        }
        assert_eq!(events(&app).found.len(), 1, "{body:?}");
    }
}

#[test]
fn a_reach_may_change_in_every_tick() {
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
