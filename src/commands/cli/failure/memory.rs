use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::llm::Fault;
use crate::report::prelude::*;
use crate::report::reply;

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
