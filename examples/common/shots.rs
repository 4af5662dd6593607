//! Pictures of a running example. `SHOTS=80,120` saves these frames as `screenshot-80.png` and `screenshot-120.png` in
//! the working folder, and then ends the example. `cargo xtask pictures` uses this module. A game does not need it.

use std::time::Duration;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;

/// Game time between two frames while pictures are taken, however long the frames take to draw.
const FRAME: Duration = Duration::from_millis(25);

pub(crate) fn plugin(app: &mut App) {
    let frames = std::env::var("SHOTS").unwrap_or_default();
    let frames = frames.split(',').filter_map(|frame| frame.parse().ok());
    let frames: Vec<u32> = frames.collect();
    let Some(&last) = frames.last() else {
        return;
    };
    let take = move |mut commands: Commands, mut count: Local<u32>| {
        let frame = *count;
        *count += 1;
        if !frames.contains(&frame) {
            return;
        }
        let save = move |shot: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            save_to_disk(format!("screenshot-{frame}.png"))(shot);
            if frame == last {
                exit.write(AppExit::Success);
            }
        };
        commands.spawn(Screenshot::primary_window()).observe(save);
    };
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
        .add_systems(Update, take);
}
