//! Performing one stage: ask, read the answer, write the result down; ask again where that helps.

use super::draft::{ChapterDraft, Note};
use super::inputs::{Gap, Inputs, Kept, Read, StageMessage, StageResult, done};
use super::scenes;
use super::texts::part_of;
use crate::agents::Why;
use crate::agents::checks::completeness::Finding;
use crate::agents::checks::edits::apply_edits;
use crate::agents::scenes::PlanMaterial;
use crate::agents::{Again, Opinion, ReplyFault, Task, refiner};
use crate::domain::book::config::{Agent, ModelRole};
use crate::domain::book::work::Part;
use crate::domain::chapter::stage::Stage;
use crate::llm::Fault;
use crate::pipeline::engine::ask::{ASK_AGAIN, Attempts, Job, ReadOutcome, Reply, Unanswered, Without};
use crate::pipeline::engine::call_record::Paid;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::Warning;
use crate::store::{Change, StageNote};

/// A stage of a chapter as a question to an agent.
struct StageJob<'a, 'r, 'b> {
    draft: &'a ChapterDraft<'r, 'b>,
    stage: Stage,
    task: &'a Task<'a>,
    inputs: &'a Inputs,
    kept: Kept,
    /// How many texts the chapter had when the question was asked.
    texts: usize,
}

impl Job for StageJob<'_, '_, '_> {
    type Result = StageResult;

    fn part(&self) -> Part {
        Part::Chapter(self.stage)
    }

    fn model_role(&self) -> ModelRole {
        self.draft.role(self.stage)
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
            (None, None, _, Some((_, Finding::Short { words, wanted }))) => {
                Some(Again::Short { words: *words, wanted: *wanted })
            }
            (None, None, ..) => None,
        }
    }

    fn usable_part(&self, fault: &Fault) -> Option<String> {
        part_of(self.stage, fault)
    }

    fn read(&mut self, reply: &Reply<'_>) -> Result<Read, RunError> {
        let (draft, stage, inputs) = (self.draft, self.stage, self.inputs);
        self.texts = draft.texts_now(stage, inputs, &mut self.kept, self.texts)?;
        let kept = &mut self.kept;
        Ok(match stage {
            Stage::Draft | Stage::Scene | Stage::Revise | Stage::Rewrite => {
                return draft.read_text(stage, inputs, reply, kept);
            }
            Stage::ScenePlan => draft.read_scene_plan(inputs, reply.text),
            Stage::Summarize => draft.read_summary(inputs, reply.text, kept),
            Stage::Refine | Stage::Polish => draft.read_edits(inputs, reply.text),
            Stage::Judge | Stage::SecondJudge => draft.read_report(stage, inputs, reply, kept),
            Stage::Edit | Stage::Decision | Stage::Rollback | Stage::Fault | Stage::Partial | Stage::Kept => {
                ReadOutcome::Unusable(ReplyFault::Empty)
            }
        })
    }

    fn record(&mut self, (change, said): StageResult, paid: &Paid) -> Result<(), RunError> {
        let note = Note { texts: Some(self.texts), paid: Some(paid), ..said.note() };
        self.draft.write(self.stage, change, note)?;
        Ok(())
    }

    fn record_beginning(&mut self, (change, said): StageResult, paid: &Paid) -> Result<bool, RunError> {
        let note = Note { texts: Some(self.texts), paid: Some(paid), ..said.note() };
        self.draft.write(Stage::Partial, change, note)?;
        if self.draft.progress()?.unfinished().is_none() {
            // The author has changed the text meanwhile, and that stands.
            return Ok(false);
        }
        self.kept = Kept { partial: Some(self.draft.unfinished(self.stage)?), ..Kept::default() };
        self.texts = self.draft.texts()?;
        Ok(true)
    }

    fn warn(&self, warning: Warning) {
        self.draft.warn(warning);
    }

    fn record_fault(&mut self, why: &Why, paid: Paid) -> Result<(), RunError> {
        let result = StageNote::Fault(Part::Chapter(self.stage), None, Box::new(why.clone()));
        let note = Note { result, paid: Some(&paid), ..Note::default() };
        self.draft.write(Stage::Fault, Change::default(), note)?;
        Ok(())
    }

    fn gives_up(&self, fault: &ReplyFault, attempts: &Attempts) -> bool {
        // A summary is asked for once more only (agent protocol §10.6, rule 1); a reviser that leaves a text as it is will not
        // do better a third time.
        attempts.tries >= ASK_AGAIN
            || self.stage == Stage::Summarize && attempts.tries > 0
            || *fault == ReplyFault::Unchanged && attempts.tries > 0
            || self.kept.partial.is_some() && matches!(fault, ReplyFault::Shrunk { .. })
    }

    fn do_without(&mut self, failure: &Unanswered<'_>) -> Result<Without, RunError> {
        let why = match failure {
            Unanswered::Reply(fault) => {
                let is_whole = matches!(fault, ReplyFault::Unchanged | ReplyFault::Shrunk { .. });
                if self.stage == Stage::Revise && (self.kept.partial.is_none() || is_whole) {
                    self.draft.keep_before(fault)?;
                    return Ok(Without::Unneeded);
                }
                Why::Reply((*fault).clone())
            }
            Unanswered::Call(fault) => Why::Fault((*fault).clone()),
        };
        match self.draft.excerpt(self.stage, self.inputs, &mut self.kept, why) {
            Some(ReadOutcome::Done((change, said))) => {
                self.draft.write(self.stage, change, Note { texts: Some(self.texts), ..said.note() })?;
                Ok(Without::Substitute)
            }
            _ => Ok(Without::Impossible),
        }
    }

    fn explain(&self, error: RunError) -> RunError {
        self.draft.broken_off(&self.kept, error)
    }
}

