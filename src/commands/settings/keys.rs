//! The settings: each is a key in the user's file, a variable `NOVEL_…`, and for some a flag.

use crate::commands::cli::value_parsers::{BadValue, Money};
use crate::commands::prelude::*;
use crate::llm::{Address, BadAddress, Effort, JsonMode, preset};
use crate::pipeline::engine::run::AheadMode;
use crate::report::words;
use crate::text::nearest;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Provider,
    /// The model for most of the work.
    Model,
    ReviseModel,
    Agent(Agent),
    /// The server's address, when it is not the provider's own.
    BaseUrl,
    /// The server's wire format, when it is not the provider's own.
    Wire,
    /// The tokens of prompt and answer that the server holds.
    ContextWindow,
    /// The strictest way in which the server is asked for JSON.
    JsonMode,
    /// How much models think.
    Effort,
    AgentEffort(Agent),
    ThinkingTokens,
    AgentThinkingTokens(Agent),
    /// The models that are asked in turn when another one fails.
    Fallback,
    AgentFallback(Agent),
    SecretVariable,
    SecretFile,
    /// A file of prices that override the built-in ones.
    Prices,
    Language,
    /// True when the provider's models cost nothing.
    Price,
    /// Yuan for a dollar.
    ExchangeRate,
    Currency,
    /// The host to which the key may be sent over plain http.
    PlainHttp,
    Budget,
    /// When the next chapter's draft is asked for before the chapter is accepted.
    Ahead,
    /// The command that hears when a run is over.
    Notify,
    /// True when the offline writer writes.
    Offline,
    /// The address of a Mem0 server.
    MemoryUrl,
    /// The longest wait for a connection.
    Connect,
    /// The longest wait for the first byte.
    FirstByte,
    /// The longest silence.
    Idle,
    /// The longest attempt.
    Total,
    /// The wait after a time-out.
    RetryWait,
    /// The longest wait for a busy or unreachable server.
    RetryFor,
}

/// All settings, in the order of the listing.
pub(crate) fn all() -> impl Iterator<Item = Key> {
    let of_agents = |key: fn(Agent) -> Key| Agent::ALL.iter().copied().map(key);
    usual()
        .chain(of_agents(Key::AgentFallback))
        .chain(of_agents(Key::AgentEffort))
        .chain(of_agents(Key::AgentThinkingTokens))
}

/// The settings that are listed whether they are set or not: those of one agent are many, and few are ever set.
pub(crate) fn usual() -> impl Iterator<Item = Key> {
    let first = [Key::Provider, Key::Model, Key::ReviseModel];
    let server = [Key::BaseUrl, Key::PlainHttp, Key::Wire, Key::ContextWindow, Key::SecretVariable, Key::SecretFile];
    let calls = [Key::Fallback, Key::Effort, Key::ThinkingTokens, Key::JsonMode];
    let prices = [Key::Prices, Key::Price, Key::ExchangeRate, Key::Currency];
    let run = [Key::Language, Key::Budget, Key::Ahead, Key::Notify, Key::Offline, Key::RetryFor, Key::MemoryUrl];
    let waits = [Key::Connect, Key::FirstByte, Key::Idle, Key::Total, Key::RetryWait];
    first
        .into_iter()
        .chain(Agent::ALL.iter().copied().map(Key::Agent))
        .chain(calls)
        .chain(server)
        .chain(prices)
        .chain(run)
        .chain(waits)
}

pub(crate) fn find(name: &str) -> Option<Key> {
    all().find(|key| key.name() == name)
}

/// A parser for the names of settings, listed in help and completions.
pub(crate) fn parser() -> impl TypedValueParser<Value = Key> {
    let shown: Vec<Key> = usual().collect();
    let named = move |key: Key| PossibleValue::new(key.name()).hide(!shown.contains(&key));
    PossibleValuesParser::new(all().map(named)).try_map(|name| find(&name).ok_or_else(|| unknown(&name)))
}

fn unknown(name: &str) -> BadValue {
    BadValue(no_such(name))
}

