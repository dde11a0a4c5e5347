//! Relations of two lines of commits.
//! The lease: the device with agents at work on the book, their work, beginning and end. It is one ref of the remote,
//! which names a commit without files whose message has the lease, and which is moved only by compare-and-swap. A lease
//! outlives its holder until its end. One without an end means that its holder has written something that the remote
//! lacks; the next sync of that copy frees it.

use crate::git::disk::read_if_there;
use crate::git::disk::system::file_id;
use crate::store::book::change;
use crate::store::book::commit_walk::Transaction;
use crate::store::book::provenance::Provenance;
use crate::store::book::snapshot::chapter_files;
use crate::store::drafts::draft;
use crate::store::drafts::rebase;
use crate::store::layout::check_path;
use crate::store::prelude::*;
use crate::store::remote::name::{LEASE, Listing};
use crate::store::remote::process::RemoteError;
use crate::store::remote::transfer::{RefMove, Remote};
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// Code hosts refuse files of this size, in bytes.
pub const LARGEST_FILE: u64 = 100 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryRelation {
    /// Both end with one commit.
    Same,
    /// `ours` continues `theirs`.
    Ahead,
    /// `theirs` continues `ours`.
    Behind,
    /// Both continue this commit.
    Diverged(CommitId),
    /// They have no commit in common.
    Unrelated,
}

impl Book {
    /// True when `earlier` is `commit` or in its history; false for unknown commits.
    pub fn includes(&self, commit: CommitId, earlier: CommitId) -> Result<bool, StoreError> {
        draft::reaches(self, commit.oid(), earlier.oid())
    }

    pub fn beyond(&self, tip: CommitId, other: Option<CommitId>) -> Result<Vec<Transaction>, StoreError> {
        let doing = "walking the history";
        let mut walk = self.repo.revwalk().doing(doing)?;
        walk.push(tip.oid()).doing(doing)?;
        if let Some(other) = other {
            walk.hide(other.oid()).doing(doing)?;
        }
        walk.map(|id| self.transaction(CommitId::from(id.doing(doing)?))).collect()
    }

    /// Refuses commits with a file that code hosts do not take. The program's own commits have none, so only the
    /// author's and the last one are checked.
    pub(super) fn check_sizes(&self, tip: CommitId, other: Option<CommitId>) -> Result<(), RemoteError> {
        let odb = self.repo.odb().doing("opening the object store")?;
        for commit in self.beyond(tip, other)?.into_iter().filter(|commit| !commit.is_ours || commit.id == tip) {
            let old = commit.parent.map(|parent| self.commit_tree(parent.oid())).transpose()?;
            for change in tree::differences(&self.repo, old.as_ref(), Some(&self.commit_tree(commit.id.oid())?))? {
                let Some(blob) = change.new.filter(|blob| blob.is_file()) else { continue };
                let (bytes, _) = odb.read_header(blob.id).doing("reading a file of the book")?;
                if bytes as u64 >= LARGEST_FILE {
                    let (path, bytes) = (change.path, bytes as u64);
                    return Err(RemoteError::TooLarge { path, bytes, commit: commit.id.short() });
                }
            }
        }
        Ok(())
    }
}

pub fn relation(book: &Book, ours: CommitId, theirs: CommitId) -> Result<HistoryRelation, StoreError> {
    if ours == theirs {
        return Ok(HistoryRelation::Same);
    }
    let base = book.repo.merge_base(ours.oid(), theirs.oid()).or_missing("comparing commits")?;
    Ok(match base.map(CommitId::from) {
        None => HistoryRelation::Unrelated,
        Some(base) if base == theirs => HistoryRelation::Ahead,
        Some(base) if base == ours => HistoryRelation::Behind,
        Some(base) => HistoryRelation::Diverged(base),
    })
}

pub fn has_commit(book: &Book, id: CommitId) -> Result<bool, StoreError> {
    Ok(book.repo.find_commit(id.oid()).or_missing("reading a commit")?.is_some())
}

