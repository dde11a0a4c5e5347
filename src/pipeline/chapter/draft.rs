//! The chapter in flight: its material, its draft branch, and what is written on it after each stage.

use crate::agents::checks::completeness;
use crate::domain::book::checkpoint::{ChapterLog, WorkLog};
use crate::domain::chapter::stage::{Decision, Next, PipelineStage, Progress, Record};
use crate::domain::chapter::summary::CrossReference;
use crate::domain::world::character::unknown_ids;
use crate::pipeline::book::old_number::draft_of_other;
use crate::pipeline::book::rearranged;
use crate::pipeline::book::{chapter_context, earlier_passages, files};
use crate::pipeline::chapter::before::BookBefore;
use crate::pipeline::chapter::existing::ExistingChapter;
use crate::pipeline::chapter::records::{StageMessage, read, record, records};
use crate::pipeline::engine::call_record::PaidCall;
use crate::pipeline::engine::commits::DraftSession;
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::store::{self, StageCommit, StagingEdit};
use std::cell::{OnceCell, RefCell};
use std::ops::Deref;

/// The writer's remarks for the summarizer.
const HINTS: &str = ".draft/hints.md";
/// The text that an unfinished one takes the place of, or goes on from, as a file of its own.
pub(super) const BEFORE: &str = ".draft/before.md";
/// The file with the author's wish for a chapter that is written again.
const WISH: &str = ".draft/wish.md";
/// The scenes of a chapter that is written scene by scene.
pub(crate) const SCENES: &str = ".draft/scenes.json";

/// The change, with the author's wish beside it.
pub(super) fn with_wish(change: Change, wish: &str) -> Change {
    change.put(WISH, format!("{}\n", wish.trim()))
}

/// The wish on a draft; empty where nothing was said.
pub(super) fn wish_of(draft: &Snapshot<'_>) -> Result<String, StoreError> {
    Ok(draft.read(WISH)?.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()).unwrap_or_default())
}

/// The chapter in flight.
pub(crate) struct ChapterDraft<'r, 'b> {
    pub(crate) session: DraftSession<'r, 'b>,
    pub(crate) context: ChapterContext,
    pub(crate) paths: ChapterPaths,
    /// Warnings up to now, for the log.
    pub(crate) warnings: RefCell<Vec<String>>,
    /// The chapter as it is in the book, when it is written again.
    pub(crate) present: Option<ExistingChapter>,
    /// The checkpoint of the accepted line.
    pub(super) checkpoint: Checkpoint,
    /// The book before the chapter, read for the first text that is held against it.
    pub(super) before: OnceCell<BookBefore>,
}

impl<'r, 'b> Deref for ChapterDraft<'r, 'b> {
    type Target = DraftSession<'r, 'b>;

    fn deref(&self) -> &DraftSession<'r, 'b> {
        &self.session
    }
}

pub(super) enum ContextBasis<'v, 'b> {
    /// As the last commit has it.
    Book,
    /// As the chapter before will leave it, whose draft was at `of`; the last commit has it as `now`.
    Ahead { of: CommitId, now: &'v BookView<'b> },
}

/// A text that broke off, in its parts.
#[derive(Debug, Clone)]
pub(crate) struct UnfinishedText {
    /// The prose of the scenes before it; empty where it is of a whole chapter.
    pub(crate) before: String,
    /// The title, and the part that is to be continued.
    pub(crate) chapter: Chapter,
    pub(crate) body: String,
}

/// Fails with [`RunError::InTheWay`] where files of the chapter cannot be written.
pub(crate) fn refuse_obstructions(
    book: &Book,
    context: &ChapterContext,
    present: Option<&ExistingChapter>,
) -> Result<(), RunError> {
    let paths = ChapterPaths::of(context.volume, context.chapter);
    let written = paths.written(context.storyline());
    let mut blocked = store::not_writable::obstructions(book, written.iter().map(String::as_str))?;
    if present.is_none() {
        // The author's own text, committed by hand, is not written over.
        blocked.extend(store::not_writable::committed_at(book, &paths.text)?);
    }
    if !blocked.is_empty() {
        // The text in the way may be that of a chapter with another number by now.
        rearranged::by_hand(book, context.chapter)?;
        return Err(RunError::InTheWay(blocked));
    }
    Ok(())
}

