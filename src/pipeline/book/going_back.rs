//! Going back, by the author's order: the effect of a rollback, found before anything is written, and the rollback itself;
//! undo and redo.
//! The destination of a rollback that names no chapter: a planning step, a volume's plan, or any transaction.

use crate::domain::chapter::{FindingId, Waiver, Waivers};
use crate::pipeline::book::damage::{self, Damaged, survey};
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits::{self, MissingChapters};
use crate::pipeline::book::new_names::with_names_of;
use crate::pipeline::book::old_number::titles;
use crate::pipeline::book::on_disk::refuse_unsound;
use crate::pipeline::book::{call_log, replay};
use crate::pipeline::engine::call_record::cost_of;
use crate::pipeline::engine::error::HistoryError;
use crate::pipeline::planning::volume;
use crate::pipeline::prelude::*;
use crate::store::format::Problem;
use crate::store::{self, EditKind, EntryFilter, ReturnTo, RollbackError, RollbackResult};

/// The last thing that stays in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LastKept {
    Chapter(ChapterNo),
    /// The last accepted chapter of a volume.
    Volume(VolumeNo),
    /// A planning step or any transaction.
    Place(Destination),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollbackOrder {
    pub to: LastKept,
    /// True when the author's inputs and all plans go back as well.
    pub exact: bool,
    /// Files and folders that stay as they are now.
    pub keep: Vec<String>,
}

/// The price of some work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkPrice {
    /// The known part, in millionths of a US dollar.
    pub micro_usd: u64,
    /// True when some of it had no known price.
    pub is_partial: bool,
}

impl WorkPrice {
    fn add(&mut self, micro_usd: Option<u64>) {
        self.micro_usd += micro_usd.unwrap_or(0);
        self.is_partial |= micro_usd.is_none();
    }
}

#[derive(Debug)]
pub struct RollbackEffect {
    /// The destination as the author named it: `ch-045`, `world`, `plan vol-02`, the first digits of a commit.
    pub name: String,
    /// The transactions that leave the book, newest first.
    pub leaving: Vec<Transaction>,
    pub chapters_leaving: Vec<ChapterNo>,
    /// The chapters that come back: the destination had been rolled back itself.
    pub chapters_returning: Vec<ChapterNo>,
    pub files: Vec<(String, EditKind)>,
    pub drafts: Vec<Work>,
    /// The price of the transactions and drafts that leave.
    pub paid: WorkPrice,
    /// True when the author's inputs stay.
    pub keeps_inputs: bool,
    /// True when the plans of volumes stay.
    pub keeps_plans: bool,
    /// The paths that stay by the author's word.
    pub kept: Vec<String>,
    /// The author's uncommitted changes, which are committed first.
    pub hand_edits: Vec<String>,
    to: CommitId,
    /// Changes beside going there: one commit may have brought the chapter and later ones together.
    also: Change,
}

impl RollbackEffect {
    fn stays(&self, path: &str) -> bool {
        let by_rule = match (self.keeps_inputs, self.keeps_plans) {
            (false, _) => false,
            (true, true) => layout::classify(path).is_none_or(|place| place.is_author_input()),
            (true, false) => stays(path),
        };
        by_rule || self.kept.iter().any(|kept| is_in(path, kept))
    }
}

