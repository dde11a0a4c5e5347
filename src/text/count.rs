//! Counting words, characters and Han characters.

use crate::text::chars::is_wide_letter;
use crate::text::prelude::*;
use std::ops::Add;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Count {
    /// Words as Chinese web platforms count them: each Han character, kana or Hangul syllable is one, each run of Latin
    /// letters and digits is one, punctuation is nothing.
    pub words: usize,
    /// Han characters and words, with every punctuation mark and symbol counted as one.
    pub words_with_punctuation: usize,
    /// Han characters alone, the base of every rate in this room.
    pub han: usize,
}

/// Characters without blanks and line breaks, as editors count them.
pub fn characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

impl Count {
    pub fn of(text: &str) -> Self {
        let mut count = Self::default();
        let mut marks = 0;
        let mut chars = text.chars().peekable();
        let mut in_run = false;
        while let Some(c) = chars.next() {
            if is_wide_letter(c) {
                count.words += 1;
                count.han += usize::from(is_han(c));
                in_run = false;
            } else if is_letter(c) {
                count.words += usize::from(!in_run);
                in_run = true;
            } else {
                // 3.14, 10,000, don't and AK-47 are one word each.
                let joins = in_run
                    && matches!(c, '.' | ',' | '\'' | '’' | '-' | '_')
                    && chars.peek().is_some_and(|&next| is_letter(next) && !is_wide_letter(next));
                if !joins {
                    marks += usize::from(!c.is_whitespace() && !c.is_control());
                    in_run = false;
                }
            }
        }
        count.words_with_punctuation = count.words + marks;
        count
    }

    /// Counts the paragraphs of the story only: no headings, no scene breaks.
    pub fn of_prose(text: &str) -> Self {
        paragraphs(text)
            .iter()
            .filter(|p| p.block == BlockKind::Prose)
            .fold(Self::default(), |sum, p| sum + Self::of(p.text))
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            words: self.words + other.words,
            words_with_punctuation: self.words_with_punctuation + other.words_with_punctuation,
            han: self.han + other.han,
        }
    }
}

/// `hits` per 1,000 Han characters; 0 for a text without Han characters.
pub fn per_thousand(hits: usize, han: usize) -> f64 {
    if han == 0 { 0.0 } else { hits as f64 * 1000.0 / han as f64 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_counted_as_platforms_count_them() {
        let count = Count::of("他用 AK-47 打了 3.5 发，“砰！”don't……");
        // 他用 打了 发 砰 are six; AK-47, 3.5 and don't one each.
        assert_eq!(count.words, 9);
        assert_eq!(count.han, 6);
        // ，“！”……
        assert_eq!(count.words_with_punctuation, 9 + 6);
    }

    #[test]
    fn headings_count_only_when_everything_is_counted() {
        let text = "# 第一章 夜雨\n\n雨停了。\n\n---\n\n天亮了。";
        assert_eq!(Count::of_prose(text).words, 6);
        assert_eq!(Count::of_prose(text).words_with_punctuation, 8);
        assert_eq!(Count::of(text).words, 11);
    }

    #[test]
    fn rates_of_nothing_are_zero() {
        assert_eq!(per_thousand(3, 0), 0.0);
        assert_eq!(per_thousand(3, 1500), 2.0);
    }

    proptest! {
        #[test]
        fn counts_add_up_over_paragraphs(parts in proptest::collection::vec("[天地人a1。，“” .'-]{0,20}", 0..6)) {
            let whole = parts.join("\n");
            let sum = parts.iter().fold(Count::default(), |sum, part| sum + Count::of(part));
            prop_assert_eq!(Count::of(&whole), sum);
            let prose = parts.iter().fold(Count::default(), |sum, part| sum + Count::of_prose(part));
            prop_assert_eq!(Count::of_prose(&whole), prose);
        }
    }
}
