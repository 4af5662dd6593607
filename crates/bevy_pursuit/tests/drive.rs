//! Drivers: bodies go as their agents want, stop when nobody drives them, and are left alone else.

mod common;

use std::time::Duration;

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use common::*;

/// What a test wants of an agent, in place of a path.
#[derive(Component, Clone, Copy)]
struct Want(Vec2);

/// Which stages a game lets run.
#[derive(Resource, Clone, Copy)]
struct Gate {
    follow: bool,
    drive: bool,
    physics: bool,
}

const OPEN: Gate = Gate {
    follow: true,
    drive: true,
    physics: true,
};

fn wish(mut agents: Query<(&Want, &mut DesiredVelocity)>) {
    for (want, mut desired) in &mut agents {
        desired.set_if_neq(DesiredVelocity(want.0));
    }
}

/// A game without a level, in which agents want what their [`Want`] says.
fn drivers(hz: f64) -> App {
    let mut app = game(hz, PlanMode::Inline);
    app.insert_resource(OPEN)
        .configure_sets(
            FixedUpdate,
            (
                PursuitSystems::Follow.run_if(|gate: Res<Gate>| gate.follow),
                PursuitSystems::Drive.run_if(|gate: Res<Gate>| gate.drive),
                PhysicsSet::StepSimulation.run_if(|gate: Res<Gate>| gate.physics),
            ),
        )
        .add_systems(
            FixedUpdate,
            wish.after(PursuitSystems::Follow)
                .before(PursuitSystems::Drive)
                .run_if(|gate: Res<Gate>| gate.follow),
        );
    run(&mut app, 2);
    app
}

fn gate(app: &mut App, gate: Gate) {
    app.insert_resource(gate);
}

/// Every way to be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Bare,
    Position,
    Velocity,
    Dynamic,
}

const KINDS: [Kind; 4] = [Kind::Bare, Kind::Position, Kind::Velocity, Kind::Dynamic];

fn spawn(app: &mut App, kind: Kind, at: Vec2, want: Vec2) -> Entity {
    let agent = NavAgent::from_radius(RADIUS);
    let place = Transform::from_translation(at.extend(0.0));
    let entity = app.world_mut().spawn((agent, place, Want(want))).id();
    let body = match kind {
        Kind::Bare => return entity,
        Kind::Position => RigidBody::KinematicPositionBased,
        Kind::Velocity => RigidBody::KinematicVelocityBased,
        Kind::Dynamic => RigidBody::Dynamic,
    };
    let solid = (body, Collider::ball(RADIUS));
    app.world_mut().entity_mut(entity).insert(solid);
    entity
}

fn want(app: &mut App, entity: Entity, velocity: Vec2) {
    app.world_mut().entity_mut(entity).insert(Want(velocity));
}

/// How far an entity goes in so many ticks.
fn way(app: &mut App, entity: Entity, ticks: usize) -> f32 {
    let before = position(app, entity);
    run(app, ticks);
    position(app, entity).distance(before)
}

#[test]
fn every_body_goes_as_it_wants() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::new(3.0, 4.0));
        run(&mut app, 5);
        let way = way(&mut app, agent, 60);
        assert!((way - 5.0).abs() < 0.01, "{kind:?} went {way}");
    }
}

#[test]
fn a_body_drifts_on_at_full_speed_when_drive_is_gated() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        assert!(way(&mut app, agent, 10) > 0.8);
        let drive = false;
        gate(&mut app, Gate { drive, ..OPEN });
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 60), 0.0, "{kind:?} drifts");
        gate(&mut app, OPEN);
        assert!(way(&mut app, agent, 10) > 0.8, "{kind:?} goes on");
    }
}

#[test]
fn a_body_walks_on_for_ever_when_follow_is_gated() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        assert!(way(&mut app, agent, 10) > 0.8);
        let follow = false;
        gate(&mut app, Gate { follow, ..OPEN });
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 60), 0.0, "{kind:?} walks on");
        gate(&mut app, OPEN);
        assert!(way(&mut app, agent, 10) > 0.8, "{kind:?} goes on");
    }
}

#[test]
fn a_body_that_came_while_drive_was_gated_is_equipped_afterwards() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let drive = false;
        gate(&mut app, Gate { drive, ..OPEN });
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 10);
        gate(&mut app, OPEN);
        run(&mut app, 2);
        assert!(way(&mut app, agent, 30) > 3.9, "{kind:?}");
    }
}

