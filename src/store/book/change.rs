//! Files by their content, which git's ids of blobs tell without reading, and changes of files: the book with a change on top.
//! Keys in commits: a commit of the program's brings none, and a push sends none. Only files that are new in a commit, or to the
//! remote, are read.

use crate::domain::ContentId;
use crate::git::error::CommitSource;
use crate::llm::key;
use crate::store::book::snapshot::chapter_files;
use crate::store::layout::check_path;
use crate::store::prelude::*;
use git2::{ObjectType, Tree};
use secrecy::SecretString;

/// Files to put and to remove.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Path to bytes.
    pub puts: BTreeMap<String, Vec<u8>>,
    /// Paths; removing a path that is not there changes nothing.
    pub removes: BTreeSet<String>,
}

impl Change {
    pub fn put(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.puts.insert(path.to_owned(), bytes.into());
        self
    }

    pub fn remove(mut self, path: &str) -> Self {
        self.removes.insert(path.to_owned());
        self
    }

    pub fn put_or_remove(self, path: &str, bytes: Option<Vec<u8>>) -> Self {
        match bytes {
            Some(bytes) => self.put(path, bytes),
            None => self.remove(path),
        }
    }

    /// Both changes; they are about different paths.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.puts.extend(other.puts);
        self.removes.extend(other.removes);
        self
    }

    /// Both changes, one after the other.
    pub(crate) fn then(mut self, other: Self) -> Self {
        self.puts.retain(|path, _| !other.removes.contains(path));
        self.and(other)
    }

    /// The part of it that is about paths that `is_wanted` names.
    pub fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.puts.retain(|path, _| is_wanted(path));
        self.removes.retain(|path| is_wanted(path));
        self
    }

    /// Writes the bytes as objects. A path that is both put and removed is put.
    pub(crate) fn write(&self, repo: &Repository) -> Result<TreeEdits, StoreError> {
        let mut edits: TreeEdits = BTreeMap::new();
        for path in &self.removes {
            check_path(path)?;
            edits.insert(path.clone(), None);
        }
        for (path, bytes) in &self.puts {
            check_path(path)?;
            edits.insert(path.clone(), Some(Blob::file(repo.blob(bytes).doing("writing an object")?)));
        }
        Ok(edits)
    }
}

/// A blob, in memory.
pub(crate) fn blob(book: &Book, bytes: &[u8]) -> Result<Oid, StoreError> {
    book.repo.blob(bytes).doing("writing an object")
}

/// Puts the commit `id` on the disk, with all that it needs, and returns it: no ref may name it before.
pub(crate) fn settled(book: &Book, id: Oid) -> Result<Oid, StoreError> {
    book.objects.settle(&book.repo, &book.inner, &[id])?;
    Ok(id)
}

/// The tree `base`, or an empty one, with `edits`, in memory.
pub(crate) fn edited(book: &Book, base: Option<Oid>, edits: &TreeEdits) -> Result<Oid, StoreError> {
    tree::edited(&book.repo, base, edits)
}

/// The book as of the accepted line with `change` on top. Nothing of it is written to disk.
pub fn snapshot_with<'a>(book: &'a Book, change: &Change) -> Result<Snapshot<'a>, StoreError> {
    snapshot_over(book, book.tip()?, change)
}

/// The book as of `commit` with `change` on top. Nothing of it is written to disk.
pub fn snapshot_over<'a>(book: &'a Book, commit: CommitId, change: &Change) -> Result<Snapshot<'a>, StoreError> {
    if *change == Change::default() {
        return book.snapshot_of(commit);
    }
    book.objects.forget(&book.repo)?;
    let snapshot = book.snapshot_of(commit)?;
    let tree = edited(book, Some(snapshot.tree().id()), &change.write(&book.repo)?)?;
    snapshot.with_tree(tree)
}

/// The id of git's blob in the domain's words.
pub(super) fn content_id(id: Oid) -> Option<ContentId> {
    id.to_string().parse().ok()
}

/// The id that a file with these bytes has.
/// Fails when git cannot hash them.
pub fn id_of(bytes: &[u8]) -> Result<ContentId, StoreError> {
    let id = Oid::hash_object(ObjectType::Blob, bytes).doing("hashing a file")?;
    content_id(id).ok_or_else(|| StoreError::Damaged { what: format!("`{id}` is not the id of a file") })
}

