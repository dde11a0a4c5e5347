//! Putting damaged files of the work tree aside: their bytes are kept in git's object store, or under another name
//! beside them, and only then does another version take their place.

use crate::git::disk::files::sync_dir;
use crate::git::refs::KEPT;
use crate::git::work_tree::{self, PathContent, PreparedChanges};
use crate::store::book::change;
use crate::store::book::hand_edits;
use crate::store::book::recover;
use crate::store::book::transaction::CommitError;
use crate::store::prelude::*;
use std::fs;

/// The ref below `refs/novel/kept/` under which all damaged files are kept: one commit each time, each the parent of the
/// next, so that the number of refs does not grow.
const DAMAGED: &str = "damaged";

/// The version of a file that takes the place of a damaged one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// The one of the last commit; no file where that has none.
    Committed,
    /// These bytes, which are left uncommitted.
    Bytes(Vec<u8>),
}

/// Damaged files that other versions have taken the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The commit that keeps the damaged bytes, each file under its path. `None` when no file had any: all were missing.
    pub kept: Option<CommitId>,
    pub paths: Vec<String>,
}

/// Keeps the bytes of `files` of the work tree and puts other versions in their place. Versions that were only staged
/// are kept too. Can be repeated after a death at any point: bytes are kept before a file is replaced.
/// Fails with [`CommitError::AuthorEdited`] for a file that was written meanwhile, or that is no ordinary file; it is as it
/// was.
pub fn put_aside(
    session: &Session<'_>,
    files: &BTreeMap<String, Instead>,
    author: &Identity,
    time: Moment,
) -> Result<SetAside, CommitError> {
    let book = session.book;
    let repo = &book.repo;
    recover::finish_earlier(session)?;
    let tip = book.tip()?;
    let head = book.commit_tree(tip.oid())?;
    let (mut kept, mut now) = (TreeEdits::new(), BTreeMap::new());
    let (mut committed, mut others) = (Vec::new(), Vec::new());
    for (path, instead) in files {
        let old = match work_tree::look(&book.root, path)? {
            PathContent::Other => return Err(CommitError::AuthorEdited { paths: vec![path.clone()] }),
            PathContent::Absent => None,
            PathContent::File { .. } => {
                let bytes = work_tree::read(&book.root, path)?.unwrap_or_default();
                Some(Blob::file(change::blob(book, &bytes)?))
            }
        };
        now.insert(path.clone(), old.map(|blob| blob.id));
        kept.extend(old.map(|blob| (path.clone(), Some(blob))));
        let path = path.clone();
        match instead {
            Instead::Committed => committed.push(TreeDifference { new: tree::blob_at(&head, &path), path, old }),
            Instead::Bytes(bytes) => {
                let new = Some(Blob::file(change::blob(book, bytes)?));
                others.push(TreeDifference { path, old, new });
            }
        }
    }
    hand_edits::keep_staged(session, tip, &now, author, time)?;
    let kept = if kept.is_empty() { None } else { Some(keep_damaged(session, &kept, author, time)?) };
    abort_at("aside.kept");
    let mut index = session.take_index()?.edit()?;
    let mut foreign = Vec::new();
    for (changes, noted) in [(committed, true), (others, false)] {
        let prepared = PreparedChanges::new(repo, &book.root, &book.temp, changes)?;
        foreign.extend(prepared.apply(&book.root, noted.then_some(&mut index))?);
    }
    index.save()?;
    abort_at("aside.end");
    match foreign.is_empty() {
        true => Ok(SetAside { kept: kept.map(CommitId::from), paths: files.keys().cloned().collect() }),
        false => Err(CommitError::AuthorEdited { paths: foreign }),
    }
}

/// Commits damaged files on top of those that were kept before. The same files again, after a death, are not kept twice.
fn keep_damaged(session: &Session<'_>, files: &TreeEdits, author: &Identity, time: Moment) -> Result<Oid, StoreError> {
    let repo = &session.book.repo;
    let tree = change::edited(session.book, None, files)?;
    let before = refs::target(repo, &format!("{KEPT}{DAMAGED}"))?;
    let last = before.map(|id| repo.find_commit(id).or_missing("reading a commit")).transpose()?.flatten();
    if let Some(last) = last.as_ref().filter(|last| last.tree_id() == tree) {
        return Ok(last.id());
    }
    let message = Message::new(Kind::HandEdit, Subject::SetAside(files.keys().cloned().collect()));
    let parents: Vec<Oid> = last.iter().map(git2::Commit::id).collect();
    let id = change::settled(session.book, session.put_commit(tree, &parents, &message, author, time)?)?;
    session.keep(DAMAGED, id)?;
    Ok(id)
}

/// Gives files other names, in order, where nothing has the new name. Can be repeated after a death at any point.
pub fn rename_files(session: &Session<'_>, renames: &[(String, String)]) -> Result<(), CommitError> {
    for (from, to) in renames {
        let [old, new] = [from, to].map(|path| session.book.root.join(path));
        if fs::symlink_metadata(&new).is_ok() {
            return Err(CommitError::AuthorEdited { paths: vec![to.clone()] });
        }
        system::rename(&old, &new).at("moving", &old)?;
        sync_parent(&new)?;
    }
    Ok(())
}

/// Gives a file in the author's folder other content, at once.
pub fn write_file(session: &Session<'_>, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
    session.book.temp.replace(&session.book.root.join(path), bytes)
}

/// Takes files out of the author's index that are to be committed as they are on disk. Versions that were only staged are kept.
pub fn unstage(session: &Session<'_>, files: &Change, author: &Identity, time: Moment) -> Result<(), CommitError> {
    let tip = session.book.tip()?;
    let head = session.book.commit_tree(tip.oid())?;
    let (mut now, mut edits) = (BTreeMap::new(), TreeEdits::new());
    for path in files.removes.iter().chain(files.puts.keys()) {
        let bytes = files.puts.get(path);
        now.insert(path.clone(), bytes.map(|bytes| change::blob(session.book, bytes)).transpose()?);
        edits.insert(path.clone(), tree::blob_at(&head, path));
    }
    hand_edits::keep_staged(session, tip, &now, author, time)?;
    Ok(hand_edits::reset_index(session, &edits)?)
}

/// Gives the file, folder or link at `path` another name beside it: `NAME.aside`. Returns the new path; `None` where there is
/// nothing.
pub fn move_aside(session: &Session<'_>, path: &str) -> Result<Option<String>, StoreError> {
    let (from, to) = (session.book.root.join(path), session.book.free_name(path));
    if fs::symlink_metadata(&from).is_err() {
        return Ok(None);
    }
    let full = session.book.root.join(&to);
    system::rename(&from, &full).at("moving", &from)?;
    sync_parent(&full)?;
    Ok(Some(to))
}

impl super::repository::Book {
    /// The first of `path.aside`, `path.aside-2`, … that is free.
    fn free_name(&self, path: &str) -> String {
        let names = (1..).map(|n| if n == 1 { format!("{path}.aside") } else { format!("{path}.aside-{n}") });
        let is_free = |name: &String| fs::symlink_metadata(self.root.join(name)).is_err();
        names.into_iter().find(is_free).unwrap_or_default()
    }
}

fn sync_parent(path: &Path) -> Result<(), StoreError> {
    path.parent().map_or(Ok(()), sync_dir)
}
