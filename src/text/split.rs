//! Paragraphs, sentences, clauses and quoted spans.
//!
//! Chinese fiction is written one paragraph a line, so a line break always ends a paragraph, a sentence and a quote;
//! blank lines between paragraphs mean nothing.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::chars::{is_han, is_letter, is_straight_quote};

/// What a non-blank line of a chapter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A paragraph of the story.
    Prose,
    /// A Markdown heading (`# …`) or a chapter title line such as `第三章 夜雨`.
    Heading,
    /// A line of rule characters such as `---`, `* * *` or `◇`.
    SceneBreak,
}

/// One non-blank line without the white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paragraph<'a> {
    /// What the line is.
    pub block: Block,
    /// Byte offset of `text` in the whole.
    pub start: usize,
    /// The trimmed line.
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

/// Lines with their line break, each with its byte offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |offset, line| {
        let start = *offset;
        *offset += line.len();
        Some((start, line))
    })
}

fn block_of(line: &str) -> Block {
    if is_heading(line) {
        Block::Heading
    } else if is_scene_break(line) {
        Block::SceneBreak
    } else {
        Block::Prose
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
    let Some(first) = marks.next() else { return false };
    let ornament = "※◇◆☆★".contains(first);
    let rule = || "-*_=~—─＊•·".contains(first) && marks.clone().nth(1).is_some();
    (ornament || rule()) && marks.all(|c| c == first)
}

/// Which marks end a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SentenceEnds {
    /// 。！？…… and their half-width forms.
    #[default]
    Stops,
    /// The same and the semicolon.
    StopsAndSemicolons,
}

/// One sentence with everything up to the next one, so that all sentences put together are the text again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// Byte offset of `raw` in the whole.
    pub start: usize,
    /// The sentence with the white space and line breaks after it (and, at the start of a line, its indentation).
    pub raw: &'a str,
    /// What the line it stands in is.
    pub block: Block,
    /// Number of the non-blank line it stands in, from 0.
    pub paragraph: usize,
}

impl<'a> Sentence<'a> {
    /// The sentence without white space around it.
    pub fn text(&self) -> &'a str {
        self.raw.trim()
    }

    /// How many Han characters it has.
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
/// A sentence ends after a run of stops (？！, ……) together with the closing quotes and brackets behind it. It does not
/// end inside 《…》, before a comma that follows a closing quote (“走！”，他说), or where no letters would be left on one
/// side. A dash never ends a sentence. A line break always does.
pub fn sentences_with(text: &str, ends: SentenceEnds) -> Vec<Sentence<'_>> {
    let mut starts: Vec<(usize, Block, usize)> = Vec::new();
    let mut paragraph = 0;
    for (offset, line) in lines(text) {
        let body = line.trim();
        if body.is_empty() {
            continue;
        }
        let block = block_of(body);
        // Leading blank lines have no sentence before them to belong to.
        let first = if starts.is_empty() { 0 } else { offset };
        starts.push((first, block, paragraph));
        if block == Block::Prose {
            starts.extend(inner_starts(line, ends).into_iter().map(|at| (offset + at, block, paragraph)));
        }
        paragraph += 1;
    }
    if starts.is_empty() && !text.is_empty() {
        starts.push((0, Block::Prose, 0));
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
    sentences(text).into_iter().filter(|s| s.block == Block::Prose && s.raw.chars().any(is_letter)).collect()
}

/// How far 》 may be from 《 for stops between them to belong to a title.
const LONGEST_TITLE: usize = 30;

