//! Retelling a chapter that is written already: a summary, and what its section of an outline says. Neither state nor
//! memory, so that the call costs less than half of a summarizer's.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::context::PromptSection;
use crate::agents::prelude::*;

/// The most characters of a summary, and of a field.
const SUMMARY: usize = 800;
const FIELD: usize = 120;
/// A field that the text leaves open: an outline has none without a value.
const OPEN: &str = "正文没有交代";

pub(super) fn prompt(text: &Chapter, before: &str, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
        agent: Agent::Summarizer,
        system: "prompts/summarizer/retell-system.md",
        user: &["prompts/summarizer/retell.md"],
        context: None,
        sections: &|_| {
            vec![
                PromptSection::new("before", before),
                PromptSection::new("text", text.to_markdown()),
                PromptSection::new("chapter", text.number.get().to_string()),
                PromptSection::new("title", text.title.as_str()),
            ]
        },
        answer: ReplyForm::Json { name: "retelling", schema: schema_of::<Retelling>() },
        max_output_tokens: 1500,
    };
    compose(order, prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Retelling {
    #[schemars(description = "三百字上下的摘要")]
    pub summary: String,
    #[schemars(description = "视角人物")]
    pub pov: String,
    #[schemars(description = "在哪里")]
    pub location: String,
    #[schemars(description = "谁要什么，拦着的是什么")]
    pub conflict: String,
    #[schemars(description = "人物的变化")]
    pub arc: String,
    #[schemars(description = "章末和开头相比，什么不一样了")]
    pub changes: String,
    #[schemars(description = "章末靠什么勾人往下看")]
    pub hook: String,
}

impl Retelling {
    /// The fields of the chapter's section.
    pub fn fields(&self, storyline: &Slug) -> BTreeMap<Field, String> {
        let told = [
            (Field::Pov, &self.pov),
            (Field::Location, &self.location),
            (Field::Conflict, &self.conflict),
            (Field::Arc, &self.arc),
            (Field::StateChanges, &self.changes),
            (Field::Hook, &self.hook),
        ];
        let told = told.into_iter().filter(|(field, text)| field.is_required() || !text.is_empty());
        let told = told.map(|(field, text)| (field, if text.is_empty() { OPEN.to_owned() } else { text.clone() }));
        let own = [(Field::Storyline, storyline.to_string()), (Field::Foreshadowing, "无".to_owned())];
        told.chain(own).collect()
    }
}

/// Only the summary is required.
pub fn read(reply: &str) -> Result<Retelling, ReplyFault> {
    let mut told: Retelling = read_as(reply)?;
    if told.summary.is_empty() {
        return Err(ReplyFault::Field { field: "summary", wanted: FieldKind::Text });
    }
    told.summary = clip(told.summary.trim(), SUMMARY);
    let Retelling { pov, location, conflict, arc, changes, hook, .. } = &mut told;
    [pov, location, conflict, arc, changes, hook].into_iter().for_each(|text| *text = clip_line(text, FIELD));
    Ok(told)
}
