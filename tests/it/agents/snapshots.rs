//! Every prompt in full, so that a change of words or order is seen in review.

use super::files::{with_every_plan, with_every_task};
use super::story;
use novel::agents::{Opinion, Prompt, Prompts, ReplyForm, Task, prompt};
use std::fmt::Write as _;

fn shown(made: &Prompt) -> String {
    let mut text = format!("===== system =====\n{}", made.system);
    for part in &made.parts {
        let cache = if part.cache { ", cached" } else { "" };
        write!(text, "\n===== {}{cache} =====\n{}", part.name, part.text).unwrap();
    }
    text.push_str("\n===== breakdown =====\n");
    for entry in &made.breakdown.entries {
        writeln!(text, "{}: {} tokens, {} characters", entry.name, entry.tokens, entry.chars).unwrap();
    }
    writeln!(text, "all: {} tokens, {} characters", made.breakdown.tokens(), made.breakdown.chars()).unwrap();
    text
}

#[test]
fn every_prompt_of_a_small_story() {
    let context = story::context();
    with_every_task(&context, 120, |task| {
        let made = prompt(task, &Prompts::default()).unwrap();
        let name = match task {
            Task::Draft { .. } => "draft",
            Task::ScenePlan { .. } => "scene-plan",
            Task::Scene { order, .. } if order.number == 1 => "scene",
            Task::Scene { .. } => "scene-2",
            Task::Revise { .. } => "revise",
            Task::Rewrite { .. } => "rewrite",
            Task::Summarize { .. } => "summarize",
            Task::Retell { .. } => "retell",
            Task::Refine { .. } => "refine",
            Task::Judge { opinion: Opinion::First, .. } => "judge",
            Task::Judge { opinion: Opinion::Second, .. } => "judge-2",
            Task::AnalyzeStyle { .. } => "style",
            planning => unreachable!("{planning:?} is shown by another test"),
        };
        insta::assert_snapshot!(name, shown(&made));
        if let ReplyForm::Json { name, schema } = &made.answer {
            insta::assert_snapshot!(format!("schema-{name}"), serde_json::to_string_pretty(schema).unwrap());
        }
    });
}

#[test]
fn every_prompt_of_the_planners() {
    with_every_plan(|name, task| {
        let made = prompt(task, &Prompts::default()).unwrap();
        insta::assert_snapshot!(format!("plan-{name}"), shown(&made));
        if let ReplyForm::Json { schema, .. } = &made.answer
            && matches!(name, "world" | "theme" | "blurb" | "storyline" | "cast" | "schedule" | "outline" | "review")
        {
            insta::assert_snapshot!(format!("schema-plan-{name}"), serde_json::to_string_pretty(schema).unwrap());
        }
    });
}
