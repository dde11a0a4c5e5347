//! Classes of characters shared by the files of this room.

/// Whether `c` is a Han character (unified ideographs with extensions, compatibility ideographs and the zero 〇).
pub(crate) fn is_han(c: char) -> bool {
    matches!(c,
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '〇' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}')
}

/// How many Han characters `text` has.
pub(super) fn han_count(text: &str) -> usize {
    text.chars().filter(|&c| is_han(c)).count()
}

/// Whether `c` carries content: a Han character, a letter of any script, or a digit.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
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

/// Any quotation mark of any style, apostrophes included.
pub(super) fn is_quote_mark(c: char) -> bool {
    matches!(c, '“' | '”' | '‘' | '’' | '「' | '」' | '『' | '』' | '"' | '＂' | '\'' | '＇')
}
