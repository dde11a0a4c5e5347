//! Revisions of chapters that contradict the records: results, and the changes of a waiting one.

use crate::pipeline::chapter::revision::{WaitingRevision, WishLine};
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::checks::consistency::Examination;
use crate::report::decision::LaterChapter;
use crate::report::diff::{Detail, DiffReport, Marks};
use crate::report::prelude::*;
use crate::report::{consistency, foreshadow};
use crate::text::consistency::Contradiction;
use crate::text::{Count, diff};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionReport {
    pub chapter: ChapterNo,
    pub title: String,
    /// The reviser's instructions.
    pub wish: String,
    pub score: f64,
    pub changes: DiffReport,
    /// Other waiting chapters, which are asked about later.
    pub later: Vec<LaterChapter>,
    #[serde(skip)]
    lines: Vec<WishLine>,
}

impl RevisionReport {
    pub fn of(waiting: &WaitingRevision) -> Self {
        let WaitingRevision { chapter, title, wish, lines, score, before, after, later } = waiting.clone();
        let words = |text: &str| Count::of_prose(text).words as u64;
        let name = chapter.to_string();
        let changes = DiffReport::new((&name, words(&before)), ("draft", words(&after)), &diff(&before, &after));
        Self { chapter, title, wish, score, changes, later: LaterChapter::of(&later), lines }
    }

    /// The reason, the changes, and the possible answers.
    pub fn text(&self, lang: Lang, detail: Detail, marks: Marks) -> String {
        let Self { chapter, title, .. } = self;
        let score = figures::score(self.score);
        let heading = say!(lang, revision_waits_for_you_score(chapter, title, score));
        let wish = self.lines.iter().map(|line| wish_line(line, lang)).collect::<Vec<_>>().join("\n    ");
        let why = say!(lang, to_be_changed(wish));
        let new = say!(lang, revised_text).to_owned();
        let changes = DiffReport { new, ..self.changes.clone() }.text(lang, detail, marks);
        let [accept, reject] = ["accept", "reject"].map(|answer| paint(HINT, &format!("novel revision {answer}")));
        let answers = say!(lang, take_it_put_it_aside_chapter(accept, reject));
        let later = LaterChapter::text(&self.later, lang);
        format!("{}\n  {why}\n\n{changes}\n{answers}{later}", paint(STRONG, &heading))
    }
}

/// A line of the instructions. Words of the author or of a model stay.
fn wish_line(line: &WishLine, lang: Lang) -> String {
    let finding = match line {
        WishLine::Words(words) => return words.clone(),
        WishLine::NothingElse => return say!(lang, revision_changes_nothing_else).to_owned(),
        WishLine::Finding(finding) => finding,
    };
    let mut line = consistency::what(&finding.what, lang);
    if let Some(fix) = fix(&finding.what, lang) {
        line.push_str(say!(lang, clause_semicolon));
        line.push_str(&fix);
    }
    if !finding.quotation.is_empty() {
        line = say!(lang, revision_of_passage(quotation = &finding.quotation, line));
    }
    line
}

/// The change that mends a contradiction; `None` where instructions to a reviser cannot help.
fn fix(what: &Contradiction, lang: Lang) -> Option<String> {
    Some(match what {
        Contradiction::Dead { person, .. } => say!(lang, fix_dead(person)),
        Contradiction::Retired { person } => say!(lang, fix_retired(person)),
        Contradiction::Leak { person, .. } => say!(lang, fix_leak(person)),
        Contradiction::TwoOwners { item, .. } => say!(lang, fix_two_owners(item)),
        Contradiction::NotHeld { person, item, owner: Some(owner) } => {
            say!(lang, fix_held_by_other(person, item, owner))
        }
        Contradiction::NotHeld { person, item, owner: None } => say!(lang, fix_item_is_gone(person, item)),
        Contradiction::Place { person, was, is } => say!(lang, fix_place(person, was, is)),
        Contradiction::Count { recorded, .. } => say!(lang, fix_count(recorded)),
        Contradiction::Figure { was, .. } => say!(lang, fix_figure(was)),
        Contradiction::Task { id, action } => say!(lang, fix_task(id, action = foreshadow::verb(*action, lang))),
        Contradiction::Age { was, .. } => say!(lang, fix_age(was)),
        Contradiction::Date { was, .. } => say!(lang, fix_date(was)),
        Contradiction::Variant { meant, .. } => say!(lang, fix_variant(meant)),
        Contradiction::Quotes { .. } | Contradiction::Title { .. } => return None,
    })
}

/// The outcome of revising chapters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionMade {
    /// `revised`, `waiting`, or `nothing` where no finding can be mended.
    pub status: &'static str,
    pub findings: usize,
    pub accepted: Vec<ChapterNo>,
    pub waiting: Vec<ChapterNo>,
}

impl RevisionMade {
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

    pub fn text(&self, lang: Lang) -> String {
        let list = |chapters: &[ChapterNo]| words::chapters(chapters, lang);
        let mut out = String::new();
        if !self.accepted.is_empty() {
            out.push_str(&say!(lang, revised_and_in_book_chapters(list = list(&self.accepted))));
        }
        if !self.waiting.is_empty() {
            out.push_str(&say!(lang, revisions_that_wait_for_you_chapters(list = list(&self.waiting))));
        }
        if out.is_empty() {
            out = say!(lang, nothing_to_revise_novel_check_shows).to_owned();
        }
        out
    }
}
