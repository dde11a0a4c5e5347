//! What is wrong with the content of a book, and how to put it right from history. The repository itself is examined
//! by [`store::examine`](crate::store::examine).

use crate::domain::ChapterNo;
use crate::domain::book::checkpoint::{Checkpoint, Phase};
use crate::pipeline::book::damage;
use crate::pipeline::book::damage::{Wound, last_whole};
use crate::pipeline::book::rebuild;
use crate::pipeline::book::view::Shelf;
use crate::pipeline::chapter::draft::Places;
use crate::pipeline::engine::error::Halt;
use crate::pipeline::engine::run;
use crate::pipeline::engine::run::Run;
use crate::store::format::check::{Severity, check_file, fault};
use crate::store::format::{FormatError, Problem};
use crate::store::layout::Place;
use crate::store::{
    Block, Book, Change, CommitId, Committed, Kind, Message, Obstruction, Snapshot, Transaction, Wanted, format, key,
    layout,
};
use std::collections::{BTreeMap, BTreeSet};

/// Something wrong with the book's content.
#[derive(Debug, Clone, PartialEq)]
pub enum Ailment {
    /// A file is not of its format.
    BadFile {
        /// The file.
        path: String,
        /// What is wrong.
        error: FormatError,
        /// Whether the book works all the same.
        harmless: bool,
        /// The last commit that has it whole.
        whole_in: Option<CommitId>,
    },
    /// A change of the author's that is in no commit yet makes a file unusable.
    BrokenEdit {
        /// The file.
        path: String,
        /// What is wrong.
        error: FormatError,
    },
    /// A file that the book needs is gone from the work tree; the last commit has it.
    Deleted {
        /// The file.
        path: String,
    },
    /// The last commit lacks a file that the book needs.
    Gone {
        /// The file.
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
        /// The chapter.
        chapter: ChapterNo,
        /// The file.
        path: String,
        /// The commit that has it.
        whole_in: CommitId,
    },
    /// A chapter is missing, and nothing says that this was meant.
    Gap {
        /// The number that is missing.
        chapter: ChapterNo,
        /// The last commit that has it.
        whole_in: Option<CommitId>,
    },
    /// A chapter of the author's says nothing of what it changes: it has no summary and no delta yet.
    NoDelta {
        /// The chapter.
        chapter: ChapterNo,
    },
    /// Two chapters have the same title.
    SameTitle(ChapterNo, ChapterNo),
    /// Two chapters have the same text.
    SameText(ChapterNo, ChapterNo),
    /// The committed state is not what the chapters make it.
    StateDiffers {
        /// The last chapter that the book had when they began to differ; `None` before the first.
        chapter: Option<ChapterNo>,
        /// Which file.
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

impl Ailment {
    /// Whether [`Run::cure`] can put it right.
    #[must_use]
    pub fn is_curable(&self) -> bool {
        match self {
            Self::BadFile { whole_in, .. } | Self::Gap { whole_in, .. } => whole_in.is_some(),
            Self::Missing { .. } | Self::StateDiffers { .. } | Self::CheckpointDiffers { .. } => true,
            Self::BrokenEdit { error, .. } => error.is_damage(),
            Self::Deleted { .. } | Self::Gone { .. } => true,
            Self::InTheWay(found) => !matches!(found.block, Block::ReadOnly | Block::Committed),
            Self::NoDelta { .. } | Self::SameTitle(..) | Self::SameText(..) => false,
        }
    }

    /// Whether its repair gives something of the author's another name, which is not done without a word from the author.
    #[must_use]
    pub fn is_asked_about(&self) -> bool {
        match self {
            Self::InTheWay(_) | Self::Gone { harmless: true, .. } => true,
            Self::BadFile { harmless, whole_in, .. } => *harmless && whole_in.is_some(),
            _ => false,
        }
    }

    /// Whether the book works all the same.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        match self {
            Self::BadFile { harmless, .. } | Self::Gone { harmless, .. } => *harmless,
            Self::NoDelta { .. } | Self::SameTitle(..) | Self::SameText(..) => true,
            Self::BrokenEdit { .. }
            | Self::Deleted { .. }
            | Self::InTheWay(_)
            | Self::Missing { .. }
            | Self::Gap { .. }
            | Self::StateDiffers { .. }
            | Self::CheckpointDiffers { .. } => false,
        }
    }
}

