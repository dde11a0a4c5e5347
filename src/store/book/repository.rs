//! An opened book: a repository and the folder that the author sees; longer than 500 lines because finding its branch and
//! explaining a missing one need each other.

use crate::domain::book::config::Lang;
use crate::git::disk::TempArea;
use crate::git::disk::system::file_id;
use crate::git::error::{GitFeature, GivenAuthor};
use crate::git::filtered::{with_users, write_settings};
use crate::git::objects::Objects;
use crate::git::refs::DRAFTS;
use crate::git::{index, verification, work_tree};
use crate::store::book::commit_walk::CommitWalk;
use crate::store::book::line_names::{BRANCH_KEY, BRANCHES, PendingSwitch};
use crate::store::book::snapshot::Shelves;
use crate::store::drafts::archive::Archive;
use crate::store::drafts::staging::shown;
use crate::store::format::config;
use crate::store::prelude::*;
use crate::store::subject::{StageNote, Wording};
use git2::{ErrorCode, RepositoryOpenFlags};
use secrecy::SecretString;
use std::fs;

/// The file that makes a repository a book. When the last commit has lost it, the history decides.
pub(crate) const MARK: &str = "novel.toml";

/// Something that the author is told of once for a book, which a file in the program's folder notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Commits have no name, because git knows none.
    Nameless,
    /// Commits are not signed, although git's settings ask for it.
    Unsigned,
}

impl Notice {
    fn file(self) -> &'static str {
        match self {
            Self::Nameless => "nameless",
            Self::Unsigned => "unsigned",
        }
    }
}

/// The reason why a book could not be opened. Every message names the remedy unless it is obvious.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum OpenError {
    /// The folder does not exist, and no folder above it is a book.
    NoFolder(PathBuf),
    /// There is no repository at or above the folder.
    NoRepository(PathBuf),
    /// There is a repository, and it is not a book.
    NotABook(PathBuf),
    /// The branch that is checked out is not a book, and the other one is.
    OtherBranch(PathBuf, String),
    /// The commit that is checked out is a book, which has no branch here: a tag was cloned, or a build checks a commit out.
    NoBranch(PathBuf),
    /// `init` was interrupted here.
    Unfinished(PathBuf),
    /// The repository has no work tree.
    Bare(PathBuf),
    /// The repository uses a feature that cannot be read here.
    Unsupported { root: PathBuf, feature: GitFeature },
    /// The folder belongs to another user, and git's rule for such folders applies.
    ForeignOwner(PathBuf),
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub struct Book {
    pub(crate) root: PathBuf,
    pub(crate) repo: Repository,
    pub(crate) branch: String,
    pub(crate) main: String,
    pub(crate) drafts: String,
    /// The candidate whose drafts these are; 0 for the book's own. The offline writer, which would write the same text every time,
    /// counts a candidate as another edition.
    pub(crate) candidate: u32,
    /// For files of the folder that the author sees.
    pub(crate) temp: TempArea,
    pub(crate) inner: TempArea,
    pub(crate) objects: Objects,
    pub(crate) shelves: Shelves,
    /// The words of the subjects of its commits.
    pub(crate) wording: Wording,
    /// The user's own keys, which come into no commit.
    pub(crate) keys: Vec<SecretString>,
}

impl Book {
    /// Opens the book that `start` is in: its folder, any folder below, or `staging/`. A folder below need not exist: a rollback may have removed the folder that the author's shell is in.
    /// Fails with [`OpenError`]; a repository inside a book that is no book itself is passed over.
    pub fn open(start: &Path, wording: Wording) -> Result<Self, OpenError> {
        let start = std::path::absolute(start).unwrap_or_else(|_| start.to_owned());
        let mut refusal = OpenError::NoRepository(start.clone());
        for folder in start.ancestors() {
            if !folder.join(".git").exists() || shown::is_staging(folder) {
                continue;
            }
            match Self::open_root(folder, wording) {
                Ok(book) => return Ok(book),
                Err(e @ (OpenError::NotABook(_) | OpenError::OtherBranch(..))) => {
                    if matches!(refusal, OpenError::NoRepository(_)) {
                        refusal = e;
                    }
                }
                Err(e) => return Err(e),
            }
        }
        if !start.exists() {
            return Err(OpenError::NoFolder(start));
        }
        Err(refusal)
    }

