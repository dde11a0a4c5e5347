//! The context of planning, read from the book: plans, and what they rest on.

use crate::agents::VolumeOrder;
use crate::agents::context::chapter::Memory;
use crate::agents::planners::context::{Note, PlanningContext};
use crate::domain::state::{Category, State};
use crate::domain::volume::plan::{Plan, PlanBasis, VOLUMES_BACK, last_chapters, left_standing};
use crate::domain::world::contract::{EMOTION, LOCATION, States};
use crate::domain::world::retirement::ComingPlan;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::prelude::*;
use serde_json::Value;

/// The folder of the world's pages.
const WORLD: &str = "world";

/// How many volumes after the current one are searched for a chapter's section.
const VOLUMES_AHEAD: u32 = 2;

/// The longest sentence of a contract on what has happened on a line, in characters.
const TOLD: usize = 80;

/// A text on one line, cut to so many characters.
fn clipped(text: &str, room: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= room { line } else { line.chars().take(room - 1).chain(['…']).collect() }
}

impl BookView<'_> {
    /// The outline that has a section for `chapter`, beginning with `volume`'s, and its volume.
    pub(super) fn planned(&self, chapter: ChapterNo, volume: VolumeNo) -> Result<(VolumeNo, Outline), RunError> {
        let candidates = (volume.get()..=volume.get() + VOLUMES_AHEAD).filter_map(VolumeNo::new);
        for candidate in candidates.chain(VolumeNo::new(volume.get().saturating_sub(1))) {
            if let Some(outline) = self.outline(candidate)?.filter(|outline| outline.section(chapter).is_some()) {
                return Ok((candidate, outline));
            }
        }
        Err(RunError::NotPlanned { chapter, volume })
    }
}

pub(crate) fn of_book(view: &BookView<'_>) -> Result<PlanningContext, RunError> {
    let checkpoint = view.checkpoint()?;
    let (volume, next) = (checkpoint.volume, checkpoint.next_chapter());
    let storylines = files::storylines(view)?;
    let memories = chapter_context::memories(view, &storylines)?;
    let reviewed = VolumeNo::new(volume.get()).into_iter().chain(VolumeNo::new(volume.get().saturating_sub(1)));
    let mut review = String::new();
    for volume in reviewed {
        if let Some(text) = view.text(&layout::review(volume))? {
            review = text;
            break;
        }
    }
    let config = view.config()?;
    let (chapter_memories, reader) = chapter_context::ledgers(view, next, config.memory_chapters)?;
    Ok(PlanningContext {
        chapter_memories,
        reader,
        config,
        brief: view.text(layout::BRIEF)?.unwrap_or_default(),
        rules: files::rules(view)?,
        world: notes(view, WORLD)?,
        characters: files::characters(view)?,
        relationships: files::relationships(view)?,
        storylines,
        memories,
        ledger: view.ledger()?,
        review,
        recent: chapter_context::recent(view, next)?,
        research: notes(view, layout::RESEARCH)?,
        last_completed: checkpoint.last_completed,
    })
}

/// The Markdown files of a folder, in order of name.
fn notes(view: &BookView<'_>, folder: &str) -> Result<Vec<Note>, RunError> {
    let mut notes = Vec::new();
    for path in view.pages(folder)? {
        let name = path[folder.len() + 1..].to_owned();
        notes.extend(view.beginning_of(&path)?.map(|text| Note { name, text: format::lossy_text(text) }));
    }
    Ok(notes)
}

/// A volume's plan, as far as it is there.
pub(crate) fn plan_of(view: &BookView<'_>, volume: VolumeNo) -> Result<Plan, RunError> {
    let outline = match view.outline(volume)? {
        Some(outline) => outline,
        // The preface of a volume stands there before any chapter does.
        None => Outline { preface: view.text(&layout::outline(volume))?.unwrap_or_default(), ..Outline::default() },
    };
    let mut contracts = BTreeMap::new();
    for section in &outline.sections {
        let path = layout::contract(volume, section.chapter);
        let chapter = section.chapter;
        let read = |bytes: &[u8]| format::contract::read_of(chapter, &section.storyline, bytes);
        contracts.extend(view.read(&path, read)?.map(|contract| (chapter, contract)));
    }
    Ok(Plan {
        schedule: view.read(&layout::schedule(volume), format::read)?,
        foreshadowing: files::planned_foreshadowing(view, volume)?,
        outline,
        contracts,
    })
}

/// The basis that a volume's plan is held against.
pub(crate) fn basis(view: &BookView<'_>, order: &VolumeOrder) -> Result<PlanBasis, RunError> {
    let written = view.checkpoint()?.last_completed;
    let earlier = plans_before(view, order.volume)?;
    let storylines = files::storylines(view)?;
    let memories = chapter_context::memories(view, &storylines)?;
    let mut told = BTreeMap::new();
    for (line, chapter) in memories.iter().filter_map(|(line, memory)| Some((line, memory.chapter?))) {
        let Some(volume) = view.contents()?.volume_of(chapter) else { continue };
        let page = files::summary(view, volume, chapter)?;
        told.extend(page.map(|page| (line.clone(), clipped(&page.text, TOLD))));
    }
    let status = |(line, memory): (&Slug, &Memory)| {
        let at = memory.chapter.map_or_else(String::new, |chapter| format!("（第{}章）", chapter.get()));
        let words = clipped(&memory.status, TOLD);
        (!words.is_empty()).then(|| (line.clone(), format!("{words}{at}")))
    };
    Ok(PlanBasis {
        states: states_of(&view.state()?),
        statuses: memories.iter().filter_map(status).collect(),
        told,
        first: order.first,
        chapters: Some(order.chapters),
        storylines,
        characters: files::characters(view)?,
        // The tasks of the volume's own chapters are in their sections.
        ledger: if written >= order.first { view.ledger()?.before(order.first) } else { view.ledger()? },
        standing: left_standing(earlier.iter()),
        last_on: last_chapters(earlier.iter()),
        rules: files::rules(view)?.into_iter().map(|rule| rule.id).collect(),
        written,
        closing: order.closing,
    })
}

/// The plans of the volumes before that one which still bear on it, the latest first.
fn plans_before(view: &BookView<'_>, volume: VolumeNo) -> Result<Vec<Plan>, RunError> {
    let earlier = (1..volume.get()).rev().filter_map(VolumeNo::new).take(VOLUMES_BACK);
    earlier.map(|volume| plan_of(view, volume)).collect()
}

/// The plans of the current and of later volumes.
pub(crate) fn ahead(view: &BookView<'_>) -> Result<Vec<ComingPlan>, RunError> {
    let current = view.checkpoint()?.volume;
    let mut ahead = Vec::new();
    for volume in view.volumes()?.into_iter().filter(|volume| *volume >= current) {
        let (plan, storylines) = (plan_of(view, volume)?, files::storylines(view)?);
        ahead.push(ComingPlan { volume, waiting: false, plan, storylines });
    }
    Ok(ahead)
}

/// Returns place and mood of the characters by the state.
fn states_of(state: &State) -> States {
    let of = |(id, fields): (&str, &Value)| {
        let known = [LOCATION, EMOTION].into_iter();
        let known = known.filter_map(|name| Some((name.to_owned(), fields.get(name)?.as_str()?.to_owned())));
        (id.to_owned(), known.collect::<BTreeMap<String, String>>())
    };
    state.entities(Category::Characters).map(of).collect()
}