/// True for the path itself, and for what is in the folder of that name.
fn is_in(path: &str, kept: &str) -> bool {
    path.strip_prefix(kept).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The effect of a rollback that would be made now. Reads only.
pub fn preview(book: &Book, order: &RollbackOrder) -> Result<RollbackEffect, RunError> {
    refuse_unsound(book, MissingChapters::Pass)?;
    effect(book, order)
}

/// Finds the effect of a rollback. Reads only.
pub fn effect(book: &Book, order: &RollbackOrder) -> Result<RollbackEffect, RunError> {
    let mut effect = match &order.to {
        LastKept::Chapter(chapter) => to_chapter(book, *chapter, order)?,
        LastKept::Volume(volume) => to_chapter(book, last_of(book, *volume)?, order)?,
        LastKept::Place(destination) => to_place(book, destination)?,
    };
    effect.keeps_inputs = !order.exact;
    effect.keeps_plans &= !order.exact;
    let now = book.snapshot()?;
    let then = store::change::snapshot_over(book, effect.to, &effect.also)?;
    effect.kept = stay_by_order(order, &now, &then)?;
    let (before, after) = (now.contents()?, then.contents()?);
    let only_in = |a: &crate::store::Contents, b: &crate::store::Contents| {
        a.iter().map(|(chapter, _)| chapter).filter(|chapter| !b.has(*chapter)).collect::<Vec<_>>()
    };
    effect.chapters_leaving = only_in(before, after);
    // Chapters that leave although the commit to which the book goes back had them.
    let of_leaving =
        store::history::commits_of(book, &effect.chapters_leaving.iter().copied().collect())?.into_values().rev();
    let is_known = |one: &Transaction| one.id == effect.to || effect.leaving.iter().any(|known| known.id == one.id);
    let more: Vec<Transaction> = of_leaving.filter(|one| one.accepts().is_some() && !is_known(one)).collect();
    effect.leaving.extend(more);
    effect.chapters_returning = only_in(after, before);
    for path in then.changed_since(&now)? {
        if effect.stays(&path) {
            continue;
        }
        let kind = match (now.has(&path), then.has(&path)) {
            (false, _) => EditKind::Added,
            (_, false) => EditKind::Deleted,
            _ => EditKind::Modified,
        };
        effect.files.push((path, kind));
    }
    let also = std::mem::take(&mut effect.also);
    effect.also = also.only(|path| !effect.stays(path));
    let (now, then) = (BookView::new(now), BookView::new(then));
    if effect.stays(layout::WAIVERS) && !effect.keeps_plans && !effect.kept.iter().any(|kept| kept == layout::WAIVERS) {
        let waivers = waivers_with_plans_of(&now, &then)?;
        effect.files.extend(waivers.puts.keys().map(|path| (path.clone(), EditKind::Modified)));
        effect.also = effect.also.and(waivers);
    }
    // Plans that stay have the names that the people go back to.
    if let (Ok(_), Ok(mut people)) = (files::characters(&now), files::characters(&then)) {
        people.retain(|person| !effect.stays(&layout::character(&person.id)));
        let plans = with_names_of(book, &now, &people, &|path| effect.stays(path))?;
        effect.files.extend(plans.puts.keys().map(|path| (path.clone(), EditKind::Modified)));
        effect.also = effect.also.and(plans);
    }
    let goes = !effect.files.is_empty();
    if goes {
        let of = book.transaction(effect.to)?;
        for (work, tip) in store::rollback::losing_ground(book, Kind::Rollback, &of)? {
            effect.drafts.push(work);
            call_log::of_draft(book, work, tip)?
                .iter()
                .flat_map(|entry| &entry.stages)
                .for_each(|stage| effect.paid.add(stage.cost_micro_usd));
        }
    }
    effect.leaving.iter().filter_map(cost_of).for_each(|cost| effect.paid.add(cost));
    let edits = store::hand_edits::of_author(book, &[], EntryFilter::of(&layout::is_book_path))?.edits;
    effect.hand_edits = edits.into_iter().map(|edit| edit.path).collect();
    Ok(effect)
}

/// The paths that the author wants to stay, each found and fit to stay.
fn stay_by_order(order: &RollbackOrder, now: &Snapshot<'_>, then: &Snapshot<'_>) -> Result<Vec<String>, RunError> {
    let kept: Vec<String> =
        order.keep.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/').to_owned()).collect();
    for path in &kept {
        let is_there =
            |at: &Snapshot<'_>| Ok::<_, RunError>(!path.is_empty() && (at.has(path) || !at.list(path)?.is_empty()));
        if !is_there(now)? && !is_there(then)? {
            return Err(HistoryError::NothingToStay(path.clone()).into());
        }
    }
    let contents = then.contents()?;
    for path in then.changed_since(now)?.into_iter().filter(|path| kept.iter().any(|kept| is_in(path, kept))) {
        // State, ledger, checkpoint and logs are what the chapters make them.
        let may_stay = layout::classify(&path).is_none_or(|place| match &place {
            BookPath::Chapter(_, chapter) | BookPath::Summary(_, chapter) | BookPath::Evaluation { chapter, .. } => {
                contents.has(*chapter)
            }
            BookPath::World(_) | BookPath::WorldRules | BookPath::Storylines | BookPath::StorylineRules => true,
            BookPath::Character { .. } | BookPath::Profile { .. } | BookPath::Relationships => true,
            place => place.is_author_input(),
        });
        if !may_stay {
            return Err(HistoryError::FollowsFromChapters(path).into());
        }
    }
    Ok(kept)
}

fn last_of(book: &Book, volume: VolumeNo) -> Result<ChapterNo, RunError> {
    let contents = book.contents_of(book.tip()?)?;
    let last = contents.iter().rev().find(|(_, at)| *at == volume);
    Ok(last.map(|(chapter, _)| chapter).ok_or(HistoryError::NoChapterIn(volume))?)
}

fn to_chapter(book: &Book, chapter: ChapterNo, order: &RollbackOrder) -> Result<RollbackEffect, RunError> {
    let mut line = store::history::since(book, chapter)?;
    let to = line.pop().ok_or(RollbackError::NoSuchChapter(chapter))?.id;
    // Plans that stay have the numbers of now.
    let since: Vec<Renumbering> =
        line.iter().rev().filter(|_| !order.exact).filter_map(Transaction::renumbers).collect();
    if line.iter().any(Transaction::is_join) {
        line = book.beyond(book.tip()?, Some(to))?;
    }
    let also = replay::cut(book, to, chapter, &since)?;
    Ok(RollbackEffect { keeps_plans: true, also, ..bare(chapter.to_string(), to, line) })
}

fn to_place(book: &Book, destination: &Destination) -> Result<RollbackEffect, RunError> {
    let named = match destination {
        Destination::Step(step) => step.to_string(),
        Destination::Plan(volume) => format!("plan {volume}"),
        Destination::Commit(name) => name.clone(),
    };
    let to = find(book, destination)?.ok_or_else(|| HistoryError::NotOnLine(named.clone()))?;
    let name = if matches!(destination, Destination::Commit(_)) { to.id.short() } else { named };
    Ok(bare(name, to.id, leaving(book, to.id)?))
}

fn bare(name: String, to: CommitId, leaving: Vec<Transaction>) -> RollbackEffect {
    RollbackEffect {
        name,
        leaving,
        chapters_leaving: Vec::new(),
        chapters_returning: Vec::new(),
        files: Vec::new(),
        drafts: Vec::new(),
        paid: WorkPrice::default(),
        keeps_inputs: true,
        keeps_plans: false,
        kept: Vec::new(),
        hand_edits: Vec::new(),
        to,
        also: Change::default(),
    }
}

/// Which way along the line of transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Undo,
    Redo,
}

