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
/// Work looks at it before each row of cells, each tile, each bucket of a field, each rectangle of an edit, and each
/// phase that passes over memory once. Searches look once in some expansions.
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

    /// The same before a row of cells, a tile or a bucket, which is begun then.
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

/// Works with a flag that another thread raises after some time. Gives what `at_raise` says then, too.
#[cfg(test)]
pub(crate) fn raised_after<T, N: Send>(
    after: std::time::Duration,
    at_raise: impl FnOnce() -> N + Send,
    work: impl FnOnce(&AtomicBool) -> T,
) -> (T, N) {
    let flag = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let raise = scope.spawn(|| {
            let begun = std::time::Instant::now();
            while begun.elapsed() < after {
                std::thread::yield_now();
            }
            flag.store(true, Ordering::SeqCst);
            at_raise()
        });
        (work(&flag), raise.join().expect("it only waits"))
    })
}

/// Counts the rows, tiles and buckets that the threads of a test begin.
#[cfg(test)]
pub(crate) mod begun {
    use std::cell::RefCell;
    use std::fmt::Debug;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Instant;

    use super::raised_after;

    thread_local! {
        static COUNT: RefCell<Option<Arc<AtomicU64>>> = const { RefCell::new(None) };
    }

    /// A row, tile or bucket begins.
    pub(crate) fn note() {
        COUNT.with_borrow(|count| {
            if let Some(count) = count {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
    }

    /// Works over and over with a flag that goes up at some moment, and looks that no more than one row, tile or
    /// bucket begins after it.
    pub(crate) fn assert_at_most_one_after_the_flag<E: PartialEq + Debug>(
        mut work: impl FnMut(&AtomicBool) -> Result<(), E>,
    ) {
        let begun = Arc::new(AtomicU64::new(0));
        COUNT.set(Some(Arc::clone(&begun)));
        let count = || begun.load(Ordering::SeqCst);
        let start = Instant::now();
        assert_eq!(work(&AtomicBool::new(false)), Ok(()));
        let mut whole = start.elapsed();
        let (mut random, mut ended) = (fastrand::Rng::with_seed(1), 0);
        for _ in 0..50 {
            let after = whole.mul_f64(random.f64());
            let (worked, at_raise) = raised_after(after, count, &mut work);
            if worked.is_err() {
                ended += 1;
                let more = count() - at_raise;
                assert!(more <= 1, "{more} were begun, {after:?} of {whole:?}");
            } else {
                // The first run may have been a slow one.
                whole = whole.mul_f64(0.9);
            }
        }
        assert!(ended > 20, "{ended} of 50 ended");
    }
}
