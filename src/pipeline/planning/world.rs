//! The world: its rules and pages, made by the world builder.

use super::draft::{Closing, PlanDraft, StageResult};
use super::step::{Existing, PlanningStep, closing_of, noted, request_key};
use crate::agents::planners::world_builder::{self, WorldReading};
use crate::agents::{PlanningContext, ReplyFault, Task};
use crate::domain::book::work::{PlanStage, Step, Work};
use crate::domain::world::contract::Rule;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::planning::step::Taken;
use crate::store::{Book, Change, Kind, StageNote, Subject, WorldCount, format, layout};

/// The world builder's step: the first world, or an addition to it.
struct World<'w> {
    request: &'w str,
    existing: Existing,
}

impl PlanningStep for World<'_> {
    type Context = PlanningContext;
    type Reading = WorldReading;

    fn work(&self) -> Work {
        Work::Step(Step::World)
    }

    fn stage(&self) -> PlanStage {
        PlanStage::World
    }

    fn request(&self) -> String {
        request_key(self.request, self.existing)
    }

    fn check(&self, _: &Book) -> Result<(), RunError> {
        Ok(())
    }

    fn context(&self, _: &Book, view: &BookView<'_>) -> Result<PlanningContext, RunError> {
        let mut context = view.planning_context()?;
        if self.existing == Existing::Replaced {
            context.rules.clear();
        }
        Ok(context)
    }

    fn task<'a>(&'a self, context: &'a PlanningContext) -> Task<'a> {
        Task::World { context, request: self.request }
    }

    fn read(&self, _: &PlanningContext, reply: &str) -> Result<WorldReading, ReplyFault> {
        world_builder::read(reply)
    }

    fn result(
        &self,
        view: &BookView<'_>,
        context: &PlanningContext,
        reading: WorldReading,
    ) -> Result<StageResult, RunError> {
        let (change, words) = world_change(view, context, reading)?;
        Ok((noted(change, context, self.request), words).into())
    }

    fn closing(&self, draft: &PlanDraft<'_, '_>, words: &str) -> Result<Closing, RunError> {
        closing_of(draft, Kind::World, Step::World, subject_of(words), self.request)
    }
}

impl Run<'_> {
    /// Lets the world builder make the world, or add to it what `request` says.
    pub async fn world(&self, request: &str, existing: Existing) -> Result<Taken, RunError> {
        self.take_step(&World { request, existing }).await
    }
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
