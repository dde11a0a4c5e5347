//! The passages that a chapter's plan recalls: of earlier chapters, of the world's pages and of the author's notes.
//! The book before what the author, or damage, has made of it.

use crate::agents::context::chapter::{ChapterContext, EarlierPassage, PagePassage};
use crate::agents::context::may_know;
use crate::domain::volume::outline::Field;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::book::new_names;
use crate::pipeline::book::search::{Ranked, ranked};
use crate::pipeline::prelude::*;
use crate::store::format::check::{FormatSeverity, check_file};
use crate::store::{self, Log, Obstacle, Obstruction};
use crate::text::{Excerpt, Query, excerpts};

/// The most passages of chapters, and the most of pages.
pub(crate) const MOST: usize = 3;
/// The most characters of a passage, without the dots where a sentence is cut.
pub(crate) const LENGTH: usize = 148;
/// The last chapters have summaries of their own in the prompt.
pub(crate) const NEAR: u32 = 3;
/// So many of the best chapters are read.
const READ: usize = 24;
/// A passage with fewer of the plan's terms only shares a name with it.
const LEAST: usize = 4;
/// A sample of the author's own is kept and read so far, in characters, …
pub(crate) const SAMPLE: usize = 20_000;
/// … and so many samples are.
pub(crate) const SAMPLES: usize = 8;

/// The context of a chapter that is to be written: [`of_chapter`](crate::pipeline::book::chapter_context::of_chapter) with the listed phrases that
/// the last chapters use too often, with the patterns that they have worn out, with what its people say too often, with the
/// passages of the world's pages, of notes and of chapters before the last three that its plan recalls, with the minor cast of
/// the last ones, and with excerpts of the author's samples. Passages of chapters and people are of its own storyline or of one
/// that it may know by the schedule. A book that cannot be searched has none, which keeps no chapter from being written.
pub(crate) fn writer_context(view: &BookView<'_>, book: &Book, chapter: ChapterNo) -> Result<ChapterContext, RunError> {
    writer_context_with(view, book, chapter, view)
}

/// The writer's context on a view that is of no commit: passages are found in the book as `searched` has it.
pub(crate) fn writer_context_with(
    view: &BookView<'_>,
    book: &Book,
    chapter: ChapterNo,
    searched: &BookView<'_>,
) -> Result<ChapterContext, RunError> {
    let context = chapter_context::of_chapter(view, chapter)?;
    let may_know = |line: &Slug| may_know(&context, line);
    let minor_cast = new_names::minor_cast(view, chapter, &may_know, &context.state).unwrap_or_default();
    let worn = chapter_context::worn_patterns(view, &context)?;
    let overused = chapter_context::overused_phrases(view, chapter, &context.phrases)?;
    let voices = names::voice_notes(view, &context)?;
    let samples = sample_excerpts(view)?;
    let (passages, pages) = recalled(searched, book, &context).unwrap_or_default();
    Ok(ChapterContext { passages, pages, samples, minor_cast, overused, worn, voices, ..context })
}

/// The passages that the plan of the chapter calls up.
fn recalled(view: &BookView<'_>, book: &Book, context: &ChapterContext) -> Result<Passages, RunError> {
    let Some((query, _)) = sought(context) else { return Ok(Default::default()) };
    let ranked = ranked(book, view, &query, (&|_| true, READ))?;
    Ok((recalled_chapters(view, book, context, (&query, &ranked))?, recalled_pages(book, &query, &ranked)?))
}

fn recalled_chapters(
    view: &BookView<'_>,
    book: &Book,
    context: &ChapterContext,
    (query, ranked): (&Query, &Ranked),
) -> Result<Vec<EarlierPassage>, RunError> {
    let is_far = |chapter: &ChapterNo| chapter.get() + NEAR < context.chapter.get();
    let far = ranked.files.iter().filter_map(|(source, _)| Some((source, source.chapter_of_text().filter(is_far)?)));
    let mut passages = Vec::new();
    for (source, chapter) in far.take(READ) {
        if passages.len() == MOST {
            break;
        }
        let Some(page) = files::summary(view, view.volume_of(chapter)?, chapter)? else { continue };
        if !may_know(context, &page.storyline) {
            continue;
        }
        let Some(text) = source.text(book)? else { continue };
        let prose = Chapter::from_markdown(chapter, &text, "").body;
        let passage = query.passage(&prose, LENGTH).filter(|passage| passage.score >= LEAST);
        passages.extend(passage.map(|passage| EarlierPassage {
            chapter,
            storyline: page.storyline,
            text: passage.text,
        }));
    }
    passages.sort_by_key(|passage| passage.chapter);
    Ok(passages)
}

/// Excerpts of the first samples in the book's folder.
fn sample_excerpts(view: &BookView<'_>) -> Result<Vec<Excerpt>, RunError> {
    let mut found = Vec::new();
    for path in view.pages(layout::SAMPLES)?.into_iter().take(SAMPLES) {
        let text = format::lossy_text(view.beginning_of(&path)?.unwrap_or_default());
        let text: String = text.chars().take(SAMPLE).collect();
        found.extend(excerpts(&text));
    }
    Ok(found)
}

/// The query that the plan of the chapter makes, and the words of the plan.
pub(crate) fn sought(context: &ChapterContext) -> Option<(Query, String)> {
    let section = &context.section;
    let plan = [section.title.as_str(), section.field(Field::Conflict), section.field(Field::Location)].join(" ");
    Some((Query::parse(&plan)?, plan))
}

