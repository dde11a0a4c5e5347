//! One call of an agent: the prompt as a request that fits and can be paid for, and the call itself. Asking until an answer
//! can be used is the business of [`ask`](super::ask).

use crate::agents::{Again, Prompt, Prompts, ReplyForm, Why, ask_again, echo, echo_of, offline, without_examples};
use crate::llm::client::{Before, RetryWait};
use crate::llm::record::{RecordedOutcome, Timing};
use crate::llm::{self, Call, CallFailure, CallProgress, Conduct, Fault, Reply, Usage, Wire};
use crate::pipeline::engine::call_record::sent_chars;
use crate::pipeline::engine::clock::{Clock, Stop};
use crate::pipeline::engine::error::Budget;
use crate::pipeline::engine::responder::{AgentModel, Responder, micro_usd, without_keys};
use crate::pipeline::prelude::*;
use crate::text::sanitize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The shared parts of a run's calls: the responder, the budget and the listener.
pub struct Calls<'b> {
    pub responder: &'b Responder,
    pub clock: &'b Clock,
    /// The most that the run may cost.
    pub budget: Option<Budget>,
    pub stop: Stop,
    pub listener: RefCell<Box<dyn FnMut(Event) + 'b>>,
    /// Spent so far, in millionths of a US dollar.
    pub spent_micro: Rc<Cell<u64>>,
    /// Replies that are paid for and not written down.
    pub unrecorded: Unrecorded,
    /// The candidate of a chapter that the calls are for; `None` where one text of it is written.
    pub(crate) candidate: Option<u32>,
}

impl<'b> Calls<'b> {
    /// Calls to `responder` of which nothing is spent yet.
    pub fn new(
        responder: &'b Responder,
        clock: &'b Clock,
        budget: Option<Budget>,
        listener: impl FnMut(Event) + 'b,
    ) -> Self {
        let (spent_micro, unrecorded) = (Rc::new(Cell::new(0)), Unrecorded::default());
        let listener: Box<dyn FnMut(Event) + 'b> = Box::new(listener);
        Self {
            responder,
            clock,
            budget,
            stop: Stop::default(),
            listener: RefCell::new(listener),
            spent_micro,
            unrecorded,
            candidate: None,
        }
    }

    /// Calls of work that goes on beside this one: they count for the same budget and are told to the same listener. Replies
    /// that wait to be written down are not shared, since the same request may be asked by both.
    pub(crate) fn beside<'c>(&'c self, candidate: u32) -> Calls<'c> {
        Calls {
            responder: self.responder,
            clock: self.clock,
            budget: self.budget,
            stop: self.stop.clone(),
            listener: RefCell::new(Box::new(|event| self.tell(event))),
            spent_micro: Rc::clone(&self.spent_micro),
            unrecorded: Unrecorded::default(),
            candidate: Some(candidate),
        }
    }

    pub(crate) fn tell(&self, event: Event) {
        (self.listener.borrow_mut())(event);
    }

    /// Reads a reply unless it repeats an example of its agent's prompt: that is no answer. The offline writer knows no
    /// examples.
    pub(crate) fn read_own<T>(
        &self,
        agent: Agent,
        reply: &str,
        read: impl FnOnce(&str) -> Result<T, ReplyFault>,
    ) -> Result<T, ReplyFault> {
        match echo(agent, reply) {
            Some(fault) if self.responder.asks_models() => Err(fault),
            _ => read(reply),
        }
    }

    /// The example of the agent's prompt that one of the texts repeats. The offline writer knows no examples.
    pub(crate) fn echoes<'t>(&self, agent: Agent, texts: impl IntoIterator<Item = &'t str>) -> Option<ReplyFault> {
        if self.responder.asks_models() { echo_of(agent, texts) } else { None }
    }
}

#[derive(Debug, Clone)]
pub struct CallOutcome {
    pub call: Call,
    /// The reply's text, or the reason for its absence.
    pub reply: Result<String, CallFailure>,
}

pub(crate) struct Caller<'a, 'b> {
    pub(crate) calls: &'a Calls<'b>,
    pub(crate) work: Work,
    pub(crate) prompts: &'a Prompts,
    pub(crate) config: &'a BookConfig,
}

pub(crate) struct ModelQuestion<'q, 't> {
    pub(crate) part: Part,
    pub(crate) task: &'q Task<'t>,
    pub(crate) model: AgentModel<'q>,
    pub(crate) again: Option<Again<'q>>,
    /// Whether it has repeated an example of the prompt, and is shown none any more.
    pub(crate) bare: bool,
    /// By how much the room for the answer is enlarged.
    pub(crate) wider: u32,
}

