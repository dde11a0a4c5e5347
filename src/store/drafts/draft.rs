//! Work in flight, a chapter or a plan: a branch with one commit a stage result, and the folder `staging/` that shows it.

use super::closed::Closed;
use std::collections::{BTreeMap, BTreeSet};

use git2::Oid;

use super::staging::{Scope, StagingEdit};
use crate::domain::{ChapterNo, Work};
use crate::store::book::change::Change;
use crate::store::book::commit_walk::{Transaction, Walk};
use crate::store::book::contents::chapter_files;
use crate::store::book::repository::Book;
use crate::store::book::session::{Recovered, Session};
use crate::store::error::{GitContext, Missing, StoreError};
use crate::store::failpoint::abort_at;
use crate::store::git::commit_id::{CommitId, Identity, Moment};
use crate::store::git::message::{Kind, Message, Trailers, key};
use crate::store::git::refs::{self, Swap, Unmoved};
use crate::store::git::tree::{self, Blob, Difference, Edits};
use crate::store::layout;

/// Why a draft could not be opened or changed.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// A folder `staging` that is not ours is in the way.
    #[error("the folder `{}` is not novel's: move it elsewhere, drafts are shown there", .0.display())]
    Occupied(std::path::PathBuf),
    /// Somebody moved the draft's branch meanwhile, for instance by a commit in `staging/`.
    #[error("the draft has moved from {expected} to {found} meanwhile")]
    Moved {
        /// Where it was expected.
        expected: CommitId,
        /// Where it is.
        found: CommitId,
    },
    /// Anything else.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One result on a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageCommit {
    /// The commit.
    pub id: CommitId,
    /// What it says about itself; without a kind it is the author's.
    pub trailers: Trailers,
    /// The first line of its message.
    pub subject: String,
    /// When it was made.
    pub time: Moment,
}

impl StageCommit {
    /// Whether the author made it, with git in `staging/` or by editing files there.
    #[must_use]
    pub fn is_authors(&self) -> bool {
        self.trailers.kind() != Some(Kind::Stage)
    }
}

/// The author's edits in `staging/`, committed as the author's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    /// Their commit.
    pub id: CommitId,
    /// The files.
    pub paths: Vec<String>,
}

/// What a rebase did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebased {
    /// The new tip.
    pub tip: CommitId,
    /// Paths that both the draft and the accepted line had changed; the draft's version stands in the draft.
    pub overlaps: Vec<String>,
}

/// Work in flight.
#[derive(Debug)]
pub struct Draft<'s> {
    pub(super) session: &'s Session<'s>,
    work: Work,
    /// Its branch.
    pub(super) name: String,
    pub(super) scope: Scope,
    tip: Oid,
}

/// How a draft ended.
pub(crate) enum Ending {
    /// It has not.
    Open,
    /// This transaction has accepted it, or has taken its ground.
    Settled(Box<Transaction>),
    /// It has nothing in common with the book any more, or plain git has brought its chapter in otherwise.
    Groundless,
}

impl Book {
    /// The branch of the draft of `work` on the line that the book is on.
    pub(crate) fn draft_ref(&self, work: Work) -> String {
        format!("{}{work}", self.drafts)
    }

    /// The work that a branch of a draft is of; `None` for one of another line.
    pub(crate) fn work_of(&self, branch: &str) -> Option<Work> {
        branch.strip_prefix(&self.drafts)?.parse().ok()
    }

    /// The drafts that are open, each with its tip. One that has been accepted or has lost its ground is open no more, even
    /// where an interrupted command has left its branch.
    ///
    /// # Errors
    /// When the refs cannot be read.
    pub fn drafts(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let mut open = Vec::new();
        for (work, tip) in self.every_draft()? {
            if matches!(self.ending(work, tip)?, Ending::Open) {
                open.push((work, tip));
            }
        }
        Ok(open)
    }

    /// Every branch of a draft, with its tip.
    pub(crate) fn every_draft(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let drafts = refs::listed(&self.repo, &self.drafts)?.into_iter();
        Ok(drafts.filter_map(|(name, tip)| Some((self.work_of(&name)?, tip.into()))).collect())
    }

