//! Contradictions between chapters and the book's records: the answer of `novel check`.
//! Revisions of chapters that contradict the records: results, and the changes of a waiting one.

use crate::pipeline::chapter::revision::{WaitingRevision, WishLine};
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::checks::consistency::{self, Examination};
use crate::report::decision::LaterChapter;
use crate::report::diff::{Detail, DiffReport, Marks};
use crate::report::foreshadow;
use crate::report::prelude::*;
use crate::text::consistency::{Contradiction, Finding, Measure, Sort, Weight};
use crate::text::{Count, diff};

/// Findings listed in brief.
const LISTED: usize = 30;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsistencyReport {
    pub examined: usize,
    /// Findings that contradict the records; the others are doubts.
    pub conflicts: usize,
    /// The number of waived findings, which are left out below.
    pub waived: usize,
    pub findings: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The id for `novel waive`.
    pub id: String,
    pub chapter: ChapterNo,
    pub sort: Sort,
    pub weight: Weight,
    /// A person, an item, a word; empty for the whole chapter.
    pub subject: String,
    /// One sentence.
    pub what: String,
    /// The chapter's sentence as evidence; may be empty.
    pub quotation: String,
}

impl ConsistencyReport {
    pub fn of(examination: &Examination, lang: Lang) -> Self {
        let findings: Vec<Entry> = examination.findings.iter().map(|finding| Entry::of(finding, lang)).collect();
        let conflicts = findings.iter().filter(|finding| finding.weight == Weight::Conflict).count();
        Self { examined: examination.chapters, conflicts, waived: examination.waived.len(), findings }
    }

    /// The findings by chapter, and what to do about them.
    pub fn text(&self, lang: Lang, extent: Extent) -> String {
        let (examined, waived) = (self.examined, self.waived);
        let waived = match waived {
            0 => String::new(),
            _ => say!(lang, consistency_waived(waived)),
        };
        if examined == 0 {
            return say!(lang, no_chapters_to_check).to_owned();
        }
        if self.findings.is_empty() {
            return say!(lang, chapters_examined_nothing_contradicts(examined, waived));
        }
        let mut out = String::new();
        let mut last = None;
        let (shown, others) =
            extent.of_rows(&self.findings, LISTED, |finding| (finding.weight == Weight::Conflict, finding.chapter));
        for finding in &shown {
            if last.replace(finding.chapter) != Some(finding.chapter) {
                out.push_str(&format!("{}\n", paint(STRONG, &finding.chapter.to_string())));
            }
            out.push_str(&finding.text(lang));
        }
        if others > 0 {
            let (n, others) = (others, figures::count(others as u64));
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, consistency_not_listed(n, others)))));
        }
        let (conflicts, doubts) = (self.conflicts, self.findings.len() - self.conflicts);
        out.push_str(&say!(lang, chapters_examined_in_conflict_doubtful(examined, conflicts, doubts, waived)));
        let Entry { chapter, id, weight, .. } = shown[0];
        let doubts = if *weight == Weight::Doubt { " --doubts" } else { "" };
        let (chapter, id) =
            (chapter.get(), if id.contains(char::is_whitespace) { format!("'{id}'") } else { id.clone() });
        out.push_str(&say!(lang, correct_text_then_novel_rebuild_have(chapter, doubts, id)));
        out
    }
}

impl Entry {
    fn of(finding: &Finding, lang: Lang) -> Self {
        let sort = finding.what.sort();
        Self {
            id: consistency::id_of(finding).to_string(),
            chapter: finding.chapter,
            sort,
            weight: sort.weight(),
            subject: finding.what.subject(),
            what: what(&finding.what, lang),
            quotation: finding.quotation.clone(),
        }
    }

    fn text(&self, lang: Lang) -> String {
        let (style, weight) = match self.weight {
            Weight::Conflict => (BAD, say!(lang, conflict)),
            Weight::Doubt => (WARN, say!(lang, doubt)),
        };
        let mut text = format!("  {}  {}  {}\n", paint(style, weight), self.what, paint(DIM, &self.id));
        if !self.quotation.is_empty() {
            let (open, close) = (say!(lang, opening_quote), say!(lang, closing_quote));
            text.push_str(&format!("    {}\n", paint(DIM, &format!("{open}{}{close}", self.quotation))));
        }
        text
    }
}

pub fn what(what: &Contradiction, lang: Lang) -> String {
    match what {
        Contradiction::Dead { person, record } => say!(lang, person_is_dead(person, record)),
        Contradiction::Retired { person } => say!(lang, person_has_left(person)),
        Contradiction::Leak { person, line } => say!(lang, person_is_of_other_line(person, line)),
        Contradiction::TwoOwners { item, owners: (one, other) } => say!(lang, item_has_two_owners(item, one, other)),
        Contradiction::NotHeld { person, item, owner: Some(owner) } => {
            say!(lang, item_is_held_by_other(person, item, owner))
        }
        Contradiction::NotHeld { person, item, owner: None } => say!(lang, item_is_gone(person, item)),
        Contradiction::Age { person, was, since, is } => say!(lang, age_differs(person, was, since, is)),
        Contradiction::Date { was, is, since } => say!(lang, time_runs_backwards(since, was, is)),
        Contradiction::Place { person, was, is } => say!(lang, place_differs(person, was, is)),
        Contradiction::Count { item, recorded, is } => say!(lang, count_differs(item, recorded, is)),
        Contradiction::Figure { entity, measure, was, since, is } => {
            say!(lang, figure_differs(entity, measure = measured(measure, lang), was, since, is))
        }
        Contradiction::Task { id, action } => {
            say!(lang, task_is_not_recorded(id, action = foreshadow::verb(*action, lang)))
        }
        Contradiction::Variant { form, meant, fills: Some(uses) } => say!(lang, form_fills_chapter(form, meant, uses)),
        Contradiction::Variant { form, meant, fills: None } => say!(lang, form_is_slip(form, meant)),
        Contradiction::Quotes { odd, usual } => say!(lang, quotes_differ(usual, odd)),
        Contradiction::Title { chapter, title } => say!(lang, title_is_like(chapter, title)),
    }
}

fn measured(measure: &Measure, lang: Lang) -> String {
    match measure {
        Measure::Level => say!(lang, figure_level),
        Measure::Size('重') => say!(lang, figure_weight),
        Measure::Size('宽') => say!(lang, figure_width),
        Measure::Size('长') => say!(lang, figure_length),
        Measure::Size('深') => say!(lang, figure_depth),
        Measure::Size('厚') => say!(lang, figure_thickness),
        Measure::Size('方') => say!(lang, figure_extent),
        Measure::Size('径') => say!(lang, figure_diameter),
        Measure::Size(_) => say!(lang, figure_height),
        Measure::Post => say!(lang, figure_post),
        Measure::Grade(unit) => return say!(lang, figure_grade(unit)),
        Measure::Way(place) => return say!(lang, figure_way(place)),
        Measure::Money(kind) => return say!(lang, figure_money(kind)),
    }
    .to_owned()
}

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
    let mut line = what(&finding.what, lang);
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
