//! Accepted chapters on a Mem0 server, which finds passages by their meaning.
//! A chapter is kept there in windows, each with the book, the chapter, the text's content id, the scene and its own
//! number. Nothing is noted here about what the server has: before a search, what it lists is compared with the chapters of the
//! book's last commit. Rollbacks, lines, edits and other devices need no code of their own, and what a kill left
//! half done is finished by the next comparison.
//! Blocks of chapters are added in ascending order and removed in descending order, so that the server has the blocks from the
//! first to some last one whenever a kill comes. A block beyond the book's last one is therefore found by asking for the next
//! one until there is nothing.
//! Texts that come back are compared and never used: a passage is always the book's own text.

use crate::agents::context::chapter::{ChapterContext, EarlierPassage};
use crate::agents::context::may_know;
use crate::llm::causes::Mismatch;
use crate::llm::mem0::MOST_LISTED;
use crate::llm::{Fault, Mem0, ServerMemory};
use crate::pipeline::book::earlier_passages::{LENGTH, MOST, NEAR, sought};
use crate::pipeline::book::files;
use crate::pipeline::book::search::{Recalled, Search, SearchPart, text_of};
use crate::pipeline::prelude::*;
use crate::store;
use crate::text::{MOST_WINDOWS, Window, opening};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use tokio::sync::Mutex;

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

/// So many requests are under way at once.
const AT_ONCE: usize = 4;

/// A block whose list is full is listed so many times: a server that deletes nothing must not be asked for ever.
const MOST_LISTS: usize = 20;

/// The change of a block that is about to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryChange {
    /// The first and the last chapter of the block.
    pub chapters: (u32, u32),
    pub added: usize,
    pub removed: usize,
}

/// A Mem0 server that is used for the book.
#[derive(Debug)]
pub struct MemoryServer {
    client: Mem0,
    /// The memories that this process knows to be there. The list is locked while it is brought up, so that candidates that are written side
    /// by side add nothing twice.
    known: Mutex<KnownWindows>,
}

#[derive(Debug, Default)]
struct KnownWindows {
    book: String,
    blocks: BTreeMap<WindowBlock, BTreeSet<WindowId>>,
}

/// The memories that the server lists of a block.
struct Listed {
    kept: BTreeSet<WindowId>,
    /// The names of all other memories that were added for the book.
    surplus: Vec<String>,
    /// True when there may be more.
    is_full: bool,
}

impl MemoryServer {
    pub fn new(client: Mem0) -> Self {
        Self { client, known: Mutex::default() }
    }

    pub fn address(&self) -> &str {
        &self.client.base_url
    }

    fn error(&self, fault: Fault) -> RunError {
        RunError::Memory { server: self.address().to_owned(), fault: Box::new(fault) }
    }

    /// Finds out whether the server can be used, without storing anything.
    /// Fails with [`RunError::Memory`] when it is absent, does not take the key, or is of another kind.
    pub async fn check(&self, book: &str) -> Result<(), RunError> {
        self.client.check(book).await.map_err(|fault| self.error(fault))
    }

    /// Adds the windows that the server lacks and removes the memories of the book that are no windows of the commit. `told` hears
    /// of each block before it is changed. Memories that were not added for this book stay.
    /// Fails with [`RunError::Memory`]; the next call goes on.
    pub async fn bring_up(&self, windows: &Windows, told: &mut dyn FnMut(MemoryChange)) -> Result<(), RunError> {
        let mut known = self.known.lock().await;
        if known.book != windows.book() {
            *known = KnownWindows { book: windows.book().to_owned(), ..KnownWindows::default() };
        }
        let blocks = windows.blocks();
        for (block, wanted) in &blocks {
            let is_known = known.blocks.remove(block).filter(|ids| ids.iter().eq(wanted.keys().copied()));
            let ids = match is_known {
                Some(ids) => ids,
                None => {
                    self.bring_up_block(windows, (*block, wanted), told).await.map_err(|fault| self.error(fault))?
                }
            };
            known.blocks.insert(*block, ids);
        }
        let next = WindowBlock(blocks.keys().next_back().map_or(0, |last| last.0 + 1));
        known.blocks.retain(|block, _| *block < next);
        self.clear_from(windows, next, told).await.map_err(|fault| self.error(fault))
    }

    /// Brings one block up. Windows are added first, so that a block which the book has is never without a memory.
    async fn bring_up_block(
        &self,
        windows: &Windows,
        (block, wanted): (WindowBlock, &BTreeMap<&WindowId, &Window>),
        told: &mut dyn FnMut(MemoryChange),
    ) -> Result<BTreeSet<WindowId>, Fault> {
        let mut listed = self.list(windows, block).await?;
        for _ in 0..MOST_LISTS {
            if !listed.is_full || listed.surplus.is_empty() {
                break;
            }
            self.delete(&listed.surplus).await?;
            listed = self.list(windows, block).await?;
        }
        if listed.is_full {
            return Err(Fault::Protocol { mismatch: Mismatch::ManyMemories(block.run().to_string()) });
        }
        let missing: Vec<_> = wanted.iter().filter(|(id, _)| !listed.kept.contains(*id)).collect();
        let (added, removed) = (missing.len(), listed.surplus.len());
        if added + removed > 0 {
            told(MemoryChange { chapters: block.chapters(), added, removed });
        }
        let run = block.run();
        let adding = missing.into_iter().map(|(id, window)| {
            let (run, tags) = (run.as_str(), windows.tags(id, window));
            async move { self.client.add(windows.book(), run, &window.text, &tags).await.map(drop) }
        });
        stream::iter(adding).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        self.delete(&listed.surplus).await?;
        Ok(wanted.keys().copied().cloned().collect())
    }

