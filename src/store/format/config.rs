//! `novel.toml`: the settings that make the book reproducible. Keys and endpoints are refused anywhere in the file: a
//! book is copied from person to person, and the author of this file could otherwise send the reader's key elsewhere
//! (`book.md`, "Tree").

use crate::domain::BadText;
use crate::domain::book::config::{Agent, BookConfig, Lang, ModelTier, RevisionPolicy};
use crate::store::format::{At, ExpectedValue, FormatError, Mistake, Problem, conflict, mistake, text};
use crate::store::template;
use std::collections::BTreeMap;
use toml_edit::{Document, DocumentMut, Item, Table, TableLike, Value};

pub(super) const NEWEST: u32 = 1;

/// A setting's place in the domain's value.
enum Slot<'a> {
    Text(&'a mut String),
    Count(&'a mut u32),
    Figure(&'a mut f64),
    Flag(&'a mut bool),
    Amount(&'a mut Option<f64>),
    Limit(&'a mut Option<u32>),
    Role(&'a mut ModelTier),
    RoleOf(&'a mut BTreeMap<Agent, ModelTier>, Agent),
    Policy(&'a mut RevisionPolicy),
    Language(&'a mut Lang),
}

type SlotGetter = for<'a> fn(&'a mut BookConfig) -> Slot<'a>;

/// All settings in template order, each with its place in the domain's value.
const SETTINGS: [(&str, SlotGetter); 35] = [
    ("book.title", |c| Slot::Text(&mut c.title)),
    ("book.author", |c| Slot::Text(&mut c.author)),
    ("book.genre", |c| Slot::Text(&mut c.genre)),
    ("book.language", |c| Slot::Language(&mut c.language)),
    ("book.keep_calls", |c| Slot::Limit(&mut c.keep_calls)),
    ("chapter.min_words", |c| Slot::Count(&mut c.min_words)),
    ("chapter.max_words", |c| Slot::Count(&mut c.max_words)),
    ("chapter.scene_mode", |c| Slot::Flag(&mut c.scene_mode)),
    ("gate.pass", |c| Slot::Figure(&mut c.gate.pass)),
    ("gate.polish", |c| Slot::Figure(&mut c.gate.polish)),
    ("gate.revise", |c| Slot::Figure(&mut c.gate.revise)),
    ("gate.pause", |c| Slot::Figure(&mut c.gate.pause)),
    ("gate.max_revisions", |c| Slot::Count(&mut c.gate.max_revisions)),
    ("style.max_refinement", |c| Slot::Figure(&mut c.max_refinement)),
    ("models.offline", |c| Slot::Flag(&mut c.offline)),
    ("models.writer", |c| Slot::RoleOf(&mut c.roles, Agent::Writer)),
    ("models.summarizer", |c| Slot::RoleOf(&mut c.roles, Agent::Summarizer)),
    ("models.refiner", |c| Slot::RoleOf(&mut c.roles, Agent::Refiner)),
    ("models.judge", |c| Slot::RoleOf(&mut c.roles, Agent::Judge)),
    ("models.style-analyzer", |c| Slot::RoleOf(&mut c.roles, Agent::StyleAnalyzer)),
    ("models.world-builder", |c| Slot::RoleOf(&mut c.roles, Agent::WorldBuilder)),
    ("models.character-weaver", |c| Slot::RoleOf(&mut c.roles, Agent::CharacterWeaver)),
    ("models.plot-architect", |c| Slot::RoleOf(&mut c.roles, Agent::PlotArchitect)),
    ("models.revision", |c| Slot::Role(&mut c.revision_role)),
    ("checks.revision_policy", |c| Slot::Policy(&mut c.revision_policy)),
    ("context.tokens", |c| Slot::Count(&mut c.context_tokens)),
    ("context.convergence_tokens", |c| Slot::Count(&mut c.convergence_context_tokens)),
    ("context.memory_chapters", |c| Slot::Count(&mut c.memory_chapters)),
    ("budget.usd", |c| Slot::Amount(&mut c.budget_usd)),
    ("budget.cny", |c| Slot::Amount(&mut c.budget_cny)),
    ("sync.remote", |c| Slot::Text(&mut c.sync.remote)),
    ("sync.auto", |c| Slot::Flag(&mut c.sync.auto)),
    ("sync.lease", |c| Slot::Flag(&mut c.sync.lease)),
    ("sync.lease_minutes", |c| Slot::Count(&mut c.sync.lease_minutes)),
    ("sync.required", |c| Slot::Flag(&mut c.sync.required)),
];

fn keys() -> impl Iterator<Item = &'static str> + Clone {
    SETTINGS.iter().map(|(key, _)| *key)
}

fn slot<'a>(config: &'a mut BookConfig, key: &str) -> Option<Slot<'a>> {
    SETTINGS.iter().find(|(known, _)| *known == key).map(|(_, place)| place(config))
}

impl Slot<'_> {
    /// Takes over a value of the file.
    fn assign(self, value: &Value) -> Result<(), Mistake> {
        let wanted = Mistake::Wanted;
        let count = || value.as_integer().and_then(|n| u32::try_from(n).ok()).ok_or(wanted(ExpectedValue::WholeNumber));
        let figure = || {
            let whole = value.as_integer().map(|n| n as f64);
            whole.or_else(|| value.as_float()).filter(|f| f.is_finite()).ok_or(wanted(ExpectedValue::Number))
        };
        let role = || {
            let text = value.as_str().ok_or(wanted(ExpectedValue::Tier))?;
            text.parse::<ModelTier>().map_err(|error| Mistake::Text(error.into()))
        };
        match self {
            Self::Text(at) => value.as_str().ok_or(wanted(ExpectedValue::Text))?.clone_into(at),
            Self::Count(at) => *at = count()?,
            Self::Figure(at) => *at = figure()?,
            Self::Amount(at) => *at = Some(figure()?),
            Self::Limit(at) => *at = Some(count()?),
            Self::Flag(at) => *at = value.as_bool().ok_or(wanted(ExpectedValue::Flag))?,
            Self::Role(at) => *at = role()?,
            Self::Policy(at) => {
                let text = value.as_str().ok_or(wanted(ExpectedValue::Policy))?;
                *at = text.parse::<RevisionPolicy>().map_err(BadText::from)?;
            }
            Self::Language(at) => {
                let text = value.as_str().ok_or(wanted(ExpectedValue::Language))?;
                *at = text.parse::<Lang>().map_err(BadText::from)?;
            }
            Self::RoleOf(roles, agent) => {
                roles.insert(agent, role()?);
            }
        }
        Ok(())
    }

    fn value(&self) -> Option<Value> {
        Some(match self {
            Self::Text(text) => Value::from(text.as_str()),
            Self::Count(count) => Value::from(i64::from(**count)),
            Self::Figure(figure) => number(**figure),
            Self::Amount(amount) => number((**amount)?),
            Self::Limit(limit) => Value::from(i64::from((**limit)?)),
            Self::Flag(flag) => Value::from(**flag),
            Self::Role(role) => Value::from(role.as_str()),
            Self::RoleOf(roles, agent) => Value::from(roles.get(agent)?.as_str()),
            Self::Policy(policy) => Value::from(policy.as_str()),
            Self::Language(lang) => Value::from(lang.as_str()),
        })
    }

    /// Parses a value from the command line.
    fn parse(&self, typed: &str) -> Result<Value, Mistake> {
        let typed = typed.trim();
        match self {
            Self::Text(_) | Self::Role(_) | Self::RoleOf(..) | Self::Policy(_) | Self::Language(_) => {
                Ok(Value::from(typed))
            }
            Self::Count(_) | Self::Limit(_) => typed
                .parse::<u32>()
                .map(|n| Value::from(i64::from(n)))
                .map_err(|_| Mistake::Wanted(ExpectedValue::WholeNumber)),
            Self::Figure(_) | Self::Amount(_) => typed
                .parse()
                .ok()
                .filter(|f: &f64| f.is_finite())
                .map(number)
                .ok_or(Mistake::Wanted(ExpectedValue::Number)),
            Self::Flag(_) => typed.parse::<bool>().map(Value::from).map_err(|_| Mistake::Wanted(ExpectedValue::Flag)),
        }
    }
}

/// Writes a whole number without a point.
fn number(figure: f64) -> Value {
    if figure.fract() == 0.0 && figure.abs() < 1e15 { Value::from(figure as i64) } else { Value::from(figure) }
}

/// An unknown setting, a typing error or a later program's. It is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Counted from 1.
    pub line: usize,
    pub key: String,
    /// The known setting that was perhaps meant.
    pub meant: Option<&'static str>,
}

impl Unknown {
    /// True for a misspelt setting of ours: it resembles one, or stands in one of our tables or in none.
    pub fn is_ours(&self) -> bool {
        let table = self.key.split_once('.').map(|(table, _)| table);
        let ours = |table: &str| keys().any(|known| known.split_once('.').is_some_and(|(of, _)| of == table));
        self.meant.is_some() || table.is_none_or(ours)
    }
}

/// Reads the settings. Missing ones have their default; unknown ones are returned beside. Fails on a value of the wrong
/// kind or out of range, a key or an endpoint.
pub fn read(bytes: &[u8]) -> Result<(BookConfig, Vec<Unknown>), FormatError> {
    let text = text(bytes)?;
    let document = Document::parse(text.as_ref()).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(&text, span.start));
        let problem = mistake::of_toml(&error);
        conflict(&text).unwrap_or(FormatError { at: At::Line(line), problem })
    })?;
    let mut found = Vec::new();
    leaves(document.as_table(), "", &mut found);
    let mut config = BookConfig::default();
    let mut unknown = Vec::new();
    for (key, item, at) in found {
        // Lines are counted for mistakes only: each count starts at the first byte.
        let line = || at.map_or(1, |at| line_of(&text, at));
        let wrong = |problem| FormatError { at: At::Line(line()), problem };
        if names_secret(&key) || item.as_str().is_some_and(looks_secret) {
            return Err(wrong(Problem::Secret));
        }
        if key == "schema_version" {
            match item.as_integer() {
                Some(found) if found > i64::from(NEWEST) => {
                    return Err(wrong(Problem::Newer { found: found.unsigned_abs(), known: NEWEST }));
                }
                Some(1..) => {}
                _ => return Err(wrong(Problem::Value(Mistake::Wanted(ExpectedValue::Version)))),
            }
            continue;
        }
        match (slot(&mut config, &key), item.as_value()) {
            (Some(slot), Some(value)) => {
                let of_setting = |mistake| Mistake::Setting { key: key.clone(), mistake: Box::new(mistake) };
                slot.assign(value).map_err(|mistake| wrong(Problem::Value(of_setting(mistake))))?;
            }
            _ => unknown.push(Unknown { line: line(), meant: nearest(&key), key }),
        }
    }
    check(&config)?;
    Ok((config, unknown))
}

