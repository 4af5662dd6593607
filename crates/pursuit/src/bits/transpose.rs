//! Transposition of a square of 64 × 64 bits.

/// Swaps the rows and columns of 64 × 64 bits (Warren, *Hacker's Delight*, 2002, section 7-3).
///
/// The first round swaps the two squares of 32 × 32 bits beside the diagonal. The next round does the same with squares
/// of 16 × 16 bits within each quarter, and so on, down to single bits. Here is a square of 4 × 4 bits, which takes two
/// rounds:
///
/// ```text
/// a b c d      a b i j      a e i m
/// e f g h  ->  e f m n  ->  b f j n
/// i j k l      c d k l      c g k o
/// m n o p      g h o p      d h l p
/// ```
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn transpose_moves_each_bit_to_its_mirrored_place(rows in prop::collection::vec(any::<u64>(), 64)) {
            let before: [u64; 64] = rows.try_into().expect("64 rows");
            let mut after = before;
            transpose(&mut after);
            for (row, bit) in (0..64).flat_map(|row| (0..64).map(move |bit| (row, bit))) {
                prop_assert_eq!(after[bit] >> row & 1, before[row] >> bit & 1, "{} {}", row, bit);
            }
        }
    }
}
