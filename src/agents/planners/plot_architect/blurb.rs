//! The texts by which readers choose a book: title candidates, blurb, tags and selling points.

use crate::agents::context::PromptSection;
use crate::agents::planners::context::PlanningContext;
use crate::agents::planners::plot_architect::PlotQuestion;
use crate::agents::prelude::*;

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
        vec![PromptSection::new("written", written), PromptSection::new("opening", clip(opening.trim(), OPENING))]
    };
    let answer = ReplyForm::Json { name: "blurb", schema: schema_of::<BlurbReading>() };
    let file = "prompts/plot-architect/blurb.md";
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: 2000 }.prompt(context, prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlurbReading {
    #[schemars(description = "五到八个书名候选")]
    pub titles: Vec<String>,
    #[schemars(description = "简介，二到四段")]
    pub blurb: Vec<String>,
    #[schemars(description = "五到十个标签")]
    pub tags: Vec<String>,
    #[schemars(description = "三到五条卖点")]
    pub selling_points: Vec<String>,
}

/// Fails when titles or blurb are missing.
pub fn read(reply: &str) -> Result<BlurbReading, ReplyFault> {
    let mut reading: BlurbReading = read_as(reply)?;
    let BlurbReading { titles, blurb, tags, selling_points } = &mut reading;
    for list in [&mut *titles, &mut *blurb, tags, selling_points] {
        list.truncate(ENTRIES);
        list.iter_mut().for_each(|text| *text = clip_line(text, ENTRY));
    }
    match [("titles", titles), ("blurb", blurb)].iter().find(|(_, list)| list.is_empty()) {
        Some(&(field, _)) => Err(ReplyFault::Field { field, wanted: FieldKind::Texts }),
        None => Ok(reading),
    }
}