    /// How the draft of `work` that ends with `tip` ended.
    pub(crate) fn ending(&self, work: Work, tip: CommitId) -> Result<Ending, StoreError> {
        let Some(base) = self.fork_of(tip.oid())? else { return Ok(Ending::Groundless) };
        if let Some(chapter) = work.chapter()
            && self.is_overtaken(chapter, base, tip.oid())?
        {
            return Ok(Ending::Groundless);
        }
        for transaction in Walk::new(&self.repo, self.tip()?.oid(), false) {
            let transaction = transaction?;
            if transaction.id.oid() == base {
                return Ok(Ending::Open);
            }
            let (id, kind) = (transaction.id.oid(), transaction.kind);
            let accepted = transaction.trailers.read::<CommitId>(key::DRAFT) == Some(tip);
            if accepted || self.invalidates(kind, &self.origin(transaction.clone())?, work, tip)? {
                // After a merge by the author the base may lie beside this line; the commits before it are met all the same.
                let is_met = self.reaches(base, id)?;
                return Ok(if is_met { Ending::Open } else { Ending::Settled(Box::new(transaction)) });
            }
        }
        Ok(Ending::Open)
    }

    /// True when plain git has brought the chapter itself into the book, or has put another text in the place of one that
    /// the draft goes on from.
    fn is_overtaken(&self, chapter: ChapterNo, base: Oid, tip: Oid) -> Result<bool, StoreError> {
        let now = chapter_files(&self.repo, &self.commit_tree(self.tip()?.oid())?)?;
        if now.contains_key(&chapter) && !self.contents_of(base.into())?.has(chapter) {
            // A transaction that has accepted the draft is the one to be named.
            return Ok(!self.has_accepted(tip, base)?);
        }
        // Commits of the book that the branch has left since are on the draft's side of the fork.
        let then = chapter_files(&self.repo, &self.commit_tree(tip)?)?;
        for commit in records(self, tip)? {
            let accepted = commit.trailers.chapter().filter(|_| commit.trailers.kind() == Some(Kind::Chapter));
            if let Some(file) = accepted.and_then(|accepted| now.get(&accepted))
                && accepted.and_then(|accepted| then.get(&accepted)).is_some_and(|old| old.blob != file.blob)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True when a commit of the accepted line since `base` has accepted the draft that ends with `tip`.
    fn has_accepted(&self, tip: Oid, base: Oid) -> Result<bool, StoreError> {
        for transaction in Walk::new(&self.repo, self.tip()?.oid(), false) {
            let transaction = transaction?;
            if transaction.trailers.read::<CommitId>(key::DRAFT) == Some(tip.into()) {
                return Ok(true);
            }
            if transaction.id.oid() == base {
                break;
            }
        }
        Ok(false)
    }

    /// The last commit of the draft of `work`; `None` when there is no such draft.
    ///
    /// # Errors
    /// When the refs cannot be read.
    pub fn draft_tip(&self, work: impl Into<Work>) -> Result<Option<CommitId>, StoreError> {
        Ok(refs::target(&self.repo, &self.draft_ref(work.into()))?.map(CommitId::from))
    }

    /// The results on the draft of `work`, in order; `None` when there is no such draft, or none that stands on the book.
    /// Takes no lock.
    ///
    /// # Errors
    /// When the draft cannot be read.
    pub fn draft_records(&self, work: impl Into<Work>) -> Result<Option<Vec<StageCommit>>, StoreError> {
        match self.draft_tip(work)? {
            Some(tip) if self.fork_of(tip.oid())?.is_some() => records(self, tip.oid()).map(Some),
            _ => Ok(None),
        }
    }

    /// The work that `staging/` shows; `None` where it shows none.
    #[must_use]
    pub fn shown(&self) -> Option<Work> {
        let staging = self.staging();
        self.work_of(&staging.branch().filter(|_| staging.exists())?)
    }

    /// What the author did in `staging/` and did not commit.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn staging_edits(&self) -> Result<Vec<StagingEdit>, StoreError> {
        let staging = self.staging();
        let Some(branch) = staging.branch() else { return Ok(Vec::new()) };
        match refs::target(&self.repo, &branch)? {
            Some(tip) => staging.edits(tip),
            None => Ok(Vec::new()),
        }
    }

    /// The commit of the accepted line that the line of `tip` left from; `None` where the author has written the whole
    /// history again since, so that the two have nothing in common.
    pub(crate) fn fork_of(&self, tip: Oid) -> Result<Option<Oid>, StoreError> {
        let main = self.tip()?.oid();
        if main == tip {
            return Ok(Some(tip));
        }
        self.repo.merge_base(main, tip).or_missing("finding where the draft begins")
    }

    /// The same, where there must be one: in a draft that is open.
    pub(crate) fn base_of(&self, tip: Oid) -> Result<Oid, StoreError> {
        let none = || StoreError::Damaged { what: "the draft has nothing in common with the book".to_owned() };
        self.fork_of(tip)?.ok_or_else(none)
    }

    /// Whether `earlier` is `commit` or in its history. What is not there any more is in no history.
    pub(crate) fn reaches(&self, commit: Oid, earlier: Oid) -> Result<bool, StoreError> {
        let descends = || self.repo.graph_descendant_of(commit, earlier).or_missing("comparing commits");
        Ok(commit == earlier || descends()?.unwrap_or(false))
    }
}

/// A file of which `ours` and `theirs` have made different things, with the changes of both; `None` where they are of the
/// same lines, or one of them is not there.
fn merged(repo: &git2::Repository, versions: [Option<Blob>; 3]) -> Result<Option<Blob>, StoreError> {
    let [Some(old), Some(ours), Some(theirs)] = versions else { return Ok(None) };
    let read = |blob: Blob| repo.find_blob(blob.id).doing("reading a draft");
    let (old, ours, blobs) = (read(old)?, read(ours)?, read(theirs)?);
    let inputs = [&old, &ours, &blobs].map(|blob| {
        let mut input = git2::MergeFileInput::new();
        input.content(blob.content());
        input
    });
    let [old, ours, new] = &inputs;
    let result = git2::merge_file(old, ours, new, None).doing("merging a draft")?;
    if !result.is_automergeable() {
        return Ok(None);
    }
    let id = repo.blob(result.content()).doing("writing an object")?;
    Ok(Some(Blob { id, ..theirs }))
}

/// The commits of the draft that ends with `tip`, the oldest first.
pub(super) fn records(book: &Book, tip: Oid) -> Result<Vec<StageCommit>, StoreError> {
    let base = book.base_of(tip)?;
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

impl Session<'_> {
    /// The draft of `work`: the existing one, or a new one on top of the accepted line. `scope` says which of its
    /// files `staging/` shows once it is [shown](Draft::show); a draft with an empty one is never shown, and leaves the
    /// folder to another.
    ///
    /// # Errors
    /// [`DraftError`].
    pub fn draft(&self, work: impl Into<Work>, scope: Scope) -> Result<Draft<'_>, DraftError> {
        let (book, work) = (self.book, work.into());
        // There is one folder, and it is not a candidate's.
        let scope = if book.candidate > 0 { Scope::default() } else { scope };
        book.objects.gather(&book.repo)?;
        if book.candidate == 0 {
            // Other candidates read the packs at the same time.
            book.objects.merge_small(&book.inner)?;
        }
        let staging = book.staging();
        if staging.is_foreign() && !scope.is_empty() {
            return Err(DraftError::Occupied(staging.dir.clone()));
        }
        let name = book.draft_ref(work);
        if let Some(tip) = refs::target(&book.repo, &name)?
            && !matches!(book.ending(work, tip.into())?, Ending::Open)
        {
            self.close_draft(work)?;
        }
        let tip = match refs::target(&book.repo, &name)? {
            Some(tip) => tip,
            None => {
                let tip = book.tip()?.oid();
                refs::create(&book.repo, &self.wait, &name, tip, "novel: draft").map_err(StoreError::from)?;
                abort_at("draft.created");
                tip
            }
        };
        let draft = Draft { session: self, work, name, scope, tip };
        draft.make_room()?;
        Ok(draft)
    }