    /// The same book on the branch that is checked out, when that is a book too: what the author has switched to with git.
    pub fn as_checked_out(&self) -> Result<Option<Self>, OpenError> {
        let repo = open_repository(&self.root)?;
        let Some(found) = checked_out(&repo)? else { return Ok(None) };
        if !is_book(&repo, &format!("refs/heads/{found}"))? {
            return Ok(None);
        }
        let book = Self::assemble(&self.root, repo, found, self.wording)?;
        // The settings may not name the main line yet: it is the branch that the book was on.
        let main = crate::store::book::line_names::main_line(&book.repo, &self.branch);
        let drafts = crate::store::book::line_names::drafts_of(&book.branch, &main);
        Ok(Some(Self { main, drafts, keys: self.keys.clone(), ..book }))
    }

    fn open_root(root: &Path, wording: Wording) -> Result<Self, OpenError> {
        let repo = open_repository(root)?;
        let unfinished = repo.commondir().join("novel/init").exists();
        let branch = match book_branch(&repo)? {
            Some(branch) => branch,
            None if unfinished => return Err(OpenError::Unfinished(root.to_owned())),
            None if is_book(&repo, "HEAD")? => return Err(OpenError::NoBranch(root.to_owned())),
            None => {
                let root = root.to_owned();
                return Err(match other_book(&repo)? {
                    Some(branch) => OpenError::OtherBranch(root, branch),
                    None => OpenError::NotABook(root),
                });
            }
        };
        Ok(Self::assemble(root, repo, branch, wording)?)
    }

    pub(crate) fn assemble(
        root: &Path,
        repo: Repository,
        branch: String,
        wording: Wording,
    ) -> Result<Self, StoreError> {
        let temp = TempArea::new(temp_dir(root, &repo));
        let inner = TempArea::new(repo.commondir().join("novel/tmp"));
        let objects = Objects::of(&repo)?;
        let main = crate::store::book::line_names::main_line(&repo, &branch);
        let drafts = crate::store::book::line_names::drafts_of(&branch, &main);
        let root = root.to_owned();
        let shelves = Shelves::default();
        let keys = Vec::new();
        Ok(Self { root, repo, branch, main, drafts, candidate: 0, temp, inner, objects, shelves, wording, keys })
    }

    /// The language of the subjects of commits with that tree: the one that its settings name, or else those of the last commit.
    pub(crate) fn language_of(&self, tree: Oid) -> Result<Lang, StoreError> {
        if let Some(lang) = named_language(self, tree)? {
            return Ok(lang);
        }
        let Some(tip) = refs::target(&self.repo, &self.branch_ref())? else { return Ok(Lang::default()) };
        Ok(named_language(self, self.commit_tree(tip)?.id())?.unwrap_or_default())
    }

    /// The words of a subject, in the language of the book as it was at `commit`.
    pub fn worded(&self, subject: &Subject, commit: CommitId) -> Result<String, StoreError> {
        Ok((self.wording)(subject, self.language_of(self.commit_tree(commit.oid())?.id())?))
    }

    /// The notation of a result in a trailer: in English in every book, because programs read it.
    pub fn notation(&self, note: &StageNote) -> String {
        (self.wording)(&Subject::Note(note.clone()), Lang::En)
    }

    /// The folder that the author sees.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The short name of the book's branch: the one written down at `init`, or the one that a clone has checked out.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// The full name of the book's branch.
    pub(crate) fn branch_ref(&self) -> String {
        format!("refs/heads/{}", self.branch)
    }

    /// The last commit of the accepted line.
    pub fn tip(&self) -> Result<CommitId, StoreError> {
        refs::target(&self.repo, &self.branch_ref())?
            .map(CommitId::from)
            .ok_or_else(|| StoreError::Damaged { what: format!("the branch `{}` is gone", self.branch) })
    }

