//! The laboratory in a window.

use std::path::PathBuf;

use bevy::app::AppExit;
use bevy::prelude::*;
use pursuit::Recording;

use crate::cli::Options;
use crate::keys::{self, Files};
use crate::lanes::{self, Lanes};
use crate::problem::Problem;
use crate::settings::Settings;
use crate::table::Table;
use crate::words::{self, Note};
use crate::{colors, panel, picture, screen, timeline};

/// The order in which things happen within a frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// The mouse on the map.
    Edit,
    /// Keys, then searches, then the clock.
    Solve,
    /// Where cameras look.
    Look,
    /// What changed is drawn.
    Draw,
}

/// Opens the window and stays until it is closed.
pub(crate) fn run<P: Problem>(
    options: &Options,
    problem: P,
    settings: Settings,
    recording: Option<Recording>,
) -> AppExit {
    let picture = options.screenshot.clone();
    let methods = [options.left, options.right];
    let mut lanes = Lanes::new(methods, options.alone, P::UNIT, options.at);
    if let Some(recording) = recording {
        lanes.open(recording);
    }
    let file = |path: &Option<PathBuf>, name: &str| path.clone().unwrap_or(name.into());
    let mut app = App::new();
    app.add_plugins(picture::plugins(picture.is_some()))
        .insert_resource(ClearColor(colors::VOID))
        .insert_resource(problem)
        .insert_resource(settings)
        .insert_resource(lanes)
        .insert_resource(Files {
            csv: file(&options.csv, "lab.csv"),
            recording: file(&options.save, "lab.recording"),
            level: options.level % P::LEVELS,
        })
        .init_resource::<Table>()
        .init_resource::<Note>();
    let stages = (Stage::Edit, Stage::Solve, Stage::Look, Stage::Draw);
    app.configure_sets(Update, stages.chain());
    let spawn = (
        screen::spawn_cameras::<P>,
        panel::spawn_panel::<P>,
        panel::spawn_signs,
        timeline::spawn_timeline,
    );
    let solve = (
        (keys::play, keys::choose::<P>, keys::open_dropped::<P>),
        timeline::scrub,
        lanes::solve_lanes::<P>,
        lanes::advance,
        (keys::compare::<P>, keys::save_replay::<P>).chain(),
    );
    let draw = (
        panel::place_signs,
        timeline::move_bar,
        words::write_words::<P>,
    );
    app.add_systems(Startup, spawn)
        .add_systems(Update, solve.chain().in_set(Stage::Solve))
        .add_systems(Update, screen::place_cameras.in_set(Stage::Look))
        .add_systems(Update, draw.in_set(Stage::Draw));
    P::add_view(&mut app, options);
    picture::end_by_itself(&mut app, picture, options.seconds);
    app.run()
}
