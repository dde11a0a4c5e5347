//! Summaries: read, screened against the text and the state, and made files.

use crate::agents::context::cast::is_of_own_line;
use crate::agents::context::chapter::Memory;
use crate::agents::context::mentions::{MentionKind, mentioned_elsewhere};
use crate::agents::{Why, is_example, summarizer};
use crate::domain::chapter::summary::{ChapterMemory, CrossReference, LeakRisk, Summary};
use crate::domain::state::RawOp;
use crate::pipeline::chapter::attempt::{AttemptState, StageOutcome, done};
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::pipeline::chapter::inputs::Inputs;
use crate::pipeline::chapter::records::StageMessage;
use crate::pipeline::engine::ask::ReadOutcome;
use crate::pipeline::prelude::*;
use crate::text::Scripts;

/// A summary whose operations could not be read.
struct Skipped {
    /// The last answer's fault.
    why: Why,
    warning: Warning,
    /// True when the summary is an excerpt of the chapter.
    excerpt: bool,
}

impl ChapterDraft<'_, '_> {
    pub(crate) fn read_summary(&self, inputs: &Inputs, reply: &str, kept: &mut AttemptState) -> StageOutcome {
        // The second answer may be the operations alone, or everything again.
        if let Some(before) = &kept.summary {
            return match summarizer::read_ops(reply) {
                Ok(ops) => take_summary(self, inputs, Summary { ops, ..(**before).clone() }, None),
                Err(fault) => {
                    let why = Why::Reply(fault);
                    let skipped =
                        Skipped { warning: Warning::OperationsSkipped { why: why.clone() }, why, excerpt: false };
                    take_summary(self, inputs, (**before).clone(), Some(skipped))
                }
            };
        }
        let summarized = match summarizer::read(reply) {
            Ok(summarized) => summarized,
            Err(fault) => return ReadOutcome::Unusable(fault),
        };
        if let Some(fault) = self.run.calls.echoes(Agent::Summarizer, summarized.summary.texts()) {
            return ReadOutcome::Unusable(fault);
        }
        let told: String = summarized.summary.texts().collect();
        let usual = inputs.text.as_ref().map(|text| Scripts::of(&text.body)).unwrap_or_default();
        if let Some((script, percent)) = Scripts::of(&told).unlike(usual) {
            return ReadOutcome::Unusable(ReplyFault::Foreign { script, percent });
        }
        match summarized.ops_fault {
            Some(fault) => {
                kept.summary = Some(Box::new(summarized.summary));
                ReadOutcome::Incomplete(fault.into())
            }
            None => take_summary(self, inputs, summarized.summary, None),
        }
    }

    /// A summary although its answers cannot be read: the one whose operations alone were missing, or else an excerpt of the
    /// chapter. `None` for any other stage.
    pub(crate) fn excerpt(
        &self,
        stage: Stage,
        inputs: &Inputs,
        kept: &mut AttemptState,
        why: Why,
    ) -> Option<StageOutcome> {
        let text = inputs.text.as_ref().filter(|_| stage == Stage::Summarize)?;
        let (summary, warning) = match kept.summary.take() {
            Some(summary) => (*summary, Warning::OperationsSkipped { why: why.clone() }),
            None => (summarizer::excerpt(text), Warning::SummaryByExcerpt { why: why.clone() }),
        };
        let excerpt = matches!(warning, Warning::SummaryByExcerpt { .. });
        Some(take_summary(self, inputs, summary, Some(Skipped { warning, why, excerpt })))
    }
}

/// Turns a summary into files: the page, the ledger's entry, the screened delta, the storyline's memory.
fn take_summary(
    chapter_draft: &ChapterDraft<'_, '_>,
    inputs: &Inputs,
    summary: Summary,
    skipped: Option<Skipped>,
) -> StageOutcome {
    let Some(text) = &inputs.text else { return ReadOutcome::Unusable(ReplyFault::NoProse) };
    let warn = |warning| chapter_draft.warn(warning);
    let by_model = chapter_draft.run.calls.responder.asks_models();
    let source =
        SummarySource { context: &chapter_draft.context, text, paths: &chapter_draft.paths, by_model, warn: &warn };
    let files = match skipped {
        Some(Skipped { why, warning, excerpt }) => {
            chapter_draft.warn(warning);
            let delta = Delta::skipping(
                chapter_draft.chapter(),
                chapter_draft.context.storyline(),
                &chapter_draft.context.state,
                &why.to_string(),
            );
            source.files(summary, delta, excerpt)
        }
        None => source.read(summary),
    };
    let memory = layout::memory(chapter_draft.context.storyline());
    let change = files.change.put(&memory, format::summary::write_memory(&files.memory));
    let result = StageNote::Operations(files.delta.ops.len());
    done(change, StageMessage { result, body: files.page.text, ..StageMessage::default() })
}

