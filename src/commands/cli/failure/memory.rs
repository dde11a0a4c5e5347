//! Failures of a memory server.

use super::Failure;
use super::run::in_both;
use crate::commands::cli::exit::Exit;
use crate::llm::Fault;
use crate::report::lang::both;
use crate::report::problem;

impl Failure {
    /// The failure of the Mem0 server at an address.
    pub(super) fn of_memory_server(server: &str, fault: &Fault) -> Self {
        let without = both!(
            "不用它，只用内置的检索: `novel config unset memory_url`，或 `unset NOVEL_MEMORY_URL`",
            "to do without it, with the embedded search: `novel config unset memory_url`, or `unset NOVEL_MEMORY_URL`"
        );
        let message = both!("Mem0 服务器 {server} 用不了", "the Mem0 server at {server} cannot be used");
        let (exit, hint) = match fault {
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } => (
                Exit::NotSetUp,
                both!(
                    "密钥在环境变量 MEM0_API_KEY 里，改正它",
                    "correct the key, which is in the variable MEM0_API_KEY"
                ),
            ),
            Fault::Network { .. } | Fault::Timeout { .. } => (
                Exit::Model,
                both!(
                    "看它是否在运行，地址对不对: `novel config get memory_url`",
                    "see whether it is running, and at this address: `novel config get memory_url`"
                ),
            ),
            _ => (
                Exit::Model,
                both!(
                    "地址应是自己架设的 Mem0 服务器，不带 /v1: `novel config get memory_url`",
                    "the address is that of a self-hosted Mem0 server, without /v1: `novel config get memory_url`"
                ),
            ),
        };
        Self::new(exit, message).cause(in_both(|lang| problem::of_fault(fault, lang))).hint(hint).hint(without)
    }
}
