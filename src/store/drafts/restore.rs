//! Drafts that a step back has closed come back when that step is taken back: they were paid for.
//!
//! A step says in its message which drafts it closes. Taking it back carries each of them over to the line as it is then,
//! like a rebase. Whether that has happened is read from the refs alone, so that a death in between leaves it to the next
//! session.

use git2::Oid;

use super::draft::draft_ref;
use crate::domain::Work;
use crate::store::book::commit_walk::{Transaction, Walk};
use crate::store::book::session::Session;
use crate::store::error::StoreError;
use crate::store::failpoint::abort_at;
use crate::store::git::commit_id::CommitId;
use crate::store::git::message::{Kind, key};
use crate::store::git::refs::{self, KEPT};

/// The value of [`key::CLOSES`]: `vol-02 1a2b…, ch-005 3c4d…`.
pub(crate) fn closes(drafts: &[(Work, CommitId)]) -> Option<String> {
    let named: Vec<String> = drafts.iter().map(|(work, tip)| format!("{work} {tip}")).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

fn closed_by(transaction: &Transaction) -> Vec<(Work, CommitId)> {
    let named = transaction.trailers.get(key::CLOSES).unwrap_or_default().split(", ");
    let pairs = named.filter_map(|pair| pair.split_once(' '));
    pairs.filter_map(|(work, tip)| Some((work.parse().ok()?, tip.parse().ok()?))).collect()
}

impl Session<'_> {
    /// The drafts with something on them that the line as it is leaves open.
    pub(crate) fn open_drafts(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let mut open = Vec::new();
        for (work, tip) in self.book.drafts()? {
            if self.book.fork_of(tip.oid())? != Some(tip.oid()) {
                open.push((work, tip));
            }
        }
        Ok(open)
    }

    /// Opens again what was closed by the step that the last transaction takes back. Does nothing where that has been done,
    /// or where the work has been begun again.
    pub(crate) fn reopen_drafts(&self) -> Result<Vec<Work>, StoreError> {
        let book = self.book;
        let mut line = Walk::new(&book.repo, book.tip()?.oid(), false);
        let last = loop {
            match line.next().transpose()? {
                Some(transaction) if matches!(transaction.kind, Kind::HandEdit | Kind::Migrate) => {}
                Some(transaction) => break transaction,
                None => return Ok(Vec::new()),
            }
        };
        let Some(of) = last.retraces() else { return Ok(Vec::new()) };
        // What is undone was done, or redone; what is redone was undone.
        let is_taken_back =
            |earlier: &Transaction| earlier.id == of || earlier.kind != last.kind && earlier.retraces() == Some(of);
        let taken_back = loop {
            match line.next().transpose()? {
                Some(earlier) if is_taken_back(&earlier) => break earlier,
                Some(_) => {}
                None => return Ok(Vec::new()),
            }
        };
        let mut reopened = Vec::new();
        for (work, tip) in closed_by(&taken_back) {
            if self.reopen(work, tip.oid(), last.id.oid())? {
                reopened.push(work);
            }
        }
        Ok(reopened)
    }

    fn reopen(&self, work: Work, tip: Oid, since: Oid) -> Result<bool, StoreError> {
        let (book, name) = (self.book, draft_ref(work));
        if refs::target(&book.repo, &name)?.is_some() {
            return Ok(false);
        }
        let mut last = None;
        for (_, kept) in refs::listed(&book.repo, &format!("{KEPT}{work}/"))? {
            let Some(base) = book.fork_of(kept)? else { continue };
            if book.reaches(base, since)? {
                // It was open since, and somebody has put it aside.
                return Ok(false);
            }
            // What the author did to it until it was closed is on top of it.
            if book.reaches(kept, last.unwrap_or(tip))? {
                last = Some(kept);
            }
        }
        let Some(last) = last else { return Ok(false) };
        let (onto, _) = self.rebase_commits(last, book.tip()?.oid())?;
        abort_at("reopen.carried");
        refs::swap(&book.repo, &self.wait, &name, None, onto, "novel: reopen").map_err(StoreError::from)?;
        Ok(true)
    }
}
