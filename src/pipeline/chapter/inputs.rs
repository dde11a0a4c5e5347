//! The question of a stage: the values that it is asked with, the task and the model.

use crate::agents::judge::Judged;
use crate::agents::revision_wish::fixes;
use crate::agents::{Opinion, SceneOrder};
use crate::domain::chapter::evaluation::{Check, Fix};
use crate::domain::chapter::summary::CrossReference;
use crate::domain::chapter::{MOST, Scene, ScenePlan};
use crate::pipeline::chapter::before::BookBefore;
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::pipeline::chapter::scenes;
use crate::pipeline::engine::model_call::{Caller, ModelQuestion};
use crate::pipeline::prelude::*;

/// The inputs of a stage beside the chapter's context, read once before the first call.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) text: Option<Chapter>,
    pub(crate) scene: Option<SceneOrder>,
    pub(crate) hints: String,
    pub(crate) cross_references: Vec<CrossReference>,
    pub(crate) measured: Vec<String>,
    pub(crate) remarks: Vec<String>,
    pub(crate) fixes: Vec<Fix>,
    pub(crate) violations: Vec<Check>,
    pub(crate) round: u32,
    /// Of a revision, the words of the text that it is of, as far as the book wants them.
    pub(crate) replaces: Option<u32>,
}

impl Inputs {
    /// The text that a revision takes the place of.
    pub(super) fn replaced(&self) -> Option<&Chapter> {
        self.text.as_ref().filter(|_| self.replaces.is_some())
    }
}

/// A gap in a judge's report. Each kind is asked for once, in this order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Gap {
    Rules(Vec<String>),
    /// Quotations that show its violations.
    Quotations(Vec<Check>),
}

impl Gap {
    /// The next gap in a report, after an answer to the one before.
    pub(crate) fn of(judged: &Judged, before: Option<&Self>) -> Option<Self> {
        let rules = || Some(judged.unanswered()).filter(|rules| !rules.is_empty()).map(Self::Rules);
        let quotations = || Some(judged.unproven()).filter(|checks| !checks.is_empty()).map(Self::Quotations);
        match before {
            None => rules().or_else(quotations),
            Some(Self::Rules(_)) => quotations(),
            Some(Self::Quotations(_)) => None,
        }
    }

    pub(crate) fn fault(&self) -> ReplyFault {
        match self {
            Self::Rules(rules) => ReplyFault::Unanswered(rules.clone()),
            Self::Quotations(checks) => ReplyFault::Unquoted(checks.iter().map(|check| check.rule.clone()).collect()),
        }
    }
}

/// Tokens of a context that holds any prompt of a book and its answer; see [`BookConfig`](crate::domain::book::config::BookConfig).
const ENOUGH_ROOM: u32 = 60_000;

/// Figures and remarks of a text, and the characters of each; twice as many as a chapter of the demo has.
const REMARKS: usize = 24;
const REMARK: usize = 25;

/// The book before the chapter, as far as its texts are held against it.
pub(super) fn book_before<'a>(chapter_draft: &'a ChapterDraft<'_, '_>) -> Result<&'a BookBefore, RunError> {
    if let Some(before) = chapter_draft.before.get() {
        return Ok(before);
    }
    let before = BookBefore::read(&BookView::new(chapter_draft.snapshot()?), &chapter_draft.context)?;
    Ok(chapter_draft.before.get_or_init(|| before))
}

pub(super) fn stage_role(chapter_draft: &ChapterDraft<'_, '_>, stage: Stage) -> ModelRole {
    role(&chapter_draft.context, stage)
}

/// The task of a stage. `None` for edits and decisions, which no agent makes.
pub(super) fn stage_task<'a>(
    chapter_draft: &'a ChapterDraft<'_, '_>,
    stage: Stage,
    inputs: &'a Inputs,
) -> Option<Task<'a>> {
    task(&chapter_draft.context, stage, inputs).map(|task| match task {
        Task::Draft { context } if chapter_draft.present.is_some() => {
            Task::Rewrite { context, issues: &inputs.remarks }
        }
        task => task,
    })
}

