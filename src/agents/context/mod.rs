//! The parts of the book in each prompt (orchestrator chapter §8.3–8.5).
//! Each part is a [`PromptSection`], named like its placeholder. Every list has a limit, so a prompt does not grow with
//! the book; `fit` cuts more, by fixed rules, where a prompt is still too large. Order comes from the book (ids,
//! chapters, the author's files), never from other entries, so that one more fact moves nothing and the bytes before it still
//! hit a provider's cache.

pub(crate) mod cast;
pub mod chapter;
mod earlier;
mod fit;
mod ledgers;
pub(crate) mod mentions;
pub mod rules;
pub mod scene;
mod style;

pub(crate) use cast::{
    active_line, active_line_now, adjacent_lines, characters, entities, frozen_lines, line_cast, may_know, other_lines,
    present, shared_lines, voices, volume_lines,
};
pub use chapter::HouseList;
pub(crate) use chapter::listed;
pub(crate) use earlier::{chapter_lines, chapter_memory, excerpts, memory_lines, open_threads, pages, passages};
pub use fit::Cut;
pub(crate) use fit::{PartLimits, fit};
pub(crate) use ledgers::{ledger, ledger_with_proposals, open_questions, reader, reader_lines, state};
pub use mentions::ending;
pub(crate) use mentions::{
    contract, last_summary, mentions, next_title, overview, previous_ending, recent_on, section,
};
pub(crate) use rules::{objectives_section, storyline_rules, world_rules};
pub(crate) use style::{foremost_phrases, genre_notes, opening, over_cap, style, worn};

use crate::agents::prelude::*;
use crate::domain::volume::outline::field::one_line;
use crate::llm;
use crate::text::Count;

/// A named part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptSection {
    pub name: &'static str,
    pub tokens: u32,
    pub chars: usize,
    /// The text, or `（无）`, which keeps the words around it unchanged.
    pub text: String,
}

