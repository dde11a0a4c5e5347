use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question to a model, which is recorded verbatim: a system prompt, one user message, and the form of the answer.
/// Without wire, key or address, so that the request can be replayed against another server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The server's name of the model.
    pub model: String,
    /// The system prompt; may be empty.
    pub system: String,
    /// The user message in parts, the byte-stable ones first, joined without a separator: each brings its own line
    /// breaks.
    pub prompt: Vec<Part>,
    /// The most tokens the answer may have, thinking included; clamped to what the model can write.
    pub max_output_tokens: u32,
    /// The default sends nothing and leaves chance and effort to the provider.
    #[serde(default)]
    pub sampling: Sampling,
    pub answer: Answer,
}

impl Effort {
    /// The efforts by name, from the least.
    pub const NAMED: [(&str, Self); 5] =
        [("off", Self::Off), ("low", Self::Low), ("medium", Self::Medium), ("high", Self::High), ("max", Self::Max)];

    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, effort)| effort)
    }
}

impl Request {
    pub fn prompt_text(&self) -> String {
        self.prompt.iter().map(|part| part.text.as_str()).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub text: String,
    /// True when the provider should cache everything up to the end of this part. Only the first four marks of a
    /// request are used, as many as Anthropic takes; other providers cache on their own.
    #[serde(default)]
    pub cache: bool,
}

impl Part {
    /// A part that varies between calls.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), cache: false }
    }

    /// The end of a prefix that is stable between calls.
    pub fn cached(text: impl Into<String>) -> Self {
        Self { text: text.into(), cache: true }
    }
}

/// A setting that a model does not take is left out of the request (see [`crate::llm::Capabilities`]), never an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0 (the likeliest word) to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling, above 0 up to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Makes some servers repeatable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// `None` is the provider's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The part of the most output tokens that is meant for thinking: text beyond the rest is broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// None, or as little as the model allows.
    Off,
    Low,
    Medium,
    High,
    Max,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Answer {
    Prose,
    Json {
        /// A short name for the schema (letters, digits, `_`, `-`).
        name: String,
        /// The full JSON schema. Servers get its portable form (see
        /// [`crate::llm::schema::portable`]).
        schema: Value,
    },
}
