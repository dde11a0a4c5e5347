//! Changes of a text: the answer of `novel diff`.
//! Two versions side by side: the answer of `novel compare`.

use crate::domain::chapter::stage::Stage;
use crate::domain::notation::plain;
use crate::domain::state::Op;
use crate::pipeline::book::compare::{ChapterFacts, ChapterPair, Comparison, StateAtPath, StateDifference};
use crate::report::prelude::*;
use crate::report::style::{DELETED, INSERTED, width, wrapped};
use crate::report::words;
use crate::text::{CharOp, Hunk, ProseDiff, SentenceOp, diff};
use anstyle::Style;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The changes inside a sentence, in place.
    Words,
    /// Whole sentences, the old one above the new.
    Sentences,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// By colour and strike-through.
    Colour,
    /// By `[-gone-]` and `{+come+}`, for output without colour.
    Plain,
}

/// Unchanged sentences shown around a change.
const AROUND: usize = 1;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffReport {
    /// `ch-044`, `draft`, a commit.
    pub old: String,
    pub new: String,
    pub old_words: u64,
    pub new_words: u64,
    pub hunks: Vec<Hunk>,
}

impl DiffReport {
    /// Compares under two names. Callers count the words, in the unit of all reports.
    pub fn new(old: (&str, u64), new: (&str, u64), diff: &ProseDiff) -> Self {
        let hunks = diff.hunks(AROUND);
        Self { old: old.0.to_owned(), new: new.0.to_owned(), old_words: old.1, new_words: new.1, hunks }
    }

    /// The changed places, each under a line with its position.
    pub fn text(&self, lang: Lang, detail: Detail, marks: Marks) -> String {
        let (old, new) = (version(&self.old, lang), version(&self.new, lang));
        let (was, is) = (figures::count(self.old_words), figures::count(self.new_words));
        let mut out = format!("{}\n", paint(STRONG, &say!(lang, diff_words(old, new, was, is))));
        if self.hunks.is_empty() {
            out.push_str(say!(lang, text_is_unchanged));
        }
        for hunk in &self.hunks {
            let (from, to) = (hunk.old_paragraph, hunk.new_paragraph);
            let place = match from == to {
                true => say!(lang, diff_paragraph_to(to)),
                false => say!(lang, diff_paragraph_from_to(from, to)),
            };
            out.push_str(&format!("{}\n", paint(DIM, &format!("── {place}"))));
            let body = match (detail, marks) {
                (Detail::Words, Marks::Plain) => hunk.to_plain(),
                (Detail::Words, Marks::Colour) => hunk.ops.iter().map(inline).collect(),
                (Detail::Sentences, _) => hunk.ops.iter().map(whole).collect(),
            };
            out.push_str(body.trim_matches('\n'));
            out.push('\n');
        }
        out
    }
}

/// Behind a chapter in the name of a version: the text with the author's uncommitted edit.
pub const UNCOMMITTED: &str = "uncommitted";

/// A version in words: `ch-002 refine` is a stage of a draft, `ch-002 uncommitted` the author's edit.
pub(super) fn version(name: &str, lang: Lang) -> String {
    let Some((chapter, of)) = name.rsplit_once(' ') else { return name.to_owned() };
    if of == UNCOMMITTED {
        return say!(lang, diff_uncommitted(chapter));
    }
    of.parse::<Stage>().map_or_else(|_| name.to_owned(), |stage| format!("{chapter} {}", stage.say(lang)))
}

fn inline(op: &SentenceOp) -> String {
    match op {
        SentenceOp::Equal { text } => text.clone(),
        SentenceOp::Delete { text } => changed(DELETED, text),
        SentenceOp::Insert { text } => changed(INSERTED, text),
        SentenceOp::Replace { parts } => parts
            .iter()
            .map(|part| match part {
                CharOp::Equal(text) => text.clone(),
                CharOp::Delete(text) => changed(DELETED, text),
                CharOp::Insert(text) => changed(INSERTED, text),
            })
            .collect(),
    }
}

/// Paints the visible part of a change. ¶ shows a line break added or removed alone.
fn changed(style: Style, text: &str) -> String {
    let body = text.trim();
    if body.is_empty() {
        return paint(style, if text.contains('\n') { "¶" } else { text });
    }
    text.replacen(body, &paint(style, body), 1)
}

