//! The work tree of a draft: which files it shows, how it is linked to its repository, and its index, which has every file of
//! the book, those that are not shown marked as not there on purpose.
//! The index is made of the tree whenever that changes, and never read. libgit2 has no way to mark all entries at once: measured
//! on 2026-11-27, making and writing such an index of 24,000 and 80,000 files took 80 and 220 ms, and a draft has half a dozen commits.

use crate::git::index::{IndexLock, LockError, SKIP, entry};
use crate::git::work_tree;
use crate::store::drafts::staging::Staging;
use crate::store::format::renumber::renumbered;
use crate::store::layout;
use crate::store::prelude::*;
use git2::{IndexEntry, Tree};
use sha1::{Digest as _, Sha1};
use std::fs::{self, Metadata};

/// Which files of a draft are on disk: paths, and folders with a final `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftFiles(pub(crate) Vec<String>);

impl DraftFiles {
    /// These paths and folders.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let mut paths: Vec<String> = paths.into_iter().collect();
        paths.sort();
        paths.dedup();
        Self(paths)
    }

    /// Whether nothing is on disk: such a draft is not shown at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, path: &str) -> bool {
        self.0.iter().any(|p| if p.ends_with('/') { path.starts_with(p.as_str()) } else { p == path })
    }

    /// The files of `tree` that are on disk.
    pub(super) fn files(&self, repo: &Repository, tree: &Tree<'_>) -> Result<BTreeMap<String, Blob>, StoreError> {
        let mut files = BTreeMap::new();
        for entry in &self.0 {
            let Some(folder) = entry.strip_suffix('/') else {
                files.extend(tree::blob_at(tree, entry).map(|blob| (entry.clone(), blob)));
                continue;
            };
            let Some(found) = tree.get_path(Path::new(folder)).or_missing("reading a folder of the draft")? else {
                continue;
            };
            if found.kind() == Some(git2::ObjectType::Tree) {
                let below = repo.find_tree(found.id()).doing("reading a folder of the draft")?;
                tree::walk(repo, &below, entry, &mut |path, blob| {
                    files.insert(path.to_owned(), blob);
                })?;
            }
        }
        Ok(files)
    }

    /// As git's sparse checkout wants it.
    pub(super) fn patterns(&self) -> String {
        let escaped = |path: &String| {
            let special = |c: char| if "*?[\\".contains(c) { vec!['\\', c] } else { vec![c] };
            format!("/{}\n", path.chars().flat_map(special).collect::<String>())
        };
        self.0.iter().map(escaped).collect()
    }
}

/// The text of `staging/.git` when the book's `.git` is a folder.
pub(crate) const USUAL_LINK: &str = "../.git/worktrees/staging";
pub(crate) const LOCKED: &str = "the chapter in flight; novel makes and removes this work tree\n";