/// True when this copy's history is shallow.
pub fn is_shallow(book: &Book) -> bool {
    book.repo.is_shallow()
}

/// The commit of `chapter` in the line of `tip`; `None` without the chapter.
pub fn origin_of_chapter(book: &Book, tip: CommitId, chapter: ChapterNo) -> Result<Option<Transaction>, StoreError> {
    let files = chapter_files(&book.repo, &book.commit_tree(tip.oid())?)?;
    let Some(file) = files.get(&chapter) else { return Ok(None) };
    let found = Provenance::new(book, tip.oid()).of([(chapter, *file)].into())?;
    Ok(found.into_values().next())
}

/// The last commit in the line from `base` to `tip` that changed the file at `path`.
pub fn last_change(book: &Book, path: &str, tip: CommitId, base: CommitId) -> Result<Option<Transaction>, StoreError> {
    let blob = |id: Oid| Ok::<_, StoreError>(tree::blob_at(&book.commit_tree(id)?, path).map(|blob| blob.id));
    let mut at = book.transaction(tip)?;
    loop {
        let Some(parent) = at.parent.filter(|_| at.id != base) else { return Ok(None) };
        if blob(at.id.oid())? != blob(parent.oid())? {
            return Ok(Some(at));
        }
        at = book.transaction(parent)?;
    }
}

/// A path in the changes from `ours` to `theirs` that must not be written to the author's folder.
pub fn bad_path(book: &Book, ours: CommitId, theirs: CommitId) -> Result<Option<String>, StoreError> {
    let (old, new) = (book.commit_tree(ours.oid())?, book.commit_tree(theirs.oid())?);
    let changes = tree::differences(&book.repo, Some(&old), Some(&new))?;
    Ok(changes.into_iter().find(|change| check_path(&change.path).is_err()).map(|change| change.path))
}

/// The paths at which `commit` has a link or another repository.
pub fn special_paths(book: &Book, commit: CommitId, paths: &[String]) -> Result<BTreeSet<String>, StoreError> {
    let tree = book.commit_tree(commit.oid())?;
    let is_special = |path: &&String| tree::blob_at(&tree, path).is_some_and(|blob| !blob.is_file());
    Ok(paths.iter().filter(is_special).cloned().collect())
}

/// The local ref of the lease that this copy holds.
const HELD: &str = "refs/novel/held";
/// The local ref for the last lease that this copy has seen or asked for: no packing by git drops its commit meanwhile.
const SEEN: &str = "refs/novel/seen-lease";
/// The end of a lease that is freed on a remote that lets no ref go.
const FREED: Option<i64> = Some(0);
/// The largest difference of devices' clocks in seconds, by which another's lease counts longer.
pub const CLOCK_SKEW: i64 = 5 * 60;
/// Attempts to get a lease while others move it.
const ATTEMPTS: u32 = 4;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lease {
    /// The copy that holds the lease: sixteen hexadecimal digits.
    pub copy: String,
    pub device: String,
    pub author: String,
    /// The work, by name: `ch-048`, `vol-02`.
    pub work: Option<String>,
    /// The chapter as a plain number, the only work that older programs name.
    pub chapter: Option<u32>,
    /// Beginning, in seconds since 1970.
    pub since: i64,
    /// End, in seconds since 1970; `None` until the holder has synced.
    pub until: Option<i64>,
    /// The book's last commit at the beginning.
    pub from: String,
}

impl Lease {
    /// True when the end has passed by more than clocks differ.
    pub fn is_over(&self, now: i64) -> bool {
        self.until.is_some_and(|until| now > until.saturating_add(CLOCK_SKEW))
    }

    pub fn work(&self) -> Option<Work> {
        let chapter = || self.chapter.and_then(ChapterNo::new).map(Work::Chapter);
        self.work.as_ref().and_then(|name| name.parse().ok()).or_else(chapter)
    }

