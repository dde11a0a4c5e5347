//! The chapters and plans that a new text is held against, read from the book.

use crate::agents::checks::completeness::{COMPARED, Source, Sources};
use crate::agents::{ChapterContext, SceneOrder};
use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::text;

/// Titles of so many chapters back are compared.
const TITLES: u32 = 100;

/// So many chapters before that one, as far as the book has them, in their order.
pub(super) fn chapters_before(
    view: &BookView<'_, '_>,
    chapter: ChapterNo,
    count: u32,
) -> Result<Vec<Chapter>, RunError> {
    let number = chapter.get();
    let mut found = Vec::new();
    for earlier in (number.saturating_sub(count).max(1)..number).filter_map(ChapterNo::new) {
        match view.chapter(earlier) {
            Err(RunError::NoSuchChapter(_)) => {}
            other => found.push(other?),
        }
    }
    Ok(found)
}

/// The chapters before, the scenes before and the plan of the chapter.
pub(super) fn sources_for(
    view: &BookView<'_, '_>,
    context: &ChapterContext,
    scene: Option<&SceneOrder>,
) -> Result<Sources, RunError> {
    Ok(sources_of(&chapters_before(view, context.chapter, TITLES)?, context, scene))
}

/// The same with `earlier` as the chapters before: it takes [`COMPARED`] of them to tell what is copied, and more for titles.
pub(super) fn sources_of(earlier: &[Chapter], context: &ChapterContext, scene: Option<&SceneOrder>) -> Sources {
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
        sources = sources.with(Source::Chapter(text.number), &text.body);
    }
    if let Some(order) = scene {
        sources = sources.with(Source::Scenes, &order.so_far);
    }
    sources.with(Source::Plan, &plan_text(context))
}

/// The plan of the chapter as the writer is told of it.
fn plan_text(context: &ChapterContext) -> String {
    let mut lines = vec![context.section.source.as_str()];
    if let Some(contract) = &context.contract {
        lines.extend(contract.objectives.iter().map(|objective| objective.description.as_str()));
        let facts = contract.preconditions.iter().chain(&contract.postconditions).chain(&contract.acceptance);
        lines.extend(facts.map(String::as_str));
    }
    lines.join("\n")
}
