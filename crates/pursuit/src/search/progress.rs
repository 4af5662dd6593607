//! How far a search that goes on in steps has come.

use super::options::FindPathError;

/// Whether a search goes on after a step, or is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<T> {
    /// There is more to do: step again.
    Running,
    /// The search is over, and this is its answer.
    Done(T),
}

impl<T> Progress<T> {
    /// The answer, if there is one.
    #[must_use]
    pub fn done(self) -> Option<T> {
        match self {
            Self::Running => None,
            Self::Done(answer) => Some(answer),
        }
    }
}

/// Steps until there is an answer.
#[inline(always)]
pub(crate) fn finish<T>(
    mut step: impl FnMut() -> Result<Progress<T>, FindPathError>,
) -> Result<T, FindPathError> {
    loop {
        if let Progress::Done(answer) = step()? {
            return Ok(answer);
        }
    }
}