/// The language of the book's commits, even where another setting is wrong. `None` for unreadable settings, and for an
/// unknown language.
pub fn language(bytes: &[u8]) -> Option<Lang> {
    let text = text(bytes).ok()?;
    let document = Document::parse(text.as_ref()).ok()?;
    match document.get("book").and_then(|book| book.get("language")) {
        Some(named) => named.as_str()?.parse().ok(),
        None => Some(Lang::default()),
    }
}

/// The settings of a table and of its subtables, each with its dotted name and its offset.
fn leaves<'a>(table: &'a dyn TableLike, prefix: &str, out: &mut Vec<(String, &'a Item, Option<usize>)>) {
    for (name, item) in table.iter() {
        let key = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        match item.as_table_like() {
            Some(inner) if !names_secret(&key) => leaves(inner, &key, out),
            _ => {
                let at = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
                out.push((key, item, at.map(|span| span.start)));
            }
        }
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1
}

/// The first line of unreadable settings that may hold a key or an endpoint.
pub(super) fn secret_line(text: &str) -> Option<usize> {
    let is_secret = |line: &str| {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let Some((key, value)) = line.split_once('=') else { return false };
        let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
        names_secret(&bare(key)) || looks_secret(&bare(value))
    };
    text.lines().position(is_secret).map(|at| at + 1)
}

/// True when a setting of that name would hold a key or an address for requests.
pub fn names_secret(key: &str) -> bool {
    const PARTS: [&str; 9] =
        ["apikey", "secret", "password", "passwd", "authorization", "credential", "endpoint", "baseurl", "proxy"];
    const ENDS: [&str; 5] = ["key", "token", "url", "host", "server"];
    key.split('.').any(|segment| {
        let bare: String = segment.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        PARTS.iter().any(|part| bare.contains(part)) || ENDS.iter().any(|end| bare.ends_with(end))
    })
}

/// True when a value has the form of a provider's key.
pub fn looks_secret(value: &str) -> bool {
    let rest = value.trim().strip_prefix("sk-");
    rest.is_some_and(|rest| {
        rest.len() >= 16 && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    })
}

/// The known setting with the same last name, or with a name that differs in a letter or two.
fn nearest(key: &str) -> Option<&'static str> {
    let last = key.rsplit('.').next()?;
    let by_name = keys().find(|known| known.rsplit('.').next() == Some(last));
    // Typing errors within a table are looked for among the last names, so that `[gate]` does not make everything near.
    let within = || {
        let (table, _) = key.rsplit_once('.')?;
        let siblings = keys().filter_map(|known| Some((known, known.strip_prefix(table)?.strip_prefix('.')?)));
        let name = crate::text::nearest(last, siblings.clone().map(|(_, name)| name))?;
        siblings.into_iter().find(|(_, sibling)| *sibling == name).map(|(known, _)| known)
    };
    by_name.or_else(within).or_else(|| crate::text::nearest(key, keys()))
}