impl Direction {
    pub fn kind(self) -> Kind {
        match self {
            Self::Undo => Kind::Undo,
            Self::Redo => Kind::Redo,
        }
    }
}

/// Goes back, by a new commit. The author's changes are committed first, so that they are neither lost nor in the way.
/// The second value is `None` when the book is there already.
pub fn roll_back(run: &Run<'_>, order: &RollbackOrder) -> Result<(String, Option<RollbackResult>), RunError> {
    hand_edits::commit_all_but_losses(run)?;
    let effect = effect(run.session.book(), order)?;
    let stays = |path: &str| effect.stays(path);
    let wanted = ReturnTo { kind: Kind::Rollback, to: effect.to, stays: &stays, also: &effect.also, trailers: &[] };
    let telling = run.commit_info(Some(Subject::Rollback(effect.name.clone())));
    let done = match store::rollback::return_to(run.session, &wanted, &telling) {
        // A repeated command that was interrupted past its commit is done.
        Err(RollbackError::AlreadyThere) => None,
        done => Some(done?),
    };
    Ok((effect.name, done))
}

/// Refuses `count` steps where the book does not have so many. Before an undo the program's own files are restored, and
/// uncommitted changes of the author's are refused: with those, the last transaction is not what the author sees.
pub fn may_step(run: &Run<'_>, way: Direction, count: u32) -> Result<(), RunError> {
    if way == Direction::Undo {
        damage::restore_own(run)?;
        let edits =
            store::hand_edits::of_author(run.session.book(), &[], EntryFilter::of(&layout::is_book_path))?.edits;
        if !edits.is_empty() {
            // A key must not be committed, only taken out.
            let is_edited = |path: &str| edits.iter().any(|edit| edit.path == path);
            for Damaged { path, error, .. } in survey(run.session.book(), EntryFilter::of(&is_edited))?.damaged {
                if let Some(source) = error.filter(|error| error.problem == Problem::Secret) {
                    return Err(RunError::BrokenEdit { path, source });
                }
            }
            let paths = edits.into_iter().map(|edit| edit.path).collect();
            return Err(HistoryError::Uncommitted { paths }.into());
        }
    }
    let possible = match way {
        Direction::Undo => store::rollback::undoable(run.session)?,
        Direction::Redo => store::rollback::redoable(run.session)?,
    };
    // With no step at all, the step itself says so.
    if possible > 0 && count as usize > possible {
        return Err(HistoryError::FewerSteps { possible, wanted: count }.into());
    }
    Ok(())
}

/// Takes one transaction back, or does one again, and shows the drafts that are open again.
pub fn retrace(run: &Run<'_>, way: Direction) -> Result<RollbackResult, RunError> {
    let telling = run.commit_info(None);
    let done = match way {
        Direction::Undo => store::rollback::undo(run.session, &telling)?,
        Direction::Redo => store::rollback::redo(run.session, &telling)?,
    };
    show_drafts(run, done.reopened.clone());
    Ok(done)
}

/// Shows drafts. There is one folder, and the work in flight comes first: a chapter, the earliest.
pub fn show_drafts(run: &Run<'_>, mut drafts: Vec<Work>) {
    drafts.sort_unstable();
    for work in drafts.into_iter().rev() {
        // The command that continues a draft reports why it cannot be shown.
        let _ = volume::show_draft(run, work);
    }
}

