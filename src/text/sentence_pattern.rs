//! The grammatical shape of a sentence: function characters and punctuation stay, everything else becomes `N`.
//!
//! 他看着窗外，没有说话。 and 她望着远山，没有回头。 have one pattern: `他N着N，没有N。` differs from `她…` only where the writer
//! chose another pronoun. Model-written fiction repeats skeletons five times as often as people do.

use super::chars::{fold, is_letter, is_quote_mark};
use super::split::Sentence;

/// Defines the function characters once for counting and for matching, which compares directly: searching the list
/// would take most of the time of a pattern.
macro_rules! function_characters {
    ($($character:literal)*) => {
        /// The 51 function characters whose frequencies make up a writer's profile.
        pub(super) const FUNCTION_CHARACTERS: &str = concat!($($character),*);

        pub(super) fn is_function_character(c: char) -> bool {
            matches!(c, $($character)|*)
        }
    };
}

function_characters! {
    '的' '了' '着' '过' '地' '得' '是' '在' '有' '不' '没' '也' '就' '都' '又' '还' '才' '却' '只' '很' '更' '最' '把' '被' '给' '向'
    '从' '对' '和' '与' '跟' '而' '但' '因' '为' '所' '以' '如' '若' '之' '其' '这' '那' '哪' '个' '们' '吗' '呢' '吧' '啊' '么'
}

/// Nine more characters that belong to the frame of a sentence, such as pronouns.
fn is_frame_character(c: char) -> bool {
    matches!(c, '我' | '你' | '他' | '她' | '它' | '会' | '能' | '上' | '里')
}

/// Returns the pattern of one sentence. Quotation marks are left out and runs of one mark count once.
pub(super) fn sentence_pattern(sentence: &str) -> String {
    let mut shape = String::new();
    for c in sentence.chars() {
        let mark = if is_function_character(c) || is_frame_character(c) {
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

/// False for patterns that all short sentences share, such as `N.`.
pub(super) fn is_telling(pattern: &str) -> bool {
    pattern.chars().filter(|&c| is_letter(c)).count() >= 3
}

/// Runs of at least `least` sentences in a row with one key; `None` breaks a run. Returns the index of the first
/// sentence, the number of sentences, and the key.
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
        assert!(distinct.into_iter().all(is_function_character));
        assert!(!is_function_character('我') && !is_function_character('，'));
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
