//! Plans that the author has changed, followed before a chapter is written: contracts and plot threads that need no model are derived
//! again, the rest is told with its price, and a contract of the author's own is asked about.

use crate::domain::impact::{Item, PlannedVolume, Touched};
use crate::domain::volume::foreshadowing::ThreadPlan;
use crate::domain::volume::outline::Section;
use crate::domain::workflow::Answer;
use crate::pipeline::book::earlier_passages::before_edits;
use crate::pipeline::book::estimate::Prices;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::planning_context;
use crate::pipeline::book::rearranged::{self, refuse_sections};
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::engine::trailer::{KEPT, SINCE};
use crate::pipeline::planning::impact::{self, BookComparison, order};
use crate::pipeline::prelude::*;

/// The treatment of a contract that the author has written before changing its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnContract {
    Asks,
    Derive,
    Keep,
}

impl BookComparison {
    /// True when the chapter's contract is the author's own, and the chapter's section asks for something else now.
    fn asks_about(&self, chapter: ChapterNo) -> bool {
        // A storyline that nothing defines is mended first.
        let section = self.now.volumes.values().find_map(|planned| planned.plan.outline.section(chapter));
        let is_known = |section: &Section| self.now.storylines.lines.iter().any(|line| line.id == section.storyline);
        section.is_none_or(is_known)
            && self.open().any(|touched| touched.own && touched.demands && touched.chapter() == Some(chapter))
    }

    /// The contracts of people, and the sections, that a model would write again.
    pub fn to_ask_for(&self) -> [usize; 2] {
        let revise = || self.open().filter(|touched| touched.revise);
        let people = revise().filter(|touched| matches!(touched.thing, Item::CharacterContract(..))).count();
        [people, revise().count() - people]
    }

    /// The ids of the first changes.
    pub(super) fn changed_names(&self) -> Vec<String> {
        let changes = &self.impact.changes;
        let mut names: Vec<String> = changes.iter().take(3).map(|change| change.thing.to_string()).collect();
        names.extend((changes.len() > 3).then(|| "…".to_owned()));
        names
    }

    /// The change with the volume's plot threads as its sections have them. A thread of which the plan has changed, and no section, was
    /// changed by the author, and the sections are to follow.
    fn threads_change(&self, view: &BookView<'_>, volume: VolumeNo, change: Change) -> Result<Change, RunError> {
        let plans = self.before.volumes.get(&volume).zip(self.now.volumes.get(&volume));
        let is_authors = |id: &Slug| {
            plans.is_some_and(|(before, now)| {
                let planned =
                    |of: &PlannedVolume| of.plan.foreshadowing.iter().find(|planned| planned.id == *id).cloned();
                let same_tasks = before.plan.outline.tasks_of(id) == now.plan.outline.tasks_of(id);
                same_tasks && planned(before) != planned(now)
            })
        };
        threads_change(view, volume, change, is_authors)
    }

    /// The contracts that follow differently, of the chapters that are wanted, and how many they are.
    pub(super) fn derived_change(
        &self,
        view: &BookView<'_>,
        wanted: &dyn Fn(&Touched) -> bool,
    ) -> Result<(Change, usize), RunError> {
        let (mut change, mut count) = (Change::default(), 0);
        for chapter in self.open().filter(|touched| wanted(touched)).filter_map(Touched::chapter) {
            let has = |(_, planned): &(&VolumeNo, &PlannedVolume)| planned.plan.outline.section(chapter).is_some();
            let volumes = || self.now.volumes.iter().find(has).or_else(|| self.before.volumes.iter().find(has));
            let Some((volume, planned)) = volumes() else { continue };
            let path = layout::contract(*volume, chapter);
            let derived = match planned.plan.outline.range() {
                Some((first, _)) if planned.basis.is_some() && self.now.volumes.contains_key(volume) => {
                    let plan = planning_context::plan_of(view, *volume)?;
                    Some(plan.derived(&planning_context::basis(view, &order(*volume, first, &plan))?))
                }
                _ => None,
            };
            let previous = view.bytes(&path)?;
            match derived.as_ref().and_then(|derived| derived.get(&chapter)) {
                Some(contract) => {
                    change = change.put(&path, format::contract::write(contract, previous.as_deref()));
                    count += 1;
                }
                None if previous.is_some() => {
                    change = change.remove(&path);
                    count += 1;
                }
                None => {}
            }
        }
        Ok((change, count))
    }
}

