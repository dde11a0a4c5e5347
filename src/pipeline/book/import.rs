//! A manuscript becomes chapters of the book: a commit each, which says where the chapter comes from.

use crate::domain::book::checkpoint::ChapterTotals;
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::world::style::StyleSource;
use crate::manuscript::peer::{PeerBook, Program};
use crate::manuscript::{self, ApartKind, Manuscript};
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::peer::Records;
use crate::pipeline::book::retell;
use crate::pipeline::engine::commits;
use crate::pipeline::engine::error::ImportError;
use crate::pipeline::planning::style::{self, Samples, neutral};
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::RebuildOrder;
use crate::pipeline::rebuild::plan::Rebuilt;
use crate::pipeline::rebuild::{self, operation};
use crate::store::{self, CommitError, id_of};
use crate::text::{Count, characters};
use std::cmp::Ordering;

/// So many chapters join the book at once: what a kill costs, and what is in memory.
const AT_ONCE: usize = 100;

/// The folder with what is in no chapter: notices, front matter, lists of contents.
pub const FOLDER: &str = "imports";

named! {
    /// How far a model reads the chapters of an import.
    pub enum Depth {
        /// Not at all: the book has the text.
        Text = "text",
        /// Each one, for a summary and its section of the outline.
        Outline = "outline",
        /// Each one, for its summary and the state of the story, and the last ones for the style.
        Full = "full",
    }
}

/// A chapter's place in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportSlot {
    pub number: ChapterNo,
    pub volume: VolumeNo,
    pub fate: Fate,
}

/// The way of an import with a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    New,
    Present,
    /// The book has another text under its number, which stays.
    Different(TextDifference),
}

/// The difference of a file's chapter from the book's, with the number of characters where one is longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextDifference {
    Title,
    Longer(usize),
    Shorter(usize),
    Text,
    /// The author has taken the chapter out of the book.
    Removed,
}

impl TextDifference {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Longer(_) => "longer",
            Self::Shorter(_) => "shorter",
            Self::Text => "text",
            Self::Removed => "removed",
        }
    }

    fn of(view: &BookView<'_>, number: ChapterNo, chapter: &manuscript::SourceChapter) -> Result<Self, RunError> {
        let own = view.chapter(number)?;
        let (of_file, of_book) = (characters(&chapter.text), characters(&own.body));
        Ok(match of_file.cmp(&of_book) {
            _ if own.body.trim() == chapter.text.trim() => Self::Title,
            Ordering::Greater => Self::Longer(of_file - of_book),
            Ordering::Less => Self::Shorter(of_book - of_file),
            Ordering::Equal => Self::Text,
        })
    }
}

/// The places of the manuscript's chapters in the book, in order; `view` is `None` for a book that is still to be made.
pub fn plan(view: Option<&BookView<'_>>, manuscript: &Manuscript) -> Result<Vec<ImportSlot>, RunError> {
    let contents = view.map(|view| view.contents()).transpose()?;
    let last = contents.map_or(0, |contents| contents.last_number());
    let last_volume = contents.and_then(|contents| contents.volume_of(contents.last()?)).unwrap_or(VolumeNo::FIRST);
    let before = first_of_file(view, manuscript)?;
    let mut plan = Vec::new();
    for (at, chapter) in manuscript.chapters.iter().enumerate() {
        let number = ChapterNo::after(before.saturating_add(u32::try_from(at).unwrap_or(u32::MAX - 1)));
        let of_file = u32::try_from(chapter.volume + 1).ok().and_then(VolumeNo::new).unwrap_or(last_volume);
        let present = contents.and_then(|contents| contents.volume_of(number));
        let volume = present.unwrap_or(of_file.max(last_volume));
        let fate = match (view, present) {
            (Some(view), Some(volume)) => {
                let own = id_of(file(number, chapter).as_bytes())?;
                let is_same = view.content_id(&layout::chapter(volume, number)) == Some(own);
                if is_same { Fate::Present } else { Fate::Different(TextDifference::of(view, number, chapter)?) }
            }
            _ if number.get() <= last => Fate::Different(TextDifference::Removed),
            _ => Fate::New,
        };
        plan.push(ImportSlot { number, volume, fate });
    }
    if let Some(view) = view {
        refuse_another(view, manuscript, &plan)?;
    }
    Ok(plan)
}

