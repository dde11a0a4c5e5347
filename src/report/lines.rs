//! The branches of the book: the answers of `novel branch` and `novel adopt`.
//! The log of transactions: the answer of `novel log`.
//! The id of a commit: full for programs, short for people.

use crate::domain::chapter::Gate;
use crate::pipeline::book::lines::LineView;
use crate::report::prelude::*;
use crate::report::subject;
use crate::store::{CommitId, Kind};
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineList {
    /// The main line first.
    pub lines: Vec<LineView>,
}

impl LineList {
    /// A line each; `*` marks the branch that the book is on.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut table = Table::new(say!(lang, lines_columns).split('|'), "llllll", 1).yielding(16, [5]);
        let chapter =
            |chapter: Option<ChapterNo>| chapter.map_or_else(|| "–".to_owned(), |chapter| chapter.to_string());
        for line in &self.lines {
            let from = if line.is_main { say!(lang, main_line).to_owned() } else { chapter(line.from) };
            let name = match &line.remote {
                Some(remote) => Cell::painted(DIM, say!(lang, lines_on(branch = &line.name, remote))),
                None if line.is_current => Cell::painted(STRONG, line.name.as_str()),
                None => line.name.as_str().into(),
            };
            table.row([
                if line.is_current { "*" } else { "" }.into(),
                name,
                from.into(),
                chapter(line.last).into(),
                line.drafts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ").into(),
                Cell::painted(DIM, line.tip.short()),
            ]);
        }
        table.text(columns)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineChange {
    /// `begun`, `on`, `deleted` or `unchanged`.
    pub status: &'static str,
    pub line: String,
    /// A sentence without its end, in the author's language.
    pub what: String,
    /// Commands to type next, if any.
    pub next: Vec<String>,
}

impl LineChange {
    pub fn text(&self, lang: Lang) -> String {
        let mut out = format!("{}\n", self.what);
        for next in &self.next {
            out.push_str(&say!(lang, lines_next(next = paint(HINT, next))));
        }
        out
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    pub entries: Vec<LogEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogEntry {
    pub commit: Commit,
    /// In the author's zone: `2026-03-01T21:04:00+08:00`.
    pub time: String,
    /// The kind: `chapter`, `rollback`, `hand-edit`, …
    pub kind: String,
    pub subject: String,
    pub chapter: Option<ChapterNo>,
    pub score: Option<f64>,
    /// The gate's decision, by name.
    pub gate: Option<String>,
    pub words: Option<u32>,
    /// Millionths of a US dollar, dollars in JSON, if known.
    #[serde(rename = "cost_usd", serialize_with = "dollars::serialize")]
    pub cost_micro_usd: Option<u64>,
}

impl History {
    /// A line per transaction.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.entries.is_empty() {
            return say!(lang, nothing_matches).to_owned();
        }
        let mut table = Table::new(say!(lang, history_columns).split('|'), "llllrlrr", 3).yielding(16, [7, 6, 2, 5, 1]);
        for entry in &self.entries {
            let forced = entry.gate.as_deref() == Some("force_passed");
            let name = entry.gate.as_deref().unwrap_or_default();
            let kind = entry.kind.parse::<Kind>().ok();
            let subject =
                kind.map_or_else(|| entry.subject.clone(), |kind| subject::of_commit(kind, &entry.subject, lang));
            let kind = kind.map_or(entry.kind.as_str(), |kind| kind.say(lang));
            let gate = name.parse::<Gate>().map_or(name, |gate| gate.say(lang));
            table.row([
                Cell::painted(DIM, entry.commit.short()),
                Cell::painted(DIM, figures::minute(&entry.time)),
                kind.into(),
                subject.into(),
                entry.score.map(figures::score).unwrap_or_default().into(),
                if forced { Cell::painted(WARN, gate) } else { gate.into() },
                entry.words.map(|n| figures::count(u64::from(n))).unwrap_or_default().into(),
                entry.cost_micro_usd.map(|micro| figures::money(micro, lang)).unwrap_or_default().into(),
            ]);
        }
        table.text(columns)
    }
}

/// Digits for people, enough to be unique in a book.
const SHORT: usize = 10;

/// JSON has the id in full, `Display` shortened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Commit(String);

impl Commit {
    pub fn short(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }
}

impl From<CommitId> for Commit {
    fn from(id: CommitId) -> Self {
        Self(id.to_string())
    }
}

impl From<String> for Commit {
    fn from(id: String) -> Self {
        Self(id)
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}