/// Passages of earlier chapters in the order of the book, and those of pages, the most fitting first.
type Passages = (Vec<EarlierPassage>, Vec<PagePassage>);

fn recalled_pages(book: &Book, query: &Query, ranked: &Ranked) -> Result<Vec<PagePassage>, RunError> {
    let mut pages = Vec::new();
    for source in ranked.files.iter().map(|(source, _)| source).filter(|source| source.is_page()).take(READ) {
        if pages.len() == MOST {
            break;
        }
        let text = source.text(book)?;
        let passage = text.and_then(|text| query.passage(&text, LENGTH)).filter(|passage| passage.score >= LEAST);
        pages.extend(passage.map(|passage| PagePassage { path: source.path().to_owned(), text: passage.text }));
    }
    Ok(pages)
}

/// The book as of the program's last commit; `None` where that is the last one. An undo or a redo leads back to commits of the
/// author's.
pub(crate) fn before_authors<'b>(book: &'b Book, snapshot: &Snapshot<'_>) -> Result<Option<Snapshot<'b>>, RunError> {
    last_before(book, snapshot, |_| true)
}

/// As [`before_authors`], with the author's edits that the program has committed, and what it has repaired, passed over.
pub(crate) fn before_all_edits<'b>(book: &'b Book, snapshot: &Snapshot<'_>) -> Result<Option<Snapshot<'b>>, RunError> {
    last_before(book, snapshot, |transaction| !is_of_edits(transaction))
}

fn is_of_edits(transaction: &Transaction) -> bool {
    let is_step = transaction.trailers.get(STEP).is_some();
    match transaction.kind {
        Kind::HandEdit => true,
        Kind::Rebuild => !is_step,
        // The old name of a person whom the author has renamed.
        Kind::Plan => !is_step && transaction.trailers.get(key::CHARACTER).is_some(),
        _ => false,
    }
}

fn last_before<'b>(
    book: &'b Book,
    snapshot: &Snapshot<'_>,
    is_it: impl Fn(&Transaction) -> bool,
) -> Result<Option<Snapshot<'b>>, RunError> {
    let is_last = |last: &Transaction| last.is_ours && last.retraces().is_none() && is_it(last);
    let last = store::history::in_effect(book, is_last)?.pop().filter(is_last);
    let last = last.filter(|transaction| transaction.id != snapshot.commit_id());
    Ok(last.map(|last| book.snapshot_of(last.id)).transpose()?)
}

/// The book before the author's edits, those included that the program has committed, and the first of several moves by hand, which
/// have been taken over since.
pub(crate) fn before_edits(book: &Book) -> Result<(Snapshot<'_>, Vec<Renumbering>), RunError> {
    let is_first =
        |transaction: &Transaction| transaction.renumbers().is_some() && transaction.trailers.get(STEP).is_none();
    let is_base = |transaction: &Transaction| {
        transaction.is_ours && transaction.retraces().is_none() && !is_of_edits(transaction) && !is_first(transaction)
    };
    let mut since = store::history::in_effect(book, is_base)?;
    let base = since.pop_if(|last| is_base(last));
    let moves = since.iter().rev().filter(|transaction| is_first(transaction)).filter_map(Transaction::renumbers);
    Ok((base.map_or_else(|| book.snapshot(), |base| book.snapshot_of(base.id))?, moves.collect()))
}

/// The newest commit in which the file is of its format, first among those in effect: a rollback that left the file as it
/// was may have passed over the commits that have it whole. Before a commit that gave its chapter the number, the file was another's.
pub(crate) fn last_whole(book: &Book, path: &str) -> Result<Option<CommitId>, RunError> {
    let chapter = layout::classify(path).and_then(|place| place.chapter());
    for commits in [store::history::in_effect(book, |_| false)?, store::history::log(book, &Log::default())?] {
        for transaction in commits {
            if let Some(bytes) = book.snapshot_of(transaction.id)?.read(path)?
                && check_file(path, &bytes).iter().all(|finding| finding.severity == FormatSeverity::Warning)
            {
                return Ok(Some(transaction.id));
            }
            let how = chapter.zip(transaction.renumbers());
            if how.is_some_and(|(chapter, how)| how.before(chapter) != Some(chapter)) {
                break;
            }
        }
    }
    Ok(None)
}

/// A link that a commit of the author's has put in place of a file or folder of the book.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommittedLink {
    pub(crate) place: Obstruction,
    /// The commit that has the file or folder.
    pub(crate) whole_in: CommitId,
}

/// The links that commits of the author's have put in place of files and folders of the book since the program's last commit.
pub(crate) fn committed_links(book: &Book) -> Result<Vec<CommittedLink>, RunError> {
    let snapshot = book.snapshot()?;
    let Some(before) = before_authors(book, &snapshot)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in snapshot.changed_since(&before)?.into_iter().filter(|path| snapshot.is_link(path)) {
        let block = match before.files(&path)?.is_empty() {
            false => Obstacle::LinkedFolder,
            true if before.has(&path) && !before.is_link(&path) => Obstacle::Link,
            true => continue,
        };
        let place = Obstruction { full: book.root().join(&path), path, block };
        found.push(CommittedLink { place, whole_in: before.commit_id() });
    }
    Ok(found)
}
