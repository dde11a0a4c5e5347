//! The questions of the author's loop: what is to become of the trial chapters, a plan, the state's leftovers, a volume.

mod contract;
pub mod subject;

use super::estimate::Estimate;
use super::figures;
use super::lang::{Lang, say};
use super::question::Question;
use super::style::{DIM, STRONG, paint};
use super::words::Words;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::book::estimate::Price;
use crate::pipeline::workflow::{Facts, Position};
use contract::Contract;
use subject::{Entry, Progress, Scored, Subject, Whereabouts};

/// So many chapters are listed under a question; of more only the mean is told.
const LISTED: usize = 5;

impl Words for Answer {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::GoOn => ("留下这三章，接着规划第一卷", "keep the chapters and plan the first volume"),
            Self::Style => ("换一种文风重写这三章", "write them again in another style"),
            Self::Subject => ("换个题材，从头来", "begin again with another subject"),
            Self::Approve => ("批准", "approve it"),
            Self::Edit => ("我先改改", "change it first"),
            Self::Reject => ("不要了，重新规划", "put it aside and plan again"),
            Self::Clean => ("清理掉", "take them out"),
            Self::Keep => ("都留着", "keep them all"),
            Self::NextVolume => ("规划下一卷", "plan the next volume"),
            Self::WrapUp => ("再规划一卷，全书在那里收尾", "plan one more volume, which ends the book"),
            Self::End => ("全书到此为止", "the book ends here"),
            Self::Found => {
                ("搭世界、主题和人物，再试写三章", "make world, theme and people, then three trial chapters")
            }
            Self::FoundOnly => ("只搭世界、主题和人物，先看看", "make world, theme and people only, to look at first"),
            Self::WriteOne => ("写一章", "write one chapter"),
            Self::WriteFive => ("写五章", "write five chapters"),
            Self::WriteVolume => ("写到计划的末尾", "write all planned chapters"),
            Self::Plan => ("规划这一卷", "plan the volume"),
            Self::Review => ("回顾这一卷", "review the volume"),
            Self::Preset => ("用合这个题材的内置文风", "the built-in style that fits the genre"),
            Self::Samples => ("用我自己的样稿", "my own prose, from samples"),
            Self::Reference => ("仿一位作者：给一段原文", "another author's, from a text of theirs"),
            Self::ExtractLater => ("先写一章，再从写成的章节提取", "write a chapter first and draw the style from it"),
            Self::Research => ("收进研究资料", "take in research notes"),
            Self::LookBack => ("看看写成的质量", "look at the figures of what is written"),
            Self::More => ("别的", "something else"),
            Self::Stop => ("先到这里", "stop here for now"),
        }
    }
}

/// A question of the author's loop.
pub type JourneyQuestion = Question<Subject>;

/// An offer before a move is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The move.
    pub step: NextStep,
    /// The choices, the recommended one first.
    pub choices: Vec<Answer>,
    /// The likely cost of each.
    pub prices: Vec<Option<Price>>,
    /// How many chapters a volume would get that is planned now.
    pub chapters: u32,
    /// The built-in style that fits the genre, by name.
    pub preset: &'static str,
}

impl JourneyQuestion {
    /// The question that offers the choices before a move. `command` is the command line before a choice.
    #[must_use]
    pub fn offer(offer: &Offer, position: &Position, command: &str, lang: Lang) -> Self {
        let (written, planned) = (position.written, position.planned);
        let (about, rationale) = match offer.step {
            NextStep::Style => ("style", lang.pick("还没有选定文风", "no style has been chosen").to_owned()),
            NextStep::Take(_) => (
                "found",
                lang.pick("世界、主题、人物还没有齐", "world, theme and people are not complete yet").to_owned(),
            ),
            NextStep::PlanTrial => (
                "found",
                lang.pick(
                    "世界、主题和人物齐了，可以试写三章",
                    "world, theme and people are there; three chapters can be tried",
                )
                .to_owned(),
            ),
            NextStep::PlanVolume(volume) => {
                let chapters = offer.chapters;
                (
                    "plan-volume",
                    say!(
                        lang,
                        "{volume} 还没有计划；按 {chapters} 章规划（--chapters 可改）",
                        "{volume} has no plan yet; it would get {chapters} chapters (--chapters changes that)"
                    ),
                )
            }
            NextStep::Review(volume) => {
                ("review", say!(lang, "{volume} 写完了，还没有回顾", "{volume} is written and not reviewed yet"))
            }
            _ => {
                let left = planned.saturating_sub(written);
                let next = written + 1;
                (
                    "write",
                    say!(
                        lang,
                        "下一章是第 {next} 章，计划里还有 {left} 章没写",
                        "chapter {next} comes next; {left} planned chapters are not written"
                    ),
                )
            }
        };
        let subject = Subject {
            volume: position.volume,
            position: Whereabouts::of(position),
            estimates: offer.prices.iter().copied().map(Estimate::of).collect(),
            preset: (offer.step == NextStep::Style).then_some(offer.preset),
            contracts: Vec::new(),
            chapters: Vec::new(),
            progress: None,
            cleanup: Vec::new(),
        };
        let options = offer.choices.iter().map(|choice| choice.as_str()).collect();
        Self::new(about, options, rationale, |option| format!("{command} {option}"), subject)
    }

