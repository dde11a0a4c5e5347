//! A run: who writes, who answers, what may be spent, and the loop over chapters.

use super::error::RunError;
use super::event::{Accepted, Event, Warning};
use super::model_call::Unrecorded;
use super::responder::Responder;
use crate::domain::book::work::Work;
use crate::domain::chapter::gate::Gate;
use crate::domain::chapter::stage::{Next, Pause, Progress, Stage};
use crate::domain::workflow::{BookQuestion, BookStatus, NextStep};
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::view::{BookView, config_now};
use crate::pipeline::chapter::accept;
use crate::pipeline::chapter::decide::{Pending, pending};
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::store::layout::BookPath;
use crate::store::{
    Book, Change, CommitError, CommitId, Committed, Draft, Edit, HandEdit, HandEdits, Identity, Kind, Message, Moment,
    Proposal, Session, StoreError, Wanted, layout,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// The clock, as the program reads it.
pub struct Clock {
    /// The present time.
    pub now: Box<dyn Fn() -> jiff::Zoned>,
    /// Milliseconds since some fixed moment; never goes back.
    pub ticks: Box<dyn Fn() -> u64>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

impl Clock {
    /// Now, as git records it.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment::from(&(self.now)())
    }

    /// Now, as files have it: `2026-02-21T15:30:00+08:00`.
    #[must_use]
    pub fn rfc3339(&self) -> String {
        (self.now)().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }
}

/// Asked to stop, by Ctrl-C: the run ends before its next call, and a wait between two attempts ends at once.
#[derive(Debug, Clone, Default)]
pub struct Stop(std::sync::Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    asked: AtomicBool,
    told: tokio::sync::Notify,
}

impl Stop {
    /// Asks the run to stop. Returns whether it had been asked before.
    pub fn ask(&self) -> bool {
        let before = self.0.asked.swap(true, Ordering::SeqCst);
        self.0.told.notify_waiters();
        before
    }

    /// Whether it has been asked.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Ends as soon as it is asked.
    pub async fn wait(&self) {
        // Listening first: a question between the look and the wait would be missed.
        let told = self.0.told.notified();
        if !self.asked() {
            told.await;
        }
    }
}

/// Everything that a run needs beside the book's content.
pub struct Run<'b> {
    /// The right to write.
    pub session: &'b Session<'b>,
    /// Who answers the agents.
    pub responder: &'b Responder,
    /// The clock.
    pub clock: &'b Clock,
    /// Who is named in commits.
    pub author: Identity,
    /// Whether chapters that are begun now are written scene by scene; `None` for what the book says.
    pub by_scenes: Option<bool>,
    /// The most that this run may cost.
    pub budget: Option<Budget>,
    /// Asked to stop.
    pub stop: Stop,
    /// Who is told.
    pub listener: RefCell<Box<dyn FnMut(Event) + 'b>>,
    /// Spent so far, in millionths of a US dollar.
    pub spent_micro: Cell<u64>,
    /// Replies that are paid for and not written down.
    pub unrecorded: Unrecorded,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("spent_micro", &self.spent_micro).finish_non_exhaustive()
    }
}

/// The limit of a run's cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// In millionths of a US dollar.
    pub micro_usd: u64,
    /// Yuan for a dollar, when the author has given the amount in yuan.
    pub cny_per_usd: Option<f64>,
}

/// What became of a chapter.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is a commit of the book.
    Accepted(Accepted),
    /// It waits for the author.
    Paused {
        /// Which.
        chapter: ChapterNo,
        /// Why, and what may be chosen.
        pause: Pause,
    },
}

/// Where a chapter's stages ended.
enum Settled {
    /// It is to be accepted.
    Passed { gate: Gate, progress: Box<Progress> },
    /// The author has the word.
    Waits(Pause),
}

/// How many chapters back a chapter's agents look at the least: their summaries and the last one's ending.
const NEAR: u32 = 3;

