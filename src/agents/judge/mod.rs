//! The judge holds a chapter against its rules and scores it. The overall score is computed by the domain.

mod read;
mod schema;

use crate::agents::call::prompt::{Answer, Order, Prompt, compose};
use crate::agents::call::reply::schema_of;
use crate::agents::call::task::Opinion;
use crate::agents::context::rules_to_check::rules_with;
use crate::agents::context::{self, Extent, Section, over_cap};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::CrossReference;
use schema::EvaluationReply;
use std::cell::RefCell;

pub use read::{JudgeContext, Judged, Remark, read, with_answers, with_quotations};
pub(super) use schema::{checks_schema, quotations_schema};

/// A text with the known facts about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgeInput<'a> {
    pub(super) text: &'a Chapter,
    pub(super) cross_references: &'a [CrossReference],
    pub(super) measured: &'a [String],
}

/// The most facts of the state for the judge; the writer sees more.
const MAX_FACTS: usize = 60;
/// The most open foreshadowings without a task in the chapter.
const MAX_OPEN: usize = 8;
const MAX_BRIEF: usize = 1000;

pub(super) fn prompt(
    context: &ChapterContext,
    exhibits: &JudgeInput,
    opinion: Opinion,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    // The last version built, the smallest, is the one sent.
    let asked = RefCell::new(Vec::new());
    let order = Order {
        agent: Agent::Judge,
        system: "prompts/judge/system.md",
        user: &["prompts/judge/task.md"],
        context: Some(context),
        sections: &|extent| {
            let (mut sections, shown) = sections(context, exhibits, opinion, extent);
            let scale = if extent.whole_scale { "prompts/judge/scale.md" } else { "prompts/judge/short-scale.md" };
            sections.push(Section::new("scale", prompts.text(scale).1.trim_end()));
            asked.replace(shown);
            sections
        },
        answer: Answer::Json { name: "evaluation", schema: schema_of::<EvaluationReply>() },
        max_output_tokens: 4000,
    };
    let mut prompt = compose(order, prompts)?;
    prompt.asked = asked.into_inner();
    Ok(prompt)
}

fn reading_of(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::First => "初审",
        Opinion::Second => "复审（独立于初审，不知道初审的结论）",
    }
}

/// The values of the placeholders, and the ids of the rules to answer for.
fn sections(
    context: &ChapterContext,
    exhibits: &JudgeInput,
    opinion: Opinion,
    extent: &Extent,
) -> (Vec<Section>, Vec<String>) {
    let text = exhibits.text;
    let extent = &Extent {
        facts: extent.facts.min(MAX_FACTS),
        open: extent.open.min(MAX_OPEN),
        brief: extent.brief.min(MAX_BRIEF),
        radius: extent.radius.map_or(Some(3), |radius| Some(radius.min(3))),
        ..extent.clone()
    };
    let people = context::cast::cast(context, &text.body).within(extent);
    let world_rules = context::world_rules(context, extent);
    let characters = context::characters(context, &people, extent);
    let storyline_rules = context::storyline_rules(context);
    let objectives = context::objectives(context);
    // Only shown rules can be answered for; the limits may have left one out. A waived rule is shown with the reason
    // and not asked about.
    let shown = [&world_rules, &characters, &storyline_rules, &objectives];
    let shown: BTreeSet<&str> = shown.into_iter().flat_map(|text| text.lines().filter_map(id_of)).collect();
    let rules = rules_with(context, &people).into_iter().map(|rule| rule.id);
    let is_waived = |id: &str| context.waivers.of_rule(context.chapter, id).is_some();
    let asked: Vec<String> = rules.filter(|id| shown.contains(id.as_str()) && !is_waived(id)).collect();
    let mut lines = format!("活跃线：{}", context::active_line(context));
    if extent.recent > 0 {
        lines += &labelled("相邻线：", context::adjacent_lines(context));
        lines += &labelled("冻结线：\n", context::frozen_lines(context));
    }
    let last_summary = if extent.recent > 0 { context::last_summary(context) } else { String::new() };
    let sections = vec![
        Section::new("genre", context::genre(&context.config)),
        Section::new("world_rules", world_rules),
        Section::new("storyline_rules", storyline_rules),
        Section::new("style", context::style(context, extent)),
        Section::new("brief", context::brief(context, extent)),
        Section::new("characters", characters),
        Section::new("lines", lines),
        Section::new("overview", context::overview(context, extent)),
        Section::new("recent", last_summary),
        Section::new("previous_ending", context::previous_ending(context, extent)),
        Section::new("state", context::state(context, &people, &text.body, extent)),
        Section::new("ledger", context::ledger(context, extent)),
        Section::new("objectives", objectives),
        Section::new("contract", context::contract(context, extent)),
        Section::new("section", context::section(context)),
        Section::new("cross_references", context::bullets(exhibits.cross_references.iter().take(20).map(cross_line))),
        Section::new("phrases", over_cap(context, &text.body)),
        Section::new("measured", context::bullets(exhibits.measured.iter().cloned())),
        Section::new("reading", reading_of(opinion)),
        Section::new("chapter", context.chapter.get().to_string()),
        Section::new("title", text.title.as_str()),
        Section::new("rule_ids", asked.join("、")),
        Section::new("text", text.to_markdown()),
    ];
    (sections, asked)
}

/// The id in a rule's line: `- W-001【硬】…`.
fn id_of(line: &str) -> Option<&str> {
    line.strip_prefix("- ")?.split_once('【').map(|(id, _)| id)
}

fn labelled(label: &str, text: String) -> String {
    if text.is_empty() { text } else { format!("{label}{text}") }
}

fn cross_line(cross: &CrossReference) -> String {
    format!("{}（{}，风险 {}）：{}", cross.entity, cross.storyline, cross.risk, cross.evidence)
}
