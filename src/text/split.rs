//! Paragraphs, sentences and clauses.
//! Chinese fiction is written one paragraph a line, so a line break always ends a paragraph, a sentence and a quote;
//! blank lines between paragraphs mean nothing.

use crate::text::chars::{closes_only, is_apostrophe, is_han, is_letter, is_straight_quote, is_straight_single};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    Prose,
    /// A Markdown heading (`# …`) or a chapter title line such as `第三章 夜雨`.
    Heading,
    /// A line of rule characters such as `---`, `* * *` or `◇`.
    SceneBreak,
}

/// One non-blank line without the white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paragraph<'a> {
    pub block: BlockKind,
    /// Byte offset of the line in the whole text.
    pub start: usize,
    pub text: &'a str,
}

/// The non-blank lines of `text`, in order.
pub fn paragraphs(text: &str) -> Vec<Paragraph<'_>> {
    lines(text)
        .filter_map(|(start, line)| {
            let body = line.trim();
            let indent = line.len() - line.trim_start().len();
            (!body.is_empty()).then(|| Paragraph { block: block_of(body), start: start + indent, text: body })
        })
        .collect()
}

/// Lines with their line breaks, each with its byte offset.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |offset, line| {
        let start = *offset;
        *offset += line.len();
        Some((start, line))
    })
}

fn block_of(line: &str) -> BlockKind {
    if is_heading(line) {
        BlockKind::Heading
    } else if is_scene_break(line) {
        BlockKind::SceneBreak
    } else {
        BlockKind::Prose
    }
}

fn is_heading(line: &str) -> bool {
    let body = line.trim_start_matches('#');
    let level = line.len() - body.len();
    if (1..=6).contains(&level) {
        return body.is_empty() || body.starts_with(char::is_whitespace);
    }
    is_chapter_title(line)
}

/// `第十二章 夜雨`, `第三回`, `第1卷：风起`. A title has no sentence in it, so prose that begins with 第三章 is safe.
fn is_chapter_title(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('第') else { return false };
    let name = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "〇零一二三四五六七八九十百千两".contains(c));
    let Some(title) = name.strip_prefix(['章', '回', '卷', '节', '部', '集']) else { return false };
    name.len() < rest.len()
        && (title.is_empty() || title.starts_with(|c: char| c.is_whitespace() || c == '：' || c == ':'))
        && line.chars().count() <= 40
        && !line.contains(['。', '！', '？'])
}

fn is_scene_break(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    // The two lists are slow to search, and few lines have a mark that is not Han.
    let Some(first) = marks.next().filter(|first| !is_han(*first)) else { return false };
    let ornament = "※◇◆☆★".contains(first);
    let rule = || "-*_=~—─＊•·".contains(first) && marks.clone().nth(1).is_some();
    (ornament || rule()) && marks.all(|c| c == first)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SentenceEnds {
    /// 。！？…… and their half-width forms.
    #[default]
    Stops,
    /// The marks of [`Stops`](Self::Stops), and the semicolon.
    StopsAndSemicolons,
}

/// One sentence with everything up to the next one, so that all sentences put together are the text again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// Byte offset of `raw` in the whole text.
    pub start: usize,
    /// The sentence with the white space after it (and, at the start of a line, its indentation).
    pub raw: &'a str,
    pub block: BlockKind,
    /// Index of the non-blank line, from 0.
    pub paragraph: usize,
}

impl<'a> Sentence<'a> {
    pub fn text(&self) -> &'a str {
        self.raw.trim()
    }

    pub fn han(&self) -> usize {
        super::chars::han_count(self.raw)
    }
}

/// [`sentences_with`] the usual stops.
pub fn sentences(text: &str) -> Vec<Sentence<'_>> {
    sentences_with(text, SentenceEnds::Stops)
}

/// Splits `text` into sentences without losing a byte: the `raw` fields put together are `text`.
///
/// A sentence ends after a run of stops (？！, ……) together with the closing quotes and brackets behind it. A point of
/// any width is a stop after a Han character, and between two of them in a text without 。; a ～ that ends a line or a
/// quotation is one too. A sentence does not end inside 《…》, before a comma that follows a closing quote (“走！”，他说), or
/// where no letters would be left on one side. A dash never ends a sentence; a line break always does.
pub fn sentences_with(text: &str, ends: SentenceEnds) -> Vec<Sentence<'_>> {
    let mut starts: Vec<(usize, BlockKind, usize)> = Vec::new();
    let mut paragraph = 0;
    let ends = (ends, ends_with_points(text));
    for (offset, line) in lines(text) {
        let body = line.trim();
        if body.is_empty() {
            continue;
        }
        let block = block_of(body);
        // Leading blank lines have no sentence before them to belong to.
        let first = if starts.is_empty() { 0 } else { offset };
        starts.push((first, block, paragraph));
        if block == BlockKind::Prose {
            starts.extend(inner_starts(line, ends).into_iter().map(|at| (offset + at, block, paragraph)));
        }
        paragraph += 1;
    }
    if starts.is_empty() && !text.is_empty() {
        starts.push((0, BlockKind::Prose, 0));
    }
    let stops: Vec<usize> = starts.iter().skip(1).map(|s| s.0).chain([text.len()]).collect();
    starts
        .into_iter()
        .zip(stops)
        .map(|((start, block, paragraph), stop)| Sentence { start, raw: &text[start..stop], block, paragraph })
        .collect()
}

