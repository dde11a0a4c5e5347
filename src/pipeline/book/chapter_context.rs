//! The context of one chapter, read from the book.

use crate::agents::context::chapter::{ChapterContext, Memory, Overused, Recent};
use crate::agents::{HouseList, context};
use crate::domain::chapter::summary::{self, ChapterMemory, ReaderLedger};
use crate::domain::quality::{LOOK_BACK, Worn};
use crate::domain::volume::outline::{MAIN_LINE, OutlineError, OutlineProblem, Section};
use crate::domain::volume::plan::VOLUMES_BACK;
use crate::domain::world::storyline::{Schedule, Storylines};
use crate::domain::world::style::StyleProfile;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::prelude::*;

/// How many summaries before the chapter its agents see at least (orchestrator chapter §8.3).
const RECENT: u32 = 3;

/// The oldest summaries and the oldest entries of the ledger go in steps of so many chapters: in between, a prompt begins
/// with the same ones as the prompt before, and the provider's cache serves them.
const STEP: u32 = 5;
/// At least so many chapters of several lines are told together: a step, so that the oldest go when the list of overused
/// phrases before them changes as well ([`COUNTED_STEP`]).
const TOGETHER: u32 = STEP;
/// The ledger has shorter lines and goes in longer steps.
pub(super) const LEDGER_STEP: u32 = 10;

/// How many characters of the previous chapter's end the writer sees.
const ENDING: usize = 800;

/// The writer's list of overused phrases is counted over so many chapters …
const COUNTED: u32 = 10;

/// … and moves on in steps of so many, so that the part of the prompt that providers cache stays the same in between.
const COUNTED_STEP: u32 = 5;

impl BookView<'_> {
    /// The texts of the chapters of so many numbers before `chapter`, oldest first.
    pub(super) fn texts_before(&self, chapter: ChapterNo, count: u32) -> Result<Vec<(ChapterNo, String)>, RunError> {
        let read = |(number, at)| Ok((number, self.chapter_text(at, number)?.unwrap_or_default()));
        before(self, chapter, count)?.into_iter().map(read).collect()
    }
}

/// The memory of a storyline; `None` before its first chapter.
pub(crate) fn memory_of_chapter(view: &BookView<'_>, line: &Slug) -> Result<Option<Memory>, RunError> {
    view.read(&layout::memory(line), format::summary::read_memory)
}

/// The memories of the storylines; lines without a memory are missing.
pub(crate) fn memories(view: &BookView<'_>, storylines: &Storylines) -> Result<BTreeMap<Slug, Memory>, RunError> {
    let mut memories = BTreeMap::new();
    for line in &storylines.lines {
        memories.extend(memory_of_chapter(view, &line.id)?.map(|memory| (line.id.clone(), memory)));
    }
    Ok(memories)
}

/// Everything that the agents of `chapter` may see, the book being at the chapter before it, but for the measures over the
/// texts of earlier chapters, which the writer alone reads.
pub(crate) fn of_chapter(view: &BookView<'_>, chapter: ChapterNo) -> Result<ChapterContext, RunError> {
    let checkpoint = view.checkpoint()?;
    let around = view.contents()?.volume_of(chapter).unwrap_or(checkpoint.volume);
    let (volume, outline) = view.planned(chapter, around)?;
    let Some(section) = outline.section(chapter).cloned() else {
        return Err(RunError::NotPlanned { chapter, volume });
    };
    context_by(view, volume, outline, section)
}

/// The context of an accepted chapter. One that no outline plans, such as a chapter of an import, is on the main line.
pub(crate) fn accepted_context(view: &BookView<'_>, text: &Chapter) -> Result<ChapterContext, RunError> {
    let chapter = text.number;
    match of_chapter(view, chapter) {
        Err(RunError::NotPlanned { .. }) if view.contents()?.has(chapter) => {}
        planned => return planned,
    }
    let storylines = files::storylines(view)?;
    let main = storylines.main().map(|line| line.id.clone()).or_else(|| Slug::new(MAIN_LINE).ok());
    let storyline = main.ok_or_else(|| RunError::Missing { path: layout::STORYLINES.to_owned() })?;
    let title = text.title.clone();
    let (fields, tasks, source) = (BTreeMap::new(), Vec::new(), String::new());
    let section = Section { chapter, title, line: 1, storyline, fields, tasks, source };
    context_by(view, view.volume_of(chapter)?, Outline::default(), section)
}

