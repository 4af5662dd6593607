//! How distances are encoded as whole numbers.
//!
//! A distance is first counted in *units*: a cell is divided into 2ⁿ units, with the largest n for which the cap has
//! at most 65,536 units. Counts are rounded down, so an encoded distance is never larger than the true one. A cell
//! has at least 64 units, so whole and half cells are exact, and so are all multiples of 1/64 of a cell.
//!
//! The count of a center takes 16 bits. To make room for 65,536 itself, a count of 1 is stored as 0:
//!
//! ```text
//!   units   0  1  2  3  4  ...  65535  65536
//!   code    0  0  1  2  3  ...  65534  65535
//! ```
//!
//! The distance of a step takes 10 bits. It is one of 1023 marks on a ruler. The ruler is fine at its start,
//! where small bodies need precise distances, and coarser beyond mark 512. For a cap of 4:
//!
//! ```text
//!   mark    0     1      2    ...   512    513     514   ...    1022
//!   cells   0   1/512  2/512  ...    1    1 1/128  1 2/128 ...  4 126/128
//! ```

/// The largest distance that a center can have, in units.
pub(super) const MAX_UNITS: u32 = 1 << 16;

/// Number of marks on the fine part of the ruler.
const FINE_MARKS: u32 = 512;

/// One more than the last mark. It means "no mark": the cap or more.
pub(super) const NO_MARK: u32 = 1023;

/// The byte of a square counts in steps of 1/64 of a cell. This is the binary logarithm of the number of steps per
/// cell. See [`super::squares`].
const BYTE_BITS: u32 = 6;

/// Converts between cells, units, codes and marks of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// Binary logarithm of the units per cell, from 6 to 16.
    bits: u32,
    /// Units per cell.
    per_cell: f32,
    /// Length of a unit, in cells.
    unit: f32,
    /// Binary logarithm of the units between two marks on the fine part of the ruler.
    fine: u32,
    /// Binary logarithm of the units between two marks on the coarse part.
    coarse: u32,
}

impl Scale {
    /// The scale of a field whose cap is from 1 to 1024 cells, and the cap rounded up to whole units.
    pub(super) fn of(cap: f32) -> (Self, f32) {
        let mut bits = 16_u32;
        while cap * (1 << bits) as f32 > MAX_UNITS as f32 {
            bits -= 1;
        }
        let per_cell = (1 << bits) as f32;
        let unit = per_cell.recip();
        let cap_units = (cap * per_cell).ceil();
        // One fine mark per 1/512 of a cell, or per unit if units are longer.
        let fine = bits.saturating_sub(FINE_MARKS.trailing_zeros());
        let beyond = (cap_units as u32).saturating_sub(FINE_MARKS << fine);
        let mut coarse = fine;
        while (NO_MARK - FINE_MARKS) << coarse < beyond {
            coarse += 1;
        }
        let scale = Self {
            bits,
            per_cell,
            unit,
            fine,
            coarse,
        };
        (scale, cap_units * unit)
    }

    /// A distance in units, rounded down, at most [`MAX_UNITS`]. Negative distances and NaN are treated as 0.
    #[inline]
    pub(super) fn units(self, distance: f32) -> u32 {
        ((distance * self.per_cell) as u32).min(MAX_UNITS)
    }

    /// The square root of `quarters` quarters of a squared cell, in units, rounded down.
    pub(super) fn root(self, quarters: u32) -> u32 {
        // The root is exact: an `f64` can hold both the number and its root.
        let squared_units = (u64::from(quarters) << (2 * self.bits)) as f64 / 4.0;
        squared_units.sqrt() as u32
    }

    /// Converts units to cells.
    pub(super) fn cells(self, units: u32) -> f32 {
        // Processors have an instruction that converts signed numbers.
        units as i32 as f32 * self.unit
    }

    /// An upper bound of the rounding error, in cells.
    pub(super) fn resolution(self) -> f32 {
        // The error of a distance that is stored as 0 is less than two units. The error of a mark is less than the
        // distance between two coarse marks.
        self.cells((1 << self.coarse).max(2))
    }

