//! A game that is saved in the middle of a chase and loaded again: hunters go on from where they were.
//!
//! All components of Pursuit that a game writes derive `Reflect`. So a game puts the components that it needs into a
//! struct of its own, and Bevy writes the struct as text. Paths are not saved, since they are found again.
//!
//! | Key | |
//! |---|---|
//! | F5 | save |
//! | F9 | load |
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy::time::common_conditions::once_after_delay;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, GOLD, Level, Mood, RADIUS, Steered, WALLS};
use serde::de::DeserializeSeed;

fn main() -> AppExit {
    let after = |seconds| once_after_delay(Duration::from_secs(seconds));
    // The example also saves after one second and loads after four, for runs without a keyboard.
    let saves = input_just_pressed(KeyCode::F5).or_else(after(1));
    let loads = input_just_pressed(KeyCode::F9).or_else(after(4));
    App::new()
        .add_plugins(Example {
            name: "save and load",
            keys: "F5  save     F9  load     WASD  walk",
            level: include_str!("../assets/levels/save_load.txt"),
            mood: Mood::DUSK,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .init_resource::<Saved>()
        .register_type::<Saved>()
        .add_systems(Startup, setup)
        .add_systems(Update, save.map(report).run_if(saves))
        .add_systems(Update, load.map(report).run_if(loads))
        .add_systems(Update, show_saved)
        .run()
}

/// The content of a saved game.
#[derive(Resource, Reflect, Default)]
struct Saved {
    player: Transform,
    hunters: Vec<Hunter>,
}

#[derive(Reflect)]
struct Hunter {
    at: Vec2,
    agent: NavAgent,
    locomotion: Locomotion,
}

fn file() -> PathBuf {
    env::temp_dir().join("pursuit_save_load.ron")
}

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let player = commands.spawn(common::player(&level, 150., "")).id();
    for (number, at) in level.find('E').into_iter().enumerate() {
        let hunter = Hunter {
            at,
            agent: NavAgent::from_radius(RADIUS).with_speed(90. + 12. * number as f32),
            locomotion: Locomotion::default(),
        };
        spawn(&mut commands, hunter, player);
    }
}

fn spawn(commands: &mut Commands, hunter: Hunter, player: Entity) {
    let body = common::agent_body(hunter.at);
    let state = (hunter.agent, hunter.locomotion);
    commands.spawn((state, Chase::new(player), Figure::HUNTER, body));
}

fn save(
    mut saved: ResMut<Saved>,
    registry: Res<AppTypeRegistry>,
    player: Single<&Transform, With<Steered>>,
    hunters: Query<(&Transform, &NavAgent, &Locomotion), With<Chase>>,
) -> Result<String> {
    let hunters = hunters.iter().map(|(place, agent, locomotion)| Hunter {
        at: place.translation.truncate(),
        agent: *agent,
        locomotion: *locomotion,
    });
    (saved.player, saved.hunters) = (**player, hunters.collect());
    let registry = registry.read();
    let writer = TypedReflectSerializer::new(&*saved, &registry);
    fs::write(file(), ron::ser::to_string_pretty(&writer, default())?)?;
    Ok(format!("{} hunters saved", saved.hunters.len()))
}

fn load(
    mut commands: Commands,
    registry: Res<AppTypeRegistry>,
    player: Single<(Entity, &mut Transform), With<Steered>>,
    hunters: Query<Entity, With<Chase>>,
) -> Result<String> {
    let text = fs::read_to_string(file())?;
    let registry = registry.read();
    let reader = TypedReflectDeserializer::of::<Saved>(&registry);
    let saved = reader.deserialize(&mut ron::Deserializer::from_str(&text)?)?;
    let saved = Saved::from_reflect(&*saved).ok_or("the file is not a saved game")?;
    for hunter in &hunters {
        commands.entity(hunter).despawn();
    }
    let (player, mut place) = player.into_inner();
    *place = saved.player;
    let loaded = format!("{} hunters loaded", saved.hunters.len());
    for hunter in saved.hunters {
        spawn(&mut commands, hunter, player);
    }
    Ok(loaded)
}

fn report(result: Result<String>) {
    match result {
        Ok(done) => info!("{done}: {}", file().display()),
        Err(error) => warn!("{error}"),
    }
}

/// Draws rings where the hunters were when the game was saved.
fn show_saved(mut gizmos: Gizmos, saved: Res<Saved>) {
    for hunter in &saved.hunters {
        gizmos.circle_2d(hunter.at, 1.5 * RADIUS, GOLD);
    }
}
