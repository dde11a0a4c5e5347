//! Questions of the author's loop: about trial chapters, a plan, clean-up of the state, a volume.
//! The facts beside a question of the author's loop: the book's position, scores, and a review's judgement.
//! Changes of rules and contracts that wait for the author.

use crate::domain::VolumeNo;
use crate::domain::impact::ItemKind;
use crate::domain::state::cleanup::{CleanupReason, Leftover};
use crate::domain::volume::{Judgement, Recommendation};
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::domain::world::contract::Strength;
use crate::pipeline::book::estimate::Price;
use crate::pipeline::planning::approval::{ContractChange, Terms};
use crate::pipeline::workflow::{Position, QuestionChapter, QuestionFacts};
use crate::report::change;
use crate::report::prelude::*;
use crate::report::question::{Question, commands};
use serde::Deserialize;

/// Chapters listed under a question; of more only the mean is shown.
const LISTED: usize = 5;

impl Words for Answer {}

pub type JourneyQuestion = Question<JourneySubject>;

/// Choices before a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    pub step: NextStep,
    /// The choices, the recommended one first.
    pub choices: Vec<Answer>,
    /// The likely cost of each choice.
    pub prices: Vec<Option<Price>>,
    /// The number of chapters of a volume planned now.
    pub chapters: u32,
    /// The built-in style for the genre, by name.
    pub preset: &'static str,
}

impl JourneyQuestion {
    /// The question with the choices before a step. `command` is the command line before a choice.
    pub fn offer(offer: &Offer, position: &Position, command: &str, lang: Lang) -> Self {
        let (written, planned) = (position.written, position.planned);
        let (about, rationale) = match offer.step {
            NextStep::Style => ("style", say!(lang, no_style_has_been_chosen).to_owned()),
            NextStep::Take(_) => ("found", say!(lang, world_theme_and_people_are_not).to_owned()),
            NextStep::PlanTrial => ("found", say!(lang, world_theme_and_people_are_there).to_owned()),
            NextStep::PlanVolume(volume) => {
                ("plan-volume", say!(lang, has_no_plan_yet_it_would(volume, chapters = offer.chapters)))
            }
            NextStep::Review(volume) => ("review", say!(lang, is_written_and_not_reviewed_yet(volume))),
            _ => {
                let left = planned.saturating_sub(written);
                ("write", say!(lang, chapter_comes_next_planned_chapters_are(next = written + 1, left)))
            }
        };
        let preset = (offer.step == NextStep::Style).then_some(offer.preset);
        let subject = JourneySubject { preset, ..JourneySubject::at(position.volume, position, &offer.prices) };
        let options = offer.choices.iter().map(|choice| choice.as_str()).collect();
        Self::new(about, options, rationale, |option| format!("{command} {option}"), subject)
    }

    /// The question with the facts for the author. `command` is the command line before an answer.
    pub fn of(asked: BookQuestion, facts: &QuestionFacts, command: &str, lang: Lang) -> Self {
        let chapters = &facts.chapters;
        let mean = chapters.iter().map(|chapter| chapter.score).sum::<f64>() / chapters.len().max(1) as f64;
        let (mean, n) = (figures::score(mean), chapters.len());
        let (about, rationale) = match asked {
            BookQuestion::Trial => ("trial", say!(lang, trial_chapters_on_average(n, mean))),
            BookQuestion::Plan { volume, .. } => ("plan", say!(lang, journey_plan_of_waits_for_you(volume))),
            BookQuestion::Contracts { step, .. } => {
                let (n, what) = (facts.contracts.len(), step.say(lang));
                ("contracts", say!(lang, of_rules_or_contracts_to_approve(what, n)))
            }
            BookQuestion::Contract { chapter, .. } => ("contract", say!(lang, section_and_contract_differ(chapter))),
            BookQuestion::Cleanup(volume) => {
                let n = facts.judgement.as_ref().map_or(0, |judged| judged.leftovers.len());
                ("cleanup", say!(lang, is_written_its_state_holds_that(volume, n)))
            }
            BookQuestion::Volume { volume, .. } => {
                ("volume", say!(lang, is_written_chapters_on_average(volume, n, mean)))
            }
        };
        let judged = facts.judgement.as_ref();
        let subject = JourneySubject {
            contracts: facts.contracts.clone(),
            chapters: chapters.clone(),
            progress: judged.filter(|_| matches!(asked, BookQuestion::Volume { .. })).map(ReviewOpinion::of),
            cleanup: match asked {
                BookQuestion::Cleanup(_) => judged.map(|judged| judged.leftovers.clone()).unwrap_or_default(),
                _ => Vec::new(),
            },
            ..JourneySubject::at(asked.volume(), &facts.position, &facts.prices)
        };
        let options = asked.answers().iter().map(|answer| answer.as_str()).collect();
        Self::new(about, options, rationale, |option| format!("{command} {option}"), subject)
    }