/// The use that the caller has for the text of an answer that fails.
#[derive(Clone, Copy)]
pub(crate) struct Keeping<'q> {
    /// True where the text is kept, and only the rest is asked for.
    pub(crate) keeps: &'q dyn Fn(&Fault) -> bool,
    /// The calls that have left the text up to now.
    pub(crate) before: &'q Cell<Before>,
}

pub(crate) struct PreparedRequest {
    pub(crate) request: llm::Request,
    /// Names the texts that the prompt was made of.
    pub(crate) hash: String,
    /// The rules that the answer has to cover; see [`Prompt::asked`].
    pub(crate) rules: Vec<String>,
    /// A prompt above the book's limit is sent all the same, and said.
    pub(crate) warning: Option<Warning>,
}

/// The fewest tokens that an answer needs to have a chance, so that a prompt which leaves less is not sent.
fn least_answer(task: &Task<'_>, config: &BookConfig) -> u32 {
    match task.agent() {
        Agent::Writer => {
            let words = match task {
                Task::Scene { order, .. } => *order.words.start(),
                _ => config.min_words,
            };
            // A Han character is about one token.
            words + words / 4 + 200
        }
        Agent::Refiner => config.min_words / 4 + 400,
        Agent::StyleAnalyzer => 600,
        Agent::Summarizer | Agent::Judge | Agent::WorldBuilder | Agent::CharacterWeaver | Agent::PlotArchitect => 1200,
    }
}

impl Caller<'_, '_> {
    /// The prompt of a task, within what its model can hold, as a request that the run can pay for.
    pub(crate) fn prepare(&self, question: &ModelQuestion<'_, '_>) -> Result<PreparedRequest, RunError> {
        let prepared = self.fitting(question)?;
        self.afford(&prepared.request, &question.model)?;
        Ok(prepared)
    }

    /// The prompt of a task as a request, cut down to what its model can hold.
    pub(crate) fn fitting(&self, question: &ModelQuestion<'_, '_>) -> Result<PreparedRequest, RunError> {
        let &ModelQuestion { part, task, model, wider, .. } = question;
        let mut prompt = self.prompt(question, self.prompts)?;
        let excess = self.excess(question, &prompt);
        if excess > 0 {
            prompt = self.prompt(question, &self.prompts.within(prompt.breakdown.tokens().saturating_sub(excess)))?;
        }
        let exceeded = prompt.breakdown.limit.filter(|_| prompt.breakdown.exceeds());
        let warning = exceeded.map(|limit| Warning::LargePrompt { part, tokens: prompt.breakdown.tokens(), limit });
        let mut request = model.request(&prompt);
        request.max_output_tokens = request.max_output_tokens.saturating_mul(wider);
        let thinking = &mut request.sampling.thinking_tokens;
        *thinking = thinking.map(|tokens| tokens.saturating_mul(wider));
        self.fit(part, task, &model, &prompt, &mut request)?;
        Ok(PreparedRequest { request, hash: prompt.prompt_hash, rules: prompt.asked, warning })
    }

    fn prompt(&self, question: &ModelQuestion<'_, '_>, prompts: &Prompts) -> Result<Prompt, RunError> {
        let &ModelQuestion { task, again, bare, .. } = question;
        let mut prompt = crate::agents::prompt(task, prompts)?;
        if bare {
            prompt = without_examples(prompt);
        }
        if let Some(again) = again {
            if let Some(answer) = again.answer()
                && let ReplyForm::Json { schema, .. } = std::mem::replace(&mut prompt.answer, answer)
            {
                prompt.told = Some(schema);
            }
            prompt.parts.push(ask_again(again, task, prompts)?);
        }
        Ok(prompt)
    }

    /// By how many tokens the prompt and the shortest useful answer exceed what the model can hold, in the estimated tokens
    /// that a prompt's limit counts: a model's own may be fewer.
    fn excess(&self, &ModelQuestion { task, model, .. }: &ModelQuestion<'_, '_>, prompt: &Prompt) -> u32 {
        let Some(window) = model.context_window() else { return 0 };
        let request = model.request(prompt);
        let sent = model.estimate(&request);
        let over = (sent + u64::from(least_answer(task, self.config))).saturating_sub(window.into());
        let estimated = (over * llm::tokens::estimate_request(&request)).div_ceil(sent.max(1));
        u32::try_from(estimated).unwrap_or(u32::MAX)
    }

