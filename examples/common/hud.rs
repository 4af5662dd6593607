//! What is written on the screen: what an example shows, and which key does what.

use bevy::prelude::*;

use crate::art::palette;

/// Cards that lie on the picture.
pub const CARD: Color = Color::srgba(0.06, 0.07, 0.12, 0.78);
/// What is written on cards.
pub const WORD: Color = Color::srgba(0.93, 0.93, 1.0, 0.92);
/// What is written there and matters less.
pub const FAINT: Color = Color::srgba(0.86, 0.87, 1.0, 0.52);
/// Keys.
pub const KEY: Color = Color::srgb(1.0, 0.86, 0.45);

/// A word in a size and a color.
pub fn text(text: &str, size: f32, color: Color) -> impl Bundle + use<> {
    (
        Text::new(text),
        TextFont::from_font_size(size),
        TextColor(color),
        TextLayout::no_wrap(),
    )
}

/// A strip along the lower edge that says which key does what.
pub fn help_line(entries: &[(&str, &str)]) -> impl Bundle {
    let mut spans = Vec::new();
    for (index, (key, meaning)) in entries.iter().enumerate() {
        let gap = if index == 0 { "" } else { "    " };
        spans.push((format!("{gap}{key}"), KEY));
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
            BackgroundColor(CARD),
            children![(
                Text::default(),
                Children::spawn(SpawnIter(spans.into_iter()))
            )],
        )],
    )
}

/// A sign along the upper edge: a name and a sentence.
pub fn title(name: &str, sentence: &str) -> impl Bundle {
    let words = [(name, palette::PLAYER), (sentence, palette::LINEN)];
    let font = TextFont::from_font_size(16.0);
    let words = words.map(|(text, color)| (Text::new(text), TextColor(color), font.clone()));
    let [name, sentence] = words;
    (
        Node {
            position_type: PositionType::Absolute,
            top: px(12),
            left: px(14),
            column_gap: px(12),
            padding: UiRect::axes(px(16), px(8)),
            border_radius: BorderRadius::all(px(10)),
            ..default()
        },
        BackgroundColor(CARD),
        children![name, sentence],
    )
}

/// Darkens the corners of the screen a little.
pub fn vignette() -> impl Bundle {
    let stops = vec![
        ColorStop::percent(palette::SHADE.with_alpha(0.0), 55.0),
        ColorStop::percent(palette::SHADE.with_alpha(0.5), 100.0),
    ];
    (
        Node {
            position_type: PositionType::Absolute,
            width: percent(100),
            height: percent(100),
            ..default()
        },
        BackgroundGradient::from(RadialGradient::new(
            UiPosition::CENTER,
            RadialGradientShape::FarthestCorner,
            stops,
        )),
        GlobalZIndex(-2),
    )
}
