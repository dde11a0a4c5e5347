//! `wishes.json`: the author's wishes for the next chapters.

use super::json::{self, Disk};
use super::{FormatError, Mistake, Problem};
use crate::domain::book::wish::{Wish, Wishes};

impl Disk for Wishes {}

pub fn read(bytes: &[u8]) -> Result<Wishes, FormatError> {
    let wishes: Wishes = json::read(bytes)?;
    match (1..).zip(&wishes.wishes).find_map(|(number, wish)| mistake(number, wish)) {
        Some(mistake) => Err(FormatError::of_file(Problem::Value(mistake))),
        None => Ok(wishes),
    }
}

/// The first of a wish's mistakes, which `novel wish` does not make.
fn mistake(number: usize, wish: &Wish) -> Option<Mistake> {
    let Wish { text, first_chapter: first, last_chapter: last } = wish;
    let length = text.chars().count();
    if text.trim().is_empty() || text.contains(['\n', '\r']) {
        return Some(Mistake::WishText { number });
    }
    if length > Wish::MOST {
        return Some(Mistake::WishLength { number, length });
    }
    (last < first).then_some(Mistake::WishChapters { number, first: *first, last: *last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples::{self, chapter_number, line};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn wishes() -> impl Strategy<Value = Wishes> {
        let wish = (line(), chapter_number(), chapter_number());
        let wish = wish.prop_map(|(text, one, other)| Wish {
            text,
            first_chapter: one.min(other),
            last_chapter: one.max(other),
        });
        vec(wish, 0..4).prop_map(|wishes| Wishes { wishes })
    }

    proptest! {
        #[test]
        fn any_wishes_survive(wishes in wishes()) {
            samples::survives(&wishes, read, json::write, &[])?;
        }
    }
}
