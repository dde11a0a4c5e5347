//! The questions of the author's loop: what is to become of the trial chapters, a plan, a volume.

use super::lang::{Lang, say};
use super::style::{DIM, HINT, STRONG, paint};
use super::table::{Align, Cell, Table};
use super::words::Words;
use super::{figures, json};
use crate::domain::journey::{Answer, Asked};
use crate::pipeline::journey::Fact;
use serde::Serialize;

impl Words for Answer {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::GoOn => ("留下这三章，接着规划第一卷", "keep the chapters and plan the first volume"),
            Self::Style => ("换一种文风重写这三章", "write them again in another style"),
            Self::Subject => ("换个题材，从头来", "begin anew with another subject"),
            Self::Approve => ("批准，开始写", "approve it and begin to write"),
            Self::Edit => ("我先改改", "change it first"),
            Self::Reject => ("不要了，重新规划", "put it aside and plan again"),
            Self::NextVolume => ("规划下一卷", "plan the next volume"),
            Self::End => ("全书到此为止", "the book ends here"),
        }
    }
}

/// A question, in the shape of the agent protocol (§10.5).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename = "requires_user_decision")]
pub struct Question {
    /// What is recommended: the first of the options.
    #[serde(serialize_with = "json::name")]
    pub recommendation: Answer,
    /// What may be answered, the recommended answer first.
    #[serde(serialize_with = "json::names")]
    pub options: Vec<Answer>,
    /// Why it is asked.
    pub rationale: String,
    /// What the question is about.
    pub data: Subject,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// `trial`, `plan` or `volume`.
    pub about: &'static str,
    /// The chapters in question, with their scores.
    pub chapters: Vec<Scored>,
    /// The command for each option, in the order of the options.
    pub commands: Vec<String>,
}

/// A chapter and its score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored {
    /// Its number.
    pub chapter: u32,
    /// Its title.
    pub title: String,
    /// Its overall score.
    pub score: f64,
}

impl Question {
    /// The question with what the author should know before answering.
    #[must_use]
    pub fn of(asked: Asked, facts: &[Fact], lang: Lang) -> Self {
        let chapters: Vec<Scored> = facts
            .iter()
            .map(|fact| Scored { chapter: fact.chapter.get(), title: fact.title.clone(), score: fact.score })
            .collect();
        let mean = chapters.iter().map(|chapter| chapter.score).sum::<f64>() / chapters.len().max(1) as f64;
        let (mean, n) = (figures::score(mean), chapters.len());
        let (about, rationale) = match asked {
            Asked::Trial => {
                ("trial", say!(lang, "试写了 {n} 章，均分 {mean}", "{n} trial chapters, {mean} on average"))
            }
            Asked::Plan { volume, .. } => {
                ("plan", say!(lang, "{volume} 的计划等你过目", "the plan of {volume} waits for you"))
            }
            Asked::Volume(volume) => (
                "volume",
                say!(
                    lang,
                    "{volume} 写完了，{n} 章，均分 {mean}；回顾在 volumes/{volume}/review.md",
                    "{volume} is written: {n} chapters, {mean} on average; volumes/{volume}/review.md says more"
                ),
            ),
        };
        let options = asked.answers().to_vec();
        let commands = options.iter().map(|answer| format!("novel start --answer {answer}")).collect();
        let recommendation = options.first().copied().unwrap_or(Answer::Edit);
        Self { recommendation, options, rationale, data: Subject { about, chapters, commands } }
    }

    /// The question in one line.
    #[must_use]
    pub fn heading(&self, lang: Lang) -> String {
        let rationale = &self.rationale;
        say!(lang, "{rationale}。怎么办？", "{rationale}. What now?")
    }

    /// The answers in words, in the order of the options.
    #[must_use]
    pub fn choices(&self, lang: Lang) -> Vec<String> {
        let recommended = lang.pick("（推荐）", " (recommended)");
        let words = |answer: &Answer| {
            let mark = if *answer == self.recommendation { recommended } else { "" };
            format!("{}{mark}", answer.say(lang))
        };
        self.options.iter().map(words).collect()
    }

    /// The question, what it is about, and the command for each answer.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut out = format!("{}\n", paint(STRONG, &self.heading(lang)));
        let few = self.data.chapters.len() <= 5;
        for Scored { chapter, title, score } in self.data.chapters.iter().filter(|_| few) {
            let score = figures::score(*score);
            out.push_str(&paint(DIM, &format!("  ch-{chapter:03} {title}  {score}")));
            out.push('\n');
        }
        let mut table = Table::new([("", Align::Left), ("", Align::Left)], 1).indented(2);
        for (words, command) in self.choices(lang).iter().zip(&self.data.commands) {
            table.row([Cell::painted(HINT, command.as_str()), words.as_str().into()]);
        }
        out.push_str(&table.text(columns));
        out
    }
}
