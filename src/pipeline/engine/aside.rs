//! Work that a thread of its own does while this one reads the book or waits.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A result that is being worked out. One that is not wanted any more is waited for: its thread may be writing.
pub(crate) struct Aside<I, T>(Option<Progress<I, T>>);

enum Progress<I, T> {
    Begun(JoinHandle<T>),
    /// The system has no thread to give: the work waits until its result is wanted.
    Waits(Arc<I>, fn(&I) -> T),
    Done(Box<T>),
}

/// A result beside what it is of.
pub(crate) struct Made<I, T> {
    of: I,
    result: T,
}

impl<I: PartialEq, T: Clone> Made<I, T> {
    /// Does the work on the input now.
    pub(crate) fn of(of: I, work: impl FnOnce(&I) -> T) -> Self {
        let result = work(&of);
        Self { of, result }
    }

    /// The result, if it is of this input.
    pub(crate) fn result_of(&self, input: &I) -> Option<T> {
        (self.of == *input).then(|| self.result.clone())
    }

    /// The result of `work` on the input: the one that was made, if it is of this input.
    pub(crate) fn result_or(made: Option<&Self>, input: &I, work: impl FnOnce(&I) -> T) -> T {
        made.and_then(|made| made.result_of(input)).unwrap_or_else(|| work(input))
    }
}

impl<I: Send + Sync + 'static, T: Send + 'static> Aside<I, T> {
    /// Begins `work` on the input.
    pub(crate) fn begin(input: I, work: fn(&I) -> T) -> Self {
        let input = Arc::new(input);
        let taken = Arc::clone(&input);
        let thread = thread::Builder::new().spawn(move || work(&taken));
        Self(Some(thread.map_or(Progress::Waits(input, work), Progress::Begun)))
    }

    /// The same, unless a result is known that is of this input.
    pub(crate) fn begin_unless_made(made: Option<&Made<I, T>>, input: I, work: fn(&I) -> T) -> Self
    where
        I: PartialEq,
        T: Clone,
    {
        match made.and_then(|made| made.result_of(&input)) {
            Some(result) => Self(Some(Progress::Done(Box::new(result)))),
            None => Self::begin(input, work),
        }
    }

    pub(crate) fn end(mut self) -> T {
        match self.0.take() {
            Some(Progress::Begun(thread)) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Some(Progress::Waits(input, work)) => work(&input),
            Some(Progress::Done(result)) => *result,
            None => unreachable!("it is taken here and when it is dropped"),
        }
    }
}

impl<I, T> Drop for Aside<I, T> {
    fn drop(&mut self) {
        if let Some(Progress::Begun(thread)) = self.0.take() {
            let _ = thread.join();
        }
    }
}