/// Checks ranges, and settings against each other.
fn check(config: &BookConfig) -> Result<(), FormatError> {
    let wrong = |key: &str, mistake| Err(FormatError { at: At::Key(key.to_owned()), problem: Problem::Value(mistake) });
    let gate = &config.gate;
    if config.keep_calls == Some(0) {
        return wrong("book.keep_calls", Mistake::NoCalls);
    }
    if config.min_words == 0 || config.min_words > config.max_words {
        return wrong("chapter.min_words", Mistake::MinWords);
    }
    let borders = [
        ("gate.pause", gate.pause),
        ("gate.revise", gate.revise),
        ("gate.polish", gate.polish),
        ("gate.pass", gate.pass),
    ];
    if let Some((key, _)) = borders.iter().find(|(_, border)| !(1.0..=5.0).contains(border)) {
        return wrong(key, Mistake::Border);
    }
    if let Some(pair) = borders.windows(2).find(|pair| pair[0].1 > pair[1].1) {
        return wrong(pair[0].0, Mistake::BorderOrder);
    }
    if !(0.0..=1.0).contains(&config.max_refinement) {
        return wrong("style.max_refinement", Mistake::Wanted(ExpectedValue::Share));
    }
    for (key, amount) in [("budget.usd", config.budget_usd), ("budget.cny", config.budget_cny)] {
        if amount.is_some_and(|amount| amount < 0.0) {
            return wrong(key, Mistake::Negative);
        }
    }
    if config.budget_usd.is_some() && config.budget_cny.is_some() {
        return wrong("budget.cny", Mistake::TwoBudgets);
    }
    if !(LEASE_MINUTES).contains(&config.sync.lease_minutes) {
        let (least, most) = (*LEASE_MINUTES.start(), *LEASE_MINUTES.end());
        return wrong("sync.lease_minutes", Mistake::LeaseMinutes { least, most });
    }
    if config.sync.remote.contains(['/', ':', '\\']) || config.sync.remote.starts_with('-') {
        return wrong("sync.remote", Mistake::RemoteName);
    }
    if config.context_tokens < LEAST_CONTEXT {
        return wrong("context.tokens", Mistake::LeastContext(LEAST_CONTEXT));
    }
    if config.convergence_context_tokens < config.context_tokens {
        return wrong("context.convergence_tokens", Mistake::ConvergenceContext);
    }
    if config.memory_chapters > MOST_MEMORIES {
        return wrong("context.memory_chapters", Mistake::MemoryChapters(MOST_MEMORIES));
    }
    Ok(())
}

