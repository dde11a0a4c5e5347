//! The chapter in flight: its material, its draft branch, and what is written on it after each stage.

use super::existing::ExistingChapter;
use crate::agents::{ChapterContext, Prompts};
use crate::domain::book::checkpoint::{Checkpoint, Phase, PipelineStage};
use crate::domain::book::log::{ChapterLog, StageLog};
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::Evaluation;
use crate::domain::chapter::stage::{Next, Progress, Record, Stage};
use crate::domain::chapter::summary::CrossReference;
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::llm::Call;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::engine::run::Run;
use crate::store::format::{self, FormatError};
use crate::store::{
    Book, Change, CommitId, Draft, Kind, Message, Scope, Snapshot, StageCommit, StoreError, key, layout,
};
use crate::text;
use serde::Serialize;
use std::cell::RefCell;

/// Files that live on the draft branch only: calls, the writer's hints, the plan of scenes. They are left out when the
/// chapter is accepted; the draft's history keeps them.
pub const DRAFT_ONLY: &str = ".draft/";
/// The recorded calls, numbered in the order in which they ended: `.draft/call-01-draft.json`.
pub const CALLS: &str = ".draft/call-";
/// The writer's remarks for the summarizer.
const HINTS: &str = ".draft/hints.md";
/// The text that an unfinished one takes the place of, or goes on from, as a file of its own.
const BEFORE: &str = ".draft/before.md";
/// What the author wants of a chapter that is written again.
const WISH: &str = ".draft/wish.md";
/// The scenes of a chapter that is written scene by scene.
pub(crate) const SCENES: &str = ".draft/scenes.json";
/// The log as it grows. It stands beside the calls, and not yet at its place in the book: each folder that a stage touches
/// is an object more to write and to sync.
pub const LOG: &str = ".draft/log.json";

/// Trailers of stage commits.
pub mod trailer {
    /// The stage's name.
    pub const STAGE: &str = "Novel-Stage";
    /// The model that answered.
    pub const MODEL: &str = "Novel-Model";
    /// The overall score of a judge's report.
    pub const SCORE: &str = "Novel-Score";
    /// The author's choice.
    pub const DECISION: &str = "Novel-Decision";
    /// Which scene was written or gone back to; of a plan, how many there are.
    pub const SCENE: &str = "Novel-Scene";
    /// The stage that an unfinished text or a fault is of.
    pub const OF: &str = "Novel-Of";
    /// The result in a few words.
    pub const RESULT: &str = "Novel-Result";
    /// The part of the work that a result is about, of work that has several.
    pub const COVERS: &str = "Novel-Covers";
    /// The number of flaws that a result repairs.
    pub const REPAIRS: &str = "Novel-Repairs";
    /// Tokens of the call.
    pub const TOKENS: &str = "Novel-Tokens";
    /// What the call cost.
    pub const COST: &str = "Novel-Cost";
    /// What was planned.
    pub const WORK: &str = "Novel-Work";
    /// Which request it answers: sixteen hexadecimal digits.
    pub const REQUEST: &str = "Novel-Request";
    /// Which texts the prompt was made of.
    pub const PROMPT: &str = "Novel-Prompt";
}

/// The files that a chapter's results go to.
#[derive(Debug, Clone)]
pub struct ChapterPaths {
    /// The text.
    pub text: String,
    /// The summary.
    pub summary: String,
    /// The entry in the ledger of chapters.
    pub memory: String,
    /// The state delta.
    pub delta: String,
    /// The first judge's report; the one that counts once the chapter is accepted.
    pub evaluation: String,
    /// The second judge's report.
    pub second_evaluation: String,
    /// The log.
    pub log: String,
}

impl ChapterPaths {
    /// Of a chapter in a volume.
    #[must_use]
    pub fn of(volume: VolumeNo, chapter: ChapterNo) -> Self {
        Self {
            text: layout::chapter(volume, chapter),
            summary: layout::summary(volume, chapter),
            memory: layout::chapter_memory(volume, chapter),
            delta: layout::delta(volume, chapter),
            evaluation: layout::evaluation(volume, chapter),
            second_evaluation: layout::second_evaluation(volume, chapter),
            log: layout::log(volume, chapter),
        }
    }

