//! The files of a book as values: each is read and parsed as it is asked for.
//! Sections of outlines that follow each other, in the order in which the author has put them.
//! The accepted text of a book, as it goes out.

use crate::domain::book::checkpoint::ChapterLog;
use crate::domain::chapter::heading_number;
use crate::domain::chapter::summary::ChapterMemory;
use crate::domain::renumbering::operations;
use crate::domain::volume::Judgement;
use crate::domain::volume::foreshadowing::ThreadPlan;
use crate::domain::volume::outline::volume_title;
use crate::domain::world::character::Relationship;
use crate::domain::world::contract::{ChapterContract, Rule};
use crate::domain::world::storyline::{Schedule, Storylines};
use crate::domain::world::style::{AiPhrases, StyleProfile};
use crate::manuscript::write::{Edition, EditionChapter, EditionVolume};
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::store;
use crate::store::format::renumber::{renumbered, section_headed};
use std::ops::RangeInclusive;

/// The next chapter as its outline has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextChapter {
    pub number: ChapterNo,
    pub volume: VolumeNo,
    pub storyline: Slug,
}

pub fn rules(view: &BookView<'_>) -> Result<Vec<Rule>, RunError> {
    Ok(view.read(layout::WORLD_RULES, format::rules::read)?.unwrap_or_default())
}

/// The judgement of a volume's review; `None` without one.
pub fn judgement(view: &BookView<'_>, volume: VolumeNo) -> Result<Option<Judgement>, RunError> {
    view.read(&layout::judgement(volume), format::read)
}

/// How the author writes; `None` where there is no profile.
pub fn style_profile(view: &BookView<'_>) -> Result<Option<StyleProfile>, RunError> {
    view.read(layout::STYLE_PROFILE, format::style::read_profile)
}

/// The judge's report on an accepted chapter, with the rules set apart that the author has waived.
pub fn evaluation(
    view: &BookView<'_>,
    volume: VolumeNo,
    chapter: ChapterNo,
) -> Result<Option<RecordedEvaluation>, RunError> {
    let recorded = view.read(&layout::evaluation(volume, chapter), format::evaluation::read)?;
    let Some(RecordedEvaluation { evaluation, gate }) = recorded else { return Ok(None) };
    Ok(Some(RecordedEvaluation { evaluation: evaluation.waiving(&view.waivers()?), gate }))
}

pub fn delta(view: &BookView<'_>, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<Delta>, RunError> {
    view.read(&layout::delta(volume, chapter), format::delta::read)
}

/// An accepted chapter's summary.
pub fn summary(view: &BookView<'_>, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<SummaryPage>, RunError> {
    view.read(&layout::summary(volume, chapter), |bytes| format::summary::read(chapter, bytes))
}

/// The calls that an accepted chapter was made with.
pub fn chapter_log(view: &BookView<'_>, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<ChapterLog>, RunError> {
    view.read(&layout::log(volume, chapter), format::read)
}

/// How a volume shares its chapters out among the storylines, where its plan says so.
pub fn schedule(view: &BookView<'_>, volume: VolumeNo) -> Result<Option<Schedule>, RunError> {
    view.read(&layout::schedule(volume), format::read)
}

/// The plot threads that a volume plans to plant and to resolve.
pub fn planned_foreshadowing(view: &BookView<'_>, volume: VolumeNo) -> Result<Vec<ThreadPlan>, RunError> {
    Ok(view.read(&layout::foreshadowing_plan(volume), format::foreshadowing::read_plan)?.unwrap_or_default())
}

/// The list of worn-out phrases.
pub fn phrases(view: &BookView<'_>) -> Result<AiPhrases, RunError> {
    Ok(view.read(layout::AI_PHRASES, format::style::read_phrases)?.unwrap_or_default())
}

/// A chapter's contract, where the plan has one.
pub(crate) fn contract(
    view: &BookView<'_>,
    volume: VolumeNo,
    chapter: ChapterNo,
) -> Result<Option<ChapterContract>, RunError> {
    let Some(outline) = view.outline(volume)? else { return Ok(None) };
    let Some(section) = outline.section(chapter) else { return Ok(None) };
    view.read(&layout::contract(volume, chapter), |bytes| format::contract::read_of(chapter, &section.storyline, bytes))
}

