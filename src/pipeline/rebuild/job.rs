//! Summarising an edited chapter: the question, and what its answers become.

use crate::agents::{ChapterContext, ReplyFault, Task, Why, summarizer};
use crate::domain::book::config::{Agent, ModelRole};
use crate::domain::book::work::{Part, PlanStage};
use crate::domain::chapter::Chapter;
use crate::domain::chapter::summary::Summary;
use crate::pipeline::chapter::paths::ChapterPaths;
use crate::pipeline::chapter::summaries::SummarySource;
use crate::pipeline::engine::ask::{Attempts, Job, ReadOutcome, Reply};
use crate::pipeline::engine::call_record::Paid;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::planning::draft::{PlanDraft, StageResult};
use crate::store::{self, Change, StageNote, format, layout};

/// A chapter that is summarised again.
pub(super) struct SummaryJob<'a, 'r, 'b> {
    pub(super) draft: &'a PlanDraft<'r, 'b>,
    /// The book as the chapter finds it.
    pub(super) context: &'a ChapterContext,
    pub(super) text: &'a Chapter,
    pub(super) file: &'a [u8],
    pub(super) paths: &'a ChapterPaths,
    pub(super) task: &'a Task<'a>,
    /// Whether the storyline remembers this chapter as its last.
    pub(super) is_last_on_line: bool,
    /// A summary whose operations could not be read.
    pub(super) kept: Option<Box<Summary>>,
}

impl SummaryJob<'_, '_, '_> {
    fn result(&self, summary: Summary) -> Result<StageResult, RunError> {
        let warn = |warning| self.warn(warning);
        let by_model = self.draft.session.run.calls.responder.asks_models();
        let source = SummarySource { context: self.context, text: self.text, paths: self.paths, by_model, warn: &warn };
        let mut files = source.read(summary);
        files.delta.text = Some(store::id_of(self.file)?);
        let mut change = files.change.put(&self.paths.delta, format::delta::write(&files.delta, None));
        if self.is_last_on_line {
            let path = layout::memory(self.context.storyline());
            change = change.put(&path, format::memory::write(&files.memory));
        }
        let words = StageNote::Summarised(self.context.chapter, files.delta.ops.len());
        Ok(StageResult { covers: Some(self.context.chapter.to_string()), ..(change, words).into() })
    }
}

impl Job for SummaryJob<'_, '_, '_> {
    type Result = StageResult;

    fn part(&self) -> Part {
        Part::Plan(PlanStage::Summary)
    }

    fn model_role(&self) -> ModelRole {
        ModelRole::Usual(self.draft.session.config.role(Agent::Summarizer))
    }

    fn task(&self) -> &Task<'_> {
        self.task
    }

    fn read(&mut self, reply: &Reply<'_>) -> Result<ReadOutcome<StageResult>, RunError> {
        if let Some(kept) = &self.kept {
            return Ok(match summarizer::read_ops(reply.text) {
                Ok(ops) => ReadOutcome::Done(self.result(Summary { ops, ..(**kept).clone() })?),
                Err(fault) => ReadOutcome::Unusable(fault),
            });
        }
        let read = match summarizer::read(reply.text) {
            Ok(read) => read,
            Err(fault) => return Ok(ReadOutcome::Unusable(fault)),
        };
        if let Some(fault) = self.draft.session.run.calls.echoes(Agent::Summarizer, read.summary.texts()) {
            return Ok(ReadOutcome::Unusable(fault));
        }
        Ok(match read.ops_fault {
            None => ReadOutcome::Done(self.result(read.summary)?),
            Some(fault) => {
                self.kept = Some(Box::new(read.summary));
                ReadOutcome::Incomplete(fault.into())
            }
        })
    }

    fn record(&mut self, result: StageResult, paid: &Paid) -> Result<(), RunError> {
        self.draft.record(PlanStage::Summary, result, Some(paid))?;
        Ok(())
    }

    fn warn(&self, warning: Warning) {
        self.draft.session.run.tell(Event::Warning { work: self.context.chapter.into(), warning });
    }

    fn record_fault(&mut self, why: &Why, paid: Paid) -> Result<(), RunError> {
        let chapter = Some(self.context.chapter);
        let note = StageNote::Fault(Part::Plan(PlanStage::Summary), chapter, Box::new(why.clone()));
        let fault = StageResult { of: Some(PlanStage::Summary), note, ..StageResult::default() };
        self.draft.record(PlanStage::Fault, fault, Some(&paid))?;
        Ok(())
    }

    // The summary that the book has is worth more than an excerpt, so there is no doing without: the old one stays.
    fn gives_up(&self, _: &ReplyFault, attempts: &Attempts) -> bool {
        attempts.tries > 0
    }
}

/// The change by which a delta and a summary say that they are of the present text, whose wording alone is another one.
pub(super) fn noted(
    draft: &PlanDraft<'_, '_>,
    paths: &ChapterPaths,
    text: &Chapter,
    file: &[u8],
) -> Result<Change, RunError> {
    let mut change = Change::default();
    if let Some(bytes) = draft.read(&paths.delta)? {
        let mut delta = format::delta::read(&bytes).map_err(RunError::of_file(&paths.delta))?;
        delta.text = Some(store::id_of(file)?);
        change = change.put(&paths.delta, format::delta::write(&delta, Some(&bytes)));
    }
    if let Some(bytes) = draft.read(&paths.summary)? {
        let page = format::summary::read(text.number, &bytes).map_err(RunError::of_file(&paths.summary))?;
        if page.title != text.title {
            let page = format::summary::SummaryPage { title: text.title.clone(), ..page };
            change = change.put(&paths.summary, format::summary::write(&page));
        }
    }
    Ok(change)
}