/// Checks the prompts of a chapter before the first of them is paid for: warns of later stages that have no room.
/// Fails with the [`RunError::DoesNotFit`] that needs most where the writer has none.
pub(super) fn look_for_room(chapter_draft: &ChapterDraft<'_, '_>, first: Stage) -> Result<(), RunError> {
    for (stage, error) in chapter_draft.session.caller().without_room(&chapter_draft.context, first)? {
        if let RunError::DoesNotFit { model, needed, limit, .. } = error {
            chapter_draft.warn(Warning::NoRoom { stage, model, needed, limit });
        }
    }
    Ok(())
}

/// True where the budget pays for the stage and for as much again.
pub(super) fn affords_twice(chapter_draft: &ChapterDraft<'_, '_>, stage: Stage) -> Result<bool, RunError> {
    let Some(limit) = chapter_draft.run.calls.budget else { return Ok(true) };
    let inputs = stage_inputs(chapter_draft, stage)?;
    let Some(task) = stage_task(chapter_draft, stage, &inputs) else { return Ok(false) };
    let cost = chapter_draft.session.most_cost(Part::Chapter(stage), &task, stage_role(chapter_draft, stage))?;
    let twice = cost.map(|cost| chapter_draft.run.calls.spent_micro.get().saturating_add(2 * cost));
    Ok(twice.is_some_and(|twice| twice <= limit.micro_usd))
}

pub(crate) fn stage_inputs(chapter_draft: &ChapterDraft<'_, '_>, stage: Stage) -> Result<Inputs, RunError> {
    let fresh = matches!(stage, Stage::Draft | Stage::ScenePlan | Stage::Scene | Stage::Rewrite);
    let progress = chapter_draft.progress()?;
    let text = match progress.unfinished() {
        _ if fresh => None,
        Some(_) => chapter_draft.text_before()?,
        None => Some(chapter_draft.text()?),
    };
    let scene = if stage == Stage::Scene { Some(scenes::scene_order(chapter_draft, &progress)?) } else { None };
    let verdict = match progress.verdict() {
        // The author has changed the text and then wants it written again: why it failed is in the report before.
        None if stage == Stage::Rewrite => chapter_draft.last_report()?,
        verdict => verdict,
    };
    // The figures are the costly part, and only the judges see them.
    let is_judged = matches!(stage, Stage::Judge | Stage::SecondJudge);
    let judged = text.as_ref().filter(|_| is_judged);
    let of = |list: fn(&Evaluation) -> Vec<String>| verdict.as_ref().map(list).unwrap_or_default();
    Ok(Inputs {
        hints: chapter_draft.hints()?,
        cross_references: chapter_draft.cross_references()?,
        measured: match judged {
            Some(text) => book_before(chapter_draft)?.measured(&chapter_draft.context, text),
            None => Vec::new(),
        },
        remarks: match stage {
            Stage::Polish => of(style_remarks),
            Stage::Draft | Stage::ScenePlan => reasons(chapter_draft)?,
            _ => of(|evaluation| evaluation.issues.clone()),
        },
        fixes: match &verdict {
            None if stage == Stage::Revise => fixes(&chapter_draft.wish()?),
            verdict => verdict.iter().flat_map(|evaluation| evaluation.required_fixes.iter().cloned()).collect(),
        },
        violations: verdict.iter().flat_map(Evaluation::blocking).cloned().collect(),
        round: progress.tries.revisions + 1,
        replaces: text.as_ref().filter(|_| stage == Stage::Revise).map(|text| chapter_draft.words_wanted_of(text)),
        scene,
        text,
    })
}

