//! The end of a draft: which drafts are open still, how the others ended, what closing one keeps, and which draft `staging/` shows. The
//! folder shows one at a time; the others wait on their branches, with everything that the author had done to them.
//! Candidates of a chapter are drafts of it side by side, each on a branch of its own (`draft/candidate-2/ch-048`), seen through
//! a book that has no other draft.

use crate::domain::chapter::Chapter;
use crate::git::error::{CommitSource, GivenAuthor};
use crate::git::refs::{KEPT, Swap};
use crate::store::book::commit_walk::{CommitWalk, Transaction};
use crate::store::book::repository::open_repository;
use crate::store::book::session::{Closed, Recovered};
use crate::store::book::{change, provenance};
use crate::store::drafts::{draft, staging};
use crate::store::layout::{self, STAGING};
use crate::store::message::key;
use crate::store::prelude::*;

pub(crate) enum DraftEnding {
    /// It has not.
    Open,
    /// It has not; the author has written the history below it again, with the same chapter before it.
    Uprooted,
    /// It has not; its chapter has this number now, by these changes of numbers.
    Moved(ChapterNo, Vec<Renumbering>),
    /// This transaction has accepted it, or has taken its ground.
    Settled(Box<Transaction>),
    /// It has nothing in common with the book any more, or plain git has brought its chapter in otherwise.
    Groundless,
}

/// The drafts that are open, each with its tip. One that has been accepted or has lost its ground is open no more, even
/// where an interrupted command has left its branch.
pub fn drafts(book: &Book) -> Result<Vec<(Work, CommitId)>, StoreError> {
    let mut open = Vec::new();
    for (work, tip) in every_draft(book)? {
        if matches!(ending(book, work, tip)?, DraftEnding::Open | DraftEnding::Uprooted) {
            open.push((work, tip));
        }
    }
    Ok(open)
}

/// The chapters that are texts of the author's own since a commit of plain git, while there are drafts of them: a command
/// that writes closes these.
pub fn overtaken_drafts(book: &Book) -> Result<Vec<ChapterNo>, StoreError> {
    let (tip, mut overtaken) = (book.tip()?, Vec::new());
    let contents = book.contents_of(tip)?;
    for (work, last) in every_draft(book)? {
        let Some(chapter) = work.chapter().filter(|chapter| contents.has(*chapter)) else { continue };
        if is_new_since(book, chapter, last)?
            && provenance::accepted_at(book, chapter, tip)?.is_none()
            && !draft::begin_of(book, last.oid())?.map_or(Ok(false), |base| has_moved_up(book, chapter, base))?
        {
            overtaken.push(chapter);
        }
    }
    Ok(overtaken)
}

/// True when the draft that ends with `last` was begun before the book had the chapter.
pub fn is_new_since(book: &Book, chapter: ChapterNo, last: CommitId) -> Result<bool, StoreError> {
    let base = draft::begin_of(book, last.oid())?.filter(|base| *base != last.oid());
    base.map_or(Ok(false), |base| Ok(!book.contents_of(base.into())?.has(chapter)))
}

/// Every branch of a draft, with its tip.
pub(crate) fn every_draft(book: &Book) -> Result<Vec<(Work, CommitId)>, StoreError> {
    let drafts = refs::listed(&book.repo, &book.drafts)?.into_iter();
    Ok(drafts.filter_map(|(name, tip)| Some((draft::work_of(book, &name)?, tip.into()))).collect())
}

