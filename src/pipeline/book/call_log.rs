//! The calls of the book and their cost, read from the logs of its chapters, of its planning and of the work in flight.

use crate::domain::Work;
use crate::domain::book::checkpoint::{ChapterLog, StageLog, WorkLog};
use crate::llm::record::RecordedOutcome;
use crate::llm::{self, Call, Fault};
use crate::pipeline::engine::call_record::{LOG, read_call};
use crate::pipeline::engine::error::HistoryError;
use crate::pipeline::prelude::*;
use crate::store::remote;
use crate::store::{self, Log};

/// The calls of a piece of work, and where it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct CallLogEntry {
    pub work: Work,
    /// Its volume; `None` for work outside a volume.
    pub volume: Option<VolumeNo>,
    /// The calls, in the order in which they ended.
    pub stages: Vec<StageLog>,
    /// Whether it is in the book.
    pub accepted: bool,
    /// True for a draft that was begun before its turn and put aside before its turn came.
    pub is_lost_ahead: bool,
}

/// The calls of every chapter and every planning, in order, of work in flight, and of work that was put aside. A log
/// that cannot be read is an error: a sum without it would be a lie.
pub fn logs(book: &Book) -> Result<Vec<CallLogEntry>, RunError> {
    let snapshot = book.snapshot()?;
    let mut entries = Vec::new();
    for path in snapshot.files("logs")? {
        match layout::classify(&path) {
            Some(layout::BookPath::Log(volume, _)) => entries.extend(of_chapter(&snapshot, &path, volume, true)?),
            Some(layout::BookPath::PlanLog(_)) => entries.extend(of_plan(&snapshot, &path, true)?),
            _ => {}
        }
    }
    for (work, tip) in store::closing::drafts(book)? {
        entries.extend(of_draft(book, work, tip)?);
    }
    for (chapter, number) in store::closing::every_candidate(book)? {
        let candidate = store::closing::candidate(book, number)?;
        if let Some(tip) = store::draft::draft_tip(&candidate, chapter)? {
            entries.extend(of_draft(book, chapter.into(), tip)?);
        }
    }
    for entry in put_aside(book)? {
        // A draft that was carried over or gone on with has everything that it had before.
        let is_in = |other: &CallLogEntry| other.work == entry.work && other.stages.starts_with(&entry.stages);
        if !entries.iter().any(is_in) {
            let is_lost_ahead = entry.stages.iter().all(|call| call.ahead);
            entries.push(CallLogEntry { is_lost_ahead, ..entry });
        }
    }
    entries.sort_by_key(|entry| entry.work);
    Ok(entries)
}

/// Paid work that is not in the book: plans that were rejected, drafts that were dropped or rolled back. The longest
/// come first.
fn put_aside(book: &Book) -> Result<Vec<CallLogEntry>, RunError> {
    let accepted: BTreeSet<CommitId> = store::history::in_effect(book, |_| false)?
        .iter()
        .filter_map(|commit| commit.trailers.read(key::DRAFT))
        .collect();
    let kept = store::kept::kept_drafts(book)?;
    let mut entries = Vec::new();
    for (work, tip) in kept.iter().filter(|(_, tip)| !accepted.contains(tip)) {
        entries.extend(of_draft(book, *work, *tip)?);
    }
    if BookView::new(book.snapshot()?).config()?.keep_calls.is_some() {
        entries.extend(of_drafts_let_go(book, |tip| {
            accepted.contains(&tip) || kept.iter().any(|(_, kept)| *kept == tip)
        })?);
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.stages.len()));
    Ok(entries)
}

/// The calls of chapters that the book has gone back behind, and whose drafts are kept no more: the commits that accepted
/// them have their logs.
fn of_drafts_let_go(book: &Book, is_known: impl Fn(CommitId) -> bool) -> Result<Vec<CallLogEntry>, RunError> {
    let mut entries = Vec::new();
    for commit in store::history::log(book, &Log::default())? {
        let draft = commit.trailers.read(key::DRAFT).filter(|draft| !is_known(*draft));
        let Some((chapter, _)) = commit.accepts().zip(draft) else { continue };
        let then = book.snapshot_of(commit.id)?;
        if let Some(volume) = then.contents()?.volume_of(chapter) {
            entries.extend(of_chapter(&then, &layout::log(volume, chapter), volume, false)?);
        }
    }
    Ok(entries)
}

/// The calls of a draft whose last commit is `tip`; `None` where none is recorded.
pub(crate) fn of_draft(book: &Book, work: Work, tip: CommitId) -> Result<Option<CallLogEntry>, RunError> {
    let draft = BookView::new(book.snapshot_of(store::draft::draft_with(book, LOG, tip)?)?);
    match work {
        Work::Chapter(chapter) => {
            let planned = draft.plan(chapter);
            let volume = planned.ok().flatten().map_or(VolumeNo::FIRST, |(volume, _)| volume);
            of_chapter(&draft, LOG, volume, false)
        }
        _ => of_plan(&draft, LOG, false),
    }
}

fn of_chapter(
    snapshot: &Snapshot<'_>,
    path: &str,
    volume: VolumeNo,
    accepted: bool,
) -> Result<Option<CallLogEntry>, RunError> {
    let Some(bytes) = snapshot.read(path)? else { return Ok(None) };
    let log: ChapterLog = format::read(&bytes).map_err(RunError::of_file(path))?;
    let (work, volume) = (log.chapter.into(), Some(volume));
    Ok(Some(CallLogEntry { work, volume, stages: log.stages, accepted, is_lost_ahead: false }))
}

