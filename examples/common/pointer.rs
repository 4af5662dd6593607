//! Where the mouse points, or what a script does in its place.

use bevy::input::InputSystems;
use bevy::prelude::*;

use crate::art::palette;
use crate::sketch::Sketch;

/// The mouse, in the world.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Pointer {
    /// Where it points, in world units; `None` outside of the window.
    pub at: Option<Vec2>,
    /// Whether its left button went down in this frame.
    pub clicked: bool,
}

impl Pointer {
    /// Where it was clicked in this frame.
    pub fn click(&self) -> Option<Vec2> {
        self.at.filter(|_| self.clicked)
    }
}

/// What a script does in place of mouse and keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// Presses a key and keeps it down.
    Hold(KeyCode),
    /// Lets a key go.
    Release(KeyCode),
    /// Moves the mouse there, in world units.
    Point(Vec2),
    /// Clicks there, in world units.
    Click(Vec2),
}

/// What is done at which second, so that pictures show play. Then nobody else plays.
#[derive(Resource, Clone, Debug)]
pub struct Script {
    acts: &'static [(f32, Act)],
    next: usize,
    held: Vec<KeyCode>,
    at: Option<Vec2>,
}

impl Script {
    /// A script from acts in the order of their seconds.
    pub fn new(acts: &'static [(f32, Act)]) -> Self {
        Self {
            acts,
            next: 0,
            held: Vec::new(),
            at: None,
        }
    }

    /// Does all that is due until `now`; whether a click was among it.
    fn act(&mut self, now: f32, keys: &mut ButtonInput<KeyCode>) -> bool {
        let mut clicked = false;
        while let Some(&(at, act)) = self.acts.get(self.next) {
            if at > now {
                break;
            }
            self.next += 1;
            match act {
                Act::Hold(key) => self.held.push(key),
                Act::Release(key) => {
                    self.held.retain(|held| *held != key);
                    keys.release(key);
                }
                Act::Point(point) => self.at = Some(point),
                Act::Click(point) => {
                    self.at = Some(point);
                    clicked = true;
                }
            }
        }
        // A window that loses the focus lets all keys go.
        for key in &self.held {
            keys.press(*key);
        }
        clicked
    }
}

/// Keeps the [`Pointer`], and plays a [`Script`] where there is one.
pub struct PointerPlugin;

impl Plugin for PointerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointer>()
            .add_systems(
                PreUpdate,
                (read_mouse, play_script).chain().after(InputSystems),
            )
            .add_systems(Update, draw_scripted_mouse);
    }
}

fn read_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    windows: Query<&Window>,
    cameras: Query<(&Camera, &GlobalTransform)>,
    mut pointer: ResMut<Pointer>,
) {
    let cursor = windows.iter().find_map(Window::cursor_position);
    pointer.at = cursor.and_then(|cursor| {
        let (camera, transform) = cameras.iter().next()?;
        camera.viewport_to_world_2d(transform, cursor).ok()
    });
    pointer.clicked = buttons.just_pressed(MouseButton::Left);
}

fn play_script(
    time: Res<Time<Virtual>>,
    script: Option<ResMut<Script>>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut pointer: ResMut<Pointer>,
) {
    if let Some(mut script) = script {
        let clicked = script.act(time.elapsed_secs(), &mut keys);
        *pointer = Pointer {
            at: script.at,
            clicked,
        };
    }
}

/// The mouse of the screen is not in a picture of the window; this one is.
fn draw_scripted_mouse(script: Option<Res<Script>>, mut sketch: ResMut<Sketch>) {
    let Some(tip) = script.and_then(|script| script.at) else {
        return;
    };
    let arrow = |grown: f32| {
        let head = [(0.0, 0.0), (0.0, -15.0), (10.6, -10.6)];
        let center = Vec2::new(3.5, -8.5);
        head.map(|(x, y)| {
            let corner = Vec2::new(x, y);
            corner + (corner - center).normalize() * grown
        })
    };
    sketch.air.at(tip, 0.0);
    sketch.air.polygon(&arrow(2.2), palette::INK);
    sketch.air.line(
        Vec2::new(3.6, -10.0),
        Vec2::new(7.0, -18.0),
        5.4,
        palette::INK,
    );
    sketch.air.line(
        Vec2::new(3.8, -10.6),
        Vec2::new(6.4, -16.8),
        2.6,
        Color::WHITE,
    );
    sketch.air.polygon(&arrow(0.0), Color::WHITE);
    sketch.air.at(Vec2::ZERO, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_holds_keys_until_it_lets_them_go() {
        const ACTS: &[(f32, Act)] = &[
            (1.0, Act::Hold(KeyCode::KeyD)),
            (2.0, Act::Click(Vec2::X)),
            (3.0, Act::Release(KeyCode::KeyD)),
        ];
        let mut script = Script::new(ACTS);
        let mut keys = ButtonInput::default();
        assert!(!script.act(0.5, &mut keys) && !keys.pressed(KeyCode::KeyD));
        assert!(!script.act(1.5, &mut keys) && keys.pressed(KeyCode::KeyD));
        keys.release_all();
        assert!(script.act(2.0, &mut keys) && keys.pressed(KeyCode::KeyD));
        assert_eq!(script.at, Some(Vec2::X));
        assert!(!script.act(9.0, &mut keys) && !keys.pressed(KeyCode::KeyD));
    }
}
