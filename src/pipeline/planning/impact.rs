//! The changes since the plans were settled, the things that they affect, and bringing these up to date (row R10).

use crate::agents::call::prompt::hash_of;
use crate::agents::planners::plot_architect::outline::{self, BATCH};
use crate::agents::planners::{amendments, character_weaver};
use crate::agents::{CastRequest, PlanningContext, VolumeOrder};
use crate::domain::impact::{BookSnapshot, Impact, Item, PlannedVolume, Touched};
use crate::domain::volume::plan::{Flaw, Plan};
use crate::domain::world::contract::Rule;
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::on_disk::{plans_on_disk, usable_edits};
use crate::pipeline::book::planning_context;
use crate::pipeline::engine::trailer::SINCE;
use crate::pipeline::planning::draft::{Closing, PlanDraft, PlanResult};
use crate::pipeline::planning::settled::{PLANS, carried, earlier, settled};
use crate::pipeline::planning::step::{ModelUse, StepOutcome, unchanged};
use crate::pipeline::planning::volume_changes::WrittenOutline;
use crate::pipeline::prelude::*;

/// At most so many ways are written into the commit.
const TOLD: usize = 40;

/// Two versions of a book, and the things that their difference affects.
#[derive(Debug, Clone, PartialEq)]
pub struct BookComparison {
    pub since: CommitId,
    pub before: BookSnapshot,
    pub now: BookSnapshot,
    /// The changes, and the things that they affect.
    pub impact: Impact,
}

/// Compares the plans of the book as they are on disk with those of an earlier one. Reads only, and counts changes that are in no commit.
/// Fails with [`RunError::NoSuchRevision`], [`RunError::BrokenEdit`]; when a file is not of its format.
pub fn compare(book: &Book, since: Option<&str>) -> Result<BookComparison, RunError> {
    let base = settled(book, since)?;
    between(book, base, &plans_on_disk(book)?)
}

/// Compares the plans of the view with those that were settled. Reads only.
pub(super) fn since_settled(book: &Book, now: &BookView<'_>) -> Result<BookComparison, RunError> {
    between(book, settled(book, None)?, now)
}

/// Compares what the volume's plan rests on with the book as its plans were settled; `None` where nothing is left behind. The other
/// volumes are not read, so that the time does not grow with the book.
pub(super) fn of_volume(book: &Book, now: &BookView<'_>, volume: VolumeNo) -> Result<Option<BookComparison>, RunError> {
    let base = settled(book, None)?;
    let of_plan = format!("volumes/{volume}/");
    let rests_on = |path: &str| path.starts_with(&of_plan) || is_rested_on(path);
    let as_it_was = book.snapshot_of(base)?;
    let changed = now.changed_in(&PLANS, Some(&as_it_was))?;
    if !changed.iter().any(|path| rests_on(path)) && carried(book, base)?.is_empty() {
        return Ok(None);
    }
    let earlier = earlier(book, base, &rests_on, now)?;
    let written = now.checkpoint()?.last_completed;
    let (before, mut now) = (picture_of(&earlier, written, &[volume])?, picture_of(now, written, &[volume])?);
    now.know_names_of(&before);
    let comparison = BookComparison { since: base, impact: Impact::of(&before, &now, written), before, now }
        .with_own_contracts(book, written)?;
    Ok(comparison.impact.is_open().then_some(comparison))
}

/// True for a file, beside those of volumes, that plans rest on.
fn is_rested_on(path: &str) -> bool {
    path.starts_with(layout::ACTIVE_CHARACTERS) || [layout::WORLD_RULES, layout::STORYLINES].contains(&path)
}

fn between(book: &Book, since: CommitId, now: &BookView<'_>) -> Result<BookComparison, RunError> {
    let earlier = earlier(book, since, &|path| path.starts_with(layout::VOLUMES) || is_rested_on(path), now)?;
    let written = now.checkpoint()?.last_completed;
    let before = picture(&earlier, written)?;
    let mut now = picture(now, written)?;
    now.know_names_of(&before);
    BookComparison { since, impact: Impact::of(&before, &now, written), before, now }.with_own_contracts(book, written)
}

fn picture(view: &BookView<'_>, written: u32) -> Result<BookSnapshot, RunError> {
    picture_of(view, written, &view.volumes()?)
}

