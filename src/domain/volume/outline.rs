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
//! The seven fields are those of the product document, §5.3, and `过渡` says, where it is wanted, how the chapter leads
//! over to another storyline (§6.6.3), and `规则` which world rules it hangs on (`W-001、W-004`, §6.5.4); their English names (`Storyline`, `POV`, `Location`,
//! `Conflict`, `Arc`, `Foreshadowing`, `StateChanges`, `Transition`, `Rules`) are read as well, with or without list dashes and bold marks,
//! with a half- or full-width colon, and over several lines. Headings are read as authors write them: `##第1章`,
//! `## 第一章：密信`, `## Chapter 1`, with half- or full-width digits. A storyline stands with its id or its name; `主线` is
//! the main line. Text before the first chapter is the author's, and so is everything in HTML comments.

use super::foreshadowing::Action;
use crate::domain::chapter::{bare_title, numbered};
use crate::domain::named::named;
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

named! {
    /// A field of a chapter's section. All but the last two must be there.
    pub enum Field {
        /// The storyline's id.
        Storyline = "故事线",
        /// Whose eyes.
        Pov = "视角",
        /// Where.
        Location = "地点",
        /// The chapter's core conflict.
        Conflict = "冲突",
        /// What changes in a person.
        Arc = "人物弧光",
        /// What is planted, advanced or resolved; `无` for nothing.
        Foreshadowing = "伏笔",
        /// What is different afterwards.
        StateChanges = "状态变化",
        /// How the chapter leads over to another storyline.
        Transition = "过渡",
        /// The ids of the world rules that the chapter hangs on.
        Rules = "规则",
    }
}

impl Field {
    /// The name in the source documents, read as well.
    #[must_use]
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
        }
    }

    /// Whether a section without it is a mistake.
    #[must_use]
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Transition | Self::Rules)
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
        }
    }

    fn of_label(label: &str) -> Option<Self> {
        let bare = bare_label(label);
        let is = |f: &Self| {
            bare == f.as_str() || bare.eq_ignore_ascii_case(f.english()) || f.aliases().contains(&bare.as_str())
        };
        Self::ALL.iter().copied().find(is)
    }

    /// Returns true for a label that is close to one of the field's names: a part of it, or one letter away.
    fn is_near(self, label: &str) -> bool {
        let label = bare_label(label);
        let near = |name: &str| {
            let (a, b): (Vec<char>, Vec<char>) =
                (label.to_lowercase().chars().collect(), name.to_lowercase().chars().collect());
            label.contains(name) || distance(&a, &b) <= if b.len() > 4 { 2 } else { 1 }
        };
        near(self.as_str()) || near(self.english()) || self.aliases().iter().any(|alias| near(alias))
    }
}

/// A label without the marks of Markdown and without spaces.
fn bare_label(label: &str) -> String {
    label.chars().filter(|c| !matches!(c, '*' | ' ' | '　' | '_' | '`')).collect()
}

/// How many letters have to be added, left out or changed to make `b` of `a`.
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

/// The id of a book's main line, where no storyline says that it is another.
pub const MAIN_LINE: &str = "main-arc";
/// The word for it in outlines.
pub const MAIN_LINE_NAME: &str = "主线";

/// Finds the id of a storyline that an outline calls by its name.
pub type Resolver<'r> = &'r dyn Fn(&str) -> Option<Slug>;

/// Knows no name but that of the main line.
#[must_use]
pub fn ids_only(name: &str) -> Option<Slug> {
    if name == MAIN_LINE_NAME { Slug::new(MAIN_LINE).ok() } else { None }
}

/// Fields that an outline leaves to the planner, by chapter.
pub type Gaps = BTreeMap<ChapterNo, BTreeSet<Field>>;

/// A foreshadowing task of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What to do.
    pub action: Action,
    /// Which foreshadowing.
    pub id: Slug,
    /// How.
    pub detail: String,
}