/// A text that was summarised, and the book around it.
pub(crate) struct SummarySource<'a> {
    pub(crate) context: &'a ChapterContext,
    pub(crate) text: &'a Chapter,
    pub(crate) paths: &'a ChapterPaths,
    /// False for the offline writer, which knows no examples.
    pub(crate) by_model: bool,
    /// Told what was dropped.
    pub(crate) warn: &'a dyn Fn(Warning),
}

pub(crate) struct SummaryFiles {
    /// The page, the ledger's entry and the delta.
    pub(crate) change: Change,
    /// The operations that can be carried out.
    pub(crate) delta: Delta,
    pub(crate) page: SummaryPage,
    /// The storyline's memory after the chapter.
    pub(crate) memory: Memory,
}

impl SummarySource<'_> {
    /// Screens a summary against the text and the state, and turns it into files.
    pub(crate) fn read(&self, summary: Summary) -> SummaryFiles {
        let delta = self.screen(&summary.ops);
        self.files(summary, delta, false)
    }

    fn files(&self, summary: Summary, delta: Delta, excerpt: bool) -> SummaryFiles {
        let context = self.context;
        let (chapter, line) = (context.chapter, context.storyline());
        let old = context.memories.get(line).cloned().unwrap_or_default();
        let or = |new: &str, old: String| if new.trim().is_empty() { old } else { new.trim().to_owned() };
        let memory = Memory {
            chapter: Some(chapter),
            status: or(&summary.line_status, old.status),
            facts: or(&summary.memory, old.facts),
        };
        let mut entry = summary.entry.with_ids(&context.characters);
        entry.reader = entry.reader.answering(&context.reader.asked_in());
        let remembered = ChapterMemory { chapter, storyline: line.clone(), entry };
        let page = SummaryPage {
            chapter,
            title: self.text.title.clone(),
            storyline: line.clone(),
            line_status: memory.status.clone(),
            cross_references: self.grounded(summary.cross_references),
            text: summary.text,
            excerpt,
        };
        let change = Change::default()
            .put(&self.paths.summary, format::summary::write(&page))
            .put(&self.paths.memory, format::write(&remembered, None))
            .put(&self.paths.delta, format::delta::write(&delta, None));
        SummaryFiles { change, delta, page, memory }
    }

    /// The mentions that the text confirms, by their name or by the words that are quoted. People of the chapter's own
    /// line do not count, even if the summarizer lists them. Entities of the registry get the registry's storyline, and
    /// people and things of other lines that the summarizer has missed are added.
    fn grounded(&self, mentions: Vec<CrossReference>) -> Vec<CrossReference> {
        let body = self.text.body.as_str();
        let foreign = mentions.into_iter().filter(|mention| !is_of_own_line(self.context, &mention.entity));
        let (mut there, not_there): (Vec<_>, Vec<_>) = foreign.partition(|mention| {
            body.contains(mention.entity.trim()) || text::find_evidence(body, &mention.evidence).is_some()
        });
        for mention in not_there {
            (self.warn)(Warning::MentionDropped { entity: mention.entity });
        }
        for known in mentioned_elsewhere(self.context, body) {
            let is_same = |mention: &&mut CrossReference| {
                let entity = mention.entity.trim();
                let called = self.context.characters.iter().filter(|person| person.display_name == known.name);
                entity == known.name
                    || entity == known.form
                    || called.into_iter().any(|person| person.is_called(entity))
            };
            let Some(line) = known.lines.first().map(Slug::to_string) else { continue };
            match there.iter_mut().find(is_same) {
                Some(mention) if known.lines.iter().any(|line| line.as_str() == mention.storyline) => {}
                Some(mention) => mention.storyline = line,
                None if matches!(known.kind, MentionKind::Person | MentionKind::Item) => there.push(CrossReference {
                    entity: known.form,
                    storyline: line,
                    risk: LeakRisk::Low,
                    evidence: known.evidence,
                }),
                None => {}
            }
        }
        there
    }

    /// The operations that can be carried out; what is dropped is named by its number in the answer.
    fn screen(&self, ops: &[RawOp]) -> Delta {
        let context = self.context;
        let (mut numbers, mut own) = (Vec::new(), Vec::new());
        for (op, number) in ops.iter().zip(1..) {
            if self.by_model && is_example(Agent::Summarizer, &self.text.body, op) {
                (self.warn)(Warning::OperationCopied { number });
            } else {
                numbers.push(number);
                own.push(op.clone());
            }
        }
        let (delta, dropped) =
            Delta::screen(context.chapter, context.storyline(), &own, &context.state, &context.ledger);
        let delta = delta.as_planned(&context.planned);
        if !dropped.is_empty() {
            let dropped = dropped.into_iter().map(|dropped| (numbers[dropped.index], dropped.reason)).collect();
            (self.warn)(Warning::OperationsDropped { dropped });
        }
        delta
    }
}