fn picture_of(view: &BookView<'_>, written: u32, volumes: &[VolumeNo]) -> Result<BookSnapshot, RunError> {
    // Notes that the program makes are no change of the author's.
    let unnoted = |rule: Rule| Rule { last_verified: None, ..rule };
    let mut storylines = files::storylines(view)?;
    storylines.lines.iter_mut().for_each(|line| line.introduced = None);
    storylines.relations.iter_mut().for_each(|relation| relation.bridges.shared_events.clear());
    let mut picture = BookSnapshot {
        rules: files::rules(view)?.into_iter().map(unnoted).collect(),
        characters: files::characters(view)?,
        storylines,
        volumes: BTreeMap::new(),
    };
    for &volume in volumes {
        let mut plan = planning_context::plan_of(view, volume)?;
        let Some((first, last)) = plan.outline.range() else { continue };
        let basis = match last.get() > written {
            true => Some(planning_context::basis(view, &order(volume, first, &plan))?),
            false => None,
        };
        for contract in plan.contracts.values_mut() {
            *contract = contract.clone().upgraded().without_picture();
        }
        plan.schedule.iter_mut().for_each(|schedule| schedule.newly_activated.clear());
        picture.volumes.insert(volume, PlannedVolume { plan, basis });
    }
    Ok(picture)
}

