//! The sentence of a chapter that speaks of a fact.

use super::chars::{is_han, is_letter};
use super::split::sentences;

/// A value of one or two letters is found only whole and beside its subject; of a longer one this many letters in a row
/// are enough.
const TELLING: usize = 3;

/// Returns the sentence of `text` that speaks of `value`, best of all beside one of `subjects` (the names of the person or
/// thing that has it); `None` where no sentence does.
///
/// A sentence counts when it has the whole value (two letters or more), three letters of it in a row, or a shorter part
/// of at least two letters beside a subject. Of several the one with the longest part is taken, then the one with a
/// subject, then the first.
#[must_use]
pub fn find_mention<'t>(text: &'t str, subjects: &[String], value: &str) -> Option<&'t str> {
    let wanted: Vec<char> = value.chars().filter(|c| is_letter(*c)).collect();
    if wanted.len() < 2 || !wanted.iter().any(|c| is_han(*c)) {
        return None;
    }
    let mut best: Option<((usize, bool), &str)> = None;
    for sentence in sentences(text) {
        let sentence = sentence.text();
        let letters: Vec<char> = sentence.chars().filter(|c| is_letter(*c)).collect();
        let beside = subjects.iter().any(|subject| !subject.is_empty() && sentence.contains(subject.as_str()));
        let shared = longest_shared(&letters, &wanted);
        let counts = shared == wanted.len() || shared >= TELLING || shared >= 2 && beside;
        if counts && best.is_none_or(|(rank, _)| (shared, beside) > rank) {
            best = Some(((shared, beside), sentence.trim()));
        }
    }
    best.map(|(_, sentence)| sentence)
}

/// The length of the longest run of letters that both have.
fn longest_shared(a: &[char], b: &[char]) -> usize {
    let mut row = vec![0; b.len() + 1];
    let mut longest = 0;
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { 0 };
            longest = longest.max(row[j + 1]);
            diagonal = above;
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "码头上人很多。沈渡的左臂还吊着布带。\n\n“你那封密信呢？”陈伯问。他把手藏进袖子里。";

    fn found(subjects: &[&str], value: &str) -> Option<&'static str> {
        let subjects: Vec<String> = subjects.iter().map(|s| (*s).to_owned()).collect();
        find_mention(TEXT, &subjects, value)
    }

    #[test]
    fn the_sentence_with_the_longest_part_is_taken() {
        assert_eq!(found(&["沈渡"], "左臂受伤"), Some("沈渡的左臂还吊着布带。"));
        assert_eq!(found(&[], "一封密信"), Some("“你那封密信呢？”"));
        assert_eq!(found(&[], "密信"), Some("“你那封密信呢？”"));
    }

    #[test]
    fn parts_without_a_subject_and_single_letters_are_no_mention() {
        assert_eq!(found(&[], "左臂受伤"), None);
        assert_eq!(found(&["陈伯"], "左臂受伤"), None);
        assert_eq!(found(&["沈渡"], "臂"), None);
        assert_eq!(found(&["沈渡"], "12"), None);
        assert_eq!(found(&["沈渡"], ""), None);
        assert_eq!(find_mention("", &[], "密信"), None);
    }
}
