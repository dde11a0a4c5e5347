//! Everything of the book that the agents of one chapter may see.
//!
//! The pipeline reads it from a snapshot; what of it goes into which prompt, and how much, is decided in
//! [`context`](crate::agents::context). Nothing here is a whole earlier chapter, so it does not grow with the book.

use super::house_list::HouseList;
use crate::domain::book::config::BookConfig;
use crate::domain::chapter::memory::ChapterMemory;
use crate::domain::chapter::reader::ReaderLedger;
use crate::domain::chapter::stage::Mode;
use crate::domain::chapter::waiver::Waivers;
use crate::domain::quality::Worn;
use crate::domain::state::State;
use crate::domain::voice::VoiceNote;
use crate::domain::volume::foreshadowing::{Ledger, Planned};
use crate::domain::volume::outline::{Outline, Section};
use crate::domain::world::character::{Character, Relationship};
use crate::domain::world::contract::{ChapterContract, Rule};
use crate::domain::world::storyline::{Convergence, Schedule, Storyline, Storylines};
use crate::domain::world::style::StyleProfile;
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::text::Excerpt;
use std::collections::BTreeMap;

/// A recent chapter's summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    pub chapter: ChapterNo,
    pub title: String,
    pub storyline: Slug,
    pub summary: String,
}

/// A passage of a chapter further back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierPassage {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    pub text: String,
}

/// A passage of a page of the world or of the author's notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePassage {
    /// The file, relative to the book's folder.
    pub path: String,
    pub text: String,
}

/// A person whom chapters name and who has no file of a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinorPerson {
    /// The name as it stands in the text.
    pub name: String,
    /// The last chapter that has it.
    pub chapter: ChapterNo,
    /// The place of that chapter, in the words of its plan; may be empty.
    pub place: String,
    /// How often the chapters that were looked at have it.
    pub times: usize,
}

/// The memory of a storyline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// The last chapter of the line; `None` before its first.
    pub chapter: Option<ChapterNo>,
    /// The state of the line, in one sentence: all that chapters of other lines may see of it.
    pub status: String,
    /// Key facts, at most 500 characters.
    pub facts: String,
}

/// A phrase of the list that the latest chapters use above its cap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overused {
    pub phrase: String,
    /// How often they use it.
    pub times: usize,
    /// How many chapters they are.
    pub chapters: usize,
}

/// The material of one chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct ChapterContext {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    pub config: BookConfig,
    /// `brief.md` as written.
    pub brief: String,
    pub style: StyleProfile,
    /// The list of worn-out phrases.
    pub phrases: HouseList,
    /// Corrections against a drifting style, from `style-drift.json`; usually empty.
    pub drift: Vec<String>,
    pub outline: Outline,
    /// The chapter's own section.
    pub section: Section,
    /// All storylines.
    pub storylines: Storylines,
    /// The volume's schedule; where it has none, every running line takes part.
    pub schedule: Schedule,
    /// Whether the volume has a schedule of its own.
    pub is_scheduled: bool,
    /// The plot threads that the volume plans to plant and to resolve.
    pub planned: Vec<Planned>,
    /// The memories of the storylines; lines without a memory are missing.
    pub memories: BTreeMap<Slug, Memory>,
    /// Summaries before this chapter, oldest first, of its own storyline and of those that it may touch.
    pub recent: Vec<Recent>,
    /// The ledger's entries of the chapters before this one, oldest first; as many as the book wants.
    pub chapter_memories: Vec<ChapterMemory>,
    /// The reader's ledger after the last chapters.
    pub reader: ReaderLedger,
    /// Passages of chapters further back that have to do with this one, in the order of the book.
    pub passages: Vec<EarlierPassage>,
    /// Passages of the world's pages and of the author's notes that the chapter's plan calls up, the most fitting first.
    pub pages: Vec<PagePassage>,
    /// Excerpts of the author's own samples.
    pub samples: Vec<Excerpt>,
    /// People without a file of their own whom the latest chapters name, those who were named last first.
    pub minor_cast: Vec<MinorPerson>,
    /// The last chapter before this one on the same storyline; `None` for the line's first.
    pub line_before: Option<ChapterNo>,
    /// The last lines of that chapter, at most 800 characters, so that this one can follow on.
    pub previous_ending: String,
    /// How the plan leads over from the chapter right before, which is on another storyline; empty on the same line and
    /// where the plan does not say.
    pub bridge: String,
    /// Phrases of the list that the latest chapters use above their cap, the most frequent first.
    pub overused: Vec<Overused>,
    /// Patterns that the last twenty chapters have worn out.
    pub worn: Vec<Worn>,
    /// Something in the way in which the chapter's people speak that it should change.
    pub voices: Vec<VoiceNote>,
    /// The state before the chapter.
    pub state: State,
    /// The ledger before the chapter.
    pub ledger: Ledger,
    /// The active characters, ordered by id.
    pub characters: Vec<Character>,
    /// The relationships at the outset.
    pub relationships: Vec<Relationship>,
    /// World rules (L1).
    pub rules: Vec<Rule>,
    /// Storyline rules (LS).
    pub storyline_rules: Vec<Rule>,
    /// The chapter's contract (L3), where the plan has one.
    pub contract: Option<ChapterContract>,
    /// The deviations that the author intends.
    pub waivers: Waivers,
    /// How many texts of the chapter the book has had: 0 for one that is new.
    pub editions: u32,
}

impl ChapterContext {
    #[must_use]
    pub fn storyline(&self) -> &Slug {
        &self.section.storyline
    }

    /// The definition of the chapter's storyline, where the book has one.
    #[must_use]
    pub fn line(&self) -> Option<&Storyline> {
        self.storylines.get(self.storyline())
    }

    /// The meeting of storylines planned around this chapter.
    #[must_use]
    pub fn convergence(&self) -> Option<&Convergence> {
        self.schedule.convergence_at(self.chapter)
    }

    /// How the chapter is made.
    #[must_use]
    pub fn mode(&self) -> Mode {
        Mode { key: self.is_key(), by_scenes: self.config.scene_mode }
    }

    /// Whether two judges read the chapter: first and last of the volume, and convergence chapters (row R16).
    #[must_use]
    pub fn is_key(&self) -> bool {
        let edge = self.outline.range().is_some_and(|(first, last)| self.chapter == first || self.chapter == last);
        edge || self.convergence().is_some()
    }
}
