//! A volume's plan: asked for piece by piece, repaired once, and accepted by the author.

use crate::agents::VolumeOrder;
use crate::agents::planners::context::flaw_in_chinese;
use crate::agents::planners::plot_architect::outline::{self, BATCH};
use crate::agents::planners::plot_architect::schedule;
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::domain::workflow::Answer;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::migrate;
use crate::pipeline::book::names;
use crate::pipeline::book::planning_context;
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::pipeline::engine::ask::ASK_AGAIN;
use crate::pipeline::engine::call_record::draft_file;
use crate::pipeline::planning::draft::{Closing, PlanDraft, PlanResult};
use crate::pipeline::planning::impact::order;
use crate::pipeline::planning::step::require;
use crate::pipeline::planning::volume_changes::{self, contracts_change, fitted, outline_change, schedule_change};
use crate::pipeline::prelude::*;
use crate::store;
use serde_json::{Value, json};

/// The order of the volume's plan; on its draft only.
const ORDER: &str = ".draft/order.json";

/// A volume's plan under review.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeDraft {
    pub order: VolumeOrder,
    pub plan: Plan,
    pub flaws: Vec<Flaw>,
    /// Whether it is complete and waits for the author.
    pub waits: bool,
    /// The folder in `staging/` where the author may change it.
    pub folder: String,
}

impl VolumeDraft {
    /// Whether the author may approve it.
    pub fn is_sound(&self) -> bool {
        !self.flaws.iter().any(Flaw::blocks)
    }
}

fn write_order(order: &VolumeOrder) -> Result<Vec<u8>, RunError> {
    let VolumeOrder { volume, first, chapters, wish, trial, closing, fill } = order;
    let order = json!({
        "volume": volume.get(), "first": first, "chapters": chapters, "wish": wish, "trial": trial, "closing": closing, "fill": fill,
    });
    Ok(draft_file(&order, ORDER)?)
}

/// Reads an order; `closing` and `fill` are missing in older ones.
fn read_order(bytes: &[u8]) -> Option<VolumeOrder> {
    let order: Value = serde_json::from_slice(bytes).ok()?;
    let number = |key: &str| u32::try_from(order[key].as_u64()?).ok();
    let (volume, wish) = (VolumeNo::new(number("volume")?)?, order["wish"].as_str()?.to_owned());
    let [trial, closing, fill] = ["trial", "closing", "fill"].map(|key| order[key] == true);
    Some(VolumeOrder { volume, first: number("first")?, chapters: number("chapters")?, wish, trial, closing, fill })
}

/// Plans the volume as ordered, until the plan waits for the author; trial chapters need no word of the author's and
/// come back as `None` once they are in the book.
pub async fn plan_volume(run: &Run<'_>, order: &VolumeOrder) -> Result<Option<VolumeDraft>, RunError> {
    hand_edits::commit_local_changes(run)?;
    run.keep_old_names()?;
    migrate::bring_up(run)?;
    let volume = order.volume;
    // An outline of the author's own needs no world before it.
    if !order.fill {
        require(run.session.book(), Step::Trial)?;
    }
    let plan_draft = plan_draft(run, order)?;
    if plan_draft.read(ORDER)?.is_none() {
        let change = Change::default().put(ORDER, write_order(order)?);
        plan_draft.commit(PlanStage::Resize, change, StageNote::Chapters(order.chapters))?;
    }
    let mut result = Ok(());
    if order.fill {
        result = run.fill_on(&plan_draft, order).await;
    }
    if result.is_ok() {
        result = plan_on(&plan_draft).await;
    }
    if let Err(error) = result {
        let _ = plan_draft.show();
        return Err(error);
    }
    let draft = read_draft(plan_draft.snapshot()?, volume)?.ok_or(RunError::NothingToDecide)?;
    if draft.order.trial && draft.is_sound() {
        close_plan(plan_draft, &draft)?;
        return Ok(None);
    }
    plan_draft.show()?;
    Ok(Some(draft))
}

