//! The context of an agent: the answer of `novel context`.

use super::figures;
use super::lang::Lang;
use super::style::{BAD, DIM, STRONG, paint};
use super::table::{Align, Cell, Table};
use super::words::Words;
use crate::agents::context::Cut;
use crate::domain::ChapterNo;
use crate::domain::book::config::Agent;
use crate::report::catalogue::{pair, say};
use serde::Serialize;

/// The prompt of one agent for one chapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    pub chapter: ChapterNo,
    pub agent: Agent,
    /// The most tokens of the prompt, estimated.
    pub budget_tokens: u64,
    /// In the order of the prompt.
    pub parts: Vec<Part>,
    /// The cuts that keep the prompt within the budget, with their reasons.
    pub left_out: Vec<Cut>,
    /// Tokens from the first on that the next chapter's prompt shares, so that the provider's cache serves them.
    pub stable_tokens: u64,
    /// `system` and `user` are the prompts exactly as sent.
    pub system: String,
    pub user: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub name: String,
    /// Estimated tokens.
    pub tokens: u64,
    /// A remark, such as on a cut; may be empty.
    pub note: String,
}

/// The name of a part in words; placeholders of the prompts have these names.
#[must_use]
pub fn part(name: &str, lang: Lang) -> &str {
    let known = PARTS.iter().find(|(placeholder, ..)| *placeholder == name);
    known.map_or(name, |(_, (zh, en))| lang.pick(zh, en))
}

const PARTS: [(&str, (&str, &str)); 65] = [
    ("active_line", pair!(part_active_line)),
    ("adjacent_lines", pair!(part_adjacent_lines)),
    ("beside", pair!(part_beside)),
    ("brief", pair!(part_brief)),
    ("cast", pair!(part_cast)),
    ("chapter", pair!(part_chapter)),
    ("chapter_memory", pair!(part_chapter_memory)),
    ("characters", pair!(part_characters)),
    ("contract", pair!(part_contract)),
    ("cross_references", pair!(part_cross_references)),
    ("drift", pair!(part_drift)),
    ("worn", pair!(part_worn)),
    ("entities", pair!(part_entities)),
    ("excerpts", pair!(part_excerpts)),
    ("fixes", pair!(part_fixes)),
    ("frozen_lines", pair!(part_frozen_lines)),
    ("genre", pair!(part_genre)),
    ("genre_notes", pair!(part_genre_notes)),
    ("scale", pair!(part_scale)),
    ("hints", pair!(part_hints)),
    ("instructions", pair!(part_instructions)),
    ("issues", pair!(part_issues)),
    ("ledger", pair!(part_ledger)),
    ("lines", pair!(part_lines)),
    ("max_changed", pair!(part_max_changed)),
    ("max_words", pair!(part_max_words)),
    ("mentions", pair!(part_mentions)),
    ("measured", pair!(part_measured)),
    ("memory", pair!(part_memory)),
    ("min_words", pair!(part_min_words)),
    ("next_title", pair!(part_next_title)),
    ("objectives", pair!(part_objectives)),
    ("opening", pair!(part_opening)),
    ("origin", pair!(part_origin)),
    ("other_lines", pair!(part_other_lines)),
    ("overview", pair!(part_overview)),
    ("pages", pair!(part_pages)),
    ("pass", pair!(part_pass)),
    ("passages", pair!(part_passages)),
    ("phrases", pair!(part_phrases)),
    ("pov", pair!(part_pov)),
    ("previous_ending", pair!(part_previous_ending)),
    ("questions", pair!(part_questions)),
    ("reader", pair!(part_reader)),
    ("reading", pair!(part_reading)),
    ("recent", pair!(part_recent)),
    ("remarks", pair!(part_remarks)),
    ("round", pair!(part_round)),
    ("rule_ids", pair!(part_rule_ids)),
    ("samples", pair!(part_samples)),
    ("scene", pair!(part_scene)),
    ("scene_plan", pair!(part_scene_plan)),
    ("section", pair!(part_section)),
    ("so_far", pair!(part_so_far)),
    ("state", pair!(part_state)),
    ("storyline", pair!(part_storyline)),
    ("storyline_rules", pair!(part_storyline_rules)),
    ("style", pair!(part_style)),
    ("text", pair!(part_text)),
    ("threads", pair!(part_threads)),
    ("title", pair!(part_title)),
    ("violations", pair!(part_violations)),
    ("voices", pair!(part_voices)),
    ("volume_lines", pair!(part_volume_lines)),
    ("world_rules", pair!(part_world_rules)),
];

const BAR: usize = 24;

impl ContextReport {
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// A row per part with its share, and the cuts.
    #[must_use]
    pub fn breakdown(&self, lang: Lang, columns: usize) -> String {
        let (chapter, agent) = (self.chapter, self.agent.say(lang));
        let total = self.tokens();
        let (sent, budget) = (figures::count(total), figures::count(self.budget_tokens));
        let mut sums = say!(lang, about_of_tokens(sent, budget));
        if total > self.budget_tokens {
            sums = paint(BAD, &say!(lang, too_many(sums)));
        }
        let heading = paint(STRONG, &say!(lang, context_chapter_agent(chapter, agent)));
        let mut out = format!("{heading}  {sums}\n");
        use Align::{Left, Right};
        let mut table = Table::new([("", Left), ("", Right), ("", Right), ("", Left), ("", Left)], 4).indented(2);
        let most = self.parts.iter().map(|part| part.tokens).max().unwrap_or(0);
        for part in &self.parts {
            table.row([
                self::part(&part.name, lang).into(),
                figures::count(part.tokens).into(),
                Cell::painted(DIM, figures::share(part.tokens, total)),
                figures::bar(part.tokens as f64, most as f64, BAR.min(columns / 4)).into(),
                Cell::painted(DIM, part.note.as_str()),
            ]);
        }
        out.push_str(&table.text(columns));
        for left in self.left_out.iter().map(|cut| cut.say(lang)) {
            out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, left_out(left)))));
        }
        if figures::percent(self.stable_tokens, total).is_some_and(|percent| percent > 0) {
            let share = figures::share(self.stable_tokens, total);
            let note = say!(lang, first_are_same_for_next_chapter(share));
            out.push_str(&format!("  {}\n", paint(DIM, &note)));
        }
        out
    }

    /// The prompt exactly as sent, each half under a heading.
    #[must_use]
    pub fn prompt(&self, lang: Lang) -> String {
        exactly(&self.system, &self.user, lang)
    }
}

/// A prompt exactly as sent, each half under a heading.
#[must_use]
pub fn exactly(system: &str, user: &str, lang: Lang) -> String {
    let end = |text: &str| if text.ends_with('\n') { "" } else { "\n" };
    let (first, second) = (say!(lang, system_prompt), say!(lang, user_prompt));
    format!("=== {first} ===\n{system}{}=== {second} ===\n{user}{}", end(system), end(user))
}