/// The name of a setting of one agent, in the table of that setting.
macro_rules! of_agent {
    ($agent:expr, $table:literal) => {
        match $agent {
            Agent::Writer => concat!($table, ".writer"),
            Agent::Summarizer => concat!($table, ".summarizer"),
            Agent::Refiner => concat!($table, ".refiner"),
            Agent::Judge => concat!($table, ".judge"),
            Agent::StyleAnalyzer => concat!($table, ".style-analyzer"),
            Agent::WorldBuilder => concat!($table, ".world-builder"),
            Agent::CharacterWeaver => concat!($table, ".character-weaver"),
            Agent::PlotArchitect => concat!($table, ".plot-architect"),
        }
    };
}

impl Key {
    /// The name in the file; a dot is a table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Model => "model",
            Self::ReviseModel => "revise_model",
            Self::Agent(agent) => of_agent!(agent, "agents"),
            Self::AgentEffort(agent) => of_agent!(agent, "agent_effort"),
            Self::AgentThinkingTokens(agent) => of_agent!(agent, "agent_thinking_tokens"),
            Self::AgentFallback(agent) => of_agent!(agent, "agent_fallback"),
            Self::Fallback => "fallback",
            Self::JsonMode => "json_mode",
            Self::Effort => "effort",
            Self::ThinkingTokens => "thinking_tokens",
            Self::BaseUrl => "base_url",
            Self::Wire => "wire",
            Self::ContextWindow => "context_window",
            Self::SecretVariable => "key_env",
            Self::SecretFile => "key_file",
            Self::Prices => "prices",
            Self::Price => "price",
            Self::ExchangeRate => "exchange_rate",
            Self::Currency => "currency",
            Self::PlainHttp => "plain_http",
            Self::Language => "language",
            Self::Budget => "budget",
            Self::Ahead => "ahead",
            Self::Notify => "notify",
            Self::Offline => "offline",
            Self::Connect => "timeouts.connect",
            Self::FirstByte => "timeouts.first_byte",
            Self::Idle => "timeouts.idle",
            Self::Total => "timeouts.total",
            Self::RetryWait => "timeouts.retry_wait",
            Self::RetryFor => "retry_for",
            Self::MemoryUrl => "memory_url",
        }
    }

    /// The variable: `NOVEL_` and the name in capitals with underscores; `NOVEL_LANG` for the language.
    pub(crate) fn variable(self) -> String {
        match self {
            Self::Language => "NOVEL_LANG".to_owned(),
            key => format!("NOVEL_{}", key.name().to_ascii_uppercase().replace(['.', '-'], "_")),
        }
    }

    /// The meaning, which settings of one agent have in common.
    pub(crate) fn meaning(self, lang: Lang) -> &'static str {
        let (name, table) = (self.name(), self.name().split('.').next().unwrap_or_default());
        let meaning = words::named("setting", name, lang).or_else(|| words::named("setting", table, lang));
        meaning.unwrap_or_default()
    }

    /// Normalizes a value: without surrounding blanks, a switch as `true` or `false`, an address without a final slash,
    /// an amount with its currency.
    pub(crate) fn normal(self, value: &str) -> String {
        let value = value.trim();
        match self {
            Self::Offline => value_parsers::switch(value).map_or_else(|_| value.to_owned(), |on| on.to_string()),
            Self::BaseUrl | Self::MemoryUrl => value.trim_end_matches('/').to_owned(),
            Self::Budget => Money::with_currency(value),
            Self::Fallback | Self::AgentFallback(_) => list(value).collect::<Vec<_>>().join(", "),
            _ => value.to_owned(),
        }
    }

    /// Checks that the value is valid, and not a key.
    pub(crate) fn check(self, value: &str) -> Result<(), BadValue> {
        let bad = |why: Both| Err(BadValue(why));
        if crate::llm::fault::redact(value, &[]) != value {
            return bad(both!(that_looks_like_key_keep_it));
        }
        match self {
            Self::Provider if preset::find(value).is_none() => {
                let names = || preset::all().iter().map(|preset| preset.name);
                bad(Both::of(|lang| {
                    let all = listed(names(), lang);
                    match nearest(value, names()) {
                        Some(meant) => say!(lang, there_is_no_provider_did_you(value, meant, all)),
                        None => say!(lang, there_is_no_provider_it_is(value, all)),
                    }
                }))
            }
            Self::Wire if !matches!(value, "anthropic" | "openai") => bad(both!(wire_is_anthropic_or_openai)),
            Self::Language if !matches!(value, "zh" | "en") => bad(both!(language_is_zh_or_en)),
            Self::Offline => value_parsers::switch(value).map(|_| ()),
            Self::BaseUrl | Self::MemoryUrl => {
                Address::parse(value).map(|_| ()).map_err(|why| BadValue(no_address(why)))
            }
            Self::Price if value != "free" => bad(both!(only_free_can_stand_here_prices)),
            Self::ExchangeRate => value_parsers::rate(value).map(|_| ()),
            Self::Currency => value_parsers::currency(value).map(|_| ()),
            Self::PlainHttp if value.contains(['/', '@', '?', '#', '*']) || value.chars().any(char::is_whitespace) => {
                bad(both!(write_host_alone_as))
            }
            Self::SecretVariable
                if value.is_empty() || !value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') =>
            {
                bad(both!(name_of_variable_has_letters_digits))
            }
            Self::ContextWindow => value_parsers::count(value).map(|_| ()),
            Self::ThinkingTokens | Self::AgentThinkingTokens(_) => value_parsers::count_or_none(value).map(|_| ()),
            Self::Effort | Self::AgentEffort(_) if Effort::named(value).is_none() => {
                bad(one_of(Effort::NAMED.iter().map(|(name, _)| *name)))
            }
            Self::Ahead if value.parse::<AheadMode>().is_err() => {
                bad(one_of(AheadMode::ALL.iter().map(|mode| mode.as_str())))
            }
            Self::JsonMode if JsonMode::named(value).is_none() => {
                bad(one_of(JsonMode::NAMED.iter().map(|(name, _)| *name)))
            }
            Self::Budget => value.parse::<Money>().map(|_| ()),
            Self::RetryFor => value_parsers::duration_or_none(value).map(|_| ()),
            Self::Connect | Self::FirstByte | Self::Idle | Self::Total | Self::RetryWait => {
                value_parsers::duration(value).map(|_| ())
            }
            _ if value.trim().is_empty() => bad(both!(value_must_not_be_empty)),
            _ => Ok(()),
        }
    }
}

