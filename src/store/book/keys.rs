//! Keys in commits: a commit of the program's brings none, and a push sends none. Only files that are new in a commit, or to the
//! remote, are read.

use crate::git::error::KeyPlace;
use crate::llm::key;
use crate::store::prelude::*;
use git2::Tree;
use secrecy::SecretString;

/// A larger file, in bytes, is not read.
const MOST: usize = 32 << 20;

/// A key in a commit that a remote lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentKey {
    pub commit: CommitId,
    /// The file; `None` for the message of the commit.
    pub path: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

impl Book {
    /// Keeps the user's own `keys` out of the commits of this book as well.
    #[must_use]
    pub fn with_keys(self, keys: Vec<SecretString>) -> Self {
        Self { keys, ..self }
    }

    /// Returns the lines (from 1) of `text` with a key that none of the texts `before` has.
    pub fn lines_with_key(&self, text: &[u8], before: &[&[u8]]) -> Vec<usize> {
        key::lines_with_key(text, before, &self.keys)
    }

    /// The text with a mark in place of each key.
    pub(crate) fn without_keys(&self, text: &str) -> String {
        key::masked(text, &self.keys).into_owned()
    }

    /// The change with a mark in place of each key in its files.
    pub(crate) fn change_without_keys(&self, change: &Change) -> Change {
        let masked = |bytes: &Vec<u8>| match std::str::from_utf8(bytes) {
            Ok(text) => self.without_keys(text).into_bytes(),
            Err(_) => bytes.clone(),
        };
        let puts = change.puts.iter().map(|(path, bytes)| (path.clone(), masked(bytes))).collect();
        Change { puts, removes: change.removes.clone() }
    }

    /// Refuses a commit that would bring a key. A key that a parent, the book's last commit or a commit which the message names
    /// has in the same file is no news: that file was looked at before, or the author has committed it with git.
    pub(super) fn refuse_keys(&self, tree: Oid, parents: &[Oid], message: &Message) -> Result<(), StoreError> {
        let tip = refs::target(&self.repo, &self.branch_ref())?;
        let mut known = Vec::new();
        for id in parents.iter().copied().chain(tip).chain(message.named_commits()) {
            let commit = self.repo.find_commit(id).or_missing("reading a commit")?;
            known.extend(commit.map(|commit| commit.tree()).transpose().doing("reading a tree")?);
        }
        let tree = self.repo.find_tree(tree).doing("reading a tree")?;
        let mut found = Vec::new();
        self.new_blobs(&tree, &known, &mut |path, blob| {
            found.extend(self.key_lines(path, blob, &known)?.into_iter().map(|line| (path.to_owned(), line)));
            Ok(())
        })?;
        if found.is_empty() { Ok(()) } else { Err(StoreError::Keys { place: KeyPlace::Folder, files: found }) }
    }

    /// Shows `see` each file of `tree` that none of the trees `known` has at its path.
    fn new_blobs(
        &self,
        tree: &Tree<'_>,
        known: &[Tree<'_>],
        see: &mut dyn FnMut(&str, Blob) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for difference in tree::differences(&self.repo, known.first(), Some(tree))? {
            let Some(new) = difference.new.filter(|new| new.is_file()) else { continue };
            let is_there =
                |tree: &Tree<'_>| tree::blob_at(tree, &difference.path).is_some_and(|blob| blob.id == new.id);
            if !known.iter().skip(1).any(is_there) {
                see(&difference.path, new)?;
            }
        }
        Ok(())
    }

    fn key_lines(&self, path: &str, blob: Blob, known: &[Tree<'_>]) -> Result<Vec<usize>, StoreError> {
        let doing = "reading a file of the book";
        let read =
            |id: Oid| self.repo.find_blob(id).or_missing(doing).map(|blob| blob.filter(|blob| blob.size() <= MOST));
        let Some(blob) = read(blob.id)? else { return Ok(Vec::new()) };
        if self.lines_with_key(blob.content(), &[]).is_empty() {
            return Ok(Vec::new());
        }
        let olds = known.iter().filter_map(|tree| tree::blob_at(tree, path)).filter(|blob| blob.is_file());
        let olds = olds.map(|old| read(old.id)).collect::<Result<Vec<_>, _>>()?;
        let before: Vec<&[u8]> = olds.iter().flatten().map(git2::Blob::content).collect();
        Ok(self.lines_with_key(blob.content(), &before))
    }

    /// Returns the keys that commits in the history of `tips` bring and those in the history of `known`, and of what `remote` was
    /// last seen to have, do not. Commits that are not here count for nothing.
    pub fn keys_to_send(
        &self,
        tips: &[CommitId],
        known: &[CommitId],
        remote: &str,
    ) -> Result<Vec<SentKey>, StoreError> {
        const DOING: &str = "walking the history";
        let mut walk = self.repo.revwalk().doing(DOING)?;
        let peeled = |id: &CommitId| self.repo.find_object(id.oid(), None).and_then(|o| o.peel_to_commit()).ok();
        tips.iter().filter_map(peeled).try_for_each(|commit| walk.push(commit.id())).doing(DOING)?;
        known.iter().filter_map(peeled).try_for_each(|commit| walk.hide(commit.id())).doing(DOING)?;
        for (_, id) in refs::listed(&self.repo, &format!("refs/remotes/{remote}/"))? {
            walk.hide(id).doing(DOING)?;
        }
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        for id in walk {
            let id = id.doing(DOING)?;
            let commit = self.repo.find_commit(id).doing("reading a commit")?;
            let key = |path: Option<&str>, line| SentKey { commit: id.into(), path: path.map(str::to_owned), line };
            let lines = self.lines_with_key(commit.message_raw_bytes(), &[]);
            found.extend(lines.into_iter().map(|line| key(None, line)));
            let tree = commit.tree().doing("reading a tree")?;
            let parents = commit.parents().map(|parent| parent.tree()).collect::<Result<Vec<_>, _>>();
            let parents = parents.doing("reading a tree")?;
            self.new_blobs(&tree, &parents, &mut |path, blob| {
                if seen.insert(blob.id) {
                    found.extend(self.key_lines(path, blob, &parents)?.into_iter().map(|line| key(Some(path), line)));
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}