    /// The last mark that is not above `units`.
    pub(super) fn mark(self, units: u32) -> u32 {
        let (units, knee) = (units as i32, FINE_MARKS as i32);
        // Each of the two lines of the ruler is valid on one side of the knee. On the other side, it would count more
        // marks up to `units` than there are.
        let fine = units >> self.fine;
        let coarse = knee + ((units - (knee << self.fine)) >> self.coarse);
        fine.min(coarse).min(NO_MARK as i32 - 1) as u32
    }

    /// The position of a mark, in units. The position of [`NO_MARK`] is at the cap or above.
    pub(super) fn at_mark(self, mark: u32) -> u32 {
        let (mark, knee) = (mark as i32, FINE_MARKS as i32);
        // Each of the two lines of the ruler is valid on one side of the knee. On the other side, it lies below the
        // other line.
        let fine = mark << self.fine;
        let coarse = (knee << self.fine) + ((mark - knee) << self.coarse);
        fine.max(coarse) as u32
    }

    /// The byte of a square whose sides and diagonals are all at least `units` from any obstacle.
    pub(super) fn byte(self, units: u32) -> u8 {
        (units >> (self.bits - BYTE_BITS)).min(u32::from(u8::MAX)) as u8
    }

    /// Computes the [`byte`](Self::byte) of each square in a row: the smallest code of its four corners decides.
    /// `codes` has the row of lower corners and the row of upper corners. Both have one element more than `bytes`.
    pub(super) fn bytes(self, codes: [&[u16]; 2], bytes: &mut [u8]) {
        let count = bytes.len();
        let [a, b, c, d] = [codes[0], &codes[0][1..], codes[1], &codes[1][1..]];
        let [a, b, c, d] = [a, b, c, d].map(|codes| &codes[..count]);
        let least = |i: usize| a[i].min(b[i]).min(c[i].min(d[i]));
        match (self.bits - BYTE_BITS).checked_sub(1) {
            // Half the units are half the code, rounded up. This number stays within 16 bits.
            Some(shift) => {
                for (i, byte) in bytes.iter_mut().enumerate() {
                    let code = least(i);
                    *byte = (((code >> 1) + (code & 1)) >> shift).min(255) as u8;
                }
            }
            None => {
                for (i, byte) in bytes.iter_mut().enumerate() {
                    *byte = self.byte(units_of(least(i)));
                }
            }
        }
    }

    /// The least number of units for which `is_enough` holds. `is_enough` must hold for all greater numbers as
    /// well. `None` if it does not hold even for [`MAX_UNITS`].
    pub(super) fn least_units(self, is_enough: impl Fn(f32) -> bool) -> Option<u32> {
        let (mut least, mut end) = (0, MAX_UNITS + 1);
        while least < end {
            let middle = (least + end) / 2;
            if is_enough(self.cells(middle)) {
                end = middle;
            } else {
                least = middle + 1;
            }
        }
        (least <= MAX_UNITS).then_some(least)
    }

    /// The distance that a code stands for, in cells.
    pub(super) fn decode(self, code: u16) -> f32 {
        self.cells(units_of(code))
    }
}

/// The code of a center that is `units` from the nearest obstacle. `units` is at most [`MAX_UNITS`].
#[inline]
pub(super) fn code_of(units: u32) -> u16 {
    units.saturating_sub(1).min(u32::from(u16::MAX)) as u16
}

