//! The book's position, part of every commit and derivable from the tree and the history.
//! Logs of chapters and of planning: duration and cost of each call.

use crate::domain::Work;
use crate::domain::chapter::Gate;
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::notation::yes;
use crate::domain::prelude::*;

named! {
    /// The author's loop (orchestrator chapter §8.2).
    pub enum Phase {
        /// Nothing is planned yet.
        QuickStart = "QUICK_START",
        /// The next volume needs a plan.
        VolumePlanning = "VOL_PLANNING",
        /// Chapters are being written.
        Writing = "WRITING",
        ChapterRewrite = "CHAPTER_REWRITE",
        /// The volume is written and waits for its review.
        VolumeReview = "VOL_REVIEW",
        /// The last run ended with an error; the next one tries again.
        ErrorRetry = "ERROR_RETRY",
        Completed = "COMPLETED",
    }
}

/// Sums over the accepted chapters, so that `status` need not walk the book. Derived, never authoritative.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    pub chapters: u32,
    pub words: u64,
    /// The sum of the overall scores in hundredths; an integer does not drift.
    pub score_hundredths: u64,
    /// Chapters with a score. One that the author wrote has none, and counts in no mean.
    pub scored: u32,
    /// Chapters accepted below the pass threshold after all revisions.
    pub force_passed: u32,
    /// Chapters whose operations could not be read (agent protocol §10.6: three of them call for a rebuild).
    pub skipped_ops: u32,
    /// Cost of the calls in millionths of a US dollar, as far as prices are known.
    pub cost_micro_usd: u64,
    /// Chapters with a call whose price is unknown.
    pub unknown_cost: u32,
    /// Cached tokens included.
    pub input_tokens: u64,
    /// The part of `input_tokens` that was read from the provider's cache.
    pub cached_tokens: u64,
    pub output_tokens: u64,
}

impl Totals {
    /// The mean overall score of the chapters with a score, to two places; `None` before the first.
    pub fn score_average(&self) -> Option<f64> {
        let scored = u64::from(self.scored);
        (scored > 0).then(|| ((self.score_hundredths + scored / 2) / scored) as f64 / 100.0)
    }

    /// True for the sums of a program that did not count the chapters with a score.
    pub fn lacks_scored(&self) -> bool {
        self.scored == 0 && self.score_hundredths > 0
    }

    #[must_use]
    pub fn with(self, chapter: ChapterTotals<'_>) -> Self {
        let ChapterTotals { log, words, overall, gate, skipped_ops } = chapter;
        let sum = |of: fn(&StageLog) -> Option<u64>| -> u64 {
            log.into_iter().flat_map(|log| &log.stages).filter_map(of).sum()
        };
        Self {
            chapters: self.chapters + 1,
            words: self.words + words,
            score_hundredths: self.score_hundredths + overall.map_or(0, |overall| (overall * 100.0).round() as u64),
            scored: self.scored + u32::from(overall.is_some()),
            force_passed: self.force_passed + u32::from(gate == Some(Gate::ForcePass)),
            skipped_ops: self.skipped_ops + u32::from(skipped_ops),
            cost_micro_usd: self.cost_micro_usd + sum(|stage| stage.cost_micro_usd),
            unknown_cost: self.unknown_cost + u32::from(log.is_some_and(|log| log.cost_micro_usd().is_none())),
            input_tokens: self.input_tokens + sum(|stage| stage.input_tokens),
            cached_tokens: self.cached_tokens + sum(|stage| stage.cached_tokens),
            output_tokens: self.output_tokens + sum(|stage| stage.output_tokens),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct ChapterTotals<'a> {
    pub log: Option<&'a ChapterLog>,
    pub words: u64,
    /// `None` for a chapter without an evaluation.
    pub overall: Option<f64>,
    pub gate: Option<Gate>,
    pub skipped_ops: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Number of the last accepted chapter; 0 before the first.
    #[serde(rename = "last_completed_chapter")]
    pub last_completed: u32,
    #[serde(rename = "current_volume")]
    pub volume: VolumeNo,
    #[serde(rename = "orchestrator_state")]
    pub phase: Phase,
    /// The stage of the chapter in flight; `None` when idle.
    #[serde(rename = "pipeline_stage")]
    pub stage: Option<PipelineStage>,
    #[serde(rename = "inflight_chapter")]
    pub inflight: Option<ChapterNo>,
    /// Revisions of the chapter in flight by the strong model.
    #[serde(rename = "revision_count", default)]
    pub revisions: u32,
    /// Matters that wait to be decided or done, one entry each.
    #[serde(rename = "pending_actions", default)]
    pub pending: Vec<String>,
    /// Time of writing, RFC 3339.
    #[serde(rename = "last_checkpoint_time")]
    pub time: String,
    /// Missing sums are zero; they can be derived from the book.
    #[serde(default)]
    pub totals: Totals,
}

impl Checkpoint {
    pub fn new(phase: Phase, time: String) -> Self {
        Self {
            last_completed: 0,
            volume: VolumeNo::FIRST,
            phase,
            stage: None,
            inflight: None,
            revisions: 0,
            pending: Vec::new(),
            time,
            totals: Totals::default(),
        }
    }

    pub fn next_chapter(&self) -> ChapterNo {
        ChapterNo::after(self.last_completed)
    }
}

/// One call of a model, or of the offline writer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageLog {
    /// The stage: `draft`, `summarize`, …, or in planning `world`, `outline`, ….
    pub name: String,
    pub model: String,
    /// Wall time, in milliseconds.
    pub duration_ms: u64,
    /// Cached tokens included; `None` when the server did not say.
    pub input_tokens: Option<u64>,
    /// The part of `input_tokens` that was read from the provider's cache.
    pub cached_tokens: Option<u64>,
    /// The part of `input_tokens` that was written to the provider's cache, which some charge for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    #[serde(default)]
    pub sent_chars: u64,
    /// In millionths of a US dollar; `None` when the price is unknown.
    #[serde(rename = "cost_usd", default, with = "dollars")]
    pub cost_micro_usd: Option<u64>,
    /// True when the tokens are an estimate.
    #[serde(default)]
    pub estimated: bool,
    /// False for an unusable reply, which is paid for all the same.
    #[serde(default = "yes")]
    pub used: bool,
    /// True for a call of a chapter that was made before the chapter's turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ahead: bool,
}

/// Sums in millionths of a US dollar stand in files in dollars.
pub mod dollars {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const MILLION: f64 = 1e6;

