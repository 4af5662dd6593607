//! Which way to go from each cell, as a byte.

use glam::Vec2;

use super::table::{CostTable, FAR, WALL};
use crate::cancel::{Cancel, Cancelled};

/// Directions around a circle. A multiple of eight, so that each step between neighbors is one of them.
const ANGLES: usize = 240;
const EIGHTH: i32 = ANGLES as i32 / 8;
/// What stands for a cell from which no way is known, ...
const NOWHERE: u8 = 254;
/// ... and for one at which a way ends.
const HERE: u8 = 255;

/// The byte of each step, in the order of [`NEIGHBORS`].
const OF_STEP: [u8; 8] = [0, 120, 60, 180, 30, 90, 210, 150];

/// The vector of a byte; `None` where no way is known.
pub(super) fn vector(byte: u8) -> Option<Vec2> {
    static VECTORS: [Vec2; ANGLES] = vectors();
    match byte {
        HERE => Some(Vec2::ZERO),
        _ => VECTORS.get(usize::from(byte)).copied(),
    }
}

/// Unit vectors, counterclockwise from x. Worked out by sums and products alone: the same on all machines.
const fn vectors() -> [Vec2; ANGLES] {
    let mut all = [Vec2::ZERO; ANGLES];
    let mut i = 0;
    while i < ANGLES {
        // Sine and cosine of what is left of an eighth, by their series.
        let (eighth, rest) = (i / EIGHTH as usize, i % EIGHTH as usize);
        let angle = rest as f64 * (std::f64::consts::TAU / ANGLES as f64);
        let (mut term, mut sums, mut n) = (1.0, [0.0, 0.0], 0);
        while n < 20 {
            let sign = if n % 4 < 2 { 1.0 } else { -1.0 };
            sums[n % 2] += sign * term;
            n += 1;
            term *= angle / n as f64;
        }
        let (mut x, mut y) = (sums[0], sums[1]);
        let mut turns = 0;
        while turns < eighth {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            (x, y) = ((x - y) * half, (x + y) * half);
            turns += 1;
        }
        all[i] = Vec2::new(x as f32, y as f32);
        i += 1;
    }
    all
}

/// The bytes of all slots: down the mean slope of the costs around a cell, where that leads over cells that are nearer
/// to a goal, and none of the four cells of the square that it enters is a wall; else along the cheapest way.
/// `may_slope` allows the former: a body fits everywhere in a square whose four cells are free.
pub(super) fn bake(
    table: &CostTable,
    may_slope: bool,
    cancel: Cancel<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let mut bytes = vec![NOWHERE; table.costs.len()];
    if bytes.is_empty() {
        return Ok(bytes);
    }
    let stride = table.stride();
    for (y, row) in bytes.chunks_exact_mut(stride).enumerate().skip(1) {
        if y > table.rect.height() as usize {
            break;
        }
        cancel.begin_part()?;
        let costs = |y: usize| &table.costs[y * stride..][..stride];
        let row = &mut row[1..stride - 1];
        if may_slope {
            slopes([costs(y - 1), costs(y), costs(y + 1)], row);
        }
        for (slot, byte) in (y * stride + 1..).zip(row) {
            let is_known = !matches!(table.costs[slot], WALL | FAR);
            if is_known && (*byte == HERE || !may_slope) {
                *byte = table.way_down(slot).map_or(HERE, |step| OF_STEP[step]);
            }
        }
    }
    Ok(bytes)
}

/// Whether a way is known: all others are next to each other, around 0.
#[inline(always)]
fn is_known(entry: u32) -> bool {
    entry.wrapping_add(1) > 1
}

