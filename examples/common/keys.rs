//! Keys that mean the same in every example, and the line on screen that names them.

use bevy::prelude::*;

/// Keys that pause: hold the world, keep drawing it.
pub const PAUSE: [KeyCode; 2] = [KeyCode::KeyP, KeyCode::Escape];
/// Key that starts over.
pub const RESTART: KeyCode = KeyCode::KeyR;

/// The direction that WASD or the arrow keys point in, at most one long.
pub fn walking_direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let axis = |more: [KeyCode; 2], less: [KeyCode; 2]| {
        f32::from(u8::from(keys.any_pressed(more))) - f32::from(u8::from(keys.any_pressed(less)))
    };
    let x = axis(
        [KeyCode::KeyD, KeyCode::ArrowRight],
        [KeyCode::KeyA, KeyCode::ArrowLeft],
    );
    let y = axis(
        [KeyCode::KeyW, KeyCode::ArrowUp],
        [KeyCode::KeyS, KeyCode::ArrowDown],
    );
    Vec2::new(x, y).clamp_length_max(1.0)
}

/// A strip along the lower edge that says which key does what.
pub fn help_line(entries: &[(&str, &str)]) -> impl Bundle {
    let mut spans = Vec::new();
    for (index, (key, meaning)) in entries.iter().enumerate() {
        let gap = if index == 0 { "" } else { "    " };
        spans.push((format!("{gap}{key}"), Color::srgb(1.0, 0.86, 0.45)));
        spans.push((format!(" {meaning}"), Color::srgba(0.95, 0.95, 1.0, 0.85)));
    }
    let spans: Vec<_> = spans
        .into_iter()
        .map(|(text, color)| {
            (
                TextSpan::new(text),
                TextColor(color),
                TextFont::from_font_size(14.0),
            )
        })
        .collect();
    (
        Node {
            position_type: PositionType::Absolute,
            bottom: px(14),
            width: percent(100),
            justify_content: JustifyContent::Center,
            ..default()
        },
        children![(
            Node {
                padding: UiRect::axes(px(18), px(8)),
                border_radius: BorderRadius::all(px(10)),
                ..default()
            },
            BackgroundColor(Color::srgba(0.06, 0.07, 0.12, 0.78)),
            children![(
                Text::default(),
                Children::spawn(SpawnIter(spans.into_iter()))
            )],
        )],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_keys_cancel_and_diagonals_are_no_faster() {
        let mut keys = ButtonInput::default();
        keys.press(KeyCode::KeyW);
        keys.press(KeyCode::ArrowRight);
        assert!((walking_direction(&keys).length() - 1.0).abs() < 1e-6);
        keys.press(KeyCode::ArrowLeft);
        assert_eq!(walking_direction(&keys), Vec2::Y);
    }
}
