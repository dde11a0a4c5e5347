//! Calling a model: one request, as many attempts as are worth it.

use std::{
    future::Future,
    hash::{BuildHasher, RandomState},
    pin::Pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use secrecy::ExposeSecret;

use super::{
    anthropic,
    endpoint::{Capabilities, Endpoint, Wire},
    fault::{Failure, Fault},
    http::{Failed, Timeouts, Transport},
    ladder, openai,
    reply::{Reply, Usage},
    request::Request,
    retry::{Policy, Verdict},
    think::Delta,
    tokens,
};

/// What happens during a call, for showing it.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// An attempt begins; text shown of an earlier one is void.
    Attempt {
        /// Counted from 1.
        number: u32,
    },
    /// The answer goes on with this text.
    Text(String),
    /// The model is thinking this.
    Reasoning(String),
    /// An attempt failed and another follows after a wait. The text that had come is in the fault.
    Waiting {
        /// How long.
        seconds: f64,
        /// What went wrong.
        why: Fault,
    },
    /// The server does not take a part of the request; it is asked without, now and from now on.
    Adjusted {
        /// What it does not take.
        what: &'static str,
        /// The server's words.
        why: Fault,
    },
}

/// A wait that ends when it is over or when it is dropped.
pub type Wait = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The most corrections of the capability record in one call; more than there are things to correct.
const MOST_ADJUSTMENTS: u32 = 8;

/// Talks to one model at one server. Cheap to make: nothing is opened before the first call.
pub struct Client {
    endpoint: Endpoint,
    /// The record as corrected by what the server has said.
    learned: Mutex<Capabilities>,
    transport: Transport,
    policy: Policy,
    wait: Box<dyn Fn(Duration) -> Wait + Send + Sync>,
    jitter: Box<dyn Fn() -> f64 + Send + Sync>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("endpoint", &self.endpoint).field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Client {
    /// A client with the usual patience.
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

    /// The same client with other time-outs.
    pub fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { transport: Transport::new(timeouts), ..self }
    }

    /// The same client with another retry policy.
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The same client with another way to wait between attempts.
    pub fn with_wait(self, wait: impl Fn(Duration) -> Wait + Send + Sync + 'static) -> Self {
        Self { wait: Box::new(wait), ..self }
    }

    /// The same client with another source of chance, from 0 to 1, for the waits.
    pub fn with_jitter(self, jitter: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self { jitter: Box::new(jitter), ..self }
    }

    /// The endpoint as it was given.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// What the model can do, as far as is known by now. To be stored and given back in an [`Endpoint`], so that the
    /// same complaint is not provoked by every run.
    pub fn capabilities(&self) -> Capabilities {
        *self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for an answer. Dropping the future stops the call at once, in the middle of an answer or of a wait.
    ///
    /// # Errors
    /// [`Failure`] with the last fault when no attempt gave a complete answer.
    pub async fn call(&self, request: &Request, on: &mut dyn FnMut(Progress)) -> Result<Reply, Failure> {
        self.call_within(request, &|_| true, on).await
    }

    /// Asks for an answer, and again only as long as `affordable` says so of what the failed attempts have used: a
    /// stream that breaks off is charged for as far as it came.
    ///
    /// # Errors
    /// As [`Client::call`]; with attempts left when another one is not affordable.
    pub async fn call_within(
        &self,
        request: &Request,
        affordable: &dyn Fn(&Usage) -> bool,
        on: &mut dyn FnMut(Progress),
    ) -> Result<Reply, Failure> {
        let sent = tokens::estimate_request(request);
        let mut wasted = Usage::default();
        let (mut attempts, mut failed, mut adjusted) = (0, 0, 0);
        let mut capabilities = self.capabilities();
        if capabilities.truncates_silently
            && let Err(too_long) = tokens::fits(request, &capabilities)
        {
            return Err(Failure { fault: too_long.into(), attempts, usage: wasted });
        }
        loop {
            attempts += 1;
            on(Progress::Attempt { number: attempts });
            let Failed { fault, advice, usage } = match self.attempt(request, &capabilities, sent, on).await {
                Ok(reply) => return Ok(Reply { attempts, wasted, ..reply }),
                Err(failed) => failed,
            };
            wasted += usage;
            let fault = fault.redacted(self.endpoint.key.as_ref().map(|key| key.expose_secret()));
            if adjusted < MOST_ADJUSTMENTS
                && let Some((learned, what)) = ladder::adjust(request, &capabilities, &fault)
            {
                adjusted += 1;
                capabilities = learned;
                *self.learned.lock().unwrap_or_else(PoisonError::into_inner) = learned;
                on(Progress::Adjusted { what, why: fault });
                continue;
            }
            failed += 1;
            match self.policy.decide(&fault, advice, failed, (self.jitter)()) {
                Verdict::RetryAfter(wait) if affordable(&wasted) => {
                    on(Progress::Waiting { seconds: wait.as_secs_f64(), why: fault });
                    (self.wait)(wait).await;
                }
                Verdict::RetryAfter(_) | Verdict::GiveUp => return Err(Failure { fault, attempts, usage: wasted }),
            }
        }
    }

    async fn attempt(
        &self,
        request: &Request,
        capabilities: &Capabilities,
        sent: u64,
        on: &mut dyn FnMut(Progress),
    ) -> Result<Reply, Failed> {
        let asked = ladder::prepare(request, capabilities);
        let body = match self.endpoint.wire {
            Wire::Anthropic => anthropic::body(request, &asked, capabilities),
            Wire::OpenAi => openai::body(request, &asked, capabilities),
        };
        let mut show = |delta| {
            on(match delta {
                Delta::Text(text) => Progress::Text(text),
                Delta::Reasoning(text) => Progress::Reasoning(text),
            });
        };
        let mut reply = self.transport.ask(&self.endpoint, &body, sent, &mut show).await?;
        if reply.model.is_empty() {
            reply.model.clone_from(&request.model);
        }
        Ok(Reply { rung: asked.rung, ..reply })
    }

    /// The names of the models that the server offers. One attempt: this is for finding out whether it is there.
    ///
    /// # Errors
    /// [`Failure`] when the server cannot be reached or does not list models.
    pub async fn models(&self) -> Result<Vec<String>, Failure> {
        self.transport.models(&self.endpoint).await.map_err(|failed| Failure {
            fault: failed.fault.redacted(self.endpoint.key.as_ref().map(|key| key.expose_secret())),
            attempts: 1,
            usage: failed.usage,
        })
    }
}

/// A number from 0 to 1 from the standard library's source of chance; spreading retries needs no better one.
#[expect(clippy::cast_precision_loss, reason = "53 of 64 bits are plenty")]
fn chance() -> f64 {
    RandomState::new().hash_one(0u8) as f64 / u64::MAX as f64
}
