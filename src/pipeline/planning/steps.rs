//! The planners at work: the world, the theme, the people, and the plan of a volume.

use super::approval::Taken;
use super::draft::{Closing, PlanDraft, StageResult, just_done};
use crate::agents::planners::character_weaver;
use crate::agents::planners::context::{flaw_in_chinese, research};
use crate::agents::planners::plot_architect;
use crate::agents::planners::plot_architect::{BATCH, ScheduleReading, ThemeReading};
use crate::agents::planners::world_builder;
use crate::agents::planners::world_builder::WorldReading;
use crate::agents::{CastRequest, PlanningContext, Task, VolumeOrder};
use crate::domain::book::checkpoint::{Checkpoint, Phase};
use crate::domain::book::work::{PlanStage, Step, Work};
use crate::domain::volume::foreshadowing::{Action, Planned};
use crate::domain::volume::outline::{Field, Outline, Section};
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::domain::workflow::Answer;
use crate::domain::world::character::{Character, Relationship};
use crate::domain::world::contract::{ChapterContract, CharacterContract, Rule};
use crate::domain::world::storyline::Storylines;
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::pipeline::book::view::BookView;
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::pipeline::engine::ask::ASK_AGAIN;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::engine::trailer::STEP;
use crate::store::{Book, Change, CommitId, Kind, Scope, Snapshot, format, key, layout};
use crate::text::free_slug;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What the volume's plan was ordered as; on its draft only.
const ORDER: &str = ".draft/order.json";

/// A planning step that is in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// Its commit.
    pub commit: CommitId,
    /// What it did, in the words of the commit's subject.
    pub subject: String,
}

/// What became of a change that may have been there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// It is in the book.
    Done(Done),
    /// It was so already; nothing has changed.
    Already,
}

/// A volume's plan under review.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// What was ordered.
    pub order: VolumeOrder,
    /// The plan as it is.
    pub plan: Plan,
    /// What does not hold of it.
    pub flaws: Vec<Flaw>,
    /// Whether it is complete and waits for the author.
    pub waits: bool,
    /// The folder in `staging/` where the author may change it.
    pub folder: String,
}

impl Draft {
    /// Whether the author may approve it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        !self.flaws.iter().any(Flaw::blocks)
    }
}

#[derive(Serialize, Deserialize)]
struct OrderDisk {
    volume: u32,
    first: u32,
    chapters: u32,
    wish: String,
    trial: bool,
    #[serde(default)]
    closing: bool,
    #[serde(default)]
    fill: bool,
}

impl OrderDisk {
    fn of(order: &VolumeOrder) -> Vec<u8> {
        let disk = Self {
            volume: order.volume.get(),
            first: order.first,
            chapters: order.chapters,
            wish: order.wish.clone(),
            trial: order.trial,
            closing: order.closing,
            fill: order.fill,
        };
        let mut bytes = serde_json::to_vec_pretty(&disk).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    fn read(bytes: &[u8]) -> Option<VolumeOrder> {
        let disk: Self = serde_json::from_slice(bytes).ok()?;
        let volume = VolumeNo::new(disk.volume)?;
        let Self { first, chapters, wish, trial, closing, fill, .. } = disk;
        Some(VolumeOrder { volume, first, chapters, wish, trial, closing, fill })
    }
}

/// A checkpoint whose sums alone change.
pub(crate) fn unchanged() -> Box<dyn FnOnce(Checkpoint) -> Checkpoint> {
    Box::new(|checkpoint| checkpoint)
}

impl<'b> Run<'b> {
    /// Lets the world builder make the world, or add to it what `request` says.
    ///
    /// # Errors
    /// The [`RunError`] that ended it; what was paid for is kept, and the same call goes on from there.
    pub async fn world(&self, request: &str, afresh: bool) -> Result<Taken, RunError> {
        self.commit_local_changes()?;
        self.migrate()?;
        let words = request_key(request, afresh);
        if let Some(done) = self.done_already(Step::World, &words)? {
            return Ok(Taken::Done(done));
        }
        let plan_draft = PlanDraft::open(self, Work::Step(Step::World), &words, Scope::default())?;
        if !plan_draft.has(PlanStage::World)? {
            let snapshot = plan_draft.snapshot()?;
            let view = BookView::new(&snapshot);
            let mut context = view.planning_context()?;
            if afresh {
                context.rules.clear();
            }
            let change = |reading| {
                let (change, subject) = world_change(&view, &context, reading)?;
                Ok((noted(change, &context, request), subject))
            };
            plan_draft
                .ask(PlanStage::World, &Task::World { context: &context, request }, world_builder::read, change)
                .await?;
        }
        let subject = plan_draft.words_of(PlanStage::World)?;
        let closing = closing_of(&plan_draft, Kind::World, Step::World, &format!("world: {subject}"), request)?;
        self.close_or_wait(plan_draft, Step::World, closing)
    }

    /// Lets the plot architect say what the book is about, and writes it into the brief.
    ///
    /// # Errors
    /// As for [`world`](Self::world).
    pub async fn theme(&self, afresh: bool) -> Result<Done, RunError> {
        self.commit_local_changes()?;
        self.migrate()?;
        let words = request_key("", afresh);
        if let Some(done) = self.done_already(Step::Theme, &words)? {
            return Ok(done);
        }
        self.require(Step::Theme)?;
        let plan_draft = PlanDraft::open(self, Work::Step(Step::Theme), &words, Scope::default())?;
        if !plan_draft.has(PlanStage::Theme)? {
            let snapshot = plan_draft.snapshot()?;
            let context = BookView::new(&snapshot).planning_context()?;
            let change = |reading: ThemeReading| {
                let subject = reading.theme.clone();
                let change = Change::default().put(layout::BRIEF, brief_with(&context.brief, &reading, afresh));
                Ok((noted(change, &context, ""), subject))
            };
            plan_draft
                .ask(PlanStage::Theme, &Task::Theme { context: &context }, plot_architect::read_theme, change)
                .await?;
        }
        let subject = plan_draft.words_of(PlanStage::Theme)?;
        close_step(plan_draft, Kind::Plan, Step::Theme, &format!("theme: {subject}"), "")
    }