/// Byte offsets in `line` at which its second and later sentences begin.
fn inner_starts(line: &str, ends: SentenceEnds) -> Vec<usize> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let last_letter = chars.iter().rposition(|&(_, c)| is_letter(c)).unwrap_or(0);
    let mut starts = Vec::new();
    let mut straight_open = false;
    let mut has_letter = false;
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i].1;
        has_letter |= is_letter(c);
        if is_straight_quote(c) {
            straight_open = !straight_open;
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
            if is_straight_quote(c) && straight_open {
                straight_open = false;
            } else if !is_stop(&chars, i, ends) && !is_closing(c) && c != '.' {
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

fn is_stop(chars: &[(usize, char)], at: usize, ends: SentenceEnds) -> bool {
    let next = chars.get(at + 1).map(|c| c.1);
    match chars[at].1 {
        '。' | '！' | '？' | '!' | '?' | '…' | '｡' => true,
        '；' | ';' => ends == SentenceEnds::StopsAndSemicolons,
        // A lone full point is a stop after a Han character and at the end of a Latin word, not in 3.14 or a.b.
        '.' if next == Some('.') => true,
        '.' => {
            let before = at.checked_sub(1).map(|i| chars[i].1);
            before.is_some_and(|c| is_han(c) && !next.is_some_and(is_letter))
                || (before.is_some_and(is_letter) && next.is_none_or(char::is_whitespace))
        }
        _ => false,
    }
}

fn is_closing(c: char) -> bool {
    matches!(c, '”' | '’' | '」' | '』' | '）' | ')' | '】' | ']' | '》' | '〉')
}

/// The clauses of `text`: what stands between stops, commas, colons, semicolons, dashes, quotes and line breaks, trimmed
/// and never empty. The enumeration comma 、 keeps a clause together.
pub fn clauses(text: &str) -> Vec<&str> {
    text.split(|c: char| {
        matches!(c, '—' | '─' | '：' | ':' | '，' | ',' | '；' | ';' | '\n')
            || "。！？!?…｡".contains(c)
            || super::chars::is_quote_mark(c)
    })
    .map(str::trim)
    .filter(|clause| clause.chars().any(is_letter))
    .collect()
}

/// The pairs of marks that enclose speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuoteStyle {
    /// “ ”
    CurlyDouble,
    /// ‘ ’
    CurlySingle,
    /// 「 」
    Corner,
    /// 『 』
    WhiteCorner,
    /// `"` twice, half or full width.
    Straight,
}

impl QuoteStyle {
    fn opened_by(c: char) -> Option<Self> {
        Some(match c {
            '“' => Self::CurlyDouble,
            '‘' => Self::CurlySingle,
            '「' => Self::Corner,
            '『' => Self::WhiteCorner,
            _ => return None,
        })
    }

    fn closed_by(c: char) -> Option<Self> {
        Some(match c {
            '”' => Self::CurlyDouble,
            '’' => Self::CurlySingle,
            '」' => Self::Corner,
            '』' => Self::WhiteCorner,
            _ => return None,
        })
    }
}

/// A quoted span; quotes inside quotes are part of the outer one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The marks it is written with.
    pub style: QuoteStyle,
    /// Byte range of the span with its marks.
    pub range: Range<usize>,
    /// Byte range of what is between the marks.
    pub inner: Range<usize>,
    /// Whether a closing mark was found; without one the span ends with its paragraph (or before the next quote that is
    /// introduced by a colon).
    pub closed: bool,
}

/// The outermost quoted spans of `text` in all quote styles, in order, never overlapping, never past their line.
///
/// Real manuscripts mix styles and mistype marks, so: “ ‘ inside an open span nests only when enough closing marks
/// follow on the line, otherwise the second “ of “走吧“ closes; a line whose double curly marks all point the same way is
/// read as if they were straight; a closing mark with nothing open is ignored.
pub fn quotes(text: &str) -> Vec<Quote> {
    let mut found = Vec::new();
    for (offset, line) in lines(text) {
        let end = line.trim_end().len();
        quotes_of_line(&line[..end], offset, &mut found);
    }
    found
}

struct Open {
    style: QuoteStyle,
    start: usize,
    inner: usize,
    depth: usize,
}

enum Mark {
    Opens(QuoteStyle),
    Closes(QuoteStyle),
    Toggles(QuoteStyle),
}