    /// The question with what the author should know before answering. `command` is what an answer is given with.
    #[must_use]
    pub fn of(asked: BookQuestion, facts: &Facts, command: &str, lang: Lang) -> Self {
        let chapters: Vec<Scored> = facts
            .chapters
            .iter()
            .map(|fact| Scored { chapter: fact.chapter.get(), title: fact.title.clone(), score: fact.score })
            .collect();
        let mean = chapters.iter().map(|chapter| chapter.score).sum::<f64>() / chapters.len().max(1) as f64;
        let (mean, n) = (figures::score(mean), chapters.len());
        let (about, rationale) = match asked {
            BookQuestion::Trial => {
                ("trial", say!(lang, "试写了 {n} 章，均分 {mean}", "{n} trial chapters, {mean} on average"))
            }
            BookQuestion::Plan { volume, .. } => {
                ("plan", say!(lang, "{volume} 的计划等你过目", "the plan of {volume} waits for you"))
            }
            BookQuestion::Contracts { step, .. } => {
                let (n, what) = (facts.contracts.len(), step.say(lang));
                let changes = figures::of(n as u64, "change");
                (
                    "contracts",
                    say!(
                        lang,
                        "{what}：{n} 处规则或契约的改动等你批准",
                        "{what}: {changes} of rules or contracts to approve"
                    ),
                )
            }
            BookQuestion::Cleanup(volume) => {
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
            BookQuestion::Volume { volume, .. } => (
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
            position: Whereabouts::of(&facts.position),
            estimates: facts.prices.iter().copied().map(Estimate::of).collect(),
            preset: None,
            contracts: facts.contracts.iter().map(Contract::of).collect(),
            chapters,
            progress: judged.filter(|_| matches!(asked, BookQuestion::Volume { .. })).map(Progress::of),
            cleanup: match asked {
                BookQuestion::Cleanup(_) => judged.map(|judged| Entry::all(&judged.leftovers)).unwrap_or_default(),
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
        let named = self.choices(lang, |option| {
            let words = option.parse::<Answer>().map_or(option, |answer| answer.say(lang));
            match (option, self.data.subject.preset) {
                ("preset", Some(name)) => say!(lang, "{words}「{name}」", "{words}: {name}"),
                _ => words.to_owned(),
            }
        });
        let mut prices = self.data.subject.estimates.iter().map(|estimate| estimate.text(lang));
        named.into_iter().map(|words| words + &prices.next().unwrap_or_default()).collect()
    }

    /// The position in one line.
    #[must_use]
    pub fn position(&self, lang: Lang) -> String {
        let subject = &self.data.subject;
        paint(DIM, &subject.position.text(subject.volume, lang))
    }

    /// What the author should see before answering, a line each; empty where the heading says all.
    #[must_use]
    pub fn details(&self, lang: Lang) -> String {
        let Subject { volume, chapters, progress, cleanup, .. } = &self.data.subject;
        let mut lines: Vec<String> = Vec::new();
        for Scored { chapter, title, score } in chapters.iter().filter(|_| chapters.len() <= LISTED) {
            let score = figures::score(*score);
            lines.push(format!("ch-{chapter:03} {title}  {score}"));
        }
        lines.extend(self.data.subject.contracts.iter().flat_map(|contract| contract.lines(lang)));
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
        let position = self.position(lang);
        format!("{position}\n{heading}\n{}{}", self.details(lang), self.commands(&self.answers(lang), columns))
    }
}