/// Whether the chapter's draft has results that were made under another contract than its own now.
pub(crate) fn has_other_contract(book: &Book, context: &ChapterContext) -> Result<bool, RunError> {
    let Some(tip) = store::draft::draft_tip(book, context.chapter)?.map(CommitId::oid) else { return Ok(false) };
    let Some(begin) = store::draft::begin_of(book, tip)?.filter(|begin| *begin != tip) else { return Ok(false) };
    let then = files::contract(&BookView::new(book.snapshot_of(begin.into())?), context.volume, context.chapter)?;
    let pair = then.as_ref().zip(context.contract.as_ref());
    Ok(pair.is_some_and(|(then, now)| !now.asks_the_same(then)))
}

impl<'r, 'b> ChapterDraft<'r, 'b> {
    /// Opens the draft of `chapter` on the accepted line as it is, or goes on with the one that is there. A chapter of the
    /// book is written again from what it found when it began.
    pub(crate) fn open(run: &'r Run<'b>, chapter: ChapterNo) -> Result<Self, RunError> {
        Self::open_on(run, chapter, &BookView::new(run.session.book().snapshot()?), &ContextBasis::Book)
    }

    /// Opens the draft of `chapter`, which is told of the book as `view` has it.
    pub(super) fn open_on(
        run: &'r Run<'b>,
        chapter: ChapterNo,
        view: &BookView<'b>,
        told: &ContextBasis<'_, 'b>,
    ) -> Result<Self, RunError> {
        let book = run.session.book();
        // The offline writer reads neither passages nor the measures of earlier texts.
        let mut context = match (run.calls.responder.asks_models(), told) {
            (true, ContextBasis::Book) => earlier_passages::writer_context(view, book, chapter)?,
            (true, ContextBasis::Ahead { now, .. }) => earlier_passages::writer_context_with(view, book, chapter, now)?,
            (false, _) => chapter_context::of_chapter(view, chapter)?,
        };
        context.config.scene_mode = run.by_scenes.unwrap_or(context.config.scene_mode);
        let present = ExistingChapter::of(book, view, chapter)?;
        let context = match &present {
            Some(present) => present.context_of(context),
            None => context,
        };
        let context = ChapterContext { editions: context.editions + book.candidate, ..context };
        let (checkpoint, before) = match told {
            ContextBasis::Book => (view.checkpoint_with_totals()?, OnceCell::new()),
            // The view is in memory until the draft is opened, and the chapter joins the book with the sums of then.
            ContextBasis::Ahead { .. } => (view.checkpoint()?, OnceCell::from(BookBefore::read(view, &context)?)),
        };
        let paths = ChapterPaths::of(context.volume, chapter);
        refuse_obstructions(book, &context, present.as_ref())?;
        if let Some(work) = draft_of_other(book)?.filter(|work| *work == chapter.into()) {
            return Err(RenumberError::DraftOfOther(work).into());
        }
        let warnings = RefCell::new(Vec::new());
        let read_log = |bytes: &[u8]| {
            let ChapterLog { started_at, stages, warnings: told, .. } = format::read(bytes)?;
            *warnings.borrow_mut() = told;
            Ok(WorkLog { work: chapter.into(), started_at, stages })
        };
        if present.is_none() && has_other_contract(book, &context)? {
            run.tell(Event::Warning { work: chapter.into(), warning: Warning::ContractSince });
        }
        let unknown =
            context.contract.iter().flat_map(|contract| unknown_ids(&contract.characters, &context.characters));
        for id in unknown.filter(|_| present.is_none()).cloned() {
            run.tell(Event::Warning { work: chapter.into(), warning: Warning::UnknownPerson { id } });
        }
        let (scope, ahead) = match told {
            ContextBasis::Book => (paths.scope(), None),
            // The folder shows the chapter before.
            ContextBasis::Ahead { of, .. } => (DraftFiles::default(), Some(*of)),
        };
        let (mut session, _) = DraftSession::open(run, chapter.into(), scope, view, read_log)?;
        session.ahead = ahead;
        Ok(Self { session, context, paths, warnings, present, checkpoint, before })
    }

