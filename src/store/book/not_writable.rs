//! The reasons why a book that can be read cannot be written now: all of them are for the author to settle with git.
//! Things of the author's at places where the book is about to write: found before a model is asked, not after.

use crate::git::disk::read_if_there;
use crate::git::disk::system::is_writable;
use crate::git::filtered::filter_of;
use crate::git::index::{self, SKIP};
use crate::store::book::repository::checked_out;
use crate::store::layout;
use crate::store::prelude::*;
use git2::RepositoryState;
use std::fs;

/// Why the book cannot be written at this moment, although it can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum NotWritable {
    /// A commit is checked out instead of a branch.
    Detached {
        branch: String,
        /// The commits that the book's branch lacks, if any.
        ahead: Option<UnmergedHead>,
    },
    /// Another branch is checked out.
    OtherBranch {
        /// The branch that is checked out.
        found: String,
        branch: String,
    },
    /// The author is in the middle of something that git must finish first.
    InProgress {
        /// The git command that is not finished.
        what: &'static str,
    },
    /// Files of the book pass through a program of git's, which only git can run.
    Filtered {
        path: String,
        /// The filter: `lfs`.
        filter: String,
        file: &'static str,
    },
    /// A sparse checkout leaves out a file that transactions change.
    LeftOut { path: String },
}

/// A commit that is checked out and has commits that the book's branch lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmergedHead {
    pub commits: usize,
    /// The short id of the commit when the branch has commits of its own as well, so that the two have to be merged.
    pub to_merge: Option<String>,
}

/// The git command that gives up an unfinished command of git's.
pub fn way_to_leave(what: &str) -> String {
    if what == BISECT { format!("git {what} reset") } else { format!("git {what} --abort") }
}

/// The attributes of this copy alone, which git-annex sets.
const INFO: &str = ".git/info/attributes";

/// The one that is ended in another way than the others, and never goes on by itself.
const BISECT: &str = "bisect";

impl NotWritable {
    /// The command to type next on the way to a book that can be written.
    pub fn way_out(&self) -> String {
        match self {
            Self::Detached { branch, ahead } => way_to_branch(branch, ahead.as_ref()),
            Self::OtherBranch { branch, .. } => way_to_branch(branch, None),
            Self::InProgress { what } if *what == BISECT => way_to_leave(what),
            Self::InProgress { what } => format!("git {what} --continue"),
            Self::Filtered { path, file: INFO, .. } => format!("git check-attr -a {path}"),
            Self::Filtered { .. } => "git diff .gitattributes".to_owned(),
            Self::LeftOut { .. } => "git sparse-checkout disable".to_owned(),
        }
    }
}

/// The git command that checks the book's branch out, with the commits that it lacks.
fn way_to_branch(branch: &str, ahead: Option<&UnmergedHead>) -> String {
    match ahead {
        None => format!("git switch {branch}"),
        Some(UnmergedHead { to_merge: None, .. }) => format!("git branch -f {branch} HEAD && git switch {branch}"),
        Some(UnmergedHead { to_merge: Some(id), .. }) => format!("git switch {branch} && git merge {id}"),
    }
}

/// Why the book could not be written now; `None` when it could.
pub fn obstacle(book: &Book) -> Result<Option<NotWritable>, StoreError> {
    if let Some(what) = unfinished_command(&book.repo) {
        return Ok(Some(NotWritable::InProgress { what }));
    }
    let branch = book.branch.clone();
    Ok(match checked_out(&book.repo)? {
        // The next session brings HEAD up.
        _ if crate::store::book::line_names::read(&book.repo)?.is_some() => None,
        None if book.repo.state() == RepositoryState::Bisect => Some(NotWritable::InProgress { what: BISECT }),
        None => Some(NotWritable::Detached { branch, ahead: ahead(book)? }),
        Some(found) if found != branch => Some(NotWritable::OtherBranch { found, branch }),
        Some(_) => match filtered(book)? {
            Some((path, filter)) => {
                let info = read_if_there(&book.repo.commondir().join("info/attributes"))?.unwrap_or_default();
                let is_there = String::from_utf8_lossy(&info).contains(&filter);
                let file = if is_there { INFO } else { ".gitattributes" };
                Some(NotWritable::Filtered { path, filter, file })
            }
            None => left_out(book)?.map(|path| NotWritable::LeftOut { path }),
        },
    })
}

/// The commits of a detached HEAD that the book's branch lacks.
fn ahead(book: &Book) -> Result<Option<UnmergedHead>, StoreError> {
    let Some(head) = refs::target(&book.repo, "HEAD")? else { return Ok(None) };
    let (commits, behind) =
        book.repo.graph_ahead_behind(head, book.tip()?.oid()).doing("comparing HEAD with the book")?;
    let to_merge = (behind > 0).then(|| CommitId::from(head).short());
    Ok((commits > 0).then_some(UnmergedHead { commits, to_merge }))
}

