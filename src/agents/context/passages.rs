//! Passages of earlier chapters, pages and samples of the author related to the chapter, so that the writer meets the words
//! themselves.

use crate::agents::context::PartLimits;
use crate::agents::context::cast::plan_text;
use crate::agents::prelude::*;
use crate::text::{Excerpt, ExcerptKind, common};

const MAX_PASSAGE: usize = 150;

/// A line per passage, without passages of lines that the chapter may not know.
pub(crate) fn passages(context: &ChapterContext, extent: &PartLimits) -> String {
    let known = context.passages.iter().filter(|passage| crate::agents::context::may_know(context, &passage.storyline));
    crate::agents::context::bullets(known.take(extent.passages).map(|passage| {
        let (chapter, text) = (passage.chapter.get(), clip_line(&passage.text, MAX_PASSAGE));
        format!("第{chapter}章：{text}")
    }))
}

/// A line per passage: `liuyin-station：…`.
pub(crate) fn pages(context: &ChapterContext, extent: &PartLimits) -> String {
    crate::agents::context::bullets(context.pages.iter().take(extent.pages).map(|page| {
        let name = page.path.rsplit('/').next().unwrap_or(&page.path).trim_end_matches(".md");
        format!("{}：{}", clip_line(name, 20), clip_line(&page.text, MAX_PASSAGE))
    }))
}

/// One excerpt of each kind: the one with most in common with the chapter's plan, and among equals another for each
/// chapter.
pub(crate) fn excerpts(context: &ChapterContext, extent: &PartLimits) -> String {
    let kinds = [ExcerptKind::Dialogue, ExcerptKind::Action, ExcerptKind::Ending];
    let plan = plan_text(context);
    let chosen = kinds.into_iter().filter_map(|kind| best(context, kind, &plan)).take(extent.samples);
    let texts = chosen.map(|Excerpt { kind, text }| format!("【{}】\n{text}\n", name(*kind)));
    texts.collect::<Vec<_>>().join("\n")
}

fn best<'a>(context: &'a ChapterContext, kind: ExcerptKind, plan: &str) -> Option<&'a Excerpt> {
    let of_kind: Vec<&Excerpt> = context.samples.iter().filter(|excerpt| excerpt.kind == kind).collect();
    let texts: Vec<String> = of_kind.iter().map(|excerpt| excerpt.text.clone()).collect();
    let shared = common(plan, &texts);
    let most = shared.iter().max()?;
    let equals: Vec<&Excerpt> =
        of_kind.into_iter().zip(&shared).filter(|(_, found)| *found == most).map(|(excerpt, _)| excerpt).collect();
    equals.get(context.chapter.get() as usize % equals.len()).copied()
}

const fn name(kind: ExcerptKind) -> &'static str {
    match kind {
        ExcerptKind::Dialogue => "写对话时",
        ExcerptKind::Action => "写动作时",
        ExcerptKind::Ending => "收尾时",
    }
}
