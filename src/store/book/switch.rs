//! Going to another line of the book: the folder, git's index, HEAD and the settings follow, and each line keeps its drafts.

use super::line_names::{BRANCH_KEY, MAIN_KEY};
use super::pending_switch::{self, PendingSwitch};
use super::recover;
use super::session::{BeginError, Session};
use super::transaction::{CommitError, staged_elsewise};
use crate::git::held_lock::with_note;
use crate::git::settings::write_settings;
use crate::git::work_tree::Prepared;
use crate::store::prelude::*;

impl Session<'_> {
    /// Goes to the line `to`, as `git switch` does, and makes it the one that the book is written on. The author's
    /// edits in `staging/` are committed to their draft first. The book has to be opened again afterwards: this
    /// session belongs to the line that was left.
    /// Fails with [`CommitError::AuthorEdited`] for uncommitted changes to files that differ between the lines; nothing has
    /// changed then.
    pub fn switch(&self, to: &str) -> Result<(), CommitError> {
        let book = self.book;
        recover::finish_earlier(self)?;
        if to == book.branch {
            return Ok(self.settle_on(to)?);
        }
        let from = book.tip()?;
        let target = book.line_tip(to)?.ok_or_else(|| StoreError::Damaged { what: format!("no branch `{to}`") })?;
        let (old, new) = (book.commit_tree(from.oid())?, book.commit_tree(target.oid())?);
        let differences = tree::differences(&book.repo, Some(&old), Some(&new))?;
        self.clear_staging(None)?;
        {
            let index = self.take_index()?.edit()?;
            if index.has_conflicts {
                return Err(CommitError::Unmerged);
            }
            let prepared = Prepared::new(&book.repo, &book.root, &book.temp, differences)?;
            if let Some(unfiltered) = prepared.unfiltered(&book.repo)? {
                return Err(CommitError::Unfiltered(unfiltered));
            }
            let mut edited = prepared.foreign();
            edited.extend(staged_elsewise(&index, &prepared));
            if !edited.is_empty() {
                return Err(CommitError::AuthorEdited { paths: edited });
            }
        }
        abort_at("switch.looked");
        pending_switch::write(
            &book.repo,
            &book.inner,
            &PendingSwitch { from, to: to.to_owned(), main: book.main.clone() },
        )?;
        abort_at("switch.begun");
        Ok(finish(self)?)
    }

    /// Writes down that the book is on `line`, and which its main line is.
    fn settle_on(&self, line: &str) -> Result<(), StoreError> {
        let repo = &self.book.repo;
        let config = repo.config().doing("reading the configuration")?;
        let is_set = |key: &str, value: &str| config.get_string(key).is_ok_and(|known| known == value);
        let main = self.book.main_line();
        let wanted = [(MAIN_KEY, main), (BRANCH_KEY, line)];
        let missing: Vec<(&str, &str)> = wanted.into_iter().filter(|(key, value)| !is_set(key, value)).collect();
        write_settings(repo, &missing)
    }
}

/// Finishes a switch that was begun. Running it again, or dying in it, changes nothing about where it ends.
pub(super) fn finish(session: &Session<'_>) -> Result<(), BeginError> {
    let book = session.book;
    let repo = &book.repo;
    let Some(PendingSwitch { from, to, .. }) = pending_switch::read(repo)? else { return Ok(()) };
    let head = format!("refs/heads/{to}");
    let Some(target) = refs::target(repo, &head)? else {
        // Deleted since by plain git: the folder stays with the line that it shows.
        return Ok(pending_switch::remove(repo)?);
    };
    let (old, new) = (book.commit_tree(from.oid())?, book.commit_tree(target)?);
    let differences = tree::differences(repo, Some(&old), Some(&new))?;
    let held = session.take_index()?;
    let mut index = if book.lacks_index()? { held.edit_of(book.index_of(&old)?) } else { held.edit() }?;
    let prepared = Prepared::new(repo, &book.root, &book.temp, differences)?;
    prepared.apply(&book.root, Some(&mut index))?;
    let _held = index.save()?;
    abort_at("switch.folder");
    point_head(session, &head)?;
    abort_at("switch.head");
    session.settle_on(&to)?;
    abort_at("switch.settled");
    pending_switch::remove(repo)?;
    Ok(())
}

/// Makes HEAD name the branch.
fn point_head(session: &Session<'_>, branch: &str) -> Result<(), StoreError> {
    let book = session.book;
    let head = book.repo.find_reference("HEAD").doing("reading HEAD")?;
    if head.symbolic_target().ok().flatten() == Some(branch) {
        return Ok(());
    }
    with_note(&book.repo, ("HEAD.lock", &book.repo.path().join("HEAD.lock")), || {
        refs::point_head(&book.repo, &session.wait, branch, "novel: switch")
    })
}
