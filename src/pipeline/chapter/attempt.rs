//! Performing one stage: ask, read the answer, write the result down; ask again where that helps.

use crate::agents::checks::completeness::{Break, TextFinding};
use crate::agents::checks::edits::apply_edits;
use crate::agents::judge::Judged;
use crate::agents::scenes::PlanMaterial;
use crate::agents::{Again, Why, refiner, writer};
use crate::domain::chapter::stage::Doubt;
use crate::domain::chapter::summary::Summary;
use crate::llm::causes::Mismatch;
use crate::llm::{self, Fault, Limit};
use crate::pipeline::book::call_log::replies;
use crate::pipeline::chapter::draft::{self, ChapterDraft, UnfinishedText};
use crate::pipeline::chapter::inputs::{self, Gap, Inputs};
use crate::pipeline::chapter::records::StageMessage;
use crate::pipeline::engine::ask::{ASK_AGAIN, AnswerFault, Attempts, Job, ReadOutcome, ReplyText, Without};
use crate::pipeline::engine::call_record::PaidCall;
use crate::pipeline::prelude::*;

/// A shorter text of a model that declines is what it says about that.
const SPEECH: u32 = 100;

/// A result of a stage: its files, and what its commit says.
pub(crate) type StageOutput = (Change, Box<StageMessage>);
pub(crate) type StageOutcome = ReadOutcome<StageOutput>;

pub(crate) fn done(change: Change, said: StageMessage) -> StageOutcome {
    ReadOutcome::Done((change, Box::new(said)))
}

/// The useful parts of the answers up to now.
#[derive(Default)]
pub(crate) struct AttemptState {
    /// A summary whose operations could not be read.
    pub(crate) summary: Option<Box<Summary>>,
    /// A judge's report, and what it leaves open.
    pub(crate) report: Option<(Box<Judged>, Gap)>,
    /// A text that will do if no better one comes, and what is wrong with it.
    pub(crate) once: Option<(Box<writer::WrittenChapter>, TextFinding)>,
    /// A text that broke off and is to be continued. It is on the draft.
    pub(crate) partial: Option<UnfinishedText>,
    /// Whether a whole text was far too short.
    pub(crate) short: bool,
    /// The last text in another language or script than the book.
    pub(crate) foreign: Option<Box<writer::WrittenChapter>>,
}

/// A stage of a chapter as a question to an agent.
struct StageJob<'a, 'r, 'b> {
    draft: &'a ChapterDraft<'r, 'b>,
    stage: Stage,
    task: &'a Task<'a>,
    inputs: &'a Inputs,
    kept: AttemptState,
    /// How many texts the chapter had when the question was asked.
    texts: usize,
}

