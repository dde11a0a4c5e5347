//! Contradictions between chapters and the book's records: the answer of `novel check`.

use super::catalogue::say;
use super::json;
use super::lang::Lang;
use super::style::{BAD, DIM, STRONG, WARN, paint};
use crate::domain::ChapterNo;
use crate::pipeline::checks::consistency::{self, Examination};
use crate::text::consistency::{Contradiction, Finding, Measure, Sort, Weight};
use serde::Serialize;

/// The findings of an examination.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsistencyReport {
    /// How many chapters were examined.
    pub examined: usize,
    /// How many findings contradict the records; the others are doubts.
    pub conflicts: usize,
    /// How many findings the author has waived; they are not among those below.
    pub waived: usize,
    /// The findings.
    pub findings: Vec<Entry>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// Its name on the command line, for `novel waive`.
    pub id: String,
    /// The chapter.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// The sort of the finding.
    #[serde(serialize_with = "json::name")]
    pub sort: Sort,
    /// How sure it is.
    #[serde(serialize_with = "json::name")]
    pub weight: Weight,
    /// Its subject: a person, an item, a word. Empty where it is about the whole chapter.
    pub subject: String,
    /// The finding in a sentence.
    pub what: String,
    /// The sentence of the chapter that shows it; may be empty.
    pub quotation: String,
}

impl ConsistencyReport {
    /// The report of an examination.
    #[must_use]
    pub fn of(examination: &Examination, lang: Lang) -> Self {
        let findings: Vec<Entry> = examination.findings.iter().map(|finding| Entry::of(finding, lang)).collect();
        let conflicts = findings.iter().filter(|finding| finding.weight == Weight::Conflict).count();
        Self { examined: examination.chapters, conflicts, waived: examination.waived.len(), findings }
    }

    /// The findings by chapter, and the ways to deal with them.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let (examined, waived) = (self.examined, self.waived);
        let waived = match waived {
            0 => String::new(),
            _ => say!(lang, consistency_waived(waived)),
        };
        if self.findings.is_empty() {
            return say!(lang, chapters_examined_nothing_contradicts(examined, waived));
        }
        let mut out = String::new();
        let mut last = None;
        for finding in &self.findings {
            if last.replace(finding.chapter) != Some(finding.chapter) {
                out.push_str(&format!("{}\n", paint(STRONG, &finding.chapter.to_string())));
            }
            out.push_str(&finding.text(lang));
        }
        let (conflicts, doubts) = (self.conflicts, self.findings.len() - self.conflicts);
        out.push_str(&say!(lang, chapters_examined_in_conflict_doubtful(examined, conflicts, doubts, waived)));
        let Entry { chapter, id, weight, .. } = &self.findings[0];
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

/// A finding in a sentence.
#[must_use]
pub fn what(what: &Contradiction, lang: Lang) -> String {
    if lang == Lang::Zh {
        return what.in_chinese();
    }
    match what {
        Contradiction::Dead { person, record } => {
            format!("{person} is dead (on record: {record}) and speaks or acts here")
        }
        Contradiction::Retired { person } => format!("{person} has left the story and speaks or acts here"),
        Contradiction::Leak { person, line } => {
            format!("{person} belongs to the line “{line}”, and the plan of this chapter does not name them")
        }
        Contradiction::TwoOwners { item, owners: (one, other) } => {
            format!("“{item}” is in the hands of {one} and of {other}")
        }
        Contradiction::NotHeld { person, item, owner: Some(owner) } => {
            format!("{person} brings out “{item}”, which {owner} holds on record")
        }
        Contradiction::NotHeld { person, item, owner: None } => {
            format!("{person} brings out “{item}”, which is gone on record")
        }
        Contradiction::Age { person, was, since, is } => {
            format!("{person} is {was} years old in {since} and {is} here")
        }
        Contradiction::Date { was, is, since } => {
            format!("time runs backwards: {since} is on “{was}”, this chapter on “{is}”")
        }
        Contradiction::Place { person, was, is } => {
            format!("{person} is at “{was}” on record and at “{is}” here, and nothing tells of the way")
        }
        Contradiction::Count { item, recorded, is } => format!("“{item}”: {recorded} on record, {is} here"),
        Contradiction::Figure { entity, measure, was, since, is } => {
            format!("{entity}: {} “{was}” in {since} and “{is}” here", measured(measure))
        }
        Contradiction::Task { id, action } => {
            format!("the contract has the chapter do this with `{id}`: {action}; the records do not have it")
        }
        Contradiction::Variant { form, meant } => format!("“{form}” looks like a slip for “{meant}”"),
        Contradiction::Quotes { odd, usual } => {
            format!("quotation marks of two styles: {usual} of one, {odd} of the other")
        }
        Contradiction::Title { chapter, title } => format!("the title is too like that of {chapter}, “{title}”"),
    }
}

/// A measure in English.
fn measured(measure: &Measure) -> String {
    match measure {
        Measure::Level => "level".to_owned(),
        Measure::Grade(unit) => format!("grade ({unit})"),
        Measure::Size('重') => "weight".to_owned(),
        Measure::Size('宽') => "width".to_owned(),
        Measure::Size('长') => "length".to_owned(),
        Measure::Size('深') => "depth".to_owned(),
        Measure::Size('厚') => "thickness".to_owned(),
        Measure::Size('方') => "extent".to_owned(),
        Measure::Size('径') => "diameter".to_owned(),
        Measure::Size(_) => "height".to_owned(),
        Measure::Way(other) => format!("the way to {other}"),
        Measure::Money(kind) => format!("money ({kind})"),
        Measure::Post => "post".to_owned(),
    }
}