/// How the draft of `work` that ends with `tip` ended.
pub(crate) fn ending(book: &Book, work: Work, tip: CommitId) -> Result<DraftEnding, StoreError> {
    let fork = draft::fork_of(book, tip.oid())?;
    // The author, or a code host's button, has merged the branch of the draft.
    if fork == Some(tip.oid()) && book.transaction(tip)?.kind == Kind::Stage {
        return Ok(DraftEnding::Groundless);
    }
    if let (Some(base), Some(chapter)) = (fork, work.chapter())
        && draft::begin_of(book, tip.oid())? == Some(base)
    {
        let moves = provenance::renumberings_since(book, base)?;
        match moves.iter().try_fold(chapter, |number, how| how.of_draft(number)) {
            None => return Ok(DraftEnding::Groundless),
            Some(is) if is != chapter => return Ok(DraftEnding::Moved(is, moves)),
            Some(_) => {}
        }
    }
    let base = match (fork, work.chapter()) {
        (Some(base), Some(chapter)) if !is_overtaken(book, chapter, base, tip.oid())? => base,
        (Some(base), None) => base,
        _ => {
            let (has_ground, is_same) = has_ground(book, work, tip)?;
            return Ok(if has_ground && is_same { DraftEnding::Uprooted } else { DraftEnding::Groundless });
        }
    };
    for transaction in CommitWalk::of_line(&book.repo, book.tip()?.oid()) {
        let transaction = transaction?;
        if transaction.id.oid() == base {
            return Ok(DraftEnding::Open);
        }
        let (id, kind) = (transaction.id.oid(), transaction.kind);
        let accepted = transaction.trailers.read::<CommitId>(key::DRAFT) == Some(tip);
        if accepted || book.invalidates(kind, &book.origin(transaction.clone())?, work, tip)? {
            // After a merge by the author the base may lie beside this line; the commits before it are met all the same.
            let is_met = draft::reaches(book, base, id)?;
            return Ok(if is_met { DraftEnding::Open } else { DraftEnding::Settled(Box::new(transaction)) });
        }
    }
    Ok(DraftEnding::Open)
}

/// Whether the book has the chapters that the draft was begun on, as far as the last one before it and its own tell, and
/// whether that last one is the same: it has the same text, or another one and the draft that it was accepted from.
pub(super) fn has_ground(book: &Book, work: Work, tip: CommitId) -> Result<(bool, bool), StoreError> {
    let ground = |commit: Oid| {
        let tree = book.commit_tree(commit)?;
        let contents = book.shelves.contents(&book.repo, &tree)?;
        let is_before = |chapter: &ChapterNo| work.chapter().is_none_or(|own| *chapter < own);
        let before = contents.iter().rev().map(|(chapter, _)| chapter).find(is_before);
        let has_own = work.chapter().is_some_and(|own| contents.has(own));
        let text = before.and_then(|before| contents.file_of(before, &tree)).map(|file| file.blob);
        Ok::<_, StoreError>((before, has_own, text))
    };
    let Some(begin) = draft::begin_of(book, tip.oid())? else { return Ok((false, false)) };
    let (now, then) = (ground(book.tip()?.oid())?, ground(begin)?);
    let has_ground = (now.0, now.1) == (then.0, then.1);
    let is_same = match now.0.filter(|_| has_ground && now.2 != then.2) {
        None => now.2 == then.2,
        Some(before) => {
            let draft = accepted_draft(book, book.tip()?.oid(), before)?;
            draft.is_some() && draft == accepted_draft(book, begin, before)?
        }
    };
    Ok((has_ground, is_same))
}

/// The draft that the chapter was accepted from, by the commits up to `tip`.
fn accepted_draft(book: &Book, tip: Oid, chapter: ChapterNo) -> Result<Option<CommitId>, StoreError> {
    let mut commits = CommitWalk::of_line(&book.repo, tip).accepting(Some(chapter..=chapter));
    Ok(commits.next().transpose()?.and_then(|accepted| accepted.trailers.read(key::DRAFT)))
}