    /// What `staging/` shows of the book: the chapter's own files, nothing else.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope::new(std::iter::once(&self.text).chain(self.said_of_text()).cloned())
    }

    /// Every file that the chapter's commit writes, on a storyline.
    pub(crate) fn written(&self, storyline: &Slug) -> Vec<String> {
        let own = std::iter::once(&self.text).chain(self.said_of_text()).chain([&self.log]).cloned();
        let shared = [layout::STATE, layout::FORESHADOWING, layout::CHECKPOINT].map(str::to_owned);
        own.chain(shared).chain([layout::memory(storyline)]).collect()
    }

    /// What is said of a text, and counts no longer when there is another.
    fn said_of_text(&self) -> [&String; 5] {
        [&self.summary, &self.memory, &self.delta, &self.evaluation, &self.second_evaluation]
    }
}

/// The chapter in flight.
pub(crate) struct ChapterDraft<'r, 'b> {
    pub(crate) run: &'r Run<'b>,
    pub(crate) context: ChapterContext,
    pub(crate) prompts: Prompts,
    pub(crate) paths: ChapterPaths,
    pub(crate) draft: RefCell<Draft<'b>>,
    pub(crate) log: RefCell<ChapterLog>,
    /// The chapter as it is in the book, when it is written again.
    pub(crate) present: Option<ExistingChapter>,
    checkpoint: Checkpoint,
    /// The records up to a tip, so that the draft is read from its beginning once.
    known: RefCell<Option<(CommitId, Vec<Record>)>>,
}

fn read<T>(
    snapshot: &Snapshot<'_>,
    path: &str,
    read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
) -> Result<Option<T>, RunError> {
    snapshot.read(path)?.map(|bytes| read(&bytes)).transpose().map_err(RunError::of_file(path))
}

/// What the commits of a draft mean for its progress. Reports on texts that were replaced since are not read.
pub(crate) fn records(book: &Book, commits: &[StageCommit], paths: &ChapterPaths) -> Result<Vec<Record>, RunError> {
    let mut found = Vec::new();
    // A chapter that is written again has a text in the book already.
    let parent = commits.first().map(|first| book.transaction(first.id)).transpose()?.and_then(|first| first.parent);
    let mut text = parent.map(|base| book.snapshot_of(base)?.read(&paths.text)).transpose()?.flatten();
    for commit in commits {
        let snapshot = book.snapshot_of(commit.id)?;
        let now = snapshot.read(&paths.text)?;
        let stage: Option<Stage> = commit.trailers.read(trailer::STAGE);
        let scene = || commit.trailers.read(trailer::SCENE);
        match stage {
            None if now != text && now.is_some() => {
                let touched = last_paragraph(text.as_deref()) == last_paragraph(now.as_deref());
                found.push(if touched { Record::Touched } else { Record::Text(Stage::Edit) });
            }
            None | Some(Stage::Fault) => {}
            Some(Stage::Partial) => found.extend(commit.trailers.read(trailer::OF).map(Record::Partial)),
            Some(Stage::Kept) => found.push(Record::Kept),
            Some(stage @ (Stage::Draft | Stage::Revise | Stage::Rewrite | Stage::Edit)) => {
                found.push(Record::Text(stage));
            }
            Some(Stage::ScenePlan) => found.extend(scene().map(Record::Planned)),
            Some(Stage::Scene) => found.push(Record::Scene),
            Some(Stage::Rollback) => found.extend(scene().map(Record::Back)),
            Some(Stage::Summarize) => found.push(Record::Summary),
            Some(Stage::Refine) => found.push(Record::Refined),
            Some(Stage::Polish) => found.push(Record::Polished),
            Some(stage @ (Stage::Judge | Stage::SecondJudge)) => {
                let second = stage == Stage::SecondJudge;
                let path = if second { &paths.second_evaluation } else { &paths.evaluation };
                if let Some(recorded) = read(&snapshot, path, format::evaluation::read)? {
                    found.push(Record::Judged { second, evaluation: Box::new(recorded.evaluation) });
                }
            }
            Some(Stage::Decision) => {
                found.extend(commit.trailers.read(trailer::DECISION).map(Record::Decided));
            }
        }
        text = now;
    }
    Ok(found)
}

/// The last line of a chapter's file with something on it.
fn last_paragraph(text: Option<&[u8]>) -> Option<&[u8]> {
    text?.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).rfind(|line| !line.is_empty())
}

/// A text that broke off, in its parts.
#[derive(Debug, Clone)]
pub(crate) struct UnfinishedText {
    /// The prose of the scenes before it; empty where it is of a whole chapter.
    pub(crate) before: String,
    /// The title, and the part that is to be continued.
    pub(crate) chapter: Chapter,
    /// All the prose that is there.
    pub(crate) body: String,
}

