//! The book's past, read from its commits: there is no changelog and no database beside it.

use crate::store::book::commit_walk::{
    BothSides, CommitWalk, FirstParents, Transaction, is_chapter_tag, may_accept, may_renumber, tag_ref,
};
use crate::store::book::provenance::{self, Provenance};
use crate::store::book::snapshot::{Contents, chapters_id};
use crate::store::layout;
use crate::store::message::Trailers;
use crate::store::prelude::*;
use crate::store::remote;
use std::ops::RangeInclusive;

/// Which commits [`history::log`] gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    pub limit: usize,
    pub kinds: BTreeSet<Kind>,
    /// Only the commits that accepted one of these chapters; `None` for all.
    pub chapters: Option<RangeInclusive<ChapterNo>>,
}

impl Default for Log {
    fn default() -> Self {
        Self { limit: usize::MAX, kinds: BTreeSet::new(), chapters: None }
    }
}

impl Book {
    pub fn transaction(&self, id: CommitId) -> Result<Transaction, StoreError> {
        Ok(Transaction::of(&self.repo.find_commit(id.oid()).doing("reading a commit")?))
    }

    pub fn contents_of(&self, commit: CommitId) -> Result<Contents, StoreError> {
        Ok(self.snapshot_of(commit)?.contents()?.clone())
    }

    /// The commit that `chapter` is from: by its tag when that is right, else by following its text back. `None` where the
    /// book does not have the chapter.
    pub fn chapter_commit(&self, chapter: ChapterNo) -> Result<Option<CommitId>, StoreError> {
        let tip = self.tip()?.oid();
        let tree = self.commit_tree(tip)?;
        let file = self.shelves.contents(&self.repo, &tree)?.file_of(chapter, &tree);
        let Some(file) = file else { return Ok(None) };
        if let Some(id) = refs::target(&self.repo, &tag_ref(chapter))?
            && let Some(commit) = self.repo.find_commit(id).or_missing("reading a tag")?
            && Transaction::of(&commit).accepts() == Some(chapter)
            && tree::blob_at(&self.commit_tree(id)?, &layout::chapter(file.volume, chapter))
                .is_some_and(|blob| blob.id == file.blob)
        {
            return Ok(Some(id.into()));
        }
        let found = Provenance::new(self, tip).of(BTreeMap::from([(chapter, file)]))?;
        Ok(found.into_values().next().map(|transaction| transaction.id))
    }
}

/// The commits that made the book what it is, newest first, with those that a merge brought from another device.
pub fn log_with_merged(book: &Book, log: &Log) -> Result<Vec<Transaction>, StoreError> {
    let wanted = |transaction: &Transaction| {
        let is_of = |chapters: &RangeInclusive<ChapterNo>| transaction.accepts().is_some_and(|n| chapters.contains(&n));
        (log.kinds.is_empty() || log.kinds.contains(&transaction.kind)) && log.chapters.as_ref().is_none_or(is_of)
    };
    let walk = BothSides::new(&book.repo, book.tip()?.oid());
    walk.filter(|found| found.as_ref().map_or(true, wanted)).take(log.limit).collect()
}

/// The commits of the accepted line, newest first. Costs as much as it gives, plus what it passes over.
pub fn log(book: &Book, log: &Log) -> Result<Vec<Transaction>, StoreError> {
    log_from(book, book.tip()?, log)
}

pub fn log_from(book: &Book, from: CommitId, log: &Log) -> Result<Vec<Transaction>, StoreError> {
    let wanted = |t: &Result<Transaction, StoreError>| match t {
        Ok(t) => log.kinds.is_empty() || log.kinds.contains(&t.kind),
        Err(_) => true,
    };
    let walk = CommitWalk::of_line(&book.repo, from.oid()).accepting(log.chapters.clone());
    walk.filter(wanted).take(log.limit).collect()
}

/// The commits of the accepted line that came after `known`, newest first; `None` when the line does not lead there.
pub fn log_since(book: &Book, known: CommitId) -> Result<Option<Vec<Transaction>>, StoreError> {
    let mut log = Vec::new();
    for transaction in CommitWalk::of_line(&book.repo, book.tip()?.oid()) {
        let transaction = transaction?;
        if transaction.id == known {
            return Ok(Some(log));
        }
        log.push(transaction);
    }
    Ok(None)
}

