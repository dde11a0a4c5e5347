//! The author's uncommitted changes, found without reading unchanged files, and committed as the author's own before
//! this program touches those files. Copies that sync programs and file managers leave beside the book's files, texts among the
//! chapters whose names are no chapter's, and chapters that another volume has are told and never taken up.

use crate::domain::chapter::heading_number;
use crate::git::disk::system::mtime;
use crate::git::disk::{link_in, read_if_there};
use crate::git::error::CommitSource;
use crate::git::filtered::filter_of;
use crate::git::index::{self, LockError, is_promise, is_submodule};
use crate::git::work_tree::{self, PathContent};
use crate::store::book::index_bytes::{self, EntryFilter, suspects};
use crate::store::book::transaction::{self, Advance, CommitError};
use crate::store::book::{change, not_writable, recover};
use crate::store::layout::{self, check_path};
use crate::store::prelude::*;
use git2::{AttrCheckFlags, AttrValue, Index};
use std::fs;

/// The author's change to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// It was there before and has other content.
    Modified,
    Deleted,
    Added,
}

/// An uncommitted change of the author's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    pub path: String,
    pub kind: EditKind,
    /// Whether the author ran `git add` on it.
    pub staged: bool,
}

/// Everything that the author changed and did not commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandEdits {
    /// Files that can be committed as the author's own.
    pub edits: Vec<Edit>,
    /// Files that are left to git, each with the reason: filters such as LFS, binary files, links.
    pub left: Vec<(String, GitOnlyReason)>,
    /// How many files had to be read to see that they are unchanged: most of the book after it was copied.
    pub read_in_vain: usize,
}

/// Why a file is left to git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitOnlyReason {
    /// Its commit has a link or another repository there, or git's index has a submodule.
    Special,
    /// A git filter such as LFS keeps it.
    Filtered,
    /// A folder or a link stands at its place, or a link in place of a folder above it.
    NotAFile,
    /// It is not text, and need not be.
    Binary,
}

/// The author's edits, committed.
#[derive(Debug)]
pub struct HandEdit {
    /// Their commit; the tip as it was when the author had staged something and taken it back on disk.
    pub commit: CommitId,
    pub paths: Vec<String>,
    /// A ref that keeps versions which were staged and are neither in the commit nor on disk.
    pub kept_staged: Option<String>,
    /// Files that were left alone, and why.
    pub left: Vec<(String, GitOnlyReason)>,
}

/// The author's uncommitted changes to files that `wanted` wants: tracked ones, and new ones in `folders` (`""`
/// is everywhere). Empty while the work tree shows another commit or branch.
///
/// Takes no lock. Files whose size, time and inode are those that git noted are not read.
pub fn of_author(book: &Book, folders: &[&str], wanted: EntryFilter<'_>) -> Result<HandEdits, StoreError> {
    if not_writable::shows_another(book)? {
        return Ok(HandEdits::default());
    }
    let head = book.commit_tree(book.tip()?.oid())?;
    let written = fs::metadata(book.index_path()).map(|m| mtime(&m)).unwrap_or_default();
    let index = index_bytes::index_or_of(book, &head)?;
    let behind = recover::behind(book)?;
    // An index that is still to be brought up is compared with the commit that it is of: it agrees with that one by folders.
    let before = behind.before().map(|id| book.repo.find_tree(id).doing("reading a tree")).transpose()?;
    let staged = index::differences(&book.repo, before.as_ref().unwrap_or(&head), &index)?;

    let mut candidates = suspects(&book.root, &index, written, wanted);
    candidates.extend(staged.keys().chain(behind.paths()).cloned());
    candidates.extend(untracked(book, &index, folders, wanted)?);
    candidates.retain(|path| wanted.includes(path));

    let mut found = HandEdits::default();
    let linked = folders.iter().filter(|folder| link_in(&book.root, folder).is_some());
    found.left.extend(linked.map(|folder| (format!("{}/", folder.trim_end_matches('/')), GitOnlyReason::NotAFile)));
    for path in candidates {
        // Files that an unfinished transaction has not brought up yet are not edits.
        if behind.explains(&book.root, &index, &path) {
            continue;
        }
        let was = tree::blob_at(&head, &path);
        let is_staged = staged.contains_key(&path) && !behind.is_noted(&index, &path);
        let is_submodule = index::get(&index, &path).is_some_and(|entry| is_submodule(&entry));
        match if is_submodule { FileVerdict::Left(GitOnlyReason::Special) } else { judge(book, &path, was)? } {
            FileVerdict::Same if !is_staged => found.read_in_vain += 1,
            // Staged and taken back on disk.
            FileVerdict::Same => {
                let kind = if was.is_some() { EditKind::Modified } else { EditKind::Deleted };
                found.edits.push(Edit { path, kind, staged: true });
            }
            FileVerdict::Left(why) => found.left.push((path, why)),
            FileVerdict::Edited(kind) => found.edits.push(Edit { path, kind, staged: is_staged }),
        }
    }
    Ok(found)
}

