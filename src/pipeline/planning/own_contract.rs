//! Contracts that the author has written, or that stand beside a section which he has changed since: when he is asked about them, and
//! the contract of a chapter of the book that is written again.

use crate::domain::impact::{ChangeKind, ChangedItem, Item, PlannedVolume, Touched};
use crate::domain::world::contract::ChapterContract;
use crate::pipeline::book::earlier_passages::before_edits;
use crate::pipeline::book::files;
use crate::pipeline::book::planning_context;
use crate::pipeline::engine::trailer::KEPT;
use crate::pipeline::planning::follow;
use crate::pipeline::planning::impact::{BookComparison, order};
use crate::pipeline::planning::settled::{carried, settled};
use crate::pipeline::prelude::*;
use crate::store;

/// The book as of the commit, at or before `now`, by which the contract at `path` became as it is there, or by which the author kept it;
/// but not before `from`.
fn when_written<'b>(
    now: &BookView<'b>,
    (path, chapter): (&str, ChapterNo),
    from: Option<CommitId>,
    book: &'b Book,
) -> Result<BookView<'b>, RunError> {
    let id = now.content_id(path);
    let (mut then, mut is_later) = (now.commit_id(), true);
    store::history::in_effect(book, |transaction| {
        is_later &= transaction.id != now.commit_id();
        if is_later {
            return false;
        }
        let is_same = book.snapshot_of(transaction.id).is_ok_and(|snapshot| snapshot.content_id(path) == id);
        then = if is_same { transaction.id } else { then };
        !is_same || transaction.trailers.read(KEPT) == Some(chapter) || from == Some(transaction.id)
    })?;
    Ok(BookView::new(book.snapshot_of(then)?))
}

/// The contracts that follow from the volume's plan; none where the author's outline has no contracts.
fn derived(view: &BookView<'_>, volume: VolumeNo) -> Result<BTreeMap<ChapterNo, ChapterContract>, RunError> {
    let plan = planning_context::plan_of(view, volume)?;
    match plan.outline.range().filter(|_| !plan.contracts.is_empty()) {
        Some((first, _)) => Ok(plan.derived(&planning_context::basis(view, &order(volume, first, &plan))?)),
        None => Ok(BTreeMap::new()),
    }
}

/// The chapters, by their numbers `after` the operation, whose contracts are the author's own and whose sections ask for something else
/// since. A plan of that time which cannot be read counts as another one.
pub(super) fn asked_after(book: &Book, after: &BookView<'_>, how: Renumbering) -> Result<Vec<ChapterNo>, RunError> {
    let (base, moves) = before_edits(book)?;
    let (base, settled, written) = (BookView::new(base), settled(book, None)?, after.checkpoint()?.last_completed);
    let carried = carried(book, settled)?;
    let was = |chapter| moves.iter().rev().try_fold(how.before(chapter)?, |chapter, how| how.before(chapter));
    let mut asked = Vec::new();
    for volume in after.volumes()? {
        let follows = derived(after, volume)?;
        for (chapter, follows) in follows.iter().filter(|(chapter, _)| chapter.get() > written) {
            let own = files::contract(after, volume, *chapter)?.filter(|contract| !contract.asks_the_same(follows));
            let Some(was) = own.and_then(|_| was(*chapter)) else { continue };
            let mut places = base.volumes()?.into_iter();
            let Some(place) = places.find(|place| base.has(&layout::contract(*place, was))) else { continue };
            let then = when_written(&base, (&layout::contract(place, was), was), Some(settled), book)?;
            let fits = |then: &ChapterContract| then.demands() == follows.demands();
            let fits = derived(&then, place).is_ok_and(|then| then.get(&was).is_some_and(fits));
            asked.extend((!fits || carried.contains(&was)).then_some(*chapter));
        }
    }
    Ok(asked)
}