    /// Removes the blocks from `first` on, the last one first.
    async fn clear_from(
        &self,
        windows: &Windows,
        first: WindowBlock,
        told: &mut dyn FnMut(MemoryChange),
    ) -> Result<(), Fault> {
        let mut beyond = Vec::new();
        loop {
            let block = WindowBlock(first.0 + u32::try_from(beyond.len()).unwrap_or(u32::MAX));
            let listed = self.list(windows, block).await?;
            if listed.surplus.is_empty() {
                break;
            }
            beyond.push((block, listed));
        }
        while let Some((block, mut listed)) = beyond.pop() {
            told(MemoryChange { chapters: block.chapters(), added: 0, removed: listed.surplus.len() });
            for _ in 0..MOST_LISTS {
                self.delete(&listed.surplus).await?;
                if !listed.is_full || listed.surplus.is_empty() {
                    break;
                }
                listed = self.list(windows, block).await?;
            }
        }
        Ok(())
    }

    async fn list(&self, windows: &Windows, block: WindowBlock) -> Result<Listed, Fault> {
        let memories = self.client.list(windows.book(), &block.run()).await?;
        let mut listed = Listed { kept: BTreeSet::new(), surplus: Vec::new(), is_full: memories.len() >= MOST_LISTED };
        for memory in memories {
            // A server may ignore what is asked for: memories of others must not be deleted, and each belongs to one block.
            if !windows.has_added(&memory) || !block.holds(&memory) {
                continue;
            }
            let window = windows.id_of(&memory).filter(|id| windows.text(id) == Some(memory.text.as_str()));
            match window.filter(|id| !listed.kept.contains(id)) {
                Some(id) => drop(listed.kept.insert(id)),
                None => listed.surplus.push(memory.id),
            }
        }
        Ok(listed)
    }

    async fn delete(&self, ids: &[String]) -> Result<(), Fault> {
        let deleting = ids.iter().map(|id| self.client.delete(id));
        stream::iter(deleting).buffer_unordered(AT_ONCE).try_collect::<()>().await
    }

    /// Returns the windows of the commit that answer a query, the best first, each with the server's measure. At most `most` memories
    /// are looked at.
    pub async fn search(&self, windows: &Windows, query: &str, most: usize) -> Result<Vec<(WindowId, f64)>, RunError> {
        let found = self.client.search(windows.book(), query, most).await.map_err(|fault| self.error(fault))?;
        let known = |memory| Some((windows.id_of(memory).filter(|id| windows.text(id).is_some())?, memory.score));
        Ok(found.iter().filter_map(known).collect())
    }
}

/// So many memories are looked at: many of the best may be of chapters that are near, later, or of a storyline that must not
/// be known.
const LOOKED_AT: usize = 200;

/// Puts passages that the memory server finds in the place of those of the embedded search, under the same rules: of chapters
/// before the last three, and of no storyline that must not be known. Does nothing where no server is set up.
pub(crate) async fn recall(run: &Run<'_>, context: &mut ChapterContext) -> Result<(), RunError> {
    let Some(server) = run.calls.responder.memory() else { return Ok(()) };
    context.passages.clear();
    let Some((query, plan)) = sought(context) else { return Ok(()) };
    if context.chapter.get() <= NEAR + 1 {
        return Ok(());
    }
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let windows = Windows::of(book, &view)?;
    server.bring_up(&windows, &mut |change| run.tell(Event::Memories(change))).await?;
    let mut seen: BTreeSet<ChapterNo> = BTreeSet::new();
    let mut passages = Vec::new();
    for (id, _) in server.search(&windows, &plan, LOOKED_AT).await? {
        let chapter = id.chapter;
        if passages.len() == MOST {
            break;
        }
        if chapter.get() + NEAR >= context.chapter.get() || !seen.insert(chapter) {
            continue;
        }
        let Some(page) = files::summary(&view, view.volume_of(chapter)?, chapter)? else { continue };
        if !may_know(context, &page.storyline) {
            continue;
        }
        let text = windows.text(&id).unwrap_or_default();
        let text = query.passage(text, LENGTH).map_or_else(|| opening(text, LENGTH), |passage| passage.text);
        passages.push(EarlierPassage { chapter, storyline: page.storyline, text });
    }
    passages.sort_by_key(|passage| passage.chapter);
    context.passages = passages;
    Ok(())
}

/// Returns the chapters that a memory server finds for a search as it was typed, the best first, each with its best window. `told`
/// hears what is changed on the server before it is asked.
pub async fn recalled(
    book: &Book,
    server: &MemoryServer,
    (search, typed): (&Search, &str),
    told: &mut dyn FnMut(MemoryChange),
) -> Result<Vec<Recalled>, RunError> {
    if !search.parts.is_empty() && !search.parts.contains(&SearchPart::Chapters) {
        return Ok(Vec::new());
    }
    server.check(&book_id(book)?).await?;
    let windows = Windows::of(book, &book.snapshot()?)?;
    server.bring_up(&windows, told).await?;
    let mut seen: BTreeSet<ChapterNo> = BTreeSet::new();
    let found = server.search(&windows, typed, LOOKED_AT).await?.into_iter();
    let first = found.filter(|(id, _)| seen.insert(id.chapter));
    Ok(first
        .filter_map(|(id, score)| Some(Recalled { chapter: id.chapter, text: windows.text(&id)?.to_owned(), score }))
        .collect())
}
