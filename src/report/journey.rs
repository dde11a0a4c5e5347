//! The questions of the author's loop: what is to become of the trial chapters, a plan, the state's leftovers, a volume.

use super::lang::{Lang, say};
use super::question::Question;
use super::style::{DIM, STRONG, paint};
use super::words::Words;
use super::{figures, json};
use crate::domain::VolumeNo;
use crate::domain::cleanup::{Leftover, Reason};
use crate::domain::ending::{Course, Judgement};
use crate::domain::journey::{Answer, Asked};
use crate::pipeline::journey::Facts;
use serde::Serialize;

/// So many chapters are listed under a question; of more only the mean is told.
const LISTED: usize = 5;

impl Words for Answer {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::GoOn => ("留下这三章，接着规划第一卷", "keep the chapters and plan the first volume"),
            Self::Style => ("换一种文风重写这三章", "write them again in another style"),
            Self::Subject => ("换个题材，从头来", "begin anew with another subject"),
            Self::Approve => ("批准，开始写", "approve it and begin to write"),
            Self::Edit => ("我先改改", "change it first"),
            Self::Reject => ("不要了，重新规划", "put it aside and plan again"),
            Self::Clean => ("清理掉", "take them out"),
            Self::Keep => ("都留着", "keep them all"),
            Self::NextVolume => ("规划下一卷", "plan the next volume"),
            Self::WrapUp => ("再规划一卷，全书在那里收尾", "plan one more volume, which ends the book"),
            Self::End => ("全书到此为止", "the book ends here"),
        }
    }
}

impl Words for Course {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Continue => ("接着写", "going on"),
            Self::WrapUp => ("再写一卷收尾", "wrapping up"),
            Self::ForceEnd => ("到此为止", "ending here"),
        }
    }
}

impl Words for Reason {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Retired => ("人物已退场", "the character has left the story"),
            Self::Forgotten => ("再没有什么提到它", "nothing mentions it any more"),
        }
    }
}

/// A question of the author's loop.
pub type JourneyQuestion = Question<Subject>;

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// The volume.
    #[serde(serialize_with = "json::volume")]
    pub volume: VolumeNo,
    /// The chapters in question, with their scores.
    pub chapters: Vec<Scored>,
    /// How the book should go on, where a review has judged it.
    pub progress: Option<Progress>,
    /// The entries of the state that may go.
    pub cleanup: Vec<Entry>,
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

/// How the book should go on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// What the reviewer thinks: `continue`, `wrap_up` or `force_end`.
    #[serde(serialize_with = "json::name")]
    pub evaluation_result: Course,
    /// What is recommended: the same, or `force_end` after a volume that was planned as the last one.
    #[serde(serialize_with = "json::name")]
    pub recommended: Course,
    /// Why.
    pub reason: String,
    /// How many chapters the story still needs, by estimate.
    pub chapters_left: Option<u32>,
    /// Whether the volume was planned as the book's last one.
    pub closing: bool,
}

/// An entry of the state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// `items.old-ledger`.
    pub path: String,
    /// Why it may go.
    #[serde(serialize_with = "json::name")]
    pub reason: Reason,
}

impl Progress {
    /// What a review has judged.
    #[must_use]
    pub fn of(judged: &Judgement) -> Self {
        Self {
            evaluation_result: judged.course,
            recommended: judged.recommended(),
            reason: judged.reason.clone(),
            chapters_left: judged.chapters_left,
            closing: judged.closing,
        }
    }
}

impl Entry {
    /// The entries that a review has listed.
    #[must_use]
    pub fn all(leftovers: &[Leftover]) -> Vec<Self> {
        leftovers.iter().map(|left| Self { path: left.to_string(), reason: left.reason }).collect()
    }
}

impl JourneyQuestion {
    /// The question with what the author should know before answering. `command` is what an answer is given with.
    #[must_use]
    pub fn of(asked: Asked, facts: &Facts, command: &str, lang: Lang) -> Self {
        let chapters: Vec<Scored> = facts
            .chapters
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
            Asked::Cleanup(volume) => {
                let n = facts.judgement.as_ref().map_or(0, |judged| judged.leftovers.len());
                let things = figures::of(n as u64, "thing");
                (
                    "cleanup",
                    say!(
                        lang,
                        "{volume} 写完了，状态里有 {n} 条再也用不着",
                        "{volume} is written; its state holds {things} that nothing needs any more"
                    ),
                )
            }
            Asked::Volume { volume, .. } => (
                "volume",
                say!(
                    lang,
                    "{volume} 写完了，{n} 章，均分 {mean}",
                    "{volume} is written: {n} chapters, {mean} on average"
                ),
            ),
        };
        let judged = facts.judgement.as_ref();
        let subject = Subject {
            volume: asked.volume(),
            chapters,
            progress: judged.filter(|_| matches!(asked, Asked::Volume { .. })).map(Progress::of),
            cleanup: match asked {
                Asked::Cleanup(_) => judged.map(|judged| Entry::all(&judged.leftovers)).unwrap_or_default(),
                _ => Vec::new(),
            },
        };
        let options = asked.answers().iter().map(|answer| answer.as_str()).collect();
        Self::new(about, options, rationale, |option| format!("{command} {option}"), subject)
    }

    /// The question in one line.
    #[must_use]
    pub fn heading(&self, lang: Lang) -> String {
        let rationale = &self.rationale;
        say!(lang, "{rationale}。怎么办？", "{rationale}. What now?")
    }

    /// The answers in words, in the order of the options.
    #[must_use]
    pub fn answers(&self, lang: Lang) -> Vec<String> {
        self.choices(lang, |option| option.parse::<Answer>().map_or(option, |answer| answer.say(lang)).to_owned())
    }

    /// What the author should see before answering, a line each; empty where the heading says all.
    #[must_use]
    pub fn details(&self, lang: Lang) -> String {
        let Subject { volume, chapters, progress, cleanup } = &self.data.subject;
        let mut lines: Vec<String> = Vec::new();
        for Scored { chapter, title, score } in chapters.iter().filter(|_| chapters.len() <= LISTED) {
            let score = figures::score(*score);
            lines.push(format!("ch-{chapter:03} {title}  {score}"));
        }
        lines.extend(cleanup.iter().map(|entry| {
            let (path, reason) = (&entry.path, entry.reason.say(lang));
            say!(lang, "{path}：{reason}", "{path}: {reason}")
        }));
        if let Some(progress) = progress {
            lines.push(progress.text(lang));
            lines.push(say!(lang, "回顾全文: novel review {volume}", "the whole review: novel review {volume}"));
        }
        lines.iter().map(|line| format!("  {}\n", paint(DIM, line))).collect()
    }

    /// The question, what it is about, and the command for each answer.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let heading = paint(STRONG, &self.heading(lang));
        format!("{heading}\n{}{}", self.details(lang), self.commands(&self.answers(lang), columns))
    }
}

impl Progress {
    /// The judgement in one line.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let course = self.evaluation_result.say(lang);
        let mut line = match self.closing {
            true => say!(
                lang,
                "这一卷是按最后一卷写的；编审的看法是{course}",
                "the volume was planned as the last one; the reviewer is for {course}"
            ),
            false => say!(lang, "编审的看法是{course}", "the reviewer is for {course}"),
        };
        if let Some(left) = self.chapters_left.filter(|left| *left > 0) {
            line.push_str(&say!(lang, "，估计还要 {left} 章", ", with about {left} chapters to go"));
        }
        let reason = &self.reason;
        if !reason.is_empty() {
            line.push_str(&say!(lang, "。{reason}", ": {reason}"));
        }
        line
    }
}
