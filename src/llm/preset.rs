//! The servers known by name, as the vendors document them in November 2026. The user's settings override everything.

use crate::llm::endpoint::{Caching, Capabilities, Endpoint, JsonMode, MaxTokensField, Thinking, Wire};
use secrecy::SecretString;

#[derive(Clone, Copy, Debug)]
pub struct Preset {
    pub name: &'static str,
    pub wire: Wire,
    pub base_url: &'static str,
    /// Environment variables that may hold the key, first found first; none for a local server.
    pub key_variables: &'static [&'static str],
    /// The page where the provider hands out keys; none for a local server.
    pub key_page: Option<&'static str>,
    /// The model for ordinary work; none where the user chooses what to install.
    pub standard: Option<&'static str>,
    /// The model for revisions and delicate work.
    pub strong: Option<&'static str>,
    /// True for a server on the user's machine.
    pub local: bool,
    /// The abilities of the server's usual model.
    usual: Capabilities,
}

/// A capability record to start from: a server that takes everything of OpenAI's wire.
const GENERIC: Capabilities = Capabilities {
    schema: JsonMode::Strict,
    keeps_schema: false,
    sampling: true,
    max_tokens_field: MaxTokensField::MaxTokens,
    thinking: Thinking::ChatTemplate,
    thinking_tokens: 12_000,
    usage_in_stream: true,
    cache: Caching::Automatic,
    context_window: 32_768,
    max_output: 16_384,
    truncates_silently: false,
    calibration: 1.0,
};

const PRESETS: [Preset; 8] = [
    Preset {
        name: "anthropic",
        wire: Wire::Anthropic,
        base_url: "https://api.anthropic.com",
        key_variables: &["ANTHROPIC_API_KEY"],
        key_page: Some("https://platform.claude.com/settings/keys"),
        standard: Some("claude-sonnet-5-5"),
        strong: Some("claude-opus-5-5"),
        local: false,
        usual: Capabilities {
            keeps_schema: true,
            sampling: false,
            thinking: Thinking::OutputConfig,
            cache: Caching::Marked,
            context_window: 1_000_000,
            max_output: 128_000,
            ..GENERIC
        },
    },
    Preset {
        name: "openai",
        wire: Wire::OpenAi,
        base_url: "https://api.openai.com/v1",
        key_variables: &["OPENAI_API_KEY"],
        key_page: Some("https://platform.openai.com/api-keys"),
        standard: Some("gpt-6.1-terra"),
        strong: Some("gpt-6.1-sol"),
        local: false,
        usual: Capabilities {
            keeps_schema: true,
            sampling: false,
            max_tokens_field: MaxTokensField::MaxCompletionTokens,
            thinking: Thinking::ReasoningEffort,
            context_window: 922_000,
            max_output: 128_000,
            ..GENERIC
        },
    },
    Preset {
        name: "deepseek",
        wire: Wire::OpenAi,
        base_url: "https://api.deepseek.com",
        key_variables: &["DEEPSEEK_API_KEY"],
        key_page: Some("https://platform.deepseek.com/api_keys"),
        standard: Some("deepseek-flash"),
        strong: Some("deepseek-v4-pro"),
        local: false,
        usual: Capabilities {
            schema: JsonMode::JsonObject,
            thinking: Thinking::SwitchAndEffort,
            context_window: 1_000_000,
            max_output: 384_000,
            ..GENERIC
        },
    },
    Preset {
        name: "qwen",
        wire: Wire::OpenAi,
        base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1",
        key_variables: &["DASHSCOPE_API_KEY"],
        key_page: Some("https://bailian.console.aliyun.com/?tab=model#/api-key"),
        standard: Some("qwen3.8-flash"),
        strong: Some("qwen3.8-max"),
        local: false,
        usual: Capabilities {
            schema: JsonMode::JsonObject,
            thinking: Thinking::EnableThinking,
            context_window: 992_000,
            max_output: 131_072,
            ..GENERIC
        },
    },
    Preset {
        name: "kimi",
        wire: Wire::OpenAi,
        base_url: "https://api.moonshot.cn/v1",
        key_variables: &["MOONSHOT_API_KEY", "KIMI_API_KEY"],
        key_page: Some("https://platform.moonshot.cn/console/api-keys"),
        standard: Some("kimi-k3"),
        strong: Some("kimi-k3.1-pro"),
        local: false,
        usual: Capabilities {
            keeps_schema: true,
            // The models fix these settings and reject any other value.
            sampling: false,
            max_tokens_field: MaxTokensField::MaxCompletionTokens,
            thinking: Thinking::AlwaysOn,
            // They think as much as they can unless told otherwise, and 3,000 to 7,000 tokens at the lowest effort.
            thinking_tokens: 32_000,
            context_window: 1_000_000,
            max_output: 65_536,
            ..GENERIC
        },
    },
    Preset {
        name: "ollama",
        wire: Wire::OpenAi,
        base_url: "http://127.0.0.1:11434/v1",
        key_variables: &[],
        key_page: None,
        standard: None,
        strong: None,
        local: true,
        usual: Capabilities {
            thinking: Thinking::ReasoningEffort,
            // The default unless the user has set `num_ctx`.
            context_window: 4096,
            truncates_silently: true,
            ..GENERIC
        },
    },
    Preset {
        name: "llama.cpp",
        wire: Wire::OpenAi,
        base_url: "http://127.0.0.1:8080/v1",
        key_variables: &[],
        key_page: None,
        standard: Some(ANY_NAME),
        strong: Some(ANY_NAME),
        local: true,
        usual: Capabilities { keeps_schema: true, ..GENERIC },
    },
    Preset {
        name: "vllm",
        wire: Wire::OpenAi,
        base_url: "http://127.0.0.1:8000/v1",
        key_variables: &[],
        key_page: None,
        standard: None,
        strong: None,
        local: true,
        usual: GENERIC,
    },
];

