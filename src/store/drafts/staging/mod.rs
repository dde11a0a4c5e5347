//! The folder `staging/`: a linked work tree on the branch of the draft in flight, made by hand.
//!
//! Its commits carry the whole book, and only the files of the chapter in flight are on disk (the others are marked
//! `skip-worktree`), so that `git -C staging status`, `log` and `diff main` work and cost nothing. Git's own
//! `worktree add` would check out every file and write absolute paths, which break when the book is moved or copied.
//!
//! Order makes it safe to die anywhere: `locked` is written first, `staging/.git` last; a half-built one is built again.
//! `novel-at` names the commit that the folder was last brought to, which tells "behind" from "edited by the author". While
//! it is brought to another one, the file names both.
//!
//! Everything here follows from the branch, so little of it is synced: contents before they have their names, so that no
//! half-written file is taken for the author's, and the names before the branch moves on.

use crate::git::disk::{SyncAtOnce, TempArea, link_in};
use crate::git::filtered::separate_work_trees;
use crate::git::objects::Objects;
use crate::git::work_tree::{self, PathContent, PreparedChanges};
use crate::store::book::not_writable::{Obstacle, Obstruction};
use crate::store::drafts::staging::shown::{DraftFiles, LOCKED, USUAL_LINK, is_ours, linked_admin};
use crate::store::layout::{self, STAGING};
use crate::store::prelude::*;
use git2::Tree;
use std::fs;
use std::io::Read;

/// The file in the admin folder that names the commit on disk; the one before it as well while files change.
const MARKER: &str = "novel-at";
/// The file in the admin folder that lists the paths that are shown.
const SCOPE: &str = "novel-scope";

/// Something that the author did in `staging/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagingEdit {
    pub path: String,
    /// The bytes that are there; `None` when the author removed the file.
    pub bytes: Option<Vec<u8>>,
}

/// The work tree of drafts.
pub(crate) struct Staging<'b> {
    repo: &'b Repository,
    temp: &'b TempArea,
    inner: &'b TempArea,
    objects: &'b Objects,
    pub(crate) dir: PathBuf,
    /// The folder in which git keeps its records of it.
    admin: PathBuf,
    root: PathBuf,
}

fn staging_admin(book: &Book) -> PathBuf {
    let name = match book.repo.path().file_name() {
        Some(name) if book.repo.is_worktree() => format!("staging-{}", name.to_string_lossy()),
        _ => "staging".to_owned(),
    };
    book.repo.commondir().join("worktrees").join(name)
}

pub(crate) fn staging_index(book: &Book) -> PathBuf {
    staging_admin(book).join("index")
}

/// The folder of the draft in flight; it exists while there is one.
fn staging_dir(book: &Book) -> PathBuf {
    book.root.join("staging")
}

/// True when `staging/` is there and shows the draft of this work.
pub fn is_in_staging(book: &Book, work: impl Into<Work>) -> bool {
    let staging = of_book(book);
    staging.dir.is_dir() && staging.exists() && staging.branch() == Some(book.draft_ref(work.into()))
}

/// The links at the places of files that `staging/` shows or of folders above them, and a link or a folder of the author's in
/// place of `staging/` itself.
pub fn obstructions_in_staging(book: &Book) -> Vec<Obstruction> {
    let staging = of_book(book);
    let obstruction = |path: String, block| Obstruction { full: book.root.join(&path), path, block };
    if staging.is_link() {
        return vec![obstruction(STAGING.to_owned(), Obstacle::LinkedFolder)];
    }
    if staging.is_foreign() {
        return vec![obstruction(STAGING.to_owned(), Obstacle::Untracked)];
    }
    let scope = staging.scope().filter(|_| staging.exists()).unwrap_or_default();
    let links: BTreeSet<&str> = scope.0.iter().filter_map(|path| link_in(&staging.dir, path)).collect();
    let block = |link| if scope.0.iter().any(|path| path == link) { Obstacle::Link } else { Obstacle::LinkedFolder };
    links.into_iter().map(|link| obstruction(format!("{STAGING}/{link}"), block(link))).collect()
}

