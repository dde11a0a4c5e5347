//! A volume's outline: Markdown with one `## ` section a chapter, readable and writable by hand.
//!
//! ```text
//! ## 第48章 密信
//!
//! - 故事线: main-arc
//! - 视角: 林枫
//! - 地点: 城北废墟
//! - 冲突: 暗号指向城北，而城北今夜封城
//! - 人物弧光: 从不信人到第一次托付
//! - 伏笔: 推进 ancient_prophecy：符文与预言同源
//! - 状态变化: 林枫到城北废墟；得到密信
//! ```
//!
//! The seven fields are those of the product document, §5.3. Optional are `过渡`, how the chapter leads to another
//! storyline (§6.6.3), `规则`, the world rules that its conflict needs (`W-001、W-004`, §6.5.4), `兑现`, the reader's
//! reward, and `章末钩子`, the hook at the end. Their English names (`Storyline`, `POV`, `Location`, `Conflict`, `Arc`,
//! `Foreshadowing`, `StateChanges`, `Transition`, `Rules`, `Payoff`, `Hook`) are read as well, with or without list
//! dashes and bold marks, with a half- or full-width colon, and over several lines. Headings are read as authors write
//! them: `##第1章`, `## 第一章：密信`, `## Chapter 1`, with half- or full-width digits. A storyline stands with its id or its
//! name; `主线` is the main line. Text before the first chapter and in HTML comments is the author's.

pub mod field;
mod read;

pub use field::{Field, OutlineError, OutlineProblem, label_part};

use crate::domain::chapter::{bare_title, numbered};
use crate::domain::notation::parse_numeral;
use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::field::labelled;

/// The id of the main line, where no storyline has that role.
pub const MAIN_LINE: &str = "main-arc";
pub const MAIN_LINE_NAME: &str = "主线";

/// Finds the id of a storyline by its name in an outline.
pub type Resolver<'r> = &'r dyn Fn(&str) -> Option<Slug>;

/// Resolves only the name of the main line.
pub fn ids_only(name: &str) -> Option<Slug> {
    if name == MAIN_LINE_NAME { Slug::new(MAIN_LINE).ok() } else { None }
}

/// Fields left to the planner, by chapter.
pub type Gaps = BTreeMap<ChapterNo, BTreeSet<Field>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub chapter: ChapterNo,
    pub title: String,
    /// The line of the heading, from 1.
    pub line: usize,
    pub storyline: Slug,
    /// Texts of the other fields, [`Field::Storyline`] included, as written.
    pub fields: BTreeMap<Field, String>,
    /// The parsed foreshadowing field.
    pub tasks: Vec<ThreadTask>,
    /// The section as written, with its heading, for prompts.
    pub source: String,
}

impl Section {
    pub fn field(&self, field: Field) -> &str {
        self.fields.get(&field).map_or("", String::as_str)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The text before the first chapter: the volume's title and remarks.
    pub preface: String,
    /// In order, without gaps.
    pub sections: Vec<Section>,
}

impl Outline {
    /// The tasks of a plot thread, each with its chapter.
    pub fn tasks_of(&self, id: &Slug) -> Vec<(ChapterNo, Action, &str)> {
        let tasks = self.sections.iter().flat_map(|section| section.tasks.iter().map(|task| (section.chapter, task)));
        tasks
            .filter(|(_, task)| task.id == *id)
            .map(|(chapter, task)| (chapter, task.action, task.detail.as_str()))
            .collect()
    }

    /// Fails with [`OutlineProblem::Begins`], with the line of the first heading, when the outline begins with another
    /// chapter.
    pub fn begins_with(&self, wanted: ChapterNo) -> Result<(), OutlineError> {
        match self.sections.first() {
            Some(first) if first.chapter != wanted => {
                let problem = OutlineProblem::Begins { found: first.chapter.get(), wanted: wanted.get() };
                Err(OutlineError { line: first.line, problem })
            }
            _ => Ok(()),
        }
    }

    pub fn section(&self, chapter: ChapterNo) -> Option<&Section> {
        self.sections.iter().find(|section| section.chapter == chapter)
    }

    /// The storylines, in the order of their first chapters.
    pub fn storylines(&self) -> Vec<Slug> {
        let mut lines = Vec::new();
        for section in &self.sections {
            if !lines.contains(&section.storyline) {
                lines.push(section.storyline.clone());
            }
        }
        lines
    }

