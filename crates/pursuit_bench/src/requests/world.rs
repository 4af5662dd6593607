//! The game that is measured: the real plugin on a level of Rapier colliders, without a window.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::plan::{Goals, RADIUS, RequestsPlan};
use crate::game::WALLS;
use crate::game::tour::Tour;
use crate::game::walls::{Walls, center};

/// Asks for paths.
#[derive(Component)]
pub(super) struct Asker;

/// Where paths begin and end.
#[derive(Resource)]
pub(super) struct Places {
    tour: Tour,
    goals: Goals,
}

/// Whether every answered request is asked again.
#[derive(Resource, Default)]
pub(super) struct AskAgain(pub(super) bool);

impl Places {
    fn place(&mut self) -> Vec2 {
        center(self.tour.random_place())
    }

    fn request(&mut self) -> (Transform, PathRequest) {
        let goal = match self.goals {
            Goals::Own => self.place(),
            Goals::Shared => self.tour.position(),
        };
        let start = Transform::from_translation(self.place().extend(0.0));
        (start, PathRequest::to(goal).with_radius(RADIUS))
    }
}

/// An app with its level baked and nothing asked.
pub(super) fn build(plan: &RequestsPlan, size: Vec2, walls: &Walls, tour: Tour) -> App {
    let mut app = App::new();
    let frame = Duration::from_secs_f64(1.0 / plan.frame_rate);
    app.add_plugins(MinimalPlugins.set(plan.pools.plugin()))
        .add_plugins(TransformPlugin)
        .insert_resource(TimestepMode::Fixed {
            dt: frame.as_secs_f32(),
            substeps: 1,
        })
        .insert_resource(Time::<Fixed>::from_duration(frame))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(Places {
            tour,
            goals: plan.goals,
        })
        .init_resource::<AskAgain>()
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(FixedPreUpdate, (walk_goal, ask_again).chain());
    let world = app.world_mut();
    world.spawn(NavGrid {
        deep_bake: plan.deep_bake.then_some(Duration::ZERO),
        ..NavGrid::covering(Rect::from_corners(Vec2::ZERO, size))
            .with_node_radius(0.5)
            .with_obstacles(WALLS)
    });
    for wall in walls.boxes() {
        let half = wall.half_size();
        world.spawn((
            Collider::cuboid(half.x, half.y),
            CollisionGroups::new(WALLS, Group::ALL),
            Transform::from_translation(wall.center().extend(0.0)),
        ));
    }
    app.finish();
    app.cleanup();
    app
}

fn walk_goal(mut places: ResMut<Places>) {
    if places.goals == Goals::Shared {
        places.tour.walk(1.0);
    }
}

/// Asks anew for each entity whose request is answered.
fn ask_again(
    mut commands: Commands,
    again: Res<AskAgain>,
    mut places: ResMut<Places>,
    askers: Query<(Entity, &PathStatus), With<Asker>>,
) {
    if again.0 {
        for (entity, status) in &askers {
            if is_answered(*status) {
                commands.entity(entity).insert(places.request());
            }
        }
    }
}

pub(super) fn is_answered(status: PathStatus) -> bool {
    matches!(
        status,
        PathStatus::Found | PathStatus::Partial(_) | PathStatus::Failed(_)
    )
}

/// Spawns entities that ask.
pub(super) fn spawn_askers(world: &mut World, count: usize) {
    world.resource_scope(|world, mut places: Mut<Places>| {
        for _ in 0..count {
            world.spawn((Asker, places.request()));
        }
    });
}

/// Inserts a new request on every asker, as a system of the game would.
pub(super) fn ask_all(world: &mut World) {
    let mut askers = world.query_filtered::<Entity, With<Asker>>();
    let askers: Vec<Entity> = askers.iter(world).collect();
    world.resource_scope(|world, mut places: Mut<Places>| {
        for entity in askers {
            world.entity_mut(entity).insert(places.request());
        }
    });
}

/// How many askers have no answer yet.
pub(super) fn waiting(world: &mut World) -> usize {
    let mut askers = world.query_filtered::<&PathStatus, With<Asker>>();
    let statuses = askers.iter(world);
    statuses.filter(|status| !is_answered(**status)).count()
}
