//! Scans along a word that use the carry of one addition.
//!
//! An addition works like a walk: a 1 that is added at the low end of a run of ones clears the whole run and appears
//! above it. So one instruction follows all walks in a word at the same time, each to its end.
//!
//! Both functions walk toward higher bits. To walk toward lower bits, reverse the bits of the words.

/// For each bit, whether the first stop at or below it is a jump point. `below`, 0 or 1, is the result for the bit
/// below the lowest one. `jumps` are some of the `stops`; all other stops are walls.
///
/// ```text
/// bit               0 1 2 3 4 5 6 7
/// stops             # . J . . # . .     # wall, J jump point
/// open              . 1 . 1 1 . 1 1     bits that are not stops
/// added             . . . 1 . . . .     the open bits above jump points
/// open + added      . 1 . . . 1 1 1     the run of ones at 3 and 4 is cleared
/// result            . . 1 1 1 . . .     the cleared bits and the jump points
/// ```
#[inline(always)]
pub(crate) fn first_stop_is_jump(stops: u64, jumps: u64, below: u64) -> u64 {
    let open = !stops;
    let added = open.wrapping_add((jumps << 1 | below) & open);
    jumps | open & !added
}

/// The carry into each bit, and the carry out of the highest bit. Each bit of `make` starts a carry, and each bit of
/// `pass` passes on the carry into it. `into`, 0 or 1, is the carry into the lowest bit.
///
/// ```text
/// bit               0 1 2 3 4 5 6 7
/// make              . 1 . . . . . 1
/// pass              1 . 1 1 . 1 . .
/// carry, into = 0   . . 1 1 1 . . .     and 1 out of bit 7
/// carry, into = 1   1 1 1 1 1 . . .     and 1 out of bit 7
/// ```
///
/// The sum of `make | pass` and `make` has these carries, and each bit of a sum is the xor of the two
/// summands and the carry.
#[inline(always)]
pub(crate) fn carries(make: u64, pass: u64, into: u64) -> (u64, u64) {
    let (sum, first) = (make | pass).overflowing_add(make);
    let (sum, second) = sum.overflowing_add(into);
    ((make | pass) ^ make ^ sum, u64::from(first | second))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Random words, including words with long runs.
    fn word() -> impl Strategy<Value = u64> {
        let few = (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a & b & c);
        prop_oneof![any::<u64>(), few.clone(), few.prop_map(|word| !word)]
    }

    #[test]
    fn the_pictures_match_the_code() {
        let word = |picture: &str| {
            let bits = picture.bytes().zip(0..);
            bits.map(|(c, i)| u64::from(c == b'1') << i).sum::<u64>()
        };
        let stops = word("1.1..1..") | u64::MAX << 8;
        let first = first_stop_is_jump(stops, word("..1....."), 0);
        assert_eq!(first, word("..111..."));
        let (make, pass) = (word(".1.....1"), word("1.11.1.."));
        assert_eq!(carries(make, pass, 0).0, word("..111...") | 1 << 8);
        assert_eq!(carries(make, pass, 1).0, word("11111...") | 1 << 8);
    }

    proptest! {
        #[test]
        fn first_stop_is_jump_agrees_with_a_scan_bit_by_bit(stops in word(), some in word(), below in 0u64..2) {
            let jumps = stops & some;
            let result = first_stop_is_jump(stops, jumps, below);
            let mut last = below;
            for bit in 0..64 {
                if stops >> bit & 1 != 0 {
                    last = jumps >> bit & 1;
                }
                prop_assert_eq!(result >> bit & 1, last, "bit {}", bit);
            }
        }

        #[test]
        fn carries_agree_with_an_addition_bit_by_bit(make in word(), pass in word(), into in 0u64..2) {
            let (result, out) = carries(make, pass, into);
            let mut carry = into;
            for bit in 0..64 {
                prop_assert_eq!(result >> bit & 1, carry, "bit {}", bit);
                carry = make >> bit & 1 | carry & (pass >> bit & 1);
            }
            prop_assert_eq!(out, carry);
        }
    }
}
