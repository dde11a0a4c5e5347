//! Work in flight, a chapter or a plan: a branch with one commit a stage result, and the folder `staging/` that shows it.

use crate::git::error::CommitSource;
use crate::git::refs::{Swap, Unmoved};
use crate::store::book::change;
use crate::store::book::commit_walk::{CommitWalk, Transaction};
use crate::store::book::session::Closed;
use crate::store::drafts::staging::shown::DraftFiles;
use crate::store::drafts::staging::{self, StagingEdit};
use crate::store::layout::STAGING;
use crate::store::message::{Trailers, key};
use crate::store::prelude::*;
use std::cell::Cell;

/// Why a draft could not be opened or changed.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum DraftError {
    /// A folder `staging` that is not ours is in the way.
    Occupied(std::path::PathBuf),
    /// The draft's branch has moved meanwhile, for instance by a commit in `staging/`.
    #[error("the draft has moved from {expected} to {found} meanwhile")]
    Moved { expected: CommitId, found: CommitId },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The author's edits in `staging/`, committed as the author's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    pub id: CommitId,
    pub paths: Vec<String>,
}

#[derive(Debug)]
pub struct Draft<'s> {
    pub(super) session: &'s Session<'s>,
    pub(super) work: Work,
    pub(super) name: String,
    pub(super) scope: DraftFiles,
    pub(super) tip: Cell<Oid>,
}

impl Book {
    /// The branch of the draft of `work` on the line that the book is on.
    pub(crate) fn draft_ref(&self, work: Work) -> String {
        format!("{}{work}", self.drafts)
    }
}

/// The work that a branch of a draft is of; `None` for one of another line.
pub(crate) fn work_of(book: &Book, branch: &str) -> Option<Work> {
    branch.strip_prefix(&book.drafts)?.parse().ok()
}

/// The last commit of the draft of `work`; `None` when there is no such draft.
pub fn draft_tip(book: &Book, work: impl Into<Work>) -> Result<Option<CommitId>, StoreError> {
    Ok(refs::target(&book.repo, &book.draft_ref(work.into()))?.map(CommitId::from))
}

/// The results on the draft of `work`, in order; `None` when there is no such draft, or none that stands on the book.
/// Takes no lock.
pub fn draft_records(book: &Book, work: impl Into<Work>) -> Result<Option<Vec<StageCommit>>, StoreError> {
    match draft_tip(book, work)? {
        Some(tip) if begin_of(book, tip.oid())?.is_some() => records_of(book, tip.oid()).map(Some),
        _ => Ok(None),
    }
}

/// The last commit of the draft that ends with `tip` which has a file that only drafts have: another tool may have taken it out
/// since. Otherwise `tip`.
pub fn draft_with(book: &Book, path: &str, tip: CommitId) -> Result<CommitId, StoreError> {
    for commit in CommitWalk::of_line(&book.repo, tip.oid()) {
        let Transaction { id, kind, .. } = commit?;
        if book.snapshot_of(id)?.has(path) {
            return Ok(id);
        }
        if !matches!(kind, Kind::Stage | Kind::HandEdit) {
            break;
        }
    }
    Ok(tip)
}

/// The work that `staging/` shows; `None` where it shows none.
pub fn shown(book: &Book) -> Option<Work> {
    let staging = staging::of_book(book);
    work_of(book, &staging.branch().filter(|_| staging.exists())?)
}

/// The author's uncommitted edits in `staging/`.
pub fn staging_edits(book: &Book) -> Result<Vec<StagingEdit>, StoreError> {
    let staging = staging::of_book(book);
    let Some(branch) = staging.branch() else { return Ok(Vec::new()) };
    match refs::target(&book.repo, &branch)? {
        Some(tip) => staging.edits(tip),
        None => Ok(Vec::new()),
    }
}

/// The commit of the accepted line that the line of `tip` left from; `None` where the author has written the whole
/// history again since, so that the two have nothing in common.
pub(crate) fn fork_of(book: &Book, tip: Oid) -> Result<Option<Oid>, StoreError> {
    let main = book.tip()?.oid();
    if main == tip {
        return Ok(Some(tip));
    }
    book.repo.merge_base(main, tip).or_missing("finding where the draft begins")
}

