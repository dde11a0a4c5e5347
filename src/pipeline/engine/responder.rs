//! Responders, which answer the agents: models behind endpoints, or the built-in offline writer.

use crate::agents::{Answer, Prompt, offline};
use crate::domain::book::config::{Agent, ModelRole, ModelTier};
use crate::llm::{self, Client, Effort, JsonMode, OtherForm, Part, Request, Sampling, Table, Usage};
use crate::pipeline::recall::server::MemoryServer;
use std::collections::BTreeMap;

/// A model at an endpoint.
#[derive(Debug)]
pub struct ModelClient {
    /// How to reach it.
    pub client: Client,
    /// The model's name as the server knows it.
    pub model: String,
}

/// The models of a run.
#[derive(Debug)]
pub struct Models {
    /// By strength. Both are always there; they may be the same model.
    pub standard: ModelClient,
    /// For revisions and for other demanding tasks.
    pub strong: ModelClient,
    /// Agents for which the user has set a model.
    pub own: BTreeMap<Agent, ModelClient>,
    /// How agents are to think, for those of which the user has said it.
    pub thinking: BTreeMap<Agent, ThinkingSettings>,
    /// The prices of calls.
    pub prices: Table,
    /// The server that finds earlier passages by their meaning, when one is set up.
    pub memory: Option<MemoryServer>,
}

/// How an agent's model is to think; `None` leaves it to the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThinkingSettings {
    pub effort: Option<Effort>,
    /// Tokens left for thinking, which providers count as part of an answer.
    pub tokens: Option<u32>,
}

#[derive(Debug)]
pub enum Responder {
    /// The built-in writer.
    Offline,
    /// Language models.
    Models(Box<Models>),
}

impl Responder {
    /// The model that answers an agent in that role.
    pub(super) fn speaker(&self, agent: Agent, model_role: ModelRole) -> Option<&ModelClient> {
        let Self::Models(models) = self else { return None };
        let by_role = match model_role.role() {
            ModelTier::Standard => &models.standard,
            ModelTier::Strong => &models.strong,
        };
        Some(models.own.get(&agent).filter(|_| model_role.takes_own()).unwrap_or(by_role))
    }

    /// The server that finds earlier passages; `None` if the embedded search finds them.
    pub fn memory(&self) -> Option<&MemoryServer> {
        match self {
            Self::Offline => None,
            Self::Models(models) => models.memory.as_ref(),
        }
    }

    /// True where models answer, and not the offline writer.
    pub fn asks_models(&self) -> bool {
        matches!(self, Self::Models(_))
    }

    /// The name that stands in logs and trailers.
    pub fn model(&self, agent: Agent, model_role: impl Into<ModelRole>) -> &str {
        self.speaker(agent, model_role.into()).map_or(offline::NAME, |speaker| speaker.model.as_str())
    }

    /// The most tokens of prompt and answer together; `None` where there is no such limit.
    pub fn context_window(&self, agent: Agent, model_role: impl Into<ModelRole>) -> Option<u32> {
        self.speaker(agent, model_role.into()).map(|speaker| speaker.client.capabilities().context_window)
    }

    /// The request that a prompt becomes. A key in a file of the author's is not sent, and not recorded with the call.
    pub fn request(&self, prompt: &Prompt, model_role: impl Into<ModelRole>) -> Request {
        let model_role = model_role.into();
        let thinking = self.thinking(prompt.agent, model_role);
        Request {
            model: self.model(prompt.agent, model_role).to_owned(),
            system: without_keys(&prompt.system),
            prompt: prompt
                .parts
                .iter()
                .map(|part| Part { text: without_keys(&part.text), cache: part.cache })
                .collect(),
            max_output_tokens: prompt.max_output_tokens.saturating_add(thinking.tokens.unwrap_or_default()),
            sampling: Sampling { effort: thinking.effort, thinking_tokens: thinking.tokens, ..Sampling::default() },
            answer: match &prompt.answer {
                Answer::Prose => llm::Answer::Prose,
                Answer::Json { name, schema } => llm::Answer::Json { name: (*name).to_owned(), schema: schema.clone() },
            },
        }
    }

    /// How the model that answers an agent in that role is to think.
    fn thinking(&self, agent: Agent, model_role: ModelRole) -> ThinkingSettings {
        let (Self::Models(models), Some(speaker)) = (self, self.speaker(agent, model_role)) else {
            return ThinkingSettings::default();
        };
        let set = models.thinking.get(&agent).copied().unwrap_or_default();
        ThinkingSettings { tokens: set.tokens.or(Some(speaker.client.capabilities().thinking_tokens)), ..set }
    }

    /// Takes note of a reply in that JSON mode which is not of the form that was asked for.
    pub(super) fn doubt(&self, agent: Agent, model_role: ModelRole, json_mode: JsonMode, form: OtherForm) {
        if let Some(speaker) = self.speaker(agent, model_role) {
            speaker.client.doubt(json_mode, form);
        }
    }

    /// About how many tokens a request's prompt has for its model, by earlier usage where there was some.
    pub fn estimate(&self, request: &Request, agent: Agent, model_role: impl Into<ModelRole>) -> u64 {
        let tokens = llm::tokens::estimate_request(request);
        let ratio =
            self.speaker(agent, model_role.into()).map_or(1.0, |speaker| speaker.client.capabilities().calibration);
        if ratio.is_finite() && ratio > 0.0 { (tokens as f64 * ratio).ceil() as u64 } else { tokens }
    }

    /// The most that a request can cost, in millionths of a US dollar; `None` when the model's price is unknown.
    pub fn dearest(&self, request: &Request, agent: Agent, model_role: impl Into<ModelRole>) -> Option<u64> {
        let (Self::Models(models), Some(speaker)) = (self, self.speaker(agent, model_role.into())) else {
            return Some(0);
        };
        if speaker.client.endpoint().free {
            return Some(0);
        }
        let limit = speaker.client.capabilities().max_output;
        let usage = Usage {
            input_tokens: llm::tokens::estimate_request(request),
            output_tokens: u64::from(request.max_output_tokens.min(limit)),
            ..Usage::default()
        };
        models.prices.cost(&usage, &request.model).map(|cost| micro_usd(cost.usd))
    }

    /// The likely cost of a call of so many tokens, in millionths of a US dollar; `None` when the model's price is unknown.
    pub fn likely(&self, agent: Agent, model_role: impl Into<ModelRole>, sent: u64, received: u64) -> Option<u64> {
        let (Self::Models(models), Some(speaker)) = (self, self.speaker(agent, model_role.into())) else {
            return Some(0);
        };
        if speaker.client.endpoint().free {
            return Some(0);
        }
        let usage = Usage { input_tokens: sent, output_tokens: received, ..Usage::default() };
        models.prices.cost(&usage, &speaker.model).map(|cost| micro_usd(cost.usd))
    }
}

/// The text with a mark in place of each word in the form of a key.
pub(super) fn without_keys(text: &str) -> String {
    llm::key::masked(text, &[]).into_owned()
}

/// US dollars in millionths, rounded up so that a budget is never exceeded by rounding.
pub fn micro_usd(usd: f64) -> u64 {
    let micro = (usd * 1e6 - 1e-6).ceil();
    if micro.is_finite() && micro > 0.0 { micro as u64 } else { 0 }
}
