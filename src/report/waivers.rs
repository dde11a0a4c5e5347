//! The deviations that the author intends: the answer of `novel waive`.

use super::catalogue::say;
use super::json;
use super::lang::Lang;
use super::style::{DIM, HINT, paint};
use super::table::{Align, Cell, Table};
use crate::domain::ChapterNo;
use crate::domain::chapter::waiver::{Waiver, Waivers};
use serde::Serialize;

/// The waivers of a book.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WaiversReport {
    /// All of them, in the order in which they were made.
    pub waivers: Vec<Entry>,
}

/// One waiver.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// Its name on the command line.
    pub id: String,
    /// The chapter; null for every chapter of the book.
    #[serde(serialize_with = "json::maybe_chapter")]
    pub chapter: Option<ChapterNo>,
    /// The sort of the finding, or the id of the rule.
    pub check: String,
    /// The subject of the finding; empty for a rule.
    pub subject: String,
    pub reason: String,
}

impl WaiversReport {
    /// The report of a book's waivers.
    #[must_use]
    pub fn of(waivers: Waivers) -> Self {
        let entry = |waiver: Waiver| Entry {
            id: waiver.finding.to_string(),
            chapter: waiver.finding.chapter,
            check: waiver.finding.check,
            subject: waiver.finding.subject,
            reason: waiver.reason,
        };
        Self { waivers: waivers.list.into_iter().map(entry).collect() }
    }

    /// Each with its reason, and how to take it back.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let Some(last) = self.waivers.last() else {
            let command = paint(HINT, say!(lang, novel_waive_id_reason_text));
            return say!(lang, nothing_is_waived_finding_of_novel(command));
        };
        let mut table = Table::new([("", Align::Left), ("", Align::Left)], 1);
        for waiver in &self.waivers {
            table.row([waiver.id.as_str().into(), Cell::painted(DIM, waiver.reason.clone())]);
        }
        let mut out = table.text(columns);
        let command = paint(HINT, &format!("novel waive --remove {}", last.id));
        out.push_str(&say!(lang, to_take_one_back(command)));
        out
    }
}