pub fn storyline_rules(view: &BookView<'_>) -> Result<Vec<Rule>, RunError> {
    Ok(view.read(layout::STORYLINE_RULES, format::rules::read)?.unwrap_or_default())
}

/// A chapter's entry in the ledger, where it has one.
pub fn chapter_memory(
    view: &BookView<'_>,
    volume: VolumeNo,
    chapter: ChapterNo,
) -> Result<Option<ChapterMemory>, RunError> {
    view.read(&layout::chapter_memory(volume, chapter), format::read)
}

pub fn storylines(view: &BookView<'_>) -> Result<Storylines, RunError> {
    Ok(view.read(layout::STORYLINES, format::storylines::read)?.unwrap_or_default())
}

/// The active characters, ordered by id.
pub fn characters(view: &BookView<'_>) -> Result<Vec<Character>, RunError> {
    people(view, false)
}

/// Those who have left the story, ordered by id.
pub fn retired_characters(view: &BookView<'_>) -> Result<Vec<Character>, RunError> {
    people(view, true)
}

fn people(view: &BookView<'_>, retired: bool) -> Result<Vec<Character>, RunError> {
    let folder = if retired { layout::RETIRED_CHARACTERS } else { layout::ACTIVE_CHARACTERS };
    let mut characters = Vec::new();
    for name in view.list(folder)? {
        let Some(id) = name.name.strip_suffix(".json").and_then(|stem| Slug::new(stem).ok()) else { continue };
        let path = BookPath::Character { id: id.clone(), retired }.path();
        let profile = view.bytes(&BookPath::Profile { id: id.clone(), retired }.path())?.unwrap_or_default();
        characters.push(view.need(&path, |bytes| format::character::read(&id, bytes, &profile))?);
    }
    Ok(characters)
}

pub fn relationships(view: &BookView<'_>) -> Result<Vec<Relationship>, RunError> {
    Ok(view.read(layout::RELATIONSHIPS, format::character::read_relationships)?.unwrap_or_default())
}

pub fn retired(view: &BookView<'_>) -> Result<BTreeSet<Slug>, RunError> {
    let names = view.list(layout::RETIRED_CHARACTERS)?.into_iter();
    Ok(names.filter_map(|name| Slug::new(name.name.strip_suffix(".json")?).ok()).collect())
}

/// The next chapter; `None` when no outline has a section for it.
pub fn next_chapter(view: &BookView<'_>) -> Result<Option<NextChapter>, RunError> {
    let number = view.checkpoint()?.next_chapter();
    let Some((volume, outline)) = view.plan(number)? else { return Ok(None) };
    let of = |storyline: &Slug| NextChapter { number, volume, storyline: storyline.clone() };
    Ok(outline.section(number).map(|section| of(&section.storyline)))
}

/// Outlines whose chapters follow each other.
#[derive(Default)]
pub(super) struct Sections {
    /// The sections before the author's edits, titles as bodies.
    pub(super) before: Vec<(VolumeNo, Chapter)>,
    /// The sections in the folder, with the numbers that follow from their order.
    pub(super) now: Vec<(VolumeNo, Chapter)>,
    /// The least number of these as it is written.
    pub(super) least: Option<ChapterNo>,
    pub(super) outlines: Change,
}

/// The volume, the number before the text was moved (`None` for a new one), and the title.
pub(super) type PlacedText<'t> = (VolumeNo, Option<ChapterNo>, &'t str);

impl Sections {
    /// Outlines with mistakes other than in numbers are left out.
    pub(super) fn of(book: &Book, base: &BookView<'_>) -> Result<Vec<Self>, RunError> {
        let mut runs: Vec<Self> = Vec::new();
        for volume in base.volumes()? {
            let path = layout::outline(volume);
            let before = base.outline(volume).ok().flatten().unwrap_or_default();
            let text = book.on_disk(&path)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
            let (Some((first, _)), Some(now)) = (before.range(), Outline::in_any_order(&text)) else { continue };
            if runs.last().and_then(|run| run.before.last()).is_none_or(|(_, last)| last.number.next() != first) {
                runs.push(Self::default());
            }
            let Some(run) = runs.last_mut() else { continue };
            let titled = |number, title: &str| Chapter { number, title: String::new(), body: title.to_owned() };
            run.before.extend(before.sections.iter().map(|section| (volume, titled(section.chapter, &section.title))));
            let next = run.now.last().map_or(first, |(_, last)| last.number.next());
            for (section, is) in now.sections.iter().zip((next.get()..).filter_map(ChapterNo::new)) {
                run.least = run.least.min(Some(section.chapter)).or(Some(section.chapter));
                run.now.push((volume, titled(is, &section.title)));
            }
            run.outlines = std::mem::take(&mut run.outlines).put(&path, numbered(&text, &now, next));
        }
        Ok(runs)
    }

