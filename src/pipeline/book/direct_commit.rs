//! Transactions of the book without a draft: a step without an agent, and a turn to another phase; and requests, told from
//! each other by their words, so that the same one right after its answer is not paid for again.
//!
//! Files of a draft that are in the book: the author, or a code host's button, has merged the draft's branch. In the book they
//! would go into every later draft, whose calls and costs they would count among. A checkout of the branch that another tool has
//! broken off leaves such files in the folder.
//!
//! Bringing the files of an older book to the present formats, once and as a transaction of its own.
//! A book of a newer program is only read: writing in it would mix in files of an older format, or lose data.

use crate::agents::call::prompt::hash_of;
use crate::domain::workflow::Answer;
use crate::pipeline::book::hand_edits::uncommitted;
use crate::pipeline::engine::call_record::DRAFT_ONLY;
use crate::pipeline::prelude::*;
use crate::store::format::migrate::{self, Introduced};
use crate::store::format::plain;
use crate::store::{Body, CommitError, Edit, EditKind, Instead, Log, Remark, Wanted};

impl Run<'_> {
    /// Makes the change one commit of the book, which is to be as `base` has it. The request is noted, so that the same command
    /// is not carried out a second time.
    pub(crate) fn step(
        &self,
        (step, request): (Step, &str),
        message: Message,
        change: Change,
        base: &Snapshot<'_>,
    ) -> Result<Done, RunError> {
        let work = Work::Step(step);
        let commit = BookCommit::new(self, work, message.trailer(STEP, step), change, base);
        let commit = commit.trailer(trailer::WORK, work).trailer(trailer::REQUEST, request_hash(request));
        Ok(commit.make()?.into())
    }

    /// Makes the change, as the author has answered, one commit that turns the book from one phase to the next.
    pub(crate) fn turn(
        &self,
        answer: Answer,
        message: Message,
        change: Change,
        after: impl FnOnce(Checkpoint) -> Checkpoint,
    ) -> Result<Done, RunError> {
        self.commit_local_changes()?;
        let view = BookView::new(self.session.book().snapshot()?);
        let before = view.checkpoint_with_totals()?;
        let volume = before.volume;
        let checkpoint = Checkpoint { time: self.calls.clock.rfc3339(), ..after(before) };
        let change = view.put_checkpoint(change, &checkpoint)?;
        let message = message.trailer(key::VOLUME, volume.get()).trailer(key::ANSWER, answer);
        Ok(BookCommit::new(self, Work::Plan(volume), message, change, &view).make()?.into())
    }
}

/// The last transaction, when it answers this very request: it was asked for again by accident, or because the command
/// died before it could say that it was done. When the author has changed since what it made, the request is a new one.
pub(crate) fn just_done(book: &Book, work: Work, request: &str) -> Result<Option<Transaction>, StoreError> {
    let last = newest(book)?.filter(|transaction| {
        let trailers = &transaction.trailers;
        trailers.read(trailer::WORK) == Some(work) && trailers.get(trailer::REQUEST) == Some(&request_hash(request))
    });
    let Some(last) = last else { return Ok(None) };
    let after = book.snapshot_of(last.id)?;
    let changed = book.snapshot()?.changed_since(&after)?;
    let made = match last.parent {
        Some(parent) => after.changed_since(&book.snapshot_of(parent)?)?,
        None => Default::default(),
    };
    let is_untouched = changed.iter().all(|path| path == layout::CHECKPOINT || !made.contains(path));
    Ok(is_untouched.then_some(last))
}

/// So many commits of the author's may lie between two equal requests.
const JUST: usize = 20;

/// The last transaction that is more than the author's own edits.
pub(crate) fn newest(book: &Book) -> Result<Option<Transaction>, StoreError> {
    let log = book.log(&Log { limit: JUST, ..Log::default() })?;
    Ok(log.into_iter().find(|transaction| transaction.kind != Kind::HandEdit && !transaction.kind.is_upkeep()))
}

pub(crate) fn request_hash(request: &str) -> String {
    hash_of(&[("request", request)])
}

/// True when the last commit has files that belong to drafts alone.
pub fn is_there(book: &Book) -> Result<bool, RunError> {
    Ok(!book.snapshot()?.list(DRAFT_ONLY.trim_end_matches('/'))?.is_empty())
}

/// Files in the book's folder that a checkout of a draft's branch has left there, byte for byte, the chapter's text among them. They
/// are no edits of the author's.
pub(super) fn left_by_checkout(book: &Book, edits: &[Edit]) -> Result<Vec<String>, RunError> {
    let new = edits.iter().filter(|edit| edit.kind == EditKind::Added);
    let places = new.filter_map(|edit| Some((layout::classify(&edit.path)?, edit.path.as_str())));
    let texts: Vec<(BookPath, &str)> = places.filter(|(place, _)| matches!(place, BookPath::Chapter(..))).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut left = Vec::new();
    for (work, tip) in book.drafts()? {
        let draft = book.snapshot_of(tip)?;
        let is_same = |path: &str| {
            let there = book.on_disk(path)?;
            Ok::<bool, RunError>(there.is_some() && there == draft.read(path)?)
        };
        for (_, text) in texts.iter().filter(|(place, _)| place.chapter() == work.chapter()) {
            if is_same(text)? {
                let records = draft.files(DRAFT_ONLY)?;
                for path in edits.iter().map(|edit| &edit.path).chain(&records) {
                    left.extend(is_same(path)?.then(|| path.clone()));
                }
            }
        }
    }
    Ok(left)
}

