//! A question to a model, and the portable form of a JSON schema, which every server that enforces schemas takes: objects
//! whose properties are all required and closed to others, enums, arrays with one kind of item, no references, no limits.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

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
    pub prompt: Vec<MessagePart>,
    /// The most tokens the answer may have, thinking included; clamped to what the model can write.
    pub max_output_tokens: u32,
    /// The default sends nothing and leaves chance and effort to the provider.
    #[serde(default)]
    pub sampling: Sampling,
    pub answer: AnswerForm,
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
pub struct MessagePart {
    pub text: String,
    /// True when the provider should cache everything up to the end of this part. Only the first four marks of a
    /// request are used, as many as Anthropic takes; other providers cache on their own.
    #[serde(default)]
    pub cache: bool,
}

impl MessagePart {
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
pub enum AnswerForm {
    Prose,
    Json {
        /// A short name for the schema (letters, digits, `_`, `-`).
        name: String,
        /// The full JSON schema. Servers get its portable form (see
        /// [`portable`]).
        schema: Value,
        /// The schema that the system prompt tells in place of this one: that of the question before, so that the provider
        /// still has what it cached. The prompt says by what the answer differs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Value>,
    },
}

/// Keywords that limit a value without changing its shape. Servers do not enforce them, so they become words in the
/// description.
const LIMITS: [&str; 2] = ["minimum", "maximum"];

/// The portable form of a schema that is derived from a type without optional fields, maps or recursion: references
/// written out, every property required, limits moved into descriptions.
pub fn portable(schema: &Value) -> Value {
    rewrite(schema, schema)
}

fn rewrite(root: &Value, node: &Value) -> Value {
    let Some(map) = node.as_object() else { return node.clone() };
    let target = map.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
    let written = if let Some(target) = target {
        rewrite(root, target)
    } else if let Some(Value::Array(branches)) = map.get("anyOf") {
        json!({"anyOf": branches.iter().map(|branch| rewrite(root, branch)).collect::<Vec<_>>()})
    } else {
        let mut out = Map::new();
        out.extend(["type", "enum"].iter().filter_map(|word| Some(((*word).to_owned(), map.get(*word)?.clone()))));
        if let Some(Value::Object(properties)) = map.get("properties") {
            out.insert("required".into(), properties.keys().cloned().collect());
            let written = properties.iter().map(|(name, property)| (name.clone(), rewrite(root, property)));
            out.insert("properties".into(), Value::Object(written.collect()));
            out.insert("additionalProperties".into(), json!(false));
        }
        if let Some(items) = map.get("items") {
            out.insert("items".into(), rewrite(root, items));
        }
        out.into()
    };
    with_description(written, describe(map))
}

fn describe(map: &Map<String, Value>) -> Option<String> {
    let limits = LIMITS.iter().filter_map(|word| Some(format!("{word} {}", map.get(*word)?)));
    let limits = limits.collect::<Vec<_>>().join(", ");
    match (map.get("description").and_then(Value::as_str), limits.is_empty()) {
        (words, true) => words.map(str::to_owned),
        (None, false) => Some(format!("({limits})")),
        (Some(words), false) => Some(format!("{words} ({limits})")),
    }
}

/// Adds the place's own description before that of its type.
fn with_description(mut node: Value, outer: Option<String>) -> Value {
    if let (Some(map), Some(outer)) = (node.as_object_mut(), outer) {
        let words = match map.get("description").and_then(Value::as_str) {
            Some(inner) if inner != outer => format!("{outer}. {inner}"),
            _ => outer,
        };
        map.insert("description".into(), words.into());
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_form_is_closed_complete_and_flat() {
        let schema = json!({
            "$defs": {
                "Issue": {"type": "object", "description": "One place.", "properties": {"quote": {"type": "string"}}},
                "Verdict": {"type": "string", "enum": ["pass", "revise"]}
            },
            "type": "object",
            "properties": {
                "score": {"type": "integer", "format": "uint8", "minimum": 1, "maximum": 5, "description": "The score."},
                "count": {"type": "integer", "format": "uint32", "minimum": 0},
                "issues": {"type": "array", "items": {"$ref": "#/$defs/Issue"}},
                "verdict": {"$ref": "#/$defs/Verdict", "description": "The end."},
                "value": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
            }
        });
        let expected = json!({
            "type": "object",
            "required": ["score", "count", "issues", "verdict", "value"],
            "properties": {
                "score": {"type": "integer", "description": "The score. (minimum 1, maximum 5)"},
                "count": {"type": "integer", "description": "(minimum 0)"},
                "issues": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["quote"],
                        "properties": {"quote": {"type": "string"}},
                        "additionalProperties": false,
                        "description": "One place."
                    }
                },
                "verdict": {"type": "string", "enum": ["pass", "revise"], "description": "The end."},
                "value": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
            },
            "additionalProperties": false
        });
        assert_eq!(portable(&schema).to_string(), expected.to_string());
    }
}
