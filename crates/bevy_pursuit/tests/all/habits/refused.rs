//! Agents that cannot walk and report why: invalid numbers, parents without a transform, bodies that cannot be driven.

use crate::bake_edits::Edit;
use crate::common::*;

const BAD: [f32; 5] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0];

#[test]
fn an_agent_with_invalid_numbers_fails_as_a_bad_agent() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(12, 5));
        disable_avoidance(&mut app);
        let target = spawn_target(&mut app, cell(9, 2));
        let good = NavAgent::from_radius(RADIUS);
        let mut agents = Vec::new();
        for bad in BAD {
            // A speed of zero and a reach of zero are valid.
            let step = if bad == 0.0 { 2 } else { 1 };
            for (n, agent) in bad_agents(bad).into_iter().step_by(step).enumerate() {
                let entity = spawn_with(&mut app, body, cell(0, 2), (Chase::new(target), agent));
                if n % 2 == 1 {
                    remove::<Chase>(&mut app, entity);
                    give(&mut app, entity, PathRequest::to(cell(9, 2)));
                }
                agents.push((entity, agent));
            }
        }
        run(&mut app, 60);
        for (entity, agent) in &agents {
            assert_status(&app, *entity, Failed(BadAgent), (body, agent));
            assert_eq!(position(&app, *entity), cell(0, 2), "{body:?}: {agent:?}");
            let failures = times_failed(&app, *entity);
            assert_eq!(
                failures, 1,
                "{body:?}: not exactly one failure of {agent:?}"
            );
            give(&mut app, *entity, good);
        }
        for (entity, agent) in agents {
            arrive(&mut app, entity, 300, (body, "fixed after", agent));
        }
    }
}

#[test]
fn chases_and_requests_with_an_invalid_reach_arrive_or_fail() {
    let mut app = level(PlanMode::Inline, &open(12, 5));
    disable_avoidance(&mut app);
    let target = spawn_target(&mut app, cell(9, 2));
    for bad in BAD {
        let agent = spawn_bare(&mut app, cell(0, 2), Chase::new(target).with_reach(bad));
        let walker = spawn_agent(&mut app, Body::Transform, cell(0, 2));
        entity_mut(&mut app, walker).insert(PathRequest::to(cell(9, 2)).with_reach(bad));
        run(&mut app, 200);
        for agent in [agent, walker] {
            let status = status(&app, agent);
            assert!(
                position(&app, agent).is_finite(),
                "reach {bad}: the position is not finite: {status:?}"
            );
            assert!(
                has_arrived(&app, agent) || matches!(status, PathStatus::Failed(_)),
                "reach {bad}: the agent neither arrived nor failed: {status:?}, {:?}",
                locomotion(&app, agent)
            );
        }
    }
}

#[test]
fn an_agent_below_a_parent_without_a_transform_fails_with_no_transform() {
    for mode in MODES {
        let mut app = level(mode, &open(12, 5));
        let parents = [(); 3].map(|()| app.world_mut().spawn_empty().id());
        let seen = spawn_target(&mut app, cell(9, 2));
        let below = spawn_target(&mut app, cell(9, 2));
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(0, 2), seen);
        let hunter = spawn_chaser(&mut app, Body::Transform, cell(0, 3), below);
        let request = spawn_request(&mut app, cell(0, 1), PathRequest::to(cell(9, 1)));
        for (child, parent) in [chaser, below, request].into_iter().zip(parents) {
            give(&mut app, child, ChildOf(parent));
        }
        run_slowly(&mut app, 30);
        assert_status(&app, [chaser, request], Failed(NoTransform), mode);
        assert_status(&app, hunter, PathStatus::TargetLost, mode);
        for parent in parents {
            give(&mut app, parent, Transform::IDENTITY);
        }
        arrive_or_settle(
            &mut app,
            [chaser, hunter],
            300,
            (mode, "the parents have a transform now"),
        );
        run_slowly(&mut app, 10);
        assert_eq!(
            status(&app, request),
            PathStatus::Found,
            "{mode:?}: the parents have a transform now"
        );
    }
}

#[test]
fn a_body_that_cannot_be_driven_fails_with_cannot_move() {
    let kinematic: Edit = |app, agent| give(app, agent, RigidBody::KinematicPositionBased);
    let collider_on_child: Edit = |app, agent| {
        give(app, agent, RigidBody::KinematicPositionBased);
        let groups = CollisionGroups::new(AGENTS, WALLS);
        let child = (Collider::ball(RADIUS), groups, Transform::IDENTITY);
        spawn(app, (child, ChildOf(agent)));
    };
    let fixed: Edit = |app, agent| give(app, agent, (RigidBody::Fixed, Collider::ball(RADIUS)));
    let solid: Edit = |app, agent| {
        entity_mut(app, agent).despawn_related::<Children>();
        let groups = CollisionGroups::new(AGENTS, WALLS);
        give(app, agent, (Collider::ball(RADIUS), groups));
    };
    let dynamic: Edit = |app, agent| give(app, agent, RigidBody::Dynamic);
    for (problem, break_body, fix) in [
        ("kinematic without a collider", kinematic, solid),
        (
            "kinematic with its collider on a child",
            collider_on_child,
            solid,
        ),
        ("fixed", fixed, dynamic),
    ] {
        let mut app = level(PlanMode::Inline, &open(12, 5));
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 2), cell(9, 2));
        break_body(&mut app, agent);
        run(&mut app, 120);
        assert_status(&app, agent, Failed(CannotMove), problem);
        assert_eq!(
            events(&app).stuck,
            [],
            "{problem}: the agent was reported stuck"
        );
        assert_eq!(
            events(&app).failed.len(),
            1,
            "{problem}: not exactly one failure event"
        );
        fix(&mut app, agent);
        arrive(&mut app, agent, 300, (&problem, "fixed"));
    }
}

#[test]
fn planning_works_with_budgets_of_zero() {
    for mode in MODES {
        let mut app = level(mode, &open(12, 5));
        let mut settings = settings(&mut app);
        settings.batch_size = 0;
        settings.search_budget = 0;
        settings.sight_range_cells = 0.0;
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 2), cell(9, 2));
        arrive(&mut app, agent, 300, (mode, "budgets of zero"));
    }
}
