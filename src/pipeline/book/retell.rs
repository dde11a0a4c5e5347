//! Chapters of an import retold: a summary of each, and the outline that they would have been written from, so that planning and
//! writing know what has happened. State, people and plot threads are left to a rebuild.
//!
//! Each answer is a commit of a draft, so that a run that died goes on behind the last; the draft becomes one commit.

use crate::agents::summarizer::{self, Retelling};
use crate::domain::volume::outline::{MAIN_LINE, field};
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::migrate;
use crate::pipeline::planning::draft::{Closing, PlanDraft, PlanResult};
use crate::pipeline::planning::step::unchanged;
use crate::pipeline::prelude::*;
use crate::store;

/// The name of the draft, which another import before the end takes over.
const REQUEST: &str = "retell";
/// The sections, on the draft only, until all are there.
const SECTIONS: &str = ".draft/sections";

type ChapterPlace = (ChapterNo, VolumeNo);

/// The chapters of the book that no outline has, the earliest first. Reads only.
/// Fails for an outline with mistakes.
fn untold(view: &BookView<'_>) -> Result<Vec<ChapterPlace>, RunError> {
    let mut found = Vec::new();
    for (chapter, volume) in view.contents()?.iter() {
        if view.section(volume, chapter)?.is_none() {
            found.push((chapter, volume));
        }
    }
    Ok(found)
}

/// How many of these chapters no draft has retold yet, and whether there are any at all. Reads only.
pub(super) fn left(book: &Book, view: &BookView<'_>) -> Result<(u64, bool), RunError> {
    let untold = untold(view)?;
    let draft =
        store::draft::draft_tip(book, Work::Step(Step::Retell))?.map(|tip| book.snapshot_of(tip)).transpose()?;
    let is_left = |(chapter, _): &&ChapterPlace| {
        draft.as_ref().is_none_or(|draft| draft.content_id(&section_path(*chapter)).is_none())
    };
    Ok((untold.iter().filter(is_left).count() as u64, !untold.is_empty()))
}

/// Has the chapters retold that no outline has, one call each, and puts summaries and outlines into the book. A summary that the
/// book has stays. Returns how many chapters there were.
pub async fn retell_chapters(run: &Run<'_>) -> Result<usize, RunError> {
    run.settled_next()?;
    hand_edits::commit_local_changes(run)?;
    migrate::bring_up(run)?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let places = untold(&view)?;
    let (Some((first, _)), Some((last, _))) = (places.first(), places.last()) else { return Ok(0) };
    let line = files::storylines(&view)?.main().map(|line| line.id.clone()).or_else(|| Slug::new(MAIN_LINE).ok());
    let line = line.ok_or_else(|| RunError::Missing { path: layout::STORYLINES.to_owned() })?;
    let empty = |chapter| Ok(field::write_section(chapter, "", &Retelling::default().fields(&line)));
    // Outlines that the sections do not fit into are told before anything is paid for.
    outlines(&view, &places, empty)?;
    let draft = PlanDraft::open(run, Work::Step(Step::Retell), REQUEST, DraftFiles::default())?;
    let mut before = String::new();
    let of = u32::try_from(places.len()).unwrap_or(u32::MAX);
    for ((chapter, volume), number) in places.iter().zip(1..) {
        run.tell(Event::Turn { number, of });
        before = retold(&draft, &view, (*chapter, *volume), &line, &before).await?;
    }
    let section = |chapter| {
        let path = section_path(chapter);
        let bytes = draft.read(&path)?.ok_or(RunError::Missing { path })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let change = outlines(&view, &places, section)?;
    draft.commit(PlanStage::Outline, change, StageNote::Sections(first.get(), last.get()))?;
    let (kind, subject) = (Kind::Rebuild, Subject::Retold([first.get(), last.get()]));
    let trailers = vec![(STEP, Step::Retell.to_string())];
    draft.accept(Closing { kind, subject, body: String::new(), trailers, checkpoint: unchanged() })?;
    Ok(places.len())
}

/// Has a chapter retold, unless the draft has its text retold already. Returns its summary.
async fn retold(
    draft: &PlanDraft<'_, '_>,
    view: &BookView<'_>,
    (chapter, volume): ChapterPlace,
    line: &Slug,
    before: &str,
) -> Result<String, RunError> {
    let text = view.chapter(chapter)?;
    let of = view.content_id(&layout::chapter(volume, chapter)).map(|id| id.to_string()).unwrap_or_default();
    let (path, covers) = (layout::summary(volume, chapter), format!("{chapter} {of}"));
    if !draft.has_covered(PlanStage::Outline, &covers)? {
        let result = |told: Retelling| {
            let section = field::write_section(chapter, &text.title, &told.fields(line));
            let mut change = Change::default().put(&section_path(chapter), section);
            if !view.has(&path) {
                let page = SummaryPage {
                    chapter,
                    title: text.title.clone(),
                    storyline: line.clone(),
                    line_status: String::new(),
                    cross_references: Vec::new(),
                    text: told.summary,
                    excerpt: false,
                };
                change = change.put(&path, format::summary::write(&page));
            }
            let note = StageNote::Sections(chapter.get(), chapter.get());
            Ok(PlanResult { covers: Some(covers.clone()), ..(change, note).into() })
        };
        draft
            .ask(PlanStage::Outline, &Task::Retell { text: &text, before }, summarizer::read_retelling, result)
            .await?;
    }
    let page = BookView::new(draft.snapshot()?).read(&path, |bytes| format::summary::read(chapter, bytes))?;
    Ok(page.map(|page| page.text).unwrap_or_default())
}

fn section_path(chapter: ChapterNo) -> String {
    format!("{SECTIONS}/{chapter}.md")
}

/// The outlines with the sections of those chapters, before or behind the sections that they have.
fn outlines(
    view: &BookView<'_>,
    places: &[ChapterPlace],
    section: impl Fn(ChapterNo) -> Result<String, RunError>,
) -> Result<Change, RunError> {
    let mut change = Change::default();
    let storylines = files::storylines(view)?;
    for of_volume in places.chunk_by(|(_, one), (_, other)| one == other) {
        let volume = of_volume[0].1;
        let path = layout::outline(volume);
        let text = view.text(&path)?.unwrap_or_else(|| format!("# 第{}卷\n", volume.get()));
        let outline = view.outline(volume)?.unwrap_or_default();
        let begun = outline.sections.first();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (head, rest) = lines.split_at(begun.map_or(lines.len(), |first| first.line - 1).min(lines.len()));
        let (mut before, mut behind) = (vec![head.concat()], vec![rest.concat()]);
        for (chapter, _) in of_volume {
            let is_before = begun.is_some_and(|first| *chapter < first.chapter);
            if is_before { &mut before } else { &mut behind }.push(section(*chapter)?);
        }
        let parts: Vec<&str> = before.iter().chain(&behind).map(|part| part.trim_end()).collect();
        let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n";
        let read = Outline::parse_with(&text, &|name: &str| storylines.called(name));
        read.map_err(|errors| RunError::Outline { path: path.clone(), errors })?;
        change = change.put(&path, text);
    }
    Ok(change)
}