/// How many chapters of the book come before the file's first one: none, or as many as its number says where the book has them.
fn first_of_file(view: Option<&BookView<'_>>, manuscript: &Manuscript) -> Result<u32, RunError> {
    let (Some(view), Some(first)) = (view, manuscript.chapters.first()) else { return Ok(0) };
    let is_at = |number: ChapterNo| -> Result<bool, RunError> {
        let Some(volume) = view.contents()?.volume_of(number) else { return Ok(false) };
        Ok(view.content_id(&layout::chapter(volume, number)) == Some(id_of(file(number, first).as_bytes())?))
    };
    let last = view.contents()?.last_number();
    match first.number.and_then(|number| number.checked_sub(1)) {
        Some(before) if (1..=last).contains(&before) && !is_at(ChapterNo::FIRST)? => Ok(before),
        _ => Ok(0),
    }
}

/// Refuses a file that has nothing in common with the book, or its chapters in another order: the rest of it would be mixed into the
/// book.
fn refuse_another(view: &BookView<'_>, manuscript: &Manuscript, plan: &[ImportSlot]) -> Result<(), RunError> {
    let Some(other) = plan.iter().find(|place| matches!(place.fate, Fate::Different(_))) else { return Ok(()) };
    if plan.iter().all(|place| place.fate != Fate::Present) {
        return Err(ImportError::Another(other.number).into());
    }
    let mut own = BTreeMap::new();
    for (number, _) in view.contents()?.iter() {
        own.insert(view.chapter(number)?.body, number);
    }
    let mut lacking = None;
    for (place, chapter) in plan.iter().zip(&manuscript.chapters).filter(|(place, _)| place.fate != Fate::Present) {
        let body = [chapter.text.trim(), "\n"].concat();
        match own.get(&body) {
            Some(stands) if *stands != place.number => {
                let lacking = lacking.filter(|_| *stands < place.number);
                let (title, file) = (chapter.title.clone(), place.number);
                return Err(ImportError::Shifted { title, file, book: *stands, lacking }.into());
            }
            None if matches!(place.fate, Fate::Different(TextDifference::Removed) | Fate::New) => {}
            None if lacking.is_none() && view.chapter(place.number)?.title != chapter.title => {
                lacking = Some((place.number, chapter.title.clone()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn file(number: ChapterNo, chapter: &manuscript::SourceChapter) -> String {
    let heading = format!("# 第{}章 {}", number.get(), chapter.title);
    format!("{}\n\n{}\n", heading.trim_end(), chapter.text.trim())
}

/// Makes a commit of each chapter that the book has not. `hashes` are those of the manuscript's files. Returns the last
/// commit; `None` where the book has every chapter.
/// `peer` has the records of another program's book.
pub fn import_chapters(
    run: &Run<'_>,
    manuscript: &Manuscript,
    hashes: &[String],
    peer: Option<(&PeerBook, Program)>,
) -> Result<Option<CommitId>, RunError> {
    let before = BookView::new(run.session.book().snapshot()?);
    if plan(Some(&before), manuscript)?.iter().all(|place| place.fate != Fate::New) {
        return Ok(None);
    }
    hand_edits::commit_local_changes(run)?;
    let snapshot = BookView::new(run.session.book().snapshot()?);
    let plan = plan(Some(&snapshot), manuscript)?;
    let mut records = peer.map(|peer| Records::of(peer, &manuscript.chapters, &snapshot)).transpose()?;
    let mut checkpoint = snapshot.checkpoint_with_totals()?;
    let new: Vec<_> = plan.iter().zip(&manuscript.chapters).filter(|(place, _)| place.fate == Fate::New).collect();
    let mut done = None;
    for (at, batch) in new.chunks(AT_ONCE).enumerate() {
        let view = BookView::new(run.session.book().snapshot()?);
        let mut steps = Vec::new();
        for (place, chapter) in batch {
            checkpoint = with_chapter(run, &view, checkpoint, place, chapter)?;
            let text = file(place.number, chapter);
            let mut change = Change::default();
            if let Some(records) = &mut records {
                let id = id_of(text.as_bytes())?;
                change = records.with_chapter(change, (place.number, place.volume), chapter, id);
            }
            change = change.put(&layout::chapter(place.volume, place.number), text);
            let change = with_volume_title(change, &view, place.volume, manuscript, chapter.volume);
            let change = view.put_checkpoint(change, &checkpoint)?;
            steps.push((change, message(place, chapter, manuscript, hashes)));
        }
        if (at + 1) * AT_ONCE >= new.len()
            && let Some((change, _)) = steps.last_mut()
        {
            *change = with_apart(std::mem::take(change), manuscript, hashes);
            if let (Some(records), Some((_, program))) = (&records, peer) {
                let rest = records.with_rest(std::mem::take(change), &view)?;
                *change = rest.put(&format!("{FOLDER}/{program}.md"), records.note());
            }
        }
        done = Some(commit_all(run, &steps)?);
    }
    Ok(done)
}

/// Has the chapters read that no summary is of, and the author's style drawn from the last ones where the book has none. A call
/// that was paid for before an interruption is not made again.
pub async fn read_imported(run: &Run<'_>) -> Result<Rebuilt, RunError> {
    let rebuilt = rebuild::operation::rebuild(run, &RebuildOrder::default()).await?;
    let book = run.session.book();
    if has_own_style(&BookView::new(book.snapshot()?))? {
        return Ok(rebuilt);
    }
    match style::learn_style(run, &Samples::of_chapters(book, None, StyleSource::Original)?).await {
        Ok(_) | Err(RunError::TooLittleProse { .. }) => Ok(rebuilt),
        Err(error) => Err(error),
    }
}

fn commit_all(run: &Run<'_>, steps: &[(Change, Message)]) -> Result<CommitId, RunError> {
    let (author, time) = (&run.author, run.calls.clock.moment());
    let committed = match store::transaction::commit_series(run.session, run.session.tip()?, steps, (author, time)) {
        Err(CommitError::AuthorEdited { .. }) => {
            hand_edits::commit_local_changes(run)?;
            store::transaction::commit_series(run.session, run.session.tip()?, steps, (author, time))?
        }
        other => other?,
    };
    commits::tell_lag(run, committed.lagging.as_ref());
    Ok(committed.id)
}

/// The checkpoint with the chapter. Chapters that no outline plans are followed by planning.
fn with_chapter(
    run: &Run<'_>,
    view: &BookView<'_>,
    before: Checkpoint,
    place: &ImportSlot,
    chapter: &manuscript::SourceChapter,
) -> Result<Checkpoint, RunError> {
    let words = Count::of_prose(&chapter.text).words as u64;
    let figures = ChapterTotals { log: None, words, overall: None, gate: None, skipped_ops: false };
    let is_planned = view.outline(place.volume)?.is_some_and(|outline| outline.section(place.number).is_some());
    Ok(Checkpoint {
        last_completed: place.number.get(),
        volume: place.volume,
        phase: if is_planned { before.phase } else { Phase::VolumePlanning },
        stage: Some(PipelineStage::Committed),
        inflight: None,
        revisions: 0,
        time: run.calls.clock.rfc3339(),
        totals: before.totals.with(figures),
        ..before
    })
}

fn message(
    place: &ImportSlot,
    chapter: &manuscript::SourceChapter,
    manuscript: &Manuscript,
    hashes: &[String],
) -> Message {
    let source = manuscript.sources.get(chapter.place.source).map_or("", |source| source.name.as_str());
    let hash = hashes.get(chapter.place.source).map_or("", String::as_str);
    Message::new(Kind::Import, Subject::Chapter(place.number, chapter.title.clone()))
        .body(&chapter.heading)
        .trailer(key::CHAPTER, place.number.get())
        .trailer(key::VOLUME, place.volume.get())
        .trailer("Novel-Words", Count::of_prose(&chapter.text).words)
        .trailer(key::SOURCE, format!("{source}:{}", chapter.place.line))
        .trailer(key::SOURCE_HASH, hash)
}

/// The change with the title of the volume, at the head of its outline, where the book has no outline of it.
fn with_volume_title(
    change: Change,
    view: &BookView<'_>,
    volume: VolumeNo,
    manuscript: &Manuscript,
    of: usize,
) -> Change {
    let path = layout::outline(volume);
    match manuscript.volumes.get(of).filter(|of| !of.title.is_empty() && !view.has(&path)) {
        Some(of) => change.put(&path, format!("# 第{}卷 {}\n", volume.get(), of.title)),
        None => change,
    }
}

/// The change with a file of what is in no chapter.
fn with_apart(change: Change, manuscript: &Manuscript, hashes: &[String]) -> Change {
    if manuscript.apart.is_empty() {
        return change;
    }
    let mut text = String::new();
    for (source, hash) in manuscript.sources.iter().zip(hashes).filter(|(source, _)| !source.encoding.is_empty()) {
        text.push_str(&format!("- {} ({}, {hash})\n", source.name, source.encoding));
    }
    for apart in &manuscript.apart {
        let kind = match apart.kind {
            ApartKind::Front => "front",
            ApartKind::Contents => "contents",
            ApartKind::Notice => "notice",
            ApartKind::RepeatedHeading => "repeated heading",
            ApartKind::RepeatedChapter => "repeated chapter",
            ApartKind::SiteLine => "site lines",
            ApartKind::EmptyVolume => "volume without chapters",
            ApartKind::EmptyChapter => "chapter without text",
        };
        let source = manuscript.sources.get(apart.place.source).map_or("", |source| source.name.as_str());
        text.push_str(&format!("\n## {kind}, {source}:{}\n\n{}\n", apart.place.line, apart.text));
    }
    let hash: String = hashes.first().map_or("import", String::as_str).chars().take(10).collect();
    change.put(&format!("{FOLDER}/{hash}.md"), text)
}

/// How many chapters of the book a model is to read at that depth, and whether there is more to do: a style to be drawn, or an
/// outline whose sections a draft has. Reads only.
pub fn unread(book: &Book, depth: Depth) -> Result<(u64, bool), RunError> {
    let view = BookView::new(book.snapshot()?);
    if depth == Depth::Outline {
        return retell::left(book, &view);
    }
    let (unread, is_outdated) = operation::left(book, &view)?;
    Ok((unread, is_outdated || !has_own_style(&view)?))
}

/// False for a book with the style that every new one has.
fn has_own_style(view: &BookView<'_>) -> Result<bool, RunError> {
    let neutral = neutral()?;
    Ok(files::style_profile(view)?.is_some_and(|style| style.source != StyleSource::Deferred && style != neutral))
}

/// The hash by which git and the trailers know the file.
pub fn hash(bytes: &[u8]) -> Result<String, RunError> {
    Ok(id_of(bytes)?.to_string())
}

/// The title of the manuscript, or else that in the name of its file.
pub fn title(manuscript: &Manuscript, file_name: &str) -> String {
    if let Some(title) = &manuscript.title {
        return title.clone();
    }
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    let named = stem.split_once('《').and_then(|(_, rest)| rest.split_once('》')).map(|(title, _)| title);
    named.unwrap_or(stem).trim().to_owned()
}
