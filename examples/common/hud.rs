//! What is written on the screen: what an example shows, which key does what, and what colors mean.

use bevy::prelude::*;

use crate::art::classic::{PATH_GOAL, PATH_START, path_color};
use crate::art::palette;

/// How far the [`title`] and the [`help_line`] reach into the window, in logical pixels.
pub const SIGN_HEIGHT: f32 = 44.0;

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

/// A text that goes on in the next line where its parent ends.
pub fn paragraph(size: f32, color: Color) -> impl Bundle + use<> {
    let font = TextFont::from_font_size(size);
    (Text::default(), font, TextColor(color))
}

/// Which key does what, in one text that may take several lines.
pub fn keys(entries: &[(&str, &str)], size: f32, gap: usize, color: Color) -> impl Bundle + use<> {
    let span = |text: String, color| {
        let font = TextFont::from_font_size(size);
        (TextSpan::new(text), TextColor(color), font)
    };
    let entries = entries.iter().enumerate();
    let spans = entries.flat_map(|(place, (key, meaning))| {
        let gap = " ".repeat(if place == 0 { 0 } else { gap });
        [
            span(format!("{gap}{key}"), KEY),
            span(format!(" {meaning}"), color),
        ]
    });
    let spans: Vec<_> = spans.collect();
    (
        Text::default(),
        TextFont::from_font_size(size),
        Children::spawn(SpawnIter(spans.into_iter())),
    )
}

/// A strip along the lower edge that says which key does what.
pub fn help_line(entries: &[(&str, &str)]) -> impl Bundle + use<> {
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
            children![keys(entries, 14.0, 4, Color::srgba(0.95, 0.95, 1.0, 0.85))],
        )],
    )
}

/// A card with a small title, to which lines are added.
pub fn section(title: &str, hint: &str) -> impl Bundle + use<> {
    (
        Node {
            flex_direction: FlexDirection::Column,
            padding: UiRect::axes(px(10), px(6)),
            row_gap: px(1),
            border_radius: BorderRadius::all(px(9)),
            ..default()
        },
        BackgroundColor(CARD),
        children![(
            Node {
                justify_content: JustifyContent::SpaceBetween,
                margin: UiRect::bottom(px(2)),
                ..default()
            },
            children![text(title, 11.0, FAINT), text(hint, 11.0, FAINT)],
        )],
    )
}

/// A key on a cap.
pub fn key_cap(key: &str) -> impl Bundle + use<> {
    (
        Node {
            width: px(30),
            justify_content: JustifyContent::Center,
            border_radius: BorderRadius::all(px(4)),
            ..default()
        },
        BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.06)),
        children![text(key, 12.0, KEY)],
    )
}

/// A key, what it chooses, and the word that says what is chosen.
pub fn key_line<W: Component>(key: &str, name: &str, word: W) -> impl Bundle + use<W> {
    (
        Node {
            align_items: AlignItems::Center,
            column_gap: px(8),
            ..default()
        },
        children![
            key_cap(key),
            text(name, 13.0, WORD),
            (
                Node {
                    flex_grow: 1.0,
                    justify_content: JustifyContent::End,
                    ..default()
                },
                children![(text("", 13.0, palette::PLAYER_LIGHT), word)],
            ),
        ],
    )
}

/// How the sign over a picture is laid out: see [`fill_sign`].
pub fn sign_node() -> Node {
    Node {
        height: px(46),
        padding: UiRect::axes(px(14), px(6)),
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::Center,
        border_radius: BorderRadius::all(px(10)),
        overflow: Overflow::clip(),
        ..default()
    }
}

/// Puts the words for a name and a sentence on the left of a sign, and counts with their names on its right.
pub fn fill_sign<W: Component>(
    sign: &mut ChildSpawnerCommands,
    [name, sentence]: [W; 2],
    counts: impl IntoIterator<Item = (&'static str, W)>,
) {
    let column = |align_items| Node {
        flex_direction: FlexDirection::Column,
        align_items,
        ..default()
    };
    sign.spawn((
        column(AlignItems::Start),
        children![
            (text("", 17.0, palette::PLAYER), name),
            (text("", 11.0, FAINT), sentence),
        ],
    ));
    let row = Node {
        column_gap: px(14),
        ..default()
    };
    sign.spawn(row).with_children(|row| {
        for (name, count) in counts {
            row.spawn((
                column(AlignItems::End),
                children![(text("", 14.0, WORD), count), text(name, 10.0, FAINT)],
            ));
        }
    });
}

/// A color and what it means. That of a path at its goal stands for all colors of the path.
pub fn spawn_swatch(list: &mut ChildSpawnerCommands, width: Val, color: Color, name: &str) {
    let row = Node {
        width,
        align_items: AlignItems::Center,
        column_gap: px(8),
        ..default()
    };
    list.spawn(row).with_children(|row| {
        let swatch = Node {
            width: px(26),
            height: px(12),
            border_radius: BorderRadius::all(px(4)),
            ..default()
        };
        let mut swatch = row.spawn((swatch, BackgroundColor(color)));
        if color == PATH_GOAL {
            let stops = [PATH_START, path_color(0.5), PATH_GOAL].map(ColorStop::from);
            let gradient = LinearGradient::to_right(stops.to_vec());
            swatch.insert(BackgroundGradient::from(gradient));
        }
        row.spawn(text(name, 12.0, WORD));
    });
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