impl Run<'_> {
    /// Takes files that a checkout of a draft's branch has left out of the book's folder: the draft has them.
    pub(super) fn take_back_checkout(&self, left: Vec<String>) -> Result<(), RunError> {
        if left.is_empty() {
            return Ok(());
        }
        let chapter = left.iter().find_map(|path| layout::classify(path)?.chapter());
        let files = left.into_iter().map(|path| (path, Instead::Committed)).collect();
        self.session.set_aside(&files, &self.author, self.calls.clock.moment())?;
        if let Some(chapter) = chapter {
            self.tell(Event::Warning { work: chapter.into(), warning: Warning::CheckoutTakenBack });
        }
        Ok(())
    }

    /// Takes the files out of the book, in one commit; false where the author has changed one of them, so that all stay for now. The
    /// draft itself, with its calls, is kept under its own name.
    pub fn take_out_draft_files(&self) -> Result<bool, RunError> {
        let snapshot = self.session.book().snapshot()?;
        let change = Change { removes: snapshot.files(DRAFT_ONLY)?.into_iter().collect(), ..Change::default() };
        let message = Message::new(Kind::Rebuild, Subject::Repaired).body(format!("- {DRAFT_ONLY}\n"));
        match BookCommit::new(self, Work::Step(Step::Regenerate), message, change, &snapshot).make_unless_edited() {
            Ok(_) => Ok(true),
            Err(CommitError::AuthorEdited { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl BookView<'_> {
    /// Returns true when a file that every book has is of an older format: the others are, too. Looking at these few keeps
    /// the time flat; a single file of an older format among newer ones is read as it is.
    fn is_older(&self) -> Result<bool, RunError> {
        let schedule = layout::schedule(self.checkpoint()?.volume);
        for path in [layout::STORYLINES, layout::WORLD_RULES, layout::STORYLINE_RULES, &schedule] {
            if self.bytes(path)?.is_some_and(|bytes| migrate::is_older(path, &bytes)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The volume in which each storyline runs for the first time, by the schedules.
    fn introduced(&self) -> Result<Introduced, RunError> {
        let mut introduced = Introduced::new();
        for volume in self.volumes()? {
            // A schedule that cannot be read is the examination's business.
            let Ok(Some(schedule)) = self.schedule(volume) else { continue };
            for line in schedule.active {
                introduced.entry(line.storyline).or_insert(volume);
            }
        }
        Ok(introduced)
    }

    /// Every file below `folders` that is of an older format, in the present one.
    pub(crate) fn brought_up(&self, folders: &[String]) -> Result<Change, RunError> {
        let introduced = self.introduced()?;
        let mut change = Change::default();
        for folder in folders {
            for path in self.files(folder)? {
                let bytes = self.bytes(&path)?.unwrap_or_default();
                if let Some(new) = migrate::migrated(&path, &bytes, &introduced) {
                    change = change.put(&path, new);
                }
            }
        }
        Ok(change)
    }
}

impl Run<'_> {
    /// Brings older files of the book to the present formats. Files with local changes are left to the next time.
    pub(crate) fn migrate(&self) -> Result<(), RunError> {
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        if !view.is_older()? {
            return Ok(());
        }
        let folders = [layout::VOLUMES, "storylines", "world"].map(str::to_owned);
        let mut change = view.brought_up(&folders)?;
        // A checkpoint of an older program gets the number of the present format with them.
        change = view.put_checkpoint(change, &view.checkpoint_with_totals()?)?;
        let is_in = |path: &str| change.puts.contains_key(path);
        let edited = uncommitted(book, Wanted::of(&is_in))?;
        for edit in edited {
            change.puts.remove(&edit.path);
        }
        let files = change.puts.keys().filter(|path| *path != layout::CHECKPOINT).count();
        if files == 0 {
            return Ok(());
        }
        let message = Message::new(Kind::Migrate, Subject::Formats(files))
            .body(Body::default().and(Remark::Notation))
            .trailer(key::FORMATS, migrate::VERSION);
        let work = Work::Step(Step::World);
        match BookCommit::new(self, work, message, change, &view).make_unless_edited() {
            // Saved between the look and the lock: the next command finds it committed.
            Err(CommitError::AuthorEdited { .. }) => Ok(()),
            Err(error) => Err(error.into()),
            Ok(committed) => {
                self.tell(Event::Migrated { commit: committed.id.to_string(), files });
                Ok(())
            }
        }
    }
}

/// Refuses a book of a newer program, told by the number of the book's format in its checkpoint.
/// Fails with [`RunError::Format`], with the file and its version; or when the repository cannot be read.
pub fn refuse_newer(book: &Book) -> Result<(), RunError> {
    let checkpoint = book.snapshot()?.read(layout::CHECKPOINT)?;
    match checkpoint.and_then(|bytes| plain::newer_book(&bytes)) {
        Some(source) => Err(RunError::Format { path: layout::CHECKPOINT.to_owned(), source }),
        None => Ok(()),
    }
}
