//! Drivers: bodies go as their agents want, stop when nobody drives them, and are left alone else.

mod controllers;
mod gates;
mod grip;
mod steps;

use crate::common::*;

/// What a test wants of an agent, in place of a path.
#[derive(Component, Clone, Copy)]
struct Want(Vec2);

/// Which stages a game lets run.
#[derive(Resource, Clone, Copy, Debug)]
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
        desired.set_if_neq(DesiredVelocity(want.0.extend(0.0)));
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
    let place = transform_at(at);
    let entity = crate::common::spawn(app, (agent, place, Want(want)));
    let body = match kind {
        Kind::Bare => return entity,
        Kind::Position => RigidBody::KinematicPositionBased,
        Kind::Velocity => RigidBody::KinematicVelocityBased,
        Kind::Dynamic => RigidBody::Dynamic,
    };
    give(app, entity, (body, Collider::ball(RADIUS)));
    entity
}

/// A game with an agent that wants to go along x at 8 units a second.
fn driven(kind: Kind) -> (App, Entity) {
    let mut app = drivers(60.0);
    let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
    (app, agent)
}

fn want(app: &mut App, entity: Entity, velocity: Vec2) {
    give(app, entity, Want(velocity));
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
