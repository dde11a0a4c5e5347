//! The settings of a run, and the origin of each value.
//! The strongest source wins: flag, `NOVEL_…` variable, the user's configuration file, the book's `novel.toml`, built
//! in. The book may set only what makes it reproducible (offline or not, its budget); addresses and keys are never read
//! from a book, because a cloned book could send a key there. If no source names a provider, the first of
//! [`preset::all`] whose usual key variable is set is taken.

pub(crate) mod file;
pub(crate) mod keys;
pub(crate) mod models;

use crate::commands::cli::environment::Environment;
use crate::commands::cli::value_parsers::{BadValue, Money};
use crate::commands::prelude::*;
use crate::commands::settings::file::UserFile;
use crate::domain::book::config::BookConfig;
use crate::llm::{Currency, Exchange, Policy, Timeouts, preset};
use crate::pipeline::Budget;
use crate::pipeline::engine::run::AheadMode;
use crate::report::config::{Provider, Providers, Setting, SettingList};
use crate::report::figures::MoneyFormat;
use crate::text::nearest;
use secrecy::SecretString;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Flags(BTreeMap<Key, (&'static str, String)>);

impl Flags {
    #[must_use]
    pub(crate) fn with(mut self, key: Key, flag: &'static str, value: Option<String>) -> Self {
        if let Some(value) = value {
            self.0.insert(key, (flag, value));
        }
        self
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag(&'static str),
    Variable(String),
    File(PathBuf),
    Book,
    /// A provider's key variable is set, which chooses the provider.
    KeyFound(&'static str),
    BuiltIn,
}

impl Origin {
    fn say(&self, lang: Lang) -> String {
        match self {
            Self::Flag(flag) => say!(lang, flag(flag)),
            Self::Variable(name) => say!(lang, variable(name)),
            Self::File(path) => path.display().to_string(),
            Self::Book => say!(lang, books_novel_toml).to_owned(),
            Self::KeyFound(name) => say!(lang, because_is_set(name)),
            Self::BuiltIn => say!(lang, built_in).to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettingProblem {
    /// `None` for the name of no setting.
    key: Option<Key>,
    origin: Origin,
    why: Both,
}

impl SettingProblem {
    pub(crate) fn of(key: Key, origin: Origin, bad: BadValue) -> Self {
        Self { key: Some(key), origin, why: bad.0 }
    }

    pub(crate) fn unknown(why: Both, origin: Origin) -> Self {
        Self { key: None, origin, why }
    }

    /// Source, setting and problem, in one line.
    pub(crate) fn words(&self) -> Both {
        Both::of(|lang| {
            let (origin, why) = (self.origin.say(lang), self.why.get(lang));
            match (self.key, &self.origin) {
                // A flag and a variable have the setting in their name.
                (Some(key), Origin::File(_) | Origin::Book) => say!(lang, verbatim_with_key(origin, key, why)),
                _ => say!(lang, verbatim_with_reason(origin, why)),
            }
        })
    }

    fn hint(&self) -> Both {
        match (&self.origin, self.key) {
            (Origin::Variable(name), _) => both!(correct_it_or_unset(name)),
            (Origin::File(_), Some(key)) => both!(novel_config_set_value_or_novel(key)),
            (Origin::File(path), None) => both!(correct_it_in(path = quoted(path.display()))),
            _ => both!(correct_it_and_try_again),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    values: BTreeMap<Key, (String, Origin)>,
    /// Unusable settings. Nothing is spent while there are any.
    problems: Vec<SettingProblem>,
    /// The rate between the currencies of budget and prices.
    pub(crate) exchange: Exchange,
    pub(crate) notes: Vec<Both>,
    /// Existing keys, by variable. Never printed.
    secrets: BTreeMap<String, SecretString>,
    key_file: Option<PathBuf>,
    pub(crate) prices: Option<PathBuf>,
}

/// The key variable for the chosen provider, whichever it is.
const OWN_KEY: &str = "NOVEL_API_KEY";

impl Settings {
    pub(crate) fn resolve(
        flags: &Flags,
        environment: &Environment,
        file: &UserFile,
        book: Option<&BookConfig>,
    ) -> Self {
        let mut values = BTreeMap::new();
        let mut problems = file.problems.clone();
        for key in keys::all() {
            let variable = key.variable();
            let mut sound = |value: &str, origin: Origin| {
                let value = key.normal(value);
                match key.check(&value) {
                    Ok(()) => Some((value, origin)),
                    // `NOVEL_LANG` may hold any locale name.
                    Err(_) if key == Key::Language => None,
                    Err(bad) => {
                        problems.push(SettingProblem::of(key, origin, bad));
                        None
                    }
                }
            };
            let found = flags.0.get(&key).and_then(|(flag, value)| sound(value, Origin::Flag(flag)));
            let named = environment.var(&variable).and_then(|value| sound(value, Origin::Variable(variable.clone())));
            let found = found.or(named);
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
            // A path in the file is relative to the file; elsewhere, to the folder of the command.
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
        problems.extend(slips(environment, key_env.as_deref()));
        let secrets = usual
            .chain([OWN_KEY.to_owned(), crate::commands::settings::models::KEY.to_owned()])
            .chain(key_env)
            .filter_map(|name| Some((name.clone(), SecretString::from(environment.var(&name)?.trim().to_owned()))))
            .collect();
        let exchange = Exchange::shipped().clone();
        let mut settings = Self { values, problems, exchange, notes: Vec::new(), secrets, key_file, prices };
        settings.exchange = match settings.rate() {
            Some((cny_per_usd, as_of)) => Exchange { cny_per_usd, as_of },
            None => settings.exchange,
        };
        settings.choose_provider();
        settings
    }

    /// Without a named provider, takes the first one with a key.
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
            self.notes.push(Both::of(|lang| {
                let others = listed(found[1..].iter().map(|(name, _)| name), lang);
                say!(lang, several_keys_are_set_using_also(name, others))
            }));
        }
    }

    /// Puts a key before all others for the chosen provider.
    pub(crate) fn with_own_key(mut self, key: SecretString) -> Self {
        self.secrets.insert(OWN_KEY.to_owned(), key);
        self
    }

    pub(crate) fn warnings(&self) -> impl Iterator<Item = Both> {
        self.problems.iter().map(SettingProblem::words)
    }

    /// Refuses to spend with unusable settings: a default would be the public server, with the key and the manuscript,
    /// and without a limit. The offline writer sends and spends nothing, so only the settings that choose it are
    /// checked. Exit 2 for a flag, 4 for any other source.
    pub(crate) fn must_be_sound(&self) -> Result<(), Failure> {
        let chosen_by_flag = matches!(self.origin(Key::Offline), Some(Origin::Flag(_)));
        let stops = |problem: &&SettingProblem| match self.offline() {
            true => problem.key == Some(Key::Offline) && !chosen_by_flag,
            false => true,
        };
        refuse(&self.problems.iter().filter(stops).collect::<Vec<_>>())
    }

    /// Fails when one of these settings cannot be used.
    pub(crate) fn must_have_sound(&self, keys: &[Key]) -> Result<(), Failure> {
        let is_one = |problem: &&SettingProblem| problem.key.is_some_and(|key| keys.contains(&key));
        refuse(&self.problems.iter().filter(is_one).collect::<Vec<_>>())
    }

    /// The user's own exchange rate and its source.
    pub(crate) fn rate(&self) -> Option<(f64, String)> {
        let rate = value_parsers::rate(self.get(Key::ExchangeRate)?).ok()?;
        let origin = self.origin(Key::ExchangeRate).filter(|origin| **origin != Origin::BuiltIn)?;
        Some((rate, origin.say(Lang::En)))
    }

    /// A value, as written.
    pub(crate) fn get(&self, key: Key) -> Option<&str> {
        self.values.get(&key).map(|(value, _)| value.as_str())
    }

    pub(crate) fn origin(&self, key: Key) -> Option<&Origin> {
        self.values.get(&key).map(|(_, origin)| origin)
    }

    /// True when the offline writer writes. A flag that names a model asks for that model, whatever weaker sources say.
    pub(crate) fn offline(&self) -> bool {
        let by_flag = |key| matches!(self.origin(key), Some(Origin::Flag(_)));
        let asked_for_a_model = [Key::Provider, Key::Model].into_iter().any(by_flag) && !by_flag(Key::Offline);
        self.get(Key::Offline) == Some("true") && !asked_for_a_model
    }

    pub(crate) fn budget(&self) -> Option<Budget> {
        let money = self.get(Key::Budget)?.parse::<Money>().ok()?;
        let rate = self.exchange.cny_per_usd;
        let cny_per_usd = (money.currency == Currency::Cny).then_some(rate);
        Some(Budget { micro_usd: money.micro_usd(rate), cny_per_usd })
    }

    /// The currency and the rate in which money is shown.
    pub(crate) fn money_format(&self) -> MoneyFormat {
        let currency = self.get(Key::Currency).and_then(|value| value_parsers::currency(value).ok());
        MoneyFormat { currency, cny_per_usd: self.exchange.cny_per_usd }
    }

    /// When the next chapter's draft is asked for before the chapter is accepted.
    pub(crate) fn ahead(&self) -> AheadMode {
        self.get(Key::Ahead).and_then(|mode| mode.parse().ok()).unwrap_or(AheadMode::Off)
    }

    pub(crate) fn timeouts(&self) -> Timeouts {
        let usual = Timeouts::default();
        Timeouts {
            connect: self.duration(Key::Connect, usual.connect),
            first_byte: self.duration(Key::FirstByte, usual.first_byte),
            idle: self.duration(Key::Idle, usual.idle),
            total: self.duration(Key::Total, usual.total),
        }
    }

    /// The retries of failed calls.
    pub(crate) fn policy(&self) -> Policy {
        let usual = Policy::default();
        let retry_for = self.get(Key::RetryFor).and_then(|text| value_parsers::duration_or_none(text).ok());
        Policy {
            after_timeout: self.duration(Key::RetryWait, usual.after_timeout),
            retry_for: retry_for.unwrap_or(usual.retry_for),
            ..usual
        }
    }

    fn duration(&self, key: Key, usual: Duration) -> Duration {
        self.get(key).and_then(|text| value_parsers::duration(text).ok()).unwrap_or(usual)
    }

    pub(crate) fn setting(&self, key: Key, lang: Lang) -> Setting {
        let origin = self.origin(key);
        Setting {
            key: key.name().to_owned(),
            value: self.get(key).map(str::to_owned),
            meaning: key.meaning(lang).to_owned(),
            origin: origin.map_or_else(|| say!(lang, not_set).to_owned(), |origin| self.dated(key, origin, lang)),
        }
    }

    /// Every setting with its origin. Keys are never among them.
    pub(crate) fn listing(&self, lang: Lang) -> SettingList {
        let is_set = |key: &Key| self.get(*key).is_some() && keys::usual().all(|usual| usual != *key);
        SettingList {
            settings: keys::usual().chain(keys::all().filter(is_set)).map(|key| self.setting(key, lang)).collect(),
        }
    }

    /// The origin of a value; the built-in rate has its day.
    fn dated(&self, key: Key, origin: &Origin, lang: Lang) -> String {
        match (key, origin) {
            (Key::ExchangeRate, Origin::BuiltIn) => say!(lang, built_in_of(day = &Exchange::shipped().as_of)),
            _ => origin.say(lang),
        }
    }

    /// The known providers, with those that have a key.
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

/// The failure with every problem, its source and its remedy.
fn refuse(problems: &[&SettingProblem]) -> Result<(), Failure> {
    let Some(first) = problems.first() else { return Ok(()) };
    let by_flag = problems.iter().any(|problem| matches!(problem.origin, Origin::Flag(_)));
    let exit = if by_flag { Exit::Usage } else { Exit::NotSetUp };
    let message = match (first.key, problems.len()) {
        (Some(key), 1) => both!(setting_cannot_be_used_nothing_was(key)),
        (_, 1) => both!(setting_is_not_known_nothing_was),
        (_, n) => both!(settings_cannot_be_used_nothing_was(n)),
    };
    let failure = problems.iter().fold(Failure::new(exit, message), |failure, problem| failure.cause(problem.words()));
    Err(problems.iter().fold(failure, |failure, problem| failure.hint(problem.hint())))
}

/// The value that the book sets, for the few keys that it may set.
fn of_book(book: &BookConfig, key: Key) -> Option<String> {
    match key {
        Key::Offline => book.offline.then(|| "true".to_owned()),
        Key::Budget => {
            let usd = book.budget_usd.map(|usd| Money::of(usd, Currency::Usd));
            usd.or_else(|| Some(Money::of(book.budget_cny?, Currency::Cny))).map(|money| money.to_string())
        }
        _ => None,
    }
}

/// Variables with nearly the name of a setting, and settings with non-text values, which would otherwise be ignored.
fn slips(environment: &Environment, key_env: Option<&str>) -> Vec<SettingProblem> {
    const OTHERS: [&str; 2] = ["NOVEL_CONFIG", OWN_KEY];
    let settings: Vec<String> = keys::all().map(Key::variable).collect();
    let known = || settings.iter().map(String::as_str).chain(OTHERS).chain(key_env);
    let secret = |name: &str| {
        name == crate::commands::settings::models::KEY
            || preset::all().iter().any(|preset| preset.key_variables.contains(&name))
    };
    let mut problems = Vec::new();
    for name in environment.names().filter(|name| name.starts_with("NOVEL_") && !known().any(|known| known == *name)) {
        if let Some(meant) = nearest(name, known()) {
            let why = both!(there_is_no_such_variable_did(meant));
            problems.push(SettingProblem::unknown(why, Origin::Variable(name.to_owned())));
        }
    }
    for name in environment.garbled().filter(|name| known().any(|known| known == *name) || secret(name)) {
        problems.push(SettingProblem::unknown(both!(its_value_is_not_utf_text), Origin::Variable(name.to_owned())));
    }
    problems
}

fn built_in(key: Key) -> Option<String> {
    let usual = Timeouts::default();
    let seconds = |time: Duration| Some(format!("{}s", time.as_secs()));
    match key {
        Key::Offline => Some("false".to_owned()),
        Key::Ahead => Some(AheadMode::Safe.to_string()),
        Key::Connect => seconds(usual.connect),
        Key::FirstByte => seconds(usual.first_byte),
        Key::Idle => seconds(usual.idle),
        Key::Total => seconds(usual.total),
        Key::RetryWait => seconds(Policy::default().after_timeout),
        Key::RetryFor => seconds(Policy::default().retry_for),
        Key::ExchangeRate => Some(Exchange::shipped().cny_per_usd.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::config::ModelTier;

    fn file(values: &[(Key, &str)]) -> UserFile {
        let values = values.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        UserFile { path: "/home/a/novel/config.toml".into(), values, problems: Vec::new() }
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
        (settings.budget().map(|budget| budget.micro_usd), settings.origin(Key::Budget).cloned())
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
    fn a_setting_that_is_not_understood_stops_what_spends_and_names_its_source() {
        let stopped = |flags: Flags, vars: &[(&str, &str)], book: &BookConfig| {
            let environment = Environment::of(vars.iter().copied());
            let settings = Settings::resolve(&flags, &environment, &file(&[]), Some(book));
            settings.must_be_sound().err().map(|failure| (failure.exit(), failure.text(Lang::En)))
        };
        let book = BookConfig::default();
        let none = Flags::default;
        for (name, value, said) in [
            ("NOVEL_BASE_URL", "127.0.0.1:9000/v1", "starts with https:// or http://"),
            ("NOVEL_BASE_URL", "https://me:pw@x/v1", "a user name or password"),
            ("NOVEL_BASE_URL", "https://x/v1?a=b", "a `?` or `#` part"),
            ("NOVEL_PROVIDER", "opeanai", "did you mean openai?"),
            ("NOVEL_WIRE", "opanai", "anthropic, openai"),
            ("NOVEL_OFFLINE", "maybe", "true or false"),
            ("NOVEL_BUDGET", "0.01 dollars", "use an amount such as 5usd"),
            ("NOVEL_BASEURL", "http://127.0.0.1:9000/v1", "did you mean NOVEL_BASE_URL?"),
            ("NOVEL_PROVDER", "kimi", "did you mean NOVEL_PROVIDER?"),
            ("NOVEL_RETRY_FOR", "ever", "use a duration"),
            ("NOVEL_PRICE", "cheap", "free"),
        ] {
            let (exit, text) = stopped(none(), &[(name, value)], &book).unwrap();
            assert!(exit == Exit::NotSetUp && text.contains(name) && text.contains(said), "{name}={value}: {text}");
            assert!(!text.contains("pw@"), "{text}");
        }
        for vars in [&[("NOVEL_OFFLINE", "1")][..], &[("NOVEL_BUDGET", "20元")], &[("NOVEL_PACKING", "x")]] {
            assert_eq!(stopped(none(), vars, &book), None, "{vars:?}");
        }
        let (exit, text) =
            stopped(none().with(Key::Provider, "--provider", Some("opeanai".into())), &[], &book).unwrap();
        assert!(exit == Exit::Usage && text.contains("--provider"), "{text}");
        // The offline writer spends nothing; only what chooses it must be understood.
        let offline = BookConfig { offline: true, ..BookConfig::default() };
        assert_eq!(stopped(none(), &[("NOVEL_BUDGET", "much")], &offline), None);
        assert!(stopped(none(), &[("NOVEL_OFFLINE", "perhaps")], &offline).is_some());
        let by_flag = none().with(Key::Offline, "--offline", Some("true".into()));
        assert_eq!(stopped(by_flag, &[("NOVEL_OFFLINE", "perhaps"), ("NOVEL_BUDGET", "much")], &book), None);
    }

    #[test]
    fn an_amount_in_yuan_is_counted_at_the_users_rate_before_the_tables() {
        let budget = |vars: &[(&str, &str)], book: &BookConfig| {
            let environment = Environment::of(vars.iter().copied());
            Settings::resolve(&Flags::default(), &environment, &file(&[]), Some(book)).budget()
        };
        let table = Exchange::shipped().cny_per_usd;
        let usual = budget(&[("NOVEL_BUDGET", "20元")], &BookConfig::default()).unwrap();
        assert_eq!(usual.micro_usd, (20e6 / table).floor() as u64);
        let own = budget(&[("NOVEL_BUDGET", "20元"), ("NOVEL_EXCHANGE_RATE", "8")], &BookConfig::default());
        assert_eq!(own, Some(Budget { micro_usd: 2_500_000, cny_per_usd: Some(8.0) }));
        let book = BookConfig { budget_cny: Some(8.0), ..BookConfig::default() };
        assert_eq!(budget(&[("NOVEL_EXCHANGE_RATE", "8")], &book).map(|budget| budget.micro_usd), Some(1_000_000));
        // No amount of a book is so small or so large that there would be no limit.
        let odd = |usd| budget(&[], &BookConfig { budget_usd: Some(usd), ..BookConfig::default() });
        assert_eq!(odd(1e-9).map(|budget| budget.micro_usd), Some(0));
        assert!(odd(1e12).is_some());
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
    fn a_model_that_is_named_with_its_provider_serves_for_revisions_too() {
        let revising = |model: &str| {
            let vars = [("NOVEL_PROVIDER", "openai"), ("NOVEL_BASE_URL", "http://127.0.0.1:1/v1")];
            let flags = Flags::default().with(Key::Model, "--model", Some(model.into()));
            let settings = Settings::resolve(&flags, &Environment::of(vars), &file(&[]), None);
            settings.model(None, ModelTier::Strong).map(|chosen| chosen.model).ok()
        };
        assert_eq!(revising("m").as_deref(), Some("m"));
        assert_eq!(revising("openai:m").as_deref(), Some("m"));
        assert_eq!(revising("deepseek:m"), None, "the name of another server's model");
    }

    #[test]
    fn the_flags_of_continue_are_settings() {
        use crate::commands::cli::args::{Cli, Command};
        use clap::Parser;
        let line = ["novel", "continue", "--budget", "$0.50", "--model", "m", "--revise-model", "kimi:k"];
        let Command::Continue(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let weaker =
            Environment::of([("NOVEL_BUDGET", "9usd"), ("NOVEL_MODEL", "other"), ("NOVEL_PROVIDER", "ollama")]);
        let settings = Settings::resolve(&args.writing.flags(), &weaker, &file(&[]), None);
        assert_eq!(settings.budget().map(|budget| budget.micro_usd), Some(500_000));
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
        let mut shown = format!("{settings:?}{}", listing.text(crate::report::config::Origins::Shown, 200));
        shown.push_str(&crate::report::lang::document(&listing).unwrap());
        shown.push_str(&settings.providers().text(Lang::Zh, 200));
        shown.push_str(&crate::report::lang::document(&settings.providers()).unwrap());
        assert!(!shown.contains("verysecret"), "{shown}");
        assert!(shown.contains("MY_KEY"));
    }
}
