//! What is worked out about a grid's terrain costs when it is built, so that searches need not.

/// The terrain of a grid with costs other than 1.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    /// Lowest cost of a free cell.
    pub(crate) cheapest: u8,
    /// Highest cost of a free cell.
    pub(crate) dearest: u8,
    /// One bit per slot, set where all free cells of the 3 × 3 window around it cost the same.
    even: Box<[u64]>,
}

impl Terrain {
    /// From bit rows and costs, `row_words` words of 64 slots to a row.
    pub(crate) fn of(words: &[u64], costs: &[u8], row_words: usize) -> Self {
        let stride = row_words * 64;
        // Blocked cells take part in neither extreme.
        let extreme = |blocked: u8| -> Vec<u8> {
            let mut bytes = costs.to_vec();
            for (cells, word) in bytes.chunks_exact_mut(64).zip(words) {
                for (bit, cell) in cells.iter_mut().enumerate() {
                    *cell = if word >> bit & 1 == 0 { blocked } else { *cell };
                }
            }
            bytes
        };
        let (mut low, mut high) = (extreme(u8::MAX), extreme(0));
        let cheapest = low.iter().copied().min().unwrap_or(1);
        let dearest = high.iter().copied().max().unwrap_or(1).max(cheapest);
        window(&mut low, stride, u8::min);
        window(&mut high, stride, u8::max);
        let mut even = vec![0; words.len()];
        for ((low, high), word) in low
            .chunks_exact(64)
            .zip(high.chunks_exact(64))
            .zip(&mut even)
        {
            for (bit, (low, high)) in low.iter().zip(high).enumerate() {
                *word |= u64::from(low == high) << bit;
            }
        }
        Self {
            cheapest,
            dearest,
            even: even.into_boxed_slice(),
        }
    }

    /// Whether all free cells around a free slot cost the same as it does.
    #[inline(always)]
    pub(crate) fn is_even(&self, slot: u32) -> bool {
        let word = self.even.get((slot / 64) as usize).copied().unwrap_or(0);
        word >> (slot % 64) & 1 != 0
    }
}

/// Replaces each byte by the extreme of the 3 × 3 window around it. The bytes around a row are
/// blocked ones, so what the first and the last byte of all become does not matter.
fn window(bytes: &mut [u8], stride: usize, extreme: impl Fn(u8, u8) -> u8) {
    let count = bytes.len();
    let mut across = bytes.to_vec();
    for ((out, left), (middle, right)) in across[1..count - 1]
        .iter_mut()
        .zip(&bytes[..count - 2])
        .zip(bytes[1..count - 1].iter().zip(&bytes[2..]))
    {
        *out = extreme(extreme(*left, *middle), *right);
    }
    for ((out, above), (middle, below)) in bytes[stride..count - stride]
        .iter_mut()
        .zip(&across[..count - 2 * stride])
        .zip(
            across[stride..count - stride]
                .iter()
                .zip(&across[2 * stride..]),
        )
    {
        *out = extreme(extreme(*above, *middle), *below);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::cell::CellRect;
    use crate::grid::Grid;

    proptest! {
        #[test]
        fn extremes_and_even_windows_are_those_of_the_free_cells(
            width in prop_oneof![1u32..9, 62u32..66], height in 1u32..6,
            kinds in prop::collection::vec((0u8..4, 1u8..4), 7..90),
        ) {
            let mut builder = Grid::builder(width, height).unwrap();
            let all = builder.clone().build().rect();
            for (cell, (walls, cost)) in all.cells().zip(kinds.into_iter().cycle()) {
                builder.set_free(cell, walls > 0).unwrap();
                builder.set_cost(cell, if cell.x < 4 { 2 } else { cost }).unwrap();
            }
            let grid = builder.build();
            let Some((_, terrain)) = grid.slot_costs() else {
                return Ok(());
            };
            let costs = |rect: CellRect| {
                let free = rect.cells().filter(|&cell| grid.is_free(cell));
                free.map(|cell| grid.cost(cell)).collect::<Vec<u8>>()
            };
            if grid.free_count() > 0 {
                prop_assert_eq!(Some(terrain.cheapest), costs(all).into_iter().min());
                prop_assert_eq!(Some(terrain.dearest), costs(all).into_iter().max());
            }
            for cell in all.cells().filter(|&cell| grid.is_free(cell)) {
                let around = costs(CellRect::new(cell, cell.offset(1, 1)).grow(1));
                let even = around.iter().all(|&cost| cost == grid.cost(cell));
                prop_assert_eq!(terrain.is_even(grid.slot(cell).unwrap()), even, "{}", cell);
            }
        }
    }
}
