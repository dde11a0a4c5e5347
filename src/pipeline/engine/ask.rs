//! Asking an agent until its answer can be used, the same way for every kind of work.
//! A [`Job`] says what is asked, how a reply is read and where the result goes. [`Caller::ask`] asks only what fits and can
//! be paid for, asks again where that helps, records every reply that was paid for, and stops when the user wishes.

use crate::agents::checks::completeness::{Break, TextFinding};
use crate::agents::{Again, Why};
use crate::llm::causes::Mismatch;
use crate::llm::json::NotJson;
use crate::llm::{self, CallFailure, Fault, Limit, OtherForm};
use crate::pipeline::engine::call_record::PaidCall;
use crate::pipeline::engine::model_call::{Caller, Keeping, ModelQuestion, PreparedRequest};
use crate::pipeline::engine::responder::AgentModel;
use crate::pipeline::prelude::*;
use crate::text::sanitize;
use std::cell::Cell;
use std::ops::ControlFlow;

/// How often an agent is asked again after an answer that cannot be used (agent protocol §10.3).
pub(crate) const ASK_AGAIN: u32 = 2;
/// How often a run continues one answer that broke off.
const MOST_CONTINUATIONS: u32 = 3;

/// One question to an agent: what is asked, how a reply is read, and where the result goes.
pub(crate) trait Job {
    /// A result that a reply gives, with everything that its record says.
    type Result;

    fn part(&self) -> Part;

    fn model_role(&self) -> ModelRole;

    fn task(&self) -> &Task<'_>;

    /// The words to the agent about the attempts before; `None` at the first.
    fn again<'s>(&'s self, attempts: &'s Attempts) -> Option<Again<'s>> {
        attempts.again()
    }

    /// Recorded replies that no result came of, which a run before has left behind.
    fn earlier_replies(&self) -> Result<Vec<(llm::Request, String)>, RunError> {
        Ok(Vec::new())
    }

    /// The part of an answer that a failed call has left, where a part is of use.
    fn usable_part(&self, _: &Fault) -> Option<String> {
        None
    }

    /// Whether the part of an answer that a failed call has left is worth keeping, so that only the rest is asked for.
    fn keeps(&self, _: &Fault) -> bool {
        false
    }

    fn read(&mut self, reply: &ReplyText<'_>) -> Result<ReadOutcome<Self::Result>, RunError>;

    fn record(&mut self, result: Self::Result, paid: &PaidCall) -> Result<(), RunError>;

    /// Records the beginning of a result with its call. Returns false where nothing is left to be continued.
    fn record_beginning(&mut self, result: Self::Result, paid: &PaidCall) -> Result<bool, RunError> {
        self.record(result, paid).map(|()| false)
    }

    fn warn(&self, warning: Warning);

    /// Records a call that gave no result.
    fn record_fault(&mut self, why: &Why, paid: PaidCall) -> Result<(), RunError>;

    /// Records that a question was not sent, because no model can hold its prompt. Returns whether the author may answer in
    /// place of it.
    fn record_unsent(&mut self, _: &Why) -> Result<bool, RunError> {
        Ok(false)
    }

    /// Whether no further attempt is made after a reply that cannot be used.
    fn gives_up(&self, _: &ReplyFault, attempts: &Attempts) -> bool {
        attempts.tries >= ASK_AGAIN
    }

    /// Does without an answer, where the work can.
    fn do_without(&mut self, _: &AnswerFault<'_>) -> Result<Without, RunError> {
        Ok(Without::Impossible)
    }

    /// The error that ends the run, with what the work adds to it.
    fn explain(&self, error: RunError) -> RunError {
        error
    }
}

pub(crate) struct ReplyText<'r> {
    /// The text; of a call that failed, the usable part.
    pub(crate) text: &'r str,
    pub(crate) rules: &'r [String],
    pub(crate) fault: Option<&'r Fault>,
}

pub(crate) enum ReadOutcome<R> {
    Done(R),
    /// The beginning of a result, and how it broke off.
    Partial(R, Break),
    /// Something of use that the job has kept; one more question may complete or better it.
    Incomplete(Why),
    Unusable(ReplyFault),
}

