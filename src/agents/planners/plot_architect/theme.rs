//! The subject of a book: theme, central conflict, logline and last scene.

use super::Question;
use crate::agents::call::prompt::{Answer, Prompt};
use crate::agents::call::prompt_files::{PromptError, Prompts};
use crate::agents::call::reply::{FieldKind, ReplyFault, read_json, schema_of, text_field};
use crate::agents::planners::context::PlanningContext;
use schemars::JsonSchema;

pub(in crate::agents) fn prompt(context: &PlanningContext, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let answer = Answer::Json { name: "theme", schema: schema_of::<ThemeReply>() };
    let file = "prompts/plot-architect/theme.md";
    Question { file, wish: "", sections: &Vec::new, answer, max_output_tokens: 1500 }.prompt(context, prompts)
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct ThemeReply {
    #[schemars(description = "一句话：谁，想要什么，被什么挡住，最怕失去什么")]
    logline: String,
    #[schemars(description = "整本书反复追问的一个问题")]
    theme: String,
    #[schemars(description = "核心冲突，两三句")]
    conflict: String,
    #[schemars(description = "最后一幕的画面")]
    ending: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThemeReading {
    /// One sentence.
    pub logline: String,
    /// The question that the book asks.
    pub theme: String,
    pub conflict: String,
    /// The last picture.
    pub ending: String,
}

/// Fails when theme or conflict is missing.
pub fn read(reply: &str) -> Result<ThemeReading, ReplyFault> {
    let value = read_json(reply)?;
    let need =
        |field: &'static str| text_field(&value, field).ok_or(ReplyFault::Field { field, wanted: FieldKind::Text });
    Ok(ThemeReading {
        theme: need("theme")?,
        conflict: need("conflict")?,
        logline: text_field(&value, "logline").unwrap_or_default(),
        ending: text_field(&value, "ending").unwrap_or_default(),
    })
}