/// The volume as it would have been ordered.
pub(super) fn order(volume: VolumeNo, first: ChapterNo, plan: &Plan) -> VolumeOrder {
    let (chapters, trial) = (plan.outline.sections.len() as u32, plan.schedule.is_none());
    let closing = plan.schedule.as_ref().is_some_and(|schedule| schedule.closing);
    VolumeOrder { volume, first: first.get(), chapters, wish: String::new(), trial, closing, fill: false }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Regenerated {
    Done(Done),
    /// It changes contracts of people, and waits for the author.
    Waits,
    Nothing,
    /// A model has to be asked, and the caller does not allow it.
    Asks,
}

/// Brings everything up to date that the changes since the named commit, or since the plans were settled, affect:
/// contracts of characters, sections of chapters that are not written, and the contracts that follow. One
/// transaction. Contracts alone need no model.
pub async fn regenerate(
    run: &Run<'_>,
    since: Option<&str>,
    models: ModelUse,
) -> Result<(BookComparison, Regenerated), RunError> {
    let book = run.session.book();
    usable_edits(book)?;
    hand_edits::commit_local_changes(run)?;
    run.keep_old_names()?;
    let base = settled(book, since)?;
    let now = BookView::new(book.snapshot()?);
    let comparison = between(book, base, &now)?;
    if let Some(done) = regenerated_just_now(book, base, &now)? {
        return Ok((comparison, Regenerated::Done(done)));
    }
    if comparison.open().all(|touched| touched.waits) {
        return Ok((comparison, Regenerated::Nothing));
    }
    comparison.refuse_the_hopeless()?;
    if models == ModelUse::Refused && comparison.open().any(|touched| touched.revise) {
        return Ok((comparison, Regenerated::Asks));
    }
    let request = request_of(&comparison, &now)?;
    let plan_draft = PlanDraft::open(run, Work::Step(Step::Regenerate), &request, DraftFiles::default())?;
    let work = Regeneration { plan_draft, comparison: &comparison };
    work.people().await?;
    work.sections().await?;
    let flawed = work.contracts()?;
    if let Some((volume, flaws)) = flawed {
        work.plan_draft.session.abandon()?;
        return Err(RunError::FlawedRevision { volume, flaws });
    }
    let taken = work.close(run)?;
    let regenerated = match taken {
        StepOutcome::Done(done) => Regenerated::Done(done),
        StepOutcome::Waits(_) => Regenerated::Waits,
    };
    Ok((comparison, regenerated))
}

/// The regeneration that the very same request has led to: nothing that it looks at has changed since.
fn regenerated_just_now(book: &Book, base: CommitId, now: &BookView<'_>) -> Result<Option<Done>, RunError> {
    let Some(last) = direct_commit::newest(book)?.filter(|last| {
        last.trailers.get(STEP) == Some(Step::Regenerate.as_str()) && last.trailers.read(SINCE) == Some(base)
    }) else {
        return Ok(None);
    };
    let same = between(book, last.id, now)?.impact.changes.is_empty();
    Ok(same.then(|| last.into()))
}

/// Names everything that the work starts from: after another change of the author's it is begun again, so that nothing
/// which was made of an older text takes the place of a newer one.
fn request_of(comparison: &BookComparison, snapshot: &Snapshot<'_>) -> Result<String, RunError> {
    let mut paths = vec![layout::WORLD_RULES.to_owned(), layout::STORYLINES.to_owned()];
    paths.extend(snapshot.files(layout::ACTIVE_CHARACTERS)?);
    let open = comparison.now.volumes.iter().filter(|(_, planned)| planned.basis.is_some());
    for (volume, _) in open {
        paths.extend(snapshot.files(&format!("volumes/{volume}"))?);
    }
    let mut texts = Vec::new();
    for path in &paths {
        let bytes = snapshot.read(path)?.unwrap_or_default();
        texts.push((path.as_str(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    Ok(format!("since {}\n{}", comparison.since, hash_of(&texts)))
}

impl BookComparison {
    /// The work left on affected things.
    pub(super) fn open(&self) -> impl Iterator<Item = &Touched> {
        self.impact.touched.iter().filter(|touched| touched.is_open())
    }

    /// The chapters whose sections are to be written again, by volume.
    fn to_amend(&self) -> BTreeMap<VolumeNo, Vec<ChapterNo>> {
        let mut chapters: BTreeMap<VolumeNo, Vec<ChapterNo>> = BTreeMap::new();
        for touched in self.open().filter(|touched| touched.revise) {
            if let (Some(volume), Some(chapter)) = (touched.volume, touched.chapter()) {
                chapters.entry(volume).or_default().push(chapter);
            }
        }
        chapters
    }

    /// The contracts of characters that are to be written again, by character.
    fn to_reword(&self) -> BTreeMap<Slug, Vec<&Touched>> {
        let mut contracts: BTreeMap<Slug, Vec<&Touched>> = BTreeMap::new();
        for touched in self.open() {
            if let Item::CharacterContract(owner, _) = &touched.thing {
                contracts.entry(owner.clone()).or_default().push(touched);
            }
        }
        contracts
    }

    /// The changes that lead to any of these, in words for a model.
    fn causes<'t>(&self, touched: impl IntoIterator<Item = &'t Touched>) -> Vec<String> {
        let ways = touched.into_iter().flat_map(|touched| &touched.paths);
        let causes: BTreeSet<&Item> = ways.filter_map(|path| path.first()).collect();
        let changes = self.impact.changes.iter().filter(|change| causes.contains(&change.thing));
        changes.map(|change| amendments::in_words(change, &self.before, &self.now)).collect()
    }

    /// The blocking flaws of a volume's plan that it did not have before.
    fn new_flaws(&self, volume: VolumeNo, plan: &Plan, now: &PlannedVolume) -> Vec<Flaw> {
        let Some(basis) = &now.basis else { return Vec::new() };
        let before = self.before.volumes.get(&volume);
        let before = before.and_then(|before| Some(before.plan.flaws(before.basis.as_ref()?))).unwrap_or_default();
        let flaws = plan.flaws(basis).into_iter();
        flaws.filter(|flaw| flaw.blocks() && !before.contains(flaw)).collect()
    }

    /// The author's own changes may have left something that no answer can mend: that is said before anybody is asked.
    fn refuse_the_hopeless(&self) -> Result<(), RunError> {
        let amended = self.to_amend();
        for (volume, now) in self.now.volumes.iter().filter(|(_, now)| now.basis.is_some()) {
            if !self.open().any(|touched| touched.volume == Some(*volume)) {
                continue;
            }
            let mut plan = now.plan.clone();
            let derived = now.derived();
            for touched in self.open().filter(|touched| touched.derive && !touched.own) {
                let Some(chapter) = touched.chapter() else { continue };
                plan.contracts.extend(derived.get(&chapter).map(|contract| (chapter, contract.clone())));
            }
            let mut flaws = self.new_flaws(*volume, &plan, now);
            let amended = amended.get(volume).map_or(&[][..], Vec::as_slice);
            flaws.retain(|flaw| flaw.chapter().is_none_or(|chapter| !amended.contains(&chapter)));
            // The facts that such a chapter leaves true may be found again by those after it.
            if !amended.is_empty() {
                flaws.retain(|flaw| !matches!(flaw, Flaw::Unfounded { .. } | Flaw::Order { .. }));
            }
            if !flaws.is_empty() {
                return Err(RunError::FlawedRevision { volume: *volume, flaws });
            }
        }
        Ok(())
    }
}

struct Regeneration<'c, 'r, 'b> {
    plan_draft: PlanDraft<'r, 'b>,
    comparison: &'c BookComparison,
}

impl Regeneration<'_, '_, '_> {
    /// Lets the character weaver bring contracts in line with the rules that changed, one person after the other.
    async fn people(&self) -> Result<(), RunError> {
        for (owner, touched) in self.comparison.to_reword() {
            if self.plan_draft.has_covered(PlanStage::Characters, owner.as_str())? {
                continue;
            }
            let view = BookView::new(self.plan_draft.snapshot()?);
            let context = planning_context::of_book(&view)?;
            let Some(person) = context.characters.iter().find(|person| person.id == owner) else { continue };
            let ids: Vec<String> = touched.iter().map(|touched| touched.thing.to_string()).collect();
            let contracts: Vec<_> = person.contracts.iter().filter(|contract| ids.contains(&contract.id)).collect();
            let wish = amendments::wish(&self.comparison.causes(touched), &contracts);
            let request = CastRequest::Update { id: owner.clone(), wish };
            let task = Task::Cast { context: &context, request: &request };
            let change = |reading| {
                let result = PlanResult::from(reworded(&view, person, &ids, reading)?);
                Ok(PlanResult { covers: Some(owner.to_string()), ..result })
            };
            self.plan_draft.ask(PlanStage::Characters, &task, character_weaver::read, change).await?;
        }
        Ok(())
    }

    /// Lets the plot architect write sections again, some at a time, and once more those that are wrong then.
    async fn sections(&self) -> Result<(), RunError> {
        let wanted = self.comparison.to_amend();
        for (volume, chapters) in &wanted {
            for batch in chapters.chunks(BATCH as usize) {
                if !self.plan_draft.has_covered(PlanStage::Outline, &named(*volume, batch))? {
                    self.amend(*volume, batch, &[]).await?;
                }
            }
        }
        if self.plan_draft.is_repaired()? {
            return Ok(());
        }
        for (volume, chapters) in &wanted {
            let flaws = self.flaws_in(*volume)?;
            // A flaw of a chapter's premises is repaired in that chapter, or in an earlier one if its own contract is
            // the author's.
            let flawed: BTreeSet<ChapterNo> = flaws.iter().filter_map(Flaw::chapter).collect();
            let mut batch: Vec<ChapterNo> = chapters.iter().copied().filter(|c| flawed.contains(c)).collect();
            if batch.is_empty() {
                batch = chapters.iter().copied().filter(|c| flawed.last().is_some_and(|last| c < last)).collect();
            }
            batch.truncate(BATCH as usize);
            if !batch.is_empty() {
                self.amend(*volume, &batch, &flaws).await?;
            }
        }
        Ok(())
    }

    async fn amend(&self, volume: VolumeNo, chapters: &[ChapterNo], flaws: &[Flaw]) -> Result<(), RunError> {
        let view = BookView::new(self.plan_draft.snapshot()?);
        let (context, plan): (PlanningContext, Plan) =
            (planning_context::of_book(&view)?, planning_context::plan_of(&view, volume)?);
        let Some((first, _)) = plan.outline.range() else { return Ok(()) };
        let basis = planning_context::basis(&view, &order(volume, first, &plan))?;
        let touched = self.comparison.open().filter(|t| t.chapter().is_some_and(|c| chapters.contains(&c)));
        let changes = self.comparison.causes(touched);
        let task = Task::Amend { context: &context, plan: &plan, chapters, changes: &changes, flaws };
        let path = layout::outline(volume);
        let before = String::from_utf8_lossy(&view.bytes(&path)?.unwrap_or_default()).into_owned();
        let change = |sections: BTreeMap<ChapterNo, String>| {
            let text = plan.outline.spliced(&before, &sections);
            let is_written = |chapter| chapters.contains(&chapter);
            let render = |mended: &Outline| {
                let sections = chapters.iter().filter_map(|chapter| mended.section(*chapter));
                let sections = sections.map(|section| (section.chapter, section.source.clone())).collect();
                plan.outline.spliced(&before, &sections)
            };
            let written = WrittenOutline { path: &path, is_written: &is_written, render: &render };
            let text = written.normalize_tasks(text, &plan, &basis)?;
            // A repair goes over chapters that an earlier answer covers.
            let covers = flaws.is_empty().then(|| named(volume, chapters));
            let words = StageNote::SectionsOf(volume, chapters.to_vec());
            Ok(PlanResult { covers, repairs: flaws.len(), ..(Change::default().put(&path, text), words).into() })
        };
        let read = |reply: &str| outline::read_amended(reply, chapters);
        self.plan_draft.ask(PlanStage::Outline, &task, read, change).await
    }

    /// The flaws of a volume on the draft once the derived contracts are replaced; the author's stay.
    fn flaws_in(&self, volume: VolumeNo) -> Result<Vec<Flaw>, RunError> {
        let now = self.now()?;
        let Some(planned) = now.now.volumes.get(&volume) else { return Ok(Vec::new()) };
        let (mut plan, mut derived) = (planned.plan.clone(), planned.derived());
        for chapter in now.open().filter(|touched| touched.derive && !touched.own).filter_map(Touched::chapter) {
            plan.contracts.remove(&chapter);
            plan.contracts.extend(derived.remove(&chapter).map(|contract| (chapter, contract)));
        }
        Ok(self.comparison.new_flaws(volume, &plan, planned))
    }

    fn now(&self) -> Result<BookComparison, RunError> {
        let now = BookView::new(self.plan_draft.snapshot()?);
        between(self.plan_draft.session.run.session.book(), self.comparison.since, &now)
    }

    /// Writes the contracts that follow differently. Returns what is wrong with a plan then.
    fn contracts(&self) -> Result<Option<(VolumeNo, Vec<Flaw>)>, RunError> {
        let now = self.now()?;
        let wanted = |touched: &Touched| touched.derive && !touched.own;
        let (change, count) = now.derived_change(&BookView::new(self.plan_draft.snapshot()?), &wanted)?;
        if change != Change::default() {
            self.plan_draft.commit(PlanStage::Contracts, change, StageNote::Contracts(count))?;
        }
        let now = self.now()?.now;
        for (volume, planned) in &now.volumes {
            let touched = self.comparison.open().any(|touched| touched.volume == Some(*volume));
            let flaws = if touched { self.comparison.new_flaws(*volume, &planned.plan, planned) } else { Vec::new() };
            if !flaws.is_empty() {
                return Ok(Some((*volume, flaws)));
            }
        }
        Ok(None)
    }

    fn close(self, run: &Run<'_>) -> Result<StepOutcome, RunError> {
        let names = self.comparison.changed_names();
        let open = self.comparison.open().count();
        let subject = Subject::Regenerate(names, open);
        let ways = self.comparison.open().filter_map(|touched| touched.paths.first()).take(TOLD);
        let ways = ways.map(|way| format!("- {}", shown(way)));
        let mut trailers = vec![(STEP, Step::Regenerate.to_string())];
        // The author is asked about contracts of his own when their chapters come.
        if !self.now()?.open().any(|touched| touched.own && touched.demands) {
            trailers.push((SINCE, self.comparison.since.to_string()));
        }
        let closing = Closing {
            kind: Kind::Plan,
            subject,
            body: ways.collect::<Vec<_>>().join("\n"),
            trailers,
            checkpoint: unchanged(),
        };
        run.close_or_wait(self.plan_draft, closing)
    }
}

/// A way from a change to what it touches: `W-002 → C-LUO-001 → luo → ch-012`.
pub fn shown(way: &[Item]) -> String {
    way.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ")
}

/// `vol-02 chapters 5, 7`.
fn named(volume: VolumeNo, chapters: &[ChapterNo]) -> String {
    let chapters: Vec<String> = chapters.iter().map(|chapter| chapter.get().to_string()).collect();
    format!("{volume} chapters {}", chapters.join(", "))
}

/// A character whose contracts of these ids have the words that the agent gives them; everything else stays.
fn reworded(
    view: &BookView<'_>,
    person: &Character,
    ids: &[String],
    reading: character_weaver::CastReading,
) -> Result<(Change, StageNote), RunError> {
    let people = &reading.people;
    let own = people.iter().find(|read| read.name == person.display_name).or(people.first());
    let readings = own.map_or(&[][..], |own| &own.contracts);
    let is_known = |rule: &str| person.contracts.iter().any(|contract| contract.rule == rule);
    let mut fresh: Vec<_> = readings.iter().filter(|reading| !is_known(&reading.rule)).collect();
    let mut new = person.clone();
    for contract in new.contracts.iter_mut().filter(|contract| ids.contains(&contract.id)) {
        let same = readings.iter().find(|reading| reading.rule == contract.rule);
        let given = same.or_else(|| {
            let at = fresh.iter().position(|reading| reading.kind == contract.kind).unwrap_or(0);
            (at < fresh.len()).then(|| fresh.remove(at))
        });
        if let Some(given) = given {
            let given = given.of_known(contract);
            (contract.rule, contract.exceptions) = (given.rule, given.exceptions);
            contract.update_requires = given.update_requires;
        }
    }
    let mut change = Change::default();
    if new != *person {
        let path = layout::character(&person.id);
        change = view.put(change, &path, |was| format::character::write(&new, was))?;
    }
    Ok((change, StageNote::Name(person.id.to_string())))
}
