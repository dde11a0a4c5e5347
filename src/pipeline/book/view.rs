//! Reading the book: from a snapshot's bytes to the material of a chapter.
//! The settings of the book as the author has them now.

use crate::agents::Prompts;
use crate::domain::book::checkpoint::{ChapterTotals, Totals};
use crate::domain::chapter::Waivers;
use crate::domain::chapter::author_notes::Wishes;
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::state::State;
use crate::domain::volume::outline::{Gaps, Section};
use crate::domain::workflow::TRIAL;
use crate::domain::world::storyline::Storylines;
use crate::pipeline::book::files;
use crate::pipeline::prelude::*;
use crate::store::Contents;
use crate::store::format::{At, Mistake, Problem};
use crate::text::Count;
use std::cell::{Ref, RefCell};
use std::ops::Deref;

#[derive(Debug)]
pub struct BookView<'b> {
    snapshot: Snapshot<'b>,
    /// The outlines that were read: each chapter of a volume is asked about by itself.
    outlines: RefCell<BTreeMap<VolumeNo, Option<Outline>>>,
}

impl<'b> Deref for BookView<'b> {
    type Target = Snapshot<'b>;

    fn deref(&self) -> &Snapshot<'b> {
        &self.snapshot
    }
}

impl<'b> BookView<'b> {
    pub fn new(snapshot: Snapshot<'b>) -> Self {
        Self { snapshot, outlines: RefCell::default() }
    }

    /// The volumes that have a folder, in order.
    pub fn volumes(&self) -> Result<Vec<VolumeNo>, RunError> {
        let names = self.list(layout::VOLUMES)?.into_iter().filter(|name| name.is_dir);
        Ok(names.filter_map(|name| layout::volume_named(&name.name)).collect())
    }

