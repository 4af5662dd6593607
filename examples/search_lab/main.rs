//! A laboratory of path-finding: watch searches think, step by step and side by side, on maps that you draw.
//!
//! Shows the core alone: `Recording` keeps what a search did, `Replay` plays it, and `PathOptions` say how
//! to search. Colors are the classic ones: the current cell pink, its neighbors under examination blue,
//! what was discovered yellow, and the path from red to green. Cells that are large enough show f, g and h,
//! and an arrow to where the way comes from. A straight step counts 10, a diagonal one 14. D* Lite keeps what it knew
//! when the map is edited, and shows the repair; its key lets it begin anew.
//!
//! | Key | |
//! |---|---|
//! | Space, P | play and pause |
//! | left, right; Home, End | step back and forward; to the beginning, to the end |
//! | up, down | faster, slower: from 2 seconds per step to 30,000 steps per second |
//! | L, W, with Shift | slow motion, a wait after each step: more, less |
//! | E | a step is a look at one neighbor, or an expansion with all of them |
//! | 1 to 8, with Shift | the algorithm on the left, on the right |
//! | Tab | one lane or two |
//! | H, N, D | estimate, neighborhood, diagonal steps |
//! | T | which of several cells with the same f comes first |
//! | G, K, with Shift | more, less weight on g and h |
//! | left button | draw walls, or drag start and goal; with Shift draw mud |
//! | right button | wipe |
//! | wheel, F | zoom, show all |
//! | middle button, left one with Ctrl | move the view |
//! | M, X | next map, no walls |
//! | a file dropped on the window | opens that map |
//! | C | save the comparison of all algorithms as CSV |
//! | S, with Shift | save what the algorithm on the left did, on the right |
//!
//! | Option | |
//! |---|---|
//! | `--map FILE` | an ASCII or MovingAI map |
//! | `--left NAME`, `--right NAME` | the algorithms |
//! | `--heuristic NAME`, `--neighbors 4`, `--diagonals NAME`, `--ties NAME` | by which rules |
//! | `--at PART --zoom PIXELS --center X,Y` | begin there, paused |
//! | `--recording FILE`, `--save FILE` | show a search that was saved, name the file for key S |
//! | `--headless --csv FILE` | compare all algorithms without a window, and answers from tables where the map allows them |
//! | `--headless --starts N --csv FILE` | compare A* and Dijkstra from N start points |
//! | `--screenshot FILE` | save a picture and exit |
//!
//! Without a display it goes headless by itself.

mod board;
mod canvas;
mod cli;
mod colors;
mod controls;
mod dropped;
mod edit;
mod headless;
mod labels;
mod lanes;
mod levels;
mod method;
mod panel;
mod saved;
mod signs;
mod solve;
mod strokes;
mod table;
mod view;
mod window;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use bevy::app::AppExit;
use clap::Parser;
use pursuit_examples::cli::refuse;
use pursuit_examples::display::has_display;
use pursuit_lab::recording::Recording;

use crate::board::Board;
use crate::cli::Options;

fn main() -> ExitCode {
    let options = Options::parse();
    let (board, recording) = match open(&options) {
        Ok(opened) => opened,
        Err(reason) => return refuse(&reason),
    };
    let is_headless = options.headless || options.starts > 0;
    if !is_headless && has_display() {
        return match window::run(&options, board, recording) {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        };
    }
    if options.screenshot.is_some() {
        return refuse("--screenshot needs a display, and there is none (try xvfb-run)");
    }
    let report = match headless::report(&options, &board, recording.as_ref()) {
        Ok(report) => report,
        Err(reason) => return refuse(&reason),
    };
    match write!(io::stdout(), "{report}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The map, and the search that was saved if one is asked for.
fn open(options: &Options) -> Result<(Board, Option<Recording>), String> {
    let map = options.map.as_deref().map(levels::load).transpose()?;
    let Some(path) = &options.recording else {
        let built_in = || levels::built_in(options.level.saturating_sub(1));
        return Ok((map.unwrap_or_else(built_in), None));
    };
    let recording = saved::load(path)?;
    let board = saved::board(path, &recording, map)?;
    Ok((board, Some(recording)))
}
