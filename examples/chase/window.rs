//! The game in a window: pictures, camera, keys and score on top of the rules.

use bevy::app::AppExit;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_pursuit::PlanMode;
use pursuit_examples::art::{palette, spawn_stage_art};
use pursuit_examples::camera::{FollowCamera, FollowCameraPlugin, ScaleRange};
use pursuit_examples::figures::{Figure, FiguresPlugin};
use pursuit_examples::keys::{RESTART, is_for_overlay, pause_or_go_on};
use pursuit_examples::overlay::OverlayPlugin;
use pursuit_examples::screenshot::{ScreenshotPlugin, steady_plugins};
use pursuit_examples::stage::{Stage, TILE};

use crate::cli::Options;
use crate::controls::{WalkTo, obey_walk_orders, stop_at_goal, walk_to_click, walk_with_keys};
use crate::game::{GamePlugin, Restart, Setup};
use crate::player::Player;
use crate::stage;
use crate::tour::Tour;
use crate::{effects, hud};

/// Size of the window, in pixels.
const SIZE: (u32, u32) = (1280, 720);

/// Opens the window and plays until it is closed.
pub(crate) fn run(options: &Options, stage: Stage) -> AppExit {
    let picture = options.screenshot.clone();
    let plan_mode = if picture.is_some() {
        PlanMode::Inline
    } else {
        PlanMode::Async
    };
    let mut app = App::new();
    app.add_plugins(steady_plugins(picture.is_some(), window()))
        .add_plugins(GamePlugin { plan_mode })
        .add_plugins(OverlayPlugin(
            options.overlay.settings(hud::MARGINS, picture.is_some()),
        ))
        .add_plugins((FollowCameraPlugin, LooksPlugin))
        .insert_resource(Setup {
            hunters: options.agents,
            node_radius: stage::node_radius(options.map.as_deref()),
            diagonals: options.diagonals.into(),
            seed: options.seed,
            autoplay: options.demo || picture.is_some(),
        })
        .insert_resource(Zoom(options.zoom))
        .insert_resource(stage);
    if let Some(path) = picture {
        app.add_plugins(ScreenshotPlugin {
            path,
            seconds: options.seconds,
        });
    }
    app.run()
}

/// World units per pixel at the start.
#[derive(Resource, Clone, Copy, Debug)]
struct Zoom(f32);

/// Everything that is seen and pressed.
struct LooksPlugin;

impl Plugin for LooksPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(palette::VOID))
            .add_plugins(FiguresPlugin)
            .add_message::<WalkTo>()
            .add_observer(effects::pulse_at_catch)
            .add_observer(stop_at_goal)
            .add_systems(
                Startup,
                (
                    spawn_camera,
                    spawn_stage_art,
                    effects::spawn_flash,
                    hud::spawn_hud,
                ),
            )
            .add_systems(PreUpdate, (pause_or_go_on, ask_for_restart))
            .add_systems(
                Update,
                (
                    (walk_with_keys, walk_to_click, obey_walk_orders)
                        .chain()
                        .run_if(not(resource_exists::<Tour>)),
                    aim_camera,
                    (
                        effects::mark_walk_orders,
                        effects::animate_pulses,
                        effects::fade_flash,
                    ),
                    (hud::update_score, hud::show_pause),
                ),
            );
    }
}

fn window() -> Window {
    Window {
        title: "Pursuit: chase".into(),
        resolution: WindowResolution::new(SIZE.0, SIZE.1),
        ..default()
    }
}

fn spawn_camera(mut commands: Commands, stage: Res<Stage>, zoom: Res<Zoom>) {
    let bounds = stage.level.bounds().inflate(TILE);
    let widest = (bounds.size() / Vec2::new(SIZE.0 as f32, SIZE.1 as f32)).max_element();
    let scale = ScaleRange {
        wanted: zoom.0,
        min: 0.3,
        max: widest.max(1.0),
    };
    commands.spawn((
        FollowCamera::new(Entity::PLACEHOLDER, bounds, scale),
        Projection::Orthographic(OrthographicProjection {
            scale: zoom.0,
            ..OrthographicProjection::default_2d()
        }),
    ));
}

/// Points the camera at the player's figure, a new one after a restart.
fn aim_camera(
    figures: Query<(Entity, &ChildOf), Added<Figure>>,
    players: Query<(), With<Player>>,
    mut camera: Single<&mut FollowCamera>,
) {
    for (figure, body) in &figures {
        if players.contains(body.parent()) {
            camera.target = figure;
        }
    }
}

fn ask_for_restart(keys: Res<ButtonInput<KeyCode>>, mut restarts: MessageWriter<Restart>) {
    if keys.just_pressed(RESTART) && !is_for_overlay(&keys) {
        restarts.write_default();
    }
}
