//! Lists of different lengths in one flat array, so that a list that grows moves no other.

/// Number of classes of list sizes. The longest list is `2^(SIZE_CLASSES - 1)` items long: the components of a tile
/// of 64 × 64 cells.
const SIZE_CLASSES: usize = 12;

/// Where a list lies: `room` items from `start` on, of which the first `len` are in use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    start: u32,
    room: u16,
    len: u16,
}

impl Block {
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn len(self) -> usize {
        usize::from(self.len)
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start()..self.start() + self.len()
    }
}

/// Which parts of a flat array are in use. The room of each block is a power of two, and a block
/// that is given back serves the next list of that room.
///
/// ```text
/// a of 3, b of 1, c of 2     a a a . b c c                        end 7
/// a grows to 5               . . . . b c c a a a a a . . .        end 15; the block of 4 from 0 on is spare
/// d of 4 comes               d d d d b c c a a a a a . . .
/// ```
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    end: u32,
    /// Starts of the blocks that were given back, by the power of two.
    spare: [Vec<u32>; SIZE_CLASSES],
}

impl Blocks {
    /// Items that the flat array must have.
    pub(super) fn end(&self) -> usize {
        self.end as usize
    }

    /// Makes `block` one for `len` items. What it held is lost if it moves. It moves if it is too small,
    /// or much too large.
    pub(super) fn fit(&mut self, block: &mut Block, len: usize) {
        let room = usize::from(block.room);
        if len > room || len * 8 < room {
            if room != 0 {
                self.spare[class(room)].push(block.start);
            }
            *block = self.take(len);
        }
        block.len = len as u16;
    }

    fn take(&mut self, len: usize) -> Block {
        if len == 0 {
            return Block::default();
        }
        let room = len.next_power_of_two();
        let start = self.spare[class(room)].pop().unwrap_or_else(|| {
            let start = self.end;
            self.end += room as u32;
            start
        });
        Block {
            start,
            room: room as u16,
            len: 0,
        }
    }
}

fn class(room: usize) -> usize {
    (room.trailing_zeros() as usize).min(SIZE_CLASSES - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_picture_of_blocks_matches_the_code() {
        let (mut blocks, mut lists) = (Blocks::default(), [Block::default(); 4]);
        for (list, len) in [3, 1, 2].into_iter().enumerate() {
            blocks.fit(&mut lists[list], len);
        }
        assert_eq!(lists.map(Block::range), [0..3, 4..5, 5..7, 0..0]);
        assert_eq!(blocks.end(), 7);
        blocks.fit(&mut lists[0], 5);
        assert_eq!((lists[0].range(), blocks.end()), (7..12, 15));
        assert_eq!(blocks.spare[2], [0]);
        blocks.fit(&mut lists[3], 4);
        assert_eq!((lists[3].range(), blocks.end()), (0..4, 15));
    }

    proptest! {
        #[test]
        fn blocks_never_overlap_and_are_reused(
            lengths in prop::collection::vec((0usize..8, 0usize..=2048), 1..200),
        ) {
            let mut blocks = Blocks::default();
            let mut lists = [Block::default(); 8];
            for (list, len) in lengths {
                blocks.fit(&mut lists[list], len);
                prop_assert_eq!(lists[list].len(), len);
                let mut used: Vec<_> = lists.iter().map(|block| block.range()).collect();
                used.retain(|range| !range.is_empty());
                used.sort_by_key(|range| range.start);
                prop_assert!(used.windows(2).all(|pair| pair[0].end <= pair[1].start));
                prop_assert!(used.iter().all(|range| range.end <= blocks.end()));
            }
            prop_assert!(blocks.end() <= 8 * 2 * 4096);
        }
    }
}
