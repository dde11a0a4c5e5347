//! Chapters whose ground has shifted: what the outline has, held against what is true now.

use crate::agents::planners::context::PlanningContext;
use crate::domain::ChapterNo;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::task::Task;
use crate::domain::volume::outline::{Field, Section};
use crate::domain::volume::plan::{Flaw, Plan};
use serde_json::{Value, json};

/// How the conflict of a chapter says that it is not what it was.
const ANEW: &str = "，而规矩已经不是从前的规矩";

/// New sections for these chapters.
pub(in super::super) fn amend(
    context: &PlanningContext,
    plan: &Plan,
    chapters: &[ChapterNo],
    flaws: &[Flaw],
) -> String {
    let sections = chapters.iter().filter_map(|chapter| plan.outline.section(*chapter));
    let chapters: Vec<Value> =
        sections.map(|section| amended(context, plan, section, &owed(section, chapters, flaws))).collect();
    json!({"chapters": chapters}).to_string()
}

/// The facts that later chapters presuppose and no chapter brings about: the last one before them that is written again does.
fn owed<'f>(section: &Section, chapters: &[ChapterNo], flaws: &'f [Flaw]) -> Vec<&'f str> {
    let falls_here =
        |later: ChapterNo| chapters.iter().filter(|chapter| **chapter < later).max() == Some(&section.chapter);
    let fact = |flaw: &'f Flaw| match flaw {
        Flaw::Unfounded { chapter, fact } if falls_here(*chapter) => Some(fact.as_str()),
        _ => None,
    };
    flaws.iter().filter_map(fact).collect()
}

fn amended(context: &PlanningContext, plan: &Plan, section: &Section, owed: &[&str]) -> Value {
    let known = |task: &&Task| match plan.foreshadowing.iter().find(|planned| planned.id == task.id) {
        // A planting that the plan now has in another chapter is dropped here.
        Some(planned) => task.action != Action::Planted || planned.plant.is_none_or(|plant| plant == section.chapter),
        None => context.ledger.get(&task.id).is_some() || plan.schedule.is_none(),
    };
    let task = |task: &Task| {
        let action = match task.action {
            Action::Planted => "plant",
            Action::Advanced => "advance",
            Action::Resolved => "resolve",
        };
        json!({"action": action, "id": task.id.as_str(), "detail": task.detail})
    };
    let field = |field| section.field(field);
    let conflict = field(Field::Conflict).trim_end_matches(ANEW);
    let changes = field(Field::StateChanges).split(['；', ';', '\n']).map(str::trim);
    let changes: Vec<&str> = changes.chain(owed.iter().copied()).collect();
    let rules = context.rules.iter().map(|rule| rule.id.as_str()).filter(|id| field(Field::Rules).contains(id));
    json!({
        "chapter": section.chapter.get(),
        "title": section.title,
        "storyline": section.storyline.as_str(),
        "pov": field(Field::Pov),
        "location": field(Field::Location),
        "conflict": format!("{conflict}{ANEW}"),
        "arc": field(Field::Arc),
        "foreshadowing": section.tasks.iter().filter(known).map(task).collect::<Vec<_>>(),
        "state_changes": changes,
        "transition": field(Field::Transition),
        "payoff": field(Field::Payoff),
        "hook": field(Field::Hook),
        "rules": rules.collect::<Vec<_>>(),
    })
}
