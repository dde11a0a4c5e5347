use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::domain::state::history::subjects::Unresolved;
use crate::pipeline::book::facts::FactError;
use crate::report::Both;
use crate::report::catalogue::{both, say};

impl From<FactError> for Failure {
    fn from(error: FactError) -> Self {
        match error {
            FactError::Run(error) => error.into(),
            FactError::Unresolved(Unresolved::Unknown(fact)) | FactError::NeverNoted { fact, nearest: None } => {
                Self::new(Exit::No, both!(book_has_never_noted(fact))).hint(both!(what_is_noted_novel_state_plot))
            }
            FactError::NeverNoted { fact, nearest } => {
                Self::new(Exit::No, both!(book_has_never_noted(fact))).meant(nearest)
            }
            FactError::NoForeshadowing { typed, nearest: None } => {
                Self::new(Exit::No, both!(there_is_no_foreshadowing(typed))).hint(both!(novel_foreshadow_lists_them))
            }
            FactError::NoForeshadowing { typed, nearest } => {
                Self::new(Exit::No, both!(there_is_no_foreshadowing(typed))).meant(nearest)
            }
            FactError::Unresolved(Unresolved::Ambiguous { name, paths }) => {
                Self::new(Exit::Usage, both!(stands_for_several_things(name))).hint(Both::of(|lang| {
                    say!(lang, write_which_one(paths = paths.join(&format!("`{}`", say!(lang, list_comma)))))
                }))
            }
        }
    }
}
