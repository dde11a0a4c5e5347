//! The chapters and plans that a new text is held against, read from the book.

use crate::agents::ChapterContext;
use crate::agents::checks::completeness::{COMPARED, Source, Sources};
use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::text;

/// So many chapters before that one, as far as the book has them, in their order.
pub(super) fn chapters_before(view: &BookView<'_>, chapter: ChapterNo, count: u32) -> Result<Vec<Chapter>, RunError> {
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
        sources = sources.with(Source::Chapter(text.number), &text.body);
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
