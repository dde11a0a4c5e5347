//! How much texts have in common with a wish.

use std::collections::BTreeSet;

use super::chars::{fold, is_han, is_letter};

/// The weight of a piece that one text in a hundred has.
const SCALE: u64 = 100;

/// For each text how much of the wish it has: every pair of Han characters and every word counts once, rare ones more.
#[must_use]
pub fn common(wish: &str, texts: &[String]) -> Vec<u64> {
    let texts: Vec<String> = texts.iter().map(|text| text.chars().map(fold).collect()).collect();
    let mut found = vec![0; texts.len()];
    for piece in pieces(wish) {
        let having: Vec<usize> = (0..texts.len()).filter(|at| texts[*at].contains(&piece)).collect();
        let weight = (texts.len() as u64 * SCALE).checked_div(having.len() as u64).unwrap_or(0);
        for at in having {
            found[at] += weight;
        }
    }
    found
}

/// Pairs of neighbouring Han characters, a Han character that stands alone, and words of other letters.
fn pieces(wish: &str) -> BTreeSet<String> {
    let folded: Vec<char> = wish.chars().map(fold).collect();
    let mut pieces = BTreeSet::new();
    for run in folded.chunk_by(|a, b| is_letter(*a) == is_letter(*b) && is_han(*a) == is_han(*b)) {
        if run.first().is_some_and(|c| is_han(*c)) && run.len() > 1 {
            pieces.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if run.iter().all(|c| is_letter(*c)) {
            pieces.insert(run.iter().collect());
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn what_few_texts_have_counts_more_than_what_all_have() {
        let texts = texts(&["城门的规矩", "船票的规矩", "茶", "Ferry tickets"]);
        let like = common("补一条关于船票的规矩", &texts);
        assert!(like[1] > like[0] && like[0] > like[2] && like[2] == 0, "{like:?}");
        assert!(common("ferry", &texts)[3] > 0 && common("茶", &texts)[2] > 0);
        assert_eq!(common("", &texts), [0; 4]);
        assert_eq!(common("船票", &[]), Vec::<u64>::new());
    }

    proptest! {
        #[test]
        fn the_same_wish_always_says_the_same(wish in "\\PC{0,20}", all in prop::collection::vec("\\PC{0,30}", 0..6)) {
            prop_assert_eq!(common(&wish, &all), common(&wish, &all));
            prop_assert_eq!(common(&wish, &all).len(), all.len());
        }
    }
}
