//! Bringing something kept back into the book: a line or a chapter as one commit, a draft as a draft, files as the author's
//! own change.

use crate::domain::book::checkpoint::StageLog;
use crate::domain::volume::outline::Section;
use crate::pipeline::book::files;
use crate::pipeline::book::going_back::waivers_with_plans_of;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::kept::{Kept, KeptThing, KeptWhy};
use crate::pipeline::book::taken_out::{Removal, removal};
use crate::pipeline::book::{going_back, replay};
use crate::pipeline::chapter::existing::{ExistingChapter, Joined, join};
use crate::pipeline::engine::error::{HistoryError, LineError};
use crate::pipeline::planning::renumber::{self, Renumbered};
use crate::pipeline::planning::renumber_order::{RemovedChapter, RenumberOrder};
use crate::pipeline::prelude::*;
use crate::store::{self, ReopenError, Reopened, ReturnTo, RollbackError, RollbackResult};

/// The author's inputs when the book goes back to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorInputs {
    Stay,
    Return,
}

#[derive(Debug)]
pub enum Restored {
    Line(Box<RollbackResult>),
    Chapter {
        chapter: ChapterNo,
        commit: CommitId,
        /// Later chapters that rest on what is different.
        affected: Vec<ChapterNo>,
    },
    /// The chapter that was taken out is back, with other numbers for those after it.
    Removed(ChapterNo, Box<Renumbered>),
    Draft(Work, Box<Reopened>),
    Files {
        commit: CommitId,
        paths: Vec<String>,
    },
    Branch(String),
    /// Everything is so already.
    Unchanged,
}

/// Trailers of an accepted chapter that hold again when its text comes back.
const OF_THE_TEXT: [&str; 7] =
    ["Novel-Storyline", "Novel-Score", "Novel-Gate", "Novel-Revisions", "Novel-Words", key::DRAFT, "Novel-Models"];

/// The commit among those that an interrupted command has made by which something kept came back.
pub fn restored_by(made: &[Transaction]) -> Option<CommitId> {
    made.iter().find(|transaction| transaction.trailers.get(key::RESTORES).is_some()).map(|transaction| transaction.id)
}

/// Brings something kept back. The author's changes are committed first.
/// Fails with [`HistoryError`], or when the commit cannot be made; nothing of it has happened then.
pub fn bring_back(run: &Run<'_>, kept: &Kept, inputs: AuthorInputs) -> Result<Restored, RunError> {
    let mut draft_now = None;
    if let (KeptThing::Chapter(chapter), KeptWhy::Removed) = (&kept.thing, kept.why)
        && let Some(removal) = removal(run.session.book(), *chapter, kept.commit)?
    {
        hand_edits::commit_all_but_losses(run)?;
        return restore_removed(run, *chapter, kept.commit, removal);
    }
    if let KeptThing::Chapter(chapter) | KeptThing::Draft(Work::Chapter(chapter)) = &kept.thing {
        let (name, chapter) = (kept.name.clone(), *chapter);
        let (book, is_draft) = (run.session.book(), matches!(kept.thing, KeptThing::Draft(_)));
        let now = match is_draft {
            true => store::provenance::number_of_draft(book, chapter, kept.commit)?,
            // Half of a chapter, or one of two, is not the text that has come of them.
            false => {
                let since = store::provenance::renumberings_after(book, kept.commit)?;
                since.iter().rev().try_fold(chapter, |number, how| how.of_draft(number))
            }
        };
        // A draft is put on the book as it is, under the number that its chapter has there.
        draft_now = now.filter(|_| is_draft).map(Work::from);
        if now != Some(chapter) && draft_now.is_none() {
            return Err(HistoryError::OtherNumber { kept: name, chapter, now }.into());
        }
    }
    hand_edits::commit_all_but_losses(run)?;
    match &kept.thing {
        KeptThing::Line { .. } => restore_line(run, kept, inputs),
        KeptThing::Chapter(chapter) => restore_chapter(run, *chapter, kept.commit),
        KeptThing::Draft(was) => restore_draft(run, *was, draft_now.unwrap_or(*was), kept.commit),
        KeptThing::Files(paths) => restore_files(run, paths, kept.commit),
        KeptThing::Branch { name } => {
            let is_new = store::lines::restore_line(run.session, name, kept.commit)?;
            Ok(if is_new { Restored::Branch(name.clone()) } else { Restored::Unchanged })
        }
    }
}

