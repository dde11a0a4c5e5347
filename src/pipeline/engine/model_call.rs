//! Asking an agent: the prompt as a request that fits and can be paid for, and the call itself. What is done with the
//! answer, the desks say.

use super::error::RunError;
use super::event::{Event, Warning, Why};
use super::responder::{CallOutcome, Limits, micro_usd};
use super::run::Run;
use crate::agents::ask_again;
use crate::agents::{Again, Prompt, Prompts, Task, without_examples};
use crate::domain::book::config::{Agent, BookConfig, ModelRole};
use crate::domain::book::log::StageLog;
use crate::domain::book::work::{Part, Work};
use crate::llm::{self, Call, Progress as CallProgress};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// How often an agent is asked again after an answer that cannot be used (agent protocol §10.3).
pub(crate) const ASK_AGAIN: u32 = 2;

/// Who asks, and on behalf of what.
pub(crate) struct Caller<'a, 'b> {
    pub(crate) run: &'a Run<'b>,
    pub(crate) work: Work,
    pub(crate) prompts: &'a Prompts,
    pub(crate) config: &'a BookConfig,
}

/// What an agent is asked.
pub(crate) struct Question<'q, 't> {
    pub(crate) part: Part,
    pub(crate) task: &'q Task<'t>,
    pub(crate) role: ModelRole,
    /// Why it is asked again.
    pub(crate) again: Option<Again<'q>>,
    /// Whether it has repeated an example of the prompt, and is shown none any more.
    pub(crate) bare: bool,
    /// By how much the room for the answer is enlarged.
    pub(crate) wider: u32,
}

/// A request that fits and can be afforded.
pub(crate) struct PreparedRequest {
    pub(crate) request: llm::Request,
    /// Names the texts that the prompt was made of.
    pub(crate) hash: String,
    /// The rules that the answer has to cover; see [`Prompt::asked`].
    pub(crate) asked: Vec<String>,
    /// A prompt above the book's limit is sent all the same, and said.
    pub(crate) warning: Option<Warning>,
}

/// The fewest tokens that an answer needs to have a chance, so that a prompt which leaves less is not sent.
fn least_answer(task: &Task<'_>, config: &BookConfig) -> u32 {
    match task.agent() {
        Agent::Writer => {
            let words = match task {
                Task::Scene { order, .. } => order.words.0,
                _ => config.min_words,
            };
            // A Han character is about one token.
            words + words / 4 + 200
        }
        Agent::Summarizer => 1200,
        Agent::Refiner => config.min_words / 4 + 400,
        Agent::Judge => 1800,
        Agent::StyleAnalyzer => 600,
        Agent::WorldBuilder | Agent::CharacterWeaver | Agent::PlotArchitect => 1200,
    }
}

/// Replies that are paid for and on no draft yet. An error of the disk between a reply and its commit leaves one here, and
/// the same request takes it in place of another call.
#[derive(Debug, Default)]
pub struct Unrecorded(RefCell<Vec<(Part, llm::Request, CallOutcome)>>);

impl Unrecorded {
    fn hold(&self, part: Part, request: &llm::Request, asked: &CallOutcome) {
        self.0.borrow_mut().push((part, request.clone(), asked.clone()));
    }

    fn reply_to(&self, part: Part, request: &llm::Request) -> Option<CallOutcome> {
        let held = self.0.borrow();
        held.iter().find(|(of, what, _)| *of == part && what == request).map(|(.., asked)| asked.clone())
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
        self.0.borrow_mut().retain(|(.., asked)| asked.call != *call);
    }
}

impl Caller<'_, '_> {
    /// The prompt of a task, within what its model can hold, as a request; and the hash of its texts.
    pub(crate) fn ready(&self, question: &Question<'_, '_>) -> Result<PreparedRequest, RunError> {
        let &Question { part, task, role, again, bare, wider } = question;
        let mut prompt = crate::agents::prompt(task, self.prompts)?;
        if bare {
            prompt = without_examples(prompt);
        }
        if let Some(again) = again {
            if let Some(answer) = again.answer() {
                prompt.answer = answer;
            }
            prompt.parts.push(ask_again(again, task, self.prompts)?);
        }
        let exceeded = prompt.breakdown.limit.filter(|_| prompt.breakdown.exceeds());
        let warning = exceeded.map(|limit| Warning::LargePrompt { part, tokens: prompt.breakdown.tokens(), limit });
        let mut request = self.run.responder.request(&prompt, role);
        request.max_output_tokens = request.max_output_tokens.saturating_mul(wider);
        self.fit(part, task, role, &prompt, &mut request)?;
        self.afford(&request, task.agent(), role)?;
        Ok(PreparedRequest { request, hash: prompt.prompt_hash, asked: prompt.asked, warning })
    }

