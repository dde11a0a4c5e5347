//! The facts beside a question of the author's loop: the book's position, scores, and a review's judgement.

use crate::domain::VolumeNo;
use crate::domain::book::checkpoint::Phase;
use crate::domain::book::log::dollars;
use crate::domain::state::cleanup::{Leftover, Reason};
use crate::domain::volume::ending::{Judgement, Recommendation};
use crate::pipeline::planning::approval::ContractChange;
use crate::pipeline::workflow::Position;
use crate::report::cost::Estimate;
use crate::report::names::Names;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    pub volume: VolumeNo,
    pub position: Whereabouts,
    /// In the order of the options.
    pub estimates: Vec<Estimate>,
    /// The built-in style for the genre, in a choice of style.
    pub preset: Option<&'static str>,
    /// Rules and contracts that an agent wants to change.
    pub contracts: Vec<ContractChange>,
    pub chapters: Vec<Scored>,
    /// The review's judgement, if any.
    pub progress: Option<Progress>,
    /// Entries of the state that may go.
    pub cleanup: Vec<Entry>,
    #[serde(skip)]
    pub names: Names,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Whereabouts {
    pub title: String,
    pub phase: Phase,
    /// The last accepted chapter; 0 before the first.
    pub last_completed: u32,
    /// The last planned chapter of the volume; 0 without a plan.
    pub planned: u32,
    #[serde(serialize_with = "dollars::sum")]
    pub known_cost_usd: u64,
}

impl Whereabouts {
    pub fn of(position: &Position) -> Self {
        Self {
            title: position.title.clone(),
            phase: position.phase,
            last_completed: position.written,
            planned: position.planned,
            known_cost_usd: position.spent_micro_usd,
        }
    }

    pub fn text(&self, volume: VolumeNo, lang: Lang) -> String {
        let title = if self.title.is_empty() { say!(lang, untitled) } else { &self.title };
        let (phase, spent, volume) = (self.phase.say(lang), figures::money(self.known_cost_usd, lang), volume.get());
        let (done, planned) = (self.last_completed, self.planned);
        match (done, planned > done) {
            (0, false) => say!(lang, no_chapters_yet_so_far(title, phase, spent)),
            (_, true) => say!(lang, journey_progress_planned(title, done, planned, volume, phase, spent)),
            _ => say!(lang, journey_progress(title, done, volume, phase, spent)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored {
    pub chapter: u32,
    pub title: String,
    pub score: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
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

impl Progress {
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

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// `items.old-ledger`.
    pub path: String,
    pub reason: Reason,
}

impl Entry {
    pub fn all(leftovers: &[Leftover]) -> Vec<Self> {
        leftovers.iter().map(|left| Self { path: left.to_string(), reason: left.reason }).collect()
    }
}

impl Words for Recommendation {}

impl Words for Reason {}
