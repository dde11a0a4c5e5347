//! Relations of two lines of commits.

use super::error::RemoteError;
use crate::store::book::commit_walk::Transaction;
use crate::store::book::contents::chapter_files;
use crate::store::book::provenance::Provenance;
use crate::store::book::repository::Book;
use crate::store::path::check_path;
use crate::store::prelude::*;

/// Code hosts refuse files of this size, in bytes.
pub const LARGEST_FILE: u64 = 100 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Both end with one commit.
    Same,
    /// `ours` continues `theirs`.
    Ahead,
    /// `theirs` continues `ours`.
    Behind,
    /// Both continue this commit.
    Diverged(CommitId),
    /// They have no commit in common.
    Unrelated,
}

impl Book {
    pub fn relation(&self, ours: CommitId, theirs: CommitId) -> Result<Relation, StoreError> {
        if ours == theirs {
            return Ok(Relation::Same);
        }
        let base = self.repo.merge_base(ours.oid(), theirs.oid()).or_missing("comparing commits")?;
        Ok(match base.map(CommitId::from) {
            None => Relation::Unrelated,
            Some(base) if base == theirs => Relation::Ahead,
            Some(base) if base == ours => Relation::Behind,
            Some(base) => Relation::Diverged(base),
        })
    }

    /// True when `earlier` is `commit` or in its history; false for unknown commits.
    pub fn includes(&self, commit: CommitId, earlier: CommitId) -> Result<bool, StoreError> {
        self.reaches(commit.oid(), earlier.oid())
    }

    pub fn has_commit(&self, id: CommitId) -> Result<bool, StoreError> {
        Ok(self.repo.find_commit(id.oid()).or_missing("reading a commit")?.is_some())
    }

    /// True when this copy's history is shallow.
    pub fn is_shallow(&self) -> bool {
        self.repo.is_shallow()
    }

    pub fn beyond(&self, tip: CommitId, other: Option<CommitId>) -> Result<Vec<Transaction>, StoreError> {
        let doing = "walking the history";
        let mut walk = self.repo.revwalk().doing(doing)?;
        walk.push(tip.oid()).doing(doing)?;
        if let Some(other) = other {
            walk.hide(other.oid()).doing(doing)?;
        }
        walk.map(|id| self.transaction(CommitId::from(id.doing(doing)?))).collect()
    }

    /// The commit of `chapter` in the line of `tip`; `None` without the chapter.
    pub fn origin_of_chapter(&self, tip: CommitId, chapter: ChapterNo) -> Result<Option<Transaction>, StoreError> {
        let files = chapter_files(&self.repo, &self.commit_tree(tip.oid())?)?;
        let Some(file) = files.get(&chapter) else { return Ok(None) };
        let found = Provenance::new(self, tip.oid()).of([(chapter, *file)].into())?;
        Ok(found.into_values().next())
    }

    /// The last commit in the line from `base` to `tip` that changed the file at `path`.
    pub fn last_change(&self, path: &str, tip: CommitId, base: CommitId) -> Result<Option<Transaction>, StoreError> {
        let blob = |id: Oid| Ok::<_, StoreError>(tree::blob_at(&self.commit_tree(id)?, path).map(|blob| blob.id));
        let mut at = self.transaction(tip)?;
        loop {
            let Some(parent) = at.parent.filter(|_| at.id != base) else { return Ok(None) };
            if blob(at.id.oid())? != blob(parent.oid())? {
                return Ok(Some(at));
            }
            at = self.transaction(parent)?;
        }
    }

    /// Refuses commits with a file that code hosts do not take. The program's own commits have none, so only the
    /// author's and the last one are checked.
    pub(super) fn check_sizes(&self, tip: CommitId, other: Option<CommitId>) -> Result<(), RemoteError> {
        let odb = self.repo.odb().doing("opening the object store")?;
        for commit in self.beyond(tip, other)?.into_iter().filter(|commit| !commit.is_ours || commit.id == tip) {
            let old = commit.parent.map(|parent| self.commit_tree(parent.oid())).transpose()?;
            for change in tree::differences(&self.repo, old.as_ref(), Some(&self.commit_tree(commit.id.oid())?))? {
                let Some(blob) = change.new.filter(|blob| blob.is_file()) else { continue };
                let (bytes, _) = odb.read_header(blob.id).doing("reading a file of the book")?;
                if bytes as u64 >= LARGEST_FILE {
                    let (path, bytes) = (change.path, bytes as u64);
                    return Err(RemoteError::TooLarge { path, bytes, commit: commit.id.short() });
                }
            }
        }
        Ok(())
    }

    /// A path in the changes from `ours` to `theirs` that must not be written to the author's folder.
    pub fn bad_path(&self, ours: CommitId, theirs: CommitId) -> Result<Option<String>, StoreError> {
        let (old, new) = (self.commit_tree(ours.oid())?, self.commit_tree(theirs.oid())?);
        let changes = tree::differences(&self.repo, Some(&old), Some(&new))?;
        Ok(changes.into_iter().find(|change| check_path(&change.path).is_err()).map(|change| change.path))
    }

    /// The paths at which `commit` has a link or another repository.
    pub fn special_paths(&self, commit: CommitId, paths: &[String]) -> Result<BTreeSet<String>, StoreError> {
        let tree = self.commit_tree(commit.oid())?;
        let is_special = |path: &&String| tree::blob_at(&tree, path).is_some_and(|blob| !blob.is_file());
        Ok(paths.iter().filter(is_special).cloned().collect())
    }
}
