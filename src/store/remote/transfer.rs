//! Listing, fetching and pushing. Every pushed ref carries its expected value on the remote, so that changes of other
//! devices are never overwritten.

use crate::git::refs::{DRAFTS, KEPT};
use crate::store::book::change;
use crate::store::drafts::kept::TAGS;
use crate::store::prelude::*;
use crate::store::remote::name::{Listing, RemoteName, tracking};
use crate::store::remote::process::{self, Finished, GitProgram, RemoteError, Transfer};

/// Above this number, new refs are pushed by a pattern.
const MANY: usize = 200;
/// Bytes of names and values in one push. Each push costs both sides a walk over all refs, so few are better.
const ROOM: usize = system::COMMAND_ROOM;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefMove {
    pub name: String,
    /// `None` for a new ref.
    pub old: Option<CommitId>,
    /// `None` for a deletion.
    pub new: Option<CommitId>,
}

impl RefMove {
    /// The bytes in a command: the name twice, two values, and the words between.
    fn room(&self) -> usize {
        self.name.len() * 2 + 120
    }
}

/// The moves, split into as few parts as fit a command.
fn parts(moves: &[RefMove]) -> Vec<&[RefMove]> {
    if moves.is_empty() {
        return Vec::new();
    }
    let (mut parts, mut from, mut room) = (Vec::new(), 0, 0);
    for (at, moved) in moves.iter().enumerate() {
        room += moved.room();
        if room > ROOM && at > from {
            parts.push(&moves[from..at]);
            (from, room) = (at, moved.room());
        }
    }
    parts.push(&moves[from..]);
    parts
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// All moved except for refs that the remote refuses for its own reasons, each with the reason.
    Done(Vec<(String, String)>),
    /// The remote has moved since the listing.
    Moved,
}

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

    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    pub fn remote_name(&self) -> &RemoteName {
        &self.name
    }

    /// The local ref of the remote's branch.
    pub fn tracking(&self, branch: &str) -> String {
        tracking(&self.name, branch)
    }

    pub fn list(&self) -> Result<Listing, RemoteError> {
        let args = ["ls-remote", "--symref", "--quiet", "--", self.name()].map(str::to_owned);
        let finished = self.run(&args, "")?;
        match finished.succeeded {
            true => Ok(Listing::parse(&finished.stdout)),
            false => Err(self.failure(&finished)),
        }
    }

    /// Fetches refs to local names, overwriting existing ones.
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
            // The ref has gone since the listing.
            false if finished.said.contains("couldn't find remote ref") => {
                Err(RemoteError::Moved { remote: self.name().to_owned() })
            }
            false => Err(self.failure(&finished)),
        }
    }

    /// Pushes refs to a remote with those of `listing`: atomically if it can and they are not too many, otherwise kept
    /// lines first, then the rest, so that nothing is hidden before it is kept. [`RemoteError::Refused`] when the
    /// remote refuses `branch` itself.
    pub fn push(&self, branch: &str, listing: &Listing, moves: &[RefMove]) -> Result<Pushed, RemoteError> {
        let branch = format!("refs/heads/{branch}");
        if let Some(moved) = moves.iter().find(|moved| moved.name == branch)
            && let Some(new) = moved.new
        {
            self.book.check_sizes(new, moved.old)?;
        }
        self.check_keys(listing, moves)?;
        if moves.len() <= MANY && moves.iter().map(RefMove::room).sum::<usize>() <= ROOM {
            match self.push_once(moves, true)? {
                PushAttempt::Done => return Ok(Pushed::Done(Vec::new())),
                PushAttempt::Moved => return Ok(Pushed::Moved),
                PushAttempt::NotAtomic | PushAttempt::Refused(_) => {}
            }
        }
        self.push_in_turn(&branch, listing, moves)
    }

    /// Refuses to send commits with keys.
    fn check_keys(&self, listing: &Listing, moves: &[RefMove]) -> Result<(), RemoteError> {
        let tips: Vec<CommitId> = moves.iter().filter_map(|moved| moved.new).collect();
        let keys = change::keys_to_send(self.book, &tips, &listing.ids(), self.name())?;
        let Some(first) = keys.first().map(|key| key.commit) else { return Ok(()) };
        let mut name = String::new();
        for moved in moves {
            if let Some(new) = moved.new
                && self.book.includes(new, first)?
            {
                name.clone_from(&moved.name);
                break;
            }
        }
        Err(RemoteError::Keys { remote: self.name().to_owned(), keys, name })
    }

    /// Pushes kept lines, then the branch with the drafts, then tags and deletions.
    fn push_in_turn(&self, branch: &str, listing: &Listing, moves: &[RefMove]) -> Result<Pushed, RemoteError> {
        let turn = |moved: &RefMove| match moved {
            RefMove { name, new: Some(_), .. } if name.starts_with(KEPT) => 0,
            RefMove { name, new: Some(_), .. } if name == branch || name.starts_with(DRAFTS) => 1,
            _ => 2,
        };
        let mut refused = Vec::new();
        for at in 0..3 {
            let mut now: Vec<RefMove> = moves.iter().filter(|moved| turn(moved) == at).cloned().collect();
            let mut attempts = Vec::new();
            for prefix in [KEPT, TAGS] {
                attempts.extend(self.push_new(prefix, listing, &mut now)?);
            }
            let (gathered, now): (Vec<RefMove>, Vec<RefMove>) =
                now.into_iter().partition(|moved| moved.new.is_none() && moved.name.starts_with(KEPT));
            for part in parts(&now) {
                attempts.push(self.push_once(part, false)?);
            }
            // Only where the archive has arrived.
            let is_kept = !refused.iter().any(|(name, _): &(String, String)| name.starts_with(KEPT));
            attempts.extend(self.push_gathered(if is_kept { &gathered } else { &[] })?);
            for attempt in attempts {
                match attempt {
                    PushAttempt::Done => {}
                    PushAttempt::Moved => return Ok(Pushed::Moved),
                    PushAttempt::NotAtomic => {}
                    PushAttempt::Refused(of) => refused.extend(of),
                }
            }
            if let Some((name, reason)) = refused.iter().find(|(name, _)| name == branch) {
                let (remote, name, reason) = (self.name().to_owned(), name.clone(), reason.clone());
                return Err(RemoteError::Refused { remote, name, reason, said: Vec::new() });
            }
        }
        Ok(Pushed::Done(refused))
    }

    /// Deletes refs of drafts in the archive: some hundreds per push, each of which is one transaction of the remote's
    /// refs. A remote that refuses a deletion is asked once.
    fn push_gathered(&self, moves: &[RefMove]) -> Result<Option<PushAttempt>, RemoteError> {
        for part in moves.chunks(MANY) {
            let attempt = match self.push_once(part, true)? {
                PushAttempt::NotAtomic => self.push_once(part, false)?,
                attempt => attempt,
            };
            match attempt {
                PushAttempt::Refused(refused) => {
                    return Ok(Some(PushAttempt::Refused(refused.into_iter().take(1).collect())));
                }
                PushAttempt::Moved => return Ok(Some(PushAttempt::Moved)),
                PushAttempt::Done | PushAttempt::NotAtomic => {}
            }
        }
        Ok(None)
    }

    /// Pushes many new refs below a prefix by one pattern, and removes them from the moves: git compares each named ref
    /// with each ref on either side. `None` where they are few, or where the pattern would push others too.
    fn push_new(
        &self,
        prefix: &str,
        listing: &Listing,
        moves: &mut Vec<RefMove>,
    ) -> Result<Option<PushAttempt>, RemoteError> {
        let is_new = |moved: &RefMove| moved.old.is_none() && moved.new.is_some() && moved.name.starts_with(prefix);
        let new: BTreeSet<&str> = moves.iter().filter(|moved| is_new(moved)).map(|moved| moved.name.as_str()).collect();
        if new.len() <= MANY {
            return Ok(None);
        }
        let is_meant = |(name, id): &(String, Oid)| {
            new.contains(name.as_str()) || listing.get(name).is_some_and(|there| there.oid() == *id)
        };
        if !refs::listed(&self.book.repo, prefix)?.iter().all(is_meant) {
            return Ok(None);
        }
        moves.retain(|moved| !is_new(moved));
        self.push_refspecs(&[], &[format!("{prefix}*:{prefix}*")]).map(Some)
    }

    /// Moves one ref of the program's own, without the user's hooks. Returns false when the ref was not at its expected
    /// value.
    pub(super) fn swap(&self, moved: RefMove) -> Result<bool, RemoteError> {
        match self.push_with(std::slice::from_ref(&moved), &["--no-verify"])? {
            PushAttempt::Done => Ok(true),
            PushAttempt::Moved => Ok(false),
            PushAttempt::NotAtomic => Err(RemoteError::Failed { remote: self.name().to_owned(), said: Vec::new() }),
            PushAttempt::Refused(refused) => {
                let (name, reason) = refused.into_iter().next().unwrap_or((moved.name, String::new()));
                Err(RemoteError::Refused { remote: self.name().to_owned(), name, reason, said: Vec::new() })
            }
        }
    }

    fn push_once(&self, moves: &[RefMove], atomic: bool) -> Result<PushAttempt, RemoteError> {
        self.push_with(moves, if atomic { &["--atomic"] } else { &[] })
    }

    fn push_with(&self, moves: &[RefMove], flags: &[&str]) -> Result<PushAttempt, RemoteError> {
        if moves.is_empty() {
            return Ok(PushAttempt::Done);
        }
        let text = |id: Option<CommitId>| id.map(|id| id.to_string()).unwrap_or_default();
        let mut options: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        options.extend(moves.iter().map(|moved| format!("--force-with-lease={}:{}", moved.name, text(moved.old))));
        let refspecs: Vec<String> = moves.iter().map(|moved| format!("{}:{}", text(moved.new), moved.name)).collect();
        self.push_refspecs(&options, &refspecs)
    }

    fn push_refspecs(&self, options: &[String], refspecs: &[String]) -> Result<PushAttempt, RemoteError> {
        let mut args: Vec<String> = ["push", "--porcelain"].map(str::to_owned).to_vec();
        args.extend(self.git.progress.then(|| "--progress".to_owned()));
        args.extend_from_slice(options);
        args.extend(["--".to_owned(), self.name().to_owned()]);
        args.extend_from_slice(refspecs);
        let finished = self.run(&args, "")?;
        if finished.succeeded {
            return Ok(PushAttempt::Done);
        }
        if finished.said.contains("does not support --atomic") {
            return Ok(PushAttempt::NotAtomic);
        }
        let rejected = rejections(&finished.stdout);
        // Git connects before it runs the hook, so that a remote which cannot be reached ends with another code.
        if rejected.is_empty() && finished.code == Some(1) && finished.said.contains("failed to push some refs") {
            let mut said = process::lines(&finished.said);
            said.retain(|line| !line.starts_with("error: failed to push some refs"));
            return Err(RemoteError::Hook { remote: self.name().to_owned(), said });
        }
        if rejected.is_empty() {
            return Err(self.failure(&finished));
        }
        let moved = rejected.iter().any(|(_, reason)| is_race(reason));
        Ok(if moved { PushAttempt::Moved } else { PushAttempt::Refused(rejected) })
    }

    fn run(&self, args: &[String], input: &str) -> Result<Finished, RemoteError> {
        self.git.run(self.book.root(), args, input, &*self.listener)
    }

    fn failure(&self, finished: &Finished) -> RemoteError {
        process::failure(self.name(), &finished.said)
    }
}