/// Asks for whatever the plan lacks, and for one repair of what is wrong with it.
async fn plan_on(plan_draft: &PlanDraft<'_, '_>) -> Result<(), RunError> {
    plan_draft.take_up()?;
    loop {
        let view = BookView::new(plan_draft.snapshot()?);
        let order = order_of(&view)?.ok_or(RunError::NothingToDecide)?;
        let (context, plan) = (planning_context::of_book(&view)?, planning_context::plan_of(&view, order.volume)?);
        let basis = planning_context::basis(&view, &order)?;
        match next(&order, &plan, &basis, order.fill || plan_draft.is_repaired()?, batch(plan_draft)?) {
            Ask::Schedule(flaws) => {
                let kept = volume_changes::written_sections(&view, &plan.outline)?;
                let task = Task::Schedule { context: &context, order: &order, kept: &kept, flaws: &flaws };
                let read = |reply: &str| schedule::read(reply, &order);
                let change = |reading| {
                    schedule_change(&view, &order, &plan, &context, reading)
                        .map(|result| PlanResult { repairs: flaws.len(), ..result })
                };
                plan_draft.ask(PlanStage::Schedule, &task, read, change).await?;
            }
            Ask::Outline { chapters, flaws } => {
                let task = Task::Outline { context: &context, order: &order, plan: &plan, chapters, flaws: &flaws };
                let read = |reply: &str| outline::read(reply, chapters.0, chapters.1);
                let change = |sections| {
                    let result = outline_change(&order, &plan, &basis, chapters.0..=chapters.1, sections)?;
                    Ok(PlanResult { repairs: flaws.len(), ..result })
                };
                plan_draft.ask(PlanStage::Outline, &task, read, change).await?;
            }
            Ask::Contracts => {
                let (change, count) = contracts_change(&view, &order, &plan, &basis)?;
                if change == Change::default() {
                    return Ok(());
                }
                plan_draft.commit(PlanStage::Contracts, change, StageNote::Contracts(count))?;
            }
        }
    }
}

/// Makes the plan under review part of the book.
/// Fails with [`RunError::NothingToDecide`] when no plan waits, [`RunError::FlawedPlan`] when it may not be used as it is.
pub fn approve_plan(run: &Run<'_>, volume: VolumeNo) -> Result<Done, RunError> {
    let (plan_draft, draft) = reopen(run, volume)?;
    if !draft.waits {
        return Err(RunError::NothingToDecide);
    }
    if !draft.is_sound() {
        plan_draft.show()?;
        return Err(RunError::FlawedPlan { volume, flaws: draft.flaws, folder: draft.folder });
    }
    close_plan(plan_draft, &draft)
}

/// Applies the author's edits of the plan in `staging/`: contracts follow the chapters that changed.
/// Fails with [`RunError::NothingToDecide`] when there is no plan, [`RunError::Outline`] when its outline cannot be read.
pub fn review_plan(run: &Run<'_>, volume: VolumeNo) -> Result<VolumeDraft, RunError> {
    let (plan_draft, draft) = reopen(run, volume)?;
    plan_draft.show()?;
    Ok(draft)
}

/// Shows the draft of a chapter or of a plan in `staging/`, where it has got far enough to be looked at.
/// Fails when it cannot be opened as it is.
pub fn show_draft(run: &Run<'_>, work: Work) -> Result<(), RunError> {
    match work {
        Work::Chapter(chapter) => Ok(ChapterDraft::open(run, chapter)?.show()?),
        Work::Plan(volume) => review_plan(run, volume).map(|_| ()),
        _ => Ok(()),
    }
}

/// Puts the plan aside. It stays reachable under the ref that comes back.
/// Fails with [`RunError::NothingToDecide`] when there is no plan.
pub fn reject_plan(run: &Run<'_>, volume: VolumeNo) -> Result<Option<String>, RunError> {
    let plan_draft = plan_draft(run, &standing_order(run, volume)?)?;
    plan_draft.take_up()?;
    plan_draft.session.abandon()
}

/// Gives the volume another number of chapters: what is beyond it goes, what is missing is asked for by the next
/// [`plan_volume`].
/// Fails with [`RunError::NothingToDecide`] when there is no plan, [`RunError::TooFewChapters`] when as many are written
/// already.
pub fn resize_plan(run: &Run<'_>, volume: VolumeNo, chapters: u32) -> Result<VolumeOrder, RunError> {
    let (plan_draft, draft) = match reopen(run, volume) {
        Err(RunError::NothingToDecide) => reopen_approved(run, volume, chapters)?,
        reopened => {
            let (plan_draft, draft) = reopened?;
            refuse_too_few(&BookView::new(plan_draft.snapshot()?), &draft.order, chapters)?;
            (plan_draft, draft)
        }
    };
    let order = VolumeOrder { chapters, ..draft.order };
    let change = fitted(&order, &draft.plan).put(ORDER, write_order(&order)?);
    plan_draft.commit(PlanStage::Resize, change, StageNote::Chapters(chapters))?;
    plan_draft.show()?;
    Ok(order)
}

/// Sends the flaws of the plan back to the planner, who mends them in the next call of [`plan_volume`].
/// Fails with [`RunError::NothingToDecide`] when there is no plan.
pub fn mend_plan(run: &Run<'_>, volume: VolumeNo) -> Result<VolumeOrder, RunError> {
    let (plan_draft, draft) = reopen(run, volume)?;
    if !draft.is_sound() {
        let flaws = draft.flaws.iter().filter(|flaw| flaw.blocks()).count();
        plan_draft.commit(PlanStage::Mend, Change::default(), StageNote::Flaws(flaws))?;
    }
    plan_draft.show()?;
    Ok(draft.order)
}