/// The next chapter, where the author has to say which contract it is written under. Reads only.
pub(crate) fn asks(book: &Book, view: &BookView<'_>, volume: VolumeNo) -> Result<Option<ChapterNo>, RunError> {
    let next = view.checkpoint()?.next_chapter();
    let comparison = impact::of_volume(book, view, volume)?;
    Ok(comparison.filter(|comparison| comparison.asks_about(next)).map(|_| next))
}

/// The number of things in the volume that the author's changes of plans leave behind in the book of the view.
pub(crate) fn behind(book: &Book, view: &BookView<'_>, volume: VolumeNo) -> Result<usize, RunError> {
    Ok(impact::of_volume(book, view, volume)?
        .map_or(0, |comparison| comparison.open().filter(|touched| !touched.waits).count()))
}

/// The contracts and plot threads that a run derives again before it writes the next chapter, and how many contracts there are. Reads
/// only.
/// Fails with [`RunError::ContractDiffers`] where the run would ask.
pub(crate) fn foreseen(book: &Book, view: &BookView<'_>, volume: VolumeNo) -> Result<(Change, usize), RunError> {
    let Some(comparison) = impact::of_volume(book, view, volume)? else { return Ok((Change::default(), 0)) };
    let chapter = view.checkpoint()?.next_chapter();
    if comparison.asks_about(chapter) {
        return Err(RunError::ContractDiffers(chapter));
    }
    let (change, count) = comparison.derived_change(view, &|touched| touched.derive && !touched.own)?;
    Ok((comparison.threads_change(view, volume, change)?, count))
}

/// Fails with [`RenumberError::PlansPending`] where changes of plans wait for a model, or for the author's word on a contract.
pub(super) fn refuse_pending(book: &Book) -> Result<(), RunError> {
    let comparison = impact::compare(book, None)?;
    match comparison.open().filter(|touched| touched.revise || touched.own).count() {
        0 => Ok(()),
        count => Err(RenumberError::PlansPending(count).into()),
    }
}

/// The changes of plans that wait for a model beside chapters which the author has moved: their number, and the commit since which they
/// wait. `None` where outlines that were committed without their numbers cannot be compared.
pub(super) fn pending_beside(book: &Book) -> Result<Option<(usize, CommitId)>, RunError> {
    if !before_edits(book)?.1.is_empty() {
        return Ok(None);
    }
    let Ok(comparison) = impact::since_settled(book, &BookView::new(book.snapshot()?)) else { return Ok(None) };
    Ok(Some((comparison.open().filter(|touched| touched.revise).count(), comparison.since)))
}

/// Leaves everything that changes of plans affect as it is: they count as followed. Without any, nothing is done.
pub fn keep_plans(run: &Run<'_>) -> Result<(), RunError> {
    if let Some(found) = rearranged::by_hand(run.session.book(), ChapterNo::FIRST)? {
        return Err(found.refusal().into());
    }
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let comparison = impact::compare(book, None)?;
    if !comparison.impact.is_open() {
        return Ok(());
    }
    let view = BookView::new(book.snapshot()?);
    let message = Message::new(Kind::Plan, Subject::PlansKept(comparison.changed_names()));
    let commit = BookCommit::new(run, Work::Step(Step::Regenerate), message, Change::default(), &view);
    let commit = commit.trailer(STEP, Step::Regenerate).trailer(SINCE, comparison.since);
    commit.make().map(drop)
}

