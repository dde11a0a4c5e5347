//! Whether the providers of models are ready: they answer, take the key and have the models. Nothing is generated, so nothing
//! is paid for.

use crate::llm::{Client, Fault, Timeouts, preset};
use crate::pipeline::engine::responder::{ModelClient, Models};
use crate::pipeline::prelude::*;
use crate::text;

/// Something about a provider that would stop a run.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderProblem {
    /// Its address does not answer, or answers with an error of its own.
    Silent { provider: String, fault: Fault },
    /// It does not accept the key, or the account behind it.
    KeyRefused {
        provider: String,
        /// The reason, in the server's words, without the key.
        fault: Fault,
    },
    /// It answers and does not say which models it has.
    NotListed { provider: String },
    /// It does not have a model that is set up.
    UnknownModel {
        provider: String,
        model: String,
        /// The most similar name that it has; nothing where none is similar.
        near: Option<String>,
    },
}

/// Asks every provider of `models` which models it has, once each.
pub async fn probe(models: Models, timeouts: Timeouts) -> Vec<ProviderProblem> {
    let Models { standard, strong, own, fallbacks, .. } = models;
    let mut providers: BTreeMap<(String, String), (Client, Vec<String>)> = BTreeMap::new();
    let all = [standard, strong].into_iter().chain(own.into_values()).chain(fallbacks.into_values().flatten());
    for ModelClient { client, model, .. } in all {
        let place = (client.endpoint().name.clone(), client.endpoint().base_url.clone());
        let (_, wanted) = providers.entry(place).or_insert_with(|| (client.with_timeouts(timeouts), Vec::new()));
        if !wanted.contains(&model) {
            wanted.push(model);
        }
    }
    let mut problems = Vec::new();
    for (client, models) in providers.into_values() {
        problems.extend(probe_one(&client, &models).await);
    }
    problems
}

async fn probe_one(client: &Client, models: &[String]) -> Vec<ProviderProblem> {
    let provider = client.endpoint().name.clone();
    let known = match client.models().await {
        Ok(known) => known,
        Err(failure) => return vec![of_fault(provider, failure.fault)],
    };
    // A server that serves what it has loaded takes any name.
    if preset::find(&provider).is_some_and(|preset| preset.takes_any_name()) {
        return Vec::new();
    }
    let missing = models.iter().filter(|model| !known.iter().any(|known| is_same(known, model)));
    let unknown = |model: &String| ProviderProblem::UnknownModel {
        provider: provider.clone(),
        model: model.clone(),
        near: text::nearest(model, known.iter().map(String::as_str)).map(str::to_owned),
    };
    missing.map(unknown).collect()
}

/// Servers list models with the name of their maker before them, or with a tag behind them.
fn is_same(listed: &str, model: &str) -> bool {
    let bare = listed.strip_suffix(":latest").unwrap_or(listed);
    [listed, bare]
        .into_iter()
        .any(|name| name == model || name.strip_suffix(model).is_some_and(|rest| rest.ends_with('/')))
}

fn of_fault(provider: String, fault: Fault) -> ProviderProblem {
    match fault {
        Fault::Unauthorized { .. } | Fault::Forbidden { .. } | Fault::Billing { .. } | Fault::SpendLimit { .. } => {
            ProviderProblem::KeyRefused { provider, fault }
        }
        // The address is right, and this server has no such list.
        Fault::UnknownModel { .. } | Fault::BadRequest { .. } | Fault::Protocol { .. } | Fault::RateLimited { .. } => {
            ProviderProblem::NotListed { provider }
        }
        fault => ProviderProblem::Silent { provider, fault },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_known_under_the_names_that_servers_give_it() {
        for listed in ["qwen3", "qwen3:latest", "models/qwen3", "alibaba/qwen3"] {
            assert!(is_same(listed, "qwen3"), "{listed}");
        }
        for other in ["qwen3-max", "my-qwen3", "qwen3:8b"] {
            assert!(!is_same(other, "qwen3"), "{other}");
        }
    }
}
