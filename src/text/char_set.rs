//! A set of Han characters of the basic plane as a bit map built at compile time. Searching a string of five hundred
//! surnames took a tenth of a chapter's time.

/// The range of the unified ideographs, which a set can hold.
const FIRST: u32 = 0x4E00;
const LAST: u32 = 0x9FFF;
const WORDS: usize = ((LAST - FIRST) as usize + 64) / 64;

#[derive(Debug)]
pub(super) struct CharSet {
    bits: [u64; WORDS],
}

impl CharSet {
    /// The build fails when a character of `list` is not a unified ideograph.
    pub(super) const fn of(list: &str) -> Self {
        let mut set = Self { bits: [0; WORDS] };
        let mut at = 0;
        while at < list.len() {
            set = set.with(list.as_bytes(), at);
            at += 3;
        }
        set
    }

    pub(super) const fn of_firsts(words: &[&str]) -> Self {
        let mut set = Self { bits: [0; WORDS] };
        let mut at = 0;
        while at < words.len() {
            set = set.with(words[at].as_bytes(), 0);
            at += 1;
        }
        set
    }

    /// Adds the character whose three UTF-8 bytes begin at `at`.
    const fn with(mut self, bytes: &[u8], at: usize) -> Self {
        assert!(bytes[at] >> 4 == 0b1110, "a set holds unified ideographs");
        let c = (bytes[at] as u32 & 0xF) << 12 | (bytes[at + 1] as u32 & 0x3F) << 6 | bytes[at + 2] as u32 & 0x3F;
        assert!(FIRST <= c && c <= LAST, "a set holds unified ideographs");
        self.bits[(c - FIRST) as usize / 64] |= 1 << ((c - FIRST) % 64);
        self
    }

    pub(super) fn has(&self, c: char) -> bool {
        let c = u32::from(c);
        (FIRST..=LAST).contains(&c) && self.bits[(c - FIRST) as usize / 64] >> ((c - FIRST) % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static LIST: &str = "一丁赵钱孙李龥鿿";
    static SET: CharSet = CharSet::of(LIST);

    #[test]
    fn a_set_has_the_characters_of_its_list() {
        assert!(LIST.chars().all(|c| SET.has(c)));
        assert!(CharSet::of("").bits.iter().all(|word| *word == 0));
    }

    #[test]
    fn a_set_of_firsts_has_the_first_character_of_each_word() {
        static FIRSTS: CharSet = CharSet::of_firsts(&["站在", "道"]);
        assert!(FIRSTS.has('站') && FIRSTS.has('道') && !FIRSTS.has('在'));
    }

    proptest! {
        #[test]
        fn a_set_agrees_with_its_list(c: char) {
            prop_assert_eq!(SET.has(c), LIST.contains(c));
        }
    }
}
