//! Responders, which answer the agents: models behind endpoints, or the built-in offline writer.

use super::clock::Clock;
use super::stop::Stop;
use crate::agents::{Answer, Prompt, Task, offline};
use crate::domain::book::config::{Agent, ModelRole, ModelTier};
use crate::llm::record::{Outcome, Timing};
use crate::llm::{
    self, Call, Client, Conduct, Failure, Part, Progress, Reply, Request, Sampling, Table, Thinking, Usage, Wire,
};
use crate::pipeline::recall::server::MemoryServer;
use crate::text::sanitize;
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
    /// The prices of calls.
    pub prices: Table,
    /// The server that finds earlier passages by their meaning, when one is set up.
    pub memory: Option<MemoryServer>,
}

/// Tokens left for thinking, which providers count as part of an answer.
const THINKING: u32 = 12_000;

#[derive(Debug)]
pub enum Responder {
    /// The built-in writer.
    Offline,
    /// Language models.
    Models(Box<Models>),
}

/// A call that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewCall<'a> {
    /// The task of the agent.
    pub task: &'a Task<'a>,
    /// The request that the task became.
    pub request: &'a Request,
    /// The role of the model that answers.
    pub role: ModelRole,
}

/// One call, whatever came of it.
#[derive(Debug, Clone)]
pub struct CallOutcome {
    /// The call as it is kept.
    pub call: Call,
    /// The reply's text, or the reason for its absence.
    pub reply: Result<String, Failure>,
}

/// The limits of further attempts of one call.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Whether another attempt may follow when those that failed have cost so many micro-dollars.
    pub affordable: &'a dyn Fn(u64) -> bool,
    /// No attempt follows once this is asked.
    pub stop: &'a Stop,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("stop", self.stop).finish_non_exhaustive()
    }
}

impl Responder {
    /// The model that answers an agent in that role.
    fn speaker(&self, agent: Agent, model_role: ModelRole) -> Option<&ModelClient> {
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

    /// The request that a prompt becomes.
    pub fn request(&self, prompt: &Prompt, model_role: impl Into<ModelRole>) -> Request {
        let model_role = model_role.into();
        let thinks = |speaker: &ModelClient| speaker.client.capabilities().thinking != Thinking::Uncontrolled;
        let thinking = if self.speaker(prompt.agent, model_role).is_some_and(thinks) { THINKING } else { 0 };
        Request {
            model: self.model(prompt.agent, model_role).to_owned(),
            system: prompt.system.clone(),
            prompt: prompt.parts.iter().map(|part| Part { text: part.text.clone(), cache: part.cache }).collect(),
            max_output_tokens: prompt.max_output_tokens + thinking,
            sampling: Sampling::default(),
            answer: match &prompt.answer {
                Answer::Prose => llm::Answer::Prose,
                Answer::Json { name, schema } => llm::Answer::Json { name: (*name).to_owned(), schema: schema.clone() },
            },
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

    /// Asks within the limits, and puts the call on record.
    pub async fn ask(
        &self,
        call: NewCall<'_>,
        clock: &Clock,
        limits: Limits<'_>,
        on: &mut dyn FnMut(Progress),
    ) -> CallOutcome {
        let NewCall { task, request, role } = call;
        let (at, ticks) = ((clock.now)().timestamp(), &clock.ticks);
        let begun = ticks();
        let timing = |ended: u64| Timing { started_at: at.to_string(), duration_ms: ended.saturating_sub(begun) };
        match (self, self.speaker(task.agent(), role)) {
            (Self::Models(models), Some(speaker)) => {
                let mut earlier = Vec::new();
                let mut told = |progress: Progress| {
                    if let Progress::Waiting { why, .. } = &progress {
                        earlier.push(why.clone());
                    }
                    on(progress);
                };
                let endpoint = speaker.client.endpoint();
                let charged = |usage: &Usage| {
                    let cost = models.prices.cost_on(endpoint, usage, &request.model, at);
                    (limits.affordable)(cost.map_or(0, |cost| micro_usd(cost.usd)))
                };
                let stopped = || -> llm::client::Wait {
                    let stop = limits.stop.clone();
                    Box::pin(async move { stop.wait().await })
                };
                let conduct = Conduct { affordable: &charged, stopped: &stopped };
                let result = speaker.client.call_within(request, &conduct, &mut told).await;
                let call = Call::new(endpoint, request, &result, timing(ticks())).with_earlier(&earlier);
                let cost = models.prices.cost_on(endpoint, &call.usage, &request.model, at);
                CallOutcome {
                    call: call.with_cost(cost),
                    reply: result.map(|reply| clean(&reply.text)).map_err(sanitized),
                }
            }
            _ => {
                // A writer that never waits would leave other tasks no turn, such as Ctrl-C.
                tokio::task::yield_now().await;
                let text = offline::answer(task);
                on(Progress::Text(text.clone()));
                let call = offline_call(request, &text, timing(ticks()));
                CallOutcome { call, reply: Ok(text) }
            }
        }
    }
}

/// A text of the model's side as the agents and the book get it; the record keeps it as it came.
fn clean(text: &str) -> String {
    sanitize(text).into_owned()
}

fn sanitized(failure: Failure) -> Failure {
    Failure { fault: failure.fault.with_texts(clean), ..failure }
}

/// The record of a call that the offline writer answered: nothing was sent and nothing is owed.
fn offline_call(request: &Request, text: &str, timing: Timing) -> Call {
    let usage = Usage {
        input_tokens: llm::tokens::estimate_request(request),
        output_tokens: llm::estimate(text),
        estimated: true,
        ..Usage::default()
    };
    let reply = Reply {
        text: text.to_owned(),
        reasoning: String::new(),
        stop: llm::Stop::End,
        usage,
        wasted: Usage::default(),
        model: offline::NAME.to_owned(),
        id: String::new(),
        attempts: 1,
        json_mode: None,
    };
    Call {
        schema_version: llm::record::SCHEMA_VERSION,
        started_at: timing.started_at,
        duration_ms: timing.duration_ms,
        endpoint: offline::NAME.to_owned(),
        wire: Wire::OpenAi,
        request: request.clone(),
        outcome: Outcome::Reply(Box::new(reply)),
        earlier: Vec::new(),
        attempts: 1,
        usage,
        cost: Some(llm::Cost::default()),
        json_mode: None,
        repairs: Vec::new(),
    }
}

/// US dollars in millionths, rounded up so that a budget is never exceeded by rounding.
pub fn micro_usd(usd: f64) -> u64 {
    let micro = (usd * 1e6 - 1e-6).ceil();
    if micro.is_finite() && micro > 0.0 { micro as u64 } else { 0 }
}