/// Minutes of a lease: longer than the longest call of a model, and short enough that a lost device blocks a book for a
/// day at most.
const LEASE_MINUTES: std::ops::RangeInclusive<u32> = 5..=1440;

/// The least limit for prompts: the chapter's own text exceeds it already.
const LEAST_CONTEXT: u32 = 1000;

/// The most chapters whose ledger entries are read for one prompt.
const MOST_MEMORIES: u32 = 20;

/// Changes one setting; comments and everything else stay. Fails when the setting is unknown or a secret, or the value
/// does not fit; the result has been read back.
pub fn set(file: &str, key: &str, typed: &str) -> Result<String, FormatError> {
    let at = || At::Key(key.to_owned());
    if names_secret(key) || looks_secret(typed) {
        return Err(FormatError { at: at(), problem: Problem::Secret });
    }
    read(file.as_bytes())?;
    let mut scratch = BookConfig::default();
    let slot = slot(&mut scratch, key).ok_or_else(|| {
        let mistake = Mistake::UnknownSetting { key: key.to_owned(), meant: nearest(key) };
        FormatError { at: At::File, problem: Problem::Value(mistake) }
    })?;
    let value = slot.parse(typed).map_err(|mistake| FormatError { at: at(), problem: Problem::Value(mistake) })?;
    slot.assign(&value).map_err(|mistake| FormatError { at: at(), problem: Problem::Value(mistake) })?;
    let mut document = mutable(file)?;
    put(&mut document, key, Some(value));
    let changed = document.to_string();
    read(changed.as_bytes())?;
    Ok(changed)
}

