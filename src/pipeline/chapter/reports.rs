//! The judges' reports: read, completed, and made files.

use super::attempt::{Kept, Read, done};
use super::draft::ChapterDraft;
use super::inputs::{Gap, Inputs};
use super::records::Note;
use crate::agents::ReplyFault;
use crate::agents::judge::{self, JudgeContext};
use crate::domain::chapter::evaluation::{self, Evaluation};
use crate::domain::chapter::gate;
use crate::domain::chapter::stage::{Progress, Stage};
use crate::pipeline::engine::ask::{ReadOutcome, Reply};
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::prelude::*;
use crate::store::format::evaluation::Recorded;
use crate::text;

impl ChapterDraft<'_, '_> {
    pub(crate) fn read_report(&self, stage: Stage, inputs: &Inputs, reply: &Reply<'_>, kept: &mut Kept) -> Read {
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
        let result = StageNote::Report((&evaluation).into());
        done(
            change,
            Note { result, body: evaluation.issues.join("\n"), evaluation: Some(evaluation), ..Note::default() },
        )
    }

    /// Warns of gaps that stay in a report: rules that were not checked, and violations without evidence in the text.
    /// Gaps in a report of the offline judge are expected and bring no warning.
    pub(crate) fn warn_of_report(&self, evaluation: &Evaluation) {
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
        self.run.tell(Event::Judged {
            chapter: self.chapter(),
            overall: verdict.overall(),
            blocking: verdict.blocking().cloned().collect(),
            gate: gate::decide(&verdict, progress.tries, &self.context.config.gate),
        });
    }
}
