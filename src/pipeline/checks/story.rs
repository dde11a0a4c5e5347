//! Problems of the story's own records: chapters with one text, names of two people, storylines without a definition, and files
//! that a run refuses.

use super::book_problem::BookProblem;
use crate::domain::ContentId;
use crate::domain::state::history::Chronicle;
use crate::pipeline::book::names;
use crate::pipeline::book::view::BookView;
use crate::pipeline::prelude::*;
use crate::pipeline::workflow::{FileFault, overview};
use std::hash::{DefaultHasher, Hasher};

/// The title of a chapter and a hash of its text: the texts of a long book together take more memory than all the rest.
pub(super) struct TextPrint {
    title: String,
    body: u64,
}

impl TextPrint {
    pub(super) fn of(chapter: &Chapter) -> Self {
        let mut hash = DefaultHasher::new();
        hash.write(chapter.body.as_bytes());
        Self { title: chapter.title.clone(), body: hash.finish() }
    }
}

/// Chapters with the same title or text. `edited` has the text of which each edited chapter was summarised.
pub(super) fn same_chapters(
    view: &BookView<'_>,
    prints: &BTreeMap<ChapterNo, TextPrint>,
    edited: &BTreeMap<ChapterNo, ContentId>,
) -> Result<Vec<BookProblem>, RunError> {
    let mut problems = Vec::new();
    let mut titles = BTreeMap::new();
    let mut texts: BTreeMap<u64, Vec<ChapterNo>> = BTreeMap::new();
    for (&chapter, print) in prints {
        if let Some(other) = titles.insert(print.title.as_str(), chapter).filter(|_| !print.title.is_empty()) {
            problems.push(BookProblem::SameTitle(other, chapter));
        }
        let others = texts.entry(print.body).or_default();
        if !others.is_empty() {
            let body = view.chapter(chapter)?.body;
            for &other in others.iter().rev() {
                if view.chapter(other)?.body == body {
                    let earlier = [chapter, other].into_iter().find_map(|one| Some((one, edited.get(&one)?.clone())));
                    problems.push(BookProblem::SameText { one: other, other: chapter, earlier });
                    break;
                }
            }
        }
        others.push(chapter);
    }
    Ok(problems)
}

/// Files that the next run refuses. Those with a problem in `known` are told of there.
pub(super) fn refused(book: &Book, known: &[BookProblem]) -> Vec<BookProblem> {
    // A fault that keeps the book from being read is a finding of the repository.
    let Ok(overview) = overview(book) else { return Vec::new() };
    let is_new = |path: &str| known.iter().all(|problem| problem.path() != Some(path));
    let refused = overview.problems.into_iter().filter(|file| match file.fault {
        FileFault::Missing | FileFault::InTheWay(_) | FileFault::Order(_) => false,
        FileFault::Format(_) | FileFault::Outline(_) | FileFault::Prompt(_) => is_new(&file.path),
    });
    refused.map(BookProblem::Refused).collect()
}

/// Storylines of chapters, planned or written, that the book does not define. A file that cannot be read is told of elsewhere.
pub(super) fn unknown_lines(view: &BookView<'_>, chronicle: &Chronicle) -> Result<Vec<BookProblem>, RunError> {
    let Ok(storylines) = view.storylines() else { return Ok(Vec::new()) };
    let last = view.contents()?.last_number();
    let mut found: BTreeMap<Slug, BTreeSet<ChapterNo>> = BTreeMap::new();
    for delta in chronicle.chapters() {
        found.entry(delta.storyline.clone()).or_default().insert(delta.chapter);
    }
    for volume in view.volumes()? {
        for section in view.outline(volume).ok().flatten().unwrap_or_default().sections {
            if section.chapter.get() > last {
                found.entry(section.storyline).or_default().insert(section.chapter);
            }
        }
    }
    let unknown = found.into_iter().filter_map(|(line, chapters)| match names::storyline(&storylines, line.as_str()) {
        Err(RunError::NoSuchStoryline { nearest, .. }) => {
            Some(BookProblem::UnknownLine { line, nearest, chapters: chapters.into_iter().collect() })
        }
        _ => None,
    });
    Ok(unknown.collect())
}

/// Names that several people have, each with the files of those people.
pub(super) fn same_names(view: &BookView<'_>) -> Vec<BookProblem> {
    let (active, retired) = (view.characters().unwrap_or_default(), view.retired_characters().unwrap_or_default());
    let is_active = |id: &str| active.iter().any(|person| person.id.as_str() == id);
    let people: Vec<Character> = active.iter().chain(&retired).cloned().collect();
    let all: BTreeSet<&str> = people.iter().flat_map(Character::names).map(str::trim).collect();
    let shared = all.into_iter().filter_map(|name| match names::character(&people, name) {
        Err(RunError::NameAmbiguous { candidates, .. }) => {
            let file = |(id, _): &(String, String)| match Slug::new(id).ok()? {
                id if is_active(id.as_str()) => Some(layout::character(&id)),
                id => Some(layout::retired_character(&id)),
            };
            Some(BookProblem::SameName { name: name.to_owned(), files: candidates.iter().filter_map(file).collect() })
        }
        _ => None,
    });
    shared.collect()
}
