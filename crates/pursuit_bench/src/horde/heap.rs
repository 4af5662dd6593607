//! The bytes on the heap, as the allocator counts them: exact, and for all threads.

use std::alloc::System;

use cap::Cap;

#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// Number of heap bytes that the result of `make` holds.
pub(super) fn held_by<T>(make: impl FnOnce() -> T) -> usize {
    let before = HEAP.allocated();
    let made = make();
    let after = HEAP.allocated();
    drop(made);
    after.saturating_sub(before)
}

#[cfg(test)]
mod tests {
    use super::held_by;

    #[test]
    fn memory_that_is_still_held_counts_and_freed_memory_does_not() {
        let bytes = held_by(|| {
            drop(vec![0_u8; 1 << 26]);
            vec![0_u8; 1 << 25]
        });
        // Other tests allocate memory at the same time.
        assert!((1 << 24..1 << 26).contains(&bytes), "{bytes}");
    }
}
