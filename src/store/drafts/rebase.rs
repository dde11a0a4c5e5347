//! Putting drafts on top of the accepted line as it is now: the draft in flight, and drafts that come back because they were paid for.
//! A step back says in its message which drafts it closes. Taking the step back carries each of them over to the line as it is then. Whether
//! that has happened is read from the refs alone, so that a death in between leaves it to the next session.

use crate::git::refs::Swap;
use crate::store::book::change;
use crate::store::book::commit_walk::{CommitWalk, Transaction};
use crate::store::book::provenance;
use crate::store::book::session::Closed;
use crate::store::drafts::closing;
use crate::store::drafts::draft::{self, Draft, DraftError};
use crate::store::drafts::kept;
use crate::store::drafts::staging;
use crate::store::drafts::staging::shown::DraftFiles;
use crate::store::format::renumber;
use crate::store::layout;
use crate::store::message::key;
use crate::store::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebased {
    pub tip: CommitId,
    /// Paths that both the draft and the accepted line had changed; the draft's version stands in the draft.
    pub overlaps: Vec<String>,
}

impl Draft<'_> {
    /// Puts the draft's commits on top of the accepted line as it is now, each with the paths that it changes. A file that
    /// both have changed is merged by lines; where they changed the same ones, the draft's version stands, and the path is
    /// named.
    /// Fails with [`DraftError`]; the draft is as it was.
    pub fn rebase(&self, author: &Identity, time: Moment) -> Result<Rebased, DraftError> {
        self.follow()?;
        self.adopt_edits(author, time)?;
        let book = self.session.book;
        let (main, base) = (book.tip()?.oid(), draft::base_of(book, self.tip.get())?);
        if main == base {
            return Ok(Rebased { tip: self.tip(), overlaps: Vec::new() });
        }
        let (onto, overlaps) = rebase_commits(self.session, self.tip.get(), main, &[])?;
        // A draft that was written before its turn is carried over once a chapter, and nothing of it is lost by that.
        let is_ahead = self.records()?.last().is_some_and(|last| last.trailers.get(key::AHEAD).is_some());
        if self.tip.get() != base && !(is_ahead && overlaps.is_empty()) {
            self.session.keep(&format!("{}/{}", self.work, CommitId::from(self.tip.get()).short()), self.tip.get())?;
            abort_at("rebase.kept");
        }
        self.move_to(onto)?;
        self.keep_shown()?;
        Ok(Rebased { tip: onto.into(), overlaps })
    }
}

/// Writes the results of the draft `tip` again on top of `main`, with the numbers that `moves`, the oldest first, have given to
/// chapters. Returns the new tip, and the paths of which both sides had changed the same lines: the draft's version stands there.
pub(crate) fn rebase_commits(
    session: &Session<'_>,
    tip: Oid,
    main: Oid,
    moves: &[Renumbering],
) -> Result<(Oid, Vec<String>), StoreError> {
    let book = session.book;
    let repo = &book.repo;
    let base = draft::base_of(book, tip)?;
    let moved = tree::differences(repo, Some(&book.commit_tree(base)?), Some(&book.commit_tree(main)?))?;
    let moved: BTreeSet<String> = moved.into_iter().map(|d| d.path).collect();
    let mut overlaps = BTreeSet::new();
    let (mut before, mut onto) = (base, main);
    for record in draft::records_of(book, tip)? {
        let commit = repo.find_commit(record.id.oid()).doing("reading a draft")?;
        let changes = tree::differences(repo, Some(&book.commit_tree(before)?), Some(&book.commit_tree(commit.id())?))?;
        let ground = book.commit_tree(onto)?;
        let mut edits: TreeEdits = BTreeMap::new();
        for difference in changes {
            let TreeDifference { path, old, new } = renumbered(book, difference, moves)?;
            let here = tree::blob_at(&ground, &path);
            let both = moved.contains(&path) && path != layout::CHECKPOINT && here != old;
            let joined = if both { merged(book, [old, here, new])? } else { new };
            if both && joined.is_none() {
                overlaps.insert(path.clone());
            }
            edits.insert(path, joined.or(new));
        }
        let tree = change::edited(book, Some(ground.id()), &edits)?;
        let message = renumbered_message(&String::from_utf8_lossy(commit.message_raw_bytes()), moves);
        let people = (&commit.author(), &commit.committer());
        let moved = tree::commit(repo, tree, &[onto], people, &message)?;
        before = commit.id();
        onto = change::settled(book, moved)?;
    }
    Ok((onto, overlaps.into_iter().collect()))
}

/// A difference of a draft with the numbers that chapters have got since. A file of a chapter that is gone stays as it is.
fn renumbered(book: &Book, difference: TreeDifference, moves: &[Renumbering]) -> Result<TreeDifference, StoreError> {
    let TreeDifference { mut path, mut old, mut new } = difference;
    for how in moves {
        if let Some(place) = layout::classify(&path) {
            for blob in [&mut old, &mut new].into_iter().flatten() {
                let bytes = book.repo.find_blob(blob.id).doing("reading a draft")?.content().to_vec();
                blob.id = change::blob(book, &renumber::renumbered(&place, &bytes, *how))?;
            }
        }
        path = moved_path(&path, *how);
    }
    Ok(TreeDifference { path, old, new })
}

