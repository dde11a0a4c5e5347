//! The grammatical shape of a sentence: function characters and punctuation stay, everything else becomes `N`.
//!
//! 他看着窗外，没有说话。 and 她望着远山，没有回头。 have one pattern: `他N着N，没有N。` differs from `她…` only where the writer
//! chose another pronoun. Model-written fiction repeats skeletons five times as often as people do.

use super::chars::{fold, is_letter, is_quote_mark};
use super::split::Sentence;

/// The 51 function characters whose frequencies make up a writer's profile.
pub(super) const FUNCTION_CHARACTERS: &str =
    "的了着过地得是在有不没也就都又还才却只很更最把被给向从对和与跟而但因为所以如若之其这那哪个们吗呢吧啊么";

/// Nine more that belong to the frame of a sentence though they say who or where.
const FRAME_CHARACTERS: &str = "我你他她它会能上里";

/// Whether `c` is one of the 51 function characters.
pub(super) fn is_function_character(c: char) -> bool {
    FUNCTION_CHARACTERS.contains(c)
}

/// Returns the pattern of one sentence. Quotation marks are left out and runs of one mark count once.
pub(super) fn sentence_pattern(sentence: &str) -> String {
    let mut shape = String::new();
    for c in sentence.chars() {
        let mark = if is_function_character(c) || FRAME_CHARACTERS.contains(c) {
            c
        } else if is_letter(c) {
            'N'
        } else if c.is_whitespace() || is_quote_mark(c) {
            continue;
        } else {
            fold(c)
        };
        let repeats = shape.ends_with(mark) && (mark == 'N' || !is_letter(mark));
        if !repeats {
            shape.push(mark);
        }
    }
    shape
}

/// True when a pattern says something: `N.` and the like are shared by all short sentences.
pub(super) fn is_telling(pattern: &str) -> bool {
    pattern.chars().filter(|&c| is_letter(c)).count() >= 3
}

/// Runs of at least `least` sentences in a row with the same key; `None` breaks a run. Gives the index of the first
/// sentence, how many there are, and the key.
pub(super) fn runs<'a>(
    sentences: &[Sentence<'a>],
    least: usize,
    key: impl Fn(&Sentence<'a>) -> Option<String>,
) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut current: Option<(usize, usize, String)> = None;
    for (index, sentence) in sentences.iter().enumerate() {
        let next = key(sentence);
        match (&mut current, next) {
            (Some((_, length, known)), Some(next)) if *known == next => *length += 1,
            (_, next) => {
                found.extend(current.take());
                current = next.map(|key| (index, 1, key));
            }
        }
    }
    found.extend(current);
    found.retain(|&(_, length, _)| length >= least);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::prose_sentences;

    #[test]
    fn there_are_fifty_one_distinct_function_characters() {
        let distinct: std::collections::BTreeSet<char> = FUNCTION_CHARACTERS.chars().collect();
        assert_eq!((distinct.len(), FUNCTION_CHARACTERS.chars().count()), (51, 51));
        let frame: std::collections::BTreeSet<char> = FRAME_CHARACTERS.chars().chain(distinct).collect();
        assert_eq!(frame.len(), 60);
    }

    #[test]
    fn content_words_collapse() {
        assert_eq!(sentence_pattern("他看着窗外，没有说话。"), "他N着N,没有N.");
        assert_eq!(sentence_pattern("“他望着远山，没有回头！”"), "他N着N,没有N!");
        assert!(is_telling("他N着N,没有N."));
        assert!(!is_telling("N,N."));
    }

    #[test]
    fn runs_need_neighbours() {
        let text = "他来了。他走了。她来了。他来了。他笑了。他哭了。";
        let sentences = prose_sentences(text);
        let found = runs(&sentences, 3, |s| s.text().chars().next().map(String::from));
        assert_eq!(found, [(3, 3, "他".to_owned())]);
    }
}
