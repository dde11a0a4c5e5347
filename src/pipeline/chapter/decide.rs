//! The author's word on a chapter that waits.

use crate::agents::checks::slips::prompt_words;
use crate::agents::writer;
use crate::domain::Work;
use crate::domain::chapter::Mode;
use crate::domain::chapter::stage::{Decision, Doubt, Next, Pause, Progress};
use crate::llm::Fault;
use crate::pipeline::book::call_log::last_fault;
use crate::pipeline::book::chapter_context;
use crate::pipeline::chapter::draft::{self, ChapterDraft};
use crate::pipeline::chapter::records::{StageMessage, records};
use crate::pipeline::prelude::*;
use crate::store::{self, Closed, StageCommit};

named! {
    /// The reason why a chapter has no text, or no report, with which it could go on.
    pub enum Standstill {
        /// The text broke off. The next run continues it.
        BrokenOff = "broken_off",
        /// The text is far too long.
        Long = "long",
        /// The text is in another language or script than the book.
        Language = "language",
        /// The text speaks of its task.
        Task = "task",
        /// The model has given nothing that can be used. The next run asks again.
        NoAnswer = "no_answer",
        /// The question was not sent, because no model can hold its prompt. The next run looks again.
        NoRoom = "no_room",
    }
}

/// Why a chapter needs the author's word.
#[derive(Debug, Clone, PartialEq)]
pub enum WaitReason {
    /// The judge has found it too weak to go on alone.
    Judged {
        evaluation: Box<Evaluation>,
        /// The score, and what may be chosen, the recommended first.
        pause: Pause,
    },
    /// The models alone do not bring it further, or only at the author's expense.
    Unfinished {
        stage: Stage,
        reason: Standstill,
        words: u32,
        /// The model that was asked last, with its provider, and why it gave no answer.
        fault: Option<(String, Fault)>,
        /// The words of the task in the text.
        of_task: Option<String>,
        /// The draft's last word on the stage, where its answer came and cannot be used.
        noted: Option<String>,
        options: Vec<Decision>,
    },
}

impl WaitReason {
    pub fn options(&self) -> &[Decision] {
        match self {
            Self::Judged { pause, .. } => &pause.options,
            Self::Unfinished { options, .. } => options,
        }
    }

    fn overall(&self) -> Option<f64> {
        match self {
            Self::Judged { pause, .. } => pause.overall,
            Self::Unfinished { .. } => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    pub chapter: ChapterNo,
    pub title: String,
    pub why: WaitReason,
    /// The file in `staging/` that the author may change before choosing `edit`.
    pub path: String,
    /// Whether the author has changed it already.
    pub edited: bool,
}

/// The chapter in flight: how far it is, read without a lock.
#[derive(Debug, Clone, PartialEq)]
pub struct InFlight {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    pub title: String,
    /// Whether it is in the book already and is being written again.
    pub again: bool,
    pub progress: Progress,
    pub next: Next,
    /// The stage that comes next, where its last call has given no answer that can be used.
    pub unanswered: Option<UnansweredStage>,
}

/// A stage whose last call has given no answer that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnansweredStage {
    pub stage: Stage,
    /// True where the same question would meet the same fault: the author decides.
    pub lasts: bool,
    pub was_sent: bool,
}

/// The chapter in flight, if there is one: one that is written again goes before a new one. A chapter without a plan is
/// not in flight: it could not be judged by anything. Reads only.
pub fn in_flight(book: &Book) -> Result<Option<InFlight>, RunError> {
    Ok(flights(book, 1)?.pop())
}

/// The chapters in flight that wait for the author, in the order in which they are asked about. Reads only.
pub fn waiting(book: &Book) -> Result<Vec<InFlight>, RunError> {
    let mut flights = flights(book, usize::MAX)?;
    flights.retain(InFlight::waits);
    Ok(flights)
}

/// The chapters that wait for the author and are asked about after this one. Reads only.
pub fn waiting_after(book: &Book, first: ChapterNo) -> Result<Vec<InFlight>, RunError> {
    let mut waiting = waiting(book)?;
    waiting.retain(|flight| flight.chapter > first);
    Ok(waiting)
}

/// At most so many chapters in flight, in order: chapters that are written again before a new one. Reads only.
pub fn flights(book: &Book, most: usize) -> Result<Vec<InFlight>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let open = view.checkpoint()?.next_chapter();
    let contents = view.contents()?;
    let is_near = |chapter: &ChapterNo| *chapter == open || contents.has(*chapter);
    let mut chapters: Vec<ChapterNo> =
        store::closing::drafts(book)?.into_iter().filter_map(|(work, _)| work.chapter().filter(is_near)).collect();
    chapters.sort_unstable();
    let mut flights = Vec::new();
    for chapter in chapters {
        let Some(commits) = store::draft::draft_records(book, chapter)?.filter(|commits| !commits.is_empty()) else {
            continue;
        };
        let context = match chapter_context::of_chapter(&view, chapter) {
            Err(RunError::NotPlanned { .. }) => continue,
            other => other?,
        };
        let volume = context.volume;
        let progress = Progress::of(&records(book, &commits, &ChapterPaths::of(volume, chapter))?);
        // A run may have been told to write in scenes what the book writes as a whole.
        let of_last: Option<Stage> = commits.last().and_then(|last| last.trailers.read(trailer::OF));
        let by_scenes = context.mode().by_scenes || of_last == Some(Stage::ScenePlan);
        let next = progress.next(Mode { by_scenes, ..context.mode() }, &context.config.gate);
        let (title, again) = (context.section.title, chapter < open);
        let unanswered = unanswered(&commits, &next);
        flights.push(InFlight { chapter, volume, title, again, progress, next, unanswered });
        if flights.len() == most {
            break;
        }
    }
    Ok(flights)
}

