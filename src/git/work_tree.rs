//! Bringing files on disk from one commit to another: changed paths only, three blobs compared (old, new, on disk),
//! temporary file, sync, rename. Unknown content is never overwritten.
//! libgit2's checkout is not used: it truncates files in place, takes HEAD for what was there before, and notices a
//! held index lock only after it has rewritten the files.

use crate::git::disk::system::{self, FileTime, inode, mtime};
use crate::git::disk::{SyncAtOnce, TempArea, link_in, read_if_there};
use crate::git::error::{GitContext, IoContext, StoreError};
use crate::git::failpoint::abort_at;
use crate::git::filtered::{cleaned, filter_of, smudged};
use crate::git::index::IndexEdit;
use crate::git::tree::{Blob, TreeDifference};
use crate::git::verification::sync_file;
use git2::{FileMode, ObjectType, Oid, Repository};
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// The content of a path of the work tree.
#[derive(Debug)]
pub(crate) enum PathContent {
    Absent,
    File {
        raw: Oid,
        /// The blob of its bytes with LF for CRLF, when that makes a difference and it is text.
        lf: Option<Oid>,
        print: Print,
    },
    /// A folder, a symbolic link, or something behind one.
    Other,
}

impl PathContent {
    /// Whether this is `blob`; line endings apart, which git would not count as a change either.
    pub(crate) fn is(&self, blob: Option<Blob>) -> bool {
        match (self, blob) {
            (Self::Absent, None) => true,
            (Self::File { raw, lf, .. }, Some(blob)) => *raw == blob.id || *lf == Some(blob.id),
            _ => false,
        }
    }

    /// Whether it is a file of exactly this content, whose metadata is still `meta`.
    pub(crate) fn has(&self, content: Oid, meta: &Metadata) -> bool {
        matches!(self, Self::File { raw, print, .. } if *raw == content && *print == print_of(meta))
    }
}

pub(crate) fn blob_id(bytes: &[u8]) -> Result<Oid, StoreError> {
    Oid::hash_object(ObjectType::Blob, bytes).doing("hashing a file")
}

/// `bytes` with LF for CRLF; `None` when there is no CRLF, or when they are not text.
pub(crate) fn with_lf(bytes: &[u8]) -> Option<Vec<u8>> {
    let has_crlf = bytes.contains(&b'\r') && bytes.windows(2).any(|w| w == b"\r\n");
    if !has_crlf || bytes.contains(&0) {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    Some(out)
}

/// Whether every folder above `path` is a real folder or absent, so that nothing is read or written through a link.
fn is_reachable(root: &Path, path: &str) -> bool {
    let mut folder = root.to_owned();
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in parts {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return false,
            Err(_) => return true,
        }
    }
    true
}

pub(crate) fn look(root: &Path, path: &str) -> Result<PathContent, StoreError> {
    Ok(match bytes_of(root, path)? {
        There::Absent => PathContent::Absent,
        There::Other => PathContent::Other,
        There::File { bytes, print } => {
            let lf = with_lf(&bytes).map(|b| blob_id(&b)).transpose()?;
            PathContent::File { raw: blob_id(&bytes)?, lf, print }
        }
    })
}

/// Looks at a file that git passes through a filter: its blob is that which the filter makes of the bytes. `None` where the filter
/// fails.
fn look_through_filter(root: &Path, path: &str) -> Result<Option<PathContent>, StoreError> {
    Ok(match bytes_of(root, path)? {
        There::Absent => Some(PathContent::Absent),
        There::Other => Some(PathContent::Other),
        There::File { bytes, print } => {
            cleaned(root, path, &bytes).map(|raw| PathContent::File { raw, lf: None, print })
        }
    })
}

/// The bytes of the file at `path` under `root`; `None` when the path is absent or not a file.
pub(crate) fn read(root: &Path, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(match bytes_of(root, path)? {
        There::File { bytes, .. } => Some(bytes),
        There::Absent | There::Other => None,
    })
}

/// As [`PathContent`], the bytes themselves.
enum There {
    Absent,
    File { bytes: Vec<u8>, print: Print },
    Other,
}

fn bytes_of(root: &Path, path: &str) -> Result<There, StoreError> {
    let full = root.join(path);
    if !is_reachable(root, path) {
        return Ok(There::Other);
    }
    let meta = match fs::symlink_metadata(&full) {
        Ok(meta) => meta,
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(There::Absent);
        }
        Err(e) => return Err(e).at("reading", &full),
    };
    if !meta.is_file() {
        return Ok(There::Other);
    }
    // It may have gone while it was looked at.
    Ok(match read_if_there(&full)? {
        Some(bytes) => There::File { bytes, print: print_of(&meta) },
        None => There::Absent,
    })
}