impl ChapterDraft<'_, '_> {
    /// Which model a stage asks for.
    fn role(&self, stage: Stage) -> ModelRole {
        let config = &self.context.config;
        let role = match stage {
            Stage::Revise | Stage::Rewrite | Stage::SecondJudge => return ModelRole::Revision(config.revision_role),
            Stage::Draft
            | Stage::Scene
            | Stage::Edit
            | Stage::Decision
            | Stage::Rollback
            | Stage::Fault
            | Stage::Partial
            | Stage::Kept => config.role(Agent::Writer),
            Stage::ScenePlan => config.role(Agent::PlotArchitect),
            Stage::Summarize => config.role(Agent::Summarizer),
            Stage::Refine | Stage::Polish => config.role(Agent::Refiner),
            Stage::Judge => config.role(Agent::Judge),
        };
        ModelRole::Usual(role)
    }

    /// The task of a stage. `None` for edits and decisions, which no agent makes.
    fn task<'a>(&'a self, stage: Stage, inputs: &'a Inputs) -> Option<Task<'a>> {
        let context = &self.context;
        let text = inputs.text.as_ref();
        Some(match stage {
            Stage::Draft if self.present.is_none() => Task::Draft { context },
            Stage::Draft | Stage::Rewrite => Task::Rewrite { context, issues: &inputs.remarks },
            Stage::ScenePlan => Task::ScenePlan { context, reasons: &inputs.remarks },
            Stage::Scene => Task::Scene { context, order: inputs.scene.as_ref()? },
            Stage::Revise => Task::Revise {
                context,
                text: text?,
                fixes: &inputs.fixes,
                violations: &inputs.violations,
                round: inputs.round,
            },
            Stage::Summarize => Task::Summarize { context, text: text?, hints: &inputs.hints },
            Stage::Refine => Task::Refine { context, text: text?, pass: 1, remarks: &[] },
            Stage::Polish => Task::Refine { context, text: text?, pass: 2, remarks: &inputs.remarks },
            Stage::Judge | Stage::SecondJudge => Task::Judge {
                context,
                text: text?,
                cross_references: &inputs.cross_references,
                measured: &inputs.measured,
                opinion: if stage == Stage::SecondJudge { Opinion::Second } else { Opinion::First },
            },
            Stage::Edit | Stage::Decision | Stage::Rollback | Stage::Fault | Stage::Partial | Stage::Kept => {
                return None;
            }
        })
    }

    /// Performs a stage from its first call to its commit. One whose text broke off goes on from what is there.
    pub(crate) async fn perform(&self, stage: Stage) -> Result<(), RunError> {
        self.run().calls.unrecorded.try_twice(Part::Chapter(stage), async || self.attempt(stage).await).await
    }

    async fn attempt(&self, stage: Stage) -> Result<(), RunError> {
        let unfinished = self.progress()?.unfinished().is_some();
        if stage == Stage::Scene || unfinished {
            // It goes on from the text as the author has it now.
            self.take_up()?;
        }
        if unfinished && self.progress()?.unfinished().is_none() {
            // The author has ended it.
            return Ok(());
        }
        let inputs = self.inputs(stage)?;
        let Some(task) = self.task(stage, &inputs) else { return Ok(()) };
        let partial = if unfinished { Some(self.unfinished(stage)?) } else { None };
        let kept = Kept { partial, ..Kept::default() };
        let mut job = StageJob { draft: self, stage, task: &task, inputs: &inputs, kept, texts: self.texts()? };
        self.session.ask(&mut job).await
    }

    fn read_scene_plan(&self, inputs: &Inputs, reply: &str) -> Read {
        let material = PlanMaterial::of(&self.context, &inputs.remarks);
        match scenes::read_plan(reply, &material) {
            Ok((change, count)) => {
                let said =
                    StageMessage { result: StageNote::Scenes(count), scene: Some(count), ..StageMessage::default() };
                // The text that the book has makes room for the first scene of the new one.
                let change = if self.present.is_some() { self.without_text(change) } else { change };
                done(change, said)
            }
            Err(fault) => ReadOutcome::Unusable(fault),
        }
    }

    fn read_edits(&self, inputs: &Inputs, reply: &str) -> Read {
        let edits = match refiner::read(reply) {
            Ok(edits) => edits,
            Err(fault) => return ReadOutcome::Unusable(fault),
        };
        let Some(text) = &inputs.text else { return ReadOutcome::Unusable(ReplyFault::NoProse) };
        let refined = apply_edits(text, &edits, self.context.config.max_refinement, &self.context.phrases);
        for (edit, why) in &refined.dropped {
            let head: String = edit.original.chars().take(12).collect();
            self.warnings.borrow_mut().push(format!("edit `{head}` was not made: {why}"));
        }
        let said = StageMessage {
            result: StageNote::Edits(refined.applied.len(), refined.share),
            body: refined.applied.iter().map(|e| format!("- {} → {}：{}\n", e.original, e.refined, e.reason)).collect(),
            ..StageMessage::default()
        };
        done(Change::default().put(&self.paths.text, refined.chapter.to_markdown()), said)
    }
}