/// The chapters that the work tree has and the last commit does not, each with its delta beside it: a reset that keeps
/// the files leaves accepted chapters so. Only the last volume and later ones are looked at.
pub fn stray_chapters(book: &Book) -> Result<BTreeMap<ChapterNo, VolumeNo>, StoreError> {
    if not_writable::shows_another(book)? {
        return Ok(BTreeMap::new());
    }
    let contents = book.contents_of(book.tip()?)?;
    let from = contents.last().and_then(|last| contents.volume_of(last)).unwrap_or(VolumeNo::FIRST);
    let mut strays = chapters_on_disk(book, from);
    strays.retain(|chapter, volume| !contents.has(*chapter) && is_file(book, &layout::delta(*volume, *chapter)));
    Ok(strays)
}

fn is_file(book: &Book, path: &str) -> bool {
    matches!(work_tree::look(&book.root, path), Ok(PathContent::File { .. }))
}

/// The chapters that have files in the folders of the volumes from that one on.
pub(crate) fn chapters_on_disk(book: &Book, from: VolumeNo) -> BTreeMap<ChapterNo, VolumeNo> {
    let names = |folder: &str| {
        let folder = Some(book.root.join(folder)).filter(|_| link_in(&book.root, folder).is_none());
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let mut found = BTreeMap::new();
    for volume in
        names(layout::CHAPTERS).iter().filter_map(|name| layout::volume_named(name)).filter(|volume| *volume >= from)
    {
        let chapters = names(&format!("{}/{volume}", layout::CHAPTERS));
        let chapters = chapters.iter().filter_map(|name| layout::chapter_named(name));
        found.extend(
            chapters.filter(|of| is_file(book, &layout::chapter(volume, *of))).map(|chapter| (chapter, volume)),
        );
    }
    found
}

fn judge(book: &Book, path: &str, was: Option<Blob>) -> Result<FileVerdict, StoreError> {
    if was.is_some_and(|b| !b.is_file()) {
        return Ok(FileVerdict::Left(GitOnlyReason::Special));
    }
    let found = work_tree::look(&book.root, path)?;
    if found.is(was) {
        return Ok(FileVerdict::Same);
    }
    if filter_of(&book.repo, path)?.is_some() {
        return Ok(FileVerdict::Left(GitOnlyReason::Filtered));
    }
    Ok(match (found, was) {
        (PathContent::Other, _) => FileVerdict::Left(GitOnlyReason::NotAFile),
        (PathContent::Absent, _) => FileVerdict::Edited(EditKind::Deleted),
        // A text of the book with zero bytes is damaged, which the caller has to know.
        (PathContent::File { .. }, _)
            if !layout::classify(path).is_some_and(|place| place.is_text()) && is_binary(&book.root.join(path))? =>
        {
            FileVerdict::Left(GitOnlyReason::Binary)
        }
        (PathContent::File { .. }, Some(_)) => FileVerdict::Edited(EditKind::Modified),
        (PathContent::File { .. }, None) => FileVerdict::Edited(EditKind::Added),
    })
}

/// Files in `folders` that git does not track and does not ignore.
fn untracked(book: &Book, index: &Index, folders: &[&str], wanted: EntryFilter<'_>) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    // Below these folders no link is followed either.
    let mut todo: Vec<String> = folders
        .iter()
        .filter(|folder| link_in(&book.root, folder).is_none())
        .map(|f| if f.is_empty() { String::new() } else { format!("{}/", f.trim_end_matches('/')) })
        .collect();
    while let Some(prefix) = todo.pop() {
        let folder = book.root.join(&prefix);
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let entry = entry.at("reading", &folder)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().at("reading", &folder)?;
            if check_path(&path).is_err() || index::has(index, &path) {
                continue;
            }
            let inside = format!("{path}/");
            if kind.is_dir() && !(wanted.folders)(&inside) {
                continue;
            }
            if kind.is_dir() && !entry.path().join(".git").exists() {
                todo.push(inside);
            } else if kind.is_file() && !book.repo.is_path_ignored(&path).doing("reading .gitignore")? {
                found.push(path);
            }
        }
    }
    Ok(found)
}

enum FileVerdict {
    Same,
    Edited(EditKind),
    Left(GitOnlyReason),
}

