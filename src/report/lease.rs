//! A lease in words, and times for people.

use super::lang::{Lang, say};
use super::words::Words as _;
use crate::domain::Work;
use crate::store::{Lease, Moment};
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

/// Seconds since 1970 as RFC 3339, in the zone where it was written.
pub(super) fn time(seconds: i64, offset_minutes: i32) -> String {
    let zone = Offset::from_seconds(offset_minutes.saturating_mul(60)).map_or(TimeZone::UTC, TimeZone::fixed);
    let at = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(zone);
    at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// The same for people: `01-31 18:05`.
pub(super) fn shown(seconds: i64, offset_minutes: i32) -> String {
    time(seconds, offset_minutes).get(5..16).unwrap_or_default().replace('T', " ")
}

/// A lease in words: who, for which work, since when, until when. `now` gives the reader's zone.
#[must_use]
pub fn of_lease(lease: &Lease, now: Moment, lang: Lang) -> String {
    let device = if lease.device.is_empty() { lang.pick("另一台设备", "another device") } else { &lease.device };
    let who = match lease.author.as_str() {
        "" => device.to_owned(),
        author => say!(lang, "{author}（{device}）", "{author} on {device}"),
    };
    let doing = doing(lease.work(), lang);
    let since = shown(lease.since, now.offset_minutes);
    match lease.until.map(|until| shown(until, now.offset_minutes)) {
        Some(until) => {
            say!(
                lang,
                "{who} 从 {since} 起在{doing}，登记到 {until}",
                "{who} has been {doing} since {since}, until {until} at the latest"
            )
        }
        None => say!(
            lang,
            "{who} 从 {since} 起{doing}，做好的还没有同步",
            "{who} began on {since} ({doing}) and has not synced yet"
        ),
    }
}

/// The work of a lease's holder in words.
fn doing(work: Option<Work>, lang: Lang) -> String {
    match work {
        None => lang.pick("写这本书", "writing the book").to_owned(),
        Some(Work::Chapter(chapter)) => say!(lang, "写 {chapter}", "writing {chapter}"),
        Some(Work::Plan(volume)) => say!(lang, "规划 {volume}", "planning {volume}"),
        Some(Work::Review(volume)) => say!(lang, "回顾 {volume}", "reviewing {volume}"),
        Some(Work::Step(step)) => {
            let step = step.say(lang);
            say!(lang, "做“{step}”", "busy with {step}")
        }
    }
}