    /// First and last planned chapter.
    pub fn range(&self) -> Option<(ChapterNo, ChapterNo)> {
        Some((self.sections.first()?.chapter, self.sections.last()?.chapter))
    }
}

/// The title in the first line of an outline such as `# 第二卷 七日`; empty where the line has a number alone or is no heading.
pub fn volume_title(outline: &str) -> String {
    let heading = outline.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty());
    let Some(text) = heading.and_then(|line| line.trim().strip_prefix("# ")) else { return String::new() };
    let is_numeral = |number: &str| crate::domain::notation::parse_numeral(number).is_some();
    let numbered = text.trim().strip_prefix('第').and_then(|rest| rest.split_once('卷'));
    let title = numbered.filter(|(number, _)| is_numeral(number)).map_or(text, |(_, title)| title);
    bare_title(title).to_owned()
}

#[cfg(test)]
mod tests;

/// The number and the title of a heading: `第12章 …`, `第十二章 …`, `12. …`, `Chapter 12: …`, `ch-012 …`.
pub(super) fn read_heading(heading: &str) -> Option<(u32, String)> {
    let text = bare_heading(heading);
    let separators = [' ', '　', ':', '：', '.', '、', '-', '—'];
    if let Some((number, title)) = numbered(text) {
        return Some((parse_numeral(number)?, bare_title(title.trim_start_matches(separators)).to_owned()));
    }
    let lower = text.to_ascii_lowercase();
    let word =
        ["chapter-", "chapter", "ch-", "ch."].iter().find(|word| lower.starts_with(**word)).map_or(0, |w| w.len());
    let rest = text[word..].trim_start();
    let title = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest[..rest.len() - title.len()].parse().ok()?;
    Some((number, bare_title(title.trim_start_matches(separators)).to_owned()))
}

pub(super) enum Heading {
    /// `## …`: a chapter begins.
    Section,
    /// A chapter's heading with another number of hash marks, or with none.
    NotMarked,
}

/// A line without hash marks, list marks and bold marks.
pub(super) fn bare_heading(line: &str) -> &str {
    line.trim().trim_start_matches(['#', '＃']).trim().trim_matches('*').trim()
}

/// The kind of heading of a line. One without hash marks is told from a sentence by the field after it.
pub(super) fn heading_of<'l>(line: &str, mut after: impl Iterator<Item = &'l str>) -> Option<Heading> {
    let text = line.trim_end();
    let level = text.chars().take_while(|c| matches!(c, '#' | '＃')).count();
    let bare = bare_heading(text);
    let is_chapter =
        || numbered(bare).is_some() || bare.to_ascii_lowercase().starts_with("chapter") && read_heading(bare).is_some();
    match level {
        2 if text.starts_with("## ") || is_chapter() => Some(Heading::Section),
        0 if text.starts_with([' ', '\t', '　', '-', '+']) || bare.is_empty() || !is_chapter() => None,
        0 => {
            let next = after.find(|line| !line.trim().is_empty())?;
            labelled(next).map(|_| Heading::NotMarked)
        }
        _ if level != 2 && is_chapter() => Some(Heading::NotMarked),
        _ => None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadTask {
    pub action: Action,
    pub id: Slug,
    pub detail: String,
}

/// The action that the first word of a text names, in Chinese or English, and the rest of the text.
pub fn read_action(text: &str) -> Option<(Action, &str)> {
    let words: [(&str, Action); 11] = [
        ("埋设", Action::Planted),
        ("埋下", Action::Planted),
        ("planted", Action::Planted),
        ("plant", Action::Planted),
        ("推进", Action::Advanced),
        ("advanced", Action::Advanced),
        ("advance", Action::Advanced),
        ("回收", Action::Resolved),
        ("resolved", Action::Resolved),
        ("resolve", Action::Resolved),
        ("收束", Action::Resolved),
    ];
    words.iter().find_map(|(word, action)| {
        let (begins, rest) = text.split_at_checked(word.len())?;
        begins.eq_ignore_ascii_case(word).then_some((*action, rest))
    })
}

/// Parses `推进 ancient_prophecy：符文与预言同源；埋设 mirror：…`. Parts without an action and an id are remarks.
pub(super) fn read_tasks(text: &str) -> Vec<ThreadTask> {
    let parts = text.split(['；', ';', '\n']);
    parts
        .filter_map(|part| {
            let (action, rest) = read_action(part.trim().trim_start_matches(['-', '*', ' ']))?;
            let rest = rest.trim_start_matches([' ', '　', ':', '：', '`']);
            let id: String = rest
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
                .collect();
            let detail = rest[id.len()..].trim_matches([' ', '　', ':', '：', '`', '。', '（', '）', '(', ')']);
            Some(ThreadTask { action, id: Slug::new(&id).ok()?, detail: detail.to_owned() })
        })
        .collect()
}
