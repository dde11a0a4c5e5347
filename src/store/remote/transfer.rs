//! Listing, fetching and pushing. Every ref that is pushed carries the value that it is expected to have there, so that
//! whatever another device did meanwhile is never overwritten.

use super::error::RemoteError;
use super::listing::Listing;
use super::name::RemoteName;
use super::process::{Finished, GitProgram, Transfer};
use super::words;
use crate::store::book::repository::Book;
use crate::store::git::commit_id::CommitId;
use crate::store::git::refs::{DRAFTS, KEPT};

/// So many refs go into one push: some systems allow thirty thousand characters in a command.
const MOST: usize = 150;

/// A ref of the remote that is to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefMove {
    /// The whole name.
    pub name: String,
    /// Its value; `None` when it does not exist.
    pub old: Option<CommitId>,
    /// Its new value; `None` when it is deleted.
    pub new: Option<CommitId>,
}

/// How a push ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// All of it is there, but for refs that the remote refuses for reasons of its own, each with the reason.
    Done(Vec<(String, String)>),
    /// The remote has moved since it was listed.
    Moved,
}

/// A copy of the book elsewhere.
pub struct Remote<'b> {
    book: &'b Book,
    name: RemoteName,
    git: &'b GitProgram,
    listener: Box<dyn Fn(Transfer) + 'b>,
}

impl std::fmt::Debug for Remote<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'b> Remote<'b> {
    /// The remote of that name, with a listener for progress.
    pub fn new(book: &'b Book, name: RemoteName, git: &'b GitProgram, listener: impl Fn(Transfer) + 'b) -> Self {
        Self { book, name, git, listener: Box::new(listener) }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The same as a checked name.
    #[must_use]
    pub fn remote_name(&self) -> &RemoteName {
        &self.name
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &'b Book {
        self.book
    }

    /// The ref under which the branch of the remote is known here.
    #[must_use]
    pub fn tracking(&self, branch: &str) -> String {
        format!("refs/remotes/{}/{branch}", self.name)
    }

    /// The refs that the remote has.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn list(&self) -> Result<Listing, RemoteError> {
        let args = ["ls-remote", "--symref", "--quiet", "--", self.name()].map(str::to_owned);
        let finished = self.run(&args, "")?;
        match finished.succeeded {
            true => Ok(Listing::parse(&finished.stdout)),
            false => Err(self.failure(&finished)),
        }
    }