    /// Cuts the longest possible answer to the room that the prompt leaves, and refuses a prompt that leaves too little.
    fn fit(
        &self,
        part: Part,
        task: &Task<'_>,
        role: ModelRole,
        prompt: &Prompt,
        request: &mut llm::Request,
    ) -> Result<(), RunError> {
        let agent = task.agent();
        let Some(window) = self.run.responder.context_window(agent, role) else { return Ok(()) };
        let sent = self.run.responder.estimate(request, agent, role);
        let room = u64::from(window).saturating_sub(sent);
        let least = least_answer(task, self.config);
        if room < u64::from(least) {
            return Err(RunError::DoesNotFit {
                stage: part.as_str(),
                model: request.model.clone(),
                needed: sent + u64::from(least),
                limit: u64::from(window),
                breakdown: Box::new(prompt.breakdown.clone()),
            });
        }
        request.max_output_tokens = request.max_output_tokens.min(u32::try_from(room).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Whether the run may still afford the call.
    pub(crate) fn afford(&self, request: &llm::Request, agent: Agent, role: ModelRole) -> Result<(), RunError> {
        let Some(limit) = self.run.budget else { return Ok(()) };
        let next = self.run.responder.dearest(request, agent, role);
        let next = next.ok_or_else(|| RunError::UnknownPrice { model: request.model.clone() })?;
        let spent = self.run.spent_micro.get();
        // A call that is under way at the same moment is counted when it is booked, before it is sent.
        if spent.saturating_add(next) > limit.micro_usd {
            return Err(RunError::Budget { spent, next, limit });
        }
        Ok(())
    }

    /// Asks, unless a reply to the same request waits to be written down; also says whether it was left at a failed attempt because the budget does not pay for another.
    pub(crate) async fn call(&self, question: &Question<'_, '_>, request: &llm::Request) -> (CallOutcome, bool) {
        let &Question { part, task, role, .. } = question;
        let run = self.run;
        if let Some(asked) = run.unrecorded.reply_to(part, request) {
            return (asked, false);
        }
        run.tell(Event::StageBegun {
            work: self.work,
            part,
            scene: task.scene(),
            model: request.model.clone(),
            sent_chars: sent_chars(request),
            prompt: [request.system.clone(), request.prompt_text()],
        });
        // Book the most that the call can cost, so that one that runs beside it sees it; settle when it is known.
        let booked = run.responder.dearest(request, task.agent(), role).unwrap_or(0);
        run.spent_micro.set(run.spent_micro.get() + booked);
        let mut on = |progress| match progress {
            CallProgress::Text(delta) => run.tell(Event::Text { part, delta }),
            CallProgress::Waiting { seconds, asked, left, why } => {
                let wait = Duration::from_secs_f64(seconds.max(0.0));
                run.tell(Event::Waiting { part, wait, asked, left, why });
            }
            CallProgress::Adjusted { what, why } => {
                run.tell(Event::AskedAgain { part, why: Why::Adjusted { what, why } });
            }
            CallProgress::Attempt { .. } | CallProgress::Reasoning(_) => {}
        };
        let broke = Cell::new(false);
        let affordable = |wasted: u64| {
            broke.set(run.budget.is_some_and(|limit| run.spent_micro.get().saturating_add(wasted) > limit.micro_usd));
            !broke.get()
        };
        let limits = Limits { affordable: &affordable, stop: &run.stop };
        let asked = run.responder.ask(task, request, role, run.clock, limits, &mut on).await;
        let cost = asked.call.cost.map_or(0, |cost| micro_usd(cost.usd));
        run.spent_micro.set(run.spent_micro.get() - booked + cost);
        run.unrecorded.hold(part, request, &asked);
        (asked, broke.get())
    }
}

fn sent_chars(request: &llm::Request) -> u64 {
    let parts = request.prompt.iter().map(|part| part.text.chars().count());
    (request.system.chars().count() + parts.sum::<usize>()) as u64
}

/// A call's line in the log of its work.
pub(crate) fn log_entry(part: Part, call: &Call, model: &str, used: bool) -> StageLog {
    let known = call.usage.input_tokens > 0 || call.usage.output_tokens > 0;
    let figure = |tokens: u64| known.then_some(tokens);
    StageLog {
        name: part.as_str().to_owned(),
        model: model.to_owned(),
        duration_ms: call.duration_ms,
        input_tokens: figure(call.usage.input_tokens),
        cached_tokens: figure(call.usage.cached_tokens),
        output_tokens: figure(call.usage.output_tokens),
        sent_chars: sent_chars(&call.request),
        cost_micro_usd: call.cost.map(|cost| micro_usd(cost.usd)),
        estimated: call.usage.estimated,
        used,
    }
}
