//! The model for each kind of work: from settings to servers.
//! The memory server: an address in the user's settings, and a key in a variable.

use crate::commands::prelude::*;
use crate::commands::settings::{OWN_KEY, keys};
use crate::domain::book::config::ModelTier;
use crate::llm::{Address, Client, Effort, Endpoint, JsonMode, Mem0, Preset, Timeouts, Wire, preset};
use crate::pipeline::recall::MemoryServer;
use crate::pipeline::{ModelClient, ThinkingSettings};
use secrecy::{ExposeSecret as _, SecretString};

#[derive(Debug, Clone)]
pub(crate) struct ChosenModel {
    pub(crate) endpoint: Endpoint,
    /// The model's name at the server.
    pub(crate) model: String,
}

/// Tokens of an answer besides its thinking, with some to spare: those of the longest chapter that a book may want.
const TEXT_TOKENS: u32 = 16_384;

impl Settings {
    /// The model for some work: the agent's own if the user has named one, else that of the role. Revisions belong to
    /// no agent: `agent` is `None` for them. Fails when no provider, no model or no key is set up, with hints.
    pub(crate) fn model(&self, agent: Option<Agent>, role: ModelTier) -> Result<ChosenModel, Failure> {
        let own = agent.and_then(|agent| self.get(Key::Agent(agent)));
        let named = own.or(match role {
            ModelTier::Standard => self.get(Key::Model),
            ModelTier::Strong => self.get(Key::ReviseModel),
        });
        self.named_model(named, role)
    }

    pub(crate) fn client(&self, agent: Option<Agent>, role: ModelTier) -> Result<ModelClient, Failure> {
        self.model(agent, role).map(|chosen| self.client_of(chosen))
    }

    fn client_of(&self, ChosenModel { endpoint, model }: ChosenModel) -> ModelClient {
        ModelClient::new(Client::new(endpoint).with_timeouts(self.timeouts()).with_policy(self.policy()), model)
    }

    /// The models that are asked in turn when an agent's own fails: as the user says of the agent, or else of all.
    pub(crate) fn fallbacks(&self) -> Result<BTreeMap<Agent, Vec<ModelClient>>, Failure> {
        let mut clients = BTreeMap::new();
        for &agent in Agent::ALL {
            let named = self.get(Key::AgentFallback(agent)).or_else(|| self.get(Key::Fallback)).unwrap_or_default();
            let chosen = keys::list(named).map(|name| self.named_model(Some(name), ModelTier::Standard));
            let chosen = chosen.map(|chosen| chosen.map(|chosen| self.client_of(chosen)));
            clients.insert(agent, chosen.collect::<Result<_, _>>()?);
        }
        Ok(clients)
    }

    fn named_model(&self, named: Option<&str>, role: ModelTier) -> Result<ChosenModel, Failure> {
        let (preset, model) = match named.map(|name| (name, qualified(name))) {
            Some((_, Some((preset, model)))) => (preset, Some(model)),
            Some((name, None)) => (self.provider()?, Some(name)),
            None => (self.provider()?, None),
        };
        let model = match model.or_else(|| self.usual_model(preset, role)) {
            Some(model) => model.to_owned(),
            None => return Err(no_model(preset, role)),
        };
        let is_main = self.get(Key::Provider) == Some(preset.name);
        let mut endpoint = preset.endpoint(&model, None);
        let mut needs_key = !preset.local;
        if let Some(address) = self.get(Key::BaseUrl).filter(|_| is_main) {
            // A local server may do without a key, but it need not be free.
            needs_key &= !Address::parse(address).is_ok_and(|address| address.is_loopback());
            endpoint = endpoint.relayed_at(address);
        }
        endpoint.free |= is_main && self.get(Key::Price) == Some("free");
        endpoint.plain_http = self.get(Key::PlainHttp).filter(|_| is_main).map(str::to_owned);
        if let Some(wire) = self.get(Key::Wire).filter(|_| is_main) {
            endpoint = endpoint.over(if wire == "anthropic" { Wire::Anthropic } else { Wire::OpenAi });
        }
        if let Some(window) = self.get(Key::ContextWindow).filter(|_| is_main).and_then(|text| text.trim().parse().ok())
        {
            endpoint.capabilities.context_window = window;
        }
        if preset.local {
            // The limit of such a server is a guess, and the user knows how long the model thinks.
            let tokens = self.thinking().values().filter_map(|set| set.tokens).max().unwrap_or(0);
            let limits = &mut endpoint.capabilities;
            limits.max_output = limits.max_output.max(tokens.saturating_add(TEXT_TOKENS));
        }
        if let Some(mode) = self.get(Key::JsonMode).filter(|_| is_main).and_then(JsonMode::named) {
            endpoint.capabilities.schema = mode;
            // The user vouches for a server whose address is not its vendor's.
            endpoint.capabilities.keeps_schema = mode == JsonMode::Strict;
        }
        if let Some((source, key)) = self.key(preset, is_main)? {
            (endpoint.key_source, endpoint.key) = (Some(source), Some(key));
        }
        if endpoint.key.is_none() && needs_key {
            return Err(no_key(preset));
        }
        if endpoint.key.is_some() {
            must_be_private(&endpoint.base_url, endpoint.plain_http.as_deref())?;
        }
        Ok(ChosenModel { endpoint, model })
    }

