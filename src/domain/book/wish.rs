//! The author's wishes for some of the next chapters, in plain words.

use crate::domain::prelude::*;

/// A wish for the chapters `first_chapter` to `last_chapter`, both included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    pub text: String,
    pub first_chapter: ChapterNo,
    pub last_chapter: ChapterNo,
}

impl Wish {
    /// The most characters of all open wishes: every prompt of their chapters has them beside the chapter's section, which has
    /// 2,000.
    pub const MOST: usize = 1_000;

    /// False once all chapters before `next` are written and the wish is for no later one.
    pub fn is_open(&self, next: ChapterNo) -> bool {
        self.last_chapter >= next
    }
}

/// The wishes in the order in which they were made; a wish is used up when its last chapter is written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wishes {
    pub wishes: Vec<Wish>,
}

impl Wishes {
    /// The wishes for a chapter.
    pub fn of(&self, chapter: ChapterNo) -> impl Iterator<Item = &str> {
        let is_for = move |wish: &&Wish| (wish.first_chapter..=wish.last_chapter).contains(&chapter);
        self.wishes.iter().filter(is_for).map(|wish| wish.text.as_str())
    }

    /// The wishes of two lines that have gone on from `base`: those that either has made, without those that either has taken back.
    #[must_use]
    pub fn joined(mut self, theirs: Self, base: &Self) -> Self {
        self.wishes.retain(|wish| theirs.wishes.contains(wish) || !base.wishes.contains(wish));
        let is_new = |wish: &Wish| !base.wishes.contains(wish) && !self.wishes.contains(wish);
        let new: Vec<Wish> = theirs.wishes.into_iter().filter(is_new).collect();
        self.wishes.extend(new);
        self
    }

    /// The wishes that chapters from `next` on have still to fulfil.
    #[must_use]
    pub fn open_from(mut self, next: ChapterNo) -> Self {
        self.wishes.retain(|wish| wish.is_open(next));
        self
    }
}