impl<'r, 'b> ChapterDraft<'r, 'b> {
    /// Opens the draft of `chapter` on the accepted line as it is, or goes on with the one that is there. A chapter of the
    /// book is written again from what it found when it began.
    pub(crate) fn open(run: &'r Run<'b>, chapter: ChapterNo) -> Result<Self, RunError> {
        let book = run.session.book();
        let snapshot = book.snapshot()?;
        let view = BookView::new(&snapshot);
        let mut context = view.chapter_context(chapter)?;
        context.config.scene_mode = run.by_scenes.unwrap_or(context.config.scene_mode);
        let present = ExistingChapter::of(book, &view, chapter)?;
        let context = match &present {
            Some(present) => present.context_of(context),
            None => context,
        };
        let checkpoint = view.checkpoint()?;
        let prompts = view.prompts()?;
        let paths = ChapterPaths::of(context.volume, chapter);
        let written = paths.written(context.storyline());
        let mut blocked = book.obstructions(written.iter().map(String::as_str))?;
        if present.is_none() {
            // The author's own text, committed by hand, is not written over.
            blocked.extend(book.committed_at(&paths.text)?);
        }
        if !blocked.is_empty() {
            return Err(RunError::InTheWay(blocked));
        }
        let mut draft = run.session.draft(chapter, paths.scope())?;
        if draft.base()? != snapshot.commit_id() {
            draft.rebase(&run.author, run.clock.moment())?;
        }
        let log = read(&draft.snapshot()?, LOG, format::log::read)?;
        let log = log.unwrap_or_else(|| ChapterLog {
            chapter,
            storyline: context.storyline().clone(),
            started_at: run.clock.rfc3339(),
            stages: Vec::new(),
            gate: None,
            revisions: 0,
            warnings: Vec::new(),
        });
        let (draft, log, known) = (RefCell::new(draft), RefCell::new(log), RefCell::new(None));
        let chapter_draft = Self { run, context, prompts, paths, draft, log, present, checkpoint, known };
        chapter_draft.keep_shown()?;
        Ok(chapter_draft)
    }

    /// Shows the draft in `staging/` as it is now.
    pub(crate) fn show(&self) -> Result<(), StoreError> {
        self.draft.borrow().show()
    }

    /// The same, when somebody may look at it: while a model answers, and where the folder is there already; but it is not
    /// made between two answers of the offline writer.
    fn keep_shown(&self) -> Result<(), StoreError> {
        if self.run.responder.takes_time() { self.show() } else { self.draft.borrow().keep_shown() }
    }

    /// The chapter.
    pub(crate) fn chapter(&self) -> ChapterNo {
        self.context.chapter
    }

    fn records(&self) -> Result<Vec<Record>, RunError> {
        let draft = self.draft.borrow();
        let tip = draft.tip();
        if let Some((at, records)) = &*self.known.borrow()
            && *at == tip
        {
            return Ok(records.clone());
        }
        let found = records(self.run.session.book(), &draft.records()?, &self.paths)?;
        *self.known.borrow_mut() = Some((tip, found.clone()));
        Ok(found)
    }

    /// How far the chapter is.
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

    /// What the chapter needs next.
    pub(crate) fn next(&self, progress: &Progress) -> Next {
        progress.next(self.context.mode(), &self.context.config.gate)
    }

    pub(crate) fn file(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.draft.borrow().read(path)
    }

