//! Path-finding in three dimensions: A* and Dijkstra's algorithm beside each other, on a hill made of cubes.
//!
//! Shows the core's `voxels`: a `VoxelGrid` put together from boxes, and searches in a `VoxelSpace`, for bodies that fly and
//! for bodies that walk on what is solid. Both searches are recorded and replayed by the core's `Recording` and
//! `Replay`. These know cells in columns and rows, so the layers of the grid are laid out as one tall picture, one layer
//! after the other. A node of the space and a cell of that picture then have the same number, and nothing is lost.
//!
//! Colors are the classic ones: the current cube pink, its neighbors under examination blue, what was discovered yellow,
//! what was expanded fainter and smaller, and the path from red to green. A thread leads from the start to the current cube.
//!
//! | Key | |
//! |---|---|
//! | Space, P | play and pause |
//! | left, right; Home, End | step back and forward; to the beginning, to the end |
//! | up, down | faster, slower |
//! | L, W, with Shift | slow motion, a wait after each step: more, less |
//! | E | a step is an expansion with all its looks, or a single look |
//! | M | walk, climb two cubes at once, fly |
//! | Tab | both boards, A* alone, Dijkstra alone |
//! | Shift click, Ctrl click | set the start, the goal |
//! | N | draw both by lot |
//! | page up, page down | cut the upper layers away, to look into the cave |
//! | drag, wheel | turn, come nearer |
//! | right drag | move |
//! | F | look at all of it again |
//!
//! | Option | |
//! |---|---|
//! | `--move NAME` | `walk`, `climb` or `fly` |
//! | `--map FILE` | a text of layers, the lowest first: `#` solid, `.` free, `S` start, `G` goal |
//! | `--at PART` | begin there, paused: 0.5 is the middle |
//! | `--only NAME` | `a-star` or `dijkstra` alone |
//! | `--turn DEGREES` | look from there |
//! | `--headless` | compare both without a window: a table |
//! | `--screenshot FILE` | save a picture and exit |
//!
//! Without a display it goes headless by itself.

mod cli;
mod controls;
mod headless;
mod hill;
mod level;
mod light;
mod marks;
mod orbit;
mod paint;
mod panel;
mod pick;
mod race;
mod solid;
mod solve;
mod terrain;
mod trail;
mod window;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use bevy::app::AppExit;
use clap::Parser;
use pursuit_examples::cli::refuse;
use pursuit_examples::display::has_display;

use crate::cli::Options;
use crate::level::Level;

fn main() -> ExitCode {
    let options = Options::parse();
    let level = match &options.map {
        Some(path) => Level::load(path),
        None => hill::hill().map_err(|error| error.to_string()),
    };
    let level = match level {
        Ok(level) => level,
        Err(reason) => return refuse(&reason),
    };
    if !options.headless && has_display() {
        return match window::run(&options, level) {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        };
    }
    if options.screenshot.is_some() {
        return refuse("--screenshot needs a display, and there is none (try xvfb-run)");
    }
    match write!(io::stdout(), "{}", headless::compare(&level)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