    /// Updates `staging/` if it is there already, or if a model is about to answer, so that the author may look at what there
    /// is; the folder is not made between two answers of the offline writer.
    pub(super) fn keep_shown(&self) -> Result<(), StoreError> {
        if self.run.calls.responder.asks_models() { self.show() } else { self.draft.keep_shown() }
    }

    pub(crate) fn chapter(&self) -> ChapterNo {
        self.context.chapter
    }

    pub(super) fn records(&self) -> Result<Vec<Record>, RunError> {
        records(self.run.session.book(), &self.draft.records()?, &self.paths)
    }

    pub(crate) fn progress(&self) -> Result<Progress, RunError> {
        Ok(Progress::of(&self.records()?))
    }

    /// The last report on any text of the chapter, also on one that has been changed since.
    pub(crate) fn last_report(&self) -> Result<Option<Evaluation>, RunError> {
        Ok(self.records()?.into_iter().rev().find_map(|record| match record {
            Record::Judged { evaluation, .. } => Some(*evaluation),
            _ => None,
        }))
    }

    pub(crate) fn next(&self, progress: &Progress) -> Next {
        progress.next(self.context.mode(), &self.context.config.gate)
    }

    /// The author's wish for a chapter that is written again; empty without one.
    pub(crate) fn wish(&self) -> Result<String, RunError> {
        Ok(wish_of(&self.snapshot()?)?)
    }

