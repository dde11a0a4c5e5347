//! Reading a text by the writer: whole, broken off, in doubt, or of no use; a revision of no use leaves the text before it.
//! The judges' reports: read, completed, and made files.

use crate::agents::checks::completeness::{self, Break, Expected, Remedy, Sources, TextFinding};
use crate::agents::context::scene::end_of;
use crate::agents::judge::{self, JudgeContext};
use crate::agents::scenes::read_scene;
use crate::agents::{SceneOrder, Why, writer};
use crate::domain::chapter::stage::{Doubt, Progress};
use crate::domain::chapter::{self, evaluation};
use crate::pipeline::chapter::attempt::{AttemptState, StageOutcome, cut_of, done};
use crate::pipeline::chapter::draft::{self, ChapterDraft, UnfinishedText};
use crate::pipeline::chapter::inputs::{self, Gap, Inputs};
use crate::pipeline::chapter::records::StageMessage;
use crate::pipeline::chapter::scenes;
use crate::pipeline::engine::ask::{ReadOutcome, ReplyText};
use crate::pipeline::prelude::*;

/// So many characters of a scene's goal stand in the subject of its commit.
const LONGEST_GOAL: usize = 30;
/// A continuation adds at least so many words, or it adds nothing.
const LEAST_GROWTH: u32 = 10;

impl ChapterDraft<'_, '_> {
    /// The words of a text that a revision has to keep: what is beyond the book's wish may go.
    pub(crate) fn words_wanted_of(&self, text: &Chapter) -> u32 {
        writer::words(&text.body).min(self.context.config.max_words)
    }

    /// Whether the beginning of a text, or of its continuation, is long enough to ask for the rest only.
    pub(super) fn is_worth_keeping(&self, beginning: &str, inputs: &Inputs, kept: &AttemptState) -> bool {
        let whole = text::whole_part(beginning);
        match &kept.partial {
            Some(_) => writer::words(whole) >= LEAST_GROWTH,
            None => kept.once.is_none() && completeness::is_worth_continuing(whole, least(self, inputs)),
        }
    }

    pub(super) fn wanted(&self, inputs: &Inputs) -> (u32, u32) {
        let config = &self.context.config;
        match &inputs.scene {
            Some(order) => (*order.words.start(), *order.words.end()),
            None => (config.min_words.max(inputs.replaces.unwrap_or(0)), config.max_words),
        }
    }

    /// How many texts count as the one that an answer is for: what the author changes further up while a scene or a
    /// continuation is being written is no reason to have it written again, what it goes on from is.
    pub(super) fn texts_now(
        &self,
        stage: Stage,
        inputs: &Inputs,
        kept: &mut AttemptState,
        texts: usize,
    ) -> Result<usize, RunError> {
        let asked = match (&kept.partial, &inputs.scene) {
            (Some(partial), _) => end_of(&partial.body),
            (None, Some(order)) => end_of(&order.so_far),
            (None, None) => return Ok(texts),
        };
        self.take_up()?;
        if end_of(&scenes::prose_so_far(self)?) != asked {
            return Ok(texts);
        }
        if kept.partial.is_some() && self.progress()?.unfinished().is_some() {
            kept.partial = Some(self.unfinished(stage)?);
        }
        self.texts()
    }