/// Examines the accepted line, and what the author has changed since. Reads only.
///
/// # Errors
/// When the repository cannot be read.
pub fn examine(book: &Book) -> Result<Vec<Ailment>, Halt> {
    let mut ailments = bad_files(book)?;
    ailments.extend(gone(book)?);
    let chapters = book.chapters()?;
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    ailments.extend(missing_results(book, &shelf, &chapters)?);
    for chapter in run::lost_chapters(book)? {
        ailments.push(Ailment::Gap { chapter, whole_in: book.last_commit_with(chapter)? });
    }
    ailments.extend(same_chapters(&shelf, &chapters)?);
    let replayed = rebuild::replay(book)?;
    ailments
        .extend(replayed.mismatches.into_iter().map(|m| Ailment::StateDiffers { chapter: m.chapter, path: m.path }));
    // One that cannot be read is told of above.
    if let Ok(recorded) = shelf.recorded_checkpoint()
        && !shelf.agrees(&recorded)?
    {
        let contents = shelf.contents()?;
        let is = (contents.last_number(), u32::try_from(contents.count()).unwrap_or(u32::MAX));
        ailments.push(Ailment::CheckpointDiffers { says: (recorded.last_completed, recorded.totals.chapters), is });
    }
    let survey = damage::survey(book, Wanted::of(&layout::is_book_path))?;
    ailments.extend(survey.damaged.into_iter().map(|damaged| match damaged.error {
        Some(error) => Ailment::BrokenEdit { path: damaged.path, error },
        None => Ailment::Deleted { path: damaged.path },
    }));
    ailments.extend(damage::in_the_way(book)?.into_iter().map(Ailment::InTheWay));
    Ok(ailments)
}

/// Files that the last commit lacks, or has cut off: those without which no book works, and those that the author has
/// removed or shortened since the program's last commit. That the author meant the latter is possible.
fn gone(book: &Book) -> Result<Vec<Ailment>, Halt> {
    let snapshot = book.snapshot()?;
    let mut lost: BTreeMap<String, (Wound, bool)> = BTreeMap::new();
    for wound in damage::lost_since(book, &snapshot, Place::is_needed)? {
        lost.insert(wound.path.clone(), (wound, true));
    }
    for path in [layout::CONFIG, layout::STORYLINES].map(str::to_owned) {
        if !snapshot.has(&path)
            && let Some(whole_in) = last_whole(book, &path)?
        {
            lost.insert(path.clone(), (Wound { path, error: None, whole_in }, false));
        }
    }
    for wound in damage::wounds(book)? {
        lost.insert(wound.path.clone(), (wound, false));
    }
    let ailment = |(wound, harmless): (Wound, bool)| {
        let Wound { path, error, whole_in } = wound;
        let is_chapter = matches!(layout::classify(&path), Some(Place::Chapter(..)));
        match error {
            // A missing chapter is told of as such.
            None if is_chapter => None,
            None => Some(Ailment::Gone { path, whole_in, harmless }),
            // Other damage shows in the file itself.
            Some(error) if error.problem == Problem::CutOff => {
                Some(Ailment::BadFile { path, error, harmless, whole_in: Some(whole_in) })
            }
            Some(_) => None,
        }
    };
    Ok(lost.into_values().filter_map(ailment).collect())
}

