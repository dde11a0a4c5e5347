//! Bringing objects back that the object store has lost: from packs, from the work tree, from `staging/`, and from what the
//! remotes have. Damaged files are put aside, never deleted: their bytes are kept in git's object store, or under another name
//! beside them, and only then does another version take their place.

use crate::git::disk::{TempArea, sync_dir};
use crate::git::index::{self, is_promise, stage};
use crate::git::objects::{COMPARED, write_pack};
use crate::git::refs::{INTENT, KEPT};
use crate::git::verification::{self, sync_objects};
use crate::git::work_tree::{self, PathContent, PreparedChanges};
use crate::store::book::transaction::CommitError;
use crate::store::book::{change, hand_edits, recover};
use crate::store::prelude::*;
use crate::store::remote::process::GitProgram;
use git2::{Index, IndexEntry, ObjectType};
use std::fs;
use std::io::Write;

/// Makes the contents of a damaged pack readable again: a whole pack gets a new index; of a damaged pack, every
/// object that can still be read is written into a new one. The damaged files are put aside afterwards. Returns the
/// objects that were lost: of drafts, of older versions, or of the book as it is.
pub(super) fn restore_pack(repo: &Repository, name: &str) -> Result<BTreeSet<Oid>, StoreError> {
    let private = repo.commondir().join("novel");
    let folder = repo.commondir().join("objects/pack");
    let temp = TempArea::new(private.join("tmp"));
    let [pack, index, reverse] = ["pack", "idx", "rev"].map(|ending| folder.join(format!("{name}.{ending}")));
    let (pack_bytes, index_bytes) = (fs::read(&pack).at("reading", &pack)?, fs::read(&index).at("reading", &index)?);
    let mut lost: BTreeSet<Oid> = BTreeSet::new();
    if verification::fault(&pack_bytes).is_none() {
        let new = index_of(&private, &pack_bytes)?;
        put_aside(&private, &index)?;
        temp.replace(&index, &new)?;
        return Ok(lost);
    }
    if verification::fault(&index_bytes).is_none() {
        let odb = repo.odb().doing("opening the object store")?;
        // libgit2 puts differences together, and looks whether the content is what the id says.
        let (readable, unreadable) = verification::ids(&index_bytes).into_iter().partition(|id| odb.read(*id).is_ok());
        lost = unreadable;
        rescue(repo, repo, &readable)?;
    }
    for file in [index, reverse, pack] {
        put_aside(&private, &file)?;
    }
    Ok(lost)
}

fn index_of(private: &Path, pack: &[u8]) -> Result<Vec<u8>, StoreError> {
    let room = private.join("tmp/pack");
    fs::create_dir_all(&room).at("creating", &room)?;
    let made = (|| {
        let mut indexer = git2::Indexer::new(None, &room, 0o444, false)?;
        indexer.write_all(pack).map_err(|e| git2::Error::from_str(&e.to_string()))?;
        let name = indexer.commit()?;
        Ok(room.join(format!("pack-{name}.idx")))
    })();
    let bytes = made.doing("reading a pack").and_then(|path| fs::read(&path).at("reading", &path));
    let _ = fs::remove_dir_all(&room);
    bytes
}

/// Moves a damaged file or a stray lock to `.git/novel/aside/`.
pub(super) fn put_aside(private: &Path, path: &Path) -> Result<(), StoreError> {
    let aside = private.join("aside");
    fs::create_dir_all(&aside).at("creating", &aside)?;
    let folder = path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let free = (0..).map(|n| aside.join(format!("{folder}-{name}.{n}"))).find(|p| !p.exists());
    let Some(target) = free else { return Ok(()) };
    match system::rename(path, &target) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        moved => moved.at("moving", path),
    }
}