    /// Reads a text, or what continues one, and says what becomes of it.
    pub(super) fn read_text(
        &self,
        stage: Stage,
        inputs: &Inputs,
        reply: &ReplyText<'_>,
        kept: &mut AttemptState,
    ) -> Result<StageOutcome, RunError> {
        let (cut, reply, of) = (reply.fault.and_then(cut_of), reply.text, (stage, inputs));
        let least = least(self, inputs);
        let before = inputs.replaced().map(|text| text.body.as_str());
        let sources = sources(self, inputs.scene.as_ref())?;
        let most = most(self, inputs);
        let expected = Expected { least, most, replaces: inputs.replaces, before, sources: &sources, cut };
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
            Err(fault) => return or_before(self, of, kept, fault),
        };
        let with = |remedy| written.findings.iter().find(|finding| finding.remedy() == remedy).cloned();
        let again = with(Remedy::AskAgain);
        if matches!(again, Some(TextFinding::Foreign { .. })) {
            kept.foreign = Some(Box::new(written.clone()));
        }
        // A model that writes too little twice will do so a third time: it is asked to go on.
        let is_short_again =
            matches!(again, Some(TextFinding::Fragment { .. })) && std::mem::replace(&mut kept.short, true);
        let begun = match with(Remedy::Continue) {
            Some(TextFinding::BrokenOff(how)) => Some(how),
            _ => is_short_again.then_some(Break::Short),
        };
        if let Some(finding) = again.filter(|_| !is_short_again) {
            return or_before(self, of, kept, finding.into());
        }
        if let Some(how) = begun {
            let whole = written.whole_part();
            let is_worth = completeness::is_worth_continuing(&whole.chapter.body, least);
            if kept.once.is_some() || whole.words < there || !is_worth {
                return or_before(self, of, kept, TextFinding::BrokenOff(how).into());
            }
            // A text that is continued is not read again.
            whole.findings.iter().filter_map(warning_of).for_each(|warning| self.warn(warning));
            let (change, said) = unfinished_result(self, stage, kept, &whole)?;
            return Ok(ReadOutcome::Partial((change, Box::new(said)), how));
        }
        if let Some(finding) = with(Remedy::Keep) {
            return Ok(ReadOutcome::Unusable(finding.into()));
        }
        match (with(Remedy::AskOnce), &kept.once) {
            (Some(finding), None) if kept.partial.is_none() => {
                let why = match &finding {
                    TextFinding::Short { words, wanted } => Why::Short { words: *words, wanted: *wanted },
                    TextFinding::Long { words, most } => Why::Long { words: *words, most: *most },
                    other => Why::Reply(other.clone().into()),
                };
                kept.once = Some((Box::new(written), finding));
                Ok(ReadOutcome::Incomplete(why))
            }
            (Some(_), Some((before, _))) if is_better(before, &written) => self.take_text(of, kept, (**before).clone()),
            _ => self.take_text(of, kept, written),
        }
    }

    /// Makes a text the chapter's, or a scene its end. One that is far too long or speaks of its task waits for the author.
    pub(super) fn take_text(
        &self,
        (stage, inputs): (Stage, &Inputs),
        kept: &AttemptState,
        written: writer::WrittenChapter,
    ) -> Result<StageOutcome, RunError> {
        if completeness::is_doubtfully_long(written.words, most(self, inputs)) {
            let (change, said) = self.doubtful(stage, kept, &written.whole_part(), Doubt::Long)?;
            return Ok(done(change, said));
        }
        if written.findings.iter().any(|finding| matches!(finding, TextFinding::PromptWords { .. })) {
            let (change, said) = self.doubtful(stage, kept, &written, Doubt::Task)?;
            return Ok(done(change, said));
        }
        written.findings.iter().filter_map(warning_of).for_each(|warning| self.warn(warning));
        let Some(order) = &inputs.scene else {
            warn_of_length(self, written.words);
            let said =
                StageMessage { result: StageNote::Name(written.chapter.title.clone()), ..StageMessage::default() };
            return Ok(done(draft::new_text(self, &written.chapter, &written.hints), said));
        };
        let (chapter, hints) = scenes::with_scene(self, &written, &before_scene(self, kept)?)?;
        let place = order.place();
        if place.number == place.of {
            warn_of_length(self, writer::words(&chapter.body));
        }
        let goal: String = order.goal().chars().take(LONGEST_GOAL).collect();
        let said = StageMessage {
            result: StageNote::Name(format!("{place} {goal}")),
            scene: Some(place.number),
            ..StageMessage::default()
        };
        Ok(done(draft::new_text(self, &chapter, &hints), said))
    }

    /// The files and the message of the commit of a text that is in doubt.
    pub(super) fn doubtful(
        &self,
        stage: Stage,
        kept: &AttemptState,
        written: &writer::WrittenChapter,
        doubt: Doubt,
    ) -> Result<(Change, StageMessage), RunError> {
        let (change, said) = unfinished_result(self, stage, kept, written)?;
        Ok((change, StageMessage { result: StageNote::Doubtful(doubt, written.words), doubt: Some(doubt), ..said }))
    }

    /// Why the run stops: with an unfinished text on the draft, that is what the author has to know first.
    pub(super) fn broken_off(&self, kept: &AttemptState, error: RunError) -> RunError {
        let Some(UnfinishedText { body, .. }) = &kept.partial else { return error };
        RunError::BrokenOff {
            chapter: self.chapter(),
            words: writer::words(body),
            path: format!("staging/{}", self.paths.text),
            source: Box::new(error),
        }
    }

    /// Notes that a revision could not be used: the text before it stays, and so does what was said of it.
    pub(super) fn keep_before(&self, fault: &ReplyFault) -> Result<(), RunError> {
        let unfinished = self.progress()?.unfinished().is_some();
        let change = if unfinished { draft::without_unfinished(self)? } else { Change::default() };
        self.warn(Warning::RevisionDropped { why: fault.clone() });
        let note = StageMessage { result: StageNote::Before(fault.clone()), ..StageMessage::default() };
        self.write(Stage::Kept, change, note, None)?;
        Ok(())
    }
}

