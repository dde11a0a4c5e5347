//! The windows of the chapters of a commit, and how a memory says which window it is.

use crate::llm::ServerMemory;
use crate::pipeline::book::search::text_of;
use crate::pipeline::prelude::*;
use crate::store;
use crate::text::{MOST_WINDOWS, Window};
use serde_json::{Value, json};

/// So many chapters share a run on the server, which is the unit of a list. Their windows fit one list.
const BLOCK: u32 = 30;

const _: () = assert!(BLOCK as usize * MOST_WINDOWS < crate::llm::mem0::MOST_LISTED);

/// The chapters whose windows are listed together: 0 for the first ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowBlock(pub(super) u32);

impl WindowBlock {
    fn of(chapter: ChapterNo) -> Self {
        Self((chapter.get() - 1) / BLOCK)
    }

    /// Its first and last chapter.
    pub fn chapters(self) -> (u32, u32) {
        (self.0 * BLOCK + 1, (self.0 + 1) * BLOCK)
    }

    /// True for a memory that is filed under this block, or where the server does not say so, of one of its chapters.
    pub(super) fn holds(self, memory: &ServerMemory) -> bool {
        let chapter = || u32::try_from(memory.metadata.get("chapter")?.as_u64()?).ok().and_then(ChapterNo::new);
        match memory.run.as_str() {
            "" => chapter().map(Self::of) == Some(self),
            run => run == self.run(),
        }
    }

    /// The name of its run on the server.
    pub(super) fn run(self) -> String {
        let (first, last) = self.chapters();
        format!("chapters-{first:04}-{last:04}")
    }
}

/// The name of a window: it says where the text is from and which version of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowId {
    pub chapter: ChapterNo,
    /// The content of the chapter's file.
    pub content: ContentId,
    /// Its number in the chapter, counted from 1.
    pub number: u32,
}

#[derive(Debug)]
pub struct Windows {
    book: String,
    all: BTreeMap<WindowId, Window>,
}

impl Windows {
    /// Cuts the chapters of a commit into windows.
    pub fn of(book: &Book, snapshot: &Snapshot<'_>) -> Result<Self, RunError> {
        let mut all = BTreeMap::new();
        for (chapter, (_, content)) in snapshot.chapter_texts()? {
            let Some(text) = text_of(book, &content)? else { continue };
            let prose = Chapter::from_markdown(chapter, &text, "").body;
            for (number, window) in (1..).zip(text::windows(&prose)) {
                all.insert(WindowId { chapter, content: content.clone(), number }, window);
            }
        }
        Ok(Self { book: book_id(book)?, all })
    }

    pub(super) fn book(&self) -> &str {
        &self.book
    }

    /// The text of a window; `None` for one that is not in the commit.
    pub fn text(&self, id: &WindowId) -> Option<&str> {
        self.all.get(id).map(|window| window.text.as_str())
    }

    /// The windows of each block, in order. Every block up to the last one is there.
    pub(super) fn blocks(&self) -> BTreeMap<WindowBlock, BTreeMap<&WindowId, &Window>> {
        let last = self.all.keys().next_back().map(|id| WindowBlock::of(id.chapter).0);
        let mut blocks: BTreeMap<WindowBlock, BTreeMap<_, _>> =
            last.into_iter().flat_map(|last| 0..=last).map(|block| (WindowBlock(block), BTreeMap::new())).collect();
        for (id, window) in &self.all {
            blocks.entry(WindowBlock::of(id.chapter)).or_default().insert(id, window);
        }
        blocks
    }

    pub(super) fn tags(&self, id: &WindowId, window: &Window) -> Value {
        json!({
            "book": self.book,
            "chapter": id.chapter.get(),
            "content": id.content.to_string(),
            "scene": window.scene,
            "window": id.number,
        })
    }

    /// True for a memory that was added for this book, whichever version of it.
    pub(super) fn has_added(&self, memory: &ServerMemory) -> bool {
        let is_filed = memory.user.is_empty() || memory.user == self.book;
        is_filed && memory.metadata.get("book").and_then(Value::as_str) == Some(self.book.as_str())
    }

    /// The window that a memory of this book says it is; `None` where its tags are not those of a window.
    pub(super) fn id_of(&self, memory: &ServerMemory) -> Option<WindowId> {
        let number = |name: &str| u32::try_from(memory.metadata.get(name)?.as_u64()?).ok();
        let content = memory.metadata.get("content")?.as_str()?.parse().ok()?;
        let id = WindowId { chapter: ChapterNo::new(number("chapter")?)?, content, number: number("window")? };
        self.has_added(memory).then_some(id)
    }
}

/// The name of a book on a server, the same in all its copies and lines.
pub fn book_id(book: &Book) -> Result<String, RunError> {
    Ok(format!("novel-{}", store::history::first_commit(book)?))
}
