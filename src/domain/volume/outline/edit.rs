//! Writing into an outline: sections and values are put in place, and every other line stays the author's.

use super::Outline;
use super::field::{Field, labelled};
use crate::domain::ChapterNo;
use std::collections::BTreeMap;

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