/// Tells that sections or contracts of people rest on what the author has changed, and the cost of writing them again.
pub(crate) fn warn_of_plans(run: &Run<'_>, next: ChapterNo) -> Result<(), RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let Some((volume, _)) = view.plan(next)? else { return Ok(()) };
    let Some(comparison) = impact::of_volume(book, &view, volume)? else { return Ok(()) };
    let [people, sections] = comparison.to_ask_for();
    if people + sections > 0 {
        let price = Prices::of(&view, Some(run.calls.responder))?.of_plans(people, sections);
        let warning = Warning::PlansChanged { count: people + sections, price };
        run.tell(Event::Warning { work: next.into(), warning });
    }
    Ok(())
}

/// Derives the contracts and plot threads of the next chapter's volume again where the author's changes of plans make them
/// follow differently. Any other chapter has been planned and written before.
/// Fails with [`RunError::ContractDiffers`] when the author has to say which contract the chapter is written under.
pub(crate) fn follow_plans(run: &Run<'_>, chapter: ChapterNo, own: OwnContract) -> Result<Option<Done>, RunError> {
    run.keep_old_names()?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    if chapter != view.checkpoint()?.next_chapter() {
        return Ok(None);
    }
    if own == OwnContract::Asks {
        refuse_sections(book)?;
    }
    let Some((volume, _)) = view.plan(chapter)? else { return Ok(None) };
    let Some(comparison) = impact::of_volume(book, &view, volume)? else { return Ok(None) };
    let asks = comparison.asks_about(chapter);
    if asks && own == OwnContract::Asks {
        return Err(RunError::ContractDiffers(chapter));
    }
    // The answer is for the contract that was asked about: of every other one of the author's, the question comes with its chapter.
    let is_answered = |touched: &Touched| asks && touched.chapter() == Some(chapter);
    let wanted =
        |touched: &Touched| touched.derive && (!touched.own || own == OwnContract::Derive && is_answered(touched));
    let (change, count) = comparison.derived_change(&view, &wanted)?;
    let change = comparison.threads_change(&view, volume, change)?;
    // The plans are settled once nothing is left to ask for.
    let is_left = |touched: &Touched| touched.revise || touched.own && !is_answered(touched);
    let settles = !comparison.open().any(is_left);
    if change == Change::default() && !asks {
        return Ok(None);
    }
    let subject = match own {
        OwnContract::Keep => Subject::ContractKept(chapter),
        _ => Subject::Regenerate(comparison.changed_names(), count),
    };
    let mut commit = following(run, &view, volume, subject, change)?;
    if settles {
        commit = commit.trailer(STEP, Step::Regenerate).trailer(SINCE, comparison.since);
    }
    let answer = match own {
        OwnContract::Asks => None,
        OwnContract::Derive => Some(Answer::Derive),
        OwnContract::Keep => Some(Answer::Keep),
    };
    if let Some(answer) = answer.filter(|_| asks) {
        commit = commit.trailer(key::ANSWER, answer);
    }
    if own == OwnContract::Keep {
        commit = commit.trailer(KEPT, chapter);
    }
    let done: Done = commit.make()?.into();
    if count > 0 {
        run.tell(Event::ContractsFollow { commit: done.commit.to_string(), count });
    }
    Ok(Some(done))
}

/// A commit of contracts that follow the volume's plan.
pub(super) fn following<'a, 'b>(
    run: &'a Run<'b>,
    view: &BookView<'_>,
    volume: VolumeNo,
    subject: Subject,
    change: Change,
) -> Result<BookCommit<'a, 'b>, RunError> {
    let checkpoint = Checkpoint { time: run.calls.clock.rfc3339(), ..view.checkpoint_with_totals()? };
    let change = view.put_checkpoint(change, &checkpoint)?;
    let message = Message::new(Kind::Plan, subject).trailer(key::VOLUME, volume.get());
    Ok(BookCommit::new(run, Work::Step(Step::Regenerate), message, change, view))
}

