//! The flag that ends long work.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// A search looks at its flag once in this many expansions, or nodes of a path that it walks back.
const EXPANSIONS: u32 = 1024;

/// The cancel flag was raised before the work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

/// The flag by which long work is given up, or none.
///
/// Work looks at it before each row of cells, each tile, each rectangle of an edit, and each phase that passes over
/// memory once. Searches look once in some expansions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cancel<'a>(Option<&'a AtomicBool>);

impl<'a> Cancel<'a> {
    /// No flag: nothing cancels the work.
    pub(crate) const NEVER: Cancel<'static> = Cancel(None);

    /// The work ends once the flag is `true`.
    pub(crate) fn by(flag: &'a AtomicBool) -> Self {
        Self(Some(flag))
    }

    /// Whether there is no flag.
    pub(crate) fn is_never(self) -> bool {
        self.0.is_none()
    }

    /// [`Cancelled`] once the flag is raised.
    #[inline]
    pub(crate) fn check(self) -> Result<(), Cancelled> {
        match self.0 {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(Cancelled),
            _ => Ok(()),
        }
    }

    /// The same before a row of cells or a tile, which is begun then.
    #[inline]
    pub(crate) fn begin_part(self) -> Result<(), Cancelled> {
        self.check()?;
        #[cfg(test)]
        begun::note();
        Ok(())
    }

    /// The same in a search, by the number of its expansions so far. Looks at the flag once in a while.
    #[inline(always)]
    pub(crate) fn check_at(self, expanded: u32) -> Result<(), Cancelled> {
        if expanded.is_multiple_of(EXPANSIONS) {
            self.check()?;
        }
        Ok(())
    }
}

/// What work gives that runs without a flag.
pub(crate) fn uncancelled<T>(work: impl FnOnce(Cancel<'static>) -> Result<T, Cancelled>) -> T {
    work(Cancel::NEVER).expect("invariant: without a flag, nothing cancels it")
}

/// Works with a flag that another thread raises after some time.
#[cfg(test)]
pub(crate) fn raised_after<T>(
    after: std::time::Duration,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    raised_by(
        |flag| {
            let begun = std::time::Instant::now();
            while begun.elapsed() < after {
                std::hint::spin_loop();
            }
            flag.store(true, Ordering::SeqCst);
        },
        work,
    )
}

/// Works with a flag while another thread has it, too.
#[cfg(test)]
pub(crate) fn raised_by<T>(
    raise: impl FnOnce(&AtomicBool) + Send,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let flag = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| raise(&flag));
        work(&flag)
    })
}

/// Counts the rows and tiles that the threads of a test begin.
#[cfg(test)]
pub(crate) mod begun {
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    thread_local! {
        static COUNT: RefCell<Option<Arc<AtomicU64>>> = const { RefCell::new(None) };
    }

    /// From now on this thread counts there.
    pub(crate) fn count_in(count: &Arc<AtomicU64>) {
        COUNT.set(Some(Arc::clone(count)));
    }

    /// A row or tile begins.
    pub(crate) fn note() {
        COUNT.with_borrow(|count| {
            if let Some(count) = count {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
}