/// A file that transactions change and that a sparse checkout leaves out: a change of it would be taken for the author's
/// deletion. The results of a chapter may be left out, and what is the author's alone.
fn left_out(book: &Book) -> Result<Option<String>, StoreError> {
    let config = book.repo.config().doing("reading the configuration")?;
    if !config.get_bool("core.sparseCheckout").unwrap_or(false) {
        return Ok(None);
    }
    let is_written = |place: BookPath| {
        use BookPath::{Prompt, Research, Sample};
        place.chapter().is_none() && !matches!(place, Prompt(_) | Research(_) | Sample(_))
    };
    let index = index::open(&book.index_path())?;
    let skipped = index.iter().filter(|entry| entry.flags_extended & SKIP != 0);
    let mut paths = skipped.filter_map(|entry| String::from_utf8(entry.path).ok());
    Ok(paths.find(|path| layout::classify(path).is_some_and(is_written) && !book.root.join(path).exists()))
}

/// True when the work tree shows another commit than the book's last: a commit or another branch is checked out. The
/// author's changes in it are not the book's.
pub(crate) fn shows_another(book: &Book) -> Result<bool, StoreError> {
    let is_shown = checked_out(&book.repo)?.is_some_and(|found| found == book.branch);
    Ok(!is_shown && crate::store::book::line_names::read(&book.repo)?.is_none())
}

/// The filter that git passes the file through; `None` for files that it stores as they are.
pub fn filter_at(book: &Book, path: &str) -> Result<Option<String>, StoreError> {
    filter_of(&book.repo, path)
}

/// A file that chapters are made of, or read from, and the filter that `.gitattributes` names for it.
fn filtered(book: &Book) -> Result<Option<(String, String)>, StoreError> {
    let (volume, chapter) = (VolumeNo::FIRST, ChapterNo::FIRST);
    let paths = [
        layout::chapter(volume, chapter),
        layout::summary(volume, chapter),
        layout::evaluation(volume, chapter),
        layout::log(volume, chapter),
        layout::delta(volume, chapter),
        layout::contract(volume, chapter),
        layout::outline(volume),
        layout::BRIEF.to_owned(),
        layout::CONFIG.to_owned(),
        layout::CHECKPOINT.to_owned(),
        layout::STATE.to_owned(),
        layout::FORESHADOWING.to_owned(),
    ];
    for path in paths {
        if let Some(filter) = filter_of(&book.repo, &path)? {
            return Ok(Some((path, filter)));
        }
    }
    Ok(None)
}

/// The git command of the author's that is not finished: `rebase`, `merge`, ….
pub(crate) fn unfinished_command(repo: &Repository) -> Option<&'static str> {
    use RepositoryState as State;
    match repo.state() {
        State::Clean | State::Bisect => None,
        State::Merge => Some("merge"),
        State::Revert | State::RevertSequence => Some("revert"),
        State::CherryPick | State::CherryPickSequence => Some("cherry-pick"),
        State::ApplyMailbox => Some("am"),
        State::Rebase | State::RebaseInteractive | State::RebaseMerge | State::ApplyMailboxOrRebase => Some("rebase"),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// A file that git does not track.
    Untracked,
    /// A file of the last commit that the book does not count as a chapter, at the place of the next chapter's text.
    Committed,
    /// A symbolic link, at the place of a file.
    Link,
    /// A symbolic link, at the place of a folder.
    LinkedFolder,
    /// A file, at the place of a folder.
    File,
    /// A folder, at the place of a file.
    Folder,
    /// A folder in which nothing may be written.
    ReadOnly,
}

/// Something in the way of a file of the book.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstruction {
    /// Its path in the book: the file's own, or that of a folder above it. Empty for the book's folder itself.
    pub path: String,
    pub full: PathBuf,
    pub block: Obstacle,
}

/// Returns the obstructions to writing the files `paths`, each thing once, in order. Tracked files do not count: an
/// edit of theirs is committed first.
pub fn obstructions<'p>(book: &Book, paths: impl IntoIterator<Item = &'p str>) -> Result<Vec<Obstruction>, StoreError> {
    let head = book.commit_tree(book.tip()?.oid())?;
    let mut found = Vec::new();
    for path in paths {
        let block = block_above(book, path).or_else(|| {
            let meta = fs::symlink_metadata(book.root.join(path)).ok()?;
            let block = if meta.is_symlink() {
                Obstacle::Link
            } else if meta.is_dir() {
                Obstacle::Folder
            } else if tree::blob_at(&head, path).is_none() {
                Obstacle::Untracked
            } else {
                return None;
            };
            Some((path.to_owned(), block))
        });
        found.extend(block.map(|(path, block)| Obstruction { full: book.root.join(&path), path, block }));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The file that the last commit has at the place `path` of a text that is still to be written.
pub fn committed_at(book: &Book, path: &str) -> Result<Option<Obstruction>, StoreError> {
    let head = book.commit_tree(book.tip()?.oid())?;
    let found = Obstruction { path: path.to_owned(), full: book.root.join(path), block: Obstacle::Committed };
    Ok(tree::blob_at(&head, path).map(|_| found))
}

/// The thing in place of a folder above `path`, or the folder there in which nothing may be written.
fn block_above(book: &Book, path: &str) -> Option<(String, Obstacle)> {
    let mut last = String::new();
    for (at, _) in path.match_indices('/') {
        let folder = &path[..at];
        let Ok(meta) = fs::symlink_metadata(book.root.join(folder)) else { break };
        if meta.is_symlink() {
            return Some((folder.to_owned(), Obstacle::LinkedFolder));
        } else if !meta.is_dir() {
            return Some((folder.to_owned(), Obstacle::File));
        }
        last = folder.to_owned();
    }
    (!is_writable(&book.root.join(&last))).then_some((last, Obstacle::ReadOnly))
}
