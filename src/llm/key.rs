//! Keys in texts: the forms of providers' keys, and the user's own.

use aho_corasick::{AhoCorasick, Match};
use secrecy::{ExposeSecret as _, SecretString};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// A form of key: its beginning, and the fewest characters after it.
const FORMS: [(&str, usize); 13] = [
    ("sk-", 16),
    ("AKIA", 16),
    ("AIza", 35),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghs_", 30),
    ("github_pat_", 30),
    ("glpat-", 18),
    ("gsk_", 30),
    ("hf_", 30),
    ("xai-", 30),
    ("xoxb-", 20),
    ("xoxp-", 20),
];

/// Shorter keys of the user are not searched for: they could be a word.
const SHORTEST: usize = 8;
/// A longer run of characters is no key.
const LONGEST: usize = 512;

/// Stands in a text in place of a key.
pub(super) const BLOT: &str = "[key]";

/// Returns the lines (from 1) of `text` with a key: one of `own`, or the form of a provider's key or of a private key. Lines
/// with a key that one of the texts `before` has too are left out.
pub fn lines_with_key(text: &[u8], before: &[&[u8]], own: &[SecretString]) -> Vec<usize> {
    let text = String::from_utf8_lossy(text);
    if spans(&text, own).is_empty() {
        return Vec::new();
    }
    let is_new = |key: &str| !before.iter().any(|text| String::from_utf8_lossy(text).contains(key));
    let holds_key = |line: &str| spans(line, own).into_iter().any(|span| is_new(&line[span]));
    text.lines().enumerate().filter(|(_, line)| holds_key(line)).map(|(at, _)| at + 1).collect()
}

/// Returns the text with `[key]` in place of each key that [`lines_with_key`] finds.
pub fn masked<'t>(text: &'t str, own: &[SecretString]) -> Cow<'t, str> {
    let spans = spans(text, own);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for span in spans {
        out.push_str(&text[at..span.start]);
        out.push_str(BLOT);
        at = span.end;
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}

/// Masks a text that comes in pieces: the end of a piece is held back while it may be the beginning of a key.
#[derive(Debug, Default)]
pub(super) struct Masker {
    held: String,
}

impl Masker {
    /// Takes the next piece and returns what can be shown now.
    pub(super) fn push(&mut self, piece: &str, own: &[SecretString]) -> String {
        self.held.push_str(piece);
        let end = self.held.rfind(|c: char| !c.is_ascii_graphic());
        let end = end.map_or(0, |at| at + self.held[at..].chars().next().map_or(0, char::len_utf8));
        let end = if self.held.len() - end > LONGEST { self.held.len() } else { end };
        let rest = self.held.split_off(end);
        masked(&std::mem::replace(&mut self.held, rest), own).into_owned()
    }

    /// Returns what is held back at the end of the text.
    pub(super) fn rest(&mut self, own: &[SecretString]) -> String {
        masked(&std::mem::take(&mut self.held), own).into_owned()
    }
}

/// The places of keys in a text, in order and apart from each other.
fn spans(text: &str, own: &[SecretString]) -> Vec<Range<usize>> {
    let mut spans = words_of_a_form(text);
    // Letters alone, such as the placeholders of local servers, could be a word of the text.
    let is_key = |key: &&str| key.len() >= SHORTEST && !key.bytes().all(|byte| byte.is_ascii_alphabetic());
    for key in own.iter().map(|key| key.expose_secret().trim()).filter(is_key) {
        spans.extend(text.match_indices(key).map(|(at, _)| at..at + key.len()));
    }
    for (at, begin) in text.match_indices("-----BEGIN ") {
        let head = text[at..].lines().next().unwrap_or_default();
        let Some(end) = head[begin.len()..].find("PRIVATE KEY-----") else { continue };
        let end = at + begin.len() + end + "PRIVATE KEY-----".len();
        // The lines of the key, where all of it is there.
        let whole = text[end..].find("-----END ").and_then(|from| {
            let close = text[end + from..].find("PRIVATE KEY-----")? + "PRIVATE KEY-----".len();
            Some(end + from + close)
        });
        spans.push(at..whole.unwrap_or(end));
    }
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    spans.retain(|span| {
        let is_apart = span.start >= end;
        end = end.max(span.end);
        is_apart
    });
    spans
}

