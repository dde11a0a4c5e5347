//! Finding a quotation in a chapter, and the sentence that a noted fact comes from.
//! A summary has its own words for facts, so sentences are searched for the value word for word, then for a good part of it, then
//! for the people whom the fact is about.

use crate::text::chars::{fold, han_count, is_quote_mark};
use crate::text::prelude::*;
use crate::text::split::Sentence;

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

/// A sentence has a good part of a value with this share of the value's pairs of neighbouring characters.
const GOOD_SHARE: f64 = 0.5;
/// The share for a value of at least [`LONG`] characters, a whole sentence that is seldom repeated to the letter.
const GOOD_SHARE_OF_LONG: f64 = 0.35;
const LONG: usize = 12;
/// Fewer common pairs than this are chance.
const FEWEST_PAIRS: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clue {
    /// Forms of the value in the text: the value itself, or the names of the thing with that id.
    pub values: Vec<String>,
    /// The names in the text of each thing that the fact is about.
    pub subjects: Vec<Vec<String>>,
}

/// How a sentence matches a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// All of at least two people whom the fact is about.
    Names,
    /// A good part of the value.
    Part,
    Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSentence {
    pub sentence: String,
    pub basis: Basis,
}

/// Finds the sentence of `chapter` that says what `clue` says. Of equal ones a sentence that names the subject is
/// preferred, then the first.
pub fn source_sentence(chapter: &str, clue: &Clue) -> Option<SourceSentence> {
    let sentences = prose_sentences(chapter);
    let values: Vec<SoughtValue<'_>> = clue.values.iter().map(|value| SoughtValue::new(chapter, value)).collect();
    let mut best: Option<(Rank, &Sentence<'_>)> = None;
    for sentence in &sentences {
        let Some(rank) = rank(sentence, &values, &clue.subjects) else { continue };
        if best.as_ref().is_none_or(|(known, _)| rank > *known) {
            best = Some((rank, sentence));
        }
    }
    best.map(|((basis, ..), sentence)| SourceSentence { sentence: sentence.text().to_owned(), basis })
}

/// The order of sentences: basis, number of subjects, share of the value in thousandths.
type Rank = (Basis, usize, usize);

fn rank(sentence: &Sentence<'_>, values: &[SoughtValue<'_>], subjects: &[Vec<String>]) -> Option<Rank> {
    let named = subjects.iter().filter(|names| names.iter().any(|name| sentence.raw.contains(name.as_str()))).count();
    let best = values.iter().filter_map(|value| value.found_in(sentence, named > 0)).max();
    match best {
        Some((basis, share)) => Some((basis, named, share)),
        None => (named > 1 && named == subjects.len()).then_some((Basis::Names, named, 0)),
    }
}

/// A value prepared for searching.
struct SoughtValue<'v> {
    value: &'v str,
    /// The byte of the chapter at which the value begins, for a value too long to match by chance.
    at: Option<usize>,
    pairs: BTreeSet<(char, char)>,
}

impl<'v> SoughtValue<'v> {
    fn new(chapter: &str, value: &'v str) -> Self {
        let value = value.trim();
        let at = find_evidence(chapter, value).map(|evidence| evidence.start());
        Self { value, at, pairs: pairs(value) }
    }

    /// The part of the value that the sentence has, in thousandths.
    fn found_in(&self, sentence: &Sentence<'_>, names_subject: bool) -> Option<(Basis, usize)> {
        let within = sentence.start..sentence.start + sentence.raw.len();
        if self.at.is_some_and(|at| within.contains(&at)) {
            return Some((Basis::Value, 1000));
        }
        let letters = self.value.chars().filter(|c| is_letter(*c)).count();
        // A short value is found word for word; a single character only where its subject is named.
        if han_count(self.value) < MIN_EVIDENCE_HAN && letters > usize::from(!names_subject) {
            return has_whole(sentence.raw, self.value).then_some((Basis::Value, 1000));
        }
        let own = pairs(sentence.raw);
        let common = self.pairs.intersection(&own).count();
        let share = common as f64 / self.pairs.len().max(1) as f64;
        let good = if self.pairs.len() >= LONG { GOOD_SHARE_OF_LONG } else { GOOD_SHARE };
        (common >= FEWEST_PAIRS && share >= good).then_some((Basis::Part, (share * 1000.0) as usize))
    }
}

