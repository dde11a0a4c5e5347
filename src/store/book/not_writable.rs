//! The reasons why a book that can be read cannot be written now: all of them are for the author to settle with git.

use git2::{Repository, RepositoryState};

use super::pending_switch;
use super::repository::{Book, checked_out};
use crate::domain::{ChapterNo, VolumeNo};
use crate::git::error::StoreError;
use crate::git::filtered::filter_of;
use crate::store::layout;

/// Why the book cannot be written at this moment, although it can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    /// A commit is checked out instead of a branch.
    #[error("no branch is checked out, only a commit: type `git switch {branch}` first")]
    Detached { branch: String },
    /// Another branch is checked out.
    #[error(
        "the branch `{found}` is checked out, and the book's is `{branch}`: type `git switch {branch}`, or `novel branch switch {found}` to go on there"
    )]
    OtherBranch {
        /// The branch that is checked out.
        found: String,
        branch: String,
    },
    /// The author is in the middle of something that git must finish first.
    #[error("a {what} is in progress: finish it, or type `{}`", way_to_leave(what))]
    InProgress {
        /// The git command that is not finished.
        what: &'static str,
    },
    /// Files of the book pass through a program of git's, which only git can run.
    #[error("`{path}` passes through the git filter `{filter}`: take the line with it out of .gitattributes")]
    Filtered {
        /// One of the files.
        path: String,
        /// The filter: `lfs`.
        filter: String,
    },
}

/// The git command that gives up an unfinished command of git's.
pub fn way_to_leave(what: &str) -> String {
    if what == BISECT { format!("git {what} reset") } else { format!("git {what} --abort") }
}

/// The one that is ended in another way than the others, and never goes on by itself.
const BISECT: &str = "bisect";

impl NotWritable {
    /// The command to type next on the way to a book that can be written.
    pub fn way_out(&self) -> String {
        match self {
            Self::Detached { branch } | Self::OtherBranch { branch, .. } => format!("git switch {branch}"),
            Self::InProgress { what } if *what == BISECT => way_to_leave(what),
            Self::InProgress { what } => format!("git {what} --continue"),
            Self::Filtered { .. } => "git diff .gitattributes".to_owned(),
        }
    }
}

impl Book {
    /// Why the book could not be written now; `None` when it could.
    pub fn obstacle(&self) -> Result<Option<NotWritable>, StoreError> {
        if let Some(what) = unfinished_command(&self.repo) {
            return Ok(Some(NotWritable::InProgress { what }));
        }
        let branch = self.branch.clone();
        Ok(match checked_out(&self.repo)? {
            // The next session brings HEAD up.
            _ if pending_switch::read(&self.repo)?.is_some() => None,
            None if self.repo.state() == RepositoryState::Bisect => Some(NotWritable::InProgress { what: BISECT }),
            None => Some(NotWritable::Detached { branch }),
            Some(found) if found != branch => Some(NotWritable::OtherBranch { found, branch }),
            Some(_) => self.filtered()?.map(|(path, filter)| NotWritable::Filtered { path, filter }),
        })
    }

    /// True when the work tree shows another commit than the book's last: a commit or another branch is checked out. The
    /// author's changes in it are not the book's.
    pub(crate) fn shows_another(&self) -> Result<bool, StoreError> {
        let is_shown = checked_out(&self.repo)?.is_some_and(|found| found == self.branch);
        Ok(!is_shown && pending_switch::read(&self.repo)?.is_none())
    }

    /// The filter that git passes the file through; `None` for files that it stores as they are.
    pub fn filter_of(&self, path: &str) -> Result<Option<String>, StoreError> {
        filter_of(&self.repo, path)
    }

    /// A file that chapters are made of, or read from, and the filter that `.gitattributes` names for it.
    fn filtered(&self) -> Result<Option<(String, String)>, StoreError> {
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
            if let Some(filter) = filter_of(&self.repo, &path)? {
                return Ok(Some((path, filter)));
            }
        }
        Ok(None)
    }
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
