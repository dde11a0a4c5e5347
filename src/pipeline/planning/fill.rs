//! Letting the planner fill in what the author's outline leaves open.

use crate::agents::VolumeOrder;
use crate::agents::planners::plot_architect::outline::{self, Filling};
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::{Field, Gaps};
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::domain::world::storyline::Storylines;
use crate::pipeline::book::files;
use crate::pipeline::book::planning_context;
use crate::pipeline::planning::draft::PlanDraft;
use crate::pipeline::planning::volume::batch;
use crate::pipeline::prelude::*;

/// How many volumes from the current one on are searched for missing fields.
const VOLUMES: u32 = 3;
/// How many tasks of one answer are put right at most.
const MENDS: usize = 60;

/// The order to fill the first outline that lacks fields, from the current volume on; `None` where all are whole.
/// Fails when an outline has other mistakes.
pub fn order(book: &Book) -> Result<Option<VolumeOrder>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let current = view.checkpoint()?.volume.get();
    for volume in (current..current + VOLUMES).filter_map(VolumeNo::new) {
        let Some((_, outline, gaps)) = view.outline_with_gaps(volume)? else { continue };
        let Some((first, _)) = outline.range().filter(|_| !gaps.is_empty()) else { continue };
        let (chapters, wish) = (outline.sections.len() as u32, String::new());
        let closing = files::schedule(&view, volume)?.is_some_and(|schedule| schedule.closing);
        let (trial, fill) = (false, true);
        return Ok(Some(VolumeOrder { volume, first: first.get(), chapters, wish, trial, closing, fill }));
    }
    Ok(None)
}

impl<'b> Run<'b> {
    /// Asks for the missing fields of the outline, a few chapters at a time, until it has them all.
    pub(crate) async fn fill_on(&self, plan_draft: &PlanDraft<'_, 'b>, order: &VolumeOrder) -> Result<(), RunError> {
        plan_draft.take_up_open()?;
        loop {
            let view = BookView::new(plan_draft.snapshot()?);
            let volume = order.volume;
            let Some((text, outline, gaps)) = view.outline_with_gaps(volume)? else { return Ok(()) };
            if gaps.is_empty() {
                return Ok(());
            }
            let (context, basis) = (planning_context::of_book(&view)?, planning_context::basis(&view, order)?);
            let schedule = files::schedule(&view, volume)?;
            let plan = Plan {
                outline,
                schedule,
                foreshadowing: files::planned_foreshadowing(&view, volume)?,
                ..Plan::default()
            };
            let now: Gaps = gaps.into_iter().take(batch(plan_draft)? as usize).collect();
            let task = Task::Fill { context: &context, order, plan: &plan, gaps: &now };
            let change = |filling: Filling| {
                let filling = well_filled(&text, &plan, &basis, known(filling, &context.storylines));
                let filled = plan.outline.filled(&text, &filling);
                let count: usize = filling.values().map(BTreeMap::len).sum();
                let (from, to) = (now.keys().min(), now.keys().max());
                let chapters = from.zip(to).map(|(from, to)| [*from, *to]);
                let words = StageNote::Fields(count, chapters);
                Ok((Change::default().put(&layout::outline(volume), filled), words))
            };
            plan_draft.ask(PlanStage::Outline, &task, |reply| outline::read_filling(reply, &now), change).await?;
        }
    }
}

/// The filling on storylines that the book has: any other is the main line.
fn known(mut filling: Filling, storylines: &Storylines) -> Filling {
    for line in filling.values_mut().filter_map(|fields| fields.get_mut(&Field::Storyline)) {
        if storylines.called(line).is_none()
            && let Some(main) = storylines.main()
        {
            *line = main.id.to_string();
        }
    }
    filling
}

/// The filling with its foreshadowing tasks put right: what has been planted is not planted again, and what nothing plants
/// is planted where no schedule says otherwise, or left out.
fn well_filled(text: &str, plan: &Plan, basis: &PlanBasis, mut filling: Filling) -> Filling {
    let resolve = |name: &str| basis.storylines.called(name);
    for _ in 0..MENDS {
        let Ok((outline, _)) = Outline::partial(&plan.outline.filled(text, &filling), &resolve) else { break };
        let candidate = Plan { outline, ..plan.clone() };
        let wrong = candidate.flaws(basis).into_iter().find_map(|flaw| match flaw {
            Flaw::Order { id, chapter, action } => Some((id, chapter, Some(action))),
            Flaw::Unplanned { id, chapter } => Some((id, chapter, None)),
            _ => None,
        });
        let wrong = wrong.filter(|(_, chapter, _)| {
            filling.get(chapter).is_some_and(|fields| fields.contains_key(&Field::Foreshadowing))
        });
        let Some((id, chapter, action)) = wrong else { break };
        let Some(tasks) = filling.get_mut(&chapter).and_then(|fields| fields.get_mut(&Field::Foreshadowing)) else {
            break;
        };
        let before = tasks.clone();
        *tasks = match action {
            Some(Action::Planted) => tasks.replacen(&format!("埋设 {id}"), &format!("推进 {id}"), 1),
            None if plan.schedule.is_none() => ["推进", "回收"]
                .iter()
                .fold(tasks.clone(), |text, verb| text.replacen(&format!("{verb} {id}"), &format!("埋设 {id}"), 1)),
            _ => tasks.clone(),
        };
        if *tasks == before {
            let kept: Vec<&str> = before.split('；').filter(|task| !task.contains(&format!(" {id}"))).collect();
            *tasks = if kept.is_empty() { "无".to_owned() } else { kept.join("；") };
        }
        if *tasks == before {
            break;
        }
    }
    filling
}