/// The chapters whose drafts wait until those before them are written, each with its title. Reads only.
pub fn waiting_for_others(book: &Book) -> Result<Vec<(ChapterNo, String)>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let (open, contents) = (view.checkpoint()?.next_chapter(), view.contents()?);
    let mut waiting = Vec::new();
    for chapter in store::closing::drafts(book)?.into_iter().filter_map(|(work, _)| work.chapter()) {
        let has_records = store::draft::draft_records(book, chapter)?.is_some_and(|records| !records.is_empty());
        if chapter > open && !contents.has(chapter) && has_records {
            let plan = view.plan(chapter)?;
            let section = plan.as_ref().and_then(|(_, outline)| outline.section(chapter));
            waiting.push((chapter, section.map(|section| section.title.clone()).unwrap_or_default()));
        }
    }
    Ok(waiting)
}

/// The first of the next stages whose last commit is a fault. The author's word or change since is an answer to it.
fn unanswered(commits: &[StageCommit], next: &Next) -> Option<UnansweredStage> {
    let Next::Run(stages) = next else { return None };
    stages.iter().find_map(|&stage| {
        let is_last = |commit: &&StageCommit| {
            let (is, of) = (commit.trailers.read(trailer::STAGE), commit.trailers.read(trailer::OF));
            commit.is_authors() || is == Some(Stage::Decision) || is == Some(stage) || of == Some(stage)
        };
        let last = &commits.iter().rfind(is_last)?.trailers;
        let is_fault = last.read(trailer::STAGE) == Some(Stage::Fault);
        let was_sent = last.read::<String>(trailer::MODEL).is_some();
        is_fault.then(|| UnansweredStage { stage, lasts: last.read(trailer::LASTS).unwrap_or(false), was_sent })
    })
}

impl InFlight {
    pub fn waits(&self) -> bool {
        matches!(self.next, Next::Wait(_)) || self.unanswered.is_some_and(|unanswered| unanswered.lasts)
    }

    /// True for a revision that only the author's word lets into the book.
    pub fn is_held_revision(&self) -> bool {
        matches!(&self.next, Next::Wait(pause) if pause.held)
    }
}

