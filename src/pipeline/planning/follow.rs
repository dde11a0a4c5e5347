//! Plans that the author has changed, followed before a chapter is written: contracts and plot threads that need no model are derived
//! again, the rest is told with its price, and a contract of the author's own is asked about.

use super::impact::{self, Comparison, order};
use crate::domain::book::checkpoint::Checkpoint;
use crate::domain::book::work::{Step, Work};
use crate::domain::impact::{Item, PlannedVolume, Touched};
use crate::domain::volume::outline::{Outline, Section};
use crate::domain::workflow::Answer;
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::estimate::Prices;
use crate::pipeline::book::rearranged::refuse_sections;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::commits::BookCommit;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::engine::run::Run;
use crate::pipeline::engine::trailer::{SINCE, STEP};
use crate::store::{Book, Change, Kind, Message, Subject, format, key, layout};

/// The treatment of a contract that the author has written before changing its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnContract {
    Asks,
    Derive,
    Keep,
}

impl Comparison {
    /// True when the chapter's contract is the author's own, and the chapter's section asks for something else now.
    fn asks_about(&self, chapter: ChapterNo) -> bool {
        self.open().any(|touched| touched.own && touched.demands && touched.chapter() == Some(chapter))
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
                    let plan = view.plan_of(*volume)?;
                    Some(plan.derived(&view.basis(&order(*volume, first, &plan))?))
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
    Ok(impact::of_volume(book, view, volume)?.map_or(0, |comparison| comparison.open().count()))
}

impl Run<'_> {
    /// Tells that sections or contracts of people rest on what the author has changed, and the cost of writing them again.
    pub(crate) fn warn_of_plans(&self, next: ChapterNo) -> Result<(), RunError> {
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let Some((volume, _)) = view.plan(next)? else { return Ok(()) };
        let Some(comparison) = impact::of_volume(book, &view, volume)? else { return Ok(()) };
        let [people, sections] = comparison.to_ask_for();
        if people + sections > 0 {
            let price = Prices::of(&view, Some(self.calls.responder))?.of_plans(people, sections);
            let warning = Warning::PlansChanged { count: people + sections, price };
            self.tell(Event::Warning { work: next.into(), warning });
        }
        Ok(())
    }

    /// Derives the contracts and plot threads of the next chapter's volume again where the author's changes of plans make them
    /// follow differently. Any other chapter has been planned and written before.
    /// Fails with [`RunError::ContractDiffers`] when the author has to say which contract the chapter is written under.
    pub(crate) fn follow_plans(&self, chapter: ChapterNo, own: OwnContract) -> Result<Option<Done>, RunError> {
        self.keep_old_names()?;
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        if chapter != view.checkpoint()?.next_chapter() {
            return Ok(None);
        }
        let Some((volume, _)) = view.plan(chapter)? else { return Ok(None) };
        let Some(comparison) = impact::of_volume(book, &view, volume)? else { return Ok(None) };
        let asks = comparison.asks_about(chapter);
        if own == OwnContract::Asks {
            refuse_sections(book)?;
        }
        if asks && own == OwnContract::Asks {
            return Err(RunError::ContractDiffers(chapter));
        }
        // The answer is for every contract of the author's whose section asks for something else now.
        let wanted = |touched: &Touched| match own {
            OwnContract::Derive => touched.derive && (!touched.own || asks && touched.demands),
            _ => touched.derive && !touched.own,
        };
        let (change, count) = comparison.derived_change(&view, &wanted)?;
        let change = threads_change(&view, volume, change)?;
        // The plans are settled once nothing is left to ask for, and by the author's word.
        let settles = asks || !comparison.open().any(|touched| touched.revise || touched.own);
        if change == Change::default() && !asks {
            return Ok(None);
        }
        let subject = match own {
            OwnContract::Keep => Subject::ContractKept(chapter),
            _ => Subject::Regenerate(comparison.changed_names(), count),
        };
        let checkpoint = Checkpoint { time: self.calls.clock.rfc3339(), ..view.checkpoint_with_totals()? };
        let change = view.put_checkpoint(change, &checkpoint)?;
        let message = Message::new(Kind::Plan, subject).trailer(key::VOLUME, volume.get());
        let mut commit = BookCommit::new(self, Work::Step(Step::Regenerate), message, change, &view);
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
        let done: Done = commit.make()?.into();
        if count > 0 {
            self.tell(Event::ContractsFollow { commit: done.commit.to_string(), count });
        }
        Ok(Some(done))
    }

    /// Lets the next chapter be written under its contract as it is.
    pub fn keep_contract(&self) -> Result<(), RunError> {
        let next = self.settled_next()?;
        self.follow_plans(next, OwnContract::Keep).map(drop)
    }

    /// Carries out the author's answer to the question about the chapter's contract.
    pub(crate) fn settle_contract(&self, chapter: ChapterNo, answer: Answer) -> Result<Done, RunError> {
        self.settled_next()?;
        let own = if answer == Answer::Keep { OwnContract::Keep } else { OwnContract::Derive };
        self.follow_plans(chapter, own)?.ok_or(RunError::AnsweredMeanwhile)
    }
}

/// The change with the volume's plot threads as its sections have them.
pub(super) fn threads_change(view: &BookView<'_>, volume: VolumeNo, change: Change) -> Result<Change, RunError> {
    let plan = view.plan_of(volume)?;
    let threads = plan.threads(view.checkpoint()?.last_completed);
    if plan.foreshadowing.is_empty() || threads == plan.foreshadowing {
        return Ok(change);
    }
    view.put(change, &layout::foreshadowing_plan(volume), |was| format::foreshadowing::write_plan(&threads, was))
}

/// The change with the schedules of volumes that had these outlines: as many chapters more or fewer on each line as the sections have.
pub(super) fn schedules_change<'o>(
    view: &BookView<'_>,
    outlines: impl Iterator<Item = (VolumeNo, &'o Outline)>,
    mut change: Change,
) -> Result<Change, RunError> {
    for (volume, before) in outlines {
        let (Some(mut schedule), Some(now)) = (view.schedule(volume)?, view.outline(volume)?) else { continue };
        let says = schedule.active.iter().any(|line| line.target_chapters > 0);
        for line in schedule.active.iter_mut().filter(|_| says) {
            let on_line = |section: &&Section| section.storyline == line.storyline;
            let [was, is] = [before, &now].map(|outline| outline.sections.iter().filter(on_line).count() as u32);
            line.target_chapters = (line.target_chapters + is).saturating_sub(was);
        }
        let path = layout::schedule(volume);
        change = view.put(change, &path, |was| format::storylines::write_schedule(&schedule, was))?;
    }
    Ok(change)
}
