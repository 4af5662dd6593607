//! Splits a number into a row and a column, without a division.

/// Rows of equal length, whose items are numbered consecutively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stride {
    length: u32,
    /// `2^64 / length`, rounded up, which turns a division by the length into a multiplication.
    inverse: u64,
}

impl Stride {
    /// Rows of a given length, which is at least 2.
    pub(crate) fn new(length: u32) -> Self {
        debug_assert!(length >= 2, "the inverse of 1, 2^64, does not fit");
        Self {
            length,
            inverse: (u64::MAX / u64::from(length)).wrapping_add(1),
        }
    }

    #[inline(always)]
    pub(crate) fn length(self) -> u32 {
        self.length
    }

    /// The row of a number, and its column in that row.
    #[inline(always)]
    pub(crate) fn split(self, number: u32) -> (u32, u32) {
        // The result is exact for all numbers below 2³² (Lemire, Kaser and Kurz, 2019: faster remainder by direct
        // computation).
        let row = ((u128::from(self.inverse) * u128::from(number)) >> 64) as u32;
        (row, number - row * self.length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn split_equals_a_division_with_remainder(length in 2u32.., number: u32, row in 0u32..3) {
            let stride = Stride::new(length);
            let beside = length.saturating_mul(row);
            for number in [number, 0, u32::MAX, beside, beside.saturating_sub(1)] {
                prop_assert_eq!(stride.split(number), (number / length, number % length));
            }
        }
    }
}
