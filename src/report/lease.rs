use crate::domain::Work;
use crate::pipeline::engine::clock::rfc3339;
use crate::report::prelude::*;
use crate::store::{Lease, Moment};

/// A time for people: `01-31 18:05`.
pub(super) fn shown(seconds: i64, offset_minutes: i32) -> String {
    rfc3339(seconds, offset_minutes).get(5..16).unwrap_or_default().replace('T', " ")
}

/// A lease in words: holder, work, beginning, end. `now` gives the reader's zone.
pub fn of_lease(lease: &Lease, now: Moment, lang: Lang) -> String {
    let device = if lease.device.is_empty() { say!(lang, another_device) } else { &lease.device };
    let who = match lease.author.as_str() {
        "" => device.to_owned(),
        author => say!(lang, lease_on(author, device)),
    };
    let doing = doing(lease.work(), lang);
    let since = shown(lease.since, now.offset_minutes);
    match lease.until.map(|until| shown(until, now.offset_minutes)) {
        Some(until) => say!(lang, has_been_since_until_at_latest(who, doing, since, until)),
        None => say!(lang, began_on_and_has_not_synced(who, since, doing)),
    }
}

fn doing(work: Option<Work>, lang: Lang) -> String {
    match work {
        None => say!(lang, writing_book).to_owned(),
        Some(Work::Chapter(chapter)) => say!(lang, writing(chapter)),
        Some(Work::Plan(volume)) => say!(lang, planning(volume)),
        Some(Work::Review(volume)) => say!(lang, reviewing(volume)),
        Some(Work::Step(step)) => say!(lang, busy_with(step = step.say(lang))),
    }
}