/// As git decides it: a zero byte among the first eight thousand.
fn is_binary(path: &Path) -> Result<bool, StoreError> {
    let bytes = read_if_there(path)?.unwrap_or_default();
    Ok(bytes.iter().take(8000).any(|b| *b == 0))
}

/// A version of a file that exists in the index only.
type StagedOnly = BTreeMap<String, Oid>;

impl Session<'_> {
    /// Commits the author's uncommitted changes to files that `wanted` wants as the author's own, in one commit.
    /// The files on disk are not touched; what the author staged for other files stays staged.
    /// Fails with [`CommitError`]; nothing has changed then.
    pub fn adopt(
        &self,
        folders: &[&str],
        wanted: EntryFilter<'_>,
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<Option<HandEdit>, CommitError> {
        // The author may save a file, or commit it, between our looking and our committing; then we look again.
        let mut tries = 3;
        loop {
            match self.try_adopt(folders, wanted, message, author, time) {
                Err(CommitError::AuthorEdited { .. } | CommitError::Moved { .. }) if tries > 0 => tries -= 1,
                other => return other,
            }
        }
    }

    fn try_adopt(
        &self,
        folders: &[&str],
        wanted: EntryFilter<'_>,
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<Option<HandEdit>, CommitError> {
        let book = self.book;
        let tip = book.tip()?;
        let HandEdits { edits: found, left, .. } = of_author(book, folders, wanted)?;
        if found.is_empty() {
            return Ok(None);
        }
        let head = book.commit_tree(tip.oid())?;
        let (mut edits, mut now) = (TreeEdits::new(), BTreeMap::new());
        for edit in &found {
            let blob = match edit.kind {
                EditKind::Deleted => None,
                EditKind::Modified | EditKind::Added => Some(Blob::file(authors_blob(self, &edit.path)?)),
            };
            now.insert(edit.path.clone(), blob.map(|b| b.id));
            edits.insert(edit.path.clone(), blob);
        }
        let kept_staged = keep_staged(self, tip, &now, author, time)?;
        let tree = change::edited(book, Some(head.id()), &edits)?;
        if tree == head.id() {
            // Only the index differed: it is put in order, and there is nothing to commit.
            reset_index(self, &edits)?;
            return Ok(Some(HandEdit { commit: tip, paths: now.into_keys().collect(), kept_staged, left }));
        }
        let advance = Advance { tree, from: Some(tip.oid()), merged: &[], message, keep: &[], author, time };
        let committed = transaction::advance_over_index(self, &advance, &now.keys().cloned().collect())?;
        if let Some(e) = committed.lagging {
            return Err(e.into());
        }
        let paths = found.into_iter().map(|e| e.path).collect();
        Ok(Some(HandEdit { commit: committed.id, paths, kept_staged, left }))
    }
}

/// Makes the index say what `edits` say. Git looks at the files themselves, which may have other content until they are committed.
pub(super) fn reset_index(session: &Session<'_>, edits: &TreeEdits) -> Result<(), LockError> {
    let mut index = session.take_index()?.edit()?;
    for (path, blob) in edits {
        match blob {
            None => index.remove(path)?,
            Some(blob) => index.put(path, *blob, None)?,
        }
    }
    index.save()?;
    Ok(())
}

/// The file as git would store it: text with LF where the book's attributes say so.
fn authors_blob(session: &Session<'_>, path: &str) -> Result<Oid, StoreError> {
    let repo = &session.book.repo;
    let gone = || StoreError::Damaged { what: format!("`{path}` has gone while it was read") };
    let bytes = work_tree::read(&session.book.root, path)?.ok_or_else(gone)?;
    let attribute =
        |name| repo.get_attr(Path::new(path), name, AttrCheckFlags::FILE_THEN_INDEX).doing("reading .gitattributes");
    let is_text = matches!(AttrValue::from_string(attribute("text")?), AttrValue::True)
        || matches!(AttrValue::from_string(attribute("text")?), AttrValue::String("auto"))
        || attribute("eol")?.is_some()
        || repo.config().and_then(|c| c.get_string("core.autocrlf")).is_ok_and(|v| v == "true" || v == "input");
    let stored = if is_text { work_tree::with_lf(&bytes).unwrap_or(bytes) } else { bytes };
    change::blob(session.book, &stored)
}

/// Keeps versions that the author staged and then changed again, or took back on disk: they are in no commit.
pub(crate) fn keep_staged(
    session: &Session<'_>,
    tip: CommitId,
    now: &BTreeMap<String, Option<Oid>>,
    author: &Identity,
    time: Moment,
) -> Result<Option<String>, StoreError> {
    let book = session.book;
    let head = book.commit_tree(tip.oid())?;
    let index = index_bytes::index_or_of(book, &head)?;
    let mut staged_only = StagedOnly::new();
    for (path, on_disk) in now {
        let was = tree::blob_at(&head, path).map(|b| b.id);
        let staged = index::get(&index, path).filter(|entry| !is_promise(entry)).map(|entry| entry.id);
        if let Some(staged) = staged.filter(|staged| Some(*staged) != *on_disk && Some(*staged) != was) {
            staged_only.insert(path.clone(), staged);
        }
    }
    if staged_only.is_empty() {
        return Ok(None);
    }
    let edits: TreeEdits = staged_only.into_iter().map(|(path, id)| (path, Some(Blob::file(id)))).collect();
    let tree = change::edited(book, Some(head.id()), &edits)?;
    let message = Message::new(Kind::HandEdit, Subject::StagedOnly);
    let id = session.write_commit_on(tree, tip.oid(), &message, author, time);
    let id = id.map_err(|error| error.of_keys_in(CommitSource::Index))?;
    session.keep(&format!("staged/{}", CommitId::from(id).short()), id).map(Some)
}

/// A file in the book's folders that the book does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrayCopy {
    /// Relative to the book's folder.
    pub path: String,
    /// The file that its name begins with, or that has the chapter's number.
    pub of: Option<String>,
}