fn context_by(
    view: &BookView<'_>,
    volume: VolumeNo,
    outline: Outline,
    section: Section,
) -> Result<ChapterContext, RunError> {
    let chapter = section.chapter;
    let storylines = files::storylines(view)?;
    if storylines.get(&section.storyline).is_none() && !view.contents()?.has(chapter) {
        // A chapter would be filed under a storyline that nothing defines.
        let problem = OutlineProblem::Storyline(section.storyline.to_string());
        let errors = vec![OutlineError { line: section.line, problem }];
        return Err(RunError::Outline { path: layout::outline(volume), errors });
    }
    let schedule = view.read(&layout::schedule(volume), format::read)?;
    let mut memories = memories(view, &storylines)?;
    if !memories.contains_key(&section.storyline) {
        let memory = memory_of_chapter(view, &section.storyline)?;
        memories.extend(memory.map(|memory| (section.storyline.clone(), memory)));
    }
    let drift: Option<format::style::Drift> = view.read(layout::STYLE_DRIFT, format::read)?;
    let config = view.config()?;
    let style = view.read(layout::STYLE_PROFILE, format::style::read_profile)?.unwrap_or_else(StyleProfile::unmeasured);
    let phrases = HouseList::from(files::phrases(view)?.without(&style.own_phrases));
    let line_before = line_before(view, chapter, volume, &section.storyline, memories.get(&section.storyline))?;
    let previous_ending = line_before.map(|before| ending_of(view, before)).transpose()?.unwrap_or_default();
    let (chapter_memories, reader) = ledgers(view, chapter, config.memory_chapters)?;
    let mut context = ChapterContext {
        chapter,
        volume,
        chapter_memories,
        reader,
        config,
        wishes: view.wishes()?.of(chapter).map(str::to_owned).collect(),
        brief: view.text(layout::BRIEF)?.unwrap_or_default(),
        style,
        phrases,
        overused: Vec::new(),
        worn: Vec::new(),
        voices: Vec::new(),
        drift: drift.map(|drift| drift.corrections).unwrap_or_default(),
        is_scheduled: schedule.is_some(),
        planned: files::planned_foreshadowing(view, volume)?,
        schedule: schedule.unwrap_or_else(|| Schedule::of_running(volume, &storylines)),
        recent: Vec::new(),
        passages: Vec::new(),
        pages: Vec::new(),
        samples: Vec::new(),
        minor_cast: Vec::new(),
        line_before,
        previous_ending,
        bridge: bridge_to(view, chapter, &section.storyline)?,
        state: view.state()?,
        ledger: view.ledger_for(volume, chapter)?,
        characters: files::characters(view)?,
        relationships: files::relationships(view)?,
        rules: files::rules(view)?,
        storyline_rules: files::storyline_rules(view)?,
        contract: files::contract(view, volume, chapter)?,
        waivers: view.waivers()?,
        editions: 0,
        outline,
        section,
        storylines,
        memories,
    };
    context.recent = recent_on(view, &context)?;
    Ok(context)
}

/// The summaries of the chapters before `chapter`, oldest first. A missing one is passed over.
pub(super) fn recent(view: &BookView<'_>, chapter: ChapterNo) -> Result<Vec<Recent>, RunError> {
    summaries_of(view, before(view, chapter, RECENT)?)
}

/// The summaries of those chapters. A missing one is passed over.
fn summaries_of(view: &BookView<'_>, chapters: Vec<(ChapterNo, VolumeNo)>) -> Result<Vec<Recent>, RunError> {
    let mut recent = Vec::new();
    for (number, at) in chapters {
        recent.extend(files::summary(view, at, number)?.map(|page| Recent {
            chapter: number,
            title: page.title,
            storyline: page.storyline,
            summary: page.text,
        }));
    }
    Ok(recent)
}

