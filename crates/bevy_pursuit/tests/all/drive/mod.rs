//! The drive stage: bodies move at their desired velocity, stop when they are no longer driven, and are left alone
//! otherwise.

mod controllers;
mod gates;
mod grip;
mod steps;

use crate::common::*;

/// The velocity that a test gives to an agent, instead of one from a path.
#[derive(Component, Clone, Copy)]
struct WantedVelocity(Vec2);

/// The stages that run.
#[derive(Resource, Clone, Copy, Debug)]
struct StageGates {
    follow: bool,
    drive: bool,
    physics: bool,
}

const OPEN: StageGates = StageGates {
    follow: true,
    drive: true,
    physics: true,
};

fn write_desired_velocity(mut agents: Query<(&WantedVelocity, &mut DesiredVelocity)>) {
    for (want, mut desired) in &mut agents {
        desired.set_if_neq(DesiredVelocity(want.0.extend(0.0)));
    }
}

/// A game without a level, in which each agent's desired velocity is its [`WantedVelocity`].
fn drive_game(hz: f64) -> App {
    let mut app = game(hz, PlanMode::Inline);
    app.insert_resource(OPEN)
        .configure_sets(
            FixedUpdate,
            (
                PursuitSystems::Follow.run_if(|gate: Res<StageGates>| gate.follow),
                PursuitSystems::Drive.run_if(|gate: Res<StageGates>| gate.drive),
                PhysicsSet::StepSimulation.run_if(|gate: Res<StageGates>| gate.physics),
            ),
        )
        .add_systems(
            FixedUpdate,
            write_desired_velocity
                .after(PursuitSystems::Follow)
                .before(PursuitSystems::Drive)
                .run_if(|gate: Res<StageGates>| gate.follow),
        );
    run(&mut app, 2);
    app
}

fn set_stage_gates(app: &mut App, gates: StageGates) {
    app.insert_resource(gates);
}

/// Every way in which an agent is moved.
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
    let place = transform_at(at);
    let entity = crate::common::spawn(app, (agent, place, WantedVelocity(want)));
    let body = match kind {
        Kind::Bare => return entity,
        Kind::Position => RigidBody::KinematicPositionBased,
        Kind::Velocity => RigidBody::KinematicVelocityBased,
        Kind::Dynamic => RigidBody::Dynamic,
    };
    give(app, entity, (body, Collider::ball(RADIUS)));
    entity
}

/// A game with an agent that wants to move along x at 8 units per second.
fn game_with_agent(kind: Kind) -> (App, Entity) {
    let mut app = drive_game(60.0);
    let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
    (app, agent)
}

fn set_wanted_velocity(app: &mut App, entity: Entity, velocity: Vec2) {
    give(app, entity, WantedVelocity(velocity));
}

/// Runs for `ticks`. Returns the distance that an entity moves.
fn distance_moved(app: &mut App, entity: Entity, ticks: usize) -> f32 {
    let before = position(app, entity);
    run(app, ticks);
    position(app, entity).distance(before)
}

#[test]
fn every_kind_of_body_moves_at_its_desired_velocity() {
    for kind in KINDS {
        let mut app = drive_game(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::new(3.0, 4.0));
        run(&mut app, 5);
        let moved = distance_moved(&mut app, agent, 60);
        assert!((moved - 5.0).abs() < 0.01, "{kind:?} moved by {moved}");
    }
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
fn components_are_marked_changed_only_when_they_change() {
    for kind in KINDS {
        let mut app = drive_game(60.0);
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
        set_wanted_velocity(&mut app, agent, Vec2::ZERO);
        run(&mut app, 5);
        app.insert_resource(Changes::default());
        run(&mut app, 20);
        let still = Changes::default();
        assert_eq!(*app.world().resource::<Changes>(), still, "{kind:?}");
    }
}
