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

pub mod edit;
mod field;
pub mod heading;
mod read;
pub mod task;

pub use field::{Field, label_part};
pub use field::{OutlineError, Problem};

use crate::domain::chapter::bare_title;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};
use task::Task;

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
    pub tasks: Vec<Task>,
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

    /// Fails with [`Problem::Begins`], with the line of the first heading, when the outline begins with another
    /// chapter.
    pub fn begins_with(&self, wanted: ChapterNo) -> Result<(), OutlineError> {
        match self.sections.first() {
            Some(first) if first.chapter != wanted => {
                let problem = Problem::Begins { found: first.chapter.get(), wanted: wanted.get() };
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
    let is_numeral = |number: &str| crate::domain::numeral::parse_numeral(number).is_some();
    let numbered = text.trim().strip_prefix('第').and_then(|rest| rest.split_once('卷'));
    let title = numbered.filter(|(number, _)| is_numeral(number)).map_or(text, |(_, title)| title);
    bare_title(title).to_owned()
}

#[cfg(test)]
mod tests;