    /// Closes drafts that are settled and makes `staging/` agree with the drafts that there are.
    pub(crate) fn settle_drafts(&self, report: &mut Recovered) -> Result<(), StoreError> {
        let book = self.book;
        report.closed.extend(self.close_settled_drafts()?);
        report.staging |= self.clear_staging_of_others()?;
        let staging = book.staging();
        let shown = || -> Result<Option<(String, Oid)>, StoreError> {
            let Some(branch) = staging.branch() else { return Ok(None) };
            Ok(refs::target(&book.repo, &branch)?.map(|tip| (branch, tip)))
        };
        // Before anything is opened again: a draft of the same name is another one.
        if staging.exists() && shown()?.is_none() {
            self.salvage_staging(None)?;
            staging.remove()?;
            report.staging = true;
        }
        report.reopened = self.reopen_drafts()?;
        if staging.exists()
            && let (Some((branch, tip)), Some(scope)) = (shown()?, staging.scope())
        {
            report.staging |= staging.show(&branch, tip, &scope)?;
        }
        Ok(())
    }

    /// Closes the drafts that have been accepted or have lost their ground.
    pub(crate) fn close_settled_drafts(&self) -> Result<Vec<Closed>, StoreError> {
        let mut closed = Vec::new();
        for (work, tip) in self.book.every_draft()? {
            if !matches!(self.book.ending(work, tip)?, Ending::Open) {
                closed.extend(self.close_draft(work)?);
            }
        }
        Ok(closed)
    }

