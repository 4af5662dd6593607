//! A pointer that holds on to a picture and drags it.

use bevy::prelude::*;

/// Where the pointer was, in pixels of the window, while it holds on. What the mouse tells of its motion is in no pixels,
/// and absent from tablets and remote screens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip(Option<Vec2>);

impl Grip {
    /// Takes hold where a button was pressed, if there is something to hold.
    pub fn take(&mut self, is_pressed: bool, at: Option<Vec2>) {
        if is_pressed {
            self.0 = at;
        }
    }

    /// How far the pointer was dragged since the last look, in pixels. It holds on outside of the window.
    pub fn drag(&mut self, pointer: Option<Vec2>) -> Vec2 {
        match (&mut self.0, pointer) {
            (Some(held), Some(pointer)) => pointer - std::mem::replace(held, pointer),
            _ => Vec2::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_is_what_the_pointer_moved_since_it_took_hold() {
        let at = |x: f32| Some(Vec2::new(x, 5.0));
        let mut grip = Grip::default();
        assert_eq!(grip.drag(at(9.0)), Vec2::ZERO, "it holds nothing");
        grip.take(true, at(10.0));
        assert_eq!(grip.drag(at(10.0)), Vec2::ZERO);
        grip.take(false, at(13.0));
        assert_eq!(grip.drag(at(13.0)), Vec2::new(3.0, 0.0));
        assert_eq!(grip.drag(None), Vec2::ZERO, "outside of the window");
        assert_eq!(grip.drag(at(11.0)), Vec2::new(-2.0, 0.0));
        grip.take(true, None);
        assert_eq!(grip.drag(at(30.0)), Vec2::ZERO, "pressed elsewhere");
    }
}