/// True when `value` stands in the text; digits only where no other digit is next to them.
fn has_whole(text: &str, value: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(value).any(|(at, found)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + found.len()..].chars().next());
        !(is_digit(found.chars().next()) && is_digit(before) || is_digit(found.chars().next_back()) && is_digit(after))
    })
}

/// The pairs of neighbouring letters, with punctuation and white space left out.
fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> = text.chars().filter(|c| is_letter(*c)).map(fold).collect();
    letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
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

    /// Beginning of chapter 3 of 红楼梦 (public domain), shortened.
    const CHAPTER: &str = "# 第3章 进府\n\n且说黛玉自那日弃舟登岸时，便有荣国府打发了轿子并拉行李的车辆久候了。\n\n贾母便命：“去见你娘来。”宝玉即转身去了。\n\n黛玉一见宝玉，便吃一大惊。紫鹃取了二十两银子，又添了120文钱。\n";

    fn clue(value: &str, subjects: &[&str]) -> Clue {
        let subjects = subjects.iter().map(|name| vec![(*name).to_owned()]).collect();
        Clue { values: vec![value.to_owned()].into_iter().filter(|value| !value.is_empty()).collect(), subjects }
    }

    fn found(value: &str, subjects: &[&str]) -> Option<(String, Basis)> {
        source_sentence(CHAPTER, &clue(value, subjects)).map(|found| (found.sentence, found.basis))
    }

    #[test]
    fn a_value_is_found_word_for_word_in_part_or_by_its_people() {
        let first = "且说黛玉自那日弃舟登岸时，便有荣国府打发了轿子并拉行李的车辆久候了。";
        assert_eq!(found("弃舟登岸", &["黛玉"]), Some((first.into(), Basis::Value)));
        assert_eq!(found("轿子", &["黛玉"]), Some((first.into(), Basis::Value)));
        assert_eq!(found("荣国府的轿子和行李车辆", &[]), Some((first.into(), Basis::Part)));
        let meeting = "黛玉一见宝玉，便吃一大惊。";
        assert_eq!(found("", &["黛玉", "宝玉"]), Some((meeting.into(), Basis::Names)));
        assert_eq!(found("大惊", &["黛玉"]), Some((meeting.into(), Basis::Value)));
    }

    #[test]
    fn a_fact_without_a_sentence_has_none() {
        assert_eq!(found("大观园沁芳亭", &["黛玉"]), None);
        assert_eq!(found("", &["黛玉"]), None, "one name is in every sentence");
        assert_eq!(found("", &[]), None);
        assert_eq!(found("", &["黛玉", "贾政"]), None);
        assert_eq!(source_sentence("", &clue("轿子", &[])), None);
        assert_eq!(found("20", &["紫鹃"]), None, "the digits of another number");
        assert!(found("120", &["紫鹃"]).is_some());
    }

    proptest! {
        #[test]
        fn a_sentence_of_the_chapter_is_found_and_nothing_else_is_returned(
            before in "([天地玄黄宇宙]{4,9}。){0,5}", said in "[洪荒日月盈昃]{5,12}", after in "([天地玄黄宇宙]{4,9}。){0,5}"
        ) {
            let chapter = format!("{before}{said}。{after}");
            let found = source_sentence(&chapter, &clue(&said, &[]));
            prop_assert_eq!(found.as_ref().map(|found| found.basis), Some(Basis::Value));
            prop_assert!(found.unwrap().sentence.contains(&said));
        }

        #[test]
        fn any_clue_is_looked_for_without_a_panic(chapter in ".{0,60}", value in ".{0,12}", subject in ".{0,4}") {
            if let Some(found) = source_sentence(&chapter, &clue(&value, &[&subject])) {
                prop_assert!(chapter.contains(&found.sentence));
            }
        }
    }
}