    /// Cuts the longest possible answer to the room that the prompt leaves, and refuses a prompt that leaves too little.
    fn fit(
        &self,
        part: Part,
        task: &Task<'_>,
        model: &AgentModel<'_>,
        prompt: &Prompt,
        request: &mut llm::Request,
    ) -> Result<(), RunError> {
        let Some(window) = model.context_window() else { return Ok(()) };
        let sent = model.estimate(request);
        let room = u64::from(window).saturating_sub(sent);
        let least = least_answer(task, self.config);
        if room < u64::from(least) {
            return Err(RunError::DoesNotFit {
                stage: part.as_str(),
                model: request.model.clone(),
                needed: sent + u64::from(least),
                limit: u64::from(window),
                breakdown: Box::new(prompt.breakdown.clone()),
                waits: false,
            });
        }
        let most = request.max_output_tokens.min(u32::try_from(room).unwrap_or(u32::MAX));
        // The text goes before the thinking.
        let thinking = &mut request.sampling.thinking_tokens;
        *thinking = thinking.map(|tokens| tokens.saturating_sub(request.max_output_tokens - most));
        request.max_output_tokens = most;
        Ok(())
    }

    /// Whether the run may still afford the call.
    pub(crate) fn afford(&self, request: &llm::Request, model: &AgentModel<'_>) -> Result<(), RunError> {
        let Some(limit) = self.calls.budget else { return Ok(()) };
        let next = model.dearest(request);
        let next = next.ok_or_else(|| RunError::UnknownPrice { model: request.model.clone() })?;
        let spent = self.calls.spent_micro.get();
        // A call that is under way at the same moment is counted when it is booked, before it is sent.
        if spent.saturating_add(next) > limit.micro_usd {
            return Err(RunError::Budget { spent, next, limit });
        }
        Ok(())
    }

    /// Asks, unless a reply to the same request waits to be written down; also says whether it was left at a failed attempt because the budget does not pay for another.
    pub(crate) async fn call(
        &self,
        question: &ModelQuestion<'_, '_>,
        request: &llm::Request,
        keeping: Keeping<'_>,
    ) -> (CallOutcome, bool) {
        let &ModelQuestion { part, task, model, .. } = question;
        let calls = self.calls;
        if let Some(asked) = calls.unrecorded.reply_to(part, request) {
            return (asked, false);
        }
        calls.tell(Event::StageBegun {
            work: self.work,
            part,
            candidate: calls.candidate,
            scene: task.scene(),
            model: request.model.clone(),
            sent_chars: sent_chars(request),
            prompt: [request.system.clone(), request.prompt_text()],
        });
        // Book the most that the call can cost, so that one that runs beside it sees it; settle when it is known.
        let booked = model.dearest(request).unwrap_or(0);
        calls.spent_micro.set(calls.spent_micro.get() + booked);
        let mut on = |progress| match progress {
            CallProgress::Text(delta) => calls.tell(Event::Text { part, candidate: calls.candidate, delta }),
            CallProgress::Waiting(RetryWait { wait, asked, left, why }) => {
                calls.tell(Event::Waiting { part, wait, asked, left, why });
            }
            CallProgress::Adjusted { what, why } => {
                calls.tell(Event::AskedAgain { part, why: Why::Adjusted { what, why } });
            }
            CallProgress::Attempt { .. } | CallProgress::Reasoning(_) => {}
        };
        let broke = Cell::new(false);
        let affordable = |wasted: u64| {
            broke.set(
                calls.budget.is_some_and(|limit| calls.spent_micro.get().saturating_add(wasted) > limit.micro_usd),
            );
            !broke.get()
        };
        let asked = self.ask_responder(question, request, (&affordable, keeping), &mut on).await;
        let cost = asked.call.cost.map_or(0, |cost| micro_usd(cost.usd));
        calls.spent_micro.set(calls.spent_micro.get() - booked + cost);
        calls.unrecorded.hold(part, request, &asked);
        (asked, broke.get())
    }

