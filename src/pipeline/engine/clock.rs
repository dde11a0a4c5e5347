//! The clock, which `commands` reads and hands down.

use crate::store::Moment;
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

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