    /// True when the user has chosen a provider, or set a key that chooses one.
    pub(crate) fn has_provider(&self) -> bool {
        self.get(Key::Provider).is_some()
    }

    /// All keys that are set up, to search for in text before publishing. An unreadable key file is ignored.
    pub(crate) fn own_keys(&self) -> Vec<SecretString> {
        let filed = self.key_file.as_ref().and_then(|path| read_key(path).ok());
        self.secrets.values().cloned().chain(filed).collect()
    }

    /// How agents are to think: as the user says of the agent, or else of all.
    pub(crate) fn thinking(&self) -> BTreeMap<Agent, ThinkingSettings> {
        let of = |agent: Agent| {
            let effort = self.get(Key::AgentEffort(agent)).or_else(|| self.get(Key::Effort));
            let tokens = self.get(Key::AgentThinkingTokens(agent)).or_else(|| self.get(Key::ThinkingTokens));
            let tokens = tokens.and_then(|tokens| value_parsers::count_or_none(tokens).ok());
            ThinkingSettings { effort: effort.and_then(Effort::named), tokens }
        };
        Agent::ALL.iter().map(|agent| (*agent, of(*agent))).collect()
    }

    /// True when the user has named a model for the agent.
    pub(crate) fn names_model(&self, agent: Agent) -> bool {
        self.get(Key::Agent(agent)).is_some()
    }

    fn provider(&self) -> Result<&'static Preset, Failure> {
        match self.get(Key::Provider) {
            None => Err(no_provider()),
            Some(name) => preset::find(name).ok_or_else(|| {
                let hint = Both::of(|lang| {
                    let names = listed(preset::all().iter().map(|preset| preset.name), lang);
                    say!(lang, models_it_may_be(names))
                });
                Failure::set_up(both!(there_is_no_provider(name))).hint(hint)
            }),
        }
    }

    /// The model without a named one for the role: the provider's, unless another server is used, which need not have
    /// it; the other role's model is then better than none.
    fn usual_model(&self, preset: &'static Preset, role: ModelTier) -> Option<&str> {
        let is_main = self.get(Key::Provider) == Some(preset.name);
        let elsewhere = is_main && self.get(Key::BaseUrl).is_some();
        let usual = match role {
            ModelTier::Standard => preset.standard,
            ModelTier::Strong => preset.strong,
        };
        let other = match role {
            ModelTier::Standard => None,
            ModelTier::Strong => self.get(Key::Model).and_then(|name| match qualified(name) {
                Some((of, model)) => (of.name == preset.name).then_some(model),
                None => Some(name),
            }),
        };
        usual.filter(|_| !elsewhere || preset.takes_any_name()).or(other)
    }

    /// True when the chosen provider's key comes from the user's own variable or file.
    pub(super) fn has_own_key(&self) -> bool {
        let named = self.get(Key::SecretVariable).is_some_and(|name| self.secrets.contains_key(name));
        named || self.secrets.contains_key(OWN_KEY) || self.key_file.is_some()
    }

    /// The key for a provider, and the variable or the file that holds it. The user's own variable and file are for the
    /// chosen provider only: another one must not be sent its key.
    fn key(&self, preset: &Preset, is_main: bool) -> Result<Option<(String, SecretString)>, Failure> {
        let of = |name: &str| Some((name.to_owned(), self.secrets.get(name)?.clone()));
        let usual = || preset.key_variables.iter().find_map(|name| of(name));
        let found = match (self.get(Key::SecretVariable), &self.key_file) {
            _ if !is_main => usual(),
            _ if self.secrets.contains_key(OWN_KEY) => of(OWN_KEY),
            // Another key than the named one must not be sent in its place.
            (Some(name), _) => Some(of(name).ok_or_else(|| not_set(name))?),
            (None, Some(path)) => Some((path.display().to_string(), read_key(path)?)),
            (None, None) => usual(),
        };
        found.map(|(source, key)| usable_key(&source, key).map(|key| (source, key))).transpose()
    }
}

