//! A value that is computed by the first thread that needs it.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use crate::cancel::{Cancel, Cancelled};

/// How long a thread waits until it checks again whether another thread has finished.
const POLL_INTERVAL: Duration = Duration::from_micros(50);

/// A value that is computed by the first thread that needs it. Meanwhile, other threads wait until the value is
/// there or their own [`Cancel`] ends their wait. If the computing thread is cancelled, the next thread computes
/// the value.
#[derive(Debug)]
pub(crate) struct Lazy<T> {
    value: OnceLock<T>,
    working: Mutex<()>,
}

impl<T> Lazy<T> {
    #[inline]
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns the value, and computes it first if necessary. If another thread is already computing the
    /// value, this thread waits.
    pub(crate) fn get_or_work_out(
        &self,
        work: impl FnOnce() -> Result<T, Cancelled>,
        cancel: Cancel<'_>,
    ) -> Result<&T, Cancelled> {
        let _turn = self.turn(cancel)?;
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = work()?;
        Ok(self.value.get_or_init(|| value))
    }

    /// Sets the value, unless it has been set or computed before.
    pub(crate) fn set(&self, value: T) {
        self.value.get_or_init(|| value);
    }

    pub(crate) fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    pub(crate) fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    /// Waits until no other thread is computing.
    fn turn(&self, cancel: Cancel<'_>) -> Result<MutexGuard<'_, ()>, Cancelled> {
        if cancel.is_never() {
            let turn = self.working.lock();
            return Ok(turn.unwrap_or_else(PoisonError::into_inner));
        }
        loop {
            match self.working.try_lock() {
                Ok(turn) => return Ok(turn),
                // The lock guards no data that could be half finished.
                Err(TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
                Err(TryLockError::WouldBlock) => cancel.check()?,
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self {
            value: OnceLock::new(),
            working: Mutex::new(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn work(cancel: Cancel<'_>) -> Result<u32, Cancelled> {
        cancel.check().map(|()| 7)
    }

    #[test]
    fn the_next_thread_computes_a_value_after_a_cancellation() {
        let (lazy, flag) = (Lazy::default(), AtomicBool::new(true));
        let cancelled = lazy.get_or_work_out(|| work((&flag).into()), (&flag).into());
        assert!(cancelled.is_err());
        assert!(
            lazy.get_or_work_out(|| work(Cancel::NEVER), Cancel::NEVER)
                .is_ok()
        );
        let found = lazy.get_or_work_out(|| unreachable!("the value exists"), Cancel::NEVER);
        assert_eq!(found.ok(), Some(&7));
    }

    #[test]
    fn a_waiting_thread_checks_its_own_flag() {
        let (lazy, flag) = (Lazy::default(), AtomicBool::new(false));
        let turn = lazy.turn(Cancel::NEVER);
        thread::scope(|scope| {
            let wait = || {
                lazy.get_or_work_out(|| work(Cancel::NEVER), (&flag).into())
                    .is_err()
            };
            let waiting = scope.spawn(wait);
            flag.store(true, Ordering::Relaxed);
            assert!(
                waiting.join().expect("no panic"),
                "the waiting thread must be cancelled"
            );
        });
        drop(turn);
        assert!(
            lazy.get_or_work_out(|| work(Cancel::NEVER), Cancel::NEVER)
                .is_ok()
        );
    }
}
