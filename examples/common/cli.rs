//! What the command lines of the examples have in common, and how their windows end by themselves.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use bevy::app::AppExit;
use bevy::prelude::*;

use crate::screenshot::ScreenshotPlugin;

/// Exit code for a file or an option that cannot be used.
pub const BAD_INPUT: u8 = 2;
/// Seconds before a picture is taken, unless others are asked for.
pub const SECONDS: f32 = 5.0;

/// A number above zero.
///
/// # Errors
///
/// Where the text is something else, in words for whoever typed it.
pub fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f32| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "must be a number above zero".to_owned())
}

/// Says why a program does not begin, and gives what it ends with.
pub fn refuse(reason: &str) -> ExitCode {
    // Nothing is left to do where even this cannot be written.
    let _ = writeln!(io::stderr(), "error: {reason}");
    ExitCode::from(BAD_INPUT)
}

/// Lets an app take a picture after some seconds, and exit; or exit after them without one, if they
/// were asked for.
pub fn end_by_itself(app: &mut App, picture: Option<PathBuf>, seconds: Option<f32>) {
    if let Some(path) = picture {
        let seconds = seconds.unwrap_or(SECONDS);
        app.add_plugins(ScreenshotPlugin { path, seconds });
    } else if let Some(seconds) = seconds {
        app.insert_resource(Deadline(seconds))
            .add_systems(Last, exit_in_time);
    }
}

/// Seconds after which the app exits.
#[derive(Resource, Clone, Copy, Debug)]
struct Deadline(f32);

fn exit_in_time(time: Res<Time>, deadline: Res<Deadline>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() >= deadline.0 {
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;

    use super::*;

    #[test]
    fn numbers_above_zero_are_taken_and_no_others() {
        assert_eq!(positive("1.5"), Ok(1.5));
        for wrong in ["0", "-1", "NaN", "inf", "soon", ""] {
            assert!(positive(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_app_exits_when_its_seconds_are_over_and_no_sooner() {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
                100,
            )));
        end_by_itself(&mut app, None, Some(0.25));
        // The first update has no time before it.
        for _ in 0..3 {
            app.update();
            assert_eq!(app.should_exit(), None);
        }
        app.update();
        assert_eq!(app.should_exit(), Some(AppExit::Success));
    }
}
