//! Performing one stage: ask, read the answer, write the result down; ask again where that helps. A text by the writer may be whole, or
//! have broken off, and a revision may be of no use.

use super::draft::{ChapterDraft, UnfinishedText};
use super::inputs::{Gap, Inputs};
use super::records::Note;
use super::scenes;
use crate::agents::checks::completeness::{self, Break, Expected, Finding, Remedy, Sources};
use crate::agents::checks::edits::apply_edits;
use crate::agents::context::scene::end_of;
use crate::agents::judge::Judged;
use crate::agents::scenes::{PlanMaterial, read_scene};
use crate::agents::{Again, ReplyFault, SceneOrder, Task, Why, refiner, writer};
use crate::domain::book::config::ModelRole;
use crate::domain::book::work::Part;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::stage::Stage;
use crate::domain::chapter::summary::Summary;
use crate::llm::Fault;
use crate::pipeline::engine::ask::{ASK_AGAIN, Attempts, Job, ReadOutcome, Reply, Unanswered, Without};
use crate::pipeline::engine::call_record::Paid;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::Warning;
use crate::store::{Change, StageNote};
use crate::text;

/// A result of a stage: its files, and what its commit says.
pub(crate) type StageResult = (Change, Box<Note>);
/// A reply to a stage, read.
pub(crate) type Read = ReadOutcome<StageResult>;

pub(crate) fn done(change: Change, said: Note) -> Read {
    ReadOutcome::Done((change, Box::new(said)))
}

/// The useful parts of the answers up to now.
#[derive(Default)]
pub(crate) struct Kept {
    /// A summary whose operations could not be read.
    pub(crate) summary: Option<Box<Summary>>,
    /// A judge's report, and what it leaves open.
    pub(crate) report: Option<(Box<Judged>, Gap)>,
    /// A text that will do if no better one comes, and what is wrong with it.
    pub(crate) once: Option<(Box<writer::Written>, Finding)>,
    /// A text that broke off and is to be continued. It is on the draft.
    pub(crate) partial: Option<UnfinishedText>,
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
        self.draft.write(self.stage, change, Note { texts: Some(self.texts), ..*said }, Some(paid))?;
        Ok(())
    }

    fn record_beginning(&mut self, (change, said): StageResult, paid: &Paid) -> Result<bool, RunError> {
        self.draft.write(Stage::Partial, change, Note { texts: Some(self.texts), ..*said }, Some(paid))?;
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
        self.draft.write(Stage::Fault, Change::default(), Note { result, ..Note::default() }, Some(&paid))?;
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
                self.draft.write(self.stage, change, Note { texts: Some(self.texts), ..*said }, None)?;
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
    /// Performs a stage from its first call to its commit. One whose text broke off goes on from what is there.
    pub(crate) async fn perform(&self, stage: Stage) -> Result<(), RunError> {
        self.run.calls.unrecorded.try_twice(Part::Chapter(stage), async || self.attempt(stage).await).await
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
                let said = Note { result: StageNote::Scenes(count), scene: Some(count), ..Note::default() };
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
        let said = Note {
            result: StageNote::Edits(refined.applied.len(), refined.share),
            body: refined.applied.iter().map(|e| format!("- {} → {}：{}\n", e.original, e.refined, e.reason)).collect(),
            ..Note::default()
        };
        done(Change::default().put(&self.paths.text, refined.chapter.to_markdown()), said)
    }
}

/// So many characters of a scene's goal stand in the subject of its commit.
const LONGEST_GOAL: usize = 30;
/// A continuation adds at least so many words, or it adds nothing.
const LEAST_GROWTH: u32 = 10;

/// How a reply was broken off, where that leaves the beginning of a text.
fn cut_of(fault: &Fault) -> Option<Break> {
    match fault {
        Fault::Truncated { .. } => Some(Break::Limit),
        Fault::Circling { .. } => Some(Break::Loop),
        _ => None,
    }
}

/// The beginning of a text whose reply was broken off.
fn part_of(stage: Stage, fault: &Fault) -> Option<String> {
    cut_of(fault).filter(|_| stage.writes_prose())?;
    fault.partial().map(str::to_owned)
}

impl ChapterDraft<'_, '_> {
    /// The texts that a new one must not be copied from: the chapters before, the scenes before, and the plan. The offline
    /// writer has a stock of sentences and uses them again; it is not measured.
    fn sources(&self, scene: Option<&SceneOrder>) -> Result<Sources, RunError> {
        if !self.run.calls.responder.asks_models() {
            return Ok(Sources::default());
        }
        Ok(self.book_before()?.sources(scene))
    }

    /// The words of a text that a revision has to keep: what is beyond the book's wish may go.
    pub(crate) fn words_wanted_of(&self, text: &Chapter) -> u32 {
        writer::words(&text.body).min(self.context.config.max_words)
    }

