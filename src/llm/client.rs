use crate::llm::endpoint::{Capabilities, Endpoint, JsonMode, OtherForm, Wire};
use crate::llm::fault::{CallFailure, Fault};
use crate::llm::http::{HttpFailure, Sizes, Timeouts, Transport};
use crate::llm::json_request::{self, RequestPart};
use crate::llm::key::{Masker, masked};
use crate::llm::reply::{self, Reply, Usage};
use crate::llm::request::{AnswerForm, Request};
use crate::llm::retry::{Advice, Policy, RetryDecision, RetryHistory};
use crate::llm::stream_reader::BEYOND;
use crate::llm::think::StreamPiece;
use crate::llm::{anthropic, openai};
use secrecy::SecretString;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The events of a call, for showing its progress.
#[derive(Clone, Debug, PartialEq)]
pub enum CallProgress {
    /// An attempt begins; text shown of an earlier one is void.
    Attempt {
        /// Counted from 1.
        number: u32,
    },
    /// The answer goes on with this text.
    Text(String),
    /// The model thinks this text.
    Reasoning(String),
    /// An attempt failed and another follows after a wait. The text so far is in the fault.
    Waiting(RetryWait),
    /// The server does not take a part of the request, which is left out from now on.
    Adjusted { what: RequestPart, why: Fault },
}

/// The wait before another attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct RetryWait {
    pub wait: Duration,
    pub asked: Option<Duration>,
    /// How much longer the call bears an overload, this wait included; `None` when it was something else.
    pub left: Option<Duration>,
    pub why: Fault,
}

/// The calls before, for a call that asks for the rest of their text.
#[derive(Debug, Default)]
pub struct Before {
    past: RetryHistory,
    /// The wait that is due before the rest is asked for.
    due: Option<RetryWait>,
}

pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The caller's control of a running call.
pub struct Conduct<'a> {
    /// True when the caller has a use for the text that came before a fault. The call then does not pay for that text
    /// again: it ends at once, so that the text is kept before anything else, and leaves it to the caller to ask for the
    /// rest, which begins with the wait.
    pub keeps: &'a dyn Fn(&Fault) -> bool,
    pub before: &'a Cell<Before>,
    /// True when another attempt may be paid for after failed ones have used so much: a broken stream is charged for as
    /// far as it came.
    pub affordable: &'a dyn Fn(&Usage) -> bool,
    /// Ends when the user stops the call. A wait between attempts then ends at once; an answer that is being written
    /// goes on, and is given up when nothing comes for [`SILENCE`].
    pub stopped: &'a dyn Fn() -> Sleep,
}

impl std::fmt::Debug for Conduct<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Conduct")
    }
}

/// A stopped call is given up after this silence: longer than a pause between two words of a model, shorter than any
/// user's patience.
pub const SILENCE: Duration = Duration::from_secs(2);

/// The most corrections of the capability record in one call; there are fewer things to correct.
const MOST_ADJUSTMENTS: u32 = 8;

