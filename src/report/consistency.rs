//! Contradictions between chapters and the book's records, the answer of `novel check`, and accepted deviations, the answer of
//! `novel waive`.

use crate::domain::chapter::{Waiver, Waivers};
use crate::pipeline::checks::consistency::{self, Examination};
use crate::report::foreshadow;
use crate::report::prelude::*;
use crate::text::consistency::{AmountMeasure, Contradiction, Inconsistency, Sort, Weight};

/// Findings listed in brief.
const LISTED: usize = 30;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsistencyReport {
    pub examined: usize,
    /// Findings that contradict the records; the others are doubts.
    pub conflicts: usize,
    /// The number of waived findings, which are left out below.
    pub waived: usize,
    pub findings: Vec<ContradictionEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContradictionEntry {
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
        let findings: Vec<ContradictionEntry> =
            examination.findings.iter().map(|finding| ContradictionEntry::of(finding, lang)).collect();
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
        let ContradictionEntry { chapter, id, weight, .. } = shown[0];
        let doubts = if *weight == Weight::Doubt { " --doubts" } else { "" };
        let (chapter, id) =
            (chapter.get(), if id.contains(char::is_whitespace) { format!("'{id}'") } else { id.clone() });
        out.push_str(&say!(lang, correct_text_then_novel_rebuild_have(chapter, doubts, id)));
        out
    }
}

impl ContradictionEntry {
    fn of(finding: &Inconsistency, lang: Lang) -> Self {
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

fn measured(measure: &AmountMeasure, lang: Lang) -> String {
    match measure {
        AmountMeasure::Level => say!(lang, figure_level),
        AmountMeasure::Size('重') => say!(lang, figure_weight),
        AmountMeasure::Size('宽') => say!(lang, figure_width),
        AmountMeasure::Size('长') => say!(lang, figure_length),
        AmountMeasure::Size('深') => say!(lang, figure_depth),
        AmountMeasure::Size('厚') => say!(lang, figure_thickness),
        AmountMeasure::Size('方') => say!(lang, figure_extent),
        AmountMeasure::Size('径') => say!(lang, figure_diameter),
        AmountMeasure::Size(_) => say!(lang, figure_height),
        AmountMeasure::Post => say!(lang, figure_post),
        AmountMeasure::Grade(unit) => return say!(lang, figure_grade(unit)),
        AmountMeasure::Way(place) => return say!(lang, figure_way(place)),
        AmountMeasure::Money(kind) => return say!(lang, figure_money(kind)),
    }
    .to_owned()
}

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
