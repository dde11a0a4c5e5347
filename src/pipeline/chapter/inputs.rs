//! The values that a stage is asked with, and those that its answers leave.

use super::before::BookBefore;
use super::draft::{ChapterDraft, Note, UnfinishedText};
use crate::agents::checks::completeness::Finding;
use crate::agents::judge::Judged;
use crate::agents::revision_wish::fixes;
use crate::agents::{ReplyFault, SceneOrder, writer};
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::{Check, Evaluation, Fix};
use crate::domain::chapter::stage::Stage;
use crate::domain::chapter::summary::{CrossReference, Summary};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::ask::ReadOutcome;
use crate::pipeline::engine::error::RunError;
use crate::store::{Change, StageNote};

/// The inputs of a stage beside the chapter's context, read once before the first call.
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

/// A result of a stage: its files, and what its commit says.
pub(crate) type StageResult = (Change, Box<StageMessage>);
/// A reply to a stage, read.
pub(crate) type Read = ReadOutcome<StageResult>;

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

/// The message of a stage's commit.
#[derive(Default)]
pub(crate) struct StageMessage {
    pub(crate) result: StageNote,
    pub(crate) body: String,
    pub(crate) scene: Option<u32>,
    /// Which stage an unfinished text is of.
    pub(crate) of: Option<Stage>,
    pub(crate) evaluation: Option<Evaluation>,
}

impl StageMessage {
    pub(crate) fn note(&self) -> Note<'_> {
        Note {
            result: self.result.clone(),
            body: self.body.clone(),
            scene: self.scene,
            of: self.of,
            score: self.evaluation.as_ref().map(Evaluation::overall),
            evaluation: self.evaluation.as_ref(),
            ..Note::default()
        }
    }
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

impl ChapterDraft<'_, '_> {
    /// The book before the chapter, as far as its texts are held against it.
    pub(super) fn book_before(&self) -> Result<&BookBefore, RunError> {
        if let Some(before) = self.before.get() {
            return Ok(before);
        }
        let before = BookBefore::read(&BookView::new(self.session.snapshot()?), &self.context)?;
        Ok(self.before.get_or_init(|| before))
    }

    pub(crate) fn inputs(&self, stage: Stage) -> Result<Inputs, RunError> {
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
        // The figures are the costly part, and only the judges see them.
        let is_judged = matches!(stage, Stage::Judge | Stage::SecondJudge);
        let judged = text.as_ref().filter(|_| is_judged);
        let of = |list: fn(&Evaluation) -> Vec<String>| verdict.as_ref().map(list).unwrap_or_default();
        Ok(Inputs {
            hints: self.hints()?,
            cross_references: self.cross_references()?,
            measured: match judged {
                Some(text) => self.book_before()?.measured(&self.context, text),
                None => Vec::new(),
            },
            remarks: match stage {
                Stage::Polish => of(style_remarks),
                Stage::Draft | Stage::ScenePlan => self.reasons()?,
                _ => of(|evaluation| evaluation.issues.clone()),
            },
            fixes: match &verdict {
                None if stage == Stage::Revise => fixes(&self.wish()?),
                verdict => verdict.iter().flat_map(|evaluation| evaluation.required_fixes.iter().cloned()).collect(),
            },
            violations: verdict.iter().flat_map(Evaluation::blocking).cloned().collect(),
            round: progress.tries.revisions + 1,
            replaces: text.as_ref().filter(|_| stage == Stage::Revise).map(|text| self.words_wanted_of(text)),
            scene,
            text,
        })
    }

    /// Why a chapter of the book is written again, and how: the author's wish, what was wrong with it by its report, and what
    /// it has to lead up to.
    pub(crate) fn reasons(&self) -> Result<Vec<String>, RunError> {
        let Some(present) = &self.present else { return Ok(Vec::new()) };
        let wish = Some(self.wish()?).filter(|wish| !wish.is_empty()).map(|wish| format!("作者要求：{wish}"));
        let issues = present.report.iter().flat_map(|report| report.evaluation.issues.iter().cloned());
        let follows = present
            .follows
            .iter()
            .map(|(next, opening)| format!("第{}章已经写成，收尾要接得上它的开头：{opening}", next.get()));
        Ok(wish.into_iter().chain(issues).chain(follows).collect())
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