/// Lets the next chapter be written under its contract as it is.
pub fn keep_contract(run: &Run<'_>) -> Result<(), RunError> {
    let next = run.settled_next()?;
    follow_plans(run, next, OwnContract::Keep).map(drop)
}

/// Carries out the author's answer to the question about the chapter's contract.
pub(crate) fn settle_contract(run: &Run<'_>, chapter: ChapterNo, answer: Answer) -> Result<Done, RunError> {
    run.settled_next()?;
    let own = if answer == Answer::Keep { OwnContract::Keep } else { OwnContract::Derive };
    follow_plans(run, chapter, own)?.ok_or(RunError::AnsweredMeanwhile)
}

/// The change with the volume's plot threads as its sections have them, but for those that the author has changed himself.
pub(super) fn threads_change(
    view: &BookView<'_>,
    volume: VolumeNo,
    change: Change,
    is_authors: impl Fn(&Slug) -> bool,
) -> Result<Change, RunError> {
    let plan = planning_context::plan_of(view, volume)?;
    let own = |id: &Slug| plan.foreshadowing.iter().find(|planned| planned.id == *id);
    let derived = plan.threads(view.checkpoint()?.last_completed).into_iter();
    let mut threads: Vec<ThreadPlan> = derived
        .filter_map(|planned| if is_authors(&planned.id) { own(&planned.id).cloned() } else { Some(planned) })
        .collect();
    for planned in plan.foreshadowing.iter().filter(|planned| is_authors(&planned.id)) {
        if threads.iter().all(|known| known.id != planned.id) {
            threads.push(planned.clone());
        }
    }
    if plan.foreshadowing.is_empty() || threads == plan.foreshadowing {
        return Ok(change);
    }
    view.put(change, &layout::foreshadowing_plan(volume), |was| format::foreshadowing::write_plan(&threads, was))
}

/// The change with each plot thread in the plan of the volume that `place` gives for the chapter that plants it.
pub(super) fn threads_moved(
    view: &BookView<'_>,
    place: impl Fn(ChapterNo, VolumeNo) -> VolumeNo,
    mut change: Change,
) -> Result<Change, RunError> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::<VolumeNo, Vec<ThreadPlan>>::new());
    for volume in view.volumes()? {
        let threads = files::planned_foreshadowing(view, volume)?;
        for thread in &threads {
            let there = thread.plant.map_or(volume, |chapter| place(chapter, volume));
            after.entry(there).or_default().push(thread.clone());
        }
        before.insert(volume, threads);
    }
    for (volume, was) in before {
        let (now, path) = (after.remove(&volume).unwrap_or_default(), layout::foreshadowing_plan(volume));
        if now != was {
            change = view.put(change, &path, |was| format::foreshadowing::write_plan(&now, was))?;
        }
    }
    Ok(change)
}

/// The change with the schedules of volumes that had these outlines: as many chapters more or fewer on each line as the sections have.
pub(super) fn schedules_change<'o>(
    view: &BookView<'_>,
    outlines: impl Iterator<Item = (VolumeNo, &'o Outline)>,
    mut change: Change,
) -> Result<Change, RunError> {
    for (volume, before) in outlines {
        let (Some(mut schedule), Some(now)) = (files::schedule(view, volume)?, view.outline(volume)?) else { continue };
        let says = schedule.active.iter().any(|line| line.target_chapters > 0);
        for line in schedule.active.iter_mut().filter(|_| says) {
            let on_line = |section: &&Section| section.storyline == line.storyline;
            let [was, is] = [before, &now].map(|outline| outline.sections.iter().filter(on_line).count() as u32);
            line.target_chapters = (line.target_chapters + is).saturating_sub(was);
        }
        let path = layout::schedule(volume);
        change = view.put(change, &path, |was| format::write(&schedule, was))?;
    }
    Ok(change)
}