/// The path of a file after chapters have got other numbers.
fn moved_path(path: &str, how: Renumbering) -> String {
    let place = layout::classify(path);
    let moved = place.and_then(|place| Some(place.of_chapter(place.volume()?, how.of(place.chapter()?)?).path()));
    moved.unwrap_or_else(|| path.to_owned())
}

/// The message of a draft's commit with the number that the chapter has now in its subject and its trailer.
fn renumbered_message(message: &str, moves: &[Renumbering]) -> String {
    let trailer = format!("{}: ", key::CHAPTER);
    let number = |line: &str| ChapterNo::new(line.strip_prefix(&trailer)?.trim().parse().ok()?);
    let was = message.lines().find_map(number);
    let is = was.and_then(|was| Renumbering::of_all(moves, was));
    let (Some(was), Some(is)) = (was, is) else { return message.to_owned() };
    let lines = message.replace(&format!("\n{trailer}{}\n", was.get()), &format!("\n{trailer}{}\n", is.get()));
    lines.strip_prefix(&was.to_string()).map(|rest| format!("{is}{rest}")).unwrap_or(lines)
}

/// A file of which `ours` and `theirs` have made different things, with the changes of both; `None` where they are of the
/// same lines, or one of them is not there.
fn merged(book: &Book, versions: [Option<Blob>; 3]) -> Result<Option<Blob>, StoreError> {
    let [Some(old), Some(ours), Some(theirs)] = versions else { return Ok(None) };
    let read = |blob: Blob| book.repo.find_blob(blob.id).doing("reading a draft");
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
    let id = change::blob(book, result.content())?;
    Ok(Some(Blob { id, ..theirs }))
}

/// The value of [`key::CLOSES`]: `vol-02 1a2b…, ch-005 3c4d…`.
pub(crate) fn closes(drafts: &[(Work, CommitId)]) -> Option<String> {
    let named: Vec<String> = drafts.iter().map(|(work, tip)| format!("{work} {tip}")).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

fn named(transaction: &Transaction, key: &str) -> Vec<(Work, CommitId)> {
    let named = transaction.trailers.get(key).unwrap_or_default().split(", ");
    let pairs = named.filter_map(|pair| pair.split_once(' '));
    pairs.filter_map(|(work, tip)| Some((work.parse().ok()?, tip.parse().ok()?))).collect()
}

/// A kept draft that is open again.
#[derive(Debug)]
pub struct Reopened {
    /// The draft of the same work that was put aside for it.
    pub closed: Option<Closed>,
    /// Files of which the draft and the book had changed the same lines: the draft's version stands.
    pub overlaps: Vec<String>,
}

/// Why a kept draft was not opened.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum ReopenError {
    /// It goes on from chapters that the book's branch does not have.
    OtherLine(Work),
    Store(#[from] StoreError),
}

/// True for a draft that was begun on the book's branch, or on a history that the author has written again since: the
/// book has the chapter before it, and no other branch has the commit that the draft was begun on.
fn may_carry(book: &Book, work: Work, tip: CommitId) -> Result<bool, StoreError> {
    let Some(begin) = draft::begin_of(book, tip.oid())? else { return Ok(false) };
    if draft::fork_of(book, tip.oid())? == Some(begin) {
        return Ok(true);
    }
    let (has_ground, same_text) = closing::has_ground(book, work, tip)?;
    let lines = book.lines()?.into_iter().filter(|line| line.name != book.branch()).map(|line| line.tip.oid());
    for line in lines.chain(kept::kept_below(book, "lines/")?.into_values()) {
        if !same_text && draft::reaches(book, line, begin)? {
            return Ok(false);
        }
    }
    Ok(has_ground)
}

/// The drafts with something on them that the line as it is leaves open.
pub(crate) fn open_drafts(book: &Book) -> Result<Vec<(Work, CommitId)>, StoreError> {
    let mut open = Vec::new();
    for (work, tip) in closing::drafts(book)? {
        if draft::fork_of(book, tip.oid())? != Some(tip.oid()) {
            open.push((work, tip));
        }
    }
    Ok(open)
}

impl Session<'_> {
    /// Puts the draft of `work` on top of the book as it is, with the author's edits in `staging/`, as that of the work to which the
    /// changes of numbers lead. The draft is closed where another one has that number.
    pub(super) fn carry_over(
        &self,
        work: Work,
        tip: Oid,
        (to, moves): (Work, &[Renumbering]),
    ) -> Result<Option<Closed>, StoreError> {
        let (book, name, new_name) = (self.book, self.book.draft_ref(work), self.book.draft_ref(to));
        let staging = staging::of_book(book);
        let scope = staging.scope().filter(|_| staging.exists() && staging.branch().as_ref() == Some(&name));
        let edited = if scope.is_some() { closing::salvage_staging(self, Some(tip))? } else { None };
        let last = edited.as_ref().map_or(tip, |(last, _)| *last);
        let (onto, _) = rebase_commits(self, last, book.tip()?.oid(), moves)?;
        if to == work {
            self.keep(&format!("{work}/{}", CommitId::from(last).short()), last)?;
            let swap = Swap { name: &name, old: Some(tip), new: onto, why: "novel: carry over" };
            refs::swap(&book.repo, &self.wait, swap)?;
        } else {
            match refs::target(&book.repo, &new_name)? {
                None => refs::create(&book.repo, &self.wait, &new_name, onto, "novel: carry over")?,
                Some(there) if there == onto => {}
                Some(_) => return self.close_draft(work),
            }
            abort_at("carry.created");
            refs::delete(&book.repo, &self.wait, &name)?;
        }
        if let Some(scope) = scope {
            if to != work && edited.is_some() {
                // The edits are in the draft with the new number; the files with the old one would be taken for others.
                staging.remove()?;
            }
            let moved = |path: String| moves.iter().fold(path, |path, how| moved_path(&path, *how));
            staging.show(&new_name, onto, &DraftFiles::new(scope.0.into_iter().map(moved)))?;
        }
        Ok(None)
    }

    /// Opens again what was closed by the step that the last transaction takes back. Does nothing where that has been done,
    /// or where the work has been begun again.
    pub(crate) fn reopen_drafts(&self) -> Result<Vec<Work>, StoreError> {
        let book = self.book;
        let mut line = CommitWalk::of_line(&book.repo, book.tip()?.oid());
        let last = loop {
            match line.next().transpose()? {
                Some(transaction) if transaction.kind == Kind::HandEdit || transaction.kind.is_upkeep() => {}
                Some(transaction) => break transaction,
                None => return Ok(Vec::new()),
            }
        };
        if let (Kind::Adopt, Some(line)) = (last.kind, last.trailers.get(key::ADOPTS)) {
            return self.carry_drafts(line, &named(&last, key::CARRIES));
        }
        let Some(of) = last.retraces() else { return Ok(Vec::new()) };
        // An undo takes back a step or its redo; a redo takes back an undo.
        let is_taken_back =
            |earlier: &Transaction| earlier.id == of || earlier.kind != last.kind && earlier.retraces() == Some(of);
        let taken_back = loop {
            match line.next().transpose()? {
                Some(earlier) if is_taken_back(&earlier) => break earlier,
                Some(_) => {}
                None => return Ok(Vec::new()),
            }
        };
        let mut reopened = Vec::new();
        for (work, tip) in named(&taken_back, key::CLOSES) {
            if reopen(self, work, tip.oid(), last.id.oid())? {
                reopened.push(work);
            }
        }
        Ok(reopened)
    }
}

