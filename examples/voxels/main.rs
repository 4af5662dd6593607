//! Path-finding in three dimensions: A* and Dijkstra's algorithm beside each other, on a hill made of cubes.
//!
//! Shows the core's `voxels`: a `VoxelGrid` put together from boxes, and searches in a `VoxelSpace`, for bodies that fly and
//! for bodies that walk on what is solid. Both searches are recorded and replayed by the core's `Recording` and
//! `Replay`. These know cells in columns and rows, so the layers of the grid lie on one tall picture, one layer
//! after the other. What is saved tells the size of the grid, and how the body moves.
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
//! | S, with Shift | save what A* did, what Dijkstra's algorithm did |
//!
//! | Option | |
//! |---|---|
//! | `--move NAME` | `walk`, `climb` or `fly` |
//! | `--map FILE` | a text of layers, the lowest first: `#` solid, `.` free, `S` start, `G` goal |
//! | `--at PART` | begin there, paused: 0.5 is the middle |
//! | `--only NAME` | `a-star` or `dijkstra` alone |
//! | `--turn DEGREES` | look from there |
//! | `--recording FILE`, `--save FILE` | show a search that was saved, name the file for key S |
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
mod saved;
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
use pursuit_lab::recording::Recording;

use crate::cli::Options;
use crate::level::Level;
use crate::solve::Gait;

fn main() -> ExitCode {
    let options = Options::parse();
    let (level, recording) = match open(&options) {
        Ok(opened) => opened,
        Err(reason) => return refuse(&reason),
    };
    if !options.headless && has_display() {
        return match window::run(&options, level, recording) {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        };
    }
    if options.screenshot.is_some() {
        return refuse("--screenshot needs a display, and there is none (try xvfb-run)");
    }
    let report = match headless::report(&options, &level, recording.as_ref()) {
        Ok(report) => report,
        Err(reason) => return refuse(&reason),
    };
    match write!(io::stdout(), "{report}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The level, and the search that was saved if one is asked for, with how the body moves in it.
fn open(options: &Options) -> Result<(Level, Option<(Recording, Gait)>), String> {
    let map = options.map.as_deref().map(Level::load).transpose()?;
    let Some(path) = &options.recording else {
        let built_in = || hill::hill().map_err(|error| error.to_string());
        return Ok((map.map_or_else(built_in, Ok)?, None));
    };
    let (recording, gait) = saved::load(path)?;
    let level = saved::level(path, &recording, map)?;
    Ok((level, Some((recording, gait))))
}
