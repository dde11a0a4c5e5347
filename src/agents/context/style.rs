//! The author's style and worn-out phrases.
//! The genre's rules from `prompts/genres/`: what its readers want, and what they have read too often.
//! Worn-out patterns of the last chapters, as instructions for the next one.

use crate::agents::context::PartLimits;
use crate::agents::context::chapter::{Overused, listed};
use crate::agents::prelude::*;
use crate::domain::book::config::Genre;
use crate::domain::quality::{EdgeShape, Pattern, Worn, WornKind};
use crate::domain::world::style::{AiPhrases, StyleSource};
use std::fmt::Write as _;

/// The style profile: two measured figures, habits, words to avoid, directives.
pub(crate) fn style(context: &ChapterContext, extent: &PartLimits) -> String {
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

/// More genres pull a chapter into too many directions.
const MOST: usize = 2;
/// Readers decide in so many chapters whether they stay.
const OPENING: u32 = 3;

/// The rules of at most two genres that the author's words name.
pub(crate) fn genre_notes(context: &ChapterContext, extent: &PartLimits, prompts: &Prompts) -> String {
    let genres = Genre::named_in(&context.config.genre).into_iter().take(MOST);
    let notes: Vec<String> = genres.map(|genre| clip(prompts.text(file(genre)).1, extent.genre)).collect();
    notes.join("\n\n")
}

/// The rules for the first three chapters; empty for later ones.
pub(crate) fn opening(context: &ChapterContext, extent: &PartLimits, prompts: &Prompts) -> String {
    let is_opening = context.chapter.get() <= OPENING;
    if is_opening { clip(prompts.text("prompts/genres/opening.md").1, extent.genre) } else { String::new() }
}

const fn file(genre: Genre) -> &'static str {
    match genre {
        Genre::Infinite => "prompts/genres/infinite.md",
        Genre::System => "prompts/genres/system-stories.md",
        Genre::Xianxia => "prompts/genres/xianxia.md",
        Genre::Wuxia => "prompts/genres/wuxia.md",
        Genre::Fantasy => "prompts/genres/fantasy.md",
        Genre::SciFi => "prompts/genres/scifi.md",
        Genre::Mystery => "prompts/genres/mystery.md",
        Genre::Costume => "prompts/genres/costume.md",
        Genre::Romance => "prompts/genres/romance.md",
        Genre::History => "prompts/genres/history.md",
        Genre::Urban => "prompts/genres/urban.md",
    }
}

/// Chapters named per pattern.
const NAMED: usize = 3;

/// All phrases in one line, then a line per other pattern.
pub(crate) fn worn(context: &ChapterContext, extent: &PartLimits) -> String {
    let shown = &context.worn[..extent.worn.min(context.worn.len())];
    let phrases: Vec<String> = shown.iter().filter_map(phrase).collect();
    let together = (!phrases.is_empty())
        .then(|| format!("这些说法这一章都不用，各换成此时此地才有的动作或东西：{}", phrases.join("；")));
    bullets(together.into_iter().chain(shown.iter().filter_map(line)))
}

/// `“深吸了一口气”9 次（第3、4、5章等）`
fn phrase(worn: &Worn) -> Option<String> {
    let words = worn.words().filter(|_| worn.kind == WornKind::Phrase)?;
    Some(format!("“{words}”{} 次（{}）", worn.times, named(&worn.chapters)))
}

/// The instruction against a pattern other than a phrase.
fn line(worn: &Worn) -> Option<String> {
    let Worn { kind, pattern, times, chapters } = worn;
    let at = named(chapters);
    Some(match (kind, pattern) {
        (WornKind::Phrase, _) => return None,
        (WornKind::Opening, Pattern::Words(words)) => {
            format!("近来有 {times} 句以“{words}”起头：这一章至多两句，换成动作、物件或对白起头")
        }
        (WornKind::ChapterStart, Pattern::Words(words)) => format!("{at}开头都有“{words}”：这一章换一种开头"),
        (WornKind::ChapterEnd, Pattern::Words(words)) => format!("{at}结尾都有“{words}”：这一章换一种收法"),
        (WornKind::ChapterStart, Pattern::Shape(shape)) => {
            format!("最近 {times} 章都以{}开头：这一章从{}写起", shape_name(*shape), other_start(*shape))
        }
        (_, Pattern::Shape(shape)) => {
            format!("最近 {times} 章都以{}收尾：这一章停在{}上", shape_name(*shape), other_end(*shape))
        }
    })
}

/// `第12、15、18章等`
fn named(chapters: &[ChapterNo]) -> String {
    let last = chapters.iter().rev().take(NAMED).rev();
    let numbers: Vec<String> = last.map(|chapter| chapter.get().to_string()).collect();
    let more = if chapters.len() > NAMED { "等" } else { "" };
    format!("第{}章{more}", numbers.join("、"))
}

fn shape_name(shape: EdgeShape) -> &'static str {
    match shape {
        EdgeShape::Question => "问句",
        EdgeShape::Ellipsis => "省略号",
        EdgeShape::Speech => "一句对白",
        EdgeShape::ShortLine => "单独成段的短句",
        EdgeShape::Time => "时辰",
        EdgeShape::Weather => "天气",
    }
}

fn other_start(shape: EdgeShape) -> &'static str {
    match shape {
        EdgeShape::Speech => "一个做到一半的动作",
        _ => "人物手上的事或一句对白",
    }
}

fn other_end(shape: EdgeShape) -> &'static str {
    match shape {
        EdgeShape::Question | EdgeShape::Ellipsis => "一个做完的动作或一样看得见的东西",
        EdgeShape::Speech => "听见这话的人做了什么",
        _ => "一句对白或一个没做完的动作",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(kind: WornKind, pattern: Pattern, count: u32) -> Worn {
        let chapters: Vec<ChapterNo> = (1..=count).filter_map(ChapterNo::new).collect();
        Worn { kind, pattern, times: 9, chapters }
    }

    #[test]
    fn each_pattern_is_an_instruction_with_its_last_chapters() {
        let words = |words: &str| Pattern::Words(words.into());
        assert_eq!(
            phrase(&pattern(WornKind::Phrase, words("深吸了一口气"), 5)).unwrap(),
            "“深吸了一口气”9 次（第3、4、5章等）"
        );
        assert_eq!(line(&pattern(WornKind::Phrase, words("深吸了一口气"), 5)), None);
        let line = |worn: &Worn| line(worn).unwrap();
        assert_eq!(
            line(&pattern(WornKind::ChapterEnd, words("下回分解"), 2)),
            "第1、2章结尾都有“下回分解”：这一章换一种收法"
        );
        assert_eq!(
            line(&pattern(WornKind::ChapterEnd, Pattern::Shape(EdgeShape::Question), 9)),
            "最近 9 章都以问句收尾：这一章停在一个做完的动作或一样看得见的东西上"
        );
        assert_eq!(
            line(&pattern(WornKind::ChapterStart, Pattern::Shape(EdgeShape::Weather), 9)),
            "最近 9 章都以天气开头：这一章从人物手上的事或一句对白写起"
        );
    }
}
