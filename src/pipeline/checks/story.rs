//! Problems of the story's own records: chapters with one text, names of two people, storylines without a definition, and files
//! that a run refuses.
//! The problems of a book's content.

use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::prelude::*;
use crate::pipeline::workflow::{BrokenFile, FileFault, overview};
use crate::store::{Obstacle, Obstruction, StrayCopy};
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

/// Adds the files that the next run refuses to the problems. One that is only in the way there may be the text of another chapter.
pub(super) fn add_refused(book: &Book, known: &mut Vec<BookProblem>) {
    // A fault that keeps the book from being read is a finding of the repository.
    let Ok(overview) = overview(book) else { return };
    let is_order = |file: &&BrokenFile| matches!(file.fault, FileFault::Order(_));
    for file in overview.problems.iter().filter(is_order) {
        let is_it =
            |problem: &&mut BookProblem| matches!(problem, BookProblem::InTheWay(found) if found.path == file.path);
        known.iter_mut().filter(is_it).for_each(|problem| *problem = BookProblem::Refused(file.clone()));
    }
    let is_new = |path: &str| known.iter().all(|problem| problem.path() != Some(path));
    let refused = overview.problems.into_iter().filter(|file| match file.fault {
        FileFault::Missing | FileFault::InTheWay(_) | FileFault::Order(_) => false,
        FileFault::Format(_) | FileFault::Outline(_) | FileFault::Prompt(_) => is_new(&file.path),
    });
    let refused: Vec<BookProblem> = refused.map(BookProblem::Refused).collect();
    known.extend(refused);
}

/// Storylines of chapters, planned or written, that the book does not define. A file that cannot be read is told of elsewhere.
pub(super) fn unknown_lines(view: &BookView<'_>, chronicle: &Chronicle) -> Result<Vec<BookProblem>, RunError> {
    let Ok(storylines) = files::storylines(view) else { return Ok(Vec::new()) };
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
    let (active, retired) =
        (files::characters(view).unwrap_or_default(), files::retired_characters(view).unwrap_or_default());
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

/// Something wrong with the book's content.
#[derive(Debug, Clone, PartialEq)]
pub enum BookProblem {
    /// A file is not of its format.
    BadFile {
        path: String,
        error: FormatError,
        /// Whether the book works all the same.
        harmless: bool,
        /// The last commit that has it whole.
        whole_in: Option<CommitId>,
    },
    /// A change of the author's that is in no commit yet makes a file unusable.
    BrokenEdit { path: String, error: FormatError },
    /// A file that the book needs is gone from the work tree; the last commit has it.
    Deleted { path: String },
    /// The last commit lacks a file that the book needs.
    Gone {
        path: String,
        /// The last commit that has it whole.
        whole_in: CommitId,
        /// Whether the book works all the same.
        harmless: bool,
    },
    /// Something of the author's stands where the book is about to write.
    InTheWay(Obstruction),
    /// An accepted chapter lacks one of its files.
    Missing {
        chapter: ChapterNo,
        path: String,
        /// The commit that has it.
        whole_in: CommitId,
    },
    /// A chapter is missing, and nothing says that this was meant.
    Gap {
        chapter: ChapterNo,
        /// The last commit that has it.
        whole_in: Option<CommitId>,
        /// The text that its records are of, where no such commit is known.
        recorded: Option<String>,
    },
    /// A chapter of the author's says nothing of what it changes: it has no summary and no delta yet.
    NoDelta { chapter: ChapterNo },
    /// A chapter has been edited since its summary and its delta were made.
    Outdated { chapter: ChapterNo },
    /// Two chapters have the same title.
    SameTitle(ChapterNo, ChapterNo),
    /// Two chapters have the same text.
    SameText {
        one: ChapterNo,
        other: ChapterNo,
        /// The one of them that has been edited, and the text that it was summarised of.
        earlier: Option<(ChapterNo, ContentId)>,
    },
    /// A run refuses the file.
    Refused(BrokenFile),
    /// Chapters are on a storyline that the book does not define.
    UnknownLine {
        line: Slug,
        /// A storyline with nearly that name.
        nearest: Option<String>,
        chapters: Vec<ChapterNo>,
    },
    /// Several people have this name.
    SameName { name: String, files: Vec<String> },
    /// The author has changed what so many plans of the volume rest on.
    PlansBehind { volume: VolumeNo, things: usize },
    /// A copy of one of the book's files, or a text that no chapter has.
    StrayCopy(StrayCopy),
    /// The committed state, ledger, memory of a storyline or state version of a delta is not what the chapters make it.
    StateDiffers {
        /// The last chapter that the book had when they began to differ; `None` before the first, for a memory and for a delta.
        chapter: Option<ChapterNo>,
        path: String,
    },
    /// The checkpoint is about other chapters than the book has.
    CheckpointDiffers {
        /// The last chapter and the number of chapters by the checkpoint.
        says: (u32, u32),
        /// The last chapter and the number of chapters of the book.
        is: (u32, u32),
    },
}

impl BookProblem {
    /// Whether [`diagnose::repair`] can put it right.
    pub fn is_curable(&self) -> bool {
        match self {
            Self::BadFile { whole_in, .. } => whole_in.is_some(),
            Self::Gap { whole_in, recorded, .. } => whole_in.is_some() || recorded.is_some(),
            Self::Missing { .. } | Self::StateDiffers { .. } | Self::CheckpointDiffers { .. } => true,
            Self::BrokenEdit { error, .. } => error.is_damage(),
            Self::Deleted { .. } | Self::Gone { .. } => true,
            Self::InTheWay(found) => !matches!(found.block, Obstacle::ReadOnly | Obstacle::Committed),
            Self::SameText { earlier, .. } => earlier.is_some(),
            Self::NoDelta { .. } | Self::Outdated { .. } | Self::SameTitle(..) | Self::Refused(_) => false,
            Self::UnknownLine { .. } | Self::SameName { .. } | Self::PlansBehind { .. } | Self::StrayCopy(_) => false,
        }
    }

    /// Whether its repair gives something of the author's another name, which is not done without a word from the author.
    pub fn is_asked_about(&self) -> bool {
        match self {
            Self::InTheWay(_) | Self::Gone { harmless: true, .. } | Self::SameText { .. } => true,
            Self::BadFile { harmless, whole_in, .. } => *harmless && whole_in.is_some(),
            _ => false,
        }
    }

    /// Whether the book works all the same.
    pub fn is_harmless(&self) -> bool {
        match self {
            Self::BadFile { harmless, .. } | Self::Gone { harmless, .. } => *harmless,
            Self::NoDelta { .. } | Self::Outdated { .. } | Self::SameTitle(..) | Self::SameText { .. } => true,
            Self::UnknownLine { .. } | Self::SameName { .. } | Self::PlansBehind { .. } | Self::StrayCopy(_) => true,
            Self::BrokenEdit { .. }
            | Self::Deleted { .. }
            | Self::InTheWay(_)
            | Self::Missing { .. }
            | Self::Gap { .. }
            | Self::Refused(_)
            | Self::StateDiffers { .. }
            | Self::CheckpointDiffers { .. } => false,
        }
    }

    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Self::BadFile { path, .. } | Self::BrokenEdit { path, .. } | Self::Deleted { path } => Some(path),
            Self::Gone { path, .. } | Self::Missing { path, .. } => Some(path),
            _ => None,
        }
    }
}
