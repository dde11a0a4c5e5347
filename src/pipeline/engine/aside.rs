//! Work of the processor alone that a thread of its own does while this one reads the book.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A result that is being worked out.
pub(crate) struct Aside<I, T> {
    input: Arc<I>,
    work: fn(&I) -> T,
    /// `None` where the system has no thread to give: the work waits until its result is wanted.
    thread: Option<JoinHandle<T>>,
}

impl<I: Send + Sync + 'static, T: Send + 'static> Aside<I, T> {
    /// Begins `work` on the input.
    pub(crate) fn begin(input: I, work: fn(&I) -> T) -> Self {
        let input = Arc::new(input);
        let taken = Arc::clone(&input);
        let thread = thread::Builder::new().spawn(move || work(&taken)).ok();
        Self { input, work, thread }
    }

    /// The result.
    pub(crate) fn end(self) -> T {
        match self.thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => (self.work)(&self.input),
        }
    }
}
