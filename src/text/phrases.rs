//! Counting the phrases of a list, for instance the house blacklist of worn-out expressions.
//!
//! Measured on human and model-written fiction, such lists do not tell the two apart (AUC about 0.52): a rate says how
//! well a chapter keeps the house style, nothing about who wrote it.
//!
//! Phrases that an author takes out of texts again and again, for the next chapters to avoid.

use crate::text::chars::han_count;
use crate::text::count::per_thousand;
use crate::text::diff::{CharOp, SentenceOp, diff};
use crate::text::prelude::*;
use crate::text::wording::is_light;
use aho_corasick::{AhoCorasick, Match, MatchKind};

/// A list of phrases prepared for searching.
#[derive(Debug, Clone)]
pub struct PhraseList {
    phrases: Vec<String>,
    automaton: AhoCorasick,
}

impl PhraseList {
    /// Trims `phrases` and drops empty and repeated ones.
    pub fn new<S: AsRef<str>>(phrases: impl IntoIterator<Item = S>) -> Self {
        let phrases: BTreeSet<String> =
            phrases.into_iter().map(|p| p.as_ref().trim().to_owned()).filter(|p| !p.is_empty()).collect();
        let phrases = Vec::from_iter(phrases);
        let automaton = leftmost_longest(&phrases);
        Self { phrases, automaton }
    }

    /// Returns every occurrence in `text`, in order. Of the phrases that begin at one place the longest counts, and
    /// hits do not overlap.
    pub fn find(&self, text: &str) -> PhraseHits {
        let hit = |m: Match| PhraseHit { phrase: self.phrases[m.pattern().as_usize()].clone(), range: m.range() };
        PhraseHits { hits: self.automaton.find_iter(text).map(hit).collect(), han: han_count(text) }
    }

    /// Counts the hits of [`PhraseList::find`].
    pub fn count(&self, text: &str) -> usize {
        self.automaton.find_iter(text).count()
    }
}

/// An automaton that finds the leftmost match first, the longest of those that begin there.
pub(super) fn leftmost_longest(patterns: &[String]) -> AhoCorasick {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(patterns)
        // Building fails only past 2^31 automaton states, that is, on lists of gigabytes.
        .expect("a list of phrases that fits in memory fits in an automaton")
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhraseHit {
    pub phrase: String,
    pub range: Range<usize>,
}

/// The occurrences of a list's phrases in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhraseHits {
    pub hits: Vec<PhraseHit>,
    pub han: usize,
}

impl PhraseHits {
    pub fn rate(&self) -> f64 {
        per_thousand(self.hits.len(), self.han)
    }

    pub fn by_phrase(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for hit in &self.hits {
            *counts.entry(hit.phrase.as_str()).or_default() += 1;
        }
        counts
    }
}

/// Lengths of a phrase, in Han characters. Shorter ones are words that any text has.
const SIZES: std::ops::RangeInclusive<usize> = 3..=8;
/// A phrase is a habit from so many removals on, in at least [`TEXTS`] texts.
const TIMES: usize = 3;
const TEXTS: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Removal {
    pub phrase: String,
    /// Removals without a new occurrence elsewhere.
    pub times: usize,
    pub texts: usize,
}

/// Returns the phrases that edits of at least two texts have removed at least three times, the most frequent first.
/// Each edit is a text before and after. Of two phrases that go together the longer one is returned.
#[must_use]
pub fn repeated_removals(edits: &[(String, String)]) -> Vec<Removal> {
    let mut counts: BTreeMap<String, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for (text, (old, new)) in edits.iter().enumerate() {
        let phrases: BTreeSet<String> = gone(old, new).iter().flat_map(|run| pieces(run)).collect();
        for phrase in phrases {
            let times = old.matches(&phrase).count().saturating_sub(new.matches(&phrase).count());
            if times > 0 {
                let (sum, texts) = counts.entry(phrase).or_default();
                *sum += times;
                texts.insert(text);
            }
        }
    }
    let habits = counts.into_iter().filter(|(_, (times, texts))| *times >= TIMES && texts.len() >= TEXTS);
    let mut found: Vec<Removal> =
        habits.map(|(phrase, (times, texts))| Removal { phrase, times, texts: texts.len() }).collect();
    let whole = found.clone();
    found.retain(|part| {
        let is_part = |other: &Removal| {
            other.phrase != part.phrase && other.phrase.contains(&part.phrase) && other.times >= part.times
        };
        !whole.iter().any(is_part)
    });
    found.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.phrase.cmp(&b.phrase)));
    found
}

