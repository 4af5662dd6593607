//! Chases, requests and targets that appear, vanish and jump at any time.

use crate::common::*;

#[test]
fn an_agent_knocked_off_its_requested_path_finds_a_new_one() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let agent = spawn_walker(&mut app, body, cell(0, 5), cell(3, 5));
        run(&mut app, 5);
        set_position(&mut app, agent, cell(7, 3));
        run_until(&mut app, 600, |app| {
            has_arrived(app, agent) && position(app, agent).distance(cell(3, 5)) < 0.1
        });
    }
}

#[test]
fn a_target_respawned_as_a_new_entity_needs_a_new_chase() {
    for mode in MODES {
        let mut app = level(mode, ROOM);
        let mut target = spawn_target(&mut app, cell(9, 0));
        let agent = spawn_chaser(&mut app, Body::Kinematic, cell(0, 5), target);
        for n in 0..40 {
            despawn(&mut app, target);
            target = spawn_target(&mut app, cell(9, n % 4));
            if n % 2 == 0 {
                give(&mut app, agent, Chase::new(target));
            }
            run(&mut app, 2);
            if n % 2 == 1 {
                assert_eq!(status(&app, agent), PathStatus::TargetLost);
            }
        }
        give(&mut app, agent, Chase::new(target));
        run_until(&mut app, 600, |app| has_arrived(app, agent));
    }
}

#[test]
fn an_agent_that_chases_itself_is_refused() {
    let mut app = level(PlanMode::Inline, ROOM);
    let agent = spawn_agent(&mut app, Body::Dynamic, cell(0, 0));
    give(&mut app, agent, Chase::new(agent));
    run(&mut app, 60);
    assert_status(&app, agent, Failed(OwnTarget), "its own target");
    assert_eq!(locomotion(&app, agent), Locomotion::Idle);
    assert_eq!(events(&app).reached.len(), 0);
}

#[test]
fn a_target_without_a_transform_is_chased_once_it_has_one() {
    let mut app = level(PlanMode::Inline, ROOM);
    let target = app.world_mut().spawn_empty().id();
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 0), target);
    run(&mut app, 10);
    assert_eq!(status(&app, agent), PathStatus::TargetLost);
    give(&mut app, target, transform_at(cell(9, 3)));
    run_until(&mut app, 600, |app| has_arrived(app, agent));
}

#[test]
fn a_chase_swapped_or_reinserted_in_every_frame_still_arrives() {
    for mode in MODES {
        for reinsert in [false, true] {
            let mut app = level(mode, ROOM);
            let targets = [cell(9, 3), cell(9, 2)].map(|at| spawn_target(&mut app, at));
            let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 5), targets[0]);
            let mut n = 0;
            run_until(&mut app, 2000, |app| {
                n += 1;
                let_tasks_run();
                let mut entity = app.world_mut().entity_mut(agent);
                if reinsert {
                    entity.remove::<Chase>();
                }
                entity.insert(Chase::new(targets[n % 2]));
                has_arrived(app, agent)
            });
        }
    }
}

#[test]
fn a_request_reinserted_in_every_frame_is_answered_and_walked() {
    for moving in [false, true] {
        let mut app = level(PlanMode::Async, &open(200, 200));
        let agent = spawn_agent(&mut app, Body::Transform, cell(0, 0));
        let mut n = 0;
        run_until(&mut app, 1000, |app| {
            n += 1;
            let_tasks_run();
            let goal = cell(150, 150) + Vec2::X * if moving { (n % 10) as f32 } else { 0.0 };
            give(app, agent, PathRequest::to(goal));
            position(app, agent).x > 40.0
        });
    }
}

#[test]
fn request_and_chase_can_be_added_and_removed_in_any_order() {
    for mode in MODES {
        let mut app = level(mode, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        let agent = spawn_agent(&mut app, Body::Transform, cell(0, 5));
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let mut entity = app.world_mut().entity_mut(agent);
            for _ in 0..random.usize(1..3) {
                match random.u32(0..4) {
                    0 => entity.insert(Chase::new(target)),
                    1 => entity.remove::<Chase>(),
                    2 => entity.insert(PathRequest::to(cell(3, 5))),
                    _ => entity.remove::<PathRequest>(),
                };
            }
            let has_intent = entity.contains::<Chase>() || entity.contains::<PathRequest>();
            run(&mut app, 1 + random.usize(0..4));
            let status = status(&app, agent);
            assert_eq!(
                status == PathStatus::Idle,
                !has_intent,
                "the status does not match the components: {status:?}"
            );
        }
        give(&mut app, agent, Chase::new(target));
        remove::<PathRequest>(&mut app, agent);
        run_until(&mut app, 600, |app| has_arrived(app, agent));
    }
}

#[test]
fn a_target_that_teleports_in_every_tick_is_followed() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 5), cell(9, 0));
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..400 {
            let at = Vec2::new(random.f32() * 12.0 - 1.0, random.f32() * 8.0 - 1.0);
            set_position(&mut app, target, at);
            run_off_walls(&mut app, agent, 1, body);
        }
        set_position(&mut app, target, cell(9, 3));
        run_until(&mut app, 900, |app| {
            has_arrived(app, agent) && position(app, agent).distance(cell(9, 3)) < 2.0
        });
    }
}