/// Folders in which a file that git does not know yet is the author's addition to the book.
const INPUT_FOLDERS: [&str; 6] = ["characters", "prompts", "research", "storylines", "volumes", "world"];

/// The author's uncommitted changes to those files of the book that are wanted.
///
/// # Errors
/// When the work tree cannot be read.
pub fn uncommitted(book: &Book, wanted: Wanted<'_>) -> Result<Vec<Edit>, StoreError> {
    Ok(changes(book, wanted)?.edits)
}

/// The same, with the files that are left to git.
pub(crate) fn changes(book: &Book, wanted: Wanted<'_>) -> Result<HandEdits, StoreError> {
    let (folders, strays) = folders(book)?;
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let mut changes = book.hand_edits(&folders, wanted)?;
    if !strays.is_empty() {
        let contents = book.contents_of(book.tip()?)?;
        // A text beside them that has no delta may be anything.
        changes.edits.retain(|edit| {
            let of = layout::classify(&edit.path).filter(|_| layout::is_result(&edit.path));
            let of = of.and_then(|place| place.chapter());
            edit.staged || of.is_none_or(|of| contents.has(of) || strays.contains(&of))
        });
    }
    Ok(changes)
}

/// The folders in which a new file is the author's addition, and the chapters that a reset has left in the work tree.
fn folders(book: &Book) -> Result<(Vec<String>, BTreeSet<ChapterNo>), StoreError> {
    let strays = book.stray_chapters()?;
    let volumes: BTreeSet<VolumeNo> = strays.values().copied().collect();
    let inputs = INPUT_FOLDERS.iter().map(|folder| (*folder).to_owned());
    let folders = inputs.chain(volumes.into_iter().flat_map(layout::result_folders)).collect();
    Ok((folders, strays.into_keys().collect()))
}

/// The reason to stop that missing files are: with chapters among them, the way to take those out on purpose is known.
pub(crate) fn missing(book: &Book, paths: Vec<String>) -> Result<RunError, RunError> {
    let text = |path: &String| match layout::classify(path) {
        Some(BookPath::Chapter(_, chapter)) => Some(chapter),
        _ => None,
    };
    let chapters: Vec<ChapterNo> = paths.iter().filter_map(text).collect();
    if chapters.is_empty() {
        return Ok(RunError::Deleted { paths });
    }
    let contents = book.contents_of(book.tip()?)?;
    let mut left = contents.iter().map(|(chapter, _)| chapter).filter(|chapter| !chapters.contains(chapter));
    let last_left = left.next_back();
    let are_last = chapters.iter().all(|chapter| last_left.is_some_and(|last| *chapter > last));
    Ok(RunError::Lost { chapters, paths, back_to: last_left.filter(|_| are_last) })
}

/// Chapters that are missing from the last commit although nothing says that this was meant: numbers between others that
/// no chapter has, and chapters whose delta is there and whose text is not.
///
/// # Errors
/// When the repository cannot be read.
pub fn lost_chapters(book: &Book) -> Result<Vec<ChapterNo>, RunError> {
    let snapshot = book.snapshot()?;
    let contents = snapshot.contents()?;
    let mut lost: BTreeSet<ChapterNo> = contents.gaps().collect();
    // Earlier ones are gaps.
    let from = contents.last().and_then(|last| contents.volume_of(last)).unwrap_or(VolumeNo::FIRST);
    let is_late = |name: &str| name.parse::<VolumeNo>().is_ok_and(|volume| volume >= from);
    for volume in snapshot.list(layout::DELTAS)?.into_iter().filter(|name| name.is_dir && is_late(&name.name)) {
        for name in snapshot.list(&format!("{}/{}", layout::DELTAS, volume.name))? {
            let path = format!("{}/{}/{}", layout::DELTAS, volume.name, name.name);
            let chapter = layout::classify(&path).and_then(|place| place.chapter());
            lost.extend(chapter.filter(|chapter| !contents.has(*chapter)));
        }
    }
    if !lost.is_empty() {
        let meant = book.removed()?;
        lost.retain(|chapter| !meant.contains(chapter));
    }
    Ok(lost.into_iter().collect())
}