/// The model name for a server that serves one model and takes any name.
const ANY_NAME: &str = "default";

/// All known servers, in the order in which to offer them.
pub fn all() -> &'static [Preset] {
    &PRESETS
}

pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Preset {
    /// True for a server that serves one model and takes any name for it.
    pub fn takes_any_name(&self) -> bool {
        self.standard == Some(ANY_NAME)
    }

    /// The abilities of a model of this server, guessed by its name.
    pub fn capabilities(&self, model: &str) -> Capabilities {
        let usual = Capabilities { calibration: calibration(model), ..self.usual };
        let is = |names: &[&str]| names.iter().any(|name| model.starts_with(name));
        match self.name {
            // The last generations that take sampling; `effort` came after them.
            "anthropic" if is(&["claude-haiku-4-5", "claude-sonnet-4-", "claude-opus-4-5", "claude-opus-4-6"]) => {
                // They think only where a request has them think.
                let (sampling, thinking, thinking_tokens) = (true, Thinking::Uncontrolled, 0);
                let (context_window, max_output) = (200_000, 64_000);
                Capabilities { sampling, thinking, thinking_tokens, context_window, max_output, ..usual }
            }
            "qwen" if is(&["qwen3.8-max"]) => Capabilities { schema: JsonMode::Strict, keeps_schema: true, ..usual },
            "qwen" if is(&["qwen3.7"]) => Capabilities { max_output: 65_536, ..usual },
            "kimi" if is(&["kimi-k2.5", "kimi-k2.6"]) => {
                Capabilities { thinking: Thinking::Switch, context_window: 262_144, ..usual }
            }
            "kimi" if is(&["kimi-k2"]) => {
                Capabilities { thinking: Thinking::Uncontrolled, context_window: 262_144, ..usual }
            }
            _ => usual,
        }
    }

    /// An endpoint for one of the server's models; address and wire may be changed.
    pub fn endpoint(&self, model: &str, key: Option<SecretString>) -> Endpoint {
        Endpoint {
            name: self.name.to_owned(),
            wire: self.wire,
            base_url: self.base_url.to_owned(),
            key,
            key_source: None,
            capabilities: self.capabilities(model),
            free: self.local,
            plain_http: None,
        }
    }
}

/// The measured tokens of a Han character, with a tenth more, for families of models whose tokenizer is known.
fn calibration(model: &str) -> f64 {
    let model = model.to_lowercase();
    if ["qwen", "deepseek"].iter().any(|family| model.contains(family)) { 0.86 } else { 1.0 }
}

impl Endpoint {
    pub fn at(self, base_url: impl Into<String>) -> Self {
        Self { base_url: base_url.into(), ..self }
    }

    /// Puts the model at an address that need not be its vendor's: a relay may take a schema and ignore it.
    #[must_use]
    pub fn relayed_at(mut self, base_url: impl Into<String>) -> Self {
        self.capabilities.keeps_schema &= self.capabilities.thinking == Thinking::ChatTemplate;
        self.at(base_url)
    }

    /// Puts the model on another wire. Only the sizes of the record still hold; servers that imitate a wire tend to
    /// ignore its finer parts silently, so nothing is asked that reading the answer does not need, but for what the user sets.
    pub fn over(self, wire: Wire) -> Self {
        if wire == self.wire {
            return self;
        }
        let capabilities = Capabilities {
            schema: JsonMode::Plain,
            keeps_schema: false,
            sampling: false,
            thinking: if wire == Wire::Anthropic { Thinking::OutputConfig } else { Thinking::ReasoningEffort },
            max_tokens_field: MaxTokensField::MaxTokens,
            cache: if wire == Wire::Anthropic { Caching::Marked } else { Caching::Automatic },
            ..self.capabilities
        };
        Self { wire, capabilities, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_server_is_found_and_hosted_ones_have_a_key_and_models() {
        for preset in all() {
            assert_eq!(find(preset.name).unwrap().base_url, preset.base_url);
            assert_eq!(preset.local, preset.key_variables.is_empty(), "{}", preset.name);
            assert_eq!(preset.local, preset.key_page.is_none(), "{}", preset.name);
            assert_eq!(preset.local, preset.base_url.starts_with("http://127.0.0.1:"), "{}", preset.name);
            assert!(preset.local || (preset.standard.is_some() && preset.strong.is_some()), "{}", preset.name);
        }
        assert!(find("nobody").is_none());
    }

    #[test]
    fn the_model_decides_within_a_server() {
        let of = |server: &str, model: &str| find(server).unwrap().capabilities(model);
        assert_eq!(of("qwen", "qwen3.8-max").schema, JsonMode::Strict);
        assert_eq!(of("qwen", "qwen3.8-flash").schema, JsonMode::JsonObject);
        assert!(!of("anthropic", "claude-sonnet-5-5").sampling);
        assert!(of("anthropic", "claude-haiku-4-5-20251001").sampling);
        assert_eq!(of("kimi", "kimi-k2.6").thinking, Thinking::Switch);
    }

    #[test]
    fn an_imitated_wire_is_trusted_with_less() {
        let endpoint = find("llama.cpp").unwrap().endpoint("m", None).at("http://127.0.0.1:9").over(Wire::Anthropic);
        assert_eq!(endpoint.base_url, "http://127.0.0.1:9");
        assert_eq!(endpoint.capabilities.schema, JsonMode::Plain);
    }
}