/// The key, unless it is invalid. `source` names its origin.
pub(super) fn usable_key(source: &str, key: SecretString) -> Result<SecretString, Failure> {
    if may_be_key(key.expose_secret()) {
        return Ok(key);
    }
    Err(Failure::set_up(both!(holds_no_key_it_has_blanks(source))))
}

/// False for a text with blanks or Chinese in it.
pub(crate) fn may_be_key(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_graphic())
}

/// `PROVIDER:NAME`, when the part before the first colon is a provider. `qwen3:8b` is a model's own name.
pub(crate) fn qualified(name: &str) -> Option<(&'static Preset, &str)> {
    let (provider, model) = name.split_once(':')?;
    Some((preset::find(provider)?, model))
}

/// Refuses to send a key unencrypted to another machine, unless the user has named it for that.
pub(super) fn must_be_private(address: &str, plain_http: Option<&str>) -> Result<(), Failure> {
    let Ok(address) = Address::parse(address) else { return Ok(()) };
    let host = address.host();
    if address.is_encrypted() || address.is_loopback() || plain_http == Some(host) {
        return Ok(());
    }
    Err(Failure::set_up(both!(key_is_not_sent_to_over(host))))
}

fn read_key(path: &Path) -> Result<SecretString, Failure> {
    let shown = path.display();
    let unreadable = || Failure::set_up(both!(key_file_cannot_be_read(shown)));
    if crate::commands::system::is_readable_by_others(path).map_err(|error| unreadable().because(&error))? {
        return Err(Failure::set_up(both!(key_file_can_be_read_by(shown))).hint(both!(chmod(shown))));
    }
    let text = environment::read_text(path).map_err(|error| unreadable().because(&error))?.unwrap_or_default();
    match text.trim() {
        "" => Err(unreadable().hint(both!(file_is_empty))),
        key => Ok(SecretString::from(key.to_owned())),
    }
}

fn no_provider() -> Failure {
    let variables = Both::of(|lang| {
        let names = listed(preset::all().iter().filter_map(|preset| preset.key_variables.first()), lang);
        say!(lang, set_one_of_these_variables(names))
    });
    Failure::set_up(both!(no_provider_of_models_is_set)).hint(variables)
}

/// The model in hints where the provider has no usual one: one that many machines have.
const EXAMPLE: &str = "qwen3:8b";

fn not_set(name: &str) -> Failure {
    Failure::set_up(both!(variable_which_key_env_says_holds(name)))
}

fn no_model(preset: &Preset, role: ModelTier) -> Failure {
    let key = match role {
        ModelTier::Standard => Key::Model,
        ModelTier::Strong => Key::ReviseModel,
    };
    Failure::set_up(both!(no_model_of_is_named(name = preset.name, key, example = preset.standard.unwrap_or(EXAMPLE))))
}

fn no_key(preset: &Preset) -> Failure {
    let (name, variable) = (preset.name, preset.key_variables.first().copied().unwrap_or(OWN_KEY));
    Failure::set_up(both!(there_is_no_key_for(name, variable)))
}