fn bad_files(book: &Book) -> Result<Vec<Ailment>, Halt> {
    let snapshot = book.snapshot()?;
    let mut ailments = Vec::new();
    for path in snapshot.files("")? {
        if layout::classify(&path).is_none() {
            continue;
        }
        let bytes = snapshot.read(&path)?.unwrap_or_default();
        for finding in check_file(&path, &bytes) {
            let harmless = finding.severity == Severity::Warning;
            let whole_in = if harmless { None } else { last_whole(book, &path)? };
            ailments.push(Ailment::BadFile { path: path.clone(), error: finding.error, harmless, whole_in });
        }
    }
    Ok(ailments)
}

/// The results that chapters lack. Each is missing when the commit that the chapter is from has it.
fn missing_results(
    book: &Book,
    shelf: &Shelf<'_, '_>,
    chapters: &BTreeMap<ChapterNo, Transaction>,
) -> Result<Vec<Ailment>, Halt> {
    let mut ailments = Vec::new();
    for (&chapter, transaction) in chapters {
        let places = Places::of(shelf.volume_of(chapter)?, chapter);
        let then = book.snapshot_of(transaction.id)?;
        let has_none = [&places.summary, &places.delta].into_iter().all(|path| !shelf.has(path) && !then.has(path));
        ailments.extend(has_none.then_some(Ailment::NoDelta { chapter }));
        for path in [places.summary, places.delta, places.evaluation, places.log, places.memory] {
            if !shelf.has(&path) && then.has(&path) {
                ailments.push(Ailment::Missing { chapter, path, whole_in: transaction.id });
            }
        }
    }
    Ok(ailments)
}

fn same_chapters(shelf: &Shelf<'_, '_>, chapters: &BTreeMap<ChapterNo, Transaction>) -> Result<Vec<Ailment>, Halt> {
    let mut ailments = Vec::new();
    let (mut titles, mut texts) = (BTreeMap::new(), BTreeMap::new());
    for &chapter in chapters.keys() {
        let text = shelf.chapter(chapter)?;
        if let Some(&other) = titles.get(&text.title).filter(|_| !text.title.is_empty()) {
            ailments.push(Ailment::SameTitle(other, chapter));
        }
        if let Some(&other) = texts.get(&text.body) {
            ailments.push(Ailment::SameText(other, chapter));
        }
        titles.insert(text.title, chapter);
        texts.insert(text.body, chapter);
    }
    Ok(ailments)
}