    pub fn snapshot(&self) -> Result<Snapshot<'_>, StoreError> {
        self.snapshot_of(self.tip()?)
    }

    /// The book as of `commit`.
    /// Fails when there is no such commit.
    pub fn snapshot_of(&self, commit: CommitId) -> Result<Snapshot<'_>, StoreError> {
        Snapshot::new(&self.repo, &self.shelves, commit)
    }

    /// A file as the author has it now, committed or not; `None` when the work tree has none.
    pub fn on_disk(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        work_tree::read(&self.root, path)
    }

    /// The book as of `revision`: see [`Book::resolve`].
    pub fn snapshot_at(&self, revision: &str) -> Result<Option<Snapshot<'_>>, StoreError> {
        self.resolve(revision)?.map(|id| self.snapshot_of(id)).transpose()
    }

    /// The commit that `revision` names: a chapter (`45`, `ch-045`), or anything that git understands (`HEAD~3`,
    /// a branch, a tag, an id or the beginning of one). A draft in the archive has the name of the ref that it had. `None` when it
    /// names nothing.
    pub fn resolve(&self, revision: &str) -> Result<Option<CommitId>, StoreError> {
        if let Ok(chapter) = revision.parse()
            && let Some(commit) = self.chapter_commit(chapter)?
        {
            return Ok(Some(commit));
        }
        if let Some(commit) = commit_named(self, revision)? {
            return Ok(Some(commit));
        }
        // `refs/novel/kept/ch-048/1a2b3c4d5e~2`
        let (name, rest) = revision.split_at(revision.find(['~', '^', '@', ':']).unwrap_or(revision.len()));
        let name = name.strip_prefix("refs/").unwrap_or(name).strip_prefix("novel/kept/");
        let Some(name) = name else { return Ok(None) };
        let tip = Archive::of_book(&self.repo)?.drafts.remove(name);
        tip.map_or(Ok(None), |tip| commit_named(self, &format!("{tip}{rest}")))
    }

    /// Returns the author as git knows them: `given` first, then its configuration. `None` when neither has a name; commits then
    /// carry [`Identity::fallback`].
    pub fn identity(&self, given: &GivenAuthor) -> Result<Option<Identity>, StoreError> {
        identity_in(&self.repo, given)
    }

    /// The author of the commits of a book that is made in `folder`; `None` where git knows no name.
    pub fn identity_at(folder: &Path, given: &GivenAuthor) -> Result<Option<Identity>, StoreError> {
        match open_repository(folder) {
            Ok(repo) => identity_in(&repo, given),
            Err(_) => identity_of(with_users(git2::Config::open_default().doing("reading the configuration")?)?, given),
        }
    }

    /// Keeps the name that the author has given for the commits of this book in git's settings of the book, for the author's own
    /// git as well.
    pub fn name_author(&self, name: &str) -> Result<(), StoreError> {
        let config = self.repo.config().doing("reading the configuration")?;
        let email = Identity::fallback().email;
        let mut settings = vec![("user.name", name)];
        if config.get_string("user.email").is_err() {
            settings.push(("user.email", &email));
        }
        write_settings(&self.repo, &settings)
    }

    /// True once the author has been told of it.
    pub fn has_told(&self, notice: Notice) -> bool {
        self.private().join(notice.file()).exists()
    }

    /// Notes that the author has been told, which is not done again. Without the note it is.
    pub fn note_told(&self, notice: Notice) {
        let _ = fs::write(self.private().join(notice.file()), "");
    }

    /// Whether the author's git would sign commits. Ours are not signed: libgit2 cannot.
    pub fn expects_signatures(&self) -> bool {
        self.repo.config().and_then(|c| c.get_bool("commit.gpgsign")).unwrap_or(false)
    }

    /// The folder inside `.git` that only we use.
    pub(crate) fn private(&self) -> PathBuf {
        self.repo.commondir().join("novel")
    }

    /// The index of the author's work tree.
    pub(crate) fn index_path(&self) -> PathBuf {
        self.repo.path().join("index")
    }

    pub(crate) fn commit_tree(&self, id: Oid) -> Result<git2::Tree<'_>, StoreError> {
        tree::of_commit(&self.repo, id)
    }
}

fn named_language(book: &Book, tree: Oid) -> Result<Option<Lang>, StoreError> {
    let tree = book.repo.find_tree(tree).doing("reading a tree")?;
    let Some(settings) = tree::blob_at(&tree, MARK).filter(|blob| blob.is_file()) else { return Ok(None) };
    Ok(config::language(book.repo.find_blob(settings.id).doing("reading an object")?.content()))
}

fn commit_named(book: &Book, revision: &str) -> Result<Option<CommitId>, StoreError> {
    match book.repo.revparse_single(revision).and_then(|o| o.peel_to_commit()) {
        Ok(commit) => Ok(Some(commit.id().into())),
        Err(e)
            if matches!(
                e.code(),
                ErrorCode::NotFound | ErrorCode::InvalidSpec | ErrorCode::Ambiguous | ErrorCode::Peel
            ) =>
        {
            Ok(None)
        }
        Err(e) => Err(e).doing("looking up a revision"),
    }
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book").field("root", &self.root).field("branch", &self.branch).finish_non_exhaustive()
    }
}