/// The sentences of the story itself: no headings, no scene breaks, nothing without a letter.
pub fn prose_sentences(text: &str) -> Vec<Sentence<'_>> {
    sentences(text).into_iter().filter(|s| s.block == BlockKind::Prose && s.raw.chars().any(is_letter)).collect()
}

/// How far 》 may be from 《 for stops between them to belong to a title.
const LONGEST_TITLE: usize = 30;

/// Byte offsets in `line` at which its second and later sentences begin.
fn inner_starts(line: &str, ends: (SentenceEnds, bool)) -> Vec<usize> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let last_letter = chars.iter().rposition(|&(_, c)| is_letter(c)).unwrap_or(0);
    let mut starts = Vec::new();
    // Whether a straight double mark and a straight single mark are open.
    let (mut double, mut single) = (false, false);
    let mut has_letter = false;
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i].1;
        has_letter |= is_letter(c);
        if is_straight_quote(c) {
            double = !double;
        } else if is_single_mark(&chars, i) {
            single = !single;
        } else if c == '《' {
            let title = chars.iter().skip(i + 1).take(LONGEST_TITLE).position(|&(_, c)| c == '》');
            if let Some(length) = title {
                has_letter |= length > 0;
                i += length + 2;
                continue;
            }
        }
        if !is_stop(&chars, i, ends) {
            i += 1;
            continue;
        }
        i += 1;
        while let Some(&(_, c)) = chars.get(i) {
            if is_straight_quote(c) && double {
                double = false;
            } else if is_single_mark(&chars, i) && single {
                single = false;
            } else if !is_stop(&chars, i, ends) && !closes_only(c) && c != '.' {
                break;
            }
            i += 1;
        }
        while chars.get(i).is_some_and(|(_, c)| c.is_whitespace()) {
            i += 1;
        }
        let goes_on = chars.get(i).is_none_or(|(_, c)| "，,、；;：:".contains(*c));
        if has_letter && !goes_on && i <= last_letter {
            starts.push(chars[i].0);
            has_letter = false;
        }
    }
    starts
}

/// True when the text has points where others have 。; elsewhere a point between Han characters joins the parts of a
/// foreign name (哈利．波特).
fn ends_with_points(text: &str) -> bool {
    let is_end = |line: &str| {
        let bare = line.trim_end().trim_end_matches(|c| closes_only(c) || is_straight_quote(c));
        bare.strip_suffix(['.', '．']).is_some_and(|rest| rest.ends_with(is_han))
    };
    !text.contains(['。', '｡']) && text.lines().any(is_end)
}

/// True for a straight single quotation mark that is no apostrophe of a Latin word.
fn is_single_mark(chars: &[(usize, char)], at: usize) -> bool {
    let before = at.checked_sub(1).map(|i| chars[i].1);
    is_straight_single(chars[at].1) && !is_apostrophe(before, chars.get(at + 1).map(|c| c.1))
}

fn is_stop(chars: &[(usize, char)], at: usize, (ends, points): (SentenceEnds, bool)) -> bool {
    let next = chars.get(at + 1).map(|c| c.1);
    match chars[at].1 {
        '。' | '！' | '？' | '!' | '?' | '…' | '｡' | '﹗' | '﹖' => true,
        '；' | ';' => ends == SentenceEnds::StopsAndSemicolons,
        // Within a sentence it draws a sound out, and between numbers it means "to".
        '～' | '~' => next.is_none_or(|c| c.is_whitespace() || closes_only(c) || is_straight_quote(c)),
        // A lone full point is a stop after a Han character and at the end of a Latin word, not in 3.14 or a.b.
        '.' | '．' if matches!(next, Some('.' | '．')) => true,
        '.' | '．' => {
            let before = at.checked_sub(1).map(|i| chars[i].1);
            before.is_some_and(|c| is_han(c) && !next.is_some_and(|c| is_letter(c) && !(points && is_han(c))))
                || (before.is_some_and(is_letter) && next.is_none_or(char::is_whitespace))
        }
        _ => false,
    }
}

