//! The author's wishes for the next chapters: the answers of `novel wish`.

use crate::domain::book::wish::{Wish, Wishes};
use crate::report::prelude::*;

/// Each wish with its number from 1 and its chapters, and the command to take one back.
pub fn text(open: &Wishes, lang: Lang, columns: usize) -> String {
    if open.wishes.is_empty() {
        return say!(lang, no_wishes(command = paint(HINT, say!(lang, novel_wish_text)))).to_owned();
    }
    let mut table = Table::bare("rll", 1);
    for (at, wish) in open.wishes.iter().enumerate() {
        let number = (at + 1).to_string();
        table.row([number.into(), wish.text.as_str().into(), Cell::painted(DIM, chapters(wish, lang))]);
    }
    let command = paint(HINT, &format!("novel wish --take-back {}", open.wishes.len()));
    table.text(columns) + &say!(lang, wish_to_take_one_back(command))
}

/// The chapters of a wish: `ch-013–ch-015`.
pub(super) fn chapters(wish: &Wish, lang: Lang) -> String {
    let (first, last) = (wish.first_chapter, wish.last_chapter);
    if first == last { first.to_string() } else { say!(lang, wish_chapters(first, last)) }
}

/// A wish that is in the book now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WishNoted {
    pub status: &'static str,
    #[serde(flatten)]
    pub wish: Wish,
    pub commit: Commit,
    /// The next chapter, where it has a text already and the wish begins after it.
    pub passed_over: Option<ChapterNo>,
}

impl WishNoted {
    pub fn text(&self, lang: Lang) -> String {
        format!("{}\n{}\n", noted(&self.wish, self.passed_over, lang), say!(lang, to_see_wishes_novel_wish))
    }
}

/// The chapters of a new wish, and the ways to have it in the chapter before them.
pub fn noted(wish: &Wish, passed_over: Option<ChapterNo>, lang: Lang) -> String {
    let told = say!(lang, wish_is_noted(chapters = chapters(wish, lang)));
    match passed_over {
        Some(chapter) => told + &say!(lang, wish_passes_chapter_over(chapter, number = chapter.get())),
        None => told,
    }
}

/// The way to a wish, beside the choices of what comes next.
pub(super) fn hint(lang: Lang) -> String {
    let command = say!(lang, novel_wish_text);
    format!("{}\n", paint(DIM, &say!(lang, or_wish_for_next_chapters(command))))
}