/// Temporary files live inside `.git`, out of sight; when that is on another disk, a hidden folder in the book has to do.
fn temp_dir(root: &Path, repo: &Repository) -> PathBuf {
    let inside = repo.commondir().join("novel/tmp");
    let disk = |path: &Path| file_id(path).map(|id| id.disk);
    let same_disk = disk(root) == disk(repo.commondir());
    if same_disk { inside } else { root.join(".novel-tmp") }
}

/// True for a folder with the files of a repository themselves, such as a remote on a drive.
pub(crate) fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}

/// Opens the repository whose work tree is `root`, if it is of a kind that can be read here.
pub(crate) fn open_repository(root: &Path) -> Result<Repository, OpenError> {
    let unsupported = |feature| OpenError::Unsupported { root: root.to_owned(), feature };
    let flags = RepositoryOpenFlags::NO_SEARCH;
    verification::set_up();
    let repo = match Repository::open_ext(root, flags, std::iter::empty::<&Path>()) {
        Ok(repo) => repo,
        Err(e) if e.code() == ErrorCode::Owner => return Err(OpenError::ForeignOwner(root.to_owned())),
        Err(e) => {
            return Err(match unreadable_feature(root) {
                Some(feature) => unsupported(feature),
                None => StoreError::git("opening the repository", e).into(),
            });
        }
    };
    // The repository keeps what is added to its settings.
    with_users(repo.config().doing("reading the configuration")?)?;
    if repo.is_bare() {
        return Err(OpenError::Bare(root.to_owned()));
    }
    if is_partial(&repo)? {
        return Err(unsupported(GitFeature::PartialClone));
    }
    // libgit2 would read all of git's index to look in it for attribute files; those that count are on disk.
    let mut none = git2::Index::new().doing("opening the repository")?;
    repo.set_index(&mut none).doing("opening the repository")?;
    // Only where there is reason to suspect one: the index of a long book is large.
    if may_be_divided(&repo)?
        && let Some(feature) = index::unsupported_feature(&repo.path().join("index"))
    {
        return Err(unsupported(feature));
    }
    Ok(repo)
}

/// Whether git's index may be a split or a sparse one: a part of it lies beside it, or the settings ask for it.
fn may_be_divided(repo: &Repository) -> Result<bool, StoreError> {
    let folder = repo.path();
    let files = fs::read_dir(folder).at("reading", folder)?.flatten();
    let mut names = files.map(|entry| entry.file_name());
    let is_set = |config: git2::Config| config.get_bool("index.sparse").unwrap_or(false);
    Ok(names.any(|name| name.to_string_lossy().starts_with("sharedindex.")) || repo.config().is_ok_and(is_set))
}

/// True for a clone that leaves objects with its remote until git asks for them; libgit2 cannot ask.
fn is_partial(repo: &Repository) -> Result<bool, StoreError> {
    let config = repo.config().doing("reading the configuration")?;
    let mut entries = config.entries(Some("remote\\..*\\.promisor")).doing("reading the configuration")?;
    let mut found = false;
    while let Some(entry) = entries.next() {
        let entry = entry.doing("reading the configuration")?;
        found |= entry.value().is_ok_and(|value| value == "true");
    }
    Ok(found)
}

/// The feature that keeps libgit2 from opening the repository at `root`.
fn unreadable_feature(root: &Path) -> Option<GitFeature> {
    let dot_git = root.join(".git");
    let git_dir = match fs::read_to_string(&dot_git) {
        Ok(text) => root.join(text.trim().strip_prefix("gitdir:")?.trim()),
        Err(_) => dot_git,
    };
    let common = fs::read_to_string(git_dir.join("commondir")).map_or(git_dir.clone(), |c| git_dir.join(c.trim()));
    let config = git2::Config::open(&common.join("config")).ok()?;
    let value = |name: &str| config.get_string(name).ok().map(|v| v.to_ascii_lowercase());
    if value("extensions.objectformat").is_some_and(|v| v != "sha1") {
        Some(GitFeature::Sha256)
    } else if value("extensions.refstorage").is_some_and(|v| v != "files") {
        Some(GitFeature::RefStorage)
    } else if value("extensions.partialclone").is_some() {
        Some(GitFeature::PartialClone)
    } else {
        None
    }
}

