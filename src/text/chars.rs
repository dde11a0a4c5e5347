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
pub(super) fn is_letter(c: char) -> bool {
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