/// The places of words in the form of a provider's key.
fn words_of_a_form(text: &str) -> Vec<Range<usize>> {
    static BEGINNINGS: LazyLock<AhoCorasick> = LazyLock::new(|| {
        AhoCorasick::new(FORMS.map(|(beginning, _)| beginning)).expect("a dozen words fit in an automaton")
    });
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
    let word = |found: Match| {
        let (start, rest) = (found.start(), &bytes[found.end()..]);
        // In JSON a word follows the letter of an escaped line break.
        let is_inside = bytes[..start].last().is_some_and(is_part) && (start < 2 || bytes[start - 2] != b'\\');
        let rest = &rest[..rest.iter().take_while(|byte| is_part(byte)).count()];
        // Words of a language have no digits in them; keys do.
        let is_key = rest.len() >= FORMS[found.pattern()].1 && rest.iter().any(u8::is_ascii_digit);
        (!is_inside && is_key).then(|| start..found.end() + rest.len())
    };
    BEGINNINGS.find_overlapping_iter(text).filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> [SecretString; 3] {
        ["correct-horse", "ab", "password"].map(|key| SecretString::from(key.to_owned()))
    }

    #[test]
    fn keys_are_found_by_form_and_by_value_and_masked() {
        let parts = ["sk-proj-", "0123456789abcdefghij"].concat();
        let private = concat!("-----BEGIN OPENSSH ", "PRIVATE KEY-----");
        let whole = format!("{private}\nb3BlbnNz\n{}", concat!("-----END OPENSSH ", "PRIVATE KEY-----"));
        for (text, lines, shown) in [
            (format!("甲\nkey = \"{parts}\"\n"), vec![2], "甲\nkey = \"[key]\"\n"),
            (format!("{{\"a\": \"甲\\n{parts}\"}}"), vec![1], "{\"a\": \"甲\\n[key]\"}"),
            (format!("K={parts}，{parts}。"), vec![1], "K=[key]，[key]。"),
            ("密钥是correct-horse。".to_owned(), vec![1], "密钥是[key]。"),
            (private.to_owned(), vec![1], "[key]"),
            (format!("甲\n{whole}\n乙"), vec![2], "甲\n[key]\n乙"),
        ] {
            assert_eq!(lines_with_key(text.as_bytes(), &[], &own()), lines, "{text}");
            assert_eq!(masked(&text, &own()), shown);
        }
        for harmless in [
            "risk-assessment-framework-2026",
            "sk-short1",
            "sk-a-very-long-word-of-letters",
            "他记下号码 13800138000123456789，又写了 sk- 两个字母。",
            "ab",
            "the password",
            "雨停了。",
        ] {
            assert_eq!(lines_with_key(harmless.as_bytes(), &[], &own()), Vec::<usize>::new(), "{harmless}");
            assert!(matches!(masked(harmless, &own()), Cow::Borrowed(_)), "{harmless}");
        }
    }

    #[test]
    fn a_key_that_was_there_before_is_no_news() {
        let key = ["sk-", "0123456789abcdefghij"].concat();
        let (before, now) = (format!("a {key}\n"), format!("b\nc {key}\n"));
        assert_eq!(lines_with_key(now.as_bytes(), &[before.as_bytes()], &[]), Vec::<usize>::new());
        assert_eq!(lines_with_key(now.as_bytes(), &[b"a\n", b"b\n"], &[]), [2]);
    }

    #[test]
    fn a_key_that_comes_in_pieces_is_never_shown() {
        let text = format!("雨停了。他说 {} 就走了，correct-horse", ["sk-", "0123456789abcdefghij"].concat());
        for size in 1..9 {
            let mut masker = Masker::default();
            let pieces: Vec<char> = text.chars().collect();
            let pieces = pieces.chunks(size).map(|piece| masker.push(&piece.iter().collect::<String>(), &own()));
            let shown: Vec<String> = pieces.collect();
            assert_eq!(shown.concat() + &masker.rest(&own()), "雨停了。他说 [key] 就走了，[key]");
        }
        let mut masker = Masker::default();
        assert_eq!(masker.push("她没有", &[]) + &masker.push("回答。", &[]), "她没有回答。");
    }
}
