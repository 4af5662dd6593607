//! Rotation of lines of bits by 45 degrees: diagonals become lines, and lines become diagonals.

use super::rows::BitRows;

/// Memory for the rotation of lines by 45 degrees.
///
/// A diagonal becomes a line after a shear, which moves bit `i` by `i` lines. Six rounds shear all lines, like a barrel
/// shifter: round `k` moves the bits whose index has the binary digit `k` by 2ᵏ lines (the idea of Warren, *Hacker's
/// Delight*, 2002, section 7-3, applied to a shear).
///
/// Here are four lines of four bits, which take two rounds. Each letter is a line, and the diagonals rise:
///
/// ```text
///              by 1: bits 1, 3      by 2: bits 2, 3
///              . . . .              . . . a
///              . . . .              . . a b
///              . a . a              . a b c
/// a a a a      a b a b              a b c d
/// b b b b  ->  b c b c          ->  b c d .
/// c c c c      c d c d              c d . .
/// d d d d      d . d .              d . . .
/// ```
#[derive(Default)]
pub(crate) struct Shear {
    bits: Vec<u64>,
    next: Vec<u64>,
}

impl Shear {
    /// The diagonals of lines of 64 bits. If `rising`, each bit of a diagonal comes from the line after the line of the
    /// previous bit, and the first diagonal begins 63 lines before the first line. Otherwise each bit comes from the
    /// line before the line of the previous bit.
    pub(crate) fn diagonals(&mut self, lines: impl Iterator<Item = u64>, rising: bool) -> &[u64] {
        let before = if rising { 63 } else { 0 };
        self.bits.clear();
        self.bits.resize(before, 0);
        self.bits.extend(lines);
        self.bits.resize(self.bits.len() + 63 - before, 0);
        for (digit, moved) in DIGIT_MASKS.into_iter().enumerate() {
            let by = 1 << digit;
            let Self { bits, next } = self;
            next.clear();
            let pairs = bits.iter().zip(&bits[by..]);
            if rising {
                next.extend(pairs.map(|(near, far)| near & !moved | far & moved));
                let rest = &bits[bits.len() - by..];
                next.extend(rest.iter().map(|bits| bits & !moved));
            } else {
                next.extend(bits[..by].iter().map(|bits| bits & !moved));
                next.extend(pairs.map(|(near, far)| far & !moved | near & moved));
            }
            std::mem::swap(bits, next);
        }
        &self.bits
    }

    /// Converts bits by diagonal back to `count` lines of `side` bits. A bit is in diagonal `line - bit + side` if
    /// `rising`, and in diagonal `line + bit + 1` otherwise. `diagonals` is the number of diagonals. `words` has the
    /// first word of each diagonal, then the second word of each, and so on.
    pub(crate) fn lines(
        &mut self,
        words: &[u64],
        diagonals: usize,
        rising: bool,
        (count, side): (u32, u32),
    ) -> BitRows {
        let row_words = words.len() / diagonals;
        let (count, side) = (count as usize, side as usize);
        let mut lines = vec![0; (count + 2) * row_words];
        for (w, words) in words.chunks_exact(diagonals).enumerate() {
            let bits = self.diagonals(words.iter().copied(), !rising);
            let first = if rising {
                side as isize - 64 * w as isize
            } else {
                64 * w as isize + 64
            };
            for line in 0..count {
                let from = first + line as isize;
                let bits = usize::try_from(from).ok().and_then(|from| bits.get(from));
                lines[(line + 1) * row_words + w] = bits.copied().unwrap_or(0);
            }
        }
        BitRows {
            row_words,
            words: lines,
        }
    }
}

/// A mask for each binary digit of an index, from the lowest digit to the highest. A bit of the mask is 1 if this digit
/// of the bit's own index is 1.
const DIGIT_MASKS: [u64; 6] = [
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
    use crate::bits::rows::tests::lines;

    proptest! {
        #[test]
        fn diagonals_take_bit_i_from_a_line_i_lines_away(
            width in 1u32..150, height in 1u32..150, rising: bool, seed: u64,
        ) {
            let (rows, set) = lines(width, height, seed);
            let mut shear = Shear::default();
            for w in 0..rows.row_words {
                let diagonals = shear.diagonals(rows.column(w), rising);
                for (line, bit) in (0..diagonals.len()).flat_map(|d| (0..64).map(move |i| (d, i))) {
                    // The first line is the padding before line 0.
                    let from = if rising { line as i64 - 64 + bit } else { line as i64 - 1 - bit };
                    let x = w as u32 * 64 + bit as u32;
                    let expected = u32::try_from(from).is_ok_and(|y| set(y, x));
                    prop_assert_eq!(diagonals[line] >> bit & 1 != 0, expected);
                }
            }
        }

        #[test]
        fn lines_take_each_bit_from_its_diagonal(
            side in 1u32..150, count in 1u32..150, rising: bool, seed: u64,
        ) {
            // Line `d` of random bits is diagonal `d`, so that bits outside the grid are set as well.
            let (diagonals, set) = lines(side, count + side + 1, seed);
            let words: Vec<u64> = (0..diagonals.row_words)
                .flat_map(|w| diagonals.column(w).skip(1))
                .collect();
            let number = (count + side + 2) as usize;
            let turned = Shear::default().lines(&words, number, rising, (count, side));
            for (line, bit) in (0..count).flat_map(|line| (0..side).map(move |bit| (line, bit))) {
                let diagonal = if rising { line + side - bit } else { line + bit + 1 };
                let word = (line as usize + 1) * turned.row_words + bit as usize / 64;
                let is_set = turned.words[word] >> (bit % 64) & 1 != 0;
                prop_assert_eq!(is_set, set(diagonal, bit), "line {}, bit {}", line, bit);
            }
        }
    }
}
