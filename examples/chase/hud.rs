//! What is written on the screen: the score, the keys, and a word while the game is paused.

use bevy::prelude::*;
use bevy_pursuit_debug::Margins;
use pursuit_examples::art::palette;
use pursuit_examples::hud::{SIGN_HEIGHT, help_line, vignette};

use crate::hunters::{Hunter, Tired};
use crate::score::Score;

/// Keys of the game, as the help line names them.
const HELP: [(&str, &str); 6] = [
    ("WASD", "walk"),
    ("click", "walk there"),
    ("wheel", "zoom"),
    ("F1", "overlay"),
    ("P", "pause"),
    ("R", "restart"),
];

/// What the help line takes of the window.
pub(crate) const MARGINS: Margins = Margins {
    left: 0.0,
    right: 0.0,
    top: 0.0,
    bottom: SIGN_HEIGHT,
};

/// One number of the score card.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    Caught,
    Free,
    Best,
    Hunters,
}

/// The word that is shown while the game is paused.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct PauseSign;

/// Spawns all of it.
pub(crate) fn spawn_hud(mut commands: Commands) {
    commands.spawn(vignette());
    commands.spawn(help_line(&HELP));
    commands.spawn(score_card());
    commands.spawn(pause_sign());
}

/// Writes the score.
pub(crate) fn update_score(
    score: Res<Score>,
    hunters: Query<Has<Tired>, With<Hunter>>,
    mut counters: Query<(&Counter, &mut Text)>,
) {
    let tired = hunters.iter().filter(|tired| *tired).count();
    let all = hunters.iter().count();
    for (counter, mut text) in &mut counters {
        let value = match counter {
            Counter::Caught => score.catches.to_string(),
            Counter::Free => format!("{:.1} s", score.free),
            Counter::Best => format!("{:.1} s", score.best),
            Counter::Hunters => format!("{} of {all}", all - tired),
        };
        if text.0 != value {
            text.0 = value;
        }
    }
}

/// Shows the sign while time stands still.
pub(crate) fn show_pause(
    time: Res<Time<Virtual>>,
    mut sign: Single<&mut Visibility, With<PauseSign>>,
) {
    let wanted = if time.is_paused() {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    sign.set_if_neq(wanted);
}

fn score_card() -> impl Bundle {
    let row = |counter: Counter, name: &str, color: Color| {
        (
            Node {
                justify_content: JustifyContent::SpaceBetween,
                column_gap: px(26),
                ..default()
            },
            children![
                (
                    Text::new(name),
                    TextFont::from_font_size(15.0),
                    TextColor(Color::srgba(0.9, 0.9, 1.0, 0.75)),
                ),
                (
                    counter,
                    Text::default(),
                    TextFont::from_font_size(15.0),
                    TextColor(color)
                ),
            ],
        )
    };
    (
        Node {
            position_type: PositionType::Absolute,
            top: px(14),
            left: px(14),
            padding: UiRect::axes(px(16), px(12)),
            row_gap: px(5),
            flex_direction: FlexDirection::Column,
            border_radius: BorderRadius::all(px(12)),
            ..default()
        },
        BackgroundColor(Color::srgba(0.06, 0.07, 0.12, 0.78)),
        children![
            row(Counter::Caught, "caught", palette::HUNTER_LIGHT),
            row(Counter::Free, "free for", palette::PLAYER),
            row(Counter::Best, "best", palette::PLAYER_LIGHT),
            row(Counter::Hunters, "hunting", palette::LINEN),
        ],
    )
}

fn pause_sign() -> impl Bundle {
    (
        PauseSign,
        Visibility::Hidden,
        Node {
            position_type: PositionType::Absolute,
            width: percent(100),
            height: percent(100),
            justify_content: JustifyContent::Center,
            align_items: AlignItems::Center,
            ..default()
        },
        BackgroundColor(palette::SHADE.with_alpha(0.45)),
        children![(
            Text::new("paused"),
            TextFont::from_font_size(44.0),
            TextColor(palette::PLAYER_LIGHT),
        )],
    )
}
