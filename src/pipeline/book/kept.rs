//! Everything that has left the book and is kept: lines that were gone back behind, drafts that were put aside, texts of
//! chapters that others have taken the place of, files that were set aside, branches that were deleted.

use crate::pipeline::book::old_number::titles;
use crate::pipeline::book::taken_out::{FormerChapter, left_by};
use crate::pipeline::engine::call_record::{CALLS, DRAFT_ONLY};
use crate::pipeline::engine::error::HistoryError;
use crate::pipeline::prelude::*;
use crate::store::{self, Log, Moment};
use std::cmp::Reverse;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptThing {
    /// A line of the book that it has gone back behind: so many transactions.
    Line {
        transactions: usize,
        /// The chapters that they accepted, in order.
        chapters: Vec<ChapterNo>,
    },
    Branch {
        name: String,
    },
    Draft(Work),
    /// An earlier text of a chapter.
    Chapter(ChapterNo),
    /// Files of the author's, each under its path.
    Files(Vec<String>),
}

named! {
    pub enum KeptWhy {
        RolledBack = "rolled-back",
        Undone = "undone",
        /// The book went on with another line.
        LineLeft = "line-left",
        Replaced = "replaced",
        Removed = "removed",
        /// It was given up, or lost its ground.
        PutAside = "put-aside",
        Damaged = "damaged",
        /// A command was interrupted, or the history was written again.
        Salvaged = "salvaged",
        /// It was staged with git and changed again before it was committed.
        Staged = "staged",
        Deleted = "deleted",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The name by which it is brought back: `ch-048/1a2b3c4d5e`, the first digits of a commit, a branch.
    pub name: String,
    pub thing: KeptThing,
    pub why: KeptWhy,
    pub commit: CommitId,
    pub time: Moment,
    pub subject: String,
}

impl Kept {
    fn new(name: String, thing: KeptThing, why: KeptWhy, last: &Transaction) -> Self {
        Self { name, thing, why, commit: last.id, time: last.time, subject: last.subject.clone() }
    }
}

/// Everything that is kept, the newest first. Reads only.
pub fn list(book: &Book) -> Result<Vec<Kept>, RunError> {
    let in_effect = store::history::in_effect(book, |_| false)?;
    let mut log = store::history::log(book, &Log::default())?;
    let mut kept = lines_left(book, &log, &in_effect)?;
    kept.extend(replaced(book, &in_effect)?);
    let refs = store::kept::kept_refs(book)?;
    kept.extend(not_chosen(book, &refs, &log)?);
    // An adopted line is in effect, and not among the first parents.
    log.extend(in_effect);
    kept.extend(under_refs(book, refs, &accepted_drafts(book, &log)?)?);
    kept.sort_by_key(|kept| Reverse(kept.time.seconds));
    Ok(kept)
}

/// The runs of transactions that are in effect no more, and lines whose last chapters alone have left: one commit had given them their
/// numbers, or brought them, together with chapters that stay.
fn lines_left(book: &Book, log: &[Transaction], in_effect: &[Transaction]) -> Result<Vec<Kept>, RunError> {
    let counted: BTreeSet<CommitId> = in_effect.iter().map(|transaction| transaction.id).collect();
    let is_step =
        |kind: Kind| kind.is_upkeep() || matches!(kind, Kind::Rollback | Kind::Undo | Kind::Redo | Kind::Adopt);
    let has_left = |transaction: &Transaction| !counted.contains(&transaction.id) && !is_step(transaction.kind);
    let mut kept = Vec::new();
    let mut at = 0;
    while at < log.len() {
        let run = log[at..].iter().take_while(|transaction| has_left(transaction)).count();
        let step = at.checked_sub(1).map(|after| &log[after]);
        let cut = step.map(|step| cut_by(book, step, log[at].id)).transpose()?.unwrap_or_default();
        if run == 0 && (cut.is_empty() || is_back(book, in_effect, (log[at].id, &cut))?) {
            at += 1;
            continue;
        }
        let why = match step.map(|step| step.kind) {
            Some(Kind::Undo | Kind::Redo) => KeptWhy::Undone,
            Some(Kind::Adopt) => KeptWhy::LineLeft,
            _ => KeptWhy::RolledBack,
        };
        let chapters: BTreeSet<ChapterNo> =
            log[at..at + run].iter().filter_map(Transaction::accepts).chain(cut).collect();
        let transactions = run.max(1);
        let thing = KeptThing::Line { transactions, chapters: chapters.into_iter().collect() };
        kept.push(Kept::new(log[at].id.short(), thing, why, &log[at]));
        at += transactions;
    }
    Ok(kept)
}

/// The chapters that left by the step although the commit to which it went back had them; `before` is the commit before it.
fn cut_by(book: &Book, step: &Transaction, before: CommitId) -> Result<Vec<ChapterNo>, RunError> {
    let Some(to) = step.returns_to().map(CommitId::from) else { return Ok(Vec::new()) };
    // After the author rewrote the history, or in a shallow clone, the commit may not be there.
    let Ok(to) = book.contents_of(to) else { return Ok(Vec::new()) };
    let (before, after) = (book.contents_of(before)?, book.contents_of(step.id)?);
    let has_left = |chapter: &ChapterNo| before.has(*chapter) && !after.has(*chapter);
    Ok(to.iter().map(|(chapter, _)| chapter).filter(has_left).collect())
}

/// True where a later step has gone back to the commit with those chapters.
fn is_back(
    book: &Book,
    in_effect: &[Transaction],
    (commit, chapters): (CommitId, &[ChapterNo]),
) -> Result<bool, RunError> {
    for step in in_effect.iter().filter(|step| step.returns_to().map(CommitId::from) == Some(commit)) {
        let contents = book.contents_of(step.id)?;
        if chapters.iter().all(|chapter| contents.has(*chapter)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The lines that a sync has not chosen, from where they part from the chosen one.
fn not_chosen(book: &Book, refs: &[(String, CommitId)], log: &[Transaction]) -> Result<Vec<Kept>, RunError> {
    let mut kept = Vec::new();
    for (name, tip) in refs.iter().filter(|(name, _)| name.starts_with("sync/")).map(|(name, tip)| (name, *tip)) {
        let join = log.iter().find(|transaction| transaction.trailers.get(key::KEPT) == Some(name.as_str()));
        let other = match join {
            // The line that was not chosen is the first parent of the join, or the second.
            Some(join) if join.parent == Some(tip) => book.resolve(&format!("{}^2", join.id))?,
            Some(join) => join.parent,
            None => Some(book.tip()?),
        };
        let fork = other.map(|other| store::lines::fork_between(book, tip, other)).transpose()?.flatten();
        let line = store::history::log_from(book, tip, &Log::default())?;
        let left: Vec<&Transaction> = line.iter().take_while(|transaction| Some(transaction.id) != fork).collect();
        let mut chapters: Vec<ChapterNo> = left.iter().filter_map(|transaction| transaction.accepts()).collect();
        chapters.sort_unstable();
        if let Some(last) = left.first() {
            let thing = KeptThing::Line { transactions: left.len(), chapters };
            kept.push(Kept::new(tip.short(), thing, KeptWhy::LineLeft, last));
        }
    }
    Ok(kept)
}

/// The texts of chapters in effect that a later text has taken the place of, or that were taken out, each as it was when that happened.
fn replaced(book: &Book, in_effect: &[Transaction]) -> Result<Vec<Kept>, RunError> {
    let (mut kept, mut since) = (Vec::new(), Vec::new());
    for later in in_effect {
        since.extend(later.renumbers());
        let moved_up =
            later.renumbers().filter(|how| matches!(how, Renumbering::Remove(_))).and_then(Renumbering::drops);
        for chapter in moved_up.into_iter().chain(later.removes()) {
            kept.extend(removed(book, later, chapter)?);
        }
        let Some((chapter, before)) = later.accepts().zip(later.parent) else { continue };
        let now = Renumbering::of_all(since.iter().rev(), chapter);
        let Some((now, text)) = now.zip(prose_at(book, before, chapter)?) else { continue };
        if prose_at(book, book.tip()?, now)?.is_some_and(|now| body(&now) == body(&text)) {
            continue;
        }
        kept.push(match later.replaces() {
            Some(accepted) if !is_edited(book, later, chapter)? => Kept::new(
                accepted.short(),
                KeptThing::Chapter(chapter),
                KeptWhy::Replaced,
                &book.transaction(accepted)?,
            ),
            _ => as_it_stood(book, before, chapter, KeptWhy::Replaced)?,
        });
    }
    Ok(kept)
}

/// The chapter as it was before the step took it out; `None` for one that is in the book again.
fn removed(book: &Book, step: &Transaction, chapter: ChapterNo) -> Result<Option<Kept>, RunError> {
    let Some(FormerChapter { commit, chapter, is_planned, words }) = left_by(book, step, chapter)? else {
        return Ok(None);
    };
    let now = BookView::new(book.snapshot()?);
    if is_planned {
        let is_back = titles(&now)?.values().any(|title| *title == words);
        let (name, last) = (format!("{chapter}/{}", commit.short()), book.transaction(commit)?);
        let kept = Kept::new(name, KeptThing::Chapter(chapter), KeptWhy::Removed, &last);
        return Ok((!is_back).then(|| Kept { subject: format!("{chapter}: {words}"), ..kept }));
    }
    for (chapter, volume) in now.contents()?.iter() {
        if now.bytes(&layout::chapter(volume, chapter))?.is_some_and(|now| body(&now) == words) {
            return Ok(None);
        }
    }
    let title = BookView::new(book.snapshot_of(commit)?).chapter(chapter)?.title;
    // The commit of the text may be the one that gave the chapter its number.
    let subject = format!("{chapter}: {title}");
    Ok(Some(Kept { subject, ..as_it_stood(book, commit, chapter, KeptWhy::Removed)? }))
}

/// True where the text that the commit replaces was no longer as it had been accepted under that number.
fn is_edited(book: &Book, later: &Transaction, chapter: ChapterNo) -> Result<bool, RunError> {
    let Some((accepted, before)) = later.replaces().zip(later.parent) else { return Ok(false) };
    // A shallow clone may not have the commit.
    Ok(book.transaction(accepted).is_err() || prose_at(book, accepted, chapter)? != prose_at(book, before, chapter)?)
}

/// The chapter's text, by the first of the commits that lead to `from` since which the chapter has had that text.
fn as_it_stood(book: &Book, from: CommitId, chapter: ChapterNo, why: KeptWhy) -> Result<Kept, RunError> {
    let (mut first, text) = (book.transaction(from)?, prose_at(book, from, chapter)?);
    while let Some(earlier) = first.parent
        && prose_at(book, earlier, chapter)? == text
    {
        first = book.transaction(earlier)?;
    }
    Ok(Kept::new(format!("{chapter}/{}", first.id.short()), KeptThing::Chapter(chapter), why, &first))
}

fn body(text: &[u8]) -> String {
    Chapter::from_markdown(ChapterNo::FIRST, &String::from_utf8_lossy(text), "").body
}

fn prose_at(book: &Book, commit: CommitId, chapter: ChapterNo) -> Result<Option<Vec<u8>>, RunError> {
    let then = book.snapshot_of(commit)?;
    let Some(volume) = then.contents()?.volume_of(chapter) else { return Ok(None) };
    Ok(then.read(&layout::chapter(volume, chapter))?)
}

/// The drafts that became transactions, on whichever line: those are not put aside.
fn accepted_drafts(book: &Book, log: &[Transaction]) -> Result<BTreeSet<CommitId>, RunError> {
    let draft = |transaction: &Transaction| transaction.trailers.read(key::DRAFT);
    let mut accepted: BTreeSet<CommitId> = log.iter().filter_map(draft).collect();
    for line in book.lines()?.into_iter().filter(|line| line.name != book.branch()) {
        accepted.extend(store::history::log_from(book, line.tip, &Log::default())?.iter().filter_map(draft));
    }
    Ok(accepted)
}

fn under_refs(
    book: &Book,
    refs: Vec<(String, CommitId)>,
    accepted: &BTreeSet<CommitId>,
) -> Result<Vec<Kept>, RunError> {
    let (mut kept, mut drafts) = (Vec::new(), Vec::new());
    for (name, tip) in refs {
        let Ok(last) = book.transaction(tip) else { continue };
        let work = name.split_once('/').and_then(|(work, _)| work.parse::<Work>().ok());
        if let Some(work) = work {
            if !accepted.contains(&tip) {
                drafts.push((work, name, last));
            }
            continue;
        }
        match name.split_once('/') {
            Some(("salvaged", _)) if last.kind != Kind::HandEdit => {
                let thing = KeptThing::Line { transactions: 1, chapters: last.accepts().into_iter().collect() };
                kept.push(Kept::new(tip.short(), thing, KeptWhy::Salvaged, &last));
            }
            Some(("salvaged" | "staged", _)) => {
                let why = if name.starts_with("staged") { KeptWhy::Staged } else { KeptWhy::Salvaged };
                let paths = changed(book, &last)?;
                kept.push(Kept::new(tip.short(), KeptThing::Files(paths), why, &last));
            }
            Some(("lines", branch)) => {
                let branch = branch.rsplit_once('/').map_or(branch, |(branch, _)| branch).to_owned();
                let now = [Some(book.tip()?), store::lines::line_tip(book, &branch)?];
                let mut is_there = false;
                for now in now.into_iter().flatten() {
                    is_there |= store::draft::reaches(book, now.oid(), tip.oid())?;
                }
                if is_there {
                    continue;
                }
                kept.push(Kept::new(branch.clone(), KeptThing::Branch { name: branch }, KeptWhy::Deleted, &last));
            }
            None if name == "damaged" => {
                for last in store::history::log_from(book, tip, &Log::default())? {
                    let paths = book.snapshot_of(last.id)?.files("")?;
                    kept.push(Kept::new(last.id.short(), KeptThing::Files(paths), KeptWhy::Damaged, &last));
                }
            }
            _ => {}
        }
    }
    kept.extend(put_aside(book, drafts)?);
    Ok(kept)
}

/// The drafts, without earlier states of one that has gone on: those have nothing that the later one lacks.
fn put_aside(book: &Book, drafts: Vec<(Work, String, Transaction)>) -> Result<Vec<Kept>, RunError> {
    // The recorded calls tell drafts apart by their texts, and a draft that was carried over has all that it had before.
    let calls = |tip: CommitId| -> Result<Vec<(String, Option<ContentId>)>, StoreError> {
        let draft = book.snapshot_of(tip)?;
        let files = draft.files(DRAFT_ONLY)?.into_iter().filter(|path| path.starts_with(CALLS));
        Ok(files.map(|path| (path.clone(), draft.content_id(&path))).collect())
    };
    // The chapter may have had another number then.
    let mut known =
        store::closing::drafts(book)?.into_iter().map(|(_, tip)| calls(tip)).collect::<Result<Vec<_>, _>>()?;
    let mut read = Vec::new();
    for (work, name, last) in drafts {
        let calls = calls(last.id)?;
        read.push((work, name, last, calls));
    }
    read.sort_by(|a, b| b.3.len().cmp(&a.3.len()).then(b.2.time.seconds.cmp(&a.2.time.seconds)));
    let mut kept = Vec::new();
    for (work, name, last, calls) in read {
        let goes_on = known.iter().any(|more| !calls.is_empty() && more.starts_with(&calls));
        if !goes_on {
            kept.push(Kept::new(name, KeptThing::Draft(work), KeptWhy::PutAside, &last));
            known.push(calls);
        }
    }
    Ok(kept)
}

fn changed(book: &Book, commit: &Transaction) -> Result<Vec<String>, RunError> {
    let after = book.snapshot_of(commit.id)?;
    match commit.parent {
        Some(parent) => Ok(after.changed_since(&book.snapshot_of(parent)?)?),
        None => Ok(after.files("")?),
    }
}

/// The kept thing of that name: its whole name, the beginning of its commit, a chapter (`ch-048`), or a deleted branch.
pub fn find(book: &Book, name: &str) -> Result<Kept, RunError> {
    let all = list(book)?;
    let is_id = name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let by_name =
        |kept: &&Kept| kept.name == name || is_id && kept.commit.to_string().starts_with(&name.to_ascii_lowercase());
    if let Some(found) = all.iter().find(by_name) {
        return Ok(found.clone());
    }
    if let Some(found) = draft_named(book, name)? {
        return Ok(found);
    }
    let nothing = || HistoryError::NothingKept(name.to_owned());
    let Ok(chapter) = name.parse::<ChapterNo>() else {
        return Ok(file_version(book, name, &all)?.ok_or_else(nothing)?);
    };
    let mut found = of_chapter(book, chapter, &all)?;
    if found.is_empty() {
        let is_removed = |kept: &Kept| kept.why == KeptWhy::Removed && kept.thing == KeptThing::Chapter(chapter);
        found = all.into_iter().filter(is_removed).collect();
    }
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err(nothing().into()),
        (Some(last), _) => {
            let found = found.into_iter().chain([last]).map(|kept| kept.name).collect();
            Err(HistoryError::SeveralKept { name: chapter.to_string(), found }.into())
        }
    }
}

/// The last version of a file that is not the present one: of files that were set aside first, of the history then.
fn file_version(book: &Book, path: &str, all: &[Kept]) -> Result<Option<Kept>, RunError> {
    let present = book.snapshot()?.read(path)?;
    for kept in all {
        let has_it = matches!(&kept.thing, KeptThing::Files(paths) if paths.iter().any(|kept| kept == path));
        if has_it && book.snapshot_of(kept.commit)?.read(path)? != present {
            return Ok(Some(Kept { thing: KeptThing::Files(vec![path.to_owned()]), ..kept.clone() }));
        }
    }
    let Some(commit) = store::history::other_version(book, path)? else { return Ok(None) };
    let (thing, last) = (KeptThing::Files(vec![path.to_owned()]), book.transaction(commit)?);
    Ok(Some(Kept::new(path.to_owned(), thing, KeptWhy::Replaced, &last)))
}

pub fn version(book: &Book, name: &str, from: &str) -> Result<Kept, RunError> {
    let commit = book.resolve(from)?.ok_or_else(|| RunError::NoSuchRevision { name: from.to_owned() })?;
    let (then, last) = (book.snapshot_of(commit)?, book.transaction(commit)?);
    let nothing = || HistoryError::NothingKept(name.to_owned());
    let thing = match name.parse::<ChapterNo>() {
        Ok(chapter) if then.contents()?.has(chapter) => KeptThing::Chapter(chapter),
        Err(_) if then.has(name) => KeptThing::Files(vec![name.to_owned()]),
        _ => return Err(nothing().into()),
    };
    Ok(Kept::new(name.to_owned(), thing, KeptWhy::Replaced, &last))
}

/// A kept draft by its whole name, although it is behind a chapter and not listed.
fn draft_named(book: &Book, name: &str) -> Result<Option<Kept>, RunError> {
    let work = name.split_once('/').and_then(|(work, _)| work.parse::<Work>().ok());
    let Some(work) = work else { return Ok(None) };
    if let Some(tip) = store::kept::kept_named(book, name)? {
        let last = book.transaction(tip)?;
        return Ok(Some(Kept::new(name.to_owned(), KeptThing::Draft(work), KeptWhy::Replaced, &last)));
    }
    let Some(chapter) = work.chapter() else { return Ok(None) };
    let is_meant = |tip: CommitId| name.split_once('/').is_some_and(|(_, id)| id == tip.short());
    match store::gathering::let_go(book, chapter, is_meant)? {
        Some(keep) => Err(HistoryError::CallsNotKept { chapter, keep }.into()),
        None => Ok(None),
    }
}

/// The texts of a chapter that the book does not have now: of kept lines, as they stood when these were left, replaced ones, and drafts.
fn of_chapter(book: &Book, chapter: ChapterNo, all: &[Kept]) -> Result<Vec<Kept>, RunError> {
    let now = prose_at(book, book.tip()?, chapter)?;
    let mut texts = BTreeSet::from([now.clone()]);
    let (mut found, mut edited) = (Vec::new(), BTreeSet::new());
    for kept in all.iter().filter(|kept| kept.thing == KeptThing::Chapter(chapter)) {
        if store::provenance::number_now(book, chapter, kept.commit)? == Some(chapter)
            && texts.insert(prose_at(book, kept.commit, chapter)?)
        {
            found.push(kept.clone());
        }
    }
    let goes_back = |step: &&Transaction| step.returns_to().is_some() || step.retraces().is_some();
    for step in store::history::log(book, &Log::default())?.iter().filter(goes_back) {
        let Some(before) = step.parent else { continue };
        let has_left = book.contents_of(before)?.has(chapter) && !book.contents_of(step.id)?.has(chapter);
        if !has_left || store::provenance::number_now(book, chapter, before)? != Some(chapter) {
            continue;
        }
        let text = prose_at(book, before, chapter)?;
        let accepted = store::provenance::accepted_at(book, chapter, before)?.map(|accepted| accepted.id);
        let as_accepted = accepted.map(|accepted| prose_at(book, accepted, chapter)).transpose()?;
        if as_accepted.as_ref() != Some(&text) && texts.insert(text) {
            edited.extend(accepted);
            let last = book.transaction(before)?;
            found.push(Kept::new(last.id.short(), KeptThing::Chapter(chapter), KeptWhy::RolledBack, &last));
        }
    }
    for transaction in store::history::log(book, &Log { chapters: Some(chapter..=chapter), ..Log::default() })? {
        if let Some(before) = transaction.parent
            && is_edited(book, &transaction, chapter)?
        {
            // The text with the author's changes may be among those above.
            let text = prose_at(book, before, chapter)?;
            edited.extend(transaction.replaces().filter(|_| text != now && texts.contains(&text)));
        }
        // Under the number there may be another chapter's text.
        if edited.contains(&transaction.id)
            || store::provenance::number_now(book, chapter, transaction.id)? != Some(chapter)
        {
            continue;
        }
        // The same text twice is one.
        if texts.insert(prose_at(book, transaction.id, chapter)?) {
            let why = if now.is_some() { KeptWhy::Replaced } else { KeptWhy::RolledBack };
            found.push(Kept::new(transaction.id.short(), KeptThing::Chapter(chapter), why, &transaction));
        }
    }
    let is_alone = found.is_empty() && now.is_none();
    for kept in all {
        let thing = match &kept.thing {
            KeptThing::Draft(work) if *work == chapter.into() => kept.thing.clone(),
            KeptThing::Line { chapters, .. } if chapters.contains(&chapter) => KeptThing::Chapter(chapter),
            _ => continue,
        };
        let is_meant = is_alone || kept.why == KeptWhy::Salvaged || thing == kept.thing;
        found.extend(is_meant.then(|| Kept { thing, ..kept.clone() }));
    }
    Ok(found)
}
