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

use crate::domain::chapter::{bare_title, numbered};
use crate::domain::notation::parse_numeral;
use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::Action;
pub use crate::domain::volume::outline::field::{Field, OutlineError, OutlineProblem, label_part};
use crate::domain::volume::outline::field::{bare_label, label_of, labelled};

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
fn read_heading(heading: &str) -> Option<(u32, String)> {
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
fn bare_heading(line: &str) -> &str {
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
fn read_tasks(text: &str) -> Vec<ThreadTask> {
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

impl Outline {
    /// Reads an outline that names storylines by id, or as `主线`; see [`parse_with`](Self::parse_with).
    pub fn parse(text: &str) -> Result<Self, Vec<OutlineError>> {
        Self::parse_with(text, &ids_only)
    }

    /// Reads an outline. Returns all mistakes, missing fields included, in line order; never an empty list.
    pub fn parse_with(text: &str, resolve: Resolver<'_>) -> Result<Self, Vec<OutlineError>> {
        let (outline, gaps) = Self::partial(text, resolve)?;
        let lacks = |(chapter, fields): (ChapterNo, BTreeSet<Field>)| {
            let line = outline.section(chapter).map_or(1, |section| section.line);
            let of =
                move |field| OutlineError { line, problem: OutlineProblem::Lacks { chapter: chapter.get(), field } };
            fields.into_iter().map(of).collect::<Vec<_>>()
        };
        let errors: Vec<OutlineError> = gaps.into_iter().flat_map(lacks).collect();
        if errors.is_empty() { Ok(outline) } else { Err(errors) }
    }

    /// Reads an outline that may leave fields to the planner, and returns these gaps. A chapter without a storyline is
    /// on the main line until it has one. Returns all other mistakes in line order; never an empty list.
    pub fn partial(text: &str, resolve: Resolver<'_>) -> Result<(Self, Gaps), Vec<OutlineError>> {
        let (outline, gaps, errors) = Self::with_mistakes(text, resolve);
        if errors.is_empty() { Ok((outline, gaps)) } else { Err(errors) }
    }

    /// Reads an outline whose sections may have any numbers, or be gone; `None` for one with other mistakes.
    pub fn in_any_order(text: &str) -> Option<Self> {
        let (outline, _, errors) = Self::with_mistakes(text, &|_| Slug::new(MAIN_LINE).ok());
        errors
            .iter()
            .all(|error| error.problem.is_of_order() || error.problem == OutlineProblem::Empty)
            .then_some(outline)
    }

    fn with_mistakes(text: &str, resolve: Resolver<'_>) -> (Self, Gaps, Vec<OutlineError>) {
        let mut outline = Self::default();
        let mut gaps = Gaps::new();
        let mut errors = Vec::new();
        let mut open: Option<OpenSection> = None;
        let lines = visible_lines(text);
        for (at, (number, line)) in lines.iter().enumerate() {
            let (number, line) = (*number, *line);
            let heading = heading_of(line, lines[at + 1..].iter().map(|(_, line)| *line));
            match heading {
                Some(Heading::Section | Heading::NotMarked) => {
                    if let Some(section) = open.take() {
                        section.close(resolve, &mut outline, &mut gaps, &mut errors);
                    }
                    if matches!(heading, Some(Heading::NotMarked)) {
                        let shown = bare_heading(line).to_owned();
                        errors.push(OutlineError { line: number, problem: OutlineProblem::NotMarked(shown) });
                    }
                    open = OpenSection::begin(line, number, &mut errors);
                }
                None => match &mut open {
                    Some(section) => section.read(line, number, &mut errors),
                    None if outline.sections.is_empty() && errors.is_empty() => {
                        outline.preface.push_str(line);
                        outline.preface.push('\n');
                    }
                    None => {}
                },
            }
        }
        if let Some(section) = open.take() {
            section.close(resolve, &mut outline, &mut gaps, &mut errors);
        }
        let mut first_at: BTreeMap<ChapterNo, usize> = BTreeMap::new();
        let mut wanted: Option<ChapterNo> = None;
        for section in &outline.sections {
            let (chapter, line) = (section.chapter, section.line);
            let problem = match (first_at.get(&chapter), wanted) {
                (Some(first), _) => Some(OutlineProblem::Repeated { chapter: chapter.get(), first: *first }),
                (None, Some(wanted)) if chapter != wanted => {
                    Some(OutlineProblem::OutOfOrder { found: chapter.get(), wanted: wanted.get() })
                }
                _ => None,
            };
            errors.extend(problem.map(|problem| OutlineError { line, problem }));
            first_at.entry(chapter).or_insert(line);
            wanted = Some(chapter.next());
        }
        if outline.sections.is_empty() && errors.is_empty() {
            errors.push(OutlineError { line: 1, problem: OutlineProblem::Empty });
        }
        errors.sort_by_key(|error| error.line);
        (outline, gaps, errors)
    }

    /// Reads an outline with any storyline names, for its chapters and its form.
    pub fn form(text: &str) -> Result<(Self, Gaps), Vec<OutlineError>> {
        Self::partial(text, &|_| Slug::new(MAIN_LINE).ok())
    }

    /// True when the text has a chapter's heading, well marked or not. Other texts are remarks on a volume whose
    /// chapters are still to be planned.
    pub fn is_begun(text: &str) -> bool {
        let lines = visible_lines(text);
        (0..lines.len()).any(|at| heading_of(lines[at].1, lines[at + 1..].iter().map(|(_, line)| *line)).is_some())
    }
}

/// The lines outside comments with their numbers from 1. A comment is advice to the author, not a part of the plan.
fn visible_lines(text: &str) -> Vec<(usize, &str)> {
    let mut in_comment = false;
    let mut visible = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let hidden = in_comment || line.trim_start().starts_with("<!--");
        in_comment = hidden && !line.contains("-->");
        if !hidden {
            visible.push((index + 1, line));
        }
    }
    visible
}

struct OpenSection {
    chapter: ChapterNo,
    title: String,
    line: usize,
    fields: BTreeMap<Field, String>,
    current: Option<Field>,
    /// Unknown labels with their lines, which may be misspelt fields.
    strays: Vec<(usize, String)>,
    source: String,
}

impl OpenSection {
    fn begin(heading: &str, line: usize, errors: &mut Vec<OutlineError>) -> Option<Self> {
        let read = read_heading(heading).and_then(|(number, title)| Some((ChapterNo::new(number)?, title)));
        let Some((chapter, title)) = read else {
            errors.push(OutlineError { line, problem: OutlineProblem::NoNumber(heading.trim().to_owned()) });
            return None;
        };
        let source = format!("{}\n", heading.trim_end());
        Some(Self { chapter, title, line, fields: BTreeMap::new(), current: None, strays: Vec::new(), source })
    }

    fn read(&mut self, text: &str, line: usize, errors: &mut Vec<OutlineError>) {
        self.source.push_str(text.trim_end());
        self.source.push('\n');
        let bare = text.trim().trim_start_matches(['-', '*', '+', ' ']);
        if let Some((field, rest)) = labelled(text) {
            let value = rest.trim().trim_start_matches("**").trim().to_owned();
            if self.fields.insert(field, value).is_some() {
                let problem = OutlineProblem::Twice { chapter: self.chapter.get(), field };
                errors.push(OutlineError { line, problem });
            }
            self.current = Some(field);
            return;
        }
        if text.trim().is_empty() {
            // A blank line does not end a field: authors put one between the label and a list.
            return;
        }
        // An indented line belongs to the field above it.
        if let Some((label, _)) = label_of(text).filter(|_| !text.starts_with([' ', '\t', '　'])) {
            self.strays.push((line, bare_label(label)));
        }
        if let Some(value) = self.current.and_then(|field| self.fields.get_mut(&field)) {
            if !value.is_empty() {
                value.push('\n');
            }
            value.push_str(bare);
        }
    }

    fn close(self, resolve: Resolver<'_>, outline: &mut Outline, gaps: &mut Gaps, errors: &mut Vec<OutlineError>) {
        let chapter = self.chapter.get();
        let is_empty = |field: &Field| self.fields.get(field).is_none_or(|value| value.trim().is_empty());
        let missing = Field::ALL.iter().copied().filter(|field| field.is_required() && is_empty(field));
        let mut gap: BTreeSet<Field> = missing.collect();
        for (line, label) in &self.strays {
            let Some(meant) = gap.iter().copied().find(|field| field.is_near(label)) else { continue };
            gap.remove(&meant);
            errors.push(OutlineError { line: *line, problem: OutlineProblem::Unknown { label: label.clone(), meant } });
        }
        let written = self.fields.get(&Field::Storyline).map_or("", String::as_str).trim();
        let storyline = if written.is_empty() {
            resolve(MAIN_LINE_NAME).or_else(|| Slug::new(MAIN_LINE).ok())
        } else {
            storyline_of(written, resolve)
        };
        let Some(storyline) = storyline else {
            let problem = OutlineProblem::Storyline(written.to_owned());
            errors.push(OutlineError { line: self.line, problem });
            return;
        };
        let tasks = read_tasks(self.fields.get(&Field::Foreshadowing).map_or("", String::as_str));
        if !gap.is_empty() {
            gaps.insert(self.chapter, gap);
        }
        outline.sections.push(Section {
            chapter: self.chapter,
            title: if self.title.is_empty() { format!("第{chapter}章") } else { self.title },
            line: self.line,
            storyline,
            fields: self.fields,
            tasks,
            source: self.source.trim_end().to_owned(),
        });
    }
}

/// The storyline in a field: `main-arc`, `主线`, `靖海计划（sea-plan）`.
fn storyline_of(written: &str, resolve: Resolver<'_>) -> Option<Slug> {
    let written = written.lines().next().unwrap_or_default().trim_matches(['`', ' ', '《', '》', '“', '”', '"']);
    let id = written.split(['（', '(', ' ', '，', ',']).next().unwrap_or_default();
    let name = written.split(['（', '(', '，', ',']).next().unwrap_or_default().trim();
    let inside = written.split_once(['（', '(']).map(|(_, rest)| rest.trim_end_matches(['）', ')']).trim());
    let slug = |text: &str| Slug::new(text).ok();
    slug(id).or_else(|| resolve(name)).or_else(|| resolve(written)).or_else(|| slug(inside?))
}