/// So many files are named in the subject of a hand edit.
const NAMED: usize = 3;

fn subject(edits: &[Edit]) -> String {
    let names: Vec<&str> = edits.iter().take(NAMED).map(|edit| edit.path.as_str()).collect();
    let more = if edits.len() > NAMED { ", …" } else { "" };
    format!("hand edit: {}{more}", names.join(", "))
}

/// How far a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// So many chapters more.
    Count(u32),
    /// Up to this chapter.
    Until(ChapterNo),
    /// To the end of the volume that the next chapter is in.
    Volume,
}

impl<'b> Run<'b> {
    /// Tells what happened.
    pub(crate) fn tell(&self, event: Event) {
        (self.listener.borrow_mut())(event);
    }

    /// Writes chapters until the goal is reached or one waits for the author. A chapter that is being written again is
    /// finished first, and does not count: what comes after it may rest on it.
    ///
    /// # Errors
    /// The [`RunError`] that ended the run; the outcomes so far have been told as events.
    pub async fn chapters(&self, goal: Goal) -> Result<Vec<Outcome>, RunError> {
        let mut next = self.settled_next()?;
        if let Some((chapter, pause)) = self.finish_again().await? {
            return Ok(vec![Outcome::Paused { chapter, pause }]);
        }
        // With nothing planned, asking for one chapter gives the message that says so.
        let (count, last) = match goal {
            Goal::Count(count) => (count as usize, None),
            Goal::Until(last) => (1, Some(last)),
            Goal::Volume => (1, self.last_of_volume(next)?),
        };
        let mut outcomes = Vec::new();
        loop {
            let done = match last {
                Some(last) => next > last,
                None => outcomes.len() >= count,
            };
            if done {
                return Ok(outcomes);
            }
            if self.stop.asked() {
                return Err(RunError::Interrupted);
            }
            let outcome = self.settled_chapter(next).await?;
            let paused = matches!(outcome, Outcome::Paused { .. });
            outcomes.push(outcome);
            let is_last = last.map_or(outcomes.len() >= count, |last| next >= last);
            if paused || is_last {
                return Ok(outcomes);
            }
            // A disk that failed after the last acceptance must not let the next chapter begin on a folder behind.
            self.session.catch_up()?;
            next = self.settled_next()?;
        }
    }

    /// The last chapter of the volume that `next` is in; `None` with nothing planned.
    fn last_of_volume(&self, next: ChapterNo) -> Result<Option<ChapterNo>, RunError> {
        let snapshot = self.session.book().snapshot()?;
        let planned = BookView::new(&snapshot).plan(next)?;
        Ok(planned.and_then(|(_, outline)| outline.range()).map(|(_, last)| last))
    }

    pub(crate) fn next_chapter(&self) -> Result<ChapterNo, RunError> {
        let snapshot = self.session.book().snapshot()?;
        Ok(BookView::new(&snapshot).checkpoint()?.next_chapter())
    }

    /// The chapter that comes next, once the author's changes are committed and the book is in line with its chapters: a
    /// change may bring chapters in or take some out.
    pub(crate) fn settled_next(&self) -> Result<ChapterNo, RunError> {
        self.commit_local_changes_for(self.next_chapter()?)?;
        self.reconcile()?;
        self.next_chapter()
    }

