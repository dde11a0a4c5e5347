//! The parts of the book that the agents of one chapter may see, read by the pipeline from a snapshot.
//! [`context`](crate::agents::context) decides what goes into which prompt. No whole earlier chapter is here, so the
//! size does not grow with the book.

use crate::agents::prelude::*;
use crate::domain::chapter::summary::{ChapterMemory, ReaderLedger};
use crate::domain::chapter::{Mode, Waivers};
use crate::domain::quality::Worn;
use crate::domain::state::State;
use crate::domain::volume::foreshadowing::{Ledger, ThreadPlan};
use crate::domain::volume::outline::{Outline, Section};
use crate::domain::world::character::{Relationship, VoiceNote};
use crate::domain::world::contract::{ChapterContract, Rule};
use crate::domain::world::storyline::{Convergence, Schedule, Storylines};
use crate::domain::world::style::{AiPhrases, StyleProfile};
use crate::text::{Excerpt, PhraseHits, PhraseList};
use std::ops::Deref;
use std::sync::OnceLock;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    pub chapter: ChapterNo,
    pub title: String,
    pub storyline: Slug,
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierPassage {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    pub text: String,
}

/// A passage of a world page or of the author's notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePassage {
    pub path: String,
    pub text: String,
}

/// A person in chapters without a character file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MinorPerson {
    /// The name in the text.
    pub name: String,
    #[serde(rename = "last_seen")]
    pub chapter: ChapterNo,
    /// The place of that chapter in its plan; may be empty.
    pub place: String,
    /// Occurrences in the examined chapters.
    pub times: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// The last chapter of the line, if any.
    pub chapter: Option<ChapterNo>,
    /// The status of the line in one sentence: all that chapters of other lines may see.
    pub status: String,
    /// Key facts, at most 500 characters.
    pub facts: String,
}

/// A listed phrase for the writer to avoid now: one that the author does not want, or that the latest chapters use above
/// its cap or nearly so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overused {
    pub phrase: String,
    /// The number of uses; may be 0 for a phrase that the author does not want.
    pub times: usize,
    /// The number of examined chapters.
    pub chapters: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChapterContext {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    pub config: BookConfig,
    pub brief: String,
    pub style: StyleProfile,
    pub phrases: HouseList,
    /// Corrections of a style drift, from `style-drift.json`; usually empty.
    pub drift: Vec<String>,
    pub outline: Outline,
    pub section: Section,
    /// The author's wishes for the chapter.
    pub wishes: Vec<String>,
    pub storylines: Storylines,
    /// The volume's schedule; without one every running line takes part.
    pub schedule: Schedule,
    /// True when the volume has a schedule of its own.
    pub is_scheduled: bool,
    /// Plot threads that the volume plans to plant and to resolve.
    pub planned: Vec<ThreadPlan>,
    /// Memories by storyline; lines without one are missing.
    pub memories: BTreeMap<Slug, Memory>,
    /// Earlier summaries of the chapter's storyline and of those that it may touch, oldest first.
    pub recent: Vec<Recent>,
    /// Ledger entries of earlier chapters, oldest first, as many as the book wants.
    pub chapter_memories: Vec<ChapterMemory>,
    pub reader: ReaderLedger,
    /// Passages of earlier chapters related to this one, in book order.
    pub passages: Vec<EarlierPassage>,
    /// Passages of world pages and notes that the chapter's plan calls up, the most fitting first.
    pub pages: Vec<PagePassage>,
    pub samples: Vec<Excerpt>,
    /// People without a file in the latest chapters, the last named first.
    pub minor_cast: Vec<MinorPerson>,
    /// The last chapter before this one on the same storyline, if any.
    pub line_before: Option<ChapterNo>,
    /// The last lines of `line_before`, at most 800 characters, to follow on.
    pub previous_ending: String,
    /// How the plan leads over from the previous chapter on another storyline; may be empty.
    pub bridge: String,
    /// Listed phrases that the latest chapters use above their cap, the most frequent first.
    pub overused: Vec<Overused>,
    /// Patterns worn out by the last twenty chapters.
    pub worn: Vec<Worn>,
    /// Habits of speech of the chapter's people to change.
    pub voices: Vec<VoiceNote>,
    pub state: State,
    pub ledger: Ledger,
    /// Active characters, ordered by id.
    pub characters: Vec<Character>,
    pub relationships: Vec<Relationship>,
    /// L1.
    pub rules: Vec<Rule>,
    pub storyline_rules: Vec<Rule>,
    /// The chapter's contract (L3), if planned.
    pub contract: Option<ChapterContract>,
    pub waivers: Waivers,
    /// The number of earlier texts of the chapter; 0 for a new one.
    pub editions: u32,
}

impl ChapterContext {
    pub fn storyline(&self) -> &Slug {
        &self.section.storyline
    }

    /// The crossover planned around this chapter.
    pub fn convergence(&self) -> Option<&Convergence> {
        self.schedule.convergence_at(self.chapter)
    }

    pub fn mode(&self) -> Mode {
        Mode { key: self.is_key(), by_scenes: self.config.scene_mode }
    }

    /// True when two judges read the chapter: first and last of the volume, and crossovers (row R16).
    pub fn is_key(&self) -> bool {
        let edge = self.outline.range().is_some_and(|(first, last)| self.chapter == first || self.chapter == last);
        edge || self.convergence().is_some()
    }
}

/// The list of worn-out phrases, prepared at the first search and used for all questions about a chapter.
#[derive(Debug, Clone, Default)]
pub struct HouseList {
    phrases: AiPhrases,
    listed: OnceLock<PhraseList>,
}

/// Lists are equal whether prepared or not.
impl PartialEq for HouseList {
    fn eq(&self, other: &Self) -> bool {
        self.phrases == other.phrases
    }
}

impl HouseList {
    /// Every use of a listed phrase, except for phrases that the author has taken off the list.
    pub(crate) fn find(&self, text: &str) -> PhraseHits {
        self.listed.get_or_init(|| PhraseList::new(listed(&self.phrases))).find(text)
    }
}

impl From<AiPhrases> for HouseList {
    fn from(phrases: AiPhrases) -> Self {
        Self { phrases, listed: OnceLock::new() }
    }
}

impl Deref for HouseList {
    type Target = AiPhrases;

    fn deref(&self) -> &AiPhrases {
        &self.phrases
    }
}

/// The phrases, except for those that the author has taken off the list.
pub(crate) fn listed(phrases: &AiPhrases) -> impl Iterator<Item = &str> {
    let texts = phrases.phrases.iter().map(|phrase| phrase.text.as_str());
    texts.filter(|text| !text.trim().is_empty() && !phrases.allowed.iter().any(|allowed| allowed == text))
}
