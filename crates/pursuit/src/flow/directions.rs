//! The direction to go from each cell, as one byte.
//!
//! If several first steps belong to cheapest paths, the direction is their mean. For a straight step and an adjacent
//! diagonal step, it is the direction between the two. It crosses the same square of four cells as the diagonal step,
//! and all four are free.

use glam::Vec2;

use super::table::{CostTable, UNKNOWN_COST, WALL};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::NEIGHBORS;

/// A set of steps to neighbors, with one bit for each of [`NEIGHBORS`].
pub(super) type Steps = u8;

/// Number of directions in a circle: the eight steps and the directions between them. They are numbered
/// counterclockwise from the x axis.
const DIRECTIONS: usize = 16;
/// The byte of a cell from which no path is known. The bytes from 1 to [`DIRECTIONS`] are directions.
const NO_PATH: u8 = 0;
/// The byte of a cell where a path ends.
const AT_GOAL: u8 = 1 + DIRECTIONS as u8;

/// The position of each of the [`NEIGHBORS`] in a circle of eight, counterclockwise from the x axis.
const CIRCLE_PLACES: [u8; 8] = [0, 4, 2, 6, 1, 3, 7, 5];

/// For each set of steps that reach a cell at the lowest cost, the byte of the direction in which a body walks from the
/// cell toward the goal.
pub(super) static WAY_BACK: [u8; 256] = ways_back();

const fn ways_back() -> [u8; 256] {
    let mut all = [AT_GOAL; 256];
    let mut steps = 0;
    while steps < all.len() - 1 {
        all[steps] = way_back(steps);
        steps += 1;
    }
    all
}

/// The byte of the direction opposite to the middle of the longest run of adjacent steps. If several runs are the
/// longest, the first one is used.
const fn way_back(steps: usize) -> u8 {
    let mut around = 0_u32;
    let mut step = 0;
    while step < 8 {
        around |= ((steps >> step & 1) as u32) << CIRCLE_PLACES[step];
        step += 1;
    }
    let (mut best, mut longest, mut step) = (NO_PATH, 0, 0);
    while step < 8 {
        let first = CIRCLE_PLACES[step] as u32;
        // The run of set bits that begins at this step, if the bit before it is not set.
        let turned = (around | around << 8) >> first;
        let is_first = around >> ((first + 7) % 8) & 1 == 0;
        let length = (!turned).trailing_zeros();
        if is_first && length > longest {
            longest = length;
            let forward = 2 * first + length - 1;
            best = 1 + ((forward + DIRECTIONS as u32 / 2) % DIRECTIONS as u32) as u8;
        }
        step += 1;
    }
    best
}

/// The vector of a byte. `None` if no path is known.
#[inline]
pub(super) fn vector(byte: u8) -> Option<Vec2> {
    // The numbers in the names are angles in degrees.
    const COS_22_5: f32 = 0.923_879_5;
    const SIN_22_5: f32 = 0.382_683_43;
    const SIN_45: f32 = std::f32::consts::FRAC_1_SQRT_2;
    /// The unit vectors of the first quarter of the circle.
    const QUARTER_CIRCLE: [[f32; 2]; 4] = [
        [1.0, 0.0],
        [COS_22_5, SIN_22_5],
        [SIN_45, SIN_45],
        [SIN_22_5, COS_22_5],
    ];
    /// The unit vector of each direction, then the zero vector for [`AT_GOAL`].
    const VECTORS: [Vec2; DIRECTIONS + 1] = {
        let mut all = [Vec2::ZERO; DIRECTIONS + 1];
        let mut i = 0;
        while i < DIRECTIONS {
            let [x, y] = QUARTER_CIRCLE[i % 4];
            all[i] = match i / 4 {
                0 => Vec2::new(x, y),
                1 => Vec2::new(-y, x),
                2 => Vec2::new(-x, -y),
                _ => Vec2::new(y, -x),
            };
            i += 1;
        }
        all
    };
    VECTORS.get(usize::from(byte).checked_sub(1)?).copied()
}

