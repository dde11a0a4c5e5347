//! Phrases that an author takes out of texts again and again, for the next chapters to avoid.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::chars::is_han;
use super::diff::{CharOp, SentenceOp, diff};
use super::wording::is_light;

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
