//! The measured game: the real plugin on a level of Rapier colliders, without a window.

use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use super::plan::{Goals, RequestsPlan};
use crate::game::agent::AGENT_RADIUS;
use crate::game::tour::Tour;
use crate::game::walls::{WallBoxes, center};
use crate::game::{self, Mode, transform_at};

/// Marks an entity that requests paths.
#[derive(Component)]
pub(super) struct Asker;

/// The starts and goals of paths.
#[derive(Resource)]
pub(super) struct RequestPlaces {
    tour: Tour,
    goals: Goals,
    /// The goals of requests with [`Goals::Two`].
    two: [Vec2; 2],
}

/// Whether every answered request is replaced by a new one.
#[derive(Resource, Default)]
pub(super) struct AskAgain(pub(super) bool);

impl RequestPlaces {
    fn place(&mut self) -> Vec2 {
        center(self.tour.random_place())
    }

    fn request(&mut self) -> (Transform, PathRequest) {
        let goal = match self.goals {
            Goals::Own => self.place(),
            Goals::Shared => self.tour.position(),
            // The choice is random, because inserting the same request again does not start a search.
            Goals::Two => self.two[usize::from(self.place().x > self.place().x)],
        };
        let start = transform_at(self.place());
        (start, PathRequest::to(goal).with_radius(AGENT_RADIUS))
    }
}

/// An app with a level and without requests.
pub(super) fn build(plan: &RequestsPlan, walls: &WallBoxes, mut tour: Tour) -> App {
    let mut app = game::app_at(plan.frame_rate, Mode::Async, &plan.common.pools, walls);
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .share_fields = plan.share_fields;
    let goals = plan.goals;
    let two = [(); 2].map(|()| center(tour.random_place()));
    app.insert_resource(RequestPlaces { tour, goals, two })
        .init_resource::<AskAgain>()
        .add_systems(FixedPreUpdate, (walk_goal, ask_again).chain());
    let world = app.world_mut();
    for mut grid in world.query::<&mut NavGrid>().iter_mut(world) {
        grid.deep_bake = plan.deep_bake.then_some(Duration::ZERO);
    }
    game::start(&mut app);
    app
}

fn walk_goal(mut places: ResMut<RequestPlaces>) {
    if places.goals == Goals::Shared {
        places.tour.walk(1.0);
    }
}

/// Inserts a new request on each entity whose request is answered, if [`AskAgain`] is set.
fn ask_again(
    mut commands: Commands,
    again: Res<AskAgain>,
    mut places: ResMut<RequestPlaces>,
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

/// Spawns entities, each with a request.
pub(super) fn spawn_askers(world: &mut World, count: usize) {
    world.resource_scope(|world, mut places: Mut<RequestPlaces>| {
        for _ in 0..count {
            world.spawn((Asker, places.request()));
        }
    });
}

/// Inserts a new request on every asker, as a system of a game would.
pub(super) fn ask_all(world: &mut World) {
    let mut askers = world.query_filtered::<Entity, With<Asker>>();
    let askers: Vec<Entity> = askers.iter(world).collect();
    world.resource_scope(|world, mut places: Mut<RequestPlaces>| {
        for entity in askers {
            world.entity_mut(entity).insert(places.request());
        }
    });
}

/// Whether every request is answered.
pub(super) fn are_all_answered(world: &mut World) -> bool {
    let mut askers = world.query_filtered::<&PathStatus, With<Asker>>();
    askers.iter(world).all(|status| is_answered(*status))
}
