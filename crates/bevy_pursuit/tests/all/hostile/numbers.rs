//! Invalid numbers on agents, positions, targets and requests.

use super::BAD_NUMBERS;
use crate::common::*;

#[test]
fn agents_with_invalid_numbers_neither_panic_nor_move() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        let mut agents = Vec::new();
        for bad in BAD_NUMBERS {
            for agent in bad_agents(bad) {
                let entity = spawn_with(&mut app, body, cell(0, 0), (Chase::new(target), agent));
                agents.push((entity, agent));
            }
        }
        run(&mut app, 120);
        for (entity, agent) in agents {
            let here = position(&app, entity);
            assert!(here.is_finite(), "{body:?} {agent:?} is at {here}");
            assert!(
                agent.is_valid() || here == cell(0, 0),
                "{body:?} {agent:?} walked to {here}"
            );
            assert_ne!(status(&app, entity), PathStatus::Idle);
        }
    }
}

#[test]
fn agents_at_invalid_positions_report_outside_grid() {
    for mode in MODES {
        let mut app = level(mode, ROOM);
        let target = spawn_target(&mut app, cell(9, 0));
        for bad in BAD_NUMBERS.into_iter().filter(|bad| *bad != 0.0) {
            let agent = spawn_chaser(&mut app, Body::Transform, Vec2::new(bad, 1.0), target);
            let status = wait_for_answer(&mut app, agent);
            assert_eq!(status.reason(), Some(FailReason::OutsideGrid), "at {bad}");
            let walks_back = matches!(status, PathStatus::Partial(_));
            assert!(bad.is_finite() || !walks_back, "at {bad}");
        }
        run(&mut app, 60);
    }
}

#[test]
fn a_goal_that_returns_from_far_away_is_reached() {
    for mode in MODES {
        for far in [1e30, f32::MAX, -1e25, 1e18] {
            let mut app = level(mode, &open(10, 3));
            let agent = spawn_walker(&mut app, Body::Transform, cell(5, 1), Vec2::new(far, 1.5));
            run_slowly(&mut app, 120);
            let here = position(&app, agent);
            let context = format!("{mode:?} {far}: at {here}");
            assert_status(&app, agent, Partial(GoalOutside), &context);
            let beside = here + Vec2::new(-0.2, 0.2) * far.signum();
            get_mut::<PathRequest>(&mut app, agent).goal = beside.extend(0.0);
            arrive(&mut app, agent, 300, &context);
            assert!(position(&app, agent).distance(beside) < 0.1, "{context}");
        }
    }
}

#[test]
fn chasers_of_targets_at_invalid_positions_recover() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 0), cell(9, 0));
        for bad in BAD_NUMBERS {
            set_position(&mut app, target, Vec2::new(bad, bad));
            run(&mut app, 60);
            assert!(
                position(&app, agent).is_finite(),
                "{body:?}: the position is not finite after {bad}"
            );
            assert_ne!(status(&app, agent), PathStatus::Idle);
        }
        set_position(&mut app, target, cell(9, 3));
        run_until(&mut app, 900, |app| {
            has_arrived(app, agent) && position(app, agent).distance(cell(9, 3)) < 2.0
        });
    }
}

#[test]
fn requests_with_invalid_numbers_are_answered() {
    for mode in MODES {
        let mut app = level(mode, ROOM);
        for bad in BAD_NUMBERS {
            for request in [
                PathRequest::to(Vec2::new(bad, 1.0)),
                PathRequest::to(cell(9, 0)).with_radius(bad),
                PathRequest::to(cell(9, 0)).with_reach(bad),
            ] {
                let entity = spawn_request(&mut app, cell(0, 0), request);
                wait_for_answer(&mut app, entity);
            }
        }
    }
}
