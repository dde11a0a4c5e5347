//! The content that the author's next `git commit` would have: git's index over the last commit.

use super::repository::Book;
use super::snapshot::Snapshot;
use crate::git::index_entries::{self, is_promise};
use crate::store::message::without_claims;
use crate::store::prelude::*;
use git2::RepositoryState;
use std::fs;

/// A file that the commit would add, change or remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedFile {
    pub path: String,
    /// Its content in the last commit; `None` where that lacks it.
    pub(crate) old: Option<Oid>,
    /// Its content in the commit to be; `None` where that would lack it.
    pub(crate) new: Option<Oid>,
}

/// The next commit of a work tree.
pub struct Staged<'b> {
    repo: &'b Repository,
    /// True in `staging/`, whose commits are those of a draft.
    pub is_linked: bool,
    /// The files that differ from the last commit, by path.
    pub files: Vec<StagedFile>,
    pub head: Snapshot<'b>,
    /// The commit to be.
    pub next: Snapshot<'b>,
}

impl Staged<'_> {
    /// The old and the new content of a staged file, up to `most` bytes each; what is larger counts as empty.
    pub fn read(&self, file: &StagedFile, most: usize) -> Result<[Option<Vec<u8>>; 2], StoreError> {
        let bytes = |id: Oid| {
            let blob = self.repo.find_blob(id).or_missing("reading a staged file")?;
            Ok::<_, StoreError>(blob.filter(|blob| blob.size() <= most).map(|blob| blob.content().to_vec()))
        };
        let read = |id: Option<Oid>| id.map(bytes).transpose().map(Option::flatten);
        Ok([read(file.old)?, read(file.new)?])
    }
}

impl Book {
    /// Reads what is staged. Git tells its hooks which repository folder and which index it commits from; without them, those
    /// of the book's work tree are taken. `None` before the first commit, and for an index that only git can read.
    pub fn staged(&self, git_dir: Option<&Path>, index: Option<&Path>) -> Result<Option<Staged<'_>>, StoreError> {
        let linked = self.linked(git_dir)?;
        let repo = linked.as_ref().unwrap_or(&self.repo);
        let head = repo.head().or_missing("reading HEAD")?.and_then(|head| head.target());
        let Some(head) = head else { return Ok(None) };
        let path = index.map_or_else(|| repo.path().join("index"), Path::to_owned);
        let index = match index_entries::open(&path) {
            Err(StoreError::Damaged { .. }) => return Ok(None),
            index => index?,
        };
        let head = self.snapshot_of(head.into())?;
        let (mut files, mut edits) = (Vec::new(), Edits::new());
        for (path, old) in index_entries::differences(&self.repo, head.tree(), &index)? {
            let entry = index_entries::get(&index, &path).filter(|entry| !is_promise(entry));
            let new = entry.map(|entry| Blob { id: entry.id, mode: tree::mode_of(entry.mode as i32) });
            files.push(StagedFile { path: path.clone(), old: old.map(|blob| blob.id), new: new.map(|blob| blob.id) });
            edits.insert(path, new);
        }
        let next = self.edited(Some(head.tree().id()), &edits)?;
        let next = head.with_tree(next)?;
        Ok(Some(Staged { repo: &self.repo, is_linked: linked.is_some(), files, head, next }))
    }

    /// The repository as a linked work tree such as `staging/` sees it; `None` for the book's own folder.
    fn linked(&self, git_dir: Option<&Path>) -> Result<Option<Repository>, StoreError> {
        let folder = git_dir.unwrap_or(self.repo.path());
        if fs::canonicalize(folder).ok() == fs::canonicalize(self.repo.path()).ok() {
            return Ok(None);
        }
        Repository::open(folder).map(Some).doing("opening the repository")
    }

    /// Takes what only the program may claim out of the message of the author's commit in the file at `path`, and returns the
    /// lines that are gone. A commit that is amended keeps its own; so does all that git puts together itself in a merge, a
    /// rebase or a cherry-pick.
    /// Fails when the file cannot be read or written.
    pub fn clean_message(&self, git_dir: Option<&Path>, path: &Path) -> Result<Vec<String>, StoreError> {
        let linked = self.linked(git_dir)?;
        let repo = linked.as_ref().unwrap_or(&self.repo);
        if repo.state() != RepositoryState::Clean {
            return Ok(Vec::new());
        }
        let Ok(message) = String::from_utf8(fs::read(path).at("reading", path)?) else { return Ok(Vec::new()) };
        let head = repo.head().or_missing("reading HEAD")?.and_then(|head| head.peel_to_commit().ok());
        let amended = head.map(|commit| String::from_utf8_lossy(commit.message_raw_bytes()).into_owned());
        let Some((rest, gone)) = without_claims(&message, &amended.unwrap_or_default()) else { return Ok(Vec::new()) };
        fs::write(path, rest).at("writing", path)?;
        Ok(gone)
    }

    /// True for the folder of the book itself, and not for `staging/` in it.
    pub fn is_at_top(&self, folder: &Path) -> bool {
        fs::canonicalize(folder).is_ok_and(|folder| fs::canonicalize(&self.root).is_ok_and(|root| root == folder))
    }
}
