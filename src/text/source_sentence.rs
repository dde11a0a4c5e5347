//! Finding the sentence of a chapter that a noted fact comes from.
//! A summary has its own words for facts, so sentences are searched for the value word for word, then for a good part of it, then
//! for the people whom the fact is about.

use crate::text::chars::{fold, han_count};
use crate::text::evidence::{MIN_EVIDENCE_HAN, find_evidence};
use crate::text::prelude::*;
use crate::text::split::Sentence;

/// A sentence has a good part of a value with this share of the value's pairs of neighbouring characters.
const GOOD_SHARE: f64 = 0.5;
/// The share for a value of at least [`LONG`] characters, a whole sentence that is seldom repeated to the letter.
const GOOD_SHARE_OF_LONG: f64 = 0.35;
const LONG: usize = 12;
/// Fewer common pairs than this are chance.
const FEWEST_PAIRS: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clue {
    /// Forms of the value in the text: the value itself, or the names of the thing with that id.
    pub values: Vec<String>,
    /// The names in the text of each thing that the fact is about.
    pub subjects: Vec<Vec<String>>,
}

/// How a sentence matches a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// All of at least two people whom the fact is about.
    Names,
    /// A good part of the value.
    Part,
    Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSentence {
    pub sentence: String,
    pub basis: Basis,
}

/// Finds the sentence of `chapter` that says what `clue` says. Of equal ones a sentence that names the subject is
/// preferred, then the first.
pub fn source_sentence(chapter: &str, clue: &Clue) -> Option<SourceSentence> {
    let sentences = prose_sentences(chapter);
    let values: Vec<SoughtValue<'_>> = clue.values.iter().map(|value| SoughtValue::new(chapter, value)).collect();
    let mut best: Option<(Rank, &Sentence<'_>)> = None;
    for sentence in &sentences {
        let Some(rank) = rank(sentence, &values, &clue.subjects) else { continue };
        if best.as_ref().is_none_or(|(known, _)| rank > *known) {
            best = Some((rank, sentence));
        }
    }
    best.map(|((basis, ..), sentence)| SourceSentence { sentence: sentence.text().to_owned(), basis })
}

/// The order of sentences: basis, number of subjects, share of the value in thousandths.
type Rank = (Basis, usize, usize);

fn rank(sentence: &Sentence<'_>, values: &[SoughtValue<'_>], subjects: &[Vec<String>]) -> Option<Rank> {
    let named = subjects.iter().filter(|names| names.iter().any(|name| sentence.raw.contains(name.as_str()))).count();
    let best = values.iter().filter_map(|value| value.found_in(sentence, named > 0)).max();
    match best {
        Some((basis, share)) => Some((basis, named, share)),
        None => (named > 1 && named == subjects.len()).then_some((Basis::Names, named, 0)),
    }
}

/// A value prepared for searching.
struct SoughtValue<'v> {
    value: &'v str,
    /// The byte of the chapter at which the value begins, for a value too long to match by chance.
    at: Option<usize>,
    pairs: BTreeSet<(char, char)>,
}

impl<'v> SoughtValue<'v> {
    fn new(chapter: &str, value: &'v str) -> Self {
        let value = value.trim();
        let at = find_evidence(chapter, value).map(|evidence| evidence.start());
        Self { value, at, pairs: pairs(value) }
    }

    /// The part of the value that the sentence has, in thousandths.
    fn found_in(&self, sentence: &Sentence<'_>, names_subject: bool) -> Option<(Basis, usize)> {
        let within = sentence.start..sentence.start + sentence.raw.len();
        if self.at.is_some_and(|at| within.contains(&at)) {
            return Some((Basis::Value, 1000));
        }
        let letters = self.value.chars().filter(|c| is_letter(*c)).count();
        // A short value is found word for word; a single character only where its subject is named.
        if han_count(self.value) < MIN_EVIDENCE_HAN && letters > usize::from(!names_subject) {
            return has_whole(sentence.raw, self.value).then_some((Basis::Value, 1000));
        }
        let own = pairs(sentence.raw);
        let common = self.pairs.intersection(&own).count();
        let share = common as f64 / self.pairs.len().max(1) as f64;
        let good = if self.pairs.len() >= LONG { GOOD_SHARE_OF_LONG } else { GOOD_SHARE };
        (common >= FEWEST_PAIRS && share >= good).then_some((Basis::Part, (share * 1000.0) as usize))
    }
}