    /// What the author wants of a chapter that is written again; empty where nothing was said.
    pub(crate) fn wish(&self) -> Result<String, RunError> {
        Ok(self.file(WISH)?.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()).unwrap_or_default())
    }

    /// Notes the wish on a draft that has nothing yet. Returns whether the draft is for that wish.
    pub(crate) fn wants(&self, wish: &str) -> Result<bool, RunError> {
        let wish = wish.trim();
        if wish.is_empty() || !self.draft.borrow().records()?.is_empty() {
            return Ok(wish.is_empty() || self.wish()? == wish);
        }
        let message = Message::new(Kind::Stage, &format!("{} begun again: {wish}", self.chapter()))
            .trailer(key::CHAPTER, self.chapter().get());
        let change = Change::default().put(WISH, format!("{wish}\n"));
        self.draft.borrow_mut().commit_result(&change, &message, &self.run.author, self.run.clock.moment())?;
        Ok(true)
    }

    /// Puts the draft aside; it stays reachable.
    pub(crate) fn abandon(self) -> Result<(), RunError> {
        self.draft.into_inner().close()?;
        Ok(())
    }

    /// The present text.
    pub(crate) fn text(&self) -> Result<Chapter, RunError> {
        let path = &self.paths.text;
        let bytes = self.file(path)?.ok_or_else(|| RunError::Missing { path: path.clone() })?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Chapter::from_markdown(self.chapter(), &text, &self.context.section.title))
    }

    /// The text that an unfinished one takes the place of, or goes on from.
    pub(crate) fn text_before(&self) -> Result<Option<Chapter>, RunError> {
        let read = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            Chapter::from_markdown(self.chapter(), &text, &self.context.section.title)
        };
        Ok(self.file(BEFORE)?.map(read))
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

    /// Makes a text that broke off the draft's. What was said of the text before it stands until there is a whole one.
    pub(crate) fn unfinished_text(&self, text: &Chapter) -> Result<Change, RunError> {
        let change = Change::default().put(&self.paths.text, text.to_markdown());
        if self.progress()?.unfinished().is_some() {
            return Ok(change);
        }
        Ok(match self.file(&self.paths.text)? {
            Some(before) => change.put(BEFORE, before),
            None => change.remove(BEFORE),
        })
    }

    /// Puts the unfinished text aside: the text before it, if there is one, stands again.
    pub(crate) fn without_unfinished(&self) -> Result<Change, RunError> {
        let change = Change::default().remove(BEFORE);
        Ok(match self.file(BEFORE)? {
            Some(before) => change.put(&self.paths.text, before),
            None => change.remove(&self.paths.text),
        })
    }

    /// The writer's hints on the present text.
    pub(crate) fn hints(&self) -> Result<String, RunError> {
        self.hints_of(&self.draft.borrow().snapshot()?)
    }

    /// The writer's hints on the text as it was then.
    pub(crate) fn hints_of(&self, then: &Snapshot<'_>) -> Result<String, RunError> {
        Ok(then.read(HINTS)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default())
    }

    /// The summary page of the present text, with the mentions of other storylines.
    pub(crate) fn summary(&self) -> Result<Option<format::summary::SummaryPage>, RunError> {
        let chapter = self.chapter();
        read(&self.draft.borrow().snapshot()?, &self.paths.summary, |bytes| format::summary::read(chapter, bytes))
    }

    /// Mentions of other storylines in the present text.
    pub(crate) fn cross_references(&self) -> Result<Vec<CrossReference>, RunError> {
        Ok(self.summary()?.map(|page| page.cross_references).unwrap_or_default())
    }

    /// A new text replaces everything that was said of the old one.
    pub(crate) fn new_text(&self, text: &Chapter, hints: &str) -> Change {
        let change = self.without_text(Change::default().remove(BEFORE)).put(&self.paths.text, text.to_markdown());
        if hints.trim().is_empty() { change.remove(HINTS) } else { change.put(HINTS, format!("{}\n", hints.trim())) }
    }

    /// The same change without the text that there is, and without everything that was said of it.
    pub(crate) fn without_text(&self, change: Change) -> Change {
        let paths = &self.paths;
        paths.said_of_text().into_iter().fold(change.remove(&paths.text), |change, path| change.remove(path))
    }

    /// Notes a warning in the log and tells it.
    pub(crate) fn warn(&self, warning: Warning) {
        self.log.borrow_mut().warnings.push(warning.to_string());
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
    pub(crate) fn write(&self, stage: Stage, change: Change, note: Note<'_>) -> Result<CommitId, RunError> {
        self.take_up()?;
        if let Some(texts) = note.texts
            && texts != self.texts()?
        {
            let subject = format!("{stage}: {}, of a text that has been changed since", note.subject);
            let note = Note { subject, call: note.call, ..Note::default() };
            return self.commit(Stage::Fault, Change::default(), note);
        }
        self.commit(stage, change, note)
    }

    /// Takes up what the author has done in `staging/` since the last look.
    pub(crate) fn take_up(&self) -> Result<(), RunError> {
        self.draft.borrow_mut().follow()?;
        let edits = self.draft.borrow().author_edits()?;
        if edits.is_empty() {
            return Ok(());
        }
        let of_text = edits.iter().any(|edit| edit.path == self.paths.text && edit.bytes.is_some());
        if of_text { self.take_edit() } else { self.commit_local_changes() }
    }

    fn commit_local_changes(&self) -> Result<(), RunError> {
        let adopted = self.draft.borrow_mut().adopt_edits(&self.run.author, self.run.clock.moment())?;
        if let Some(adopted) = adopted {
            self.run.tell(Event::HandEdit { commit: adopted.id.short(), paths: adopted.paths });
        }
        Ok(())
    }

    /// The author's changed text becomes the chapter's text: what was said of the old one no longer counts. An unfinished
    /// text of which the author has left the end as it was stays unfinished.
    pub(crate) fn take_edit(&self) -> Result<(), RunError> {
        self.commit_local_changes()?;
        if self.progress()?.unfinished().is_some() { Ok(()) } else { self.take_as_edited() }
    }

    /// The text as it is becomes the chapter's, as the author's own.
    pub(crate) fn take_as_edited(&self) -> Result<(), RunError> {
        let text = self.text()?;
        let note = Note { subject: text.title.clone(), ..Note::default() };
        let change = self.new_text(&text, "");
        // The author may still want it continued.
        let change = match self.file(BEFORE)? {
            Some(before) => change.put(BEFORE, before),
            None => change,
        };
        self.commit(Stage::Edit, change, note)?;
        Ok(())
    }

    /// Whether the author has changed the text in `staging/` and not committed it.
    pub(crate) fn text_is_edited(&self) -> Result<bool, RunError> {
        Ok(self.draft.borrow().author_edits()?.iter().any(|edit| edit.path == self.paths.text && edit.bytes.is_some()))
    }

    pub(crate) fn commit(&self, stage: Stage, change: Change, note: Note<'_>) -> Result<CommitId, RunError> {
        let (before, logged) = (self.draft.borrow().tip(), self.log.borrow().stages.len());
        let done = self.committed(stage, change, note);
        if done.is_err() && self.draft.borrow().tip() == before {
            self.log.borrow_mut().stages.truncate(logged);
        }
        done
    }

    fn committed(&self, stage: Stage, mut change: Change, note: Note<'_>) -> Result<CommitId, RunError> {
        let chapter = self.chapter();
        let mut message = Message::new(Kind::Stage, &format!("{chapter} {stage}: {}", note.subject))
            .body(&note.body)
            .trailer(key::CHAPTER, chapter.get())
            .trailer(trailer::STAGE, stage);
        if let Some(score) = note.score {
            message = message.trailer(trailer::SCORE, format!("{score:.2}"));
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
        if let Some(paid) = note.call {
            (change, message) = record_call(change, message, paid, &mut self.log.borrow_mut().stages);
        }
        let log = format::log::write(&self.log.borrow(), None);
        let checkpoint = self.checkpoint_after(stage, &note)?;
        let previous = self.file(layout::CHECKPOINT)?;
        let change =
            change.put(LOG, log).put(layout::CHECKPOINT, format::checkpoint::write(&checkpoint, previous.as_deref()));
        let before = self.draft.borrow().tip();
        let tip =
            self.draft.borrow_mut().commit_result(&change, &message, &self.run.author, self.run.clock.moment())?;
        if let Some((call, ..)) = note.call {
            self.run.unrecorded.recorded(call);
        }
        self.keep_shown()?;
        let mut known = self.known.borrow_mut();
        match known.as_mut().filter(|(at, _)| *at == before) {
            Some((at, records)) => {
                *at = tip;
                records.extend(record(stage, &note));
            }
            None => *known = None,
        }
        Ok(tip)
    }

    /// The checkpoint as the draft's commit carries it: derived from the records with the one that is being written.
    fn checkpoint_after(&self, stage: Stage, note: &Note<'_>) -> Result<Checkpoint, RunError> {
        let progress = self.progress()?;
        let progress = match record(stage, note) {
            Some(record) => progress.after(&record),
            None => progress,
        };
        let next = self.next(&progress);
        let rewriting = progress.pipeline_stage(&next) == PipelineStage::Revising || progress.tries.revisions > 0;
        Ok(Checkpoint {
            phase: if rewriting { Phase::ChapterRewrite } else { Phase::Writing },
            stage: Some(progress.pipeline_stage(&next)),
            inflight: Some(self.chapter()),
            revisions: progress.tries.revisions,
            pending: match next {
                Next::Wait(_) => vec![format!("decide {}", self.chapter())],
                Next::Run(_) | Next::Accept(_) => Vec::new(),
            },
            time: self.run.clock.rfc3339(),
            ..self.checkpoint.clone()
        })
    }

    /// Ends the desk and gives back its parts, for accepting the draft.
    pub(crate) fn into_parts(self) -> Parts<'b> {
        let Self { context, paths, draft, log, present, checkpoint, .. } = self;
        Parts { context, paths, draft: draft.into_inner(), log: log.into_inner(), present, checkpoint }
    }
}