/// The variable with the server's key.
pub(super) const KEY: &str = "MEM0_API_KEY";

impl Settings {
    /// The memory server, if set up. Its address is never read from a book. Fails when the address or the key is
    /// invalid, or the key would be sent unencrypted to another machine.
    pub(crate) fn memory_server(&self, timeouts: Timeouts) -> Result<Option<MemoryServer>, Failure> {
        self.must_have_sound(&[Key::MemoryUrl, Key::PlainHttp])?;
        let Some(address) = self.get(Key::MemoryUrl) else { return Ok(None) };
        let plain_http = self.get(Key::PlainHttp);
        let key = self.secrets.get(KEY).map(|key| usable_key(KEY, key.clone())).transpose()?;
        if key.is_some() {
            must_be_private(address, plain_http)?;
        }
        Ok(Some(MemoryServer::new(Mem0::new(address, key, plain_http, timeouts))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::cli::environment::Environment;
    use crate::commands::settings::Flags;
    use crate::commands::settings::file::UserFile;
    use secrecy::ExposeSecret;

    fn settings(vars: &[(&str, &str)]) -> Settings {
        Settings::resolve(&Flags::default(), &Environment::of(vars.iter().copied()), &UserFile::default(), None)
    }

    fn chosen(
        vars: &[(&str, &str)],
        agent: Option<Agent>,
        role: ModelTier,
    ) -> (String, String, String, Option<String>) {
        let ChosenModel { endpoint, model } = settings(vars).model(agent, role).unwrap();
        (endpoint.name, endpoint.base_url, model, endpoint.key.map(|key| key.expose_secret().to_owned()))
    }

    use ModelTier::{Standard, Strong};

    #[test]
    fn one_key_is_enough() {
        let (name, _, model, key) = chosen(&[("DEEPSEEK_API_KEY", "k")], Some(Agent::Writer), Standard);
        assert_eq!((name.as_str(), key.as_deref()), ("deepseek", Some("k")));
        assert_eq!(Some(model.as_str()), preset::find("deepseek").unwrap().standard);
    }

    #[test]
    fn nothing_set_up_says_what_to_do() {
        for vars in [&[][..], &[("NOVEL_PROVIDER", "anthropic")], &[("NOVEL_PROVIDER", "ollama")]] {
            let failure = settings(vars).model(None, Standard).unwrap_err();
            assert_eq!(failure.exit(), Exit::NotSetUp);
            assert!(failure.text(crate::report::Lang::En).contains("hint:"), "{failure:?}");
        }
    }

    #[test]
    fn an_agent_may_have_another_providers_model_and_gets_no_foreign_key() {
        let vars = [
            ("NOVEL_PROVIDER", "deepseek"),
            ("NOVEL_API_KEY", "own"),
            ("MOONSHOT_API_KEY", "moon"),
            ("NOVEL_AGENTS_JUDGE", "kimi:kimi-k3.1-pro"),
            ("NOVEL_BASE_URL", "https://proxy.example/v1/"),
            ("NOVEL_MODEL", "m"),
        ];
        let (name, url, model, key) = chosen(&vars, Some(Agent::Judge), Standard);
        assert_eq!((name.as_str(), model.as_str(), key.as_deref()), ("kimi", "kimi-k3.1-pro", Some("moon")));
        assert!(url.contains("moonshot"), "{url}");
        let (_, url, model, key) = chosen(&vars, Some(Agent::Writer), Standard);
        assert_eq!((url.as_str(), model.as_str(), key.as_deref()), ("https://proxy.example/v1", "m", Some("own")));
        let (_, _, model, _) = chosen(&vars, None, Strong);
        assert_eq!(model, "m", "the provider's strong model need not be at another address");
    }

    #[test]
    fn a_model_on_this_machine_needs_no_key() {
        let vars = [("NOVEL_PROVIDER", "ollama"), ("NOVEL_MODEL", "qwen3:8b")];
        assert_eq!(
            chosen(&vars, None, Strong),
            ("ollama".into(), "http://127.0.0.1:11434/v1".into(), "qwen3:8b".into(), None)
        );
        let vars = [("NOVEL_PROVIDER", "llama.cpp"), ("NOVEL_BASE_URL", "http://127.0.0.1:9/v1")];
        let (_, url, model, _) = chosen(&vars, None, Strong);
        assert_eq!(
            (url.as_str(), model.as_str()),
            ("http://127.0.0.1:9/v1", "default"),
            "it serves what it has loaded"
        );
        let vars = [("NOVEL_PROVIDER", "openai"), ("NOVEL_BASE_URL", "http://localhost:9/v1"), ("NOVEL_MODEL", "x")];
        assert_eq!(chosen(&vars, None, Standard).3, None);
        let vars = [("NOVEL_PROVIDER", "ollama"), ("NOVEL_BASE_URL", "http://192.168.1.5/v1"), ("NOVEL_MODEL", "x")];
        assert_eq!(chosen(&vars, None, Standard).3, None);
    }

    #[test]
    fn a_key_goes_unencrypted_to_this_machine_or_to_the_host_that_is_named_for_it() {
        let vars = |url: &'static str, host: &'static str| {
            [
                ("NOVEL_PROVIDER", "openai"),
                ("OPENAI_API_KEY", "k"),
                ("NOVEL_MODEL", "x"),
                ("NOVEL_BASE_URL", url),
                ("NOVEL_PLAIN_HTTP", host),
            ]
        };
        for (url, host) in [
            ("http://127.0.0.1:9/v1", ""),
            ("https://relay.example/v1", ""),
            ("http://relay.example/v1", "relay.example"),
        ] {
            assert_eq!(chosen(&vars(url, host), None, Standard).3.as_deref(), Some("k"), "{url}");
        }
        for (url, host) in [("http://relay.example/v1", ""), ("http://other.example/v1", "relay.example")] {
            let failure = settings(&vars(url, host)).model(None, Standard).unwrap_err();
            let text = failure.text(crate::report::Lang::En);
            assert!(failure.exit() == Exit::NotSetUp && text.contains("novel config set plain_http"), "{text}");
        }
    }

    #[test]
    fn a_server_on_this_machine_is_not_free_because_of_where_it_is() {
        let free = |vars: &[(&str, &str)]| settings(vars).model(None, Standard).unwrap().endpoint.free;
        let relay = [("NOVEL_PROVIDER", "openai"), ("NOVEL_BASE_URL", "http://127.0.0.1:9/v1"), ("NOVEL_MODEL", "x")];
        assert!(!free(&relay));
        assert!(free(&[&relay[..], &[("NOVEL_PRICE", "free")]].concat()));
        for provider in ["ollama", "llama.cpp", "vllm"] {
            assert!(free(&[("NOVEL_PROVIDER", provider), ("NOVEL_MODEL", "x")]), "{provider}");
        }
    }

    #[test]
    fn a_key_that_is_asked_for_and_not_there_is_not_replaced_by_another() {
        let vars = [("NOVEL_PROVIDER", "openai"), ("OPENAI_API_KEY", "k"), ("NOVEL_KEY_ENV", "MY_KEY")];
        let failure = settings(&vars).model(None, Standard).unwrap_err();
        assert!(failure.exit() == Exit::NotSetUp && failure.text(crate::report::Lang::En).contains("MY_KEY"));
    }

    #[test]
    fn a_key_that_is_none_is_named_by_its_source_and_not_shown() {
        for key in ["你的密钥", "k\u{e9}y", "two words"] {
            let failure = settings(&[("DEEPSEEK_API_KEY", key)]).model(None, Standard).unwrap_err();
            let text = failure.text(crate::report::Lang::En);
            assert!(
                failure.exit() == Exit::NotSetUp && text.contains("DEEPSEEK_API_KEY") && !text.contains(key),
                "{text}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let vars = [("NOVEL_PROVIDER", "openai"), ("NOVEL_KEY_FILE", path.to_str().unwrap())];
        environment::write_private(&path, "secret\n").unwrap();
        assert_eq!(chosen(&vars, None, Standard).3.as_deref(), Some("secret"));
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        let failure = settings(&vars).model(None, Standard).unwrap_err();
        assert!(failure.text(crate::report::Lang::En).contains("chmod 600"), "{failure:?}");
    }
}
