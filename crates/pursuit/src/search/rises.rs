//! By how much g + h grows along each step of a grid, by table.

use super::options::Heuristic;
use crate::cell::NEIGHBORS;
use crate::cost::{DIAGONAL, STRAIGHT, half_octile};

/// Cost of each of the [`NEIGHBORS`] steps plus the change of the estimate, on terrain cost 1, by
/// where the goal lies: see [`class`].
pub(super) type Rises = [[u16; 8]; CLASSES];

pub(super) const CLASSES: usize = 45;

/// The table of an estimate; `None` for one that has no table because it depends on more than the
/// class.
pub(super) fn rises(heuristic: Heuristic) -> Option<&'static Rises> {
    static OCTILE: Rises = table(Heuristic::Octile);
    static MANHATTAN: Rises = table(Heuristic::Manhattan);
    static ZERO: Rises = table(Heuristic::Zero);
    match heuristic {
        Heuristic::Octile => Some(&OCTILE),
        Heuristic::Manhattan => Some(&MANHATTAN),
        Heuristic::Zero => Some(&ZERO),
        Heuristic::Euclidean => None,
    }
}

/// Class of the cells `dx` columns and `dy` rows from the goal: along each step from any of them the
/// table's estimates change by the same.
///
/// That depends on the signs of `dx` and `dy`, and on which of them is larger by how much, of which no
/// more than 2 matters.
#[inline(always)]
pub(super) const fn class(dx: i32, dy: i32) -> usize {
    let longer = dx.wrapping_abs().wrapping_sub(dy.wrapping_abs());
    let longer = if longer > 2 { 2 } else { longer };
    let longer = if longer < -2 { -2 } else { longer };
    (15 * (dx.signum() + 1) + 5 * (dy.signum() + 1) + longer + 2) as usize
}

const fn table(heuristic: Heuristic) -> Rises {
    let mut table = [[0; 8]; CLASSES];
    // Within this distance there are cells of every class.
    let mut dx = -4;
    while dx <= 4 {
        let mut dy = -4;
        while dy <= 4 {
            let mut n = 0;
            while n < 8 {
                let (x, y) = NEIGHBORS[n];
                let cost = if n < 4 { STRAIGHT } else { DIAGONAL };
                let there = estimate(heuristic, dx + x, dy + y);
                // Manhattan distance falls by more than a diagonal step costs: those entries are not
                // for use.
                let rise = (cost + there).saturating_sub(estimate(heuristic, dx, dy));
                table[class(dx, dy)][n] = rise as u16;
                n += 1;
            }
            dy += 1;
        }
        dx += 1;
    }
    table
}

const fn estimate(heuristic: Heuristic, dx: i32, dy: i32) -> u32 {
    let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
    match heuristic {
        Heuristic::Octile => 2 * half_octile(dx, dy) as u32,
        Heuristic::Manhattan => STRAIGHT * (dx + dy),
        Heuristic::Euclidean | Heuristic::Zero => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_rise_for_each_step() {
        for heuristic in [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Zero] {
            let table = rises(heuristic).unwrap();
            for (dx, dy) in (-40..40).flat_map(|dx| (-40..40).map(move |dy| (dx, dy))) {
                for (n, (x, y)) in NEIGHBORS.into_iter().enumerate() {
                    let cost = if n < 4 { STRAIGHT } else { DIAGONAL };
                    let there = estimate(heuristic, dx + x, dy + y);
                    let rise = (cost + there).saturating_sub(estimate(heuristic, dx, dy));
                    let listed = table[class(dx, dy)][n];
                    assert_eq!(u32::from(listed), rise, "{heuristic:?} at ({dx}, {dy})");
                }
            }
        }
    }
}