/// What a chapter that is to be accepted consists of.
pub(crate) struct Parts<'b> {
    pub(crate) context: ChapterContext,
    pub(crate) paths: ChapterPaths,
    pub(crate) draft: Draft<'b>,
    pub(crate) log: ChapterLog,
    /// The chapter that it takes the place of.
    pub(crate) present: Option<ExistingChapter>,
    /// Of the accepted line.
    pub(crate) checkpoint: Checkpoint,
}

/// What a stage commit says beside its files.
#[derive(Debug, Default)]
pub(crate) struct Note<'a> {
    /// The rest of the subject.
    pub(crate) subject: String,
    /// The body.
    pub(crate) body: String,
    /// The call, its log entry and the hash of its prompt texts.
    pub(crate) call: Option<(&'a Call, &'a StageLog, &'a str)>,
    /// A judge's report.
    pub(crate) evaluation: Option<&'a Evaluation>,
    /// Its overall score.
    pub(crate) score: Option<f64>,
    /// How many texts the chapter had when the call was made; see [`ChapterDraft::texts`].
    pub(crate) texts: Option<usize>,
    /// Which scene was written or gone back to; of a plan, how many there are.
    pub(crate) scene: Option<u32>,
    /// Which stage an unfinished text is of.
    pub(crate) of: Option<Stage>,
    /// The author's choice.
    pub(crate) decision: Option<crate::domain::chapter::stage::Decision>,
}

