//! Files and processes under it all: durable writes, locks, and waiting for other programs.
//! Waiting for the lock of another process, a bounded time.

pub(crate) mod files;
pub(crate) mod processes;
pub(crate) mod system;

use std::time::Duration;

/// How long another program's lock is waited for before the command stops with a message.
const PATIENCE: Duration = Duration::from_secs(5);

/// How to pass time. This room has no clock; programs give it `std::thread::sleep`, tests something quicker.
pub struct Wait(Box<dyn Fn(Duration)>);

impl Wait {
    pub fn new(sleep: impl Fn(Duration) + 'static) -> Self {
        Self(Box::new(sleep))
    }

    /// Waits by suspending the thread.
    pub fn sleeping() -> Self {
        Self::new(std::thread::sleep)
    }

    pub(crate) fn pause(&self, time: Duration) {
        (self.0)(time);
    }

    /// Tries until `attempt` gives something other than `None`, about five seconds in growing steps.
    pub(crate) fn until<T>(&self, attempt: impl FnMut() -> Option<T>) -> Option<T> {
        self.at_most(PATIENCE, attempt)
    }

    pub(crate) fn at_most<T>(&self, patience: Duration, mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
        let (mut waited, mut step) = (Duration::ZERO, Duration::from_millis(5));
        loop {
            if let Some(result) = attempt() {
                return Some(result);
            }
            if waited >= patience {
                return None;
            }
            self.pause(step);
            waited += step;
            step = (step * 2).min(Duration::from_millis(500));
        }
    }
}

impl std::fmt::Debug for Wait {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wait")
    }
}
