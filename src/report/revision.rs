//! Revisions of chapters that contradict the records: what was made, and what one that waits changes.

use super::catalogue::say;
use super::diff::{Detail, DiffReport, Marks};
use super::lang::Lang;
use super::lists;
use super::style::{HINT, STRONG, paint};
use super::{figures, json};
use crate::domain::ChapterNo;
use crate::pipeline::chapter::revision::WaitingRevision;
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::checks::consistency::Examination;
use crate::text::{Count, diff};
use serde::Serialize;

/// A revision that waits for the author.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionReport {
    /// The chapter.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// The wish that the reviser was told.
    pub wish: String,
    /// The overall score of the revision.
    pub score: f64,
    /// Its changes.
    pub changes: DiffReport,
}

impl RevisionReport {
    /// The report of a revision.
    #[must_use]
    pub fn of(waiting: &WaitingRevision) -> Self {
        let WaitingRevision { chapter, title, wish, score, before, after } = waiting.clone();
        let words = |text: &str| Count::of_prose(text).words as u64;
        let name = chapter.to_string();
        let changes = DiffReport::new((&name, words(&before)), ("draft", words(&after)), &diff(&before, &after));
        Self { chapter, title, wish, score, changes }
    }

    /// Why it was made, what it changes, and what may be answered.
    #[must_use]
    pub fn text(&self, lang: Lang, detail: Detail, marks: Marks) -> String {
        let Self { chapter, title, wish, .. } = self;
        let score = figures::score(self.score);
        let heading = say!(lang, revision_waits_for_you_score(chapter, title, score));
        let why = say!(lang, to_be_changed(wish));
        let new = say!(lang, revised_text).to_owned();
        let changes = DiffReport { new, ..self.changes.clone() }.text(lang, detail, marks);
        let [accept, reject] = ["accept", "reject"].map(|answer| paint(HINT, &format!("novel revision {answer}")));
        let answers = say!(lang, take_it_put_it_aside_chapter(accept, reject));
        format!("{}\n  {why}\n\n{changes}\n{answers}", paint(STRONG, &heading))
    }
}

/// The outcome of having chapters revised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionMade {
    /// `revised`, `waiting`, or `nothing` where no finding can be mended so.
    pub status: &'static str,
    /// How many findings there were.
    pub findings: usize,
    /// The chapters whose revisions are in the book.
    #[serde(serialize_with = "json::chapters")]
    pub accepted: Vec<ChapterNo>,
    /// The chapters whose revisions wait for the author.
    #[serde(serialize_with = "json::chapters")]
    pub waiting: Vec<ChapterNo>,
}

impl RevisionMade {
    /// Of an examination and of what became of its chapters.
    #[must_use]
    pub fn of(examination: &Examination, fates: &[(ChapterNo, ChapterOutcome)]) -> Self {
        let chapters = |is_meant: fn(&ChapterOutcome) -> bool| {
            let meant = fates.iter().filter(|(_, fate)| is_meant(fate));
            meant.map(|(chapter, _)| *chapter).collect::<Vec<_>>()
        };
        let accepted = chapters(|fate| matches!(fate, ChapterOutcome::Accepted(_)));
        let waiting = chapters(|fate| matches!(fate, ChapterOutcome::Paused(_)));
        let status = match () {
            () if !waiting.is_empty() => "waiting",
            () if !accepted.is_empty() => "revised",
            () => "nothing",
        };
        Self { status, findings: examination.findings.len(), accepted, waiting }
    }

    /// A line or two.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let list = |chapters: &[ChapterNo]| lists::chapters(chapters, lang);
        let mut out = String::new();
        if !self.accepted.is_empty() {
            let list = list(&self.accepted);
            out.push_str(&say!(lang, revised_and_in_book_chapters(list)));
        }
        if !self.waiting.is_empty() {
            let list = list(&self.waiting);
            out.push_str(&say!(lang, revisions_that_wait_for_you_chapters(list)));
        }
        if out.is_empty() {
            out = say!(lang, nothing_to_revise_novel_check_shows).to_owned();
        }
        out
    }
}
