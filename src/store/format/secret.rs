//! Keys in texts: the forms of providers' keys, and the user's own.

use secrecy::{ExposeSecret as _, SecretString};

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

/// The lines (from 1) of `text` with a key: one of `own`, or the form of a provider's key or a private key. Lines with
/// a key that `before` has too are left out.
#[must_use]
pub fn lines_with_key(text: &[u8], before: Option<&[u8]>, own: &[SecretString]) -> Vec<usize> {
    let before = before.map(String::from_utf8_lossy).unwrap_or_default();
    let is_new = |key: &str| !before.contains(key);
    let text = String::from_utf8_lossy(text);
    let holds_key = |line: &str| {
        let own = own.iter().map(|key| key.expose_secret().trim()).filter(|key| key.len() >= SHORTEST);
        let mut known = own.filter(|key| line.contains(key));
        known.any(is_new) || keys_in(line).any(is_new)
    };
    text.lines().enumerate().filter(|(_, line)| holds_key(line)).map(|(at, _)| at + 1).collect()
}

/// The parts of a line in the form of a key.
fn keys_in(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words = line.split(move |c: char| !is_part(c)).filter(|word| {
        // Words of a language have no digits in them; keys do.
        let is_of = |(start, fewest): &(&str, usize)| {
            word.strip_prefix(start)
                .is_some_and(|rest| rest.len() >= *fewest && rest.bytes().any(|byte| byte.is_ascii_digit()))
        };
        FORMS.iter().any(is_of)
    });
    let is_private = line.starts_with("-----BEGIN ") && line.contains("PRIVATE KEY-----");
    words.chain(is_private.then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_form_and_by_value() {
        let own = [SecretString::from("correct-horse".to_owned()), SecretString::from("ab".to_owned())];
        let lines = |text: &str| lines_with_key(text.as_bytes(), None, &own);
        let parts = ["sk-proj-", "0123456789abcdefghij"];
        assert_eq!(lines(&format!("甲\nkey = \"{}\"\n", parts.concat())), [2]);
        assert_eq!(lines("密钥是correct-horse。"), [1]);
        assert_eq!(lines(concat!("-----BEGIN OPENSSH ", "PRIVATE KEY-----")), [1]);
        for harmless in
            ["risk-assessment-framework-2026", "sk-short1", "sk-a-very-long-word-of-letters", "ab", "雨停了。"]
        {
            assert_eq!(lines(harmless), Vec::<usize>::new(), "{harmless}");
        }
    }

    #[test]
    fn a_key_that_was_there_before_is_no_news() {
        let key = ["sk-", "0123456789abcdefghij"].concat();
        let (before, now) = (format!("a {key}\n"), format!("b\nc {key}\n"));
        assert_eq!(lines_with_key(now.as_bytes(), Some(before.as_bytes()), &[]), Vec::<usize>::new());
        assert_eq!(lines_with_key(now.as_bytes(), Some(b"a\n"), &[]), [2]);
    }
}
