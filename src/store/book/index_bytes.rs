//! Git's index of the author's work tree: read, made again where it is missing, and brought up to date after the book was copied
//! or moved.
//! Tracked files that may differ from what git noted of them, found by their figures alone.
//! The content that the author's next `git commit` would have: git's index over the last commit.

use crate::git::disk::system::{FileTime, inode, mtime};
use crate::git::index::{self, HeldIndex, IndexPlace, LockError, is_ignored, is_promise, is_submodule, stage, time_of};
use crate::git::work_tree;
use crate::store::book::change;
use crate::store::book::not_writable;
use crate::store::message::without_claims;
use crate::store::prelude::*;
use git2::{Index, IndexEntry, RepositoryState, Tree};
use std::fs;
use std::io::ErrorKind;

/// True when git's index is missing, or empty after a power cut.
pub(crate) fn lacks_index(book: &Book) -> Result<bool, StoreError> {
    let path = book.index_path();
    match fs::metadata(&path) {
        Ok(meta) => Ok(meta.len() == 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error).at("reading", &path),
    }
}

/// The author's index, and the places that its changing needs.
pub(crate) fn index_place(book: &Book) -> IndexPlace {
    IndexPlace { path: book.index_path(), root: book.root.clone(), temp: book.inner.clone() }
}

/// Git's index; when it is missing, an index of `head`.
pub(crate) fn index_or_of(book: &Book, head: &Tree<'_>) -> Result<Index, StoreError> {
    if lacks_index(book)? { index_of(book, head) } else { index::open(&book.index_path()) }
}

/// An index of `head` under a temporary name, with the times of the files that are unchanged. It is written nowhere yet.
pub(crate) fn index_of(book: &Book, head: &Tree<'_>) -> Result<Index, StoreError> {
    const DOING: &str = "making git's index again";
    let mut index = index::open(&book.inner.fresh()?)?;
    index.read_tree(head).doing(DOING)?;
    let mut blobs = Vec::new();
    tree::walk(&book.repo, head, "", &mut |path, blob| blobs.push((path.to_owned(), blob)))?;
    for (path, blob) in blobs {
        let Ok(meta) = fs::symlink_metadata(book.root.join(&path)) else { continue };
        if work_tree::look(&book.root, &path)?.is(Some(blob)) {
            index.add(&index::entry(&path, blob, Some(&meta))).doing(DOING)?;
        }
    }
    Ok(index)
}

/// So many files that had to be read in vain say that the folder was copied or moved. Fewer cost less to read than the
/// index to write.
const COPIED: usize = 32;

/// Notes in git's index the size, times and inode of every unchanged file, as `git status` does, when as many as
/// `read_in_vain` files had other ones than the index says. Otherwise, and while another program holds the index,
/// nothing is done: each look at the book is only slower.
pub fn refresh_index(session: &Session<'_>, read_in_vain: usize) -> Result<(), StoreError> {
    let book = session.book;
    if read_in_vain < COPIED || not_writable::shows_another(book)? {
        return Ok(());
    }
    let at_once = Wait::new(|_| {});
    let held = match HeldIndex::take(index_place(book), &at_once) {
        Ok(held) => held,
        Err(LockError::Busy(_)) => return Ok(()),
        Err(LockError::Store(e)) => return Err(e),
    };
    let mut index = held.edit()?;
    let written = fs::metadata(book.index_path()).map(|m| mtime(&m)).unwrap_or_default();
    let locked = index.locked_at();
    for path in suspects(&book.root, index.index(), written, EntryFilter::of(&|_| true)) {
        let Some(id) = index.get(&path) else { continue };
        let Ok(meta) = fs::symlink_metadata(book.root.join(&path)) else { continue };
        if mtime(&meta) < locked && work_tree::look(&book.root, &path)?.has(id, &meta) {
            index.note_figures(&path, &meta)?;
        }
    }
    index.save().map(drop)
}

#[derive(Clone, Copy)]
pub struct EntryFilter<'w> {
    quick: &'w dyn Fn(&[u8]) -> bool,
    pub(super) folders: &'w dyn Fn(&str) -> bool,
    wanted: &'w dyn Fn(&str) -> bool,
}

impl<'w> EntryFilter<'w> {
    /// Those that `wanted` names. It is asked only of files that seem to have changed.
    pub fn of(wanted: &'w dyn Fn(&str) -> bool) -> Self {
        Self { quick: &|_| true, folders: &|_| true, wanted }
    }

    /// Of those only what `quick` names. It is asked of the path of every file of the book, to spare a look at the file.
    pub fn among(self, quick: &'w dyn Fn(&[u8]) -> bool) -> Self {
        Self { quick, ..self }
    }