#[test]
fn a_body_that_was_disabled_when_it_came_is_equipped_afterwards() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        app.world_mut().entity_mut(agent).insert(Disabled);
        run(&mut app, 10);
        app.world_mut().entity_mut(agent).remove::<Disabled>();
        run(&mut app, 2);
        assert!(way(&mut app, agent, 30) > 3.9, "{kind:?}");
    }
}

#[test]
fn a_body_that_is_disabled_under_way_stands_where_it_was_when_it_is_enabled() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 10);
        app.world_mut().entity_mut(agent).insert(Disabled);
        let before = position(&app, agent);
        run(&mut app, 60);
        want(&mut app, agent, Vec2::ZERO);
        app.world_mut().entity_mut(agent).remove::<Disabled>();
        run(&mut app, 10);
        let way = position(&app, agent).distance(before);
        assert!(way < 0.01, "{kind:?} went {way} while disabled");
        want(&mut app, agent, Vec2::X * 8.0);
        assert!(self::way(&mut app, agent, 30) > 3.9, "{kind:?} goes on");
    }
}

#[test]
fn a_body_that_is_no_agent_any_more_stops() {
    for kind in KINDS {
        for with_all in [false, true] {
            let mut app = drivers(60.0);
            let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
            run(&mut app, 10);
            let mut entity = app.world_mut().entity_mut(agent);
            entity.remove::<Want>();
            if with_all {
                // All that the agent brought with it, but for the transform.
                let place = *entity.get::<Transform>().unwrap();
                entity.remove_with_requires::<NavAgent>().insert(place);
            } else {
                entity.remove::<NavAgent>();
            }
            run(&mut app, 1);
            let way = way(&mut app, agent, 60);
            assert_eq!(way, 0.0, "{kind:?}, with all: {with_all}");
        }
    }
}

#[test]
fn collision_groups_that_come_after_the_controller_count() {
    let mut app = drivers(60.0);
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::ZERO);
    run(&mut app, 3);
    // A crate that the agent's groups leave out.
    app.world_mut().spawn((
        Collider::cuboid(0.5, 3.0),
        CollisionGroups::new(Group::GROUP_3, Group::ALL),
        Transform::from_xyz(3.0, 0.0, 0.0),
    ));
    app.world_mut()
        .entity_mut(agent)
        .insert(CollisionGroups::new(AGENTS, WALLS));
    want(&mut app, agent, Vec2::X * 8.0);
    assert!(way(&mut app, agent, 60) > 7.5, "stuck at the crate");
    // Groups that change, and go.
    let filter = |app: &App| get::<KinematicCharacterController>(app, agent).filter_groups;
    let others = CollisionGroups::new(AGENTS, Group::GROUP_3);
    app.world_mut().entity_mut(agent).insert(others);
    run(&mut app, 1);
    assert_eq!(filter(&app), Some(others));
    app.world_mut()
        .entity_mut(agent)
        .remove::<CollisionGroups>();
    run(&mut app, 1);
    assert_eq!(filter(&app), None);
}

fn offset(app: &App, agent: Entity) -> CharacterLength {
    get::<KinematicCharacterController>(app, agent).offset
}

#[test]
fn the_gap_of_a_given_controller_follows_the_radius() {
    let mut app = drivers(60.0);
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::ZERO);
    run(&mut app, 2);
    assert_eq!(
        offset(&app, agent),
        CharacterLength::Absolute(0.01 * RADIUS)
    );
    let clone = app.world_mut().entity_mut(agent).clone_and_spawn();
    for entity in [agent, clone] {
        let mut agent = app.world_mut().get_mut::<NavAgent>(entity).unwrap();
        agent.radius = 3.0;
    }
    run(&mut app, 1);
    for entity in [agent, clone] {
        assert_eq!(offset(&app, entity), CharacterLength::Absolute(0.03));
    }
}

#[test]
fn a_controller_of_the_user_is_left_alone() {
    let mut app = drivers(60.0);
    let own = KinematicCharacterController {
        offset: CharacterLength::Relative(0.02),
        ..default()
    };
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::X);
    app.world_mut().entity_mut(agent).insert(own.clone());
    let replaced = spawn(&mut app, Kind::Position, Vec2::Y * 9.0, Vec2::X);
    run(&mut app, 2);
    app.world_mut().entity_mut(replaced).insert(own.clone());
    for entity in [agent, replaced] {
        let groups = CollisionGroups::new(AGENTS, WALLS);
        app.world_mut().entity_mut(entity).insert(groups);
        run(&mut app, 2);
        let now = get::<KinematicCharacterController>(&app, entity);
        assert_eq!((now.offset, now.filter_groups), (own.offset, None));
    }
}

