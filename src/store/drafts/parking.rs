//! Clearing `staging/` for another draft. The folder shows one draft at a time; the others wait on their branches, with
//! everything that the author had done to them.

use super::draft::{Draft, DraftError};
use crate::store::book::session::Session;
use crate::store::error::StoreError;
use crate::store::git::refs::{self, Swap};

impl Session<'_> {
    /// Clears `staging/` unless it shows the branch `stays`. What the author did there is committed to its draft first, and
    /// files of a draft that has no branch any more are kept.
    pub(crate) fn clear_staging(&self, stays: Option<&str>) -> Result<bool, StoreError> {
        let book = self.book;
        let staging = book.staging();
        let Some(shown) = staging.branch().filter(|shown| staging.exists() && stays != Some(shown.as_str())) else {
            return Ok(false);
        };
        let tip = refs::target(&book.repo, &shown)?;
        if let (Some((id, _)), Some(tip)) = (self.salvage_staging(tip)?, tip) {
            let swap = Swap { name: &shown, old: Some(tip), new: id, why: "novel: hand edit" };
            refs::swap(&book.repo, &self.wait, swap)?;
        }
        staging.remove()?;
        Ok(true)
    }

    /// Clears `staging/` where it shows the draft of another line.
    pub(crate) fn clear_staging_of_others(&self) -> Result<bool, StoreError> {
        let book = self.book;
        let staging = book.staging();
        match staging.branch().filter(|_| staging.exists()) {
            Some(shown) if book.work_of(&shown).is_none() => self.clear_staging(None),
            _ => Ok(false),
        }
    }
}

impl Draft<'_> {
    /// Clears `staging/` of another draft.
    pub(super) fn make_room(&self) -> Result<(), DraftError> {
        if !self.scope.is_empty() {
            self.session.clear_staging(Some(&self.name))?;
        }
        Ok(())
    }
}
