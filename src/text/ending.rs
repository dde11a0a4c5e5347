//! How a text ends: after a whole sentence, in the middle of one, or inside a quotation that is not closed.

use crate::text::chars::{is_closing_quote, is_quote_mark, is_straight_quote, is_straight_single};
use crate::text::prelude::*;
use crate::text::quotes::quotes;
use crate::text::split::Paragraph;

/// How the prose of a text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// After a sentence, with every quotation closed.
    Whole,
    /// Without a stop, a dash or a closing mark.
    MidSentence,
    /// Inside a quotation that no mark closes.
    OpenQuotation,
}

/// An opening mark further from the end than this, in characters, is a misprint.
const LONGEST_SPEECH: usize = 600;

/// Returns how the prose of `text` ends; `None` without prose. Headings and scene breaks at the end are ignored.
///
/// A sentence ends with 。！？…, a dash of two, ～, a full point of any width, or the closing mark of a quotation or a bracket. A
/// quotation is open when its paragraph does not close it and no later one does; a speech of several paragraphs, each with
/// an opening mark and only the last with a closing one, is closed. Of the 419 chapters of three human novels twelve do
/// not end whole: eight files break off there, and four lack a closing mark.
pub fn ending(text: &str) -> Option<Ending> {
    let prose = prose(text);
    let last = prose.last()?;
    if open_quotation(text, &prose).is_some() {
        return Some(Ending::OpenQuotation);
    }
    Some(if is_whole(last.text) { Ending::Whole } else { Ending::MidSentence })
}

/// The part of `text` up to its last whole sentence outside an open quotation, trimmed at the end; may be empty.
pub fn whole_part(text: &str) -> &str {
    let prose = prose(text);
    let limit = open_quotation(text, &prose).unwrap_or(text.len());
    let whole = sentences(&text[..limit]).into_iter().rev().find(|sentence| {
        sentence.block == BlockKind::Prose && sentence.raw.chars().any(is_letter) && is_whole(sentence.text())
    });
    whole.map_or("", |sentence| text[..sentence.start + sentence.raw.len()].trim_end())
}

fn prose(text: &str) -> Vec<Paragraph<'_>> {
    let is_prose =
        |paragraph: &Paragraph<'_>| paragraph.block == BlockKind::Prose && paragraph.text.chars().any(is_letter);
    paragraphs(text).into_iter().filter(is_prose).collect()
}

fn is_whole(text: &str) -> bool {
    let bare = text.trim_end().trim_end_matches(['*', '_']);
    if bare.ends_with("——") || bare.ends_with("──") {
        return true;
    }
    bare.ends_with(|c| {
        matches!(c, '。' | '！' | '？' | '!' | '?' | '…' | '｡' | '.' | '．' | '﹗' | '﹖' | '～' | '~')
            || is_closing_quote(c)
            || matches!(c, '）' | ')' | '】' | ']')
            || is_straight_quote(c)
            || is_straight_single(c)
    })
}

/// The byte at which the quotation begins that is open at the end of the text.
fn open_quotation(text: &str, prose: &[Paragraph<'_>]) -> Option<usize> {
    let mut open: Option<usize> = None;
    for paragraph in prose {
        let here = quotes(paragraph.text);
        let unclosed = here.last().filter(|quote| !quote.closed).map(|quote| paragraph.start + quote.range.start);
        let marks = paragraph.text.contains(is_quote_mark);
        // A paragraph without a mark may continue the speech before it.
        if marks || open.is_none() {
            open = unclosed;
        }
    }
    open.filter(|at| text[*at..].chars().count() <= LONGEST_SPEECH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_ends_whole_in_every_way_in_which_people_end_a_chapter() {
        for end in [
            "他没有回头。",
            "谁？",
            "谁？！",
            "“走！”",
            "“走”",
            "他推开门——",
            "他推开门……",
            "「走。」",
            "『走。』",
            "\"走。\"",
            "（灯灭了。）",
            "【任务失败】",
            "“你……”他说。",
            "他说：‘走。’",
            "He left.",
            "“第一段。\n\n“第二段。”",
            "天亮了。\n\n* * *",
            "她笑了～",
            "天亮了．",
            "他说：'走。'",
            "〝走。〞",
            "«走»",
        ] {
            assert_eq!(ending(end), Some(Ending::Whole), "{end}");
            assert_eq!(whole_part(&format!("{end}\n\n他走到")), end.trim_end_matches("\n\n* * *"), "{end}");
        }
        assert_eq!((ending("# 第1章\n\n* * *\n"), whole_part("# 第1章\n")), (None, ""));
    }

    #[test]
    fn an_end_in_a_sentence_or_a_quotation_is_told_and_cut_before_it() {
        use Ending::{MidSentence, OpenQuotation};
        for (text, how, whole) in [
            ("雨停了。他收起信，", MidSentence, "雨停了。"),
            ("雨停了。\n\n他收起", MidSentence, "雨停了。"),
            ("雨停了。他说：", MidSentence, "雨停了。"),
            ("雨停了。“信呢？”他问，“给", OpenQuotation, "雨停了。“信呢？”"),
            ("雨停了。\n\n“信丢了。我找过。", OpenQuotation, "雨停了。"),
            ("雨停了。\n\n「信丢了。", OpenQuotation, "雨停了。"),
            ("雨停了。\n\n“信丢了。\n\n“我找过。", OpenQuotation, "雨停了。\n\n“信丢了。"),
            ("雨停了。\n\n“信丢了。\n\n我找过三遍。", OpenQuotation, "雨停了。"),
            ("雨停了。\n\n他说：\"信丢了。", OpenQuotation, "雨停了。"),
            ("雨停", MidSentence, ""),
        ] {
            assert_eq!((ending(text), whole_part(text)), (Some(how), whole), "{text}");
        }
        let misprint = format!("“他走了。\n\n{}", "他沿着河一直走到天黑。\n\n".repeat(80));
        assert_eq!(ending(&misprint), Some(Ending::Whole), "a mark that is missing far above says nothing of the end");
        assert_eq!(ending("“他走了。\n\n“信呢？”\n\n他走了。"), Some(Ending::Whole));
    }

    proptest! {
        #[test]
        fn the_whole_part_begins_the_text_and_ends_whole(text in "[雨风他说，。！？…—“”「」\n（）：]{0,60}") {
            let whole = whole_part(&text);
            prop_assert!(text.starts_with(whole));
            if !whole.is_empty() {
                prop_assert!(is_whole(whole));
            }
            if ending(&text) == Some(Ending::Whole) {
                prop_assert!(!whole.is_empty());
            }
        }
    }
}
