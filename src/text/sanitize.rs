//! Characters that steer a terminal or hide text: taken out of a model's reply, shown as signs on a screen, escaped in
//! JSON.
//! A reply keeps line breaks, tabs, emoji sequences and variation selectors (of emoji and of Han characters). A zero-width
//! joiner stays between two characters of a script that joins (emoji, Arabic, Indic) and goes elsewhere: between Han
//! characters it has no meaning, and it would hide a name from every search.

use crate::text::chars::is_wide_letter;
use std::borrow::Cow;

/// The longest escape sequence that is taken out as a whole, in characters; of a longer one only the escape goes.
const LONGEST_SEQUENCE: usize = 256;

/// True for characters that steer a terminal or reorder text: controls other than line feed and tab (C0, DEL, C1),
/// bidirectional controls, and the noncharacters U+FDD0 to U+FDEF.
pub fn is_steering(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        '\u{FDD0}'..='\u{FDEF}' => true,
        c => c.is_control(),
    }
}

/// True for characters that are invisible and without use in prose: zero-width spaces, soft hyphens, byte-order marks,
/// invisible operators. Joiners and tags depend on their neighbours and are not among them.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{180E}' | '\u{200B}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// True for the tags that spell the flags of regions, and that can spell anything else out of sight.
fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// The black flag, which tags may follow.
const FLAG: char = '\u{1F3F4}';

/// Removes characters and escape sequences that steer a terminal or hide text. Every form of line break becomes a line
/// feed. Idempotent.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let odd =
        |c: char| is_steering(c) || is_hidden(c) || is_joiner(c) || is_tag(c) || matches!(c, '\u{2028}' | '\u{2029}');
    if !text.contains(odd) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\r' if after.starts_with('\n') => after,
            '\r' | '\u{0B}' | '\u{0C}' | '\u{2028}' | '\u{2029}' => {
                kept.push('\n');
                after
            }
            '\u{1B}' | '\u{90}' | '\u{98}' | '\u{9B}' | '\u{9D}' | '\u{9E}' | '\u{9F}' => &rest[sequence(rest)..],
            c if is_steering(c) || is_hidden(c) => after,
            c if is_tag(c) && !kept.ends_with(|last| last == FLAG || is_tag(last)) => after,
            c => {
                kept.push(c);
                after
            }
        };
    }
    Cow::Owned(without_idle_joiners(&kept))
}

/// The length in bytes of the escape sequence at the start of the text; of the escape alone without a whole sequence.
fn sequence(text: &str) -> usize {
    let mut chars = text.char_indices().take(LONGEST_SEQUENCE).peekable();
    let Some((_, first)) = chars.next() else { return 0 };
    let alone = first.len_utf8();
    let kind = match (first, chars.peek()) {
        ('\u{1B}', Some(&(_, c))) => {
            chars.next();
            c
        }
        // A C1 character is an escape and the letter 64 places below it.
        (c, _) => char::from_u32(u32::from(c).saturating_sub(0x40)).unwrap_or(c),
    };
    match kind {
        '[' => {
            for (at, c) in chars {
                match c {
                    '\u{20}'..='\u{3F}' => {}
                    '\u{40}'..='\u{7E}' => return at + 1,
                    _ => return alone,
                }
            }
            alone
        }
        ']' | 'P' | 'X' | '^' | '_' => {
            let mut escaped = false;
            for (at, c) in chars {
                match c {
                    '\u{7}' | '\u{9C}' => return at + c.len_utf8(),
                    '\\' if escaped => return at + 1,
                    '\n' => return alone,
                    c => escaped = c == '\u{1B}',
                }
            }
            alone
        }
        _ => alone,
    }
}

fn without_idle_joiners(text: &str) -> String {
    let joins = |c: char| !(c.is_ascii() || c.is_whitespace() || is_wide_letter(c) || is_joiner(c) || is_cjk_mark(c));
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !is_joiner(c) || (out.ends_with(joins) && chars.peek().copied().is_some_and(joins)) {
            out.push(c);
        }
    }
    out
}