fn restore_line(run: &Run<'_>, kept: &Kept, inputs: AuthorInputs) -> Result<Restored, RunError> {
    let stays = |path: &str| inputs == AuthorInputs::Stay && going_back::stays(path);
    let book = run.session.book();
    let also = match inputs {
        AuthorInputs::Stay => {
            waivers_with_plans_of(&BookView::new(book.snapshot()?), &BookView::new(book.snapshot_of(kept.commit)?))?
        }
        AuthorInputs::Return => Change::default(),
    };
    let trailers = [(key::RESTORES, kept.commit.to_string())];
    let wanted = ReturnTo { kind: Kind::Rollback, to: kept.commit, stays: &stays, also: &also, trailers: &trailers };
    let telling = run.commit_info(Some(Subject::Restore(kept.subject.clone())));
    match store::rollback::return_to(run.session, &wanted, &telling) {
        Err(RollbackError::AlreadyThere) => Ok(Restored::Unchanged),
        done => Ok(Restored::Line(Box::new(done?))),
    }
}

fn restore_draft(run: &Run<'_>, was: Work, work: Work, kept: CommitId) -> Result<Restored, RunError> {
    let next = run.settled_next()?;
    if let Some(chapter) = work.chapter().filter(|chapter| *chapter > next) {
        return Err(HistoryError::TooFarAhead { chapter, next }.into());
    }
    match store::rebase::reopen_kept(run.session, was, work, kept) {
        Ok(None) => Ok(Restored::Unchanged),
        Ok(Some(reopened)) => {
            going_back::show_drafts(run, vec![work]);
            Ok(Restored::Draft(work, Box::new(reopened)))
        }
        Err(ReopenError::OtherLine(work)) => Err(LineError::OtherLine(work).into()),
        Err(ReopenError::Store(error)) => Err(error.into()),
    }
}

/// A chapter that was taken out, at the place where it stood, with its section and with what was said of its text.
fn restore_removed(run: &Run<'_>, was: ChapterNo, from: CommitId, removal: Removal) -> Result<Restored, RunError> {
    let (book, Removal { step, before, number, place }) = (run.session.book(), removal);
    let (then, left) = (BookView::new(book.snapshot_of(from)?), BookView::new(book.snapshot_of(before)?));
    let now = BookView::new(book.snapshot()?);
    let next = now.checkpoint()?.next_chapter();
    let text = if then.contents()?.has(was) { Some(then.chapter(was)?) } else { None };
    let place = if text.is_some() { place.min(next) } else { place.max(next) };
    let titled = |section: &Section| text.as_ref().is_none_or(|text| text.title == section.title);
    let section = left.section_in_plans(number)?.filter(|(_, section)| text.is_some() && titled(section));
    let section = if section.is_some() { section } else { then.section_in_plans(was)? };
    let section = section.map(|(_, section)| section);
    let title = text.as_ref().map(|text| text.title.clone());
    let title = title.or_else(|| Some(section.as_ref()?.title.clone())).unwrap_or_default();
    let mut records = BTreeMap::new();
    for path in left.files("")? {
        let is_record = match layout::classify(&path) {
            Some(BookPath::Chapter(..) | BookPath::QualityBrief(..)) | None => false,
            // The storyline's memory has left with the line's last chapter.
            Some(BookPath::Memory(_)) => text.is_some() && !now.has(&path),
            Some(place) => place.chapter() == Some(number),
        };
        if is_record && let Some(bytes) = left.bytes(&path)? {
            records.insert(path, bytes);
        }
    }
    let beside = [volume_in(&now, place)?, place.previous().map_or(Ok(None), |before| volume_in(&now, before))?];
    let volume = volume_in(&left, number)?.filter(|volume| beside.contains(&Some(*volume)));
    let back = Some(RemovedChapter { commit: from, step, section, number, volume, records });
    let text = text.map(|text| text.body);
    let order = RenumberOrder { title, text, back, ..RenumberOrder::of(Renumbering::Insert(place)) };
    Ok(Restored::Removed(place, Box::new(renumber::carry_out(run, &order)?)))
}