    /// The fewest and the most words of the text.
    fn wanted(&self, inputs: &Inputs) -> (u32, u32) {
        let config = &self.context.config;
        match &inputs.scene {
            Some(order) => (*order.words.start(), *order.words.end()),
            None => (config.min_words.max(inputs.replaces.unwrap_or(0)), config.max_words),
        }
    }

    /// How many texts count as the one that an answer is for: what the author changes further up while a scene or a
    /// continuation is being written is no reason to have it written again, what it goes on from is.
    fn texts_now(&self, stage: Stage, inputs: &Inputs, kept: &mut Kept, texts: usize) -> Result<usize, RunError> {
        let asked = match (&kept.partial, &inputs.scene) {
            (Some(partial), _) => end_of(&partial.body),
            (None, Some(order)) => end_of(&order.so_far),
            (None, None) => return Ok(texts),
        };
        self.take_up()?;
        if end_of(&self.prose_so_far()?) != asked {
            return Ok(texts);
        }
        if kept.partial.is_some() && self.progress()?.unfinished().is_some() {
            kept.partial = Some(self.unfinished(stage)?);
        }
        self.texts()
    }

    /// Reads a text, or what continues one, and says what becomes of it.
    fn read_text(&self, stage: Stage, inputs: &Inputs, reply: &Reply<'_>, kept: &mut Kept) -> Result<Read, RunError> {
        let (cut, reply) = (reply.fault.and_then(cut_of), reply.text);
        let least = inputs.scene.as_ref().map_or(self.context.config.min_words, |order| *order.words.start());
        let before = inputs.text.as_ref().filter(|_| inputs.replaces.is_some()).map(|text| text.body.as_str());
        let sources = self.sources(inputs.scene.as_ref())?;
        let expected = Expected { least, replaces: inputs.replaces, before, sources: &sources, cut };
        let (chapter, title) = (self.chapter(), &self.context.section.title);
        let written = match (&kept.partial, &inputs.scene) {
            (Some(partial), _) => writer::read_continuation(reply, &partial.chapter, &expected),
            (None, Some(order)) => read_scene(reply, chapter, title, order, &expected),
            (None, None) => writer::read(reply, chapter, title, &expected),
        };
        let there = kept.partial.as_ref().map_or(0, |partial| writer::words(&partial.chapter.body) + LEAST_GROWTH);
        let written = match written {
            Ok(written) if written.words < there => return Ok(ReadOutcome::Unusable(ReplyFault::NothingNew)),
            Ok(written) => written,
            Err(fault) => return self.or_before(inputs, kept, fault),
        };
        let with = |remedy| written.findings.iter().find(|finding| finding.remedy() == remedy).cloned();
        if let Some(finding) = with(Remedy::AskAgain) {
            return self.or_before(inputs, kept, finding.into());
        }
        if let Some(Finding::BrokenOff(how)) = with(Remedy::Continue) {
            let whole = text::whole_part(&written.chapter.body).to_owned();
            let words = writer::words(&whole);
            if kept.once.is_some() || words < there || !completeness::is_worth_continuing(&whole, least) {
                return self.or_before(inputs, kept, Finding::BrokenOff(how).into());
            }
            let chapter = Chapter { body: format!("{whole}\n"), ..written.chapter };
            let (change, said) = self.unfinished_result(stage, kept, &writer::Written { chapter, words, ..written })?;
            return Ok(ReadOutcome::Partial((change, Box::new(said)), how));
        }
        if let Some(finding) = with(Remedy::Keep) {
            return Ok(ReadOutcome::Unusable(finding.into()));
        }
        match (with(Remedy::AskOnce), &kept.once) {
            (Some(finding), None) if kept.partial.is_none() => {
                let why = match &finding {
                    Finding::Short { words, wanted } => Why::Short { words: *words, wanted: *wanted },
                    other => Why::Reply(other.clone().into()),
                };
                kept.once = Some((Box::new(written), finding));
                Ok(ReadOutcome::Incomplete(why))
            }
            (Some(_), Some((before, _))) if is_better(before, &written) => {
                self.take_text(inputs, kept, (**before).clone())
            }
            _ => self.take_text(inputs, kept, written),
        }
    }

    /// The answer before, where one will do; the last one cannot be used.
    fn or_before(&self, inputs: &Inputs, kept: &Kept, fault: ReplyFault) -> Result<Read, RunError> {
        match &kept.once {
            Some((before, _)) => self.take_text(inputs, kept, (**before).clone()),
            None => Ok(ReadOutcome::Unusable(fault)),
        }
    }

