//! The rules for a chapter from all four layers, each with its id, and as lines of prompts.

use crate::agents::context::cast::cast;
use crate::agents::context::chapter::ChapterContext;
use crate::agents::context::{PartLimits, bullets, clip_line, waived};
use crate::agents::prelude::*;
use crate::domain::world::contract::{Layer, Objective, Rule, Strength, names_id};
use std::borrow::Cow;

fn line(context: &ChapterContext, rule: &Rule) -> String {
    let exceptions = rule.exceptions.join("；");
    let exceptions =
        if exceptions.is_empty() { String::new() } else { format!("（例外：{}）", clip_line(&exceptions, 80)) };
    let waived = waived(context, &rule.id);
    format!("{}{}{}{exceptions}{waived}", rule.id, mark(rule.strength), clip_line(&rule.rule, 120))
}

/// The world rules in force, in book order. Of too many, soft ones are left out first, then the last ones, and those
/// that the chapter's contract depends on after all others.
pub(crate) fn world_rules(context: &ChapterContext, extent: &PartLimits) -> String {
    let rules: Vec<&Rule> = in_force(&context.rules, context.chapter).collect();
    let needed = |rule: &Rule| context.contract.as_ref().is_some_and(|contract| contract.rules.contains(&rule.id));
    let class = |rule: &Rule| match rule.strength {
        _ if needed(rule) => 0,
        Strength::Hard => 1,
        Strength::Soft => 2,
    };
    let mut room = extent.rules;
    let mut left = [0, 1, 2].map(|wanted| {
        let count = rules.iter().filter(|rule| class(rule) == wanted).count().min(room);
        room -= count;
        count
    });
    let kept = rules.into_iter().filter(|rule| {
        let left = &mut left[class(rule)];
        let keep = *left > 0;
        *left = left.saturating_sub(1);
        keep
    });
    bullets(kept.map(|rule| line(context, rule)))
}

pub(crate) fn storyline_rules(context: &ChapterContext) -> String {
    bullets(in_force(&context.storyline_rules, context.chapter).take(20).map(|rule| line(context, rule)))
}

pub(crate) fn objectives_section(context: &ChapterContext) -> String {
    let objectives = objectives(context);
    bullets(objectives.iter().map(|objective| {
        let strength = if objective.required { Strength::Hard } else { Strength::Soft };
        let words = clip_line(&words_of(objective), 120);
        format!("{}{}{words}{}", objective.id, mark(strength), waived(context, &objective.id))
    }))
}

/// The rule against leaks between storylines (product document §6.6.7), which code checks whatever the book's list
/// says.
pub const LEAK_RULE: &str = "LS-005";

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    pub layer: Layer,
    pub id: String,
    pub strength: Strength,
}

/// The rules for the judge: world rules and storyline rules in force, contracts of the characters in the chapter's plan
/// and text, and the chapter's objectives.
pub fn rules_for(context: &ChapterContext, text: &str) -> Vec<Given> {
    rules_with(context, &cast(context, text).everyone())
}

pub(crate) fn rules_with(context: &ChapterContext, characters: &[&Character]) -> Vec<Given> {
    let mut given = Vec::new();
    let world = in_force(&context.rules, context.chapter).map(|rule| (Layer::World, rule.id.clone(), rule.strength));
    given.extend(world);
    for character in characters {
        // A character contract changes only by a planned event, so a violation always blocks (product document §6.5.1).
        let contracts = character.contracts_in(context.chapter);
        given.extend(contracts.map(|contract| (Layer::Character, contract.id.clone(), Strength::Hard)));
    }
    for objective in objectives(context).iter() {
        let strength = if objective.required { Strength::Hard } else { Strength::Soft };
        given.push((Layer::Chapter, objective.id.clone(), strength));
    }
    // In a crossover the leak rule does not apply: knowing of each other is the point.
    let meeting = context.convergence().is_some();
    let lines = in_force(&context.storyline_rules, context.chapter).filter(|rule| !meeting || rule.id != LEAK_RULE);
    given.extend(lines.map(|rule| (Layer::Storyline, rule.id.clone(), rule.strength)));
    given.into_iter().map(|(layer, id, strength)| Given { layer, id, strength }).collect()
}

fn in_force(rules: &[Rule], chapter: ChapterNo) -> impl Iterator<Item = &Rule> {
    rules.iter().filter(move |rule| rule.introduced_chapter <= chapter.get())
}

/// The objectives of the chapter's contract, or else those implied by its outline section: the conflict happens, and
/// each foreshadowing task is done.
pub fn objectives(context: &ChapterContext) -> Cow<'_, [Objective]> {
    if let Some(contract) = &context.contract {
        return Cow::Borrowed(&contract.objectives);
    }
    let id = |n: usize| format!("OBJ-{:03}-{n}", context.chapter.get());
    let conflict = context.section.field(Field::Conflict).trim();
    let mut objectives = vec![Objective {
        id: id(1),
        kind: "plot".into(),
        required: true,
        description: format!("核心冲突在正文中发生：{conflict}"),
        task: None,
    }];
    for (index, task) in context.section.tasks.iter().enumerate() {
        objectives.push(Objective {
            id: id(index + 2),
            kind: "foreshadowing".into(),
            required: true,
            description: format!("{}伏笔 {}：{}", task.action.verb(), task.id, task.detail),
            task: Some((task.action, task.id.clone())),
        });
    }
    Cow::Owned(objectives)
}

/// An objective's words, with the action and the foreshadowing in front where they lack them.
pub(crate) fn words_of(objective: &Objective) -> Cow<'_, str> {
    match &objective.task {
        Some((action, id)) if !names_id(&objective.description, id.as_str()) => {
            Cow::Owned(format!("{} {id}：{}", action.verb(), objective.description))
        }
        _ => Cow::Borrowed(&objective.description),
    }
}

pub(crate) fn mark(strength: Strength) -> &'static str {
    match strength {
        Strength::Hard => "【硬】",
        Strength::Soft => "【软】",
    }
}
