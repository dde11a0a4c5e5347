//! The measurements of a chapter before it is judged, so that the judge need not guess.

use crate::agents::ChapterContext;
use crate::domain::chapter::Chapter;
use crate::text::{self, Count, Panel, Reading};

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
fn line(name: &str, reading: &Reading, shown: impl Fn(f64) -> String) -> String {
    let value = shown(reading.value);
    let Some((low, high)) = reading.norm.human_p5.zip(reading.norm.human_p95) else {
        return format!("{name}：{value}");
    };
    let place = match reading.value {
        value if value < low => "，偏低",
        value if value > high => "，偏高",
        _ => "",
    };
    format!("{name}：{value}（人写的书 {}–{}{place}）", shown(low), shown(high))
}
