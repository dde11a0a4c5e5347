//! Classes of characters shared by the files of this room.

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
}