/// The chapter that waits for the author, or whose text broke off, if there is one. Reads only.
pub fn pending(book: &Book) -> Result<Option<Pending>, RunError> {
    let Some(flight) = in_flight(book)? else { return Ok(None) };
    let InFlight { chapter, volume, title, again, progress, next, unanswered } = flight;
    let path = ChapterPaths::of(volume, chapter).text;
    let mut edited = store::draft::staging_edits(book)?.iter().any(|edit| edit.path == path && edit.bytes.is_some());
    let drop = again.then_some(Decision::Drop);
    let tip = store::draft::draft_tip(book, chapter)?.map(|tip| book.snapshot_of(tip)).transpose()?;
    let fault_of = |stage| Ok::<_, RunError>(tip.as_ref().map(|tip| last_fault(tip, stage)).transpose()?.flatten());
    let body = || -> Result<String, RunError> {
        let text = tip.as_ref().map(|tip| tip.read(&path)).transpose()?.flatten().unwrap_or_default();
        Ok(Chapter::from_markdown(chapter, &String::from_utf8_lossy(&text), &title).body)
    };
    let words = || Ok::<_, RunError>(writer::words(&body()?));
    let why = match (next, progress.unfinished(), progress.verdict()) {
        (_, Some(partial), _) => {
            edited |= partial.touched;
            let (reason, options) = match partial.doubt {
                Some(doubt @ Doubt::Long) => (Standstill::Long, doubt.options()),
                Some(doubt @ Doubt::Language) => (Standstill::Language, doubt.options()),
                Some(doubt @ Doubt::Task) => (Standstill::Task, doubt.options()),
                None => {
                    let mut options = vec![Decision::Continue, Decision::Rewrite, Decision::Accept, Decision::Edit];
                    // A model that has added nothing adds nothing. A third of a chapter is not recommended.
                    if unanswered.is_some_and(|unanswered| unanswered.lasts) {
                        let is_stub = words()? * 3 < config_now(book).unwrap_or_default().min_words;
                        let first = if is_stub { Decision::Rewrite } else { Decision::Accept };
                        options.sort_by_key(|option| *option != first);
                    }
                    (Standstill::BrokenOff, options)
                }
            };
            // The text before a revision is whole, and judged.
            let has_before = partial.stage == Stage::Revise && progress.verdict().is_some();
            let before = has_before.then_some(Decision::Before);
            let (first, last) = if reason == Standstill::BrokenOff { (before, None) } else { (None, before) };
            let options = first.into_iter().chain(options).chain(last);
            let options = options.chain(drop).collect();
            let (stage, fault) = (partial.stage, fault_of(partial.stage)?);
            let of_task = if reason == Standstill::Task { prompt_words(&body()?) } else { None };
            let of_task = of_task.map(|(words, _)| words);
            WaitReason::Unfinished { stage, reason, words: words()?, fault, of_task, noted: None, options }
        }
        (Next::Wait(mut pause), None, Some(evaluation)) => {
            pause.options.extend(drop);
            WaitReason::Judged { evaluation: Box::new(evaluation), pause }
        }
        (Next::Run(_), None, _) => {
            let Some(unanswered @ UnansweredStage { stage, .. }) = unanswered else { return Ok(None) };
            let options = without_answer(unanswered).into_iter().chain(drop).collect();
            let reason = if unanswered.was_sent { Standstill::NoAnswer } else { Standstill::NoRoom };
            let fault = fault_of(stage)?;
            // The author has ended the call, so that there is nothing to decide.
            if matches!(fault, Some((_, Fault::Stopped { .. }))) {
                return Ok(None);
            }
            let noted = if fault.is_none() { last_note(book, chapter, stage)? } else { None };
            WaitReason::Unfinished { stage, reason, words: words()?, fault, of_task: None, noted, options }
        }
        _ => return Ok(None),
    };
    Ok(Some(Pending { chapter, title, why, path: format!("staging/{path}"), edited }))
}

fn last_note(book: &Book, chapter: ChapterNo, of: Stage) -> Result<Option<String>, RunError> {
    let commits = store::draft::draft_records(book, chapter)?.unwrap_or_default();
    let last = commits.into_iter().rfind(|commit| commit.trailers.read(trailer::OF) == Some(of));
    Ok(last.map(|commit| commit.subject))
}

