//! `novel setup`: leads from nothing to a model that answers. The settings are written once the model has answered, so that a
//! wrong key or address changes nothing.

use crate::commands::prelude::*;
use crate::commands::run_context::block_on;
use crate::commands::settings::file::{self, UserFile};
use crate::commands::settings::keys;
use crate::commands::settings::models::{may_be_key, qualified};
use crate::domain::book::config::ModelTier;
use crate::llm::{self, AnswerForm, Effort, Fault, MessagePart, Preset, Request, Sampling, preset};
use crate::pipeline::ModelClient;
use crate::pipeline::engine::responder::micro_usd;
use crate::report::config::{KeyPlace, SetUp, Trial};
use secrecy::{ExposeSecret as _, SecretString};
use std::io::Read as _;
use std::time::Instant;

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SetupArgs {
    #[arg(long, value_name = "PROVIDER", value_parser = value_parsers::name_of(preset::all().iter().map(|preset| preset.name).collect()))]
    pub(crate) provider: Option<String>,
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "VARIABLE", conflicts_with = "key_file")]
    pub(crate) key_env: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    #[arg(long)]
    pub(crate) no_test: bool,
}

/// Settings that hold for one server, and go when another one is set up.
const OF_SERVER: [Key; 7] =
    [Key::Model, Key::ReviseModel, Key::Wire, Key::PlainHttp, Key::ContextWindow, Key::JsonMode, Key::Price];

/// True for a setting that names a model without its provider, which is the provider of before.
fn is_of_provider((key, value): &(&Key, &String)) -> bool {
    let names_models = matches!(key, Key::Agent(_) | Key::Fallback | Key::AgentFallback(_));
    names_models && keys::list(value).any(|name| qualified(name).is_none())
}

/// The file in which a typed key is kept.
fn key_path(app: &App, preset: &Preset) -> Result<PathBuf, Failure> {
    Ok(file::path(&app.environment)?.with_file_name("keys").join(preset.name))
}

/// The most tokens of the test's answer besides its thinking.
const ANSWER_TOKENS: u32 = 64;

/// Settings to write, or without a value to remove.
type Changes = Vec<(Key, Option<String>)>;

pub(crate) fn run(app: &mut App, args: &SetupArgs) -> Result<Exit, Failure> {
    let before = file::load(&app.environment)?;
    file::must_be_writable(&app.environment)?;
    let preset = provider(app, args)?;
    let address = address(app, args, preset)?;
    let is_same = |key: Key, value: Option<&str>| before.values.get(&key).map(String::as_str) == value;
    let is_same_server = is_same(Key::Provider, Some(preset.name)) && is_same(Key::BaseUrl, address.as_deref());
    let mut changes: Changes = vec![(Key::Provider, Some(preset.name.to_owned())), (Key::BaseUrl, address)];
    changes.push((Key::Offline, None));
    if !is_same_server {
        changes.extend(OF_SERVER.map(|key| (key, None)));
        changes.extend(before.values.iter().filter(is_of_provider).map(|(key, _)| (*key, None)));
    }
    let own = key_path(app, preset)?;
    let kept = before.values.get(&Key::SecretFile).filter(|_| is_same_server).map(PathBuf::from);
    let kept = kept.or_else(|| own.is_file().then_some(own));
    let (key, typed) = key(app, args, preset, kept)?;
    let (variable, filed) = match &key {
        KeyPlace::Named { variable } => (Some(variable.clone()), None),
        KeyPlace::File { path } => (None, Some(path.display().to_string())),
        KeyPlace::Usual { .. } | KeyPlace::NotNeeded => (None, None),
    };
    changes.extend([(Key::SecretVariable, variable), (Key::SecretFile, filed)]);
    let model = model(app, args, preset, (&before, &changes, typed.as_ref()))?;
    changes.extend(model.map(|model| (Key::Model, Some(model))));
    must_not_be_overruled(app, &changes)?;

    let settings = settings_with(app, &before, &changes, typed.as_ref());
    let client = settings.client(None, ModelTier::Standard)?;
    let trial = if args.no_test { None } else { Some(try_out(app, &settings, &client, preset)?) };
    if let (KeyPlace::File { path }, Some(typed)) = (&key, &typed) {
        environment::write_private(path, &format!("{}\n", typed.expose_secret())).map_err(|error| {
            Failure::set_up(both!(setup_key_cannot_be_written(path = path.display()))).because(&error)
        })?;
    }
    let gone: Vec<&str> = changes
        .iter()
        .filter(|(key, value)| value.is_none() && before.values.contains_key(key))
        .map(|(key, _)| key.name())
        .collect();
    let path = file::set_all(&app.environment, &changes)?;
    if !gone.is_empty() {
        app.ui.say(&both!(lang, setup_took_settings_out(names = listed(&gone, lang))))?;
    }
    let endpoint = client.client.endpoint();
    let done = SetUp {
        provider: preset.name.to_owned(),
        address: endpoint.base_url.clone(),
        model: client.model.clone(),
        key,
        trial,
        settings: path.display().to_string(),
        language: app.ui.lang().as_str(),
        currency: figures::currency(app.ui.lang()),
    };
    app.ui.show(&done, |lang, _| done.text(lang))
}