/// The admin folder that the work tree at `dir` names.
pub(crate) fn linked_admin(dir: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(dir.join(".git")).ok()?;
    Some(dir.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Whether `admin` is of a work tree that we made, be it half-built.
pub(crate) fn is_ours(admin: &Path) -> bool {
    fs::read_to_string(admin.join("locked")).is_ok_and(|text| text == LOCKED)
}

/// Whether `folder` is the work tree of a draft, whose book is one folder up.
pub(crate) fn is_staging(folder: &Path) -> bool {
    folder.file_name().is_some_and(|n| n == "staging")
        && linked_admin(folder).is_some_and(|admin| admin == folder.join(USUAL_LINK) || is_ours(&admin))
}

const EXTENDED: u16 = 0x4000;
/// The flags that hold the length of the path, as far as it fits.
const LENGTH: u16 = 0x0fff;

impl Staging<'_> {
    /// Makes the index one of `tree`, with the figures of those files in `scope` that are as in the tree; git looks at the others itself.
    ///
    /// It is not synced: one that a power cut damages is made again from the branch.
    pub(super) fn write_index(&self, tree: &Tree<'_>, scope: &DraftFiles) -> Result<(), StoreError> {
        let shown = scope.files(self.repo, tree)?.into_iter();
        let shown = shown.map(|(path, blob)| Ok((path.clone(), self.figures(&path, blob)?)));
        let shown: BTreeMap<String, Option<Metadata>> = shown.collect::<Result<_, StoreError>>()?;
        let (mut entries, mut count) = (Vec::new(), 0_u32);
        tree::walk(self.repo, tree, "", &mut |path, blob| {
            let figures = shown.get(path);
            append(&mut entries, &entry(path, blob, figures.and_then(Option::as_ref)), figures.is_none());
            count += 1;
        })?;
        let mut bytes = [&b"DIRC"[..], &3_u32.to_be_bytes(), &count.to_be_bytes(), &entries].concat();
        // Git would do without a checksum; isomorphic-git does not.
        bytes.extend(Sha1::digest(&bytes));
        let (written, path) = (self.inner.fresh()?, self.admin.join("index"));
        let placed = fs::write(&written, bytes);
        placed.and_then(|()| system::rename(&written, &path)).at("writing", &path).inspect_err(|_| {
            let _ = fs::remove_file(&written);
        })
    }

    /// The figures of the file at `path` if it is exactly `blob`.
    fn figures(&self, path: &str, blob: Blob) -> Result<Option<Metadata>, StoreError> {
        let found = work_tree::look(&self.dir, path)?;
        Ok(fs::symlink_metadata(self.dir.join(path)).ok().filter(|meta| found.has(blob.id, meta)))
    }

    /// Takes git's lock on the index; `None` when another git program has it.
    pub(super) fn lock_index(&self) -> Result<Option<IndexLock>, StoreError> {
        let quick = Wait::new(|_| ());
        match IndexLock::take_with(&self.admin.join("index"), self.inner, &quick, &self.syncing()) {
            Ok(lock) => Ok(Some(lock)),
            Err(LockError::Busy(_)) => Ok(None),
            Err(LockError::Store(e)) => Err(e),
        }
    }
}

/// Appends `entry` as version 3 of the format has it; one that `is_hidden` is not in the work tree on purpose.
fn append(out: &mut Vec<u8>, entry: &IndexEntry, is_hidden: bool) {
    let IndexEntry { ctime, mtime, dev, ino, mode, uid, gid, file_size, .. } = entry;
    let times = [ctime, mtime].map(|time| [time.seconds() as u32, time.nanoseconds()]).concat();
    let start = out.len();
    for word in times.iter().chain([dev, ino, mode, uid, gid, file_size]) {
        out.extend(word.to_be_bytes());
    }
    out.extend(entry.id.as_bytes());
    let length = entry.path.len().min(LENGTH.into()) as u16;
    match is_hidden {
        true => [length | EXTENDED, SKIP].iter().for_each(|flags| out.extend(flags.to_be_bytes())),
        false => out.extend(length.to_be_bytes()),
    }
    out.extend(&entry.path);
    // At least one zero byte, up to a multiple of eight.
    out.resize(start + (out.len() - start + 8) / 8 * 8, 0);
}

impl Staging<'_> {
    /// Gives the text of the draft its name back, and its number in the heading, where it is gone and the text of one other
    /// chapter is there: a chapter gets its number in the outline, and its draft follows. Returns the name that the file
    /// had, and the one that it has.
    pub(crate) fn put_back(&self) -> Result<Option<(String, String)>, StoreError> {
        let Some(scope) = self.scope().filter(|_| self.exists()) else { return Ok(None) };
        let is_text = |path: &String| matches!(layout::classify(path), Some(BookPath::Chapter(..)));
        let Some(own) = scope.0.iter().find(|path| is_text(path)) else { return Ok(None) };
        let on_disk = self.on_disk()?;
        let others: Vec<&String> = on_disk.keys().filter(|path| is_text(path)).collect();
        let &[other] = others.as_slice() else { return Ok(None) };
        let was_there = self.shown_trees()?.iter().any(|tree| tree::blob_at(tree, own).is_some());
        let (Some(place), Some(to)) = (layout::classify(other), layout::classify(own).and_then(|own| own.chapter()))
        else {
            return Ok(None);
        };
        let Some(from) = place.chapter().filter(|_| other != own && was_there) else { return Ok(None) };
        let bytes = renumbered(&place, &on_disk[other], Renumbering::Move { from, to });
        self.temp.replace_with(&self.dir.join(own), &bytes, &self.syncing())?;
        let file = self.dir.join(other);
        fs::remove_file(&file).at("removing", &file)?;
        Ok(Some((other.clone(), own.clone())))
    }
}