/// Enough of a file's metadata to notice that it was written meanwhile: size, time, inode.
pub(crate) type Print = (u64, FileTime, u32);

pub(crate) fn print_of(meta: &Metadata) -> Print {
    (meta.len(), mtime(meta), inode(meta))
}

#[derive(Debug)]
enum DiskAction {
    Keep,
    /// Rename this temporary file there.
    Write(PathBuf),
    Remove,
}

#[derive(Debug)]
struct DiskStep {
    change: TreeDifference,
    action: DiskAction,
    seen: Option<Print>,
    /// True when git converts the file by the attributes of before.
    is_filtered: bool,
}

/// A file that passes through a filter of git's and cannot be brought up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfiltered {
    pub path: String,
    /// The filter's name in git's settings: `lfs`.
    pub filter: String,
    /// True where the author has changed the file; otherwise git could not run the filter.
    pub is_edited: bool,
}

/// Changes whose new bytes are on the disk under temporary names, so that only renames are left to do.
#[derive(Debug, Default)]
pub(crate) struct PreparedChanges {
    steps: Vec<DiskStep>,
    /// Changes where there is something else than the old or the new content: the author's.
    foreign: Vec<TreeDifference>,
    /// Changes of links and of other repositories, and of files that git passes through a filter that fails. Only git
    /// can put those on disk; until it does they show as changed.
    left_to_git: Vec<TreeDifference>,
    /// Set where the changes bring other attributes, by which git converts other files than before.
    attributes: Option<TempArea>,
    syncing: SyncAtOnce,
}

impl Drop for PreparedChanges {
    fn drop(&mut self) {
        for step in &self.steps {
            if let DiskAction::Write(temp) = &step.action {
                let _ = fs::remove_file(temp);
            }
        }
    }
}

impl PreparedChanges {
    /// Compares `changes` with what is under `root` and writes the new bytes to temporary files.
    pub(crate) fn new(
        repo: &Repository,
        root: &Path,
        temp: &TempArea,
        changes: Vec<TreeDifference>,
    ) -> Result<Self, StoreError> {
        let syncing = SyncAtOnce::of(root, changes.len());
        Self::with(repo, root, temp, changes, syncing)
    }

    /// Compares `changes` with what is under `root` and writes the new bytes to temporary files. `syncing` may have other files to
    /// bring to the disk as well.
    pub(crate) fn with(
        repo: &Repository,
        root: &Path,
        temp: &TempArea,
        changes: Vec<TreeDifference>,
        syncing: SyncAtOnce,
    ) -> Result<Self, StoreError> {
        let mut prepared = Self::default();
        prepared.syncing = syncing;
        let brings_attributes = changes.iter().any(|change| change.path.rsplit('/').next() == Some(".gitattributes"));
        prepared.attributes = brings_attributes.then(|| temp.clone());
        // A file that makes way for a folder, or a folder for a file, is out of the way when its turn comes, because
        // removals come first.
        let (removals, puts): (Vec<_>, Vec<_>) = changes.into_iter().partition(|c| c.new.is_none());
        let mut leaving = BTreeSet::new();
        for change in removals.into_iter().chain(puts) {
            let is_special = |blob: Option<Blob>| blob.is_some_and(|b| !b.is_file());
            // A committed link that is not on disk may be replaced.
            let is_gone =
                change.old.is_some_and(|old| old.mode == FileMode::Link && link_in(root, &change.path).is_none());
            let old = change.old.filter(|_| !is_gone);
            if is_special(change.new) || is_special(old) {
                prepared.left_to_git.push(change);
                continue;
            }
            let is_filtered = filter_of(repo, &change.path)?.is_some();
            let found = match is_filtered {
                true => look_through_filter(root, &change.path)?,
                false => Some(look(root, &change.path)?),
            };
            let Some(mut found) = found else {
                prepared.left_to_git.push(change);
                continue;
            };
            if matches!(found, PathContent::Other) && old.is_none() && makes_way(root, &change.path, &leaving) {
                found = PathContent::Absent;
            }
            let seen = if let PathContent::File { print, .. } = &found { Some(*print) } else { None };
            let action = if found.is(change.new) {
                DiskAction::Keep
            } else if !found.is(old) {
                prepared.foreign.push(change);
                continue;
            } else if let Some(new) = change.new {
                let blob = repo.find_blob(new.id).doing("reading a file of the book")?;
                let filtered = if is_filtered { smudged(root, &change.path, new.id) } else { None };
                if is_filtered && filtered.is_none() {
                    prepared.left_to_git.push(change);
                    continue;
                }
                let bytes = filtered.as_deref().unwrap_or(blob.content());
                let file = temp.write_with(bytes, &prepared.syncing)?;
                keep_permissions(&root.join(&change.path), new, &file);
                DiskAction::Write(file)
            } else {
                leaving.insert(change.path.clone());
                DiskAction::Remove
            };
            prepared.steps.push(DiskStep { change, action, seen, is_filtered });
        }
        // Contents are on the disk before they have their names.
        if prepared.steps.iter().any(|step| matches!(step.action, DiskAction::Write(_))) {
            prepared.syncing.wait()?;
        }
        Ok(prepared)
    }