/// The texts that a new one must not be copied from: the chapters before, the scenes before, and the plan. The offline
/// writer has a stock of sentences and uses them again; it is not measured.
fn sources(chapter_draft: &ChapterDraft<'_, '_>, scene: Option<&SceneOrder>) -> Result<Sources, RunError> {
    if !chapter_draft.run.calls.responder.asks_models() {
        return Ok(Sources::default());
    }
    Ok(inputs::book_before(chapter_draft)?.sources(scene))
}

/// The most words of the text. A revision may be as long as the text before.
fn most(chapter_draft: &ChapterDraft<'_, '_>, inputs: &Inputs) -> u32 {
    chapter_draft.wanted(inputs).1.max(inputs.replaced().map_or(0, |text| writer::words(&text.body)))
}

/// The fewest words of a whole text.
pub(super) fn least(chapter_draft: &ChapterDraft<'_, '_>, inputs: &Inputs) -> u32 {
    inputs.scene.as_ref().map_or(chapter_draft.context.config.min_words, |order| *order.words.start())
}

/// The answer before, where one will do; the last one cannot be used.
fn or_before(
    chapter_draft: &ChapterDraft<'_, '_>,
    of: (Stage, &Inputs),
    kept: &AttemptState,
    fault: ReplyFault,
) -> Result<StageOutcome, RunError> {
    match &kept.once {
        Some((before, _)) => chapter_draft.take_text(of, kept, (**before).clone()),
        None => Ok(ReadOutcome::Unusable(fault)),
    }
}

/// The prose of the scenes before the one that is being written.
fn before_scene(chapter_draft: &ChapterDraft<'_, '_>, kept: &AttemptState) -> Result<String, RunError> {
    match &kept.partial {
        Some(partial) => Ok(partial.before.clone()),
        // A scene that is too long is on the draft until there is a shorter one.
        None if chapter_draft.progress()?.unfinished().is_some() => {
            Ok(chapter_draft.text_before()?.map(|text| text.body).unwrap_or_default())
        }
        None => scenes::prose_so_far(chapter_draft),
    }
}

/// Returns the files and the message of the commit of an unfinished text.
fn unfinished_result(
    chapter_draft: &ChapterDraft<'_, '_>,
    stage: Stage,
    kept: &AttemptState,
    written: &writer::WrittenChapter,
) -> Result<(Change, StageMessage), RunError> {
    let chapter = match stage {
        Stage::Scene => scenes::with_scene(chapter_draft, written, &before_scene(chapter_draft, kept)?)?.0,
        _ => written.chapter.clone(),
    };
    let result = StageNote::Beginning(stage, written.words);
    Ok((
        draft::unfinished_text(chapter_draft, &chapter)?,
        StageMessage { result, of: Some(stage), ..StageMessage::default() },
    ))
}

/// Says when a chapter is far from the wanted length, after all that could be done about it.
fn warn_of_length(chapter_draft: &ChapterDraft<'_, '_>, words: u32) {
    let (least, most) = (chapter_draft.context.config.min_words, chapter_draft.context.config.max_words);
    if completeness::is_short(words, least) {
        chapter_draft.warn(Warning::TooShort { words, wanted: least });
    }
    if completeness::is_long(words, most) {
        chapter_draft.warn(Warning::TooLong { words, wanted: most });
    }
}

/// Whether the first of two texts that will do is the better one: the one that does not speak of its task, the one with less
/// copied, the one that is not too long, or else the longer one.
fn is_better(first: &writer::WrittenChapter, second: &writer::WrittenChapter) -> bool {
    let rank = |written: &writer::WrittenChapter| {
        let copied = written.findings.iter().find_map(|finding| match finding {
            TextFinding::Recycled { percent, letters, .. } => Some((*percent, *letters)),
            _ => None,
        });
        let of_prompt = written.findings.iter().any(|finding| matches!(finding, TextFinding::PromptWords { .. }));
        let excess = written.findings.iter().find_map(|finding| match finding {
            TextFinding::Long { words, .. } => Some(*words),
            _ => None,
        });
        (of_prompt, copied, excess, u32::MAX - written.words)
    };
    rank(first) < rank(second)
}

