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