/// An answer that nothing can be made of, once the attempts are used up.
pub(crate) enum AnswerFault<'f> {
    Reply(&'f ReplyFault),
    Call(&'f Fault),
}

/// How a job does without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Without {
    Impossible,
    Substitute,
    /// Nothing is needed: what was there stays.
    Unneeded,
}

/// The attempts of one question up to now.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    pub(crate) fault: Option<ReplyFault>,
    /// Whether the last answer was cut off at its limit.
    pub(crate) cut: bool,
    /// Whether an answer has repeated an example of the prompt, so that examples are left out.
    bare: bool,
    doubled: u32,
    pub(crate) tries: u32,
    continued: u32,
    passed: usize,
}

impl Attempts {
    /// The words to the agent about them, as far as they follow from the last fault alone.
    pub(crate) fn again(&self) -> Option<Again<'_>> {
        if self.cut { Some(Again::Cut) } else { self.fault.as_ref().map(Again::Fault) }
    }

    /// Prepares another attempt after a call that failed, where that may help and the attempts are not used up.
    fn after(&mut self, failure: &CallFailure) -> Option<Why> {
        if !is_curable(&failure.fault) || self.tries >= ASK_AGAIN {
            return None;
        }
        self.tries += 1;
        if matches!(failure.fault, Fault::Circling { .. }) {
            self.fault = Some(ReplyFault::Circling);
        } else if is_all_thinking(&failure.fault) {
            // The words of the prompt do not decide how long a model thinks, and each try costs more than the one before.
            self.doubled += 1;
            self.tries = ASK_AGAIN;
        } else {
            // More room, and a word to be brief: small models would fill any room with repetitions.
            self.cut = true;
            self.doubled += 1;
        }
        Some(failure.fault.clone().into())
    }

    /// Prepares another attempt at prose that was declined, told with restraint; once for a question.
    fn after_declined(&mut self, part: Part, fault: &Fault) -> bool {
        let Fault::Refused { reason, .. } = fault else { return false };
        let is_prose = matches!(part, Part::Chapter(stage) if stage.writes_prose());
        if !is_prose || matches!(self.fault, Some(ReplyFault::Declined(_))) {
            return false;
        }
        self.fault = Some(ReplyFault::Declined(sanitize(reason).into_owned()));
        true
    }

    fn note(&mut self, why: &Why) {
        if let Why::Reply(fault) = why {
            self.fault = Some(fault.clone());
        }
    }

    /// After an answer that broke off: the count starts at 0, because the next question is another one.
    fn continue_after(&mut self, how: Break) -> ReplyFault {
        let fault = ReplyFault::from(TextFinding::BrokenOff(how));
        let (continued, passed) = (self.continued + 1, self.passed);
        *self = Self { fault: Some(fault.clone()), continued, passed, ..Self::default() };
        fault
    }
}

/// A call that was made, and the circumstances that decide what follows from it.
struct FinishedCall {
    request: llm::Request,
    paid: PaidCall,
    model: String,
    /// Whether the budget did not pay for another attempt of the same call.
    out_of_budget: bool,
    failure: Option<CallFailure>,
}

