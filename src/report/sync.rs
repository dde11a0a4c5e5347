//! Two devices with one book: the result of a sync, conflicts, and leases.

use crate::domain::Work;
use crate::domain::renumbering::Renumbering;
use crate::pipeline::engine::clock::rfc3339;
use crate::pipeline::sync::conflict::{
    ChapterConflict, ChapterVersion, Conflicts, FileConflict, MadeBy, NumberConflict, SyncEvent,
};
use crate::pipeline::sync::exchange::{Exchanged, SyncOutcome, SyncRequest};
use crate::report::prelude::*;
use crate::report::renaming;
use crate::store::{Lease, Moment};

/// An event of a sync or of a lease, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SyncLine {
    /// The remote is asked.
    SyncConnecting { remote: String },
    /// A draft of another device goes on here, or was kept beside the one that does.
    SyncDraft {
        work: Work,
        /// The ref of the draft that does not go on.
        kept: Option<String>,
    },
    /// The remote refuses a ref.
    SyncRefused { name: String, reason: String },
    /// This copy holds the lease.
    Lease {
        work: Work,
        chapter: Option<ChapterNo>,
        until: String,
        /// The device whose lease had ended, or was taken over.
        instead_of: Option<String>,
    },
    /// The lease stays until this copy is synced.
    LeaseWaits,
    /// The remote is out of reach, and the run goes on.
    SyncUnreachable { remote: String, said: Vec<String> },
}

impl SyncLine {
    /// The line of an event; `None` for progress and for events that the final report covers.
    pub fn of(event: &SyncEvent) -> Option<Self> {
        Some(match event.clone() {
            SyncEvent::Connecting { remote } => Self::SyncConnecting { remote },
            SyncEvent::DraftTaken { work } => Self::SyncDraft { work, kept: None },
            SyncEvent::DraftKept { work, kept } => Self::SyncDraft { work, kept: Some(kept) },
            SyncEvent::Refused { name, reason } => Self::SyncRefused { name, reason },
            SyncEvent::Leased { work, until, instead_of } => {
                Self::Lease { work, chapter: work.chapter(), until: rfc3339(until, 0), instead_of }
            }
            SyncEvent::LeaseWaits => Self::LeaseWaits,
            SyncEvent::Alone { remote, said } => Self::SyncUnreachable { remote, said },
            SyncEvent::Transfer(_) => return None,
        })
    }

    /// The line for people; `None` for lines for programs only.
    pub fn text(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Self::SyncConnecting { .. } => return None,
            Self::Lease { instead_of: None, .. } => return None,
            Self::Lease { instead_of: Some(device), .. } => say!(lang, lease_of_was_over_or_is(device)),
            Self::SyncDraft { work, kept: None } => {
                say!(lang, draft_of_has_come_from_remote(work = words::of_work(*work, lang)))
            }
            Self::SyncDraft { work, kept: Some(kept) } => {
                say!(lang, two_devices_have_gone_on_with(work = words::of_work(*work, lang), kept))
            }
            Self::SyncRefused { name, reason } => say!(lang, remote_refuses(name, reason)),
            Self::LeaseWaits => say!(lang, what_is_written_is_not_on).to_owned(),
            Self::SyncUnreachable { remote, said } => {
                let why = said.last().map(|line| say!(lang, remote_said(line))).unwrap_or_default();
                say!(lang, remote_is_out_of_reach_this(remote, why))
            }
        })
    }

    /// True for a line that is shown as a warning.
    pub fn is_warning(&self) -> bool {
        !matches!(self, Self::SyncDraft { kept: None, .. } | Self::SyncConnecting { .. })
    }
}

/// Both versions of what differs side by side, and how to choose.
pub fn choice(conflicts: &Conflicts, lang: Lang, columns: usize) -> String {
    let mut out = conflicts.numbers.as_ref().map(|numbers| numbers_differ(numbers, lang)).unwrap_or_default();
    for ChapterConflict { chapter, ours, theirs } in &conflicts.chapters {
        out.push_str(&format!("{}\n", paint(STRONG, &say!(lang, two_devices_have_different(chapter)))));
        let heads = ["", say!(lang, side_ours), say!(lang, side_theirs)];
        let mut table = Table::new(heads, "lll", 1).sharing(2).indented(2);
        let rows = [ours, theirs].map(|version| rows(version.as_ref(), *chapter, lang));
        for (name, [a, b]) in say!(lang, sync_rows).split('|').zip(transposed(rows)) {
            table.row([Cell::painted(DIM, name), a.into(), b.into()]);
        }
        out.push_str(&table.text(columns));
    }
    for FileConflict { path, ours, theirs } in &conflicts.files {
        let by = |by: &Option<MadeBy>| match by {
            Some(MadeBy { author, time, .. }) => {
                format!("{author} {}", time.get(5..16).unwrap_or_default().replace('T', " "))
            }
            None => say!(lang, deleted).to_owned(),
        };
        let (ours, theirs) = (by(ours), by(theirs));
        out.push_str(&format!("{}\n", paint(WARN, &say!(lang, was_changed_in_same_place_ours(path, ours, theirs)))));
    }
    out
}

fn numbers_differ(NumberConflict { ours, theirs, first }: &NumberConflict, lang: Lang) -> String {
    let said = |steps: &[Renumbering]| match steps {
        [] => say!(lang, sync_went_on_with_old_numbers).to_owned(),
        steps => words::listed(steps.iter().map(|how| renaming::in_words(*how, lang)), lang),
    };
    paint(WARN, &say!(lang, sync_numbers_differ(first, ours = said(ours), theirs = said(theirs)))) + "\n"
}