#[test]
fn bodies_do_not_move_while_the_physics_is_off_and_go_on_afterwards() {
    for kind in [Kind::Position, Kind::Velocity, Kind::Dynamic] {
        for by_run_condition in [false, true] {
            let mut app = drivers(60.0);
            let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
            run(&mut app, 10);
            let switch = |app: &mut App, physics: bool| {
                if by_run_condition {
                    gate(app, Gate { physics, ..OPEN });
                } else {
                    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
                    let mut config = configs.single_mut(app.world_mut()).unwrap();
                    config.physics_pipeline_active = physics;
                }
            };
            switch(&mut app, false);
            // A run condition is noticed in the tick after.
            run(&mut app, if by_run_condition { 1 } else { 0 });
            let way_off = way(&mut app, agent, 120);
            assert!(way_off < 1e-6, "{kind:?} walked {way_off}");
            switch(&mut app, true);
            run(&mut app, 1);
            assert!(way(&mut app, agent, 30) > 3.9, "{kind:?} goes on");
        }
    }
}

#[test]
fn a_body_that_the_physics_disabled_does_not_move_and_goes_on_afterwards() {
    for kind in [Kind::Position, Kind::Velocity, Kind::Dynamic] {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 10);
        app.world_mut().entity_mut(agent).insert(RigidBodyDisabled);
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 120), 0.0, "{kind:?}");
        app.world_mut()
            .entity_mut(agent)
            .remove::<RigidBodyDisabled>();
        run(&mut app, 2);
        assert!(way(&mut app, agent, 30) > 3.9, "{kind:?} goes on");
    }
}

#[test]
fn agents_walk_at_their_speed_however_far_from_the_origin() {
    let speed = Vec2::new(6.4, 4.8);
    for (kind, hz, away) in [
        (Kind::Bare, 60.0, 1e6),
        (Kind::Bare, 1000.0, 1e4),
        (Kind::Bare, 1000.0, 1e6),
        (Kind::Position, 1000.0, 1e4),
    ] {
        let mut app = drivers(hz);
        let agent = spawn(&mut app, kind, Vec2::splat(-away), speed);
        run(&mut app, 5);
        let way = way(&mut app, agent, hz as usize);
        assert!(
            (way - 8.0).abs() < 0.08,
            "{kind:?} at {away} and {hz} Hz went {way}"
        );
    }
}

#[test]
fn a_bare_child_walks_at_its_speed_far_from_the_origin() {
    let mut app = drivers(1000.0);
    let parent = Transform::from_xyz(1e4, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_z(1.0))
        .with_scale(Vec3::new(2.0, 0.5, 1.0));
    let parent = app.world_mut().spawn(parent).id();
    let agent = spawn(&mut app, Kind::Bare, Vec2::new(1e4, 2e4), Vec2::X * 8.0);
    app.world_mut().entity_mut(agent).insert(ChildOf(parent));
    run(&mut app, 5);
    let place = |app: &App| {
        let global = app.world().get::<GlobalTransform>(agent).unwrap();
        global.translation().truncate()
    };
    let before = place(&app);
    run(&mut app, 1000);
    let way = place(&app) - before;
    assert!(way.distance(Vec2::X * 8.0) < 0.08, "went {way}");
}

#[test]
fn a_knock_back_moves_a_body_of_low_grip_nearly_as_far_as_a_free_one() {
    let ways = [Some(1.0), Some(0.2), None].map(|grip| {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, Kind::Dynamic, Vec2::ZERO, Vec2::X * 8.0);
        app.world_mut().entity_mut(agent).insert(match grip {
            Some(grip) => NavDrive { grip },
            None => NavDrive { grip: 0.0 },
        });
        run(&mut app, 60);
        // Against the way that it goes, as a hit from the front.
        if let Some(mut velocity) = app.world_mut().get_mut::<Velocity>(agent) {
            velocity.linear = Vec2::ZERO;
        }
        let mass = std::f32::consts::PI * RADIUS * RADIUS;
        app.world_mut().entity_mut(agent).insert(ExternalImpulse {
            impulse: Vec2::NEG_X * 20.0 * mass,
            ..default()
        });
        way(&mut app, agent, 8)
    });
    let [firm, loose, free] = ways;
    assert!(free > 2.0, "a free body flew {free}");
    assert!(loose > 0.8 * free, "{loose} of {free}");
    assert!(firm < 0.5 * free, "{firm} of {free}");
}

