//! The game without its looks: physics, navigation, who stands where, and who caught whom.
//!
//! The window and the headless run share all of it.

use bevy::prelude::*;
use bevy_pursuit::grid::{Diagonals, NavGrid};
use bevy_pursuit::{PlanMode, PursuitPlugins, PursuitSettings};
use bevy_rapier2d::prelude::*;
use pursuit_examples::demo::STEPS;
use pursuit_examples::stage::Stage;
use pursuit_examples::walls::OBSTACLES;

use crate::hunters::{self, Hunter};
use crate::player::{self, Player};
use crate::score::{self, Score};
use crate::tour;

/// The rules of the game.
pub(crate) struct GamePlugin {
    pub(crate) plan_mode: PlanMode,
}

/// What was asked for on the command line.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Setup {
    /// How many hunters; `None` takes as many as the map places, or a dozen.
    pub(crate) hunters: Option<usize>,
    /// Half the side of a cell of the navigation grid, in world units.
    pub(crate) node_radius: f32,
    /// Which diagonal steps are legal on it.
    pub(crate) diagonals: Diagonals,
    /// Seed of everything left to chance.
    pub(crate) seed: u64,
    /// Whether the player walks by itself.
    pub(crate) autoplay: bool,
}

/// Asks to start over: everybody back to where they began.
#[derive(Message, Clone, Copy, Debug, Default)]
pub(crate) struct Restart;

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        let settings = PursuitSettings {
            plan_mode: self.plan_mode,
            ..default()
        };
        app.insert_resource(settings)
            .insert_resource(STEPS)
            .add_plugins(
                RapierPhysicsPlugin::<NoUserData>::pixels_per_meter(32.0).in_fixed_schedule(),
            )
            .add_plugins(PursuitPlugins::default().in_fixed_schedule())
            .init_resource::<Score>()
            .add_message::<Restart>()
            .add_observer(hunters::go_home_after_a_catch)
            .add_observer(score::count_catch)
            .add_systems(Startup, (spawn_stage, spawn_people).chain())
            .add_systems(
                Update,
                (
                    restart.run_if(on_message::<Restart>),
                    score::count_time,
                    hunters::hunt_again_after_a_rest,
                    tour::choose_next_goal.run_if(resource_exists::<tour::Tour>),
                )
                    .chain(),
            );
    }
}

fn spawn_stage(mut commands: Commands, stage: Res<Stage>, setup: Res<Setup>) {
    let bounds = stage.level.bounds();
    commands.spawn((
        Name::new("navigation grid"),
        NavGrid::covering(bounds)
            .with_node_radius(setup.node_radius)
            .with_diagonals(setup.diagonals)
            .with_obstacles(OBSTACLES),
    ));
    stage.spawn_colliders(&mut commands);
}

fn spawn_people(mut commands: Commands, stage: Res<Stage>, setup: Res<Setup>) {
    let mut rng = fastrand::Rng::with_seed(setup.seed);
    let homes = hunters::homes(&stage, setup.hunters, &mut rng);
    let start = player::start(&stage, &mut rng);
    let player = player::spawn(&mut commands, start);
    for (number, home) in homes.into_iter().enumerate() {
        hunters::spawn(&mut commands, number, home, player);
    }
    if setup.autoplay {
        commands.insert_resource(tour::Tour::new(&stage, setup.seed));
    }
}

fn restart(
    mut commands: Commands,
    mut requests: MessageReader<Restart>,
    people: Query<Entity, Or<(With<Player>, With<Hunter>)>>,
) {
    requests.clear();
    for person in &people {
        commands.entity(person).despawn();
    }
    commands.insert_resource(Score::default());
    commands.run_system_cached(spawn_people);
}