fn record(stage: Stage, note: &Note<'_>) -> Option<Record> {
    Some(match stage {
        Stage::Draft | Stage::Revise | Stage::Rewrite | Stage::Edit => Record::Text(stage),
        Stage::Partial => Record::Partial(note.of?),
        Stage::Kept => Record::Kept,
        Stage::ScenePlan => Record::Planned(note.scene?),
        Stage::Scene => Record::Scene,
        Stage::Rollback => Record::Back(note.scene?),
        Stage::Summarize => Record::Summary,
        Stage::Refine => Record::Refined,
        Stage::Polish => Record::Polished,
        Stage::Judge | Stage::SecondJudge => {
            let evaluation = Box::new(note.evaluation?.clone());
            Record::Judged { second: stage == Stage::SecondJudge, evaluation }
        }
        Stage::Decision => Record::Decided(note.decision?),
        Stage::Fault => return None,
    })
}

/// Adds a call to the commit of its result: the call itself as a file of the draft, its figures as trailers, and its
/// entry to those before it. What it takes is the call, its entry, and which texts its prompt was made of.
pub(crate) fn record_call(
    change: Change,
    message: Message,
    (call, entry, prompt_hash): (&Call, &StageLog, &str),
    stages: &mut Vec<StageLog>,
) -> (Change, Message) {
    let number = stages.len() + 1;
    let bytes = call_file(call);
    let change = change.put(&format!("{CALLS}{number:02}-{}.json", entry.name), bytes);
    let message = message
        .trailer(trailer::MODEL, &entry.model)
        .trailer(trailer::TOKENS, tokens(entry))
        .trailer(trailer::COST, cost(entry.cost_micro_usd))
        .trailer(trailer::PROMPT, prompt_hash);
    stages.push(entry.clone());
    (change, message)
}

/// Recorded calls as a file. The replies are as they came, so characters that steer a terminal are escaped: a file of the
/// repository is shown by `git show` as well.
pub(crate) fn call_file(calls: &impl Serialize) -> Vec<u8> {
    let json = serde_json::to_string_pretty(calls).unwrap_or_default() + "\n";
    text::escape_json(&json).into_owned().into_bytes()
}

/// `12000 in (8000 cached), 3000 out`, as far as it is known.
fn tokens(entry: &StageLog) -> String {
    let (Some(input), Some(output)) = (entry.input_tokens, entry.output_tokens) else { return "unknown".into() };
    let about = if entry.estimated { "~" } else { "" };
    match entry.cached_tokens {
        Some(cached) if cached > 0 => format!("{about}{input} in ({cached} cached), {about}{output} out"),
        _ => format!("{about}{input} in, {about}{output} out"),
    }
}

/// An amount in dollars, or that it is unknown; never zero for what is not known.
#[must_use]
pub(crate) fn cost(micro: Option<u64>) -> String {
    micro.map_or_else(|| "unknown".into(), |micro| format!("{:.4} USD", micro as f64 / 1e6))
}
