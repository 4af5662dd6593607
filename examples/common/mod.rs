//! Code that the examples share, so that each example is only about its idea: the window, a camera, a text with the
//! keys, bodies, the mouse. [`level`] reads levels from text files, and [`looks`] has the pictures from
//! `assets/sprites`.
//!
//! To start a game from an example, copy the example and this folder into `src`, and put the folder `assets` beside
//! `Cargo.toml`.

#![allow(dead_code, unused_imports, reason = "each example uses its own part")]

mod level;
mod looks;
pub(crate) mod shots;

use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::ScalingMode;
use bevy::ecs::system::SystemParam;
use bevy::input::InputSystems;
use bevy::log::{DEFAULT_FILTER, LogPlugin};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::time::TimeUpdateStrategy;
use bevy::time::common_conditions::once_after_delay;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

pub(crate) use level::{Level, Mood, SoftGround, Walls, spawn_level};
pub(crate) use looks::{Figure, LooksPlugin, PathGizmos, Prop, Wave, prop_sprite};

/// Side of a tile, in world units.
pub(crate) const TILE: f32 = 32.;
/// Radius of every body, in world units.
pub(crate) const RADIUS: f32 = 11.;
/// Collision group of obstacles.
pub(crate) const WALLS: Group = Group::GROUP_1;
/// Collision group of agents.
pub(crate) const AGENTS: Group = Group::GROUP_3;
/// The z of things that stand on the floor.
pub(crate) const THINGS_Z: f32 = 4.;
/// The z of people.
pub(crate) const PEOPLE_Z: f32 = 10.;
/// The z of things above people.
pub(crate) const AIR_Z: f32 = 20.;

pub(crate) const DARK: Color = Color::srgb_u8(0x1a, 0x1d, 0x29);
pub(crate) const GOLD: Color = Color::srgb_u8(0xff, 0xd2, 0x4a);
pub(crate) const RED: Color = Color::srgb_u8(0xe5, 0x48, 0x4d);
pub(crate) const PALE: Color = Color::srgb_u8(0xe6, 0xe2, 0xef);

/// Makes each step of the physics as long as the frame, but at most a twentieth of a second.
pub(crate) const FRAME_STEPS: TimestepMode = TimestepMode::Variable {
    max_dt: 1. / 20.,
    time_scale: 1.,
    substeps: 1,
};

/// A plugin with the basics of an example: Bevy's plugins, a level, a camera that shows the whole level, and a text.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    /// The line of text with the keys.
    pub(crate) keys: &'static str,
    /// The text of a [`Level`].
    pub(crate) level: &'static str,
    pub(crate) mood: Mood,
}

impl Plugin for Example {
    fn build(&self, app: &mut App) {
        add_bevy_plugins(app);
        let mut level = Level::parse(self.level);
        level.mood = self.mood;
        let mut view = OrthographicProjection::default_2d();
        view.scaling_mode = ScalingMode::AutoMin {
            min_width: level.bounds().width() - TILE,
            min_height: level.bounds().height(),
        };
        let title = format!("Pursuit: {}", self.name);
        let keys = format!("{}     F1  what Pursuit sees     P  pause", self.keys);
        let spawn_view = move |mut commands: Commands, mut windows: Query<&mut Window>| {
            commands.spawn((Camera2d, Projection::Orthographic(view.clone())));
            commands.spawn(help(&keys));
            for mut window in &mut windows {
                window.title.clone_from(&title);
            }
        };
        app.insert_resource(level)
            .insert_resource(FRAME_STEPS)
            .add_plugins(LooksPlugin)
            .insert_resource(ClearColor(self.mood.outside()))
            .add_systems(Startup, (spawn_view, spawn_level))
            .add_systems(PreUpdate, stroll.after(InputSystems))
            .add_systems(Update, (toggle_pause, steer));
    }
}

/// Adds Bevy's plugins with a window. Without a display, there is no window, and the app exits after five seconds.
fn add_bevy_plugins(app: &mut App) {
    if has_display() {
        app.add_plugins((DefaultPlugins, shots::plugin));
        return;
    }
    let no_window = WindowPlugin {
        primary_window: None,
        exit_condition: ExitCondition::DontExit,
        ..default()
    };
    let graphics = WgpuSettings {
        backends: None,
        ..default()
    };
    let no_graphics = RenderPlugin {
        render_creation: graphics.into(),
        ..default()
    };
    let quiet = LogPlugin {
        filter: format!("{DEFAULT_FILTER},bevy_render=off,bevy_gizmos_render=off"),
        ..default()
    };
    let exit = |mut exit: MessageWriter<AppExit>| {
        info!("There is no display, so the example ran for five seconds without a window.");
        exit.write(AppExit::Success);
    };
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60);
    let plugins = DefaultPlugins.set(no_window).set(no_graphics).set(quiet);
    app.add_plugins(plugins.disable::<WinitPlugin>())
        .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
        .insert_resource(frame)
        .add_systems(Last, exit.run_if(once_after_delay(Duration::from_secs(5))));
}

/// Whether there is a display for a window. Without a display, `DefaultPlugins` panics.
pub(crate) fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|name| !name.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// A line of text along the lower edge of the window.
pub(crate) fn help(text: &str) -> impl Bundle + use<> {
    let place = Node {
        bottom: px(12),
        justify_self: JustifySelf::Center,
        ..default()
    };
    (Text::new(text), card(place))
}

