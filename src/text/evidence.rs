//! Finding a quotation in a chapter.

use crate::text::chars::{fold, han_count, is_quote_mark};
use crate::text::prelude::*;

/// Shorter quotations, in Han characters, are evidence of nothing.
pub const MIN_EVIDENCE_HAN: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Byte ranges in the chapter, in order: one for a quotation without gaps, several for one with `……` in the middle.
    pub fragments: Vec<Range<usize>>,
}

impl Evidence {
    pub fn start(&self) -> usize {
        self.fragments.first().map_or(0, |f| f.start)
    }
}

/// Finds `quote` in `chapter`; `None` when it is not there or shorter than [`MIN_EVIDENCE_HAN`].
///
/// White space and quotation marks are ignored, full-width and half-width forms are equal, runs of dots or dashes count
/// as one, and punctuation at the ends does not matter. The rest must match word for word. Failing that, an ellipsis
/// inside the quotation may stand for left-out text: then every fragment must have at least two Han characters and all
/// must occur in order.
pub fn find_evidence(chapter: &str, quote: &str) -> Option<Evidence> {
    if han_count(quote) < MIN_EVIDENCE_HAN {
        return None;
    }
    let text = normalise(chapter);
    let wanted = normalise(quote);
    if let Some(fragment) = find_fragment(&text, 0, trimmed(&wanted)) {
        return Some(Evidence { fragments: vec![byte_range(&text, &fragment)] });
    }
    let mut fragments = Vec::new();
    let mut from = 0;
    for piece in wanted.split(|n| n.c == '…').map(trimmed).filter(|piece| !piece.is_empty()) {
        if piece.iter().filter(|n| is_han(n.c)).count() < 2 {
            return None;
        }
        let fragment = find_fragment(&text, from, piece)?;
        from = fragment.end;
        fragments.push(byte_range(&text, &fragment));
    }
    (!fragments.is_empty()).then_some(Evidence { fragments })
}

/// A folded character and the bytes it was made of.
#[derive(Debug, Clone, Copy)]
struct Folded {
    c: char,
    start: usize,
    end: usize,
}

fn normalise(text: &str) -> Vec<Folded> {
    let mut folded: Vec<Folded> = Vec::with_capacity(text.len() / 3);
    for (start, raw) in text.char_indices() {
        if raw.is_whitespace() || is_quote_mark(raw) {
            continue;
        }
        let end = start + raw.len_utf8();
        let c = fold(raw);
        match folded.last_mut() {
            Some(last) if matches!(c, '.' | '…') && matches!(last.c, '.' | '…') => {
                last.c = '…';
                last.end = end;
            }
            Some(last) if c == '-' && last.c == '-' => last.end = end,
            _ => folded.push(Folded { c, start, end }),
        }
    }
    folded
}

fn trimmed(piece: &[Folded]) -> &[Folded] {
    let Some(first) = piece.iter().position(|n| is_letter(n.c)) else { return &[] };
    let last = piece.iter().rposition(|n| is_letter(n.c)).unwrap_or(first);
    &piece[first..=last]
}

/// The first match of `piece` in `text` at or after index `from`, as a range of indices.
fn find_fragment(text: &[Folded], from: usize, piece: &[Folded]) -> Option<Range<usize>> {
    if piece.is_empty() {
        return None;
    }
    text.get(from..)?
        .windows(piece.len())
        .position(|window| window.iter().zip(piece).all(|(a, b)| a.c == b.c))
        .map(|at| from + at..from + at + piece.len())
}

fn byte_range(text: &[Folded], found: &Range<usize>) -> Range<usize> {
    text[found.start].start..text[found.end - 1].end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 红楼梦, chapter 3 (public domain).
    const MEETING: &str = "黛玉一见便吃一大惊，心中想道：“好生奇怪，倒像在那里见过的，何等眼熟！……”只见这宝玉向贾母请了安，\n\n贾母便命：“去见你娘来。”";

    fn quoted(quote: &str) -> Option<Vec<&'static str>> {
        find_evidence(MEETING, quote).map(|e| e.fragments.into_iter().map(|f| &MEETING[f]).collect())
    }

    #[test]
    fn typographic_differences_do_not_matter() {
        assert_eq!(quoted("「好生奇怪, 倒像在那里见过的」").unwrap(), ["好生奇怪，倒像在那里见过的"]);
        assert_eq!(quoted("请了安，贾母便命:\"去见你娘来\"").unwrap(), ["请了安，\n\n贾母便命：“去见你娘来"]);
        assert_eq!(quoted("何等眼熟！...只见这宝玉").unwrap(), ["何等眼熟！……”只见这宝玉"]);
    }

    #[test]
    fn an_ellipsis_stands_for_omitted_text_in_order() {
        assert_eq!(quoted("黛玉一见……何等眼熟").unwrap(), ["黛玉一见", "何等眼熟"]);
        assert!(quoted("何等眼熟……黛玉一见").is_none());
        assert!(quoted("黛玉一见……林……何等眼熟").is_none());
    }

    #[test]
    fn invented_changed_and_tiny_quotes_are_not_evidence() {
        assert!(quoted("宝玉哭了起来").is_none());
        assert!(quoted("好生奇怪，倒像在这里见过的").is_none());
        assert!(quoted("").is_none());
        assert!(quoted("……！").is_none());
        assert!(quoted("请了安").is_none());
        assert!(find_evidence("", "请了安，贾母").is_none());
    }

    proptest! {
        #[test]
        fn any_verbatim_passage_is_found(
            before in "[天地人心a1。，！？…—“”‘’\".　\n-]{0,30}",
            passage in "[…。“\".—-]{0,2}([天地人心][a1。，！？…—“”‘’\".　\n-]{0,3}){4,12}",
            after in "[天地人心a1。，！？…—“”‘’\".　\n-]{0,30}",
        ) {
            let chapter = format!("{before}{passage}{after}");
            prop_assert!(find_evidence(&chapter, &passage).is_some());
        }
    }
}