impl BookComparison {
    /// The comparison with the author's own contracts as the commits since have left them: a contract that the author has kept is done
    /// with, as long as it and its section are as they were then; any other one waits for the author. The first `written` chapters are
    /// accepted.
    pub(super) fn with_own_contracts(mut self, book: &Book, written: u32) -> Result<Self, RunError> {
        for chapter in carried(book, self.since)?.into_iter().filter(|chapter| chapter.get() > written) {
            self.ask_about(chapter);
        }
        if !self.open().any(|touched| touched.own) {
            return Ok(self);
        }
        let (since, tip) = (self.since, BookView::new(book.snapshot()?));
        for touched in self.impact.touched.iter_mut().filter(|touched| touched.own) {
            let (Some(chapter), Some(volume)) = (touched.chapter(), touched.volume) else { continue };
            let contract =
                files::contract(&tip, volume, chapter)?.map(|contract| contract.upgraded().without_picture());
            let now = self.now.volumes.get(&volume).and_then(|planned| planned.plan.contracts.get(&chapter));
            if let Some(now) = now.filter(|now| contract.as_ref() == Some(*now)) {
                // A contract that the program has derived since the plans were settled is not the author's.
                let then = when_written(&tip, (&layout::contract(volume, chapter), chapter), Some(since), book)?;
                let derived = derived(&then, volume).unwrap_or_default();
                touched.own = !derived.get(&chapter).is_some_and(|derived| derived.asks_the_same(now));
            }
            touched.waits = touched.own;
        }
        for commit in store::history::in_effect(book, |transaction| transaction.id == since)? {
            let Some(kept) = commit.trailers.read::<ChapterNo>(KEPT) else { continue };
            let then = BookView::new(book.snapshot_of(commit.id)?);
            let of_kept = |touched: &&mut Touched| touched.own && touched.chapter() == Some(kept);
            for touched in self.impact.touched.iter_mut().filter(of_kept) {
                let Some(volume) = touched.volume else { continue };
                let Some(now) = self.now.volumes.get(&volume).map(|planned| &planned.plan) else { continue };
                let outline = then.outline(volume)?;
                let section = outline.as_ref().and_then(|outline| Some(&outline.section(kept)?.source));
                let contract =
                    files::contract(&then, volume, kept)?.map(|contract| contract.upgraded().without_picture());
                let is_same_section = section == now.outline.section(kept).map(|section| &section.source);
                if is_same_section && now.contracts.get(&kept) == contract.as_ref() {
                    (touched.derive, touched.own, touched.waits) = (false, false, false);
                }
            }
        }
        Ok(self)
    }

    /// Adds the question about a chapter that was moved before it was answered, unless the contract follows from the section by now.
    fn ask_about(&mut self, chapter: ChapterNo) {
        let has = |(_, planned): &(&VolumeNo, &PlannedVolume)| planned.plan.contracts.contains_key(&chapter);
        let Some((volume, planned)) = self.now.volumes.iter().find(has) else { return };
        let derived = planned.derived();
        let differs = |derived: &ChapterContract| {
            !planned.plan.contracts.get(&chapter).is_some_and(|contract| contract.asks_the_same(derived))
        };
        if !derived.get(&chapter).is_some_and(differs) {
            return;
        }
        let (section, thing) = (Item::Outline(chapter), Item::Chapter(chapter));
        let change = ChangedItem { thing: section.clone(), how: ChangeKind::Changed };
        if !self.impact.changes.contains(&change) {
            self.impact.changes.push(change);
        }
        let found = self.impact.touched.iter_mut().find(|touched| touched.thing == thing);
        let asked = Touched {
            volume: Some(*volume),
            written: false,
            paths: vec![vec![section, thing.clone()]],
            revise: false,
            derive: true,
            own: true,
            demands: true,
            waits: true,
            thing,
        };
        match found {
            Some(touched) => *touched = Touched { paths: touched.paths.clone(), ..asked },
            None => self.impact.touched.push(asked),
        }
    }
}

/// Derives the contract of a chapter of the book again where the author has changed the chapter's section since the contract was
/// written. The contract keeps its picture of the book at the time of writing.
/// Fails with [`RunError::OwnContract`] where the contract is the author's own.
pub(crate) fn follow_section(run: &Run<'_>, chapter: ChapterNo) -> Result<(), RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let volume = view.volume_of(chapter)?;
    let path = layout::contract(volume, chapter);
    let id = view.content_id(&path);
    let then = when_written(&view, (&path, chapter), None, book)?;
    let section = |view: &BookView<'_>| -> Result<Option<String>, RunError> {
        Ok(view.outline(volume)?.and_then(|outline| Some(outline.section(chapter)?.source.clone())))
    };
    if id.is_some() && section(&then)? == section(&view)? {
        let before = book.transaction(then.commit_id())?.parent;
        let before = before.map(|before| book.snapshot_of(before)).transpose()?.map(BookView::new);
        let is_new =
            before.is_some_and(|before| section(&before).is_ok_and(|was| was != section(&view).ok().flatten()));
        let follows = derived(&view, volume)?.remove(&chapter).zip(files::contract(&view, volume, chapter)?);
        if is_new && follows.is_some_and(|(follows, own)| !own.asks_the_same(&follows)) {
            run.tell(Event::Warning { work: chapter.into(), warning: Warning::BesideSection { path } });
        }
        return Ok(());
    }
    let Some(mut contract) = derived(&view, volume)?.remove(&chapter) else { return Ok(()) };
    if let Some(was) = files::contract(&view, volume, chapter)? {
        if was.asks_the_same(&contract) {
            return Ok(());
        }
        if !derived(&then, volume)?.get(&chapter).is_some_and(|derived| was.asks_the_same(derived)) {
            return Err(RunError::OwnContract { chapter, path });
        }
        contract = contract.with_picture_of(was);
    }
    let change = view.put(Change::default(), &path, |was| format::contract::write(&contract, was))?;
    let subject = Subject::Regenerate(vec![Item::Outline(chapter).to_string()], 1);
    let done: Done = follow::following(run, &view, volume, subject, change)?.make()?.into();
    run.tell(Event::ContractsFollow { commit: done.commit.to_string(), count: 1 });
    Ok(())
}