    /// Fetches refs, each under a name of this copy's. What is there under that name is overwritten.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn fetch(&self, refs: &[(String, String)]) -> Result<(), RemoteError> {
        if refs.is_empty() {
            return Ok(());
        }
        let mut args: Vec<String> =
            ["fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--stdin"]
                .map(str::to_owned)
                .to_vec();
        args.extend(self.git.progress.then(|| "--progress".to_owned()));
        args.extend(["--".to_owned(), self.name().to_owned()]);
        let input: String = refs.iter().map(|(theirs, ours)| format!("+{theirs}:{ours}\n")).collect();
        let finished = self.run(&args, &input)?;
        match finished.succeeded {
            true => Ok(()),
            // It has gone since the listing.
            false if finished.said.contains("couldn't find remote ref") => {
                Err(RemoteError::Moved { remote: self.name().to_owned() })
            }
            false => Err(self.failure(&finished)),
        }
    }

    /// Pushes refs: all or none where the remote can do that, and otherwise what is kept first, then the rest, so that
    /// nothing is hidden before it is kept.
    ///
    /// # Errors
    /// [`RemoteError`]; [`RemoteError::Refused`] when the remote refuses `branch` itself.
    pub fn push(&self, branch: &str, moves: &[RefMove]) -> Result<Pushed, RemoteError> {
        let branch = format!("refs/heads/{branch}");
        if let Some(moved) = moves.iter().find(|moved| moved.name == branch)
            && let Some(new) = moved.new
        {
            self.book.check_sizes(new, moved.old)?;
        }
        if moves.len() <= MOST {
            match self.push_once(moves, true)? {
                Attempt::Done => return Ok(Pushed::Done(Vec::new())),
                Attempt::Moved => return Ok(Pushed::Moved),
                Attempt::NotAtomic | Attempt::Refused(_) => {}
            }
        }
        self.push_in_turn(&branch, moves)
    }

    /// Pushes what is kept, then the branch with the drafts, then tags and everything that goes.
    fn push_in_turn(&self, branch: &str, moves: &[RefMove]) -> Result<Pushed, RemoteError> {
        let turn = |moved: &RefMove| match moved {
            RefMove { name, .. } if name.starts_with(KEPT) => 0,
            RefMove { name, new: Some(_), .. } if name == branch || name.starts_with(DRAFTS) => 1,
            _ => 2,
        };
        let mut refused = Vec::new();
        for at in 0..3 {
            let now: Vec<RefMove> = moves.iter().filter(|moved| turn(moved) == at).cloned().collect();
            for part in now.chunks(MOST) {
                match self.push_once(part, false)? {
                    Attempt::Done => {}
                    Attempt::Moved => return Ok(Pushed::Moved),
                    Attempt::NotAtomic => {}
                    Attempt::Refused(of) => refused.extend(of),
                }
            }
            if let Some((name, reason)) = refused.iter().find(|(name, _)| name == branch) {
                let (remote, name, reason) = (self.name().to_owned(), name.clone(), reason.clone());
                return Err(RemoteError::Refused { remote, name, reason, said: Vec::new() });
            }
        }
        Ok(Pushed::Done(refused))
    }

    /// Moves one ref of the program's own, without the user's hooks. Returns false when it was not where it was expected.
    pub(super) fn swap(&self, moved: RefMove) -> Result<bool, RemoteError> {
        match self.push_with(std::slice::from_ref(&moved), &["--no-verify"])? {
            Attempt::Done => Ok(true),
            Attempt::Moved => Ok(false),
            Attempt::NotAtomic => Err(RemoteError::Failed { remote: self.name().to_owned(), said: Vec::new() }),
            Attempt::Refused(refused) => {
                let (name, reason) = refused.into_iter().next().unwrap_or((moved.name, String::new()));
                Err(RemoteError::Refused { remote: self.name().to_owned(), name, reason, said: Vec::new() })
            }
        }
    }

    fn push_once(&self, moves: &[RefMove], atomic: bool) -> Result<Attempt, RemoteError> {
        self.push_with(moves, if atomic { &["--atomic"] } else { &[] })
    }

    fn push_with(&self, moves: &[RefMove], flags: &[&str]) -> Result<Attempt, RemoteError> {
        if moves.is_empty() {
            return Ok(Attempt::Done);
        }
        let mut args: Vec<String> = ["push", "--porcelain"].map(str::to_owned).to_vec();
        args.extend(flags.iter().map(|flag| (*flag).to_owned()));
        args.extend(self.git.progress.then(|| "--progress".to_owned()));
        let text = |id: Option<CommitId>| id.map(|id| id.to_string()).unwrap_or_default();
        args.extend(moves.iter().map(|moved| format!("--force-with-lease={}:{}", moved.name, text(moved.old))));
        args.extend(["--".to_owned(), self.name().to_owned()]);
        args.extend(moves.iter().map(|moved| format!("{}:{}", text(moved.new), moved.name)));
        let finished = self.run(&args, "")?;
        if finished.succeeded {
            return Ok(Attempt::Done);
        }
        if finished.said.contains("does not support --atomic") {
            return Ok(Attempt::NotAtomic);
        }
        let rejected = rejections(&finished.stdout);
        if rejected.is_empty() {
            return Err(self.failure(&finished));
        }
        let moved = rejected.iter().any(|(_, reason)| is_race(reason));
        Ok(if moved { Attempt::Moved } else { Attempt::Refused(rejected) })
    }

    fn run(&self, args: &[String], input: &str) -> Result<Finished, RemoteError> {
        self.git.run(self.book.root(), args, input, &*self.listener)
    }

    fn failure(&self, finished: &Finished) -> RemoteError {
        words::failure(self.name(), &finished.said)
    }
}

/// How one push ended.
enum Attempt {
    Done,
    Moved,
    /// The remote cannot move several refs at once.
    NotAtomic,
    Refused(Vec<(String, String)>),
}

/// The refs that were rejected, with the reasons, from the lines of `git push --porcelain`.
fn rejections(stdout: &str) -> Vec<(String, String)> {
    let of_line = |line: &str| {
        let mut parts = line.strip_prefix("!\t")?.splitn(2, '\t');
        let name = parts.next()?.split_once(':')?.1.to_owned();
        let summary = parts.next()?;
        let reason = summary.rsplit_once(" (").map_or(summary, |(_, reason)| reason.trim_end_matches(')'));
        Some((name, words::without_secrets(reason)))
    };
    let all: Vec<(String, String)> = stdout.lines().filter_map(of_line).collect();
    // With one of them refused, an atomic push refuses all; only the first cause counts.
    let is_cause = |(_, reason): &&(String, String)| {
        !matches!(reason.as_str(), "atomic push failed" | "atomic transaction failed")
    };
    let causes: Vec<(String, String)> = all.iter().filter(is_cause).cloned().collect();
    if causes.is_empty() { all } else { causes }
}

/// True for the reasons that another push gives: the ref was not where it was expected to be.
fn is_race(reason: &str) -> bool {
    const RACES: [&str; 10] = [
        "stale info",
        "fetch first",
        "non-fast-forward",
        "needs force",
        "incorrect old value",
        "reference already exists",
        "failed to update ref",
        "failed to lock",
        "cannot lock ref",
        "atomic transaction failed",
    ];
    RACES.iter().any(|race| reason.contains(race))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejections_are_read_with_their_cause() {
        let stdout = "To /srv/b.git\n!\tabc:refs/heads/main\t[rejected] (stale info)\n\
                      !\tabc:refs/tags/ch-001\t[rejected] (atomic push failed)\nDone\n";
        assert_eq!(rejections(stdout), [("refs/heads/main".to_owned(), "stale info".to_owned())]);
        let hidden = "!\tabc:refs/novel/lease\t[remote rejected] (deny updating a hidden ref)\n";
        let rejected = rejections(hidden);
        assert_eq!(rejected[0].1, "deny updating a hidden ref");
        assert!(!is_race(&rejected[0].1) && is_race("stale info"));
    }
}
