//! The log of transactions: the answer of `novel log`.

use super::subject;
use crate::domain::book::log::dollars;
use crate::domain::chapter::gate::Gate;
use crate::report::prelude::*;
use crate::store::Kind;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    pub entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
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
