use crate::agents::context::chapter::ChapterContext;
use crate::agents::context::rules_to_check::{self, in_force, mark};
use crate::agents::context::{PartLimits, bullets, clip_line};
use crate::domain::world::contract::{Rule, Strength};

fn line(context: &ChapterContext, rule: &Rule) -> String {
    let exceptions = rule.exceptions.join("；");
    let exceptions =
        if exceptions.is_empty() { String::new() } else { format!("（例外：{}）", clip_line(&exceptions, 80)) };
    let waived = waived(context, &rule.id);
    format!("{}{}{}{exceptions}{waived}", rule.id, mark(rule.strength), clip_line(&rule.rule, 120))
}

/// The note on a waived rule; otherwise empty.
pub(super) fn waived(context: &ChapterContext, rule: &str) -> String {
    match context.waivers.of_rule(context.chapter, rule) {
        Some(waiver) => format!("（本章作者准许破例：{}）", clip_line(&waiver.reason, 80)),
        None => String::new(),
    }
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

pub(crate) fn objectives(context: &ChapterContext) -> String {
    let objectives = rules_to_check::objectives(context);
    bullets(objectives.iter().map(|objective| {
        let strength = if objective.required { Strength::Hard } else { Strength::Soft };
        let words = clip_line(&rules_to_check::words_of(objective), 120);
        format!("{}{}{words}{}", objective.id, mark(strength), waived(context, &objective.id))
    }))
}