    /// Brings state and checkpoint in line with the chapters, where plain git has changed which there are.
    ///
    /// # Errors
    /// [`RunError::Lost`] when chapters are gone and nothing says that this was meant; nothing is written then.
    pub(crate) fn reconcile(&self) -> Result<(), RunError> {
        let book = self.session.book();
        let chapters = lost_chapters(book)?;
        if !chapters.is_empty() {
            let contents = book.contents_of(self.session.tip()?)?;
            let last = contents.last();
            let back_to = last.filter(|last| chapters.iter().all(|chapter| chapter > last));
            return Err(RunError::Lost { chapters, paths: Vec::new(), back_to });
        }
        let snapshot = book.snapshot()?;
        let view = BookView::new(&snapshot);
        if view.state_is_of_last()? {
            return Ok(());
        }
        if self.rebuild()?.is_some() {
            let next = view.contents()?.next();
            self.tell(Event::Warning { work: next.into(), warning: Warning::Rebuilt });
        }
        Ok(())
    }

    /// The author's uncommitted changes to the book become a commit of their own, so that nothing overwrites them.
    ///
    /// # Errors
    /// [`RunError::BrokenEdit`] and [`RunError::Outline`] for a damaged file of the author's, [`RunError::Deleted`] for a missing one
    /// that the book needs, [`RunError::InTheWay`]; nothing is committed then. The program's own files are restored. Plans of
    /// volumes to come are the exception: one may be half written while an earlier volume goes on.
    pub fn commit_local_changes(&self) -> Result<Option<HandEdit>, RunError> {
        self.commit_changes_of(Wanted::of(&layout::is_book_path))
    }