    /// Keeps the draft of `work` under `refs/novel/kept/`, and removes its branch and its folder.
    pub(crate) fn close_draft(&self, work: Work) -> Result<Option<Closed>, StoreError> {
        let book = self.book;
        let name = book.draft_ref(work);
        let Some(tip) = refs::target(&book.repo, &name)? else { return Ok(None) };
        let staging = book.staging();
        let shown = staging.exists() && staging.branch().as_deref() == Some(name.as_str());
        let (tip, salvaged) =
            if shown { self.salvage_staging(Some(tip))?.unwrap_or((tip, Vec::new())) } else { (tip, Vec::new()) };
        let kept = self.keep_draft(work, tip.into())?;
        abort_at("close.kept");
        refs::delete(&book.repo, &self.wait, &name)?;
        abort_at("close.deleted");
        if shown {
            staging.remove()?;
        }
        Ok(Some(Closed { work, kept, salvaged }))
    }

    /// Writes the results of the draft `tip` again on top of `main`. Returns the new tip, and the paths of which both sides
    /// had changed the same lines: the draft's version stands there.
    pub(crate) fn rebase_commits(&self, tip: Oid, main: Oid) -> Result<(Oid, Vec<String>), StoreError> {
        let book = self.book;
        let repo = &book.repo;
        let base = book.base_of(tip)?;
        let moved = tree::differences(repo, Some(&book.commit_tree(base)?), Some(&book.commit_tree(main)?))?;
        let moved: BTreeSet<String> = moved.into_iter().map(|d| d.path).collect();
        let mut overlaps = BTreeSet::new();
        let (mut before, mut onto) = (base, main);
        for record in records(book, tip)? {
            let commit = repo.find_commit(record.id.oid()).doing("reading a draft")?;
            let changes =
                tree::differences(repo, Some(&book.commit_tree(before)?), Some(&book.commit_tree(commit.id())?))?;
            let ground = book.commit_tree(onto)?;
            let mut edits: Edits = BTreeMap::new();
            for Difference { path, old, new } in changes {
                let here = tree::blob_at(&ground, &path);
                let both = moved.contains(&path) && path != layout::CHECKPOINT && here != old;
                let joined = if both { merged(repo, [old, here, new])? } else { new };
                if both && joined.is_none() {
                    overlaps.insert(path.clone());
                }
                edits.insert(path, joined.or(new));
            }
            let tree = tree::edited(repo, Some(&ground), &edits)?;
            let tree = repo.find_tree(tree).doing("reading a tree")?;
            let parent = repo.find_commit(onto).doing("reading a commit")?;
            let message = String::from_utf8_lossy(commit.message_raw_bytes()).into_owned();
            before = commit.id();
            onto = repo
                .commit(None, &commit.author(), &commit.committer(), &message, &tree, &[&parent])
                .doing("writing a commit")?;
            book.objects.settle(repo, &book.inner, onto)?;
        }
        Ok((onto, overlaps.into_iter().collect()))
    }