/// The chapters' ledger of so many chapters before `chapter`, and what the reader's ledger says there.
pub(crate) fn ledgers(
    view: &BookView<'_>,
    chapter: ChapterNo,
    count: u32,
) -> Result<(Vec<ChapterMemory>, ReaderLedger), RunError> {
    let mut ledger = chapter_memories(view, chapter, summary::REACH.max(count + LEDGER_STEP))?;
    let reader = ReaderLedger::of(&ledger);
    let first = first_shown(chapter, count, LEDGER_STEP);
    ledger.retain(|memory| count > 0 && memory.chapter.get() >= first);
    Ok((ledger, reader))
}

/// The ledger's entries of so many chapters before `chapter`, oldest first. A missing one is passed over.
pub(super) fn chapter_memories(
    view: &BookView<'_>,
    chapter: ChapterNo,
    count: u32,
) -> Result<Vec<ChapterMemory>, RunError> {
    let mut memories = Vec::new();
    for (number, at) in before(view, chapter, count)? {
        memories.extend(files::chapter_memory(view, at, number)?);
    }
    Ok(memories)
}

/// The chapters of so many numbers before `chapter`, oldest first, each with the volume in which it is.
pub(crate) fn before(
    view: &BookView<'_>,
    chapter: ChapterNo,
    count: u32,
) -> Result<Vec<(ChapterNo, VolumeNo)>, RunError> {
    among(view, chapter.get().saturating_sub(count).max(1)..chapter.get())
}

/// The chapters among these numbers, each with the volume in which it is.
pub(crate) fn among(
    view: &BookView<'_>,
    numbers: impl Iterator<Item = u32>,
) -> Result<Vec<(ChapterNo, VolumeNo)>, RunError> {
    let contents = view.contents()?;
    let there = numbers.filter_map(ChapterNo::new);
    Ok(there.filter_map(|number| Some((number, contents.volume_of(number)?))).collect())
}

/// The summaries of the lines that the chapter may know, oldest first. Those that its neighbours know as well go in steps,
/// so that their prompts begin with the same ones: where this is a single line, at least [`RECENT`] of it; where there are
/// more, all chapters from one on, and two of each line at least. Beside them the last [`RECENT`] of the chapter's own line
/// and the last one of each other line.
fn recent_on(view: &BookView<'_>, context: &ChapterContext) -> Result<Vec<Recent>, RunError> {
    let (own, shared) = (context.storyline(), context::shared_lines(context));
    let others = context.storylines.lines.iter().map(|line| &line.id);
    let others = others.filter(|line| *line != own && context::may_know(context, line));
    let least = RECENT as usize;
    let together = first_shown(context.chapter, TOGETHER, STEP);
    let mut wanted: Vec<(ChapterNo, VolumeNo)> = Vec::new();
    for line in [own].into_iter().chain(others) {
        let is_of_line = |of: &Slug| of == line;
        let written: Vec<_> = planned_before(view, context.chapter, context.volume, &is_of_line).collect();
        let shown = match shared.contains(line) {
            true if shared.len() > 1 => {
                written.iter().take_while(|(number, _)| number.get() >= together).count().max(2)
            }
            true => written.len() - written.len().saturating_sub(least) / STEP as usize * STEP as usize,
            false if line == own => least,
            false => 1,
        };
        wanted.extend(written.into_iter().take(shown));
    }
    wanted.sort();
    summaries_of(view, wanted)
}

/// The written chapters before `chapter` whose planned storyline is `wanted`, the latest first, each with its volume. As
/// far back as plans bear on one another; chapters without a section in an outline count by their summary.
fn planned_before<'a>(
    view: &'a BookView<'_>,
    chapter: ChapterNo,
    volume: VolumeNo,
    wanted: &'a dyn Fn(&Slug) -> bool,
) -> impl Iterator<Item = (ChapterNo, VolumeNo)> + 'a {
    let volumes = (1..=volume.get()).rev().filter_map(VolumeNo::new).take(VOLUMES_BACK + 1);
    volumes.flat_map(move |volume| {
        // A slip in the outline of an earlier volume does not keep this chapter from being written.
        let outline = view.outline(volume).ok().flatten().unwrap_or_default();
        let sections = outline.sections.into_iter().rev();
        let on_line = sections.filter(move |section| section.chapter < chapter && wanted(&section.storyline));
        let numbers: Vec<ChapterNo> = on_line.map(|section| section.chapter).collect();
        numbers.into_iter().filter(move |number| view.has(&layout::chapter(volume, *number))).map(move |n| (n, volume))
    })
}