/// One chapter's section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its working title.
    pub title: String,
    /// The line of its heading, from 1.
    pub line: usize,
    /// Its storyline.
    pub storyline: Slug,
    /// The other fields' texts, [`Field::Storyline`] included, as written.
    pub fields: BTreeMap<Field, String>,
    /// The foreshadowing field, read.
    pub tasks: Vec<Task>,
    /// The whole section as written, heading included, for the prompts.
    pub source: String,
}

impl Section {
    /// A field's text.
    #[must_use]
    pub fn field(&self, field: Field) -> &str {
        self.fields.get(&field).map_or("", String::as_str)
    }
}

/// A volume's outline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// What stands before the first chapter: the volume's title and remarks.
    pub preface: String,
    /// The chapters, in order, without gaps.
    pub sections: Vec<Section>,
}

/// Something wrong with an outline, with the line where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OutlineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with an outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no `## ` section at all.
    #[error("there is no `## ` section, and so no chapter")]
    Empty,
    /// A heading without a chapter number.
    #[error("heading `{0}` has no chapter number (write `## 第12章 标题`)")]
    NoNumber(String),
    /// A chapter's heading that is not marked as one.
    #[error("`{0}` is a chapter's heading without `## ` (write `## {0}`)")]
    NotMarked(String),
    /// Chapters do not follow each other.
    #[error("chapter {found} stands where chapter {wanted} should")]
    OutOfOrder {
        /// The number that was read.
        found: u32,
        /// The number that should follow.
        wanted: u32,
    },
    /// A chapter stands twice.
    #[error("chapter {chapter} stands here for the second time (the first is in line {first})")]
    Repeated {
        /// The chapter's number.
        chapter: u32,
        /// The line of its first heading, from 1.
        first: usize,
    },
    /// The first chapter is not the one that the volume has to begin with.
    #[error("the outline begins with chapter {found}, and the volume begins with chapter {wanted}")]
    Begins {
        /// The number that was read.
        found: u32,
        /// The number that it should be.
        wanted: u32,
    },
    /// A label that is no field's, in a chapter that lacks one with a similar name.
    #[error("`{label}` is no field of a chapter; `{}` ({}) may be meant", meant.as_str(), meant.english())]
    Unknown {
        /// The label as written.
        label: String,
        /// The missing field with the nearest name.
        meant: Field,
    },
    /// A field is missing or empty.
    #[error("chapter {chapter} lacks `{}` ({})", field.as_str(), field.english())]
    Lacks {
        /// The chapter's number.
        chapter: u32,
        /// The field.
        field: Field,
    },
    /// A field stands twice in a section.
    #[error("chapter {chapter} has `{}` twice", field.as_str())]
    Twice {
        /// The chapter's number.
        chapter: u32,
        /// The field.
        field: Field,
    },
    /// No storyline has that id or name.
    #[error("there is no storyline `{0}` (write its name or its id, or `主线` for the main line)")]
    Storyline(String),
}

/// A chapter number in Arabic or Chinese numerals, up to 9999.
#[must_use]
pub fn parse_numeral(text: &str) -> Option<u32> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() {
        return None;
    }
    let arabic: Option<String> = text
        .chars()
        .map(|c| match c {
            '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32),
            _ => c.is_ascii_digit().then_some(c),
        })
        .collect();
    if let Some(digits) = arabic {
        return (digits.len() <= 6).then(|| digits.parse().ok()).flatten();
    }
    let digit = |c| "零一二三四五六七八九".chars().position(|d| d == c).map(|at| at as u32);
    let (mut total, mut pending, mut positional) = (0u32, None::<u32>, true);
    let mut plain = String::new();
    for c in text.chars() {
        let c = match c {
            '〇' => '零',
            '两' => '二',
            other => other,
        };
        if let Some(value) = digit(c) {
            plain.push(char::from_digit(value, 10)?);
            pending = Some(value);
            continue;
        }
        positional = false;
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            _ => return None,
        };
        total += pending.take().unwrap_or(1).max(u32::from(unit == 10)) * unit;
    }
    if positional && plain.len() > 1 { plain.parse().ok() } else { Some(total + pending.unwrap_or(0)) }
}

