//! Findings about the provider of models, without keys.

use super::code::Code;
use super::finding;
use crate::llm::Fault;
use crate::pipeline::checks::provider::ProviderProblem;
use crate::report::doctor::{Finding, Severity};
use crate::report::prelude::*;
use crate::report::reply;

pub fn of_provider(found: &ProviderProblem, lang: Lang) -> Finding {
    match found {
        ProviderProblem::Silent { provider, fault } => finding(
            Code::ProviderSilent,
            Severity::Problem,
            say!(lang, does_not_answer(provider, fault = reply::of_fault(fault, lang))),
            Some(say!(lang, check_network_proxy_and_address_novel).to_owned()),
        ),
        ProviderProblem::KeyRefused { provider, fault } => {
            // Another key does not fill an account.
            let repair = match fault {
                Fault::Billing { .. } | Fault::SpendLimit { .. } => say!(lang, look_at_your_account_on_providers),
                _ => say!(lang, copy_key_from_providers_site_again_novel),
            };
            let fault = reply::of_fault(fault, lang);
            let what = say!(lang, provider_provider_fault(provider, fault));
            finding(Code::KeyRefused, Severity::Problem, what, Some(repair.to_owned()))
        }
        ProviderProblem::NotListed { provider } => {
            finding(Code::ModelsNotListed, Severity::Note, say!(lang, answers_and_does_not_list_its(provider)), None)
        }
        ProviderProblem::UnknownModel { provider, model, near } => {
            let repair = match near {
                None => say!(lang, choose_another_novel_config_set_model).to_owned(),
                Some(near) => say!(lang, is_meant_novel_config_set_model(near)),
            };
            finding(Code::ModelUnknown, Severity::Problem, say!(lang, has_no_model(provider, model)), Some(repair))
        }
    }
}

/// Why no model can be called, and what to do.
pub fn of_setup(what: &str, hints: &[&str], lang: Lang) -> Finding {
    let repair = hints.join(say!(lang, clause_semicolon));
    finding(Code::ProviderNotSetUp, Severity::Warning, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}

pub fn of_memory_server(what: &str, hints: &[&str], lang: Lang) -> Finding {
    let repair = hints.join(say!(lang, clause_semicolon));
    finding(Code::MemoryServer, Severity::Problem, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}
