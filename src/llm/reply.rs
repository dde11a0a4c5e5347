use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::llm::endpoint::JsonMode;

/// A complete answer. An answer that was cut short, refused or empty is a [`crate::llm::Fault`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer without thinking.
    pub text: String,
    /// The thinking, where the server shows it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    pub stop: StopReason,
    pub usage: Usage,
    /// The usage of failed earlier attempts of the call, which is paid for too.
    #[serde(default, skip_serializing_if = "Usage::is_zero")]
    pub wasted: Usage,
    /// The model's name by the server, often with a date; the requested name when the server gives none.
    pub model: String,
    /// The server's id of the exchange, to quote to a provider's support; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The number of requests sent, this one included.
    pub attempts: u32,
    /// The way of asking for JSON; `None` for prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_mode: Option<JsonMode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    End,
    /// The model wrote a stop sequence.
    Sequence,
}

/// Tokens as the provider counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The whole prompt: newly read, read from the cache and written to the cache.
    pub input_tokens: u64,
    /// The part of `input_tokens` that was read from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// The part of `input_tokens` that was written to the provider's cache.
    #[serde(default)]
    pub cache_write_tokens: u64,
    /// The whole answer, thinking included.
    pub output_tokens: u64,
    /// The part of `output_tokens` that was thinking, where the server tells.
    #[serde(default)]
    pub reasoning_tokens: u64,
    /// True when a figure is an estimate because the server gave none.
    #[serde(default)]
    pub estimated: bool,
}

impl Usage {
    pub fn is_zero(&self) -> bool {
        self.input_tokens == 0 && self.output_tokens == 0
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.cached_tokens += other.cached_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
        self.output_tokens += other.output_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
        self.estimated |= other.estimated;
    }
}
