//! How much of a chapter an edit changed, for rules such as "polishing keeps 85 %".

use serde::Serialize;

use super::count::characters;
use super::diff::{CharOp, SentenceOp, diff};

/// The size of an edit, in characters without white space (punctuation counts: changing it is a change).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Change {
    /// Characters changed: for each changed place the greater of what went and what came, as in an edit distance where a
    /// substitution costs one.
    pub changed: usize,
    pub original: usize,
}

impl Change {
    /// Changed ÷ original: 0 for an unchanged text, 1 for a replaced one, more when much was added. An empty original
    /// counts as replaced.
    pub fn ratio(&self) -> f64 {
        match (self.changed, self.original) {
            (0, _) => 0.0,
            (_, 0) => 1.0,
            (changed, original) => changed as f64 / original as f64,
        }
    }
}

/// Measures the edit from `old` to `new`.
///
/// The changes are found sentence by sentence, so the figure is never below the true edit distance and for a usual edit
/// barely above it. Paragraphs split or joined without a change of words cost nothing; a moved passage counts twice.
pub fn change(old: &str, new: &str) -> Change {
    let mut place = Place::default();
    for op in diff(old, new).ops() {
        match op {
            SentenceOp::Equal { text } => place.kept(text),
            SentenceOp::Delete { text } => place.gone += characters(text),
            SentenceOp::Insert { text } => place.come += characters(text),
            SentenceOp::Replace { parts } => {
                for part in parts {
                    match part {
                        CharOp::Equal(text) => place.kept(text),
                        CharOp::Delete(text) => place.gone += characters(text),
                        CharOp::Insert(text) => place.come += characters(text),
                    }
                }
            }
        }
    }
    place.close();
    Change { changed: place.changed, original: characters(old) }
}

#[derive(Default)]
struct Place {
    gone: usize,
    come: usize,
    changed: usize,
}

impl Place {
    fn kept(&mut self, text: &str) {
        if characters(text) > 0 {
            self.close();
        }
    }

    fn close(&mut self) {
        self.changed += self.gone.max(self.come);
        (self.gone, self.come) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn substitutions_cost_one_and_white_space_nothing() {
        assert_eq!(change("雨下了一夜。", "雨下了两夜。"), Change { changed: 1, original: 6 });
        assert_eq!(change("雨停了。天亮了。", "雨停了。\n\n　　天亮了。"), Change { changed: 0, original: 8 });
        assert_eq!(change("雨下了一夜，他没有睡着。", "雨下了一夜。他没有睡着。").changed, 1);
        assert_eq!(change("雨停了。", "风起云涌。").ratio(), 5.0 / 4.0);
        assert_eq!(change("", "雨。").ratio(), 1.0);
        assert_eq!(change("", "").ratio(), 0.0);
        assert_eq!(change("雨停了。", "").ratio(), 1.0);
    }

    /// Plain edit distance, the yardstick.
    fn distance(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) =
            (a.chars().filter(|c| !c.is_whitespace()).collect(), b.chars().filter(|c| !c.is_whitespace()).collect());
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let substitute = corner + usize::from(x != y);
                corner = row[j + 1];
                row[j + 1] = substitute.min(row[j] + 1).min(corner + 1);
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn an_unchanged_text_has_no_change(a in "[天地人心a。，\n]{0,60}") {
            prop_assert_eq!(change(&a, &a).changed, 0);
        }

        #[test]
        fn never_below_the_edit_distance(a in "[天地人心a。，\n]{0,40}", b in "[天地人心a。，\n]{0,40}") {
            let found = change(&a, &b);
            prop_assert!(found.changed >= distance(&a, &b), "{} < {}", found.changed, distance(&a, &b));
            prop_assert!(found.changed <= characters(&a) + characters(&b));
        }
    }
}
