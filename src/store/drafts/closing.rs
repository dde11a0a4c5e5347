//! Closing drafts: each stays under `refs/novel/kept/`, and its branch and its folder go.

use super::closed::Closed;
use super::ending::Ending;
use crate::domain::Work;
use crate::git::error::StoreError;
use crate::git::failpoint::abort_at;
use crate::git::refs;
use crate::store::book::session::Session;

impl Session<'_> {
    /// Closes the drafts that have been accepted or have lost their ground.
    pub(crate) fn close_settled_drafts(&self) -> Result<Vec<Closed>, StoreError> {
        let mut closed = Vec::new();
        for (work, tip) in self.book.every_draft()? {
            if !matches!(self.book.ending(work, tip)?, Ending::Open) {
                closed.extend(self.close_draft(work)?);
            }
        }
        Ok(closed)
    }

    /// Keeps the draft of `work` under `refs/novel/kept/`, and removes its branch and its folder.
    pub(crate) fn close_draft(&self, work: Work) -> Result<Option<Closed>, StoreError> {
        let book = self.book;
        let name = book.draft_ref(work);
        let Some(tip) = refs::target(&book.repo, &name)? else { return Ok(None) };
        let staging = book.staging();
        let shown = staging.exists() && staging.branch().as_deref() == Some(name.as_str());
        let (tip, salvaged) =
            if shown { self.salvage_staging(Some(tip))?.unwrap_or((tip, Vec::new())) } else { (tip, Vec::new()) };
        let kept = self.keep_draft(work, tip.into())?;
        abort_at("close.kept");
        refs::delete(&book.repo, &self.wait, &name)?;
        abort_at("close.deleted");
        if shown {
            staging.remove()?;
        }
        Ok(Some(Closed { work, kept, salvaged }))
    }
}