    fn render(&self) -> String {
        let work = self.work().map_or_else(|| "the book".to_owned(), |work| work.to_string());
        format!("lease: {work}\n\n{}\n", serde_json::to_string(self).unwrap_or_default())
    }

    /// Parses a message. An unreadable one is a lease of an unknown holder without an end.
    fn parse(message: &str) -> Self {
        message.lines().find_map(|line| serde_json::from_str(line).ok()).unwrap_or_default()
    }
}

/// A request to [`history::hold_lease`].
#[derive(Debug, Clone)]
pub struct LeaseRequest {
    /// The name of this device.
    pub device: String,
    pub author: Identity,
    /// `None` to free the lease soon.
    pub work: Option<Work>,
    pub now: Moment,
    /// Duration in seconds.
    pub seconds: i64,
    /// True when another's lease does not count.
    pub take_over: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The lease was held already and lasts long enough.
    Still,
    /// The lease was taken or renewed, perhaps in place of another's.
    Taken {
        /// End, in seconds since 1970.
        until: i64,
        instead_of: Option<Lease>,
    },
}

#[derive(Debug)]
pub enum NotHeld {
    /// Another copy holds the lease.
    Taken(Box<Lease>),
    /// The remote has commits that this copy lacks.
    Behind,
    Remote(RemoteError),
}

impl<E: Into<RemoteError>> From<E> for NotHeld {
    fn from(e: E) -> Self {
        Self::Remote(e.into())
    }
}

/// The lease that this copy holds by its own records.
pub fn held_lease(book: &Book) -> Result<Option<(CommitId, Lease)>, StoreError> {
    match refs::target(&book.repo, HELD)? {
        Some(id) => Ok(read_lease(book, id)?.map(|lease| (id.into(), lease))),
        None => Ok(None),
    }
}

fn read_lease(book: &Book, id: Oid) -> Result<Option<Lease>, StoreError> {
    // Commits of leases bypass the memory in which a session gathers its objects.
    let commit = book.repo.find_commit(id).or_missing("reading a lease")?;
    Ok(commit.map(|commit| Lease::parse(&String::from_utf8_lossy(commit.message_raw_bytes()))))
}

/// Takes the lease, or renews it when a third of its time has passed. A failure leaves the remote unchanged.
pub fn hold_lease(session: &Session<'_>, remote: &Remote<'_>, request: &LeaseRequest) -> Result<Held, NotHeld> {
    let book = session.book;
    let now = request.now.seconds;
    let held = held_lease(book)?;
    if let Some((_, lease)) = &held
        && lease.work() == request.work
        && lease.until.is_some_and(|until| until - now > request.seconds * 2 / 3)
    {
        return Ok(Held::Still);
    }
    let tip = book.tip()?;
    let copy = copy_id(session)?;
    for _ in 0..ATTEMPTS {
        let listing = remote.list()?;
        if let Some(theirs) = listing.branch(book.branch())
            && !(has_commit(book, theirs)? && book.includes(tip, theirs)?)
        {
            return Err(NotHeld::Behind);
        }
        let (old, other) = (listing.lease(), lease_of_other(session, remote, &listing, &copy)?);
        if let Some(other) = &other
            && !other.is_over(now)
            && !request.take_over
        {
            return Err(NotHeld::Taken(Box::new(other.clone())));
        }
        // By the remote's word: a process may have died before recording here what it had taken there.
        let before = match old.filter(|_| other.is_none()) {
            Some(own) => read_lease(book, own.oid())?.filter(|lease| lease.until != FREED),
            None => None,
        };
        let until = now.saturating_add(request.seconds);
        let lease = Lease {
            copy: copy.clone(),
            device: request.device.clone(),
            author: request.author.name.clone(),
            work: request.work.map(|work| work.to_string()),
            chapter: request.work.and_then(Work::chapter).map(ChapterNo::get),
            since: before.as_ref().map_or(now, |lease| lease.since),
            until: Some(until),
            from: before.map_or_else(|| tip.to_string(), |lease| lease.from),
        };
        let id = write_lease(session, &lease, old, request)?;
        abort_at("lease.asked");
        if remote.swap(RefMove { name: LEASE.to_owned(), old, new: Some(id) })? {
            abort_at("lease.taken");
            // Recorded last: a lease recorded here counts as held without asking the remote.
            refs::set(&book.repo, &session.wait, HELD, id.oid(), "novel: lease")?;
            return Ok(Held::Taken { until, instead_of: other });
        }
    }
    Err(RemoteError::Moved { remote: remote.name().to_owned() }.into())
}

