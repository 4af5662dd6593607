//! Words with one bit per cell, and operations on 64 cells at a time.
//!
//! Bit `i` of a word is the cell that comes `i` cells after the first one, along the line. Pictures show the lowest bit
//! on the left, so that they read like the line.

use std::ops::Range;

pub(crate) mod carry;
pub(crate) mod rows;
pub(crate) mod shear;
pub(crate) mod transpose;

/// The numbers of the bits that are set in a word, the lowest first.
#[inline(always)]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then_some(word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

/// The words that hold a range of bits: the index of each word, and a mask of the bits of the range in this word. The
/// range must not be empty.
#[inline(always)]
pub(crate) fn masks(bits: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    (bits.start / 64..bits.end.div_ceil(64)).map(move |index| {
        let low = bits.start.saturating_sub(index * 64);
        let high = (bits.end - index * 64).min(64);
        (index, u64::MAX >> (64 - (high - low)) << low)
    })
}

/// Whether a bit is set, counted from the lowest bit of the first word. Bits past the last word are not.
#[inline(always)]
pub(crate) fn is_set(words: &[u64], bit: u32) -> bool {
    let word = words.get(bit as usize / 64).copied().unwrap_or(0);
    word >> (bit % 64) & 1 != 0
}

/// Number of steps from a bit to the next bit that is not set, toward higher bits if `UP`, toward lower bits otherwise.
/// Bits past the words are not set.
///
/// ```text
/// bit     0 1 2 3 4 5 6 7
/// word    1 . 1 1 1 1 . 1      from bit 3 up: 3 steps, to bit 6; down: 2 steps, to bit 1
/// ```
#[inline(always)]
pub(crate) fn steps_to_gap<const UP: bool>(words: &[u64], from: u32) -> u32 {
    let gaps = |index: u32| !words.get(index as usize).copied().unwrap_or(0);
    let next = if UP { from + 1 } else { from.wrapping_sub(1) };
    let mut index = next / 64;
    if UP {
        let mut found = gaps(index) & u64::MAX << (next % 64);
        while found == 0 {
            index += 1;
            found = gaps(index);
        }
        index * 64 + found.trailing_zeros() - from
    } else {
        let mut found = gaps(index) & u64::MAX >> (63 - next % 64);
        while found == 0 {
            index = index.wrapping_sub(1);
            found = gaps(index);
        }
        from - (index * 64 + 63 - found.leading_zeros())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::rows::tests::lines;
    use super::*;

    proptest! {
        #[test]
        fn scans_agree_with_a_look_at_each_bit(
            width in 1u32..200, height in 1u32..6, seed: u64, line in 0u32..6, from in 0u32..200,
        ) {
            let (rows, is_set) = lines(width, height, seed);
            let (line, from) = (line % height, from % width);
            let bit = (line + 1) * rows.row_words as u32 * 64 + from;
            let up = (from + 1..width).find(|&bit| !is_set(line, bit)).unwrap_or(width);
            prop_assert_eq!(steps_to_gap::<true>(&rows.words, bit), up - from);
            // The bit in front of each line is not set: it is the last bit of the previous line.
            let down = (0..from).rev().find(|&bit| !is_set(line, bit));
            let expected = down.map_or(from + 1, |down| from - down);
            prop_assert_eq!(steps_to_gap::<false>(&rows.words, bit), expected);
        }
    }
}
