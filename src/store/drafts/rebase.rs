//! Putting a draft on top of the accepted line as it is now.

use super::draft::{Draft, DraftError};
use super::records::records;
use crate::git::commit_id::{CommitId, Identity, Moment};
use crate::git::error::{GitContext, StoreError};
use crate::git::failpoint::abort_at;
use crate::git::tree::{self, Blob, Difference};
use crate::git::tree_edit::Edits;
use crate::store::book::repository::Book;
use crate::store::book::session::Session;
use crate::store::layout;
use git2::Oid;
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of a rebase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebased {
    pub tip: CommitId,
    /// Paths that both the draft and the accepted line had changed; the draft's version stands in the draft.
    pub overlaps: Vec<String>,
}

impl Draft<'_> {
    /// Puts the draft's commits on top of the accepted line as it is now, each with the paths that it changes. A file that
    /// both have changed is merged by lines; where they changed the same ones, the draft's version stands, and the path is
    /// named.
    /// Fails with [`DraftError`]; the draft is as it was.
    pub fn rebase(&mut self, author: &Identity, time: Moment) -> Result<Rebased, DraftError> {
        self.follow()?;
        self.adopt_edits(author, time)?;
        let book = self.session.book;
        let (main, base) = (book.tip()?.oid(), book.base_of(self.tip)?);
        if main == base {
            return Ok(Rebased { tip: self.tip.into(), overlaps: Vec::new() });
        }
        let (onto, overlaps) = self.session.rebase_commits(self.tip, main)?;
        if self.tip != base {
            self.session.keep(&format!("{}/{}", self.work, CommitId::from(self.tip).short()), self.tip)?;
            abort_at("rebase.kept");
        }
        self.move_to(onto)?;
        self.keep_shown()?;
        Ok(Rebased { tip: onto.into(), overlaps })
    }
}

impl Session<'_> {
    /// Writes the results of the draft `tip` again on top of `main`. Returns the new tip, and the paths of which both sides
    /// had changed the same lines: the draft's version stands there.
    pub(crate) fn rebase_commits(&self, tip: Oid, main: Oid) -> Result<(Oid, Vec<String>), StoreError> {
        let book = self.book;
        let repo = &book.repo;
        let base = book.base_of(tip)?;
        let moved = tree::differences(repo, Some(&book.commit_tree(base)?), Some(&book.commit_tree(main)?))?;
        let moved: BTreeSet<String> = moved.into_iter().map(|d| d.path).collect();
        let mut overlaps = BTreeSet::new();
        let (mut before, mut onto) = (base, main);
        for record in records(book, tip)? {
            let commit = repo.find_commit(record.id.oid()).doing("reading a draft")?;
            let changes =
                tree::differences(repo, Some(&book.commit_tree(before)?), Some(&book.commit_tree(commit.id())?))?;
            let ground = book.commit_tree(onto)?;
            let mut edits: Edits = BTreeMap::new();
            for Difference { path, old, new } in changes {
                let here = tree::blob_at(&ground, &path);
                let both = moved.contains(&path) && path != layout::CHECKPOINT && here != old;
                let joined = if both { merged(book, [old, here, new])? } else { new };
                if both && joined.is_none() {
                    overlaps.insert(path.clone());
                }
                edits.insert(path, joined.or(new));
            }
            let tree = book.edited(Some(ground.id()), &edits)?;
            let message = String::from_utf8_lossy(commit.message_raw_bytes());
            let people = (&commit.author(), &commit.committer());
            let moved = tree::commit(repo, tree, &[onto], people, &message)?;
            before = commit.id();
            onto = book.settled(moved)?;
        }
        Ok((onto, overlaps.into_iter().collect()))
    }
}

/// A file of which `ours` and `theirs` have made different things, with the changes of both; `None` where they are of the
/// same lines, or one of them is not there.
fn merged(book: &Book, versions: [Option<Blob>; 3]) -> Result<Option<Blob>, StoreError> {
    let [Some(old), Some(ours), Some(theirs)] = versions else { return Ok(None) };
    let read = |blob: Blob| book.repo.find_blob(blob.id).doing("reading a draft");
    let (old, ours, blobs) = (read(old)?, read(ours)?, read(theirs)?);
    let inputs = [&old, &ours, &blobs].map(|blob| {
        let mut input = git2::MergeFileInput::new();
        input.content(blob.content());
        input
    });
    let [old, ours, new] = &inputs;
    let result = git2::merge_file(old, ours, new, None).doing("merging a draft")?;
    if !result.is_automergeable() {
        return Ok(None);
    }
    let id = book.blob(result.content())?;
    Ok(Some(Blob { id, ..theirs }))
}
