//! Logs of chapters and of planning: duration and cost of each call.

use crate::domain::chapter::gate::Gate;
use crate::domain::notation::yes;
use crate::domain::{ChapterNo, Slug, Work};
use serde::{Deserialize, Serialize};

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
    use crate::domain::book::work::Step;

    #[test]
    fn the_cost_of_a_log_is_known_when_that_of_each_call_is() {
        let call = |duration_ms, cost_micro_usd| StageLog {
            name: "draft".into(),
            model: "m".into(),
            duration_ms,
            input_tokens: None,
            cached_tokens: None,
            cache_write_tokens: None,
            output_tokens: None,
            sent_chars: 0,
            cost_micro_usd,
            estimated: false,
            used: true,
            ahead: false,
        };
        let chapter = |stages: Vec<StageLog>| ChapterLog {
            chapter: ChapterNo::FIRST,
            storyline: Slug::new("main-arc").unwrap(),
            started_at: String::new(),
            stages,
            gate: None,
            revisions: 0,
            warnings: Vec::new(),
        };
        let planning =
            |stages: Vec<StageLog>| WorkLog { work: Work::Step(Step::World), started_at: String::new(), stages };
        let (known, unknown) = (vec![call(3, Some(30)), call(4, Some(12))], vec![call(3, Some(30)), call(4, None)]);
        assert_eq!((chapter(known.clone()).cost_micro_usd(), planning(known).cost_micro_usd()), (Some(42), Some(42)));
        assert_eq!(
            (chapter(unknown.clone()).cost_micro_usd(), planning(unknown.clone()).cost_micro_usd()),
            (None, None)
        );
        assert_eq!(chapter(unknown).duration_ms(), 7);
    }
}
