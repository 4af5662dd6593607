//! Numbers in the cells of a replay: f at the top left, g at the bottom left, h at the bottom right.

use bevy::prelude::*;
use pursuit::{Layout, STRAIGHT};
use pursuit_lab::replay::Costs;
use pursuit_lab::replay::Replay;

use crate::detail::{View, cells_in_view};
use crate::gizmos::NumberGizmos;

/// Most cells in view that have numbers. With more of them in view, none has.
pub const MAX_NUMBERED_CELLS: u64 = 400;

/// Pixels of a cell from which on its numbers can be read.
const LEAST_PIXELS: f32 = 48.0;
/// What a straight step counts, as in textbooks: a diagonal one is 14.
const STEP: u64 = 10;
/// From a cell's center to its numbers, in cells.
const EDGE: f32 = 0.37;
/// Height of f, and of g and h, in cells.
const HEIGHTS: [f32; 2] = [0.2, 0.14];
/// Most that a number is wide, in cells: f has a row for itself but for the arrow, g and h share one.
const WIDTHS: [f32; 2] = [0.44, 0.33];
/// From one digit to the next, and the width of one, in heights.
const ADVANCE: f32 = 0.85;
const WIDTH: f32 = 0.6;

/// A stroke of a digit: points in a box of 4 by 6, from its bottom left.
type Glyph = &'static [(f32, f32)];

/// The digits, each drawn by one stroke, and what stands for a cost without end.
const DIGITS: [Glyph; 11] = [
    &[
        (1.0, 0.0),
        (0.0, 1.2),
        (0.0, 4.8),
        (1.0, 6.0),
        (3.0, 6.0),
        (4.0, 4.8),
        (4.0, 1.2),
        (3.0, 0.0),
        (1.0, 0.0),
    ],
    &[(0.8, 4.7), (2.3, 6.0), (2.3, 0.0)],
    &[
        (0.0, 4.8),
        (1.0, 6.0),
        (3.0, 6.0),
        (4.0, 4.8),
        (4.0, 3.9),
        (0.0, 0.0),
        (4.0, 0.0),
    ],
    &[
        (0.0, 6.0),
        (4.0, 6.0),
        (2.0, 3.6),
        (3.0, 3.6),
        (4.0, 2.5),
        (4.0, 1.2),
        (3.0, 0.0),
        (1.0, 0.0),
        (0.0, 1.1),
    ],
    &[(3.0, 0.0), (3.0, 6.0), (0.0, 1.8), (4.0, 1.8)],
    &[
        (3.8, 6.0),
        (0.4, 6.0),
        (0.2, 3.4),
        (3.0, 3.6),
        (4.0, 2.5),
        (4.0, 1.2),
        (3.0, 0.0),
        (1.0, 0.0),
        (0.0, 1.1),
    ],
    &[
        (3.4, 6.0),
        (1.2, 4.6),
        (0.0, 2.4),
        (0.0, 1.2),
        (1.0, 0.0),
        (3.0, 0.0),
        (4.0, 1.2),
        (4.0, 2.4),
        (3.0, 3.5),
        (1.0, 3.5),
        (0.0, 2.4),
    ],
    &[(0.0, 6.0), (4.0, 6.0), (1.4, 0.0)],
    &[
        (1.0, 3.2),
        (0.1, 4.2),
        (0.1, 5.0),
        (1.0, 6.0),
        (3.0, 6.0),
        (3.9, 5.0),
        (3.9, 4.2),
        (3.0, 3.2),
        (1.0, 3.2),
        (0.0, 2.2),
        (0.0, 1.1),
        (1.0, 0.0),
        (3.0, 0.0),
        (4.0, 1.1),
        (4.0, 2.2),
        (3.0, 3.2),
    ],
    &[
        (0.6, 0.0),
        (2.8, 1.4),
        (4.0, 3.6),
        (4.0, 4.8),
        (3.0, 6.0),
        (1.0, 6.0),
        (0.0, 4.8),
        (0.0, 3.6),
        (1.0, 2.5),
        (3.0, 2.5),
        (4.0, 3.6),
    ],
    // A lying eight.
    &[
        (2.0, 3.0),
        (1.2, 4.0),
        (0.5, 4.0),
        (0.0, 3.0),
        (0.5, 2.0),
        (1.2, 2.0),
        (2.8, 4.0),
        (3.5, 4.0),
        (4.0, 3.0),
        (3.5, 2.0),
        (2.8, 2.0),
        (2.0, 3.0),
    ],
];

/// The place of that sign among the digits.
const ENDLESS: u8 = 10;

/// A digit where it stands, in cells.
struct Stroke {
    points: Glyph,
    origin: Vec2,
    scale: Vec2,
}

impl Stroke {
    fn points(&self) -> impl Iterator<Item = Vec2> {
        let points = self.points.iter();
        points.map(|&(x, y)| self.origin + self.scale * Vec2::new(x, y))
    }
}

/// Whether cells are large enough for numbers, and few enough in view.
pub(crate) fn has_numbers(layout: &Layout, view: &View) -> bool {
    let is_near = layout.cell_size() * view.pixels_per_unit >= LEAST_PIXELS;
    is_near && cells_in_view(layout, view).cell_count() <= MAX_NUMBERED_CELLS
}