impl Caller<'_, '_> {
    /// Asks until an answer can be used, and has it recorded.
    pub(crate) async fn ask<J: Job>(&self, job: &mut J) -> Result<(), RunError> {
        let part = job.part();
        let (mut attempts, before) = (Attempts::default(), Cell::default());
        let mut earlier = job.earlier_replies()?;
        loop {
            // No further call is paid for after Ctrl-C.
            if self.calls.stop.asked() {
                return stopped(job);
            }
            let model = self.model_for(job, &attempts);
            let again = job.again(&attempts);
            let (bare, wider) = (attempts.bare, 1 << attempts.doubled);
            let question = ModelQuestion { part, task: job.task(), model, again, bare, wider };
            let prepared = match self.prepare(&question) {
                Err(RunError::DoesNotFit { needed, limit, breakdown, stage, model, .. }) => {
                    let fault = Fault::unsent(needed, limit);
                    if self.fall_back(job, &mut attempts, &fault) {
                        continue;
                    }
                    let waits = job.record_unsent(&fault.clone().into())?;
                    if job.do_without(&AnswerFault::Call(&fault))? != Without::Impossible {
                        return Ok(());
                    }
                    return Err(job.explain(RunError::DoesNotFit { needed, limit, breakdown, stage, model, waits }));
                }
                other => other?,
            };
            let PreparedRequest { request, hash, rules, warning } = prepared;
            if let Some(at) = earlier.iter().position(|(asked, _)| *asked == request) {
                let reply = ReplyText { text: &earlier.remove(at).1, rules: &rules, fault: None };
                if let ReadOutcome::Incomplete(why) = job.read(&reply)? {
                    attempts.note(&why);
                    attempts.tries += 1;
                }
                continue;
            }
            warning.into_iter().for_each(|warning| job.warn(warning));
            let keeps = |fault: &Fault| job.keeps(fault) || whole_json(&request, fault).is_some();
            let keeping = Keeping { keeps: &keeps, before: &before };
            let (outcome, out_of_budget) = self.call(&question, &request, keeping).await;
            let paid = PaidCall::new(part, outcome.call, model.name(), hash);
            attempts.cut = false;
            let (text, failure) = match outcome.reply {
                Ok(reply) => (Some(reply), None),
                Err(failure) => {
                    let text = job.usable_part(&failure.fault).or_else(|| text_of(&request, &failure.fault));
                    (text, Some(failure))
                }
            };
            let fault = failure.as_ref().map(|failure| &failure.fault);
            let read = text.map(|text| job.read(&ReplyText { text: &text, rules: &rules, fault })).transpose()?;
            let (has_failed, has_given_up) = (failure.is_some(), failure.as_ref().is_some_and(has_given_up));
            let made = FinishedCall { request, paid, model: model.name().to_owned(), out_of_budget, failure };
            let next = match read {
                // Of an answer that was cut counts what can be used, and what is worse with it than that it was cut.
                Some(read @ (ReadOutcome::Done(_) | ReadOutcome::Partial(..) | ReadOutcome::Incomplete(_))) => {
                    self.take(job, &mut attempts, made, read)?
                }
                Some(
                    read @ ReadOutcome::Unusable(
                        ReplyFault::Copied { .. } | ReplyFault::Foreign { .. } | ReplyFault::Outline,
                    ),
                ) if !has_given_up => self.take(job, &mut attempts, made, read)?,
                // A text that is whole and as before is an answer: behind a fault it is not paid for again.
                Some(read @ ReadOutcome::Unusable(ReplyFault::Unchanged)) if has_failed => {
                    attempts.tries = ASK_AGAIN;
                    self.take(job, &mut attempts, made, read)?
                }
                _ if has_failed => self.take_failure(job, &mut attempts, made)?,
                Some(read) => self.take(job, &mut attempts, made, read)?,
                None => self.take(job, &mut attempts, made, ReadOutcome::Unusable(ReplyFault::Empty))?,
            };
            if next.is_break() {
                return Ok(());
            }
        }
    }

    fn tell_done<J: Job>(&self, job: &J, paid: &PaidCall) {
        let (part, scene) = (job.part(), job.task().scene());
        let (candidate, log) = (self.calls.candidate, paid.entry.clone());
        self.calls.tell(Event::StageDone { work: self.work, part, candidate, scene, log });
    }