/// The first commit of the book's branch, which all its copies and lines have in common. In a shallow clone it is the oldest
/// commit that there is.
pub fn first_commit(book: &Book) -> Result<CommitId, StoreError> {
    let mut at = book.tip()?.oid();
    loop {
        let commit = book.repo.find_commit(at).doing("reading a commit")?;
        match commit.parent_id(0) {
            Ok(parent) if book.repo.find_commit(parent).or_missing("reading a commit")?.is_some() => at = parent,
            _ => return Ok(at.into()),
        }
    }
}

/// Returns the message of the commit `id` without its first line and its trailers.
pub fn body_of(book: &Book, id: CommitId) -> Result<String, StoreError> {
    let commit = book.repo.find_commit(id.oid()).doing("reading a commit")?;
    let message = String::from_utf8_lossy(commit.message_raw_bytes());
    Ok(Trailers::parse(&message).body(&message))
}

/// The commits that are in effect, newest first, until `enough` says so. Commits that a rollback or undo took out
/// are passed over.
pub fn in_effect(book: &Book, mut enough: impl FnMut(&Transaction) -> bool) -> Result<Vec<Transaction>, StoreError> {
    let mut found = Vec::new();
    for transaction in CommitWalk::in_effect(&book.repo, book.tip()?.oid()) {
        let transaction = transaction?;
        let stop = enough(&transaction);
        found.push(transaction);
        if stop {
            break;
        }
    }
    Ok(found)
}

/// The last commit in effect of one of these kinds for which `is_it` holds. [`Kind::HandEdit`] cannot be asked for, since it
/// needs no trailer; commits of other kinds are not taken apart.
pub fn last_of(
    book: &Book,
    kinds: &[Kind],
    mut is_it: impl FnMut(&Transaction) -> bool,
) -> Result<Option<Transaction>, StoreError> {
    for transaction in CommitWalk::in_effect(&book.repo, book.tip()?.oid()).of_kinds(kinds) {
        let transaction = transaction?;
        if is_it(&transaction) {
            return Ok(Some(transaction));
        }
    }
    Ok(None)
}

/// The last transaction of that kind, or else the first commit: of a book that another program has begun.
pub fn last_of_or_first(
    book: &Book,
    kinds: &[Kind],
    is_it: impl FnMut(&Transaction) -> bool,
) -> Result<Option<Transaction>, StoreError> {
    match last_of(book, kinds, is_it)? {
        Some(found) => Ok(Some(found)),
        None => Ok(in_effect(book, |_| false)?.pop()),
    }
}

/// The commits in effect that accepted the chapter, newest first. Commits that cannot be of them are not taken apart.
pub fn editions(book: &Book, chapter: ChapterNo) -> Result<Vec<Transaction>, StoreError> {
    let tip = book.tip()?.oid();
    let mut moves = CommitWalk::in_effect(&book.repo, tip).of_kinds(&[Kind::Plan]);
    if !moves.any(|step| step.is_ok_and(|step| step.renumbers().is_some())) {
        return CommitWalk::in_effect(&book.repo, tip).accepting(Some(chapter..=chapter)).collect();
    }
    let (mut found, mut at) = (Vec::new(), chapter);
    for step in CommitWalk::in_effect(&book.repo, tip) {
        let step = step?;
        if let Some(how) = step.renumbers() {
            let Some(before) = how.before(at) else { break };
            at = before;
        } else if step.accepts() == Some(at) {
            found.push(step);
        }
    }
    Ok(found)
}

/// The number that the chapter had at an earlier commit in effect; `None` where it was no chapter of its own.
pub fn number_then(book: &Book, chapter: ChapterNo, commit: CommitId) -> Result<Option<ChapterNo>, StoreError> {
    let mut at = Some(chapter);
    for step in CommitWalk::in_effect(&book.repo, book.tip()?.oid()) {
        let step = step?;
        if step.id == commit {
            break;
        }
        at = step.renumbers().map_or(at, |how| at.and_then(|chapter| how.before(chapter)));
    }
    Ok(at)
}

