//! Saves a picture of real play: lets the game run a while, looks, and exits.

use std::path::PathBuf;
use std::time::Duration;

use bevy::app::{AppExit, PluginGroupBuilder};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::{PresentMode, WindowResolution};
use bevy::winit::WinitSettings;

/// Game time per frame while a picture is made: play does not depend on how fast frames are.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Frames shown before the picture is taken: the first ones lack what is still on its way to the
/// graphics card.
const SETTLING_FRAMES: u32 = 12;
/// Pictures taken, at most, before giving up on a blank one.
const TRIES: u32 = 20;

/// Takes a picture after some seconds of play.
pub struct ScreenshotPlugin {
    /// Where to save it, as PNG.
    pub path: PathBuf,
    /// After this much game time.
    pub seconds: f32,
}

#[derive(Resource, Debug)]
struct Plan {
    path: PathBuf,
    seconds: f32,
    shown: u32,
    tries: u32,
}

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        let plan = Plan {
            path: self.path.clone(),
            seconds: self.seconds,
            shown: 0,
            tries: 0,
        };
        app.insert_resource(plan)
            .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
            .insert_resource(WinitSettings::continuous())
            // From the start: a camera that was active and rests loses sight of what does not move.
            .add_systems(PostStartup, look_when_it_is_time)
            .add_systems(Last, look_when_it_is_time);
    }
}

/// The default plugins with the given window. For a picture: shaders are compiled before the
/// first frame that needs them, frames do not wait for the screen, and a pixel is a pixel.
pub fn steady_plugins(for_picture: bool, window: Window) -> PluginGroupBuilder {
    let (width, height) = (
        window.resolution.physical_width(),
        window.resolution.physical_height(),
    );
    let window = if for_picture {
        Window {
            present_mode: PresentMode::AutoNoVsync,
            resolution: WindowResolution::new(width, height).with_scale_factor_override(1.0),
            ..window
        }
    } else {
        window
    };
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

/// Plays blindly until it is nearly time, then opens its eyes.
fn look_when_it_is_time(
    mut commands: Commands,
    time: Res<Time>,
    mut plan: ResMut<Plan>,
    mut cameras: Query<&mut Camera>,
    mut time_left: ResMut<TimeUpdateStrategy>,
) {
    let settling = STEP.as_secs_f32() * SETTLING_FRAMES as f32;
    let is_time = time.elapsed_secs() + settling >= plan.seconds;
    for mut camera in &mut cameras {
        camera.is_active = is_time;
    }
    if !is_time {
        return;
    }
    plan.shown += 1;
    if plan.shown == SETTLING_FRAMES {
        *time_left = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_or_try_again);
    }
}

fn save_or_try_again(
    captured: On<ScreenshotCaptured>,
    mut commands: Commands,
    mut plan: ResMut<Plan>,
    mut exit: MessageWriter<AppExit>,
) {
    plan.tries += 1;
    let blank = captured.image.data.as_deref().is_none_or(is_blank);
    if blank && plan.tries < TRIES {
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_or_try_again);
        return;
    }
    let _ = std::fs::remove_file(&plan.path);
    save_to_disk(plan.path.clone())(captured);
    let saved = !blank && plan.path.is_file();
    exit.write(if saved {
        AppExit::Success
    } else {
        AppExit::error()
    });
}

/// Whether all pixels are the same: nothing was drawn yet.
fn is_blank(pixels: &[u8]) -> bool {
    let mut pixels = pixels.chunks_exact(4);
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_one_color_is_blank() {
        assert!(is_blank(&[]));
        assert!(is_blank(&[1, 2, 3, 255, 1, 2, 3, 255]));
        assert!(!is_blank(&[1, 2, 3, 255, 1, 2, 4, 255]));
    }
}