    /// Makes a text the chapter's, or a scene its end.
    fn take_text(&self, inputs: &Inputs, kept: &Kept, written: writer::Written) -> Result<Read, RunError> {
        written.findings.iter().filter_map(warning_of).for_each(|warning| self.warn(warning));
        let Some(order) = &inputs.scene else {
            self.warn_of_length(written.words);
            let said = Note { result: StageNote::Name(written.chapter.title.clone()), ..Note::default() };
            return Ok(done(self.new_text(&written.chapter, &written.hints), said));
        };
        let (chapter, hints) = self.with_scene(&written, &self.before_scene(kept)?)?;
        let place = order.place();
        if place.number == place.of {
            self.warn_of_length(writer::words(&chapter.body));
        }
        let goal: String = order.goal().chars().take(LONGEST_GOAL).collect();
        let said =
            Note { result: StageNote::Name(format!("{place} {goal}")), scene: Some(place.number), ..Note::default() };
        Ok(done(self.new_text(&chapter, &hints), said))
    }

    /// The prose of the scenes before the one that is being written.
    fn before_scene(&self, kept: &Kept) -> Result<String, RunError> {
        match &kept.partial {
            Some(partial) => Ok(partial.before.clone()),
            None => self.prose_so_far(),
        }
    }

    /// Returns the files and the message of the commit of an unfinished text.
    fn unfinished_result(
        &self,
        stage: Stage,
        kept: &Kept,
        written: &writer::Written,
    ) -> Result<(Change, Note), RunError> {
        let chapter = match stage {
            Stage::Scene => self.with_scene(written, &self.before_scene(kept)?)?.0,
            _ => written.chapter.clone(),
        };
        let result = StageNote::Beginning(stage, written.words);
        Ok((self.unfinished_text(&chapter)?, Note { result, of: Some(stage), ..Note::default() }))
    }

    /// Why the run stops: with an unfinished text on the draft, that is what the author has to know first.
    fn broken_off(&self, kept: &Kept, error: RunError) -> RunError {
        let Some(UnfinishedText { body, .. }) = &kept.partial else { return error };
        RunError::BrokenOff {
            chapter: self.chapter(),
            words: writer::words(body),
            path: format!("staging/{}", self.paths.text),
            source: Box::new(error),
        }
    }

    /// Notes that a revision could not be used: the text before it stays, and so does what was said of it.
    fn keep_before(&self, fault: &ReplyFault) -> Result<(), RunError> {
        let unfinished = self.progress()?.unfinished().is_some();
        let change = if unfinished { self.without_unfinished()? } else { Change::default() };
        self.warn(Warning::RevisionDropped { why: fault.clone() });
        let note = Note { result: StageNote::Before(fault.clone()), ..Note::default() };
        self.write(Stage::Kept, change, note, None)?;
        Ok(())
    }

    /// Says when a chapter is far from the wanted length, after all that could be done about it.
    fn warn_of_length(&self, words: u32) {
        let (least, most) = (self.context.config.min_words, self.context.config.max_words);
        if completeness::is_short(words, least) {
            self.warn(Warning::TooShort { words, wanted: least });
        }
        if words > most.saturating_add(most / 4) {
            self.warn(Warning::TooLong { words, wanted: most });
        }
    }
}

/// Whether the first of two texts that will do is the better one: the one that does not speak of its task, the one with less
/// copied, or else the longer one.
fn is_better(first: &writer::Written, second: &writer::Written) -> bool {
    let rank = |written: &writer::Written| {
        let copied = written.findings.iter().find_map(|finding| match finding {
            Finding::Recycled { percent, letters, .. } => Some((*percent, *letters)),
            _ => None,
        });
        let of_prompt = written.findings.iter().any(|finding| matches!(finding, Finding::PromptWords { .. }));
        (of_prompt, copied, u32::MAX - written.words)
    };
    rank(first) < rank(second)
}

/// The warning for the author about a finding in a text that is used.
fn warning_of(finding: &Finding) -> Option<Warning> {
    Some(match finding {
        Finding::Removed(removed) => Warning::Removed(removed.clone()),
        Finding::Recycled { percent, from, passage, .. } => {
            Warning::Recycled { percent: *percent, from: *from, passage: passage.clone() }
        }
        Finding::Title { title, like, is_replaced } => {
            Warning::Title { title: title.clone(), like: *like, is_replaced: *is_replaced }
        }
        Finding::Requoted { spans } => Warning::Requoted { spans: *spans },
        Finding::PromptWords { words, .. } => Warning::PromptWords { words: words.clone() },
        // The length is told of the whole chapter once it is there; with the others a text is not used.
        Finding::Short { .. }
        | Finding::BrokenOff(_)
        | Finding::Outline
        | Finding::Circling
        | Finding::Fragment { .. }
        | Finding::Copied { .. }
        | Finding::Unchanged
        | Finding::Shrunk { .. } => return None,
    })
}
