//! Questions to the author about the fate of a chapter.
//! The answer of `novel decide` on a chapter with candidates, side by side.

use crate::domain::chapter::evaluation::{Check, Evaluation};
use crate::domain::chapter::stage::{Decision, Pause, Stage};
use crate::pipeline::chapter::candidates::{Candidate, Candidates};
use crate::pipeline::chapter::decide::{InFlight, Standstill};
use crate::report::change;
use crate::report::prelude::*;
use crate::report::question::Question;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serializer};

/// A chapter that breaks a contract, for programs (agent protocol §10.1). The question that follows offers the
/// remedies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    pub status: &'static str,
    pub chapter: ChapterNo,
    /// The violations in the judge's words.
    pub detail: String,
    /// `high`: only certain violations block a chapter.
    pub severity: &'static str,
    pub rules: Vec<String>,
}

impl Conflict {
    /// The blocking violations; `None` where the chapter waits for another reason.
    pub fn of(chapter: ChapterNo, evaluation: &Evaluation) -> Option<Self> {
        let details: Vec<&str> = evaluation.blocking().map(|check| check.detail.as_str()).collect();
        let rules: Vec<String> = evaluation.blocking().map(|check| check.rule.clone()).collect();
        let detail = details.join("；");
        (!rules.is_empty()).then_some(Self { status: "conflict_detected", chapter, detail, severity: "high", rules })
    }
}

/// A decision in words. Rewriting concerns the chapter, or the last part of an unfinished text.
pub fn answer_words(decision: Decision, unfinished: Option<(Stage, Standstill)>, lang: Lang) -> &'static str {
    match (decision, unfinished) {
        (Decision::Continue, Some((_, Standstill::NoAnswer | Standstill::NoRoom))) => {
            say!(lang, ask_again_or_another_model)
        }
        (Decision::Rewrite, Some((Stage::Scene, _))) => say!(lang, put_this_scene_aside_and_write),
        (Decision::Rewrite, Some((Stage::Revise | Stage::Rewrite, _))) => say!(lang, put_this_version_aside_and_write),
        _ => decision.say(lang),
    }
}

/// A decision in words by its name; an unknown name stays.
fn named_answer(option: &str, unfinished: Option<(Stage, Standstill)>, lang: Lang) -> String {
    option.parse().map_or(option, |decision| answer_words(decision, unfinished, lang)).to_owned()
}

/// The question about a paused chapter.
pub type ChapterQuestion = Question<DecisionSubject>;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionSubject {
    pub chapter: ChapterNo,
    pub title: String,
    pub score: f64,
    /// Blocking violations, each with the rule and the fault.
    pub violations: Vec<String>,
    /// Violations without evidence in the text, in the same form.
    pub unproven: Vec<String>,
    /// The ids of the hard rules without the judge's answer.
    pub not_checked: Vec<String>,
    /// In the judge's words.
    pub issues: Vec<String>,
    /// Other waiting chapters, which are asked about later.
    pub later: Vec<LaterChapter>,
    #[serde(skip)]
    pub names: Names,
}

/// A waiting chapter that is asked about later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaterChapter {
    pub chapter: ChapterNo,
    pub title: String,
}

impl LaterChapter {
    pub fn of(flights: &[InFlight]) -> Vec<Self> {
        flights.iter().map(|flight| Self { chapter: flight.chapter, title: flight.title.clone() }).collect()
    }

    /// A line with the chapters; empty without any.
    pub fn text(later: &[Self], lang: Lang) -> String {
        if later.is_empty() {
            return String::new();
        }
        let name = |Self { chapter, title }: &Self| format!("{chapter} {title}");
        let list = later.iter().map(name).collect::<Vec<_>>().join(say!(lang, list_comma));
        say!(lang, decision_also_waiting(list))
    }
}

/// The answer when nothing waits for the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NothingWaits {
    Question,
    Revision,
    /// No question, but a choice between two devices.
    ButSync,
}

impl NothingWaits {
    fn next(self) -> &'static str {
        match self {
            Self::Question => "novel status",
            Self::Revision => "novel check",
            Self::ButSync => "novel sync",
        }
    }

    /// One line, with the command to type next.
    pub fn text(self, lang: Lang) -> String {
        let next = paint(HINT, self.next());
        match self {
            Self::Question => say!(lang, no_question_waits(next)),
            Self::Revision => say!(lang, no_revision_waits(next)),
            Self::ButSync => say!(lang, no_question_but_sync_waits(next)),
        }
    }
}

impl Serialize for NothingWaits {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut answer = to.serialize_struct("NothingWaits", 2)?;
        answer.serialize_field("status", "nothing")?;
        answer.serialize_field("next", self.next())?;
        answer.end()
    }
}