    pub fn serialize<S: Serializer>(micro: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        micro.map(|micro| micro as f64 / MILLION).serialize(to)
    }

    /// A sum that is known.
    pub fn sum<S: Serializer>(micro: &u64, to: S) -> Result<S::Ok, S::Error> {
        serialize(&Some(*micro), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        Ok(Option::<f64>::deserialize(from)?.map(|dollars| (dollars * MILLION).round() as u64))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChapterLog {
    pub chapter: ChapterNo,
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    /// Start of the first stage, RFC 3339.
    pub started_at: String,
    /// The calls, in the order of their ends.
    pub stages: Vec<StageLog>,
    /// The gate's last decision; `None` while the chapter is in flight.
    #[serde(rename = "gate_decision")]
    pub gate: Option<Gate>,
    /// Revisions by the strong model.
    #[serde(default)]
    pub revisions: u32,
    /// Warnings: dropped operations, repaired replies, texts that are too short.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The log of the planning calls of one transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkLog {
    pub work: Work,
    /// Start of the first call, RFC 3339.
    pub started_at: String,
    /// The calls, in the order of their ends.
    pub stages: Vec<StageLog>,
}

impl WorkLog {
    /// `None` when the price of any call is unknown.
    pub fn cost_micro_usd(&self) -> Option<u64> {
        self.stages.iter().map(|stage| stage.cost_micro_usd).sum()
    }
}

impl ChapterLog {
    /// Wall time of all calls, in milliseconds.
    pub fn duration_ms(&self) -> u64 {
        self.stages.iter().map(|stage| stage.duration_ms).sum()
    }

    /// `None` when the price of any call is unknown.
    pub fn cost_micro_usd(&self) -> Option<u64> {
        self.stages.iter().map(|stage| stage.cost_micro_usd).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Slug;
    use crate::domain::book::work::Step;

    fn call(tokens: u64, cost_micro_usd: Option<u64>) -> StageLog {
        StageLog {
            name: "draft".into(),
            model: "m".into(),
            duration_ms: 0,
            input_tokens: Some(tokens),
            cached_tokens: Some(tokens / 2),
            cache_write_tokens: None,
            output_tokens: Some(tokens / 4),
            sent_chars: 0,
            cost_micro_usd,
            estimated: false,
            used: true,
            ahead: false,
        }
    }

    fn log(stages: Vec<StageLog>) -> ChapterLog {
        ChapterLog {
            chapter: ChapterNo::FIRST,
            storyline: Slug::new("main-arc").unwrap(),
            started_at: String::new(),
            stages,
            gate: None,
            revisions: 0,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn totals_add_each_chapter_to_those_before_it() {
        let paid = log(vec![call(80, Some(300)), call(40, Some(20))]);
        let unknown = log(vec![call(8, None), call(4, Some(5))]);
        let first = ChapterTotals {
            log: Some(&paid),
            words: 2000,
            overall: Some(4.25),
            gate: Some(Gate::Pass),
            skipped_ops: false,
        };
        let forced = ChapterTotals { overall: Some(3.2), gate: Some(Gate::ForcePass), skipped_ops: true, ..first };
        let one = Totals::default().with(first);
        let two = one.with(ChapterTotals { log: Some(&unknown), words: 3000, ..forced });
        let three = two.with(ChapterTotals { log: None, words: 1000, overall: None, ..forced });
        let wanted = Totals {
            chapters: 3,
            words: 6000,
            score_hundredths: 745,
            scored: 2,
            force_passed: 2,
            skipped_ops: 2,
            cost_micro_usd: 325,
            unknown_cost: 1,
            input_tokens: 132,
            cached_tokens: 66,
            output_tokens: 33,
        };
        assert_eq!(three, wanted);
        assert_eq!((one.unknown_cost, one.force_passed, one.skipped_ops), (0, 0, 0));
    }

    #[test]
    fn the_average_is_that_of_the_chapters_with_a_score() {
        assert_eq!(Totals::default().score_average(), None);
        let two = Totals { chapters: 3, scored: 2, score_hundredths: 751, ..Totals::default() };
        assert_eq!(two.score_average(), Some(3.76));
    }

    #[test]
    fn the_cost_of_a_log_is_known_when_that_of_each_call_is() {
        let call = |duration_ms, cost_micro_usd| StageLog { duration_ms, ..call(0, cost_micro_usd) };
        let planning =
            |stages: Vec<StageLog>| WorkLog { work: Work::Step(Step::World), started_at: String::new(), stages };
        let (known, unknown) = (vec![call(3, Some(30)), call(4, Some(12))], vec![call(3, Some(30)), call(4, None)]);
        assert_eq!((log(known.clone()).cost_micro_usd(), planning(known).cost_micro_usd()), (Some(42), Some(42)));
        assert_eq!((log(unknown.clone()).cost_micro_usd(), planning(unknown.clone()).cost_micro_usd()), (None, None));
        assert_eq!(log(unknown).duration_ms(), 7);
    }
}
