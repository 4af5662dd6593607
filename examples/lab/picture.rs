//! Saves a picture of the window after a while, and exits.

use std::path::PathBuf;
use std::time::Duration;

use bevy::app::{AppExit, PluginGroupBuilder};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::{PresentMode, WindowResolution};
use bevy::winit::WinitSettings;

/// Seconds before a picture is taken, unless others are asked for.
const SECONDS: f32 = 5.0;
/// Time per frame while a picture is made: it does not depend on how fast frames are.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Frames drawn before the picture is taken: the first ones lack what is still on its way to the graphics card.
const SETTLING: f32 = 12.0;
/// Size of the window, in pixels.
const SIZE: (u32, u32) = (1280, 720);

/// A picture that is to be taken.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Picture {
    path: PathBuf,
    seconds: f32,
    drawn: f32,
}

/// The default plugins. For a picture: shaders are compiled before the first frame that needs them, frames do not wait for
/// the screen, and a pixel is a pixel.
pub(crate) fn plugins(for_picture: bool) -> PluginGroupBuilder {
    let mut window = Window {
        title: "Pursuit: lab".into(),
        resolution: WindowResolution::new(SIZE.0, SIZE.1),
        ..default()
    };
    if for_picture {
        window.present_mode = PresentMode::AutoNoVsync;
        window.resolution.set_scale_factor_override(Some(1.0));
    }
    DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        })
        .set(RenderPlugin {
            synchronous_pipeline_compilation: for_picture,
            ..default()
        })
}

/// Lets an app take a picture after some seconds, and exit; or exit after them without one, if they were asked for.
pub(crate) fn end_by_itself(app: &mut App, path: Option<PathBuf>, seconds: Option<f32>) {
    if let Some(path) = path {
        let seconds = seconds.unwrap_or(SECONDS);
        app.insert_resource(Picture {
            path,
            seconds,
            drawn: 0.0,
        })
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .insert_resource(WinitSettings::continuous())
        .add_systems(PostStartup, take_when_it_is_time)
        .add_systems(Last, take_when_it_is_time);
    } else if let Some(seconds) = seconds {
        let exit = move |time: Res<Time>, mut exit: MessageWriter<AppExit>| {
            if time.elapsed_secs() >= seconds {
                exit.write(AppExit::Success);
            }
        };
        app.add_systems(Last, exit);
    }
}

/// Draws nothing until it is nearly time, then takes the picture.
fn take_when_it_is_time(
    mut commands: Commands,
    time: Res<Time>,
    mut picture: ResMut<Picture>,
    mut cameras: Query<&mut Camera>,
    mut left: ResMut<TimeUpdateStrategy>,
) {
    let is_time = time.elapsed_secs() + STEP.as_secs_f32() * SETTLING >= picture.seconds;
    for mut camera in &mut cameras {
        camera.is_active = is_time;
    }
    picture.drawn += f32::from(u8::from(is_time));
    if is_time && picture.drawn == SETTLING {
        *left = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
        commands.spawn(Screenshot::primary_window()).observe(save);
    }
}

fn save(captured: On<ScreenshotCaptured>, picture: Res<Picture>, mut exit: MessageWriter<AppExit>) {
    let _ = std::fs::remove_file(&picture.path);
    save_to_disk(picture.path.clone())(captured);
    exit.write(match picture.path.is_file() {
        true => AppExit::Success,
        false => AppExit::error(),
    });
}
