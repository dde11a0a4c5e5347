//! Rules as lines of a prompt.

use super::{Extent, bullets};
use crate::agents::material::Material;
use crate::agents::measure::clip_line;
use crate::agents::rulebook::{self, in_force, mark};
use crate::domain::contract::{Rule, Strength};

fn line(rule: &Rule) -> String {
    let exceptions = rule.exceptions.join("；");
    let exceptions =
        if exceptions.is_empty() { String::new() } else { format!("（例外：{}）", clip_line(&exceptions, 80)) };
    format!("{}{}{}{exceptions}", rule.id, mark(rule.strength), clip_line(&rule.rule, 120))
}

/// The world rules that hold in the chapter, in the book's order; where there are too many, soft ones and then the last
/// ones are left out.
pub(crate) fn world_rules(material: &Material, extent: &Extent) -> String {
    let rules: Vec<&Rule> = in_force(&material.rules, material.chapter).collect();
    let hard = rules.iter().filter(|rule| rule.strength == Strength::Hard).count().min(extent.rules);
    let (mut hard, mut soft) = (hard, extent.rules - hard);
    let kept = rules.into_iter().filter(|rule| {
        let left = if rule.strength == Strength::Hard { &mut hard } else { &mut soft };
        let keep = *left > 0;
        *left = left.saturating_sub(1);
        keep
    });
    bullets(kept.map(line))
}

/// The storyline rules.
pub(crate) fn storyline_rules(material: &Material) -> String {
    bullets(in_force(&material.storyline_rules, material.chapter).take(20).map(line))
}

/// The chapter's objectives, for the judge.
pub(crate) fn objectives(material: &Material) -> String {
    let objectives = rulebook::objectives(material);
    bullets(objectives.iter().map(|objective| {
        let strength = if objective.required { Strength::Hard } else { Strength::Soft };
        format!("{}{}{}", objective.id, mark(strength), clip_line(&objective.description, 120))
    }))
}
