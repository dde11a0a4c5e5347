//! The texts by which readers choose a book: title candidates, blurb, tags and selling points.

use super::Question;
use crate::agents::call::prompt::{Answer, Prompt};
use crate::agents::call::prompt_files::{PromptError, Prompts};
use crate::agents::call::reply::{FieldKind, ReplyFault, read_json, schema_of, text_list};
use crate::agents::context::Section;
use crate::agents::context::measure::{clip, clip_line};
use crate::agents::planners::context::PlanningContext;
use schemars::JsonSchema;

/// Characters of the first chapter that are shown.
const OPENING: usize = 1500;
/// The most entries of a list, and the characters of each.
const ENTRIES: usize = 12;
const ENTRY: usize = 500;

pub(in crate::agents) fn prompt(
    context: &PlanningContext,
    opening: &str,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        let written = context.last_completed.to_string();
        vec![Section::new("written", written), Section::new("opening", clip(opening.trim(), OPENING))]
    };
    let answer = Answer::Json { name: "blurb", schema: schema_of::<BlurbReply>() };
    let file = "prompts/plot-architect/blurb.md";
    Question { file, wish: "", sections: &own, answer, max_output_tokens: 2000 }.prompt(context, prompts)
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct BlurbReply {
    #[schemars(description = "五到八个书名候选")]
    titles: Vec<String>,
    #[schemars(description = "简介，二到四段")]
    blurb: Vec<String>,
    #[schemars(description = "五到十个标签")]
    tags: Vec<String>,
    #[schemars(description = "三到五条卖点")]
    selling_points: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlurbReading {
    pub titles: Vec<String>,
    /// Paragraphs.
    pub blurb: Vec<String>,
    pub tags: Vec<String>,
    pub selling_points: Vec<String>,
}

/// Fails when titles or blurb are missing.
pub fn read(reply: &str) -> Result<BlurbReading, ReplyFault> {
    let value = read_json(reply)?;
    let list = |field: &str| -> Vec<String> {
        text_list(&value, field).iter().take(ENTRIES).map(|text| clip_line(text, ENTRY)).collect()
    };
    let need = |field: &'static str| {
        let found = list(field);
        if found.is_empty() { Err(ReplyFault::Field { field, wanted: FieldKind::Texts }) } else { Ok(found) }
    };
    Ok(BlurbReading {
        titles: need("titles")?,
        blurb: need("blurb")?,
        tags: list("tags"),
        selling_points: list("selling_points"),
    })
}