    /// Of those only what is in folders that `folders` names, each with a slash at its end, as are those above it. Other folders
    /// are not even looked through.
    pub fn within(self, folders: &'w dyn Fn(&str) -> bool) -> Self {
        Self { folders, ..self }
    }

    pub(super) fn includes(&self, path: &str) -> bool {
        (self.quick)(path.as_bytes()) && self.may_be_in(path.as_bytes()) && (self.wanted)(path)
    }

    /// Whether anything may be wanted in a folder, which has a slash at its end; the same for the one that a file is in.
    pub(super) fn may_be_in(&self, folder: &[u8]) -> bool {
        let Ok(folder) = std::str::from_utf8(folder) else { return true };
        folder.match_indices('/').all(|(slash, _)| (self.folders)(&folder[..=slash]))
    }
}

/// Tracked files that may differ from what git noted in the index, which was written at `written`.
pub(super) fn suspects(root: &Path, index: &Index, written: FileTime, wanted: EntryFilter<'_>) -> BTreeSet<String> {
    let is_same = |entry: &IndexEntry, path: &str| {
        fs::symlink_metadata(root.join(path)).is_ok_and(|meta| {
            // A file written in the same tick as the index could have been written again since.
            let is_settled = mtime(&meta) < written;
            let inode_fits = entry.ino == 0 || inode(&meta) == 0 || inode(&meta) == entry.ino;
            let fits = meta.len() as u32 == entry.file_size && mtime(&meta) == time_of(entry);
            stage(entry) == 0 && is_settled && fits && inode_fits
        })
    };
    let of_files = index.iter().filter(|entry| !is_ignored(entry) && !is_submodule(entry));
    let paths =
        of_files.filter(|entry| (wanted.quick)(&entry.path) && wanted.may_be_in(&entry.path)).filter_map(|entry| {
            let path = std::str::from_utf8(&entry.path).ok()?;
            (!is_same(&entry, path) && (wanted.wanted)(path)).then(|| path.to_owned())
        });
    paths.collect()
}

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

/// Reads what is staged. Git tells its hooks which repository folder and which index it commits from; without them, those
/// of the book's work tree are taken. `None` before the first commit, and for an index that only git can read.
pub fn staged<'a>(
    book: &'a Book,
    git_dir: Option<&Path>,
    index: Option<&Path>,
) -> Result<Option<Staged<'a>>, StoreError> {
    let linked = linked(book, git_dir)?;
    let repo = linked.as_ref().unwrap_or(&book.repo);
    let head = repo.head().or_missing("reading HEAD")?.and_then(|head| head.target());
    let Some(head) = head else { return Ok(None) };
    let path = index.map_or_else(|| repo.path().join("index"), Path::to_owned);
    let index = match index::open(&path) {
        Err(StoreError::Damaged { .. }) => return Ok(None),
        index => index?,
    };
    let head = book.snapshot_of(head.into())?;
    let (mut files, mut edits) = (Vec::new(), TreeEdits::new());
    for (path, old) in index::differences(&book.repo, head.tree(), &index)? {
        let entry = index::get(&index, &path).filter(|entry| !is_promise(entry));
        let new = entry.map(|entry| Blob { id: entry.id, mode: tree::mode_of(entry.mode as i32) });
        files.push(StagedFile { path: path.clone(), old: old.map(|blob| blob.id), new: new.map(|blob| blob.id) });
        edits.insert(path, new);
    }
    let next = change::edited(book, Some(head.tree().id()), &edits)?;
    let next = head.with_tree(next)?;
    Ok(Some(Staged { repo: &book.repo, is_linked: linked.is_some(), files, head, next }))
}

/// The repository as a linked work tree such as `staging/` sees it; `None` for the book's own folder.
fn linked(book: &Book, git_dir: Option<&Path>) -> Result<Option<Repository>, StoreError> {
    let folder = git_dir.unwrap_or(book.repo.path());
    if fs::canonicalize(folder).ok() == fs::canonicalize(book.repo.path()).ok() {
        return Ok(None);
    }
    Repository::open(folder).map(Some).doing("opening the repository")
}

/// Takes what only the program may claim out of the message of the author's commit in the file at `path`, and returns the
/// lines that are gone. A commit that is amended keeps its own; so does all that git puts together itself in a merge, a
/// rebase or a cherry-pick.
/// Fails when the file cannot be read or written.
pub fn clean_message(book: &Book, git_dir: Option<&Path>, path: &Path) -> Result<Vec<String>, StoreError> {
    let linked = linked(book, git_dir)?;
    let repo = linked.as_ref().unwrap_or(&book.repo);
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
pub fn is_at_top(book: &Book, folder: &Path) -> bool {
    fs::canonicalize(folder).is_ok_and(|folder| fs::canonicalize(&book.root).is_ok_and(|root| root == folder))
}