pub(crate) fn of_book(book: &Book) -> Staging<'_> {
    Staging {
        repo: &book.repo,
        temp: &book.temp,
        inner: &book.inner,
        objects: &book.objects,
        dir: staging_dir(book),
        admin: staging_admin(book),
        root: book.root.clone(),
    }
}

impl Staging<'_> {
    pub(crate) fn branch(&self) -> Option<String> {
        let head = fs::read_to_string(self.admin.join("HEAD")).ok()?;
        head.trim().strip_prefix("ref:").map(|b| b.trim().to_owned())
    }

    /// Whether a folder of ours, whole or half-built, is there.
    pub(crate) fn exists(&self) -> bool {
        is_ours(&self.admin) && !self.is_link()
    }

    /// Whether there is a link `staging`, or a folder with files that we did not make. An editor's lock in it,
    /// which is a link, does not count.
    pub(crate) fn is_foreign(&self) -> bool {
        self.is_link() || !self.exists() && !self.is_linked() && has_file(&self.dir)
    }

    /// Whether the folder is ours by its own word.
    fn is_linked(&self) -> bool {
        linked_admin(&self.dir).is_some_and(|admin| admin == self.dir.join(self.links().1))
    }

    /// The files of a folder of ours that git has no records of any more, after a `git worktree prune`; empty for any other.
    pub(crate) fn unrecorded(&self) -> Result<DraftFiles, StoreError> {
        let is_lost = !self.is_link() && !self.exists() && self.is_linked();
        Ok(if is_lost { DraftFiles::new(self.on_disk()?.into_keys()) } else { DraftFiles::default() })
    }

    /// Writes the first of the records, by which the folder is ours.
    pub(crate) fn claim(&self) -> Result<(), StoreError> {
        let syncing = self.syncing();
        syncing.create_dirs(&self.admin.join("info"))?;
        self.inner.replace_with(&self.admin.join("locked"), LOCKED.as_bytes(), &syncing)
    }

    fn is_link(&self) -> bool {
        fs::symlink_metadata(&self.dir).is_ok_and(|meta| meta.is_symlink())
    }

    /// Whether every part of it is there. A power cut may have taken any of them.
    fn is_whole(&self) -> bool {
        let link = format!("gitdir: {}\n", self.links().1);
        let has = |path: PathBuf, text: &str| fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes());
        let has_records = |(branch, scope): (String, DraftFiles)| {
            self.admin_files(&branch, &scope).iter().all(|(name, text)| has(self.admin.join(name), text))
        };
        self.branch().zip(self.scope()).is_some_and(has_records)
            && self.at().is_some()
            && self.index_is_sound()
            && has(self.dir.join(".git"), &link)
    }

    /// Git's records of the work tree, and the list of files that it shows.
    fn admin_files(&self, branch: &str, scope: &DraftFiles) -> [(&'static str, String); 6] {
        [
            ("HEAD", format!("ref: {branch}\n")),
            ("commondir", "../..\n".to_owned()),
            ("gitdir", format!("{}\n", self.links().0)),
            ("config.worktree", "[core]\n\tsparseCheckout = true\n\tsparseCheckoutCone = false\n".to_owned()),
            ("info/sparse-checkout", scope.patterns()),
            (SCOPE, scope.0.join("\n")),
        ]
    }

    /// As far as its first bytes tell; a power cut leaves an index empty.
    fn index_is_sound(&self) -> bool {
        let mut head = [0; 12];
        let read = fs::File::open(self.admin.join("index")).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head.starts_with(b"DIRC")
    }

    /// The commit that it was last brought to, and the one that it is being brought to, if any: each file is one of the two.
    fn at(&self) -> Option<(Oid, Option<Oid>)> {
        let text = fs::read_to_string(self.admin.join(MARKER)).ok()?;
        let mut commits =
            text.lines().map(|line| self.repo.find_commit(Oid::from_str(line).ok()?).ok().map(|c| c.id()));
        let at = commits.next()??;
        Some((at, commits.next().map_or(Some(None), |next| next.map(Some))?))
    }

    /// The trees that its files are of.
    fn shown_trees(&self) -> Result<Vec<Tree<'_>>, StoreError> {
        let commits = self.at().into_iter().flat_map(|(at, next)| [Some(at), next]).flatten();
        commits.map(|id| tree::of_commit(self.repo, id)).collect()
    }

    /// Whether it is whole and shows `tip`.
    pub(crate) fn is_at(&self, tip: Option<Oid>) -> bool {
        self.is_whole() && self.at() == tip.map(|tip| (tip, None))
    }

    /// The files that it shows.
    pub(crate) fn scope(&self) -> Option<DraftFiles> {
        let text = fs::read_to_string(self.admin.join(SCOPE)).ok()?;
        Some(DraftFiles(text.lines().map(str::to_owned).collect()))
    }

    /// Shows the commit `tip` of `branch`. The author's changes stay; it is cheap when there is nothing to do.
    ///
    /// Returns whether anything had to be done.
    pub(crate) fn show(&self, branch: &str, tip: Oid, scope: &DraftFiles) -> Result<bool, StoreError> {
        let same = self.is_whole() && self.branch().as_deref() == Some(branch) && self.scope().as_ref() == Some(scope);
        if !same {
            self.build(branch, tip, scope)?;
            return Ok(true);
        }
        match self.at() {
            Some((at, None)) if at == tip => Ok(false),
            Some((at, next)) => match self.bring_up_by_way_of(next, at, tip, scope) {
                Err(StoreError::Damaged { .. }) => self.build(branch, tip, scope).map(|()| true),
                brought => brought.map(|()| true),
            },
            None => Ok(false),
        }
    }

    /// Brings the folder from the commit `at` to `tip`. One that was on its way to another commit gets there first.
    fn bring_up_by_way_of(&self, next: Option<Oid>, at: Oid, tip: Oid, scope: &DraftFiles) -> Result<(), StoreError> {
        let mut at = at;
        for to in next.into_iter().chain([tip]) {
            // While another git program has the index, some of it waits for the next time.
            if at != to && !self.bring_up(at, to, scope)? {
                break;
            }
            at = to;
        }
        Ok(())
    }

    /// Brings the folder from the commit `at` to `tip`. `false` when another git program has the index: both are noted then.
    fn bring_up(&self, at: Oid, tip: Oid, scope: &DraftFiles) -> Result<bool, StoreError> {
        let syncing = self.syncing();
        let old = tree::of_commit(self.repo, at)?;
        let new = tree::of_commit(self.repo, tip)?;
        let changes = tree::differences(self.repo, Some(&old), Some(&new))?;
        let shown: Vec<TreeDifference> = changes.iter().filter(|c| scope.contains(&c.path)).cloned().collect();
        self.mark(&[at, tip], &syncing)?;
        abort_at("staging.marked");
        let prepared = PreparedChanges::with(self.repo, &self.dir, self.temp, shown, syncing)?;
        prepared.apply(&self.dir, None)?;
        abort_at("staging.file");
        let Some(_lock) = self.lock_index()? else { return Ok(false) };
        self.write_index(&new, scope)?;
        abort_at("staging.index");
        self.mark(&[tip], &self.syncing())?;
        Ok(true)
    }

    /// Notes the commits that the files are of. Both are known before a file changes, so that it does not matter when one alone
    /// gets to the disk.
    fn mark(&self, commits: &[Oid], syncing: &SyncAtOnce) -> Result<(), StoreError> {
        let text: String = commits.iter().map(|id| format!("{id}\n")).collect();
        self.inner.replace_with(&self.admin.join(MARKER), text.as_bytes(), syncing)?;
        syncing.sync_dir(&self.admin)
    }

    /// One call for the folder and for git's records of it, where they are on one file system.
    fn syncing(&self) -> SyncAtOnce {
        let disk = |path: &Path| path.ancestors().find_map(system::file_id).map(|id| id.disk);
        let files = if disk(&self.dir) == disk(&self.admin) { usize::MAX } else { 0 };
        SyncAtOnce::of(&self.root, files)
    }

    /// Builds it again. Files that are there and are not `tip`'s stay when the object store does not have them.
    pub(super) fn build(&self, branch: &str, tip: Oid, scope: &DraftFiles) -> Result<(), StoreError> {
        let tree = tree::of_commit(self.repo, tip)?;
        let known = self.shown_trees()?;
        // Sparse checkout must be on for this work tree alone.
        separate_work_trees(self.repo)?;
        self.claim()?;
        let syncing = self.syncing();
        let put = |name: &str, text: &str| self.inner.replace_with(&self.admin.join(name), text.as_bytes(), &syncing);
        abort_at("staging.admin");
        let _ = fs::remove_file(self.admin.join(MARKER));
        self.admin_files(branch, scope).iter().try_for_each(|(name, text)| put(name, text))?;
        syncing.sync_dir(&self.admin)?;
        fs::create_dir_all(&self.dir).at("creating", &self.dir)?;

        let wanted = scope.files(self.repo, &tree)?;
        let mut changes = Vec::new();
        for (path, bytes_there) in self.on_disk()? {
            let there = work_tree::blob_id(&bytes_there)?;
            let is_known = self.objects.has(self.repo, there);
            let was_ours = known.iter().any(|tree| tree::blob_at(tree, &path).is_some_and(|was| was.id == there));
            if !wanted.contains_key(&path) && is_known && was_ours {
                changes.push(TreeDifference { path, old: Some(Blob::file(there)), new: None });
            } else if let Some(new) = wanted.get(&path)
                && is_known
            {
                changes.push(TreeDifference { path, old: Some(Blob::file(there)), new: Some(*new) });
            }
        }
        for (path, new) in &wanted {
            if !changes.iter().any(|c| c.path == *path) {
                changes.push(TreeDifference { path: path.clone(), old: None, new: Some(*new) });
            }
        }
        PreparedChanges::with(self.repo, &self.dir, self.temp, changes, syncing)?.apply(&self.dir, None)?;
        self.write_index(&tree, scope)?;
        let syncing = self.syncing();
        self.mark(&[tip], &syncing)?;
        abort_at("staging.built");
        let link = format!("gitdir: {}\n", self.links().1);
        self.temp.replace_with(&self.dir.join(".git"), link.as_bytes(), &syncing)?;
        syncing.sync_dir(&self.dir)
    }

    /// How the admin folder and the folder name each other: relative where the book's own `.git` is a folder, so that
    /// a moved or copied book keeps working.
    fn links(&self) -> (String, String) {
        let usual = self.root.join(".git").is_dir() && !self.repo.is_worktree();
        if usual {
            ("../../../staging/.git".to_owned(), USUAL_LINK.to_owned())
        } else {
            let text = |p: PathBuf| p.to_string_lossy().into_owned();
            (text(self.dir.join(".git")), text(self.admin.clone()))
        }
    }

    /// Every file that is there except `.git`, with its bytes as git keeps them: the line endings of another editor
    /// do not count as a change.
    fn on_disk(&self) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
        let mut files = BTreeMap::new();
        let mut folders = vec![String::new()];
        while let Some(prefix) = folders.pop() {
            let folder = self.dir.join(&prefix);
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(e).at("reading", &folder),
            };
            for entry in entries {
                let entry = entry.at("reading", &folder)?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = format!("{prefix}{name}");
                let kind = entry.file_type().at("reading", &folder)?;
                if path == ".git" {
                    continue;
                }
                if kind.is_dir() {
                    folders.push(format!("{path}/"));
                } else if kind.is_file() {
                    let bytes = fs::read(entry.path()).at("reading", &entry.path())?;
                    files.insert(path, work_tree::with_lf(&bytes).unwrap_or(bytes));
                }
            }
        }
        Ok(files)
    }

    /// The author's edits: files that are neither as in `tip` nor as in a commit that the folder was last brought to,
    /// which may be some results earlier. Editors' own files and ignored ones do not count.
    pub(crate) fn edits(&self, tip: Oid) -> Result<Vec<StagingEdit>, StoreError> {
        let Some(scope) = self.scope().filter(|_| self.is_whole()) else { return Ok(Vec::new()) };
        let tree = tree::of_commit(self.repo, tip)?;
        let shown = self.shown_trees()?;
        let mut edits = Vec::new();
        let on_disk = self.on_disk()?;
        for path in scope.files(self.repo, shown.first().unwrap_or(&tree))?.into_keys() {
            let is_gone = || Ok::<_, StoreError>(matches!(work_tree::look(&self.dir, &path)?, PathContent::Absent));
            if !on_disk.contains_key(&path) && tree::blob_at(&tree, &path).is_some() && is_gone()? {
                edits.push(StagingEdit { path, bytes: None });
            }
        }
        for (path, bytes) in on_disk {
            let there = work_tree::blob_id(&bytes)?;
            let blobs: Vec<Blob> = [&tree].into_iter().chain(&shown).filter_map(|t| tree::blob_at(t, &path)).collect();
            let is_new = blobs.is_empty();
            let is_ours = blobs.iter().any(|blob| blob.id == there);
            if is_ours || (is_new && (is_litter(&path) || self.is_ignored(&path))) {
                continue;
            }
            if crate::store::layout::check_path(&path).is_ok() {
                edits.push(StagingEdit { path, bytes: Some(bytes) });
            }
        }
        edits.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(edits)
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.repo.is_path_ignored(path).unwrap_or(false)
    }

    /// Files there that are in no commit: neither in `tip` nor in the one that the folder was brought up to. Removing them
    /// would lose something, be it that git has the bytes because the author ran `git add`.
    pub(crate) fn unknown(&self, tip: Option<Oid>) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
        let mut trees = self.shown_trees()?;
        trees.extend(tip.map(|tip| tree::of_commit(self.repo, tip)).transpose()?);
        let mut unknown = BTreeMap::new();
        for (path, bytes) in self.on_disk()? {
            let id = work_tree::blob_id(&bytes)?;
            let is_ours = trees.iter().any(|tree| tree::blob_at(tree, &path).is_some_and(|blob| blob.id == id));
            let is_kept = self.objects.has(self.repo, id) && (is_ours || is_litter(&path) || self.is_ignored(&path));
            if !is_kept && crate::store::layout::check_path(&path).is_ok() {
                unknown.insert(path, bytes);
            }
        }
        Ok(unknown)
    }

    /// Removes it, except for files that the object store does not have.
    pub(crate) fn remove(&self) -> Result<(), StoreError> {
        if !self.exists() {
            return Ok(());
        }
        let _ = fs::remove_file(self.dir.join(".git"));
        abort_at("close.unlinked");
        let syncing = self.syncing();
        let mut folders = BTreeSet::from([self.dir.clone()]);
        for (path, bytes) in self.on_disk()? {
            if self.objects.has(self.repo, work_tree::blob_id(&bytes)?) {
                let file = self.dir.join(&path);
                fs::remove_file(&file).at("removing", &file)?;
                let folder = file.parent().unwrap_or(&self.dir);
                work_tree::remove_empty_folders(&self.dir, folder);
                folders.insert(folder.to_owned());
            }
        }
        remove_hollow(&self.dir);
        abort_at("close.emptied");
        // Nothing tells a file that a power cut brings back from the author's once the records are gone.
        syncing.settle(&folders)?;
        // `locked` goes last: as long as it is there, what is left is known to be ours.
        for entry in fs::read_dir(&self.admin).into_iter().flatten().flatten() {
            if entry.file_name() != "locked" {
                let path = entry.path();
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.at("removing", &path)?;
            }
        }
        fs::remove_dir_all(&self.admin).at("removing", &self.admin)?;
        if let Some(worktrees) = self.admin.parent() {
            let _ = fs::remove_dir(worktrees);
        }
        Ok(())
    }
}

/// Names that editors and systems leave beside a text, and hidden ones.
fn is_litter(path: &str) -> bool {
    path.rsplit('/').next().unwrap_or(path).starts_with('.') || layout::is_leftover(path)
}

/// True when `dir` or a folder in it holds anything but folders and links.
fn has_file(dir: &Path) -> bool {
    fs::read_dir(dir).into_iter().flatten().flatten().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => has_file(&entry.path()),
        kind => kind.is_ok_and(|kind| !kind.is_symlink()),
    })
}

/// Removes `dir` and folders in it that hold no file.
fn remove_hollow(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            remove_hollow(&entry.path());
        }
    }
    let _ = fs::remove_dir(dir);
}
pub mod shown;