/// The branch that is a book: the one that a switch has begun to go to, else the one written down, else the one that is checked out.
pub(crate) fn book_branch(repo: &Repository) -> Result<Option<String>, StoreError> {
    if let Some(PendingSwitch { to, .. }) = crate::store::book::line_names::read(repo)?
        && is_book(repo, &format!("refs/heads/{to}"))?
    {
        return Ok(Some(to));
    }
    let config = repo.config().doing("reading the configuration")?;
    if let Ok(name) = config.get_string(BRANCH_KEY)
        && is_book(repo, &format!("refs/heads/{name}"))?
    {
        return Ok(Some(name));
    }
    let Some(name) = checked_out(repo)? else { return branch_of_detached(repo) };
    Ok(if is_book(repo, &format!("refs/heads/{name}"))? { Some(name) } else { None })
}

/// A branch that is a book, of this repository or of a remote: a clone checks out the branch that its remote names, which may not exist.
fn other_book(repo: &Repository) -> Result<Option<String>, StoreError> {
    let mut books = BTreeSet::new();
    for (name, _) in refs::listed(repo, "refs/")? {
        let of_remote = || Some(name.strip_prefix("refs/remotes/")?.split_once('/')?.1);
        let short = name.strip_prefix(BRANCHES).or_else(of_remote);
        if let Some(short) = short.filter(|short| *short != "HEAD" && !short.starts_with("draft/"))
            && is_book(repo, &name)?
        {
            books.insert(short.to_owned());
        }
    }
    Ok(books.take("main").or_else(|| books.pop_first()))
}

/// The book's branch in a clone that another tool has made with a detached HEAD: the only branch that is a book and no draft, or
/// `main` among several.
fn branch_of_detached(repo: &Repository) -> Result<Option<String>, StoreError> {
    let mut books = Vec::new();
    for (name, _) in refs::listed(repo, BRANCHES)?.into_iter().filter(|(name, _)| !name.starts_with(DRAFTS)) {
        if is_book(repo, &name)? {
            books.extend(name.strip_prefix(BRANCHES).map(str::to_owned));
        }
    }
    let is_main = |name: &String| books.len() == 1 || name == "main";
    Ok(books.iter().find(|name| is_main(name)).cloned())
}

/// The short name of the branch that is checked out; `None` for a commit.
pub(super) fn checked_out(repo: &Repository) -> Result<Option<String>, StoreError> {
    let head = repo.find_reference("HEAD").or_missing("reading HEAD")?;
    let target = head.as_ref().and_then(|h| h.symbolic_target().ok().flatten());
    Ok(target.and_then(|t| t.strip_prefix("refs/heads/")).map(str::to_owned))
}

/// How many commits are looked through for one of ours in a repository that has lost its mark.
const SEARCHED: usize = 1000;

/// Whether the branch is a book: its last commit has the mark, or one of ours not too far back has it. A history from which
/// all but the chapters was filtered has it nowhere, and can become a book again.
pub(super) fn is_book(repo: &Repository, branch: &str) -> Result<bool, StoreError> {
    let Some(tip) = refs::target(repo, branch)? else { return Ok(false) };
    if tree::blob_at(&tree::of_commit(repo, tip)?, MARK).is_some() {
        return Ok(true);
    }
    for transaction in CommitWalk::of_line(repo, tip).take(SEARCHED) {
        // The end of a shallow clone, or damage that `doctor` reports.
        let Ok(transaction) = transaction else { return Ok(false) };
        if transaction.is_ours && tree::blob_at(&tree::of_commit(repo, transaction.id.oid())?, MARK).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn identity_in(repo: &Repository, given: &GivenAuthor) -> Result<Option<Identity>, StoreError> {
    identity_of(repo.config().doing("reading the configuration")?, given)
}

fn identity_of(mut config: git2::Config, given: &GivenAuthor) -> Result<Option<Identity>, StoreError> {
    let config = config.snapshot().doing("reading the configuration")?;
    let value = |name: &str| config.get_string(name).ok().filter(|v| !v.trim().is_empty());
    let name = given.name.clone().or_else(|| value("user.name"));
    let email = given.email.clone().or_else(|| value("user.email"));
    let fallback = Identity::fallback();
    Ok(name.map(|name| Identity { name, email: email.unwrap_or(fallback.email) }))
}
