//! What is measured on a chapter before it is judged, so that the judge need not guess.

use crate::agents::Material;
use crate::agents::context::listed;
use crate::domain::chapter::Chapter;
use crate::text::{self, Count, Panel, PhraseList};

/// Figures for the judge, one a line: length, worn-out phrases, monotony, stock beats.
#[must_use]
pub(super) fn measured(material: &Material, chapter: &Chapter) -> Vec<String> {
    let body = &chapter.body;
    let count = Count::of_prose(body);
    let config = &material.config;
    let list = PhraseList::new(listed(&material.phrases));
    let hits = list.find(body);
    let mut lines = vec![
        format!("字数 {}（要求 {}–{}）", count.words, config.min_words, config.max_words),
        format!("AI 高频用语每千字 {:.1} 次", hits.rate()),
    ];
    let worst: Vec<String> = hits.by_phrase().into_iter().map(|(phrase, n)| format!("{phrase}×{n}")).collect();
    if !worst.is_empty() {
        lines.push(format!("命中：{}", worst.join("、")));
    }
    let panel = Panel::of(body);
    lines.push(format!("套路动作每千字 {:.1} 次", panel.beats.value));
    for run in text::same_openings(body).iter().chain(&text::same_skeletons(body)) {
        lines.push(format!("连续 {} 句同一开头或句式：{}", run.sentences, run.pattern));
    }
    lines
}
