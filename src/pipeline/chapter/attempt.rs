//! Performing one stage: ask, read the answer, write the result down; ask again where that helps.

use super::draft::{ChapterDraft, Note, UnfinishedText};
use super::measure::measured;
use super::scenes;
use super::texts::{part_of, writes_text};
use crate::agents::checks::completeness::{Finding, Sources};
use crate::agents::checks::edits::apply_edits;
use crate::agents::context::cast::is_of_own_line;
use crate::agents::context::chapter::Memory;
use crate::agents::judge::{JudgeContext, Judged};
use crate::agents::{Again, ReplyFault, SceneOrder, Task, echo_of, is_example, judge, refiner, summarizer, writer};
use crate::domain::book::config::{Agent, ModelRole};
use crate::domain::book::work::Part;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation;
use crate::domain::chapter::evaluation::{Check, Evaluation, Fix};
use crate::domain::chapter::gate;
use crate::domain::chapter::memory::ChapterMemory;
use crate::domain::chapter::stage::{Progress, Stage};
use crate::domain::chapter::summary::{CrossReference, Summary};
use crate::domain::state::{Delta, RawOp};
use crate::llm::Fault;
use crate::pipeline::engine::ask::{ASK_AGAIN, Attempts, Job, ReadOutcome, Reply, Unanswered, Without};
use crate::pipeline::engine::call_record::Paid;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::{Event, Warning};
use crate::store::format::evaluation::Recorded;
use crate::store::format::summary::SummaryPage;
use crate::store::{Change, format, layout};
use crate::text;

/// What a stage needs beside the material, read once before the first call.
pub(crate) struct Inputs {
    text: Option<Chapter>,
    pub(crate) scene: Option<SceneOrder>,
    hints: String,
    cross_references: Vec<CrossReference>,
    measured: Vec<String>,
    remarks: Vec<String>,
    fixes: Vec<Fix>,
    violations: Vec<Check>,
    round: u32,
    /// Of a revision, the words of the text that it is of, as far as the book wants them.
    pub(crate) replaces: Option<u32>,
    /// The texts that it must not be copied from.
    pub(crate) sources: Sources,
}

impl Inputs {
    /// The chapter's prose; empty before there is any.
    fn body(&self) -> &str {
        self.text.as_ref().map_or("", |text| text.body.as_str())
    }
}

/// A result of a stage: its files, and what its commit says.
pub(crate) type StageResult = (Change, Box<StageMessage>);
/// A reply to a stage, read.
pub(crate) type Read = ReadOutcome<StageResult>;

/// A readable result.
pub(crate) fn done(change: Change, said: StageMessage) -> Read {
    ReadOutcome::Done((change, Box::new(said)))
}

/// A gap in a judge's report. Each kind is asked for once, in this order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Gap {
    /// Rules that it does not answer for.
    Rules(Vec<String>),
    /// Quotations that show its violations.
    Quotations(Vec<Check>),
}

impl Gap {
    /// The next gap in a report, after an answer to the one before.
    fn of(judged: &Judged, before: Option<&Self>) -> Option<Self> {
        let rules = || Some(judged.unanswered()).filter(|rules| !rules.is_empty()).map(Self::Rules);
        let quotations = || Some(judged.unproven()).filter(|checks| !checks.is_empty()).map(Self::Quotations);
        match before {
            None => rules().or_else(quotations),
            Some(Self::Rules(_)) => quotations(),
            Some(Self::Quotations(_)) => None,
        }
    }

    fn fault(&self) -> ReplyFault {
        match self {
            Self::Rules(rules) => ReplyFault::Unanswered(rules.clone()),
            Self::Quotations(checks) => ReplyFault::Unquoted(checks.iter().map(|check| check.rule.clone()).collect()),
        }
    }
}

/// What a stage's commit says.
#[derive(Default)]
pub(crate) struct StageMessage {
    pub(crate) subject: String,
    pub(crate) body: String,
    pub(crate) scene: Option<u32>,
    /// Which stage an unfinished text is of.
    pub(crate) of: Option<Stage>,
    pub(crate) evaluation: Option<Evaluation>,
}

