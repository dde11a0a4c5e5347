//! The files of a book as values: each is read and parsed as it is asked for.

use super::view::BookView;
use crate::domain::book::log::ChapterLog;
use crate::domain::chapter::memory::ChapterMemory;
use crate::domain::volume::ending::Judgement;
use crate::domain::volume::foreshadowing::Planned;
use crate::domain::world::character::Relationship;
use crate::domain::world::contract::{ChapterContract, Rule};
use crate::domain::world::storyline::{Schedule, Storylines};
use crate::domain::world::style::{AiPhrases, StyleProfile};
use crate::pipeline::prelude::*;
use crate::store::format::evaluation::Recorded;
use crate::store::format::summary::SummaryPage;

/// The next chapter as its outline has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextChapter {
    pub number: ChapterNo,
    pub volume: VolumeNo,
    pub storyline: Slug,
}

impl BookView<'_> {
    pub fn rules(&self) -> Result<Vec<Rule>, RunError> {
        Ok(self.read(layout::WORLD_RULES, format::rules::read)?.unwrap_or_default())
    }

    /// The judgement of a volume's review; `None` without one.
    pub fn judgement(&self, volume: VolumeNo) -> Result<Option<Judgement>, RunError> {
        self.read(&layout::judgement(volume), format::judgement::read)
    }

    /// How the author writes; `None` where there is no profile.
    pub fn style(&self) -> Result<Option<StyleProfile>, RunError> {
        self.read(layout::STYLE_PROFILE, format::style::read_profile)
    }

    /// The judge's report on an accepted chapter, with the rules set apart that the author has waived.
    pub fn evaluation(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<Recorded>, RunError> {
        let recorded = self.read(&layout::evaluation(volume, chapter), format::evaluation::read)?;
        let Some(Recorded { evaluation, gate }) = recorded else { return Ok(None) };
        Ok(Some(Recorded { evaluation: evaluation.waiving(&self.waivers()?), gate }))
    }

    pub fn delta(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<Delta>, RunError> {
        self.read(&layout::delta(volume, chapter), format::delta::read)
    }

    /// An accepted chapter's summary.
    pub fn summary(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<SummaryPage>, RunError> {
        self.read(&layout::summary(volume, chapter), |bytes| format::summary::read(chapter, bytes))
    }

    /// The calls that an accepted chapter was made with.
    pub fn log(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<ChapterLog>, RunError> {
        self.read(&layout::log(volume, chapter), format::log::read)
    }

    /// How a volume shares its chapters out among the storylines, where its plan says so.
    pub fn schedule(&self, volume: VolumeNo) -> Result<Option<Schedule>, RunError> {
        self.read(&layout::schedule(volume), format::storylines::read_schedule)
    }

    /// The plot threads that a volume plans to plant and to resolve.
    pub fn planned_foreshadowing(&self, volume: VolumeNo) -> Result<Vec<Planned>, RunError> {
        Ok(self.read(&layout::foreshadowing_plan(volume), format::foreshadowing::read_plan)?.unwrap_or_default())
    }

    /// The list of worn-out phrases.
    pub fn phrases(&self) -> Result<AiPhrases, RunError> {
        Ok(self.read(layout::AI_PHRASES, format::style::read_phrases)?.unwrap_or_default())
    }

    /// A chapter's contract, where the plan has one.
    pub(crate) fn contract(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<ChapterContract>, RunError> {
        let Some(outline) = self.outline(volume)? else { return Ok(None) };
        let Some(section) = outline.section(chapter) else { return Ok(None) };
        self.read(&layout::contract(volume, chapter), |bytes| format::contract::read(&section.storyline, bytes))
    }

    pub fn storyline_rules(&self) -> Result<Vec<Rule>, RunError> {
        Ok(self.read(layout::STORYLINE_RULES, format::rules::read)?.unwrap_or_default())
    }

    /// A chapter's entry in the ledger, where it has one.
    pub fn chapter_memory(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<ChapterMemory>, RunError> {
        self.read(&layout::chapter_memory(volume, chapter), format::chapter_memory::read)
    }

    pub fn storylines(&self) -> Result<Storylines, RunError> {
        Ok(self.read(layout::STORYLINES, format::storylines::read)?.unwrap_or_default())
    }

    /// The active characters, ordered by id.
    pub fn characters(&self) -> Result<Vec<Character>, RunError> {
        self.people(false)
    }

    /// Those who have left the story, ordered by id.
    pub fn retired_characters(&self) -> Result<Vec<Character>, RunError> {
        self.people(true)
    }

    fn people(&self, retired: bool) -> Result<Vec<Character>, RunError> {
        let folder = if retired { layout::RETIRED_CHARACTERS } else { layout::ACTIVE_CHARACTERS };
        let mut characters = Vec::new();
        for name in self.list(folder)? {
            let Some(id) = name.name.strip_suffix(".json").and_then(|stem| Slug::new(stem).ok()) else { continue };
            let path = BookPath::Character { id: id.clone(), retired }.path();
            let profile = self.bytes(&BookPath::Profile { id: id.clone(), retired }.path())?.unwrap_or_default();
            characters.push(self.need(&path, |bytes| format::character::read(&id, bytes, &profile))?);
        }
        Ok(characters)
    }

    /// The relationships at the outset.
    pub fn relationships(&self) -> Result<Vec<Relationship>, RunError> {
        Ok(self.read(layout::RELATIONSHIPS, format::relationships::read)?.unwrap_or_default())
    }

    /// The ids of the characters who have left the story.
    pub fn retired(&self) -> Result<BTreeSet<Slug>, RunError> {
        let names = self.list(layout::RETIRED_CHARACTERS)?.into_iter();
        Ok(names.filter_map(|name| Slug::new(name.name.strip_suffix(".json")?).ok()).collect())
    }

    /// The next chapter; `None` when no outline has a section for it.
    pub fn next_chapter(&self) -> Result<Option<NextChapter>, RunError> {
        let number = self.checkpoint()?.next_chapter();
        let Some((volume, outline)) = self.plan(number)? else { return Ok(None) };
        let of = |storyline: &Slug| NextChapter { number, volume, storyline: storyline.clone() };
        Ok(outline.section(number).map(|section| of(&section.storyline)))
    }
}
