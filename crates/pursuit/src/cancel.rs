//! Cancellation of long work.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// Number of expansions after which a search checks again whether to give up. While it traces a path back, it checks
/// after the same number of nodes.
const EXPANSIONS_PER_CHECK: u32 = 1024;

/// The error of work that was cancelled before it was finished. See [`Cancel`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

/// The condition under which long work gives up.
///
/// Functions that can be cancelled take a `Cancel` as their last argument. Pass [`Cancel::NEVER`], a reference to a
/// flag that another thread sets, or a function ([`when`](Self::when)). Work checks the condition before each row of
/// cells, each tile, each bucket of a field, each rectangle of an edit, and each phase that goes over memory once.
/// Searches check it once in 1,024 expansions. As soon as a check finds that the condition holds, the work ends with an
/// error and does not check again.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use std::time::{Duration, Instant};
/// use pursuit::{BodyLayers, Cancel, Cell, DiagonalPolicy, FindPathError, Grid, PathOptions, SearchScratch};
///
/// let layers = BodyLayers::from_grid(Grid::from_fn(9, 9, |_| true)?, DiagonalPolicy::NoCornerCut);
/// let (options, mut scratch) = (PathOptions::default(), SearchScratch::new());
/// let mut find = |cancel: Cancel| {
///     let search = layers.search(Cell::new(0, 0), Cell::new(8, 3), &options, &mut scratch)?;
///     search.finish(&mut (), cancel)
/// };
/// assert!(find(Cancel::NEVER).is_ok());
///
/// let flag = AtomicBool::new(true);
/// assert_eq!(find((&flag).into()), Err(FindPathError::Cancelled));
///
/// let begun = Instant::now();
/// let is_late = || begun.elapsed() > Duration::from_secs(60);
/// assert!(find(Cancel::when(&is_late)).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Cancel<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Never,
    Flag(&'a AtomicBool),
    Question(&'a (dyn Fn() -> bool + Sync)),
}

impl<'a> Cancel<'a> {
    /// Nothing cancels the work.
    pub const NEVER: Cancel<'static> = Cancel(Source::Never);

    /// The work ends once `is_over` returns `true`. The function should return in nanoseconds, because it is
    /// called often.
    #[must_use]
    pub fn when(is_over: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self(Source::Question(is_over))
    }

    /// Whether nothing can cancel the work.
    pub(crate) fn is_never(self) -> bool {
        matches!(self.0, Source::Never)
    }

    /// Returns the error [`Cancelled`] if the work must end. Called before each part of the work.
    #[inline]
    pub(crate) fn check(self) -> Result<(), Cancelled> {
        let is_over = match self.0 {
            Source::Never => false,
            Source::Flag(flag) => flag.load(Ordering::Relaxed),
            Source::Question(is_over) => is_over(),
        };
        if is_over { Err(Cancelled) } else { Ok(()) }
    }

    /// Calls [`check`](Self::check) once in [`EXPANSIONS_PER_CHECK`] expansions. `expanded` is the number of nodes that
    /// the search has expanded.
    #[inline(always)]
    pub(crate) fn check_at(self, expanded: u32) -> Result<(), Cancelled> {
        if expanded.is_multiple_of(EXPANSIONS_PER_CHECK) {
            self.check()?;
        }
        Ok(())
    }
}

/// The work ends once the flag is `true`.
impl<'a> From<&'a AtomicBool> for Cancel<'a> {
    fn from(flag: &'a AtomicBool) -> Self {
        Self(Source::Flag(flag))
    }
}

impl fmt::Debug for Cancel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").finish_non_exhaustive()
    }
}

/// Runs work that nothing can cancel, and returns its result.
pub(crate) fn uncancelled<T>(work: impl FnOnce(Cancel<'static>) -> Result<T, Cancelled>) -> T {
    work(Cancel::NEVER).expect("invariant: nothing cancels it")
}

/// Helpers to cancel work at a chosen check.
#[cfg(test)]
pub(crate) mod steps {
    use std::fmt::Debug;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::Cancel;

    /// Runs `work`, and cancels it at check number `first_yes`, counted from 0, and at all later ones. Returns
    /// the result of the work, and the number of checks.
    pub(crate) fn cancelled_at<T>(first_yes: u32, work: impl FnOnce(Cancel<'_>) -> T) -> (T, u32) {
        let asked = AtomicU32::new(0);
        let given = work(Cancel::when(&|| {
            asked.fetch_add(1, Ordering::Relaxed) >= first_yes
        }));
        (given, asked.into_inner())
    }

    /// Checks at which a test cancels work that makes `asked` checks: `count` numbers, with the first check, the last
    /// check, and some in between.
    pub(crate) fn moments(asked: u32, count: u32) -> impl Iterator<Item = u32> {
        let last = asked.saturating_sub(1);
        (0..count).map(move |i| (u64::from(last) * u64::from(i) / u64::from(count - 1)) as u32)
    }

    /// Asserts that `work` checks at least `least` times, and ends at the first check that cancels it.
    pub(crate) fn assert_asks_and_ends<E: PartialEq + Debug>(
        least: u32,
        mut work: impl FnMut(Cancel<'_>) -> Result<(), E>,
    ) {
        let (done, asked) = cancelled_at(u32::MAX, &mut work);
        assert_eq!(done, Ok(()));
        assert!(
            asked >= least,
            "the work checks only {asked} times, not {least}"
        );
        for first_yes in moments(asked, 25) {
            let (done, asked) = cancelled_at(first_yes, &mut work);
            assert!(done.is_err(), "the work must end at check {first_yes}");
            assert_eq!(
                asked,
                first_yes + 1,
                "the work went on after it was cancelled"
            );
        }
    }
}