    /// Lets the character weaver make or change characters.
    ///
    /// # Errors
    /// As for [`world`](Self::world); [`RunError::NoSuchCharacter`] for an update of nobody.
    pub async fn cast(&self, request: &CastRequest, afresh: bool) -> Result<Taken, RunError> {
        self.commit_local_changes()?;
        self.migrate()?;
        let words = match request {
            CastRequest::First { protagonist } => format!("first\n{protagonist}"),
            CastRequest::Add { wish } => format!("add\n{wish}"),
            CastRequest::Update { id, wish } => format!("update {id}\n{wish}"),
        };
        let words = request_key(&words, afresh);
        if let Some(done) = self.done_already(Step::Characters, &words)? {
            return Ok(Taken::Done(done));
        }
        if matches!(request, CastRequest::First { .. }) {
            self.require(Step::Characters)?;
        }
        let plan_draft = PlanDraft::open(self, Work::Step(Step::Characters), &words, Scope::default())?;
        if !plan_draft.has(PlanStage::Characters)? {
            let snapshot = plan_draft.snapshot()?;
            let view = BookView::new(&snapshot);
            let context = view.planning_context()?;
            if let CastRequest::Update { id, .. } = request
                && !context.characters.iter().any(|person| person.id == *id)
            {
                plan_draft.abandon()?;
                return Err(RunError::NoSuchCharacter { id: id.clone() });
            }
            let task = Task::Cast { context: &context, request };
            let change = |reading| {
                let (change, subject) = cast_change(&view, &context, request, afresh, reading)?;
                Ok((noted(change, &context, request.wish()), subject))
            };
            plan_draft.ask(PlanStage::Characters, &task, character_weaver::read, change).await?;
        }
        let subject = plan_draft.words_of(PlanStage::Characters)?;
        let closing = closing_of(&plan_draft, Kind::World, Step::Characters, &format!("characters: {subject}"), "")?;
        self.close_or_wait(plan_draft, Step::Characters, closing)
    }

    /// Refuses a step before the one that it rests on.
    fn require(&self, step: Step) -> Result<(), RunError> {
        let lacking = crate::pipeline::workflow::founded(self.session.book())?.lacks(step);
        lacking.map_or(Ok(()), |first| Err(RunError::Lacks { step, first }))
    }

    /// The step, when it was the last thing done for the very same request: it is not paid for a second time. Whoever wants
    /// it again takes it back first, or asks in other words.
    pub(crate) fn done_already(&self, step: Step, request: &str) -> Result<Option<Done>, RunError> {
        let done = just_done(self.session.book(), Work::Step(step), request)?;
        Ok(done.map(|transaction| Done { commit: transaction.id, subject: transaction.subject }))
    }

    /// Plans the volume as ordered, until the plan waits for the author; trial chapters need no word of the author's and
    /// come back as `None` once they are in the book.
    ///
    /// # Errors
    /// As for [`world`](Self::world).
    pub async fn plan(&self, order: &VolumeOrder) -> Result<Option<Draft>, RunError> {
        self.commit_local_changes()?;
        self.migrate()?;
        let volume = order.volume;
        // An outline of the author's own needs no world before it.
        if !order.fill {
            self.require(Step::Trial)?;
        }
        let plan_draft = PlanDraft::open(self, Work::Plan(volume), &request_of(order), scope(volume))?;
        if plan_draft.read(ORDER)?.is_none() {
            let change = Change::default().put(ORDER, OrderDisk::of(order));
            plan_draft.commit(PlanStage::Resize, change, &format!("{} chapters", order.chapters))?;
        }
        let mut result = Ok(());
        if order.fill {
            result = self.fill_on(&plan_draft, order).await;
        }
        if result.is_ok() {
            result = self.plan_on(&plan_draft).await;
        }
        if let Err(error) = result {
            let _ = plan_draft.show();
            return Err(error);
        }
        let draft = read_draft(&plan_draft.snapshot()?, volume)?.ok_or(RunError::NothingToDecide)?;
        if draft.order.trial && draft.is_sound() {
            close_plan(plan_draft, &draft)?;
            return Ok(None);
        }
        plan_draft.show()?;
        Ok(Some(draft))
    }

    /// Asks for whatever the plan lacks, and for one repair of what is wrong with it.
    async fn plan_on(&self, plan_draft: &PlanDraft<'_, 'b>) -> Result<(), RunError> {
        plan_draft.take_up()?;
        loop {
            let snapshot = plan_draft.snapshot()?;
            let view = BookView::new(&snapshot);
            let order = order_of(&snapshot)?.ok_or(RunError::NothingToDecide)?;
            let (context, plan) = (view.planning_context()?, view.plan_of(order.volume)?);
            let basis = view.basis(&order)?;
            match next(&order, &plan, &basis, order.fill || plan_draft.is_repaired()?, batch(plan_draft)?) {
                Ask::Schedule(flaws) => {
                    let kept = view.written_sections(&plan.outline)?;
                    let task = Task::Schedule { context: &context, order: &order, kept: &kept, flaws: &flaws };
                    let read = |reply: &str| plot_architect::read_schedule(reply, &order);
                    let change = |reading| {
                        schedule_change(&view, &order, &plan, &context, reading)
                            .map(|result| StageResult { repairs: flaws.len(), ..result })
                    };
                    plan_draft.ask(PlanStage::Schedule, &task, read, change).await?;
                }
                Ask::Outline { chapters, flaws } => {
                    let task = Task::Outline { context: &context, order: &order, plan: &plan, chapters, flaws: &flaws };
                    let read = |reply: &str| plot_architect::read_outline(reply, chapters.0, chapters.1);
                    let change = |sections| {
                        let result = outline_change(&order, &plan, &basis, chapters, sections)?;
                        Ok(StageResult { repairs: flaws.len(), ..result })
                    };
                    plan_draft.ask(PlanStage::Outline, &task, read, change).await?;
                }
                Ask::Contracts => {
                    let (change, count) = contracts_change(&view, &order, &plan, &basis)?;
                    if change == Change::default() {
                        return Ok(());
                    }
                    plan_draft.commit(PlanStage::Contracts, change, &format!("{count} contracts"))?;
                }
            }
        }
    }