/// A place in the book's history, as the author names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Right after a planning step was taken last.
    Step(Step),
    /// Right after the volume's plan was approved last.
    Plan(VolumeNo),
    /// Right after a transaction, named by its commit in any way that git understands.
    Commit(String),
}

/// The transaction that the destination names; `None` where the book's line has no such one.
pub fn find(book: &Book, destination: &Destination) -> Result<Option<Transaction>, RunError> {
    let step_of = |transaction: &Transaction| transaction.trailers.get(STEP).map(str::to_owned);
    let is_it = |transaction: &Transaction| match destination {
        Destination::Step(step) => step_of(transaction).as_deref() == Some(step.as_str()),
        Destination::Plan(volume) => {
            let is_plan = transaction.kind == Kind::Plan && transaction.volume == Some(*volume);
            is_plan && matches!(step_of(transaction).as_deref(), Some("volume" | "trial"))
        }
        Destination::Commit(_) => false,
    };
    if let Destination::Commit(name) = destination {
        let Some(commit) = book.resolve(name)? else { return Ok(None) };
        let is_on_line = store::draft::reaches(book, book.tip()?.oid(), commit.oid())?;
        return Ok(if is_on_line { Some(book.transaction(commit)?) } else { None });
    }
    Ok(store::history::in_effect(book, is_it)?.pop().filter(is_it))
}

/// The transactions in effect that leave the book when it goes back to `to`, newest first.
pub fn leaving(book: &Book, to: CommitId) -> Result<Vec<Transaction>, RunError> {
    let mut line = store::history::in_effect(book, |transaction| transaction.id == to)?;
    if line.last().is_some_and(|last| last.id == to) {
        line.pop();
        return Ok(line);
    }
    // The destination itself was rolled back before: what leaves is newer than anything that it contains.
    let mut failed: Option<StoreError> = None;
    line = store::history::in_effect(book, |transaction| {
        store::draft::reaches(book, to.oid(), transaction.id.oid()).unwrap_or_else(|error| {
            failed = Some(error);
            true
        })
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => {
            line.pop();
            Ok(line)
        }
    }
}

/// True for a file that stays as it is on the way to a destination other than a chapter: the author's inputs and files that are not the
/// book's. The plans of volumes go back, since going back behind them is the purpose.
pub fn stays(path: &str) -> bool {
    layout::classify(path).is_none_or(|place| place.is_author_input() && !place.is_plan())
}

/// The author's waivers where the plans become those of `then`, with the numbers that chapters have there: told by the titles in the
/// outlines. Waivers of chapters that are only here leave, and those of chapters that are only there come back.
pub(crate) fn waivers_with_plans_of(now: &BookView<'_>, then: &BookView<'_>) -> Result<Change, RunError> {
    let (before, after) = (titles(now)?, titles(then)?);
    let number = |chapter: ChapterNo| {
        let Some(title) = before.get(&chapter).filter(|title| after.get(&chapter) != Some(title)) else {
            return Some(chapter);
        };
        let is = after.iter().find(|(_, other)| *other == title).map(|(is, _)| *is);
        // A section that has only another title is the same one.
        let is_retitled = || after.get(&chapter).is_some_and(|title| before.values().all(|other| other != title));
        is.or_else(|| is_retitled().then_some(chapter))
    };
    let read = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| format::read::<Waivers>(bytes)).transpose();
    let bytes = now.bytes(layout::WAIVERS)?;
    // A file that cannot be read stays as it is.
    let (Ok(waivers), Ok(others)) = (read(&bytes), read(&then.bytes(layout::WAIVERS)?)) else {
        return Ok(Change::default());
    };
    let (waivers, others) = (waivers.unwrap_or_default(), others.unwrap_or_default());
    let mut moved = Waivers::default();
    for waiver in &waivers.list {
        let FindingId { chapter, .. } = waiver.finding;
        if let Some(is) = chapter.map_or(Some(None), |chapter| number(chapter).map(Some)) {
            moved.list.push(Waiver { finding: FindingId { chapter: is, ..waiver.finding.clone() }, ..waiver.clone() });
        }
    }
    for waiver in others.list {
        let title = waiver.finding.chapter.and_then(|chapter| after.get(&chapter));
        let comes_back = title.is_some_and(|title| before.values().all(|other| other != title));
        if comes_back && moved.list.iter().all(|known| known.finding != waiver.finding) {
            moved.list.push(waiver);
        }
    }
    if moved == waivers {
        return Ok(Change::default());
    }
    Ok(Change::default().put(layout::WAIVERS, format::write(&moved, bytes.as_deref())))
}
