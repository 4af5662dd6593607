//! What the bake says in the log, and that it says it once.

mod bake_support;

use std::fmt;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use bake_support::{app, grid, settle};
use bevy::log::tracing::field::{Field, Visit};
use bevy::log::tracing::span::{Attributes, Id, Record};
use bevy::log::tracing::{Event, Level, Metadata, Subscriber, subscriber};
use bevy::prelude::*;
use bevy_pursuit::grid::{NavGrid, ObstacleLayers};
use bevy_pursuit::{NavAgent, PlanMode, PursuitPlugins, PursuitSettings};
use bevy_rapier2d::prelude::*;

static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps the warnings of this crate.
struct Listener;

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("bevy_pursuit::bake")
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Message;

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            warnings().push(format!("{value:?}"));
        }
    }
}

fn warnings() -> MutexGuard<'static, Vec<String>> {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts listening, one test at a time.
fn listen() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    static LISTENER: Once = Once::new();
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    LISTENER.call_once(|| subscriber::set_global_default(Listener).expect("no other listener"));
    warnings().clear();
    alone
}

fn heard() -> Vec<String> {
    std::mem::take(&mut *warnings())
}

#[test]
fn a_layer_mask_that_matches_no_collider_is_said_once_and_by_name() {
    let _alone = listen();
    let mut app = app();
    let groups = CollisionGroups::new(Group::GROUP_2, Group::ALL);
    let wall = app
        .world_mut()
        .spawn((Collider::ball(3.0), Transform::default(), groups))
        .id();
    let grid = app
        .world_mut()
        .spawn(grid().obstacles(Group::GROUP_1 | Group::GROUP_4))
        .id();
    settle(&mut app);
    let [warning] = &heard()[..] else {
        panic!("expected one warning")
    };
    for part in [
        "1 colliders",
        "GROUP_1 | GROUP_4",
        "0x00000009",
        "GROUP_2",
        "walkable",
    ] {
        assert!(
            warning.contains(part),
            "{part:?} is missing from {warning:?}"
        );
    }
    // More of the same is not said again.
    app.world_mut()
        .get_mut::<NavGrid>(grid)
        .unwrap()
        .node_radius = 1.0;
    settle(&mut app);
    assert_eq!(heard(), [""; 0]);
    // Other layers are.
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().obstacles = ObstacleLayers::NONE;
    settle(&mut app);
    let [warning] = &heard()[..] else {
        panic!("expected one warning")
    };
    assert!(warning.contains("NONE"), "{warning:?}");
    // And a matching mask is quiet.
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().obstacles = Group::GROUP_2.into();
    settle(&mut app);
    app.world_mut().despawn(wall);
    settle(&mut app);
    assert_eq!(heard(), [""; 0]);
}

#[test]
fn a_level_of_moving_bodies_without_groups_is_said() {
    let _alone = listen();
    let mut app = app();
    app.world_mut().spawn((
        Collider::ball(3.0),
        Transform::default(),
        RigidBody::Dynamic,
    ));
    app.world_mut().spawn(grid());
    settle(&mut app);
    let [warning] = &heard()[..] else {
        panic!("expected one warning")
    };
    assert!(
        warning.contains("moving bodies count only with CollisionGroups"),
        "{warning:?}"
    );
}

#[test]
fn a_world_of_agents_and_sensors_alone_is_quiet() {
    let _alone = listen();
    let mut app = app();
    app.world_mut()
        .spawn((Collider::ball(3.0), NavAgent::from_radius(3.0)));
    app.world_mut()
        .spawn((Collider::ball(3.0), Transform::default(), Sensor));
    app.world_mut().spawn(grid());
    settle(&mut app);
    assert_eq!(heard(), [""; 0]);
}

#[test]
fn a_grid_that_cannot_be_baked_is_said_once_for_each_value() {
    let _alone = listen();
    let mut app = app();
    let grid = app.world_mut().spawn(grid().node_radius(f32::NAN)).id();
    for _ in 0..5 {
        app.update();
        app.world_mut()
            .get_mut::<NavGrid>(grid)
            .unwrap()
            .set_changed();
    }
    let [warning] = &heard()[..] else {
        panic!("expected one warning")
    };
    assert!(
        warning.contains("node_radius") && warning.contains("NaN"),
        "{warning:?}"
    );
    app.world_mut()
        .get_mut::<NavGrid>(grid)
        .unwrap()
        .node_radius = 1e-6;
    settle(&mut app);
    let [warning] = &heard()[..] else {
        panic!("expected one warning")
    };
    assert!(warning.contains("bounds"), "{warning:?}");
}

#[test]
fn a_collider_that_is_no_number_is_skipped_and_said_once() {
    let _alone = listen();
    let nan = Transform::from_xyz(f32::NAN, 0.0, 0.0);
    // Without Rapier's systems, which do not survive such numbers in every case.
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugins::default()))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        });
    app.world_mut().spawn((Collider::ball(1.0), nan));
    app.world_mut()
        .spawn((Collider::ball(f32::NAN), Transform::default()));
    app.world_mut()
        .spawn((Collider::ball(2.0), Transform::from_xyz(10.0, 0.0, 0.0)));
    let grid = app.world_mut().spawn(grid()).id();
    settle(&mut app);
    let [warning] = &heard()[..] else {
        panic!("expected one warning")
    };
    assert!(warning.contains("NaN"), "{warning:?}");
    let snapshot = bake_support::snapshot(&app, grid);
    assert!(snapshot.free(Vec2::ZERO, 1.0) && !snapshot.free(Vec2::new(10.0, 0.0), 1.0));
}

#[test]
fn a_layer_mask_that_matches_no_collider_is_said_of_colliders_that_come_after_the_grid() {
    let _alone = listen();
    let mut app = app();
    app.world_mut().spawn(grid().obstacles(Group::GROUP_1));
    settle(&mut app);
    assert_eq!(heard(), [""; 0], "an empty world is no mistake");
    let groups = CollisionGroups::new(Group::GROUP_2, Group::ALL);
    app.world_mut()
        .spawn((Collider::ball(3.0), Transform::default(), groups));
    settle(&mut app);
    settle(&mut app);
    assert_eq!(heard().len(), 1, "said when they come, and once");
}