fn mutable(file: &str) -> Result<DocumentMut, FormatError> {
    let clean = text(file.as_bytes())?;
    clean.parse::<DocumentMut>().map_err(|error| FormatError::of_file(mistake::of_toml(&error)))
}

/// Sets or removes a value, keeping the comments around it.
fn put(document: &mut DocumentMut, key: &str, value: Option<Value>) {
    let (section, name) = key.split_once('.').unwrap_or(("", key));
    let root = document.as_table_mut();
    let table: Option<&mut dyn TableLike> = match (section, &value) {
        ("", _) => Some(root),
        (_, Some(_)) => root.entry(section).or_insert(Item::Table(Table::new())).as_table_like_mut(),
        (_, None) => root.get_mut(section).and_then(Item::as_table_like_mut),
    };
    let Some(table) = table else { return };
    match (table.get_mut(name).and_then(Item::as_value_mut), value) {
        (Some(old), Some(mut new)) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        (None, Some(new)) => {
            table.insert(name, Item::Value(new));
        }
        (_, None) => {
            table.remove(name);
        }
    }
}

/// Writes the settings into the previous file, or into the template with its explanations.
pub fn write(config: &BookConfig, previous: Option<&[u8]>) -> Vec<u8> {
    let readable = previous.and_then(|bytes| {
        let (old, _) = read(bytes).ok()?;
        Some((text(bytes).ok()?.into_owned(), old))
    });
    // The template is part of the program, and a test reads it.
    let (file, mut old) = readable
        .unwrap_or_else(|| (template::CONFIG.to_owned(), read(template::CONFIG.as_bytes()).unwrap_or_default().0));
    let Ok(mut document) = file.parse::<DocumentMut>() else { return file.into_bytes() };
    let mut new = config.clone();
    for key in keys() {
        let (Some(was), Some(is)) = (slot(&mut old, key), slot(&mut new, key)) else { continue };
        let (was, is) = (was.value(), is.value());
        if was.as_ref().map(ToString::to_string) != is.as_ref().map(ToString::to_string) {
            put(&mut document, key, is);
        }
    }
    document.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::config::SyncSettings;
    use crate::domain::chapter::Thresholds;
    use proptest::prelude::*;

    #[test]
    fn the_template_is_the_default_with_every_setting_named() {
        let (config, unknown) = read(template::CONFIG.as_bytes()).unwrap();
        assert_eq!((config, unknown), (BookConfig::default(), vec![]));
        for key in keys() {
            let name = key.rsplit('.').next().unwrap();
            assert!(template::CONFIG.contains(&format!("{name} = ")), "{key}");
        }
    }

    #[test]
    fn a_change_keeps_remarks_and_strangers() {
        let file = "# 我的书\n[chapter]\nmin_words = 2000 # 日更\nmax_words = 3000\n\n[mine]\nmood = \"雨\"\n";
        let changed = set(file, "chapter.min_words", "2200").unwrap();
        assert_eq!(changed, file.replace("2000", "2200"));
        let roles = set(&changed, "models.judge", "strong").unwrap();
        assert!(roles.starts_with(&changed) && roles.ends_with("[models]\njudge = \"strong\"\n"), "{roles}");
        let (config, unknown) = read(roles.as_bytes()).unwrap();
        assert_eq!((config.min_words, config.role(Agent::Judge)), (2200, ModelTier::Strong));
        assert_eq!(unknown, [Unknown { line: 7, key: "mine.mood".into(), meant: None }]);
    }

    #[test]
    fn a_key_or_an_endpoint_is_refused_wherever_it_stands() {
        for line in [
            "api_key = \"x\"",
            "[models]\nbase_url = \"https://example.com\"",
            "[models.writer]\nendpoint = \"x\"",
            "[models]\nOPENAI-API-KEY = 'x'",
            "[book]\ntitle = \"sk-abcdefghijklmnopqrstuvwx\"",
            "[proxy]\nhttp = \"x\"",
            "[endpoint]\nwriter = \"x\"",
        ] {
            assert_eq!(read(line.as_bytes()).unwrap_err().problem, Problem::Secret, "{line}");
        }
        assert_eq!(set("", "models.api_key", "x").unwrap_err().problem, Problem::Secret);
        assert_eq!(set("", "book.title", "sk-abcdefghijklmnopqrstuvwx").unwrap_err().problem, Problem::Secret);
        assert!(keys().all(|key| !names_secret(key)));
    }

    #[test]
    fn mistakes_have_their_line() {
        let of = |key: &str, mistake| Problem::Value(Mistake::Setting { key: key.into(), mistake: Box::new(mistake) });
        let clever = BadText::Name { given: "clever".into(), allowed: "standard, strong".into() };
        let cases = [
            (
                "[chapter]\nmin_words = \"many\"",
                At::Line(2),
                of("chapter.min_words", Mistake::Wanted(ExpectedValue::WholeNumber)),
            ),
            ("[chapter]\n\nmin_words = 5000", At::Key("chapter.min_words".into()), Problem::Value(Mistake::MinWords)),
            ("[gate]\npass = 3", At::Key("gate.polish".into()), Problem::Value(Mistake::BorderOrder)),
            ("[gate]\npause = 4.5", At::Key("gate.pause".into()), Problem::Value(Mistake::BorderOrder)),
            ("[gate]\npass = 9", At::Key("gate.pass".into()), Problem::Value(Mistake::Border)),
            ("[gate]\npause = 0.5", At::Key("gate.pause".into()), Problem::Value(Mistake::Border)),
            (
                "[style]\nmax_refinement = 3",
                At::Key("style.max_refinement".into()),
                Problem::Value(Mistake::Wanted(ExpectedValue::Share)),
            ),
            ("[book]\nkeep_calls = 0", At::Key("book.keep_calls".into()), Problem::Value(Mistake::NoCalls)),
            (
                "[book]\nkeep_calls = -1",
                At::Line(2),
                of("book.keep_calls", Mistake::Wanted(ExpectedValue::WholeNumber)),
            ),
            ("[context]\ntokens = 100", At::Key("context.tokens".into()), Problem::Value(Mistake::LeastContext(1000))),
            ("[budget]\nusd = -1", At::Key("budget.usd".into()), Problem::Value(Mistake::Negative)),
            ("[budget]\nusd = 1\ncny = 7", At::Key("budget.cny".into()), Problem::Value(Mistake::TwoBudgets)),
            (
                "[context]\nmemory_chapters = 21",
                At::Key("context.memory_chapters".into()),
                Problem::Value(Mistake::MemoryChapters(20)),
            ),
            ("[models]\nwriter = \"clever\"", At::Line(2), of("models.writer", Mistake::Text(clever))),
            (
                "[book]\nlanguage = \"fr\"",
                At::Line(2),
                of("book.language", Mistake::Text(BadText::Name { given: "fr".into(), allowed: "zh, en".into() })),
            ),
            ("schema_version = 9", At::Line(1), Problem::Newer { found: 9, known: NEWEST }),
            ("<<<<<<< HEAD\n[book]", At::Line(1), Problem::Conflict),
        ];
        for (file, at, problem) in cases {
            assert_eq!(read(file.as_bytes()).unwrap_err(), FormatError { at, problem }, "{file}");
        }
        let unread = read(b"[chapter\nmin_words = 1").unwrap_err();
        assert!(unread.at == At::Line(1) && matches!(unread.problem, Problem::Syntax(_)), "{unread}");
        let meant = |file: &str| read(file.as_bytes()).unwrap().1[0].meant;
        assert_eq!(meant("min_words = 3"), Some("chapter.min_words"));
        assert_eq!(meant("[chapter]\nmin_word = 3"), Some("chapter.min_words"));
        assert_eq!(meant("pass = 9"), Some("gate.pass"));
        assert_eq!(meant("[gate]\npas = 4"), Some("gate.pass"));
        assert_eq!(meant("[budget]\nusdd = 4"), Some("budget.usd"));
        assert_eq!(meant("[budgets]\nusd = 4"), Some("budget.usd"));
        assert!(set("", "chapter.minwords", "3").unwrap_err().to_string().contains("chapter.min_words"));
    }

    fn config() -> impl Strategy<Value = BookConfig> {
        let gate = proptest::collection::vec(100u32..=500, 4).prop_map(|mut borders| {
            borders.sort_unstable();
            let border = |i: usize| f64::from(borders[i]) / 100.0;
            Thresholds { pause: border(0), revise: border(1), polish: border(2), pass: border(3), max_revisions: 2 }
        });
        let role = || proptest::sample::select(ModelTier::ALL);
        let roles = proptest::collection::btree_map(proptest::sample::select(Agent::ALL), role(), 0..5);
        let sizes = (1u32..5000, 0u32..5000, LEAST_CONTEXT..100_000, 0u32..100_000, 0..=MOST_MEMORIES);
        let texts = ("[书雨\"'\\\\a-z \n#]{0,9}", "[甲乙a-z]{0,5}");
        (
            texts,
            sizes,
            gate,
            0.0f64..=1.0,
            roles,
            role(),
            any::<[bool; 2]>(),
            proptest::option::of((0.0f64..1e6, any::<bool>())),
        )
            .prop_map(
                |(
                    (title, author),
                    (min, more, tokens, extra, memory_chapters),
                    gate,
                    max_refinement,
                    roles,
                    revision_role,
                    [offline, scene_mode],
                    budget,
                )| {
                    BookConfig {
                        title,
                        author,
                        genre: String::new(),
                        language: if offline { Lang::Zh } else { Lang::En },
                        keep_calls: budget.map(|_| memory_chapters + 1),
                        min_words: min,
                        max_words: min + more,
                        gate,
                        max_refinement,
                        roles,
                        revision_role,
                        revision_policy: RevisionPolicy::ALL[memory_chapters as usize % 3],
                        offline,
                        context_tokens: tokens,
                        convergence_context_tokens: tokens + extra,
                        memory_chapters,
                        scene_mode,
                        budget_usd: budget.filter(|(_, yuan)| !yuan).map(|(amount, _)| amount),
                        budget_cny: budget.filter(|(_, yuan)| *yuan).map(|(amount, _)| amount),
                        sync: SyncSettings {
                            remote: if scene_mode { "usb".to_owned() } else { String::new() },
                            auto: offline,
                            lease: !scene_mode,
                            lease_minutes: 5 + memory_chapters,
                            required: offline && scene_mode,
                        },
                    }
                },
            )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_settings_survive(config in config(), other in config()) {
            let bytes = write(&config, None);
            let (back, unknown) = read(&bytes).unwrap();
            prop_assert_eq!(&back, &config);
            prop_assert_eq!(unknown, vec![]);
            prop_assert_eq!(write(&back, Some(&bytes)), bytes.clone());
            let mine = [&b"# mine\n"[..], &bytes, b"\n[mine]\nx = 1\n"].concat();
            let rewritten = write(&other, Some(&mine));
            prop_assert_eq!(&read(&rewritten).unwrap().0, &other);
            let text = String::from_utf8(rewritten).unwrap();
            prop_assert!(text.starts_with("# mine\n") && text.ends_with("\n[mine]\nx = 1\n"));
            for (at, line) in template::CONFIG.lines().enumerate().filter(|(_, line)| line.starts_with('#')) {
                prop_assert!(text.contains(line), "line {at} was lost");
            }
        }
    }
}