/// The question about a text that broke off.
pub type UnfinishedQuestion = Question<UnfinishedSubject>;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnfinishedSubject {
    pub chapter: ChapterNo,
    pub title: String,
    pub stage: Stage,
    pub reason: Standstill,
    pub words: u32,
    /// The model that was asked last, and why it gave no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The file with the text.
    pub path: String,
}

impl UnfinishedQuestion {
    pub fn of_text(text: UnfinishedSubject, options: &[Decision], lang: Lang) -> Self {
        let (words, stage) = (figures::count(u64::from(text.words)), text.stage.say(lang));
        let rationale = match text.reason {
            Standstill::BrokenOff => say!(lang, it_broke_off_first_words_up(stage, words)),
            Standstill::Long => say!(lang, text_is_far_too_long(words)),
            Standstill::Language => say!(lang, text_is_in_another_language(words)),
            Standstill::Task => say!(lang, text_speaks_of_its_task(words)),
            Standstill::NoAnswer => say!(lang, model_gave_nothing_for(stage)),
            Standstill::NoRoom => say!(lang, model_has_no_room_for(stage)),
        };
        let options = options.iter().map(|option| option.as_str()).collect();
        Self::new("unfinished", options, rationale, |option| format!("novel decide {option}"), text)
    }

    /// The question, the reason, and the command for each answer.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let UnfinishedSubject { chapter, title, path, stage, reason, words, fault } = &self.data.subject;
        let (rationale, stage, reason) = (&self.rationale, *stage, *reason);
        let heading = match reason {
            Standstill::BrokenOff => say!(lang, is_not_finished_what_now(chapter, title)),
            _ => say!(lang, decision_what_about(chapter, title)),
        };
        let mut out = format!("{}\n  {rationale}\n", paint(STRONG, &heading));
        if let Some(fault) = fault {
            out.push_str(&format!("  {}\n", paint(WARN, fault)));
        }
        if *words > 0 {
            out.push_str(&say!(lang, what_is_there(path)));
        }
        out.push_str(
            &self.commands(&self.choices(lang, |option| named_answer(option, Some((stage, reason)), lang)), columns),
        );
        let why = match reason {
            Standstill::BrokenOff => say!(lang, without_answer_next_novel_continue_goes),
            Standstill::NoAnswer | Standstill::NoRoom => say!(lang, without_answer_model_is_asked_again),
            Standstill::Long | Standstill::Language | Standstill::Task => {
                say!(lang, nothing_after_it_is_written_before)
            }
        };
        out.push_str(&format!("{}\n", paint(DIM, why)));
        if stage == Stage::ScenePlan {
            out.push_str(&format!("{}\n", paint(DIM, say!(lang, to_write_it_as_a_whole))));
        }
        if stage == Stage::Scene && reason == Standstill::BrokenOff {
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, to_plan_scenes_anew_as_well(chapter)))));
        }
        out
    }
}

/// A violation: the rule and the fault.
pub(super) fn told(check: &Check) -> String {
    format!("{} {}", check.rule, check.detail)
}

impl ChapterQuestion {
    pub fn of_pause(chapter: ChapterNo, title: &str, pause: &Pause, evaluation: &Evaluation, lang: Lang) -> Self {
        let overall = pause.overall.unwrap_or_default();
        let (score, n) = (figures::score(overall), pause.blocking);
        let unanswered: Vec<&str> = evaluation.unanswered().map(|check| check.rule.as_str()).collect();
        let placeholder = match evaluation.reading {
            true => "",
            false => say!(lang, offline_placeholder),
        };
        let rationale = match n {
            _ if pause.held => say!(lang, score_is_revision_has_passed_and(score, placeholder)),
            _ if evaluation.reading && !unanswered.is_empty() => {
                let list = unanswered.join(say!(lang, list_comma));
                say!(lang, judge_left_hard_rules_unanswered_asked(list, score))
            }
            0 => say!(lang, score_is_too_low_to_go(score, placeholder)),
            _ => say!(lang, score_is_with_to_be_dealt(score, placeholder, n)),
        };
        let violations = evaluation.blocking().map(told).collect();
        let unproven = evaluation.unproven().map(told).collect();
        let not_checked = match evaluation.reading {
            true => unanswered.into_iter().map(str::to_owned).collect(),
            false => Vec::new(),
        };
        let subject = DecisionSubject {
            chapter,
            title: title.to_owned(),
            score: overall,
            violations,
            unproven,
            not_checked,
            issues: evaluation.issues.clone(),
            later: Vec::new(),
            names: Names::default(),
        };
        let options = pause.options.iter().map(|option| option.as_str()).collect();
        Self::new("chapter", options, rationale, |option| format!("novel decide {option}"), subject)
    }