/// Writes the costs of the cells in view.
pub(crate) fn draw_numbers(
    replay: &Replay,
    layout: &Layout,
    view: &View,
    color: Color,
    gizmos: &mut Gizmos<NumberGizmos>,
) {
    if !gizmos.config.enabled {
        return;
    }
    // As `linestrip` for each digit, which takes longer. NaN ends a strip.
    let strips = &mut gizmos.strip_positions;
    let side = layout.cell_size();
    for cell in cells_in_view(layout, view).cells() {
        let Some(costs) = replay.cell(cell).costs else {
            continue;
        };
        let center = layout.center(cell);
        for (cost, corner, kind) in numbers(costs) {
            write(cost, corner, kind, |stroke| {
                let points = stroke.points().map(|point| center + side * point);
                strips.extend(points.map(|point| point.extend(0.0)));
                strips.push(Vec3::NAN);
            });
        }
    }
    let points = gizmos.strip_positions.len();
    gizmos.strip_colors.resize(points, color.into());
}

/// The three numbers, the corner each stands in, and whether it is f, 0, or one of the others, 1.
fn numbers(costs: Costs) -> [(Option<u64>, Vec2, usize); 3] {
    [
        (in_steps(costs.f), Vec2::new(-1.0, 1.0), 0),
        (in_steps(costs.g), Vec2::new(-1.0, -1.0), 1),
        (in_steps(costs.h), Vec2::new(1.0, -1.0), 1),
    ]
}

/// A cost of the core as the numbers tell it; `None` for one without end, which a way has that is gone.
fn in_steps(cost: u64) -> Option<u64> {
    let straight = u64::from(STRAIGHT);
    (cost != u64::MAX).then(|| cost.saturating_mul(STEP).saturating_add(straight / 2) / straight)
}

/// Gives the strokes of a number in a corner of the cell of side 1 around the origin.
fn write(cost: Option<u64>, corner: Vec2, kind: usize, mut stroke: impl FnMut(Stroke)) {
    let mut digits = [0; 20];
    let digits = digits_of(cost, &mut digits);
    // From the left end of the first digit to the right end of the last.
    let span = (digits.len() as f32 - 1.0) * ADVANCE + WIDTH;
    let height = HEIGHTS[kind].min(WIDTHS[kind] / span);
    let left = match corner.x < 0.0 {
        true => -EDGE,
        false => EDGE - span * height,
    };
    let bottom = match corner.y < 0.0 {
        true => -EDGE,
        false => EDGE - height,
    };
    for (place, digit) in digits.iter().enumerate() {
        let origin = Vec2::new(left + place as f32 * ADVANCE * height, bottom);
        let scale = Vec2::new(WIDTH / 4.0, 1.0 / 6.0) * height;
        stroke(Stroke {
            points: DIGITS[usize::from(*digit)],
            origin,
            scale,
        });
    }
}

/// The digits of a number, the first one first.
fn digits_of(number: Option<u64>, memory: &mut [u8; 20]) -> &[u8] {
    let Some(mut rest) = number else {
        memory[0] = ENDLESS;
        return &memory[..1];
    };
    let mut first = memory.len();
    loop {
        first -= 1;
        memory[first] = (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            return &memory[first..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::DIAGONAL;

    fn digits(number: Option<u64>) -> Vec<u8> {
        digits_of(number, &mut [0; 20]).to_vec()
    }

    #[test]
    fn numbers_are_those_of_the_textbooks() {
        let costs = Costs {
            g: u64::from(STRAIGHT),
            h: u64::from(DIAGONAL),
            f: u64::from(STRAIGHT + DIAGONAL),
        };
        let told = numbers(costs).map(|(number, ..)| number);
        assert_eq!(told, [24, 10, 14].map(Some));
        assert_eq!(in_steps(u64::MAX), None, "a way that is gone");
    }

    #[test]
    fn a_number_is_written_digit_by_digit() {
        assert_eq!(digits(Some(0)), [0]);
        assert_eq!(digits(Some(1407)), [1, 4, 0, 7]);
        assert_eq!(digits(Some(u64::MAX)).len(), 20);
        assert_eq!(digits(None), [ENDLESS]);
    }

    #[test]
    fn numbers_stay_in_their_cell_and_do_not_meet() {
        for number in [0, 8, 24, 999, 1408, 88_888, u64::MAX / 2] {
            let boxes = numbers(Costs { g: 0, h: 0, f: 0 }).map(|(_, corner, kind)| {
                let mut bounds: Option<Rect> = None;
                write(Some(number), corner, kind, |stroke| {
                    for point in stroke.points() {
                        let one = Rect::from_corners(point, point);
                        bounds = Some(bounds.map_or(one, |bounds| bounds.union_point(point)));
                    }
                });
                bounds.expect("some digit")
            });
            for bounds in &boxes {
                assert!(bounds.min.min_element() > -0.38, "{number}: {bounds:?}");
                assert!(bounds.max.max_element() < 0.38, "{number}: {bounds:?}");
            }
            let [f, g, h] = boxes;
            assert!(g.max.x < h.min.x, "{number}: g and h");
            assert!(f.min.y > g.max.y && f.min.y > h.max.y, "{number}: f");
        }
    }
}