fn rows(version: Option<&ChapterVersion>, chapter: ChapterNo, lang: Lang) -> [String; 7] {
    let Some(version) = version else {
        let mut rows = std::array::from_fn(|_| String::new());
        rows[0] = say!(lang, not_there_this_side_has_gone).to_owned();
        return rows;
    };
    let by = version.by.clone();
    let by = |part: fn(MadeBy) -> String| by.clone().map(part).unwrap_or_default();
    [
        version.title.clone(),
        version.difference.chars().take(40).collect(),
        figures::count(version.words),
        version.score.map_or_else(|| "–".to_owned(), figures::score),
        by(|by| by.author),
        by(|by| by.time.get(..16).unwrap_or_default().replace('T', " ")),
        if version.last > chapter { version.last.to_string() } else { "–".to_owned() },
    ]
}

fn transposed([ours, theirs]: [[String; 7]; 2]) -> impl Iterator<Item = [String; 2]> {
    ours.into_iter().zip(theirs).map(|(a, b)| [a, b])
}

fn way(exchanged: &Exchanged, lang: Lang) -> String {
    let n = exchanged.commits;
    match Vec::from_iter(exchanged.chapters.iter().copied()).as_slice() {
        [] => say!(lang, sync_count_n(n)),
        [only] => say!(lang, sync_chapter(chapter = only.get(), n)),
        several => say!(lang, sync_chapters(chapters = words::chapters(several, lang), n)),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SyncReport {
    /// `synced`, `current` when there was nothing to do, `undecided`, `postponed`, or `preview`.
    pub status: &'static str,
    #[serde(flatten)]
    outcome: SyncOutcome,
}

impl SyncReport {
    pub fn of(request: &SyncRequest, outcome: SyncOutcome) -> Self {
        let commits = outcome.received.commits + outcome.sent.commits;
        let drafts = outcome.drafts_received.len() + outcome.drafts_sent.len();
        let lines = outcome.lines_found.len() + outcome.lines_sent.len();
        let is_open = !outcome.conflicts.is_empty() && outcome.merged.is_none();
        let status = match () {
            () if request.dry_run => "preview",
            () if is_open && outcome.took.is_some() => "postponed",
            () if is_open => "undecided",
            () if commits + drafts + lines == 0 && outcome.merged.is_none() => "current",
            () => "synced",
        };
        Self { status, outcome }
    }

    pub fn is_undecided(&self) -> bool {
        self.status == "undecided"
    }

    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let SyncOutcome { remote, received, sent, kept, conflicts, .. } = &self.outcome;
        let (received, sent) = (way(received, lang), way(sent, lang));
        let choice = choice(conflicts, lang, columns);
        match self.status {
            "preview" => {
                let head = say!(lang, sync_with_would_receive_and_send(remote, received, sent));
                choice + &head
            }
            "current" => say!(lang, nothing_to_sync_book_and_agree(remote)),
            "undecided" => {
                let [theirs, ours, later] =
                    ["theirs", "ours", "later"].map(|take| paint(HINT, &format!("novel sync --take {take}")));
                choice + &say!(lang, both_are_there_and_nothing_has(theirs, ours, later))
            }
            "postponed" => {
                say!(lang, to_be_decided_later_ours_is(remote, kept = kept.as_deref().unwrap_or_default()))
            }
            _ => synced(&self.outcome, [&received, &sent], lang),
        }
    }
}

fn synced(outcome: &SyncOutcome, [received, sent]: [&str; 2], lang: Lang) -> String {
    let remote = &outcome.remote;
    let mut out = match (outcome.received.commits, outcome.sent.commits) {
        (0, 0) if outcome.drafts_sent.is_empty() && outcome.drafts_received.is_empty() => {
            say!(lang, synced_with(remote))
        }
        (0, 0) => say!(lang, drafts_are_synced_with(remote)),
        (0, _) => say!(lang, synced_with_sent(remote, sent)),
        (_, 0) => say!(lang, synced_with_received(remote, received)),
        _ => say!(lang, synced_with_received_sent(remote, received, sent)),
    };
    if let Some(commit) = &outcome.merged {
        out.push_str(&say!(lang, joined_as(commit = Commit::from(commit.clone()))));
    }
    if !outcome.drafts_sent.is_empty() {
        out.push_str(&say!(lang, sent_draft_of(list = listed(&outcome.drafts_sent, lang))));
    }
    if !outcome.lines_sent.is_empty() {
        out.push_str(&say!(lang, sent_branch(list = listed(&outcome.lines_sent, lang))));
    }
    out.push('\n');
    for line in &outcome.lines_found {
        let next = paint(HINT, &format!("novel branch switch {line}"));
        out.push_str(&say!(lang, remote_has_new_branch(line, next)));
    }
    if let (Some(took), Some(kept)) = (outcome.took, &outcome.kept) {
        let side = match took {
            "ours" => say!(lang, version_ours),
            _ => say!(lang, version_theirs),
        };
        let back = paint(HINT, &format!("novel restore {}", kept.rsplit('/').next().unwrap_or(kept)));
        out.push_str(&say!(lang, goes_on_other_line_is_kept(side, back)));
    }
    out
}

/// A phase of git in the reader's language; an unknown one stays as git writes it.
pub fn of_phase(phase: &str, lang: Lang) -> &str {
    words::named("git_phase", &phase.to_ascii_lowercase(), lang).unwrap_or(phase)
}

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
