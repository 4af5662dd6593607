//! A laboratory of path-finding: watch searches think, step by step and side by side, on maps that you draw.
//!
//! The laboratory shows the core and `pursuit_lab`: a `Recording` keeps the events of a search, a `Replay` plays them,
//! and `PathOptions` set the rules of the search. The colors are the classic ones: the current cell is pink, its
//! examined neighbors are blue, discovered cells are yellow, and the path goes from red to green. Cells that are large
//! enough show f, g and h, and an arrow to the parent. A straight step costs 10, and a diagonal step 14. D* Lite keeps
//! its state when the map is edited, and shows the repair; the key of D* Lite makes it begin from scratch. `--voxels`
//! searches among cubes, for bodies that walk, climb or fly.
//!
//! | Key | |
//! |---|---|
//! | Space, P; arrows; Home, End | play and pause; step, faster and slower; to the beginning, to the end |
//! | L, W, E | slow motion, a wait after each step; a step is a look at one neighbor, or a whole expansion |
//! | 1 to 8, Tab | the algorithm on the left, with Shift on the right; one lane or two |
//! | H, D, G, K | estimate, diagonal steps or moves, weights of g and h |
//! | M, R, F | next map, other ends at random, show all |
//! | C, S | save the comparison as CSV; what the left algorithm did, with Shift the right one |
//! | a file dropped on the window | opens that map |
//!
//! On a grid the left button draws walls or drags start and goal; with Shift it draws mud, with Ctrl it moves the view.
//! The right button wipes, the wheel zooms, X clears the map. Among cubes the left button turns the view, the right one
//! moves it, the wheel zooms, Shift click and Ctrl click set start and goal, and page up and page down cut away the
//! upper layers.
//!
//! `--help` lists the options. `--headless` compares all algorithms without a window, and so does a machine without a
//! display.

mod cli;
mod clock;
mod colors;
mod cubes;
mod grid;
mod keys;
mod lanes;
mod panel;
mod problem;
mod saved;
mod settings;
#[path = "../common/shots.rs"]
mod shots;
mod solid;
mod table;
mod window;

use std::io::{self, Write};

use bevy::app::AppExit;
use clap::Parser;
use pursuit_lab::recording::Recording;

use cli::Options;
use cubes::level::Level;
use grid::board::Board;
use problem::Problem;
use settings::Settings;

pub(crate) fn main() -> AppExit {
    let options = Options::parse();
    let recording = options.recording.as_deref().map(saved::load).transpose();
    let done = recording.and_then(|recording| {
        let facts = recording.as_ref().map(Recording::search);
        if options.voxels || facts.is_some_and(|facts| facts.voxels.is_some()) {
            run::<Level>(&options, recording)
        } else {
            run::<Board>(&options, recording)
        }
    });
    done.unwrap_or_else(|reason| {
        // If even this message cannot be written, there is nothing more to do.
        let _ = writeln!(io::stderr(), "error: {reason}");
        AppExit::from_code(2)
    })
}

fn run<P: Problem>(options: &Options, recording: Option<Recording>) -> Result<AppExit, String> {
    let mut settings = Settings::default();
    let search = recording.as_ref().map(Recording::search);
    if let Some(voxels) = search.and_then(|search| search.voxels) {
        settings.movement = voxels.movement();
    }
    let map = options.map.as_deref().map(saved::load_map).transpose()?;
    let problem = match (&options.recording, &recording) {
        (Some(path), Some(recording)) => saved::problem(path, recording, map)?,
        _ => map.unwrap_or_else(|| P::built_in(0)),
    };
    if options.headless || !has_display() {
        let report = table::report(options, &problem, &settings)?;
        let written = write!(io::stdout(), "{report}");
        return written
            .map(|()| AppExit::Success)
            .map_err(|error| error.to_string());
    }
    Ok(window::run(options, problem, settings, recording))
}

/// Whether a window can be opened. This must be known before winit starts, because winit panics without a display.
fn has_display() -> bool {
    let is_x11 = cfg!(all(unix, not(target_os = "macos")));
    !is_x11 || std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty())
}
