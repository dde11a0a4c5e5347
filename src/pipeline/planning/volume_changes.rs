//! The files of a volume's plan that follow from an answer, or from another length.

use super::draft::StageResult;
use super::task_words::WrittenOutline;
use crate::agents::planners::plot_architect::schedule::ScheduleReading;
use crate::agents::{PlanningContext, VolumeOrder};
use crate::domain::volume::foreshadowing::Planned;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::{Plan, PlanBasis};
use crate::domain::world::contract::ChapterContract;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::call_record::draft_file;
use crate::pipeline::prelude::*;
use std::ops::RangeInclusive;

pub(crate) fn schedule_change(
    view: &BookView<'_>,
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
    storylines.relate(&schedule, &context.characters);
    let words = StageNote::Schedule(schedule.theme.clone(), schedule.active.len(), foreshadowing.len());
    let mut change = Change::default()
        .put(&layout::schedule(volume), format::storylines::write_schedule(&schedule, None))
        .put(&layout::foreshadowing_plan(volume), format::foreshadowing::write_plan(&foreshadowing, None));
    if storylines != context.storylines {
        change = view.put(change, layout::STORYLINES, |was| format::storylines::write(&storylines, was))?;
    }
    let hook = if order.closing { "全书到此为止".to_owned() } else { format!("卷末的钩子：{hook}") };
    let preface = format!("# 第{}卷 {}\n\n{summary}\n\n{hook}\n", volume.get(), schedule.theme);
    let sections: Vec<String> = plan.outline.sections.iter().map(|section| section.source.clone()).collect();
    change = change.put(&layout::outline(volume), outline_text(&preface, &sections));
    Ok((change, words).into())
}

pub(crate) fn outline_text(preface: &str, sections: &[String]) -> String {
    let preface = preface.trim();
    let sections = sections.iter().map(|section| format!("{}\n", section.trim_end()));
    std::iter::once(format!("{preface}\n")).filter(|text| text.len() > 1).chain(sections).collect::<Vec<_>>().join("\n")
}

pub(crate) fn outline_change(
    order: &VolumeOrder,
    plan: &Plan,
    basis: &PlanBasis,
    chapters: RangeInclusive<u32>,
    sections: Vec<String>,
) -> Result<StageResult, RunError> {
    let new: BTreeMap<u32, String> = chapters.clone().zip(sections).collect();
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
    let is_written = |chapter: ChapterNo| chapters.contains(&chapter.get());
    let render = |outline: &Outline| {
        let sections: Vec<String> = outline.sections.iter().map(|section| section.source.clone()).collect();
        outline_text(&preface, &sections)
    };
    let written = WrittenOutline { path: &path, is_written: &is_written, render: &render };
    let text = written.normalize_tasks(text, plan, basis)?;
    Ok((Change::default().put(&path, text), StageNote::Sections(*chapters.start(), *chapters.end())).into())
}

/// The contracts that follow from the outline, where they differ from those that followed before: one that the author has
/// changed stays as it is until its chapter changes.
pub(crate) fn contracts_change(
    view: &BookView<'_>,
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
        change = view.put(change, &path, |was| format::contract::write(contract, was))?;
    }
    let beyond = plan.contracts.keys().filter(|chapter| !derived.contains_key(chapter));
    for chapter in beyond {
        change = change.remove(&layout::contract(order.volume, *chapter));
    }
    let count = change.puts.len();
    if change != Change::default() {
        change = change.put(DERIVED, derived_bytes(&derived)?);
    }
    Ok((change, count))
}

/// The contracts that followed from the outline when they were last written; on the draft only.
const DERIVED: &str = ".draft/derived.json";

fn derived_bytes(derived: &BTreeMap<ChapterNo, ChapterContract>) -> Result<Vec<u8>, RunError> {
    let all: BTreeMap<String, String> = derived
        .iter()
        .map(|(chapter, contract)| {
            let bytes = format::contract::write(contract, None);
            (chapter.get().to_string(), String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    Ok(draft_file(&all, DERIVED)?)
}

/// The plan at the order's length: nothing is beyond the last chapter, meetings and windows end with it, and the lines' shares
/// of the chapters add up to it.
pub(crate) fn fitted(order: &VolumeOrder, plan: &Plan) -> Change {
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
            // The last volume has no later chapter to resolve it in.
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

impl<'b> BookView<'b> {
    pub(crate) fn written_sections(&self, outline: &Outline) -> Result<Vec<Section>, RunError> {
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
