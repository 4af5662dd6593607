//! Lines of bits, and how to turn them by 90 and by 45 degrees.

use std::array;

/// Lines of bits in the form of a grid's rows.
pub(crate) struct BitRows {
    pub(crate) row_words: usize,
    pub(crate) words: Vec<u64>,
}

impl BitRows {
    pub(crate) fn either(&self, other: &Self) -> Self {
        let pairs = self.words.iter().zip(&other.words);
        Self {
            row_words: self.row_words,
            words: pairs.map(|(a, b)| a | b).collect(),
        }
    }

    /// Takes bits by diagonal back to lines of equal `u`.
    pub(crate) fn columns(&self, rising: bool, u_side: u32, v_side: u32) -> Self {
        let n = self.row_words;
        let (u_side, v_side) = (u_side as usize, v_side as usize);
        let mut words = vec![0; (u_side + 2) * n];
        let mut shear = Shear::default();
        for w in 0..n {
            let bits = shear.diagonals(self, w, !rising);
            let first = if rising {
                v_side as isize - 64 * w as isize
            } else {
                64 * w as isize + 64
            };
            for u in 0..u_side {
                let from = first + u as isize;
                let bits = usize::try_from(from).ok().and_then(|from| bits.get(from));
                words[(u + 1) * n + w] = bits.copied().unwrap_or(0);
            }
        }
        Self {
            row_words: n,
            words,
        }
    }

    /// Columns as lines; `width` bits of `height` lines count.
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

/// Swaps the rows and columns of 64 × 64 bits (Warren, *Hacker's Delight*, 2002).
pub(crate) fn transpose(block: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::from(u32::MAX);
    while size != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (block[row] >> size ^ block[row + size]) & mask;
            block[row] ^= swap << size;
            block[row + size] ^= swap;
            row = (row + size + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// Memory for taking diagonals out of lines.
#[derive(Default)]
pub(crate) struct Shear {
    bits: Vec<u64>,
    next: Vec<u64>,
}

impl Shear {
    /// Word `w` of every diagonal: bit `i` comes from the line `i` further on if `rising`, else from
    /// the line `i` before. Starts 63 lines before the first if `rising`.
    ///
    /// Moves bits by 1, 2, 4 .. 32 lines where their number has that digit, all lines at once.
    pub(crate) fn diagonals(&mut self, source: &BitRows, w: usize, rising: bool) -> &[u64] {
        let lines = source.words.iter().skip(w).step_by(source.row_words);
        let before = if rising { 63 } else { 0 };
        self.bits.clear();
        self.bits.resize(before, 0);
        self.bits.extend(lines);
        self.bits.resize(self.bits.len() + 63 - before, 0);
        for (digit, moved) in DIGITS.into_iter().enumerate() {
            let by = 1 << digit;
            let far = &self.bits[by..];
            self.next.clear();
            if rising {
                let pairs = self.bits.iter().zip(far);
                self.next
                    .extend(pairs.map(|(bits, far)| bits & !moved | far & moved));
                let rest = &self.bits[self.bits.len() - by..];
                self.next.extend(rest.iter().map(|bits| bits & !moved));
            } else {
                let first = &self.bits[..by];
                self.next.extend(first.iter().map(|bits| bits & !moved));
                let pairs = self.bits.iter().zip(far);
                self.next
                    .extend(pairs.map(|(far, bits)| bits & !moved | far & moved));
            }
            std::mem::swap(&mut self.bits, &mut self.next);
        }
        &self.bits
    }
}

/// The bits whose number has a binary digit.
const DIGITS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines of random bits, and which of them are set by (line, bit).
    fn lines(width: u32, height: u32, seed: u64) -> (BitRows, impl Fn(u32, u32) -> bool) {
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
        fn columns_are_the_rows_turned(width in 1u32..200, height in 1u32..200, seed: u64) {
            let (rows, set) = lines(width, height, seed);
            let columns = rows.transposed(width, height);
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                prop_assert_eq!(bit(&columns, x, y), set(y, x), "column {}, row {}", x, y);
            }
            prop_assert_eq!(columns.transposed(height, width).words, rows.words);
        }

        #[test]
        fn diagonals_take_each_bit_from_a_line_further_on(
            width in 1u32..150, height in 1u32..150, rising: bool, seed: u64,
        ) {
            let (rows, set) = lines(width, height, seed);
            let mut shear = Shear::default();
            for w in 0..rows.row_words {
                let diagonals = shear.diagonals(&rows, w, rising);
                for (line, bit) in (0..diagonals.len()).flat_map(|d| (0..64).map(move |i| (d, i))) {
                    // The first line is the border before line 0.
                    let from = if rising { line as i64 - 64 + bit } else { line as i64 - 1 - bit };
                    let x = w as u32 * 64 + bit as u32;
                    let expected = u32::try_from(from).is_ok_and(|y| set(y, x));
                    prop_assert_eq!(diagonals[line] >> bit & 1 != 0, expected);
                }
            }
        }
    }
}
