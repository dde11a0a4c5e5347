//! Making a book: a repository unless the folder has one, a few settings, and the first commit. A killed `init` is
//! finished by the next.

use crate::git::disk::{TempArea, create_dirs, sync_dir};
use crate::git::error::GivenAuthor;
use crate::git::filtered::write_settings;
use crate::git::verification;
use crate::git::work_tree::{self, PathContent};
use crate::store::book::change;
use crate::store::book::line_names::{BRANCH_KEY, MAIN_KEY};
use crate::store::book::lines;
use crate::store::book::lock::{Busy, Holder, Refused, WriterLock};
use crate::store::book::not_writable::{self, NotWritable};
use crate::store::book::recover;
use crate::store::book::repository::{
    MARK, OpenError, book_branch, checked_out, identity_in, is_bare, open_repository,
};
use crate::store::book::session::BeginError;
use crate::store::book::transaction::{self, Advance, CommitError};
use crate::store::layout::check_path;
use crate::store::prelude::*;
use crate::store::subject::Wording;
use git2::RepositoryInitOptions;
use secrecy::SecretString;
use std::fs;

/// The contents of a new book.
#[derive(Debug, Clone)]
pub struct InitOptions {
    /// Path to bytes; `novel.toml` must be among them.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The part of the author of the first commit that does not come from git's configuration.
    pub author: GivenAuthor,
    pub message: Message,
    /// The writer, and the present time.
    pub holder: Holder,
    /// The words of the subjects of its commits.
    pub wording: Wording,
    /// The user's own keys, which come into no commit.
    pub keys: Vec<SecretString>,
}

#[derive(Debug)]
pub struct Initialised {
    pub book: Book,
    pub commit: CommitId,
    /// Files that were there before and were taken over as they are.
    pub kept: Vec<String>,
    /// Whether an interrupted `init` was finished.
    pub resumed: bool,
    /// True when no author is known, so that the commit carries [`Identity::fallback`].
    pub anonymous: bool,
}

