//! The theme, what the book is about, in the brief; and the world: its rules and pages, made by the world builder.

use crate::agents::PlanningContext;
use crate::agents::planners::plot_architect::{self, ThemeReading};
use crate::agents::planners::world_builder::{self, WorldReading};
use crate::domain::world::contract::Rule;
use crate::pipeline::book::planning_context;
use crate::pipeline::planning::step::{self, Existing, StepOutcome, closing_of, noted, request_key, require};
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

/// Lets the plot architect say what the book is about, and writes it into the brief.
pub async fn find_theme(run: &Run<'_>, existing: Existing) -> Result<Done, RunError> {
    let (stage, request) = (PlanStage::Theme, request_key("", existing));
    let check = |book: &_| require(book, Step::Theme);
    let taken = step::take_step(run, Work::Step(Step::Theme), &request, check, async |draft| {
        if !draft.has(stage)? {
            let context = planning_context::of_book(&BookView::new(draft.snapshot()?))?;
            let result = |reading: ThemeReading| {
                let brief = brief_with(&context.brief, &reading, existing);
                let change = Change::default().put(layout::BRIEF, brief);
                Ok((noted(change, &context, ""), StageNote::Name(reading.theme)))
            };
            draft.ask(stage, &Task::Theme { context: &context }, plot_architect::read_theme, result).await?;
        }
        closing_of(draft, Kind::Plan, Step::Theme, Subject::Theme(draft.words_of(stage)?), "")
    });
    taken.await?.plain()
}

/// The brief with the new texts under its headings. A new text follows an existing one, or replaces it.
fn brief_with(brief: &str, reading: &ThemeReading, existing: Existing) -> String {
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
        if existing == Existing::Replaced {
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