/// Makes the objects `lost` again from packs, from files that still have their bytes, and from git's index. Returns those
/// that are nowhere in the folder. `repo` must have been opened after the last change of packs.
pub(super) fn restore_objects(
    root: &Path,
    repo: &Repository,
    mut lost: BTreeSet<Oid>,
) -> Result<BTreeSet<Oid>, StoreError> {
    let odb = repo.odb().doing("opening the object store")?;
    lost.retain(|id| !odb.exists(*id));
    if lost.is_empty() {
        return Ok(lost);
    }
    let index = present_index(repo)?;
    let mut written = BTreeSet::new();
    let of_lost = index.iter().filter(|entry| lost.contains(&entry.id));
    let paths: BTreeSet<String> = of_lost.filter_map(|entry| path_of(&entry)).collect();
    for path in paths {
        written.extend(restored_from(repo, work_tree::read(root, &path)?, &lost)?);
    }
    lost.retain(|id| !written.contains(id));
    if !lost.is_empty() {
        // An older text, or one of a draft, may stand under another name.
        for path in files(root) {
            written.extend(restored_from(repo, fs::read(path).ok(), &lost)?);
        }
        // A folder's object follows from the index, when nothing is staged there.
        written.extend(restore_trees(repo, &index)?);
        lost.retain(|id| !written.contains(id));
    }
    sync_objects(repo, &written)?;
    Ok(lost)
}

/// Makes those of the objects `lost` again that have one of these contents. Returns the others.
pub(super) fn restore_contents(
    repo: &Repository,
    contents: Vec<Vec<u8>>,
    mut lost: BTreeSet<Oid>,
) -> Result<BTreeSet<Oid>, StoreError> {
    let mut written = BTreeSet::new();
    for content in contents {
        written.extend(restored_from(repo, Some(content), &lost)?);
    }
    lost.retain(|id| !written.contains(id));
    sync_objects(repo, &written)?;
    Ok(lost)
}

/// The objects that git's index names.
pub(super) fn staged(repo: &Repository) -> Result<Vec<Oid>, StoreError> {
    Ok(present_index(repo)?.iter().map(|entry| entry.id).collect())
}

/// Git's index; an empty one where it cannot be read.
fn present_index(repo: &Repository) -> Result<Index, StoreError> {
    index::open(&repo.path().join("index")).or_else(|_| Index::new().doing("reading git's index"))
}

fn path_of(entry: &IndexEntry) -> Option<String> {
    std::str::from_utf8(&entry.path).ok().map(str::to_owned)
}

/// The object that has the content of a file, written again if it is among `lost`.
fn restored_from(repo: &Repository, content: Option<Vec<u8>>, lost: &BTreeSet<Oid>) -> Result<Option<Oid>, StoreError> {
    let Some(content) = content else { return Ok(None) };
    for content in [work_tree::with_lf(&content), Some(content)].into_iter().flatten() {
        let id = work_tree::blob_id(&content)?;
        if lost.contains(&id) {
            return Ok(Some(repo.blob(&content).doing("writing an object")?));
        }
    }
    Ok(None)
}

/// Every file of the book's folder, `staging/` included, apart from repositories.
fn files(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

/// Writes the objects of every folder that the index describes.
fn restore_trees(repo: &Repository, index: &Index) -> Result<BTreeSet<Oid>, StoreError> {
    let odb = repo.odb().doing("opening the object store")?;
    let there = index.iter().filter(|entry| stage(entry) == 0 && !is_promise(entry) && odb.exists(entry.id));
    let edits: TreeEdits = there
        .filter_map(|entry| {
            let blob = tree::Blob { id: entry.id, mode: tree::mode_of(entry.mode as i32) };
            path_of(&entry).map(|path| (path, Some(blob)))
        })
        .collect();
    let root = tree::edited(repo, None, &edits)?;
    let mut written = BTreeSet::from([root]);
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        for entry in &repo.find_tree(id).doing("reading a tree")? {
            if entry.kind() == Some(ObjectType::Tree) && written.insert(entry.id()) {
                todo.push(entry.id());
            }
        }
    }
    Ok(written)
}

/// Fetches what the remotes of the book have, one after the other, and takes over those of `wanted` that are not here, each
/// with everything that it needs. The user's own git does the fetching, into a repository of its own, so that no ref here
/// moves. Remotes that cannot be reached count for nothing.
pub(super) fn restore_from_remotes(root: &Path, repo: &Repository, wanted: &BTreeSet<Oid>) -> Result<(), StoreError> {
    let names = repo.remotes().doing("reading the configuration")?;
    let names: BTreeSet<String> = names.iter().flatten().flatten().map(str::to_owned).collect();
    let room = repo.commondir().join("novel/tmp/copy");
    for name in names {
        let remote = repo.find_remote(&name).doing("reading the configuration")?;
        let Some(url) = remote.url().ok() else { continue };
        let _ = fs::remove_dir_all(&room);
        if let Some(copy) = copied(root, url, &room) {
            take_over(repo, &copy, wanted)?;
        }
        let _ = fs::remove_dir_all(&room);
    }
    Ok(())
}