fn provider(app: &mut App, args: &SetupArgs) -> Result<&'static Preset, Failure> {
    if let Some(preset) = args.provider.as_deref().and_then(preset::find) {
        return Ok(preset);
    }
    let lang = app.ui.lang();
    let line = |preset: &Preset| match preset.key_page {
        Some(page) => say!(lang, setup_provider_hands_out_keys_at(name = preset.name, page)),
        None => say!(lang, setup_provider_runs_on_this_machine(name = preset.name)),
    };
    let choices: Vec<String> = preset::all().iter().map(line).collect();
    let chosen = app.ui.choose(say!(lang, setup_which_provider), &choices, "--provider")?;
    Ok(&preset::all()[chosen])
}

/// The address of a server of one's own; `None` for the provider's usual one.
fn address(app: &mut App, args: &SetupArgs, preset: &Preset) -> Result<Option<String>, Failure> {
    let typed = match &args.base_url {
        Some(address) => address.clone(),
        None if preset.local && args.provider.is_none() => {
            app.ui.ask(&both!(setup_which_address(usual = preset.base_url)), "--base-url")?
        }
        None => String::new(),
    };
    let address = Key::BaseUrl.normal(&typed);
    Ok(Some(address).filter(|address| !address.is_empty() && address != preset.base_url))
}

/// The place of the key, and the typed key, which is not yet in its file.
fn key(
    app: &mut App,
    args: &SetupArgs,
    preset: &Preset,
    kept: Option<PathBuf>,
) -> Result<(KeyPlace, Option<SecretString>), Failure> {
    if let Some(variable) = &args.key_env {
        if app.environment.var(variable).is_none() {
            return Err(Failure::set_up(both!(setup_variable_is_not_set(variable))));
        }
        return Ok((KeyPlace::Named { variable: variable.clone() }, None));
    }
    let text = match &args.key_file {
        Some(path) if path.as_os_str() == "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Failure::no(both!(setup_no_key_on_standard_input)).because(&error))?;
            text
        }
        Some(path) => return Ok((KeyPlace::File { path: app.typed(path) }, None)),
        None => match preset.key_variables.iter().find(|name| app.environment.var(name).is_some()) {
            Some(variable) => return Ok((KeyPlace::Usual { variable: (*variable).to_owned() }, None)),
            None if preset.local => return Ok((KeyPlace::NotNeeded, None)),
            None => {
                let page = preset.key_page.unwrap_or_default();
                let question = match &kept {
                    Some(path) => both!(setup_key_or_enter_for_that_in(path = path.display())),
                    None => both!(setup_type_key(name = preset.name, page)),
                };
                app.ui.ask_secret(&question, "--key-file -")?
            }
        },
    };
    match (text.trim(), kept) {
        ("", Some(path)) => Ok((KeyPlace::File { path }, None)),
        ("", None) => Err(Failure::no(both!(setup_key_is_empty))),
        (text, _) if !may_be_key(text) => Err(Failure::no(both!(setup_key_is_no_key))),
        (text, _) => {
            let path = key_path(app, preset)?;
            Ok((KeyPlace::File { path }, Some(SecretString::from(text.to_owned()))))
        }
    }
}

