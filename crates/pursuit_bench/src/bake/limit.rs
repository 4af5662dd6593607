//! Work of others that may fail or never end.

use std::any::Any;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use thiserror::Error;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Unfinished {
    /// It goes on: a thread can't be stopped from outside.
    #[error("not done within {} s", .0.as_secs_f64())]
    Late(Duration),
    #[error("panicked: {0}")]
    Panicked(String),
    #[error("got no thread: {0}")]
    NoThread(String),
}

/// What `work` gives, in a thread of its own.
///
/// # Errors
/// Work that takes longer than `limit`, or panics.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unfinished> {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new()
        .name("peer".to_string())
        // Nobody listens any more to what comes too late.
        .spawn(move || drop(sender.send(work())))
        .map_err(|error| Unfinished::NoThread(error.to_string()))?;
    match receiver.recv_timeout(limit) {
        Ok(done) => Ok(done),
        Err(RecvTimeoutError::Timeout) => Err(Unfinished::Late(limit)),
        Err(RecvTimeoutError::Disconnected) => {
            let said = thread.join().err().map(|panic| message(&*panic));
            Err(Unfinished::Panicked(said.unwrap_or_default()))
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_string())
}

#[cfg(test)]
mod tests {
    use super::{Unfinished, within};
    use std::thread;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_done_in_time_is_there() {
        assert_eq!(within(LONG, || 7), Ok(7));
    }

    #[test]
    fn what_is_late_is_not_waited_for() {
        let limit = Duration::from_millis(1);
        let late = within(limit, || thread::sleep(LONG));
        assert_eq!(late, Err(Unfinished::Late(limit)));
        assert_eq!(late.unwrap_err().to_string(), "not done within 0.001 s");
    }

    #[test]
    fn a_panic_is_told_and_does_not_spread() {
        let number = 3;
        for (panicked, said) in [
            (within(LONG, || panic!("a word")), "panicked: a word"),
            (within(LONG, move || panic!("{number}")), "panicked: 3"),
        ] {
            let panicked: Result<(), _> = panicked;
            assert_eq!(panicked.unwrap_err().to_string(), said);
        }
    }
}