const FOLDERS: [&str; 15] = [
    layout::CHAPTERS,
    "characters",
    "evaluations",
    layout::LEDGER_FOLDER,
    "logs",
    "memory",
    layout::PROMPTS,
    layout::QUALITY,
    layout::RESEARCH,
    layout::SAMPLES,
    layout::STATE_FOLDER,
    "storylines",
    "summaries",
    layout::VOLUMES,
    "world",
];

/// The stray copies in the folder of the book and in git's.
pub fn stray_copies(book: &Book) -> Result<Vec<StrayCopy>, StoreError> {
    let mut found = Vec::new();
    let mut folders: Vec<String> = FOLDERS.map(str::to_owned).to_vec();
    let mut own = Vec::new();
    in_folder(book.root(), "", &mut Vec::new(), &mut found, &mut own)?;
    while let Some(folder) = folders.pop() {
        in_folder(book.root(), &folder, &mut folders, &mut found, &mut own)?;
    }
    let contents = book.contents_of(book.tip()?)?;
    found.extend(own.into_iter().filter_map(|(path, _)| match layout::classify(&path)? {
        BookPath::Chapter(volume, chapter) => {
            let counts = contents.volume_of(chapter).filter(|counts| *counts != volume)?;
            Some(StrayCopy { path, of: Some(layout::chapter(counts, chapter)) })
        }
        _ => None,
    }));
    let mut in_git = vec![book.repo.commondir().to_owned()];
    while let Some(folder) = in_git.pop() {
        let is_top = folder == book.repo.commondir();
        for entry in fs::read_dir(&folder).at("reading", &folder)?.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                in_git.extend((!is_top || name == "refs").then_some(path));
            } else if is_copied_by_sync(&name) {
                let path = path.strip_prefix(book.root()).unwrap_or(&path).display().to_string();
                found.push(StrayCopy { path, of: None });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// True for a name that git gives to none of its files.
fn is_copied_by_sync(name: &str) -> bool {
    name.contains(' ') || name.contains("sync-conflict")
}

/// Adds the stray copies of one folder, the folders in it, and its files of the book with their names.
fn in_folder(
    root: &Path,
    folder: &str,
    folders: &mut Vec<String>,
    found: &mut Vec<StrayCopy>,
    all: &mut Vec<(String, String)>,
) -> Result<(), StoreError> {
    let full = root.join(folder);
    if !fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_dir()) {
        return Ok(());
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&full).at("reading", &full)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push(path),
            Ok(kind) if kind.is_file() && layout::is_book_path(&path) => own.push((path, name)),
            Ok(kind) if kind.is_file() && !layout::is_leftover(&path) => others.push((path, name)),
            _ => {}
        }
    }
    for (path, name) in others {
        let begins = |(_, own): &&(String, String)| {
            let (stem, ending) = own.rsplit_once('.').unwrap_or((own, ""));
            let rest = name.strip_prefix(stem).filter(|_| !stem.is_empty());
            name.ends_with(ending) && rest.is_some_and(|rest| rest.starts_with([' ', '.', '(']))
        };
        let of = own.iter().filter(begins).map(|(path, _)| path.clone()).next();
        let is_named = name.starts_with("chapter-") || heading_number(&name).is_some();
        let is_text = folder.starts_with(layout::CHAPTERS) && is_named && name.ends_with(".md");
        if of.is_some() || is_text || layout::is_copy(&path) {
            found.push(StrayCopy { path, of });
        }
    }
    all.extend(own);
    Ok(())
}
