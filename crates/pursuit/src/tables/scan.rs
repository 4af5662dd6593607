//! Searches lines of bits for the next set bit.

use crate::bits::rows::BitRows;

/// A scan works on *places*. The place of a bit is its index among the bits of all words. There is an additional line
/// before the first line, and its first bit has the place 0. A scan needs a set bit at which to end. If bits mark
/// where something stops, all bits beyond the end of a line are set. So are all bits of the additional lines before
/// the first line and after the last:
///
/// ```text
/// line -1   1 1 1 1 1 1|1
/// line  0   . . 1 . . .|1        from bit 3 up: a stop at 6; down: at 2
/// line  1   . 1 . . . .|1        from bit 0 down: at the last bit of the line before
/// line  2   1 1 1 1 1 1|1
/// ```
impl BitRows {
    /// A copy with all bits inverted, including the bits beyond the lines.
    pub(super) fn inverted(&self) -> Self {
        Self {
            row_words: self.row_words,
            words: self.words.iter().map(|word| !word).collect(),
        }
    }

    /// The place of a bit. The line before the first has number -1.
    #[inline]
    pub(super) fn place(&self, line: i32, bit: u32) -> u32 {
        (line + 1) as u32 * self.row_words as u32 * 64 + bit
    }

    /// The first place at or after `place` that is set.
    #[inline]
    pub(super) fn set_at_or_after(&self, place: u32) -> u32 {
        let mut at = place as usize / 64;
        let mut word = self.words[at] & u64::MAX << (place % 64);
        while word == 0 {
            at += 1;
            word = self.words[at];
        }
        at as u32 * 64 + word.trailing_zeros()
    }

    /// The last place at or before `place` that is set.
    #[inline]
    pub(super) fn set_at_or_before(&self, place: u32) -> u32 {
        let mut at = place as usize / 64;
        let mut word = self.words[at] & u64::MAX >> (63 - place % 64);
        while word == 0 {
            at -= 1;
            word = self.words[at];
        }
        at as u32 * 64 + 63 - word.leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::bits::rows::tests::lines;

    proptest! {
        #[test]
        fn scans_agree_with_a_look_at_each_bit(
            width in 1u32..200, height in 1u32..6, seed: u64, line in 0i32..6, a in 0u32..200,
        ) {
            let (mut rows, is_set) = lines(width, height, seed);
            let line = line % height as i32;
            let a = a % width;
            // All bits beyond the lines are set, so that scans end.
            let n = rows.row_words;
            for (index, word) in rows.words.iter_mut().enumerate() {
                let is_line = (n..n * (height as usize + 1)).contains(&index);
                let beyond = u64::MAX.checked_shl(width.saturating_sub((index % n * 64) as u32));
                *word |= if is_line { beyond.unwrap_or(0) } else { u64::MAX };
            }
            let is_set = |bit: u32| is_set(line as u32, bit);
            let place = |bit: u32| rows.place(line, bit);
            let up = (a..width).find(|&bit| is_set(bit)).unwrap_or(width);
            prop_assert_eq!(rows.set_at_or_after(place(a)), place(up));
            let down = (0..=a).rev().find(|&bit| is_set(bit));
            let expected = down.map_or(place(0) - 1, place);
            prop_assert_eq!(rows.set_at_or_before(place(a)), expected);
        }
    }
}