fn quotes_of_line(line: &str, offset: usize, found: &mut Vec<Quote>) {
    let one_sided = line.contains('“') != line.contains('”')
        && line.chars().filter(|c| matches!(c, '“' | '”')).count().is_multiple_of(2);
    let mut open: Option<Open> = None;
    let mut before = None;
    for (at, c) in line.char_indices() {
        let after = at + c.len_utf8();
        let mark = match c {
            '“' | '”' if one_sided => Some(Mark::Toggles(QuoteStyle::CurlyDouble)),
            _ if is_straight_quote(c) => Some(Mark::Toggles(QuoteStyle::Straight)),
            _ => QuoteStyle::opened_by(c).map(Mark::Opens).or_else(|| QuoteStyle::closed_by(c).map(Mark::Closes)),
        };
        let mut close = |span: Open, inner_end: usize, end: usize, closed: bool| {
            found.push(Quote {
                style: span.style,
                range: offset + span.start..offset + end,
                inner: offset + span.inner..offset + inner_end,
                closed,
            });
        };
        open = match (mark, open) {
            (Some(Mark::Opens(style) | Mark::Toggles(style)), None) => {
                Some(Open { style, start: at, inner: after, depth: 1 })
            }
            (Some(Mark::Opens(style)), Some(mut span)) if style == span.style => {
                let closers = line[after..].chars().filter(|&c| QuoteStyle::closed_by(c) == Some(style)).count();
                if closers > span.depth {
                    span.depth += 1;
                    Some(span)
                } else if matches!(before, Some('：' | ':')) {
                    close(span, at, at, false);
                    Some(Open { style, start: at, inner: after, depth: 1 })
                } else {
                    close(span, at, after, true);
                    None
                }
            }
            (Some(Mark::Closes(style) | Mark::Toggles(style)), Some(mut span)) if style == span.style => {
                span.depth -= 1;
                if span.depth == 0 {
                    close(span, at, after, true);
                    None
                } else {
                    Some(span)
                }
            }
            (_, open) => open,
        };
        before = Some(c);
    }
    if let Some(span) = open {
        found.push(Quote {
            style: span.style,
            range: offset + span.start..offset + line.len(),
            inner: offset + span.inner..offset + line.len(),
            closed: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).iter().map(Sentence::text).collect()
    }

    fn spoken(text: &str) -> Vec<&str> {
        quotes(text).into_iter().map(|q| &text[q.inner]).collect()
    }

    #[test]
    fn headings_and_scene_breaks_are_not_prose() {
        let text =
            "# 第一章 夜雨\n\n　　雨下了一夜。\n* * *\n天亮了。\n---\n第三章的稿子，他没有写完。\n第二章 归人\n◇\n——\n";
        let blocks: Vec<Block> = paragraphs(text).iter().map(|p| p.block).collect();
        use Block::{Heading, Prose, SceneBreak};
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
    fn semicolons_end_sentences_only_when_asked() {
        let text = "山高；水长。";
        assert_eq!(sentences(text).len(), 1);
        assert_eq!(sentences_with(text, SentenceEnds::StopsAndSemicolons).len(), 2);
    }

    #[test]
    fn clauses_are_cut_at_commas_but_not_at_enumerations() {
        assert_eq!(clauses("他看着山、水、人，笑道：“走罢——走！”"), ["他看着山、水、人", "笑道", "走罢", "走"]);
    }

    #[test]
    fn every_quote_style_is_read_even_when_mixed() {
        let text = "“甲。”「乙」『丙』‘丁’他说\"戊。\"";
        assert_eq!(spoken(text), ["甲。", "乙", "丙", "丁", "戊。"]);
        let styles: Vec<QuoteStyle> = quotes(text).iter().map(|q| q.style).collect();
        use QuoteStyle::{Corner, CurlyDouble, CurlySingle, Straight, WhiteCorner};
        assert_eq!(styles, [CurlyDouble, Corner, WhiteCorner, CurlySingle, Straight]);
    }

    #[test]
    fn nested_quotes_belong_to_the_outer_one() {
        assert_eq!(spoken("“他说‘走’，我没走。”"), ["他说‘走’，我没走。"]);
        // 红楼梦, chapter 8, as typed in the edition at hand: the inner marks are of the same style.
        assert_eq!(spoken("宝玉笑道：“什么“冷香丸”？这么好闻！”"), ["什么“冷香丸”？这么好闻！"]);
    }

    #[test]
    fn mistyped_and_missing_marks_stay_in_their_paragraph() {
        assert_eq!(spoken("“走吧“他说。"), ["走吧"]);
        assert_eq!(spoken("”走吧”他说。"), ["走吧"]);
        assert_eq!(spoken("“甲。他道：“乙。”"), ["甲。他道：", "乙。"]);
        let open = quotes("“第一段没有收尾。\n第二段。");
        assert_eq!(open.len(), 1);
        assert!(!open[0].closed);
        assert_eq!(open[0].range.end, "“第一段没有收尾。".len());
        assert_eq!(spoken("没有开头”的引号。"), Vec::<&str>::new());
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

        #[test]
        fn quotes_are_in_bounds_in_order_and_within_a_line(text in messy()) {
            let mut free = 0;
            for quote in quotes(&text) {
                prop_assert!(free <= quote.range.start && quote.range.end <= text.len());
                prop_assert!(quote.range.start <= quote.inner.start && quote.inner.end <= quote.range.end);
                prop_assert!(!text[quote.range.clone()].contains('\n'));
                prop_assert!(quote.inner.start <= quote.inner.end);
                free = quote.range.end;
            }
        }
    }
}