#[test]
fn a_body_of_low_grip_comes_up_to_speed_and_to_rest() {
    let mut app = drivers(60.0);
    let agent = spawn(&mut app, Kind::Dynamic, Vec2::ZERO, Vec2::X * 8.0);
    let grip = 0.2;
    app.world_mut().entity_mut(agent).insert(NavDrive { grip });
    // Full acceleration takes 0.3 s.
    run(&mut app, 18);
    let speed = get::<Velocity>(&app, agent).linear.x;
    assert!((1.4..1.8).contains(&speed), "{speed} after a fifth");
    run(&mut app, 75);
    assert_eq!(get::<Velocity>(&app, agent).linear, Vec2::X * 8.0);
    want(&mut app, agent, Vec2::ZERO);
    run(&mut app, 95);
    assert_eq!(way(&mut app, agent, 10), 0.0);
}

#[test]
fn a_grip_of_zero_leaves_every_body_to_the_game() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        app.world_mut()
            .entity_mut(agent)
            .insert(NavDrive { grip: 0.0 });
        assert_eq!(way(&mut app, agent, 30), 0.0, "{kind:?}");
        if let Some(mut velocity) = app.world_mut().get_mut::<Velocity>(agent) {
            velocity.linear = Vec2::Y * 3.0;
            let way = way(&mut app, agent, 60);
            assert!((way - 3.0).abs() < 0.01, "{kind:?} went {way}");
        }
    }
}

#[test]
fn a_grip_that_makes_no_sense_counts_as_full() {
    for grip in [f32::NAN, -1.0, 2.0, f32::INFINITY] {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, Kind::Dynamic, Vec2::ZERO, Vec2::X * 8.0);
        app.world_mut().entity_mut(agent).insert(NavDrive { grip });
        run(&mut app, 2);
        assert_eq!(get::<Velocity>(&app, agent).linear, Vec2::X * 8.0);
    }
}

#[test]
fn a_velocity_that_the_game_sets_on_an_agent_that_wants_nothing_stays() {
    for kind in [Kind::Velocity, Kind::Dynamic] {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 10);
        want(&mut app, agent, Vec2::ZERO);
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 30), 0.0, "{kind:?} is stopped once");
        app.world_mut().get_mut::<Velocity>(agent).unwrap().linear = Vec2::Y * 3.0;
        let way = way(&mut app, agent, 60);
        assert!((way - 3.0).abs() < 0.01, "{kind:?} went {way}");
    }
}

#[test]
fn a_step_that_the_game_asks_of_a_controller_stays() {
    let mut app = drivers(60.0);
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::X * 8.0);
    run(&mut app, 10);
    want(&mut app, agent, Vec2::ZERO);
    run(&mut app, 2);
    let before = position(&app, agent);
    for _ in 0..10 {
        let mut controller = app
            .world_mut()
            .get_mut::<KinematicCharacterController>(agent)
            .unwrap();
        controller.translation = Some(Vec2::Y * 0.1);
        app.update();
    }
    let way = position(&app, agent) - before;
    assert!(way.distance(Vec2::Y) < 1e-3, "went {way}");
}

#[derive(Resource, Default, Debug, PartialEq)]
struct Changes {
    velocities: usize,
    transforms: usize,
}

fn count_changes(
    mut changes: ResMut<Changes>,
    velocities: Query<(), (Changed<Velocity>, With<NavAgent>)>,
    transforms: Query<(), (Changed<Transform>, With<NavAgent>)>,
) {
    changes.velocities += velocities.iter().count();
    changes.transforms += transforms.iter().count();
}

#[test]
fn nothing_is_marked_as_changed_that_did_not_change() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        app.init_resource::<Changes>()
            .add_systems(Last, count_changes);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 20);
        app.insert_resource(Changes::default());
        run(&mut app, 20);
        let moving = Changes {
            velocities: 0,
            transforms: 20,
        };
        assert_eq!(*app.world().resource::<Changes>(), moving, "{kind:?}");
        want(&mut app, agent, Vec2::ZERO);
        run(&mut app, 5);
        app.insert_resource(Changes::default());
        run(&mut app, 20);
        let still = Changes::default();
        assert_eq!(*app.world().resource::<Changes>(), still, "{kind:?}");
    }
}

