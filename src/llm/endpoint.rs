use reqwest::Url;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use thiserror::Error;

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
    /// The user's name for the endpoint, for logs and records.
    pub name: String,
    pub wire: Wire,
    /// The address with the version, e.g. `https://api.openai.com/v1`; Anthropic's wire can do without `/v1`.
    pub base_url: String,
    pub key: Option<SecretString>,
    /// The variable or the file that holds the key, for messages.
    pub key_source: Option<String>,
    pub capabilities: Capabilities,
    /// True when calls cost nothing. The user's choice, never the address, decides: a local server may be a relay to a
    /// paid service.
    pub free: bool,
    /// The host to which the key may be sent over plain http; otherwise only this machine.
    pub plain_http: Option<String>,
}

/// The abilities of a model at a server. The client corrects its copy when the server complains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capabilities {
    /// The strictest way to ask for a JSON answer.
    pub schema: JsonMode,
    /// True for servers that are known to keep to a schema. Others may take one and ignore it, so that they get the schema
    /// in words as well.
    pub keeps_schema: bool,
    /// True when temperature, nucleus and seed may be sent.
    pub sampling: bool,
    pub max_tokens_field: MaxTokensField,
    pub thinking: Thinking,
    /// The tokens to leave for thinking, which servers count as part of an answer.
    pub thinking_tokens: u32,
    /// True when a stream can carry token counts.
    pub usage_in_stream: bool,
    pub cache: Caching,
    /// The most tokens of prompt and answer together.
    pub context_window: u32,
    /// The most tokens of an answer.
    pub max_output: u32,
    /// True for servers that drop the beginning of a long prompt without a complaint (Ollama). The client then refuses
    /// to send a prompt that it estimates as too long.
    pub truncates_silently: bool,
    /// The model's tokens divided by the estimate; 1.0 where its tokenizer is not known.
    pub calibration: f64,
}

/// The name of the field that limits an answer's length on OpenAI's wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxTokensField {
    /// `max_tokens`, the old name that nearly every server knows.
    MaxTokens,
    /// `max_completion_tokens`: OpenAI and Kimi.
    MaxCompletionTokens,
}

/// How a server is told how much to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// Nothing is sent.
    Uncontrolled,
    /// `output_config.effort` (Anthropic).
    OutputConfig,
    /// `reasoning_effort` (OpenAI, Ollama).
    ReasoningEffort,
    /// `thinking: {type: enabled | disabled}` and `reasoning_effort` (DeepSeek).
    SwitchAndEffort,
    /// `reasoning_effort` of low, high or max, and no way to stop it (Kimi K3).
    AlwaysOn,
    /// `reasoning_effort`, and `enable_thinking` for the chat template (llama.cpp, vLLM and most servers of open models).
    ChatTemplate,
    /// `thinking: {type: enabled | disabled}` alone (Kimi K2.5 and K2.6).
    Switch,
    /// `enable_thinking: true | false`, and a share of the tokens left for thinking as `thinking_budget` (Qwen).
    EnableThinking,
}

impl Capabilities {
    /// Takes over the context that a server names in refusing a prompt. Its count of that prompt replaces a higher estimate;
    /// a lower one stays, since servers count the room for the answer too, or do not.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn take_context(&mut self, limit: u64, told: Option<u64>, estimated: u64) {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        if limit >= self.context_window {
            return;
        }
        self.context_window = limit;
        if let Some(told) = told {
            self.calibration = self.calibration.min((told as f64 / estimated.max(1) as f64).max(0.5));
        }
    }
}

/// How a provider caches prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Up to the marks in the request.
    Marked,
    /// Automatic or none; nothing is sent.
    Automatic,
}

/// A checked address of a server: http or https, a host, and nothing that a base address cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadAddress {
    /// The address does not begin with `http://` or `https://`.
    #[error("an address begins with https:// or http://")]
    Scheme,
    /// The address has no host, blanks, or invalid characters.
    #[error("this is not an address")]
    Malformed,
    /// The address holds a name or a password.
    #[error("an address must not hold a name or a password")]
    Credentials,
    /// The address holds a `?` or a `#`.
    #[error("an address ends before `?` and `#`")]
    Tail,
}

impl Address {
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        if !(lower.starts_with("https://") || lower.starts_with("http://")) {
            return Err(BadAddress::Scheme);
        }
        // The parser would drop these characters silently.
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(BadAddress::Malformed);
        }
        let url = Url::parse(text).map_err(|_| BadAddress::Malformed)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BadAddress::Tail);
        }
        match url.host_str() {
            Some(host) if !host.is_empty() => Ok(Self(url)),
            _ => Err(BadAddress::Malformed),
        }
    }

    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// How a reply departs from the form that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherForm {
    NotJson,
    /// It is JSON, and a field is missing or wrong.
    OtherFields,
}

/// Ways of asking for JSON, from the loosest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonMode {
    /// In words only; the JSON is searched for in the answer.
    Plain,
    /// The server promises some JSON object, and the prompt gives the schema.
    JsonObject,
    /// The server promises JSON that fits the schema.
    Strict,
}

impl JsonMode {
    /// The modes by their names in the settings, from the strictest.
    pub const NAMED: [(&str, Self); 3] =
        [("schema", Self::Strict), ("object", Self::JsonObject), ("text", Self::Plain)];

    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, mode)| mode)
    }

    pub fn looser(self) -> Option<Self> {
        match self {
            Self::Strict => Some(Self::JsonObject),
            Self::JsonObject => Some(Self::Plain),
            Self::Plain => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_as_they_should_be_written_and_no_other_way() {
        let table = [
            ("https://api.deepseek.com", None),
            ("HTTP://127.0.0.1:9000/v1", None),
            ("https://gateway.example/v1/@cf/relay/", None),
            ("127.0.0.1:9000/v1", Some(BadAddress::Scheme)),
            ("localhost:9000", Some(BadAddress::Scheme)),
            ("ftp://x/", Some(BadAddress::Scheme)),
            ("https://", Some(BadAddress::Malformed)),
            ("https://a b/v1", Some(BadAddress::Malformed)),
            ("https://x\\@evil.example/", Some(BadAddress::Malformed)),
            ("https://x:99999/", Some(BadAddress::Malformed)),
            ("https://me@x/v1", Some(BadAddress::Credentials)),
            ("https://:pw@x/v1", Some(BadAddress::Credentials)),
            ("https://x/v1?key=1", Some(BadAddress::Tail)),
            ("https://x/v1?", Some(BadAddress::Tail)),
            ("https://x/v1#top", Some(BadAddress::Tail)),
        ];
        for (text, expected) in table {
            assert_eq!(Address::parse(text).err(), expected, "{text}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_addresses_and_not_by_what_looks_like_one() {
        let own = |text: &str| Address::parse(text).unwrap().is_loopback();
        for text in
            ["http://localhost/", "http://127.0.0.1:1", "http://127.9.9.9", "http://[::1]:80/v1", "http://127.1"]
        {
            assert!(own(text), "{text}");
        }
        for text in ["http://localhost.evil.example", "http://127.evil.example", "http://192.168.1.2", "http://[::2]"] {
            assert!(!own(text), "{text}");
        }
    }
}