fn standing_order(run: &Run<'_>, volume: VolumeNo) -> Result<VolumeOrder, RunError> {
    let book = run.session.book();
    let tip = store::draft::draft_tip(book, Work::Plan(volume))?.ok_or(RunError::NothingToDecide)?;
    order_of(&book.snapshot_of(tip)?)?.ok_or(RunError::NothingToDecide)
}

fn plan_draft<'a, 'b>(run: &'a Run<'b>, order: &VolumeOrder) -> Result<PlanDraft<'a, 'b>, RunError> {
    let scope = DraftFiles::new([format!("volumes/{}/", order.volume), layout::STORYLINES.to_owned()]);
    PlanDraft::open(run, Work::Plan(order.volume), &request_of(order), scope)
}

/// The approved plan, which waits for the author again, with another number of chapters.
fn reopen_approved<'a, 'b>(
    run: &'a Run<'b>,
    volume: VolumeNo,
    chapters: u32,
) -> Result<(PlanDraft<'a, 'b>, VolumeDraft), RunError> {
    hand_edits::commit_local_changes(run)?;
    let view = BookView::new(run.session.book().snapshot()?);
    let plan = planning_context::plan_of(&view, volume)?;
    let (first, _) = plan.outline.range().ok_or(RunError::NothingToDecide)?;
    // An outline of the author's own has no schedule, and is no trial.
    let order = VolumeOrder { trial: false, fill: plan.schedule.is_none(), ..order(volume, first, &plan) };
    refuse_too_few(&view, &order, chapters)?;
    let plan_draft = plan_draft(run, &order)?;
    let change = Change::default().put(ORDER, write_order(&order)?);
    plan_draft.commit(PlanStage::Resize, change, StageNote::Chapters(order.chapters))?;
    let draft = read_draft(plan_draft.snapshot()?, volume)?.ok_or(RunError::NothingToDecide)?;
    Ok((plan_draft, draft))
}

/// The plan that is there, with the author's changes taken up.
fn reopen<'a, 'b>(run: &'a Run<'b>, volume: VolumeNo) -> Result<(PlanDraft<'a, 'b>, VolumeDraft), RunError> {
    let order = standing_order(run, volume)?;
    hand_edits::commit_local_changes(run)?;
    let plan_draft = plan_draft(run, &order)?;
    plan_draft.take_up()?;
    let view = BookView::new(plan_draft.snapshot()?);
    let order = order_of(&view)?.ok_or(RunError::NothingToDecide)?;
    let plan = planning_context::plan_of(&view, volume)?;
    if is_whole(&order, &plan) {
        let (change, count) = contracts_change(&view, &order, &plan, &planning_context::basis(&view, &order)?)?;
        if change != Change::default() {
            plan_draft.commit(PlanStage::Contracts, change, StageNote::Contracts(count))?;
        }
    }
    let draft = read_draft(plan_draft.snapshot()?, volume)?.ok_or(RunError::NothingToDecide)?;
    Ok((plan_draft, draft))
}

/// Fails with [`RunError::TooFewChapters`] where the written chapters of the volume are more.
fn refuse_too_few(view: &BookView<'_>, order: &VolumeOrder, chapters: u32) -> Result<(), RunError> {
    let least = (view.checkpoint()?.last_completed + 1).saturating_sub(order.first).max(1);
    if chapters < least {
        return Err(RunError::TooFewChapters { volume: order.volume, chapters, least });
    }
    Ok(())
}

/// The orders of the plans that are being made or wait for the author, the earliest volume first. Reads only.
pub fn orders(book: &Book) -> Result<Vec<VolumeOrder>, RunError> {
    let mut found = Vec::new();
    for (work, tip) in store::closing::drafts(book)? {
        if let Work::Plan(_) = work {
            found.extend(order_of(&book.snapshot_of(tip)?)?);
        }
    }
    found.sort_by_key(|order| order.volume);
    Ok(found)
}

/// The plans that are being made or wait for the author, the earliest volume first. Reads only.
pub fn drafts(book: &Book) -> Result<Vec<VolumeDraft>, RunError> {
    Ok(drafts_at(book)?.into_iter().map(|(_, draft)| draft).collect())
}

/// A volume's plan as the book has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Approved {
    pub volume: VolumeNo,
    pub plan: Plan,
    /// How many of its chapters are written.
    pub written: usize,
}

/// The approved plan of the volume, or of the last volume that has one; `None` where no chapter is planned. Reads only.
pub fn approved(book: &Book, volume: Option<VolumeNo>) -> Result<Option<Approved>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let last = view.checkpoint()?.last_completed;
    let volumes = volume.map_or_else(|| view.volumes(), |volume| Ok(vec![volume]))?;
    for volume in volumes.into_iter().rev() {
        let plan = planning_context::plan_of(&view, volume)?;
        if !plan.outline.sections.is_empty() {
            let written = plan.outline.sections.iter().filter(|section| section.chapter.get() <= last).count();
            return Ok(Some(Approved { volume, plan, written }));
        }
    }
    Ok(None)
}

