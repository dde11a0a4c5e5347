//! The plot architect: theme and conflict of the book, new storylines, schedules, outlines and reviews of volumes, blurbs. Each
//! question is a file with its prompt and the reading of its reply.

pub mod amend;
pub mod blurb;
pub mod fill;
pub mod outline;
pub mod review;
pub mod schedule;
pub mod storyline;
pub mod theme;

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::context::{NOTHING, PromptSection};
use crate::agents::planners::context::{self, PlanningContext, VolumeOrder, flaw_in_chinese};
use crate::agents::prelude::*;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::Flaw;
use crate::text::slug_of;

struct PlotQuestion<'a> {
    file: &'static str,
    /// The author's wish, which selects the people and lines shown.
    wish: &'a str,
    /// The sections beside those of every question.
    sections: &'a dyn Fn() -> Vec<PromptSection>,
    answer: ReplyForm,
    max_output_tokens: u32,
}

impl PlotQuestion<'_> {
    fn prompt(self, context: &PlanningContext, prompts: &Prompts) -> Result<Prompt, PromptError> {
        let user = ["prompts/plot-architect/lore.md", self.file];
        let order = PromptOrder {
            agent: Agent::PlotArchitect,
            system: "prompts/plot-architect/system.md",
            user: &user,
            context: None,
            sections: &|_| {
                let mut sections = vec![context::genre(context)];
                sections.extend(context::sections(context, self.wish));
                sections.extend(context::story_so_far(context));
                sections.extend((self.sections)());
                sections
            },
            answer: self.answer,
            max_output_tokens: self.max_output_tokens,
        };
        compose(order, prompts)
    }
}

/// Characters of a section shown to the author of the next.
const SECTION: usize = 1500;

/// A sentence on the volume's place in the book.
fn ending(order: &VolumeOrder) -> &'static str {
    if order.closing { CLOSING } else { "后面还有卷，不必收尽" }
}

/// The instructions for the volume that ends the book.
const CLOSING: &str = "这是全书最后一卷：账上还开着的伏笔，长的也算，连同这一卷新埋的，一条不剩都要在本卷某一章收回；\
    还在跑的故事线都要排进来，各有结局；核心冲突见分晓，最后一章落在纲领写的结局上，不留下一卷的钩子";

fn flaw_list(flaws: &[Flaw]) -> String {
    bullets(flaws.iter().take(30).map(flaw_in_chinese))
}

/// Earlier chapters of the volume, the last ones in full: events and present facts.
fn chapters_so_far(sections: &[Section]) -> String {
    const IN_FULL: usize = 6;
    let (old, new) = sections.split_at(sections.len().saturating_sub(IN_FULL));
    let short = old.iter().map(|s| {
        format!("第{}章 {}｜{}｜{}\n", s.chapter.get(), s.title, s.storyline, clip_line(s.field(Field::Conflict), 40))
    });
    let full = new.iter().map(|s| {
        let facts = clip_line(s.field(Field::StateChanges), 160);
        let (conflict, number) = (clip_line(s.field(Field::Conflict), 80), s.chapter.get());
        format!("第{number}章 {}｜{}｜{conflict}｜章后：{facts}\n", s.title, s.storyline)
    });
    let text: String = short.chain(full).collect();
    if text.is_empty() { NOTHING.to_owned() } else { text }
}

/// An id in the reply, or made from a name in its place.
fn id_of(text: &str) -> Option<Slug> {
    Slug::new(&text.trim().to_ascii_lowercase()).ok().or_else(|| slug_of(text))
}
