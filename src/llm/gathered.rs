//! The answer of a stream, gathered on either wire.

use crate::llm::causes::{Disruption, Mismatch};
use crate::llm::fault::{Fault, Limit};
use crate::llm::reply::{Reply, StopReason, Usage};

#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Text as sent, inline thinking included.
    pub(super) text: String,
    /// Thinking sent apart from the text.
    pub(super) reasoning: String,
    /// Refusal sent apart from the text.
    pub(super) refusal: String,
    pub(super) ending: Option<ReplyEnding>,
    pub(super) usage: TokenCounts,
    pub(super) model: String,
    pub(super) id: String,
    /// True once an event has been understood.
    pub(super) begun: bool,
    /// True once nothing of interest can follow.
    pub(super) over: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenCounts {
    pub(super) input: Option<u64>,
    pub(super) cached: u64,
    pub(super) cache_write: u64,
    pub(super) output: Option<u64>,
    pub(super) reasoning: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ReplyEnding {
    Done(StopReason),
    Truncated(Limit),
    Refused(String),
    /// The client broke off the answer because it repeated itself.
    Circling,
    /// The server failed inside the answer.
    Broken(String),
    /// An undocumented reason, which does not count as success.
    Unknown(String),
}

impl Gathered {
    pub(super) fn usage(&self, sent: u64) -> Usage {
        if !self.begun {
            return Usage::default();
        }
        let TokenCounts { input, cached, cache_write, output, reasoning } = self.usage;
        Usage {
            input_tokens: input.unwrap_or(sent),
            cached_tokens: cached,
            cache_write_tokens: cache_write,
            output_tokens: output.unwrap_or_else(|| {
                crate::llm::tokens::estimate(&self.text) + crate::llm::tokens::estimate(&self.reasoning)
            }),
            reasoning_tokens: reasoning,
            estimated: input.is_none() || output.is_none(),
        }
    }

    /// The limit at which an answer of at most `most` tokens was cut. Servers tell a full context, and a lower limit of
    /// their own, by the same word as the limit that was asked for.
    fn limit(&self, limit: Limit, most: u32, usage: &Usage) -> Limit {
        let (text, thinking) = crate::llm::think::split(&self.text);
        let thought = crate::llm::tokens::estimate(thinking) + crate::llm::tokens::estimate(&self.reasoning);
        // Some servers do not count the thinking.
        let written = usage.output_tokens.max(crate::llm::tokens::estimate(text) + thought.max(usage.reasoning_tokens));
        match limit {
            Limit::OutputTokens if text.trim().is_empty() && thought + usage.reasoning_tokens > 0 => Limit::Thinking,
            Limit::OutputTokens if !usage.estimated && written * 4 < u64::from(most) * 3 => Limit::Context,
            limit => limit,
        }
    }

    /// The reply, of at most `most` tokens if the request has set a limit; `sent` is the estimated prompt.
    pub(super) fn conclude(self, sent: u64, most: Option<u32>) -> Result<Reply, (Fault, Usage)> {
        let usage = self.usage(sent);
        let (text, inline) = crate::llm::think::split(&self.text);
        let partial = text.to_owned();
        let stop = match self.ending {
            Some(ReplyEnding::Done(_)) if !self.refusal.is_empty() => {
                return Err((Fault::Refused { reason: self.refusal, partial }, usage));
            }
            Some(ReplyEnding::Done(stop)) => stop,
            Some(ReplyEnding::Truncated(limit)) => {
                let limit = self.limit(limit, most.unwrap_or_default(), &usage);
                return Err((Fault::Truncated { partial, limit }, usage));
            }
            Some(ReplyEnding::Circling) => return Err((Fault::Circling { partial }, usage)),
            Some(ReplyEnding::Refused(reason)) => {
                let reason = if self.refusal.is_empty() { reason } else { self.refusal };
                return Err((Fault::Refused { reason, partial }, usage));
            }
            Some(ReplyEnding::Broken(message)) => {
                return Err((Fault::CutStream { partial, why: Disruption::Other(message) }, usage));
            }
            Some(ReplyEnding::Unknown(reason)) => {
                return Err((Fault::Protocol { mismatch: Mismatch::UnknownEnd { reason, partial } }, usage));
            }
            None if self.begun => {
                return Err((Fault::CutStream { partial, why: Disruption::EndedEarly }, usage));
            }
            None => {
                return Err((Fault::Protocol { mismatch: Mismatch::NoAnswer }, usage));
            }
        };
        if text.trim().is_empty() {
            return Err((Fault::Empty, usage));
        }
        let reasoning = if self.reasoning.is_empty() { inline.to_owned() } else { self.reasoning };
        Ok(Reply {
            text: partial,
            reasoning,
            stop,
            usage,
            wasted: Usage::default(),
            model: self.model,
            id: self.id,
            attempts: 1,
            json_mode: None,
        })
    }
}