/// The same as [`drafts`], each with the tip of its branch.
pub(crate) fn drafts_at(book: &Book) -> Result<Vec<(CommitId, VolumeDraft)>, RunError> {
    let mut found = Vec::new();
    for (work, tip) in store::closing::drafts(book)? {
        if let Work::Plan(volume) = work {
            found.extend(read_draft(book.snapshot_of(tip)?, volume)?.map(|draft| (tip, draft)));
        }
    }
    found.sort_by_key(|(_, draft)| draft.order.volume);
    Ok(found)
}

/// The names of the things of the book with the plan of the volume that is being made or waits, by id. Reads only.
pub fn names(book: &Book, volume: VolumeNo) -> Result<BTreeMap<String, String>, RunError> {
    let draft = store::closing::drafts(book)?.into_iter().find(|(work, _)| *work == Work::Plan(volume));
    let snapshot = draft.map_or_else(|| book.snapshot(), |(_, tip)| book.snapshot_of(tip))?;
    Ok(names::names_by_id(&BookView::new(snapshot)))
}

fn read_draft(snapshot: Snapshot<'_>, volume: VolumeNo) -> Result<Option<VolumeDraft>, RunError> {
    let Some(order) = order_of(&snapshot)? else { return Ok(None) };
    let view = BookView::new(snapshot);
    let folder = format!("staging/volumes/{volume}");
    if order.fill && view.outline_with_gaps(volume)?.is_some_and(|(_, _, gaps)| !gaps.is_empty()) {
        return Ok(Some(VolumeDraft { order, plan: Plan::default(), flaws: Vec::new(), waits: false, folder }));
    }
    let plan = planning_context::plan_of(&view, volume)?;
    let waits = is_whole(&order, &plan) && !plan.contracts.is_empty();
    let flaws = if waits { plan.flaws(&planning_context::basis(&view, &order)?) } else { Vec::new() };
    Ok(Some(VolumeDraft { order, plan, flaws, waits, folder }))
}

fn order_of(snapshot: &Snapshot<'_>) -> Result<Option<VolumeOrder>, RunError> {
    Ok(snapshot.read(ORDER)?.as_deref().and_then(read_order))
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

/// How many chapters are outlined in one answer. A model that has failed at so many is asked for fewer, in the end for one.
pub(crate) fn batch(plan_draft: &PlanDraft<'_, '_>) -> Result<u32, RunError> {
    let faults = u32::try_from(plan_draft.faults_of(PlanStage::Outline)?).unwrap_or(u32::MAX);
    Ok(BATCH.checked_shr(faults / ASK_AGAIN).unwrap_or(0).max(1))
}

/// The next part that the plan lacks.
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

fn close_plan(plan_draft: PlanDraft<'_, '_>, draft: &VolumeDraft) -> Result<Done, RunError> {
    let (volume, order) = (draft.order.volume, &draft.order);
    // A plan that has waited since before a change of the formats.
    let older =
        migrate::brought_up(&BookView::new(plan_draft.snapshot()?), &[format!("{}/{volume}", layout::VOLUMES)])?;
    if older != Change::default() {
        plan_draft.commit(PlanStage::Contracts, older, StageNote::Migrated)?;
    }
    if let Some(change) = activate_storylines(&BookView::new(plan_draft.snapshot()?), &draft.plan)? {
        plan_draft.commit(PlanStage::Schedule, change, StageNote::StorylinesRun)?;
    }
    let unscheduled = if order.fill { "补全" } else { "试写" };
    let theme = draft.plan.schedule.as_ref().map_or(unscheduled, |schedule| schedule.theme.as_str());
    let subject = Subject::Plan(volume, theme.to_owned(), [order.first, order.last()]);
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
        trailers.push((key::ANSWER, Answer::Approve.to_string()));
    }
    plan_draft.accept(Closing { kind: Kind::Plan, subject, body, trailers, checkpoint })
}

/// Updates the storylines from a volume's schedule: see [`Storylines::take_up`].
fn activate_storylines(view: &BookView<'_>, plan: &Plan) -> Result<Option<Change>, RunError> {
    let before = files::storylines(view)?;
    let mut storylines = before.clone();
    plan.schedule.iter().for_each(|schedule| storylines.take_up(schedule));
    if storylines == before {
        return Ok(None);
    }
    let write = |was: Option<&[u8]>| format::storylines::write(&storylines, was);
    view.put(Change::default(), layout::STORYLINES, write).map(Some)
}