    /// The moves of planned sections with contracts, where `was` chapters had texts, the outlines count `has`, and `last` have texts now.
    pub(super) fn planned_moves(runs: Vec<Self>, base: &BookView<'_>, [was, has, last]: [u32; 3]) -> Vec<Renumbering> {
        let (mut before, mut now, mut has_contracts) = (Vec::new(), Vec::new(), false);
        for run in runs {
            for (volume, section) in run.before.into_iter().filter(|(_, section)| section.number.get() > was) {
                has_contracts |= base.has(&layout::contract(volume, section.number));
                before.push(section);
            }
            now.extend(run.now.into_iter().map(|(_, section)| section).filter(|section| section.number.get() > has));
        }
        if has_contracts { operations(ChapterNo::after(last), &before, &now) } else { Vec::new() }
    }

    /// True when the sections in the range stand with their texts, the new chapter has one, and the one that leaves has none; false
    /// when they stand as before. Fails with [`RenumberError::SectionAlone`] for another order than both; a new title fits any.
    pub(super) fn follow(
        runs: &[Self],
        done: &[Renumbering],
        (how, range, new): (Renumbering, RangeInclusive<ChapterNo>, Option<ChapterNo>),
        texts: &BTreeMap<ChapterNo, PlacedText<'_>>,
    ) -> Result<bool, RenumberError> {
        let (mut follow, mut has_new, mut other) = (true, new.is_none(), None);
        for run in runs {
            let before = run.before.iter().map(|(_, section)| section.clone()).collect();
            let before: Vec<Chapter> = done.iter().fold(before, |before, how| moved(&before, *how));
            for (volume, section) in &run.now {
                let mut same = before.iter().filter(|before| before.body == section.body).map(|before| before.number);
                let (was, twin) = (same.next(), same.next());
                let was = was.filter(|_| twin.is_none());
                has_new |= new == Some(section.number);
                // The section of two chapters that were joined may be that of either.
                let is_joined =
                    how == Renumbering::Merge(section.number) && [Some(section.number), how.drops()].contains(&was);
                follow &= was.is_none() || was != how.drops() || is_joined;
                if range.contains(&section.number) {
                    follow &= texts.get(&section.number).is_some_and(|(there, text, title)| {
                        there == volume && (was.is_none() || is_joined || was == *text || *title == section.body)
                    });
                    let is_written = || texts.values().any(|(_, text, _)| *text == was);
                    if was.is_some_and(|was| was != section.number) && is_written() {
                        other.get_or_insert_with(|| (run, before.clone()));
                    }
                }
            }
        }
        let Some((run, before)) = other.filter(|_| !(follow && has_new)) else { return Ok(follow && has_new) };
        let now: Vec<Chapter> = run.now.iter().map(|(_, section)| section.clone()).collect();
        let first = before.first().map_or(ChapterNo::FIRST, |first| first.number);
        operations(first, &before, &now).first().map_or(Ok(false), |how| Err(run.alone(*how)))
    }

    pub(super) fn alone(&self, how: Renumbering) -> RenumberError {
        let there = self.now.iter().find(|(_, section)| section.number == how.first());
        let path = layout::outline(there.map_or(VolumeNo::FIRST, |(volume, _)| *volume));
        RenumberError::SectionAlone { path, how }
    }

    pub(super) fn with_outlines(&self, mut files: Change, book: &Snapshot<'_>) -> Result<Change, RunError> {
        for (path, bytes) in &self.outlines.puts {
            if book.read(path)?.as_ref() != Some(bytes) {
                files = files.put(path, bytes.clone());
            }
        }
        Ok(files)
    }
}

