//! How agents move when their goal changes or is out of sight.

use crate::common::*;

#[test]
fn a_chaser_of_a_walking_target_keeps_its_speed_and_arrives_once() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(60, 5));
        let (agent, target) = spawn_chase(&mut app, body, cell(1, 2), cell(6, 2));
        let mut slowest = f32::INFINITY;
        for tick in 0..600 {
            let walked = tick as f32 * 3.0 / 60.0;
            set_position(&mut app, target, cell(6, 2) + Vec2::X * walked);
            app.update();
            if tick > 180 {
                slowest = slowest.min(desired(&app, agent).length());
            }
        }
        let times = events(&app).reached.len();
        assert_eq!(times, 1, "{body:?}: one catch gives {times} events");
        assert!(
            slowest > 2.4,
            "{body:?}: the chaser slows down behind its target to {slowest}"
        );
    }
}

#[test]
fn a_chaser_that_caught_its_target_keeps_its_distance() {
    let mut app = level(PlanMode::Inline, &open(40, 5));
    let mut at = cell(4, 2);
    let target = spawn_target(&mut app, at);
    let chase = Chase::new(target).with_reach(1.0);
    let agent = spawn_bare(&mut app, cell(1, 2), chase);
    arrive(&mut app, agent, 120, "the target stands");
    // The target comes closer, then runs away.
    at = position(&app, agent) + Vec2::X * 0.2;
    for _ in 0..120 {
        at += Vec2::X * 0.05;
        set_position(&mut app, target, at);
        run(&mut app, 1);
        let away = position(&app, agent).distance(at);
        assert!(
            has_arrived(&app, agent),
            "the chaser lost its target, {away} behind"
        );
    }
    let away = position(&app, agent).distance(at);
    assert!(
        away > 0.7,
        "the chaser copies each turn of the target from {away} behind"
    );
    assert_eq!(
        events(&app).reached.len(),
        1,
        "not exactly one event for one catch"
    );
}

#[test]
fn a_chaser_follows_its_target_around_a_corner_without_a_stop() {
    let block = "######......\n".repeat(6);
    let map = format!("{}{block}{}", open(12, 3), open(12, 3));
    let mut app = level(PlanMode::Inline, &map);
    let corner = cell(6, 9);
    let mut at = cell(1, 9);
    let target = spawn_target(&mut app, at);
    let chase = Chase::new(target).with_reach(1.0);
    let agent = spawn_bare(&mut app, cell(0, 9), chase);
    arrive(&mut app, agent, 60, "the target stands");
    let mut last = position(&app, agent);
    let mut ticks_stood = 0;
    while at.y > 3.0 {
        let to_corner = corner.x - at.x;
        at += if to_corner > 0.0 {
            Vec2::X * to_corner.min(0.08)
        } else {
            Vec2::NEG_Y * 0.08
        };
        set_position(&mut app, target, at);
        run(&mut app, 1);
        let here = position(&app, agent);
        let step = here - last;
        last = here;
        assert!(
            step.x > -0.01 && step.y < 0.01,
            "the chaser turned back by {step} at {here}"
        );
        ticks_stood = if step.length() < 0.004 {
            ticks_stood + 1
        } else {
            0
        };
        assert!(
            ticks_stood < 3,
            "the chaser stood at {here} while the target ran to {at}"
        );
        // The chaser needs some time to reach its full speed.
        let has_caught_up = at.x > 5.5;
        assert!(
            has_arrived(&app, agent) || !has_caught_up,
            "the chaser lost the target at {here}"
        );
    }
}

#[test]
fn an_archer_without_a_line_of_sight_moves_at_full_speed() {
    let mut app = level(PlanMode::Inline, &open(40, 30));
    spawn_wall(&mut app, Vec2::new(20.0, 15.0), Vec2::new(6.0, 1.0));
    run(&mut app, 2);
    let target = spawn_target(&mut app, Vec2::new(20.0, 18.0));
    let chase = Chase::new(target).with_reach(30.0).with_sight();
    let agent = spawn_bare(&mut app, Vec2::new(20.0, 10.0), chase);
    let speed = get::<NavAgent>(&app, agent).speed;
    run(&mut app, 40);
    let now = desired(&app, agent).length();
    assert!(
        now > 0.9 * speed,
        "the archer brakes although it has no line of sight: {now}"
    );
    arrive(&mut app, agent, 300, "around the wall");
}

#[test]
fn an_agent_moved_off_the_end_of_a_partial_path_plans_again() {
    const ROOMS: &str = "
        ..........
        ..........
        ##########
        ..........
    ";
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOMS);
        let request = PathRequest::to(cell(9, 3));
        let agent = spawn_with(&mut app, body, cell(0, 0), request);
        run_until(&mut app, 300, |app| {
            locomotion(app, agent) == Locomotion::Waiting
        });
        run(&mut app, 120);
        set_position(&mut app, agent, cell(1, 3));
        arrive(&mut app, agent, 300, "from the room of the goal");
    }
}
