//! The settings: each is a key in the user's file, a variable `NOVEL_…`, and for some a flag.

use crate::commands::values::{self, BadValue, Money};
use crate::domain::config::Agent;
use crate::llm::preset;
use crate::report::lang::both;
use crate::report::{Both, Lang};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fmt;

/// A setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// Whose models.
    Provider,
    /// The model for the bulk of the work.
    Model,
    /// The model for revisions.
    ReviseModel,
    /// The model of one agent.
    Agent(Agent),
    /// The server's address, when it is not the provider's own.
    BaseUrl,
    /// The server's wire format, when it is not the provider's own.
    Wire,
    /// How many tokens of prompt and answer the chosen server holds.
    ContextWindow,
    /// The variable that holds the key.
    SecretVariable,
    /// The file that holds the key.
    SecretFile,
    /// A file of prices over the built-in ones.
    Prices,
    /// The language of messages.
    Language,
    /// What a run may cost.
    Budget,
    /// Whether the offline writer writes.
    Offline,
    /// How long to wait for a connection.
    Connect,
    /// How long to wait for the first byte.
    FirstByte,
    /// How long a silence is borne.
    Idle,
    /// How long an attempt may take.
    Total,
    /// How long to wait after a time-out.
    RetryWait,
}

/// All settings, in the order of the listing.
pub(crate) fn all() -> impl Iterator<Item = Key> {
    let first = [Key::Provider, Key::Model, Key::ReviseModel];
    let server = [Key::BaseUrl, Key::Wire, Key::ContextWindow, Key::SecretVariable, Key::SecretFile, Key::Prices];
    let run = [Key::Language, Key::Budget, Key::Offline];
    let waits = [Key::Connect, Key::FirstByte, Key::Idle, Key::Total, Key::RetryWait];
    first.into_iter().chain(Agent::ALL.iter().copied().map(Key::Agent)).chain(server).chain(run).chain(waits)
}

/// The setting of a name.
pub(crate) fn find(name: &str) -> Option<Key> {
    all().find(|key| key.name() == name)
}

/// A parser for the names of settings; help and completions list them.
pub(crate) fn parser() -> impl TypedValueParser<Value = Key> {
    PossibleValuesParser::new(all().map(Key::name)).try_map(|name| find(&name).ok_or_else(|| unknown(&name)))
}

fn unknown(name: &str) -> BadValue {
    BadValue(both!("没有 `{name}` 这项设置", "there is no setting `{name}`"))
}

