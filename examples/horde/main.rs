//! Thousands hunt you through a city at night, and keep apart: `NavAvoidance::Separation`.
//!
//! The hunters make room for each other, queue before gates, and stand around you when they have reached you. All are
//! bare transforms with one image, so that Bevy draws them in one batch. They keep clear of the player because of its
//! `CrowdObstacle`. Gates are colliders, and mud is a `NavArea`. Paths change when a gate shuts.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | space | strike all around you |
//! | mouse wheel | zoom |
//! | left click | shut or open a gate |
//! | E | shut or open the nearest gate |
//! | F1 | debug overlay |
//! | P, Escape | pause |
//!
//! `--agents N` sets the number of hunters, up to 100,000. The city grows with it. Use `--release` for large numbers.
//! With `--ghosts`, hunters walk through one another.

mod city;
#[path = "../common/mod.rs"]
mod common;
mod show;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use clap::{Parser, value_parser};

use common::{
    Example, Figure, Level, Mood, PEOPLE_Z, RADIUS, Steered, Stroll, TILE, Wave, just_pressed,
    player_body,
};
use show::{Ghost, Hunter};

/// Radius of a hunter, in world units. A brute is twice as large.
const HUNTER_RADIUS: f32 = 7.;
/// One hunter in this many is a brute.
const HUNTERS_PER_BRUTE: usize = 40;
/// Minimum distance from the player at which hunters begin, in world units.
const MIN_START_DISTANCE: f32 = 380.;
/// Radius of a blow, in world units, and time for which it is shown, in seconds.
const BLOW_RADIUS: f32 = 110.;
const BLOW_SECONDS: f32 = 0.45;
/// Minimum distance from the player at which a hunter reappears after a hit, in world units.
const RETURN_DISTANCE: f32 = 1000.;
/// Points of the player's first walk, which leads around the fountain, in tiles from where the player starts.
const FIRST_WALK: [[f32; 2]; 4] = [[4., 4.], [8., 0.], [4., -4.], [0., 0.]];

/// A horde in a city at night.
#[derive(Parser, Resource)]
struct Options {
    /// Number of hunters.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = value_parser!(u32).range(1..=100_000))]
    agents: u32,
    /// Hunters walk through each other: `NavAvoidance::None`.
    #[arg(long)]
    ghosts: bool,
}

pub(crate) fn main() -> AppExit {
    let options = Options::parse();
    App::new()
        .add_plugins(Example {
            name: "horde",
            keys: "WASD  walk     space  strike     E, click  shut a gate     wheel  zoom",
            level: city::text(options.agents).leak(),
            mood: Mood::MOSS,
        })
        .insert_resource(options)
        .insert_resource(Game {
            random: fastrand::Rng::with_seed(7),
            ..default()
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_observer(|_: On<GoalReached>, mut game: ResMut<Game>| game.bites += 1)
        .add_plugins((city::plugin, show::plugin))
        .add_systems(PostStartup, spawn_people)
        .add_systems(Update, strike)
        .run()
}

#[derive(Resource, Default)]
struct Game {
    /// The points where hunters can appear.
    places: Vec<Vec2>,
    random: fastrand::Rng,
    bites: u32,
    slain: u32,
}

impl Game {
    /// A random point with room for a body, if possible farther than `away` from `from`.
    fn place(&mut self, radius: f32, from: Vec2, away: f32) -> Vec2 {
        let place = |random: &mut fastrand::Rng| {
            let shift = Vec2::new(random.f32(), random.f32()) - 0.5;
            let tile = random.choice(&self.places).copied().unwrap_or_default();
            tile + (TILE - 2.2 * radius) * shift
        };
        let mut tries = (0..20).map(|_| place(&mut self.random));
        let far = tries.find(|place| place.distance(from) > away);
        far.unwrap_or_else(|| place(&mut self.random))
    }
}

fn spawn_people(
    mut commands: Commands,
    level: Res<Level>,
    options: Res<Options>,
    mut game: ResMut<Game>,
) {
    // Streets and mud are free of furniture.
    game.places = ['.', '%'].map(|mark| level.find(mark)).concat();
    let starts = level.find('P').into_iter();
    let start = starts.min_by(|a, b| a.length().total_cmp(&b.length()));
    let start = start.unwrap_or_default();
    let walk = FIRST_WALK.map(|step| start + TILE * Vec2::from(step));
    let player = (
        (Figure::PLAYER, Steered(170.), player_body()),
        CrowdObstacle { radius: RADIUS },
        Stroll(walk.into()),
        Transform::from_translation(start.extend(0.)),
    );
    let player = commands.spawn(player).id();
    let avoidance = match options.ghosts {
        true => NavAvoidance::None,
        false => NavAvoidance::Separation,
    };
    for number in 0..options.agents as usize {
        let (figure, size) = match number % HUNTERS_PER_BRUTE {
            0 => (Figure::HUNTER, 2.),
            _ => (Figure::TIRED, 1.),
        };
        let at = game.place(HUNTER_RADIUS * size, start, MIN_START_DISTANCE);
        commands.spawn((
            NavAgent::from_radius(HUNTER_RADIUS * size)
                .with_speed(95. + 12. * (number as f32).sin()),
            (avoidance, NavPriority(size as i8 - 1)),
            (Chase::new(player), Hunter(figure, size)),
            Transform::from_translation(at.extend(PEOPLE_Z)),
        ));
    }
}

fn strike(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mut game: ResMut<Game>,
    player: Single<&Transform, With<Steered>>,
    mut horde: Query<(&mut Transform, &NavAgent), Without<Steered>>,
) {
    if !just_pressed(&keys, KeyCode::Space) {
        return;
    }
    let center = player.translation.truncate();
    let wave = Wave::new(BLOW_RADIUS, BLOW_SECONDS);
    commands.spawn((wave, Transform::from_translation(center.extend(0.))));
    for (mut place, agent) in &mut horde {
        let at = place.translation.truncate();
        if at.distance(center) < BLOW_RADIUS {
            commands.spawn((Ghost(1.), *place));
            let away = game.place(agent.radius, center, RETURN_DISTANCE);
            place.translation = away.extend(PEOPLE_Z);
            game.slain += 1;
        }
    }
}