impl Job for StageJob<'_, '_, '_> {
    type Result = StageOutput;

    fn part(&self) -> Part {
        Part::Chapter(self.stage)
    }

    fn model_role(&self) -> ModelRole {
        inputs::stage_role(self.draft, self.stage)
    }

    fn task(&self) -> &Task<'_> {
        self.task
    }

    fn again<'s>(&'s self, attempts: &'s Attempts) -> Option<Again<'s>> {
        let fault = attempts.fault.as_ref();
        if let Some(partial) = &self.kept.partial {
            let wanted = self.draft.wanted(self.inputs);
            return Some(Again::Continue { kept: &partial.chapter.body, wanted, why: fault });
        }
        if attempts.cut {
            return Some(Again::Cut);
        }
        match (&self.kept.report, fault, &self.kept.summary, &self.kept.once) {
            (Some((_, Gap::Rules(rules))), ..) => Some(Again::Rules(rules)),
            (Some((_, Gap::Quotations(checks))), ..) => Some(Again::Quotations(checks)),
            (None, Some(fault), Some(_), _) => Some(Again::Ops(fault)),
            (None, Some(fault), None, _) => Some(Again::Fault(fault)),
            (None, None, _, Some((_, TextFinding::Short { words, wanted }))) => {
                Some(Again::Short { words: *words, wanted: *wanted })
            }
            (None, None, _, Some((_, TextFinding::Long { words, most }))) => {
                Some(Again::Long { words: *words, most: *most })
            }
            (None, None, ..) => None,
        }
    }

    fn earlier_replies(&self) -> Result<Vec<(llm::Request, String)>, RunError> {
        let records = self.draft.draft.records()?;
        match records.last().and_then(|last| last.trailers.read(trailer::OF)) {
            Some(of) if self.stage == of => replies(&self.draft.draft.snapshot()?, of),
            _ => Ok(Vec::new()),
        }
    }

    fn usable_part(&self, fault: &Fault) -> Option<String> {
        // A model that declines to go on says so in a few words, which are no story.
        let is_speech = |text: &str| matches!(fault, Fault::Refused { .. }) && writer::words(text) < SPEECH;
        fault.partial().filter(|text| self.stage.writes_prose() && !is_speech(text)).map(str::to_owned)
    }

    fn keeps(&self, fault: &Fault) -> bool {
        self.usable_part(fault).is_some_and(|text| self.draft.is_worth_keeping(&text, self.inputs, &self.kept))
    }

    fn read(&mut self, reply: &ReplyText<'_>) -> Result<StageOutcome, RunError> {
        let (draft, stage, inputs) = (self.draft, self.stage, self.inputs);
        self.texts = draft.texts_now(stage, inputs, &mut self.kept, self.texts)?;
        let kept = &mut self.kept;
        Ok(match stage {
            Stage::Draft | Stage::Scene | Stage::Revise | Stage::Rewrite => {
                return draft.read_text(stage, inputs, reply, kept);
            }
            Stage::ScenePlan => read_scene_plan(draft, inputs, reply.text),
            Stage::Summarize => draft.read_summary(inputs, reply.text, kept),
            Stage::Refine | Stage::Polish => read_edits(draft, inputs, reply.text),
            Stage::Judge | Stage::SecondJudge => draft.read_report(stage, inputs, reply, kept),
            Stage::Edit | Stage::Decision | Stage::Rollback | Stage::Fault | Stage::Partial | Stage::Kept => {
                ReadOutcome::Unusable(ReplyFault::Empty)
            }
        })
    }

    fn record(&mut self, result: StageOutput, paid: &PaidCall) -> Result<(), RunError> {
        self.record_result(result, Some(paid))
    }

    fn record_beginning(&mut self, (change, said): StageOutput, paid: &PaidCall) -> Result<bool, RunError> {
        self.draft.write(Stage::Partial, change, StageMessage { texts: Some(self.texts), ..*said }, Some(paid))?;
        if self.draft.progress()?.unfinished().is_none() {
            // The author has changed the text meanwhile, and that stands.
            return Ok(false);
        }
        self.kept = AttemptState { partial: Some(self.draft.unfinished(self.stage)?), ..AttemptState::default() };
        self.texts = self.draft.texts()?;
        Ok(true)
    }

    fn warn(&self, warning: Warning) {
        self.draft.warn(warning);
    }

    fn record_fault(&mut self, why: &Why, paid: PaidCall) -> Result<(), RunError> {
        if let (Why::Long { .. }, Some((written, _))) = (why, &self.kept.once) {
            // A run that ends before there is a shorter text leaves this one to the author.
            let (change, said) = self.draft.doubtful(self.stage, &self.kept, &written.whole_part(), Doubt::Long)?;
            self.draft.write(Stage::Partial, change, StageMessage { texts: Some(self.texts), ..said }, Some(&paid))?;
            return Ok(());
        }
        let result = StageNote::Fault(Part::Chapter(self.stage), None, Box::new(why.clone()));
        let note = StageMessage { result, of: Some(self.stage), lasts: why.lasts(), ..StageMessage::default() };
        self.draft.write(Stage::Fault, Change::default(), note, Some(&paid))?;
        Ok(())
    }

    fn record_unsent(&mut self, why: &Why) -> Result<bool, RunError> {
        let records = self.draft.draft.records()?;
        if records.last().is_some_and(|last| last.trailers.read(trailer::OF) == Some(self.stage)) {
            // The last run has said so.
            return Ok(true);
        }
        let result = StageNote::Fault(Part::Chapter(self.stage), None, Box::new(why.clone()));
        let note = StageMessage { result, of: Some(self.stage), lasts: true, ..StageMessage::default() };
        self.draft.write(Stage::Fault, Change::default(), note, None)?;
        Ok(true)
    }

    fn gives_up(&self, fault: &ReplyFault, attempts: &Attempts) -> bool {
        // A summary is asked for once more only (agent protocol §10.6, rule 1), and so are edits, which a chapter can do without; a
        // reviser that leaves a text as it is will not do better a third time.
        attempts.tries >= ASK_AGAIN
            || self.stage == Stage::Summarize && attempts.tries > 0
            || matches!(self.stage, Stage::Refine | Stage::Polish) && attempts.tries > 0
            || matches!(fault, ReplyFault::Unchanged | ReplyFault::Copied { .. }) && attempts.tries > 0
            || self.stage == Stage::Revise && matches!(fault, ReplyFault::Foreign { .. }) && attempts.tries > 0
            || self.kept.partial.is_some() && matches!(fault, ReplyFault::Shrunk { .. })
    }

    fn do_without(&mut self, failure: &AnswerFault<'_>) -> Result<Without, RunError> {
        if let Some((written, _)) = self.kept.once.take() {
            // It was paid for, and will do.
            let of = (self.stage, self.inputs);
            if let ReadOutcome::Done(result) = self.draft.take_text(of, &self.kept, *written)? {
                self.record_result(result, None)?;
                return Ok(Without::Substitute);
            }
        }
        let is_needed = self.stage == Stage::Summarize;
        if let AnswerFault::Call(fault) = failure
            && (!fault.is_of_question()
                || is_needed && matches!(fault.cause(), Fault::BadRequest { .. } | Fault::Protocol { .. }))
        {
            return Ok(Without::Impossible);
        }
        let why = match failure {
            AnswerFault::Reply(fault) => {
                let is_whole = matches!(fault, ReplyFault::Unchanged | ReplyFault::Shrunk { .. });
                if self.stage == Stage::Revise && (self.kept.partial.is_none() || is_whole) {
                    self.draft.keep_before(fault)?;
                    return Ok(Without::Unneeded);
                }
                if matches!(fault, ReplyFault::Foreign { .. })
                    && let Some(written) = self.kept.foreign.take()
                {
                    let (change, said) = self.draft.doubtful(self.stage, &self.kept, &written, Doubt::Language)?;
                    self.draft.write(Stage::Partial, change, StageMessage { texts: Some(self.texts), ..said }, None)?;
                    return Ok(Without::Substitute);
                }
                Why::Reply((*fault).clone())
            }
            AnswerFault::Call(fault) => Why::Fault((*fault).clone()),
        };
        if matches!(self.stage, Stage::Refine | Stage::Polish) {
            self.draft.warn(Warning::NotRefined { why });
            let note =
                StageMessage { result: StageNote::Edits(0, 0.0), texts: Some(self.texts), ..StageMessage::default() };
            self.draft.write(self.stage, Change::default(), note, None)?;
            return Ok(Without::Substitute);
        }
        match self.draft.excerpt(self.stage, self.inputs, &mut self.kept, why) {
            Some(ReadOutcome::Done((change, said))) => {
                self.draft.write(self.stage, change, StageMessage { texts: Some(self.texts), ..*said }, None)?;
                Ok(Without::Substitute)
            }
            _ => Ok(Without::Impossible),
        }
    }

    fn explain(&self, error: RunError) -> RunError {
        self.draft.broken_off(&self.kept, error)
    }
}