impl StageMessage {
    fn note(&self) -> Note<'_> {
        Note {
            subject: self.subject.clone(),
            body: self.body.clone(),
            scene: self.scene,
            of: self.of,
            score: self.evaluation.as_ref().map(Evaluation::overall),
            evaluation: self.evaluation.as_ref(),
            ..Note::default()
        }
    }
}

/// What the answers so far have left that is of use.
#[derive(Default)]
pub(crate) struct Kept {
    /// A summary whose operations could not be read.
    summary: Option<Box<Summary>>,
    /// A judge's report, and what it leaves open.
    report: Option<(Box<Judged>, Gap)>,
    /// A text that will do if no better one comes, and what is wrong with it.
    pub(crate) once: Option<(Box<writer::Written>, Finding)>,
    /// A text that broke off and is to be continued. It is on the draft.
    pub(crate) partial: Option<UnfinishedText>,
}

/// A summary whose operations could not be read.
struct Skipped {
    /// The last answer's fault.
    why: String,
    /// The warning to tell.
    warning: Warning,
    /// True when the summary is an excerpt of the chapter.
    excerpt: bool,
}

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
            Stage::ScenePlan => draft.read_scene_plan(reply.text),
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

    fn record_fault(&mut self, why: &str, paid: Paid) -> Result<(), RunError> {
        let note = Note { subject: format!("{}: {why}", self.stage), paid: Some(&paid), ..Note::default() };
        self.draft.write(Stage::Fault, Change::default(), note)?;
        Ok(())
    }

    fn gives_up(&self, fault: &ReplyFault, attempts: &Attempts) -> bool {
        // A summary is asked for once more only (agent protocol §10.6, rule 1).
        attempts.tries >= ASK_AGAIN
            || self.stage == Stage::Summarize && attempts.tries > 0
            || self.kept.partial.is_some() && matches!(fault, ReplyFault::Shrunk { .. })
    }

    fn do_without(&mut self, failure: &Unanswered<'_>) -> Result<Without, RunError> {
        let why = match failure {
            Unanswered::Reply(fault) => {
                let is_shrunk = matches!(fault, ReplyFault::Shrunk { .. });
                if self.stage == Stage::Revise && (self.kept.partial.is_none() || is_shrunk) {
                    self.draft.keep_before(fault)?;
                    return Ok(Without::Unneeded);
                }
                fault.to_string()
            }
            Unanswered::Call(fault) => fault.to_string(),
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

    fn inputs(&self, stage: Stage) -> Result<Inputs, RunError> {
        let fresh = matches!(stage, Stage::Draft | Stage::ScenePlan | Stage::Scene | Stage::Rewrite);
        let progress = self.progress()?;
        let text = match progress.unfinished() {
            _ if fresh => None,
            Some(_) => self.text_before()?,
            None => Some(self.text()?),
        };
        let scene = if stage == Stage::Scene { Some(self.scene_order(&progress)?) } else { None };
        let verdict = match progress.verdict() {
            // The author has changed the text and then wants it written again: why it failed is in the report before.
            None if stage == Stage::Rewrite => self.last_report()?,
            verdict => verdict,
        };
        let of = |list: fn(&Evaluation) -> Vec<String>| verdict.as_ref().map(list).unwrap_or_default();
        Ok(Inputs {
            hints: self.hints()?,
            cross_references: self.cross_references()?,
            measured: text.as_ref().map(|text| measured(&self.context, text)).unwrap_or_default(),
            remarks: match stage {
                Stage::Polish => of(style_remarks),
                Stage::Draft | Stage::ScenePlan => self.reasons()?,
                _ => of(|evaluation| evaluation.issues.clone()),
            },
            fixes: verdict.as_ref().map(|evaluation| evaluation.required_fixes.clone()).unwrap_or_default(),
            violations: verdict.iter().flat_map(Evaluation::blocking).cloned().collect(),
            round: progress.tries.revisions + 1,
            replaces: text.as_ref().filter(|_| stage == Stage::Revise).map(|text| self.words_wanted_of(text)),
            sources: if writes_text(stage) { self.sources(scene.as_ref())? } else { Sources::default() },
            scene,
            text,
        })
    }

    /// Why a chapter of the book is written again, and how: the author's wish, what was wrong with it by its report, and what
    /// it has to lead up to.
    fn reasons(&self) -> Result<Vec<String>, RunError> {
        let Some(present) = &self.present else { return Ok(Vec::new()) };
        let wish = Some(self.wish()?).filter(|wish| !wish.is_empty()).map(|wish| format!("作者要求：{wish}"));
        let issues = present.report.iter().flat_map(|report| report.evaluation.issues.iter().cloned());
        let follows = present
            .follows
            .iter()
            .map(|(next, opening)| format!("第{}章已经写成，收尾要接得上它的开头：{opening}", next.get()));
        Ok(wish.into_iter().chain(issues).chain(follows).collect())
    }

    /// The task of a stage. `None` for what nobody is asked: edits and decisions.
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
                second: stage == Stage::SecondJudge,
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
        self.session.caller().ask(&mut job).await
    }

    fn read_scene_plan(&self, reply: &str) -> Read {
        match scenes::read_plan(reply) {
            Ok((change, count)) => {
                let said =
                    StageMessage { subject: format!("{count} scenes"), scene: Some(count), ..StageMessage::default() };
                // The text that the book has makes room for the first scene of the new one.
                let change = if self.present.is_some() { self.without_text(change) } else { change };
                done(change, said)
            }
            Err(fault) => ReadOutcome::Unusable(fault),
        }
    }

    fn read_summary(&self, inputs: &Inputs, reply: &str, kept: &mut Kept) -> Read {
        // The second answer may be the operations alone, or everything again.
        if let Some(before) = &kept.summary {
            return match summarizer::read_ops(reply) {
                Ok(ops) => self.take_summary(inputs, Summary { ops, ..(**before).clone() }, None),
                Err(fault) => {
                    let why = fault.to_string();
                    let skipped =
                        Skipped { warning: Warning::OperationsSkipped { why: why.clone() }, why, excerpt: false };
                    self.take_summary(inputs, (**before).clone(), Some(skipped))
                }
            };
        }
        let summarized = match summarizer::read(reply) {
            Ok(summarized) => summarized,
            Err(fault) => return ReadOutcome::Unusable(fault),
        };
        if let Some(fault) = self.echoes(Agent::Summarizer, summarized.summary.texts()) {
            return ReadOutcome::Unusable(fault);
        }
        match summarized.ops_fault {
            Some(fault) => {
                kept.summary = Some(Box::new(summarized.summary));
                ReadOutcome::Incomplete(fault.into())
            }
            None => self.take_summary(inputs, summarized.summary, None),
        }
    }

    /// The example of the prompt that one of the texts repeats. The offline writer knows no examples.
    fn echoes<'t>(&self, agent: Agent, texts: impl IntoIterator<Item = &'t str>) -> Option<ReplyFault> {
        if self.run().calls.responder.takes_time() { echo_of(agent, texts) } else { None }
    }

    /// A summary although its answers cannot be read: the one whose operations alone were missing, or else an excerpt of the
    /// chapter. `None` for any other stage.
    fn excerpt(&self, stage: Stage, inputs: &Inputs, kept: &mut Kept, why: String) -> Option<Read> {
        let text = inputs.text.as_ref().filter(|_| stage == Stage::Summarize)?;
        let (summary, warning) = match kept.summary.take() {
            Some(summary) => (*summary, Warning::OperationsSkipped { why: why.clone() }),
            None => (summarizer::excerpt(text), Warning::SummaryByExcerpt { why: why.clone() }),
        };
        let excerpt = matches!(warning, Warning::SummaryByExcerpt { .. });
        Some(self.take_summary(inputs, summary, Some(Skipped { warning, why, excerpt })))
    }

    /// Turns a summary into files: the page, the ledger's entry, the screened delta, the storyline's memory.
    fn take_summary(&self, inputs: &Inputs, summary: Summary, skipped: Option<Skipped>) -> Read {
        let context = &self.context;
        let line = context.storyline();
        let title = inputs.text.as_ref().map_or_else(String::new, |text| text.title.clone());
        let excerpt = skipped.as_ref().is_some_and(|skipped| skipped.excerpt);
        let delta = match skipped {
            Some(Skipped { why, warning, .. }) => {
                self.warn(warning);
                Delta::skipping(self.chapter(), line, &context.state, &why)
            }
            None => self.screen(&summary.ops, inputs),
        };
        let old = context.memories.get(line).cloned().unwrap_or_default();
        let or = |new: &str, old: String| if new.trim().is_empty() { old } else { new.trim().to_owned() };
        let memory = Memory {
            chapter: Some(self.chapter()),
            status: or(&summary.line_status, old.status),
            facts: or(&summary.memory, old.facts),
        };
        let entry = summary.entry.with_ids(&context.characters);
        let remembered = ChapterMemory { chapter: self.chapter(), storyline: line.clone(), entry };
        let page = SummaryPage {
            chapter: self.chapter(),
            title,
            storyline: line.clone(),
            line_status: memory.status.clone(),
            cross_references: self.grounded(summary.cross_references, inputs),
            text: summary.text,
            excerpt,
        };
        let change = Change::default()
            .put(&self.paths.summary, format::summary::write(&page))
            .put(&self.paths.memory, format::chapter_memory::write(&remembered, None))
            .put(&self.paths.delta, format::delta::write(&delta, None))
            .put(&layout::memory(line), format::memory::write(&memory));
        let subject = format!("{} operations", delta.ops.len());
        done(change, StageMessage { subject, body: page.text, ..StageMessage::default() })
    }

    /// The mentions that the text has, by their name or by the words that are quoted. People of the chapter's own line are
    /// no mentions of another one, whatever the summarizer makes of them.
    fn grounded(&self, mentions: Vec<CrossReference>, inputs: &Inputs) -> Vec<CrossReference> {
        let body = inputs.body();
        let foreign = mentions.into_iter().filter(|mention| !is_of_own_line(&self.context, &mention.entity));
        let (there, not_there): (Vec<_>, Vec<_>) = foreign.partition(|mention| {
            body.contains(mention.entity.trim()) || text::find_evidence(body, &mention.evidence).is_some()
        });
        for mention in not_there {
            self.warn(Warning::MentionDropped { entity: mention.entity });
        }
        there
    }

    /// The operations that can be carried out; what is dropped is named by its number in the answer.
    fn screen(&self, ops: &[RawOp], inputs: &Inputs) -> Delta {
        let context = &self.context;
        let body = inputs.body();
        let (mut numbers, mut own) = (Vec::new(), Vec::new());
        for (op, number) in ops.iter().zip(1..) {
            if self.run().calls.responder.takes_time() && is_example(Agent::Summarizer, body, op) {
                self.warn(Warning::OperationCopied { number });
            } else {
                numbers.push(number);
                own.push(op.clone());
            }
        }
        let (delta, dropped) =
            Delta::screen(self.chapter(), context.storyline(), &own, &context.state, &context.ledger);
        let delta = delta.as_planned(&context.planned);
        for dropped in dropped {
            self.warn(Warning::OperationDropped { number: numbers[dropped.index], reason: dropped.reason });
        }
        delta
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
            subject: match refined.applied.len() {
                0 => "no edits".to_owned(),
                1 => format!("1 edit, {:.1} % changed", refined.share * 100.0),
                edits => format!("{edits} edits, {:.1} % changed", refined.share * 100.0),
            },
            body: refined.applied.iter().map(|e| format!("- {} → {}：{}\n", e.original, e.refined, e.reason)).collect(),
            ..StageMessage::default()
        };
        done(Change::default().put(&self.paths.text, refined.chapter.to_markdown()), said)
    }

    fn read_report(&self, stage: Stage, inputs: &Inputs, reply: &Reply<'_>, kept: &mut Kept) -> Read {
        let Some(text) = &inputs.text else { return ReadOutcome::Unusable(ReplyFault::NoProse) };
        let found = |quote: &str| text::find_evidence(&text.body, quote).is_some();
        let judge_context = JudgeContext {
            context: &self.context,
            text,
            cross_references: &inputs.cross_references,
            asked: reply.rules,
            reading: self.run().calls.responder.takes_time(),
            found: &found,
        };
        let judged = match &kept.report {
            Some((judged, Gap::Rules(_))) => judge::with_answers((**judged).clone(), reply.text, &judge_context),
            Some((judged, Gap::Quotations(_))) => {
                judge::with_quotations((**judged).clone(), reply.text, &judge_context)
            }
            None => match judge::read(reply.text, &judge_context) {
                Ok(judged) => judged,
                Err(fault) => return ReadOutcome::Unusable(fault),
            },
        };
        let reasons = judged.evaluation.scores.iter().map(|score| score.reason.as_str());
        if kept.report.is_none()
            && let Some(fault) = self.echoes(Agent::Judge, reasons)
        {
            return ReadOutcome::Unusable(fault);
        }
        let before = kept.report.as_ref().map(|(_, gap)| gap);
        if let Some(gap) = Gap::of(&judged, before).filter(|_| judged.evaluation.reading) {
            let why = gap.fault().into();
            kept.report = Some((Box::new(judged), gap));
            return ReadOutcome::Incomplete(why);
        }
        for remark in &judged.remarks {
            self.warnings.borrow_mut().push(remark.to_string());
        }
        self.warn_of_report(&judged.evaluation);
        let evaluation = judged.evaluation;
        let paths = &self.paths;
        let path = if stage == Stage::SecondJudge { &paths.second_evaluation } else { &paths.evaluation };
        // The first report gets the gate's decision when the chapter is accepted; a second one says what it would have decided
        // alone.
        let tries = self.progress().map(|progress| progress.tries).unwrap_or_default();
        let alone = || gate::decide(&evaluation, tries, &self.context.config.gate);
        let gate = (stage == Stage::SecondJudge).then(alone);
        let recorded = Recorded { evaluation, gate };
        let change = Change::default().put(path, format::evaluation::write(&recorded, None));
        let evaluation = recorded.evaluation;
        let subject = subject_of(&evaluation);
        done(
            change,
            StageMessage {
                subject,
                body: evaluation.issues.join("\n"),
                evaluation: Some(evaluation),
                ..StageMessage::default()
            },
        )
    }

    /// Says what a report leaves open for good: rules of which nothing is known, and violations that nothing in the text
    /// shows. What the offline judge leaves open is no news.
    fn warn_of_report(&self, evaluation: &Evaluation) {
        if !evaluation.reading {
            return;
        }
        let unchecked = evaluation.unchecked().filter(|check| check.finding == evaluation::Finding::NotChecked);
        let rules: Vec<String> = unchecked.map(|check| check.rule.clone()).collect();
        if !rules.is_empty() {
            self.warn(Warning::Unchecked { rules });
        }
        let rules: Vec<String> = evaluation.unproven().map(|check| check.rule.clone()).collect();
        if !rules.is_empty() {
            self.warn(Warning::Unproven { rules });
        }
    }

    /// Tells the gate's decision once the reports are there.
    pub(crate) fn tell_verdict(&self, progress: &Progress) {
        let complete = progress.first.is_some() && (progress.second.is_some() || !self.context.is_key());
        let Some(verdict) = progress.verdict().filter(|_| complete && !progress.polished) else { return };
        self.run().tell(Event::Judged {
            chapter: self.chapter(),
            overall: verdict.overall(),
            blocking: verdict.blocking().cloned().collect(),
            gate: gate::decide(&verdict, progress.tries, &self.context.config.gate),
        });
    }
}

/// `4.20, 0 violations, 2 rules not checked`
fn subject_of(evaluation: &Evaluation) -> String {
    let mut subject = format!("{:.2}, {} violations", evaluation.overall(), evaluation.blocking().count());
    let (unproven, unchecked) = (evaluation.unproven().count(), evaluation.unchecked().count());
    if !evaluation.reading {
        subject.push_str(", not a reading");
    } else if unchecked > 0 {
        subject.push_str(&format!(", {unchecked} rules not checked"));
    }
    if unproven > 0 {
        subject.push_str(&format!(", {unproven} unproven"));
    }
    subject
}

/// What a report says of the style, for the second polish.
fn style_remarks(evaluation: &Evaluation) -> Vec<String> {
    use crate::domain::chapter::evaluation::Dimension;
    let weak = evaluation.scores.iter().filter(|score| {
        matches!(score.dimension, Dimension::StyleNaturalness | Dimension::Immersion | Dimension::Pacing)
            && score.score < 4.5
    });
    let fixes = evaluation.required_fixes.iter().map(|fix| format!("{}：{}", fix.target, fix.instruction));
    weak.map(|score| score.reason.clone()).filter(|reason| !reason.trim().is_empty()).chain(fixes).collect()
}