/// A client of one model at one server. Opens nothing before the first call.
pub struct Client {
    endpoint: Endpoint,
    /// The capability record as corrected by the server's complaints.
    learned: Mutex<Capabilities>,
    transport: Transport,
    policy: Policy,
    wait: Box<dyn Fn(Duration) -> Sleep + Send + Sync>,
    jitter: Box<dyn Fn() -> f64 + Send + Sync>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("endpoint", &self.endpoint).field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Client {
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            learned: Mutex::new(endpoint.capabilities),
            endpoint,
            transport: Transport::new(Timeouts::default()),
            policy: Policy::default(),
            wait: Box::new(|duration| Box::pin(tokio::time::sleep(duration))),
            jitter: Box::new(chance),
        }
    }

    pub fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { transport: Transport::new(timeouts), ..self }
    }

    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    pub fn with_wait(self, wait: impl Fn(Duration) -> Sleep + Send + Sync + 'static) -> Self {
        Self { wait: Box::new(wait), ..self }
    }

    /// Sets the source of random numbers, from 0 to 1, for the waits.
    pub fn with_jitter(self, jitter: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self { jitter: Box::new(jitter), ..self }
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The capability record as corrected so far. A caller stores it and returns it in an [`Endpoint`], so that no run
    /// provokes the same complaint again.
    pub fn capabilities(&self) -> Capabilities {
        *self.learned()
    }

    fn learned(&self) -> MutexGuard<'_, Capabilities> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of an answer in this mode that is not of the form that was asked for. A server may take a mode and ignore
    /// it, so the next looser one is asked for from now on.
    pub fn doubt(&self, json_mode: JsonMode, form: OtherForm) {
        let mut learned = self.learned();
        // A server that keeps to a schema leaves the model to fill it badly.
        let is_the_models = form == OtherForm::OtherFields && learned.keeps_schema;
        if learned.schema == json_mode
            && !is_the_models
            && let Some(looser) = json_mode.looser()
        {
            learned.schema = looser;
        }
    }

    /// Asks for an answer. Dropping the future stops the call at once, even inside an answer or a wait. The
    /// [`CallFailure`] holds the last fault when no attempt gave a complete answer.
    pub async fn call(&self, request: &Request, on: &mut dyn FnMut(CallProgress)) -> Result<Reply, CallFailure> {
        let stopped = || -> Sleep { Box::pin(std::future::pending()) };
        let (keeps, before) = (|_: &Fault| false, Cell::default());
        let conduct = Conduct { keeps: &keeps, before: &before, affordable: &|_| true, stopped: &stopped };
        self.call_within(request, &conduct, on).await
    }

    /// Asks under the caller's control. No key stands in what comes back or is shown: a server may repeat the one that it was sent.
    pub async fn call_within(
        &self,
        request: &Request,
        conduct: &Conduct<'_>,
        on: &mut dyn FnMut(CallProgress),
    ) -> Result<Reply, CallFailure> {
        let (own, mut text, mut reasoning) = (self.own_key(), Masker::default(), Masker::default());
        let mut shown = |progress| {
            let progress = match progress {
                CallProgress::Text(piece) => CallProgress::Text(text.push(&piece, own)),
                CallProgress::Reasoning(piece) => CallProgress::Reasoning(reasoning.push(&piece, own)),
                other => {
                    (text, reasoning) = (Masker::default(), Masker::default());
                    other
                }
            };
            let is_held =
                matches!(&progress, CallProgress::Text(piece) | CallProgress::Reasoning(piece) if piece.is_empty());
            if !is_held {
                on(progress);
            }
        };
        let done = self.call_attempts(request, conduct, &mut shown).await;
        let rest = text.rest(own);
        if !rest.is_empty() {
            on(CallProgress::Text(rest));
        }
        done.map(|reply| Reply {
            text: self.masked(&reply.text),
            reasoning: self.masked(&reply.reasoning),
            model: self.masked(&reply.model),
            id: self.masked(&reply.id),
            ..reply
        })
    }

    fn own_key(&self) -> &[SecretString] {
        self.endpoint.key.as_slice()
    }

    fn masked(&self, text: &str) -> String {
        masked(text, self.own_key()).into_owned()
    }

    async fn call_attempts(
        &self,
        request: &Request,
        conduct: &Conduct<'_>,
        on: &mut dyn FnMut(CallProgress),
    ) -> Result<Reply, CallFailure> {
        let sent = crate::llm::tokens::estimate_request(request);
        let mut wasted = Usage::default();
        let (mut attempts, mut adjusted) = (0, 0);
        let Before { mut past, due } = conduct.before.take();
        let mut overloaded_since = None;
        let mut capabilities = self.capabilities();
        if capabilities.truncates_silently
            && let Err(too_long) = crate::llm::tokens::fits(request, &capabilities)
        {
            let fault = too_long.into();
            return Err(self.failure(fault, attempts, None, wasted));
        }
        if let Some(due) = due
            && !self.has_waited(due, conduct, &mut past, on).await
        {
            return Err(self.failure(Fault::Stopped { partial: String::new() }, attempts, None, wasted));
        }
        loop {
            attempts += 1;
            on(CallProgress::Attempt { number: attempts });
            let HttpFailure { fault, advice, usage } =
                match self.attempt_until(conduct.stopped, request, &capabilities, sent, on).await {
                    Ok(reply) if reply::is_refusal(&reply.text) => {
                        let fault = Fault::Refused { reason: reply.text.trim().to_owned(), partial: String::new() };
                        HttpFailure { fault, advice: Advice::default(), usage: reply.usage }
                    }
                    Ok(reply) => return Ok(Reply { attempts, wasted, ..reply }),
                    Err(failed) => failed,
                };
            wasted += usage;
            let fault = fault.redacted(self.own_key());
            if let Fault::ContextTooLong { limit: Some(limit), sent: told, .. } = fault {
                self.learned().take_context(limit, told, sent);
            }
            if adjusted < MOST_ADJUSTMENTS
                && let Some((learned, what)) = json_request::adjust(request, &capabilities, &fault)
            {
                adjusted += 1;
                capabilities = learned;
                *self.learned() = learned;
                on(CallProgress::Adjusted { what, why: fault });
                continue;
            }
            let overload = fault.is_overload();
            if overload {
                past.overloads += 1;
                let since = *overloaded_since.get_or_insert_with(Instant::now);
                past.waited = past.waited.max(since.elapsed());
            } else {
                overloaded_since = None;
                past = RetryHistory { failed: past.failed + 1, ..RetryHistory::default() };
            }
            let asked = advice.retry_after.or(fault.asked_wait());
            let advice = Advice { retry_after: asked, ..advice };
            match self.policy.decide(&fault, advice, past, (self.jitter)()) {
                RetryDecision::RetryAfter(wait) if (conduct.affordable)(&wasted) => {
                    let left = overload.then(|| self.policy.retry_for.saturating_sub(past.waited));
                    let waiting = RetryWait { wait, asked, left, why: fault.clone() };
                    if (conduct.keeps)(&fault) {
                        conduct.before.set(Before { past, due: Some(waiting) });
                        return Err(CallFailure { leaves_rest: true, ..self.failure(fault, attempts, asked, wasted) });
                    }
                    if !self.has_waited(waiting, conduct, &mut past, on).await {
                        return Err(self.failure(fault, attempts, asked, wasted));
                    }
                }
                RetryDecision::RetryAfter(_) | RetryDecision::GiveUp => {
                    return Err(self.failure(fault, attempts, asked, wasted));
                }
            }
        }
    }

    /// Waits before another attempt; false when the user has stopped the call meanwhile.
    async fn has_waited(
        &self,
        waiting: RetryWait,
        conduct: &Conduct<'_>,
        past: &mut RetryHistory,
        on: &mut dyn FnMut(CallProgress),
    ) -> bool {
        let wait = waiting.wait;
        on(CallProgress::Waiting(waiting));
        tokio::select! {
            biased;
            () = (conduct.stopped)() => return false,
            () = (self.wait)(wait) => past.waited += wait,
        }
        true
    }

    /// One attempt, which is given up when the user stops the call and nothing more comes.
    async fn attempt_until(
        &self,
        stopped: &dyn Fn() -> Sleep,
        request: &Request,
        capabilities: &Capabilities,
        sent: u64,
        on: &mut dyn FnMut(CallProgress),
    ) -> Result<Reply, HttpFailure> {
        let (partial, heard) = (RefCell::new(String::new()), Cell::new(None));
        let mut listening = |progress: CallProgress| {
            heard.set(Some(Instant::now()));
            if let CallProgress::Text(text) = &progress {
                partial.borrow_mut().push_str(text);
            }
            on(progress);
        };
        {
            let mut attempt = std::pin::pin!(self.attempt(request, capabilities, sent, &mut listening));
            tokio::select! {
                biased;
                done = &mut attempt => return done,
                () = stopped() => {}
            }
            let stop = Instant::now();
            loop {
                let last = heard.get().unwrap_or(stop).max(stop);
                tokio::select! {
                    biased;
                    done = &mut attempt => return done,
                    () = tokio::time::sleep_until(last + SILENCE) => {}
                }
                if heard.get().unwrap_or(stop).max(stop) == last {
                    break;
                }
            }
        }
        let partial = partial.into_inner();
        let usage = match heard.get() {
            // The received part is charged for, but the server's own count is missing.
            Some(_) => Usage {
                input_tokens: sent,
                output_tokens: crate::llm::tokens::estimate(&partial),
                estimated: true,
                ..Usage::default()
            },
            None => Usage::default(),
        };
        Err(HttpFailure { fault: Fault::Stopped { partial }, advice: Advice::default(), usage })
    }

    async fn attempt(
        &self,
        request: &Request,
        capabilities: &Capabilities,
        sent: u64,
        on: &mut dyn FnMut(CallProgress),
    ) -> Result<Reply, HttpFailure> {
        let asked = json_request::prepare(request, capabilities);
        let body = match self.endpoint.wire {
            Wire::Anthropic => anthropic::body(request, &asked, capabilities),
            Wire::OpenAi => openai::body(request, &asked, capabilities),
        };
        let most = request.max_output_tokens.min(capabilities.max_output);
        let text = request.sampling.thinking_tokens.map_or(most, |thinking| most.saturating_sub(thinking));
        // By the estimate a character of prose is a token, and its limit allows two: what is longer runs on.
        let text = if request.answer == AnswerForm::Prose { text } else { text.saturating_mul(BEYOND) };
        let sizes = Sizes { sent, most, text };
        let mut show = |delta| {
            on(match delta {
                StreamPiece::Text(text) => CallProgress::Text(text),
                StreamPiece::Reasoning(text) => CallProgress::Reasoning(text),
            });
        };
        let mut reply = self.transport.ask(&self.endpoint, &body, sizes, &mut show).await?;
        if reply.model.is_empty() {
            reply.model.clone_from(&request.model);
        }
        Ok(Reply { json_mode: asked.json_mode, ..reply })
    }

    /// The names of the models that the server offers. A single attempt, since this checks that the server is there.
    pub async fn models(&self) -> Result<Vec<String>, CallFailure> {
        let models = self.transport.models(&self.endpoint).await;
        models.map(|names| names.iter().map(|name| self.masked(name)).collect()).map_err(|failed| {
            self.failure(failed.fault.redacted(self.own_key()), 1, failed.advice.retry_after, failed.usage)
        })
    }

    fn failure(&self, fault: Fault, attempts: u32, asked_wait: Option<Duration>, usage: Usage) -> CallFailure {
        let key_source = self.endpoint.key_source.clone();
        CallFailure { fault, attempts, asked_wait, usage, key_source, leaves_rest: false }
    }
}

/// A number from 0 to 1. Spreading retries needs no better randomness than the hasher of the standard library.
#[expect(clippy::cast_precision_loss, reason = "53 of 64 bits are plenty")]
fn chance() -> f64 {
    RandomState::new().hash_one(0u8) as f64 / u64::MAX as f64
}
