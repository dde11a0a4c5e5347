//! Failures of questions about facts.

use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::domain::state::history::subjects::Unresolved;
use crate::pipeline::book::facts::FactError;
use crate::report::lang::both;

impl From<FactError> for Failure {
    fn from(error: FactError) -> Self {
        match error {
            FactError::Run(error) => error.into(),
            FactError::Unresolved(Unresolved::Unknown(fact)) | FactError::NeverNoted { fact, nearest: None } => {
                Self::new(Exit::No, both!("书里没有记过 `{fact}`", "the book has never noted `{fact}`")).hint(both!(
                    "记下的都在: `novel state`；伏笔: `novel state active_foreshadowing`",
                    "what is noted: `novel state`; plot threads: `novel state active_foreshadowing`"
                ))
            }
            FactError::NeverNoted { fact, nearest: Some(nearest) } => {
                Self::new(Exit::No, both!("书里没有记过 `{fact}`", "the book has never noted `{fact}`"))
                    .hint(both!("是不是 `{nearest}`", "perhaps `{nearest}`"))
            }
            FactError::Unresolved(Unresolved::Ambiguous { name, paths }) => {
                let (zh, en) = (paths.join("`、`"), paths.join("`, `"));
                Self::new(Exit::Usage, both!("`{name}` 不止一个", "`{name}` stands for several things"))
                    .hint(both!("写明是哪一个: `{zh}`", "write which one: `{en}`"))
            }
        }
    }
}