/// The clauses of `text`: what stands between stops, commas, colons, semicolons, dashes, quotes and line breaks, trimmed
/// and never empty. The enumeration comma 、 keeps a clause together.
pub fn clauses(text: &str) -> Vec<&str> {
    text.split(|c: char| {
        matches!(c, '—' | '─' | '：' | ':' | '，' | ',' | '；' | ';' | '\n')
            || "。！？!?…｡．～﹗﹖".contains(c)
            || super::chars::is_quote_mark(c)
    })
    .map(str::trim)
    .filter(|clause| clause.chars().any(is_letter))
    .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).iter().map(Sentence::text).collect()
    }

    #[test]
    fn headings_and_scene_breaks_are_not_prose() {
        let text =
            "# 第一章 夜雨\n\n　　雨下了一夜。\n* * *\n天亮了。\n---\n第三章的稿子，他没有写完。\n第二章 归人\n◇\n——\n";
        let blocks: Vec<BlockKind> = paragraphs(text).iter().map(|p| p.block).collect();
        use BlockKind::{Heading, Prose, SceneBreak};
        assert_eq!(blocks, [Heading, Prose, SceneBreak, Prose, SceneBreak, Prose, Heading, SceneBreak, Prose]);
        assert_eq!(paragraphs(text)[1].text, "雨下了一夜。");
        let prose: Vec<&str> = prose_sentences(text).iter().map(Sentence::text).collect();
        assert_eq!(prose, ["雨下了一夜。", "天亮了。", "第三章的稿子，他没有写完。"]);
    }

    #[test]
    fn a_sentence_keeps_its_run_of_stops_and_its_closing_quote() {
        assert_eq!(
            texts("“你疯了？！”她退了一步……“走——快走！”，他喊。《你好！旧时光》上映了。"),
            ["“你疯了？！”", "她退了一步……", "“走——快走！”，他喊。", "《你好！旧时光》上映了。"]
        );
        assert_eq!(texts("他说：\"走吧。\"她没动。\"好。\""), ["他说：\"走吧。\"", "她没动。", "\"好。\""]);
    }

    #[test]
    fn dots_in_numbers_and_leading_ellipses_do_not_split() {
        assert_eq!(texts("长3.14米。价 2.5 元"), ["长3.14米。", "价 2.5 元"]);
        assert_eq!(texts("“……好。”他说。——"), ["“……好。”", "他说。——"]);
        assert_eq!(texts("等等...他来了."), ["等等...", "他来了."]);
    }

    #[test]
    fn points_of_any_width_end_sentences_and_join_foreign_names() {
        assert_eq!(texts("雨停了．他走了．〝走？〞她问．"), ["雨停了．", "他走了．", "〝走？〞", "她问．"]);
        assert_eq!(texts("雨停了｡他走了｡"), ["雨停了｡", "他走了｡"]);
        assert_eq!(texts("雨停了.他走了."), ["雨停了.", "他走了."]);
        assert_eq!(texts("哈利．波特来了。哈利.波特走了。"), ["哈利．波特来了。", "哈利.波特走了。"]);
    }

    #[test]
    fn a_wave_ends_a_sentence_only_where_nothing_follows() {
        assert_eq!(
            texts("“好呀～”她笑了～\n等三～五天，啊～～真好。"),
            ["“好呀～”", "她笑了～", "等三～五天，啊～～真好。"]
        );
    }

    #[test]
    fn single_marks_close_with_their_sentence() {
        assert_eq!(texts("他说：'走吧。'她没动。'好。'"), ["他说：'走吧。'", "她没动。", "'好。'"]);
        assert_eq!(texts("他唱 don't go。她没听。"), ["他唱 don't go。", "她没听。"]);
    }

    #[test]
    fn semicolons_end_sentences_only_when_asked() {
        let text = "山高；水长。";
        assert_eq!(sentences(text).len(), 1);
        assert_eq!(sentences_with(text, SentenceEnds::StopsAndSemicolons).len(), 2);
    }

    #[test]
    fn clauses_are_cut_at_commas_but_not_at_enumerations() {
        assert_eq!(clauses("他看着山、水、人，笑道：“走罢——走！”"), ["他看着山、水、人", "笑道", "走罢", "走"]);
    }

    /// Text as bad as it comes: marks in any order among a few letters.
    fn messy() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop::sample::select("天地人a1。！？…—，；：“”‘’「」『』\"《》（）. \n　#*-".chars().collect::<Vec<_>>()),
            0..80,
        )
        .prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn no_byte_is_lost_between_sentences(text in messy(), semicolons: bool) {
            let ends = if semicolons { SentenceEnds::StopsAndSemicolons } else { SentenceEnds::Stops };
            let parts = sentences_with(&text, ends);
            prop_assert_eq!(parts.iter().map(|s| s.raw).collect::<String>(), text.clone());
            let mut at = 0;
            for part in parts {
                prop_assert_eq!(part.start, at);
                at += part.raw.len();
            }
        }
    }
}