/// The commit of the book that the draft's first result was written on: where its line left the accepted one, unless the
/// author has written the history below it again since. `None` for a line without a result that has nothing in common
/// with the book.
pub(crate) fn begin_of(book: &Book, tip: Oid) -> Result<Option<Oid>, StoreError> {
    let fork = fork_of(book, tip)?;
    let (mut at, mut first) = (Some(tip), None);
    while let Some(id) = at.filter(|id| Some(*id) != fork) {
        let Some(commit) = book.repo.find_commit(id).or_missing("reading a draft")? else { break };
        let Transaction { trailers, parent, .. } = Transaction::of(&commit);
        at = parent.map(CommitId::oid);
        match trailers.kind() {
            Some(Kind::Stage) => first = at,
            None | Some(Kind::HandEdit) => {}
            Some(_) => return Ok(first.or(fork)),
        }
    }
    Ok(fork.or(first))
}

/// The commit that a draft which is open was begun on.
pub(crate) fn base_of(book: &Book, tip: Oid) -> Result<Oid, StoreError> {
    let none = || StoreError::Damaged { what: "the draft has nothing in common with the book".to_owned() };
    begin_of(book, tip)?.ok_or_else(none)
}

/// True when `earlier` is `commit` or in its history. A commit that is not there any more is in no history.
pub(crate) fn reaches(book: &Book, commit: Oid, earlier: Oid) -> Result<bool, StoreError> {
    // Libgit2 has no code of its own for a commit that is missing where it compares two.
    let is_there = || book.repo.find_commit(earlier).or_missing("comparing commits").map(|found| found.is_some());
    let descends = || book.repo.graph_descendant_of(commit, earlier).doing("comparing commits");
    Ok(commit == earlier || (is_there()? && descends()?))
}

/// The draft of `work`: the existing one, or a new one on top of the accepted line. `scope` says which of its
/// files `staging/` shows once it is [shown](Draft::show); a draft with an empty one is never shown, and leaves the
/// folder to another.
pub fn open_draft<'a>(
    session: &'a Session<'_>,
    work: impl Into<Work>,
    scope: DraftFiles,
) -> Result<Draft<'a>, DraftError> {
    let (work, book) = (work.into(), session.book);
    // There is one folder, and it is not a candidate's.
    let scope = if book.candidate > 0 { DraftFiles::default() } else { scope };
    book.objects.forget(&book.repo)?;
    if book.candidate == 0 {
        // Other candidates read the packs at the same time.
        book.objects.merge_small(&book.repo, &book.inner)?;
    }
    let staging = staging::of_book(book);
    if staging.is_foreign() && !scope.is_empty() {
        return Err(DraftError::Occupied(staging.dir.clone()));
    }
    let name = book.draft_ref(work);
    if let Some(tip) = refs::target(&book.repo, &name)? {
        session.settle_draft(work, tip.into())?;
    }
    let tip = match refs::target(&book.repo, &name)? {
        Some(tip) => tip,
        None => {
            let tip = book.tip()?.oid();
            // The first result syncs the file system before it is named by the branch; until then there is nothing to lose.
            refs::create_soon(&book.repo, &session.wait, &name, tip, "novel: draft").map_err(StoreError::from)?;
            abort_at("draft.created");
            tip
        }
    };
    if !scope.is_empty() {
        session.clear_staging(Some(&name))?;
    }
    Ok(Draft { session, work, name, scope, tip: Cell::new(tip) })
}

impl<'s> Draft<'s> {
    /// Its last commit; the base of a draft without commits.
    pub fn tip(&self) -> CommitId {
        self.tip.get().into()
    }

    /// The commit of the accepted line that it stands on.
    pub fn base(&self) -> Result<CommitId, StoreError> {
        base_of(self.session.book, self.tip.get()).map(CommitId::from)
    }