impl Snapshot<'_> {
    /// Returns the id of the file at `path`; `None` when there is no such file.
    pub fn content_id(&self, path: &str) -> Option<ContentId> {
        tree::blob_at(self.tree(), path).filter(|blob| blob.is_file()).and_then(|blob| content_id(blob.id))
    }

    /// Reads the beginning of the file at `path`, as [`change::beginning_of`] does.
    pub fn beginning_of(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let blob = tree::blob_at(self.tree(), path).filter(|blob| blob.is_file());
        blob.map_or(Ok(None), |blob| beginning(self.repo(), blob.id))
    }

    /// Returns the text of every chapter by its id, with the chapter's volume. Opens one folder a volume and no chapter.
    pub fn chapter_texts(&self) -> Result<BTreeMap<ChapterNo, (VolumeNo, ContentId)>, StoreError> {
        let files = chapter_files(self.repo(), self.tree())?.into_iter();
        Ok(files.filter_map(|(chapter, file)| Some((chapter, (file.volume, content_id(file.blob)?)))).collect())
    }

    /// Returns every file under the folder `dir` with its id, by path. No file is read.
    pub fn content_ids(&self, dir: &str) -> Result<BTreeMap<String, ContentId>, StoreError> {
        let mut found = BTreeMap::new();
        let Some(folder) = self.folder(dir)? else { return Ok(found) };
        let prefix = format!("{}/", dir.trim_end_matches('/'));
        tree::walk(self.repo(), &folder, &prefix, &mut |path, blob| {
            if let Some(id) = content_id(blob.id).filter(|_| blob.is_file()) {
                found.insert(path.to_owned(), id);
            }
        })?;
        Ok(found)
    }
}

/// Of a larger file than this nothing is searched or shown to an agent: it would have to be unpacked whole.
const LARGEST: usize = 16 << 20;
/// So much of any other file is, at most.
const BEGINNING: usize = 2 << 20;

/// The beginning of a file; `None` when the repository no longer has it.
fn beginning(repo: &Repository, id: Oid) -> Result<Option<Vec<u8>>, StoreError> {
    let reading = "reading a file of the book";
    let header = repo.odb().doing(reading)?.read_header(id).or_missing(reading)?;
    match header {
        Some((size, _)) if size > LARGEST => Ok(Some(Vec::new())),
        _ => {
            let blob = repo.find_blob(id).or_missing(reading)?;
            Ok(blob.map(|blob| blob.content()[..blob.size().min(BEGINNING)].to_vec()))
        }
    }
}

/// Reads the beginning of the file with that id, at most 2 MiB; nothing of a file of more than 16 MiB. `None` when the
/// repository no longer has it.
pub fn beginning_of(book: &Book, id: &ContentId) -> Result<Option<Vec<u8>>, StoreError> {
    Oid::from_str(&id.to_string()).map_or(Ok(None), |id| beginning(&book.repo, id))
}

/// Reads the file with that id; `None` when the repository no longer has it.
pub fn content(book: &Book, id: &ContentId) -> Result<Option<Vec<u8>>, StoreError> {
    let Ok(id) = Oid::from_str(&id.to_string()) else { return Ok(None) };
    let blob = book.repo.find_blob(id).or_missing("reading a file of the book")?;
    Ok(blob.map(|blob| blob.content().to_vec()))
}

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

/// Keeps the user's own `keys` out of the commits of this book as well.
#[must_use]
pub fn with_keys(book: Book, keys: Vec<SecretString>) -> Book {
    Book { keys, ..book }
}

/// Returns the lines (from 1) of `text` with a key that none of the texts `before` has.
pub fn lines_with_key(book: &Book, text: &[u8], before: &[&[u8]]) -> Vec<usize> {
    key::lines_with_key(text, before, &book.keys)
}

/// The text with a mark in place of each key.
pub(crate) fn without_keys(book: &Book, text: &str) -> String {
    key::masked(text, &book.keys).into_owned()
}

/// The change with a mark in place of each key in its files.
pub(crate) fn change_without_keys(book: &Book, change: &Change) -> Change {
    let masked = |bytes: &Vec<u8>| match std::str::from_utf8(bytes) {
        Ok(text) => without_keys(book, text).into_bytes(),
        Err(_) => bytes.clone(),
    };
    let puts = change.puts.iter().map(|(path, bytes)| (path.clone(), masked(bytes))).collect();
    Change { puts, removes: change.removes.clone() }
}