/// Opens the kept draft of `was` again, on the book as it is, as that of `work`, which is the number of its chapter now. A draft of
/// `work` that is open is put aside. `None` when it is open as it was kept already, so that the same command, interrupted and typed
/// again, acts once.
/// Fails with [`ReopenError`]; an open draft may have been put aside then.
pub fn reopen_kept(
    session: &Session<'_>,
    was: Work,
    work: Work,
    kept: CommitId,
) -> Result<Option<Reopened>, ReopenError> {
    let (book, name) = (session.book, session.book.draft_ref(work));
    if !may_carry(book, was, kept)? {
        return Err(ReopenError::OtherLine(was));
    }
    let mut moves = if was == work { Vec::new() } else { provenance::renumberings_after(book, kept)? };
    moves.reverse();
    let (onto, overlaps) = rebase_commits(session, kept.oid(), book.tip()?.oid(), &moves)?;
    if refs::target(&book.repo, &name)? == Some(onto) {
        return Ok(None);
    }
    let closed = session.close_draft(work)?;
    abort_at("restore.closed");
    refs::create(&book.repo, &session.wait, &name, onto, "novel: restore").map_err(StoreError::from)?;
    abort_at("restore.opened");
    Ok(Some(Reopened { closed, overlaps }))
}

fn reopen(session: &Session<'_>, work: Work, tip: Oid, since: Oid) -> Result<bool, StoreError> {
    let (book, name) = (session.book, session.book.draft_ref(work));
    if refs::target(&book.repo, &name)?.is_some() {
        return Ok(false);
    }
    let mut last = None;
    for kept in kept::kept_below(book, &format!("{work}/"))?.into_values() {
        let Some(base) = draft::fork_of(book, kept)? else { continue };
        if draft::reaches(book, base, since)? {
            // It was open since, and has been put aside.
            return Ok(false);
        }
        // The author's edits to it until it was closed are on top of it.
        if draft::reaches(book, kept, last.unwrap_or(tip))? {
            last = Some(kept);
        }
    }
    let Some(last) = last else { return Ok(false) };
    let (onto, _) = rebase_commits(session, last, book.tip()?.oid(), &[])?;
    abort_at("reopen.carried");
    refs::create(&book.repo, &session.wait, &name, onto, "novel: reopen").map_err(StoreError::from)?;
    Ok(true)
}