fn whole(op: &SentenceOp) -> String {
    let line = |mark: &str, style: Style, text: &str| match text.trim() {
        "" => String::new(),
        text => format!("{}\n", paint(style, &format!("{mark} {text}"))),
    };
    match op {
        SentenceOp::Equal { text } => line(" ", Style::new(), text),
        SentenceOp::Delete { text } => line("-", DELETED, text),
        SentenceOp::Insert { text } => line("+", INSERTED, text),
        SentenceOp::Replace { parts } => {
            let side = |keeps: fn(&CharOp) -> bool| -> String {
                let kept = parts.iter().filter(|part| keeps(part));
                kept.map(|(CharOp::Equal(s) | CharOp::Delete(s) | CharOp::Insert(s))| s.as_str()).collect()
            };
            let old = side(|part| !matches!(part, CharOp::Insert(_)));
            let new = side(|part| !matches!(part, CharOp::Delete(_)));
            line("-", DELETED, &old) + &line("+", INSERTED, &new)
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FilesReport {
    pub old: String,
    pub new: String,
    pub files: Vec<FileStat>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileStat {
    pub path: String,
    /// `added`, `deleted` or `modified`.
    pub change: &'static str,
    pub added_lines: u64,
    pub deleted_lines: u64,
}

impl FilesReport {
    /// A row per file.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let (old, new, n) = (version(&self.old, lang), version(&self.new, lang), self.files.len());
        let heading = say!(lang, diff_old_new(old, new, n));
        let mut table = Table::bare("lrr", 0).indented(2);
        for file in &self.files {
            table.row([
                file.path.as_str().into(),
                Cell::painted(GOOD, format!("+{}", figures::count(file.added_lines))),
                Cell::painted(super::style::BAD, format!("-{}", figures::count(file.deleted_lines))),
            ]);
        }
        format!("{}\n{}", paint(STRONG, &heading), table.text(columns))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonReport {
    #[serde(flatten)]
    comparison: Comparison,
    /// The prose diff of one chapter; null for whole lines.
    pub prose: Option<DiffReport>,
}

/// A value for people. Operations show the new value, a step with its sign, the added or removed entry, or the
/// foreshadowing's step.
fn said(told: &StateAtPath, lang: Lang) -> String {
    let op = |op: &Op| match op {
        Op::Set { value, .. } => plain(value),
        Op::Inc { by, .. } if by.to_string().starts_with('-') => by.to_string(),
        Op::Inc { by, .. } => format!("+{by}"),
        Op::Add { value, .. } => format!("+ {}", plain(value)),
        Op::Remove { value, .. } => format!("- {}", plain(value)),
        Op::Foreshadow(op) if op.detail.is_empty() => op.action.say(lang).to_owned(),
        Op::Foreshadow(op) => format!("{}{}{}", op.action.say(lang), say!(lang, colon), op.detail),
    };
    match told {
        StateAtPath::Value(value) => value.clone(),
        StateAtPath::Ops(ops) => ops.iter().map(op).collect::<Vec<_>>().join(say!(lang, clause_semicolon)),
    }
}

const SHOWN: usize = 20;

impl ComparisonReport {
    pub fn of(comparison: Comparison) -> Self {
        let words = |side: fn(&ChapterPair) -> &Option<ChapterFacts>| {
            comparison.chapters.first().and_then(|pair| side(pair).as_ref()).map_or(0, |facts| facts.words)
        };
        let prose = comparison.texts.as_ref().map(|(old, new)| {
            let (old_side, new_side) = (comparison.a.name.as_str(), comparison.b.name.as_str());
            DiffReport::new((old_side, words(|pair| &pair.a)), (new_side, words(|pair| &pair.b)), &diff(old, new))
        });
        Self { comparison, prose }
    }

    /// A table of the chapters, the differing values, and the prose.
    pub fn text(&self, lang: Lang, columns: usize, marks: Marks) -> String {
        let (a, b) = (&self.comparison.a.name, &self.comparison.b.name);
        let mut out = format!("{}\n", paint(STRONG, &format!("{a} ↔ {b}")));
        if let Some(shared) = self.comparison.shared {
            out.push_str(&say!(lang, same_up_to(shared)));
        }
        if self.comparison.chapters.is_empty() {
            out.push_str(say!(lang, every_chapter_is_same));
        } else {
            out.push_str(&self.table(lang, columns));
        }
        if !self.comparison.state.is_empty() {
            // For two texts their operations are compared, for two branches the states at their ends.
            let (heading, nothing) = match self.prose.is_some() {
                true => (say!(lang, where_operations_differ(a, b)), say!(lang, compare_no_change)),
                false => (say!(lang, where_states_differ(a, b)), say!(lang, compare_no_value)),
            };
            out.push_str(&format!("{}\n", paint(DIM, &format!("── {heading}"))));
            for StateDifference { path, a, b } in self.comparison.state.iter().take(SHOWN) {
                let path = words::of_path(path, &self.comparison.names, lang);
                let said = |told: &Option<StateAtPath>| {
                    told.as_ref().map_or_else(|| nothing.to_owned(), |told| said(told, lang))
                };
                let (a, b) = (said(a), said(b));
                let line = format!("  {path}  {a} → {b}\n");
                match width(&line) <= columns {
                    true => out.push_str(&line),
                    false => out.push_str(&wrapped(&format!("  {path}\n    {a} → {b}\n"), columns)),
                }
            }
            if self.comparison.state.len() > SHOWN {
                out.push_str(&say!(lang, compare_and_more(n = self.comparison.state.len() - SHOWN)));
            }
        }
        if let Some(prose) = &self.prose {
            out.push_str(&prose.text(lang, Detail::Words, marks));
        }
        out
    }

    fn table(&self, lang: Lang, columns: usize) -> String {
        let (a, b) = (self.comparison.a.name.as_str(), self.comparison.b.name.as_str());
        let [words, score] = [say!(lang, column_words), say!(lang, column_score)];
        let headings = ["", a, words, score, b, words, score];
        let mut table = Table::new(headings, "llrrlrr", 4).indented(2);
        for pair in &self.comparison.chapters {
            // Two chapters named by the headings have no number in common.
            let chapter = pair.chapter.to_string();
            let label = if [a, b].contains(&chapter.as_str()) { String::new() } else { chapter };
            let mut row = vec![Cell::painted(DIM, label)];
            for facts in [&pair.a, &pair.b] {
                let (title, words) = facts.as_ref().map_or_else(
                    || ("–".to_owned(), String::new()),
                    |facts| (facts.title.clone(), figures::count(facts.words)),
                );
                let score = facts.as_ref().and_then(|facts| facts.score).map(figures::score).unwrap_or_default();
                row.extend([title.into(), words.into(), score.into()]);
            }
            table.row(row);
        }
        table.text(columns)
    }
}