    /// Makes the plan under review part of the book.
    ///
    /// # Errors
    /// [`RunError::NothingToDecide`] when no plan waits, [`RunError::FlawedPlan`] when it may not be used as it is.
    pub fn approve_plan(&self, volume: VolumeNo) -> Result<Done, RunError> {
        let (plan_draft, draft) = self.reopen(volume)?;
        if !draft.waits {
            return Err(RunError::NothingToDecide);
        }
        if !draft.is_sound() {
            plan_draft.show()?;
            return Err(RunError::FlawedPlan { volume, flaws: draft.flaws, folder: draft.folder });
        }
        close_plan(plan_draft, &draft)
    }

    /// Takes up what the author has changed of the plan in `staging/`: contracts follow the chapters that changed.
    ///
    /// # Errors
    /// [`RunError::NothingToDecide`] when there is no plan, [`RunError::Outline`] when its outline cannot be read.
    pub fn review_plan(&self, volume: VolumeNo) -> Result<Draft, RunError> {
        let (plan_draft, draft) = self.reopen(volume)?;
        plan_draft.show()?;
        Ok(draft)
    }

    /// Shows the draft of a chapter or of a plan in `staging/`, where it has got far enough to be looked at.
    ///
    /// # Errors
    /// When it cannot be opened as it is.
    pub fn show_draft(&self, work: Work) -> Result<(), RunError> {
        match work {
            Work::Chapter(chapter) => Ok(ChapterDraft::open(self, chapter)?.show()?),
            Work::Plan(volume) => self.review_plan(volume).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Puts the plan aside. It stays reachable under the ref that comes back.
    ///
    /// # Errors
    /// [`RunError::NothingToDecide`] when there is no plan.
    pub fn reject_plan(&self, volume: VolumeNo) -> Result<Option<String>, RunError> {
        let request = self.standing_request(volume)?;
        let plan_draft = PlanDraft::open(self, Work::Plan(volume), &request, scope(volume))?;
        plan_draft.take_up()?;
        plan_draft.abandon()
    }

    /// Gives the volume another number of chapters: what is beyond it goes, what is missing is asked for by the next
    /// [`plan`](Self::plan).
    ///
    /// # Errors
    /// [`RunError::NothingToDecide`] when there is no plan, [`RunError::TooFewChapters`] when as many are written already.
    pub fn resize_plan(&self, volume: VolumeNo, chapters: u32) -> Result<VolumeOrder, RunError> {
        let (plan_draft, draft) = self.reopen(volume)?;
        let snapshot = plan_draft.snapshot()?;
        let written = BookView::new(&snapshot).checkpoint()?.last_completed;
        let least = (written + 1).saturating_sub(draft.order.first).max(1);
        if chapters < least {
            return Err(RunError::TooFewChapters { volume, chapters, least });
        }
        let order = VolumeOrder { chapters, ..draft.order };
        let change = fitted(&order, &draft.plan).put(ORDER, OrderDisk::of(&order));
        plan_draft.commit(PlanStage::Resize, change, &format!("{chapters} chapters"))?;
        plan_draft.show()?;
        Ok(order)
    }

    fn standing_request(&self, volume: VolumeNo) -> Result<String, RunError> {
        let book = self.session.book();
        let tip = book.draft_tip(Work::Plan(volume))?.ok_or(RunError::NothingToDecide)?;
        let order = order_of(&book.snapshot_of(tip)?)?.ok_or(RunError::NothingToDecide)?;
        Ok(request_of(&order))
    }

    /// The plan that is there, with the author's changes taken up.
    fn reopen(&self, volume: VolumeNo) -> Result<(PlanDraft<'_, 'b>, Draft), RunError> {
        let request = self.standing_request(volume)?;
        self.commit_local_changes()?;
        let plan_draft = PlanDraft::open(self, Work::Plan(volume), &request, scope(volume))?;
        plan_draft.take_up()?;
        let snapshot = plan_draft.snapshot()?;
        let view = BookView::new(&snapshot);
        let order = order_of(&snapshot)?.ok_or(RunError::NothingToDecide)?;
        let plan = view.plan_of(volume)?;
        if is_whole(&order, &plan) {
            let (change, count) = contracts_change(&view, &order, &plan, &view.basis(&order)?)?;
            if change != Change::default() {
                plan_draft.commit(PlanStage::Contracts, change, &format!("{count} contracts"))?;
            }
        }
        let draft = read_draft(&plan_draft.snapshot()?, volume)?.ok_or(RunError::NothingToDecide)?;
        Ok((plan_draft, draft))
    }
}

/// What was ordered of the plans that are being made or wait for the author, the earliest volume first. Reads only.
///
/// # Errors
/// When the book cannot be read.
pub fn orders(book: &Book) -> Result<Vec<VolumeOrder>, RunError> {
    let mut found = Vec::new();
    for (work, tip) in book.drafts()? {
        if let Work::Plan(_) = work {
            found.extend(order_of(&book.snapshot_of(tip)?)?);
        }
    }
    found.sort_by_key(|order| order.volume);
    Ok(found)
}

/// The plans that are being made or wait for the author, the earliest volume first. Reads only.
///
/// # Errors
/// When the book or a draft cannot be read.
pub fn drafts(book: &Book) -> Result<Vec<Draft>, RunError> {
    Ok(drafts_at(book)?.into_iter().map(|(_, draft)| draft).collect())
}

/// The same, each with the tip of its branch.
pub(crate) fn drafts_at(book: &Book) -> Result<Vec<(CommitId, Draft)>, RunError> {
    let mut found = Vec::new();
    for (work, tip) in book.drafts()? {
        if let Work::Plan(volume) = work {
            found.extend(read_draft(&book.snapshot_of(tip)?, volume)?.map(|draft| (tip, draft)));
        }
    }
    found.sort_by_key(|(_, draft)| draft.order.volume);
    Ok(found)
}

fn read_draft(snapshot: &Snapshot<'_>, volume: VolumeNo) -> Result<Option<Draft>, RunError> {
    let Some(order) = order_of(snapshot)? else { return Ok(None) };
    let view = BookView::new(snapshot);
    let folder = format!("staging/volumes/{volume}");
    if order.fill && view.outline_with_gaps(volume)?.is_some_and(|(_, _, gaps)| !gaps.is_empty()) {
        return Ok(Some(Draft { order, plan: Plan::default(), flaws: Vec::new(), waits: false, folder }));
    }
    let plan = view.plan_of(volume)?;
    let waits = is_whole(&order, &plan) && !plan.contracts.is_empty();
    let flaws = if waits { plan.flaws(&view.basis(&order)?) } else { Vec::new() };
    Ok(Some(Draft { order, plan, flaws, waits, folder }))
}

fn order_of(snapshot: &Snapshot<'_>) -> Result<Option<VolumeOrder>, RunError> {
    Ok(snapshot.read(ORDER)?.as_deref().and_then(OrderDisk::read))
}

/// Two orders with the same text are the same work; the number of chapters may be changed on the way.
fn request_of(order: &VolumeOrder) -> String {
    let kind = match (order.trial, order.closing) {
        _ if order.fill => ", fill",
        (true, _) => ", trial",
        (false, true) => ", closing",
        (false, false) => "",
    };
    format!("{} from {}{kind}\n{}", order.volume, order.first, order.wish)
}

/// What `staging/` shows of a plan.
fn scope(volume: VolumeNo) -> Scope {
    Scope::new([format!("volumes/{volume}/"), layout::STORYLINES.to_owned()])
}

/// How many chapters are outlined in one answer. A model that has failed at so many is asked for fewer, in the end for one.
pub(crate) fn batch(plan_draft: &PlanDraft<'_, '_>) -> Result<u32, RunError> {
    let faults = u32::try_from(plan_draft.faults_of(PlanStage::Outline)?).unwrap_or(u32::MAX);
    Ok(BATCH.checked_shr(faults / ASK_AGAIN).unwrap_or(0).max(1))
}

/// What the plan lacks next.
enum Ask {
    /// The schedule, for the first time or with its flaws.
    Schedule(Vec<Flaw>),
    /// Some chapters, for the first time or with their flaws.
    Outline { chapters: (u32, u32), flaws: Vec<Flaw> },
    /// Nothing of a model's: the contracts follow.
    Contracts,
}

fn is_whole(order: &VolumeOrder, plan: &Plan) -> bool {
    (plan.schedule.is_some() || order.trial || order.fill)
        && plan.outline.range().is_some_and(|(_, last)| last.get() >= order.last())
}

fn next(order: &VolumeOrder, plan: &Plan, basis: &PlanBasis, repaired: bool, batch: u32) -> Ask {
    if plan.schedule.is_none() && !order.trial && !order.fill {
        return Ask::Schedule(Vec::new());
    }
    let done = plan.outline.range().map_or(order.first - 1, |(_, last)| last.get());
    if done < order.last() {
        return Ask::Outline { chapters: (done + 1, order.last().min(done + batch)), flaws: Vec::new() };
    }
    if repaired {
        return Ask::Contracts;
    }
    let derived = Plan { contracts: plan.derived(basis), ..plan.clone() };
    let flaws: Vec<Flaw> = derived.flaws(basis).into_iter().filter(Flaw::blocks).collect();
    // A chapter's flaw is mended in its section; anything else in the schedule, which the sections are then held against.
    let in_chapters: Vec<u32> = flaws.iter().filter_map(|flaw| Some(flaw.chapter()?.get())).collect();
    match (in_chapters.iter().min(), in_chapters.iter().max()) {
        _ if flaws.is_empty() => Ask::Contracts,
        (Some(&from), Some(&to)) => Ask::Outline { chapters: (from.max(order.first), to.min(from + batch - 1)), flaws },
        _ if order.trial => Ask::Contracts,
        _ => Ask::Schedule(flaws),
    }
}

fn schedule_change(
    view: &BookView<'_, '_>,
    order: &VolumeOrder,
    plan: &Plan,
    context: &PlanningContext,
    reading: ScheduleReading,
) -> Result<StageResult, RunError> {
    let ScheduleReading { summary, hook, new_lines, mut schedule, foreshadowing } = reading;
    // A line that an earlier answer to the same order began is as new as it was then.
    let begun = plan.schedule.as_ref().map_or(&[][..], |before| &before.newly_activated[..]);
    let again = begun.iter().filter(|id| schedule.active.iter().any(|line| line.storyline == **id)).cloned();
    let again: Vec<Slug> = again.collect();
    schedule.newly_activated = schedule.activated(&context.storylines);
    for id in again {
        if !schedule.newly_activated.contains(&id) {
            schedule.newly_activated.push(id);
        }
    }
    let volume = order.volume;
    let mut storylines = context.storylines.clone();
    storylines.lines.extend(new_lines.into_iter().filter(|line| context.storylines.get(&line.id).is_none()));
    let (lines, planted) = (counted(schedule.active.len(), "storyline"), counted(foreshadowing.len(), "foreshadowing"));
    let words = format!("{}, {lines}, {planted}", schedule.theme);
    let mut change = Change::default()
        .put(&layout::schedule(volume), format::storylines::write_schedule(&schedule, None))
        .put(&layout::foreshadowing_plan(volume), format::foreshadowing::write_plan(&foreshadowing, None));
    if storylines != context.storylines {
        let previous = view.bytes(layout::STORYLINES)?;
        change = change.put(layout::STORYLINES, format::storylines::write(&storylines, previous.as_deref()));
    }
    let hook = if order.closing { "全书到此为止".to_owned() } else { format!("卷末的钩子：{hook}") };
    let preface = format!("# 第{}卷 {}\n\n{summary}\n\n{hook}\n", volume.get(), schedule.theme);
    let sections: Vec<String> = plan.outline.sections.iter().map(|section| section.source.clone()).collect();
    change = change.put(&layout::outline(volume), outline_text(&preface, &sections));
    Ok((change, words).into())
}

fn outline_text(preface: &str, sections: &[String]) -> String {
    let preface = preface.trim();
    let sections = sections.iter().map(|section| format!("{}\n", section.trim_end()));
    std::iter::once(format!("{preface}\n")).filter(|text| text.len() > 1).chain(sections).collect::<Vec<_>>().join("\n")
}

fn outline_change(
    order: &VolumeOrder,
    plan: &Plan,
    basis: &PlanBasis,
    (from, to): (u32, u32),
    sections: Vec<String>,
) -> Result<StageResult, RunError> {
    let new: BTreeMap<u32, String> = (from..=to).zip(sections).collect();
    let mut all: BTreeMap<u32, String> =
        plan.outline.sections.iter().map(|section| (section.chapter.get(), section.source.clone())).collect();
    all.extend(new);
    let preface = if plan.outline.preface.trim().is_empty() {
        format!("# 第{}卷{}\n", order.volume.get(), if order.trial { " 试写" } else { "" })
    } else {
        plan.outline.preface.clone()
    };
    let path = layout::outline(order.volume);
    let text = outline_text(&preface, &all.into_values().collect::<Vec<_>>());
    let here = |chapter: ChapterNo| (from..=to).contains(&chapter.get());
    let render = |outline: &Outline| {
        let sections: Vec<String> = outline.sections.iter().map(|section| section.source.clone()).collect();
        outline_text(&preface, &sections)
    };
    let text = normalize_tasks(&path, text, plan, basis, &here, &render)?;
    Ok((Change::default().put(&path, text), format!("chapters {from} to {to}")).into())
}

/// An outline whose chapters `here` a model has written, with the words of their tasks put right: which word a task has
/// follows from what went before, and no model need be asked for that. What a model has written is read as a person's
/// would be before it is kept.
pub(crate) fn normalize_tasks(
    path: &str,
    mut text: String,
    plan: &Plan,
    basis: &PlanBasis,
    here: &dyn Fn(ChapterNo) -> bool,
    render: &dyn Fn(&Outline) -> String,
) -> Result<String, RunError> {
    let resolve = |name: &str| basis.storylines.called(name);
    let read = |text: &str| {
        Outline::parse_with(text, &resolve).map_err(|errors| RunError::Outline { path: path.to_owned(), errors })
    };
    let mut outline = read(&text)?;
    for _ in 0..MENDS {
        let plan = Plan { outline: outline.clone(), contracts: BTreeMap::new(), ..plan.clone() };
        let mut flaws = plan.flaws(basis).into_iter().filter(|flaw| flaw.chapter().is_some_and(here));
        let Some(mended) = flaws.find_map(|flaw| mended(&outline, &flaw, plan.schedule.is_none())) else { break };
        text = render(&mended);
        outline = read(&text)?;
    }
    Ok(text)
}

/// How many tasks of one answer are put right at most.
const MENDS: usize = 60;

/// The outline with the task of a flaw put right, where the flaw is a wrong or a missing word: planted twice is taken up
/// again, taken up before anybody planted it is planted where nothing is scheduled, and what the plan asks for is added.
fn mended(outline: &Outline, flaw: &Flaw, unscheduled: bool) -> Option<Outline> {
    let (chapter, from, to) = match flaw {
        Flaw::Order { id, chapter, action: Action::Planted } => (chapter, format!("埋设 {id}"), format!("推进 {id}")),
        Flaw::Unplanned { id, chapter } if unscheduled => {
            let task = outline.section(*chapter)?.tasks.iter().find(|task| task.id == *id)?;
            (chapter, format!("{} {id}", task.action.verb()), format!("埋设 {id}"))
        }
        // Where the chapter does something else to it, one word more would only contradict the other.
        Flaw::Untold { id, chapter, .. } if outline.section(*chapter)?.tasks.iter().any(|task| task.id == *id) => {
            return None;
        }
        Flaw::Untold { id, chapter, action } => {
            let told = outline.section(*chapter)?.field(Field::Foreshadowing).to_owned();
            let added = format!("{} {id}：按本卷的伏笔计划", action.verb());
            let now = if told == "无" { added } else { format!("{told}；{added}") };
            (chapter, format!("- {}: {told}", Field::Foreshadowing), format!("- {}: {now}", Field::Foreshadowing))
        }
        _ => return None,
    };
    let mut outline = outline.clone();
    let section = outline.sections.iter_mut().find(|section| section.chapter == *chapter)?;
    let source = section.source.replacen(&from, &to, 1);
    if source == section.source {
        return None;
    }
    section.source = source;
    Some(outline)
}

/// The contracts that follow from the outline, where they differ from those that followed before: one that the author has
/// changed stays as it is until its chapter changes.
fn contracts_change(
    view: &BookView<'_, '_>,
    order: &VolumeOrder,
    plan: &Plan,
    basis: &PlanBasis,
) -> Result<(Change, usize), RunError> {
    let derived = plan.derived(basis);
    let before = view.derived_before(order.volume)?;
    let mut change = Change::default();
    for (chapter, contract) in &derived {
        let path = layout::contract(order.volume, *chapter);
        let there = plan.contracts.get(chapter);
        // Those of chapters that are written are history.
        let is_written = chapter.get() <= view.checkpoint()?.last_completed;
        let follows = before.get(chapter).is_some_and(|before| before.asks_the_same(contract));
        if (there.is_some() && (follows || is_written)) || there == Some(contract) {
            continue;
        }
        let previous = view.bytes(&path)?;
        change = change.put(&path, format::contract::write(contract, previous.as_deref()));
    }
    let beyond = plan.contracts.keys().filter(|chapter| !derived.contains_key(chapter));
    for chapter in beyond {
        change = change.remove(&layout::contract(order.volume, *chapter));
    }
    let count = change.puts.len();
    if change != Change::default() {
        change = change.put(DERIVED, derived_bytes(&derived));
    }
    Ok((change, count))
}

/// What followed from the outline when contracts were last written; on the draft only.
const DERIVED: &str = ".draft/derived.json";

fn derived_bytes(derived: &BTreeMap<ChapterNo, ChapterContract>) -> Vec<u8> {
    let all: BTreeMap<String, String> = derived
        .iter()
        .map(|(chapter, contract)| {
            let bytes = format::contract::write(contract, None);
            (chapter.get().to_string(), String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    let mut bytes = serde_json::to_vec_pretty(&all).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The plan at the order's length: nothing is beyond the last chapter, meetings and windows end with it, and the lines' shares
/// of the chapters add up to it.
fn fitted(order: &VolumeOrder, plan: &Plan) -> Change {
    let (volume, last) = (order.volume, order.last());
    let kept: Vec<String> = plan
        .outline
        .sections
        .iter()
        .filter(|section| section.chapter.get() <= last)
        .map(|section| section.source.clone())
        .collect();
    let mut change = Change::default();
    if kept.len() < plan.outline.sections.len() {
        change = change.put(&layout::outline(volume), outline_text(&plan.outline.preface, &kept));
    }
    for chapter in plan.contracts.keys().filter(|chapter| chapter.get() > last) {
        change = change.remove(&layout::contract(volume, *chapter));
    }
    if let Some(schedule) = &plan.schedule {
        let fitted = schedule.fitted(order.first, order.chapters);
        if fitted != *schedule {
            change = change.put(&layout::schedule(volume), format::storylines::write_schedule(&fitted, None));
        }
    }
    let foreshadowing: Vec<Planned> = plan
        .foreshadowing
        .iter()
        .filter(|planned| planned.plant.is_none_or(|plant| plant.get() <= last))
        .map(|planned| Planned {
            advance: planned.advance.iter().copied().filter(|chapter| *chapter <= last).collect(),
            // What ends the book has no later chapter to resolve it in.
            target: planned
                .target
                .map(|(from, to)| if order.closing { (from.min(last), to.min(last)) } else { (from, to) }),
            ..planned.clone()
        })
        .collect();
    if foreshadowing == plan.foreshadowing {
        return change;
    }
    change.put(&layout::foreshadowing_plan(volume), format::foreshadowing::write_plan(&foreshadowing, None))
}

/// The author's notes that the prompt of a step has shown, one a line; on its draft only.
const NOTES: &str = ".draft/notes.md";

/// The change, with a note of what of `research/` the prompt has shown.
pub(crate) fn noted(change: Change, context: &PlanningContext, wish: &str) -> Change {
    let shown = research(context, wish).into_iter();
    let lines: String = shown.map(|note| format!("资料: {}/{}\n", layout::RESEARCH, note.name)).collect();
    if lines.is_empty() { change } else { change.put(NOTES, lines) }
}

/// Makes the step one commit of the book. Its body says what was asked for, and which notes the prompt has shown.
pub(crate) fn close_step(
    plan_draft: PlanDraft<'_, '_>,
    kind: Kind,
    step: Step,
    subject: &str,
    body: &str,
) -> Result<Done, RunError> {
    let closing = closing_of(&plan_draft, kind, step, subject, body)?;
    let commit = plan_draft.accept(closing)?;
    Ok(Done { commit, subject: subject.to_owned() })
}

/// Returns the message parts of a step's commit.
fn closing_of(
    plan_draft: &PlanDraft<'_, '_>,
    kind: Kind,
    step: Step,
    subject: &str,
    body: &str,
) -> Result<Closing, RunError> {
    let notes = plan_draft.read(NOTES)?.unwrap_or_default();
    let body = format!("{body}\n\n{}", String::from_utf8_lossy(&notes)).trim().to_owned();
    let trailers = vec![(STEP, step.to_string())];
    Ok(Closing { kind, subject: subject.to_owned(), body, trailers, checkpoint: unchanged() })
}

fn close_plan(plan_draft: PlanDraft<'_, '_>, draft: &Draft) -> Result<Done, RunError> {
    let (volume, order) = (draft.order.volume, &draft.order);
    // A plan that has waited since before a change of the formats.
    let older = BookView::new(&plan_draft.snapshot()?).brought_up(&[format!("{}/{volume}", layout::VOLUMES)])?;
    if older != Change::default() {
        plan_draft.commit(PlanStage::Contracts, older, "in the present notation")?;
    }
    if let Some(change) = activate_storylines(&BookView::new(&plan_draft.snapshot()?), &draft.plan)? {
        plan_draft.commit(PlanStage::Schedule, change, "its storylines run")?;
    }
    let unscheduled = if order.fill { "补全" } else { "试写" };
    let theme = draft.plan.schedule.as_ref().map_or(unscheduled, |schedule| schedule.theme.as_str());
    let subject = format!("plan {volume}: {theme}, chapters {} to {}", order.first, order.last());
    let mut body = draft.plan.outline.preface.trim().to_owned();
    // Advice that the author has heard and passed over stays on record.
    for flaw in &draft.flaws {
        body.push_str(&format!("\n- {}", flaw_in_chinese(flaw)));
    }
    let trial = order.trial;
    let checkpoint = Box::new(move |before: Checkpoint| Checkpoint {
        phase: if trial { Phase::QuickStart } else { Phase::Writing },
        volume,
        pending: Vec::new(),
        ..before
    });
    let mut trailers =
        vec![(key::VOLUME, volume.get().to_string()), (STEP, if trial { "trial" } else { "volume" }.to_owned())];
    if !trial {
        trailers.push((crate::pipeline::workflow::ANSWER, Answer::Approve.to_string()));
    }
    let commit =
        plan_draft.accept(Closing { kind: Kind::Plan, subject: subject.clone(), body, trailers, checkpoint })?;
    Ok(Done { commit, subject })
}

/// Updates the storylines from a volume's schedule: see [`Storylines::take_up`].
fn activate_storylines(view: &BookView<'_, '_>, plan: &Plan) -> Result<Option<Change>, RunError> {
    let before = view.storylines()?;
    let mut storylines = before.clone();
    plan.schedule.iter().for_each(|schedule| storylines.take_up(schedule));
    if storylines == before {
        return Ok(None);
    }
    let previous = view.bytes(layout::STORYLINES)?;
    let bytes = format::storylines::write(&storylines, previous.as_deref());
    Ok(Some(Change::default().put(layout::STORYLINES, bytes)))
}

/// A request in words: one to do a thing again is another than to do it.
fn request_key(request: &str, afresh: bool) -> String {
    if afresh { format!("afresh\n{request}") } else { request.to_owned() }
}

/// `1 rule`, `3 pages`, for subjects of commits.
fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn world_change(
    view: &BookView<'_, '_>,
    context: &PlanningContext,
    reading: WorldReading,
) -> Result<(Change, String), RunError> {
    let WorldReading { rules, pages, storyline } = reading;
    let first = context.rules.is_empty();
    let mut all = context.rules.clone();
    let limit = if first { world_builder::FIRST_RULES } else { usize::MAX };
    let from = if context.last_completed == 0 { 0 } else { context.last_completed + 1 };
    for rule in rules {
        // A rule that the world has, or that the answer says twice, is one rule.
        if all.len() - context.rules.len() < limit && all.iter().all(|known| known.rule != rule.rule) {
            let id = free_rule(&all);
            all.push(Rule { id, introduced_chapter: from, ..rule });
        }
    }
    let added = all.len() - context.rules.len();
    let previous = view.bytes(layout::WORLD_RULES)?;
    let mut change = Change::default().put(layout::WORLD_RULES, format::rules::write(&all, previous.as_deref()));
    for (name, text) in &pages {
        change = change.put(&layout::BookPath::World(format!("{name}.md")).path(), format!("{}\n", text.trim()));
    }
    // A new book's main line has a name and a text once the world suggests some; the author's own words stand.
    if let (true, Some((name, description))) = (first, storyline) {
        let mut storylines = context.storylines.clone();
        if let Some(line) = storylines.lines.first_mut().filter(|line| line.name == "主线") {
            line.name = name;
            line.description = if line.description.trim().is_empty() { description } else { line.description.clone() };
            let previous = view.bytes(layout::STORYLINES)?;
            change = change.put(layout::STORYLINES, format::storylines::write(&storylines, previous.as_deref()));
        }
    }
    Ok((change, format!("{}, {}", counted(added, "rule"), counted(pages.len(), "page"))))
}

/// The next id of the form `W-004`.
fn free_rule(rules: &[Rule]) -> String {
    let numbers = rules.iter().filter_map(|rule| rule.id.strip_prefix("W-")?.parse::<u32>().ok());
    format!("W-{:03}", numbers.max().unwrap_or(0) + 1)
}

/// The brief with what it is about under its headings. Where the author has written something, that stands, and the new
/// text follows it; with `afresh` it takes the place of what stands there.
fn brief_with(brief: &str, reading: &ThemeReading, afresh: bool) -> String {
    let texts = [
        ("## 一句话", &reading.logline),
        ("## 主题", &reading.theme),
        ("## 核心冲突", &reading.conflict),
        ("## 结局方向", &reading.ending),
    ];
    let mut lines: Vec<String> = brief.trim_end().lines().map(str::to_owned).collect();
    for (heading, text) in texts.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        let text = text.lines().map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join("\n");
        let Some(at) = lines.iter().position(|line| line.trim() == heading) else {
            lines.extend([String::new(), heading.to_owned(), String::new(), text]);
            continue;
        };
        if afresh {
            let words = |line: &String| !(line.starts_with('#') || line.trim_start().starts_with("<!--"));
            let said = lines[at + 1..].iter().take_while(|line| words(line)).count();
            lines.drain(at + 1..at + 1 + said);
            lines.insert(at + 1, String::new());
        }
        let end = lines[at + 1..].iter().position(|line| line.starts_with('#')).map_or(lines.len(), |n| at + 1 + n);
        let section = lines[at + 1..end].join("\n");
        if section.contains(&text) {
            continue;
        }
        // Before the template's advice, behind the author's words.
        let advice = lines[at + 1..end].iter().position(|line| line.trim_start().starts_with("<!--"));
        let insert = advice.map_or(end, |n| at + 1 + n);
        let insert =
            if advice.is_none() && insert > at + 1 && lines[insert - 1].is_empty() { insert - 1 } else { insert };
        let before = if lines[insert - 1].is_empty() { Vec::new() } else { vec![String::new()] };
        lines.splice(insert..insert, before.into_iter().chain([text, String::new()]));
    }
    lines.join("\n") + "\n"
}

fn cast_change(
    view: &BookView<'_, '_>,
    context: &PlanningContext,
    request: &CastRequest,
    afresh: bool,
    reading: character_weaver::CastReading,
) -> Result<(Change, String), RunError> {
    let first = matches!(request, CastRequest::First { .. });
    let updated = match request {
        CastRequest::Update { id, .. } => Some(id),
        _ => None,
    };
    let most = if first { 3 } else { 1 };
    let retired = view.retired()?;
    let mut people = context.characters.clone();
    let mut changed: Vec<Slug> = Vec::new();
    for person in reading.people.into_iter().take(most) {
        let known = people.iter().position(|known| match updated {
            Some(id) => known.id == *id,
            None => known.display_name == person.name,
        });
        // A new person never takes the place of one whom the author has described.
        if let (Some(at), None) = (known, updated)
            && !(afresh || is_stub(&people[at]))
        {
            continue;
        }
        let taken = |id: &Slug| people.iter().any(|known| known.id == *id) || retired.contains(id);
        let id = match known {
            Some(at) => people[at].id.clone(),
            None => match free_slug(&person.name, &taken) {
                Some(id) => id,
                None => continue,
            },
        };
        let main = context.storylines.lines.first().map(|line| line.id.clone());
        let old = known.map(|at| people[at].clone());
        let contracts = contracts_of(&id, &person.contracts, old.as_ref(), context.last_completed);
        let character = Character {
            id: id.clone(),
            display_name: old.as_ref().map_or_else(|| person.name.clone(), |old| old.display_name.clone()),
            aliases: person.aliases,
            role: person
                .role
                .or_else(|| old.as_ref().map(|old| old.role.clone()))
                .unwrap_or_else(|| "supporting".into()),
            storylines: old
                .filter(|old| !old.storylines.is_empty())
                .map_or_else(|| main.into_iter().collect(), |old| old.storylines),
            speech: person.speech,
            profile: format!("# {}\n\n{}", person.name, person.profile.trim()),
            contracts,
        };
        changed.push(id);
        match known {
            Some(at) => people[at] = character,
            None => people.push(character),
        }
    }
    let mut change = Change::default();
    for person in people.iter().filter(|person| changed.contains(&person.id)) {
        let path = layout::character(&person.id);
        let previous = view.bytes(&path)?;
        change = change
            .put(&path, format::character::write(person, previous.as_deref()))
            .put(&layout::profile(&person.id), format::character::write_profile(person));
    }
    let relationships = related(&context.relationships, &people, &reading.relations);
    if relationships != context.relationships {
        let previous = view.bytes(layout::RELATIONSHIPS)?;
        change = change.put(layout::RELATIONSHIPS, format::relationships::write(&relationships, previous.as_deref()));
    }
    let seen = seen_through(&context.storylines, &people);
    if seen != context.storylines {
        let previous = view.bytes(layout::STORYLINES)?;
        change = change.put(layout::STORYLINES, format::storylines::write(&seen, previous.as_deref()));
    }
    let names: Vec<&str> = people
        .iter()
        .filter(|person| changed.contains(&person.id))
        .map(|person| person.display_name.as_str())
        .collect();
    Ok((change, if names.is_empty() { "nobody new".to_owned() } else { names.join("、") }))
}

/// A character of whom nothing is known but the name and what the author said at `init`.
fn is_stub(person: &Character) -> bool {
    person.contracts.is_empty() && person.speech.trim().is_empty()
}

/// Contracts with their ids: one whose words stay has the id that it had.
fn contracts_of(
    id: &Slug,
    readings: &[character_weaver::ContractReading],
    old: Option<&Character>,
    last_completed: u32,
) -> Vec<CharacterContract> {
    let stem: String = id.as_str().chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let known: &[CharacterContract] = old.map_or(&[], |old| &old.contracts);
    let used: BTreeSet<&str> = known.iter().map(|contract| contract.id.as_str()).collect();
    let mut free = (1u32..).map(|n| format!("C-{stem}-{n:03}")).filter(|id| !used.contains(id.as_str()));
    let contract = |reading: &character_weaver::ContractReading| {
        let same = known.iter().find(|contract| contract.rule == reading.rule);
        let reading = same.map_or_else(|| reading.clone(), |contract| reading.of_known(contract));
        CharacterContract {
            id: same.map_or_else(|| free.next().unwrap_or_default(), |contract| contract.id.clone()),
            kind: reading.kind,
            rule: reading.rule,
            exceptions: reading.exceptions,
            valid_from: same
                .map_or(if last_completed == 0 { 1 } else { last_completed + 1 }, |contract| contract.valid_from),
            valid_until: same.and_then(|contract| contract.valid_until),
            update_requires: reading.update_requires,
        }
    };
    readings.iter().map(contract).collect()
}

/// The relationships with those that the agent names, by the names of people whom the book knows.
fn related(
    known: &[Relationship],
    people: &[Character],
    readings: &[character_weaver::RelationReading],
) -> Vec<Relationship> {
    let id = |name: &str| {
        let named = people.iter().find(|p| p.display_name == name || p.aliases.iter().any(|alias| alias == name));
        named.map(|person| person.id.clone())
    };
    let mut all = known.to_vec();
    for reading in readings {
        let (Some(from), Some(to)) = (id(&reading.from), id(&reading.to)) else { continue };
        if from == to {
            continue;
        }
        let new = Relationship { from, to, kind: reading.kind.clone(), note: reading.note.clone() };
        match all.iter_mut().find(|old| old.from == new.from && old.to == new.to) {
            Some(old) => *old = new,
            None => all.push(new),
        }
    }
    all
}

/// The main line is told through the protagonist until somebody says otherwise.
fn seen_through(storylines: &Storylines, people: &[Character]) -> Storylines {
    let mut storylines = storylines.clone();
    let protagonist = people.iter().find(|person| person.role == "protagonist");
    if let (Some(line), Some(protagonist)) = (storylines.lines.first_mut(), protagonist)
        && line.pov_characters.is_empty()
    {
        line.pov_characters.push(protagonist.display_name.clone());
    }
    storylines
}

impl<'b> BookView<'_, 'b> {
    /// The chapters of an outline that are written.
    fn written_sections(&self, outline: &Outline) -> Result<Vec<Section>, RunError> {
        let last = self.checkpoint()?.last_completed;
        Ok(outline.sections.iter().filter(|section| section.chapter.get() <= last).cloned().collect())
    }

    /// The contracts that followed from the outline when they were last written.
    fn derived_before(&self, volume: VolumeNo) -> Result<BTreeMap<ChapterNo, ChapterContract>, RunError> {
        let Some(bytes) = self.bytes(DERIVED)? else { return Ok(BTreeMap::new()) };
        let all: BTreeMap<String, String> = serde_json::from_slice(&bytes).unwrap_or_default();
        let main = Slug::new("main-arc").map_err(|_| RunError::Missing { path: layout::outline(volume) })?;
        let read = |(number, text): (String, String)| {
            let chapter = ChapterNo::new(number.parse().ok()?)?;
            Some((chapter, format::contract::read(&main, text.as_bytes()).ok()?))
        };
        Ok(all.into_iter().filter_map(read).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(tasks: [&str; 3]) -> Outline {
        let section = |(n, task): (usize, &str)| {
            format!(
                "## 第{n}章 题{n}\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 渡口\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: {task}\n\
                 - 状态变化: 事{n}\n\n"
            )
        };
        Outline::parse(&(1..).zip(tasks).map(section).collect::<String>()).unwrap()
    }

    #[test]
    fn a_wrong_or_missing_word_needs_no_second_question() {
        let id = Slug::new("lamp").unwrap();
        let at = |n| ChapterNo::new(n).unwrap();
        let twice = outline(["埋设 lamp：灯", "埋设 lamp：又亮", "无"]);
        let flaw = Flaw::Order { id: id.clone(), chapter: at(2), action: Action::Planted };
        let fixed = mended(&twice, &flaw, false).unwrap();
        assert!(fixed.sections[1].source.contains("- 伏笔: 推进 lamp：又亮") && fixed.sections[0] == twice.sections[0]);
        let untold = Flaw::Untold { id: id.clone(), chapter: at(3), action: Action::Advanced };
        assert!(mended(&twice, &untold, false).unwrap().sections[2].source.contains("- 伏笔: 推进 lamp：按"));
        let contrary = Flaw::Untold { id: id.clone(), chapter: at(2), action: Action::Advanced };
        assert_eq!(mended(&twice, &contrary, false), None, "it is planted there already");
        let loose = outline(["推进 lamp：灯", "无", "无"]);
        let unplanned = Flaw::Unplanned { id, chapter: at(1) };
        assert!(mended(&loose, &unplanned, true).unwrap().sections[0].source.contains("埋设 lamp：灯"));
        assert_eq!(mended(&loose, &unplanned, false), None, "a schedule says what is planted");
        assert_eq!(mended(&loose, &Flaw::NoConflict(at(1)), true), None);
    }
}
