//! Which parts of the book go into which prompt (orchestrator chapter §8.3–8.5).
//!
//! Each piece is a [`Section`], named like the placeholder it fills. Every list has a limit of its own, so a prompt
//! does not grow with the book; `fit` takes away more, by fixed rules, where a prompt is still too large. Order comes
//! from the book (ids, chapters, the author's files) and never from other entries, so that one more fact moves nothing,
//! and the bytes before it still hit a provider's cache.

mod brief;
pub(crate) mod cast;
pub mod chapter;
mod excerpts;
mod fit;
mod genre;
mod house_list;
mod ledger;
mod lines;
pub(super) mod measure;
mod memory;
pub(crate) mod mentions;
pub(crate) mod named;
mod outline;
mod pages;
mod passages;
mod people;
mod reader;
mod rules;
pub mod rules_to_check;
pub mod scene;
mod state;
mod style;
mod voices;
mod worn;

pub(crate) use brief::answered;
pub(crate) use excerpts::excerpts;
pub use fit::Cut;
pub(crate) use fit::{Extent, fit};
pub(crate) use genre::{genre_notes, opening};
pub use house_list::HouseList;
pub(crate) use house_list::listed;
pub(crate) use ledger::{ledger, ledger_with_proposals};
pub(crate) use lines::{
    active_line, active_line_now, adjacent_lines, frozen_lines, may_know, other_lines, shared_lines, volume_lines,
};
pub(crate) use memory::{chapter_lines, chapter_memory, memory_lines, open_threads};
pub(crate) use mentions::mentions;
pub use outline::ending;
pub(crate) use outline::{contract, last_summary, next_title, overview, previous_ending, recent_on, section};
pub(crate) use pages::pages;
pub(crate) use passages::passages;
pub(crate) use people::{characters, entities, line_cast, present};
pub(crate) use reader::{open_questions, reader, reader_lines};
pub(crate) use rules::{objectives, storyline_rules, world_rules};
pub(crate) use state::state;
pub(crate) use style::{foremost_phrases, over_cap, style};
pub(crate) use voices::voices;
pub(crate) use worn::worn;

use crate::domain::Slug;
use crate::domain::book::config::BookConfig;
use chapter::ChapterContext;
use measure::{chars, clip_line, estimate_tokens};

/// A named piece of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The placeholder that it fills.
    pub name: &'static str,
    pub tokens: u32,
    pub chars: usize,
    /// Its text; `（无）` where there is nothing to say, so that the words around it stay the same.
    pub text: String,
}

impl Section {
    pub(crate) fn new(name: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        let text = if text.trim().is_empty() { NOTHING.to_owned() } else { text.trim_end().to_owned() };
        Self { name, tokens: estimate_tokens(&text), chars: chars(&text), text }
    }
}

/// The sizes of a prompt's pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breakdown {
    /// Each piece in the order in which it stands in the prompt, `instructions` (the fixed words of all files) first.
    pub entries: Vec<Entry>,
    /// The cuts made to stay below the limit, in the order in which they were made.
    pub cuts: Vec<Cut>,
    /// The limit in estimated tokens; `None` where the task has none.
    pub limit: Option<u32>,
}

/// One line of a [`Breakdown`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of the piece.
    pub name: String,
    /// Estimated tokens.
    pub tokens: u32,
    /// Characters.
    pub chars: usize,
}

impl Breakdown {
    /// Estimated tokens of the whole prompt.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.entries.iter().map(|entry| entry.tokens).sum()
    }

    /// Characters of the whole prompt.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.entries.iter().map(|entry| entry.chars).sum()
    }

    /// Whether the prompt is above its limit although everything was cut that may be: the chapter's own text never is.
    #[must_use]
    pub fn exceeds(&self) -> bool {
        self.limit.is_some_and(|limit| self.tokens() > limit)
    }
}

/// The placeholder of an empty section.
pub(crate) const NOTHING: &str = "（无）";

