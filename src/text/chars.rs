//! Classes of characters shared by the files of this room, and counting words, characters and Han characters.

/// True for unified ideographs with extensions, compatibility ideographs and the zero 〇.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c,
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '〇' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}')
}

pub(super) fn han_count(text: &str) -> usize {
    text.chars().filter(|&c| is_han(c)).count()
}

/// True for Han characters, letters of any script, and digits.
pub(crate) fn is_letter(c: char) -> bool {
    // The library looks each character up in tables; nearly all of a text are Han characters and these marks.
    is_han(c) || !is_common_mark(c) && c.is_alphanumeric()
}

/// True for the marks that Chinese texts are full of: general punctuation, CJK marks and brackets, full-width stops.
fn is_common_mark(c: char) -> bool {
    matches!(c,
        '\u{2010}'..='\u{205E}' | '\u{3000}'..='\u{3003}' | '\u{3008}'..='\u{3020}' | '，' | '！' | '？' | '：' | '；' | '（'
        | '）')
}

/// Letters that stand alone when words are counted: Han, kana and Hangul.
pub(super) fn is_wide_letter(c: char) -> bool {
    is_han(c) || matches!(c, '々' | '\u{3041}'..='\u{30FF}' | '\u{AC00}'..='\u{D7A3}')
}

/// The straight double quote, half or full width, which opens and closes alike.
pub(super) fn is_straight_quote(c: char) -> bool {
    matches!(c, '"' | '＂')
}

/// One spelling for characters that differ only in width or typographic habit: full-width forms become half-width,
/// every dash becomes `-`, brackets become round or square, letters become lower case.
pub(super) fn fold(c: char) -> char {
    let narrow = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '。' | '｡' => '.',
        '—' | '–' | '―' | '─' | '‐' | '‑' | '﹣' => '-',
        '【' | '〔' => '[',
        '】' | '〕' => ']',
        '〈' => '《',
        '〉' => '》',
        '•' | '・' => '·',
        other => other,
    };
    narrow.to_ascii_lowercase()
}

pub(super) fn is_quote_mark(c: char) -> bool {
    matches!(c, '“' | '‘' | '「' | '『' | '〝' | '«')
        || is_closing_quote(c)
        || is_straight_quote(c)
        || is_straight_single(c)
}

/// The straight single mark, half or full width, which opens and closes alike and is an apostrophe as well.
pub(super) fn is_straight_single(c: char) -> bool {
    matches!(c, '\'' | '＇')
}

/// A mark that closes a quotation and opens none.
pub(super) fn is_closing_quote(c: char) -> bool {
    matches!(c, '”' | '’' | '」' | '』' | '〞' | '〟' | '»')
}

/// A mark that closes a quotation or a bracket and opens none.
pub(super) fn closes_only(c: char) -> bool {
    is_closing_quote(c) || matches!(c, '）' | ')' | '】' | ']' | '》' | '〉')
}

/// True for a single mark between the letters of a Latin word: don't, O’Hara.
pub(super) fn is_apostrophe(before: Option<char>, after: Option<char>) -> bool {
    let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && !is_wide_letter(c));
    is_latin(before) && is_latin(after)
}

/// The range of the unified ideographs, which a set can hold.
const FIRST: u32 = 0x4E00;
const LAST: u32 = 0x9FFF;
const WORDS: usize = ((LAST - FIRST) as usize + 64) / 64;

#[derive(Debug)]
pub(super) struct CharSet {
    bits: [u64; WORDS],
}

impl CharSet {
    /// The build fails when a character of `list` is not a unified ideograph.
    pub(super) const fn of(list: &str) -> Self {
        let mut set = Self { bits: [0; WORDS] };
        let mut at = 0;
        while at < list.len() {
            set = set.with(list.as_bytes(), at);
            at += 3;
        }
        set
    }

    pub(super) const fn of_firsts(words: &[&str]) -> Self {
        let mut set = Self { bits: [0; WORDS] };
        let mut at = 0;
        while at < words.len() {
            set = set.with(words[at].as_bytes(), 0);
            at += 1;
        }
        set
    }

    /// Adds the character whose three UTF-8 bytes begin at `at`.
    const fn with(mut self, bytes: &[u8], at: usize) -> Self {
        assert!(bytes[at] >> 4 == 0b1110, "a set holds unified ideographs");
        let c = (bytes[at] as u32 & 0xF) << 12 | (bytes[at + 1] as u32 & 0x3F) << 6 | bytes[at + 2] as u32 & 0x3F;
        assert!(FIRST <= c && c <= LAST, "a set holds unified ideographs");
        self.bits[(c - FIRST) as usize / 64] |= 1 << ((c - FIRST) % 64);
        self
    }