impl PromptSection {
    pub(crate) fn new(name: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        let text = if text.trim().is_empty() { NOTHING.to_owned() } else { text.trim_end().to_owned() };
        Self { name, tokens: estimate_tokens(&text), chars: chars(&text), text }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breakdown {
    /// The parts in prompt order, `instructions` (the fixed words of all files) first.
    pub entries: Vec<SectionSize>,
    /// The cuts to stay below the limit, in order.
    pub cuts: Vec<Cut>,
    /// In estimated tokens; `None` for tasks without a limit.
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionSize {
    pub name: String,
    /// Estimated tokens.
    pub tokens: u32,
    pub chars: usize,
}

impl Breakdown {
    /// Estimated tokens of the whole prompt.
    pub fn tokens(&self) -> u32 {
        self.entries.iter().map(|entry| entry.tokens).sum()
    }

    /// Characters of the whole prompt.
    pub fn chars(&self) -> usize {
        self.entries.iter().map(|entry| entry.chars).sum()
    }

    /// True when the prompt is above its limit after all cuts; the chapter's own text is never cut.
    pub fn exceeds(&self) -> bool {
        self.limit.is_some_and(|limit| self.tokens() > limit)
    }
}

pub(crate) const NOTHING: &str = "（无）";

/// The genre in the author's words.
pub(crate) fn genre(config: &BookConfig) -> &str {
    let genre = config.genre.trim();
    if genre.is_empty() { "网络小说" } else { genre }
}

/// The sections of a prompt that tells people, lines and earlier chapters in one place each.
pub(crate) fn whole(context: &ChapterContext, extent: &PartLimits) -> Vec<PromptSection> {
    let people = cast::cast(context, "").within(extent);
    vec![
        PromptSection::new("characters", characters(context, &people, extent)),
        PromptSection::new("active_line", active_line(context)),
        PromptSection::new("chapter_memory", chapter_memory(context, extent)),
        // The people without a file in those chapters come behind the latest summaries.
        PromptSection::new("recent", recent_on(context, extent.recent, &|_| true) + &nameless(context, extent)),
    ]
}

/// The sections of a prompt ordered by rate of change: the volume, then earlier chapters, then this one, so that a
/// provider's cache serves the longest beginning.
pub(crate) fn by_rate_of_change(context: &ChapterContext, extent: &PartLimits) -> Vec<PromptSection> {
    let people = cast::cast(context, "").within(extent);
    let cast = cast::of_line(context, extent.cast);
    let shared = shared_lines(context);
    let is_shared = |line: &Slug| shared.contains(line);
    vec![
        PromptSection::new("volume_lines", volume_lines(context)),
        PromptSection::new("cast", line_cast(context, &cast, extent)),
        PromptSection::new("chapter_memory", chapter_lines(context, extent, &is_shared)),
        PromptSection::new("recent", recent_on(context, extent.recent, &is_shared)),
        PromptSection::new("characters", present(context, &people, &cast, extent)),
        PromptSection::new("active_line", active_line_now(context)),
        PromptSection::new("beside", beside(context, extent, &|line| !is_shared(line))),
        PromptSection::new("threads", open_threads(context, extent)),
    ]
}

/// The remaining sections of a chapter's agents, for planning scenes and for writing.
pub(crate) fn of_chapter(context: &ChapterContext, extent: &PartLimits) -> Vec<PromptSection> {
    let people = cast::cast(context, "").within(extent);
    vec![
        PromptSection::new("genre", genre(&context.config)),
        PromptSection::new("min_words", context.config.min_words.to_string()),
        PromptSection::new("max_words", context.config.max_words.to_string()),
        PromptSection::new("state", state(context, &people, "", extent)),
        PromptSection::new("ledger", ledger_with_proposals(context, extent)),
        PromptSection::new("reader", reader(context, extent)),
        PromptSection::new("previous_ending", previous_ending(context, extent)),
        PromptSection::new("contract", contract(context, extent)),
        PromptSection::new("section", section(context)),
        PromptSection::new("next_title", next_title(context)),
        PromptSection::new("chapter", context.chapter.get().to_string()),
        PromptSection::new("title", context.section.title.as_str()),
    ]
}

/// Earlier chapters of lines not told before, and people without a file.
fn beside(context: &ChapterContext, extent: &PartLimits, is_told: &dyn Fn(&Slug) -> bool) -> String {
    let lines = chapter_lines(context, extent, is_told);
    let recent = recent_on(context, extent.recent, is_told);
    format!("{lines}{recent}{}", nameless(context, extent))
}

/// People without a file in the last chapters.
fn nameless(context: &ChapterContext, extent: &PartLimits) -> String {
    match cast::minor_cast(context, extent) {
        people if people.is_empty() => people,
        people => format!("\n没有档案的人物，再写到时名字和身份照旧：\n{people}"),
    }
}

pub(crate) fn drift(context: &ChapterContext) -> String {
    bullets(context.drift.iter().take(10).map(|line| clip_line(line, 120)))
}

/// The brief in the author's words, within the extent.
pub(crate) fn brief(context: &ChapterContext, extent: &PartLimits) -> String {
    clip(&answered(&context.brief), extent.brief)
}

/// A list with one entry a line.
pub(crate) fn bullets(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| format!("- {line}\n")).collect()
}

/// The author's own words in a Markdown text, without comments (`<!-- … -->`) and headings without content. Other text
/// stays.
pub(crate) fn answered(text: &str) -> String {
    let text = without_comments(text);
    let mut kept: Vec<&str> = Vec::new();
    // Headings that wait for their first line of content, each with its level.
    let mut waiting: Vec<(usize, &str)> = Vec::new();
    for line in text.lines() {
        match level(line.trim_start()) {
            Some(level) => {
                waiting.retain(|(above, _)| *above < level);
                waiting.push((level, line));
            }
            None if line.trim().is_empty() => {
                if waiting.is_empty() && kept.last().is_some_and(|last| !last.is_empty()) {
                    kept.push("");
                }
            }
            None => {
                for (_, heading) in waiting.drain(..) {
                    if kept.last().is_some_and(|last| !last.is_empty()) {
                        kept.push("");
                    }
                    kept.extend([heading, ""]);
                }
                kept.push(line.trim_end());
            }
        }
    }
    kept.join("\n").trim().to_owned()
}

/// The level of a Markdown heading; `None` for any other line.
fn level(line: &str) -> Option<usize> {
    let marks = line.len() - line.trim_start_matches('#').len();
    let rest = &line[marks..];
    ((1..=6).contains(&marks) && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then_some(marks)
}

/// The text without comments. An unclosed comment ends with its line, so that a slip hides one line and not the rest of
/// the page.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = match comment.split_once("-->") {
            Some((_, after)) => after,
            None => comment.find('\n').map_or("", |end| &comment[end..]),
        };
    }
    kept + rest
}