    pub(crate) fn text(&self) -> Result<Chapter, RunError> {
        let path = &self.paths.text;
        let bytes = self.read(path)?.ok_or_else(|| RunError::Missing { path: path.clone() })?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Chapter::from_markdown(self.chapter(), &text, &self.context.section.title))
    }

    /// The text that an unfinished one takes the place of, or goes on from.
    pub(crate) fn text_before(&self) -> Result<Option<Chapter>, RunError> {
        let read = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            Chapter::from_markdown(self.chapter(), &text, &self.context.section.title)
        };
        Ok(self.read(BEFORE)?.map(read))
    }

    /// The unfinished text of a stage, as the author has it.
    pub(crate) fn unfinished(&self, stage: Stage) -> Result<UnfinishedText, RunError> {
        let Chapter { number, title, body } = self.text()?;
        let before = if stage == Stage::Scene { self.text_before()? } else { None };
        // The author may have changed what stands before it, but for the paragraph that it goes on from.
        let told = before.map(|before| before.body).unwrap_or_default();
        let lines = |text: &str| text.lines().map(str::trim).map(str::to_owned).collect::<Vec<_>>();
        let border = lines(&told).into_iter().rfind(|line| !line.is_empty());
        let times = lines(&told).iter().filter(|line| border.as_ref() == Some(line)).count();
        let mut end = 0;
        let ends = body.split_inclusive('\n').map(|line| {
            end += line.len();
            (line.trim().to_owned(), end)
        });
        let border = ends.filter(|(line, _)| border.as_ref() == Some(line)).nth(times.saturating_sub(1));
        let (before, own) = body.split_at(border.map_or(0, |(_, end)| end));
        let chapter = Chapter { number, title, body: own.trim().to_owned() };
        Ok(UnfinishedText { before: before.to_owned(), chapter, body: body.clone() })
    }

    /// The writer's hints on the present text.
    pub(crate) fn hints(&self) -> Result<String, RunError> {
        hints_of(&self.snapshot()?)
    }

    /// The summary page of the present text, with the mentions of other storylines.
    pub(crate) fn summary(&self) -> Result<Option<format::summary::SummaryPage>, RunError> {
        let chapter = self.chapter();
        read(&self.snapshot()?, &self.paths.summary, |bytes| format::summary::read(chapter, bytes))
    }

    /// Mentions of other storylines in the present text.
    pub(crate) fn cross_references(&self) -> Result<Vec<CrossReference>, RunError> {
        Ok(self.summary()?.map(|page| page.cross_references).unwrap_or_default())
    }

    /// The same change without the text that there is, and without everything that was said of it.
    pub(crate) fn without_text(&self, change: Change) -> Change {
        let paths = &self.paths;
        paths.said_of_text().into_iter().fold(change.remove(&paths.text), |change, path| change.remove(path))
    }

    pub(crate) fn warn(&self, warning: Warning) {
        self.warnings.borrow_mut().push(warning.to_string());
        self.run.tell(Event::Warning { work: self.chapter().into(), warning });
    }

    /// How many texts the chapter has had, the author's own included: tells whether a result is of the present one.
    pub(crate) fn texts(&self) -> Result<usize, RunError> {
        let is_text =
            |record: &&Record| matches!(record, Record::Text(_) | Record::Touched | Record::Scene | Record::Back(_));
        Ok(self.records()?.iter().filter(is_text).count())
    }

    /// Writes a stage's result down: one commit on the draft branch, with the call that it came from.
    ///
    /// When the author has changed the text in `staging/` meanwhile, committed or not, the result is of a text that is
    /// no longer the chapter's: the author's text stands, and of the result only the call is kept.
    pub(crate) fn write(
        &self,
        stage: Stage,
        change: Change,
        note: StageMessage,
        paid: Option<&PaidCall>,
    ) -> Result<CommitId, RunError> {
        self.take_up()?;
        if let Some(texts) = note.texts
            && texts != self.texts()?
        {
            let result = StageNote::Outdated(stage, Box::new(note.result));
            return self.commit(
                Stage::Fault,
                Change::default(),
                StageMessage { result, ..StageMessage::default() },
                paid,
            );
        }
        self.commit(stage, change, note, paid)
    }

    /// Takes up what the author has done in `staging/` since the last look.
    pub(crate) fn take_up(&self) -> Result<(), RunError> {
        self.follow()?;
        let edits = self.author_edits()?;
        if edits.is_empty() {
            return Ok(());
        }
        if have_text(self, &edits) { take_edit(self) } else { self.commit_edits() }
    }

    pub(crate) fn commit(
        &self,
        stage: Stage,
        change: Change,
        note: StageMessage,
        paid: Option<&PaidCall>,
    ) -> Result<CommitId, RunError> {
        let chapter = self.chapter();
        let checkpoint = checkpoint_after(self, stage, &note)?;
        let subject = Subject::Result { work: chapter.into(), part: Part::Chapter(stage), note: note.result };
        let mut message = Message::new(Kind::Stage, subject)
            .body(&note.body)
            .trailer(key::CHAPTER, chapter.get())
            .trailer(trailer::STAGE, stage);
        if let Some(evaluation) = &note.evaluation {
            message = message.trailer(trailer::SCORE, format!("{:.2}", evaluation.overall()));
        }
        if let Some(decision) = note.decision {
            message = message.trailer(trailer::DECISION, decision);
        }
        if let Some(scene) = note.scene {
            message = message.trailer(trailer::SCENE, scene);
        }
        if let Some(of) = note.of {
            message = message.trailer(trailer::OF, of);
        }
        if let Some(doubt) = note.doubt {
            message = message.trailer(trailer::DOUBT, doubt);
        }
        if note.lasts {
            message = message.trailer(trailer::LASTS, true);
        }
        let previous = self.read(layout::CHECKPOINT)?;
        let change = change.put(layout::CHECKPOINT, format::write(&checkpoint, previous.as_deref()));
        self.session.commit(change, message, paid, |log| Some(format::write(&self.log_with(log), None)))
    }

    /// The chapter's log with the calls up to now.
    pub(super) fn log_with(&self, log: &WorkLog) -> ChapterLog {
        ChapterLog {
            chapter: self.chapter(),
            storyline: self.context.storyline().clone(),
            started_at: log.started_at.clone(),
            stages: log.stages.clone(),
            gate: None,
            revisions: 0,
            warnings: self.warnings.borrow().clone(),
        }
    }
}