/// The chapter number of a heading and its title: `第12章 …`, `第十二章 …`, `12. …`, `Chapter 12: …`, `ch-012 …`.
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

/// What a text does with a foreshadowing by its first word, in Chinese or in English, and what follows that word.
#[must_use]
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

/// Reads `推进 ancient_prophecy：符文与预言同源；埋设 mirror：…`. Parts that name no action and id are remarks.
fn read_tasks(text: &str) -> Vec<Task> {
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
            Some(Task { action, id: Slug::new(&id).ok()?, detail: detail.to_owned() })
        })
        .collect()
}

impl Outline {
    /// Reads an outline whose storylines stand with their ids, or as `主线`; see [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// All the [`OutlineError`]s, in the order of lines; never an empty list.
    pub fn parse(text: &str) -> Result<Self, Vec<OutlineError>> {
        Self::parse_with(text, &ids_only)
    }

    /// Reads an outline and reports everything that is wrong with it, missing fields included.
    ///
    /// # Errors
    /// All the [`OutlineError`]s, in the order of lines; never an empty list.
    pub fn parse_with(text: &str, resolve: Resolver<'_>) -> Result<Self, Vec<OutlineError>> {
        let (outline, gaps) = Self::partial(text, resolve)?;
        let lacks = |(chapter, fields): (ChapterNo, BTreeSet<Field>)| {
            let line = outline.section(chapter).map_or(1, |section| section.line);
            let of = move |field| OutlineError { line, problem: Problem::Lacks { chapter: chapter.get(), field } };
            fields.into_iter().map(of).collect::<Vec<_>>()
        };
        let errors: Vec<OutlineError> = gaps.into_iter().flat_map(lacks).collect();
        if errors.is_empty() { Ok(outline) } else { Err(errors) }
    }

    /// Reads an outline that may leave fields to the planner, and says which. A chapter without a storyline is on the main
    /// line until it has one.
    ///
    /// # Errors
    /// All other [`OutlineError`]s, in the order of lines; never an empty list.
    pub fn partial(text: &str, resolve: Resolver<'_>) -> Result<(Self, Gaps), Vec<OutlineError>> {
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
                        errors.push(OutlineError { line: number, problem: Problem::NotMarked(shown) });
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
                (Some(first), _) => Some(Problem::Repeated { chapter: chapter.get(), first: *first }),
                (None, Some(wanted)) if chapter != wanted => {
                    Some(Problem::OutOfOrder { found: chapter.get(), wanted: wanted.get() })
                }
                _ => None,
            };
            errors.extend(problem.map(|problem| OutlineError { line, problem }));
            first_at.entry(chapter).or_insert(line);
            wanted = Some(chapter.next());
        }
        if outline.sections.is_empty() && errors.is_empty() {
            errors.push(OutlineError { line: 1, problem: Problem::Empty });
        }
        errors.sort_by_key(|error| error.line);
        if errors.is_empty() { Ok((outline, gaps)) } else { Err(errors) }
    }

    /// Reads an outline without knowing the storylines, any of whose names will do: for its chapters and its form.
    ///
    /// # Errors
    /// As for [`partial`](Self::partial).
    pub fn form(text: &str) -> Result<(Self, Gaps), Vec<OutlineError>> {
        Self::partial(text, &|_| Slug::new(MAIN_LINE).ok())
    }

    /// Returns true when the text has a chapter's heading, well marked or not. A text without one is remarks on a volume
    /// whose chapters are still to be planned.
    #[must_use]
    pub fn is_begun(text: &str) -> bool {
        let lines = visible_lines(text);
        (0..lines.len()).any(|at| heading_of(lines[at].1, lines[at + 1..].iter().map(|(_, line)| *line)).is_some())
    }

    /// Says when the outline begins with another chapter than the volume.
    ///
    /// # Errors
    /// [`Problem::Begins`] with the line of the first heading.
    pub fn begins_with(&self, wanted: ChapterNo) -> Result<(), OutlineError> {
        match self.sections.first() {
            Some(first) if first.chapter != wanted => {
                let problem = Problem::Begins { found: first.chapter.get(), wanted: wanted.get() };
                Err(OutlineError { line: first.line, problem })
            }
            _ => Ok(()),
        }
    }

    /// The text that this was read from with values for fields that stand empty or not at all. Every other byte stays.
    #[must_use]
    pub fn filled(&self, text: &str, new: &BTreeMap<ChapterNo, BTreeMap<Field, String>>) -> String {
        self.rewritten(text, new, fill_section)
    }

    /// The section of a chapter.
    #[must_use]
    pub fn section(&self, chapter: ChapterNo) -> Option<&Section> {
        self.sections.iter().find(|section| section.chapter == chapter)
    }

    /// The text that this was read from with other sections for some chapters. Every other line stays as it is, and so do
    /// the comments in a section that is replaced.
    #[must_use]
    pub fn spliced(&self, text: &str, new: &BTreeMap<ChapterNo, String>) -> String {
        self.rewritten(text, new, |out, lines, source| splice(out, lines, source))
    }

    /// The text that this was read from with the sections of some chapters written by `write`, which gets the lines of the
    /// section and what is new for it. Every other line stays as it is.
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

    /// The storylines in the order of their first chapter.
    #[must_use]
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
    #[must_use]
    pub fn range(&self) -> Option<(ChapterNo, ChapterNo)> {
        Some((self.sections.first()?.chapter, self.sections.last()?.chapter))
    }
}

