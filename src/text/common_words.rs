//! Ordinary words of two characters, which are no name without further evidence.

use super::chars::is_han;
use std::sync::LazyLock;

/// A line per first character, sorted by that character.
static LINES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("common_words.txt").lines();
    lines.filter(|line| line.chars().next().is_some_and(is_han)).collect()
});

/// True for one of the 37,000 common words of two characters; words that are mostly names of people are not listed.
pub(crate) fn is_common_word(first: char, second: char) -> bool {
    let at = LINES.binary_search_by_key(&Some(first), |line| line.chars().next());
    at.is_ok_and(|at| LINES[at].chars().skip(1).any(|c| c == second))
}

pub(crate) fn is_common(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(first), Some(second), None) => is_common_word(first, second),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_names() {
        for word in ["光明", "今天", "一个", "做作", "冬天"] {
            assert!(is_common(word), "{word}");
        }
        for name in ["林枫", "黛玉", "明", "光明正", "ab", ""] {
            assert!(!is_common(name), "{name}");
        }
        assert!(LINES.windows(2).all(|two| two[0].chars().next() < two[1].chars().next()));
    }
}
