use super::Failure;
use crate::pipeline::engine::error::RenameError;
use crate::report::prelude::*;
use crate::report::renaming;

impl From<RenameError> for Failure {
    fn from(error: RenameError) -> Self {
        let no = Self::no;
        match error {
            RenameError::DraftOpen(work) => {
                no(both!(draft_has_old_name(work))).hint(both!(finish_or_put_aside_draft_first))
            }
            RenameError::Taken { name, by } => {
                no(both!(name_is_taken(name, by))).hint(both!(novel_character_list_lists_them))
            }
            RenameError::StillUsed { name, by, is, path } => no(both!(earlier_name_is_still_used(name, is, path)))
                .hint(both!(let_files_follow_first(command = renaming::command((by.as_str(), &is), " --in-chapters")))),
            RenameError::Clash(clash) => no(Both::of(|lang| renaming::clash(&clash, lang)))
                .hint(Both::of(|lang| renaming::out_of_clash(&clash, lang))),
            RenameError::NoAlias { name, aliases } => {
                no(both!(lang, person_has_no_such_alias(name, aliases = listed(aliases.iter(), lang))))
            }
        }
    }
}