/// Files as they were at a commit, as a change of the author's.
fn restore_files(run: &Run<'_>, paths: &[String], from: CommitId) -> Result<Restored, RunError> {
    let (then, now) = (run.session.book().snapshot_of(from)?, run.session.book().snapshot()?);
    let mut change = Change::default();
    for path in paths {
        let Some(bytes) = then.read(path)? else { continue };
        let is_authors = layout::classify(path).is_none_or(|place| {
            place.is_author_input()
                || matches!(
                    place,
                    BookPath::World(_)
                        | BookPath::WorldRules
                        | BookPath::Storylines
                        | BookPath::StorylineRules
                        | BookPath::Character { .. }
                        | BookPath::Profile { .. }
                        | BookPath::Relationships
                )
        });
        if !is_authors {
            return Err(HistoryError::FollowsFromChapters(path.clone()).into());
        }
        if let Some(source) = format::check::fault(path, &bytes, None) {
            return Err(RunError::Format { path: path.clone(), source });
        }
        if now.read(path)?.as_ref() != Some(&bytes) {
            change = change.put(path, bytes);
        }
    }
    if change == Change::default() {
        return Ok(Restored::Unchanged);
    }
    let paths: Vec<String> = change.puts.keys().cloned().collect();
    let message = Message::new(Kind::HandEdit, Subject::RestoreFiles(paths.clone(), from.short()));
    let commit = BookCommit::new(run, Work::Step(Step::Regenerate), message, change, &now);
    let commit = commit.trailer(key::RESTORES, from).make()?.id;
    Ok(Restored::Files { commit, paths })
}

/// A chapter with an earlier text, and everything that was said of that text; the state is replayed with its delta. A
/// chapter that the book does not have can come back when it is the next one.
fn restore_chapter(run: &Run<'_>, chapter: ChapterNo, from: CommitId) -> Result<Restored, RunError> {
    let next = run.settled_next()?;
    if chapter > next {
        return Err(HistoryError::TooFarAhead { chapter, next }.into());
    }
    let book = run.session.book();
    let (view, old) = (BookView::new(book.snapshot()?), BookView::new(book.snapshot_of(from)?));
    let volume = old.contents()?.volume_of(chapter).ok_or_else(|| HistoryError::NothingKept(chapter.to_string()))?;
    let paths = ChapterPaths::of(volume, chapter);
    if view.bytes(&paths.text)? == old.bytes(&paths.text)? {
        return Ok(Restored::Unchanged);
    }
    let present = (chapter < next).then(|| ExistingChapter::at(book, &view, chapter)).transpose()?;
    let delta = files::delta(&old, volume, chapter)?.ok_or_else(|| RunError::Missing { path: paths.delta.clone() })?;
    let joined = join(&view, volume, delta, present.as_ref())?;
    let is_last = present.as_ref().is_none_or(|present| present.is_last_on(&joined.delta.storyline, chapter));
    let change = files_of(&view, &old, (volume, chapter), &paths)?;
    let memory = layout::memory(&joined.delta.storyline);
    // The commit may have brought later chapters along, which its memory tells of.
    let replayed = replay::cut(book, from, chapter, &[])?.puts.remove(&memory);
    let told = replayed.map_or_else(|| old.bytes(&memory), |bytes| Ok(Some(bytes)))?;
    let change = told.filter(|_| is_last).into_iter().fold(change, |change, told| change.put(&memory, told));
    let change = with_facts(run, change, &view, (&paths, &joined, present.as_ref()))?;
    let text = old.chapter(chapter)?;
    let message = message_of(run, (chapter, volume), &text.title, &old, from)?.trailer("Novel-State", &joined.reached);
    let mut commit = BookCommit::new(run, chapter.into(), message, change, &view);
    if let Some(replaced) = present.as_ref().and_then(|present| present.commit) {
        commit = commit.trailer(key::REPLACES, replaced);
    }
    let commit = commit.make()?.id;
    let affected = joined.affected.into_iter().map(|affected| affected.chapter).collect();
    Ok(Restored::Chapter { chapter, commit, affected })
}