/// Frees the lease at the end of a run. When the remote lacks something that the run has written, the lease stays
/// without an end until this copy is synced; returns true then. Fails when the remote is out of reach: the lease
/// ends by itself.
pub fn free_lease(session: &Session<'_>, remote: &Remote<'_>, request: &LeaseRequest) -> Result<bool, RemoteError> {
    let book = session.book;
    let Some((held, lease)) = held_lease(book)? else { return Ok(false) };
    let listing = remote.list()?;
    if listing.lease() != Some(held) && !is_own(session, remote, &listing)? {
        refs::delete(&book.repo, &session.wait, HELD)?;
        return Ok(false);
    }
    if is_on(session, &listing, &lease)? {
        match remote.swap(RefMove { name: LEASE.to_owned(), old: listing.lease(), new: None }) {
            Err(RemoteError::Refused { .. }) => end_lease(session, remote, &listing, request)?,
            freed => drop(freed?),
        }
        refs::delete(&book.repo, &session.wait, HELD)?;
        return Ok(false);
    }
    if lease.until.is_some() {
        let id = write_lease(session, &Lease { until: None, ..lease }, listing.lease(), request)?;
        if remote.swap(RefMove { name: LEASE.to_owned(), old: listing.lease(), new: Some(id) })? {
            refs::set(&book.repo, &session.wait, HELD, id.oid(), "novel: lease")?;
        }
    }
    Ok(true)
}

/// The move that frees this copy's lease, for a push of everything under it; `None` without a lease.
pub fn freeing(session: &Session<'_>, remote: &Remote<'_>, listing: &Listing) -> Result<Option<RefMove>, RemoteError> {
    let old = listing.lease();
    let is_own = old.is_some() && is_own(session, remote, listing)?;
    let lease = old.map(|id| read_lease(session.book, id.oid())).transpose()?.flatten();
    let is_freed = lease.is_some_and(|lease| lease.until == FREED);
    Ok((is_own && !is_freed).then(|| RefMove { name: LEASE.to_owned(), old, new: None }))
}

/// Puts one that is over in place of this copy's lease, on a remote that refuses to delete the ref.
pub fn end_lease(
    session: &Session<'_>,
    remote: &Remote<'_>,
    listing: &Listing,
    request: &LeaseRequest,
) -> Result<(), RemoteError> {
    let Some(old) = listing.lease() else { return Ok(()) };
    let lease = read_lease(session.book, old.oid())?.unwrap_or_default();
    let id = write_lease(session, &Lease { until: FREED, ..lease }, Some(old), request)?;
    remote.swap(RefMove { name: LEASE.to_owned(), old: Some(old), new: Some(id) })?;
    Ok(())
}

/// Forgets the lease that this copy held.
pub fn forget_lease(session: &Session<'_>) -> Result<(), StoreError> {
    refs::delete(&session.book.repo, &session.wait, HELD)
}

fn is_own(session: &Session<'_>, remote: &Remote<'_>, listing: &Listing) -> Result<bool, RemoteError> {
    Ok(listing.lease().is_some() && lease_of_other(session, remote, listing, &copy_id(session)?)?.is_none())
}