impl StageJob<'_, '_, '_> {
    fn record_result(&self, (change, said): StageOutput, paid: Option<&PaidCall>) -> Result<(), RunError> {
        let stage = if said.doubt.is_some() { Stage::Partial } else { self.stage };
        self.draft.write(stage, change, StageMessage { texts: Some(self.texts), ..*said }, paid)?;
        Ok(())
    }
}

/// Performs a stage from its first call to its commit. One whose text broke off goes on from what is there.
pub(crate) async fn perform(chapter_draft: &ChapterDraft<'_, '_>, stage: Stage) -> Result<(), RunError> {
    chapter_draft
        .run
        .calls
        .unrecorded
        .try_twice(Part::Chapter(stage), async || attempt(chapter_draft, stage).await)
        .await
}

async fn attempt(chapter_draft: &ChapterDraft<'_, '_>, stage: Stage) -> Result<(), RunError> {
    let unfinished = chapter_draft.progress()?.unfinished().is_some();
    if stage == Stage::Scene || unfinished {
        // It goes on from the text as the author has it now.
        chapter_draft.take_up()?;
    }
    if unfinished && chapter_draft.progress()?.unfinished().is_none() {
        // The author has ended it.
        return Ok(());
    }
    if matches!(stage, Stage::Draft | Stage::ScenePlan) && !unfinished {
        inputs::look_for_room(chapter_draft, stage)?;
    }
    let inputs = inputs::stage_inputs(chapter_draft, stage)?;
    if stage == Stage::Polish && inputs.remarks.is_empty() && draft::has_nothing_to_refine(chapter_draft)? {
        chapter_draft.warn(Warning::NotPolished);
        let note = StageMessage {
            result: StageNote::Edits(0, 0.0),
            texts: Some(chapter_draft.texts()?),
            ..StageMessage::default()
        };
        chapter_draft.write(stage, Change::default(), note, None)?;
        return Ok(());
    }
    let Some(task) = inputs::stage_task(chapter_draft, stage, &inputs) else { return Ok(()) };
    let partial = if unfinished { Some(chapter_draft.unfinished(stage)?) } else { None };
    let kept = AttemptState { partial, ..AttemptState::default() };
    let mut job =
        StageJob { draft: chapter_draft, stage, task: &task, inputs: &inputs, kept, texts: chapter_draft.texts()? };
    chapter_draft.session.ask(&mut job).await
}

