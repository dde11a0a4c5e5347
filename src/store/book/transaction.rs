//! One transaction: objects, intent, compare-and-swap of the branch, and everything that follows from it.
//! The branch moving is the commit point. Before it, nothing that anybody sees has changed; after it, every step can be
//! run again from the commit alone, which is what [`super::recover`] does when a process dies in between.

use crate::git::disk::SyncAtOnce;
use crate::git::error::GivenAuthor;
use crate::git::index::{IndexBusy, IndexEdit, LockError};
use crate::git::refs::{INTENT, KEPT, Swap, Unmoved};
use crate::git::verification::expect_whole_book;
use crate::git::work_tree::{PreparedChanges, Unfiltered};
use crate::store::book::change;
use crate::store::book::commit_walk::{Transaction, tag_ref};
use crate::store::book::history;
use crate::store::book::not_writable::NotWritable;
use crate::store::book::recover;
use crate::store::book::session::BeginError;
use crate::store::message::key;
use crate::store::prelude::*;

#[derive(Debug, Clone)]
pub struct Proposal {
    pub change: Change,
    /// The message, with the kind of the transaction and the reason for it.
    pub message: Message,
    /// The commit that the change was made for. When the book has moved since, nothing happens.
    pub expected: CommitId,
    /// Other lines that are joined by this commit.
    pub merged: Vec<CommitId>,
    /// Commits to keep reachable, each under a name below `refs/novel/kept/`: `ch-048/1a2b3c4d5e`.
    pub keep: Vec<(String, CommitId)>,
    pub author: Identity,
    pub time: Moment,
}

#[derive(Debug)]
pub struct Committed {
    pub id: CommitId,
    /// The first line of its message.
    pub subject: String,
    /// Paths that the author changed in the very same moment; the author's version is still there, as a hand edit.
    pub left: Vec<String>,
    /// Why the folder does not show the new commit yet. The next session brings it up.
    pub lagging: Option<StoreError>,
}

/// Why a transaction was not made. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum CommitError {
    #[error("the book has moved from {expected} to {found} meanwhile")]
    Moved { expected: CommitId, found: CommitId },
    /// The author has changed files that the transaction would write: commit them as the author's first.
    AuthorEdited { paths: Vec<String> },
    /// A file that the transaction would write passes through a filter of git's, and cannot be brought up.
    Unfiltered(Unfiltered),
    /// The author's git is in a state that the transaction would disturb.
    #[error(transparent)]
    NotWritable(#[from] NotWritable),
    /// Another git program holds the index.
    IndexBusy(IndexBusy),
    /// Another git program holds a ref.
    RefBusy(PathBuf),
    /// The index has unresolved conflicts.
    Unmerged,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<BeginError> for CommitError {
    fn from(e: BeginError) -> Self {
        match e {
            BeginError::IndexBusy(busy) => Self::IndexBusy(busy),
            BeginError::NotWritable(state) => Self::NotWritable(state),
            BeginError::Store(e) => Self::Store(e),
            e => Self::Store(StoreError::Damaged { what: e.to_string() }),
        }
    }
}

impl From<LockError> for CommitError {
    fn from(e: LockError) -> Self {
        match e {
            LockError::Busy(busy) => Self::IndexBusy(busy),
            LockError::Store(e) => Self::Store(e),
        }
    }
}

/// A commit to be made whose tree exists.
pub(crate) struct Advance<'a> {
    pub(crate) tree: Oid,
    /// The commit of the branch; `None` before the first one.
    pub(crate) from: Option<Oid>,
    pub(crate) merged: &'a [CommitId],
    pub(crate) message: &'a Message,
    pub(crate) keep: &'a [(String, CommitId)],
    pub(crate) author: &'a Identity,
    pub(crate) time: Moment,
}

