//! The questions of the author's loop: what is to become of the trial chapters, a plan, the state's leftovers, a volume.

use super::estimate::Estimate;
use super::lang::{Lang, say};
use super::question::Question;
use super::style::{DIM, STRONG, paint};
use super::words::Words;
use super::{figures, json};
use crate::domain::VolumeNo;
use crate::domain::book::checkpoint::Phase;
use crate::domain::state::cleanup::{Leftover, Reason};
use crate::domain::volume::ending::{Judgement, Recommendation};
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::domain::world::contract::Strength;
use crate::pipeline::book::estimate::Price;
use crate::pipeline::planning::approval::{self, ContractChange};
use crate::pipeline::workflow::{Facts, Position};
use serde::Serialize;

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

impl Words for Recommendation {
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
    /// The book's position.
    pub position: Whereabouts,
    /// The likely cost of each option, in the order of the options.
    pub estimates: Vec<Estimate>,
    /// The built-in style that fits the genre, where a style is to be chosen.
    pub preset: Option<&'static str>,
    /// The rules and contracts that an agent wants to change.
    pub contracts: Vec<Contract>,
    /// The chapters in question, with their scores.
    pub chapters: Vec<Scored>,
    /// How the book should go on, where a review has judged it.
    pub progress: Option<Progress>,
    /// The entries of the state that may go.
    pub cleanup: Vec<Entry>,
}

/// A rule or a contract before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contract {
    /// `W-001`, `C-LINFENG-001`.
    pub id: String,
    /// The person's name; null for a rule of the world.
    pub owner: Option<String>,
    /// Before; null for one that is added.
    pub was: Option<Terms>,
    /// After; null for one that goes.
    pub is: Option<Terms>,
}

/// A rule or a contract as far as it binds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Terms {
    /// The rule.
    pub rule: String,
    /// `hard` or `soft`; null for a person's contract.
    #[serde(serialize_with = "json::maybe_name")]
    pub strength: Option<Strength>,
    /// When it does not hold.
    pub exceptions: Vec<String>,
    /// The event that must happen before it may change.
    pub update_requires: Option<String>,
}

impl Contract {
    fn of(change: &ContractChange) -> Self {
        let terms = |terms: &approval::Terms| {
            let approval::Terms { rule, strength, exceptions, update_requires } = terms.clone();
            Terms { rule, strength, exceptions, update_requires }
        };
        let (was, is) = (change.was.as_ref().map(terms), change.is.as_ref().map(terms));
        Self { id: change.id.clone(), owner: change.owner.clone(), was, is }
    }

    /// The change in a few lines: the old terms above the new ones.
    fn lines(&self, lang: Lang) -> Vec<String> {
        let owner = self.owner.as_ref().map(|owner| format!(" {owner}")).unwrap_or_default();
        let how = match (&self.was, &self.is) {
            (None, _) => lang.pick("（新添）", " (added)"),
            (_, None) => lang.pick("（去掉）", " (taken out)"),
            _ => lang.pick("（改动）", " (changed)"),
        };
        let old = self.was.as_ref().map(|terms| format!("  - {}", terms.text(lang)));
        let new = self.is.as_ref().map(|terms| format!("  + {}", terms.text(lang)));
        std::iter::once(format!("{}{owner}{how}", self.id)).chain(old).chain(new).collect()
    }
}

impl Terms {
    fn text(&self, lang: Lang) -> String {
        let mut text = self.rule.clone();
        if let Some(strength) = self.strength {
            text.push_str(match strength {
                Strength::Hard => lang.pick("［硬］", " [hard]"),
                Strength::Soft => lang.pick("［软］", " [soft]"),
            });
        }
        if !self.exceptions.is_empty() {
            let list = self.exceptions.join(lang.pick("、", ", "));
            text.push_str(&say!(lang, "；例外：{list}", "; except: {list}"));
        }
        if let Some(requires) = self.update_requires.as_ref().filter(|requires| !requires.is_empty()) {
            text.push_str(&say!(lang, "；变更须：{requires}", "; to change it: {requires}"));
        }
        text
    }
}

/// The book's position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Whereabouts {
    /// Its title; may be empty.
    pub title: String,
    /// The phase of the author's loop.
    #[serde(serialize_with = "json::name")]
    pub phase: Phase,
    /// The last accepted chapter; 0 before the first.
    pub last_completed: u32,
    /// The last planned chapter of the volume; 0 where nothing is planned.
    pub planned: u32,
    /// The known cost up to now.
    #[serde(serialize_with = "json::usd")]
    pub known_cost_usd: u64,
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
    pub evaluation_result: Recommendation,
    /// What is recommended: the same, or `force_end` after a volume that was planned as the last one.
    #[serde(serialize_with = "json::name")]
    pub recommended: Recommendation,
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

impl Whereabouts {
    /// The book's position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self {
            title: position.title.clone(),
            phase: position.phase,
            last_completed: position.written,
            planned: position.planned,
            known_cost_usd: position.spent_micro_usd,
        }
    }

    /// The position in one line.
    #[must_use]
    pub fn text(&self, volume: VolumeNo, lang: Lang) -> String {
        let title = if self.title.is_empty() { lang.pick("未命名", "untitled") } else { &self.title };
        let (phase, spent, volume) = (self.phase.say(lang), figures::money(self.known_cost_usd), volume.get());
        let (done, planned) = (self.last_completed, self.planned);
        match (done, planned > done) {
            (0, false) => say!(
                lang,
                "《{title}》 还没有章节 · {phase} · 已花 {spent}",
                "{title}: no chapters yet · {phase} · {spent} so far"
            ),
            (_, true) => say!(
                lang,
                "《{title}》 写到第 {done} 章，计划到第 {planned} 章 · 第 {volume} 卷 · {phase} · 已花 {spent}",
                "{title}: {done} of {planned} chapters · volume {volume} · {phase} · {spent} so far"
            ),
            _ => say!(
                lang,
                "《{title}》 写到第 {done} 章 · 第 {volume} 卷 · {phase} · 已花 {spent}",
                "{title}: {done} chapters · volume {volume} · {phase} · {spent} so far"
            ),
        }
    }
}

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
