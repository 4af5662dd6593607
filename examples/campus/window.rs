//! The campus in a window.

use std::path::PathBuf;

use bevy::app::AppExit;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::{PlanMode, PursuitSettings};
use bevy_pursuit_debug::{Corner, Margins, PursuitDebugSettings};
use pursuit_examples::art::{palette, spawn_stage_art};
use pursuit_examples::bodies::BODY_RADIUS;
use pursuit_examples::cli::end_by_itself;
use pursuit_examples::figures::FiguresPlugin;
use pursuit_examples::hud::vignette;
use pursuit_examples::keys::pause_or_go_on;
use pursuit_examples::overlay::OverlayPlugin;
use pursuit_examples::pointer::{Act, PointerPlugin, Script};
use pursuit_examples::screenshot::steady_plugins;
use pursuit_examples::sketch::SketchPlugin;
use pursuit_examples::stage::Stage;

use crate::art::spawn_campus_art;
use crate::buildings::Buildings;
use crate::cli::Options;
use crate::controls::{self, Drag, Files, Note, Round};
use crate::draw::{self, ShowRoads};
use crate::guide::Campus;
use crate::measure::{Scratch, memory};
use crate::places::{LEVEL, lay_routes};
use crate::world::{WorldPlugin, ready};
use crate::{files, panel};

/// Size of the window, in pixels.
const SIZE: (u32, u32) = (1280, 720);
/// What the panel takes of it.
const MARGINS: Margins = Margins {
    left: 0.0,
    right: panel::WIDTH,
    top: 0.0,
    bottom: 0.0,
};
/// Where the waypoint map is saved unless a file was named.
const FILE: &str = "campus.routes";
/// What a hand does in a picture: sends the guide off, and pulls it away for a while.
const SCRIPT: &[(f32, Act)] = &[
    (1.2, Act::Hold(KeyCode::Digit2)),
    (1.3, Act::Release(KeyCode::Digit2)),
    (2.6, Act::Hold(KeyCode::KeyD)),
    (3.2, Act::Release(KeyCode::KeyD)),
];

/// The file to begin with.
#[derive(Resource, Clone, Debug)]
struct Begin(Option<PathBuf>);

/// Opens the window and stays until it is closed.
pub(crate) fn run(options: &Options, stage: Stage) -> AppExit {
    let picture = options.screenshot.clone();
    let file = |named: &Option<PathBuf>| named.clone().unwrap_or(PathBuf::from(FILE));
    let mut app = App::new();
    app.add_plugins(steady_plugins(picture.is_some(), window()))
        .insert_resource(Buildings::of(&stage))
        .insert_resource(stage)
        .insert_resource(Begin(options.load.clone()))
        .add_plugins(OverlayPlugin(PursuitDebugSettings {
            panel: None,
            legend: Some(Corner::BottomLeft),
            ..options.overlay.settings(MARGINS, picture.is_some())
        }))
        .insert_resource(Files {
            save: file(&options.save),
            load: file(
                options
                    .load
                    .as_ref()
                    .map_or(&options.save, |_| &options.load),
            ),
        })
        .add_plugins((WorldPlugin, LooksPlugin));
    if picture.is_some() {
        app.insert_resource(Script::new(SCRIPT))
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..default()
            });
    }
    end_by_itself(&mut app, picture, options.seconds);
    app.run()
}

fn window() -> Window {
    Window {
        title: "Pursuit: campus".into(),
        resolution: WindowResolution::new(SIZE.0, SIZE.1),
        ..default()
    }
}

/// Everything that is seen and pressed.
struct LooksPlugin;

impl Plugin for LooksPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(palette::VOID))
            .insert_resource(ShowRoads(true))
            .init_resource::<Note>()
            .init_resource::<Round>()
            .init_resource::<Drag>()
            .add_plugins((FiguresPlugin, SketchPlugin, PointerPlugin))
            .add_systems(
                Startup,
                (
                    spawn_camera,
                    spawn_stage_art,
                    spawn_campus_art,
                    draw::spawn_signs,
                    panel::spawn_panel,
                ),
            )
            .add_systems(PreUpdate, pause_or_go_on)
            .add_systems(
                Update,
                (
                    place_camera,
                    open_campus.run_if(not(resource_exists::<Campus>)),
                    (
                        (
                            controls::choose_place,
                            controls::pull_guide,
                            controls::go_round,
                            controls::obey_keys,
                        )
                            .chain(),
                        (draw::draw_roads, draw::draw_trip, draw::draw_signs).chain(),
                        (panel::write_words, panel::stretch_bars),
                    )
                        .chain()
                        .run_if(resource_exists::<Campus>),
                )
                    .chain(),
            );
    }
}

fn spawn_camera(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn(vignette());
}

/// Shows all of the campus beside the panel.
fn place_camera(
    stage: Res<Stage>,
    window: Single<&Window>,
    mut camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>,
) {
    let size = window.size();
    let room = Vec2::new((size.x - panel::WIDTH).max(1.0), size.y.max(1.0));
    let bounds = stage.level.bounds();
    let scale = (bounds.size() / room).max_element();
    let (transform, projection) = &mut *camera;
    transform.translation.x = bounds.center().x + scale * panel::WIDTH / 2.0;
    if let Projection::Orthographic(projection) = &mut **projection {
        projection.scale = scale;
    }
}

/// Lays the waypoint map, or loads it, once the grid is baked.
fn open_campus(
    mut commands: Commands,
    stage: Res<Stage>,
    begin: Res<Begin>,
    grid: Single<&BakedGrid>,
    mut note: ResMut<Note>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(baked) = ready(*grid) else {
        return;
    };
    let radius = baked.radius_cells(BODY_RADIUS);
    let loaded = begin.0.as_ref().and_then(|path| {
        let loaded = files::load(path, LEVEL, baked.map(), radius);
        loaded
            .inspect_err(|reason| note.0 = format!("refused: {reason}"))
            .ok()
    });
    let routes = loaded.map_or_else(|| lay_routes(&stage, baked), Ok);
    match routes {
        Ok(routes) => commands.insert_resource(Campus {
            memory: memory(baked.map(), &routes),
            baked: baked.clone(),
            routes,
            scratch: Scratch::default(),
        }),
        Err(reason) => {
            error!("the roads of the campus cannot be laid: {reason}");
            exit.write(AppExit::error());
        }
    }
}
