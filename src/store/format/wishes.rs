//! `wishes.json`: the author's wishes for the next chapters.

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::book::wish::Wishes;

impl Disk for Wishes {}

pub fn read(bytes: &[u8]) -> Result<Wishes, FormatError> {
    json::read(bytes)
}

pub fn write(wishes: &Wishes, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(wishes, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::wish::Wish;
    use crate::store::format::samples::{self, chapter_number, line};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn wishes() -> impl Strategy<Value = Wishes> {
        let wish = (line(), chapter_number(), chapter_number());
        let wish = wish.prop_map(|(text, first_chapter, last_chapter)| Wish { text, first_chapter, last_chapter });
        vec(wish, 0..4).prop_map(|wishes| Wishes { wishes })
    }

    proptest! {
        #[test]
        fn any_wishes_survive(wishes in wishes()) {
            samples::survives(&wishes, read, write, &[])?;
        }
    }
}
