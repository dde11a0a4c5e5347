//! The files of a volume's plan that follow from an answer, or from another length.

use crate::agents::planners::plot_architect::schedule::ScheduleReading;
use crate::agents::{PlanningContext, VolumeOrder};
use crate::domain::volume::foreshadowing::{Action, ThreadPlan};
use crate::domain::volume::outline::{Field, Section, volume_title};
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::domain::world::contract::ChapterContract;
use crate::pipeline::engine::call_record::draft_file;
use crate::pipeline::planning::draft::PlanResult;
use crate::pipeline::prelude::*;
use std::ops::RangeInclusive;

const TRIAL: &str = "试写";

pub(crate) fn schedule_change(
    view: &BookView<'_>,
    order: &VolumeOrder,
    plan: &Plan,
    context: &PlanningContext,
    reading: ScheduleReading,
) -> Result<PlanResult, RunError> {
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
    // Readers of a volume that has chapters know its name.
    if view.contents()?.iter().any(|(_, of)| of == volume) {
        let name = volume_title(&plan.outline.preface);
        schedule.theme = if name.is_empty() || name == TRIAL { schedule.theme } else { name };
    }
    let mut storylines = context.storylines.clone();
    storylines.lines.extend(new_lines.into_iter().filter(|line| context.storylines.get(&line.id).is_none()));
    storylines.relate(&schedule, &context.characters);
    let words = StageNote::Schedule(schedule.theme.clone(), schedule.active.len(), foreshadowing.len());
    let mut change = Change::default()
        .put(&layout::schedule(volume), format::write(&schedule, None))
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
) -> Result<PlanResult, RunError> {
    let new: BTreeMap<u32, String> = chapters.clone().zip(sections).collect();
    let mut all: BTreeMap<u32, String> =
        plan.outline.sections.iter().map(|section| (section.chapter.get(), section.source.clone())).collect();
    all.extend(new);
    let preface = if plan.outline.preface.trim().is_empty() {
        format!("# 第{}卷{}\n", order.volume.get(), if order.trial { format!(" {TRIAL}") } else { String::new() })
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
    let before = derived_before(view, order.volume)?;
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
            change = change.put(&layout::schedule(volume), format::write(&fitted, None));
        }
    }
    let foreshadowing: Vec<ThreadPlan> = plan
        .foreshadowing
        .iter()
        .filter(|planned| planned.plant.is_none_or(|plant| plant.get() <= last))
        .map(|planned| ThreadPlan {
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

pub(crate) fn written_sections(view: &BookView<'_>, outline: &Outline) -> Result<Vec<Section>, RunError> {
    let last = view.checkpoint()?.last_completed;
    Ok(outline.sections.iter().filter(|section| section.chapter.get() <= last).cloned().collect())
}

/// The contracts that followed from the outline when they were last written.
fn derived_before(view: &BookView<'_>, volume: VolumeNo) -> Result<BTreeMap<ChapterNo, ChapterContract>, RunError> {
    let Some(bytes) = view.bytes(DERIVED)? else { return Ok(BTreeMap::new()) };
    let all: BTreeMap<String, String> = serde_json::from_slice(&bytes).unwrap_or_default();
    let main = Slug::new("main-arc").map_err(|_| RunError::Missing { path: layout::outline(volume) })?;
    let read = |(number, text): (String, String)| {
        let chapter = ChapterNo::new(number.parse().ok()?)?;
        Some((chapter, format::contract::read(&main, text.as_bytes()).ok()?))
    };
    Ok(all.into_iter().filter_map(read).collect())
}

/// The file of an outline in which a model has written some chapters.
pub(crate) struct WrittenOutline<'a> {
    pub(crate) path: &'a str,
    /// True for the chapters that the model has written.
    pub(crate) is_written: &'a dyn Fn(ChapterNo) -> bool,
    /// The file's text with the sections of an outline.
    pub(crate) render: &'a dyn Fn(&Outline) -> String,
}

impl WrittenOutline<'_> {
    /// Returns `text` with the words of the written chapters' tasks put right: which word a task has follows from the
    /// chapters before, without asking a model. A model's text is read as a person's would be before it is kept.
    pub(crate) fn normalize_tasks(&self, mut text: String, plan: &Plan, basis: &PlanBasis) -> Result<String, RunError> {
        let &Self { path, is_written, render } = self;
        let resolve = |name: &str| basis.storylines.called(name);
        let read = |text: &str| {
            Outline::parse_with(text, &resolve).map_err(|errors| RunError::Outline { path: path.to_owned(), errors })
        };
        let mut outline = read(&text)?;
        for _ in 0..MENDS {
            let plan = Plan { outline: outline.clone(), contracts: BTreeMap::new(), ..plan.clone() };
            let mut flaws = plan.flaws(basis).into_iter().filter(|flaw| flaw.chapter().is_some_and(is_written));
            let Some(mended) = flaws.find_map(|flaw| mended(&outline, &flaw, plan.schedule.is_none())) else { break };
            text = render(&mended);
            outline = read(&text)?;
        }
        Ok(text)
    }
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
        // In a chapter that does something else to it, one word more would only contradict the other.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Slug;

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