/// Whether the draft may go on for that wish: it has nothing yet, or was begun for it. Without a wish, any may.
pub(super) fn is_for(chapter_draft: &ChapterDraft<'_, '_>, wish: &str) -> Result<bool, RunError> {
    let wish = wish.trim();
    Ok(wish.is_empty() || chapter_draft.draft.records()?.is_empty() || chapter_draft.wish()? == wish)
}

/// Notes the wish on a draft that has nothing yet.
pub(super) fn note_wish(chapter_draft: &ChapterDraft<'_, '_>, wish: &str) -> Result<(), RunError> {
    let wish = wish.trim();
    if wish.is_empty() || !chapter_draft.draft.records()?.is_empty() {
        return Ok(());
    }
    let message = Message::new(Kind::Stage, Subject::BegunAgain(chapter_draft.chapter(), wish.to_owned()))
        .trailer(key::CHAPTER, chapter_draft.chapter().get());
    chapter_draft.append(&with_wish(Change::default(), wish), &message)?;
    Ok(())
}

/// Makes a text that broke off the draft's. Reports on the text before it stand until there is a whole one.
pub(crate) fn unfinished_text(chapter_draft: &ChapterDraft<'_, '_>, text: &Chapter) -> Result<Change, RunError> {
    let change = Change::default().put(&chapter_draft.paths.text, text.to_markdown());
    if chapter_draft.progress()?.unfinished().is_some() {
        return Ok(change);
    }
    Ok(match chapter_draft.read(&chapter_draft.paths.text)? {
        Some(before) => change.put(BEFORE, before),
        None => change.remove(BEFORE),
    })
}

/// Puts the unfinished text aside: the text before it, if there is one, stands again.
pub(crate) fn without_unfinished(chapter_draft: &ChapterDraft<'_, '_>) -> Result<Change, RunError> {
    let change = Change::default().remove(BEFORE);
    Ok(match chapter_draft.read(BEFORE)? {
        Some(before) => change.put(&chapter_draft.paths.text, before),
        None => change.remove(&chapter_draft.paths.text),
    })
}

/// Makes an unfinished text the chapter's at the author's word; [`Decision::Cut`] takes off what is beyond the wanted length.
pub(crate) fn as_decided(chapter_draft: &ChapterDraft<'_, '_>, decision: Decision) -> Result<Change, RunError> {
    let text = chapter_draft.text()?;
    let scenes = chapter_draft.progress()?.scenes;
    // Of a chapter in scenes, those up to this one may take their share.
    let of_part = |words: u32| match scenes {
        Some(scenes) => words * (scenes.written + 1) / scenes.planned.max(1),
        None => words,
    };
    let [least, most] = [chapter_draft.context.config.min_words, chapter_draft.context.config.max_words].map(of_part);
    let body = if decision == Decision::Cut {
        format!("{}\n", completeness::cut_within(&text.body, least, most))
    } else {
        text.body
    };
    Ok(new_text(chapter_draft, &Chapter { body, ..text }, ""))
}

/// The writer's hints on the text as it was then.
pub(crate) fn hints_of(then: &Snapshot<'_>) -> Result<String, RunError> {
    Ok(then.read(HINTS)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default())
}

