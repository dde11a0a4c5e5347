//! The question to a model, as a value that is recorded verbatim.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question to a model: a system prompt, one user message, and the form that the answer must take.
///
/// It says nothing of wires, keys or addresses, so that the same request can be replayed against another server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The model's name as the server knows it.
    pub model: String,
    /// The system prompt; may be empty.
    pub system: String,
    /// The user message in parts, the byte-stable ones first. The parts are joined without a separator: each brings
    /// its own line breaks.
    pub prompt: Vec<Part>,
    /// The most tokens the answer may have, thinking included; clamped to what the model can write.
    pub max_output_tokens: u32,
    /// Chance and effort; the default sends nothing and leaves both to the provider.
    #[serde(default)]
    pub sampling: Sampling,
    /// The form of the answer.
    pub answer: Answer,
}

impl Request {
    /// The user message as one text.
    pub fn prompt_text(&self) -> String {
        self.prompt.iter().map(|part| part.text.as_str()).collect()
    }
}

/// A piece of the user message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub text: String,
    /// Whether the provider should keep everything up to the end of this part in its prompt cache. Only the first four
    /// such marks in a request are used, which is all that Anthropic takes; other providers cache on their own.
    #[serde(default)]
    pub cache: bool,
}

impl Part {
    /// A part that changes from call to call.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), cache: false }
    }

    /// The end of a prefix that stays the same from call to call.
    pub fn cached(text: impl Into<String>) -> Self {
        Self { text: text.into(), cache: true }
    }
}

/// How much chance and how much thinking goes into an answer. A field that a model does not take is left out of the
/// request (see [`crate::llm::Capabilities`]), never an error.
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
    /// How long to think before answering; `None` is the provider's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
}

/// How much a model should think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Not at all, or as little as the model allows.
    Off,
    Low,
    /// Moderately.
    Medium,
    High,
    /// As much as it likes.
    Max,
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Answer {
    /// Text as it comes.
    Prose,
    /// One JSON object.
    Json {
        /// A short name for the schema (letters, digits, `_`, `-`).
        name: String,
        /// The full JSON schema. Servers get its portable form (see [`crate::llm::schema::portable`]); the answer is
        /// checked against this one.
        schema: Value,
    },
}