    /// The sync that [`apply`](Self::apply) ends with; off where it has nothing to bring to the disk.
    pub(crate) fn syncing(&self) -> &SyncAtOnce {
        const OFF: &SyncAtOnce = &SyncAtOnce::OFF;
        if self.steps.is_empty() { OFF } else { &self.syncing }
    }

    /// Does it. Returns the paths that are the author's; those keep the author's content.
    ///
    /// With an `index`, the entries of all paths are set to the new content, even those of files that keep the
    /// author's, so that such a file shows as changed.
    pub(crate) fn apply(mut self, root: &Path, index: Option<&mut IndexEdit>) -> Result<Vec<String>, StoreError> {
        let mut late = Vec::new();
        let mut folders = BTreeSet::new();
        for step in &mut self.steps {
            let full = root.join(&step.change.path);
            let folder = full.parent().unwrap_or(root).to_owned();
            let now = fs::symlink_metadata(&full).ok();
            if now.as_ref().map(print_of) != step.seen && !matches!(step.action, DiskAction::Keep) {
                late.push(step.change.path.clone());
                continue;
            }
            match std::mem::replace(&mut step.action, DiskAction::Keep) {
                // A process that died may have put it there and not synced it.
                DiskAction::Keep if now.is_some() && !self.syncing.is_on() => {
                    sync_file(&full)?;
                }
                DiskAction::Keep => {}
                DiskAction::Write(temp) => {
                    step.seen = fs::symlink_metadata(&temp).ok().as_ref().map(print_of);
                    let placed = self
                        .syncing
                        .create_dirs(&folder)
                        .and_then(|()| system::rename(&temp, &full).at("writing", &full));
                    if placed.is_err() {
                        let _ = fs::remove_file(&temp);
                    }
                    placed?;
                    folders.insert(folder);
                }
                DiskAction::Remove => {
                    match system::remove_file(&full) {
                        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e).at("removing", &full),
                        _ => {}
                    }
                    remove_empty_folders(root, &folder);
                    folders.insert(folder);
                }
            }
            abort_at("tree.file");
        }
        if let Some(temp) = self.attributes.take() {
            self.convert(root, &temp)?;
        }
        if !self.steps.is_empty() {
            self.syncing.settle(&folders)?;
        }
        abort_at("tree.files");
        late.extend(self.foreign());
        late.extend(self.left_to_git.iter().map(|c| c.path.clone()));
        if let Some(index) = index {
            self.note(root, index, &late)?;
        }
        Ok(late)
    }

    /// Gives the files the content that git has for them by the attributes which have just come. A file whose filter fails stays.
    fn convert(&mut self, root: &Path, temp: &TempArea) -> Result<(), StoreError> {
        // The open repository may have the attributes of before in its memory.
        let repo = Repository::open(root).doing("opening the repository")?;
        for step in &mut self.steps {
            let (Some(new), Some(seen)) = (step.change.new, step.seen) else { continue };
            let wanted = match filter_of(&repo, &step.change.path)? {
                Some(_) => smudged(root, &step.change.path, new.id),
                None if step.is_filtered => repo.find_blob(new.id).ok().map(|blob| blob.content().to_vec()),
                None => None,
            };
            let full = root.join(&step.change.path);
            let is_unseen = |full: &Path| fs::symlink_metadata(full).ok().as_ref().map(print_of) == Some(seen);
            if let Some(wanted) = wanted
                && is_unseen(&full)
                && fs::read(&full).is_ok_and(|bytes| bytes != wanted)
            {
                temp.replace(&full, &wanted)?;
                step.seen = fs::symlink_metadata(&full).ok().as_ref().map(print_of);
            }
        }
        Ok(())
    }

    /// Sets the entries of all paths to the new content. The file's times are noted only when it is known to have that
    /// content: it must not have been written since it was looked at or put there.
    fn note(&self, root: &Path, index: &mut IndexEdit, late: &[String]) -> Result<(), StoreError> {
        let ours = self.steps.iter().map(|s| (&s.change, s.seen.filter(|_| !late.contains(&s.change.path))));
        let others = self.foreign.iter().chain(&self.left_to_git).map(|c| (c, None));
        for (change, seen) in ours.chain(others) {
            let Some(blob) = change.new else {
                index.remove(&change.path)?;
                continue;
            };
            let meta = fs::symlink_metadata(root.join(&change.path)).ok().filter(|m| Some(print_of(m)) == seen);
            index.put(&change.path, blob, meta.as_ref())?;
        }
        Ok(())
    }

    /// The paths where there is something else than the old or the new content: the author's.
    pub(crate) fn foreign(&self) -> Vec<String> {
        self.foreign.iter().map(|c| c.path.clone()).collect()
    }

    /// The first file that passes through a filter and cannot be brought up.
    pub(crate) fn unfiltered(&self, repo: &Repository) -> Result<Option<Unfiltered>, StoreError> {
        for (changes, is_edited) in [(&self.foreign, true), (&self.left_to_git, false)] {
            for change in changes {
                if let Some(filter) = filter_of(repo, &change.path)? {
                    return Ok(Some(Unfiltered { path: change.path.clone(), filter, is_edited }));
                }
            }
        }
        Ok(None)
    }

    /// The changes that will be made.
    pub(crate) fn changes(&self) -> impl Iterator<Item = &TreeDifference> {
        self.steps.iter().map(|s| &s.change)
    }
}

