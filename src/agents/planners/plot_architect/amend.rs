//! New sections for some chapters of a volume, after changes of their dependencies.

use crate::agents::context::PromptSection;
use crate::agents::planners::context::{self, PlanningContext};
use crate::agents::planners::plot_architect::outline::{INCOMPLETE, OutlineReply, room_for, section};
use crate::agents::planners::plot_architect::{PlotQuestion, SECTION, chapters_so_far, flaw_list};
use crate::agents::prelude::*;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::{Flaw, Plan};

/// Chapters to outline again.
pub(in crate::agents) struct AmendRequest<'a> {
    pub(in crate::agents) plan: &'a Plan,
    pub(in crate::agents) chapters: &'a [ChapterNo],
    /// Changes of the chapters' dependencies.
    pub(in crate::agents) changes: &'a [String],
    pub(in crate::agents) flaws: &'a [Flaw],
}

pub(in crate::agents) fn prompt(
    context: &PlanningContext,
    request: &AmendRequest<'_>,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let &AmendRequest { plan, chapters, changes, flaws } = request;
    let own = || {
        let numbers: Vec<String> = chapters.iter().map(|chapter| chapter.get().to_string()).collect();
        let now = chapters.iter().filter_map(|chapter| plan.outline.section(*chapter));
        let now: Vec<String> = now.map(|section| clip(&section.source, SECTION)).collect();
        let last = chapters.iter().max().copied();
        let sections = plan.outline.sections.iter();
        let around: Vec<Section> = sections.filter(|section| Some(section.chapter) <= last).cloned().collect();
        vec![
            PromptSection::new("chapters", numbers.join("、")),
            PromptSection::new("first", numbers.first().cloned().unwrap_or_default()),
            PromptSection::new("changes", bullets(changes.iter().take(MAX_CHANGES).cloned())),
            PromptSection::new("now", now.join("\n\n")),
            PromptSection::new("schedule", context::schedule(plan)),
            PromptSection::new("foreshadowing", context::foreshadowing(plan)),
            PromptSection::new("around", chapters_so_far(&around)),
            PromptSection::new("flaws", flaw_list(flaws)),
        ]
    };
    let answer = ReplyForm::Json { name: "outline", schema: schema_of::<OutlineReply>() };
    let (file, room) = ("prompts/plot-architect/amend.md", room_for(chapters.len() as u32));
    PlotQuestion { file, wish: "", sections: &own, answer, max_output_tokens: room }.prompt(context, prompts)
}

const MAX_CHANGES: usize = 30;

/// Reads new sections for these chapters as Markdown of the outline: by the numbers in the reply, or by position where
/// the model gave none.
pub fn read(reply: &str, chapters: &[ChapterNo]) -> Result<BTreeMap<ChapterNo, String>, ReplyFault> {
    let reply: OutlineReply = read_as(reply)?;
    let mut sections = BTreeMap::new();
    for (at, chapter) in chapters.iter().enumerate() {
        let section = reply.of(at, *chapter).and_then(|reply| section(reply, *chapter)).ok_or(INCOMPLETE)?;
        sections.insert(*chapter, section);
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_found_by_their_numbers_or_by_their_places() {
        let reply = r##"{"chapters": [{"chapter": 99, "title": "# 假票", "storyline": "main-arc", "conflict": "要过河"},
            {"title": "船", "storyline": "side", "conflict": "船不等人"}]}"##;
        let at = |n| ChapterNo::new(n).unwrap();
        let amended = read(reply, &[at(99)]).unwrap();
        assert!(amended[&at(99)].starts_with("## 第99章 假票"), "{amended:?}");
        assert!(read(reply, &[at(4)]).is_err(), "another chapter than was asked for");
        let plain = reply.replace("\"chapter\": 99, ", "");
        assert!(read(&plain, &[at(7), at(9)]).unwrap()[&at(9)].contains("船不等人"));
    }
}
