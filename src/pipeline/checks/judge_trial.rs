//! Trying the judge: the frozen texts are read by the configured model, with the book's own prompts and settings.
//! The replies are commits of the draft `calibration`, which is put aside at the end. Nothing of it joins the book, an
//! interrupted trial goes on from the readings that there are, and `novel cost` counts the calls.

use crate::agents::calibration::{self, Specimen};
use crate::agents::call::prompt::hash_of;
use crate::agents::judge::{self, JudgeContext};
use crate::agents::{self, Opinion, Prompts};
use crate::domain::chapter::evaluation::{Reading, TextScores};
use crate::pipeline::book::estimate::{Price, RECEIVED};
use crate::pipeline::chapter::before::measured;
use crate::pipeline::engine::call_record::DRAFT_ONLY;
use crate::pipeline::engine::responder::Responder;
use crate::pipeline::planning::draft::{PlanDraft, PlanResult};
use crate::pipeline::prelude::*;

/// A trial of the judge: every reading of every text.
#[derive(Debug)]
pub struct JudgeTrial {
    config: BookConfig,
    prompts: Prompts,
    specimens: Vec<Specimen>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TrialResult {
    pub model: String,
    pub texts: Vec<(&'static str, TextScores)>,
    /// Readings that an interrupted trial had left.
    pub resumed: usize,
    /// The cost of every call of the trial, in millionths of a US dollar; `None` when a price is unknown.
    pub cost_micro_usd: Option<u64>,
    /// The ref under which the replies are kept.
    pub kept: Option<String>,
}

struct TrialQuestion<'a> {
    specimen: &'a Specimen,
    reading: Reading,
    text: &'a Chapter,
    measured: Vec<String>,
}

impl JudgeTrial {
    /// Prepares the trial of a book's judge. Reads only.
    pub fn of(book: &Book) -> Result<Self, RunError> {
        let view = BookView::new(book.snapshot()?);
        let (config, prompts) = (view.config()?, view.prompts()?);
        let specimens = calibration::specimens(&config);
        Ok(Self { config, prompts, specimens })
    }

    pub fn readings(&self) -> usize {
        self.questions().count()
    }

    pub fn model<'r>(&self, responder: &'r Responder) -> &'r str {
        responder.model_for(Agent::Judge, self.config.role(Agent::Judge)).name()
    }

    /// The likely cost of all readings.
    /// Fails when the judge's prompt file is not of its form.
    pub fn price(&self, responder: &Responder) -> Result<Price, RunError> {
        let model = responder.model_for(Agent::Judge, self.config.role(Agent::Judge));
        let mut sum = Some(0);
        for question in self.questions() {
            let prompt = agents::prompt(&question.task(), &self.prompts)?;
            let sent = model.estimate(&model.request(&prompt));
            sum = sum.zip(model.likely(sent, RECEIVED)).map(|(sum, cost)| sum + cost);
        }
        Ok(match sum {
            None => Price::Unknown,
            Some(0) => Price::Free,
            Some(about) => Price::About(about),
        })
    }

    fn questions(&self) -> impl Iterator<Item = TrialQuestion<'_>> {
        self.specimens
            .iter()
            .flat_map(|specimen| Reading::all().into_iter().filter_map(|reading| TrialQuestion::new(specimen, reading)))
    }

    /// The request in words: readings of another model, with another prompt or of other texts do not continue a trial.
    fn request(&self, model: &str) -> Result<String, RunError> {
        let prompt = self.questions().next().map(|question| agents::prompt(&question.task(), &self.prompts));
        let prompt = prompt.transpose()?.map(|prompt| prompt.prompt_hash).unwrap_or_default();
        Ok(format!("calibration {}\nmodel {model}\nprompt {prompt}\n", hash_of(&calibration::set())))
    }
}

impl<'a> TrialQuestion<'a> {
    fn new(specimen: &'a Specimen, reading: Reading) -> Option<Self> {
        let text = specimen.chapter(reading)?;
        Some(Self { specimen, reading, text, measured: measured(&specimen.context, text) })
    }

    fn task(&self) -> Task<'_> {
        Task::Judge {
            context: &self.specimen.context,
            text: self.text,
            cross_references: &[],
            measured: &self.measured,
            opinion: Opinion::First,
        }
    }

    /// Its name on the draft: `courtyard-clean-1`, `courtyard-pacing`.
    fn name(&self) -> String {
        let id = self.specimen.id;
        match self.reading {
            Reading::Clean(n) => format!("{id}-clean-{n}"),
            Reading::Flawed(dimension) => format!("{id}-{dimension}"),
        }
    }

    /// Its report's file on the draft.
    fn path(&self) -> String {
        format!("{DRAFT_ONLY}calibration/{}.json", self.name())
    }

    fn read(&self, reply: &str, asked: &[String]) -> Result<Evaluation, ReplyFault> {
        let found = |quote: &str| text::find_evidence(&self.text.body, quote).is_some();
        let judge_context = JudgeContext {
            context: &self.specimen.context,
            text: self.text,
            cross_references: &[],
            asked,
            reading: true,
            found: &found,
        };
        Ok(judge::read(reply, &judge_context)?.evaluation)
    }

    async fn ask(&self, draft: &PlanDraft<'_, '_>) -> Result<(), RunError> {
        let task = self.task();
        let asked = agents::prompt(&task, &draft.session.prompts)?.asked;
        let result = |evaluation: Evaluation| {
            let words = StageNote::Name(format!("{} {:.2}", self.name(), evaluation.overall()));
            let report = format::evaluation::write(&RecordedEvaluation { evaluation, gate: None }, None);
            let change = Change::default().put(&self.path(), report);
            Ok(PlanResult { covers: Some(self.name()), ..(change, words).into() })
        };
        draft.ask(PlanStage::Calibration, &task, |reply| self.read(reply, &asked), result).await
    }
}

/// Has the judge read every text of the trial, and puts the replies aside. A reading of which no reply can be used is
/// left out of the result.
/// Fails when the model's side fails, the budget is spent or the run is stopped; the next trial goes on from there.
pub async fn try_judge(run: &Run<'_>, trial: &JudgeTrial) -> Result<TrialResult, RunError> {
    let model = trial.model(run.calls.responder).to_owned();
    let work = Work::Step(Step::Calibration);
    let draft = PlanDraft::open(run, work, &trial.request(&model)?, DraftFiles::default())?;
    let mut texts: Vec<(&'static str, TextScores)> = Vec::new();
    let mut resumed = 0;
    let of = u32::try_from(trial.readings()).unwrap_or(u32::MAX);
    for (number, question) in (1..).zip(trial.questions()) {
        run.tell(Event::Turn { number, of });
        if draft.read(&question.path())?.is_some() {
            resumed += 1;
        } else {
            match question.ask(&draft).await {
                Ok(()) | Err(RunError::Unusable { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let id = question.specimen.id;
        if texts.last().is_none_or(|(last, _)| *last != id) {
            texts.push((id, TextScores::default()));
        }
        let report = draft.read(&question.path())?;
        let report = report.map(|bytes| format::evaluation::read(&bytes)).transpose();
        let report = report.map_err(RunError::of_file(&question.path()))?;
        if let (Some(RecordedEvaluation { evaluation, .. }), Some((_, scores))) = (report, texts.last_mut()) {
            let scored = evaluation.scores.iter().map(|score| (score.dimension, score.score)).collect();
            scores.readings.insert(question.reading, scored);
        }
    }
    let cost_micro_usd = draft.log.borrow().cost_micro_usd();
    let kept = draft.session.abandon()?;
    Ok(TrialResult { model, texts, resumed, cost_micro_usd, kept })
}