/// Gives `temp` the permissions of the file that it will replace; a new one can be run when the commit says so.
fn keep_permissions(target: &Path, new: Blob, temp: &Path) {
    if let Some(meta) = fs::symlink_metadata(target).ok().filter(Metadata::is_file) {
        let _ = fs::set_permissions(temp, meta.permissions());
        return;
    }
    if new.mode == FileMode::BlobExecutable {
        let _ = system::make_executable(temp);
    }
}

/// Whether what stands in the way of a file at `path` is only what is `leaving`: a file where one of its folders will
/// be, or a folder of nothing else.
fn makes_way(root: &Path, path: &str, leaving: &BTreeSet<String>) -> bool {
    let is_leaving_above = path.match_indices('/').any(|(at, _)| leaving.contains(&path[..at]));
    is_leaving_above || (root.join(path).is_dir() && holds_only(root, path, leaving))
}

fn holds_only(root: &Path, folder: &str, leaving: &BTreeSet<String>) -> bool {
    fs::read_dir(root.join(folder)).is_ok_and(|entries| {
        entries.flatten().all(|entry| {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let is_folder = entry.file_type().is_ok_and(|t| t.is_dir());
            if is_folder { holds_only(root, &path, leaving) } else { leaving.contains(&path) }
        })
    })
}

/// Removes `folder` and those above it while they are empty, as git does. Never `root`.
pub(crate) fn remove_empty_folders(root: &Path, folder: &Path) {
    for folder in folder.ancestors().take_while(|f| *f != root && f.starts_with(root)) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_endings_alone_are_no_edit() {
        assert_eq!(with_lf(b"a\r\nb\r\n").as_deref(), Some(&b"a\nb\n"[..]));
        assert_eq!(with_lf(b"a\nb\r"), None);
        assert_eq!(with_lf(b"a\r\n\0"), None);
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("a"), b"1\r\n2\r\n").unwrap();
        let found = look(home.path(), "a").unwrap();
        assert!(found.is(Some(Blob::file(blob_id(b"1\n2\n").unwrap()))));
        assert!(!found.is(Some(Blob::file(blob_id(b"1\n").unwrap()))));
        assert!(!found.is(None));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_reached_through_a_symbolic_link() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("outside")).unwrap();
        fs::write(home.path().join("outside/a"), "x").unwrap();
        fs::create_dir(home.path().join("book")).unwrap();
        std::os::unix::fs::symlink("../outside", home.path().join("book/chapters")).unwrap();
        assert!(matches!(look(&home.path().join("book"), "chapters/a").unwrap(), PathContent::Other));
    }
}
