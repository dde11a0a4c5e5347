//! Known names that an unknown one may stand for.

use std::cmp::Reverse;

/// The most letters by which a slip of the finger differs from what was meant.
const SLIP: usize = 2;

/// Returns the known name that differs from the typed one by a letter or two; `None` when no name is near, or when the
/// difference is half of the name.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |name: &&str| edits(typed, name) <= SLIP.min(name.chars().count().saturating_sub(1) / 2);
    known.into_iter().filter(near).min_by_key(|name| edits(typed, name))
}

/// Sorts names by likeness: those that begin with the typed text first, then by differing letters, then by common
/// letters at the beginning.
#[must_use]
pub fn by_likeness<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let common = |name: &str| typed.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(|name| (!name.starts_with(typed), slips(typed, name), Reverse(common(name))));
    names
}

/// The edit distance of two texts, where two letters that have changed places are one edit.
fn slips(a: &str, b: &str) -> usize {
    let is_swap = |(a, b): (&[char], &[char])| a[0] == b[1] && a[1] == b[0] && a[0] != a[1];
    let (letters, others): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let swaps = letters.windows(2).zip(others.windows(2)).filter(|pair| is_swap(*pair)).count();
    edits(a, b).saturating_sub(swaps)
}

/// Levenshtein distance in characters.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_name_comes_first() {
        let names = ["adopt", "state", "start", "status", "restore"];
        assert_eq!(by_likeness("statu", names)[..2], ["status", "state"]);
        assert_eq!(by_likeness("stat", names)[..3], ["state", "status", "start"]);
        assert_eq!(by_likeness("strat", names)[0], "start");
        assert_eq!(by_likeness("restor", names)[0], "restore");
    }

    #[test]
    fn a_slip_finds_the_name_and_another_word_does_not() {
        let known = ["provider", "base_url", "wire", "openai", "qwen", "vllm"];
        let table = [
            ("provder", Some("provider")),
            ("baseurl", Some("base_url")),
            ("opeanai", Some("openai")),
            ("wier", None),
            ("wir", Some("wire")),
            ("mood", None),
            ("", None),
        ];
        for (typed, meant) in table {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
        assert_eq!((edits("", "雨停"), edits("雨停", "雨停了"), edits("kitten", "sitting")), (2, 1, 3));
    }
}
