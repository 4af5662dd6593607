//! Sparklines: the latest values of a figure, as bars.

use std::collections::VecDeque;

use bevy::prelude::*;

use crate::blocks::{DIM, line};

/// Bars of a sparkline.
pub(crate) const BARS: usize = 32;
/// Size of a bar, in logical pixels.
const WIDTH: f32 = 4.0;
const HEIGHT: f32 = 16.0;
/// Least part of the height that is drawn.
const LEAST: f32 = 0.06;

/// A figure that has a sparkline.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Figure {
    /// The longest frame of navigation since the last look, in milliseconds.
    Frame,
    /// Searches per second.
    Searches,
    /// The longest bake since the last look, in milliseconds.
    Bake,
}

impl Figure {
    pub(crate) const ALL: [Self; 3] = [Self::Frame, Self::Searches, Self::Bake];

    fn label(self) -> &'static str {
        match self {
            Self::Frame => "frame   ",
            Self::Searches => "searches",
            Self::Bake => "bake    ",
        }
    }

    fn color(self) -> Color {
        match self {
            Self::Frame => Color::srgb(0.45, 0.8, 1.0),
            Self::Searches => Color::srgb(0.98, 0.86, 0.35),
            Self::Bake => Color::srgb(0.95, 0.5, 0.45),
        }
    }

    fn most(self, most: f32) -> String {
        match self {
            Self::Frame | Self::Bake => format!("max {most:.2} ms"),
            Self::Searches => format!("max {most:.0} /s"),
        }
    }
}

/// One bar, by its number from the left.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Bar(Figure, usize);

/// What the tallest bar stands for.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Scale(Figure);

/// The latest values of all figures, the newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History([VecDeque<f32>; Figure::ALL.len()]);

impl History {
    /// Adds one value of each figure, in the order of [`Figure::ALL`].
    pub(crate) fn push(&mut self, values: [f32; Figure::ALL.len()]) {
        for (history, value) in self.0.iter_mut().zip(values) {
            if history.len() == BARS {
                history.pop_front();
            }
            history.push_back(if value.is_finite() { value } else { 0.0 });
        }
    }

    fn most(&self, figure: Figure) -> f32 {
        self.0[figure as usize].iter().copied().fold(0.0, f32::max)
    }

    /// Height of a bar, 0 to 1. The newest is at the right end.
    fn height(&self, figure: Figure, bar: usize) -> f32 {
        let values = &self.0[figure as usize];
        let value = (values.len() + bar)
            .checked_sub(BARS)
            .and_then(|index| values.get(index));
        let share = value.map_or(0.0, |value| {
            value / self.most(figure).max(f32::MIN_POSITIVE)
        });
        share.clamp(LEAST, 1.0)
    }
}

/// Spawns the sparklines into a block.
pub(crate) fn spawn_sparks(parent: &mut ChildSpawnerCommands) {
    for figure in Figure::ALL {
        let row = Node {
            column_gap: px(8),
            align_items: AlignItems::FlexEnd,
            margin: UiRect::top(px(4)),
            ..default()
        };
        parent.spawn(row).with_children(|row| {
            row.spawn(line(figure.label(), DIM));
            let bars = Node {
                column_gap: px(1),
                height: px(HEIGHT),
                ..default()
            };
            row.spawn(bars).with_children(|bars| {
                for number in 0..BARS {
                    bars.spawn(bar(figure, number));
                }
            });
            row.spawn((Scale(figure), line("", DIM)));
        });
    }
}

fn bar(figure: Figure, number: usize) -> impl Bundle {
    let node = Node {
        width: px(WIDTH),
        height: px(HEIGHT),
        ..default()
    };
    (
        Bar(figure, number),
        node,
        BackgroundColor(figure.color()),
        transform_of(LEAST),
    )
}

/// Draws the values. Moves and scales bars and leaves their layout alone, which costs more.
pub(crate) fn draw_sparks(
    history: &History,
    bars: &mut Query<(&Bar, &mut UiTransform)>,
    scales: &mut Query<(&Scale, &mut Text), Without<crate::blocks::BlockText>>,
) {
    for (Bar(figure, number), mut transform) in bars {
        transform.set_if_neq(transform_of(history.height(*figure, *number)));
    }
    for (Scale(figure), mut text) in scales {
        let next = figure.most(history.most(*figure));
        if text.0 != next {
            text.0 = next;
        }
    }
}

/// Scales a bar about its center and moves it down, so that it stands on its foot.
fn transform_of(height: f32) -> UiTransform {
    UiTransform {
        translation: Val2::new(Val::ZERO, percent(50.0 * (1.0 - height))),
        scale: Vec2::new(1.0, height),
        ..UiTransform::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_value_stands_at_the_right_and_the_tallest_is_full() {
        let mut history = History::default();
        assert_eq!(history.height(Figure::Frame, BARS - 1), LEAST);
        for value in [1.0, 4.0, 2.0] {
            history.push([value, 0.0, f32::NAN]);
        }
        let heights = |figure| {
            let last = [BARS - 3, BARS - 2, BARS - 1];
            last.map(|bar| history.height(figure, bar))
        };
        assert_eq!(heights(Figure::Frame), [0.25, 1.0, 0.5]);
        assert_eq!(heights(Figure::Bake), [LEAST; 3], "no number is nothing");
        assert_eq!(history.height(Figure::Frame, 0), LEAST, "not measured yet");
    }

    #[test]
    fn old_values_run_out() {
        let mut history = History::default();
        history.push([100.0; 3]);
        for _ in 0..BARS {
            history.push([1.0; 3]);
        }
        assert_eq!(history.most(Figure::Frame), 1.0);
        assert_eq!(history.height(Figure::Frame, 0), 1.0);
    }
}
