//! The world: its rules and pages, made by the world builder.

use crate::agents::PlanningContext;
use crate::agents::planners::world_builder::{self, WorldReading};
use crate::domain::world::contract::Rule;
use crate::pipeline::book::planning_context;
use crate::pipeline::planning::step::{self, Existing, StepOutcome, closing_of, noted, request_key};
use crate::pipeline::prelude::*;
use crate::store::WorldCount;

/// Lets the world builder make the world, or add to it what `request` says.
pub async fn build_world(run: &Run<'_>, request: &str, existing: Existing) -> Result<StepOutcome, RunError> {
    let (stage, words) = (PlanStage::World, request_key(request, existing));
    let taken = step::take_step(
        run,
        Work::Step(Step::World),
        &words,
        |_| Ok(()),
        async |draft| {
            if !draft.has(stage)? {
                let view = BookView::new(draft.snapshot()?);
                let mut context = planning_context::of_book(&view)?;
                if existing == Existing::Replaced {
                    context.rules.clear();
                }
                let result = |reading| {
                    let (change, words) = world_change(&view, &context, reading)?;
                    Ok((noted(change, &context, request), words))
                };
                let task = Task::World { context: &context, request };
                draft.ask(stage, &task, world_builder::read, result).await?;
            }
            closing_of(draft, Kind::World, Step::World, subject_of(&draft.words_of(stage)?), request)
        },
    );
    taken.await
}

fn world_change(
    view: &BookView<'_>,
    context: &PlanningContext,
    reading: WorldReading,
) -> Result<(Change, StageNote), RunError> {
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
    let mut change = view.put(Change::default(), layout::WORLD_RULES, |was| format::rules::write(&all, was))?;
    for (name, text) in &pages {
        change = change.put(&layout::BookPath::World(format!("{name}.md")).path(), format!("{}\n", text.trim()));
    }
    // A new book's main line has a name and a text once the world suggests some; the author's own words stand.
    if let (true, Some((name, description))) = (first, storyline) {
        let mut storylines = context.storylines.clone();
        if let Some(line) = storylines.lines.first_mut().filter(|line| line.name == "主线") {
            line.name = name;
            line.description = if line.description.trim().is_empty() { description } else { line.description.clone() };
            change = view.put(change, layout::STORYLINES, |was| format::storylines::write(&storylines, was))?;
        }
    }
    Ok((change, StageNote::World(WorldCount { rules: added, pages: pages.len() })))
}

/// The subject for a result in its notation: `2 rules, 1 page`.
fn subject_of(notation: &str) -> Subject {
    let count = |part: &str| part.split(' ').next()?.parse().ok();
    let counts = notation
        .split_once(", ")
        .and_then(|(rules, pages)| Some(WorldCount { rules: count(rules)?, pages: count(pages)? }));
    counts.map_or_else(|| Subject::Worded(format!("world: {notation}")), Subject::World)
}

/// The next id of the form `W-004`.
fn free_rule(rules: &[Rule]) -> String {
    let numbers = rules.iter().filter_map(|rule| rule.id.strip_prefix("W-")?.parse::<u32>().ok());
    format!("W-{:03}", numbers.max().unwrap_or(0) + 1)
}