    fn model_for<J: Job>(&self, job: &J, attempts: &Attempts) -> AgentModel<'_> {
        let (agent, role) = (job.task().agent(), job.model_role());
        let responder = self.calls.responder;
        responder.model_after(agent, role, attempts.passed).unwrap_or_else(|| responder.model_for(agent, role))
    }

    /// Asks the next model, if there is one and another model may do better. A model that declines is passed over
    /// for this question, and one that is overloaded or not paid for in the whole run: each new question would be waited
    /// for as long.
    fn fall_back<J: Job>(&self, job: &J, attempts: &mut Attempts, why: &Fault) -> bool {
        let passes = match why.cause() {
            Fault::Refused { .. } | Fault::Empty | Fault::ContextTooLong { .. } => 1,
            Fault::Billing { .. } | Fault::SpendLimit { .. } => 0,
            other if other.is_retryable() => 0,
            _ => return false,
        };
        let (agent, role, from) = (job.task().agent(), job.model_role(), self.model_for(job, attempts));
        let others = attempts.passed + 1;
        if self.calls.responder.model_after(agent, role, others).is_none() {
            return false;
        }
        if passes == 0 {
            from.give_up();
        }
        attempts.passed += passes;
        (attempts.tries, attempts.doubled) = (0, 0);
        let (from, to) = (from.name().to_owned(), self.model_for(job, attempts).name().to_owned());
        job.warn(Warning::OtherModel { part: job.part(), from, to, why: why.clone() });
        true
    }

    /// Records a call that failed. Goes on where another attempt may help.
    fn take_failure<J: Job>(
        &self,
        job: &mut J,
        attempts: &mut Attempts,
        made: FinishedCall,
    ) -> Result<ControlFlow<()>, RunError> {
        let paid = made.paid.unused();
        let made = FinishedCall { paid: paid.clone(), ..made };
        if let Some(failure) = &made.failure {
            job.record_fault(&failure.fault.clone().into(), paid)?;
        }
        self.after_failure(job, attempts, made)
    }

    /// Goes on after a call that failed and is on record, where another attempt may help.
    fn after_failure<J: Job>(
        &self,
        job: &mut J,
        attempts: &mut Attempts,
        FinishedCall { request, paid, model, out_of_budget, failure }: FinishedCall,
    ) -> Result<ControlFlow<()>, RunError> {
        let part = job.part();
        let Some(failure) = failure else { return Ok(ControlFlow::Continue(())) };
        if self.calls.stop.asked() {
            return stopped(job).map(ControlFlow::Break);
        }
        if out_of_budget {
            self.afford(&request, &self.model_for(job, attempts))?;
        }
        if failure.leaves_rest && attempts.tries < ASK_AGAIN {
            attempts.tries += 1;
            return Ok(ControlFlow::Continue(()));
        }
        // The server has named its context with the refusal, and the prompt is cut to that.
        let is_refused = matches!(failure.fault, Fault::ContextTooLong { .. }) && attempts.tries < ASK_AGAIN;
        if is_refused && self.model_for(job, attempts).is_beyond_context(&request) {
            attempts.tries += 1;
            self.calls.tell(Event::AskedAgain { part, why: failure.fault.into() });
            return Ok(ControlFlow::Continue(()));
        }
        let is_room_left = self.model_for(job, attempts).has_more_room(&request);
        if (is_room_left || !is_all_thinking(&failure.fault))
            && let Some(why) = attempts.after(&failure)
        {
            self.calls.tell(Event::AskedAgain { part, why });
            return Ok(ControlFlow::Continue(()));
        }
        if self.fall_back(job, attempts, &failure.fault) {
            return Ok(ControlFlow::Continue(()));
        }
        if attempts.after_declined(part, &failure.fault) {
            self.calls.tell(Event::AskedAgain { part, why: failure.fault.into() });
            return Ok(ControlFlow::Continue(()));
        }
        if job.do_without(&AnswerFault::Call(&failure.fault))? != Without::Impossible {
            self.tell_done(job, &paid);
            return Ok(ControlFlow::Break(()));
        }
        let thought = is_all_thinking(&failure.fault).then(|| self.model_for(job, attempts).thought(&request));
        let has_others = self.calls.responder.has_others(job.task().agent(), job.model_role());
        let source = Box::new(failure);
        let error = RunError::Model { work: self.work, stage: part.as_str(), model, thought, has_others, source };
        Err(job.explain(error))
    }

    /// Records a reply that was read. Goes on where the answer is not whole or cannot be used.
    fn take<J: Job>(
        &self,
        job: &mut J,
        attempts: &mut Attempts,
        made: FinishedCall,
        read: ReadOutcome<J::Result>,
    ) -> Result<ControlFlow<()>, RunError> {
        let part = job.part();
        let (paid, model) = (made.paid.clone(), made.model.clone());
        let unusable = |problem| RunError::Unusable { work: self.work, stage: part.as_str(), model, problem };
        match read {
            ReadOutcome::Done(result) => {
                job.record(result, &paid)?;
                self.tell_done(job, &paid);
                return Ok(ControlFlow::Break(()));
            }
            ReadOutcome::Partial(result, how) => {
                let goes_on = job.record_beginning(result, &paid)?;
                self.tell_done(job, &paid);
                if !goes_on {
                    return Ok(ControlFlow::Break(()));
                }
                let has_waited = made.failure.as_ref().is_some_and(|failure| failure.leaves_rest);
                let fault = attempts.continue_after(how);
                if made.failure.as_ref().is_some_and(has_given_up) {
                    return self.after_failure(job, attempts, made);
                }
                // The call itself counts how often it waits.
                attempts.continued -= u32::from(has_waited);
                if attempts.continued > MOST_CONTINUATIONS {
                    return Err(job.explain(unusable(fault)));
                }
                self.calls.tell(Event::AskedAgain { part, why: Why::BrokenOff(how) });
                return Ok(ControlFlow::Continue(()));
            }
            ReadOutcome::Incomplete(why) => {
                job.record_fault(&why, paid.unused())?;
                attempts.note(&why);
                if made.failure.as_ref().is_some_and(has_given_up) {
                    return self.after_failure(job, attempts, made);
                }
                self.calls.tell(Event::AskedAgain { part, why });
            }
            ReadOutcome::Unusable(fault) => {
                doubt_json_mode(&self.model_for(job, attempts), &paid, &fault);
                let paid = paid.unused();
                job.record_fault(&fault.clone().into(), paid.clone())?;
                if job.gives_up(&fault, attempts) {
                    match job.do_without(&AnswerFault::Reply(&fault))? {
                        Without::Impossible => return Err(job.explain(unusable(fault))),
                        Without::Substitute => self.tell_done(job, &paid),
                        Without::Unneeded => {}
                    }
                    return Ok(ControlFlow::Break(()));
                }
                self.calls.tell(Event::AskedAgain { part, why: fault.clone().into() });
                attempts.bare |= matches!(fault, ReplyFault::Echo(_));
                attempts.fault = Some(fault);
            }
        }
        attempts.tries += 1;
        Ok(ControlFlow::Continue(()))
    }
}

