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
}

/// What `work` gives, in a thread of its own.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unfinished> {
    let (sender, receiver) = mpsc::channel();
    // Nobody listens any more to what comes too late.
    let thread = thread::spawn(move || drop(sender.send(work())));
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