/// The lease on the remote, when another copy holds it. One that was freed is held by none.
fn lease_of_other(
    session: &Session<'_>,
    remote: &Remote<'_>,
    listing: &Listing,
    copy: &str,
) -> Result<Option<Lease>, RemoteError> {
    let Some(id) = listing.lease() else { return Ok(None) };
    if read_lease(session.book, id.oid())?.is_none() {
        remote.fetch(&[(LEASE.to_owned(), SEEN.to_owned())])?;
    }
    let lease = read_lease(session.book, id.oid())?.unwrap_or_default();
    Ok((lease.copy != copy && lease.until != FREED).then_some(lease))
}

/// True when the remote has everything written under the lease: the book, and the work in flight.
fn is_on(session: &Session<'_>, listing: &Listing, lease: &Lease) -> Result<bool, StoreError> {
    let book = session.book;
    let tip = book.tip()?;
    let theirs = listing.branch(book.branch());
    let is_there = theirs.map(|theirs| book.includes(theirs, tip)).transpose()?.unwrap_or(false);
    if !is_there && lease.from != tip.to_string() {
        return Ok(false);
    }
    let drafts = listing.drafts();
    for (work, draft) in rebase::open_drafts(book)? {
        if drafts.get(&work) != Some(&draft) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes a lease on top of the `old` one, if any: some remotes let refs only go forward.
fn write_lease(
    session: &Session<'_>,
    lease: &Lease,
    old: Option<CommitId>,
    request: &LeaseRequest,
) -> Result<CommitId, StoreError> {
    let repo = &session.book.repo;
    let signature = request.author.signature(request.now).doing("naming the author")?;
    session.book.objects.forget(repo)?;
    let empty = repo.treebuilder(None).and_then(|tree| tree.write()).doing("writing a lease")?;
    let parents: Vec<Oid> = old.iter().map(|old| old.oid()).collect();
    let commit = tree::commit(repo, empty, &parents, (&signature, &signature), &lease.render())?;
    refs::set(repo, &session.wait, SEEN, change::settled(session.book, commit)?, "novel: lease")?;
    Ok(commit.into())
}

/// The id of this copy of the book, created at the first use. A copied folder is another copy.
fn copy_id(session: &Session<'_>) -> Result<String, StoreError> {
    let private = session.book.private();
    let path = private.join("copy");
    let place = place_of(&private);
    let known = String::from_utf8_lossy(&read_if_there(&path)?.unwrap_or_default()).into_owned();
    if let Some((id, at)) = known.trim().split_once(' ')
        && at == place
    {
        return Ok(id.to_owned());
    }
    let id = format!("{:016x}", RandomState::new().build_hasher().finish());
    session.book.inner.replace(&path, format!("{id} {place}\n").as_bytes())?;
    Ok(id)
}

/// A text that differs in a copied folder.
fn place_of(private: &Path) -> String {
    file_id(private).map(|id| id.number.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_read_as_it_is_written_and_junk_has_no_end() {
        let lease = Lease {
            copy: "0123456789abcdef".to_owned(),
            device: "桌面\n".to_owned(),
            author: "A".to_owned(),
            work: Some("vol-02".to_owned()),
            chapter: None,
            since: 100,
            until: Some(1900),
            from: "x".to_owned(),
        };
        assert_eq!(Lease::parse(&lease.render()), lease);
        assert!(lease.render().starts_with("lease: vol-02\n\n{"));
        let older = Lease { chapter: Some(48), ..Lease::default() };
        assert!(older.render().starts_with("lease: ch-048\n\n{"));
        assert_eq!(Lease::parse("hello"), Lease::default());
        assert!(!Lease::default().is_over(i64::MAX));
    }

    #[test]
    fn a_lease_is_over_when_no_clock_disagrees() {
        let lease = Lease { until: Some(1000), ..Lease::default() };
        assert!(!lease.is_over(1000 + CLOCK_SKEW) && lease.is_over(1001 + CLOCK_SKEW));
    }
}
