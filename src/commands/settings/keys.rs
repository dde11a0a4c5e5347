//! The settings: each is a key in the user's file, a variable `NOVEL_…`, and for some a flag.

use crate::commands::cli::value_parsers::{self, BadValue, Money};
use crate::domain::book::config::Agent;
use crate::llm::{Address, BadAddress, preset};
use crate::report::lang::both;
use crate::report::{Both, Lang};
use crate::text::nearest;
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
    /// Whether the chosen provider's models cost nothing.
    Price,
    /// Yuan for a dollar.
    ExchangeRate,
    /// The host to which the key may be sent over plain http.
    PlainHttp,
    /// What a run may cost.
    Budget,
    /// Whether the offline writer writes.
    Offline,
    /// The address of a Mem0 server.
    MemoryUrl,
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
    /// How long to wait for a server that is busy or out of reach.
    RetryFor,
}

/// All settings, in the order of the listing.
pub(crate) fn all() -> impl Iterator<Item = Key> {
    let first = [Key::Provider, Key::Model, Key::ReviseModel];
    let server = [Key::BaseUrl, Key::PlainHttp, Key::Wire, Key::ContextWindow, Key::SecretVariable, Key::SecretFile];
    let prices = [Key::Prices, Key::Price, Key::ExchangeRate];
    let run = [Key::Language, Key::Budget, Key::Offline, Key::RetryFor, Key::MemoryUrl];
    let waits = [Key::Connect, Key::FirstByte, Key::Idle, Key::Total, Key::RetryWait];
    first
        .into_iter()
        .chain(Agent::ALL.iter().copied().map(Key::Agent))
        .chain(server)
        .chain(prices)
        .chain(run)
        .chain(waits)
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
    BadValue(no_such(name))
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
            Self::Price => "price",
            Self::ExchangeRate => "exchange_rate",
            Self::PlainHttp => "plain_http",
            Self::Language => "language",
            Self::Budget => "budget",
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
            Self::Price => {
                lang.pick("写 free：所选服务商的模型不花钱", "`free`: the chosen provider's models cost nothing")
            }
            Self::ExchangeRate => lang.pick("汇率：一美元合多少元", "yuan for a dollar"),
            Self::PlainHttp => lang.pick(
                "允许用不加密的 http 把密钥发给这台主机",
                "host to which the key may be sent unencrypted, over plain http",
            ),
            Self::Language => lang.pick("界面语言", "language of messages: zh or en"),
            Self::Budget => lang.pick("每次运行的花费上限，如 5usd、20元", "what a run may cost, as 5usd or 20元"),
            Self::Offline => lang.pick("是否用离线写手", "whether the offline writer writes: true or false"),
            Self::MemoryUrl => lang.pick(
                "Mem0 服务器的地址：由它按意思找章节",
                "address of a Mem0 server, which finds chapters by meaning",
            ),
            Self::Connect => lang.pick("等待连接多久", "how long to wait for a connection"),
            Self::FirstByte => lang.pick("等待第一个字节多久", "how long to wait for the first byte"),
            Self::Idle => lang.pick("多久没有回音算超时", "how long a silence is borne"),
            Self::Total => lang.pick("一次尝试最长多久", "how long an attempt may take"),
            Self::RetryWait => lang.pick("超时以后等多久再试", "how long to wait after a time-out before trying again"),
            Self::RetryFor => lang.pick(
                "服务器太忙或连不上时最多等多久；0 就不等",
                "how long to wait for a server that is busy or out of reach; 0 not at all",
            ),
        }
    }

    /// The value in the form in which it is used: without blanks around it, a switch as `true` or `false`, an address without
    /// a slash at its end.
    pub(crate) fn normal(self, value: &str) -> String {
        let value = value.trim();
        match self {
            Self::Offline => value_parsers::switch(value).map_or_else(|_| value.to_owned(), |on| on.to_string()),
            Self::BaseUrl | Self::MemoryUrl => value.trim_end_matches('/').to_owned(),
            _ => value.to_owned(),
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
                let names = || preset::all().iter().map(|preset| preset.name);
                let all = names().collect::<Vec<_>>().join(", ");
                bad(match nearest(value, names()) {
                    Some(meant) => both!(
                        "没有 `{value}` 这家服务商，是不是 {meant}？可以是 {all}",
                        "there is no provider `{value}`; did you mean {meant}? It is one of {all}"
                    ),
                    None => both!(
                        "没有 `{value}` 这家服务商；可以是 {all}",
                        "there is no provider `{value}`; it is one of {all}"
                    ),
                })
            }
            Self::Wire if !matches!(value, "anthropic" | "openai") => {
                bad(both!("通信格式是 anthropic 或 openai", "a wire is anthropic or openai"))
            }
            Self::Language if !matches!(value, "zh" | "en") => bad(both!("语言是 zh 或 en", "a language is zh or en")),
            Self::Offline => value_parsers::switch(value).map(|_| ()),
            Self::BaseUrl | Self::MemoryUrl => {
                Address::parse(value).map(|_| ()).map_err(|why| BadValue(no_address(why)))
            }
            Self::Price if value != "free" => bad(both!(
                "只能写 free；价目写在 prices 指的文件里",
                "only `free` can stand here; prices stand in the file that `prices` names"
            )),
            Self::ExchangeRate => value_parsers::rate(value).map(|_| ()),
            Self::PlainHttp if value.contains(['/', '@', '?', '#', '*']) || value.chars().any(char::is_whitespace) => {
                bad(both!("只写主机名，如 192.168.1.5", "write the host alone, as 192.168.1.5"))
            }
            Self::SecretVariable
                if value.is_empty() || !value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') =>
            {
                bad(both!("变量名只含字母、数字和下划线", "the name of a variable has letters, digits and underscores"))
            }
            Self::ContextWindow => value_parsers::count(value).map(|_| ()),
            Self::Budget => value.parse::<Money>().map(|_| ()),
            Self::RetryFor => value_parsers::duration_or_none(value).map(|_| ()),
            Self::Connect | Self::FirstByte | Self::Idle | Self::Total | Self::RetryWait => {
                value_parsers::duration(value).map(|_| ())
            }
            _ if value.trim().is_empty() => bad(both!("值不能为空", "a value must not be empty")),
            _ => Ok(()),
        }
    }
}

