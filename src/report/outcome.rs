//! What became of a chapter: a line for people, the result objects of the agent protocol (§10.1, §10.5) for programs.

use super::decision::ChapterQuestion;
use super::lang::{Lang, say};
use super::style::{BAD, DIM, GOOD, WARN, paint};
use super::words::Words;
use super::{figures, json};
use crate::domain::ChapterNo;
use crate::domain::gate::Gate;
use serde::Serialize;

/// What became of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// It is part of the book.
    Completed(Completed),
    /// It breaks a contract, and waits.
    Conflict(Conflict),
    /// The author has to decide.
    Decision(ChapterQuestion),
}

/// An accepted chapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "status", rename = "completed")]
pub struct Completed {
    /// Its number.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its words.
    pub word_count: u32,
    /// Its overall score.
    pub quality_score: f64,
    /// What happens in it, in one sentence.
    pub summary: String,
    /// What the gate did last.
    #[serde(serialize_with = "json::name")]
    pub gate: Gate,
    /// Revisions by the strong model.
    pub revisions: u32,
    /// What the calls cost as far as prices are known, in millionths of a US dollar; dollars in JSON.
    #[serde(rename = "known_cost_usd", serialize_with = "json::usd")]
    pub cost_micro_usd: u64,
    /// Calls whose price is unknown.
    pub unknown_cost_calls: u32,
    /// Wall time in milliseconds.
    pub duration_ms: u64,
    /// The commit, shortened.
    pub commit: String,
    /// Dropped operations, repaired replies, a length outside the range.
    pub warnings: Vec<String>,
}

/// A chapter that breaks a contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename = "conflict_detected")]
pub struct Conflict {
    /// Its number.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// What is broken, and where.
    pub detail: String,
    /// How bad it is: `high`, `medium` or `low`.
    pub severity: String,
    /// The rules that are broken, by id.
    pub rules: Vec<String>,
    /// The command to type next.
    pub next: String,
}

impl Outcome {
    /// One line and its warnings, or the question.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        match self {
            Self::Completed(completed) => completed.text(lang),
            Self::Conflict(conflict) => conflict.text(lang),
            Self::Decision(question) => question.text(lang, columns),
        }
    }
}

impl Completed {
    fn text(&self, lang: Lang) -> String {
        let Self { chapter, title, .. } = self;
        let words = figures::count(u64::from(self.word_count));
        let score = figures::score(self.quality_score);
        let style = if self.gate == Gate::ForcePass { WARN } else { GOOD };
        let revisions = figures::of(u64::from(self.revisions), "revision");
        let gate = match (self.gate, self.revisions) {
            (Gate::Polish, 0) => lang.pick("再润色后通过", "passed after a second polish").to_owned(),
            (Gate::Pass | Gate::Polish, n) if n > 0 => say!(lang, "修订 {n} 次后通过", "passed after {revisions}"),
            (Gate::ForcePass, n) => say!(lang, "修订 {n} 次后强制通过", "force-passed after {revisions}"),
            (gate, _) => gate.say(lang).to_owned(),
        };
        let (gate, time) = (paint(style, &gate), figures::duration(self.duration_ms));
        let mut cost = figures::money(self.cost_micro_usd);
        if self.unknown_cost_calls > 0 {
            let n = self.unknown_cost_calls;
            let calls = figures::of(u64::from(n), "call");
            cost.push_str(&say!(lang, "+{n} 次价格未知", " + {calls} of unknown price"));
        }
        let commit = paint(DIM, &self.commit);
        let mut text = say!(
            lang,
            "{chapter} {title}  {words} 字  {score} {gate}  {cost}  {time}  {commit}\n",
            "{chapter} {title}  {words} words  {score} {gate}  {cost}  {time}  {commit}\n"
        );
        for warning in &self.warnings {
            text.push_str(&format!("  {}\n", paint(WARN, &say!(lang, "注意: {warning}", "warning: {warning}"))));
        }
        text
    }
}

impl Conflict {
    fn text(&self, lang: Lang) -> String {
        let Self { chapter, detail, next, .. } = self;
        let rules = self.rules.join(lang.pick("、", ", "));
        let mark = paint(BAD, lang.pick("有冲突", "conflict"));
        say!(
            lang,
            "{chapter} {mark}（{rules}）：{detail}\n下一步: {next}\n",
            "{chapter} {mark} ({rules}): {detail}\nnext: {next}\n"
        )
    }
}