/// The newest commit of the accepted line with a text of the chapter other than that of `version`, line endings apart.
///
/// Commits after the chapter's acceptance may have changed it; before that, only an earlier acceptance has it. Commits
/// between which no chapter changed are told by their trees and not looked into.
pub fn earlier_text(
    book: &Book,
    chapter: ChapterNo,
    (version, path): (&Snapshot<'_>, &str),
) -> Result<Option<CommitId>, StoreError> {
    let now = tree::blob_at(version.tree(), path).map(|blob| blob.id);
    let text = |id: Oid| {
        let blob = book.repo.find_blob(id).doing("reading a file of the book")?;
        Ok::<_, StoreError>(String::from_utf8_lossy(blob.content()).replace("\r\n", "\n"))
    };
    let (mut folder, mut is_accepted) = (None, false);
    for commit in FirstParents::new(&book.repo, book.tip()?.oid()) {
        let commit = commit?;
        let accepts = may_accept(commit.message_raw_bytes(), &(chapter..=chapter))
            && Transaction::of(&commit).accepts() == Some(chapter);
        // Before that, another chapter had the number.
        let is_moved = may_renumber(commit.message_raw_bytes())
            && Transaction::of(&commit).renumbers().is_some_and(|how| how.first() <= chapter);
        let is_later = is_accepted && !accepts;
        is_accepted |= accepts;
        let tree = commit.tree().doing("reading a commit")?;
        if is_later || folder.replace(chapters_id(&tree)) == Some(chapters_id(&tree)) {
            if is_moved {
                break;
            }
            continue;
        }
        let blob = match tree::blob_at(&tree, path) {
            Some(blob) => Some(blob.id),
            // It stood in another volume then, or was not there.
            None => book
                .shelves
                .contents(&book.repo, &tree)?
                .volume_of(chapter)
                .and_then(|volume| tree::blob_at(&tree, &layout::chapter(volume, chapter)).map(|blob| blob.id)),
        };
        let is_other = match (now, blob.filter(|then| Some(*then) != now)) {
            (Some(now), Some(then)) => text(now)? != text(then)?,
            (_, then) => then.is_some(),
        };
        if is_other {
            return Ok(Some(commit.id().into()));
        }
        if is_moved {
            break;
        }
    }
    Ok(None)
}

/// The commit of every chapter that the book has. Which those are follows from the tree; a chapter without a commit
/// that accepted it is from the author's commit that brought its text.
pub fn chapters(book: &Book) -> Result<BTreeMap<ChapterNo, Transaction>, StoreError> {
    Provenance::new(book, book.tip()?.oid()).of_all()
}

/// The commits of some chapters. Looks no further back than the oldest of them.
pub fn commits_of(book: &Book, chapters: &BTreeSet<ChapterNo>) -> Result<BTreeMap<ChapterNo, Transaction>, StoreError> {
    let tip = book.tip()?.oid();
    let tree = book.commit_tree(tip)?;
    let contents = book.shelves.contents(&book.repo, &tree)?;
    let files = chapters.iter().filter_map(|chapter| Some((*chapter, contents.file_of(*chapter, &tree)?)));
    Provenance::new(book, tip).of(files.collect())
}

/// The last chapter with its commit. Looks no further back than that.
pub fn last_chapter(book: &Book) -> Result<Option<(ChapterNo, Transaction)>, StoreError> {
    let last = book.contents_of(book.tip()?)?.last();
    Ok(commits_of(book, &last.into_iter().collect())?.pop_first())
}

/// The transactions back to the point at which the book had just reached `chapter`, newest first; the last one is
/// that point. Empty when the chapter is not in the book.
///
/// The point is the newest commit at which the book ended with the chapter and it or one before it had been
/// accepted, or brought by a merge: the book as its author left it to go on. When one commit brought the chapter and later ones
/// together, the point is that commit, which has more in `Book::contents_of` than the chapter.
pub fn since(book: &Book, chapter: ChapterNo) -> Result<Vec<Transaction>, StoreError> {
    let mut line = Vec::new();
    let mut at = Some(book.tip()?.oid());
    // Positions in `line`: the oldest commit at which the book ends with the chapter, and the newest acceptance.
    let (mut reached, mut accepted): (Option<usize>, Option<usize>) = (None, None);
    while let Some(id) = at {
        let contents = book.shelves.contents(&book.repo, &book.commit_tree(id)?)?;
        let Some(volume) = contents.volume_of(chapter) else { break };
        let ends_there = contents.last() == Some(chapter);
        if !ends_there && reached.is_some() {
            break;
        }
        let transaction = book.transaction(id.into())?;
        if ends_there {
            reached = Some(line.len());
            let brings = transaction.accepts().is_some() || transaction.is_join();
            accepted = accepted.or(brings.then_some(line.len()));
        }
        at = source_with(book, &transaction, &layout::chapter(volume, chapter), chapter)?;
        line.push(transaction);
    }
    if let Some(end) = accepted.or(reached) {
        line.truncate(end + 1);
    }
    Ok(line)
}

/// The commit that brought the chapter into the book as it is now, before any later text of it; `None` where the book
/// does not have it.
pub fn first_with(book: &Book, chapter: ChapterNo) -> Result<Option<CommitId>, StoreError> {
    let mut at = Some(book.tip()?.oid());
    let volume = book.contents_of(book.tip()?)?.volume_of(chapter).unwrap_or(VolumeNo::FIRST);
    let path = layout::chapter(volume, chapter);
    let mut first = None;
    while let Some(id) = at {
        if tree::blob_at(&book.commit_tree(id)?, &path).is_none() {
            break;
        }
        first = Some(id.into());
        at = source_with(book, &book.transaction(id.into())?, &path, chapter)?;
    }
    Ok(first)
}

/// The first of the commits that the transaction goes on from that has the chapter's file; `None` where it gave the chapter
/// its number.
fn source_with(
    book: &Book,
    transaction: &Transaction,
    path: &str,
    chapter: ChapterNo,
) -> Result<Option<Oid>, StoreError> {
    if transaction.renumbers().is_some_and(|how| how.first() <= chapter) {
        return Ok(None);
    }
    for source in provenance::sources(book, transaction)? {
        if tree::blob_at(&book.commit_tree(source)?, path).is_some() {
            return Ok(Some(source));
        }
    }
    Ok(None)
}

/// The newest commit in the history that has the chapter under that number, on any line, and for which `is_it` holds; failing that
/// the one that its tag names. For finding a chapter that the book does not have any more.
pub fn last_commit_with(
    book: &Book,
    chapter: ChapterNo,
    is_it: impl Fn(&Snapshot<'_>) -> bool,
) -> Result<Option<CommitId>, StoreError> {
    let mut known = BTreeMap::new();
    let mut history = provenance::ancestors(book, book.tip()?.oid())?;
    history.extend(refs::target(&book.repo, &tag_ref(chapter))?.map(CommitId::from));
    for commit in history {
        let tree = book.commit_tree(commit.oid())?;
        let has = match known.get(&chapters_id(&tree)) {
            Some(has) => *has,
            None => book.shelves.contents(&book.repo, &tree)?.has(chapter),
        };
        if has && provenance::number_now(book, chapter, commit)? == Some(chapter) && is_it(&book.snapshot_of(commit)?) {
            return Ok(Some(commit));
        }
        known.insert(chapters_id(&tree), has);
    }
    Ok(None)
}

/// The newest commit of the book's branch that has the file at `path` with other content than it has now; `None` for a
/// file without any.
pub fn other_version(book: &Book, path: &str) -> Result<Option<CommitId>, StoreError> {
    let tip = book.tip()?.oid();
    let blob = |commit: Oid| Ok::<_, StoreError>(tree::blob_at(&book.commit_tree(commit)?, path).map(|b| b.id));
    let now = blob(tip)?;
    for transaction in CommitWalk::of_line(&book.repo, tip) {
        let id = transaction?.id;
        let then = blob(id.oid())?;
        if then.is_some() && then != now {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// The chapters that the author has confirmed to be out of the book, and that were not written again since.
pub fn removed(book: &Book) -> Result<BTreeSet<ChapterNo>, StoreError> {
    let (mut removed, mut written, mut since) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for transaction in CommitWalk::in_effect(&book.repo, book.tip()?.oid()) {
        let transaction = transaction?;
        let now = |chapter: ChapterNo| Renumbering::of_all(since.iter().rev(), chapter);
        written.extend(transaction.accepts().and_then(now));
        removed.extend(transaction.removes().filter_map(now).filter(|chapter| !written.contains(chapter)));
        since.extend(transaction.renumbers());
    }
    Ok(removed)
}

/// Tags of chapters that are not where the tree and the commits of the main line say: name, where it should be.
pub(crate) fn wrong_tags(book: &Book) -> Result<BTreeMap<String, Option<CommitId>>, StoreError> {
    // A shallow clone does not have the commits that the tags are of.
    if !book.is_main_line() || remote::history::is_shallow(book) {
        return Ok(BTreeMap::new());
    }
    let chapters = Provenance::new(book, book.tip()?.oid()).of_all()?;
    let mut wrong: BTreeMap<String, Option<CommitId>> =
        chapters.into_iter().map(|(chapter, commit)| (tag_ref(chapter), Some(commit.id))).collect();
    for (name, target) in refs::listed(&book.repo, "refs/tags/ch-")? {
        let is_chapter = is_chapter_tag(&name);
        match wrong.get(&name) {
            Some(Some(id)) if id.oid() == target => {
                wrong.remove(&name);
            }
            None if is_chapter => {
                wrong.insert(name, None);
            }
            _ => {}
        }
    }
    Ok(wrong)
}

/// Those of the commits that are not in the history of the book's branch.
fn unreached(book: &Book, mut commits: BTreeSet<Oid>) -> Result<BTreeSet<Oid>, StoreError> {
    if commits.is_empty() {
        return Ok(commits);
    }
    let mut walk = book.repo.revwalk().doing("reading the history")?;
    walk.push(book.tip()?.oid()).doing("reading the history")?;
    for id in walk {
        // A missing commit is in no history.
        let Some(id) = id.or_missing("reading the history")? else { break };
        if commits.remove(&id) && commits.is_empty() {
            break;
        }
    }
    Ok(commits)
}

/// Makes the tags `ch-NNN` what the tree and the commits say. A commit that only a wrong tag keeps is kept under
/// `refs/novel/kept/`. Returns how many were wrong.
/// Fails when a commit cannot be read or a tag not written.
pub fn retag(session: &Session<'_>) -> Result<usize, StoreError> {
    let wrong = wrong_tags(session.book)?;
    put_tags(session, &wrong)?;
    Ok(wrong.len())
}

/// Corrects the tags of the chapters whose files differ between the two commits, of which `to` is the tip.
pub(crate) fn retag_changed(session: &Session<'_>, from: Oid, to: Oid) -> Result<(), StoreError> {
    let (old, new) = (session.book.commit_tree(from)?, session.book.commit_tree(to)?);
    if chapters_id(&old) == chapters_id(&new) {
        return Ok(());
    }
    let mut changed = BTreeSet::new();
    for difference in tree::differences_in(&session.book.repo, layout::CHAPTERS, &old, &new)? {
        if let Some(BookPath::Chapter(_, chapter)) = layout::classify(&difference.path) {
            changed.insert(chapter);
        }
    }
    let is = commits_of(session.book, &changed)?;
    let tags: BTreeMap<String, Oid> = refs::listed(&session.book.repo, "refs/tags/ch-")?.into_iter().collect();
    let target = |chapter: ChapterNo| (tag_ref(chapter), is.get(&chapter).map(|transaction| transaction.id));
    let mut wrong: BTreeMap<String, Option<CommitId>> = changed.into_iter().map(target).collect();
    wrong.retain(|name, should| tags.get(name).copied() != should.map(CommitId::oid));
    put_tags(session, &wrong)
}

fn put_tags(session: &Session<'_>, wrong: &BTreeMap<String, Option<CommitId>>) -> Result<(), StoreError> {
    let repo = &session.book.repo;
    let mut named = BTreeSet::new();
    for name in wrong.keys() {
        if let Some(id) = refs::target(repo, name)?
            && repo.find_commit(id).or_missing("reading a tag")?.is_some()
        {
            named.insert(id);
        }
    }
    for id in unreached(session.book, named)? {
        session.keep(&format!("salvaged/{}", CommitId::from(id).short()), id)?;
    }
    let moves = wrong.iter().map(|(name, target)| (name.as_str(), target.map(CommitId::oid))).collect();
    refs::set_all(repo, &session.wait, &moves, "novel: tag")
}