/// The number of units that a code stands for.
pub(super) fn units_of(code: u16) -> u32 {
    u32::from(code) + u32::from(code > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_cap() -> impl Strategy<Value = f32> {
        prop_oneof![
            1.0..=1024.0_f32,
            (0..=10_i32).prop_map(|log| 2_f32.powi(log))
        ]
    }

    #[test]
    fn the_unit_is_the_finest_that_the_cap_fits_into() {
        for (cap, bits) in [
            (1.0, 16),
            (2.0, 15),
            (4.0, 14),
            (4.1, 13),
            (512.0, 7),
            (1024.0, 6),
        ] {
            let (scale, rounded) = Scale::of(cap);
            assert_eq!(scale.bits, bits, "{cap}");
            assert!(rounded >= cap && rounded - cap < scale.unit);
            assert_eq!(scale.decode(code_of(scale.units(rounded))), rounded);
        }
    }

    proptest! {
        #[test]
        fn a_code_is_the_distance_rounded_down(cap in any_cap(), share in 0.0..=1.0_f32) {
            let (scale, cap) = Scale::of(cap);
            let distance = share * cap;
            let kept = scale.decode(code_of(scale.units(distance)));
            prop_assert!(kept <= distance && distance - kept < 2.0 * scale.unit);
            prop_assert!(kept == 0.0 || distance - kept < scale.unit);
        }

        #[test]
        fn half_cells_are_exact(cap in any_cap(), halves in 0..=2048_u32) {
            let (scale, cap) = Scale::of(cap);
            let distance = (0.5 * halves as f32).min(cap.floor());
            prop_assert_eq!(scale.decode(code_of(scale.units(distance))), distance);
            if distance < cap {
                let fine = distance <= 1.0;
                let kept = scale.cells(scale.at_mark(scale.mark(scale.units(distance))));
                prop_assert!(!fine || kept == distance, "{} for {}", kept, distance);
            }
        }

        #[test]
        fn a_mark_is_the_distance_rounded_down(cap in any_cap(), share in 0.0..1.0_f32) {
            let (scale, cap) = Scale::of(cap);
            let units = scale.units(share * cap);
            let at = scale.at_mark(scale.mark(units));
            prop_assert!(at <= units);
            let lost = scale.cells(units - at);
            let most = if scale.cells(units) < 1.0 { 1.0 / 512.0 } else { 1.0 / 256.0 * cap };
            prop_assert!(lost < most.max(scale.unit), "{} of {}", lost, scale.cells(units));
            prop_assert!(lost + scale.unit <= scale.resolution());
            // A distance without a mark is at least the cap.
            prop_assert!(scale.cells(scale.at_mark(NO_MARK)) >= cap);
        }

        #[test]
        fn marks_are_in_order(cap in any_cap(), mark in 0..NO_MARK) {
            let (scale, _) = Scale::of(cap);
            prop_assert!(scale.at_mark(mark) < scale.at_mark(mark + 1));
            prop_assert_eq!(scale.mark(scale.at_mark(mark)), mark);
        }

        #[test]
        fn least_units_finds_the_first_distance_that_is_enough(cap in any_cap(), needed in -1.0..1100.0_f32) {
            let (scale, _) = Scale::of(cap);
            match scale.least_units(|distance| distance >= needed) {
                None => prop_assert!(needed > scale.cells(MAX_UNITS)),
                Some(units) => {
                    prop_assert!(scale.cells(units) >= needed);
                    prop_assert!(units == 0 || scale.cells(units - 1) < needed);
                }
            }
        }

        #[test]
        fn roots_are_rounded_down(cap in any_cap(), quarters in 0..4_194_305_u32) {
            let (scale, _) = Scale::of(cap);
            let root = u128::from(scale.root(quarters));
            let squared = u128::from(quarters) << (2 * scale.bits);
            prop_assert!(4 * root * root <= squared && squared < 4 * (root + 1) * (root + 1));
        }

        #[test]
        fn bytes_of_a_row_of_squares_equal_the_byte_of_each_square(
            cap in any_cap(),
            codes in prop::collection::vec(prop_oneof![any::<u16>(), 0..3_u16, 65_533_u16.. ], 40),
        ) {
            let (scale, _) = Scale::of(cap);
            let (low, high) = codes.split_at(20);
            let mut bytes = [0; 19];
            scale.bytes([low, high], &mut bytes);
            for (i, byte) in bytes.into_iter().enumerate() {
                let least = low[i].min(low[i + 1]).min(high[i]).min(high[i + 1]);
                prop_assert_eq!(byte, scale.byte(units_of(least)));
            }
        }
    }
}
