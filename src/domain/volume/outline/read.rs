//! Reading an outline, with all its mistakes.

use crate::domain::prelude::*;
use crate::domain::volume::outline::field::{Field, OutlineError, OutlineProblem, bare_label, label_of, labelled};
use crate::domain::volume::outline::{
    Gaps, Heading, MAIN_LINE, MAIN_LINE_NAME, Outline, Resolver, Section, bare_heading, heading_of, ids_only,
    read_heading, read_tasks,
};

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
