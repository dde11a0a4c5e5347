//! Worn-out patterns of the last chapters, as instructions for the next one.

use super::{Extent, bullets};
use crate::agents::context::chapter::ChapterContext;
use crate::domain::ChapterNo;
use crate::domain::quality::{EdgeShape, Pattern, Worn, WornKind};

/// Chapters named per pattern.
const NAMED: usize = 3;

/// All phrases in one line, then a line per other pattern.
pub(crate) fn worn(context: &ChapterContext, extent: &Extent) -> String {
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