#[test]
fn an_agent_walks_alike_alone_and_among_thousands() {
    let walk = |count: usize| {
        let mut app = drivers(60.0);
        build_level(&mut app, "..........\n....##....\n..........\n");
        run(&mut app, 3);
        let agents: Vec<Entity> = (0..count)
            .map(|n| {
                let at = Vec2::new(0.5 + (n % 90) as f32 * 0.1, 0.5);
                spawn(&mut app, Kind::Bare, at, Vec2::from_angle(n as f32) * 2.0)
            })
            .collect();
        run(&mut app, 60);
        agents.map_positions(&app)
    };
    let (alone, crowd) = (walk(40), walk(1500));
    assert_eq!(alone[..], crowd[..40]);
}

trait Positions {
    fn map_positions(&self, app: &App) -> Vec<Vec2>;
}

impl Positions for Vec<Entity> {
    fn map_positions(&self, app: &App) -> Vec<Vec2> {
        self.iter().map(|entity| position(app, *entity)).collect()
    }
}

#[test]
fn a_longest_step_that_makes_no_sense_counts_as_the_default() {
    for max_step in [0.0, -1.0, f32::NAN] {
        let mut app = drivers(60.0);
        app.world_mut().resource_mut::<PursuitSettings>().max_step = max_step;
        let agent = spawn(&mut app, Kind::Bare, Vec2::ZERO, Vec2::X * 8.0);
        assert!(way(&mut app, agent, 30) > 3.9, "max_step {max_step}");
    }
}

#[test]
fn a_body_that_cannot_be_driven_fails_and_says_why() {
    for body in [RigidBody::Fixed, RigidBody::KinematicPositionBased] {
        let mut app = game(60.0, PlanMode::Inline);
        build_level(&mut app, "........");
        let target = spawn_target(&mut app, cell(7, 0));
        let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 0), target);
        app.world_mut().entity_mut(agent).insert(body);
        run(&mut app, 120);
        let status = get::<PathStatus>(&app, agent);
        assert!(matches!(status, PathStatus::Failed(_)), "{status:?}");
        assert!(heard(&app).stuck.is_empty());
    }
}

#[test]
fn nobody_is_stuck_while_the_physics_is_off_or_its_body_disabled() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for way_to_pause in 0..3 {
            let mut app = game(60.0, PlanMode::Inline);
            app.insert_resource(OPEN).configure_sets(
                FixedUpdate,
                PhysicsSet::StepSimulation.run_if(|gate: Res<Gate>| gate.physics),
            );
            build_level(&mut app, "....................");
            let target = spawn_target(&mut app, cell(19, 0));
            let agent = spawn_chaser(&mut app, body, cell(0, 0), target);
            run(&mut app, 20);
            match way_to_pause {
                0 => {
                    app.world_mut().entity_mut(agent).insert(RigidBodyDisabled);
                }
                1 => {
                    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
                    let mut config = configs.single_mut(app.world_mut()).unwrap();
                    config.physics_pipeline_active = false;
                }
                _ => {
                    let physics = false;
                    gate(&mut app, Gate { physics, ..OPEN });
                }
            }
            run(&mut app, 120);
            assert!(heard(&app).stuck.is_empty(), "{body:?} {way_to_pause}");
        }
    }
}

#[test]
fn chasers_start_at_small_time_steps_away_from_the_origin() {
    for (hz, away) in [(1000.0, 1e4_f32), (60.0, 1e6)] {
        let mut app = game(hz, PlanMode::Inline);
        let corner = Vec2::splat(away);
        app.world_mut().spawn(
            NavGrid::covering(Rect::from_corners(corner, corner + Vec2::splat(20.0)))
                .with_node_radius(0.5)
                .with_obstacles(WALLS),
        );
        let target = spawn_target(&mut app, corner + Vec2::new(18.0, 2.0));
        let agent = spawn_chaser(&mut app, Body::Transform, corner + Vec2::splat(2.0), target);
        run_until(&mut app, 4 * hz as usize, |app| {
            get::<Locomotion>(app, agent) == Locomotion::Arrived
        });
    }
}

#[test]
fn a_stalled_game_makes_no_giant_step() {
    let mut app = drivers(60.0);
    let agent = spawn(&mut app, Kind::Bare, Vec2::ZERO, Vec2::X * 8.0);
    app.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs(1)))
        .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(
            Duration::from_secs(1),
        ))
        .insert_resource(Time::<Virtual>::from_max_delta(Duration::from_secs(2)));
    let way = way(&mut app, agent, 1);
    assert!(way <= 0.81, "went {way} in one tick");
}