/// The model to write into the settings; `None` where the provider's usual one or the one there serves.
fn model(
    app: &mut App,
    args: &SetupArgs,
    preset: &Preset,
    (before, changes, typed): (&UserFile, &Changes, Option<&SecretString>),
) -> Result<Option<String>, Failure> {
    if args.model.is_some() || settings_with(app, before, changes, typed).client(None, ModelTier::Standard).is_ok() {
        return Ok(args.model.clone());
    }
    if args.no_test {
        return app.ui.ask(&both!(setup_which_model), "--model").map(Some);
    }
    // The names that the server has; any name serves for asking the server for them.
    let any = [changes.as_slice(), &[(Key::Model, Some(preset.name.to_owned()))]].concat();
    let client = settings_with(app, before, &any, typed).client(None, ModelTier::Standard)?;
    let names = block_on(client.client.models())?.map_err(|failure| refused(&failure, preset))?;
    let lang = app.ui.lang();
    match names.as_slice() {
        [] => app.ui.ask(&both!(setup_name_of_model), "--model").map(Some),
        [only] => Ok(Some(only.clone())),
        names => {
            let chosen = app.ui.choose(say!(lang, setup_which_model), names, "--model")?;
            Ok(names.get(chosen).cloned())
        }
    }
}

/// The settings as they will be, with the typed key.
fn settings_with(app: &App, before: &UserFile, changes: &Changes, typed: Option<&SecretString>) -> Settings {
    let mut file = before.clone();
    for (key, value) in changes {
        match value {
            Some(value) => drop(file.values.insert(*key, value.clone())),
            None => drop(file.values.remove(key)),
        }
    }
    let settings = Settings::resolve(&Flags::default(), &app.environment, &file, None);
    match typed {
        Some(key) => settings.with_own_key(key.clone()),
        None => settings,
    }
}

/// A variable is stronger than the file, so that the settings written here would not hold.
fn must_not_be_overruled(app: &App, changes: &Changes) -> Result<(), Failure> {
    for (key, value) in changes {
        let (variable, Some(value)) = (key.variable(), value) else { continue };
        if app.environment.var(&variable).is_some_and(|set| key.normal(set) != key.normal(value)) {
            return Err(Failure::set_up(both!(setup_variable_is_stronger(variable))));
        }
    }
    Ok(())
}

fn try_out(app: &mut App, settings: &Settings, client: &ModelClient, preset: &Preset) -> Result<Trial, Failure> {
    let prices = app.prices(settings)?;
    let ModelClient { client, model, .. } = client;
    let thinking = client.capabilities().thinking_tokens;
    let request = Request {
        model: model.clone(),
        system: String::new(),
        prompt: vec![MessagePart::new("这是接通前的一次试问。只回一个字：好。")],
        max_output_tokens: thinking.saturating_add(ANSWER_TOKENS),
        sampling: Sampling { effort: Some(Effort::Low), thinking_tokens: Some(thinking), ..Sampling::default() },
        answer: AnswerForm::Prose,
    };
    app.ui.say(&both!(setup_asking(model, address = &client.endpoint().base_url)))?;
    let began = Instant::now();
    let reply = block_on(client.call(&request, &mut |_| {}))?;
    let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let reply = reply.map_err(|failure| refused(&failure, preset))?;
    let now = app.environment.now().timestamp();
    let cost = prices.cost_on(client.endpoint(), &reply.usage, model, now);
    Ok(Trial {
        duration_ms: milliseconds,
        input_tokens: reply.usage.input_tokens,
        output_tokens: reply.usage.output_tokens,
        cost_micro_usd: cost.map(|cost| micro_usd(cost.usd)),
    })
}

/// The failure of a server that is being set up. The usual hints speak of settings that are not written yet.
fn refused(failure: &llm::CallFailure, preset: &Preset) -> Failure {
    let told = Failure::from(failure).without_hints();
    let told = match (&failure.fault, preset.key_page) {
        (Fault::Unauthorized { .. } | Fault::Forbidden { .. }, Some(page)) => told.hint(both!(setup_keys_are_at(page))),
        (Fault::Unauthorized { .. } | Fault::Forbidden { .. }, None) => told.hint(both!(setup_server_wants_key)),
        (Fault::UnknownModel { .. }, _) => told.hint(both!(setup_name_another_model)),
        (Fault::Network { .. }, _) => told.hint(both!(setup_look_at_address)),
        _ => told,
    };
    told.hint(both!(setup_nothing_was_changed))
}
