//! Work that is prepared during a frame and starts at its end. With few cores, a thread that wakes in the middle of a
//! frame would take a core from the systems that run next.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on};

/// Whether the app can use several threads. In a browser there is only one, so waiting for another thread would never
/// end.
const HAS_THREADS: bool = cfg!(not(target_arch = "wasm32"));

/// Work that is prepared now, started later, and polled for its result. Dropping it cancels it.
pub(crate) struct PendingTask<Work, Done> {
    progress: Progress<Work, Done>,
    cancels: Arc<[AtomicBool]>,
}

enum Progress<Work, Done> {
    Ready(Box<Work>),
    Running(Task<Done>),
    /// `None` once the result is taken.
    Done(Option<Done>),
}

impl<Work: Send + 'static, Done: Send + 'static> PendingTask<Work, Done> {
    /// Prepares `work`, which has `parts` parts. Each part can be cancelled separately.
    pub(crate) fn new(work: Work, parts: usize) -> Self {
        Self {
            progress: Progress::Ready(Box::new(work)),
            cancels: (0..parts).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Whether the work has not started yet.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.progress, Progress::Ready(_))
    }

    /// One flag per part: `true` cancels that part.
    pub(crate) fn cancels(&self) -> &[AtomicBool] {
        &self.cancels
    }

    /// Starts the work on the threads of `pool`, unless it has started already. Without other threads, does the work in
    /// this call. `run` gets the flags that cancel the parts.
    pub(crate) fn begin(
        &mut self,
        pool: &AsyncComputeTaskPool,
        run: impl FnOnce(Work, &[AtomicBool]) -> Done + Send + 'static,
    ) {
        if !HAS_THREADS {
            return self.do_here(run);
        }
        if let Some(work) = self.take_work() {
            let cancels = Arc::clone(&self.cancels);
            let task = pool.spawn(async move { run(*work, &cancels) });
            self.progress = Progress::Running(task);
        }
    }

    /// The result, if the work is done. Later calls return `None`.
    pub(crate) fn poll(&mut self) -> Option<Done> {
        match &mut self.progress {
            Progress::Ready(_) => None,
            Progress::Running(task) => check_ready(task),
            Progress::Done(result) => result.take(),
        }
    }

    /// The result. Waits for work that has started. Work that has not started is done in this call.
    pub(crate) fn finish(&mut self, run: impl FnOnce(Work, &[AtomicBool]) -> Done) -> Option<Done> {
        self.do_here(run);
        match &mut self.progress {
            Progress::Running(task) => Some(block_on(task)),
            _ => self.poll(),
        }
    }

    /// Does the work on this thread, unless it has started already.
    fn do_here(&mut self, run: impl FnOnce(Work, &[AtomicBool]) -> Done) {
        if let Some(work) = self.take_work() {
            self.progress = Progress::Done(Some(run(*work, &self.cancels)));
        }
    }

    fn take_work(&mut self) -> Option<Box<Work>> {
        match mem::replace(&mut self.progress, Progress::Done(None)) {
            Progress::Ready(work) => Some(work),
            begun => {
                self.progress = begun;
                None
            }
        }
    }
}

impl<Work, Done> Drop for PendingTask<Work, Done> {
    fn drop(&mut self) {
        let cancels = self.cancels.iter();
        cancels.for_each(|cancel| cancel.store(true, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Waits until it is cancelled.
    fn wait(name: u8, cancels: &[AtomicBool]) -> u8 {
        while !cancels.iter().all(|cancel| cancel.load(Ordering::Relaxed)) {
            thread::yield_now();
        }
        name
    }

    #[test]
    fn work_begins_once_and_ends_when_all_its_parts_are_cancelled() {
        let pool = AsyncComputeTaskPool::get_or_init(Default::default);
        let mut work = PendingTask::new(7, 2);
        assert!(work.is_ready() && work.poll().is_none());
        work.begin(pool, wait);
        // The work has begun already, so this has no effect.
        work.begin(pool, |_, _| 0);
        assert!(!work.is_ready() && work.poll().is_none());
        let cancel = |part: usize| work.cancels()[part].store(true, Ordering::Relaxed);
        cancel(0);
        cancel(1);
        assert_eq!(work.finish(|_, _| 0), Some(7));
    }

    #[test]
    fn finish_runs_work_that_is_not_begun_and_only_once() {
        let mut work = PendingTask::new(7, 1);
        assert_eq!(work.finish(|name, cancels| name + cancels.len()), Some(8));
        assert_eq!(work.finish(|name, _| name), None);
    }

    #[test]
    fn work_done_in_the_calling_thread_is_ready_at_once() {
        let mut work = PendingTask::new(7, 1);
        work.do_here(|name, _| name);
        work.do_here(|_, _| 0);
        assert!(!work.is_ready());
        assert_eq!((work.poll(), work.poll()), (Some(7), None));
    }

    #[test]
    fn dropped_work_is_cancelled() {
        let mut work = PendingTask::<_, u8>::new(7, 3);
        work.begin(AsyncComputeTaskPool::get_or_init(Default::default), wait);
        let cancels = Arc::clone(&work.cancels);
        drop(work);
        assert!(cancels.iter().all(|cancel| cancel.load(Ordering::Relaxed)));
    }
}
