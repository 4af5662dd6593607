//! The laboratory in a window: a camera per lane, and a camera for the panels above them.

use bevy::app::{AppExit, PluginGroupBuilder};
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{ClearColorConfig, Viewport};
use bevy::prelude::*;
use bevy::ui::IsDefaultUiCamera;
use bevy::window::PrimaryWindow;
use pursuit_lab::recording::Recording;

use super::cli::Options;
use super::colors;
use super::keys::{self, Files};
use super::lanes::{self, LANES, Lanes};
use super::panel::{self, Note};
use super::problem::Problem;
use super::settings::Settings;
use super::shots;
use super::table::Table;

/// The order of the systems within a frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// The mouse edits the map.
    Edit,
    /// Keys are handled, then searches run, then the clock advances.
    Solve,
    /// The cameras are placed.
    Look,
    /// Changes are drawn.
    Draw,
}

/// Opens the window, and returns when it is closed.
pub(crate) fn run<P: Problem>(
    options: &Options,
    problem: P,
    settings: Settings,
    recording: Option<Recording>,
) -> AppExit {
    let methods = [options.left, options.right];
    let mut lanes = Lanes::new(methods, options.alone, P::STEP_UNIT, options.at);
    if let Some(recording) = recording {
        lanes.open(recording);
    }
    let mut app = App::new();
    app.add_plugins((plugins(), shots::plugin))
        .insert_resource(ClearColor(colors::BACKGROUND))
        .insert_resource(problem)
        .insert_resource(settings)
        .insert_resource(lanes)
        .insert_resource(Files {
            csv: options.csv.clone().unwrap_or("lab.csv".into()),
            level: 1 % P::LEVELS,
        })
        .init_resource::<Table>()
        .init_resource::<Note>();
    let stages = (Stage::Edit, Stage::Solve, Stage::Look, Stage::Draw);
    app.configure_sets(Update, stages.chain());
    let texts = (panel::spawn_panel, panel::spawn_timeline);
    let handle_keys = (keys::handle_play_keys, keys::handle_choice_keys::<P>);
    let solve = (
        (handle_keys, keys::open_dropped::<P>),
        panel::scrub,
        lanes::solve_lanes::<P>,
        lanes::advance_replays,
        (keys::compare_methods::<P>, keys::save_replay::<P>).chain(),
    );
    let draw = (panel::place_signs, panel::move_bar, panel::write_words::<P>);
    app.add_systems(Startup, (spawn_cameras::<P>, texts))
        .add_systems(Update, solve.chain().in_set(Stage::Solve))
        .add_systems(Update, place_cameras.in_set(Stage::Look))
        .add_systems(Update, draw.in_set(Stage::Draw));
    P::add_view(&mut app, options);
    app.run()
}

/// Width of the panel to the right of the lanes, and height of the strip below them, in pixels.
pub(crate) const PANEL_WIDTH: f32 = 304.0;
pub(crate) const STRIP_HEIGHT: f32 = 62.0;
/// Pixels between two lanes.
const LANE_GAP: f32 = 4.0;
/// Height of the sign at the upper edge of a lane, in pixels.
pub(crate) const SIGN_HEIGHT: f32 = 76.0;

/// A camera over a lane. Lanes are numbered from the left.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct LaneCamera(pub(crate) usize);

/// The render layer of entities that belong to one lane. All lanes see layer 0.
pub(crate) fn layer(lane: usize) -> RenderLayers {
    RenderLayers::layer(lane + 1)
}

/// The rectangle of a lane in the window, in logical pixels from the upper left corner.
pub(crate) fn lane_rect(window: Vec2, lane: usize, shown: usize) -> Rect {
    let room = (window - Vec2::new(PANEL_WIDTH, STRIP_HEIGHT)).max(Vec2::splat(2.0));
    let width = (room.x - LANE_GAP * (shown as f32 - 1.0)) / shown as f32;
    let left = lane as f32 * (width + LANE_GAP);
    Rect::new(left, 0.0, left + width.max(1.0), room.y)
}

/// The lane at a place of the window, and its rectangle.
pub(crate) fn lane_at(window: &Window, place: Vec2, shown: usize) -> Option<(usize, Rect)> {
    let mut rects = (0..shown).map(|lane| (lane, lane_rect(window.size(), lane, shown)));
    rects.find(|(_, rect)| rect.contains(place))
}

pub(crate) fn spawn_cameras<P: Problem>(mut commands: Commands) {
    let camera = |order: usize| Camera {
        order: order as isize,
        clear_color: match order {
            0 => ClearColorConfig::Default,
            _ => ClearColorConfig::None,
        },
        ..default()
    };
    for lane in 0..LANES {
        commands.spawn((LaneCamera(lane), P::camera(), camera(lane)));
    }
    let sees = RenderLayers::none();
    commands.spawn((Camera2d, camera(LANES), IsDefaultUiCamera, sees));
}

/// Gives each lane its part of the window.
pub(crate) fn place_cameras(
    window: Single<&Window, With<PrimaryWindow>>,
    lanes: Res<Lanes>,
    mut commands: Commands,
    mut cameras: Query<(Entity, &LaneCamera, &mut Camera)>,
) {
    let (shown, factor) = (lanes.shown(), window.scale_factor());
    for (entity, &LaneCamera(lane), mut camera) in &mut cameras {
        // A camera that is switched off and on again does not see entities that have not moved. So the camera of a
        // hidden lane stays on. It draws nothing, into one pixel, before the first lane clears the window.
        let is_shown = lane < shown;
        let rect = lane_rect(window.size(), lane, shown);
        let rect = if is_shown { rect } else { Rect::default() };
        camera.viewport = Some(Viewport {
            physical_position: (rect.min * factor).as_uvec2(),
            physical_size: (rect.size() * factor).as_uvec2().max(UVec2::ONE),
            ..default()
        });
        camera.order = if is_shown { lane as isize } else { -1 };
        let sees = match is_shown {
            true => layer(lane).with(0),
            false => RenderLayers::none(),
        };
        commands.entity(entity).insert(sees);
    }
}

fn plugins() -> PluginGroupBuilder {
    let window = Window {
        title: "Pursuit: lab".into(),
        ..default()
    };
    DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    })
}