/// Ends a question that the user has stopped: what its answers have brought is kept where it will do.
fn stopped<J: Job>(job: &mut J) -> Result<(), RunError> {
    job.do_without(&AnswerFault::Call(&Fault::Stopped { partial: String::new() }))?;
    Err(RunError::Interrupted)
}

/// Asks for JSON in a looser mode from now on, where a reply is not of the form that was asked for.
fn doubt_json_mode(model: &AgentModel<'_>, paid: &PaidCall, fault: &ReplyFault) {
    let form = match fault {
        ReplyFault::NotJson(NotJson::Truncated) => return,
        ReplyFault::NotJson(_) => OtherForm::NotJson,
        ReplyFault::Field { .. } => OtherForm::OtherFields,
        _ => return,
    };
    if let Some(json_mode) = paid.call.json_mode {
        model.doubt(json_mode, form);
    }
}

/// Whether another request may be answered where this one was broken off: with more room, or in other words.
fn is_curable(fault: &Fault) -> bool {
    matches!(fault, Fault::Truncated { limit: Limit::OutputTokens, .. } | Fault::Circling { .. })
        || is_all_thinking(fault)
}

fn is_all_thinking(fault: &Fault) -> bool {
    matches!(fault, Fault::Truncated { limit: Limit::Thinking, .. })
}

/// Whether the rest of a text cannot simply be asked for: the call did not end at a limit, and the fault has not passed.
fn has_given_up(failure: &CallFailure) -> bool {
    let is_cut = |fault: &Fault| {
        matches!(
            fault,
            Fault::Truncated { .. }
                | Fault::Circling { .. }
                | Fault::Protocol { mismatch: Mismatch::UnknownEnd { .. } }
        )
    };
    !failure.leaves_rest && !is_cut(&failure.fault)
}

/// The text of an answer that ended for a reason other than its end: relays have words of their own for an ordinary end, so
/// the text counts where it is whole by its own signs.
fn text_of(request: &llm::Request, fault: &Fault) -> Option<String> {
    let is_unknown = matches!(fault, Fault::Protocol { mismatch: Mismatch::UnknownEnd { .. } });
    if is_unknown { fault.partial().map(str::to_owned) } else { whole_json(request, fault) }
}

/// The JSON of an answer that the server gave up, where it is whole.
fn whole_json(request: &llm::Request, fault: &Fault) -> Option<String> {
    let is_asked_for = matches!(request.answer, llm::AnswerForm::Json { .. });
    let text = fault.partial().filter(|_| is_asked_for && !matches!(fault, Fault::Circling { .. }))?;
    llm::json::find(text).is_ok().then(|| text.to_owned())
}
