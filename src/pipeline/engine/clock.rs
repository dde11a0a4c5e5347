//! The clock and the wish of the user to stop, which `commands` reads and hands down.

use crate::store::Moment;
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use std::sync::atomic::{AtomicBool, Ordering};

/// Seconds since 1970 as RFC 3339, in a zone so many minutes east of UTC.
pub fn rfc3339(seconds: i64, offset_minutes: i32) -> String {
    let zone = Offset::from_seconds(offset_minutes.saturating_mul(60)).map_or(TimeZone::UTC, TimeZone::fixed);
    let at = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned_datetime(zone);
    at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

pub struct Clock {
    pub now: Box<dyn Fn() -> jiff::ZonedDateTime>,
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

/// Asked to stop, by Ctrl-C: the run ends before its next call, and a wait between two attempts ends at once.
#[derive(Debug, Clone, Default)]
pub struct Stop(std::sync::Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    asked: AtomicBool,
    told: tokio::sync::Notify,
}

impl Stop {
    /// Asks the run to stop. Returns whether it had been asked before.
    pub fn ask(&self) -> bool {
        let before = self.0.asked.swap(true, Ordering::SeqCst);
        self.0.told.notify_waiters();
        before
    }

    pub fn asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Ends as soon as it is asked.
    pub async fn wait(&self) {
        // Listening first: a question between the look and the wait would be missed.
        let told = self.0.told.notified();
        if !self.asked() {
            told.await;
        }
    }
}