    /// Adds the chapters that are asked about later.
    #[must_use]
    pub fn before(mut self, later: Vec<LaterChapter>) -> Self {
        self.data.subject.later = later;
        self
    }

    /// Sets the names that the text has in place of ids.
    #[must_use]
    pub fn named(mut self, names: Names) -> Self {
        self.data.subject.names = names;
        self
    }

    /// The question, the reason, and the command for each answer.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let DecisionSubject { chapter, title, violations, unproven, issues, later, names, .. } = &self.data.subject;
        let rationale = names.within(&self.rationale, lang);
        let heading = paint(STRONG, &say!(lang, decision_what_about(chapter, title)));
        let mut out = format!("{heading}\n  {rationale}\n");
        for violation in violations {
            let violation = names.within(violation, lang);
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, decision_broken(violation)))));
        }
        for violation in unproven {
            let violation = names.within(violation, lang);
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, broken_but_unproven(violation)))));
        }
        for issue in issues {
            out.push_str(&format!("  - {}\n", names.within(issue, lang)));
        }
        out.push_str(&self.commands(&self.choices(lang, |option| named_answer(option, None, lang)), columns));
        if let Some(rule) = violations.iter().chain(unproven).find_map(|told| told.split_whitespace().next()) {
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, if_violation_is_meant_novel_waive(chapter, rule)))));
        }
        out.push_str(&format!("{}\n", paint(DIM, say!(lang, nothing_after_it_is_written_before))));
        out.push_str(&change::wish_hint(lang));
        out + &LaterChapter::text(later, lang)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateList {
    /// `candidates`, the waiting question.
    pub question: &'static str,
    pub chapter: ChapterNo,
    /// In the order of their numbers.
    pub candidates: Vec<CandidateEntry>,
    /// The best one's number by the judge's reports; `None` before each has one.
    pub best: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateEntry {
    pub number: u32,
    pub branch: String,
    pub title: String,
    pub words: u64,
    pub score: Option<f64>,
    pub blocking: usize,
    /// Blocking violations, each with the rule and the fault.
    pub violations: Vec<String>,
    pub issues: Vec<String>,
    pub text: String,
}

impl CandidateList {
    pub fn of(candidates: &Candidates) -> Self {
        let entry = |candidate: &Candidate| {
            let verdict = candidate.verdict.as_ref();
            let violations: Vec<String> =
                verdict.map(|verdict| verdict.blocking().map(told).collect()).unwrap_or_default();
            CandidateEntry {
                number: candidate.number,
                branch: candidate.branch.clone(),
                title: candidate.title.clone(),
                words: candidate.words,
                score: verdict.map(|verdict| verdict.overall()),
                blocking: violations.len(),
                violations,
                issues: verdict.map(|verdict| verdict.issues.clone()).unwrap_or_default(),
                text: candidate.text.clone(),
            }
        };
        let best = candidates.best().filter(|_| candidates.are_judged());
        Self {
            question: "candidates",
            chapter: candidates.chapter,
            candidates: candidates.all.iter().map(entry).collect(),
            best: best.map(|best| best.number),
        }
    }

    /// A line each, and the commands to look and to choose.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let (chapter, n) = (self.chapter, self.candidates.len());
        let mut out = format!("{}\n", paint(STRONG, &say!(lang, has_candidates_choose_one(chapter, n))));
        let mut table = Table::new(say!(lang, candidates_columns).split('|'), "rlrrrl", 1).indented(2);
        for entry in &self.candidates {
            let mark = if self.best == Some(entry.number) { "*" } else { "" };
            table.row([
                format!("{mark}{}", entry.number).into(),
                entry.title.as_str().into(),
                figures::count(entry.words).into(),
                entry.score.map(figures::score).unwrap_or_default().into(),
                entry.blocking.to_string().into(),
                Cell::painted(DIM, entry.branch.as_str()),
            ]);
        }
        out.push_str(&table.text(columns));
        let first = self.candidates.first().map_or("", |entry| entry.branch.as_str());
        let last = self.candidates.last().map_or("", |entry| entry.branch.as_str());
        let compare = paint(HINT, &format!("novel compare {first} {last}"));
        let best = self.best.unwrap_or(1);
        let pick = paint(HINT, &format!("novel decide pick --candidate {best}"));
        out.push_str(&say!(lang, side_by_side_choose_has_best(compare, pick)));
        out
    }
}