fn of_plan(snapshot: &Snapshot<'_>, path: &str, accepted: bool) -> Result<Option<CallLogEntry>, RunError> {
    let Some(bytes) = snapshot.read(path)? else { return Ok(None) };
    let log: WorkLog = format::read(&bytes).map_err(RunError::of_file(path))?;
    let (work, volume) = (log.work, log.work.volume());
    Ok(Some(CallLogEntry { work, volume, stages: log.stages, accepted, is_lost_ahead: false }))
}

/// The recorded calls on a draft, in the order in which they ended.
pub fn calls(snapshot: &Snapshot<'_>) -> Result<Vec<(String, Vec<u8>)>, RunError> {
    let mut calls = Vec::new();
    for path in snapshot.files(crate::pipeline::engine::call_record::DRAFT_ONLY)? {
        let name =
            path.strip_prefix(crate::pipeline::engine::call_record::CALLS).and_then(|name| name.strip_suffix(".json"));
        // The schema that a call was sent with has that ending too, in the folder of the call.
        let name = name.filter(|name| !name.contains('/'));
        if let (Some(name), Some(bytes)) = (name, snapshot.read(&path)?) {
            calls.push((name.to_owned(), bytes));
        }
    }
    Ok(calls)
}

/// The whole replies of a stage on a draft, each with its question.
pub(crate) fn replies(draft: &Snapshot<'_>, stage: Stage) -> Result<Vec<(llm::Request, String)>, RunError> {
    let of_stage = calls(draft)?.into_iter().filter(|(name, _)| is_of(stage, name));
    let read = |path: &str| draft.read(path).ok().flatten();
    let whole = of_stage.filter_map(|(name, bytes)| match read_call(&name, &bytes, &read).ok()? {
        Call { request, outcome: RecordedOutcome::Reply(reply), .. } => Some((request, reply.text)),
        _ => None,
    });
    Ok(whole.collect())
}

fn is_of(stage: Stage, call: &str) -> bool {
    call.split_once('-').is_some_and(|(_, of)| of == stage.as_str())
}

/// The model with its provider, as `m @ vllm`, and the fault of the stage's last call on a draft, where that call has failed.
pub fn last_fault(draft: &Snapshot<'_>, stage: Stage) -> Result<Option<(String, Fault)>, RunError> {
    let Some((name, bytes)) = calls(draft)?.into_iter().rfind(|(name, _)| is_of(stage, name)) else { return Ok(None) };
    let Ok(call) = read_call(&name, &bytes, &|path| draft.read(path).ok().flatten()) else { return Ok(None) };
    let RecordedOutcome::Fault { fault, message, partial } = call.outcome else { return Ok(None) };
    let fault = Fault::of_record(&fault, &message, partial.as_deref());
    Ok(fault.map(|fault| (format!("{} @ {}", call.request.model, call.endpoint), fault)))
}

/// The last commit of the draft that a commit of the book was made of, a chapter or a plan; a commit of a draft is its own.
pub fn draft_behind(book: &Book, commit: CommitId) -> Result<Snapshot<'_>, RunError> {
    let transaction = book.transaction(commit)?;
    match (transaction.trailers.read(key::DRAFT), transaction.accepts()) {
        (None, _) => Ok(book.snapshot_of(commit)?),
        (Some(tip), Some(chapter)) => accepted_draft(book, chapter, tip),
        (Some(tip), None) if remote::history::has_commit(book, tip)? => Ok(book.snapshot_of(tip)?),
        (Some(tip), None) => {
            let name = format!("/{}", tip.short());
            match store::kept::kept_refs(book)?.into_iter().find(|(kept, _)| kept.ends_with(&name)) {
                Some((_, kept)) => Ok(book.snapshot_of(kept)?),
                None => Err(HistoryError::CallsNotHere(commit.short()).into()),
            }
        }
    }
}

/// The last commit of the draft that a chapter was accepted from.
fn accepted_draft(book: &Book, chapter: ChapterNo, tip: CommitId) -> Result<Snapshot<'_>, RunError> {
    match store::gathering::let_go(book, chapter, |draft| draft == tip)? {
        Some(keep) => return Err(HistoryError::CallsNotKept { chapter, keep }.into()),
        None if remote::history::has_commit(book, tip)? => return Ok(book.snapshot_of(tip)?),
        None => {}
    }
    // A rewriting of the history gives the commit another id, while the name that keeps it still has the old one.
    match store::kept::kept_named(book, &format!("{chapter}/{}", tip.short()))? {
        Some(kept) => Ok(book.snapshot_of(kept)?),
        None => Err(HistoryError::CallsNotHere(chapter.to_string()).into()),
    }
}

/// The last commit of a chapter's draft: of the chapter in flight, or the one that an accepted chapter came from.
pub fn draft_of(book: &Book, chapter: ChapterNo) -> Result<Option<Snapshot<'_>>, RunError> {
    if let Some(tip) = store::draft::draft_tip(book, chapter)? {
        return Ok(Some(book.snapshot_of(tip)?));
    }
    let Some(commit) = book.chapter_commit(chapter)? else { return Ok(None) };
    // In a shallow clone the commit is of a later chapter.
    let commit = book.transaction(commit)?;
    let chapter = match commit.accepts() {
        Some(was) if was != chapter => store::history::number_then(book, chapter, commit.id)?.unwrap_or(chapter),
        _ => chapter,
    };
    let accepted = Some(commit).filter(|commit| commit.accepts() == Some(chapter));
    match accepted.and_then(|commit| commit.trailers.read(key::DRAFT)) {
        Some(tip) => accepted_draft(book, chapter, tip).map(Some),
        None => Err(HistoryError::CallsNotHere(chapter.to_string()).into()),
    }
}