/// The genre in the author's words.
pub(crate) fn genre(config: &BookConfig) -> &str {
    let genre = config.genre.trim();
    if genre.is_empty() { "网络小说" } else { genre }
}

/// The sections of a chapter's agents whose prompt tells everything about people, lines and earlier chapters in one place.
pub(crate) fn whole(context: &ChapterContext, extent: &Extent) -> Vec<Section> {
    let people = cast::cast(context, "").within(extent);
    vec![
        Section::new("characters", characters(context, &people, extent)),
        Section::new("active_line", active_line(context)),
        Section::new("chapter_memory", chapter_memory(context, extent)),
        Section::new("recent", recent_with_people(context, extent)),
    ]
}

/// The sections of a prompt that first tells all that stays as it is over a volume, then the earlier chapters, and last of all
/// this one: a provider's cache serves it up to the first difference from the prompt before.
pub(crate) fn by_rate_of_change(context: &ChapterContext, extent: &Extent) -> Vec<Section> {
    let people = cast::cast(context, "").within(extent);
    let cast = cast::of_line(context, extent.cast);
    let shared = shared_lines(context);
    let is_shared = |line: &Slug| shared.contains(line);
    vec![
        Section::new("volume_lines", volume_lines(context)),
        Section::new("cast", line_cast(context, &cast, extent)),
        Section::new("chapter_memory", chapter_lines(context, extent, &is_shared)),
        Section::new("recent", recent_on(context, extent.recent, &is_shared)),
        Section::new("characters", present(context, &people, &cast, extent)),
        Section::new("active_line", active_line_now(context)),
        Section::new("beside", beside(context, extent, &|line| !is_shared(line))),
        Section::new("threads", open_threads(context, extent)),
    ]
}

/// The other sections of a chapter's agents, whether it is planned scene by scene or written.
pub(crate) fn of_chapter(context: &ChapterContext, extent: &Extent) -> Vec<Section> {
    let people = cast::cast(context, "").within(extent);
    vec![
        Section::new("genre", genre(&context.config)),
        Section::new("min_words", context.config.min_words.to_string()),
        Section::new("max_words", context.config.max_words.to_string()),
        Section::new("state", state(context, &people, "", extent)),
        Section::new("ledger", ledger_with_proposals(context, extent)),
        Section::new("reader", reader(context, extent)),
        Section::new("previous_ending", previous_ending(context)),
        Section::new("contract", contract(context, extent)),
        Section::new("section", section(context)),
        Section::new("next_title", next_title(context)),
        Section::new("chapter", context.chapter.get().to_string()),
        Section::new("title", context.section.title.as_str()),
    ]
}

/// The summaries of the latest chapters, and behind them the people whom those chapters name and no file describes.
fn recent_with_people(context: &ChapterContext, extent: &Extent) -> String {
    recent_on(context, extent.recent, &|_| true) + &nameless(context, extent)
}

/// The earlier chapters of lines that the prompt before does not tell, and people without a file.
fn beside(context: &ChapterContext, extent: &Extent, is_told: &dyn Fn(&Slug) -> bool) -> String {
    let lines = chapter_lines(context, extent, is_told);
    let recent = recent_on(context, extent.recent, is_told);
    format!("{lines}{recent}{}", nameless(context, extent))
}

/// The people whom the last chapters name and no file describes.
fn nameless(context: &ChapterContext, extent: &Extent) -> String {
    match people::minor_cast(context, extent) {
        people if people.is_empty() => people,
        people => format!("\n没有档案的人物，再写到时名字和身份照旧：\n{people}"),
    }
}

/// The corrections against a drifting style.
pub(crate) fn drift(context: &ChapterContext) -> String {
    bullets(context.drift.iter().take(10).map(|line| clip_line(line, 120)))
}

/// The brief in the author's words, at most as long as the extent allows.
pub(crate) fn brief(context: &ChapterContext, extent: &Extent) -> String {
    self::measure::clip(&answered(&context.brief), extent.brief)
}

/// A list with one entry a line.
pub(crate) fn bullets(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| format!("- {line}\n")).collect()
}
