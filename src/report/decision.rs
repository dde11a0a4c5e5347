//! A question to the author: what is to become of a chapter.

use super::lang::{Lang, say};
use super::style::{DIM, HINT, STRONG, WARN, paint};
use super::table::{Align, Table};
use super::words::Words;
use super::{figures, json};
use crate::domain::ChapterNo;
use crate::domain::evaluation::Evaluation;
use crate::domain::stage::{Decision, Pause};
use serde::Serialize;

/// A question, in the shape of the agent protocol (§10.5).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename = "requires_user_decision")]
pub struct Question {
    /// What is recommended: the first of the options.
    #[serde(serialize_with = "json::maybe_name")]
    pub recommendation: Option<Decision>,
    /// What may be chosen, the recommended one first.
    #[serde(serialize_with = "json::names")]
    pub options: Vec<Decision>,
    /// Why it is asked.
    pub rationale: String,
    /// What the question is about.
    pub data: Subject,
}

/// The chapter a question is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// Its number.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its overall score.
    pub score: f64,
    /// The violations that block, each with the rule and what is wrong.
    pub violations: Vec<String>,
    /// Problems in the judge's words.
    pub issues: Vec<String>,
    /// The command for each option, in the order of the options.
    pub commands: Vec<String>,
}

impl Question {
    /// The question that a paused chapter asks.
    #[must_use]
    pub fn of_pause(chapter: ChapterNo, title: &str, pause: &Pause, evaluation: &Evaluation, lang: Lang) -> Self {
        let (score, n) = (figures::score(pause.overall), pause.blocking);
        let violations = figures::of(n as u64, "violation");
        let rationale = match n {
            0 => say!(lang, "评分 {score}，不够自动通过", "the score is {score}, too low to go on without you"),
            _ => say!(
                lang,
                "评分 {score}，另有 {n} 处必须处理的违反",
                "the score is {score}, with {violations} to be dealt with"
            ),
        };
        let violations = evaluation.blocking().map(|check| format!("{} {}", check.rule, check.detail)).collect();
        Self {
            recommendation: pause.options.first().copied(),
            options: pause.options.clone(),
            rationale,
            data: Subject {
                chapter,
                title: title.to_owned(),
                score: pause.overall,
                violations,
                issues: evaluation.issues.clone(),
                commands: pause.options.iter().map(|option| format!("novel decide {option}")).collect(),
            },
        }
    }

    /// The question, why it is asked, and the command for each answer.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let Subject { chapter, title, violations, issues, commands, .. } = &self.data;
        let rationale = &self.rationale;
        let heading = paint(STRONG, &say!(lang, "{chapter} {title}：怎么办？", "What about {chapter} {title}?"));
        let mut out = format!("{heading}\n  {rationale}\n");
        for violation in violations {
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, "违反 {violation}", "broken: {violation}"))));
        }
        for issue in issues {
            out.push_str(&format!("  - {issue}\n"));
        }
        let mut table = Table::new([("", Align::Left), ("", Align::Left)], 1).indented(2);
        for (option, command) in self.options.iter().zip(commands) {
            let mut words = option.say(lang).to_owned();
            if Some(*option) == self.recommendation {
                words.push_str(lang.pick("（推荐）", " (recommended)"));
            }
            table.row([super::table::Cell::painted(HINT, command.as_str()), words.into()]);
        }
        out.push_str(&table.text(columns));
        let why = lang.pick("作答之前，后面的章节不会动。", "Nothing after it is written before you answer.");
        out.push_str(&format!("{}\n", paint(DIM, why)));
        out
    }
}