/// The runs of Han characters that an edit took out.
fn gone(old: &str, new: &str) -> Vec<String> {
    let mut runs = Vec::new();
    for op in diff(old, new).ops() {
        match op {
            SentenceOp::Delete { text } => runs.push(text.clone()),
            SentenceOp::Replace { parts } => runs.extend(parts.iter().filter_map(|part| match part {
                CharOp::Delete(text) => Some(text.clone()),
                CharOp::Equal(_) | CharOp::Insert(_) => None,
            })),
            SentenceOp::Equal { .. } | SentenceOp::Insert { .. } => {}
        }
    }
    let split = |run: &String| run.split(|c: char| !is_han(c)).map(str::to_owned).collect::<Vec<_>>();
    runs.iter().flat_map(split).filter(|run| !run.is_empty()).collect()
}

fn pieces(run: &str) -> Vec<String> {
    let letters: Vec<char> = run.chars().collect();
    let sizes = SIZES.filter(|size| *size <= letters.len());
    let windows = sizes.flat_map(|size| letters.windows(size).map(String::from_iter).collect::<Vec<_>>());
    windows.filter(|phrase| !is_light(phrase)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_longest_first() {
        let list = PhraseList::new(["不禁", "不禁失笑", " 顿时 ", "", "顿时"]);
        let text = "他不禁失笑，顿时静了。“我不禁想起你。”她不禁哭了。";
        let found = list.find(text);
        assert_eq!(found.by_phrase(), BTreeMap::from([("不禁", 2), ("不禁失笑", 1), ("顿时", 1)]));
        assert_eq!(&text[found.hits[2].range.clone()], "不禁");
        assert_eq!(list.count(text), 4);
        assert_eq!(found.rate(), 4000.0 / 20.0);
    }

    #[test]
    fn an_empty_list_or_text_finds_nothing() {
        assert_eq!(PhraseList::new([""; 0]).find("天地").hits, []);
        let found = PhraseList::new(["天"]).find("");
        assert_eq!((found.hits.len(), found.rate()), (0, 0.0));
    }
}

#[cfg(test)]
mod removal_tests {
    use super::*;

    fn edit(old: &str, new: &str) -> (String, String) {
        (old.to_owned(), new.to_owned())
    }

    #[test]
    fn what_goes_from_several_texts_is_a_habit_and_what_goes_from_one_is_not() {
        let edits = [
            edit("他嘴角勾起一抹冷笑。雨停了。", "他冷笑。雨停了。"),
            edit("她的嘴角勾起一抹弧度，走了。他嘴角勾起一抹笑意。", "她走了。他笑了。"),
            edit("船到了码头，船到了码头，船到了码头。", "船靠了岸。"),
        ];
        let found = repeated_removals(&edits);
        assert_eq!(found, [Removal { phrase: "嘴角勾起一抹".into(), times: 3, texts: 2 }]);
        assert_eq!(repeated_removals(&edits[..1]), []);
        assert_eq!(repeated_removals(&[]), []);
    }

    #[test]
    fn a_phrase_that_was_moved_or_put_in_elsewhere_is_none() {
        let moved = edit("嘴角勾起一抹笑。雨停了，天亮了。", "雨停了，天亮了。嘴角勾起一抹笑。");
        assert_eq!(repeated_removals(&[moved.clone(), moved.clone(), moved]), []);
    }
}
