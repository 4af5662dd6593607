//! What every small example has around its idea: a window or none, a level, looks, keys, a picture.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use bevy::app::AppExit;
use bevy::camera::ScalingMode;
use bevy::log::{DEFAULT_FILTER, LogPlugin};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{ExitCondition, WindowResolution};
use bevy::winit::WinitPlugin;
use bevy_pursuit::{Locomotion, PathStatus, PlanMode, PursuitSettings};
use bevy_pursuit_debug::Margins;
use bevy_rapier2d::prelude::*;
use clap::Parser;

use crate::art::{palette, spawn_stage_art};
use crate::cli::{BAD_INPUT, SECONDS, end_by_itself, positive};
use crate::display::has_display;
use crate::figures::FiguresPlugin;
use crate::hud::{SIGN_HEIGHT, help_line, title, vignette};
use crate::keys::{SteeringPlugin, pause_or_go_on};
use crate::overlay::{OverlayOptions, OverlayPlugin};
use crate::pointer::{Act, PointerPlugin, Script};
use crate::screenshot::steady_plugins;
use crate::sketch::SketchPlugin;
use crate::stage::Stage;

/// Size of the window and of pictures, in pixels.
const SIZE: (u32, u32) = (1280, 720);
/// What the signs take of the window.
const MARGINS: Margins = Margins {
    left: 0.0,
    right: 0.0,
    top: SIGN_HEIGHT,
    bottom: SIGN_HEIGHT,
};
/// Physics and navigation step this often per second, whatever the frame rate.
pub const STEPS: TimestepMode = TimestepMode::Fixed {
    dt: 1.0 / 64.0,
    substeps: 1,
};

/// An example of Pursuit.
#[derive(Parser, Clone, Debug)]
struct Options {
    /// Let a script play, save a picture of the window, and exit.
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Exit after this many seconds of game time. A picture is taken after 5.
    #[arg(long, value_name = "S", value_parser = positive)]
    seconds: Option<f32>,
    #[command(flatten)]
    overlay: OverlayOptions,
}

/// The frame around an example. Adds `DefaultPlugins`; add the physics and Pursuit after it.
///
/// Its level is a [`Stage`], a resource: walls and things are fixed colliders already.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// The example's name.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub shows: &'static str,
    /// Keys and what they do.
    pub keys: &'static [(&'static str, &'static str)],
    /// The level's text: see [`Stage::parse`].
    pub map: &'static str,
    /// What the mouse and the keys do in a picture, and without a window: at which second it does what.
    pub script: &'static [(f32, Act)],
}

impl Plugin for Demo {
    fn build(&self, app: &mut App) {
        let options = Options::parse();
        let picture = options.screenshot.is_some();
        let stage = Stage::parse(self.map).expect("the map of an example is valid");
        let has_display = has_display();
        if picture && !has_display {
            say("--screenshot needs a display, and there is none (try xvfb-run)");
            app.set_runner(|_| AppExit::from_code(BAD_INPUT));
            return;
        }
        if has_display {
            app.add_plugins(steady_plugins(picture, self.window()));
        } else {
            add_headless_plugins(app, options.seconds.unwrap_or(SECONDS));
        }
        if picture || !has_display {
            app.insert_resource(Script::new(self.script))
                .insert_resource(PursuitSettings {
                    plan_mode: PlanMode::Inline,
                    ..default()
                });
        }
        end_by_itself(app, options.screenshot, options.seconds);
        app.insert_resource(ClearColor(palette::VOID))
            .insert_resource(STEPS)
            .insert_resource(stage)
            .insert_resource(Signs(*self))
            .add_plugins((FiguresPlugin, SketchPlugin, PointerPlugin, SteeringPlugin))
            .add_plugins(OverlayPlugin(options.overlay.settings(MARGINS, picture)))
            .add_systems(Startup, (spawn_level, spawn_stage_art, spawn_signs))
            .add_systems(PreUpdate, pause_or_go_on);
    }
}

impl Demo {
    fn window(&self) -> Window {
        let (width, height) = SIZE;
        Window {
            title: format!("Pursuit: {}", self.name),
            resolution: WindowResolution::new(width, height),
            ..default()
        }
    }
}

/// All of Bevy but a window and a graphics card; plays as fast as possible for some seconds of game
/// time, and says how everybody fares.
fn add_headless_plugins(app: &mut App, seconds: f32) {
    say("No X display answers (see DISPLAY): playing without a window.");
    let no_card = WgpuSettings {
        backends: None,
        ..default()
    };
    // What draws says that it cannot; that has been said.
    let log = LogPlugin {
        filter: format!("{DEFAULT_FILTER},bevy_render=off,bevy_gizmos_render=off"),
        ..default()
    };
    let plugins = DefaultPlugins
        .set(log)
        .disable::<WinitPlugin>()
        .set(WindowPlugin {
            primary_window: None,
            exit_condition: ExitCondition::DontExit,
            ..default()
        })
        .set(RenderPlugin {
            render_creation: no_card.into(),
            ..default()
        });
    let frame = Duration::from_secs(1) / 60;
    app.add_plugins(plugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .set_runner(move |app| play_headless(app, seconds));
}

fn play_headless(mut app: App, seconds: f32) -> AppExit {
    app.finish();
    app.cleanup();
    while app.world().resource::<Time>().elapsed_secs() < seconds {
        app.update();
    }
    let mut agents = app.world_mut().query::<(&Locomotion, &PathStatus)>();
    let agents: Vec<_> = agents.iter(app.world()).collect();
    say(&format!(
        "after {seconds} s, {} agents: {agents:?}",
        agents.len()
    ));
    AppExit::Success
}

fn say(line: &str) {
    // Nothing is left to do where even this cannot be written.
    let _ = writeln!(io::stdout(), "{line}");
}

/// What is written on the screen.
#[derive(Resource, Clone, Copy)]
struct Signs(Demo);

fn spawn_level(mut commands: Commands, stage: Res<Stage>) {
    stage.spawn_colliders(&mut commands);
    // All of it; but the outer walls go on beyond the window.
    let shown = stage.level.bounds().size() - Vec2::new(32.0, 6.0);
    commands.spawn((
        Camera2d,
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::AutoMin {
                min_width: shown.x,
                min_height: shown.y,
            },
            ..OrthographicProjection::default_2d()
        }),
    ));
}

fn spawn_signs(mut commands: Commands, signs: Res<Signs>) {
    let Demo {
        name, shows, keys, ..
    } = signs.0;
    let shared = [("F1", "what Pursuit sees"), ("P", "pause")];
    let keys: Vec<_> = keys.iter().copied().chain(shared).collect();
    commands.spawn(vignette());
    commands.spawn(title(name, shows));
    commands.spawn(help_line(&keys));
}