impl Session<'_> {
    /// Makes a commit of `tree` after the author's `tip`, which has taken back what the unfinished transaction `id` brought.
    /// Returns the files that hold something of the author's, as they were left.
    pub(super) fn put_back(&self, id: Oid, tip: Oid, tree: Oid) -> Result<Vec<String>, BeginError> {
        let book = self.book;
        let message = &Message::new(Kind::Rebuild, Subject::Repaired);
        let author = &book.identity(&GivenAuthor::default())?.unwrap_or_else(Identity::fallback);
        let time = book.repo.find_commit(id).doing("reading a commit")?.time().into();
        let advance = Advance { tree, from: Some(tip), merged: &[], message, keep: &[], author, time };
        match advance_past_intent(self, &advance, &BTreeSet::new(), None) {
            Ok(done) => done.lagging.map_or(Ok(done.left), |error| Err(error.into())),
            Err(CommitError::IndexBusy(busy)) => Err(BeginError::IndexBusy(busy)),
            Err(CommitError::NotWritable(state)) => Err(state.into()),
            Err(CommitError::Store(error)) => Err(error.into()),
            Err(other) => Err(StoreError::Damaged { what: other.to_string() }.into()),
        }
    }

    /// A commit with one parent that no ref names yet.
    pub(crate) fn write_commit_on(
        &self,
        tree: Oid,
        parent: Oid,
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<Oid, StoreError> {
        change::settled(self.book, self.put_commit(tree, &[parent], message, author, time)?)
    }

    /// A commit in memory. It is [settled](change::settled) before a ref names it.
    pub(crate) fn put_commit(
        &self,
        tree: Oid,
        parents: &[Oid],
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<Oid, StoreError> {
        let book = self.book;
        let signature = author.signature(time).doing("naming the author")?;
        change::refuse_keys(book, tree, parents, message)?;
        let lang = book.language_of(tree)?;
        let text = change::without_keys(book, &message.render(|subject| (book.wording)(subject, lang)));
        tree::commit(&book.repo, tree, parents, (&signature, &signature), &text)
    }

    /// Keeps the commit `id` reachable as `name` below `refs/novel/kept/`. Returns the whole name.
    pub(crate) fn keep(&self, name: &str, id: Oid) -> Result<String, StoreError> {
        keep_with(self, name, id, &SyncAtOnce::default())
    }

    /// Everything after the commit point. Can be run any number of times. While the branch is `unsynced`, the intent stays,
    /// so that the next session comes back to it.
    pub(crate) fn finish(
        &self,
        (from, id): (Option<Oid>, Oid),
        prepared: PreparedChanges,
        mut index: IndexEdit,
        unsynced: Option<StoreError>,
    ) -> Result<Vec<String>, StoreError> {
        tag(self, from, id, prepared.syncing())?;
        abort_at("txn.tagged");
        let left = prepared.apply(&self.book.root, Some(&mut index))?;
        // No other program takes the index before the intent is gone.
        let _held = index.save()?;
        abort_at("txn.before_end");
        unsynced.map_or(Ok(()), Err)?;
        refs::delete(&self.book.repo, &self.wait, INTENT)?;
        abort_at("txn.end");
        Ok(left)
    }
}

/// Makes one transaction of `proposal`.
/// Fails with [`CommitError`]; the book, its folder and the author's index are as they were.
pub fn commit(session: &Session<'_>, proposal: &Proposal) -> Result<Committed, CommitError> {
    try_commit(session, proposal).map_err(|e| match e {
        CommitError::Store(e) => CommitError::Store(e.explained(&session.book.temp)),
        other => other,
    })
}

fn try_commit(session: &Session<'_>, proposal: &Proposal) -> Result<Committed, CommitError> {
    abort_at("txn.before_objects");
    expect(session, proposal.expected)?;
    session.book.objects.forget(&session.book.repo)?;
    let base = session.book.commit_tree(proposal.expected.oid())?.id();
    let tree = change::edited(session.book, Some(base), &proposal.change.write(&session.book.repo)?)?;
    let step = Advance {
        tree,
        from: Some(proposal.expected.oid()),
        merged: &proposal.merged,
        message: &proposal.message,
        keep: &proposal.keep,
        author: &proposal.author,
        time: proposal.time,
    };
    advance(session, &step)
}

pub(crate) fn expect(session: &Session<'_>, expected: CommitId) -> Result<(), CommitError> {
    let found = session.book.tip()?;
    if found == expected { Ok(()) } else { Err(CommitError::Moved { expected, found }) }
}

/// Commits a tree and moves the branch to it.
pub(crate) fn advance(session: &Session<'_>, step: &Advance<'_>) -> Result<Committed, CommitError> {
    advance_over_index(session, step, &BTreeSet::new())
}

/// Moves the branch on as [`advance`] does, and overwrites the index for the paths `taken`, whose content there is kept elsewhere.
pub(crate) fn advance_over_index(
    session: &Session<'_>,
    step: &Advance<'_>,
    taken: &BTreeSet<String>,
) -> Result<Committed, CommitError> {
    advance_to(session, step, taken, None)
}

/// Moves the branch to `to`, a commit in whose history its tip is. Everything else is as for a transaction; the intent
/// is a commit that names both ends.
/// Fails with [`CommitError`]; the book, its folder and the author's index are as they were.
pub fn fast_forward(
    session: &Session<'_>,
    expected: CommitId,
    to: CommitId,
    author: &Identity,
    time: Moment,
) -> Result<Committed, CommitError> {
    expect(session, expected)?;
    session.book.objects.forget(&session.book.repo)?;
    forward(session, expected, to, Message::new(Kind::SyncMerge, Subject::SyncForward(to.short())), (author, time))
}

/// The message is that of the intent, which is in no history.
fn forward(
    session: &Session<'_>,
    expected: CommitId,
    to: CommitId,
    message: Message,
    (author, time): (&Identity, Moment),
) -> Result<Committed, CommitError> {
    let step = Advance {
        tree: session.book.commit_tree(to.oid())?.id(),
        from: Some(expected.oid()),
        merged: &[to],
        message: &message.trailer(key::FORWARD, to),
        keep: &[],
        author,
        time,
    };
    advance_to(session, &step, &BTreeSet::new(), Some(to.oid()))
}

/// Makes a commit of each change, in order, and moves the branch over all of them at once: the book has all or none.
/// Fails with [`CommitError`]; the book, its folder and the author's index are as they were.
pub fn commit_series(
    session: &Session<'_>,
    expected: CommitId,
    steps: &[(Change, Message)],
    (author, time): (&Identity, Moment),
) -> Result<Committed, CommitError> {
    expect(session, expected)?;
    let book = session.book;
    // Each folder is written once and read once: to remember them takes forty megabytes for a thousand chapters.
    expect_whole_book();
    book.objects.forget(&book.repo)?;
    let (mut tip, mut tree) = (expected.oid(), book.commit_tree(expected.oid())?.id());
    let mut made = Vec::new();
    for (change, message) in steps {
        tree = change::edited(book, Some(tree), &change.write(&book.repo)?)?;
        tip = session.put_commit(tree, &[tip], message, author, time)?;
        made.push(tip);
    }
    book.objects.settle(&book.repo, &book.inner, &made)?;
    let Some((_, last)) = steps.last() else { return Err(StoreError::Damaged { what: "no commit".into() }.into()) };
    forward(session, expected, tip.into(), last.clone(), (author, time))
}

fn advance_to(
    session: &Session<'_>,
    step: &Advance<'_>,
    taken: &BTreeSet<String>,
    to: Option<Oid>,
) -> Result<Committed, CommitError> {
    recover::finish_earlier(session)?;
    advance_past_intent(session, step, taken, to)
}

/// Commits a tree and moves the branch, whatever intent there is: this one takes its place.
fn advance_past_intent(
    session: &Session<'_>,
    step: &Advance<'_>,
    taken: &BTreeSet<String>,
    to: Option<Oid>,
) -> Result<Committed, CommitError> {
    let book = session.book;
    let repo = &book.repo;
    let old = step.from.map(|id| book.commit_tree(id)).transpose()?;
    let new = repo.find_tree(step.tree).doing("reading a tree").map_err(CommitError::Store)?;
    let mut changes = tree::differences(repo, old.as_ref(), Some(&new))?;
    let is_left_out = |path: &String| changes.binary_search_by(|c| c.path.cmp(path)).is_err();
    let same = |path: &String| {
        let blob = tree::blob_at(&new, path);
        TreeDifference { path: path.clone(), old: blob, new: blob }
    };
    let unchanged: Vec<TreeDifference> = taken.iter().filter(|p| is_left_out(p)).map(same).collect();
    changes.extend(unchanged);

    let index = session.take_index()?.edit()?;
    if index.has_conflicts {
        return Err(CommitError::Unmerged);
    }
    let prepared = PreparedChanges::new(repo, &book.root, &book.temp, changes)?;
    if let Some(unfiltered) = prepared.unfiltered(repo)? {
        return Err(CommitError::Unfiltered(unfiltered));
    }
    let mut edited = prepared.foreign();
    edited.extend(staged_elsewise(&index, &prepared).into_iter().filter(|p| !taken.contains(p)));
    if let Some(path) = edited.iter().find(|path| index.leaves_out(path)) {
        return Err(NotWritable::LeftOut { path: path.clone() }.into());
    }
    if !edited.is_empty() {
        return Err(CommitError::AuthorEdited { paths: edited });
    }
    abort_at("txn.prepared");

    let intent = write_commit(session, step)?;
    let id = to.unwrap_or(intent);
    let subject = book.transaction(intent.into())?.subject;
    abort_at("txn.objects");
    let unsynced = swap_branch(session, step, intent, id)?;

    // The commit point is behind us: whatever fails now is finished by the next session.
    let (left, lagging) = match session.finish((step.from, id), prepared, index, unsynced) {
        Ok(left) => (left, None),
        Err(e) => (Vec::new(), Some(e)),
    };
    Ok(Committed { id: id.into(), subject, left, lagging })
}

fn write_commit(session: &Session<'_>, step: &Advance<'_>) -> Result<Oid, StoreError> {
    let parents: Vec<Oid> = step.from.into_iter().chain(step.merged.iter().map(|c| c.oid())).collect();
    change::settled(session.book, session.put_commit(step.tree, &parents, step.message, step.author, step.time)?)
}

/// Keeps what is to be kept, announces the intent and moves the branch. Returns why the branch, which has moved, may
/// not be on the disk.
///
/// An error of the system says nothing about the branch: it is read again. The intent goes only when the branch is
/// known to stay where it was.
fn swap_branch(
    session: &Session<'_>,
    step: &Advance<'_>,
    intent: Oid,
    id: Oid,
) -> Result<Option<StoreError>, CommitError> {
    let repo = &session.book.repo;
    let syncing = SyncAtOnce::of(repo.commondir(), step.keep.len() + 1);
    for (name, kept) in step.keep {
        keep_with(session, name, kept.oid(), &syncing)?;
    }
    abort_at("txn.kept");
    refs::set_with(repo, &session.wait, (INTENT, intent), "novel: intent", &syncing)?;
    syncing.wait()?;
    abort_at("txn.intent");
    let why = format!("novel: {}", step.message.kind());
    let branch = session.book.branch_ref();
    let swapped = refs::swap(repo, &session.wait, Swap { name: &branch, old: step.from, new: id, why: &why });
    abort_at("txn.after_cas");
    let e = match swapped {
        Ok(()) => return Ok(None),
        Err(Unmoved::Unsynced(e)) => return Ok(Some(e)),
        Err(e) => e,
    };
    // A lock of ours that could not be removed is told from others' by the intent.
    let is_clear = matches!(e, Unmoved::Locked(_) | Unmoved::Moved(_)) || !refs::lock_path(repo, &branch).exists();
    if is_clear && refs::target(repo, &branch).is_ok_and(|at| at != Some(id)) {
        // The error that is reported is the one that stopped the transaction; the next session removes what stays.
        let _ = refs::delete(repo, &session.wait, INTENT);
    }
    Err(match (e, step.from) {
        (Unmoved::Locked(path), _) => CommitError::RefBusy(path),
        (Unmoved::Moved(Some(found)), Some(expected)) => {
            CommitError::Moved { expected: expected.into(), found: found.into() }
        }
        (e, _) => CommitError::Store(e.into()),
    })
}

/// Keeps a commit under a name that gets to the disk with the others of `syncing`.
fn keep_with(session: &Session<'_>, name: &str, id: Oid, syncing: &SyncAtOnce) -> Result<String, StoreError> {
    let name = format!("{KEPT}{}", name.strip_prefix(KEPT).unwrap_or(name));
    refs::set_with(&session.book.repo, &session.wait, (&name, id), "novel: keep", syncing)?;
    Ok(name)
}

/// Sets the tags that follow from the move of the branch from one commit to another: on the main line, whose tags they
/// are. The tag of one chapter gets to the disk with the others of `syncing`. Most moves accept one chapter; after any other, the tags
/// of chapters whose files differ are looked at.
fn tag(session: &Session<'_>, from: Option<Oid>, id: Oid, syncing: &SyncAtOnce) -> Result<(), StoreError> {
    let repo = &session.book.repo;
    let transaction = Transaction::of(&repo.find_commit(id).doing("reading a commit")?);
    if !session.book.is_main_line() {
        return Ok(());
    }
    // Chapters may have new numbers although their files were moved before, or stay.
    let taken_back = transaction.retraces().map(|of| session.book.transaction(of)).transpose()?;
    let renumbers = [Some(&transaction), taken_back.as_ref()].into_iter().flatten().any(|of| of.renumbers().is_some());
    if renumbers || transaction.kind == Kind::Rollback {
        return history::retag(session).map(drop);
    }
    let is_one_step = transaction.parent.map(CommitId::oid) == from;
    let Some(chapter) = transaction.accepts().filter(|_| is_one_step) else {
        return match from {
            Some(from) => history::retag_changed(session, from, id),
            None => history::retag(session).map(drop),
        };
    };
    refs::set_with(repo, &session.wait, (&tag_ref(chapter), id), "novel: tag", syncing)
}

/// Paths for which the author has staged something that is neither the old content, nor the new, nor on disk: it would
/// be lost when the index is brought up.
pub(super) fn staged_elsewise(index: &IndexEdit, prepared: &PreparedChanges) -> Vec<String> {
    let is_elsewise = |change: &&TreeDifference| {
        let staged = index.get(&change.path);
        staged.is_some() && staged != change.old.map(|b| b.id) && staged != change.new.map(|b| b.id)
    };
    prepared.changes().filter(is_elsewise).map(|change| change.path.clone()).collect()
}
