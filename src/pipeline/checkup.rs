//! What is wrong with the content of a book, and how to put it right from history. The repository itself is examined
//! by [`store::examine`](crate::store::examine).

use super::desk::Places;
use super::halt::Halt;
use super::replay;
use super::run::{self, Run};
use super::shelf::Shelf;
use crate::domain::ChapterNo;
use crate::domain::checkpoint::{Checkpoint, Phase, PipelineStage};
use crate::store::format::FormatError;
use crate::store::format::check::{Severity, check_file};
use crate::store::{Book, Change, CommitId, Committed, Kind, Log, Message, Transaction, Wanted, format, layout};
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
            Self::BrokenEdit { .. } | Self::Gap { .. } | Self::SameTitle(..) | Self::SameText(..) => false,
        }
    }

    /// Whether the book works all the same.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        match self {
            Self::BadFile { harmless, .. } => *harmless,
            Self::SameTitle(..) | Self::SameText(..) => true,
            Self::BrokenEdit { .. }
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
    let edits = run::broken(book, &run::uncommitted(book, Wanted::of(&layout::is_book_path))?)?;
    ailments.extend(edits.into_iter().map(|edit| Ailment::BrokenEdit { path: edit.path, error: edit.error }));
    Ok(ailments)
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

/// The newest commit in which the file is of its format, first among those in effect: a rollback that left the file as it
/// was may have passed over the commits that have it whole.
fn last_whole(book: &Book, path: &str) -> Result<Option<CommitId>, Halt> {
    for transaction in book.in_effect(|_| false)?.into_iter().chain(book.log(&Log::default())?) {
        if let Some(bytes) = book.snapshot_of(transaction.id)?.read(path)?
            && check_file(path, &bytes).iter().all(|finding| finding.severity == Severity::Warning)
        {
            return Ok(Some(transaction.id));
        }
    }
    Ok(None)
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
                Ailment::Missing { path, whole_in, .. } => (path, whole_in),
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
            if let Some(bytes) = book.snapshot_of(*commit)?.read(path)? {
                change = change.put(path, bytes);
            }
        }
        if change == Change::default() {
            return Ok(None);
        }
        let paths: Vec<&String> = change.puts.keys().collect();
        let body = paths.iter().map(|path| format!("- {path}\n")).collect::<String>();
        let message = Message::new(Kind::Rebuild, "rebuild: put right from history").body(&body);
        Ok(Some(self.session.commit(&self.proposal(change, message, snapshot.commit_id()))?))
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