    /// Sets the names that the text has in place of ids.
    #[must_use]
    pub fn named(mut self, names: Names) -> Self {
        self.data.subject.names = names;
        self
    }

    pub fn heading(&self, lang: Lang) -> String {
        say!(lang, what_now(rationale = &self.rationale))
    }

    /// The answers in words, in the order of the options.
    pub fn answers(&self, lang: Lang) -> Vec<String> {
        let named = self.choices(lang, |option| {
            let words = option.parse::<Answer>().map_or(option, |answer| answer.say(lang));
            match (option, self.data.subject.preset) {
                ("preset", Some(name)) => say!(lang, journey_words_name(words, name)),
                ("reject", _) if self.data.about == "plan" => say!(lang, put_it_aside_and_plan_again).to_owned(),
                ("keep", _) if self.data.about == "contract" => say!(lang, answer_keep_contract).to_owned(),
                _ => words.to_owned(),
            }
        });
        let mut prices = self.data.subject.estimates.iter().map(|estimate| estimate.text(lang));
        named.into_iter().map(|words| words + &prices.next().unwrap_or_default()).collect()
    }

    /// Reading what the question is about, in words and by its command: trial chapters, or a review.
    pub fn reading(&self, lang: Lang) -> Option<(String, String)> {
        let volume = self.data.subject.volume;
        match (self.data.about, self.data.subject.chapters.first()) {
            ("trial", Some(first)) => {
                Some((say!(lang, read_trial_chapters).to_owned(), format!("novel show {}", first.chapter.get())))
            }
            ("volume", _) if self.data.subject.progress.is_some() => {
                Some((say!(lang, read_review).to_owned(), format!("novel review {volume}")))
            }
            ("cleanup", _) => Some((say!(lang, read_review).to_owned(), format!("novel review {volume}"))),
            _ => None,
        }
    }

    /// The book's position in one line.
    pub fn position(&self, lang: Lang) -> String {
        let subject = &self.data.subject;
        paint(DIM, &whereabouts(&subject.position, subject.volume, lang))
    }

    /// Details before answering, a line each; empty if the heading says all.
    pub fn details(&self, lang: Lang) -> String {
        let JourneySubject { chapters, progress, cleanup, names, .. } = &self.data.subject;
        let mut lines: Vec<String> = Vec::new();
        for QuestionChapter { chapter, title, score } in chapters.iter().filter(|_| chapters.len() <= LISTED) {
            let score = figures::score(*score);
            lines.push(format!("{chapter} {title}  {score}"));
        }
        let changes = self.data.subject.contracts.iter().flat_map(|change| contract_lines(change, names, lang));
        lines.extend(changes);
        lines.extend(cleanup.iter().map(|entry| {
            say!(
                lang,
                rebuild_path_reason(path = names.path(&entry.to_string(), lang), reason = entry.reason.say(lang))
            )
        }));
        if let Some(progress) = progress {
            lines.push(names.within(&progress.text(lang), lang));
        }
        lines.iter().map(|line| format!("  {}\n", paint(DIM, line))).collect()
    }

