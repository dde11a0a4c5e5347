//! The fields of a chapter's section, and their labels.
//! Writing into an outline: sections and values are put in place, and every other line stays the author's.

use crate::domain::prelude::*;
use crate::domain::volume::outline::Outline;

named! {
    /// All but the last four fields are required.
    pub enum Field {
        Storyline = "故事线",
        /// The person through whose eyes the chapter is told.
        Pov = "视角",
        Location = "地点",
        Conflict = "冲突",
        /// The change in a person.
        Arc = "人物弧光",
        /// Things planted, advanced or resolved; `无` for none.
        Foreshadowing = "伏笔",
        /// The state that is different afterwards.
        StateChanges = "状态变化",
        /// How the chapter leads to another storyline.
        Transition = "过渡",
        /// Ids of the world rules that the conflict needs.
        Rules = "规则",
        /// The reader's reward: a question answered, a debt settled, a wish granted.
        Payoff = "兑现",
        /// The question or turn that makes the reader open the next chapter.
        Hook = "章末钩子",
    }
}

impl Field {
    /// The name in the source documents, which is read as well.
    pub const fn english(self) -> &'static str {
        match self {
            Self::Storyline => "Storyline",
            Self::Pov => "POV",
            Self::Location => "Location",
            Self::Conflict => "Conflict",
            Self::Arc => "Arc",
            Self::Foreshadowing => "Foreshadowing",
            Self::StateChanges => "StateChanges",
            Self::Transition => "Transition",
            Self::Rules => "Rules",
            Self::Payoff => "Payoff",
            Self::Hook => "Hook",
        }
    }

    /// True when a section without the field is a mistake.
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Transition | Self::Rules | Self::Payoff | Self::Hook)
    }

    /// Other names that can mean only this field.
    const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Storyline => &["所属故事线", "故事线索"],
            Self::Pov => &["视点", "视角人物", "叙事视角"],
            Self::Location => &["场景", "时间地点", "地点时间"],
            Self::Conflict => &["核心冲突", "主要冲突"],
            Self::Arc => &["弧光", "角色弧光", "人物弧线"],
            Self::Foreshadowing => &["伏笔任务"],
            Self::StateChanges => &["状态变更", "章后状态", "状态"],
            Self::Transition => &["转场", "衔接"],
            Self::Rules => &["世界规则"],
            Self::Payoff => &["爽点", "回报"],
            Self::Hook => &["钩子", "章末悬念"],
        }
    }

    pub fn of_label(label: &str) -> Option<Self> {
        let bare = bare_label(label);
        let is = |f: &Self| {
            bare == f.as_str() || bare.eq_ignore_ascii_case(f.english()) || f.aliases().contains(&bare.as_str())
        };
        Self::ALL.iter().copied().find(is)
    }

    /// True for a label close to one of the field's names: a part of it, or one letter away.
    pub(super) fn is_near(self, label: &str) -> bool {
        let label = bare_label(label);
        let near = |name: &str| {
            let (a, b): (Vec<char>, Vec<char>) =
                (label.to_lowercase().chars().collect(), name.to_lowercase().chars().collect());
            label.contains(name) || distance(&a, &b) <= if b.len() > 4 { 2 } else { 1 }
        };
        near(self.as_str()) || near(self.english()) || self.aliases().iter().any(|alias| near(alias))
    }
}

/// A label without spaces and Markdown marks.
pub(super) fn bare_label(label: &str) -> String {
    label.chars().filter(|c| !matches!(c, '*' | ' ' | '　' | '_' | '`')).collect()
}

/// The edit distance of two lists of letters.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut above_left = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = (above_left + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            above_left = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.len()]
}

/// The field at the start of a line, and its value.
pub(super) fn labelled(line: &str) -> Option<(Field, &str)> {
    let (label, rest) = label_of(line)?;
    Some((Field::of_label(label)?, rest))
}

/// The part of a line before the value of a field; empty for another line.
pub fn label_part(line: &str) -> &str {
    let value = labelled(line).map(|(_, value)| value.len());
    value.map_or("", |value| &line[..line.trim_end().len() - value])
}

