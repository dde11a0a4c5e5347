//! Changes of a text: the answer of `novel diff`.

use super::style::{DELETED, INSERTED};
use crate::domain::chapter::stage::Stage;
use crate::report::prelude::*;
use crate::text::{CharOp, Hunk, ProseDiff, SentenceOp};
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
    pub files: Vec<FileChange>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileChange {
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
