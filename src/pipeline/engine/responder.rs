//! Responders, which answer the agents: models behind endpoints, or the built-in offline writer.

use crate::agents::{Prompt, ReplyForm, offline};
use crate::domain::book::config::ModelTier;
use crate::llm::{self, Client, Effort, JsonMode, MessagePart, OtherForm, PriceTable, Request, Sampling, Usage};
use crate::pipeline::engine::error::Thought;
use crate::pipeline::prelude::*;
use crate::pipeline::recall::MemoryServer;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug)]
pub struct ModelClient {
    pub client: Client,
    /// The model's name as the server knows it.
    pub model: String,
    /// True once the run asks a fallback in its place.
    given_up: AtomicBool,
}

#[derive(Debug)]
pub struct Models {
    /// By strength. Both are always there; they may be the same model.
    pub standard: ModelClient,
    /// For revisions and for other demanding tasks.
    pub strong: ModelClient,
    /// Agents for which the user has set a model.
    pub own: BTreeMap<Agent, ModelClient>,
    /// The models that are asked in turn when an agent's own is overloaded, declines or has no money.
    pub fallbacks: BTreeMap<Agent, Vec<ModelClient>>,
    /// How agents are to think, for those of which the user has said it.
    pub thinking: BTreeMap<Agent, ThinkingSettings>,
    pub prices: PriceTable,
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
    Offline,
    Models(Box<Models>),
}

impl ModelClient {
    pub fn new(client: Client, model: String) -> Self {
        Self { client, model, given_up: AtomicBool::new(false) }
    }

    /// True for the same model at the same server.
    fn is_same(&self, other: &Self) -> bool {
        let address = |model: &Self| model.client.endpoint().base_url.trim_end_matches('/').to_owned();
        self.model == other.model && address(self) == address(other)
    }
}

impl Responder {
    /// The model that answers an agent in that role: its own, or its first fallback if the run has given its own up.
    pub fn model_for(&self, agent: Agent, model_role: impl Into<ModelRole>) -> AgentModel<'_> {
        let model_role = model_role.into();
        self.model_after(agent, model_role, 0)
            .unwrap_or_else(|| AgentModel { model: self.usual(agent, model_role), agent })
    }

    /// The model that answers after so many have been passed over; `None` if no other is left.
    pub(super) fn model_after(&self, agent: Agent, model_role: ModelRole, passed: usize) -> Option<AgentModel<'_>> {
        let Self::Models(models) = self else { return None };
        let usual = self.usual(agent, model_role).map(|(_, client)| client);
        let fallbacks = models.fallbacks.get(&agent).into_iter().flatten();
        let all: Vec<&ModelClient> = usual.into_iter().chain(fallbacks).collect();
        let is_first = |at: usize| !all[..at].iter().any(|before| before.is_same(all[at]));
        let left = (0..all.len()).filter(|&at| is_first(at) && !all[at].given_up.load(Ordering::Relaxed));
        let client = left.map(|at| all[at]).nth(passed)?;
        Some(AgentModel { model: Some((models, client)), agent })
    }

    /// Whether other models are set that go on in place of an agent's own.
    pub(super) fn has_others(&self, agent: Agent, model_role: ModelRole) -> bool {
        let (Self::Models(models), Some((_, usual))) = (self, self.usual(agent, model_role)) else { return false };
        models.fallbacks.get(&agent).into_iter().flatten().any(|other| !other.is_same(usual))
    }

    fn usual(&self, agent: Agent, model_role: ModelRole) -> Option<(&Models, &ModelClient)> {
        let Self::Models(models) = self else { return None };
        let by_role = match model_role.role() {
            ModelTier::Standard => &models.standard,
            ModelTier::Strong => &models.strong,
        };
        Some((models, models.own.get(&agent).filter(|_| model_role.takes_own()).unwrap_or(by_role)))
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
}

/// The model that is asked on behalf of an agent, or the offline writer.
#[derive(Debug, Clone, Copy)]
pub struct AgentModel<'r> {
    model: Option<(&'r Models, &'r ModelClient)>,
    agent: Agent,
}

