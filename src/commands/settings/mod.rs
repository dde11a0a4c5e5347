//! What holds for this run, and where each value comes from.
//!
//! The strongest source wins: flag, `NOVEL_…` variable, the user's configuration file, the book's `novel.toml`, built
//! in. The book may say only what makes it reproducible (offline or not, its budget); addresses and keys are never
//! read from a book, because a book that was cloned from somewhere could send a key there.
//!
//! Where nobody names a provider, the first one in the order of [`preset::all`] whose usual key variable is set is
//! taken.

pub(crate) mod file;
pub(crate) mod keys;
mod models;

use super::environment::Environment;
use super::values::{self, Money};
use crate::domain::config::BookConfig;
use crate::llm::{Policy, Timeouts, preset};
use crate::report::config::{Listing, Provider, Providers, Setting};
use crate::report::lang::{Both, Lang, both, say};
use file::UserFile;
use keys::Key;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Settings given by flags of the command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Flags(BTreeMap<Key, (&'static str, String)>);

impl Flags {
    /// The same flags and one more, when it was given.
    #[must_use]
    pub(crate) fn with(mut self, key: Key, flag: &'static str, value: Option<String>) -> Self {
        if let Some(value) = value {
            self.0.insert(key, (flag, value));
        }
        self
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A flag.
    Flag(&'static str),
    /// A variable.
    Variable(String),
    /// The user's file.
    File(PathBuf),
    /// The book.
    Book,
    /// A provider's usual variable is set, so that provider is taken.
    KeyFound(&'static str),
    /// Nobody says anything else.
    BuiltIn,
}

impl Origin {
    fn say(&self, lang: Lang) -> String {
        match self {
            Self::Flag(flag) => say!(lang, "选项 {flag}", "flag {flag}"),
            Self::Variable(name) => say!(lang, "环境变量 {name}", "variable {name}"),
            Self::File(path) => path.display().to_string(),
            Self::Book => say!(lang, "书里的 novel.toml", "the book's novel.toml"),
            Self::KeyFound(name) => say!(lang, "因为设置了 {name}", "because {name} is set"),
            Self::BuiltIn => say!(lang, "内置", "built in"),
        }
    }
}

/// The settings of a run.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    values: BTreeMap<Key, (String, Origin)>,
    /// What was passed over or chosen without being asked for.
    pub(crate) warnings: Vec<Both>,
    /// What is worth knowing in verbose mode.
    pub(crate) notes: Vec<Both>,
    /// The keys that are there, by variable. Never printed.
    secrets: BTreeMap<String, SecretString>,
    /// The file of the key, as a path.
    key_file: Option<PathBuf>,
    /// The file of prices, as a path.
    pub(crate) prices: Option<PathBuf>,
}

/// The variable of a key for whichever provider is chosen.
const OWN_KEY: &str = "NOVEL_API_KEY";

impl Settings {
    /// Puts the sources together.
    pub(crate) fn resolve(
        flags: &Flags,
        environment: &Environment,
        file: &UserFile,
        book: Option<&BookConfig>,
    ) -> Self {
        let mut values = BTreeMap::new();
        let mut warnings = file.warnings.clone();
        for key in keys::all() {
            let variable = key.variable();
            let named = environment.var(&variable).filter(|value| match key.check(value) {
                Ok(()) => true,
                // `NOVEL_LANG` may hold any locale name.
                Err(_) if key == Key::Language => false,
                Err(bad) => {
                    let (zh, en) = (bad.0.zh, bad.0.en);
                    warnings.push(both!("环境变量 {variable}: {zh}", "variable {variable}: {en}"));
                    false
                }
            });
            let found = flags.0.get(&key).map(|(flag, value)| (value.clone(), Origin::Flag(flag)));
            let found = found.or_else(|| named.map(|value| (value.to_owned(), Origin::Variable(variable.clone()))));
            let found =
                found.or_else(|| file.values.get(&key).map(|value| (value.clone(), Origin::File(file.path.clone()))));
            let found = found.or_else(|| Some((of_book(book?, key)?, Origin::Book)));
            if let Some(found) = found.or_else(|| built_in(key).map(|value| (value, Origin::BuiltIn))) {
                values.insert(key, found);
            }
        }
        let base = file.path.parent().map(PathBuf::from).unwrap_or_default();
        let place = |key: Key| {
            let (written, origin) = values.get(&key)?;
            // A path in the file is relative to the file; elsewhere, to the folder in which the command is typed.
            let base = if matches!(origin, Origin::File(_)) {
                base.clone()
            } else {
                environment.cwd.clone().unwrap_or_default()
            };
            Some(environment.path(written, &base))
        };
        let (key_file, prices) = (place(Key::SecretFile), place(Key::Prices));
        let key_env = values.get(&Key::SecretVariable).map(|(name, _)| name.clone());
        let usual = preset::all().iter().flat_map(|preset| preset.key_variables.iter().map(|name| (*name).to_owned()));
        let secrets = usual
            .chain([OWN_KEY.to_owned()])
            .chain(key_env)
            .filter_map(|name| Some((name.clone(), SecretString::from(environment.var(&name)?.trim().to_owned()))))
            .collect();
        let mut settings = Self { values, warnings, notes: Vec::new(), secrets, key_file, prices };
        settings.choose_provider();
        settings
    }

    /// Takes the first provider whose key is there, when none is named.
    fn choose_provider(&mut self) {
        if self.values.contains_key(&Key::Provider) {
            return;
        }
        let found = preset::all().iter().filter_map(|preset| {
            let name = preset.key_variables.iter().find(|name| self.secrets.contains_key(**name))?;
            Some((preset.name, *name))
        });
        let found: Vec<(&'static str, &'static str)> = found.collect();
        let Some(&(name, variable)) = found.first() else { return };
        self.values.insert(Key::Provider, (name.to_owned(), Origin::KeyFound(variable)));
        if found.len() > 1 {
            let others = found[1..].iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            self.notes.push(both!(
                "有几家的密钥，用 {name}（还有 {others}）；novel config set provider 可改",
                "several keys are set; using {name} (also {others}): choose with `novel config set provider`"
            ));
        }
    }

    /// A value, as written.
    pub(crate) fn get(&self, key: Key) -> Option<&str> {
        self.values.get(&key).map(|(value, _)| value.as_str())
    }

    /// Where a value comes from.
    pub(crate) fn origin(&self, key: Key) -> Option<&Origin> {
        self.values.get(&key).map(|(_, origin)| origin)
    }

    /// Whether the offline writer writes. A flag that names a model asks for that model, whatever weaker sources say.
    pub(crate) fn offline(&self) -> bool {
        let by_flag = |key| matches!(self.origin(key), Some(Origin::Flag(_)));
        let asked_for_a_model = [Key::Provider, Key::Model].into_iter().any(by_flag) && !by_flag(Key::Offline);
        self.get(Key::Offline) == Some("true") && !asked_for_a_model
    }

    /// What the run may cost, in millionths of a US dollar.
    pub(crate) fn budget(&self) -> Option<u64> {
        self.get(Key::Budget)?.parse::<Money>().ok().map(|money| money.micro_usd)
    }

    /// How long to wait for what.
    pub(crate) fn timeouts(&self) -> Timeouts {
        let usual = Timeouts::default();
        Timeouts {
            connect: self.duration(Key::Connect, usual.connect),
            first_byte: self.duration(Key::FirstByte, usual.first_byte),
            idle: self.duration(Key::Idle, usual.idle),
            total: self.duration(Key::Total, usual.total),
        }
    }

    /// How patiently a failed call is tried again.
    pub(crate) fn policy(&self) -> Policy {
        let usual = Policy::default();
        Policy { after_timeout: self.duration(Key::RetryWait, usual.after_timeout), ..usual }
    }

    fn duration(&self, key: Key, usual: Duration) -> Duration {
        self.get(key).and_then(|text| values::duration(text).ok()).unwrap_or(usual)
    }

    /// Everything with its origin. Settings hold no secrets: keys are never among them.
    pub(crate) fn listing(&self, lang: Lang) -> Listing {
        let setting = |key: Key| Setting {
            key: key.name().to_owned(),
            value: self.get(key).map(str::to_owned),
            origin: self
                .origin(key)
                .map_or_else(|| lang.pick("未设置", "not set").to_owned(), |origin| origin.say(lang)),
        };
        Listing { settings: keys::all().map(setting).collect() }
    }

    /// The known providers, and which of them have a key.
    pub(crate) fn providers(&self) -> Providers {
        let or_dash = |model: Option<&str>| model.unwrap_or("–").to_owned();
        let provider = |preset: &preset::Preset| {
            let chosen = self.get(Key::Provider) == Some(preset.name);
            let set = preset.key_variables.iter().find(|name| self.secrets.contains_key(**name));
            let own = chosen && self.has_own_key();
            Provider {
                name: preset.name.to_owned(),
                base_url: self.get(Key::BaseUrl).filter(|_| chosen).unwrap_or(preset.base_url).to_owned(),
                key_env: set.or(preset.key_variables.first()).map(|name| (*name).to_owned()),
                key_set: set.is_some() || own,
                chosen,
                standard: or_dash(preset.standard),
                strong: or_dash(preset.strong),
            }
        };
        Providers { providers: preset::all().iter().map(provider).collect() }
    }
}

/// What a book may say.
fn of_book(book: &BookConfig, key: Key) -> Option<String> {
    match key {
        Key::Offline => book.offline.then(|| "true".to_owned()),
        Key::Budget => book.budget_usd.map(|usd| format!("{usd}usd")).filter(|text| text.parse::<Money>().is_ok()),
        _ => None,
    }
}

fn built_in(key: Key) -> Option<String> {
    let usual = Timeouts::default();
    let seconds = |time: Duration| Some(format!("{}s", time.as_secs()));
    match key {
        Key::Offline => Some("false".to_owned()),
        Key::Connect => seconds(usual.connect),
        Key::FirstByte => seconds(usual.first_byte),
        Key::Idle => seconds(usual.idle),
        Key::Total => seconds(usual.total),
        Key::RetryWait => seconds(Policy::default().after_timeout),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(values: &[(Key, &str)]) -> UserFile {
        let values = values.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        UserFile { path: "/home/a/novel/config.toml".into(), values, warnings: Vec::new() }
    }

    fn budget(
        flag: Option<&str>,
        variable: &str,
        in_file: &[(Key, &str)],
        in_book: Option<f64>,
    ) -> (Option<u64>, Option<Origin>) {
        let flags = Flags::default().with(Key::Budget, "--budget", flag.map(str::to_owned));
        let book = BookConfig { budget_usd: in_book, ..BookConfig::default() };
        let environment = Environment::of([("NOVEL_BUDGET", variable)]);
        let settings = Settings::resolve(&flags, &environment, &file(in_file), Some(&book));
        (settings.budget(), settings.origin(Key::Budget).cloned())
    }

    #[test]
    fn the_strongest_source_wins() {
        let in_file = [(Key::Budget, "3usd")];
        let table = [
            (budget(Some("1usd"), "2usd", &in_file, Some(4.0)), Some(1_000_000), Some(Origin::Flag("--budget"))),
            (budget(None, "2usd", &in_file, Some(4.0)), Some(2_000_000), Some(Origin::Variable("NOVEL_BUDGET".into()))),
            (budget(None, "", &in_file, Some(4.0)), Some(3_000_000), Some(Origin::File(file(&[]).path))),
            (budget(None, "", &[], Some(4.0)), Some(4_000_000), Some(Origin::Book)),
            (budget(None, "", &[], None), None, None),
        ];
        for ((amount, origin), expected, from) in table {
            assert_eq!((amount, origin), (expected, from));
        }
    }

    #[test]
    fn a_variable_that_is_not_understood_is_said_and_passed_over() {
        let environment = Environment::of([("NOVEL_BUDGET", "a lot")]);
        let settings = Settings::resolve(&Flags::default(), &environment, &file(&[]), None);
        assert_eq!((settings.budget(), settings.warnings.len()), (None, 1));
    }

    #[test]
    fn a_key_that_is_there_chooses_its_provider_in_the_order_of_the_list() {
        let chosen = |vars: &[(&str, &str)], in_file: &[(Key, &str)]| {
            let settings =
                Settings::resolve(&Flags::default(), &Environment::of(vars.iter().copied()), &file(in_file), None);
            (settings.get(Key::Provider).map(str::to_owned), settings.notes.len())
        };
        let some = |name: &str, notes| (Some(name.to_owned()), notes);
        assert_eq!(chosen(&[], &[]), (None, 0));
        assert_eq!(chosen(&[("MOONSHOT_API_KEY", "k")], &[]), some("kimi", 0));
        assert_eq!(chosen(&[("DASHSCOPE_API_KEY", "k"), ("DEEPSEEK_API_KEY", "k")], &[]), some("deepseek", 1));
        assert_eq!(chosen(&[("ANTHROPIC_API_KEY", "k")], &[(Key::Provider, "ollama")]), some("ollama", 0));
        assert_eq!(chosen(&[("OPENAI_API_KEY", "")], &[]), (None, 0));
    }

    #[test]
    fn a_model_asked_for_by_a_flag_is_not_the_offline_writer() {
        let book = BookConfig { offline: true, ..BookConfig::default() };
        let offline = |flags: &Flags| Settings::resolve(flags, &Environment::of([]), &file(&[]), Some(&book)).offline();
        assert!(offline(&Flags::default()));
        assert!(!offline(&Flags::default().with(Key::Model, "--model", Some("x".into()))));
    }

    #[test]
    fn the_flags_of_continue_are_settings() {
        use crate::commands::args::{Cli, Command};
        use clap::Parser;
        let line = ["novel", "continue", "--budget", "$0.50", "--model", "m", "--revise-model", "kimi:k"];
        let Command::Continue(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let weaker =
            Environment::of([("NOVEL_BUDGET", "9usd"), ("NOVEL_MODEL", "other"), ("NOVEL_PROVIDER", "ollama")]);
        let settings = Settings::resolve(&args.writing.flags(), &weaker, &file(&[]), None);
        assert_eq!(settings.budget(), Some(500_000));
        let said = [Key::Model, Key::ReviseModel, Key::Provider].map(|key| settings.get(key).unwrap());
        assert_eq!(said, ["m", "kimi:k", "ollama"]);
    }

    #[test]
    fn no_answer_ever_shows_a_key() {
        const SECRET: &str = "sk-verysecretverysecret";
        let vars =
            [("ANTHROPIC_API_KEY", SECRET), ("NOVEL_API_KEY", SECRET), ("MY_KEY", SECRET), ("NOVEL_KEY_ENV", "MY_KEY")];
        let settings = Settings::resolve(&Flags::default(), &Environment::of(vars), &file(&[]), None);
        let listing = settings.listing(Lang::En);
        let mut shown = format!("{settings:?}{}", listing.text(true, 200));
        shown.push_str(&crate::report::json::document(&listing).unwrap());
        shown.push_str(&settings.providers().text(Lang::Zh, 200));
        shown.push_str(&crate::report::json::document(&settings.providers()).unwrap());
        assert!(!shown.contains("verysecret"), "{shown}");
        assert!(shown.contains("MY_KEY"));
    }
}
