//! What an agent is shown of the book: the answer of `novel context`.

use super::lang::{Lang, say};
use super::style::{BAD, DIM, STRONG, paint};
use super::table::{Align, Cell, Table};
use super::words::Words;
use super::{figures, json};
use crate::domain::ChapterNo;
use crate::domain::config::Agent;
use serde::Serialize;

/// The prompt of one agent for one chapter, and what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    /// The chapter.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// The agent.
    #[serde(serialize_with = "json::name")]
    pub agent: Agent,
    /// The most tokens the prompt may have, by estimate.
    pub budget_tokens: u64,
    /// Its parts, in the order in which they stand in the prompt.
    pub parts: Vec<Part>,
    /// What was left out to keep within the budget, and why.
    pub left_out: Vec<String>,
    /// Tokens from the first on that are the same for the next chapter, so that the provider's cache serves them.
    pub stable_tokens: u64,
    /// The system prompt, exactly as sent.
    pub system: String,
    /// The user prompt, exactly as sent.
    pub user: String,
}

/// One part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it is.
    pub name: String,
    /// How many tokens it has, by estimate.
    pub tokens: u64,
    /// Whether it was shortened, or what else there is to say; may be empty.
    pub note: String,
}

/// The widest bar.
const BAR: usize = 24;

impl ContextReport {
    /// Tokens of all parts.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// The breakdown: a row a part with its share, and what was left out.
    #[must_use]
    pub fn breakdown(&self, lang: Lang, columns: usize) -> String {
        let (chapter, agent) = (self.chapter, self.agent.say(lang));
        let total = self.tokens();
        let (sent, budget) = (figures::count(total), figures::count(self.budget_tokens));
        let mut sums = say!(lang, "约 {sent} token，上限 {budget}", "about {sent} of {budget} tokens");
        if total > self.budget_tokens {
            sums = paint(BAD, &say!(lang, "{sums}，超出", "{sums}: too many"));
        }
        let heading = paint(STRONG, &say!(lang, "{chapter} · {agent}", "{chapter} · {agent}"));
        let mut out = format!("{heading}  {sums}\n");
        use Align::{Left, Right};
        let mut table = Table::new([("", Left), ("", Right), ("", Right), ("", Left), ("", Left)], 4).indented(2);
        let most = self.parts.iter().map(|part| part.tokens).max().unwrap_or(0);
        for part in &self.parts {
            table.row([
                part.name.as_str().into(),
                figures::count(part.tokens).into(),
                Cell::painted(DIM, figures::share(part.tokens, total)),
                figures::bar(part.tokens as f64, most as f64, BAR.min(columns / 4)).into(),
                Cell::painted(DIM, part.note.as_str()),
            ]);
        }
        out.push_str(&table.text(columns));
        for left in &self.left_out {
            out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, "未放入: {left}", "left out: {left}"))));
        }
        let share = figures::share(self.stable_tokens, total);
        let note =
            say!(lang, "开头 {share} 与下一章相同，可命中缓存", "the first {share} are the same for the next chapter");
        out.push_str(&format!("  {}\n", paint(DIM, &note)));
        out
    }

    /// The prompt exactly as it is sent, its two halves under a heading each.
    #[must_use]
    pub fn prompt(&self) -> String {
        let end = |text: &str| if text.ends_with('\n') { "" } else { "\n" };
        let (system, user) = (&self.system, &self.user);
        format!("=== system ===\n{system}{}=== user ===\n{user}{}", end(system), end(user))
    }
}