/// True when `value` stands in the text; digits only where no other digit is next to them.
fn has_whole(text: &str, value: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(value).any(|(at, found)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + found.len()..].chars().next());
        !(is_digit(found.chars().next()) && is_digit(before) || is_digit(found.chars().next_back()) && is_digit(after))
    })
}

/// The pairs of neighbouring letters, with punctuation and white space left out.
fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> = text.chars().filter(|c| is_letter(*c)).map(fold).collect();
    letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Beginning of chapter 3 of 红楼梦 (public domain), shortened.
    const CHAPTER: &str = "# 第3章 进府\n\n且说黛玉自那日弃舟登岸时，便有荣国府打发了轿子并拉行李的车辆久候了。\n\n贾母便命：“去见你娘来。”宝玉即转身去了。\n\n黛玉一见宝玉，便吃一大惊。紫鹃取了二十两银子，又添了120文钱。\n";

    fn clue(value: &str, subjects: &[&str]) -> Clue {
        let subjects = subjects.iter().map(|name| vec![(*name).to_owned()]).collect();
        Clue { values: vec![value.to_owned()].into_iter().filter(|value| !value.is_empty()).collect(), subjects }
    }

    fn found(value: &str, subjects: &[&str]) -> Option<(String, Basis)> {
        source_sentence(CHAPTER, &clue(value, subjects)).map(|found| (found.sentence, found.basis))
    }

    #[test]
    fn a_value_is_found_word_for_word_in_part_or_by_its_people() {
        let first = "且说黛玉自那日弃舟登岸时，便有荣国府打发了轿子并拉行李的车辆久候了。";
        assert_eq!(found("弃舟登岸", &["黛玉"]), Some((first.into(), Basis::Value)));
        assert_eq!(found("轿子", &["黛玉"]), Some((first.into(), Basis::Value)));
        assert_eq!(found("荣国府的轿子和行李车辆", &[]), Some((first.into(), Basis::Part)));
        let meeting = "黛玉一见宝玉，便吃一大惊。";
        assert_eq!(found("", &["黛玉", "宝玉"]), Some((meeting.into(), Basis::Names)));
        assert_eq!(found("大惊", &["黛玉"]), Some((meeting.into(), Basis::Value)));
    }

    #[test]
    fn a_fact_without_a_sentence_has_none() {
        assert_eq!(found("大观园沁芳亭", &["黛玉"]), None);
        assert_eq!(found("", &["黛玉"]), None, "one name is in every sentence");
        assert_eq!(found("", &[]), None);
        assert_eq!(found("", &["黛玉", "贾政"]), None);
        assert_eq!(source_sentence("", &clue("轿子", &[])), None);
        assert_eq!(found("20", &["紫鹃"]), None, "the digits of another number");
        assert!(found("120", &["紫鹃"]).is_some());
    }

    proptest! {
        #[test]
        fn a_sentence_of_the_chapter_is_found_and_nothing_else_is_returned(
            before in "([天地玄黄宇宙]{4,9}。){0,5}", said in "[洪荒日月盈昃]{5,12}", after in "([天地玄黄宇宙]{4,9}。){0,5}"
        ) {
            let chapter = format!("{before}{said}。{after}");
            let found = source_sentence(&chapter, &clue(&said, &[]));
            prop_assert_eq!(found.as_ref().map(|found| found.basis), Some(Basis::Value));
            prop_assert!(found.unwrap().sentence.contains(&said));
        }

        #[test]
        fn any_clue_is_looked_for_without_a_panic(chapter in ".{0,60}", value in ".{0,12}", subject in ".{0,4}") {
            if let Some(found) = source_sentence(&chapter, &clue(&value, &[&subject])) {
                prop_assert!(chapter.contains(&found.sentence));
            }
        }
    }
}