impl Run<'_> {
    /// Repairs the work tree, commits the author's sound edits, and repairs what the last commit has wrong. With `all`,
    /// also what the author has to be asked about. Returns the old and the new names of things that stood in the way.
    ///
    /// # Errors
    /// When the book cannot be written.
    pub fn repair(&self, all: bool) -> Result<Vec<(String, String)>, Halt> {
        let moved = self.repair_folder(all)?;
        match self.adopt() {
            // Left to the author, and reported.
            Err(Halt::BrokenEdit { .. } | Halt::Format { .. } | Halt::Missing { .. } | Halt::InTheWay(_)) => {}
            other => _ = other?,
        }
        // The author may have corrected on disk what the last commit has wrong.
        let left = examine(self.session.book())?;
        let left: Vec<Ailment> = left.into_iter().filter(|ailment| all || !ailment.is_asked_about()).collect();
        self.cure(&left)?;
        Ok(moved)
    }

    /// Puts right what can be: files from history in one commit, then what follows from the chapters in another. The
    /// present content stays in history.
    ///
    /// # Errors
    /// When the repository cannot be read or the commit is refused.
    pub fn cure(&self, ailments: &[Ailment]) -> Result<Option<Committed>, Halt> {
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let mut change = Change::default();
        for ailment in ailments {
            let (path, commit) = match ailment {
                Ailment::BadFile { path, whole_in: Some(commit), .. } => (path, commit),
                Ailment::Missing { path, whole_in, .. } | Ailment::Gone { path, whole_in, .. } => (path, whole_in),
                Ailment::Gap { chapter, whole_in: Some(commit) } => {
                    let then = book.snapshot_of(*commit)?;
                    for path in results_of(&then, *chapter)? {
                        let Some(bytes) = then.read(&path)? else { continue };
                        change = change.put(&path, bytes);
                    }
                    continue;
                }
                _ => continue,
            };
            // Text in another encoding is sound text.
            let decoded = snapshot.read(path)?.and_then(|bytes| format::decode(&bytes));
            let decoded = decoded.map(|(_, text)| text.into_bytes());
            if let Some(text) = decoded.filter(|text| fault(path, text, None).is_none()) {
                change = change.put(path, text);
            } else if let Some(bytes) = book.snapshot_of(*commit)?.read(path)? {
                change = change.put(path, bytes);
            }
        }
        let committed = self.put_right(change)?;
        // Files that have come back, or that the author has changed meanwhile, may ask for it too.
        Ok(self.rebuild()?.or(committed))
    }

    /// Makes state, ledger and checkpoint what the chapters of the book make them, in one commit. `None` where they are.
    ///
    /// # Errors
    /// When the repository cannot be read or the commit is refused.
    pub(crate) fn rebuild(&self) -> Result<Option<Committed>, Halt> {
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        self.session.retag()?;
        let replayed = rebuild::replay(book)?;
        let mut change = rebuild::restored(&snapshot, replayed.chronicle.now())?;
        let then = book.snapshot_over(snapshot.commit_id(), &change)?;
        let shelf = Shelf::new(&then);
        let recorded = shelf.recorded_checkpoint();
        if !recorded.as_ref().is_ok_and(|recorded| shelf.agrees(recorded).unwrap_or(false)) {
            let begun = |_| Checkpoint::new(Phase::Writing, self.clock.rfc3339());
            let checkpoint =
                Checkpoint { time: self.clock.rfc3339(), ..shelf.corrected(recorded.unwrap_or_else(begun))? };
            let previous = snapshot.read(layout::CHECKPOINT)?;
            change = change.put(layout::CHECKPOINT, format::checkpoint::write(&checkpoint, previous.as_deref()));
        }
        if change == Change::default() {
            return Ok(None);
        }
        let message = rebuilt("rebuild: what follows from the chapters", &change);
        Ok(Some(self.session.commit(&self.proposal(change, message, snapshot.commit_id()))?))
    }

    /// Takes chapters that have been deleted by hand out of the book for good, and says so in the commit, so that they are
    /// not asked about again.
    ///
    /// # Errors
    /// [`Halt::NotLost`] for a chapter that is there.
    pub fn remove(&self, chapters: &BTreeSet<ChapterNo>) -> Result<CommitId, Halt> {
        let book = self.session.book();
        self.adopt_but_losses()?;
        let snapshot = book.snapshot()?;
        let contents = snapshot.contents()?;
        let lost = run::lost_chapters(book)?;
        let mut change = Change::default();
        for &chapter in chapters {
            let is_deleted = match contents.volume_of(chapter) {
                Some(volume) => book.on_disk(&layout::chapter(volume, chapter))?.is_none(),
                None => lost.contains(&chapter),
            };
            if !is_deleted {
                return Err(Halt::NotLost(chapter));
            }
            change = results_of(&snapshot, chapter)?.iter().fold(change, |change, path| change.remove(path));
        }
        let named: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
        let message = Message::new(Kind::HandEdit, &format!("remove: {}", named.join(" ")))
            .trailer(key::REMOVES, named.join(", "));
        let committed = self.session.commit(&self.proposal(change, message, snapshot.commit_id()))?;
        Ok(self.rebuild()?.unwrap_or(committed).id)
    }
}

/// The files that writing the chapter made, as the snapshot has them.
fn results_of(snapshot: &Snapshot<'_>, chapter: ChapterNo) -> Result<Vec<String>, Halt> {
    Ok(snapshot.files("")?.into_iter().filter(|path| layout::is_of_chapter(path, chapter)).collect())
}

/// The message of a commit that derives files.
fn rebuilt(subject: &str, change: &Change) -> Message {
    let body = change.puts.keys().map(|path| format!("- {path}\n")).collect::<String>();
    Message::new(Kind::Rebuild, subject).body(&body)
}