/// The bytes of a row by the costs in it and beside it; [`HERE`] where a slope leads nowhere.
fn slopes([below, here, above]: [&[u32]; 3], bytes: &mut [u8]) {
    let count = bytes.len();
    let [sw, s, se] = [0, 1, 2].map(|x| &below[x..][..count]);
    let [w, c, e] = [0, 1, 2].map(|x| &here[x..][..count]);
    let [nw, n, ne] = [0, 1, 2].map(|x| &above[x..][..count]);
    for i in 0..count {
        let slope = [fall(c[i], e[i], w[i]), fall(c[i], n[i], s[i])];
        let (is_west, is_south) = (slope[0] < 0, slope[1] < 0);
        let side = [pick(is_west, w[i], e[i]), pick(is_south, s[i], n[i])];
        let corner = pick(
            is_south,
            pick(is_west, sw[i], se[i]),
            pick(is_west, nw[i], ne[i]),
        );
        let byte = toward(c[i], slope, side, corner);
        bytes[i] = if is_known(c[i]) { byte } else { NOWHERE };
    }
}

#[inline(always)]
fn pick(condition: bool, one: u32, other: u32) -> u32 {
    if condition { one } else { other }
}

/// How far costs fall toward one side, less how far toward the other one. Beside a wall it is the fall along the
/// wall's other side, and never toward the wall.
#[inline(always)]
fn fall(here: u32, one: u32, other: u32) -> i32 {
    let toward = |cost: u32| {
        if is_known(cost) {
            here.wrapping_sub(cost) as i32
        } else {
            0
        }
    };
    let falls = [toward(one), toward(other)];
    let first = if is_known(one) {
        falls[0]
    } else {
        -falls[1].abs()
    };
    let second = if is_known(other) {
        falls[1]
    } else {
        -falls[0].abs()
    };
    first - second
}

/// The byte of a slope, by the costs of the two cells beside and the one across that it points at.
#[inline(always)]
fn toward(here: u32, slope: [i32; 2], side: [u32; 2], corner: u32) -> u8 {
    let [x, y] = slope.map(i32::abs);
    let is_flat = x >= y;
    let (long, short) = (x.max(y), x.min(y));
    let ahead = pick(is_flat, side[0], side[1]);
    let beside = pick(is_flat, side[1], side[0]);
    // The arctangent in steps, by a parabola that is off by 0.15 of one at most.
    let ratio = short as f32 / long.max(1) as f32;
    let steps = EIGHTH as f32 * ratio + 10.43 * ratio * (1.0 - ratio);
    // Rounds to a whole number, in the lowest bits.
    let steps = ((steps + 8_388_608.0).to_bits() & 0x3f) as i32;
    let quarter = if is_flat { steps } else { 2 * EIGHTH - steps };
    let half = if slope[0] < 0 {
        4 * EIGHTH - quarter
    } else {
        quarter
    };
    let angle = if slope[1] < 0 {
        8 * EIGHTH - half
    } else {
        half
    };
    let angle = if angle == 8 * EIGHTH { 0 } else { angle };
    let leads_down = |cost: u32| is_known(cost) & (cost < here);
    let is_clear = leads_down(corner) & is_known(beside) | (steps == 0);
    if is_clear & leads_down(ahead) {
        angle as u8
    } else {
        HERE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::NEIGHBORS;

    #[test]
    fn vectors_are_those_of_angles_and_steps() {
        for byte in 0..ANGLES {
            let angle = byte as f32 * std::f32::consts::TAU / ANGLES as f32;
            let found = vector(byte as u8).unwrap();
            assert!(
                found.distance(Vec2::from_angle(angle)) < 1e-6,
                "{byte}: {found}"
            );
        }
        for (byte, (x, y)) in OF_STEP.into_iter().zip(NEIGHBORS) {
            let step = Vec2::new(x as f32, y as f32).normalize();
            assert!(vector(byte).unwrap().distance(step) < 1e-7, "({x}, {y})");
        }
        assert_eq!(vector(NOWHERE), None);
        assert_eq!(vector(HERE), Some(Vec2::ZERO));
    }

    #[test]
    fn a_slope_gives_the_angle_that_is_nearest_to_it() {
        for x in -40..=40 {
            for y in -40..=40 {
                if (x, y) == (0, 0) {
                    continue;
                }
                let byte = toward(9, [x, y], [1, 1], 1);
                let slope = Vec2::new(x as f32, y as f32).normalize();
                let off = vector(byte).unwrap().angle_to(slope).abs().to_degrees();
                assert!(off < 1.0, "({x}, {y}): {byte}, off by {off}");
            }
        }
    }
}
