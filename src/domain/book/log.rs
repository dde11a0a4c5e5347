//! The logs of chapters and of planning: what each call took and cost.

use crate::domain::chapter::gate::Gate;
use crate::domain::{ChapterNo, Slug, Work};

/// One call of a model, or of the offline writer.
#[derive(Debug, Clone, PartialEq)]
pub struct StageLog {
    /// The part's name: `draft`, `summarize`, …, or of planning `world`, `outline`, ….
    pub name: String,
    /// The model that answered.
    pub model: String,
    /// Wall time, in milliseconds.
    pub duration_ms: u64,
    /// Tokens sent, cached ones included; `None` when the server did not say.
    pub input_tokens: Option<u64>,
    /// Of those, read from the provider's cache.
    pub cached_tokens: Option<u64>,
    /// Tokens received.
    pub output_tokens: Option<u64>,
    /// Characters of the prompt.
    pub sent_chars: u64,
    /// Its cost, in millionths of a US dollar; `None` when the price is unknown.
    pub cost_micro_usd: Option<u64>,
    /// Whether the tokens are an estimate of ours.
    pub estimated: bool,
    /// Whether a result came of it; `false` for a reply that could not be used, paid for all the same.
    pub used: bool,
}

/// A chapter's log.
#[derive(Debug, Clone, PartialEq)]
pub struct ChapterLog {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its storyline.
    pub storyline: Slug,
    /// When its first stage began, RFC 3339.
    pub started_at: String,
    /// The calls, in the order in which they ended.
    pub stages: Vec<StageLog>,
    /// The gate's last decision; `None` while the chapter is in flight.
    pub gate: Option<Gate>,
    /// Revisions by the strong model.
    pub revisions: u32,
    /// Warnings: dropped operations, repaired replies, texts that are too short.
    pub warnings: Vec<String>,
}

/// The log of planning: what the calls for one transaction took and cost.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkLog {
    /// The planning work.
    pub work: Work,
    /// When the first call began, RFC 3339.
    pub started_at: String,
    /// The calls, in the order in which they ended.
    pub stages: Vec<StageLog>,
}

impl WorkLog {
    /// The cost of all calls; `None` when the price of any is unknown.
    #[must_use]
    pub fn cost_micro_usd(&self) -> Option<u64> {
        self.stages.iter().map(|stage| stage.cost_micro_usd).sum()
    }
}

impl ChapterLog {
    /// Wall time of all calls, in milliseconds.
    #[must_use]
    pub fn duration_ms(&self) -> u64 {
        self.stages.iter().map(|stage| stage.duration_ms).sum()
    }

    /// The cost of all calls; `None` when the price of any is unknown.
    #[must_use]
    pub fn cost_micro_usd(&self) -> Option<u64> {
        self.stages.iter().map(|stage| stage.cost_micro_usd).sum()
    }
}