/// Refuses a commit that would bring a key. A key that a parent, the book's last commit or a commit which the message names
/// has in the same file is no news: that file was looked at before, or the author has committed it with git.
pub(super) fn refuse_keys(book: &Book, tree: Oid, parents: &[Oid], message: &Message) -> Result<(), StoreError> {
    let tip = refs::target(&book.repo, &book.branch_ref())?;
    let mut known = Vec::new();
    for id in parents.iter().copied().chain(tip).chain(message.named_commits()) {
        let commit = book.repo.find_commit(id).or_missing("reading a commit")?;
        known.extend(commit.map(|commit| commit.tree()).transpose().doing("reading a tree")?);
    }
    let tree = book.repo.find_tree(tree).doing("reading a tree")?;
    let mut found = Vec::new();
    new_blobs(book, &tree, &known, &mut |path, blob| {
        found.extend(key_lines(book, path, blob, &known)?.into_iter().map(|line| (path.to_owned(), line)));
        Ok(())
    })?;
    if found.is_empty() { Ok(()) } else { Err(StoreError::Keys { place: CommitSource::Folder, files: found }) }
}

/// Shows `see` each file of `tree` that none of the trees `known` has at its path.
fn new_blobs(
    book: &Book,
    tree: &Tree<'_>,
    known: &[Tree<'_>],
    see: &mut dyn FnMut(&str, Blob) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for difference in tree::differences(&book.repo, known.first(), Some(tree))? {
        let Some(new) = difference.new.filter(|new| new.is_file()) else { continue };
        let is_there = |tree: &Tree<'_>| tree::blob_at(tree, &difference.path).is_some_and(|blob| blob.id == new.id);
        if !known.iter().skip(1).any(is_there) {
            see(&difference.path, new)?;
        }
    }
    Ok(())
}

fn key_lines(book: &Book, path: &str, blob: Blob, known: &[Tree<'_>]) -> Result<Vec<usize>, StoreError> {
    let doing = "reading a file of the book";
    let read = |id: Oid| book.repo.find_blob(id).or_missing(doing).map(|blob| blob.filter(|blob| blob.size() <= MOST));
    let Some(blob) = read(blob.id)? else { return Ok(Vec::new()) };
    if lines_with_key(book, blob.content(), &[]).is_empty() {
        return Ok(Vec::new());
    }
    let olds = known.iter().filter_map(|tree| tree::blob_at(tree, path)).filter(|blob| blob.is_file());
    let olds = olds.map(|old| read(old.id)).collect::<Result<Vec<_>, _>>()?;
    let before: Vec<&[u8]> = olds.iter().flatten().map(git2::Blob::content).collect();
    Ok(lines_with_key(book, blob.content(), &before))
}

/// Returns the keys that commits in the history of `tips` bring and those in the history of `known`, and of what `remote` was
/// last seen to have, do not. Commits that are not here count for nothing.
pub fn keys_to_send(
    book: &Book,
    tips: &[CommitId],
    known: &[CommitId],
    remote: &str,
) -> Result<Vec<SentKey>, StoreError> {
    const DOING: &str = "walking the history";
    let mut walk = book.repo.revwalk().doing(DOING)?;
    let peeled = |id: &CommitId| book.repo.find_object(id.oid(), None).and_then(|o| o.peel_to_commit()).ok();
    tips.iter().filter_map(peeled).try_for_each(|commit| walk.push(commit.id())).doing(DOING)?;
    known.iter().filter_map(peeled).try_for_each(|commit| walk.hide(commit.id())).doing(DOING)?;
    for (_, id) in refs::listed(&book.repo, &format!("refs/remotes/{remote}/"))? {
        walk.hide(id).doing(DOING)?;
    }
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for id in walk {
        let id = id.doing(DOING)?;
        let commit = book.repo.find_commit(id).doing("reading a commit")?;
        let key = |path: Option<&str>, line| SentKey { commit: id.into(), path: path.map(str::to_owned), line };
        let lines = lines_with_key(book, commit.message_raw_bytes(), &[]);
        found.extend(lines.into_iter().map(|line| key(None, line)));
        let tree = commit.tree().doing("reading a tree")?;
        let parents = commit.parents().map(|parent| parent.tree()).collect::<Result<Vec<_>, _>>();
        let parents = parents.doing("reading a tree")?;
        new_blobs(book, &tree, &parents, &mut |path, blob| {
            if seen.insert(blob.id) {
                found.extend(key_lines(book, path, blob, &parents)?.into_iter().map(|line| key(Some(path), line)));
            }
            Ok(())
        })?;
    }
    Ok(found)
}
