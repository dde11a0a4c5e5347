//! The material of the page of `novel report` (row R47), read in one pass over the book's files.

use crate::domain::metrics::Written;
use crate::domain::state::history::Step;
use crate::domain::state::history::fact::{Cause, Fact};
use crate::domain::state::{Category, MAX_RELATIONSHIP};
use crate::domain::volume::inventory::Inventory;
use crate::domain::volume::outline::Section;
use crate::domain::world::storyline::{Convergence, Storyline};
use crate::pipeline::book::foreshadowing::inventory_of;
use crate::pipeline::book::timeline::Timeline;
use crate::pipeline::checks::metrics::written;
use crate::pipeline::prelude::*;

#[derive(Debug)]
pub struct Portrait {
    pub title: String,
    /// The commit that everything but the plot threads is read from.
    pub commit: CommitId,
    pub lines: Vec<Storyline>,
    pub chapters: Vec<Pictured>,
    /// The sections of outlines whose chapters are not written, in order.
    pub ahead: Vec<Section>,
    /// The crossovers that volumes plan.
    pub meetings: Vec<Convergence>,
    pub threads: Inventory,
    /// The places to which people move, by their ids and by the chapters after which they are there.
    pub places: BTreeMap<String, BTreeMap<u32, String>>,
    pub relations: Vec<Bond>,
}

#[derive(Debug)]
pub struct Pictured {
    pub figures: Written,
    pub title: String,
    pub line: Option<Slug>,
    pub summary: String,
    pub text: String,
    /// The text before a later change; `None` for a chapter that stands as it was accepted.
    pub before: Option<String>,
}

/// How someone stands to someone else now.
#[derive(Debug)]
pub struct Bond {
    pub from: String,
    pub to: String,
    /// From −100 to 100.
    pub value: i64,
}

/// Reads the book as it is committed. Changes nothing.
pub fn portrait(book: &Book) -> Result<Portrait, RunError> {
    let view = BookView::new(book.snapshot()?);
    let (mut outlines, mut meetings) = (BTreeMap::new(), Vec::new());
    for volume in view.volumes()? {
        meetings.extend(view.schedule(volume)?.into_iter().flat_map(|schedule| schedule.convergences));
        // An outline with mistakes is the business of other commands.
        outlines.extend(view.outline(volume).ok().flatten().map(|outline| (volume, outline)));
    }
    let commits = book.chapters()?;
    let chapters = commits.iter().map(|(chapter, commit)| pictured(book, &view, &outlines, (*chapter, commit)));
    let chapters: Vec<Pictured> = chapters.collect::<Result<_, RunError>>()?;
    let last = chapters.last().map_or(0, |chapter| chapter.figures.chapter.get());
    let sections = outlines.into_values().flat_map(|outline| outline.sections);
    let mut ahead: Vec<Section> = sections.filter(|section| section.chapter.get() > last).collect();
    ahead.sort_by_key(|section| section.chapter);
    let chronicle = Timeline::of(book)?.chronicle;
    Ok(Portrait {
        title: view.config()?.title,
        commit: view.commit_id(),
        lines: view.storylines()?.lines,
        chapters,
        ahead,
        meetings,
        threads: inventory_of(book, &chronicle)?,
        places: places(&chronicle),
        relations: relations(&view)?,
    })
}

fn pictured(
    book: &Book,
    view: &BookView<'_>,
    outlines: &BTreeMap<VolumeNo, Outline>,
    (chapter, commit): (ChapterNo, &Transaction),
) -> Result<Pictured, RunError> {
    let volume = view.volume_of(chapter)?;
    let path = layout::chapter(volume, chapter);
    let now = view.chapter(chapter)?;
    let summary = view.summary(volume, chapter)?;
    let accepted = book.snapshot_of(commit.id)?;
    // Only what was changed after its acceptance is worth the way through the history.
    let before = match accepted.content_id(&path) == view.content_id(&path) {
        true => None,
        false => book.earlier_text(chapter, (view, &path))?,
    };
    let before = before.map(|commit| BookView::new(book.snapshot_of(commit)?).chapter(chapter)).transpose()?;
    let planned = || outlines.get(&volume)?.section(chapter).map(|section| section.storyline.clone());
    Ok(Pictured {
        figures: written(view, volume, chapter, commit)?,
        line: summary.as_ref().map(|summary| summary.storyline.clone()).or_else(planned),
        summary: summary.map(|summary| summary.text).unwrap_or_default(),
        title: now.title,
        text: now.body,
        before: before.map(|chapter| chapter.body),
    })
}

/// The places of people. A place that an edit gave them counts from the chapter before the edit.
fn places(chronicle: &Chronicle) -> BTreeMap<String, BTreeMap<u32, String>> {
    let (mut last, mut edits) = (0, Vec::new());
    for step in chronicle.steps() {
        match step {
            Step::Chapter { delta, .. } => last = delta.chapter.get(),
            Step::Edit(_) => edits.push(last),
        }
    }
    let mut places: BTreeMap<String, BTreeMap<u32, String>> = BTreeMap::new();
    for change in chronicle.changes(&Fact::Value(vec![Category::Characters.as_str().to_owned()])) {
        let [_, who, field] = &change.keys[..] else { continue };
        let (true, Some(place)) = (field == "location", change.new.as_ref().and_then(|place| place.as_str())) else {
            continue;
        };
        let chapter = match change.cause {
            Cause::Chapter(chapter) => chapter.get(),
            Cause::Edit(edit) => edits.get(edit).copied().unwrap_or(0),
        };
        places.entry(who.clone()).or_default().insert(chapter, place.to_owned());
    }
    places
}

fn relations(view: &BookView<'_>) -> Result<Vec<Bond>, RunError> {
    let state = view.state()?;
    let mut bonds = Vec::new();
    for (from, fields) in state.entities(Category::Characters) {
        let others = fields.get("relationships").and_then(|others| others.as_object());
        bonds.extend(others.into_iter().flatten().filter_map(|(to, value)| {
            let value = value.as_i64()?.clamp(-MAX_RELATIONSHIP, MAX_RELATIONSHIP);
            Some(Bond { from: from.to_owned(), to: to.clone(), value })
        }));
    }
    bonds.sort_by_key(|bond| std::cmp::Reverse(bond.value.abs()));
    Ok(bonds)
}