/// The text of the outline with numbers from `first` on, in the order of its sections.
fn numbered(text: &str, outline: &Outline, first: ChapterNo) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for (section, is) in outline.sections.iter().zip((first.get()..).filter_map(ChapterNo::new)) {
        let line = &mut lines[section.line - 1];
        if section.chapter != is {
            *line = section_headed(line, (section.chapter, is), &section.title);
        }
    }
    lines.concat()
}

pub(crate) fn differs_in_numbers(outline: &[u8], wanted: &[u8]) -> bool {
    let [text, wanted] = [outline, wanted].map(String::from_utf8_lossy);
    let first = Outline::form(&wanted).ok().and_then(|(outline, _)| outline.range());
    let now = Outline::in_any_order(&text);
    first.zip(now).is_some_and(|((first, _), now)| numbered(&text, &now, first) == wanted)
}

/// The sections after the operation; a new one is empty.
pub(super) fn moved(sections: &[Chapter], how: Renumbering) -> Vec<Chapter> {
    let of = |section: &Chapter| Some(Chapter { number: how.of(section.number)?, ..section.clone() });
    let mut moved: Vec<Chapter> = sections.iter().filter_map(of).collect();
    let new = match how {
        Renumbering::Insert(at) => Some(at),
        Renumbering::Split(at) => Some(at.next()),
        _ => None,
    };
    moved.extend(new.map(|number| Chapter { number, title: String::new(), body: String::new() }));
    moved.sort_by_key(|section| section.number);
    moved
}

/// The accepted chapters in `range` (first and last; `None` for all), in the order of the book.
pub fn edition(book: &Book, range: Option<(ChapterNo, ChapterNo)>) -> Result<Edition, RunError> {
    let view = BookView::new(book.snapshot()?);
    let config = view.config()?;
    let mut volumes: Vec<EditionVolume> = Vec::new();
    for (number, volume) in view.contents()?.iter() {
        if range.is_some_and(|(first, last)| number < first || number > last) {
            continue;
        }
        let file = view.chapter_text(volume, number)?.ok_or(RunError::NoSuchChapter(number))?;
        let chapter = Chapter::from_markdown(number, &file, "");
        // The title as it stands, with marks around it that the book itself makes no use of.
        let heading = file.lines().next().unwrap_or_default();
        let title = heading.strip_prefix(&format!("# 第{}章 ", number.get())).map(|title| title.trim().to_owned());
        let title = title.unwrap_or(chapter.title);
        let chapter = EditionChapter { number: number.get(), title, text: chapter.body };
        match volumes.last_mut().filter(|last| last.number == volume.get()) {
            Some(last) => last.chapters.push(chapter),
            None => volumes.push(EditionVolume {
                number: volume.get(),
                title: title_of(&view, volume)?,
                chapters: vec![chapter],
            }),
        }
    }
    let tip = book.transaction(view.commit_id())?;
    Ok(Edition {
        title: config.title,
        author: config.author,
        id: format!("urn:novel:{}", store::history::first_commit(book)?),
        commit: tip.id.to_string(),
        modified: tip.time.seconds,
        cover: None,
        volumes,
    })
}

/// The title in the first line of a volume's outline; empty for an outline without a title. An outline with mistakes has one too.
fn title_of(view: &BookView<'_>, volume: VolumeNo) -> Result<String, RunError> {
    let outline = view.bytes(&layout::outline(volume))?.unwrap_or_default();
    Ok(volume_title(&String::from_utf8_lossy(&outline)))
}

const UNTITLED: &str = "无题";

/// The text of the chapter `is`, which was the chapter `was`, with its number in a heading that has one. A new text gets a heading where
/// it lacks one.
pub(crate) fn headed(was: Option<ChapterNo>, is: ChapterNo, bytes: &[u8]) -> Vec<u8> {
    let number = heading_number(&String::from_utf8_lossy(bytes)).and_then(ChapterNo::new);
    if number == Some(is) {
        return bytes.to_vec();
    }
    if let Some(was) = number.or(was) {
        return renumbered(&BookPath::Chapter(VolumeNo::FIRST, was), bytes, Renumbering::Move { from: was, to: is });
    }
    let Chapter { title, body, .. } = Chapter::from_markdown(is, &String::from_utf8_lossy(bytes), "");
    let title = if title.is_empty() { UNTITLED.to_owned() } else { title };
    Chapter { number: is, title, body }.to_markdown().into_bytes()
}