/// The reason why no book was made. The folder is as it was.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum InitError {
    AlreadyBook(PathBuf),
    /// The files lack `novel.toml`.
    NoMark,
    /// Something that is no file is where a file must go.
    Occupied(PathBuf),
    /// The repository that is there cannot be used.
    Open(#[from] OpenError),
    /// Its state forbids a commit.
    NotWritable(#[from] NotWritable),
    /// Another process is writing there.
    Busy(#[from] Busy),
    Commit(#[from] CommitError),
    Store(#[from] StoreError),
}

impl From<Refused> for InitError {
    fn from(e: Refused) -> Self {
        match e {
            Refused::Busy(busy) => Self::Busy(busy),
            Refused::Store(e) => Self::Store(e),
        }
    }
}

impl From<BeginError> for InitError {
    fn from(e: BeginError) -> Self {
        match e {
            BeginError::Busy(busy) => Self::Busy(busy),
            BeginError::NotWritable(n) => Self::NotWritable(n),
            BeginError::IndexBusy(busy) => Self::Commit(CommitError::IndexBusy(busy)),
            BeginError::Store(e) => Self::Store(e),
        }
    }
}

impl Book {
    /// Whether there is nothing in a folder but what an interrupted `Book::init` may have left.
    pub fn is_vacant(dir: &Path) -> bool {
        let names = fs::read_dir(dir).into_iter().flatten().flatten();
        names.map(|entry| entry.file_name()).all(|name| name == ".git")
    }

    /// Makes a book in `dir`. The folder may exist, hold other files, or be a repository: all that stays as it is and
    /// is not committed, except that an existing file under the name of one of ours is taken over.
    pub fn init(dir: &Path, options: &InitOptions, wait: Wait) -> Result<Initialised, InitError> {
        if !options.files.contains_key(MARK) {
            return Err(InitError::NoMark);
        }
        for path in options.files.keys() {
            check_path(path)?;
        }
        let root = std::path::absolute(dir).at("finding", dir)?;
        let (repo, is_new) = repository_at(&root)?;
        abort_at("init.repository");
        let private = repo.commondir().join("novel");
        let lock = WriterLock::take(&private, &options.holder, &wait)?;
        let unfinished = private.join("init");
        let resumed = unfinished.exists() && !is_new;
        if !resumed && book_branch(&repo)?.is_some() {
            return Err(InitError::AlreadyBook(root));
        }
        if !unfinished.exists() {
            fs::write(&unfinished, "").at("writing", &unfinished)?;
        }
        let branch = match checked_out(&repo)? {
            Some(branch) => branch,
            None => return Err(NotWritable::Detached { branch: "main".to_owned(), ahead: None }.into()),
        };
        break_config_lock(&repo, &wait);
        configure(&repo, &branch)?;
        exclude_staging(&repo)?;
        abort_at("init.configured");

        let identity = identity_in(&repo, &options.author)?;
        let anonymous = identity.is_none();
        let book = change::with_keys(Self::assemble(&root, repo, branch, options.wording)?, options.keys.clone());
        if let Some(obstacle) = not_writable::obstacle(&book)? {
            return Err(obstacle.into());
        }
        let (commit, kept) = {
            let session = Session::on_new(&book, wait, lock)?;
            recover::run_on_new(&session)?;
            if book_branch(&book.repo)?.is_some() {
                (book.tip()?, Vec::new())
            } else {
                first_commit(&session, options, &identity.unwrap_or_else(Identity::fallback))?
            }
        };
        system::remove_file(&unfinished).at("removing", &unfinished)?;
        sync_dir(&private)?;
        Ok(Initialised { book, commit, kept, resumed, anonymous })
    }
}

/// The content of the marker of an unfinished `init` when the repository is ours to make.
const MAKING: &str = "making the repository\n";

/// Opens the repository at `root`, or makes one, and returns whether it was made just now.
fn repository_at(root: &Path) -> Result<(Repository, bool), InitError> {
    if is_bare(root) {
        return Err(OpenError::Bare(root.to_owned()).into());
    }
    create_dirs(root)?;
    abort_at("init.begun");
    let dot_git = root.join(".git");
    let marker = dot_git.join("novel/init");
    let was_making = fs::read_to_string(&marker).is_ok_and(|text| text == MAKING);
    let is_hollow = dot_git.is_dir() && is_empty_but_novel(&dot_git);
    let is_new = !dot_git.exists() || is_hollow || was_making;
    if is_new {
        let private = dot_git.join("novel");
        fs::create_dir_all(&private).at("creating", &private)?;
        TempArea::new(private.join("tmp")).replace(&marker, MAKING.as_bytes())?;
        for stray in ["HEAD.lock", "config.lock"] {
            let _ = fs::remove_file(dot_git.join(stray));
        }
        remove_probes(root);
        let mut options = RepositoryInitOptions::new();
        options.external_template(false);
        verification::set_up();
        Repository::init_opts(root, &options).doing("making a repository")?;
        sync_tree(&dot_git)?;
        sync_dir(root)?;
    }
    Ok((open_repository(root)?, is_new && !was_making))
}

/// Brings the files and folders below `folder` to the disk: libgit2 syncs nothing of a repository that it makes.
pub(crate) fn sync_tree(folder: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(folder).at("reading", folder)? {
        let path = entry.at("reading", folder)?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        } else {
            system::sync_file(&path).at("syncing", &path)?;
        }
    }
    sync_dir(folder)
}

/// Removes the empty files and links by which libgit2 finds out what the file system can do, if it was killed in between.
fn remove_probes(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_probe = name
            .strip_prefix("_git2_")
            .is_some_and(|rest| rest.len() == 16 && rest.bytes().all(|b| b.is_ascii_hexdigit()));
        if is_probe && entry.metadata().is_ok_and(|m| m.is_symlink() || m.len() == 0) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A `.git` with nothing in it, or with nothing but what a killed `init` put there first.
fn is_empty_but_novel(dot_git: &Path) -> bool {
    fs::read_dir(dot_git).is_ok_and(|entries| entries.flatten().all(|e| e.file_name() == "novel"))
}

/// A lock that an `init` left when it was killed while it wrote the settings.
fn break_config_lock(repo: &Repository, wait: &Wait) {
    if repo.commondir().join("novel/holding").exists() {
        refs::break_idle_lock(&repo.commondir().join("config.lock"), wait, std::time::Duration::from_millis(50));
    }
}

/// Settings that a book needs, each for a reason.
const SETTINGS: [(&str, &str); 3] = [
    // The author's own git syncs what it writes, as ours does; its default loses work when the power goes.
    ("core.fsync", "all"),
    // Never prune at once: an object that another process is about to name must not vanish.
    ("gc.pruneExpire", "2.weeks.ago"),
    // Chinese file names readable in `git status`.
    ("core.quotePath", "false"),
];

/// The setting by which git compares each object with so many others of a like name and size when it packs, a number that the author
/// may change. Versions of a text differ in size, so that git's default, 10, finds no relation between most of them: 200 chapters
/// with every recorded call take 4.9 MB with 10, 4.2 with 50 and 3.8 with 250.
pub(crate) const PACK_WINDOW: (&str, &str) = ("pack.window", "250");

/// The settings whose value in the repository is not what it should be.
pub(crate) fn wrong_settings(repo: &Repository) -> Result<Vec<(&'static str, &'static str)>, StoreError> {
    let config = repo.config().and_then(|mut c| c.snapshot()).doing("reading the configuration")?;
    let wrong = |(name, value): &(&'static str, &'static str)| config.get_string(name).ok().as_deref() != Some(value);
    Ok(SETTINGS.iter().chain(system::SETTINGS).copied().filter(wrong).collect())
}

/// Configures a plain clone of a book, which has none of the settings, and a book of an older program, which lacks one of them, at the
/// first command that writes.
pub(super) fn configure_clone(book: &Book) -> Result<(), StoreError> {
    let config = book.repo.config().doing("reading the configuration")?;
    let lacks = |name| Ok::<_, StoreError>(config.get_string(name).or_missing("reading the configuration")?.is_none());
    if lacks(BRANCH_KEY)? || lacks(PACK_WINDOW.0)? {
        if !book.is_main_line() && lacks(MAIN_KEY)? {
            write_settings(&book.repo, &[(MAIN_KEY, lines::main_line(book))])?;
        }
        configure(&book.repo, &book.branch)?;
    }
    exclude_staging(&book.repo)
}

pub(crate) fn configure(repo: &Repository, branch: &str) -> Result<(), StoreError> {
    let mut settings: Vec<(&str, &str)> = wrong_settings(repo)?;
    let config = repo.config().doing("reading the configuration")?;
    if config.get_string(PACK_WINDOW.0).is_err() {
        settings.push(PACK_WINDOW);
    }
    if config.get_string(BRANCH_KEY).ok().as_deref() != Some(branch) {
        settings.push((BRANCH_KEY, branch));
    }
    write_settings(repo, &settings)
}

/// The line that keeps drafts out of the author's `git status`. JGit takes a line with a slash at its end to be about folders, and a
/// linked work tree for none.
const EXCLUDE: &str = "/staging";

/// The lines of the repository's own list of ignored files.
fn excluded(repo: &Repository) -> Vec<String> {
    let text = fs::read_to_string(repo.commondir().join("info/exclude")).unwrap_or_default();
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// Whether git passes `staging/` over, by the line of this program or by that of an older one.
pub(crate) fn excludes_staging(repo: &Repository) -> bool {
    excluded(repo).iter().any(|line| line.trim_end_matches('/') == EXCLUDE)
}

pub(crate) fn exclude_staging(repo: &Repository) -> Result<(), StoreError> {
    if excluded(repo).iter().any(|line| line == EXCLUDE) {
        return Ok(());
    }
    let folder = repo.commondir().join("info");
    fs::create_dir_all(&folder).at("creating", &folder)?;
    let path = folder.join("exclude");
    let mut text = fs::read(&path).unwrap_or_default();
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(format!("{EXCLUDE}\n/.novel-tmp/\n").as_bytes());
    let temp = folder.join("exclude.novel");
    fs::write(&temp, text).at("writing", &temp)?;
    system::rename(&temp, &path).at("writing", &path)
}

fn first_commit(
    session: &Session<'_>,
    options: &InitOptions,
    author: &Identity,
) -> Result<(CommitId, Vec<String>), InitError> {
    let book = session.book;
    let repo = &book.repo;
    let from = refs::target(repo, &book.branch_ref())?;
    let base = from.map(|id| book.commit_tree(id)).transpose()?;
    let (mut edits, mut kept) = (TreeEdits::new(), Vec::new());
    for (path, bytes) in &options.files {
        if base.as_ref().is_some_and(|b| tree::blob_at(b, path).is_some()) {
            kept.push(path.clone());
            continue;
        }
        let existing = match work_tree::look(&book.root, path)? {
            PathContent::Absent => None,
            PathContent::File { .. } => Some(fs::read(book.root.join(path)).at("reading", &book.root.join(path))?),
            PathContent::Other => return Err(InitError::Occupied(book.root.join(path))),
        };
        if existing.as_ref().is_some_and(|e| e != bytes) {
            kept.push(path.clone());
        }
        let blob = change::blob(book, existing.as_ref().unwrap_or(bytes))?;
        edits.insert(path.clone(), Some(Blob::file(blob)));
    }
    let tree = change::edited(book, base.as_ref().map(git2::Tree::id), &edits)?;
    abort_at("init.files");
    let advance =
        Advance { tree, from, merged: &[], message: &options.message, keep: &[], author, time: options.holder.since };
    let committed = transaction::advance(session, &advance)?;
    match committed.lagging {
        Some(e) => Err(e.into()),
        None => Ok((committed.id, kept)),
    }
}
