//! NPCs chase a player through a mansion: the whole of Pursuit in one small game.
//!
//! Shows how walls and furniture become obstacles just by being Rapier colliders, how hunters with
//! `Chase` come after a player, how the same plugin walks the player itself to a mouse click with
//! `PathRequest`, and how observers of `TargetReached` make the rules.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | left click | walk there by itself |
//! | mouse wheel | zoom |
//! | F1 | debug overlay: grid, paths, agents |
//! | P, Escape | pause |
//! | R | restart |
//!
//! | Option | |
//! |---|---|
//! | `--map FILE` | play an ASCII or MovingAI map |
//! | `--agents N` | how many hunters, at most 2,000 |
//! | `--headless --seconds S` | simulate without a window and print what happened |
//! | `--screenshot FILE` | save a picture of the game and exit |
//! | `--overlay`, `--show NAMES` | begin with the overlay on, and these of its categories: `clearance,paths` |
//! | `--diagonals NAME` | which diagonal steps are legal; with other ones than the usual, hunters search cell by cell |
//! | `--demo`, `--seed K` | player walks by itself, another chance |
//!
//! Without a display it goes headless by itself.

mod board;
mod cli;
mod controls;
mod effects;
mod game;
mod headless;
mod hud;
mod hunters;
mod player;
mod report;
mod score;
mod stage;
mod tour;
mod window;

use std::io::{self, Write};
use std::process::ExitCode;

use bevy::app::AppExit;
use clap::Parser;
use pursuit_examples::cli::refuse;
use pursuit_examples::display::has_display;

use crate::cli::{Mode, Options};

fn main() -> ExitCode {
    let options = Options::parse();
    let stage = match stage::load(options.map.as_deref()) {
        Ok(stage) => stage,
        Err(error) => return refuse(&error.to_string()),
    };
    let mode = options.mode(has_display());
    if mode == Mode::Window {
        return match window::run(&options, stage) {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        };
    }
    if mode == Mode::NoDisplay {
        if options.screenshot.is_some() {
            return refuse("--screenshot needs a display, and there is none (try xvfb-run)");
        }
        let note = "No X display answers (see DISPLAY): playing headless.\n";
        let _ = writeln!(io::stdout(), "{note}");
    }
    match headless::run(&options, stage) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
