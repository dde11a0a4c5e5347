use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::domain::state::history::subjects::Unresolved;
use crate::pipeline::book::facts::FactError;
use crate::report::prelude::*;

impl From<FactError> for Failure {
    fn from(error: FactError) -> Self {
        match error {
            FactError::Run(error) => error.into(),
            FactError::Unresolved(Unresolved::Unknown(fact)) | FactError::NeverNoted { fact, nearest: None } => {
                Self::no(both!(book_has_never_noted(fact))).hint(both!(what_is_noted_novel_state_plot))
            }
            FactError::NeverNoted { fact, nearest } => Self::no(both!(book_has_never_noted(fact))).meant(nearest),
            FactError::NoForeshadowing { typed, nearest: None } => {
                Self::no(both!(there_is_no_foreshadowing(typed))).hint(both!(novel_foreshadow_lists_them))
            }
            FactError::NoForeshadowing { typed, nearest } => {
                Self::no(both!(there_is_no_foreshadowing(typed))).meant(nearest)
            }
            FactError::Unresolved(Unresolved::Ambiguous { name, paths }) => {
                Self::new(Exit::Usage, both!(stands_for_several_things(name)))
                    .hint(both!(lang, write_which_one(paths = paths.join(&format!("`{}`", say!(lang, list_comma))))))
            }
        }
    }
}