    pub(super) fn has(&self, c: char) -> bool {
        let c = u32::from(c);
        (FIRST..=LAST).contains(&c) && self.bits[(c - FIRST) as usize / 64] >> ((c - FIRST) % 64) & 1 == 1
    }
}

use crate::text::prelude::*;
use std::ops::Add;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Count {
    /// Words as Chinese web platforms count them: each Han character, kana or Hangul syllable is one, each run of Latin
    /// letters and digits is one, punctuation is nothing.
    pub words: usize,
    /// Han characters and words, with every punctuation mark and symbol counted as one.
    pub words_with_punctuation: usize,
    /// Han characters alone, the base of every rate in this room.
    pub han: usize,
}

/// Characters without blanks and line breaks, as editors count them.
pub fn characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

impl Count {
    pub fn of(text: &str) -> Self {
        let mut count = Self::default();
        let mut marks = 0;
        let mut chars = text.chars().peekable();
        let mut in_run = false;
        while let Some(c) = chars.next() {
            if is_wide_letter(c) {
                count.words += 1;
                count.han += usize::from(is_han(c));
                in_run = false;
            } else if is_letter(c) {
                count.words += usize::from(!in_run);
                in_run = true;
            } else {
                // 3.14, 10,000, don't and AK-47 are one word each.
                let joins = in_run
                    && matches!(c, '.' | ',' | '\'' | '’' | '-' | '_')
                    && chars.peek().is_some_and(|&next| is_letter(next) && !is_wide_letter(next));
                if !joins {
                    marks += usize::from(!c.is_whitespace() && !c.is_control());
                    in_run = false;
                }
            }
        }
        count.words_with_punctuation = count.words + marks;
        count
    }

    /// Counts the paragraphs of the story only: no headings, no scene breaks.
    pub fn of_prose(text: &str) -> Self {
        paragraphs(text)
            .iter()
            .filter(|p| p.block == BlockKind::Prose)
            .fold(Self::default(), |sum, p| sum + Self::of(p.text))
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            words: self.words + other.words,
            words_with_punctuation: self.words_with_punctuation + other.words_with_punctuation,
            han: self.han + other.han,
        }
    }
}

/// `hits` per 1,000 Han characters; 0 for a text without Han characters.
pub fn per_thousand(hits: usize, han: usize) -> f64 {
    if han == 0 { 0.0 } else { hits as f64 * 1000.0 / han as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static LIST: &str = "一丁赵钱孙李龥鿿";
    static SET: CharSet = CharSet::of(LIST);

    #[test]
    fn a_set_has_the_characters_of_its_list() {
        assert!(LIST.chars().all(|c| SET.has(c)));
        assert!(CharSet::of("").bits.iter().all(|word| *word == 0));
    }

    #[test]
    fn a_set_of_firsts_has_the_first_character_of_each_word() {
        static FIRSTS: CharSet = CharSet::of_firsts(&["站在", "道"]);
        assert!(FIRSTS.has('站') && FIRSTS.has('道') && !FIRSTS.has('在'));
    }

    proptest! {
        #[test]
        fn a_set_agrees_with_its_list(c: char) {
            prop_assert_eq!(SET.has(c), LIST.contains(c));
        }
    }

    #[test]
    fn words_are_counted_as_platforms_count_them() {
        let count = Count::of("他用 AK-47 打了 3.5 发，“砰！”don't……");
        // 他用 打了 发 砰 are six; AK-47, 3.5 and don't one each.
        assert_eq!(count.words, 9);
        assert_eq!(count.han, 6);
        // ，“！”……
        assert_eq!(count.words_with_punctuation, 9 + 6);
    }

    #[test]
    fn headings_count_only_when_everything_is_counted() {
        let text = "# 第一章 夜雨\n\n雨停了。\n\n---\n\n天亮了。";
        assert_eq!(Count::of_prose(text).words, 6);
        assert_eq!(Count::of_prose(text).words_with_punctuation, 8);
        assert_eq!(Count::of(text).words, 11);
    }

    #[test]
    fn rates_of_nothing_are_zero() {
        assert_eq!(per_thousand(3, 0), 0.0);
        assert_eq!(per_thousand(3, 1500), 2.0);
    }

    proptest! {
        #[test]
        fn counts_add_up_over_paragraphs(parts in proptest::collection::vec("[天地人a1。，“” .'-]{0,20}", 0..6)) {
            let whole = parts.join("\n");
            let sum = parts.iter().fold(Count::default(), |sum, part| sum + Count::of(part));
            prop_assert_eq!(Count::of(&whole), sum);
            let prose = parts.iter().fold(Count::default(), |sum, part| sum + Count::of_prose(part));
            prop_assert_eq!(Count::of_prose(&whole), prose);
        }
    }
}