/// Why a chapter of the book is written again, and how: the author's wish, what was wrong with it by its report, and what
/// it has to lead up to.
pub(crate) fn reasons(chapter_draft: &ChapterDraft<'_, '_>) -> Result<Vec<String>, RunError> {
    let Some(present) = &chapter_draft.present else { return Ok(Vec::new()) };
    let wish = Some(chapter_draft.wish()?).filter(|wish| !wish.is_empty()).map(|wish| format!("作者要求：{wish}"));
    let issues = present.report.iter().flat_map(|report| report.evaluation.issues.iter().cloned());
    let follows = present
        .follows
        .iter()
        .map(|(next, opening)| format!("第{}章已经写成，收尾要接得上它的开头：{opening}", next.get()));
    Ok(wish.into_iter().chain(issues).chain(follows).collect())
}

fn role(context: &ChapterContext, stage: Stage) -> ModelRole {
    let config = &context.config;
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

fn task<'a>(context: &'a ChapterContext, stage: Stage, inputs: &'a Inputs) -> Option<Task<'a>> {
    let text = inputs.text.as_ref();
    Some(match stage {
        Stage::Draft => Task::Draft { context },
        Stage::Rewrite => Task::Rewrite { context, issues: &inputs.remarks },
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

impl Caller<'_, '_> {
    /// The stages of a chapter whose prompts do not fit their models, with a text of the most words wanted.
    /// Fails with the [`RunError::DoesNotFit`] that needs most where the writer is among them.
    pub(crate) fn without_room(
        &self,
        context: &ChapterContext,
        first: Stage,
    ) -> Result<Vec<(Stage, RunError)>, RunError> {
        let config = &context.config;
        let body = "字".repeat(config.max_words.min(ENOUGH_ROOM) as usize);
        let text = Chapter { number: context.chapter, title: context.section.title.clone(), body };
        let plan = ScenePlan { scenes: vec![Scene::default(); MOST] };
        let words = plan.span(1, 0, &(config.min_words..=config.max_words));
        let scene = (first == Stage::ScenePlan).then(|| SceneOrder { plan, number: 1, so_far: String::new(), words });
        // About as much as the figures of a text take, and the remarks on it.
        let measured = vec!["字".repeat(REMARK); REMARKS];
        let inputs = Inputs { text: Some(text), scene, measured, ..Inputs::default() };
        let mut without = Vec::new();
        for stage in [first, Stage::Scene, Stage::Summarize, Stage::Refine, Stage::Judge] {
            let Some(task) = task(context, stage, &inputs) else { continue };
            let model = self.calls.responder.model_for(task.agent(), role(context, stage));
            if model.context_window().is_none_or(|window| window >= ENOUGH_ROOM) {
                continue;
            }
            let part = Part::Chapter(stage);
            match self.fitting(&ModelQuestion { part, task: &task, model, again: None, bare: false, wider: 1 }) {
                Err(error @ RunError::DoesNotFit { .. }) => without.push((stage, error)),
                other => drop(other?),
            }
        }
        if without.iter().all(|(stage, _)| !matches!(stage, Stage::Draft | Stage::ScenePlan | Stage::Scene)) {
            return Ok(without);
        }
        let needed = |error: &RunError| match error {
            RunError::DoesNotFit { needed, .. } => *needed,
            _ => 0,
        };
        let largest = without.into_iter().map(|(_, error)| error).max_by_key(needed);
        largest.map_or(Ok(Vec::new()), Err)
    }
}

/// The remarks of a report on the style, for the second polish.
fn style_remarks(evaluation: &Evaluation) -> Vec<String> {
    use crate::domain::chapter::evaluation::Dimension;
    let weak = evaluation.scores.iter().filter(|score| {
        matches!(score.dimension, Dimension::StyleNaturalness | Dimension::Immersion | Dimension::Pacing)
            && score.score < 4.5
    });
    let fixes = evaluation.required_fixes.iter().map(|fix| format!("{}：{}", fix.target, fix.instruction));
    weak.map(|score| score.reason.clone()).filter(|reason| !reason.trim().is_empty()).chain(fixes).collect()
}