/// The warning for the author about a finding in a text that is used.
fn warning_of(finding: &TextFinding) -> Option<Warning> {
    Some(match finding {
        TextFinding::Removed(removed) => Warning::Removed(removed.clone()),
        TextFinding::Recycled { percent, from, passage, .. } => {
            Warning::Recycled { percent: *percent, from: *from, passage: passage.clone() }
        }
        TextFinding::Title { title, like } => Warning::Title { title: title.clone(), like: *like },
        TextFinding::Requoted { spans } => Warning::Requoted { spans: *spans },
        TextFinding::PromptWords { words, .. } => Warning::PromptWords { words: words.clone() },
        // The length is told of the whole chapter once it is there; with the others a text is not used.
        TextFinding::Short { .. }
        | TextFinding::Long { .. }
        | TextFinding::Foreign { .. }
        | TextFinding::BrokenOff(_)
        | TextFinding::Outline
        | TextFinding::Circling
        | TextFinding::Fragment { .. }
        | TextFinding::Copied { .. }
        | TextFinding::Unchanged
        | TextFinding::Shrunk { .. } => return None,
    })
}

impl ChapterDraft<'_, '_> {
    pub(crate) fn read_report(
        &self,
        stage: Stage,
        inputs: &Inputs,
        reply: &ReplyText<'_>,
        kept: &mut AttemptState,
    ) -> StageOutcome {
        let Some(text) = &inputs.text else { return ReadOutcome::Unusable(ReplyFault::NoProse) };
        let found = |quote: &str| text::find_evidence(&text.body, quote).is_some();
        let judge_context = JudgeContext {
            context: &self.context,
            text,
            cross_references: &inputs.cross_references,
            asked: reply.rules,
            reading: self.run.calls.responder.asks_models(),
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
            && let Some(fault) = self.run.calls.echoes(Agent::Judge, reasons)
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
        warn_of_report(self, &judged.evaluation);
        let evaluation = judged.evaluation;
        let paths = &self.paths;
        let path = if stage == Stage::SecondJudge { &paths.second_evaluation } else { &paths.evaluation };
        // The first report gets the gate's decision when the chapter is accepted; a second one says what it would have decided
        // alone.
        let tries = self.progress().map(|progress| progress.tries).unwrap_or_default();
        let alone = || chapter::decide(&evaluation, tries, &self.context.config.gate);
        let gate = (stage == Stage::SecondJudge).then(alone);
        let recorded = RecordedEvaluation { evaluation, gate };
        let change = Change::default().put(path, format::evaluation::write(&recorded, None));
        let evaluation = recorded.evaluation;
        let result = StageNote::Report((&evaluation).into());
        done(
            change,
            StageMessage {
                result,
                body: evaluation.issues.join("\n"),
                evaluation: Some(evaluation),
                ..StageMessage::default()
            },
        )
    }
}

/// Warns of gaps that stay in a report: rules that were not checked, and violations without evidence in the text.
/// Gaps in a report of the offline judge are expected and bring no warning.
pub(crate) fn warn_of_report(chapter_draft: &ChapterDraft<'_, '_>, evaluation: &Evaluation) {
    if !evaluation.reading {
        return;
    }
    let unchecked = evaluation.unchecked().filter(|check| check.finding == evaluation::Finding::NotChecked);
    let rules: Vec<String> = unchecked.map(|check| check.rule.clone()).collect();
    if !rules.is_empty() {
        chapter_draft.warn(Warning::Unchecked { rules });
    }
    let rules: Vec<String> = evaluation.unproven().map(|check| check.rule.clone()).collect();
    if !rules.is_empty() {
        chapter_draft.warn(Warning::Unproven { rules });
    }
}

/// Tells the gate's decision once the reports are there.
pub(crate) fn tell_verdict(chapter_draft: &ChapterDraft<'_, '_>, progress: &Progress) {
    let complete = progress.first.is_some() && (progress.second.is_some() || !chapter_draft.context.is_key());
    let Some(verdict) = progress.verdict().filter(|_| complete && !progress.polished) else { return };
    chapter_draft.run.tell(Event::Judged {
        chapter: chapter_draft.chapter(),
        overall: verdict.overall(),
        blocking: verdict.blocking().cloned().collect(),
        gate: chapter::decide(&verdict, progress.tries, &chapter_draft.context.config.gate),
    });
}