/// A copy of the repository at `url` with all of its refs.
fn copied(root: &Path, url: &str, room: &Path) -> Option<Repository> {
    let git = GitProgram { program: "git".into(), may_ask: false, progress: false };
    if git.mirrors(root, url, room) { Repository::open_bare(room).ok() } else { None }
}

/// Writes those of `wanted` that `copy` has, and everything below them that is not here, into a pack.
fn take_over(repo: &Repository, copy: &Repository, wanted: &BTreeSet<Oid>) -> Result<(), StoreError> {
    let (ours, theirs) = (repo.odb().doing("opening the object store")?, copy.odb().doing("opening the object store")?);
    let mut rescued = BTreeSet::new();
    let (mut seen, mut todo) = (BTreeSet::new(), wanted.iter().copied().collect::<Vec<_>>());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) || ours.exists(id) {
            continue;
        }
        let Ok(object) = theirs.read(id) else { continue };
        rescued.insert(id);
        match object.kind() {
            ObjectType::Commit => {
                let commit = copy.find_commit(id).doing("reading a commit")?;
                todo.push(commit.tree_id());
                todo.extend(commit.parent_ids());
            }
            ObjectType::Tree => {
                let tree = copy.find_tree(id).doing("reading a tree")?;
                todo.extend(tree.iter().filter(|e| e.kind() != Some(ObjectType::Commit)).map(|e| e.id()));
            }
            _ => {}
        }
    }
    rescue(repo, copy, &rescued)
}

/// Writes the objects `ids` of the repository `from` into a pack.
fn rescue(repo: &Repository, from: &Repository, ids: &BTreeSet<Oid>) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let temp = TempArea::new(repo.commondir().join("novel/tmp"));
    write_pack(from, &repo.commondir().join("objects/pack"), &temp, (ids, COMPARED)).map(drop)
}

/// The commits that the branch `name` was at before, and those that remotes were seen to have of it, the newest first.
pub(super) fn earlier(repo: &Repository, name: &str) -> Vec<Oid> {
    let log = repo.reflog(name).ok();
    let mut found: Vec<Oid> = log.iter().flat_map(|log| log.iter().map(|e| e.id_new()).collect::<Vec<_>>()).collect();
    found.extend(refs::target(repo, INTENT).ok().flatten());
    let branch = name.strip_prefix("refs/heads/").unwrap_or(name);
    for (remote, id) in refs::listed(repo, "refs/remotes/").unwrap_or_default() {
        found.extend(remote.ends_with(&format!("/{branch}")).then_some(id));
    }
    found
}

/// The newest commit on the line of `tip` that is whole, with its first line; `None` where none is.
pub(super) fn newest_whole(repo: &Repository, tip: Oid) -> Result<Option<(Oid, String)>, StoreError> {
    let odb = repo.odb().doing("opening the object store")?;
    let mut whole = BTreeSet::new();
    let mut at = Some(tip);
    while let Some(commit) = at.and_then(|id| repo.find_commit(id).ok()) {
        if is_whole(repo, &odb, commit.tree_id(), &mut whole) {
            let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
            return Ok(Some((commit.id(), message.lines().next().unwrap_or_default().to_owned())));
        }
        at = commit.parent_id(0).ok();
    }
    Ok(None)
}

fn is_whole(repo: &Repository, odb: &git2::Odb<'_>, id: Oid, known: &mut BTreeSet<Oid>) -> bool {
    if known.contains(&id) {
        return true;
    }
    let Ok(tree) = repo.find_tree(id) else { return false };
    let is_there = |entry: git2::TreeEntry<'_>, known: &mut BTreeSet<Oid>| match entry.kind() {
        Some(ObjectType::Tree) => is_whole(repo, odb, entry.id(), known),
        Some(ObjectType::Blob) => odb.exists(entry.id()),
        _ => true,
    };
    let all = tree.iter().all(|entry| is_there(entry, known));
    if all {
        known.insert(id);
    }
    all
}

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
pub fn put_files_aside(
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

impl crate::store::book::repository::Book {
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