impl<'r> AgentModel<'r> {
    /// The name that stands in logs and trailers.
    pub fn name(&self) -> &'r str {
        self.model.map_or(offline::NAME, |(_, model)| model.model.as_str())
    }

    pub(super) fn client(&self) -> Option<(&'r PriceTable, &'r Client)> {
        self.model.map(|(models, model)| (&models.prices, &model.client))
    }

    /// The most tokens of prompt and answer together; `None` where there is no such limit.
    pub(crate) fn context_window(&self) -> Option<u32> {
        self.model.map(|(_, model)| model.client.capabilities().context_window)
    }

    /// The request that a prompt becomes. A key in a file of the author's is not sent, and not recorded with the call.
    pub fn request(&self, prompt: &Prompt) -> Request {
        let thinking = self.thinking();
        Request {
            model: self.name().to_owned(),
            system: without_keys(&prompt.system),
            prompt: prompt
                .parts
                .iter()
                .map(|part| MessagePart { text: without_keys(&part.text), cache: part.cache })
                .collect(),
            max_output_tokens: prompt.max_output_tokens.saturating_add(thinking.tokens.unwrap_or_default()),
            sampling: Sampling { effort: thinking.effort, thinking_tokens: thinking.tokens, ..Sampling::default() },
            answer: match &prompt.answer {
                ReplyForm::Prose => llm::AnswerForm::Prose,
                ReplyForm::Json { name, schema } => llm::AnswerForm::Json {
                    name: (*name).to_owned(),
                    schema: schema.clone(),
                    told: prompt.told.clone(),
                },
            },
        }
    }

    fn thinking(&self) -> ThinkingSettings {
        let Some((models, model)) = self.model else { return ThinkingSettings::default() };
        let set = models.thinking.get(&self.agent).copied().unwrap_or_default();
        ThinkingSettings { tokens: set.tokens.or(Some(model.client.capabilities().thinking_tokens)), ..set }
    }

    /// Takes note of a reply in that JSON mode which is not of the form that was asked for.
    pub(super) fn doubt(&self, json_mode: JsonMode, form: OtherForm) {
        if let Some((_, model)) = self.model {
            model.client.doubt(json_mode, form);
        }
    }

    /// Asks the model no more in this run, as long as there is another; in no role.
    pub(super) fn give_up(&self) {
        let Some((models, given_up)) = self.model else { return };
        let by_role = [&models.standard, &models.strong];
        let all = by_role.into_iter().chain(models.own.values()).chain(models.fallbacks.values().flatten());
        all.filter(|model| model.is_same(given_up)).for_each(|model| model.given_up.store(true, Ordering::Relaxed));
    }

    /// Whether the model can be given more room for the answer than the request gives it.
    pub(super) fn has_more_room(&self, request: &Request) -> bool {
        let Some((_, model)) = self.model else { return false };
        let (most, limits) = (request.max_output_tokens, model.client.capabilities());
        most < limits.max_output && self.filled(request) < limits.context_window.into()
    }

    /// True for a request that was within the context, as far as it was known, and is not within what the server has named
    /// since.
    pub(super) fn is_beyond_context(&self, request: &Request) -> bool {
        let window = self.context_window().map_or(u64::MAX, u64::from);
        self.filled(request) > window
    }

    /// How the model was to think about a request.
    pub(super) fn thought(&self, request: &Request) -> Thought {
        let window = self.context_window().unwrap_or(u32::MAX);
        let Sampling { effort, thinking_tokens, .. } = request.sampling;
        Thought {
            effort,
            // The limit of a server of the user's own is a guess.
            tokens: thinking_tokens.filter(|_| {
                self.client().is_some_and(|(_, client)| {
                    client.endpoint().free || request.max_output_tokens < client.capabilities().max_output
                })
            }),
            fills_context: self.filled(request) >= window.into(),
        }
    }

    /// About how many tokens a request's prompt and its longest answer have together.
    fn filled(&self, request: &Request) -> u64 {
        u64::from(request.max_output_tokens) + self.estimate(request)
    }

    /// About how many tokens a request's prompt has for the model.
    pub fn estimate(&self, request: &Request) -> u64 {
        let calibration = self.model.map_or(1.0, |(_, model)| model.client.capabilities().calibration);
        llm::tokens::estimate_for(request, calibration)
    }

    /// The most that a request can cost, in millionths of a US dollar; `None` when the model's price is unknown.
    pub fn dearest(&self, request: &Request) -> Option<u64> {
        let limit = self.model.map_or(u32::MAX, |(_, model)| model.client.capabilities().max_output);
        self.likely(llm::tokens::estimate_request(request), request.max_output_tokens.min(limit).into())
    }

    /// The likely cost of a call of so many tokens, in millionths of a US dollar; `None` when the model's price is unknown.
    pub fn likely(&self, sent: u64, received: u64) -> Option<u64> {
        let Some((models, model)) = self.model else { return Some(0) };
        if model.client.endpoint().free {
            return Some(0);
        }
        let usage = Usage { input_tokens: sent, output_tokens: received, ..Usage::default() };
        models.prices.cost(&usage, &model.model).map(|cost| micro_usd(cost.usd))
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