enum PushAttempt {
    Done,
    Moved,
    /// The remote cannot push atomically.
    NotAtomic,
    Refused(Vec<(String, String)>),
}

/// The rejected refs with the reasons, from `git push --porcelain`.
fn rejections(stdout: &str) -> Vec<(String, String)> {
    let of_line = |line: &str| {
        let mut parts = line.strip_prefix("!\t")?.splitn(2, '\t');
        let name = parts.next()?.split_once(':')?.1.to_owned();
        let summary = parts.next()?;
        let reason = summary.rsplit_once(" (").map_or(summary, |(_, reason)| reason.trim_end_matches(')'));
        Some((name, process::without_secrets(reason)))
    };
    let all: Vec<(String, String)> = stdout.lines().filter_map(of_line).collect();
    // With one ref refused, an atomic push refuses all; only the first cause counts.
    let is_cause = |(_, reason): &&(String, String)| {
        !matches!(reason.as_str(), "atomic push failed" | "atomic transaction failed")
    };
    let causes: Vec<(String, String)> = all.iter().filter(is_cause).cloned().collect();
    if causes.is_empty() { all } else { causes }
}

/// True for reasons of a race: the ref was not at its expected value.
fn is_race(reason: &str) -> bool {
    const RACES: [&str; 10] = [
        "stale info",
        "fetch first",
        "non-fast-forward",
        "needs force",
        "incorrect old value",
        "already exists",
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
    fn moves_are_parted_so_that_each_command_has_room_for_its_own_and_none_is_lost() {
        let moved = |n: usize| RefMove { name: format!("refs/tags/ch-{n:05}"), old: None, new: None };
        let all: Vec<RefMove> = (0..ROOM / 40).map(moved).collect();
        let parts = parts(&all);
        assert!(parts.len() > 2 && parts.iter().all(|part| part.iter().map(RefMove::room).sum::<usize>() <= ROOM));
        assert_eq!(parts.concat(), all);
        assert_eq!(super::parts(&all[..2]).len(), 1);
    }

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
