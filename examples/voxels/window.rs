//! The boards in a window.

use std::path::PathBuf;

use bevy::app::AppExit;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use pursuit_examples::art::palette;
use pursuit_examples::cli::end_by_itself;
use pursuit_examples::hud::vignette;
use pursuit_examples::replays::{Replays, advance, obey_keys};
use pursuit_examples::screenshot::steady_plugins;
use pursuit_examples::timeline;
use pursuit_lab::recording::Recording;

use crate::cli::Options;
use crate::controls::SaveTo;
use crate::level::Level;
use crate::marks::{self, Marks};
use crate::orbit::{self, Edges, Orbit};
use crate::paint::PaintPlugin;
use crate::race::Race;
use crate::solve::Gait;
use crate::terrain::{self, Cut};
use crate::words::Note;
use crate::{controls, panel, pick, trail, words};

/// Size of the window, in pixels.
const SIZE: (u32, u32) = (1280, 720);
/// Where a search is saved unless a file was named.
const RECORDING: &str = "voxels.recording";

/// Opens the window and stays until it is closed.
pub(crate) fn run(
    options: &Options,
    level: Level,
    recording: Option<(Recording, Gait)>,
) -> AppExit {
    let picture = options.screenshot.clone();
    let at = options.at.unwrap_or(0.0);
    let saved = recording.as_ref().map(|&(_, gait)| gait);
    let gait = saved.unwrap_or(options.gait());
    let mut race = Race::new(&level, gait, options.shown(), at);
    if let Some((recording, _)) = recording {
        race.open(recording, at);
    }
    if options.at.is_none() {
        race.toggle();
    }
    // A software renderer takes much longer for smooth edges: they are for pictures.
    let edges = if picture.is_some() {
        Edges(Msaa::Sample4)
    } else {
        Edges(Msaa::Off)
    };
    let mut app = App::new();
    app.add_plugins(steady_plugins(picture.is_some(), window()))
        .insert_resource(ClearColor(palette::VOID))
        .insert_resource(race)
        .insert_resource(edges)
        .insert_resource(Orbit::new(&level, options.turn))
        .insert_resource(Cut(level.grid.size()[2] as i32))
        .insert_resource(level)
        .insert_resource(SaveTo(
            options.save.clone().unwrap_or(PathBuf::from(RECORDING)),
        ))
        .add_plugins(BoardsPlugin);
    end_by_itself(&mut app, picture, options.seconds);
    app.run()
}

fn window() -> Window {
    Window {
        title: "Pursuit: voxels".into(),
        resolution: WindowResolution::new(SIZE.0, SIZE.1),
        ..default()
    }
}

/// Everything that is seen and pressed.
struct BoardsPlugin;

impl Plugin for BoardsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PaintPlugin)
            .init_resource::<Marks>()
            .init_resource::<Note>()
            .add_systems(
                Startup,
                (
                    orbit::spawn_cameras,
                    terrain::spawn_terrain,
                    trail::spawn_trails,
                    spawn_vignette,
                    panel::spawn_panel,
                    panel::spawn_timeline,
                ),
            )
            .add_systems(
                Update,
                (
                    (
                        obey_keys::<Race>,
                        controls::choose,
                        controls::cut,
                        controls::save,
                    ),
                    (timeline::scrub::<Race>, orbit::orbit, pick::pick),
                    advance::<Race>,
                    orbit::place_cameras,
                    (
                        terrain::build_terrain,
                        marks::set_marks,
                        trail::place_flag,
                        trail::draw_trails,
                        trail::move_pawns,
                        timeline::move_bar::<Race>,
                        words::write_words,
                    ),
                )
                    .chain(),
            );
    }
}

fn spawn_vignette(mut commands: Commands) {
    commands.spawn(vignette());
}