fn read_scene_plan(chapter_draft: &ChapterDraft<'_, '_>, inputs: &Inputs, reply: &str) -> StageOutcome {
    let material = PlanMaterial::of(&chapter_draft.context, &inputs.remarks);
    match crate::pipeline::chapter::scenes::read_plan(reply, &material) {
        Ok((change, count)) => {
            let said = StageMessage { result: StageNote::Scenes(count), scene: Some(count), ..StageMessage::default() };
            // The text that the book has makes room for the first scene of the new one.
            let change = if chapter_draft.present.is_some() { chapter_draft.without_text(change) } else { change };
            done(change, said)
        }
        Err(fault) => ReadOutcome::Unusable(fault),
    }
}

fn read_edits(chapter_draft: &ChapterDraft<'_, '_>, inputs: &Inputs, reply: &str) -> StageOutcome {
    let edits = match refiner::read(reply) {
        Ok(edits) => edits,
        Err(fault) => return ReadOutcome::Unusable(fault),
    };
    let Some(text) = &inputs.text else { return ReadOutcome::Unusable(ReplyFault::NoProse) };
    let refined =
        apply_edits(text, &edits, chapter_draft.context.config.max_refinement, &chapter_draft.context.phrases);
    for (edit, why) in &refined.dropped {
        let head: String = edit.original.chars().take(12).collect();
        chapter_draft.warnings.borrow_mut().push(format!("edit `{head}` was not made: {why}"));
    }
    let said = StageMessage {
        result: StageNote::Edits(refined.applied.len(), refined.share),
        body: refined.applied.iter().map(|e| format!("- {} → {}：{}\n", e.original, e.refined, e.reason)).collect(),
        ..StageMessage::default()
    };
    done(Change::default().put(&chapter_draft.paths.text, refined.chapter.to_markdown()), said)
}

/// How a reply was broken off, where that leaves the beginning of a text.
pub(super) fn cut_of(fault: &Fault) -> Option<Break> {
    match fault {
        Fault::Truncated { limit: Limit::Context, .. } => Some(Break::Context),
        Fault::Truncated { .. } => Some(Break::Limit),
        Fault::Circling { .. } => Some(Break::Loop),
        // Relays have words of their own for an ordinary end.
        Fault::Protocol { mismatch: Mismatch::UnknownEnd { .. } } => None,
        other => other.partial().map(|_| Break::Lost),
    }
}
