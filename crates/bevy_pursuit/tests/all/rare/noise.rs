//! Random numbers and components in any order. Once they are removed, agents behave as before.

use bevy_pursuit::top_down_controller;

use crate::common::*;

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn agents_arrive_after_random_invalid_numbers_are_removed() {
    const BAD: [f32; 12] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-40,
        0.0,
        -0.0,
        -1.0,
        1e20,
        1e30,
    ];
    for seed in 0..8 {
        let mut app = level(PlanMode::Inline, &open(24, 12));
        spawn_wall(&mut app, Vec2::new(12.0, 4.0), Vec2::new(0.5, 4.0));
        let mut random = fastrand::Rng::with_seed(seed);
        let target = spawn_target(&mut app, cell(20, 2));
        let agents: Vec<Entity> = (0..9)
            .map(|n| spawn_chaser(&mut app, BODIES[n % 3], cell(2, 1 + n), target))
            .collect();
        for _ in 0..500 {
            let agent = agents[random.usize(0..agents.len())];
            let bad = BAD[random.usize(0..BAD.len())];
            match random.u32(0..14) {
                n @ 0..4 => give(&mut app, agent, bad_agents(bad)[n as usize]),
                4 => give(&mut app, agent, NavDrive::Grip(bad)),
                5 => give(&mut app, agent, Chase::new(target).with_reach(bad)),
                6 => {
                    let request = PathRequest::to(Vec2::new(bad, 3.0));
                    give(&mut app, agent, request.with_reach(bad));
                }
                7 => {
                    let request = PathRequest::to(cell(3, 3));
                    give(&mut app, agent, request.with_radius(bad));
                }
                8 => give(&mut app, agent, Flee::new(target, bad)),
                9 => {
                    let mut settings = settings(&mut app);
                    settings.sight_range_cells = bad;
                    settings.max_delta = bad;
                    settings.batch_size = 0;
                    settings.search_budget = [0, 1, u32::MAX][random.usize(0..3)];
                    settings.max_expanded = [Some(0), Some(1), None][random.usize(0..3)];
                }
                10 => set_position(&mut app, target, Vec2::new(bad, 2.0)),
                11 => {
                    let wall = NavObstacle::rectangle(Vec2::new(bad, 0.1));
                    spawn(&mut app, (wall, transform_at(Vec2::new(bad, 30.0))));
                }
                12 => remove::<(PathRequest, Flee)>(&mut app, agent),
                _ => {
                    let fast = NavAgent::from_radius(RADIUS).with_speed(bad);
                    give(&mut app, agent, fast.with_acceleration(bad));
                }
            }
            app.update();
        }
        let mut obstacles = app
            .world_mut()
            .query_filtered::<Entity, With<NavObstacle>>();
        let obstacles: Vec<Entity> = obstacles.iter(app.world()).collect();
        for obstacle in obstacles {
            despawn(&mut app, obstacle);
        }
        app.insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        });
        set_position(&mut app, target, cell(20, 2));
        for agent in &agents {
            let mut agent = app.world_mut().entity_mut(*agent);
            agent.remove::<(PathRequest, Flee, NavDrive)>();
            agent.insert((NavAgent::from_radius(RADIUS), Chase::new(target)));
        }
        run(&mut app, 2);
        // Numbers as large as these move bodies out of the level, which is what the test asked for.
        for (n, agent) in agents.iter().enumerate() {
            let here = position(&app, *agent);
            if !Rect::new(0.0, 0.0, 24.0, 12.0).contains(here) {
                set_position(&mut app, *agent, cell(2, 1 + n));
            }
        }
        run(&mut app, 900);
        arrive_or_settle(&mut app, &agents, 1, ("seed", seed));
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn agents_arrive_after_components_come_and_go_in_any_order() {
    for seed in 0..8 {
        let mut app = level(PlanMode::Inline, &open(24, 8));
        disable_avoidance(&mut app);
        let mut random = fastrand::Rng::with_seed(seed);
        let target = spawn_target(&mut app, cell(20, 2));
        let agents: Vec<Entity> = (0..6)
            .map(|n| spawn_chaser(&mut app, BODIES[n % 3], cell(2, 1 + n), target))
            .collect();
        for _ in 0..600 {
            let agent = agents[random.usize(0..6)];
            let is_insert = random.bool();
            let component = random.u32(0..11);
            let mut agent = app.world_mut().entity_mut(agent);
            let at = cell(random.usize(0..24), random.usize(0..8));
            match (component, is_insert) {
                (0, true) => agent.insert(NavAgent::from_radius(RADIUS)),
                (0, false) => agent.remove::<NavAgent>(),
                (1, true) => agent.insert(Chase::new(target)),
                (1, false) => agent.remove::<Chase>(),
                (2, true) => agent.insert(RigidBody::Dynamic),
                (3, true) => agent.insert(RigidBody::KinematicPositionBased),
                (4, true) => agent.insert(RigidBody::KinematicVelocityBased),
                (2..5, false) => agent.remove::<RigidBody>(),
                (5, true) => {
                    agent.insert((Collider::ball(RADIUS), CollisionGroups::new(AGENTS, WALLS)))
                }
                (5, false) => agent.remove::<Collider>(),
                (6, true) => agent.insert(transform_at(at)),
                (6, false) => agent.remove::<Transform>(),
                (7, true) => agent.insert(RigidBodyDisabled),
                (7, false) => agent.remove::<RigidBodyDisabled>(),
                (8, true) => agent.insert(Velocity::linear(Vec2::splat(3.0))),
                (8, false) => agent.remove::<Velocity>(),
                (9, true) => agent.insert(top_down_controller(RADIUS)),
                (9, false) => agent.remove::<KinematicCharacterController>(),
                (_, true) => agent.insert(NavDrive::Grip(0.3)),
                (_, false) => agent.remove::<NavDrive>(),
            };
            app.update();
        }
        for (n, agent) in agents.iter().enumerate() {
            let mut entity = app.world_mut().entity_mut(*agent);
            entity.remove::<(NavDrive, RigidBodyDisabled)>();
            entity.remove::<(RigidBody, Collider, KinematicCharacterController, Velocity)>();
            entity.insert((
                NavAgent::from_radius(RADIUS),
                Chase::new(target),
                transform_at(cell(2, n)),
            ));
            give_body(&mut app, *agent, BODIES[n % 3]);
        }
        app.world_mut()
            .resource_mut::<ObservedEvents>()
            .reached
            .clear();
        run(&mut app, 600);
        for agent in agents {
            arrive(&mut app, agent, 1, ("seed", seed));
            let arrivals = reached_by(&app, agent).len();
            assert_eq!(arrivals, 1, "seed {seed} {agent}");
        }
    }
}