    /// Commits the files of `staging/` that are nowhere else, on top of `tip`. Without a tip they are kept under a
    /// name of their own.
    pub(super) fn salvage_staging(&self, tip: Option<Oid>) -> Result<Option<(Oid, Vec<String>)>, StoreError> {
        let book = self.book;
        let unknown = book.staging().unknown(tip)?;
        if unknown.is_empty() {
            return Ok(None);
        }
        let parent = match tip {
            Some(tip) => tip,
            None => book.tip()?.oid(),
        };
        let paths: Vec<String> = unknown.keys().cloned().collect();
        let change = Change { puts: unknown, removes: BTreeSet::new() };
        let edits = change.write(&book.repo)?;
        let base = book.commit_tree(parent)?;
        let tree = tree::edited(&book.repo, Some(&base), &edits)?;
        let author = book.identity()?.unwrap_or_else(Identity::fallback);
        let time = book.repo.find_commit(parent).doing("reading a commit")?.time().into();
        let message = Message::new(Kind::HandEdit, "staging: files that were nowhere else");
        let id = self.write_commit_on(tree, parent, &message, &author, time)?;
        if tip.is_none() {
            self.keep(&format!("salvaged/{}", CommitId::from(id).short()), id)?;
        }
        Ok(Some((id, paths)))
    }
}