/// The last chapter before `chapter` on the storyline: by the line's memory, which is written with each of its chapters,
/// or by the outlines, for a chapter that is written again or follows one of the author's own.
fn line_before(
    view: &BookView<'_>,
    chapter: ChapterNo,
    volume: VolumeNo,
    line: &Slug,
    memory: Option<&Memory>,
) -> Result<Option<ChapterNo>, RunError> {
    let contents = view.contents()?;
    let remembered = memory.and_then(|memory| memory.chapter).filter(|before| *before < chapter);
    let planned = planned_before(view, chapter, volume, &|of| of == line).next().map(|(before, _)| before);
    // The author may have written the latest one alone, and then no memory tells of it.
    Ok(remembered.filter(|before| contents.has(*before)).max(planned))
}

/// The last lines of a written chapter, whole paragraphs where they fit.
pub(crate) fn ending_of(view: &BookView<'_>, chapter: ChapterNo) -> Result<String, RunError> {
    let Some(at) = view.contents()?.volume_of(chapter) else { return Ok(String::new()) };
    let text = view.chapter_text(at, chapter)?.unwrap_or_default();
    Ok(context::ending(&text, ENDING))
}

/// How the plan of the chapter right before leads over to the storyline; empty where it does not.
fn bridge_to(view: &BookView<'_>, chapter: ChapterNo, line: &Slug) -> Result<String, RunError> {
    let Some(previous) = chapter.previous() else { return Ok(String::new()) };
    let Some(at) = view.contents()?.volume_of(previous) else { return Ok(String::new()) };
    let transition = files::contract(view, at, previous)?.and_then(|contract| contract.transition);
    Ok(transition.filter(|transition| transition.next == *line).map(|transition| transition.bridge).unwrap_or_default())
}

/// The phrases of the list to avoid now: those that the author does not want, then those that the latest chapters use above
/// their cap or nearly so, the most frequent first.
pub(super) fn overused_phrases(
    view: &BookView<'_>,
    chapter: ChapterNo,
    phrases: &HouseList,
) -> Result<Vec<Overused>, RunError> {
    let until = ChapterNo::after((chapter.get() - 1) / COUNTED_STEP * COUNTED_STEP);
    let texts = view.texts_before(until, COUNTED)?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, text) in &texts {
        for (phrase, count) in phrases.find(text).by_phrase() {
            *counts.entry(phrase.to_owned()).or_default() += count;
        }
    }
    let chapters = texts.len();
    let of = |phrase: &str, times| Overused { phrase: phrase.to_owned(), times, chapters };
    let unwanted = phrases.unwanted().map(|phrase| of(phrase, counts.remove(phrase).unwrap_or_default()));
    let mut unwanted: Vec<Overused> = unwanted.collect();
    // A cap is for one chapter: half of what ten such chapters may have is a habit already, and a quarter becomes one.
    let is_near = |phrase: &str, times: usize| times > 1 && times * 4 > phrases.cap(phrase) as usize * chapters;
    let near = counts.iter().filter(|(phrase, times)| is_near(phrase, **times));
    let mut near: Vec<Overused> = near.map(|(phrase, times)| of(phrase, *times)).collect();
    // Stable over the alphabet.
    near.sort_by_key(|overused| std::cmp::Reverse(overused.times));
    unwanted.sort_by_key(|overused| std::cmp::Reverse(overused.times));
    unwanted.extend(near);
    Ok(unwanted)
}

/// The patterns that the chapters before this one have worn out. The author's own phrases and the names of the book do not
/// count.
pub(super) fn worn_patterns(view: &BookView<'_>, context: &ChapterContext) -> Result<Vec<Worn>, RunError> {
    let (texts, names) = (view.texts_before(context.chapter, LOOK_BACK)?, names::names_with(view, &context.state)?);
    let texts: Vec<(ChapterNo, &str)> = texts.iter().map(|(number, text)| (*number, text.as_str())).collect();
    Ok(text::worn(&texts, &borrowed(&names), &borrowed(&context.style.own_phrases)))
}

/// The number of the first chapter before `chapter` that is shown when at least `count` are and the oldest go `step` at a time.
fn first_shown(chapter: ChapterNo, count: u32, step: u32) -> u32 {
    chapter.get().saturating_sub(1 + count) / step * step + 1
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
