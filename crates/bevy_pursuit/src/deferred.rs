//! Work of a frame that begins when the frame is over: where cores are few, a thread that wakes up in the midst of it
//! would take one from the systems that follow.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on};

/// In a browser there is one thread: to wait for another one there would be to wait for ever.
const HAS_THREADS: bool = cfg!(not(target_arch = "wasm32"));

/// Work that is made ready, begun later, and brings a result. Dropping it cancels.
pub(crate) struct Deferred<Work, Done> {
    progress: Progress<Work, Done>,
    cancels: Arc<[AtomicBool]>,
}

enum Progress<Work, Done> {
    Ready(Box<Work>),
    Running(Task<Done>),
    /// `None` once the result is taken.
    Done(Option<Done>),
}

impl<Work: Send + 'static, Done: Send + 'static> Deferred<Work, Done> {
    /// Work that can be cancelled in so many parts.
    pub(crate) fn new(work: Work, parts: usize) -> Self {
        Self {
            progress: Progress::Ready(Box::new(work)),
            cancels: (0..parts).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Whether it is not begun.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.progress, Progress::Ready(_))
    }

    /// One for each part: `true` ends it.
    pub(crate) fn cancels(&self) -> &[AtomicBool] {
        &self.cancels
    }

    /// Sends it off to the threads of `pool`, unless it is there already; where there are none it is done here. `run` is
    /// told which parts are cancelled.
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

    /// What came of it, once it is there.
    pub(crate) fn poll(&mut self) -> Option<Done> {
        match &mut self.progress {
            Progress::Ready(_) => None,
            Progress::Running(task) => check_ready(task),
            Progress::Done(result) => result.take(),
        }
    }

    /// What came of it: waited for where it is begun, else done here.
    pub(crate) fn finish(&mut self, run: impl FnOnce(Work, &[AtomicBool]) -> Done) -> Option<Done> {
        self.do_here(run);
        match &mut self.progress {
            Progress::Running(task) => Some(block_on(task)),
            _ => self.poll(),
        }
    }

    /// Does it, unless it is begun.
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

impl<Work, Done> Drop for Deferred<Work, Done> {
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
    fn work_begins_when_it_is_told_to_and_ends_when_it_is_cancelled() {
        let pool = AsyncComputeTaskPool::get_or_init(Default::default);
        let mut work = Deferred::new(7, 2);
        assert!(work.is_ready() && work.poll().is_none());
        work.begin(pool, wait);
        // It is begun once.
        work.begin(pool, |_, _| 0);
        assert!(!work.is_ready() && work.poll().is_none());
        let cancel = |part: usize| work.cancels()[part].store(true, Ordering::Relaxed);
        cancel(0);
        cancel(1);
        assert_eq!(work.finish(|_, _| 0), Some(7));
    }

    #[test]
    fn what_is_not_begun_is_done_here_once() {
        let mut work = Deferred::new(7, 1);
        assert_eq!(work.finish(|name, cancels| name + cancels.len()), Some(8));
        assert_eq!(work.finish(|name, _| name), None);
    }

    #[test]
    fn what_is_done_where_there_are_no_threads_is_there_at_once() {
        let mut work = Deferred::new(7, 1);
        work.do_here(|name, _| name);
        work.do_here(|_, _| 0);
        assert!(!work.is_ready());
        assert_eq!((work.poll(), work.poll()), (Some(7), None));
    }

    #[test]
    fn what_is_dropped_is_cancelled() {
        let mut work = Deferred::<_, u8>::new(7, 3);
        work.begin(AsyncComputeTaskPool::get_or_init(Default::default), wait);
        let cancels = Arc::clone(&work.cancels);
        drop(work);
        assert!(cancels.iter().all(|cancel| cancel.load(Ordering::Relaxed)));
    }
}
