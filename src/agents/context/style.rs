//! The author's style and worn-out phrases.

use super::house_list::listed;
use super::{Extent, bullets};
use crate::agents::context::chapter::{ChapterContext, Overused};
use crate::agents::context::measure::clip_line;
use crate::domain::world::style::{AiPhrases, StyleSource};
use std::fmt::Write as _;

/// The style profile: two measured figures, habits, words to avoid, directives.
pub(crate) fn style(context: &ChapterContext, extent: &Extent) -> String {
    let style = &context.style;
    let origin = match (style.source, style.source_name.as_deref()) {
        (StyleSource::Original, _) => "作者自己的文字".to_owned(),
        (StyleSource::Extracted, _) => "这本书已经写成的章节".to_owned(),
        (StyleSource::Reference, name) => format!("参考作者：{}", name.unwrap_or("未署名")),
        (StyleSource::Deferred, _) => "还没有定，先用中性的写法".to_owned(),
        (StyleSource::Preset, Some(name)) => format!("预置文风：{name}"),
        (StyleSource::Preset, None) => "没有指定文风，按这个题材的惯常写法".to_owned(),
    };
    let mut text = format!("{origin}\n");
    // Writing to a string cannot fail. An unmeasured style has no figures, and zero is no aim.
    if style.avg_sentence_length > 0.0 {
        let percent = style.dialogue_ratio * 100.0;
        let _ = writeln!(text, "平均句长 {:.1} 字，对白约占 {percent:.0}%", style.avg_sentence_length);
    }
    let short = |list: &[String], count: usize| -> String {
        list.iter().take(count).map(|entry| clip_line(entry, 40)).collect::<Vec<_>>().join("、")
    };
    let (rhetoric, forbidden) =
        (short(&style.rhetoric_preferences, 10), short(&style.forbidden_words, extent.forbidden));
    for (label, list) in [("修辞习惯", rhetoric), ("从不用的词", forbidden)] {
        if !list.is_empty() {
            let _ = writeln!(text, "{label}：{list}");
        }
    }
    if !style.writing_directives.is_empty() {
        let directives = style.writing_directives.iter().take(extent.directives).map(|line| clip_line(line, 100));
        let _ = write!(text, "写法：\n{}", bullets(directives));
    }
    if !style.character_speech_patterns.is_empty() {
        let patterns = style.character_speech_patterns.iter().take(12);
        let patterns = patterns.map(|(who, pattern)| format!("{who}：{}", clip_line(pattern, 60)));
        let _ = write!(text, "语癖：\n{}", bullets(patterns));
    }
    text
}

/// With fewer chapters before, nothing has been used above its cap yet.
const EARLY: u32 = 5;

/// The phrases for this chapter to avoid, at most `count`: those of [`Overused`], with figures, and in the first chapters
/// the head of the list as well.
pub(crate) fn foremost_phrases(context: &ChapterContext, count: usize) -> String {
    let list = &context.phrases;
    let (used, unused): (Vec<_>, Vec<_>) = context.overused.iter().take(count).partition(|phrase| phrase.times > 0);
    let lines = used.iter().map(|Overused { phrase, times, chapters }| {
        format!("{}，近 {chapters} 章用了 {times} 次", capped(list, phrase))
    });
    let is_early = context.chapter.get() <= EARLY && used.is_empty();
    let unused: Vec<&str> = unused.iter().map(|phrase| phrase.phrase.as_str()).collect();
    let head = listed(list).filter(|phrase| is_early && !unused.contains(phrase));
    let bare: Vec<String> = unused.iter().copied().chain(head).take(count).map(|phrase| capped(list, phrase)).collect();
    let bare = Some(bare.join("、")).filter(|bare| !bare.is_empty());
    lines.chain(bare).collect::<Vec<_>>().join("；")
}

/// `顿了顿（至多 1 次）`
fn capped(phrases: &AiPhrases, phrase: &str) -> String {
    match phrases.cap(phrase) {
        0 => format!("{phrase}（不用）"),
        cap => format!("{phrase}（至多 {cap} 次）"),
    }
}

/// Listed phrases that a text uses above their cap, with numbers.
pub(crate) fn over_cap(context: &ChapterContext, text: &str) -> String {
    let (phrases, found) = (&context.phrases, context.phrases.find(text));
    let over = found.by_phrase().into_iter().filter(|(phrase, count)| *count > phrases.cap(phrase) as usize);
    let told = over.map(|(phrase, count)| format!("{} {count} 次", capped(phrases, phrase)));
    told.take(SHOWN).collect::<Vec<_>>().join("、")
}

/// Phrases named per text.
const SHOWN: usize = 40;