/// An upper-side estimate of a model's tokens for Chinese.
pub(crate) fn estimate_tokens(text: &str) -> u32 {
    u32::try_from(llm::estimate(text)).unwrap_or(u32::MAX)
}

/// Words as authors count them: Han characters, and runs of Latin letters or digits.
pub(crate) fn count_words(prose: &str) -> u32 {
    u32::try_from(Count::of_prose(prose).words).unwrap_or(u32::MAX)
}

pub(crate) fn chars(text: &str) -> usize {
    text.chars().count()
}

/// At most `max` characters, the last one `…` after a cut.
pub(crate) fn clip(text: &str, max: usize) -> String {
    let text = text.trim();
    if chars(text) <= max {
        return text.to_owned();
    }
    if max == 0 {
        return String::new();
    }
    let kept: String = text.chars().take(max - 1).collect();
    format!("{}…", kept.trim_end())
}

/// [`clip`] with line breaks turned into `；`, for lists with one entry a line.
pub(crate) fn clip_line(text: &str, max: usize) -> String {
    clip(&one_line(text), max)
}

/// The note on a waived rule; otherwise empty.
fn waived(context: &ChapterContext, rule: &str) -> String {
    match context.waivers.of_rule(context.chapter, rule) {
        Some(waiver) => format!("（本章作者准许破例：{}）", clip_line(&waiver.reason, 80)),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_the_author_has_answered_is_left() {
        let brief = "# 创作纲领\n\n<!-- 先读\n这一页 -->\n\n## 一句话\n\n<!-- 谁？ -->\n\n## 主题\n\n<!-- 用问句 -->\n欠的债要不要还？\n\n\n\
                     还不还得起？\n\n## 结局方向\n";
        assert_eq!(answered(brief), "# 创作纲领\n\n## 主题\n\n欠的债要不要还？\n\n还不还得起？");
        let template = include_str!("../../../templates/book/brief.md");
        assert_eq!(answered(template), "", "the template itself says nothing");
        assert_eq!(answered("#影帝塌房#冲上热搜\n\n## 甲\n### 乙\n丙"), "#影帝塌房#冲上热搜\n\n## 甲\n\n### 乙\n\n丙");
        assert_eq!(answered("甲<!-- 没写完\n乙"), "甲\n乙");
    }

    proptest! {
        #[test]
        fn an_answered_text_stays_as_it_is(text in "(#{0,3} ?[甲乙 ]{0,3}(<!--)?(-->)?\n?){0,12}") {
            let once = answered(&text);
            prop_assert_eq!(answered(&once), once);
        }
    }
}

#[cfg(test)]
mod measure_tests {
    use super::*;

    #[test]
    fn han_counts_one_and_four_ascii_characters_count_one() {
        assert_eq!(estimate_tokens("雨停了。"), 4);
        assert_eq!(estimate_tokens("lin-feng"), 2);
        assert_eq!(count_words("他说：OK 吧，走 100 步。"), 7);
    }

    #[test]
    fn a_clipped_text_says_so_and_keeps_its_length() {
        assert_eq!(clip(" 一二三四五 ", 4), "一二三…");
        assert_eq!(clip("一二三四", 4), "一二三四");
        assert_eq!(clip_line("一\n\n 二", 9), "一；二");
    }
}