impl Key {
    /// Its name in the file; a dot is a table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Model => "model",
            Self::ReviseModel => "revise_model",
            Self::Agent(Agent::Writer) => "agents.writer",
            Self::Agent(Agent::Summarizer) => "agents.summarizer",
            Self::Agent(Agent::Refiner) => "agents.refiner",
            Self::Agent(Agent::Judge) => "agents.judge",
            Self::Agent(Agent::StyleAnalyzer) => "agents.style-analyzer",
            Self::Agent(Agent::WorldBuilder) => "agents.world-builder",
            Self::Agent(Agent::CharacterWeaver) => "agents.character-weaver",
            Self::Agent(Agent::PlotArchitect) => "agents.plot-architect",
            Self::BaseUrl => "base_url",
            Self::Wire => "wire",
            Self::ContextWindow => "context_window",
            Self::SecretVariable => "key_env",
            Self::SecretFile => "key_file",
            Self::Prices => "prices",
            Self::Language => "language",
            Self::Budget => "budget",
            Self::Offline => "offline",
            Self::Connect => "timeouts.connect",
            Self::FirstByte => "timeouts.first_byte",
            Self::Idle => "timeouts.idle",
            Self::Total => "timeouts.total",
            Self::RetryWait => "timeouts.retry_wait",
        }
    }

    /// Its variable: `NOVEL_` and the name in capitals with underscores; `NOVEL_LANG` for the language.
    pub(crate) fn variable(self) -> String {
        match self {
            Self::Language => "NOVEL_LANG".to_owned(),
            key => format!("NOVEL_{}", key.name().to_ascii_uppercase().replace(['.', '-'], "_")),
        }
    }

    /// What it is.
    pub(crate) fn meaning(self, lang: Lang) -> &'static str {
        match self {
            Self::Provider => lang.pick("用哪家的模型", "whose models: see `novel config providers`"),
            Self::Model => lang.pick("常用模型", "model for the bulk of the work; NAME or PROVIDER:NAME"),
            Self::ReviseModel => lang.pick("修订用的模型", "model for revisions; NAME or PROVIDER:NAME"),
            Self::Agent(_) => lang.pick("这个智能体的模型", "model of this agent; NAME or PROVIDER:NAME"),
            Self::BaseUrl => lang.pick("服务器地址", "address of the server, when it is not the provider's own"),
            Self::Wire => lang.pick("通信格式", "wire format of the server: anthropic or openai"),
            Self::ContextWindow => {
                lang.pick("服务器的上下文有多少 token", "tokens of prompt and answer that the server holds")
            }
            Self::SecretVariable => lang.pick("放密钥的环境变量名", "name of the variable that holds the key"),
            Self::SecretFile => lang.pick("放密钥的文件", "file that holds the key; nobody else may read it"),
            Self::Prices => lang.pick("价目文件", "file of prices over the built-in ones"),
            Self::Language => lang.pick("界面语言", "language of messages: zh or en"),
            Self::Budget => lang.pick("每次运行的花费上限", "what a run may cost, as 5usd"),
            Self::Offline => lang.pick("是否用离线写手", "whether the offline writer writes: true or false"),
            Self::Connect => lang.pick("等待连接多久", "how long to wait for a connection"),
            Self::FirstByte => lang.pick("等待第一个字节多久", "how long to wait for the first byte"),
            Self::Idle => lang.pick("多久没有回音算超时", "how long a silence is borne"),
            Self::Total => lang.pick("一次尝试最长多久", "how long an attempt may take"),
            Self::RetryWait => lang.pick("超时以后等多久再试", "how long to wait after a time-out before trying again"),
        }
    }

    /// Whether the value is understood, and never a key.
    ///
    /// # Errors
    /// What would have been understood.
    pub(crate) fn check(self, value: &str) -> Result<(), BadValue> {
        let bad = |why: Both| Err(BadValue(why));
        if crate::llm::fault::redact(value, None) != value {
            return bad(both!(
                "这像是一把密钥；密钥放在环境变量里（key_env 写变量名），或放在只有你能读的文件里（key_file）",
                "that looks like a key; keep it in a variable (`key_env` names it) or in a file that only you can read (`key_file`)"
            ));
        }
        match self {
            Self::Provider if preset::find(value).is_none() => {
                let names = preset::all().iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
                bad(both!("服务商是其中之一: {names}", "a provider is one of {names}"))
            }
            Self::Wire if !matches!(value, "anthropic" | "openai") => {
                bad(both!("通信格式是 anthropic 或 openai", "a wire is anthropic or openai"))
            }
            Self::Language if !matches!(value, "zh" | "en") => bad(both!("语言是 zh 或 en", "a language is zh or en")),
            Self::Offline if !matches!(value, "true" | "false") => {
                bad(both!("写 true 或 false", "write true or false"))
            }
            Self::BaseUrl if !(value.starts_with("https://") || value.starts_with("http://")) => {
                bad(both!("地址以 https:// 或 http:// 开头", "an address begins with https:// or http://"))
            }
            Self::BaseUrl if value.contains('@') => {
                bad(both!("地址里不要写用户名和密码", "an address must not hold a name or a password"))
            }
            Self::SecretVariable if !value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
                bad(both!("变量名只含字母、数字和下划线", "the name of a variable has letters, digits and underscores"))
            }
            Self::ContextWindow => values::count(value).map(|_| ()),
            Self::Budget => value.parse::<Money>().map(|_| ()),
            Self::Connect | Self::FirstByte | Self::Idle | Self::Total | Self::RetryWait => {
                values::duration(value).map(|_| ())
            }
            _ if value.trim().is_empty() => bad(both!("值不能为空", "a value must not be empty")),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_variables_are_unique() {
        let mut names: Vec<&str> = all().map(Key::name).collect();
        let mut variables: Vec<String> = all().map(Key::variable).collect();
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        variables.sort_unstable();
        variables.dedup();
        assert_eq!((names.len(), variables.len()), (n, n));
        assert_eq!(Key::Agent(Agent::StyleAnalyzer).variable(), "NOVEL_AGENTS_STYLE_ANALYZER");
    }

    #[test]
    fn a_key_is_refused_wherever_it_is_put() {
        for key in all() {
            assert!(key.check("sk-ant-abcdefghijklmnop").is_err(), "{key}");
        }
        assert!(Key::Provider.check("nobody").is_err() && Key::Provider.check("kimi").is_ok());
        assert!(Key::BaseUrl.check("ftp://x").is_err() && Key::BaseUrl.check("https://a:b@x").is_err());
        assert!(Key::Budget.check("5usd").is_ok() && Key::Budget.check("five").is_err());
    }
}