/// True when plain git has brought the chapter itself into the book, or has put another text in the place of one that
/// the draft goes on from.
fn is_overtaken(book: &Book, chapter: ChapterNo, base: Oid, tip: Oid) -> Result<bool, StoreError> {
    let trees = [book.commit_tree(book.tip()?.oid())?, book.commit_tree(tip)?];
    let contents = |tree| book.shelves.contents(&book.repo, tree);
    let [now, then] = [contents(&trees[0])?, contents(&trees[1])?];
    if now.has(chapter) && !book.contents_of(base.into())?.has(chapter) {
        // A transaction that has accepted the draft is the one to be named.
        return Ok(!has_accepted(book, tip, base)? && !has_moved_up(book, chapter, base)?);
    }
    // Commits of the book that the branch has left since are on the draft's side of the fork.
    for commit in draft::records_since(book, base, tip)? {
        let accepted = commit.trailers.chapter().filter(|_| commit.trailers.kind() == Some(Kind::Chapter));
        let Some(accepted) = accepted else { continue };
        let [file, old] = [now.file_of(accepted, &trees[0]), then.file_of(accepted, &trees[1])];
        if file.zip(old).is_some_and(|(file, old)| file.blob != old.blob) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True when the author has moved the chapter's text up, or a part of one, from an earlier number in `base`.
fn has_moved_up(book: &Book, chapter: ChapterNo, base: Oid) -> Result<bool, StoreError> {
    let body = |snapshot: &Snapshot<'_>, of: ChapterNo| {
        let volume = snapshot.contents()?.volume_of(of);
        let bytes = volume.map(|volume| snapshot.read(&layout::chapter(volume, of))).transpose()?.flatten();
        let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        Ok::<_, StoreError>(Chapter::from_markdown(of, &text, "").body)
    };
    let (now, then) = (body(&book.snapshot()?, chapter)?, book.snapshot_of(base.into())?);
    for earlier in then.contents()?.iter().rev().map(|(earlier, _)| earlier).filter(|earlier| *earlier < chapter) {
        if !now.trim().is_empty() && body(&then, earlier)?.contains(now.trim()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True when a commit of the accepted line since `base` has accepted the draft that ends with `tip`.
fn has_accepted(book: &Book, tip: Oid, base: Oid) -> Result<bool, StoreError> {
    for transaction in CommitWalk::of_line(&book.repo, book.tip()?.oid()) {
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

impl Session<'_> {
    /// Closes the draft of `work` that ends with `tip` where it is open no more, and carries it over where its history has
    /// been written again or its chapter has another number.
    pub(super) fn settle_draft(&self, work: Work, tip: CommitId) -> Result<Option<Closed>, StoreError> {
        settle(self, work, tip, ending(self.book, work, tip)?)
    }

    /// Keeps the draft of `work` under `refs/novel/kept/`, and removes its branch and its folder.
    pub fn close_draft(&self, work: Work) -> Result<Option<Closed>, StoreError> {
        let book = self.book;
        let name = book.draft_ref(work);
        let Some(tip) = refs::target(&book.repo, &name)? else { return Ok(None) };
        let staging = staging::of_book(book);
        let shown = staging.exists() && staging.branch().as_deref() == Some(name.as_str());
        let (tip, salvaged) =
            if shown { salvage_staging(self, Some(tip))?.unwrap_or((tip, Vec::new())) } else { (tip, Vec::new()) };
        let kept = self.keep_draft(work, tip.into())?;
        abort_at("close.kept");
        refs::delete(&book.repo, &self.wait, &name)?;
        abort_at("close.deleted");
        if shown {
            staging.remove()?;
        }
        Ok(Some(Closed { work, kept, salvaged }))
    }

    /// Clears `staging/` unless it shows the branch `stays`. The author's edits there are committed to their draft
    /// first, and files of a draft that has no branch any more are kept.
    pub(crate) fn clear_staging(&self, stays: Option<&str>) -> Result<bool, StoreError> {
        let book = self.book;
        let staging = staging::of_book(book);
        let Some(shown) = staging.branch().filter(|shown| staging.exists() && stays != Some(shown.as_str())) else {
            return Ok(false);
        };
        let tip = refs::target(&book.repo, &shown)?;
        if let (Some((id, _)), Some(tip)) = (salvage_staging(self, tip)?, tip) {
            let swap = Swap { name: &shown, old: Some(tip), new: id, why: "novel: hand edit" };
            refs::swap(&book.repo, &self.wait, swap)?;
        }
        staging.remove()?;
        Ok(true)
    }
}

/// Closes the drafts that have been accepted or have lost their ground, and lets those of chapters with other numbers follow.
pub(crate) fn close_settled_drafts(session: &Session<'_>) -> Result<Vec<Closed>, StoreError> {
    let (mut closed, mut moved) = (Vec::new(), Vec::new());
    for (work, tip) in every_draft(session.book)? {
        match ending(session.book, work, tip)? {
            DraftEnding::Moved(to, moves) => moved.push((work, tip, to, moves)),
            ending => closed.extend(settle(session, work, tip, ending)?),
        }
    }
    while !moved.is_empty() {
        // A draft goes to its new number once the one that had the number has left.
        let is_free = |to: ChapterNo| moved.iter().all(|(work, ..)| *work != Work::Chapter(to));
        let at = moved.iter().position(|(.., to, _)| is_free(*to)).unwrap_or(0);
        let (work, tip, to, moves) = moved.remove(at);
        closed.extend(settle(session, work, tip, DraftEnding::Moved(to, moves))?);
    }
    Ok(closed)
}

fn settle(session: &Session<'_>, work: Work, tip: CommitId, ending: DraftEnding) -> Result<Option<Closed>, StoreError> {
    match ending {
        DraftEnding::Open => Ok(None),
        DraftEnding::Uprooted => session.carry_over(work, tip.oid(), (work, &[])),
        DraftEnding::Moved(to, moves) => session.carry_over(work, tip.oid(), (to.into(), &moves)),
        DraftEnding::Settled(_) | DraftEnding::Groundless => session.close_draft(work),
    }
}

/// Closes drafts that are settled and makes `staging/` agree with the drafts that there are.
pub(crate) fn settle_drafts(session: &Session<'_>, report: &mut Recovered) -> Result<(), StoreError> {
    let book = session.book;
    record_staging(session)?;
    report.renamed = staging::of_book(book).put_back()?;
    report.closed.extend(close_settled_drafts(session)?);
    report.staging |= clear_staging_of_others(session)?;
    let staging = staging::of_book(book);
    let shown = || -> Result<Option<(String, Oid)>, StoreError> {
        let Some(branch) = staging.branch() else { return Ok(None) };
        Ok(refs::target(&book.repo, &branch)?.map(|tip| (branch, tip)))
    };
    // Before anything is opened again: a draft of the same name is another one.
    if staging.exists() && shown()?.is_none() {
        if let Some((kept, _)) = salvage_staging(session, None)? {
            report.salvaged.push((format!("{KEPT}salvaged/{}", CommitId::from(kept).short()), kept.into()));
        }
        staging.remove()?;
        report.staging = true;
    }
    report.reopened = session.reopen_drafts()?;
    if staging.exists()
        && let (Some((branch, tip)), Some(scope)) = (shown()?, staging.scope())
    {
        report.staging |= staging.show(&branch, tip, &scope)?;
    }
    Ok(())
}

/// Writes git's records of `staging/` again where they are lost, for the draft that the files there are of, so that the
/// author's edits are found. Files of no draft that is open are kept.
fn record_staging(session: &Session<'_>) -> Result<(), StoreError> {
    let (book, staging) = (session.book, staging::of_book(session.book));
    let files = staging.unrecorded()?;
    if files.is_empty() {
        return Ok(());
    }
    for (work, tip) in every_draft(book)? {
        let Some(begin) = draft::begin_of(book, tip.oid())? else { continue };
        let trees = [book.commit_tree(begin)?, book.commit_tree(tip.oid())?];
        let changed = tree::differences(&book.repo, Some(&trees[0]), Some(&trees[1]))?;
        if changed.iter().any(|change| files.contains(&change.path)) {
            return staging.build(&book.draft_ref(work), tip.oid(), &files);
        }
    }
    staging.claim()
}

/// Commits the files of `staging/` that are nowhere else, on top of `tip`. Without a tip they are kept under a
/// name of their own.
pub(super) fn salvage_staging(
    session: &Session<'_>,
    tip: Option<Oid>,
) -> Result<Option<(Oid, Vec<String>)>, StoreError> {
    let book = session.book;
    let unknown = staging::of_book(book).unknown(tip)?;
    if unknown.is_empty() {
        return Ok(None);
    }
    let parent = match tip {
        Some(tip) => tip,
        None => book.tip()?.oid(),
    };
    let paths: Vec<String> = unknown.keys().cloned().collect();
    let change = Change { puts: unknown, removes: BTreeSet::new() };
    let base = book.commit_tree(parent)?.id();
    let tree = change::edited(book, Some(base), &change.write(&book.repo)?)?;
    let author = book.identity(&GivenAuthor::default())?.unwrap_or_else(Identity::fallback);
    let time = book.repo.find_commit(parent).doing("reading a commit")?.time().into();
    let message = Message::new(Kind::HandEdit, Subject::Salvaged);
    let id = session.write_commit_on(tree, parent, &message, &author, time);
    let id = id.map_err(|error| error.of_keys_in(CommitSource::Linked(STAGING)))?;
    if tip.is_none() {
        session.keep(&format!("salvaged/{}", CommitId::from(id).short()), id)?;
    }
    Ok(Some((id, paths)))
}

/// Clears `staging/` where it shows the draft of another line.
fn clear_staging_of_others(session: &Session<'_>) -> Result<bool, StoreError> {
    let book = session.book;
    let staging = staging::of_book(book);
    match staging.branch().filter(|_| staging.exists()) {
        Some(shown) if draft::work_of(book, &shown).is_none() => session.clear_staging(None),
        _ => Ok(false),
    }
}

/// The folder of a candidate's branches, up to its number.
const CANDIDATE: &str = "candidate-";

/// The book with the drafts of a candidate in place of its own. Nothing of it is shown in `staging/`.
pub fn candidate(book: &Book, number: u32) -> Result<Book, StoreError> {
    let again = |error| StoreError::Damaged { what: format!("the book cannot be opened once more: {error}") };
    let repo = open_repository(&book.root).map_err(again)?;
    let book = Book::assemble(&book.root, repo, book.branch.clone(), book.wording)?;
    let drafts = format!("{}{CANDIDATE}{number}/", book.drafts);
    Ok(Book { main: book.main.clone(), drafts, candidate: number, keys: book.keys.clone(), ..book })
}

/// Every candidate that there is: its chapter and its number, in order.
pub fn every_candidate(book: &Book) -> Result<Vec<(ChapterNo, u32)>, StoreError> {
    let prefix = format!("{}{CANDIDATE}", book.drafts);
    let named = |name: &str| {
        let (number, work) = name[prefix.len()..].split_once('/')?;
        Some((work.parse::<Work>().ok()?.chapter()?, number.parse().ok()?))
    };
    let refs = refs::listed(&book.repo, &prefix)?;
    let mut all: Vec<(ChapterNo, u32)> = refs.iter().filter_map(|(name, _)| named(name)).collect();
    all.sort_unstable();
    Ok(all)
}

pub fn candidates_of(book: &Book, chapter: ChapterNo) -> Result<Vec<u32>, StoreError> {
    Ok(every_candidate(book)?.into_iter().filter(|(of, _)| *of == chapter).map(|(_, number)| number).collect())
}

/// The short name of the branch of the draft of `work`.
pub fn draft_branch(book: &Book, work: impl Into<Work>) -> String {
    book.draft_ref(work.into()).trim_start_matches("refs/heads/").to_owned()
}

/// Makes the candidate the chapter's draft, and keeps the others. Returns false when there is no such candidate.
pub fn pick_candidate(session: &Session<'_>, chapter: ChapterNo, number: u32) -> Result<bool, StoreError> {
    let book = session.book;
    if !candidates_of(book, chapter)?.contains(&number) {
        return Ok(false);
    }
    let Some(tip) = draft::draft_tip(&candidate(book, number)?, chapter)? else { return Ok(false) };
    session.close_draft(chapter.into())?;
    let name = book.draft_ref(chapter.into());
    refs::create(&book.repo, &session.wait, &name, tip.oid(), "novel: pick").map_err(StoreError::from)?;
    abort_at("candidate.picked");
    clear_candidates(session, chapter)?;
    Ok(true)
}

/// Keeps the candidates of a chapter below `refs/novel/kept/` and deletes their branches. Returns whether there were any.
pub fn clear_candidates(session: &Session<'_>, chapter: ChapterNo) -> Result<bool, StoreError> {
    let book = session.book;
    let numbers = candidates_of(book, chapter)?;
    for number in &numbers {
        let candidate = candidate(book, *number)?;
        let Some(tip) = draft::draft_tip(&candidate, chapter)? else { continue };
        session.keep(&format!("{chapter}/{}", tip.short()), tip.oid())?;
        abort_at("candidate.kept");
        refs::delete(&book.repo, &session.wait, &candidate.draft_ref(chapter.into()))?;
    }
    Ok(!numbers.is_empty())
}
