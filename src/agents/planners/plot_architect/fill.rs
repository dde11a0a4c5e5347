//! The fields that an author's outline leaves open.

use crate::agents::context::PromptSection;
use crate::agents::planners::context::{self, PlanningContext, VolumeOrder};
use crate::agents::planners::plot_architect::outline::{INCOMPLETE, OutlineReply, fields_of, room_for};
use crate::agents::planners::plot_architect::{PlotQuestion, SECTION, chapters_so_far, ending};
use crate::agents::prelude::*;
use crate::domain::volume::outline::{Gaps, Section};
use crate::domain::volume::plan::Plan;

/// Values for missing fields, by chapter.
pub type Filling = BTreeMap<ChapterNo, BTreeMap<Field, String>>;

pub(in crate::agents) fn prompt(
    context: &PlanningContext,
    order: &VolumeOrder,
    plan: &Plan,
    gaps: &Gaps,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || {
        let open = gaps.iter().map(|(chapter, fields)| {
            let section = plan.outline.section(*chapter).map_or("", |section| section.source.as_str());
            let names: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
            format!("{}\n（缺：{}）", clip(section, SECTION), names.join("、"))
        });
        let last = gaps.keys().max().copied();
        let sections = plan.outline.sections.iter();
        let around: Vec<Section> = sections.filter(|section| Some(section.chapter) <= last).cloned().collect();
        let numbers: Vec<String> = gaps.keys().map(|chapter| chapter.get().to_string()).collect();
        vec![
            PromptSection::new("volume", order.volume.get().to_string()),
            PromptSection::new("chapters", numbers.join("、")),
            PromptSection::new("first", numbers.first().cloned().unwrap_or_default()),
            PromptSection::new("ending", ending(order)),
            PromptSection::new("open", open.collect::<Vec<_>>().join("\n\n")),
            PromptSection::new("schedule", context::schedule(plan)),
            PromptSection::new("foreshadowing", context::foreshadowing(plan)),
            PromptSection::new("around", chapters_so_far(&around)),
        ]
    };
    let answer = ReplyForm::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    let (file, room) = ("prompts/plot-architect/fill.md", room_for(gaps.len() as u32));
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: room }.prompt(context, prompts)
}

/// Reads values for the missing fields. Other fields of the reply are ignored: the author's words stand. Fails when a
/// chapter or one of its missing fields is not in the reply.
pub fn read(reply: &str, gaps: &Gaps) -> Result<Filling, ReplyFault> {
    let reply: OutlineReply = read_as(reply)?;
    let mut filling = Filling::new();
    for (at, (chapter, wanted)) in gaps.iter().enumerate() {
        let mut fields = fields_of(reply.of(at, *chapter).ok_or(INCOMPLETE)?);
        fields.retain(|field, _| wanted.contains(field));
        if fields.len() < wanted.len() {
            return Err(INCOMPLETE);
        }
        filling.insert(*chapter, fields);
    }
    Ok(filling)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn only_what_is_missing_is_taken_from_a_reply() {
        let at = |n| ChapterNo::new(n).unwrap();
        let gaps = Gaps::from([
            (at(2), BTreeSet::from([Field::Conflict, Field::Arc])),
            (at(5), BTreeSet::from([Field::Storyline])),
        ]);
        let reply = r#"{"chapters": [{"chapter": 2, "pov": "别人", "conflict": "要过河；船不等人", "storyline": "side"},
            {"chapter": 5, "storyline": "main-arc", "conflict": "多余"}]}"#;
        let filling = read(reply, &gaps).unwrap();
        assert_eq!(
            filling[&at(2)],
            BTreeMap::from([(Field::Conflict, "要过河，船不等人".into()), (Field::Arc, "无".into())])
        );
        assert_eq!(filling[&at(5)], BTreeMap::from([(Field::Storyline, "main-arc".into())]));
        assert!(read(&reply.replace("\"conflict\": \"要过河；船不等人\", ", ""), &gaps).is_err());
        assert!(read(&reply.replace("\"chapter\": 5", "\"chapter\": 6"), &gaps).is_err());
        assert!(read("{}", &gaps).is_err());
    }
}
