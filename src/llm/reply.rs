use crate::llm::endpoint::JsonMode;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

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

/// The longest refusal, in characters; a longer text has something else to say.
const LONGEST: usize = 160;

/// True for an answer that consists of a model's apology for not giving one.
pub(super) fn is_refusal(text: &str) -> bool {
    let text = text.trim().to_lowercase().replace('’', "'");
    let begins = [
        "抱歉",
        "对不起",
        "很抱歉",
        "非常抱歉",
        "我无法",
        "我不能",
        "作为",
        "i'm sorry",
        "i am sorry",
        "sorry",
        "i can't",
        "i cannot",
    ];
    let declines = ["无法", "不能", "不便", "不予", "can't", "cannot", "unable", "won't"];
    let what = [
        "协助", "帮助", "提供", "创作", "生成", "续写", "回答", "内容", "请求", "要求", "assist", "help", "comply",
        "request", "content", "create", "写",
    ];
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    text.chars().count() <= LONGEST && begins.iter().any(|word| text.starts_with(word)) && any(&declines) && any(&what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apology_is_a_refusal_and_a_storys_is_none() {
        for text in [
            "抱歉，我无法协助创作这类内容。",
            "作为人工智能，我不能生成此类内容。",
            "I’m sorry, but I can’t help with that request.",
        ] {
            assert!(is_refusal(text), "{text}");
        }
        let long = format!("抱歉，我不能帮助你。{}", "雨还在下。".repeat(40));
        for text in ["“抱歉，我不能帮助你。”他说。", "抱歉的话他说不出口。", "作为长子，他不能走。", &long]
        {
            assert!(!is_refusal(text), "{text}");
        }
    }
}
