//! Boards that the first search that wants them builds.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

use crate::cancel::{Cancelled, check};
use crate::lines::boards::Boards;

/// Pause between two looks at whether another thread has built the boards.
const PAUSE: Duration = Duration::from_micros(50);

/// A grid's boards, once somebody has built them. Who wants them meanwhile waits: for the boards, or for
/// its own cancel flag. If the one who builds is cancelled, the next one builds.
#[derive(Debug, Default)]
pub(crate) struct LazyBoards {
    boards: OnceLock<Box<Boards>>,
    building: Mutex<()>,
}

impl LazyBoards {
    #[inline]
    pub(crate) fn get(&self) -> Option<&Boards> {
        self.boards.get().map(|boards| &**boards)
    }

    pub(crate) fn get_mut(&mut self) -> Option<&mut Boards> {
        self.boards.get_mut().map(|boards| &mut **boards)
    }

    /// Builds them unless another thread does, and then waits for that.
    pub(crate) fn get_or_build(
        &self,
        cancel: Option<&AtomicBool>,
        build: impl FnOnce() -> Result<Boards, Cancelled>,
    ) -> Result<&Boards, Cancelled> {
        let _turn = self.turn(cancel)?;
        if let Some(boards) = self.boards.get() {
            return Ok(boards);
        }
        let built = Box::new(build()?);
        Ok(self.boards.get_or_init(|| built))
    }

    /// Waits until nobody else builds.
    fn turn(&self, cancel: Option<&AtomicBool>) -> Result<MutexGuard<'_, ()>, Cancelled> {
        loop {
            match self.building.try_lock() {
                Ok(turn) => return Ok(turn),
                // It guards no data that could be half-way.
                Err(TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
                Err(TryLockError::WouldBlock) => check(cancel)?,
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Clone for LazyBoards {
    fn clone(&self) -> Self {
        Self {
            boards: self.boards.clone(),
            building: Mutex::new(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    fn build(cancel: Option<&AtomicBool>) -> Result<Boards, Cancelled> {
        Boards::build(&[0, 0b11, 0b11, 0], 2, 2, cancel)
    }

    #[test]
    fn boards_that_were_cancelled_are_built_by_the_next() {
        let (lazy, flag) = (LazyBoards::default(), AtomicBool::new(true));
        let cancelled = lazy.get_or_build(Some(&flag), || build(Some(&flag)));
        assert!(cancelled.is_err());
        assert!(lazy.get_or_build(None, || build(None)).is_ok());
        let found = lazy.get_or_build(None, || unreachable!("they are there"));
        assert!(found.is_ok());
    }

    #[test]
    fn who_waits_for_another_looks_at_its_flag() {
        let (lazy, flag) = (LazyBoards::default(), AtomicBool::new(false));
        let turn = lazy.turn(None);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| lazy.get_or_build(Some(&flag), || build(None)).is_err());
            flag.store(true, Ordering::Relaxed);
            assert!(waiting.join().expect("no panic"), "it was cancelled");
        });
        drop(turn);
        assert!(lazy.get_or_build(None, || build(None)).is_ok());
    }
}
