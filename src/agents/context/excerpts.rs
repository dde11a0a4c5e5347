//! Excerpts of the author's samples, so that the writer hears the voice itself.

use super::Extent;
use super::cast::plan_text;
use super::chapter::ChapterContext;
use crate::text::{Excerpt, ExcerptKind, common};

/// One excerpt of each kind: the one with most in common with the chapter's plan, and among equals another for each
/// chapter.
pub(crate) fn excerpts(context: &ChapterContext, extent: &Extent) -> String {
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
