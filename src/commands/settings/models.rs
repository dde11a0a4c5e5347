//! Which model does what: from settings to servers that can be called.

use super::keys::Key;
use super::{OWN_KEY, Settings};
use crate::commands::environment;
use crate::commands::exit::Exit;
use crate::commands::failure::Failure;
use crate::domain::config::{Agent, ModelRole};
use crate::llm::{Endpoint, Preset, Wire, preset};
use crate::report::lang::both;
use secrecy::SecretString;
use std::path::Path;

/// A model and the server that has it.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// The server, with the key.
    pub(crate) endpoint: Endpoint,
    /// The model's name there.
    pub(crate) model: String,
}

impl Settings {
    /// The model for some work: the agent's own where the user has named one, else that of the role. Revisions are
    /// nobody's own work: they give no agent.
    ///
    /// # Errors
    /// When no provider, no model or no key is set up; the hints say how.
    pub(crate) fn model(&self, agent: Option<Agent>, role: ModelRole) -> Result<Chosen, Failure> {
        let own = agent.and_then(|agent| self.get(Key::Agent(agent)));
        let named = own.or(match role {
            ModelRole::Standard => self.get(Key::Model),
            ModelRole::Strong => self.get(Key::ReviseModel),
        });
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
        if let Some(address) = self.get(Key::BaseUrl).filter(|_| is_main) {
            endpoint = Endpoint { local: is_local(address), ..endpoint.at(address.trim_end_matches('/')) };
        }
        if let Some(wire) = self.get(Key::Wire).filter(|_| is_main) {
            endpoint = endpoint.over(if wire == "anthropic" { Wire::Anthropic } else { Wire::OpenAi });
        }
        if let Some(window) = self.get(Key::ContextWindow).filter(|_| is_main).and_then(|text| text.trim().parse().ok())
        {
            endpoint.capabilities.context_window = window;
        }
        endpoint.key = self.key(preset, is_main)?;
        if endpoint.key.is_none() && !endpoint.local {
            return Err(no_key(preset));
        }
        Ok(Chosen { endpoint, model })
    }

    /// Whether the user has named a model for the agent.
    pub(crate) fn names_model(&self, agent: Agent) -> bool {
        self.get(Key::Agent(agent)).is_some()
    }

    fn provider(&self) -> Result<&'static Preset, Failure> {
        match self.get(Key::Provider) {
            None => Err(no_provider()),
            Some(name) => preset::find(name).ok_or_else(|| {
                let names = preset::all().iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
                Failure::new(Exit::NotSetUp, both!("没有 `{name}` 这个服务商", "there is no provider `{name}`"))
                    .hint(both!("可以是 {names}", "it may be {names}"))
            }),
        }
    }

    /// The model when none is named for the role: the provider's, unless another server is spoken to, which need not
    /// have it; the other role's model is then better than none.
    fn usual_model(&self, preset: &'static Preset, role: ModelRole) -> Option<&str> {
        let is_main = self.get(Key::Provider) == Some(preset.name);
        let elsewhere = is_main && self.get(Key::BaseUrl).is_some();
        let usual = match role {
            ModelRole::Standard => preset.standard,
            ModelRole::Strong => preset.strong,
        };
        let other = match role {
            ModelRole::Standard => None,
            ModelRole::Strong => self.get(Key::Model).filter(|name| qualified(name).is_none()),
        };
        usual.filter(|_| !elsewhere || preset.takes_any_name()).or(other)
    }

    /// Whether the chosen provider's key comes from the user's own variable or file.
    pub(super) fn has_own_key(&self) -> bool {
        let named = self.get(Key::SecretVariable).is_some_and(|name| self.secrets.contains_key(name));
        named || self.secrets.contains_key(OWN_KEY) || self.key_file.is_some()
    }

    /// The key for a provider. The user's own variable and file are for the chosen provider only: another one must not
    /// be sent its key.
    fn key(&self, preset: &Preset, is_main: bool) -> Result<Option<SecretString>, Failure> {
        if is_main {
            let named = self.get(Key::SecretVariable).and_then(|name| self.secrets.get(name));
            if let Some(key) = self.secrets.get(OWN_KEY).or(named) {
                return Ok(Some(key.clone()));
            }
            if let Some(path) = &self.key_file {
                return read_key(path).map(Some);
            }
        }
        Ok(preset.key_variables.iter().find_map(|name| self.secrets.get(*name)).cloned())
    }
}

