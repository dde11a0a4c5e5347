//! The context of an agent: the answer of `novel context`.

use super::words;
use crate::agents::context::Cut;
use crate::domain::book::config::Agent;
use crate::report::prelude::*;

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
pub fn part(name: &str, lang: Lang) -> &str {
    words::named("part", name, lang).unwrap_or(name)
}

const BAR: usize = 24;

impl ContextReport {
    pub fn tokens(&self) -> u64 {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// A row per part with its share, and the cuts.
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
        let mut table = Table::bare("lrrll", 4).indented(2);
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
            out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, first_are_same_for_next_chapter(share)))));
        }
        out
    }

    /// The prompt exactly as sent, each half under a heading.
    pub fn prompt(&self, lang: Lang) -> String {
        exactly(&self.system, &self.user, lang)
    }
}

/// A prompt exactly as sent, each half under a heading.
pub fn exactly(system: &str, user: &str, lang: Lang) -> String {
    let end = |text: &str| if text.ends_with('\n') { "" } else { "\n" };
    let (first, second) = (say!(lang, system_prompt), say!(lang, user_prompt));
    format!("=== {first} ===\n{system}{}=== {second} ===\n{user}{}", end(system), end(user))
}