/// For each of the [`NEIGHBORS`], the index of the opposite step.
const OPPOSITE_STEPS: [usize; 8] = [1, 0, 3, 2, 7, 6, 5, 4];

/// The bytes of all slots. `are_mixed` allows directions between two adjacent steps.
pub(super) fn bake(
    table: &CostTable,
    are_mixed: bool,
    cancel: Cancel<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let mut bytes = vec![NO_PATH; table.costs.len()];
    let stride = table.stride();
    for (row, bytes) in bytes.chunks_exact_mut(stride).enumerate() {
        cancel.check()?;
        for (slot, byte) in (row * stride..).zip(bytes) {
            if !matches!(table.costs[slot], WALL | UNKNOWN_COST) {
                let down = (0..NEIGHBORS.len()).filter(|&step| table.is_next_step(slot, step));
                let most = if are_mixed { NEIGHBORS.len() } else { 1 };
                let back = down.take(most).map(|step| 1 << OPPOSITE_STEPS[step]);
                let steps = back.fold(0, |steps, step| steps | step);
                *byte = if steps == 0 { AT_GOAL } else { WAY_BACK[steps] };
            }
        }
    }
    Ok(bytes)
}

/// Replaces each direction that lies between a straight and a diagonal step by the straight one.
pub(super) fn straighten(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| (1..AT_GOAL).contains(*byte)) {
        let direction = *byte - 1;
        if direction % 2 == 1 {
            *byte = 1 + (direction + 1) / 4 * 4 % DIRECTIONS as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_evenly_spaced_angles_and_way_back_reverses_a_step() {
        for byte in 1..=DIRECTIONS {
            let angle = (byte - 1) as f32 * std::f32::consts::TAU / DIRECTIONS as f32;
            let found = vector(byte as u8).unwrap();
            assert!(
                found.distance(Vec2::from_angle(angle)) < 1e-6,
                "{byte}: {found}"
            );
        }
        for (step, (x, y)) in NEIGHBORS.into_iter().enumerate() {
            let back = vector(WAY_BACK[1 << step]).unwrap();
            let expected = Vec2::new(-x as f32, -y as f32).normalize();
            assert!(back.distance(expected) < 1e-6, "({x}, {y})");
        }
        assert_eq!(vector(NO_PATH), None);
        assert_eq!(vector(AT_GOAL), Some(Vec2::ZERO));
        assert_eq!(WAY_BACK[0xff], AT_GOAL);
    }

    #[test]
    fn a_straight_step_and_adjacent_diagonal_ones_give_their_mean() {
        let [east, north, north_east, south_east] = [1, 4, 16, 64];
        let angle = |steps: usize| {
            let back = -vector(WAY_BACK[steps]).unwrap();
            back.to_angle().to_degrees()
        };
        for (steps, expected) in [
            (east | north_east, 22.5),
            (east | north_east | south_east, 0.0),
            (east | north_east | north, 45.0),
            (north | north_east, 67.5),
            // The two steps are not adjacent, so the first one is used.
            (east | north, 0.0),
        ] {
            assert!(
                (angle(steps) - expected).abs() < 1e-3,
                "{steps:b}: {}",
                angle(steps)
            );
        }
    }

    #[test]
    fn straighten_replaces_directions_between_steps_by_an_adjacent_straight_step() {
        let mut bytes: Vec<u8> = (0..=AT_GOAL).collect();
        straighten(&mut bytes);
        for (byte, straight) in (0..).zip(bytes) {
            let is_between = (1..AT_GOAL).contains(&byte) && byte % 2 == 0;
            assert_eq!(straight != byte, is_between, "{byte}");
            if is_between {
                let [a, b] = [byte, straight].map(|byte| vector(byte).unwrap());
                assert!(a.dot(b) > 0.9 && b.abs().max_element() == 1.0, "{byte}");
            }
        }
    }
}