/// The author's choices where the model of a stage has given no answer that can be used, the recommended one first.
fn without_answer(UnansweredStage { stage, lasts, .. }: UnansweredStage) -> Vec<Decision> {
    let mut ways = match stage {
        Stage::Judge | Stage::SecondJudge => vec![Decision::AcceptUnjudged, Decision::Judge, Decision::Edit],
        Stage::Revise => vec![Decision::Accept, Decision::Revise, Decision::Rewrite, Decision::Edit],
        // The text is not at fault.
        Stage::Summarize => vec![Decision::Continue, Decision::Edit, Decision::Rewrite],
        _ => vec![Decision::Continue, Decision::Edit],
    };
    if !lasts && matches!(stage, Stage::Judge | Stage::SecondJudge | Stage::Revise) {
        ways.swap(0, 1);
    }
    ways
}

/// The draft that the author may put aside: the one of the chapter that is meant, or else the first that is open. Reads only.
pub fn open_draft(book: &Book, meant: Option<ChapterNo>) -> Result<Option<Work>, RunError> {
    let first = in_flight(book)?.map(|flight| flight.chapter);
    let mut drafts = store::closing::drafts(book)?.into_iter().map(|(work, _)| work);
    Ok(match meant.or(first) {
        Some(chapter) => drafts.find(|work| work.chapter() == Some(chapter)),
        None => drafts.next(),
    })
}

/// Puts the draft of the work aside. Nothing else changes.
pub fn put_aside(run: &Run<'_>, work: Work) -> Result<Option<Closed>, RunError> {
    Ok(run.session.close_draft(work)?)
}

/// The chapter of the book that is being written again, if there is one.
pub(crate) fn written_again(run: &Run<'_>) -> Result<Option<ChapterNo>, RunError> {
    let flight = in_flight(run.session.book())?;
    Ok(flight.filter(|flight| flight.again).map(|flight| flight.chapter))
}

/// Records the author's decision. The next `continue` acts on it.
/// Fails with [`RunError::NothingToDecide`], [`RunError::NotOffered`], and [`RunError::NotEdited`] for `edit` without an
/// edit.
pub fn record_decision(run: &Run<'_>, decision: Decision) -> Result<ChapterNo, RunError> {
    let pending = pending(run.session.book())?.ok_or(RunError::NothingToDecide)?;
    let chapter = pending.chapter;
    if !pending.why.options().contains(&decision) {
        let (overall, options) = (pending.why.overall(), pending.why.options().to_vec());
        return Err(RunError::NotOffered { chapter, decision, overall, options });
    }
    if decision == Decision::Edit && !pending.edited {
        return Err(RunError::NotEdited { chapter, path: pending.path });
    }
    let chapter_draft = ChapterDraft::open(run, chapter)?;
    let unfinished = chapter_draft.progress()?.unfinished().is_some();
    if decision == Decision::Edit {
        draft::take_edit(&chapter_draft)?;
        if chapter_draft.progress()?.unfinished().is_some() {
            // A change further up alone leaves it unfinished; the author's word ends it.
            draft::take_as_edited(&chapter_draft)?;
        }
        chapter_draft.show()?;
        return Ok(chapter);
    }
    // When the author has worked on the text and then chosen otherwise, writing the word down takes the work up first:
    // it is what is summarised, judged and accepted, and it stays in the draft's history if it is written over.
    chapter_draft.take_up()?;
    let change = match decision {
        Decision::Rewrite | Decision::Before if unfinished => draft::without_unfinished(&chapter_draft)?,
        Decision::Accept | Decision::Cut if unfinished => draft::as_decided(&chapter_draft, decision)?,
        _ => Change::default(),
    };
    let note =
        StageMessage { result: StageNote::Decision(decision), decision: Some(decision), ..StageMessage::default() };
    chapter_draft.write(Stage::Decision, change, note, None)?;
    chapter_draft.show()?;
    Ok(chapter)
}
