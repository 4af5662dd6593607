//! The laboratory in a window.

use std::path::PathBuf;

use bevy::app::AppExit;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use pursuit_examples::art::{Paint, palette};
use pursuit_examples::cli::end_by_itself;
use pursuit_examples::replays::{Replays, advance, obey_keys};
use pursuit_examples::screenshot::steady_plugins;
use pursuit_examples::timeline::{self, Timeline};
use pursuit_lab::recording::Recording;

use crate::board::Board;
use crate::canvas::{self, CanvasPlugin};
use crate::cli::Options;
use crate::controls::{self, Files};
use crate::dropped::{self, Notice};
use crate::edit::{self, Drag};
use crate::labels::{self, Pool};
use crate::lanes::{self, LANES, Lanes};
use crate::levels;
use crate::table::Table;
use crate::view::{self, BAR, PANEL, Pointer, View};
use crate::words::{self, Note, Word};
use crate::{panel, signs, strokes};

/// Size of the window, in pixels.
const SIZE: (u32, u32) = (1280, 720);
/// Where the comparison is saved unless a file was named.
const CSV: &str = "search_lab.csv";
/// Where a search is saved unless a file was named.
const RECORDING: &str = "search_lab.recording";

/// Opens the window and stays until it is closed.
pub(crate) fn run(options: &Options, board: Board, recording: Option<Recording>) -> AppExit {
    let picture = options.screenshot.clone();
    let methods = [options.left.into(), options.right.into()];
    let center = options.center.map(|(x, y)| Vec2::new(x + 0.5, -y - 0.5));
    let mut lanes = Lanes::new(methods, options.alone, options.at.unwrap_or(0.0));
    if let Some(recording) = recording {
        lanes.open(recording);
    }
    let mut app = App::new();
    app.add_plugins(steady_plugins(picture.is_some(), window()))
        .insert_resource(ClearColor(palette::VOID))
        .insert_resource(board)
        .insert_resource(options.settings())
        .insert_resource(lanes)
        .insert_resource(View::new(options.zoom, center))
        .insert_resource(Files {
            csv: options.csv.clone().unwrap_or(PathBuf::from(CSV)),
            recording: options.save.clone().unwrap_or(PathBuf::from(RECORDING)),
            level: options.level % levels::COUNT,
        })
        .insert_resource(StartPlaying(options.at.is_none()))
        .add_plugins(LabPlugin);
    end_by_itself(&mut app, picture, options.seconds);
    app.run()
}

fn window() -> Window {
    Window {
        title: "Pursuit: search_lab".into(),
        resolution: WindowResolution::new(SIZE.0, SIZE.1),
        ..default()
    }
}

/// Everything that is seen and pressed.
struct LabPlugin;

impl Plugin for LabPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(CanvasPlugin)
            .init_resource::<Paint>()
            .init_resource::<Pointer>()
            .init_resource::<Drag>()
            .init_resource::<Pool>()
            .init_resource::<Table>()
            .init_resource::<Note>()
            .init_resource::<Notice>()
            .add_systems(
                Startup,
                (
                    view::spawn_cameras,
                    strokes::spawn_strokes,
                    panel::spawn_panel,
                    signs::spawn_signs,
                    spawn_timeline,
                    dropped::spawn_notice,
                ),
            )
            .add_systems(
                Update,
                (
                    (view::point, view::move_view, edit::edit).chain(),
                    (obey_keys::<Lanes>, controls::choose, controls::change_map),
                    dropped::open_dropped,
                    timeline::scrub::<Lanes>,
                    lanes::solve_lanes,
                    start_playing,
                    advance::<Lanes>,
                    (controls::compare, controls::save_replay).chain(),
                    view::place_cameras,
                    (labels::grow_pool, labels::write_numbers).chain(),
                    (
                        canvas::paint_ground,
                        canvas::paint_marks,
                        strokes::draw_strokes,
                        signs::place_signs,
                        timeline::move_bar::<Lanes>,
                        words::write_words,
                        dropped::write_notice,
                    ),
                )
                    .chain(),
            );
    }
}

fn spawn_timeline(mut commands: Commands) {
    let timeline = Timeline {
        right: PANEL,
        height: BAR,
        bottom: 14.0,
        places: LANES,
    };
    timeline.spawn(&mut commands, [Word::Speed, Word::Cursor]);
}

/// Whether the replays begin by themselves.
#[derive(Resource, Clone, Copy, Debug)]
struct StartPlaying(bool);

fn start_playing(mut wanted: ResMut<StartPlaying>, mut lanes: ResMut<Lanes>) {
    if wanted.0 {
        wanted.0 = false;
        lanes.toggle();
    }
}
