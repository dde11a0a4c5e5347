//! The clock, which `commands` reads and hands down.

use crate::store::Moment;

/// The clock, as the program reads it.
pub struct Clock {
    pub now: Box<dyn Fn() -> jiff::Zoned>,
    /// Milliseconds since some fixed moment; never goes back.
    pub ticks: Box<dyn Fn() -> u64>,
}

impl Clock {
    /// Now, as git records it.
    pub fn moment(&self) -> Moment {
        Moment::from(&(self.now)())
    }

    /// Now, as files have it: `2026-02-21T15:30:00+08:00`.
    pub fn rfc3339(&self) -> String {
        (self.now)().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }
}