pub(super) fn label_of(line: &str) -> Option<(&str, &str)> {
    line.trim().trim_start_matches(['-', '*', '+', ' ']).split_once([':', '：'])
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem:?}")]
pub struct OutlineError {
    /// Counted from 1.
    pub line: usize,
    pub problem: OutlineProblem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutlineProblem {
    /// No `## ` section.
    Empty,
    /// A heading without a chapter number.
    NoNumber(String),
    /// A chapter's heading that is not marked as one.
    NotMarked(String),
    /// Chapters do not follow each other.
    OutOfOrder { found: u32, wanted: u32 },
    /// A chapter stands twice.
    Repeated {
        chapter: u32,
        /// The line of the first heading, from 1.
        first: usize,
    },
    /// The first chapter is not the one that the volume begins with.
    Begins { found: u32, wanted: u32 },
    /// An unknown label, in a chapter that lacks a field with a similar name.
    Unknown {
        label: String,
        /// The missing field with the nearest name.
        meant: Field,
    },
    /// A field is missing or empty.
    Lacks { chapter: u32, field: Field },
    /// A field stands twice in a section.
    Twice { chapter: u32, field: Field },
    /// No storyline has that id or name.
    Storyline(String),
}

impl OutlineProblem {
    /// True for a heading whose number alone is wrong.
    pub fn is_of_order(&self) -> bool {
        matches!(self, Self::OutOfOrder { .. } | Self::Repeated { .. })
    }
}

impl Outline {
    /// The source text with values for empty or missing fields. Every other byte stays.
    pub fn filled(&self, text: &str, new: &BTreeMap<ChapterNo, BTreeMap<Field, String>>) -> String {
        self.rewritten(text, new, fill_section)
    }

    /// The source text with other sections for some chapters. Every other line stays, and so do the comments in a
    /// replaced section.
    pub fn spliced(&self, text: &str, new: &BTreeMap<ChapterNo, String>) -> String {
        self.rewritten(text, new, |out, lines, source| splice(out, lines, source))
    }

    /// The source text with the sections of some chapters written by `write`, which gets the lines of the section and
    /// the new value. Every other line stays.
    fn rewritten<T>(
        &self,
        text: &str,
        new: &BTreeMap<ChapterNo, T>,
        write: impl Fn(&mut String, &[&str], &T),
    ) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (at, section) in self.sections.iter().enumerate() {
            let Some(new) = new.get(&section.chapter) else { continue };
            let begin = (section.line - 1).min(lines.len());
            let end = self.sections.get(at + 1).map_or(lines.len(), |next| (next.line - 1).min(lines.len()));
            out.extend(lines[done..begin].iter().copied());
            write(&mut out, &lines[begin..end], new);
            done = end;
        }
        out.extend(lines[done.min(lines.len())..].iter().copied());
        out
    }
}

fn ending(lines: &[&str]) -> &'static str {
    if lines.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" }
}

/// The lines of a section that are in a comment, and the index of the last line with content.
fn visible(lines: &[&str]) -> (Vec<bool>, usize) {
    let mut in_comment = false;
    let mut hidden: Vec<bool> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_hidden = in_comment || line.trim_start().starts_with("<!--");
        in_comment = is_hidden && !line.contains("-->");
        hidden.push(is_hidden);
    }
    let last = (0..lines.len()).rev().find(|at| !hidden[*at] && !lines[*at].trim().is_empty()).unwrap_or(0);
    (hidden, last)
}

/// Puts values into a section: behind the colon of an empty field, or else on lines of their own after the last line
/// with content.
fn fill_section(out: &mut String, lines: &[&str], fields: &BTreeMap<Field, String>) {
    let ending = ending(lines);
    let (hidden, last) = visible(lines);
    let mut left = fields.clone();
    for (at, line) in lines.iter().enumerate() {
        let empty = (!hidden[at])
            .then(|| labelled(line))
            .flatten()
            .filter(|(_, rest)| rest.trim().trim_matches('*').is_empty())
            .and_then(|(field, _)| left.remove(&field));
        match empty {
            Some(value) => {
                let end = line.len() - line.trim_end_matches(['\r', '\n']).len();
                let body = line[..line.len() - end].trim_end();
                out.push_str(&format!("{body} {}{}", one_line(&value), &line[line.len() - end..]));
            }
            None => out.push_str(line),
        }
        if at == last {
            // A value of an empty field further below goes there.
            let here: Vec<Field> = left.keys().copied().collect();
            if !here.is_empty() && !out.ends_with('\n') {
                out.push_str(ending);
            }
            for field in here {
                let value = left.remove(&field).unwrap_or_default();
                out.push_str(&format!("- {field}: {}{ending}", one_line(&value)));
            }
        }
    }
}

/// Replaces the lines of a section, keeping its comments and the empty lines at its end.
fn splice(out: &mut String, lines: &[&str], source: &str) {
    let ending = ending(lines);
    for line in source.trim_end().lines() {
        out.push_str(line);
        out.push_str(ending);
    }
    let (hidden, last) = visible(lines);
    let kept = lines.iter().enumerate().filter(|(at, _)| *at > last || hidden[*at]);
    kept.for_each(|(_, line)| out.push_str(line));
}

pub fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("；")
}

/// A chapter's section as in an outline. Values are put on one line each.
pub fn write_section(chapter: ChapterNo, title: &str, fields: &BTreeMap<Field, String>) -> String {
    let mut text = format!("## 第{}章 {}\n\n", chapter.get(), one_line(title));
    for (field, value) in fields {
        text.push_str(&format!("- {field}: {}\n", one_line(value)));
    }
    text
}