    /// The question, its subject, and the command for each answer.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let heading = paint(STRONG, &self.heading(lang));
        let position = self.position(lang);
        let (mut words, mut typed) = (self.answers(lang), self.data.commands.clone());
        if let Some((reading, command)) = self.reading(lang) {
            words.push(reading);
            typed.push(command);
        }
        let comes_before_chapters = matches!(self.data.about, "write" | "trial" | "plan-volume" | "volume");
        let wish = if comes_before_chapters { change::wish_hint(lang) } else { String::new() };
        format!("{position}\n{heading}\n{}{}{wish}", self.details(lang), commands(&typed, &words, columns))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JourneySubject {
    pub volume: VolumeNo,
    pub position: Position,
    /// In the order of the options.
    pub estimates: Vec<Estimate>,
    /// The built-in style for the genre, in a choice of style.
    pub preset: Option<&'static str>,
    /// Rules and contracts that an agent wants to change.
    pub contracts: Vec<ContractChange>,
    pub chapters: Vec<QuestionChapter>,
    /// The review's judgement, if any.
    pub progress: Option<ReviewOpinion>,
    /// Entries of the state that may go.
    pub cleanup: Vec<Leftover>,
    #[serde(skip)]
    pub names: Names,
}

impl JourneySubject {
    /// The place of a question, without any other facts.
    fn at(volume: VolumeNo, position: &Position, prices: &[Option<Price>]) -> Self {
        Self {
            volume,
            position: position.clone(),
            estimates: prices.iter().copied().map(Estimate::of).collect(),
            preset: None,
            contracts: Vec::new(),
            chapters: Vec::new(),
            progress: None,
            cleanup: Vec::new(),
            names: Names::default(),
        }
    }
}

pub fn whereabouts(position: &Position, volume: VolumeNo, lang: Lang) -> String {
    let title = if position.title.is_empty() { say!(lang, untitled) } else { &position.title };
    let (phase, spent) = (position.phase.say(lang), figures::money(position.spent_micro_usd, lang));
    let (done, planned, volume) = (position.written, position.planned, volume.get());
    match (done, planned > done) {
        (0, false) => say!(lang, no_chapters_yet_so_far(title, phase, spent)),
        (_, true) => say!(lang, journey_progress_planned(title, done, planned, volume, phase, spent)),
        _ => say!(lang, journey_progress(title, done, volume, phase, spent)),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewOpinion {
    /// The reviewer's opinion: `continue`, `wrap_up` or `force_end`.
    pub evaluation_result: Recommendation,
    /// The reviewer's opinion, or `force_end` after a volume that was planned as the last one.
    pub recommended: Recommendation,
    pub reason: String,
    /// The estimate of chapters that the story still needs.
    pub chapters_left: Option<u32>,
    /// True for a volume planned as the last one.
    pub closing: bool,
}

impl ReviewOpinion {
    pub fn of(judged: &Judgement) -> Self {
        Self {
            evaluation_result: judged.course,
            recommended: judged.recommended(),
            reason: judged.reason.clone(),
            chapters_left: judged.chapters_left,
            closing: judged.closing,
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        let course = self.evaluation_result.say(lang);
        let mut line = match self.closing {
            true => say!(lang, volume_was_planned_as_last_one(course)),
            false => say!(lang, reviewer_is_for(course)),
        };
        if let Some(left) = self.chapters_left.filter(|left| *left > 0) {
            line.push_str(&say!(lang, with_about_chapters_to_go(left)));
        }
        let reason = &self.reason;
        if !reason.is_empty() {
            line.push_str(&say!(lang, subject_reason(reason)));
        }
        line
    }
}

impl Words for Recommendation {}

impl Words for CleanupReason {}

/// The old terms above the new ones.
pub(super) fn contract_lines(change: &ContractChange, names: &Names, lang: Lang) -> Vec<String> {
    let what = match &change.owner {
        Some(owner) => format!("{owner} {}", ItemKind::CharacterContract.say(lang)),
        None => ItemKind::Rule.say(lang).to_owned(),
    };
    let what = names.beside(what, &change.id, lang);
    let how = match (&change.was, &change.is) {
        (None, _) => say!(lang, added),
        (_, None) => say!(lang, taken_out),
        _ => say!(lang, changed),
    };
    let old = change.was.as_ref().map(|terms| format!("  - {}", text(terms, lang)));
    let new = change.is.as_ref().map(|terms| format!("  + {}", text(terms, lang)));
    std::iter::once(format!("{what}{how}")).chain(old).chain(new).collect()
}

fn text(terms: &Terms, lang: Lang) -> String {
    let mut text = terms.rule.clone();
    if let Some(strength) = terms.strength {
        text.push_str(match strength {
            Strength::Hard => say!(lang, hard),
            Strength::Soft => say!(lang, soft),
        });
    }
    if !terms.exceptions.is_empty() {
        text.push_str(&say!(lang, except(list = terms.exceptions.join(say!(lang, list_comma)))));
    }
    if let Some(requires) = terms.update_requires.as_ref().filter(|requires| !requires.is_empty()) {
        text.push_str(&say!(lang, to_change_it(requires)));
    }
    text
}