    /// Asks within the limits of the run, and puts the call on record. `affordable` tells whether another attempt may follow when those that
    /// failed have cost so many micro-dollars.
    async fn ask_responder(
        &self,
        &ModelQuestion { task, model, .. }: &ModelQuestion<'_, '_>,
        request: &llm::Request,
        (affordable, Keeping { keeps, before }): (&dyn Fn(u64) -> bool, Keeping<'_>),
        on: &mut dyn FnMut(CallProgress),
    ) -> CallOutcome {
        let Calls { clock, stop, .. } = self.calls;
        let (at, ticks) = ((clock.now)().timestamp(), &clock.ticks);
        let begun = ticks();
        let timing = |ended: u64| Timing { started_at: at.to_string(), duration_ms: ended.saturating_sub(begun) };
        let Some((prices, client)) = model.client() else {
            // A writer that never waits would leave other tasks no turn, such as Ctrl-C.
            tokio::task::yield_now().await;
            let text = without_keys(&offline::answer(task));
            on(CallProgress::Text(text.clone()));
            return CallOutcome { call: offline_call(request, &text, timing(ticks())), reply: Ok(text) };
        };
        let (mut earlier, mut has_asked) = (Vec::new(), false);
        let mut told = |progress: CallProgress| {
            match &progress {
                CallProgress::Attempt { .. } => has_asked = true,
                // The fault before the first attempt is in the record of the call before.
                CallProgress::Waiting(RetryWait { why, .. }) if has_asked => earlier.push(why.clone()),
                _ => {}
            }
            on(progress);
        };
        let endpoint = client.endpoint();
        let charged = |usage: &Usage| {
            let cost = prices.cost_on(endpoint, usage, &request.model, at);
            affordable(cost.map_or(0, |cost| micro_usd(cost.usd)))
        };
        let stopped = || -> llm::client::Sleep {
            let stop = stop.clone();
            Box::pin(async move { stop.wait().await })
        };
        let conduct = Conduct { keeps, before, affordable: &charged, stopped: &stopped };
        let result = client.call_within(request, &conduct, &mut told).await;
        let call = Call::new(endpoint, request, &result, timing(ticks())).with_earlier(&earlier);
        let cost = prices.cost_on(endpoint, &call.usage, &request.model, at);
        CallOutcome { call: call.with_cost(cost), reply: result.map(|reply| clean(&reply.text)).map_err(sanitized) }
    }
}

/// A text of the model's side as the agents and the book get it; the record keeps it as it came.
fn clean(text: &str) -> String {
    sanitize(text).into_owned()
}

fn sanitized(failure: CallFailure) -> CallFailure {
    CallFailure { fault: failure.fault.with_texts(clean), ..failure }
}

/// The record of a call that the offline writer answered: nothing was sent and nothing is owed.
fn offline_call(request: &llm::Request, text: &str, timing: Timing) -> Call {
    let usage = Usage {
        input_tokens: llm::tokens::estimate_request(request),
        output_tokens: llm::estimate(text),
        estimated: true,
        ..Usage::default()
    };
    let reply = Reply {
        text: text.to_owned(),
        reasoning: String::new(),
        stop: llm::StopReason::End,
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
        outcome: RecordedOutcome::Reply(Box::new(reply)),
        earlier: Vec::new(),
        attempts: 1,
        usage,
        cost: Some(llm::Cost::default()),
        json_mode: None,
    }
}

/// Replies that are paid for and on no draft yet. An error of the disk between a reply and its commit leaves one here, and
/// the next attempt at the same part takes it in place of another call.
#[derive(Debug, Default)]
pub struct Unrecorded(RefCell<Vec<(Part, llm::Request, CallOutcome)>>);

impl Unrecorded {
    pub(super) fn hold(&self, part: Part, request: &llm::Request, outcome: &CallOutcome) {
        self.0.borrow_mut().push((part, request.clone(), outcome.clone()));
    }

    /// The reply to that request, or else one to the same part: a result of another stage that came meanwhile may have changed the
    /// request, and undisturbed the reply would have counted all the same.
    pub(super) fn reply_to(&self, part: Part, request: &llm::Request) -> Option<CallOutcome> {
        let held = self.0.borrow();
        let same = held.iter().find(|(of, what, _)| *of == part && what == request);
        let found = same.or_else(|| held.iter().rfind(|(of, ..)| *of == part));
        found.map(|(.., outcome)| outcome.clone())
    }

    /// Makes an attempt at a part of the work, and a second one where an error leaves a reply of it here: a disk that fails
    /// for a moment does not cost a reply.
    pub(crate) async fn try_twice(
        &self,
        part: Part,
        attempt: impl AsyncFn() -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let holds = || self.0.borrow().iter().any(|(of, ..)| *of == part);
        match attempt().await {
            Err(error) if !matches!(error, RunError::Interrupted) && holds() => attempt().await,
            done => done,
        }
    }

    /// The call is on a draft.
    pub(crate) fn recorded(&self, call: &Call) {
        self.0.borrow_mut().retain(|(.., outcome)| outcome.call != *call);
    }
}