    pub fn records(&self) -> Result<Vec<StageCommit>, StoreError> {
        records_of(self.session.book, self.tip.get())
    }

    pub fn snapshot(&self) -> Result<Snapshot<'s>, StoreError> {
        self.session.book.snapshot_of(self.tip.get().into())
    }

    /// The bytes of the file at `path` as the draft has it.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.snapshot()?.read(path)
    }

    /// The files that the draft changes, with their bytes; `None` for those that it removes. This is what the commit that
    /// accepts it puts into the book.
    pub fn change(&self) -> Result<Change, StoreError> {
        let book = self.session.book;
        let (old, new) = (book.commit_tree(base_of(book, self.tip.get())?)?, book.commit_tree(self.tip.get())?);
        let mut change = Change::default();
        for difference in tree::differences(&book.repo, Some(&old), Some(&new))? {
            match difference.new {
                Some(blob) => {
                    let bytes = book.repo.find_blob(blob.id).doing("reading a draft")?.content().to_vec();
                    change.puts.insert(difference.path, bytes);
                }
                None => {
                    change.removes.insert(difference.path);
                }
            }
        }
        Ok(change)
    }

    pub fn author_edits(&self) -> Result<Vec<StagingEdit>, StoreError> {
        let staging = staging::of_book(self.session.book);
        // Another draft may be shown there.
        if self.scope.is_empty() || staging.branch().as_deref() != Some(self.name.as_str()) {
            return Ok(Vec::new());
        }
        staging.edits(self.tip.get())
    }

    /// Commits what the author did in `staging/` as the author's own. A file that is gone from there stays on the draft:
    /// every one of them is some stage's result, and a chapter cannot do without.
    pub fn adopt_edits(&self, author: &Identity, time: Moment) -> Result<Option<Adopted>, DraftError> {
        let puts = self.author_edits()?.into_iter().filter_map(|edit| Some((edit.path, edit.bytes?)));
        let change = Change { puts: puts.collect(), ..Change::default() };
        if change.puts.is_empty() {
            return Ok(None);
        }
        let paths: Vec<String> = change.puts.keys().cloned().collect();
        let mut message = Message::new(Kind::HandEdit, Subject::DraftEdited(self.work));
        if let Some(chapter) = self.work.chapter() {
            message = message.trailer(key::CHAPTER, chapter.get());
        }
        let id = self.written(&change, &message, author, time).map_err(|error| match error {
            DraftError::Store(error) => error.of_keys_in(CommitSource::Linked(STAGING)).into(),
            other => other,
        })?;
        self.move_to(id)?;
        self.show()?;
        Ok(Some(Adopted { id: id.into(), paths }))
    }

    /// Commits one stage result to the draft as it stands at [`tip`](Self::tip), which is what the result was made
    /// from. Edits that the author saves in `staging/` meanwhile are not taken along: they stay there and are found
    /// by the next [`author_edits`](Self::author_edits). The folder is brought up by [`show`](Self::show).
    /// A power cut within the next seconds may take the result back, and nothing else.
    /// Fails with [`DraftError::Moved`] when the author has committed there since [`follow`](Self::follow); the draft is as it
    /// was.
    pub fn commit_result(
        &self,
        change: &Change,
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<CommitId, DraftError> {
        let temp = &self.session.book.temp;
        // A refusal would lose a reply that is paid for.
        let change = change::change_without_keys(self.session.book, change);
        let written = self.written(&change, message, author, time);
        written.and_then(|id| self.moved(id, refs::step).map(|()| id.into())).map_err(|e| match e {
            DraftError::Store(e) => DraftError::Store(e.explained(temp)),
            other => other,
        })
    }

    /// Takes up commits that the author made in `staging/` with git since.
    /// Fails with [`DraftError::Moved`] when the branch has been put somewhere else.
    pub fn follow(&self) -> Result<(), DraftError> {
        let repo = &self.session.book.repo;
        let Some(at) = refs::target(repo, &self.name)? else { return Ok(()) };
        if at != self.tip.get() {
            if !repo.graph_descendant_of(at, self.tip.get()).doing("comparing commits")? {
                return Err(DraftError::Moved { expected: self.tip.get().into(), found: at.into() });
            }
            self.tip.set(at);
            // The files on disk are on the draft now, and the next result may take their place.
            self.show()?;
        }
        Ok(())
    }

    /// A commit on top of the draft that is not on its branch yet.
    fn written(&self, change: &Change, message: &Message, author: &Identity, time: Moment) -> Result<Oid, DraftError> {
        let book = self.session.book;
        let base = book.commit_tree(self.tip.get())?.id();
        let tree = change::edited(book, Some(base), &change.write(&book.repo)?)?;
        let id = self.session.write_commit_on(tree, self.tip.get(), message, author, time)?;
        abort_at("draft.objects");
        Ok(id)
    }

    pub(super) fn move_to(&self, id: Oid) -> Result<(), DraftError> {
        self.moved(id, refs::swap)
    }

    fn moved(
        &self,
        id: Oid,
        swap: impl Fn(&git2::Repository, &Wait, Swap<'_>) -> Result<(), Unmoved>,
    ) -> Result<(), DraftError> {
        let step = Swap { name: &self.name, old: Some(self.tip.get()), new: id, why: "novel: stage" };
        match swap(&self.session.book.repo, &self.session.wait, step) {
            Ok(()) => {}
            Err(Unmoved::Moved(Some(found))) => {
                return Err(DraftError::Moved { expected: self.tip.get().into(), found: found.into() });
            }
            Err(e) => return Err(StoreError::from(e).into()),
        }
        self.tip.set(id);
        abort_at("draft.moved");
        Ok(())
    }

    /// Shows the draft in `staging/` as it is. Call it when the author has time to look: while a model is at work,
    /// when the chapter waits, when the run ends. A chapter that is through at once is never laid out there.
    /// Fails when something cannot be read or written; the next session does what is left.
    pub fn show(&self) -> Result<(), StoreError> {
        if self.scope.is_empty() {
            return Ok(());
        }
        staging::of_book(self.session.book).show(&self.name, self.tip.get(), &self.scope)?;
        Ok(())
    }

    /// Shows the draft where `staging/` shows something already.
    pub fn keep_shown(&self) -> Result<(), StoreError> {
        if !self.scope.is_empty() && staging::of_book(self.session.book).exists() { self.show() } else { Ok(()) }
    }

    /// Ends the draft: it stays under `refs/novel/kept/`, its branch and its folder go. Files of the author's
    /// that are nowhere else are committed there first.
    /// Fails when something cannot be read or written; the next session does what is left.
    pub fn close(self) -> Result<Option<Closed>, StoreError> {
        self.session.close_draft(self.work)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageCommit {
    pub id: CommitId,
    /// Its own account of itself; without a kind it is the author's.
    pub trailers: Trailers,
    /// The first line of its message.
    pub subject: String,
    pub time: Moment,
}

impl StageCommit {
    /// Whether the author made it, with git in `staging/` or by editing files there.
    pub fn is_authors(&self) -> bool {
        self.trailers.kind() != Some(Kind::Stage)
    }
}

/// The commits of the draft that ends with `tip`, the oldest first.
pub(crate) fn records_of(book: &Book, tip: Oid) -> Result<Vec<StageCommit>, StoreError> {
    records_since(book, base_of(book, tip)?, tip)
}

/// The commits of a line after `base`, the oldest first.
pub(super) fn records_since(book: &Book, base: Oid, tip: Oid) -> Result<Vec<StageCommit>, StoreError> {
    let mut found = Vec::new();
    let mut at = tip;
    while at != base {
        let commit = book.repo.find_commit(at).doing("reading a draft")?;
        let Transaction { id, trailers, subject, time, parent, .. } = Transaction::of(&commit);
        found.push(StageCommit { id, trailers, subject, time });
        match parent {
            Some(parent) => at = parent.oid(),
            None => break,
        }
    }
    found.reverse();
    Ok(found)
}
