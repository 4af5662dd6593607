//! Lines of bits, and their rotation by 90 degrees.

use std::array;

use super::transpose::transpose;

/// Lines of bits in the format of a grid's rows: `row_words` words per line, an empty line before the first one and
/// after the last one, and at least one bit beyond the cells at the end of each line. The extra lines and bits are 0, so
/// that scans stop there.
///
/// ```text
/// line -1   . . . . . .|.        row_words = 1, 6 cells per line
/// line  0   1 1 . 1 1 1|.        words[1]
/// line  1   1 1 . 1 . 1|.        words[2]
/// line  2   . . . . . .|.
/// ```
#[derive(Clone)]
pub(crate) struct BitRows {
    pub(crate) row_words: usize,
    pub(crate) words: Vec<u64>,
}

impl BitRows {
    /// Word `w` of each line, including the empty lines.
    pub(crate) fn column(&self, w: usize) -> impl Iterator<Item = u64> {
        self.words.iter().skip(w).step_by(self.row_words).copied()
    }

    /// The bitwise or of `self` and `other`.
    pub(crate) fn either(&self, other: &Self) -> Self {
        let pairs = self.words.iter().zip(&other.words);
        Self {
            row_words: self.row_words,
            words: pairs.map(|(a, b)| a | b).collect(),
        }
    }

    /// The columns as lines: bit `x` of line `y` becomes bit `y` of line `x`. Only the first `width` bits of
    /// `height` lines are used.
    pub(crate) fn transposed(&self, width: u32, height: u32) -> Self {
        let (width, height) = (width as usize, height as usize);
        let row_words = height / 64 + 1;
        let mut words = vec![0; row_words * (width + 2)];
        for (block_y, block_x) in
            (0..height.div_ceil(64)).flat_map(|y| (0..width.div_ceil(64)).map(move |x| (y, x)))
        {
            let mut block: [u64; 64] = array::from_fn(|i| {
                let line = (block_y * 64 + i + 1) * self.row_words;
                self.words.get(line + block_x).copied().unwrap_or(0)
            });
            transpose(&mut block);
            let columns = width - block_x * 64;
            for (i, bits) in block.into_iter().enumerate().take(columns) {
                words[(block_x * 64 + i + 1) * row_words + block_y] = bits;
            }
        }
        Self { row_words, words }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines of random bits, and a function that is true if the bit at (line, bit) is set.
    pub(crate) fn lines(
        width: u32,
        height: u32,
        seed: u64,
    ) -> (BitRows, impl Fn(u32, u32) -> bool) {
        let set = move |y: u32, x: u32| {
            let n = (u64::from(y) << 32 | u64::from(x)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed;
            x < width && y < height && n.count_ones().is_multiple_of(3)
        };
        let row_words = width as usize / 64 + 1;
        let mut words = vec![0; row_words * (height as usize + 2)];
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let word = (y as usize + 1) * row_words + x as usize / 64;
            words[word] |= u64::from(set(y, x)) << (x % 64);
        }
        (BitRows { row_words, words }, set)
    }

    fn bit(rows: &BitRows, line: u32, bit: u32) -> bool {
        let word = (line as usize + 1) * rows.row_words + bit as usize / 64;
        rows.words[word] >> (bit % 64) & 1 != 0
    }

    proptest! {
        #[test]
        fn transposed_rows_are_the_columns(width in 1u32..200, height in 1u32..200, seed: u64) {
            let (rows, set) = lines(width, height, seed);
            let columns = rows.transposed(width, height);
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                prop_assert_eq!(bit(&columns, x, y), set(y, x), "column {}, row {}", x, y);
            }
            let back = columns.transposed(height, width);
            prop_assert_eq!(back.words, rows.words);
        }
    }
}
