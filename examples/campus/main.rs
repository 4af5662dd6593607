//! A guided walk over a campus: named places, roads between them, and all routes stored: `RouteMap` of the core.
//!
//! Some roads are laid by hand, along the paved ways; the others are paved by the core, so that no route is
//! a long way round. A trip is a short search to the route, the route as it is stored, and a short search to the place.
//! The guide walks it by `steer::advance`. Pull the guide away, and the way back in is planned from where it is. Its
//! visitors are agents of the plugin that chase, each the one before it, over a grid that is baked of the
//! same colliders. The panel measures each trip beside full searches.
//!
//! | Key | |
//! |---|---|
//! | 1 to 9, 0; click a building or a place | a guided walk there |
//! | T | a tour of all buildings |
//! | W A S D, arrows; drag the guide | pull it off its way |
//! | right click | put it there |
//! | R | show the roads, hide them |
//! | F5, F9 | save the waypoint map, load it |
//! | F1 | debug overlay |
//! | P, Escape | pause |
//!
//! | Option | |
//! |---|---|
//! | `--headless` | walk from every place to every other, and print time and memory beside full searches |
//! | `--save FILE`, `--load FILE` | the waypoint map; a bad file is refused with a reason |
//! | `--overlay`, `--show NAMES` | begin with the debug overlay on, and these of its categories |
//! | `--screenshot FILE` | save a picture and exit |
//!
//! Without a display it goes headless by itself.

mod art;
mod buildings;
mod cli;
mod controls;
mod draw;
mod files;
mod guide;
mod headless;
mod measure;
mod panel;
mod places;
mod scenery;
mod window;
mod world;

use std::io::{self, Write};
use std::process::ExitCode;

use bevy::app::AppExit;
use clap::Parser;
use pursuit_examples::cli::refuse;
use pursuit_examples::display::has_display;
use pursuit_examples::stage::Stage;

use crate::cli::Options;
use crate::places::LEVEL;

fn main() -> ExitCode {
    let options = Options::parse();
    if !options.headless && has_display() {
        let stage = match Stage::parse(LEVEL) {
            Ok(stage) => stage,
            Err(error) => return refuse(&error.to_string()),
        };
        return match window::run(&options, stage) {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        };
    }
    if options.screenshot.is_some() {
        return refuse("--screenshot needs a display, and there is none (try xvfb-run)");
    }
    match headless::report(&options) {
        Ok(report) => match write!(io::stdout(), "{report}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(reason) => refuse(&reason),
    }
}