/// The change with the deltas, the state, the ledger and the checkpoint that go with it.
fn with_facts(
    run: &Run<'_>,
    change: Change,
    view: &BookView<'_>,
    (paths, joined, present): (&ChapterPaths, &Joined, Option<&ExistingChapter>),
) -> Result<Change, RunError> {
    let ledger = format::foreshadowing::write(&joined.now.ledger, view.bytes(layout::FORESHADOWING)?.as_deref());
    let change = change
        .put(&paths.delta, format::delta::write(&joined.delta, None))
        .put(layout::STATE, format::state::write(&joined.now.state))
        .put(layout::FORESHADOWING, ledger);
    let after = BookView::new(store::change::snapshot_over(run.session.book(), view.commit_id(), &change)?);
    let checkpoint = after.corrected(view.recorded_checkpoint()?)?;
    let history = present.map(|present| present.chronicle.with(&joined.delta));
    let bases = history.map(|history| replay::bases(&after, &history)).transpose()?.unwrap_or_default();
    Ok(view.put_checkpoint(change, &checkpoint)?.and(bases))
}

/// The message of the chapter's commit, with what was said of the text when it was accepted.
fn message_of(
    run: &Run<'_>,
    (chapter, volume): (ChapterNo, VolumeNo),
    title: &str,
    old: &BookView<'_>,
    from: CommitId,
) -> Result<Message, RunError> {
    let summary = files::summary(old, volume, chapter)?.map(|page| page.text).unwrap_or_default();
    let first = text::sentences(&summary).first().map(|s| s.text().trim().to_owned()).unwrap_or_default();
    let mut message = Message::new(Kind::Chapter, Subject::Chapter(chapter, title.to_owned()))
        .body(&first)
        .trailer(key::CHAPTER, chapter.get())
        .trailer(key::VOLUME, volume.get())
        .trailer(key::RESTORES, from);
    let accepted = store::provenance::accepted_at(run.session.book(), chapter, from)?;
    for name in OF_THE_TEXT {
        if let Some(value) = accepted.as_ref().and_then(|accepted| accepted.trailers.get(name)) {
            message = message.trailer(name, value);
        }
    }
    Ok(message)
}

fn volume_in(view: &BookView<'_>, chapter: ChapterNo) -> Result<Option<VolumeNo>, RunError> {
    let planned = view.section_in_plans(chapter)?.map(|(volume, _)| volume);
    Ok(view.contents()?.volume_of(chapter).or(planned))
}

/// The files of the chapter as they were, and its log with the calls of both texts: all were paid for.
fn files_of(
    view: &BookView<'_>,
    old: &BookView<'_>,
    (volume, chapter): (VolumeNo, ChapterNo),
    paths: &ChapterPaths,
) -> Result<Change, RunError> {
    let mut change = Change::default();
    for path in [&paths.text, &paths.summary, &paths.memory, &paths.evaluation, &paths.second_evaluation] {
        change = match old.bytes(path)? {
            Some(bytes) => change.put(path, bytes),
            None => change.remove(path),
        };
    }
    let Some(mut log) = files::chapter_log(old, volume, chapter)? else { return Ok(change) };
    let same = |a: &StageLog, b: &StageLog| StageLog { used: b.used, ..a.clone() } == *b;
    let present = files::chapter_log(view, volume, chapter)?.map(|log| log.stages).unwrap_or_default();
    let of_other = present.into_iter().filter(|stage| !log.stages.iter().any(|known| same(known, stage)));
    let of_other: Vec<StageLog> = of_other.map(|stage| StageLog { used: false, ..stage }).collect();
    log.stages.splice(0..0, of_other);
    Ok(change.put(&paths.log, format::write(&log, None)))
}