impl Draft<'_> {
    /// What this is a draft of.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Its last commit; the base when there is none yet.
    #[must_use]
    pub fn tip(&self) -> CommitId {
        self.tip.into()
    }

    /// The commit of the accepted line that it stands on.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn base(&self) -> Result<CommitId, StoreError> {
        self.session.book.base_of(self.tip).map(CommitId::from)
    }

    /// The results on it, in order.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn records(&self) -> Result<Vec<StageCommit>, StoreError> {
        records(self.session.book, self.tip)
    }

    /// The book as the draft has it.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn snapshot(&self) -> Result<crate::store::book::snapshot::Snapshot<'_>, StoreError> {
        self.session.book.snapshot_of(self.tip.into())
    }

    /// The bytes of the file at `path` as the draft has it.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.snapshot()?.read(path)
    }

    /// The files that the draft changes, with their bytes; `None` for those that it removes. This is what the commit that
    /// accepts it puts into the book.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn change(&self) -> Result<Change, StoreError> {
        let book = self.session.book;
        let (old, new) = (book.commit_tree(book.base_of(self.tip)?)?, book.commit_tree(self.tip)?);
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

    /// What the author did in `staging/` and did not commit.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn author_edits(&self) -> Result<Vec<StagingEdit>, StoreError> {
        let staging = self.session.book.staging();
        // Another draft may be shown there.
        if self.scope.is_empty() || staging.branch().as_deref() != Some(self.name.as_str()) {
            return Ok(Vec::new());
        }
        staging.edits(self.tip)
    }

    /// Commits what the author did in `staging/` as the author's own. A file that is gone from there stays on the draft:
    /// every one of them is some stage's result, and a chapter cannot do without.
    ///
    /// # Errors
    /// [`DraftError`].
    pub fn adopt_edits(&mut self, author: &Identity, time: Moment) -> Result<Option<Adopted>, DraftError> {
        let puts = self.author_edits()?.into_iter().filter_map(|edit| Some((edit.path, edit.bytes?)));
        let change = Change { puts: puts.collect(), ..Change::default() };
        if change.puts.is_empty() {
            return Ok(None);
        }
        let paths: Vec<String> = change.puts.keys().cloned().collect();
        let mut message = Message::new(Kind::HandEdit, &format!("{}: edited by hand", self.work));
        if let Some(chapter) = self.work.chapter() {
            message = message.trailer(key::CHAPTER, chapter.get());
        }
        let id = self.append(&change, &message, author, time)?;
        self.show()?;
        Ok(Some(Adopted { id, paths }))
    }

    /// Writes one stage result down on the draft as it stands at [`tip`](Self::tip), which is what the result was made
    /// from. What the author saves in `staging/` meanwhile is not taken along: it stays there and is found by the next
    /// look at [`author_edits`](Self::author_edits). The folder is brought up by [`show`](Self::show).
    ///
    /// # Errors
    /// [`DraftError::Moved`] when the author has committed there since [`follow`](Self::follow); the draft is as it was.
    pub fn commit_result(
        &mut self,
        change: &Change,
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<CommitId, DraftError> {
        let temp = &self.session.book.temp;
        self.append(change, message, author, time).map_err(|e| match e {
            DraftError::Store(e) => DraftError::Store(e.explained(temp)),
            other => other,
        })
    }

    /// Takes up commits that the author made in `staging/` with git since.
    ///
    /// # Errors
    /// [`DraftError::Moved`] when the branch has been put somewhere else.
    pub fn follow(&mut self) -> Result<(), DraftError> {
        let name = self.name.clone();
        let Some(at) = refs::target(&self.session.book.repo, &name)? else { return Ok(()) };
        let repo = &self.session.book.repo;
        if at != self.tip {
            if !repo.graph_descendant_of(at, self.tip).doing("comparing commits")? {
                return Err(DraftError::Moved { expected: self.tip.into(), found: at.into() });
            }
            self.tip = at;
            // What is on disk is on the draft now, and what comes after it may take its place.
            self.show()?;
        }
        Ok(())
    }

    fn append(
        &mut self,
        change: &Change,
        message: &Message,
        author: &Identity,
        time: Moment,
    ) -> Result<CommitId, DraftError> {
        let book = self.session.book;
        let base = book.commit_tree(self.tip)?;
        let edits = change.write(&book.repo)?;
        let tree = tree::edited(&book.repo, Some(&base), &edits)?;
        let id = self.session.write_commit_on(tree, self.tip, message, author, time)?;
        abort_at("draft.objects");
        self.move_to(id)?;
        Ok(id.into())
    }

    /// Moves the branch.
    fn move_to(&mut self, id: Oid) -> Result<(), DraftError> {
        let book = self.session.book;
        let name = self.name.clone();
        let swap = Swap { name: &name, old: Some(self.tip), new: id, why: "novel: stage" };
        match refs::swap(&book.repo, &self.session.wait, swap) {
            Ok(()) => {}
            Err(Unmoved::Moved(Some(found))) => {
                return Err(DraftError::Moved { expected: self.tip.into(), found: found.into() });
            }
            Err(e) => return Err(StoreError::from(e).into()),
        }
        self.tip = id;
        abort_at("draft.moved");
        Ok(())
    }

    /// Shows the draft in `staging/` as it is. For whenever somebody has time to look: while a model is at work, when
    /// the chapter waits, when the run ends. A chapter that is through at once is never laid out there.
    ///
    /// # Errors
    /// When something cannot be read or written; the next session goes on with it.
    pub fn show(&self) -> Result<(), StoreError> {
        if self.scope.is_empty() {
            return Ok(());
        }
        self.session.book.staging().show(&self.name, self.tip, &self.scope)?;
        Ok(())
    }

    /// The same, where there is something to look at already.
    ///
    /// # Errors
    /// As for [`show`](Self::show).
    pub fn keep_shown(&self) -> Result<(), StoreError> {
        if !self.scope.is_empty() && self.session.book.staging().exists() { self.show() } else { Ok(()) }
    }

    /// Puts the draft's commits on top of the accepted line as it is now, each with the paths that it changes. A file that
    /// both have changed is merged by lines; where they changed the same ones, the draft's version stands, and the path is
    /// named.
    ///
    /// # Errors
    /// [`DraftError`]; the draft is as it was.
    pub fn rebase(&mut self, author: &Identity, time: Moment) -> Result<Rebased, DraftError> {
        self.follow()?;
        self.adopt_edits(author, time)?;
        let book = self.session.book;
        let (main, base) = (book.tip()?.oid(), book.base_of(self.tip)?);
        if main == base {
            return Ok(Rebased { tip: self.tip.into(), overlaps: Vec::new() });
        }
        let (onto, overlaps) = self.session.rebase_commits(self.tip, main)?;
        if self.tip != base {
            self.session.keep(&format!("{}/{}", self.work, CommitId::from(self.tip).short()), self.tip)?;
            abort_at("rebase.kept");
        }
        self.move_to(onto)?;
        self.keep_shown()?;
        Ok(Rebased { tip: onto.into(), overlaps })
    }

    /// Ends the draft: it stays under `refs/novel/kept/`, its branch and its folder go. Files of the author's
    /// that are nowhere else are committed there first.
    ///
    /// # Errors
    /// When something cannot be read or written; the next session goes on with it.
    pub fn close(self) -> Result<Option<Closed>, StoreError> {
        self.session.close_draft(self.work)
    }
}