fn is_cjk_mark(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}')
}

/// Returns the text for a screen: steering characters become visible signs (`␛`, `␍`, `\u{202e}`). A carriage return
/// before a line feed is dropped.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\0'..='\u{1F}' if is_steering(c) => {
                out.push(char::from_u32(u32::from(c) + 0x2400).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            '\u{7F}' => out.push('␡'),
            c if is_steering(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns JSON with steering characters as `\u202e`. They stand only inside strings, where the escape means the same.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_steering) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_steering(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_reply_loses_what_steers_and_keeps_what_is_written() {
        let table = [
            ("雨\u{1b}[31m停\u{1b}[0m了。", "雨停了。"),
            ("雨\u{1b}]0;title\u{7}停\u{1b}]8;;x\u{1b}\\了", "雨停了"),
            ("雨\u{9b}2J停\u{85}\0了\u{7f}", "雨停了"),
            ("他说：\u{202e}“走。”\u{2066}\u{200f}", "他说：“走。”"),
            ("一\r\n二\r三\u{2028}四\t五", "一\n二\n三\n四\t五"),
            ("林\u{200d}枫\u{200b}走\u{feff}了\u{ad}", "林枫走了"),
            ("👩\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥 葛\u{e0100}城", "👩\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥 葛\u{e0100}城"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("🏴\u{e0067}\u{e007f}走\u{e0041}\u{e0042}", "🏴\u{e0067}\u{e007f}走"),
            // An escape without an end takes nothing with it.
            ("\u{1b}雨停了。\u{1b}]0;门开了\n“谁？”", "雨停了。]0;门开了\n“谁？”"),
            ("\u{1b}[", "["),
        ];
        for (text, kept) in table {
            assert_eq!(sanitize(text), kept, "{text:?}");
        }
        assert!(matches!(sanitize("“谁？”——他没有回头……"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_screen_shows_what_steers() {
        assert_eq!(visible("a\u{1b}[31m\0\u{7f}\u{9b}b\r\nc\rd\t\u{202e}"), "a␛[31m␀␡\\u{9b}b\nc␍d\t\\u{202e}");
        assert_eq!(visible("👩\u{200d}🚀\u{200b}"), "👩\u{200d}🚀\u{200b}");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let value = serde_json::json!({"雨": "a\u{9b}\u{7f}\u{202e}\u{1b}\n\u{fdd0}"});
        let escaped = escape_json(&value.to_string()).into_owned();
        assert!(escaped.contains("\\u202e") && escaped.contains("\\u009b") && !escaped.contains(is_steering));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), value);
    }

    /// Texts in which the characters of interest are frequent.
    fn odd() -> impl Strategy<Value = String> {
        let c = prop_oneof![
            any::<char>(),
            prop::sample::select(vec![
                '\u{1b}',
                '[',
                ']',
                '\\',
                'm',
                '0',
                ';',
                '\u{7}',
                '\u{9b}',
                '\u{9c}',
                '\0',
                '\r',
                '\n',
                '\u{202e}',
                '\u{200d}',
                '\u{200c}',
                '\u{200b}',
                '\u{feff}',
                '\u{e0067}',
                '🏴',
                '👩',
                '林',
                '，',
                'a',
                '\u{fdd0}',
                '\u{2028}',
                '\u{fe0f}',
            ]),
        ];
        prop::collection::vec(c, 0..40).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn nothing_that_steers_is_left(text in odd()) {
            let clean = sanitize(&text).into_owned();
            prop_assert!(!clean.contains(|c| is_steering(c) || is_hidden(c)), "{clean:?}");
            prop_assert_eq!(sanitize(&clean), clean.as_str());
            prop_assert!(!visible(&text).contains(is_steering));
        }

        #[test]
        fn what_is_written_stays(text in "[\\p{Han}\\p{Latin}，。“”！？—… \\n0-9]{0,60}") {
            prop_assert_eq!(sanitize(&text), text.as_str());
            prop_assert_eq!(visible(&text), text.as_str());
        }
    }
}
