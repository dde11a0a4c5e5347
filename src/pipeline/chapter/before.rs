//! The book before a chapter, as far as the chapter's texts are held against it, and the measurements of a text for the judge. The book
//! before is the same for all texts of a draft, so a draft reads it once.

use crate::agents::SceneOrder;
use crate::agents::checks::completeness::{COMPARED, Sources, TextSource};
use crate::agents::checks::slips::seam_doubts;
use crate::pipeline::book::chapter_context;
use crate::pipeline::checks::consistency::{DraftRecords, LOOK_BACK};
use crate::pipeline::prelude::*;
use crate::text::{Count, Panel, PanelFigure};

/// So many chapters are read: a new one must not have a title of theirs. The last [`LOOK_BACK`] are what its text is measured
/// against.
const READ: u32 = 100;

/// The chapters before, with the records as the chapter finds them.
pub(crate) struct BookBefore {
    sources: Sources,
    records: DraftRecords,
}

impl BookBefore {
    /// Reads the chapters before. The `view` is of the book before the chapter.
    pub(crate) fn read(view: &BookView<'_>, context: &ChapterContext) -> Result<Self, RunError> {
        let earlier = chapters_before(view, context.chapter, READ)?;
        let first = context.chapter.get().saturating_sub(LOOK_BACK);
        let near = earlier.partition_point(|chapter| chapter.number.get() < first);
        Ok(Self { sources: sources_of(&earlier, context), records: DraftRecords::new(context, &earlier[near..]) })
    }

    /// Figures for the judge with what of the text does not agree with the chapters before: what it says against them and against
    /// the records, and how much of them and of the plan stands in it.
    pub(crate) fn measured(&self, context: &ChapterContext, chapter: &Chapter) -> Vec<String> {
        let mut lines = measured(context, chapter);
        lines.extend(self.sources.recycled_lines(&chapter.body));
        lines.extend(seam_doubts(&context.previous_ending, &chapter.body));
        lines.extend(self.records.doubts(context, chapter));
        lines
    }

    /// The texts that a new one must not be copied from: the chapters before, the plan, and the scenes before.
    pub(crate) fn sources(&self, scene: Option<&SceneOrder>) -> Sources {
        let sources = self.sources.clone();
        match scene {
            Some(order) => sources.with(TextSource::Scenes, &order.so_far),
            None => sources,
        }
    }
}

/// So many chapters before that one, as far as the book has them, in their order.
pub(super) fn chapters_before(view: &BookView<'_>, chapter: ChapterNo, count: u32) -> Result<Vec<Chapter>, RunError> {
    chapter_context::before(view, chapter, count)?.into_iter().map(|(chapter, _)| view.chapter(chapter)).collect()
}

/// The texts that a chapter must not be copied from, but for its own scenes: of the `earlier` chapters the last [`COMPARED`], and the
/// plan. All of them are compared by title.
pub(super) fn sources_of(earlier: &[Chapter], context: &ChapterContext) -> Sources {
    let number = context.chapter.get();
    let near = || earlier.iter().filter(|text| text.number.get() + COMPARED >= number);
    let mut sources = Sources::default().quoted(text::quote_style_of(near().map(|text| text.body.as_str())));
    for text in earlier {
        sources = sources.titled(text.number, &text.title);
        if text.number.next() == context.chapter || context.line_before == Some(text.number) {
            sources = sources.after(&text.body);
        }
    }
    for text in near() {
        sources = sources.with(TextSource::Chapter(text.number), &text.body);
    }
    let people = context.characters.iter().map(|person| (person.id.to_string(), person.display_name.clone())).collect();
    sources.with(TextSource::Plan, &plan_text(context)).knowing(people)
}

/// The plan of the chapter as the writer is told of it.
fn plan_text(context: &ChapterContext) -> String {
    let mut lines = vec![context.section.source.as_str()];
    lines.extend(context.wishes.iter().map(String::as_str));
    if let Some(contract) = &context.contract {
        lines.extend(contract.objectives.iter().map(|objective| objective.description.as_str()));
        let facts = contract.preconditions.iter().chain(&contract.postconditions).chain(&contract.acceptance);
        lines.extend(facts.map(String::as_str));
    }
    lines.join("\n")
}

/// Han characters below which rates and shares are noise; see [`Panel::han`].
const ENOUGH: usize = 1000;

/// Figures for the judge, one a line, each with the range in which nine tenths of the passages from human books lie: length,
/// worn-out phrases, stock beats, rhythm, monotony. Phrases that the author allows do not count.
pub(crate) fn measured(context: &ChapterContext, chapter: &Chapter) -> Vec<String> {
    let body = &chapter.body;
    let count = Count::of_prose(body);
    let config = &context.config;
    let hits = context.phrases.find(body);
    let panel = Panel::of(body);
    let mut lines = vec![format!("字数：{}（要求 {}–{}）", count.words, config.min_words, config.max_words)];
    if panel.han < ENOUGH {
        lines.push("全章不足一千字，下面的比率只作参考".to_owned());
    }
    let rate = |value: f64| format!("{value:.1}");
    let percent = |value: f64| format!("{:.1}%", value * 100.0);
    lines.extend([
        line("套路动作（“顿了顿”“盯着”一类），每千字次数", &panel.beats, rate),
        line("沉默与停顿，每千字次数", &panel.stillness, rate),
        line("“不是……，是……”的对举，每千字次数", &panel.not_but, rate),
        line("句子骨架重复", &panel.skeleton_repetition, percent),
        line("相邻两句同一骨架", &panel.adjacent_skeletons, percent),
        line("八个字以内的短句", &panel.short_sentences, percent),
        line("平均句长，字", &panel.sentence_length, rate),
        line("每句的逗号", &panel.commas, rate),
        // The list is the author's own, so there is no human range: what others use of it says nothing.
        format!("忌用语，每千字次数：{:.1}（单子是作者定的，没有可比的范围）", hits.rate()),
    ]);
    let worst: Vec<String> = hits.by_phrase().into_iter().map(|(phrase, n)| format!("{phrase}×{n}")).collect();
    if !worst.is_empty() {
        lines.push(format!("命中：{}", worst.join("、")));
    }
    // One human chapter in five has such a run; of runs with one pattern fewer than one passage in twenty.
    for run in text::same_openings(body) {
        lines.push(format!("连续 {} 句以“{}”开头（人写的书约五章里一章有）", run.sentences, run.pattern));
    }
    for run in text::same_skeletons(body) {
        lines.push(format!("连续 {} 句同一骨架 {}（人写的书里很少见）", run.sentences, run.pattern));
    }
    lines
}

/// `平均句长，字：12.3（人写的书 14.7–25.9，偏低）`
fn line(name: &str, reading: &PanelFigure, shown: impl Fn(f64) -> String) -> String {
    let (value, (low, high)) = (shown(reading.value), reading.human);
    let place = match reading.value {
        value if value < low => "，偏低",
        value if value > high => "，偏高",
        _ => "",
    };
    format!("{name}：{value}（人写的书 {}–{}{place}）", shown(low), shown(high))
}
