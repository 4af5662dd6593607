//! Bodies that are swapped, that have extreme sizes, that have an invalid position for one tick, or that have moving
//! parents.

use super::Once;
use crate::common::*;

#[test]
fn a_body_given_back_to_a_resting_agent_does_not_move() {
    let mut slides = Vec::new();
    for swap in ["removed", "kinematic", "fixed", "velocity", "disabled"] {
        let mut app = level(PlanMode::Inline, &open(60, 6));
        let agent = spawn_walker(&mut app, Body::Dynamic, cell(2, 2), cell(58, 2));
        run(&mut app, 60);
        match swap {
            "removed" => remove::<RigidBody>(&mut app, agent),
            "kinematic" => give(&mut app, agent, RigidBody::KinematicPositionBased),
            "velocity" => give(&mut app, agent, RigidBody::KinematicVelocityBased),
            "fixed" => give(&mut app, agent, RigidBody::Fixed),
            _ => give(&mut app, agent, RigidBodyDisabled),
        }
        run(&mut app, 10);
        remove::<PathRequest>(&mut app, agent);
        run(&mut app, 10);
        give(&mut app, agent, RigidBody::Dynamic);
        remove::<RigidBodyDisabled>(&mut app, agent);
        run(&mut app, 3);
        let before = position(&app, agent);
        run(&mut app, 120);
        let slid = position(&app, agent).distance(before);
        if slid > 0.1 {
            slides.push((swap, slid));
        }
    }
    assert!(slides.is_empty(), "bodies slid at rest: {slides:?}");
}

#[test]
fn an_agent_with_an_invalid_position_for_one_tick_still_arrives() {
    for bad in [Vec3::NAN, Vec3::INFINITY] {
        let mut app = level(PlanMode::Inline, &open(60, 6));
        app.init_resource::<Once>();
        let agent = spawn_walker(&mut app, Body::Transform, cell(2, 2), cell(58, 2));
        run(&mut app, 20);
        let spoil = move |mut agents: Query<&mut Transform, With<NavAgent>>,
                          mut once: ResMut<Once>| {
            if !std::mem::replace(&mut once.0, true) {
                for mut transform in &mut agents {
                    transform.translation = bad;
                }
            }
        };
        let between = spoil
            .after(PursuitSystems::Follow)
            .before(PursuitSystems::Drive);
        app.add_systems(FixedUpdate, between);
        let before = position(&app, agent);
        app.update();
        set_position(&mut app, agent, before);
        run(&mut app, 600);
        let here = position(&app, agent);
        assert!(
            has_arrived(&app, agent),
            "{bad}: the agent stands at {here}"
        );
    }
}

#[test]
fn an_agent_that_is_never_moved_reports_stuck_once() {
    let mut app = level(PlanMode::Inline, &"..........#.\n".repeat(3));
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(0, 1), cell(7, 1));
    give(&mut app, agent, NavDrive::Manual);
    let mut random = fastrand::Rng::with_seed(9);
    for n in 0..1800 {
        if n % 100 == 0 {
            let at = [cell(7, 1), cell(11, 1), cell(5, 0)][random.usize(0..3)];
            set_position(&mut app, target, at);
        }
        app.update();
    }
    let reports = events(&app).stuck.len();
    assert_eq!(
        reports, 1,
        "not exactly one stuck event for an agent that never moves"
    );
}

#[test]
fn sizes_from_a_dust_grain_to_a_mountain_do_not_panic() {
    let (small, large) = ([1e-40, 1e-30, 1e-10, 1e-4], [5.0, 1e4, 1e10, 1e20, 1e30]);
    for radius in small.into_iter().chain(large).chain([f32::MAX]) {
        for body in BODIES {
            let mut app = level(PlanMode::Inline, &open(12, 6));
            let (agent, _) = spawn_chase(&mut app, body, cell(1, 1), cell(10, 3));
            let sized = NavAgent {
                radius,
                speed: 8.0,
                acceleration: 30.0,
                ..NavAgent::default()
            };
            give(&mut app, agent, sized);
            run(&mut app, 200);
            let here = position(&app, agent);
            assert!(here.is_finite(), "{body:?} of {radius} at {here}");
            if radius < 1e-3 {
                assert!(has_arrived(&app, agent), "{body:?} of {radius} at {here}");
                assert_eq!(events(&app).reached.len(), 1, "{body:?} of {radius}");
            }
        }
    }
}

#[test]
fn an_agent_under_changing_parents_keeps_off_walls_and_arrives() {
    for seed in 0..4 {
        let mut app = level(PlanMode::Inline, &open(24, 12));
        spawn_wall(&mut app, Vec2::new(12.0, 4.0), Vec2::new(0.5, 4.0));
        run(&mut app, 2);
        let mut random = fastrand::Rng::with_seed(seed);
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(2, 2), cell(20, 2));
        let parents: Vec<Entity> = (0..3).map(|_| spawn_target(&mut app, Vec2::ZERO)).collect();
        let here = |app: &mut App| {
            let question = move |helper: TransformHelper| helper.compute_global_transform(agent);
            let place = app.world_mut().run_system_once(question);
            let place = place
                .expect("the system runs")
                .expect("the agent has a transform");
            place.translation().truncate()
        };
        for n in 0..900 {
            if n % 10 == 0 {
                // Attaches the agent to another parent that just moved, at the same place in the world.
                let at = here(&mut app);
                let parent = parents[random.usize(0..3)];
                let placed = Transform::from_xyz(random.f32() * 20.0, random.f32() * 20.0, 1.0)
                    .with_rotation(Quat::from_rotation_z(random.f32() * 6.0))
                    .with_scale(Vec3::new(0.5 + random.f32(), 0.5 + random.f32() * 2.0, 1.0));
                give(&mut app, parent, placed);
                let local = placed
                    .to_matrix()
                    .inverse()
                    .transform_point3(at.extend(0.0));
                let mut agent = app.world_mut().entity_mut(agent);
                agent.insert(Transform::from_translation(local));
                if random.u32(0..4) == 0 {
                    agent.remove::<ChildOf>();
                    agent.insert(transform_at(at));
                } else {
                    agent.insert(ChildOf(parent));
                }
            }
            app.update();
            let at = here(&mut app);
            let away = wall_distance(&mut app, at);
            assert!(
                away >= 0.98 * RADIUS,
                "seed {seed}: {away} from a wall at {at}"
            );
        }
        assert!(has_arrived(&app, agent), "seed {seed}");
        assert_eq!(events(&app).reached.len(), 1, "seed {seed}");
    }
}
