//! Failures of the model's side.

use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::llm::mismatch::Mismatch;
use crate::llm::{self, Fault, Limit};
use crate::report::prelude::*;
use crate::report::reply;

impl From<&llm::Failure> for Failure {
    fn from(failure: &llm::Failure) -> Self {
        let model = |words: Both| Self::new(Exit::Model, words);
        let again = both!(run_same_command_again_to_go);
        let account = both!(look_at_your_account_on_providers);
        let told = match failure.fault.cause() {
            Fault::Unauthorized { .. } | Fault::MalformedKey | Fault::Forbidden { .. } => {
                let told = Self::set_up(both!(provider_does_not_accept_key));
                match &failure.key_source {
                    Some(source) => told.hint(both!(key_is_from(source))),
                    None => told.hint(both!(no_key_was_sent)),
                }
            }
            Fault::UnknownModel { .. } => Self::set_up(both!(provider_does_not_have_this_model)),
            Fault::Protocol { mismatch: Mismatch::UnknownEnd { .. } } => {
                model(both!(model_answer_ended_strangely)).hint(again).hint(both!(try_another_model_model_name))
            }
            Fault::Protocol { .. } | Fault::BadRequest { .. } => model(both!(model_server_and_this_program_do)),
            Fault::Billing { .. } => model(both!(model_account_has_no_balance_left)).hint(account).hint(again),
            Fault::SpendLimit { .. } => {
                model(both!(model_accounts_spending_limit_is_reached)).hint(account).hint(again)
            }
            Fault::ContextTooLong { .. } => {
                model(both!(model_prompt_does_not_fit_models)).hint(both!(novel_context_chapter_shows_what_it))
            }
            Fault::Truncated { limit: Limit::Thinking, .. } => model(both!(model_only_thought)),
            Fault::Truncated { limit: Limit::Context, .. } => {
                model(both!(model_context_is_full)).hint(both!(novel_context_chapter_shows_what_it))
            }
            Fault::Empty => model(both!(model_answers_nothing)).hint(again).hint(both!(try_another_model_model_name)),
            Fault::Truncated { .. } => {
                model(both!(model_answer_ended_before_it_was)).hint(again).hint(both!(try_another_model_model_name))
            }
            Fault::Circling { .. } => {
                model(both!(model_model_goes_round_in_circles)).hint(again).hint(both!(try_another_model_model_name))
            }
            Fault::Refused { .. } => {
                model(both!(model_model_declined_to_answer)).hint(both!(try_another_model_model_name))
            }
            Fault::Network { .. } => model(both!(model_no_connection_to_server)).hint(again),
            Fault::Stopped { .. } => Self::new(Exit::Interrupted, both!(model_stopped)).hint(again),
            Fault::Timeout { .. } => {
                model(both!(model_no_answer_came_in_time)).hint(again).hint(both!(settings_timeouts_say_how_long_to))
            }
            Fault::RateLimited { .. }
            | Fault::Overloaded { .. }
            | Fault::Server { .. }
            | Fault::CutStream { .. }
            | Fault::Midway { .. } => model(both!(model_models_server_does_not_work)).hint(again),
        };
        let told = told.cause(Both::of(|lang| reply::of_fault(&failure.fault, lang)));
        match failure.asked_wait.filter(|_| failure.fault.is_overload()) {
            None => told,
            Some(wait) => {
                let wait = figures::duration(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                told.cause(both!(server_asks_for_wait_of(wait))).hint(both!(to_wait_longer_retry_for_h))
            }
        }
    }
}

impl Failure {
    /// The failure of the Mem0 server at an address.
    pub(super) fn of_memory_server(server: &str, fault: &Fault) -> Self {
        let without = both!(to_do_without_it_with_embedded);
        let message = both!(mem0_server_at_cannot_be_used(server));
        let (exit, hint) = match fault {
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } => {
                (Exit::NotSetUp, both!(correct_key_which_is_in_variable))
            }
            Fault::Network { .. } | Fault::Timeout { .. } => (Exit::Model, both!(see_whether_it_is_running_and)),
            _ => (Exit::Model, both!(address_is_that_of_self_hosted)),
        };
        Self::new(exit, message).cause(Both::of(|lang| reply::of_fault(fault, lang))).hint(hint).hint(without)
    }
}