    /// The same for the files that `chapter` is written from, or that its commit touches. Looking only at these keeps
    /// the time flat: the files of chapters further back are as many as the book is long.
    pub(crate) fn commit_local_changes_for(&self, chapter: ChapterNo) -> Result<Option<HandEdit>, RunError> {
        let near = NEAR.max(config_now(self.session.book())?.memory_chapters);
        let is_near = |path: &str| {
            let name = path.rsplit('/').next().and_then(|name| name.strip_prefix("chapter-"));
            let number = name.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok());
            number.is_none_or(|n| n + near >= chapter.get())
        };
        self.commit_changes_of(Wanted::of(&layout::is_book_path).among(&is_near))
    }

    fn commit_changes_of(&self, wanted: Wanted<'_>) -> Result<Option<HandEdit>, RunError> {
        let edits = self.sound_edits(wanted, true)?;
        self.commit_these(&edits)
    }

    /// The same, but for deletions of chapters: those stay uncommitted.
    ///
    /// # Errors
    /// As for [`commit_local_changes`](Self::adopt).
    pub fn commit_all_but_losses(&self) -> Result<Option<HandEdit>, RunError> {
        let edits = self.sound_edits(Wanted::of(&layout::is_book_path), false)?;
        self.commit_these(&edits)
    }

    fn commit_these(&self, edits: &[Edit]) -> Result<Option<HandEdit>, RunError> {
        if edits.is_empty() {
            return Ok(None);
        }
        let message = Message::new(Kind::HandEdit, &subject(edits));
        let paths: BTreeSet<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
        let is_one = |path: &str| paths.contains(path);
        let (folders, _) = folders(self.session.book())?;
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        let wanted = Wanted::of(&is_one).among(&is_one);
        let edit = self.session.adopt(&folders, wanted, &message, &self.author, self.clock.moment())?;
        if let Some(edit) = &edit {
            self.tell(Event::HandEdit { commit: edit.commit.short(), paths: edit.paths.clone() });
        }
        Ok(edit)
    }

    /// A transaction of this run's author, now, that joins no other line and keeps nothing.
    pub(crate) fn proposal(&self, change: Change, message: Message, expected: CommitId) -> Proposal {
        let (author, time) = (self.author.clone(), self.clock.moment());
        Proposal { change, message, expected, merged: Vec::new(), keep: Vec::new(), author, time }
    }

    /// Makes a transaction of the book. What the author saves between the look and the lock is committed first, as the
    /// author's own, and it stands.
    pub(crate) fn commit(&self, work: Work, mut proposal: Proposal) -> Result<Committed, RunError> {
        let committed = match self.session.commit(&proposal) {
            Err(CommitError::AuthorEdited { .. }) => {
                self.commit_local_changes()?;
                if work.chapter().is_some() {
                    // The author's edit of the rules stands; the chapter has only a note to add to them.
                    proposal.change.puts.remove(layout::WORLD_RULES);
                }
                proposal.expected = self.session.tip()?;
                self.session.commit(&proposal).map_err(|error| self.blocked(error))?
            }
            other => other?,
        };
        if let Some(error) = &committed.lagging {
            let warning = Warning::FolderLags { why: error.fault() };
            self.tell(Event::Warning { work, warning });
        }
        Ok(committed)
    }

    /// Closes the draft that a transaction has accepted. The branch has moved, so a failure is no failure of the work: it is
    /// told, and the next session closes the draft.
    pub(crate) fn close(&self, work: Work, committed: &Committed, draft: Draft<'_>) {
        if committed.lagging.is_some() {
            return;
        }
        if let Err(error) = draft.close() {
            self.tell(Event::Warning { work, warning: Warning::FolderLags { why: error.fault() } });
        }
    }

    /// Names the obstruction where a commit was refused for files that are no edits.
    fn blocked(&self, error: CommitError) -> RunError {
        let CommitError::AuthorEdited { paths } = &error else { return error.into() };
        match self.session.book().obstructions(paths.iter().map(String::as_str)) {
            Ok(found) if !found.is_empty() => RunError::InTheWay(found),
            _ => error.into(),
        }
    }

    /// Writes a chapter, going on with what is already there.
    pub(crate) async fn chapter(&self, chapter: ChapterNo) -> Result<Outcome, RunError> {
        self.commit_local_changes_for(chapter)?;
        self.settled_chapter(chapter).await
    }

    /// The same, once the author's changes are committed.
    async fn settled_chapter(&self, chapter: ChapterNo) -> Result<Outcome, RunError> {
        self.require_review(chapter)?;
        // A run that ended before the style was drawn left it to this one.
        self.learn_deferred_style().await?;
        self.migrate()?;
        if let Some(Pending { path, .. }) = pending(self.session.book())?.filter(|p| p.chapter == chapter && p.edited) {
            // The author has answered by editing: the old question is not asked again.
            self.tell(Event::EditTaken { chapter, path });
        }
        let chapter_draft = match ChapterDraft::open(self, chapter) {
            Err(RunError::NotPlanned { chapter, volume }) => return Err(self.unplanned(chapter, volume)?),
            other => other?,
        };
        self.carry_through(chapter_draft).await
    }

    /// Refuses the first chapter of a volume as long as the volume before it has no review of all its chapters. Which that is
    /// follows from the outlines, so that a rollback, a plan by hand and an extended volume make no difference.
    fn require_review(&self, chapter: ChapterNo) -> Result<(), RunError> {
        let snapshot = self.session.book().snapshot()?;
        let view = BookView::new(&snapshot);
        if chapter.get() <= view.checkpoint()?.last_completed {
            return Ok(());
        }
        let Some((volume, outline)) = view.plan(chapter)? else { return Ok(()) };
        let is_first = outline.range().is_some_and(|(first, _)| first == chapter);
        let before = VolumeNo::new(volume.get() - 1).filter(|_| is_first);
        match before {
            Some(before) if view.outline(before)?.is_some() && !view.is_reviewed(before)? => {
                Err(RunError::NotReviewed(before))
            }
            _ => Ok(()),
        }
    }

    /// Why a chapter that no outline has cannot be written, by what the book waits for.
    pub(crate) fn unplanned(&self, chapter: ChapterNo, volume: VolumeNo) -> Result<RunError, RunError> {
        // Changes of contracts may wait as long as chapters are planned, and are no reason here.
        let standing = crate::pipeline::workflow::standing(self.session.book())?;
        Ok(match (BookStatus { proposal: None, ..standing }).next() {
            NextStep::Rest(_) => RunError::Ended(volume),
            NextStep::Review(volume) => RunError::NotReviewed(volume),
            NextStep::Ask(BookQuestion::Plan { volume, sound }) => RunError::PlanWaits { volume, sound },
            _ => RunError::NotPlanned { chapter, volume },
        })
    }

    /// Takes the chapter of a desk to its end: into the book, or before its author.
    pub(crate) async fn carry_through(&self, chapter_draft: ChapterDraft<'_, '_>) -> Result<Outcome, RunError> {
        let chapter = chapter_draft.chapter();
        match self.run_until_decided(&chapter_draft).await {
            Ok(Settled::Passed { gate, progress }) => {
                let accepted = accept::accept(chapter_draft, gate, progress.verdict(), progress.tries)?;
                self.learn_deferred_style().await?;
                Ok(Outcome::Accepted(accepted))
            }
            Ok(Settled::Waits(pause)) => {
                chapter_draft.show()?;
                self.tell(Event::Paused { chapter, pause: pause.clone() });
                Ok(Outcome::Paused { chapter, pause })
            }
            Err(error) => {
                // The author may want to see how far it came. What stopped the run matters more than a failure here.
                let _ = chapter_draft.show();
                Err(error)
            }
        }
    }

    /// Runs stage after stage until the chapter is through or waits for the author.
    async fn run_until_decided(&self, chapter_draft: &ChapterDraft<'_, '_>) -> Result<Settled, RunError> {
        let mut progress = chapter_draft.progress()?;
        let begun = progress.text.is_some() || progress.partial.is_some();
        if begun && chapter_draft.text_is_edited()? {
            chapter_draft.take_edit()?;
            progress = chapter_draft.progress()?;
        }
        self.tell(Event::ChapterBegun {
            chapter: chapter_draft.chapter(),
            title: chapter_draft.context.section.title.clone(),
            storyline: chapter_draft.context.storyline().clone(),
            reused: progress.done(),
            scenes: progress.scenes,
        });
        self.tell_manner(chapter_draft, &progress);
        loop {
            match chapter_draft.next(&progress) {
                // Saved while the last answer was being written down.
                Next::Accept(_) if chapter_draft.text_is_edited()? => chapter_draft.take_edit()?,
                Next::Accept(gate) => return Ok(Settled::Passed { gate, progress: Box::new(progress) }),
                Next::Wait(pause) => return Ok(Settled::Waits(pause)),
                Next::Run(_) if self.stop.asked() => return Err(RunError::Interrupted),
                Next::Run(stages) => self.run_parallel(chapter_draft, &stages).await?,
            }
            progress = chapter_draft.progress()?;
            chapter_draft.tell_verdict(&progress);
        }
    }

    /// Says when a draft goes on otherwise than this run was asked to write.
    fn tell_manner(&self, chapter_draft: &ChapterDraft<'_, '_>, progress: &Progress) {
        let by_scenes = progress.scenes.is_some();
        let begun = by_scenes || matches!(progress.text, Some(Stage::Draft | Stage::Edit));
        if begun && self.by_scenes.is_some_and(|wanted| wanted != by_scenes) {
            let warning = Warning::BegunOtherwise { by_scenes };
            self.tell(Event::Warning { work: chapter_draft.chapter().into(), warning });
        }
    }

    /// Runs stages that need only what is there at the same time. Each writes its result down as soon as it has one;
    /// when one fails, the other is still waited for, because it has been paid for.
    async fn run_parallel(&self, chapter_draft: &ChapterDraft<'_, '_>, stages: &[Stage]) -> Result<(), RunError> {
        let results = futures_util::future::join_all(stages.iter().map(|stage| chapter_draft.perform(*stage))).await;
        results.into_iter().collect()
    }
}