pub(crate) fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split([',', '，']).map(str::trim).filter(|item| !item.is_empty())
}

fn one_of<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Both {
    both!(lang, setting_is_one_of(names = listed(names.clone(), lang)))
}

fn no_address(why: BadAddress) -> Both {
    match why {
        BadAddress::Scheme => both!(address_begins_with_https_or_http),
        BadAddress::Malformed => both!(this_is_not_address),
        BadAddress::Credentials => both!(address_must_not_hold_name_or),
        BadAddress::Tail => both!(address_must_not_have_part_behind),
    }
}

/// The error of an unknown setting, with the one perhaps meant.
pub(crate) fn no_such(name: &str) -> Both {
    let meant = nearest(name, all().map(Key::name));
    match meant {
        Some(meant) => both!(there_is_no_setting_did_you(name, meant)),
        None if crate::store::format::config::names_secret(name) => both!(there_is_no_setting_key_stays(name)),
        None => both!(there_is_no_setting_novel_config(name)),
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
            assert!(key.check(&format!("AIza{}", "a1".repeat(20))).is_err(), "{key}");
        }
        assert!(Key::Provider.check("nobody").is_err() && Key::Provider.check("kimi").is_ok());
        assert!(Key::BaseUrl.check("ftp://x").is_err() && Key::BaseUrl.check("https://a:b@x").is_err());
        assert!(Key::Budget.check("5usd").is_ok() && Key::Budget.check("five").is_err());
        assert!(Key::Price.check("free").is_ok() && Key::Price.check("0").is_err());
        assert!(Key::PlainHttp.check("192.168.1.5").is_ok() && Key::PlainHttp.check("http://x").is_err());
        assert!(Key::RetryFor.check("0").is_ok() && Key::RetryFor.check("soon").is_err());
        let said = |result: Result<(), BadValue>| result.unwrap_err().0;
        assert!(said(Key::Provider.check("opeanai")).zh.contains("是不是 openai？"));
        assert_eq!(no_such("provder").zh, "没有 provder 这一项，是不是 provider？");
        assert_eq!(no_such("baseurl").en, "no such setting: `baseurl`; did you mean `base_url`?");
        assert!(no_such("api_key").en.contains("key_env"));
        assert_eq!((Key::Offline.normal(" 1 "), Key::BaseUrl.normal("http://x/ ")), ("true".into(), "http://x".into()));
    }
}
