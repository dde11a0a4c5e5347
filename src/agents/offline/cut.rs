//! Cutting prose into paragraphs and sentences, and counting with the text room's measure, as far as the offline writer needs it.

use crate::text::Count;

/// The paragraphs of a text, without scene breaks.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|p| !p.is_empty() && !is_break(p))
}

/// Whether a paragraph only separates scenes.
pub(super) fn is_break(paragraph: &str) -> bool {
    paragraph.chars().all(|c| matches!(c, '*' | '-' | '—' | ' ' | '　' | '#'))
}

/// Sentences with their end marks; a closing quotation mark belongs to the sentence before it.
pub(super) fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let closes = |next: Option<&(usize, char)>| next.is_some_and(|(_, n)| "。！？”’…".contains(*n));
        if "。！？…".contains(c) && !closes(chars.peek()) || c == '”' && ends_inside(&paragraph[start..at]) {
            let end = at + c.len_utf8();
            found.push(paragraph[start..end].trim());
            start = end;
        }
    }
    found.push(paragraph[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn ends_inside(text: &str) -> bool {
    text.ends_with(['。', '！', '？', '…'])
}

/// Whether a paragraph holds speech.
pub(super) fn has_speech(paragraph: &str) -> bool {
    paragraph.contains(['“', '”', '「', '"'])
}

/// Han characters and runs of Latin letters or digits, the measure of chapter lengths.
pub(super) fn words(text: &str) -> u32 {
    u32::try_from(Count::of(text).words).unwrap_or(u32::MAX)
}

/// The first `limit` characters, cut after a mark of punctuation where one stands in the second half.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(limit) else { return text };
    let cut = &text[..end];
    match cut.rfind(['，', '。', '；', '、', '：', ',', ';']) {
        Some(at) if at > end / 2 => &cut[..at],
        _ => cut,
    }
}

/// A field of an outline as words for the middle of a sentence: one line, no marks at the ends, at most `limit`
/// characters; `None` when it says nothing.
pub(super) fn phrase(text: &str, limit: usize) -> Option<String> {
    const NOTHING: [&str; 6] = ["无", "没有", "暂无", "none", "n/a", "待定"];
    let line: String = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("，");
    let plain: String = line.chars().filter(|c| !c.is_control() && !"{}[]|*`#\"“”「」".contains(*c)).collect();
    let marks = |c: char| c.is_whitespace() || "。，；：、！？…—-,.;:!?（）()".contains(c);
    let words = clip(plain.trim_matches(marks), limit).trim_matches(marks);
    let says = words.chars().any(char::is_alphanumeric) && !NOTHING.contains(&words.to_lowercase().as_str());
    says.then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_keep_their_marks_and_lose_nothing() {
        let text = "雨停了。“你来了？”他问。走吧！……好";
        assert_eq!(sentences(text), ["雨停了。", "“你来了？”", "他问。", "走吧！……", "好"]);
        assert_eq!(sentences(text).concat(), text);
    }

    #[test]
    fn a_field_that_says_nothing_is_nothing() {
        for text in ["无", " 无。", "", "——", "None", "\n\n"] {
            assert_eq!(phrase(text, 40), None, "{text}");
        }
        assert_eq!(phrase("信使死在门前。", 40).as_deref(), Some("信使死在门前"));
        assert_eq!(phrase("一，二三四五六七八九", 4).as_deref(), Some("一，二三"));
    }

    #[test]
    fn lengths_count_han_and_runs_of_latin() {
        assert_eq!(words("他说OK，走3号线。"), 7);
    }
}
