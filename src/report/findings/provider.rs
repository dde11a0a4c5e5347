//! Findings about the provider of models, in words. Keys are not among what is found.

use super::code::Code;
use super::finding;
use crate::pipeline::checks::provider::ProviderProblem;
use crate::report::doctor::{Finding, Severity};
use crate::report::lang::say;
use crate::report::{Lang, problem};

/// A finding about a provider.
#[must_use]
pub fn of_provider(found: &ProviderProblem, lang: Lang) -> Finding {
    match found {
        ProviderProblem::Silent { provider, fault } => {
            let fault = problem::of_fault(fault, lang);
            finding(
                Code::ProviderSilent,
                Severity::Problem,
                say!(lang, "{provider} 没有应答：{fault}", "{provider} does not answer: {fault}"),
                Some(say!(
                    lang,
                    "检查网络、代理和地址: `novel config`；或先用离线写手: --offline",
                    "check the network, proxy and address: `novel config`; or use the offline writer for now: --offline"
                )),
            )
        }
        ProviderProblem::KeyRefused { provider, fault } => {
            let fault = problem::of_fault(fault, lang);
            finding(
                Code::KeyRefused,
                Severity::Problem,
                say!(lang, "{provider}：{fault}", "{provider}: {fault}"),
                Some(say!(
                    lang,
                    "从服务商的网站重新复制密钥: `novel config providers` 说明它放在哪个变量里",
                    "copy the key from the provider's site again: `novel config providers` names its variable"
                )),
            )
        }
        ProviderProblem::NotListed { provider } => finding(
            Code::ModelsNotListed,
            Severity::Note,
            say!(lang, "{provider} 有应答，但不列出模型", "{provider} answers and does not list its models"),
            None,
        ),
        ProviderProblem::UnknownModel { provider, model, near } => {
            let repair = match near {
                None => say!(
                    lang,
                    "换一个: `novel config set model 模型名`",
                    "choose another: `novel config set model NAME`"
                ),
                Some(near) => say!(
                    lang,
                    "是不是 {near}？`novel config set model {near}`",
                    "is {near} meant? `novel config set model {near}`"
                ),
            };
            finding(
                Code::ModelUnknown,
                Severity::Problem,
                say!(lang, "{provider} 没有模型 {model}", "{provider} has no model {model}"),
                Some(repair),
            )
        }
    }
}

/// The reason why no model can be called, with what to do about it.
#[must_use]
pub fn of_setup(what: &str, hints: &[&str], lang: Lang) -> Finding {
    let repair = hints.join(lang.pick("；", "; "));
    finding(Code::ProviderNotSetUp, Severity::Warning, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}

/// A finding about the memory server that is set up.
#[must_use]
pub fn of_memory_server(what: &str, hints: &[&str], lang: Lang) -> Finding {
    let repair = hints.join(lang.pick("；", "; "));
    finding(Code::MemoryServer, Severity::Problem, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}