/// The lines outside of comments, each with its number from 1. A comment is advice to the author, not a part of the plan.
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

/// The two kinds of lines that begin a chapter.
enum Heading {
    /// `## …`: a chapter begins.
    Section,
    /// A chapter's heading with another number of hash marks, or with none.
    NotMarked,
}

/// A line without hash marks, list marks and the marks of bold type.
fn bare_heading(line: &str) -> &str {
    line.trim().trim_start_matches(['#', '＃']).trim().trim_matches('*').trim()
}

/// The heading that a line is. One without hash marks is told from a sentence by the field that follows it.
fn heading_of<'l>(line: &str, mut after: impl Iterator<Item = &'l str>) -> Option<Heading> {
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

/// The field that a line begins, and its value.
fn labelled(line: &str) -> Option<(Field, &str)> {
    let (label, rest) = label_of(line)?;
    Some((Field::of_label(label)?, rest))
}

/// Splits a line at its first colon into label and value.
fn label_of(line: &str) -> Option<(&str, &str)> {
    line.trim().trim_start_matches(['-', '*', '+', ' ']).split_once([':', '：'])
}

/// Puts values into a section's lines: behind the colon of a field that stands empty, or else on a line of their own after
/// the last one that says something.
fn fill_section(out: &mut String, lines: &[&str], fields: &BTreeMap<Field, String>) {
    let ending = if lines.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let mut in_comment = false;
    let mut hidden: Vec<bool> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_hidden = in_comment || line.trim_start().starts_with("<!--");
        in_comment = is_hidden && !line.contains("-->");
        hidden.push(is_hidden);
    }
    let last = (0..lines.len()).rev().find(|at| !hidden[*at] && !lines[*at].trim().is_empty()).unwrap_or(0);
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
            // A value of a field that stands below, empty, is put there and not here.
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

/// Puts a section in the place of the lines of another, with that one's comments and the empty lines at its end.
fn splice(out: &mut String, lines: &[&str], source: &str) {
    let ending = if lines.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    for line in source.trim_end().lines() {
        out.push_str(line);
        out.push_str(ending);
    }
    let mut in_comment = false;
    let mut hidden: Vec<bool> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_hidden = in_comment || line.trim_start().starts_with("<!--");
        in_comment = is_hidden && !line.contains("-->");
        hidden.push(is_hidden);
    }
    let last = (0..lines.len()).rev().find(|at| !hidden[*at] && !lines[*at].trim().is_empty()).unwrap_or(0);
    let kept = lines.iter().enumerate().filter(|(at, _)| *at > last || hidden[*at]);
    kept.for_each(|(_, line)| out.push_str(line));
}

