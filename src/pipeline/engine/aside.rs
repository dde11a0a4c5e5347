//! Work of the processor alone that a thread of its own does while this one reads the book.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A result that is being worked out.
pub(crate) enum Aside<I, T> {
    Begun(JoinHandle<T>),
    /// The system has no thread to give: the work waits until its result is wanted.
    Waits(Arc<I>, fn(&I) -> T),
}

impl<I: Send + Sync + 'static, T: Send + 'static> Aside<I, T> {
    /// Begins `work` on the input.
    pub(crate) fn begin(input: I, work: fn(&I) -> T) -> Self {
        let input = Arc::new(input);
        let taken = Arc::clone(&input);
        let thread = thread::Builder::new().spawn(move || work(&taken));
        thread.map_or(Self::Waits(input, work), Self::Begun)
    }

    /// The result.
    pub(crate) fn end(self) -> T {
        match self {
            Self::Begun(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Self::Waits(input, work) => work(&input),
        }
    }

    /// Waits until no thread is at work on it any more; its result is not wanted.
    pub(crate) fn wait(self) {
        if let Self::Begun(thread) = self {
            let _ = thread.join();
        }
    }
}