fn no_address(why: BadAddress) -> Both {
    match why {
        BadAddress::Scheme => both!(
            "地址以 https:// 或 http:// 开头，如 http://127.0.0.1:8080/v1",
            "an address begins with https:// or http://, as http://127.0.0.1:8080/v1"
        ),
        BadAddress::Malformed => both!("这不是一个地址", "this is not an address"),
        BadAddress::Credentials => {
            both!("地址里不要写用户名和密码", "an address must not hold a name or a password")
        }
        BadAddress::Tail => both!("地址里不要有 ? 和 # 的部分", "an address must not have a part behind `?` or `#`"),
    }
}

/// A setting that does not exist, with the one that was perhaps meant.
pub(crate) fn no_such(name: &str) -> Both {
    let meant = nearest(name, all().map(Key::name));
    match meant {
        Some(meant) => {
            both!("没有 {name} 这一项，是不是 {meant}？", "there is no setting {name}; did you mean {meant}?")
        }
        None if crate::store::format::config::names_secret(name) => both!(
            "没有 {name} 这一项；密钥放在环境变量里（key_env 写变量名），或放在只有你能读的文件里（key_file）",
            "there is no setting {name}; a key stays in a variable (`key_env` names it) or in a file that only you can read (`key_file`)"
        ),
        None => {
            both!("没有 {name} 这一项；`novel config` 列出全部", "there is no setting {name}; `novel config` lists all")
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
        assert!(Key::Price.check("free").is_ok() && Key::Price.check("0").is_err());
        assert!(Key::PlainHttp.check("192.168.1.5").is_ok() && Key::PlainHttp.check("http://x").is_err());
        assert!(Key::RetryFor.check("0").is_ok() && Key::RetryFor.check("soon").is_err());
        let said = |result: Result<(), BadValue>| result.unwrap_err().0;
        assert!(said(Key::Provider.check("opeanai")).zh.contains("是不是 openai？"));
        assert_eq!(no_such("provder").zh, "没有 provder 这一项，是不是 provider？");
        assert_eq!(no_such("baseurl").en, "there is no setting baseurl; did you mean base_url?");
        assert!(no_such("api_key").en.contains("key_env"));
        assert_eq!((Key::Offline.normal(" 1 "), Key::BaseUrl.normal("http://x/ ")), ("true".into(), "http://x".into()));
    }
}
