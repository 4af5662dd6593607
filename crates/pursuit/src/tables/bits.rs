//! Rows of bits that are scanned for the next set one.

/// Rows of equal length, one bit per position. The scans need a set bit in their way: whoever fills
/// the rows puts one at both ends of each.
#[derive(Clone)]
pub(super) struct BitRows {
    words: Box<[u64]>,
    row_words: usize,
}

impl BitRows {
    /// Rows of `length` bits, all of them `bit`.
    pub(super) fn new(rows: usize, length: usize, bit: bool) -> Self {
        let row_words = length.div_ceil(64);
        let word = if bit { u64::MAX } else { 0 };
        Self {
            words: vec![word; rows * row_words].into_boxed_slice(),
            row_words,
        }
    }

    pub(super) fn set(&mut self, row: u32, position: u32) {
        self.words[row as usize * self.row_words + position as usize / 64] |= 1 << (position % 64);
    }

    pub(super) fn clear(&mut self, row: u32, position: u32) {
        self.words[row as usize * self.row_words + position as usize / 64] &=
            !(1 << (position % 64));
    }

    #[inline]
    pub(super) fn get(&self, row: u32, position: u32) -> bool {
        self.words[row as usize * self.row_words + position as usize / 64] >> (position % 64) & 1
            != 0
    }

    /// The first set position at or after `position`.
    #[inline]
    pub(super) fn at_or_after(&self, row: u32, position: u32) -> u32 {
        let base = row as usize * self.row_words;
        let mut at = position as usize / 64;
        let mut word = self.words[base + at] & u64::MAX << (position % 64);
        while word == 0 {
            at += 1;
            word = self.words[base + at];
        }
        at as u32 * 64 + word.trailing_zeros()
    }

    /// The last set position at or before `position`.
    #[inline]
    pub(super) fn at_or_before(&self, row: u32, position: u32) -> u32 {
        let base = row as usize * self.row_words;
        let mut at = position as usize / 64;
        let mut word = self.words[base + at] & u64::MAX >> (63 - position % 64);
        while word == 0 {
            at -= 1;
            word = self.words[base + at];
        }
        at as u32 * 64 + 63 - word.leading_zeros()
    }

    /// Calls `visit` for each set position from `first` to `last`, both included, in order.
    #[inline]
    pub(super) fn for_each(&self, row: u32, first: u32, last: u32, mut visit: impl FnMut(u32)) {
        if first > last {
            return;
        }
        let base = row as usize * self.row_words;
        let (low, high) = (first as usize / 64, last as usize / 64);
        for at in low..=high {
            let mut word = self.words[base + at];
            if at == low {
                word &= u64::MAX << (first % 64);
            }
            if at == high {
                word &= u64::MAX >> (63 - last % 64);
            }
            while word != 0 {
                visit(at as u32 * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.words)
    }
}
