//! Which known name was perhaps meant by one that is not known.

/// The most letters by which a slip of the finger differs from what was meant.
const SLIP: usize = 2;

/// Returns the known name that differs from the typed one by a letter or two; `None` when no name is that near, or when that
/// would be half of the name.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |name: &&str| edits(typed, name) <= SLIP.min(name.chars().count().saturating_sub(1) / 2);
    known.into_iter().filter(near).min_by_key(|name| edits(typed, name))
}

/// Levenshtein's distance, in characters.
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