/// `PROVIDER:NAME`, when what stands before the first colon is a provider. `qwen3:8b` is a model's own name.
fn qualified(name: &str) -> Option<(&'static Preset, &str)> {
    let (provider, model) = name.split_once(':')?;
    Some((preset::find(provider)?, model))
}

fn is_local(address: &str) -> bool {
    let host = address.split("://").nth(1).unwrap_or(address);
    let host = host.split(['/', '?']).next().unwrap_or_default();
    let host = if host.starts_with('[') {
        host.split(']').next().unwrap_or_default()
    } else {
        host.split(':').next().unwrap_or_default()
    };
    matches!(host, "localhost" | "127.0.0.1" | "[::1")
}

fn read_key(path: &Path) -> Result<SecretString, Failure> {
    let shown = path.display();
    let unreadable =
        || Failure::new(Exit::NotSetUp, both!("读不了密钥文件 `{shown}`", "the key file `{shown}` cannot be read"));
    if environment::is_readable_by_others(path).map_err(|error| unreadable().because(&error))? {
        let message = both!("密钥文件 `{shown}` 别人也能读", "the key file `{shown}` can be read by others");
        return Err(Failure::new(Exit::NotSetUp, message).hint(both!("`chmod 600 {shown}`", "`chmod 600 {shown}`")));
    }
    let text = environment::read_text(path).map_err(|error| unreadable().because(&error))?.unwrap_or_default();
    match text.trim() {
        "" => Err(unreadable().hint(both!("文件是空的", "the file is empty"))),
        key => Ok(SecretString::from(key.to_owned())),
    }
}

fn no_provider() -> Failure {
    let names = preset::all().iter().filter_map(|preset| preset.key_variables.first().copied());
    let names = names.collect::<Vec<_>>().join(", ");
    Failure::new(Exit::NotSetUp, both!("还没有选定用哪家的模型", "no provider of models is set up"))
        .hint(both!("设置其中一个环境变量: {names}", "set one of these variables: {names}"))
        .hint(both!(
            "或用自己机器上的模型: `novel config set provider ollama`",
            "or use a model on this machine: `novel config set provider ollama`"
        ))
}

/// A model to name in a hint where the provider has no usual one: one that many machines have.
const EXAMPLE: &str = "qwen3:8b";

fn no_model(preset: &Preset, role: ModelRole) -> Failure {
    let (name, key) = (
        preset.name,
        match role {
            ModelRole::Standard => Key::Model,
            ModelRole::Strong => Key::ReviseModel,
        },
    );
    let example = preset.standard.unwrap_or(EXAMPLE);
    Failure::new(Exit::NotSetUp, both!("没有指定 {name} 上的模型", "no model of {name} is named")).hint(both!(
        "写上模型名，例如: `novel config set {key} {example}`",
        "name it, for example: `novel config set {key} {example}`"
    ))
}

fn no_key(preset: &Preset) -> Failure {
    let (name, variable) = (preset.name, preset.key_variables.first().copied().unwrap_or(OWN_KEY));
    Failure::new(Exit::NotSetUp, both!("没有 {name} 的密钥", "there is no key for {name}"))
        .hint(both!("设置环境变量 {variable}", "set the variable {variable}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::environment::Environment;
    use crate::commands::settings::Flags;
    use crate::commands::settings::file::UserFile;
    use secrecy::ExposeSecret;

    fn settings(vars: &[(&str, &str)]) -> Settings {
        Settings::resolve(&Flags::default(), &Environment::of(vars.iter().copied()), &UserFile::default(), None)
    }

    fn chosen(
        vars: &[(&str, &str)],
        agent: Option<Agent>,
        role: ModelRole,
    ) -> (String, String, String, Option<String>) {
        let Chosen { endpoint, model } = settings(vars).model(agent, role).unwrap();
        (endpoint.name, endpoint.base_url, model, endpoint.key.map(|key| key.expose_secret().to_owned()))
    }

    use ModelRole::{Standard, Strong};

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
        assert!(is_local("http://[::1]:80/v1") && !is_local("http://localhost.evil.example/"));
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
