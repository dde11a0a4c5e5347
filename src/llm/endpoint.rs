//! Where a model is and what it can do.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::ladder::Rung;

/// The wire format a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's chat completions, as spoken by most other servers.
    OpenAi,
}

/// A server and one of its models, with the key to use it. Its `Debug` form does not show the key.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The user's name for it, for logs and records.
    pub name: String,
    /// The wire format.
    pub wire: Wire,
    /// The address up to and including the version, e.g. `https://api.openai.com/v1`; for Anthropic's wire `/v1` may
    /// be left out.
    pub base_url: String,
    /// The key, if the server wants one.
    pub key: Option<SecretString>,
    /// What the model at this address can do.
    pub capabilities: Capabilities,
    /// Whether it runs on the user's own machine, so that calls cost nothing.
    pub local: bool,
}

/// What a model at a server can do and how it wants to be asked. The client corrects its copy when the server
/// complains; a caller may store that copy and start from it next time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capabilities {
    /// The strictest way in which a JSON answer can be asked for.
    pub schema: Rung,
    /// Whether temperature, nucleus and seed may be sent.
    pub sampling: bool,
    /// The name of the field that limits the answer's length.
    pub max_tokens_field: MaxTokensField,
    /// How thinking is controlled.
    pub thinking: Thinking,
    /// Whether token counts can be asked for in a stream.
    pub usage_in_stream: bool,
    /// How prompt caching works.
    pub cache: Caching,
    /// The most tokens of prompt and answer together.
    pub context_window: u32,
    /// The most tokens of an answer.
    pub max_output: u32,
    /// Whether the server drops the beginning of a prompt that is too long instead of complaining (Ollama). The
    /// client then refuses to send a prompt that it estimates as too long.
    #[serde(default)]
    pub truncates_silently: bool,
    /// The model's tokens divided by this crate's estimate of them, measured from earlier usage; 1.0 when unmeasured.
    #[serde(default = "unmeasured")]
    pub calibration: f64,
}

fn unmeasured() -> f64 {
    1.0
}

/// The name of the field that limits an answer's length on OpenAI's wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    /// `max_tokens`: the old name, known to nearly every server.
    MaxTokens,
    /// `max_completion_tokens`: OpenAI and Kimi.
    MaxCompletionTokens,
}

/// How a server is told how much to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// Nothing is sent.
    Uncontrolled,
    /// `output_config.effort` (Anthropic).
    OutputConfig,
    /// `reasoning_effort` (OpenAI, Ollama).
    ReasoningEffort,
    /// `thinking: {type: enabled | disabled}` and `reasoning_effort` (DeepSeek).
    SwitchAndEffort,
    /// `thinking: {type: enabled | disabled}` alone (Kimi K2.5 and K2.6).
    Switch,
    /// `enable_thinking: true | false` (Qwen).
    EnableThinking,
}

/// How a provider caches prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caching {
    /// Up to the marks in the request.
    Marked,
    /// By itself, or not at all: nothing is sent.
    Automatic,
}
