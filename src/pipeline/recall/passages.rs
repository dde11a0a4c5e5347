//! Passages by meaning: for the writer of a chapter, and for `novel search`.

use crate::agents::context::chapter::{ChapterContext, EarlierPassage};
use crate::agents::context::may_know;
use crate::pipeline::book::earlier_passages::{LENGTH, MOST, NEAR, sought};
use crate::pipeline::book::search::{Recalled, Search, SearchPart};
use crate::pipeline::prelude::*;
use crate::pipeline::recall::server::{MemoryChange, MemoryServer};
use crate::pipeline::recall::windows::{Windows, book_id};
use crate::text::opening;

/// So many memories are looked at: many of the best may be of chapters that are near, later, or of a storyline that must not
/// be known.
const LOOKED_AT: usize = 200;

impl Run<'_> {
    /// Puts passages that the memory server finds in the place of those of the embedded search, under the same rules: of chapters
    /// before the last three, and of no storyline that must not be known. Does nothing where no server is set up.
    pub(crate) async fn recall(&self, context: &mut ChapterContext) -> Result<(), RunError> {
        let Some(server) = self.calls.responder.memory() else { return Ok(()) };
        context.passages.clear();
        let Some((query, plan)) = sought(context) else { return Ok(()) };
        if context.chapter.get() <= NEAR + 1 {
            return Ok(());
        }
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let windows = Windows::of(book, &view)?;
        server.bring_up(&windows, &mut |change| self.tell(Event::Memories(change))).await?;
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
            let Some(page) = view.summary(view.volume_of(chapter)?, chapter)? else { continue };
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
