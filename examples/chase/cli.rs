//! The command line, and whether there is a screen to play on.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Parser;

/// A chase through a mansion, or through a map of yours.
#[derive(Parser, Clone, Debug, PartialEq)]
#[command(name = "chase", about)]
pub(crate) struct Options {
    /// Play this map instead of the mansion: ASCII, or MovingAI's .map.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// How many hunters chase the player. As many as the map places, or 12.
    #[arg(long, value_name = "N")]
    pub(crate) agents: Option<usize>,
    /// Simulate without a window, as fast as possible, and print what happened.
    #[arg(long)]
    pub(crate) headless: bool,
    /// Seconds of game time to simulate, without a window or before a screenshot.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = positive)]
    pub(crate) seconds: f32,
    /// Seed of everything left to chance.
    #[arg(long, value_name = "K", default_value_t = 7)]
    pub(crate) seed: u64,
    /// Let the player walk by itself.
    #[arg(long)]
    pub(crate) demo: bool,
    /// Begin with the debug overlay switched on.
    #[arg(long)]
    pub(crate) overlay: bool,
    /// World units per pixel: 0.3 is near, the mouse wheel changes it.
    #[arg(long, value_name = "Z", default_value_t = 0.7, value_parser = positive)]
    pub(crate) zoom: f32,
    /// Let the player walk by itself, save a picture of the window, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub(crate) screenshot: Option<PathBuf>,
}

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// In a window.
    Window,
    /// Without one, because it was asked for.
    Headless,
    /// Without one, because there is no display.
    NoDisplay,
}

impl Options {
    /// How to run, given whether there is a display.
    pub(crate) fn mode(&self, has_display: bool) -> Mode {
        match (self.headless, has_display) {
            (true, _) => Mode::Headless,
            (false, true) => Mode::Window,
            (false, false) => Mode::NoDisplay,
        }
    }
}

/// Whether a window can be opened. Must be known before winit starts: it panics without a display.
pub(crate) fn has_display() -> bool {
    if cfg!(all(unix, not(target_os = "macos"))) {
        // X11 alone: the example is built without Wayland.
        std::env::var_os("DISPLAY").is_some_and(|name| is_display(&name))
    } else {
        true
    }
}

/// Whether an X server answers. One on another host, or with a name of an unknown form, is believed.
fn is_display(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let Some(local) = name.strip_prefix(':') else {
        return !name.is_empty();
    };
    let number = local.split('.').next().unwrap_or(local);
    is_listening(&format!("/tmp/.X11-unix/X{number}"))
}

#[cfg(target_os = "linux")]
fn is_listening(socket: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    let in_files = || UnixStream::connect(socket);
    let abstract_name = SocketAddr::from_abstract_name(socket);
    in_files().is_ok() || abstract_name.is_ok_and(|name| UnixStream::connect_addr(&name).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn is_listening(socket: &str) -> bool {
    std::path::Path::new(socket).exists()
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("must be a number above zero".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(["chase"].into_iter().chain(arguments.split_whitespace()))
    }

    #[test]
    fn the_defaults_play_the_mansion_in_a_window() {
        let options = parse("").expect("no argument is needed");
        assert_eq!(
            (options.map.as_ref(), options.agents, options.seconds),
            (None, None, 30.0)
        );
        assert_eq!(options.mode(true), Mode::Window);
    }

    #[test]
    fn without_a_display_there_is_no_window() {
        assert_eq!(parse("").expect("valid").mode(false), Mode::NoDisplay);
        assert_eq!(
            parse("--headless").expect("valid").mode(false),
            Mode::Headless
        );
        assert_eq!(
            parse("--headless").expect("valid").mode(true),
            Mode::Headless
        );
        assert!(!is_display("".as_ref()), "an empty name is no display");
        assert!(!is_display(":4321".as_ref()), "nobody listens there");
        assert!(
            is_display("far.example:0".as_ref()),
            "cannot be told from here"
        );
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for wrong in [
            "--seconds 0",
            "--seconds -1",
            "--seconds NaN",
            "--seconds soon",
            "--zoom 0",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse("--seconds 1.5").expect("valid").seconds, 1.5);
    }

    #[test]
    fn a_picture_needs_a_window() {
        assert!(parse("--headless --screenshot a.png").is_err());
    }
}