/// A text on one line.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("；")
}

/// A chapter's section as it stands in an outline. Values are put on one line each.
#[must_use]
pub fn write_section(chapter: ChapterNo, title: &str, fields: &BTreeMap<Field, String>) -> String {
    let mut text = format!("## 第{}章 {}\n\n", chapter.get(), one_line(title));
    for (field, value) in fields {
        text.push_str(&format!("- {field}: {}\n", one_line(value)));
    }
    text
}

/// A section whose end has not been seen.
struct OpenSection {
    chapter: ChapterNo,
    title: String,
    line: usize,
    fields: BTreeMap<Field, String>,
    current: Option<Field>,
    /// Labels that are no field's, each with its line: one may be a field's name misspelt.
    strays: Vec<(usize, String)>,
    source: String,
}

impl OpenSection {
    fn begin(heading: &str, line: usize, errors: &mut Vec<OutlineError>) -> Option<Self> {
        let read = read_heading(heading).and_then(|(number, title)| Some((ChapterNo::new(number)?, title)));
        let Some((chapter, title)) = read else {
            errors.push(OutlineError { line, problem: Problem::NoNumber(heading.trim().to_owned()) });
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
                let problem = Problem::Twice { chapter: self.chapter.get(), field };
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
            errors.push(OutlineError { line: *line, problem: Problem::Unknown { label: label.clone(), meant } });
        }
        let written = self.fields.get(&Field::Storyline).map_or("", String::as_str).trim();
        let storyline = if written.is_empty() {
            resolve(MAIN_LINE_NAME).or_else(|| Slug::new(MAIN_LINE).ok())
        } else {
            storyline_of(written, resolve)
        };
        let Some(storyline) = storyline else {
            let problem = Problem::Storyline(written.to_owned());
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

/// The storyline that a field names: `main-arc`, `主线`, `靖海计划（sea-plan）`.
fn storyline_of(written: &str, resolve: Resolver<'_>) -> Option<Slug> {
    let written = written.lines().next().unwrap_or_default().trim_matches(['`', ' ', '《', '》', '“', '”', '"']);
    let id = written.split(['（', '(', ' ', '，', ',']).next().unwrap_or_default();
    let name = written.split(['（', '(', '，', ',']).next().unwrap_or_default().trim();
    let inside = written.split_once(['（', '(']).map(|(_, rest)| rest.trim_end_matches(['）', ')']).trim());
    let slug = |text: &str| Slug::new(text).ok();
    slug(id).or_else(|| resolve(name)).or_else(|| resolve(written)).or_else(|| slug(inside?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO: &str = "# 第一卷 潮信\n\n给自己的话。\n\n## 第1章 密信\n\n- 故事线: main-arc（主线）\n- 视角: 林枫\n- 地点: 魔都外城\n\
        - 冲突: 信使死在门前\n- 人物弧光: 从旁观到卷入\n- 伏笔: 埋设 ancient_prophecy：信纸背面的符文；其余照旧\n- 状态变化:\n  - 林枫得到密信\n  - 林枫起疑\n\n\
        ## Chapter 2: Ruins\n**Storyline**: sea-plan\n**POV**: 许青\n**Location**：码头\nConflict: x\nArc: y\nForeshadowing: 无\nStateChanges: z\n";

    #[test]
    fn both_notations_are_read() {
        let outline = Outline::parse(TWO).unwrap();
        assert_eq!(outline.preface.trim(), "# 第一卷 潮信\n\n给自己的话。");
        let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
        assert_eq!((one.title.as_str(), one.storyline.as_str(), one.line), ("密信", "main-arc", 5));
        assert_eq!(one.field(Field::StateChanges), "林枫得到密信\n林枫起疑");
        let task = Task {
            action: Action::Planted,
            id: Slug::new("ancient_prophecy").unwrap(),
            detail: "信纸背面的符文".into(),
        };
        assert_eq!(one.tasks, [task]);
        assert_eq!((two.title.as_str(), two.field(Field::Location), two.tasks.len()), ("Ruins", "码头", 0));
        assert_eq!(outline.storylines().len(), 2);
        let marked = format!("\u{feff}{}", &TWO[TWO.find("## 第1章").unwrap()..]);
        assert_eq!(
            Outline::parse(&marked).unwrap().sections.len(),
            2,
            "a byte order mark is no part of the first line"
        );
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        let problems = |text: &str| -> Vec<(usize, String)> {
            Outline::parse(text).unwrap_err().into_iter().map(|e| (e.line, e.problem.to_string())).collect()
        };
        assert_eq!(problems("")[0].0, 1);
        assert!(problems("# 卷\n\n## 尾声\n")[0].1.contains("no chapter number"));
        let lacking = TWO.replace("- 冲突: 信使死在门前\n", "");
        assert_eq!(problems(&lacking), [(5, "chapter 1 lacks `冲突` (Conflict)".to_owned())]);
        let gap = TWO.replace("Chapter 2", "Chapter 3");
        assert_eq!(problems(&gap)[0].1, "chapter 3 stands where chapter 2 should");
        assert!(problems(&TWO.replace("sea-plan", "靖海"))[0].1.contains("no storyline `靖海`"));
        let twice = problems(&TWO.replace("- 地点: 魔都外城", "- 视角: 许青"));
        assert!(twice.iter().any(|(line, problem)| *line == 9 && problem.contains("twice")), "{twice:?}");
    }

    #[test]
    fn a_heading_that_is_not_marked_is_an_error_with_its_line() {
        let problems = |text: &str| -> Vec<(usize, String)> {
            Outline::parse(text).unwrap_err().into_iter().map(|e| (e.line, e.problem.to_string())).collect()
        };
        for unmarked in ["第1章 密信", "# 第1章 密信", "### 第1章 密信", "**第一章：密信**", "# Chapter 1: Letter"]
        {
            let text = TWO.replace("## 第1章 密信", unmarked);
            let found = problems(&text);
            assert_eq!((found[0].0, found.len()), (5, 1), "{unmarked}: {found:?}");
            assert!(found[0].1.contains("without `## `"), "{found:?}");
            // All of them, and the text has no section at all.
            let none = text.replace("## Chapter 2", "# Chapter 2");
            assert_eq!(problems(&none).len(), 2, "{unmarked}");
            assert!(Outline::is_begun(&none), "{unmarked}");
        }
        for remark in ["第1章要写得狠。", "第一章 密信不拆，第二章再拆", "# 第一卷 潮信", "### 人物", "#影帝塌房#"]
        {
            let text = TWO.replace("给自己的话。", remark);
            assert!(Outline::parse(&text).is_ok(), "{remark}");
            assert!(!Outline::is_begun(&format!("{remark}\n\n还没有想好。\n")), "{remark}");
        }
    }

    #[test]
    fn headings_are_read_as_authors_write_them() {
        for heading in [
            "##第1章 密信",
            "## 第一章：密信",
            "## 第１章　密信",
            "## 第 1 章 密信",
            "##  **第1章 密信**",
            "＃＃第1章 密信",
        ] {
            let outline = Outline::parse(&TWO.replace("## 第1章 密信", heading)).unwrap();
            assert_eq!(
                (outline.sections[0].chapter.get(), outline.sections[0].title.as_str()),
                (1, "密信"),
                "{heading}"
            );
        }
    }

    #[test]
    fn a_chapter_twice_and_a_wrong_beginning_are_errors() {
        let twice = Outline::parse(&TWO.replace("Chapter 2", "Chapter 1")).unwrap_err();
        assert_eq!(twice[0].to_string(), "line 17: chapter 1 stands here for the second time (the first is in line 5)");
        let outline = Outline::parse(TWO).unwrap();
        assert_eq!(outline.begins_with(ChapterNo::FIRST), Ok(()));
        let later = outline.begins_with(ChapterNo::new(4).unwrap()).unwrap_err();
        assert_eq!((later.line, later.problem), (5, Problem::Begins { found: 1, wanted: 4 }));
    }

    #[test]
    fn a_field_s_name_that_is_misspelt_is_named_where_the_field_is_missing() {
        let unknown = |from: &str, to: &str| Outline::parse(&TWO.replacen(from, to, 1)).unwrap_err();
        for (from, to, line, meant) in [
            ("- 冲突: 信使", "- 冲撞: 信使", 10, Field::Conflict),
            ("- 地点: 魔都", "- 地址：魔都", 9, Field::Location),
            ("**POV**: 许青", "**POW**: 许青", 19, Field::Pov),
            ("StateChanges: z", "StateChange: z", 24, Field::StateChanges),
        ] {
            let errors = unknown(from, to);
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(
                matches!(&errors[0], OutlineError { line: at, problem: Problem::Unknown { meant: field, .. } } if *at == line && *field == meant),
                "{errors:?}"
            );
        }
        let other = TWO.replace("- 地点: 魔都外城", "- 场景：魔都外城\n- 备注: 冲淡一点");
        assert_eq!(Outline::parse(&other).unwrap().sections[0].field(Field::Location), "魔都外城\n备注: 冲淡一点");
    }

    #[test]
    fn a_storyline_stands_with_its_id_or_its_name() {
        let resolve = |name: &str| match name {
            "靖海计划" => Slug::new("sea-plan").ok(),
            name => ids_only(name),
        };
        for (written, id) in [
            ("靖海计划", "sea-plan"),
            ("《靖海计划》", "sea-plan"),
            ("靖海计划（sea-plan）", "sea-plan"),
            ("主线", "main-arc"),
            ("主线（主角）", "main-arc"),
            ("sea-plan（靖海）", "sea-plan"),
            ("别名（other-line）", "other-line"),
        ] {
            let text = TWO.replacen("main-arc（主线）", written, 1);
            let outline = Outline::parse_with(&text, &resolve).unwrap();
            assert_eq!(outline.sections[0].storyline.as_str(), id, "{written}");
        }
        assert!(Outline::parse_with(&TWO.replacen("main-arc（主线）", "无名", 1), &resolve).is_err());
    }

    #[test]
    fn missing_fields_are_left_to_the_planner_and_filled_in_place() {
        let text = TWO
            .replace("- 视角: 林枫\n", "")
            .replace("- 冲突: 信使死在门前\n", "- 冲突：\n<!-- 再想 -->\n")
            .replace("**Storyline**: sea-plan\n", "");
        let (outline, gaps) = Outline::partial(&text, &ids_only).unwrap();
        let gap = |chapter: u32| gaps[&ChapterNo::new(chapter).unwrap()].iter().copied().collect::<Vec<_>>();
        assert_eq!((gap(1), gap(2)), (vec![Field::Pov, Field::Conflict], vec![Field::Storyline]));
        assert_eq!(outline.sections[1].storyline.as_str(), MAIN_LINE);
        assert_eq!(Outline::parse(&text).unwrap_err().len(), 3);
        let new = BTreeMap::from([
            (
                ChapterNo::FIRST,
                BTreeMap::from([(Field::Pov, "林枫".to_owned()), (Field::Conflict, "要过\n河".to_owned())]),
            ),
            (ChapterNo::FIRST.next(), BTreeMap::from([(Field::Storyline, "sea-plan".to_owned())])),
        ]);
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let filled = outline.filled(&text, &new);
            let whole = Outline::parse(&filled).unwrap();
            assert_eq!(whole.sections[0].field(Field::Conflict), "要过；河");
            assert_eq!(
                (whole.sections[0].field(Field::Pov), whole.sections[1].storyline.as_str()),
                ("林枫", "sea-plan")
            );
            // The author's own bytes are all there, in their order.
            let mut left = filled.as_str();
            for line in text.split_inclusive('\n') {
                let at = left.find(line.trim_end()).unwrap_or_else(|| panic!("{line:?} in {filled}"));
                left = &left[at + line.trim_end().len()..];
            }
            assert_eq!(filled.contains("\r\n"), text.contains("\r\n"));
        }
        assert_eq!(outline.filled(&text, &BTreeMap::new()), text);
    }

    #[test]
    fn a_title_keeps_its_own_numbers_and_words() {
        let section = TWO.split_once("## 第1章 密信").unwrap().1.split_once("## Chapter 2").unwrap().0;
        let title =
            |heading: &str| Outline::parse(&format!("## {heading}{section}")).unwrap().sections[0].title.clone();
        for own in ["404号房", "24小时", "1937年的雨", "Chapter House", "夜读《史记》", "第二章没有写完", "Ch. 3"]
        {
            for number in ["第1章 ", "第一章：", "Chapter 1: ", "1. ", "第１章 — "] {
                assert_eq!(title(&format!("{number}{own}")), own, "{number}");
            }
        }
        assert_eq!((title("第1章 《密信》"), title("第1章")), ("密信".to_owned(), "第1章".to_owned()));
    }

    #[test]
    fn advice_in_comments_is_not_a_plan() {
        let commented = format!("<!--\n## 第9章 样例\n-->\n{TWO}");
        assert_eq!(Outline::parse(&commented).unwrap().sections.len(), 2);
    }

    #[test]
    fn a_section_is_replaced_and_every_other_line_stays() {
        let text = format!("{}\n\n<!-- 留着\n## 不是章 -->\n", TWO.replace("- 冲突:", "<!-- 再想想 -->\n- 冲突:"));
        let outline = Outline::parse(&text).unwrap();
        let fields = BTreeMap::from([(Field::Storyline, "main-arc".to_owned()), (Field::Conflict, "换了".to_owned())]);
        let new = BTreeMap::from([(ChapterNo::FIRST, write_section(ChapterNo::FIRST, "新信", &fields))]);
        let spliced = outline.spliced(&text, &new);
        let (head, rest) = text.split_once("## 第1章").unwrap();
        let tail = rest.split_once("## Chapter 2").unwrap().1;
        let section = "## 第1章 新信\n\n- 故事线: main-arc\n- 冲突: 换了\n<!-- 再想想 -->\n\n## Chapter 2";
        assert_eq!(spliced, format!("{head}{section}{tail}"));
        assert_eq!(outline.spliced(&text, &BTreeMap::new()), text);
        // The last section, without an end of line and with those of Windows.
        let windows = text.trim_end().replace('\n', "\r\n");
        let second = BTreeMap::from([(ChapterNo::FIRST.next(), "## 第2章 x\n- 冲突: y".to_owned())]);
        let spliced = Outline::parse(&windows).unwrap().spliced(&windows, &second);
        assert!(spliced.contains("## 第2章 x\r\n- 冲突: y\r\n") && spliced.ends_with("## 不是章 -->"), "{spliced:?}");
    }

    #[test]
    fn numerals_of_all_kinds() {
        let table = [
            ("12", 12),
            ("０４８", 48),
            ("十", 10),
            ("十二", 12),
            ("二十", 20),
            ("一百零三", 103),
            ("一百二十", 120),
            ("两千零一", 2001),
            ("一二三", 123),
            ("二〇〇", 200),
            ("七", 7),
        ];
        for (text, number) in table {
            assert_eq!(parse_numeral(text), Some(number), "{text}");
        }
        assert_eq!(parse_numeral("道"), None);
        assert_eq!(parse_numeral(""), None);
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "(## ?|第|章|一|十|12|- |故事线|：|:|\\n|main-arc|[a-z ]|<!--|-->){0,60}") {
            let _ = Outline::parse(&text);
            let _ = Outline::is_begun(&text);
        }
    }
}