    /// The volume in which the chapter is planned, and its outline; `None` when no outline has a section for it.
    /// Fails when an outline has mistakes.
    pub fn plan(&self, chapter: ChapterNo) -> Result<Option<(VolumeNo, Outline)>, RunError> {
        match self.planned(chapter, self.checkpoint()?.volume) {
            Ok(plan) => Ok(Some(plan)),
            Err(RunError::NotPlanned { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    pub fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, RunError> {
        Ok(self.snapshot.read(path)?)
    }

    /// True when the volume has a review of all its chapters. A review that does not say how far it goes counts, and so does
    /// one by the author's own hand.
    pub fn is_reviewed(&self, volume: VolumeNo) -> Result<bool, RunError> {
        if !self.has(&layout::review(volume)) {
            return Ok(false);
        }
        let last = self.outline(volume)?.and_then(|outline| outline.range()).map(|(_, last)| last);
        let judged = files::judgement(self, volume)?;
        Ok(judged.is_none_or(|judged| last.is_none_or(|last| judged.covers(last))))
    }

    /// The deviations that the author intends.
    pub fn waivers(&self) -> Result<Waivers, RunError> {
        Ok(self.read(layout::WAIVERS, format::read)?.unwrap_or_default())
    }

    /// The author's wishes for the next chapters, used up or not.
    pub fn wishes(&self) -> Result<Wishes, RunError> {
        Ok(self.read(layout::WISHES, format::plain::read_wishes)?.unwrap_or_default())
    }

    /// A file that may be missing.
    pub(crate) fn read<T>(
        &self,
        path: &str,
        read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    ) -> Result<Option<T>, RunError> {
        self.bytes(path)?.map(|bytes| read(&bytes)).transpose().map_err(RunError::of_file(path))
    }

    /// A file that every book has.
    pub(super) fn need<T>(
        &self,
        path: &str,
        read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    ) -> Result<T, RunError> {
        self.read(path, read)?.ok_or_else(|| RunError::Missing { path: path.to_owned() })
    }

    pub(super) fn text(&self, path: &str) -> Result<Option<String>, RunError> {
        Ok(self.bytes(path)?.map(format::lossy_text))
    }

    /// `novel.toml`; settings it does not know are passed over here and named by `doctor`.
    /// Fails when it is missing or not of its format.
    pub fn config(&self) -> Result<BookConfig, RunError> {
        Ok(self.settings()?.0)
    }

    /// The settings, and those that are not known.
    pub(super) fn settings(&self) -> Result<(BookConfig, Vec<format::config::Unknown>), RunError> {
        self.need(layout::CONFIG, |bytes| format::check::settings(bytes, None))
    }

    /// The checkpoint and the totals of its chapters. The chapters that the book has decide; where the file says otherwise, as
    /// plain git may leave it behind and as it does on every draft, they are all read and counted.
    /// Fails when the checkpoint is missing or not of its format.
    pub fn checkpoint_with_totals(&self) -> Result<Checkpoint, RunError> {
        let recorded = self.recorded_checkpoint()?;
        let is_whole = self.agrees(&recorded)? && !recorded.totals.lacks_scored();
        if is_whole { Ok(recorded) } else { self.corrected(recorded) }
    }

    /// The checkpoint; its totals are as recorded, see [`checkpoint_with_totals`](Self::checkpoint_with_totals).
    /// Fails when the checkpoint is missing or not of its format.
    pub fn checkpoint(&self) -> Result<Checkpoint, RunError> {
        let recorded = self.recorded_checkpoint()?;
        if self.agrees(&recorded)? { Ok(recorded) } else { without_totals(self, recorded) }
    }

    /// The checkpoint as its file has it.
    pub(crate) fn recorded_checkpoint(&self) -> Result<Checkpoint, RunError> {
        self.need(layout::CHECKPOINT, format::read)
    }

    /// The change with a file that `write` makes of the value and of the file as it is, which may have fields of the author's.
    pub(crate) fn put(
        &self,
        change: Change,
        path: &str,
        write: impl FnOnce(Option<&[u8]>) -> Vec<u8>,
    ) -> Result<Change, RunError> {
        Ok(change.put(path, write(self.bytes(path)?.as_deref())))
    }

    pub(crate) fn put_checkpoint(&self, change: Change, checkpoint: &Checkpoint) -> Result<Change, RunError> {
        self.put(change, layout::CHECKPOINT, |was| format::write(checkpoint, was))
    }

    /// True when the checkpoint is about the chapters that the book has.
    pub(crate) fn agrees(&self, checkpoint: &Checkpoint) -> Result<bool, RunError> {
        let contents = self.contents()?;
        Ok(checkpoint.last_completed == contents.last_number()
            && checkpoint.totals.chapters as usize == contents.count())
    }

    /// The checkpoint as the chapters have it.
    pub(crate) fn corrected(&self, recorded: Checkpoint) -> Result<Checkpoint, RunError> {
        let totals = totals(self, self.contents()?);
        Ok(Checkpoint { totals, ..without_totals(self, recorded)? })
    }

    /// True when the state is that of the last chapter with a delta. Otherwise plain git has brought chapters in or
    /// taken them out, and the state is to be replayed.
    pub(crate) fn state_is_of_last(&self) -> Result<bool, RunError> {
        let of = match self.read(layout::STATE, format::state::read) {
            Ok(state) => state.map_or(0, |state| state.last_updated_chapter),
            // Reported where the state is needed.
            Err(_) => return Ok(true),
        };
        let mut chapters = self.contents()?.iter().rev();
        let last = chapters.find(|(chapter, volume)| self.has(&layout::delta(*volume, *chapter)));
        Ok(of == last.map_or(0, |(chapter, _)| chapter.get()))
    }

    pub fn state(&self) -> Result<State, RunError> {
        Ok(self.read(layout::STATE, format::state::read)?.unwrap_or_default())
    }

    pub fn ledger(&self) -> Result<Ledger, RunError> {
        Ok(self.read(layout::FORESHADOWING, format::foreshadowing::read)?.unwrap_or_default())
    }

    /// The ledger that `chapter` begins with: the first of a volume takes over what is open.
    pub fn ledger_for(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Ledger, RunError> {
        let ledger = self.ledger()?;
        let has_earlier = self.contents()?.iter().any(|(other, at)| at == volume && other < chapter);
        Ok(if has_earlier { ledger } else { ledger.carried_over() })
    }

    /// A volume's outline; `None` when the volume has none.
    /// Fails when it has mistakes.
    pub fn outline(&self, volume: VolumeNo) -> Result<Option<Outline>, RunError> {
        Ok(self.known_outline(volume)?.clone())
    }

    pub(super) fn section(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<Section>, RunError> {
        Ok(self.known_outline(volume)?.as_ref().and_then(|outline| outline.section(chapter)).cloned())
    }

    fn known_outline(&self, volume: VolumeNo) -> Result<Ref<'_, Option<Outline>>, RunError> {
        if !self.outlines.borrow().contains_key(&volume) {
            let read = self.read_outline(volume)?;
            self.outlines.borrow_mut().insert(volume, read);
        }
        Ok(Ref::map(self.outlines.borrow(), |outlines| &outlines[&volume]))
    }

    fn read_outline(&self, volume: VolumeNo) -> Result<Option<Outline>, RunError> {
        let Some((text, storylines)) = begun_outline(self, volume)? else { return Ok(None) };
        let path = layout::outline(volume);
        let resolve = |name: &str| storylines.called(name);
        let outline = Outline::parse_with(&text, &resolve);
        let outline = outline.map_err(|errors| RunError::Outline { path, errors })?;
        check_beginning(self, volume, &outline)?;
        Ok(Some(outline))
    }

    /// A volume's outline as far as it is written, its text, and the fields that it leaves to the planner; `None` when it
    /// has no chapter.
    /// Fails when it has other mistakes than missing fields.
    pub fn outline_with_gaps(&self, volume: VolumeNo) -> Result<Option<(String, Outline, Gaps)>, RunError> {
        let Some((text, storylines)) = begun_outline(self, volume)? else { return Ok(None) };
        let resolve = |name: &str| storylines.called(name);
        let read = Outline::partial(&text, &resolve);
        let (outline, gaps) = read.map_err(|errors| RunError::Outline { path: layout::outline(volume), errors })?;
        check_beginning(self, volume, &outline)?;
        Ok(Some((text, outline, gaps)))
    }

    /// The author's Markdown files in a folder, in order of name.
    pub(super) fn pages(&self, folder: &str) -> Result<Vec<String>, RunError> {
        let is_page = |path: &String| path.ends_with(".md") && layout::is_book_path(path);
        Ok(self.files(folder)?.into_iter().filter(is_page).collect())
    }

    /// The prompt files that the author has put into the book, by path.
    pub fn prompts(&self) -> Result<Prompts, RunError> {
        let mut overrides = BTreeMap::new();
        for path in self.pages(layout::PROMPTS)? {
            if let Some(text) = self.text(&path)? {
                overrides.insert(path, text);
            }
        }
        Ok(Prompts::with(&overrides)?)
    }

    pub fn volume_of(&self, chapter: ChapterNo) -> Result<VolumeNo, RunError> {
        self.contents()?.volume_of(chapter).ok_or(RunError::NoSuchChapter(chapter))
    }

    /// The section of a chapter in the outlines, and its volume. An outline with mistakes has none.
    pub(crate) fn section_in_plans(&self, chapter: ChapterNo) -> Result<Option<(VolumeNo, Section)>, RunError> {
        let section = |volume| Some((volume, self.outline(volume).ok().flatten()?.section(chapter)?.clone()));
        Ok(self.volumes()?.into_iter().find_map(section))
    }

    /// An accepted chapter's text.
    pub fn chapter(&self, number: ChapterNo) -> Result<Chapter, RunError> {
        let volume = self.volume_of(number)?;
        let text = self.chapter_text(volume, number)?.ok_or(RunError::NoSuchChapter(number))?;
        Ok(Chapter::from_markdown(number, &text, ""))
    }

    pub(super) fn chapter_text(&self, volume: VolumeNo, number: ChapterNo) -> Result<Option<String>, RunError> {
        self.text(&layout::chapter(volume, number))
    }
}

fn without_totals(view: &BookView<'_>, recorded: Checkpoint) -> Result<Checkpoint, RunError> {
    let contents = view.contents()?;
    let last = contents.last().and_then(|last| Some((last, contents.volume_of(last)?)));
    let (volume, phase) = position(view, &recorded, last);
    Ok(Checkpoint {
        last_completed: contents.last_number(),
        volume,
        phase,
        stage: last.map(|_| PipelineStage::Committed),
        inflight: None,
        revisions: 0,
        ..recorded
    })
}

/// The volume and the phase of a book that ends with `last`.
fn position(view: &BookView<'_>, recorded: &Checkpoint, last: Option<(ChapterNo, VolumeNo)>) -> (VolumeNo, Phase) {
    let Some((chapter, volume)) = last else {
        let begun = matches!(recorded.phase, Phase::QuickStart | Phase::VolumePlanning);
        return (VolumeNo::FIRST, if begun { recorded.phase } else { Phase::Writing });
    };
    let outline = view.outline(volume).ok().flatten();
    let closes = outline.as_ref().and_then(Outline::range).is_some_and(|(_, last)| last <= chapter);
    let is_scheduled = view.has(&layout::schedule(volume));
    let is_trial = outline.is_some_and(|outline| outline.sections.len() <= TRIAL as usize);
    if volume == VolumeNo::FIRST && is_trial && !is_scheduled && recorded.phase == Phase::QuickStart {
        (volume, Phase::QuickStart)
    } else if !closes {
        (volume, Phase::Writing)
    } else if recorded.volume > volume || recorded.phase == Phase::Completed {
        // The author had gone on from there already.
        (recorded.volume, recorded.phase)
    } else {
        (volume, Phase::VolumeReview)
    }
}

/// The sums over the chapters, counted from their files. Unreadable files count for nothing.
fn totals(view: &BookView<'_>, contents: &Contents) -> Totals {
    let mut totals = Totals::default();
    for (chapter, volume) in contents.iter() {
        let text = view.text(&layout::chapter(volume, chapter)).ok().flatten().unwrap_or_default();
        let prose = Chapter::from_markdown(chapter, &text, "");
        let words = Count::of_prose(&prose.body).words as u64;
        let report = files::evaluation(view, volume, chapter).ok().flatten();
        let overall = report.as_ref().map(|report| report.evaluation.overall());
        let gate = report.and_then(|report| report.gate);
        let skipped_ops =
            files::delta(view, volume, chapter).ok().flatten().is_some_and(|delta| delta.skipped.is_some());
        let log = files::chapter_log(view, volume, chapter).ok().flatten();
        totals = totals.with(ChapterTotals { log: log.as_ref(), words, overall, gate, skipped_ops });
    }
    totals
}

/// The text of an outline that has chapters. A volume whose plan has not been begun is no mistake; a half-written section
/// is.
fn begun_outline(view: &BookView<'_>, volume: VolumeNo) -> Result<Option<(String, Storylines)>, RunError> {
    let Some(text) = view.text(&layout::outline(volume))?.filter(|text| Outline::is_begun(text)) else {
        return Ok(None);
    };
    Ok(Some((text, files::storylines(view)?)))
}

/// An outline whose chapters are still to be written begins where the one before it ends, or after the last chapter.
fn check_beginning(view: &BookView<'_>, volume: VolumeNo, outline: &Outline) -> Result<(), RunError> {
    let Some((first, _)) = outline.range() else { return Ok(()) };
    let contents = view.contents()?;
    if contents.iter().any(|(chapter, at)| at == volume && chapter >= first) {
        return Ok(());
    }
    let mut last = contents.last_number();
    if let Some(before) = VolumeNo::new(volume.get().saturating_sub(1)) {
        let planned = view.text(&layout::outline(before))?;
        let planned = planned.and_then(|text| Outline::form(&text).ok());
        last = last.max(planned.and_then(|(outline, _)| outline.range()).map_or(0, |(_, last)| last.get()));
    }
    outline.begins_with(ChapterNo::after(last)).map_err(|error| {
        let path = layout::outline(volume);
        RunError::Outline { path, errors: vec![error] }
    })
}

/// The settings of the book as the author has them now: a change in the work tree counts, because it is committed before
/// anything is written.
/// Fails when they are missing or not of their format.
pub fn config_now(book: &Book) -> Result<BookConfig, RunError> {
    Ok(settings_now(book, &BookView::new(book.snapshot()?))?.0)
}

/// As [`config_now`], for a run that may spend: a misspelt setting, which would have its default without a word, is an
/// error. Settings of other programs stay where they are.
pub fn sound_config(book: &Book) -> Result<BookConfig, RunError> {
    sound_settings(book, &BookView::new(book.snapshot()?))
}

/// As [`sound_config`]; `view` shows the last commit.
pub(crate) fn sound_settings(book: &Book, view: &BookView<'_>) -> Result<BookConfig, RunError> {
    let (config, unknown, edited) = settings_now(book, view)?;
    let Some(slip) = unknown.iter().find(|unknown| unknown.is_ours()) else { return Ok(config) };
    let problem = Problem::Value(Mistake::UnknownSetting { key: slip.key.clone(), meant: slip.meant });
    let (path, source) = (layout::CONFIG, FormatError { at: At::Line(slip.line), problem });
    Err(match edited {
        false => RunError::of_file(path)(source),
        true => RunError::BrokenEdit { path: path.to_owned(), source },
    })
}

/// The settings, the keys that are not known, and whether the author has changed them since the last commit.
fn settings_now(
    book: &Book,
    view: &BookView<'_>,
) -> Result<(BookConfig, Vec<format::config::Unknown>, bool), RunError> {
    let path = layout::CONFIG;
    let was = view.bytes(path)?;
    let Some(bytes) = book.on_disk(path)?.filter(|bytes| was.as_ref() != Some(bytes)) else {
        let (config, unknown) = view.settings()?;
        return Ok((config, unknown, false));
    };
    let read = format::check::settings(&bytes, was.as_deref());
    let (config, unknown) = read.map_err(|source| RunError::BrokenEdit { path: path.to_owned(), source })?;
    Ok((config, unknown, true))
}