/// The looks of a text on a card in the window.
pub(crate) fn card(place: Node) -> impl Bundle {
    let node = Node {
        position_type: PositionType::Absolute,
        padding: UiRect::axes(px(16), px(9)),
        border_radius: BorderRadius::all(px(10)),
        ..place
    };
    let colors = (TextColor(PALE), BackgroundColor(DARK.with_alpha(0.85)));
    (node, TextFont::from_font_size(14.), colors)
}

/// A text on a card in the world.
pub(crate) fn sign() -> impl Bundle {
    let colors = (TextColor(PALE), TextBackgroundColor(DARK));
    (Text2d::default(), TextFont::from_font_size(11.), colors)
}

/// A player at the `P` of a level. The keys steer the player at `speed`, in world units per second. Until a key is
/// pressed, the player strolls between the marks of `route`, if there are any.
pub(crate) fn player(level: &Level, speed: f32, route: &str) -> impl Bundle + use<> {
    let stroll = Stroll(level.route(route));
    let looks = (Figure::PLAYER, level.transform_at('P'));
    (looks, Steered(speed), player_body(), stroll)
}

/// The body of a player. It collides with walls but not with agents, so that they do not shove it.
pub(crate) fn player_body() -> impl Bundle {
    (
        (RigidBody::Dynamic, Collider::ball(RADIUS), Velocity::zero()),
        CollisionGroups::new(Group::GROUP_2, WALLS),
        Friction::coefficient(0.),
        (GravityScale(0.), LockedAxes::ROTATION_LOCKED),
    )
}

/// The body of an agent at a point in the world. It collides with walls and with other agents.
pub(crate) fn agent_body(at: Vec2) -> impl Bundle {
    (
        (RigidBody::Dynamic, Collider::ball(RADIUS)),
        CollisionGroups::new(AGENTS, WALLS | AGENTS),
        Friction::coefficient(0.),
        Transform::from_translation(at.extend(0.)),
    )
}

/// On a body that the keys steer at this speed, in world units per second, unless a `PathRequest` sends it somewhere.
#[derive(Component)]
pub(crate) struct Steered(pub(crate) f32);

pub(crate) fn steer(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut bodies: Query<(&Steered, &Transform, Option<&Stroll>, &mut Velocity), Without<PathRequest>>,
) {
    let share = 1. - (-time.delta_secs() / 0.06).exp();
    for (speed, place, stroll, mut velocity) in &mut bodies {
        let ahead = stroll.and_then(|stroll| stroll.ahead(place));
        let direction = ahead.map_or_else(|| walking_direction(&keys), Vec2::normalize_or_zero);
        velocity.linear = velocity.linear.lerp(speed.0 * direction, share);
    }
}

/// On a [`Steered`] body: the places between which it walks by itself until a key is pressed. At each place it presses
/// space.
#[derive(Component)]
pub(crate) struct Stroll(pub(crate) Vec<Vec2>);

impl Stroll {
    fn ahead(&self, place: &Transform) -> Option<Vec2> {
        let next = self.0.first()?;
        Some(next - place.translation.truncate())
    }
}

fn stroll(
    mut commands: Commands,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    body: Single<(Entity, &Transform, &mut Stroll)>,
) {
    let (body, place, mut stroll) = body.into_inner();
    if keys.get_pressed().len() > 0 {
        commands.entity(body).remove::<Stroll>();
    } else if stroll.ahead(place).is_some_and(|ahead| ahead.length() < 6.) {
        stroll.0.rotate_left(1);
        keys.press(KeyCode::Space);
        keys.release(KeyCode::Space);
    }
}

/// The direction of the pressed W A S D and arrow keys. Its length is at most 1.
pub(crate) fn walking_direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, KeyA, KeyD, KeyS, KeyW};
    let axis = |more, less| f32::from(keys.any_pressed(more)) - f32::from(keys.any_pressed(less));
    let direction = Vec2::new(
        axis([KeyD, ArrowRight], [KeyA, ArrowLeft]),
        axis([KeyW, ArrowUp], [KeyS, ArrowDown]),
    );
    direction.clamp_length_max(1.)
}

/// Whether a key was pressed in this frame without Alt. Keys with Alt are for the overlay.
pub(crate) fn just_pressed(keys: &ButtonInput<KeyCode>, key: KeyCode) -> bool {
    keys.just_pressed(key) && !keys.any_pressed([KeyCode::AltLeft, KeyCode::AltRight])
}

pub(crate) fn toggle_pause(keys: Res<ButtonInput<KeyCode>>, mut time: ResMut<Time<Virtual>>) {
    if just_pressed(&keys, KeyCode::KeyP) || just_pressed(&keys, KeyCode::Escape) {
        time.toggle();
    }
}

/// The mouse, in world units.
#[derive(SystemParam)]
pub(crate) struct Mouse<'w, 's> {
    windows: Query<'w, 's, &'static Window>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
}

impl Mouse<'_, '_> {
    pub(crate) fn at(&self) -> Option<Vec2> {
        let cursor = self.windows.iter().find_map(Window::cursor_position)?;
        let (camera, place) = self.cameras.iter().next()?;
        camera.viewport_to_world_2d(place, cursor).ok()
    }

    /// The point that was clicked in this frame, in world units.
    pub(crate) fn click(&self) -> Option<Vec2> {
        let is_pressed = self.buttons.just_pressed(MouseButton::Left);
        self.at().filter(|_| is_pressed)
    }
}
