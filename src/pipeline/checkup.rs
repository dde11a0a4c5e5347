//! What is wrong with the content of a book, and how to put it right from history. The repository itself is examined
//! by [`store::examine`](crate::store::examine).

use super::damage::{self, Wound, last_whole};
use super::desk::Places;
use super::halt::Halt;
use super::replay;
use super::run::Run;
use super::shelf::Shelf;
use crate::domain::ChapterNo;
use crate::domain::checkpoint::{Checkpoint, Phase, PipelineStage};
use crate::store::format::check::{Severity, check_file, fault};
use crate::store::format::{FormatError, Problem};
use crate::store::layout::Place;
use crate::store::{Block, Book, Change, CommitId, Committed, Kind, Obstruction, Transaction, Wanted, format, layout};
use std::collections::BTreeMap;

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
    /// Between two chapters one is missing.
    Gap {
        /// The number that is missing.
        chapter: ChapterNo,
    },
    /// Two chapters have the same title.
    SameTitle(ChapterNo, ChapterNo),
    /// Two chapters have the same text.
    SameText(ChapterNo, ChapterNo),
    /// The committed state is not what the chapters make it.
    StateDiffers {
        /// The first chapter after which they differ.
        chapter: ChapterNo,
        /// Which file.
        path: String,
    },
    /// The checkpoint is not what the history says.
    CheckpointDiffers {
        /// The last chapter by the checkpoint.
        says: u32,
        /// The last chapter by the history.
        is: u32,
    },
}

impl Ailment {
    /// Whether [`Run::cure`] can put it right.
    #[must_use]
    pub fn is_curable(&self) -> bool {
        match self {
            Self::BadFile { whole_in, .. } => whole_in.is_some(),
            Self::Missing { .. } | Self::StateDiffers { .. } | Self::CheckpointDiffers { .. } => true,
            Self::BrokenEdit { error, .. } => error.is_damage(),
            Self::Deleted { .. } | Self::Gone { .. } => true,
            Self::InTheWay(found) => !matches!(found.block, Block::ReadOnly | Block::Committed),
            Self::Gap { .. } | Self::SameTitle(..) | Self::SameText(..) => false,
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
            Self::SameTitle(..) | Self::SameText(..) => true,
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
    ailments.extend(missing_results(book, &chapters)?);
    ailments.extend(numbering(book, &chapters)?);
    // A replay reads every delta: with unreadable files it would only say so again.
    if ailments.iter().all(Ailment::is_harmless) {
        let replayed = replay::replay(book)?;
        let first = replayed.mismatches.first();
        ailments.extend(first.map(|m| Ailment::StateDiffers { chapter: m.chapter, path: m.path.clone() }));
        let snapshot = book.snapshot()?;
        let says = Shelf::new(&snapshot).checkpoint()?.last_completed;
        let is = chapters.keys().next_back().map_or(0, |chapter| chapter.get());
        ailments.extend((says != is).then_some(Ailment::CheckpointDiffers { says, is }));
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

fn missing_results(book: &Book, chapters: &BTreeMap<ChapterNo, Transaction>) -> Result<Vec<Ailment>, Halt> {
    let snapshot = book.snapshot()?;
    let mut ailments = Vec::new();
    for (&chapter, transaction) in chapters.iter().filter(|(_, transaction)| transaction.kind == Kind::Chapter) {
        let Some(volume) = transaction.volume else { continue };
        let places = Places::of(volume, chapter);
        for path in [places.text, places.summary, places.delta, places.evaluation, places.log] {
            if !snapshot.has(&path) {
                ailments.push(Ailment::Missing { chapter, path, whole_in: transaction.id });
            }
        }
        // Chapters of earlier programs have none.
        let path = places.memory;
        if !snapshot.has(&path) && book.snapshot_of(transaction.id)?.has(&path) {
            ailments.push(Ailment::Missing { chapter, path, whole_in: transaction.id });
        }
    }
    Ok(ailments)
}

fn numbering(book: &Book, chapters: &BTreeMap<ChapterNo, Transaction>) -> Result<Vec<Ailment>, Halt> {
    let snapshot = book.snapshot()?;
    let mut ailments = Vec::new();
    let last = chapters.keys().next_back().map_or(0, |chapter| chapter.get());
    let missing = (1..last).filter_map(ChapterNo::new).filter(|chapter| !chapters.contains_key(chapter));
    ailments.extend(missing.map(|chapter| Ailment::Gap { chapter }));
    let (mut titles, mut texts) = (BTreeMap::new(), BTreeMap::new());
    for (&chapter, transaction) in chapters {
        let Some(volume) = transaction.volume else { continue };
        let Some(bytes) = snapshot.read(&layout::chapter(volume, chapter))? else { continue };
        let text = crate::domain::chapter::Chapter::from_markdown(chapter, &String::from_utf8_lossy(&bytes), "");
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

    /// Puts right what can be, in one commit. What stands there now stays in history.
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
                Ailment::StateDiffers { .. } => {
                    let replayed = replay::replay(book)?;
                    let now = replayed.chronicle.now();
                    let previous = snapshot.read(layout::FORESHADOWING)?;
                    let ledger = format::foreshadowing::write(&now.ledger, previous.as_deref());
                    change =
                        change.put(layout::STATE, format::state::write(&now.state)).put(layout::FORESHADOWING, ledger);
                    continue;
                }
                Ailment::CheckpointDiffers { .. } => {
                    let checkpoint = self.derived_checkpoint(book)?;
                    change = change.put(layout::CHECKPOINT, format::checkpoint::write(&checkpoint, None));
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
        self.put_right(change)
    }

    /// The checkpoint as the history has it: that of the last chapter's commit, or of the beginning.
    fn derived_checkpoint(&self, book: &Book) -> Result<Checkpoint, Halt> {
        let last = book.chapters()?.into_keys().next_back();
        // A chapter that was written again later has the newer sums.
        let is_text = |transaction: &Transaction| transaction.accepts().is_some();
        let newest = book.in_effect(is_text)?.pop().filter(is_text);
        let (Some(chapter), Some(transaction)) = (last, newest) else {
            return Ok(Checkpoint::new(Phase::Writing, self.clock.rfc3339()));
        };
        let snapshot = book.snapshot_of(transaction.id)?;
        let committed = Shelf::new(&snapshot).checkpoint()?;
        Ok(Checkpoint {
            last_completed: chapter.get(),
            stage: Some(PipelineStage::Committed),
            inflight: None,
            time: self.clock.rfc3339(),
            ..committed
        })
    }
}
