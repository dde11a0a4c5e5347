//! The subject of a book: theme, central conflict, logline and last scene.

use crate::agents::planners::context::PlanningContext;
use crate::agents::planners::plot_architect::PlotQuestion;
use crate::agents::prelude::*;

pub(in crate::agents) fn prompt(context: &PlanningContext, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let answer = ReplyForm::Json { name: "theme", schema: schema_of::<ThemeReading>() };
    let file = "prompts/plot-architect/theme.md";
    PlotQuestion { file, wish: "", sections: &Vec::new, answer, max_output_tokens: 1500 }.prompt(context, prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ThemeReading {
    #[schemars(description = "一句话：谁，想要什么，被什么挡住，最怕失去什么")]
    pub logline: String,
    #[schemars(description = "整本书反复追问的一个问题")]
    pub theme: String,
    #[schemars(description = "核心冲突，两三句")]
    pub conflict: String,
    #[schemars(description = "最后一幕的画面")]
    pub ending: String,
}

/// Fails when theme or conflict is missing.
pub fn read(reply: &str) -> Result<ThemeReading, ReplyFault> {
    let reading: ThemeReading = read_as(reply)?;
    match [("theme", &reading.theme), ("conflict", &reading.conflict)].iter().find(|(_, text)| text.is_empty()) {
        Some(&(field, _)) => Err(ReplyFault::Field { field, wanted: FieldKind::Text }),
        None => Ok(reading),
    }
}