/// A new text replaces everything that was said of the old one.
pub(crate) fn new_text(chapter_draft: &ChapterDraft<'_, '_>, text: &Chapter, hints: &str) -> Change {
    let change =
        chapter_draft.without_text(Change::default().remove(BEFORE)).put(&chapter_draft.paths.text, text.to_markdown());
    if hints.trim().is_empty() { change.remove(HINTS) } else { change.put(HINTS, format!("{}\n", hints.trim())) }
}

/// True when the refiner has left the present text as it was.
pub(super) fn has_nothing_to_refine(chapter_draft: &ChapterDraft<'_, '_>) -> Result<bool, RunError> {
    let book = chapter_draft.run.session.book();
    let is_of_refiner = |commit: &StageCommit| commit.trailers.read(trailer::STAGE) == Some(Stage::Refine);
    let Some(refined) = chapter_draft.draft.records()?.into_iter().rfind(is_of_refiner) else { return Ok(false) };
    let Some(before) = book.transaction(refined.id)?.parent else { return Ok(false) };
    let text = |at| Ok::<_, RunError>(book.snapshot_of(at)?.content_id(&chapter_draft.paths.text));
    Ok(text(refined.id)? == text(before)?)
}

/// The author's changed text becomes the chapter's text: what was said of the old one no longer counts. An unfinished
/// text of which the author has left the end as it was stays unfinished.
pub(crate) fn take_edit(chapter_draft: &ChapterDraft<'_, '_>) -> Result<(), RunError> {
    chapter_draft.commit_edits()?;
    if chapter_draft.progress()?.unfinished().is_some() { Ok(()) } else { take_as_edited(chapter_draft) }
}

/// The text as it is becomes the chapter's, as the author's own.
pub(crate) fn take_as_edited(chapter_draft: &ChapterDraft<'_, '_>) -> Result<(), RunError> {
    let text = chapter_draft.text()?;
    let note = StageMessage { result: StageNote::Name(text.title.clone()), ..StageMessage::default() };
    let change = new_text(chapter_draft, &text, "");
    // The author may still want it continued.
    let change = match chapter_draft.read(BEFORE)? {
        Some(before) => change.put(BEFORE, before),
        None => change,
    };
    chapter_draft.commit(Stage::Edit, change, note, None)?;
    Ok(())
}

/// Whether the author has changed the text in `staging/` and not committed it.
pub(crate) fn text_is_edited(chapter_draft: &ChapterDraft<'_, '_>) -> Result<bool, RunError> {
    Ok(have_text(chapter_draft, &chapter_draft.author_edits()?))
}

/// True when the edits change the chapter's text. Its removal is no new text.
fn have_text(chapter_draft: &ChapterDraft<'_, '_>, edits: &[StagingEdit]) -> bool {
    edits.iter().any(|edit| edit.path == chapter_draft.paths.text && edit.bytes.is_some())
}

/// The checkpoint as the draft's commit carries it: derived from the records with the one that is being written.
fn checkpoint_after(
    chapter_draft: &ChapterDraft<'_, '_>,
    stage: Stage,
    note: &StageMessage,
) -> Result<Checkpoint, RunError> {
    let progress = chapter_draft.progress()?;
    let progress = match record(stage, note) {
        Some(record) => progress.after(&record),
        None => progress,
    };
    let next = chapter_draft.next(&progress);
    let rewriting = progress.pipeline_stage(&next) == PipelineStage::Revising || progress.tries.revisions > 0;
    Ok(Checkpoint {
        phase: if rewriting { Phase::ChapterRewrite } else { Phase::Writing },
        stage: Some(progress.pipeline_stage(&next)),
        inflight: Some(chapter_draft.chapter()),
        revisions: progress.tries.revisions,
        pending: match next {
            Next::Wait(_) => vec![format!("decide {}", chapter_draft.chapter())],
            Next::Run(_) | Next::Accept(_) => Vec::new(),
        },
        time: chapter_draft.run.calls.clock.rfc3339(),
        ..chapter_draft.checkpoint.clone()
    })
}
