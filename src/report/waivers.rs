//! Accepted deviations: the answer of `novel waive`.

use crate::domain::chapter::{Waiver, Waivers};
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WaiversReport {
    /// In the order in which they were made.
    pub waivers: Vec<WaiverEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WaiverEntry {
    /// The id for the command line.
    pub id: String,
    /// Null for every chapter of the book.
    pub chapter: Option<ChapterNo>,
    /// The sort of the finding, or the id of the rule.
    pub check: String,
    /// The subject of the finding; empty for a rule.
    pub subject: String,
    pub reason: String,
}

impl WaiversReport {
    pub fn of(waivers: Waivers) -> Self {
        let entry = |waiver: Waiver| WaiverEntry {
            id: waiver.finding.to_string(),
            chapter: waiver.finding.chapter,
            check: waiver.finding.check,
            subject: waiver.finding.subject,
            reason: waiver.reason,
        };
        Self { waivers: waivers.list.into_iter().map(entry).collect() }
    }

    /// Each with its reason, and the command to take it back.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let Some(last) = self.waivers.last() else {
            let command = paint(HINT, say!(lang, novel_waive_id_reason_text));
            return say!(lang, nothing_is_waived_finding_of_novel(command));
        };
        let mut table = Table::bare("ll", 1);
        for waiver in &self.waivers {
            table.row([waiver.id.as_str().into(), Cell::painted(DIM, waiver.reason.clone())]);
        }
        let mut out = table.text(columns);
        let command = paint(HINT, &format!("novel waive --remove {}", last.id));
        out.push_str(&say!(lang, to_take_one_back(command)));
        out
    }
}
