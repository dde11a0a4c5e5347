//! The refiner: removes machine-made traces from the prose by a list of small edits.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::call::reply::fitted;
use crate::agents::checks::edits::RefinerEdit;
use crate::agents::context::{self, PromptSection, chars};
use crate::agents::prelude::*;

pub(super) fn prompt(
    context: &ChapterContext,
    text: &Chapter,
    pass: u32,
    remarks: &[String],
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    // A little below the limit of `apply_edits`: models count badly.
    let max_changed = (chars(&text.body) as f64 * context.config.max_refinement * 0.9).floor();
    let order = PromptOrder {
        agent: Agent::Refiner,
        system: "prompts/refiner/system.md",
        user: &["prompts/refiner/task.md"],
        context: Some(context),
        sections: &|extent| {
            vec![
                PromptSection::new("style", context::style(context, extent)),
                PromptSection::new("phrases", context::over_cap(context, &text.body)),
                PromptSection::new("drift", context::drift(context)),
                PromptSection::new("chapter", context.chapter.get().to_string()),
                PromptSection::new("title", text.title.as_str()),
                PromptSection::new("pass", pass.to_string()),
                PromptSection::new("max_changed", format!("{max_changed:.0}")),
                PromptSection::new("remarks", context::bullets(remarks.iter().cloned())),
                PromptSection::new("text", text.to_markdown()),
            ]
        },
        answer: ReplyForm::Json { name: "refinement", schema: schema_of::<RefinementReply>() },
        // Edits of at most 15 % of the text, each with its original, its reason and the JSON around them.
        max_output_tokens: context.config.max_words.max(chars(&text.body) as u32).saturating_add(1500),
    };
    compose(order, prompts)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct RefinementReply {
    #[schemars(description = "改动，按在正文里出现的先后排列；没有可改的就给空列表", with = "Vec<EditReply>", extend("x-read" = "raw"))]
    edits: Value,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct EditReply {
    #[schemars(description = "逐字照抄的原文，长到能唯一定位", with = "String")]
    original: Option<String>,
    // A missing text must not be read as a deletion.
    #[schemars(description = "改后的文字；整句删去则为空字符串", with = "String")]
    refined: Option<String>,
    #[schemars(description = "几个字的理由：忌用语、套话、句式、冗余、文风")]
    reason: String,
}

/// Reads the list of edits. An empty list means that there was nothing to do; a missing one is a fault.
pub fn read(reply: &str) -> Result<Vec<RefinerEdit>, ReplyFault> {
    let fault = ReplyFault::Field { field: "edits", wanted: FieldKind::Objects };
    let RefinementReply { edits: list } = read_as(reply)?;
    let list = list.as_array().ok_or(fault.clone())?;
    let edit = |edit: &Value| {
        let EditReply { original, refined, reason } = fitted(edit);
        Some(RefinerEdit { original: original?, refined: refined?, reason })
    };
    let edits: Vec<RefinerEdit> = list.iter().filter_map(edit).collect();
    if edits.is_empty() && !list.is_empty() { Err(fault) } else { Ok(edits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_read_and_unreadable_ones_left_out() {
        let reply = r#"{"edits": [{"original": " 甲 ", "refined": "乙", "reason": "套话"}, {"original": "丙"}, 3]}"#;
        let edit = RefinerEdit { original: "甲".into(), refined: "乙".into(), reason: "套话".into() };
        assert_eq!(read(reply).unwrap(), [edit]);
        assert_eq!(read("{\"edits\": []}").unwrap(), []);
        assert!(read("{\"edits\": [1]}").is_err() && read("{}").is_err());
    }
}
